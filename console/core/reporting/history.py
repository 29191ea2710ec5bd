"""What the state has forgotten of a run and the log still knows: first claims, restarts, leftovers, refusals. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from console.core import events as ev

TYPES = (
    ev.SupervisorStarted,
    ev.SupervisorTrouble,
    ev.SessionInterrupted,
    ev.SnapshotTaken,
    ev.RolledBack,
    ev.Exited,
    ev.PolicyJudged,
    ev.TicketClaimed,
    ev.TicketBegun,
    ev.TicketEnded,
)
"""The kinds of facts that are read here; a reader may skip all others."""


@dataclass(slots=True)
class Past:
    """Of one run, from its start to its end. claimed, ended: ticket -> Unix seconds of its first claim, its last end.
    attempts: those that a session began.
    refused: (session, why) of snapshots that were not taken. unrolled: (session, why) of rollbacks that were not done.
    troubles: (what was tried, the error). leftovers: (session, command) of processes that outlived their agent."""

    told: bool = False
    claimed: dict[str, float] = field(default_factory=dict)
    ended: dict[str, float] = field(default_factory=dict)
    attempts: Counter[str] = field(default_factory=Counter)
    restarts: list[float] = field(default_factory=list)
    interrupted: list[str] = field(default_factory=list)
    refused: list[tuple[str, str]] = field(default_factory=list)
    unrolled: list[tuple[str, str]] = field(default_factory=list)
    troubles: list[tuple[str, str]] = field(default_factory=list)
    leftovers: list[tuple[str, str]] = field(default_factory=list)
    gate_leftovers: int = 0


def past(entries: Iterable[ev.Logged] | None, run: str, first: int, last: int) -> Past:
    """What the entries with first <= seq <= last (0: no end) say. None: what they tell is unknown."""
    found = Past(told=entries is not None)
    for entry in entries or ():
        if entry.seq >= first and (not last or entry.seq <= last):
            _look(found, run, entry.fact, entry.at)
    return found


def _look(p: Past, run: str, fact: ev.Fact, at: float) -> None:
    match fact:
        case ev.TicketClaimed() if fact.run == run:
            p.claimed.setdefault(fact.ticket, at)
        case ev.TicketBegun() if fact.ticket in p.claimed:
            p.attempts[fact.ticket] += 1
        case ev.TicketEnded() if fact.run == run:
            p.ended[fact.ticket] = at
        case ev.SupervisorStarted() if p.attempts or p.interrupted:  # else it is the run's own first one
            p.restarts.append(at)
        case ev.SupervisorTrouble():
            p.troubles.append((fact.effect, fact.error))
        case ev.SessionInterrupted():
            p.interrupted.append(fact.session)
        case ev.SnapshotTaken() if not fact.snapshot:
            p.refused.append((fact.session, fact.refused))
        case ev.RolledBack() if fact.refused or fact.left:
            p.unrolled.append((fact.session, fact.refused or f"still different: {', '.join(fact.left)}"))
        case ev.Exited():
            p.leftovers += [(fact.session, command) for command in fact.leftovers]
        case ev.PolicyJudged():
            p.gate_leftovers += sum(result.leftovers for result in fact.results)
        case _:
            pass
