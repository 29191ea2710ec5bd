"""One run: one drain of the queue from GO to its end. Its caps, its brakes and when it is over. Pure."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from console.core import events as ev
from console.core.records import Check, Outcome, Record, RunSettings, Who
from console.core.tickets import DONE, of_chain

State = Literal["active", "paused", "stopping", "halting", "ended"]
"""stopping: no new claims, what is under way finishes (or is being stopped, see `now`)."""

OPEN: frozenset[State] = frozenset({"active", "paused", "stopping", "halting"})


class Run(Record, frozen=True, kw_only=True):
    """claimed: tickets that were claimed in it, in order; the reviews and repairs among them count for neither the
    ticket cap nor a low yield. outcomes: how each ended, in the order of the ends. cost_usd: of its turns, as far as
    agents say; turns: that have ended; uncosted: of these, those that did not say. begun: turns that have begun.
    retries: attempts beyond the first. fuses: how often so many of its agents fell silent at once that the fault was
    not theirs. left: plans and decisions that waited for a person, and tickets that were held, when it ended; None
    before."""

    run: str
    settings: RunSettings
    by: Who
    started_at: float
    seq: int
    state: State = "active"
    attended: bool = False
    pull: bool = False
    warnings: tuple[Check, ...] = ()
    claimed: tuple[str, ...] = ()
    outcomes: dict[str, Outcome] = {}
    attempts: int = 0
    turns: int = 0
    cost_usd: float = 0.0
    uncosted: int = 0
    begun: int = 0
    fuses: int = 0
    reason: str = ""
    now: bool = False
    status: ev.RunStatus | None = None
    ended_at: float = 0.0
    end_seq: int = 0
    left: tuple[int, int, int] | None = None

    @property
    def open(self) -> bool:
        return self.state in OPEN


def started(fact: ev.RunStarted, seq: int, at: float) -> Run:
    return Run(
        run=fact.run,
        settings=fact.settings,
        by=fact.by,
        started_at=at,
        seq=seq,
        attended=fact.attended,
        pull=fact.pull,
        warnings=fact.warnings,
    )


def fold(r: Run, fact: ev.Fact, seq: int, at: float) -> Run:
    """The run after a fact that concerns it."""
    match fact:
        case ev.RunPaused():
            return replace(r, state="paused")
        case ev.RunResumed():
            return replace(r, state="active")
        case ev.RunStopRequested():
            return replace(
                r, state="stopping", now=r.now or fact.now, reason=f"stopped by {fact.by.user or fact.by.via}"
            )
        case ev.RunHalting():
            return replace(r, state="halting", now=True, reason=fact.reason)
        case ev.RunEnded():
            return replace(r, state="ended", status=fact.status, reason=fact.why, ended_at=at, end_seq=seq)
        case ev.TicketClaimed():
            known = fact.ticket in r.claimed
            claimed = r.claimed if known else (*r.claimed, fact.ticket)
            outcomes = {t: o for t, o in r.outcomes.items() if t != fact.ticket}
            return replace(r, claimed=claimed, outcomes=outcomes, attempts=r.attempts + 1)
        case ev.TicketEnded():
            outcomes = {t: o for t, o in r.outcomes.items() if t != fact.ticket}
            return replace(r, outcomes={**outcomes, fact.ticket: fact.outcome})
        case _:
            return r


def turned(r: Run) -> Run:
    """One more turn of its agents has begun."""
    return replace(r, begun=r.begun + 1)


def spent(r: Run, fact: ev.TurnEnded | ev.Exited) -> Run:
    """With the cost of one of its turns, which has ended or broken off."""
    cost = fact.usage.cost_usd if fact.usage else None
    if cost is None:
        return replace(r, turns=r.turns + 1, uncosted=r.uncosted + 1)
    return replace(r, turns=r.turns + 1, cost_usd=r.cost_usd + cost)


def unsaid(r: Run) -> int:
    """Turns that did not say what they cost; of a run that is over also those that broke off."""
    return r.uncosted + (0 if r.open else max(0, r.begun - r.turns))


def blew(r: Run) -> Run:
    """The fleet fuse has blown in it."""
    return replace(r, fuses=r.fuses + 1)


def low_yield(r: Run) -> str:
    """Why the breaker trips, "" when it does not: most of what has ended is not done (DESIGN.md 7)."""
    ended = [outcome for ticket, outcome in r.outcomes.items() if not of_chain(ticket)]
    bad = sum(outcome not in DONE for outcome in ended)
    if len(ended) < r.settings.low_after or bad / len(ended) < r.settings.low_share:
        return ""
    return f"{bad} of the {len(ended)} tickets that ended are not done; the queue itself needs a look"


def capped(r: Run) -> tuple[ev.RunStatus, str] | None:
    """The cap that the run has reached, if any: nothing new is claimed, what is under way finishes."""
    if r.settings.cost_usd is not None and r.cost_usd >= r.settings.cost_usd:
        return "COST_CAP", f"the turns cost {r.cost_usd:.2f} $ of at most {r.settings.cost_usd:.2f} $"
    taken = sum(not of_chain(ticket) for ticket in r.claimed)
    if taken >= r.settings.tickets:
        return "TICKET_CAP", f"{taken} tickets were taken, the most for one run"
    return None
