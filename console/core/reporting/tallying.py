"""The numbers of a run, and the one sentence they come to. Pure; every ticket is counted exactly once."""

from __future__ import annotations

from collections import Counter
from typing import get_args

from console.core import drain, queue
from console.core.records import Outcome
from console.core.reporting.records import ChainSums, Reason, Tally
from console.core.state import State
from console.core.tickets import Ticket, of_chain

OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
_REASONS: dict[str, Reason] = {
    "held": "held",
    "quarantined": "quarantined",
    "waits": "waits",
    "unknown": "unknown dependency",
}


def met(state: State, r: drain.Run) -> list[str]:
    """The tickets that the run dealt with: claimed ones in order, then those that ended without a claim. Reviews and
    repairs are told of with the ticket that they are about."""
    claimed = _claimed(r)
    return [*claimed, *(name for name in r.outcomes if name not in claimed and not of_chain(name))]


def _claimed(r: drain.Run) -> list[str]:
    return [name for name in r.claimed if not of_chain(name)]


def under_way(state: State, r: drain.Run, name: str) -> bool:
    """Claimed in the run, without an outcome, and the run is not over with it: at work, or between two attempts."""
    t = state.tickets.get(name)
    mine = bool(t and t.run == r.run and (t.in_flight or r.open))
    return name not in r.outcomes and mine


def others(state: State, r: drain.Run) -> list[Ticket]:
    """The tickets that were there during the run and that it did not deal with, in the order they were first seen."""
    dealt = set(met(state, r))
    there = (t for t in state.tickets.values() if t.ticket not in dealt and t.phase != "gone" and not t.link)
    return sorted((t for t in there if not r.end_seq or t.order <= r.end_seq), key=lambda t: (t.order, t.ticket))


def reason(state: State, r: drain.Run, t: Ticket, at_limit: queue.Limits) -> Reason:
    """Why the run did not start it. at_limit: `queue.limits` of the state."""
    from console.core.reporting import standing

    if t.phase != "queued":
        return "not reached" if _taken_later(state, r, t) else "put aside"
    stands = standing.of(state, t, at_limit).state
    if stands != "ready":
        return _REASONS[stands]
    return "over the cap" if r.status in ("TICKET_CAP", "COST_CAP") else "not reached"


def _taken_later(state: State, r: drain.Run, t: Ticket) -> bool:
    """Whether a later run or worker took what this one had left in the queue."""
    runs = (other for other in state.runs.values() if other.seq > r.seq)
    return any(t.ticket in other.claimed or t.ticket in other.outcomes for other in runs)


def tally(state: State, r: drain.Run) -> Tally:
    dealt, claimed = met(state, r), len(_claimed(r))
    ended = {name: outcome for name, outcome in r.outcomes.items() if not of_chain(name)}
    counted = Counter(ended.values())
    moving = sum(under_way(state, r, name) for name in dealt)
    at_limit = queue.limits(state)
    left = Counter(reason(state, r, t, at_limit) for t in others(state, r))
    return Tally(
        total=len(dealt) + sum(left.values()),
        claimed=claimed,
        unclaimed=len(dealt) - claimed,
        outcomes={outcome: counted[outcome] for outcome in OUTCOMES},
        under_way=moving,
        put_back=len(dealt) - len(ended) - moving,
        not_started={name: left[name] for name in get_args(Reason) if left[name]},
        problems=len(state.problems),
    )


def headline(r: drain.Run, t: Tally, looks: int, chains: ChainSums | None = None) -> tuple[str, bool]:
    """(one sentence, whether it is loud). That a run ended must never read as that its work was done. looks: done
    tickets that a person is to look at. chains: what was done beside the tickets."""
    done = f"{t.done} of {t.wanted} ticket{'' if t.wanted == 1 else 's'} done"
    if r.status == "HALTED":
        return f"HALTED: the run was broken off. {done}", True
    if r.status == "LOW_YIELD":
        return f"LOW YIELD: most of what was tried is not done; the queue itself needs a look. {done}", True
    if r.open:
        return f"The run is under way ({r.state}): {done} so far", False
    if not t.wanted:
        return _without_tickets(chains), False
    if t.done * 2 < t.wanted:
        return f"THE RUN ENDED, THE WORK IS NOT DONE: {done}", True
    if t.done == t.wanted and r.status == "DRAINED":
        return f"All {t.wanted} done" + (f", {looks} need{'s' * (looks == 1)} a look" if looks else ""), False
    ended = {"TICKET_CAP": "stopped at its cap of tickets", "COST_CAP": "stopped at its cap of cost"}
    how = ended.get(str(r.status), "stopped by a person" if r.status == "STOPPED" else "drained the queue")
    return f"The run {how}: {done}, {t.wanted - t.done} not", False


def _without_tickets(chains: ChainSums | None) -> str:
    found = {"review": chains.reviews, "repair": chains.repairs} if chains else {}
    done = {kind: sum(n for how, n in by.items() if how not in ("queued", "withdrawn")) for kind, by in found.items()}
    told = " and ".join(f"{number} {kind}{'s' * (number != 1)}" for kind, number in done.items() if number)
    if not told:
        return "There was nothing to do: no ticket could be worked on"
    return f"No ticket was left to work on; there was work on finished ones: {told}"
