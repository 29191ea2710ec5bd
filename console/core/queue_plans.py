"""Plans of tickets that a person rejects, cancels or takes back, and what was built on them. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from console.core import chains_react, queue, queue_attempts, queue_flags, queue_parks, tickets
from console.core import events as ev
from console.core.records import Outcome
from console.core.state import State
from console.core.tickets import Ticket


def ticket_of_plan(state: State, policy: str) -> Ticket | None:
    p = state.policies.get(policy)
    return state.tickets.get(p.spec.ticket) if p and p.spec.ticket else None


def cancelled(state: State, fact: ev.PolicyCancelled) -> Iterator[ev.Fact]:
    """A person cancelled the policy of a ticket that is under way."""
    t = ticket_of_plan(state, fact.policy)
    if not t or t.policy != fact.policy or t.phase == "retrying":
        return
    why = f"its policy was cancelled: {fact.reason}"
    if t.in_flight:
        yield queue.outcome(state, t, "FAILED_RETRYABLE", why)
        return
    plan = state.plans.get(t.plan)
    if plan and plan.policy == fact.policy and plan.state == "void":
        for owner in queue_flags.owners(state, plan.policy, plan.plan):
            if owner.phase in tickets.OVER and owner.outcome in tickets.DONE:
                yield queue.outcome(state, owner, "FAILED_RETRYABLE", why)


def plan_blocked(state: State, fact: ev.PolicyBlocked) -> Iterator[ev.Fact]:
    """A plan that waited cannot land as it is: then the ticket is not done."""
    t = ticket_of_plan(state, fact.policy)
    plan = state.plans.get(t.plan) if t else None
    if t and plan and plan.policy == fact.policy and t.phase in tickets.OVER and plan.state == "void":
        for owner in queue_flags.owners(state, plan.policy, plan.plan):
            yield queue.outcome(state, owner, "BLOCKED_ENV", f"its plan could not land: {fact.reason}")


def rejected(state: State, fact: ev.PlanRejected) -> Iterator[ev.Fact]:
    """The question is the root's when it is a repair that is rejected: its answer begins the work anew."""
    maker = ticket_of_plan(state, fact.policy)
    mine = queue_flags.owners(state, fact.policy, fact.plan) if maker and maker.plan == fact.plan else ()
    if mine and (not mine[-1].link):
        t = mine[-1]
        parked = ev.DecisionParked(
            decision=queue_parks.next_decision(state),
            ticket=t.ticket,
            foundational=False,
            why=f"its plan {fact.plan[:10]} was rejected{': ' + fact.note if fact.note else ''}",
            question="What should be done differently?",
            evidence=(f"nightdesk plan show {fact.plan[:10]}",),
            source="rejected",
        )
        yield from queue_parks.parked(state, t, parked)
    yield from base_gone(state, fact.plan, f"plan {fact.plan[:10]}, on which it builds, was rejected")


def restored(state: State, fact: ev.PlanRestored) -> Iterator[ev.Fact]:
    t = queue_flags.root_of(state, ticket_of_plan(state, fact.policy))
    d = state.decisions.get(t.decision) if t else None
    if not t or not d or d.source != "rejected" or d.state != "open" or t.phase not in tickets.OVER:
        return
    yield ev.DecisionClosed(decision=d.decision, ticket=t.ticket, reason="the rejection was taken back")
    flags = queue_flags.plan_flags(state, state.plans[fact.plan])
    why = flags[0] if flags else "green, and its rejection was taken back"
    outcome: Outcome = "DONE_LOW_CONFIDENCE" if flags else "DONE"
    yield queue.outcome(state, t, outcome, why, plan=fact.plan, flags=flags)


def base_gone(state: State, plan: str, why: str) -> Iterator[ev.Fact]:
    """Work that was started from a plan that will not land as it is goes back to the queue (ruling 6). Where another
    plan took its place the work stays, with a word of what it was judged on until it is judged on that."""
    if state.plans[plan].successor:
        names = (t.plan for t in queue.builds_on(state, plan) if t.phase in tickets.OVER and t.plan in state.plans)
        for commit in dict.fromkeys(queue.present(state, state.plans[name]).plan for name in names):
            yield from queue_flags.retold(state, commit)
        return
    for t in queue.builds_on(state, plan):
        own = state.plans.get(t.plan)
        if own and own.state not in ("waiting", "void", "superseded", "rejected"):
            continue
        if own and own.state == "waiting":
            yield ev.PlanVoided(policy=own.policy, plan=own.plan, reason=why)
            yield ev.PolicyCancelled(policy=own.policy, reason=why)
        yield from queue_attempts.policy_over(state, t, why)
        yield from queue_attempts.processes_over(state, t, rest=False)
        yield from queue.closed(state, t, why)
        if t.link:  # its root begins anew, and so does its chain
            yield ev.TicketDropped(ticket=t.ticket, by=chains_react.CHAIN, note=why)
        else:
            yield ev.TicketRequeued(ticket=t.ticket, by=queue.QUEUE)
