"""The step that chains take when everything else has settled: one decision at a time, told as facts. Pure.

What a chain decides never approves or lands anything, and a fault about one ticket never stops the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec.structs import replace

from console.core import chains, queue
from console.core import events as ev
from console.core.chains import Card, Decision, Escalate, Nothing, Ship, Spawn, Withdraw
from console.core.chains_board import read
from console.core.records import TicketSpec, Who
from console.core.records_chains import ReviewLimits
from console.core.state import State, open_run

CHAIN = Who(via="chain")
URGENT = 1000
"""Priority of a member: what was begun is brought to its end before more is begun."""
ERROR_KEPT = 200
"""Characters of a fault."""

ASKING = (
    ev.ChainsSwitched,
    ev.ChainLimitsRead,
    ev.ChainSpawned,
    ev.ChainShipped,
    ev.ChainEscalated,
    ev.ChainTrouble,
    ev.ReviewJudged,
    ev.PolicyCommitReady,
    ev.PolicyCommitted,
    ev.PolicyDone,
    ev.PolicyNudged,
    ev.PolicyBlocked,
    ev.PolicyCancelled,
    ev.LandingRefused,
    ev.PlanRebased,
    ev.PlanSuperseded,
    ev.PlanVoided,
    ev.PlanRejected,
    ev.PlanRestored,
    ev.UndoRefused,
)
"""Facts after which a chain may have a next step, beside those that bring the run one."""

Planner = Callable[[Card, Sequence[Card], ReviewLimits], Decision]


def follow(state: State, plan: Planner = chains.plan) -> tuple[ev.Fact, ...]:
    """The next step of the first chain that has one, as facts; they ask again. Nothing while chains are off."""
    if not state.chains_on:
        return ()
    limits = known_limits(state)
    cards, faults = read(state)
    for ticket, fault in faults.items():
        if trouble := _trouble(state, ticket, fault):
            return (trouble,)
    for card in cards:
        try:
            facts = tuple(_facts(state, plan(card, cards, limits)))
        except Exception as fault:
            trouble = _trouble(state, card.ticket, fault)
            facts = (trouble,) if trouble else ()
        if facts:
            return facts
    return ()


def known_limits(state: State) -> ReviewLimits:
    """The limits as last read. Presets that nobody has told are those of the latest run."""
    limits = state.review_limits
    run = open_run(state) or next(reversed(state.runs.values()), None)
    return limits if limits.presets or run is None else replace(limits, presets=tuple(run.settings.presets))


def _facts(state: State, decision: Decision) -> Iterator[ev.Fact]:
    if isinstance(decision, (Spawn, Ship, Escalate)) and decision.key in state.ledger:
        raise LookupError(f"{decision.key} was decided a second time")  # a fault of ours, which must not go round
    if isinstance(decision, Spawn) and decision.ticket in state.tickets:
        raise LookupError(f"{decision.ticket} is there already")
    match decision:
        case Nothing():
            return
        case Spawn():
            yield ev.ChainSpawned(
                ticket=decision.ticket,
                link=decision.link,
                spec=_spec(state, decision),
                key=decision.key,
                why=decision.why,
            )
        case Ship():
            yield ev.ChainShipped(root=decision.root, ticket=decision.ticket, plan=decision.plan, key=decision.key)
        case Escalate():
            yield ev.ChainEscalated(
                root=decision.root,
                ticket=decision.ticket,
                plan=decision.plan,
                why=decision.why,
                key=decision.key,
            )
        case Withdraw():
            yield from queue.closed(state, state.tickets[decision.ticket], decision.why)
            yield ev.TicketDropped(ticket=decision.ticket, by=CHAIN, note=decision.why)


def _spec(state: State, decision: Spawn) -> TicketSpec:
    """What the queue is to know of a member. A reviewer is judged by its last words alone."""
    root = state.tickets[decision.link.root].spec
    if decision.link.kind == "review":
        return TicketSpec(
            title=f"Review of {root.title}",
            agent=decision.preset,
            priority=URGENT,
            attempts=root.attempts,
            timeout=root.timeout,
            review=False,
        )
    return replace(
        root,
        title=f"Repair of {root.title}",
        agent=decision.preset,
        priority=URGENT,
        depends_on=(),
        review=False,
    )


def _trouble(state: State, ticket: str, fault: Exception) -> ev.ChainTrouble | None:
    """Told once."""
    error = f"{type(fault).__name__}: {fault}"[:ERROR_KEPT]
    told = f"trouble:{ticket}:{error}" in state.ledger
    return None if told else ev.ChainTrouble(ticket=ticket, error=error)
