"""What the state has forgotten of a run and the log still knows: first claims, restarts, leftovers, refusals. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from console.core import events as ev
from console.core.reporting import trouble
from console.core.timeline import TYPES as DRAWN
from console.core.timeline import Timeline

TYPES = (
    *trouble.TYPES,
    ev.SupervisorTrouble,
    ev.SessionInterrupted,
    ev.SnapshotTaken,
    ev.RolledBack,
    ev.PolicyJudged,
    ev.TicketClaimed,
    ev.TicketBegun,
    ev.TicketEnded,
    ev.NoticeSettled,
    *DRAWN,
)
"""The kinds of facts that are read here; a reader may skip all others but the one right before a
`supervisor:started`, from which the time without a supervisor is counted."""


@dataclass(slots=True)
class Past:
    """Of one run, from its start to its end. claimed, ended: ticket -> Unix seconds of its first claim, its last end.
    attempts: those that a session began.
    refused: (session, why) of snapshots that were not taken. unrolled: (session, why) of rollbacks that were not done.
    troubles: (what was tried, the error). lost: (channel, why) of notices that did not arrive. trouble: what broke off,
    outlived its agent, or held up the night. timeline: who ran when."""

    told: bool = False
    claimed: dict[str, float] = field(default_factory=dict)
    ended: dict[str, float] = field(default_factory=dict)
    attempts: Counter[str] = field(default_factory=Counter)
    restarts: list[float] = field(default_factory=list)
    interrupted: list[str] = field(default_factory=list)
    refused: list[tuple[str, str]] = field(default_factory=list)
    unrolled: list[tuple[str, str]] = field(default_factory=list)
    troubles: list[tuple[str, str]] = field(default_factory=list)
    trouble: trouble.Trouble = field(default_factory=trouble.Trouble)
    gate_leftovers: int = 0
    lost: list[tuple[str, str]] = field(default_factory=list)
    timeline: Timeline = field(default_factory=Timeline)


def past(
    entries: Iterable[ev.Logged] | None, run: str, first: int, last: int, timeline: Timeline | None = None
) -> Past:
    """What the entries with first <= seq <= last (0: no end) say. None: what they tell is unknown. timeline: with what
    it has to know beforehand."""
    found = Past(told=entries is not None, timeline=timeline or Timeline())
    for entry in entries or ():
        if entry.seq >= first and (not last or entry.seq <= last):
            found.trouble.look(entry.fact, entry.at, another=_begun(found))
            found.timeline.feed((entry,))
            _look(found, run, entry.fact, entry.at)
    return found


def _begun(p: Past) -> bool:
    """Whether work had begun: a supervisor that starts from now on is not the run's own first one."""
    return bool(p.attempts or p.interrupted)


def _look(p: Past, run: str, fact: ev.Fact, at: float) -> None:
    match fact:
        case ev.TicketClaimed() if fact.run == run:
            p.claimed.setdefault(fact.ticket, at)
        case ev.TicketBegun() if fact.ticket in p.claimed:
            p.attempts[fact.ticket] += 1
        case ev.TicketEnded() if fact.run == run:
            p.ended[fact.ticket] = at
        case ev.SupervisorStarted() if _begun(p):
            p.restarts.append(at)
        case ev.SupervisorTrouble():
            p.troubles.append((fact.effect, fact.error))
        case ev.SessionInterrupted():
            p.interrupted.append(fact.session)
        case ev.SnapshotTaken() if not fact.snapshot:
            p.refused.append((fact.session, fact.refused))
        case ev.RolledBack() if fact.refused or fact.left:
            p.unrolled.append((fact.session, fact.refused or f"still different: {', '.join(fact.left)}"))
        case ev.PolicyJudged():
            p.gate_leftovers += sum(result.leftovers for result in fact.results)
        case ev.NoticeSettled() if fact.outcome in ("refused", "failed"):
            p.lost.append((fact.channel, fact.detail or fact.outcome))
        case _:
            pass
