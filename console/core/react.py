"""What follows from a fact: the reactions that turn turn ends into gates, results into plans, nudges and events."""

from __future__ import annotations

from collections.abc import Iterator

from console.core import (
    alerts,
    chains,
    chains_react,
    policies,
    queue,
    queue_judged,
    queue_react,
    restarts,
    routines_react,
    sessions,
)
from console.core import events as ev
from console.core.policies import Policy
from console.core.records import GateResult, Who
from console.core.sessions import Turn
from console.core.state import State, open_alert, open_run
from console.core.tickets import Ticket


def react(state: State, fact: ev.Fact) -> tuple[ev.Fact, ...]:
    """The facts that follow at once from `fact`, which has been folded already."""
    return (*_react(state, fact), *routines_react.follow(state, fact), *queue_react.follow(state, fact))


def _react(state: State, fact: ev.Fact) -> tuple[ev.Fact, ...]:
    match fact:
        case ev.TurnEnded():
            # A superseded plan wakes every policy by itself; waking them here too would queue them twice.
            superseded = tuple(_supersede(state, fact.session)) if fact.ok else ()
            return superseded or tuple(_wake(state))
        case ev.Exited() if again := tuple(restarts.exited(state, fact)):
            return again  # nothing is over: its policies go on watching
        case ev.SessionRestartDue():
            return tuple(restarts.due(state, fact))
        case ev.Exited() | ev.SessionInterrupted() | ev.PolicyAttached() | ev.StopRequested() | ev.PlanSuperseded():
            return tuple(_wake(state)) or tuple(_fill_slots(state))
        case ev.SessionGivenUp():
            return tuple(_wake(state)) or tuple(_fill_slots(state))
        case ev.PolicyQueued() | ev.PolicyGating():
            return tuple(_fill_slots(state))
        case ev.PolicyJudged():
            judged = queue_judged.judged if state.policies[fact.policy].spec.ticket else _judged
            return tuple(judged(state, fact))
        case ev.PolicyCommitReady() if _auto(state, fact):
            return (ev.ApprovalRequested(policy=fact.policy, plan=fact.plan, by=Who(via="policy --no-ack")),)
        case ev.PolicyCommitted():
            return (_done(state, fact.policy),)
        case ev.PlanVoided() if state.policies[fact.policy].status == "acting":
            return (ev.PolicyBlocked(policy=fact.policy, reason=fact.reason),)
        case ev.PlanRebased():
            return (ev.PolicyQueued(policy=fact.policy),)
        case ev.PolicyDone():
            return tuple(_chain(state, fact)) or tuple(_fill_slots(state))  # attaching asks for slots by itself
        case ev.PolicyBlocked() | ev.PolicyCancelled() | ev.PolicyNudged() | ev.PolicyCommitReady():
            return tuple(_fill_slots(state))
        case ev.LandingRefused() | ev.PlanRestored() | ev.UndoRefused():
            return tuple(_fill_slots(state))
        case ev.TicketEnded() | ev.TicketBack() | ev.TicketWaiting() | ev.TicketDropped() | ev.RunEnded():
            return tuple(_fill_slots(state))  # a judge may wait for an agent's slot
        case ev.AlertSettled() if fact.outcome != "failed":
            return tuple(_judged_under(state, fact))
        case _:
            return ()


# -- turn ends -------------------------------------------------------------------------------------------


def _wake(state: State) -> Iterator[ev.Fact]:
    """Policies whose every session has finished go to the gate's queue; those that never can are ended."""
    for p in state.policies.values():
        if p.status not in policies.WAITING_FOR_TURN:
            continue
        ends = [sessions.finished_since(state.sessions[name], p.since) for name in p.spec.sessions]
        if "" in ends:
            continue
        if p.spec.ticket and ends[0] != "turn":
            continue  # the queue decides what becomes of the attempt
        if len(ends) == 1 and ends[0] == "exit":
            s = state.sessions[p.spec.sessions[0]]
            why = f"session {s.session} exited before its turn ended: {s.exit}"
            if p.status == "nudging":
                yield ev.PolicyBlocked(policy=p.policy, reason=f"{why} (nudge {p.retries})")
            else:
                yield ev.PolicyCancelled(policy=p.policy, reason=why)
            continue
        if "bad" in ends:
            yield ev.PolicyBlocked(policy=p.policy, reason=_bad_turns(state, p))
            continue
        yield ev.PolicyQueued(policy=p.policy)


def _bad_turns(state: State, p: Policy) -> str:
    """Why the work of these sessions is not judged by itself; a person may still have it judged (`policy retry`)."""
    found = []
    for name in p.spec.sessions:
        s = state.sessions[name]
        if s.turn and sessions.finished_since(s, p.since) == "bad":
            found.append(f"turn {s.turn.number} of {name} ended with {s.turn.stop} {s.turn.detail}".rstrip())
    return f"not judged: {'; '.join(found)}"


def _supersede(state: State, session: str) -> Iterator[ev.Fact]:
    """A later turn of the same session takes its waiting plan back, visibly, and judges the work anew."""
    for p in state.policies.values():
        plan = state.plans.get(p.plan)
        if session not in p.spec.sessions or p.status != "awaiting-ack" or not plan or plan.state != "waiting":
            continue
        yield ev.PlanSuperseded(policy=p.policy, plan=p.plan, reason=f"session {session} ended a later turn")


def _fill_slots(state: State) -> Iterator[ev.Fact]:
    """The longest-waiting policy takes a free slot. One at a time: the fact that follows asks again."""
    taken = [p for p in state.policies.values() if p.status in policies.IN_A_SLOT]
    busy = len(taken)
    run = open_run(state)
    full = run is not None and sum(bool(p.spec.ticket) for p in taken) >= run.settings.gates
    queued = [p for p in state.policies.values() if p.status == "queued" and not (full and p.spec.ticket)]
    queued = [p for p in queued if not queue.no_room(state, p)]
    if queued and busy < policies.CONCURRENCY:
        first = min(queued, key=lambda p: p.queued_seq)
        yield _gating(state, first)


def _gating(state: State, p: Policy) -> ev.PolicyGating:
    members = [state.sessions[name] for name in p.spec.sessions]
    turns = [s.turn for s in members if s.turn]
    ref, head = _base(p, turns)
    return ev.PolicyGating(
        policy=p.policy,
        attempt=p.attempt + 1,
        base_ref=ref,
        base_head=head,
        end_head=max(turns, key=lambda t: t.end_seq).end_head if turns else "",
        candidate=p.candidate,
    )


def _base(p: Policy, turns: list[Turn]) -> tuple[str, str]:
    """What the work is measured against: where the first turn that the policy saw began, as long as only the sessions
    moved the branch since. A commit of anybody else's between two turns starts a new base, so that it is never taken
    for the agent's."""
    if not turns or (p.base_head and all(t.origin_seq <= p.base_seq for t in turns)):
        return p.base_ref, p.base_head
    first = min(turns, key=lambda t: t.start_seq)
    if first.origin_seq > p.since:
        return first.origin_ref, first.origin_head
    return first.ref, first.head


def _judged_under(state: State, fact: ev.AlertSettled) -> Iterator[ev.Fact]:
    """Plans that were judged while the alert was open, without their hooks, are judged anew by what is right now."""
    for p in state.policies.values():
        plan = state.plans.get(p.plan)
        findings = plan.assessment.findings if plan and plan.assessment else ()
        if p.status == "awaiting-ack" and any(f.rule == alerts.UNDER_ALERT for f in findings):
            yield ev.PlanSuperseded(
                policy=p.policy, plan=p.plan, reason=f"{fact.alert} is {fact.outcome}; it is judged again"
            )


# -- judgements ------------------------------------------------------------------------------------------


def _judged(state: State, fact: ev.PolicyJudged) -> Iterator[ev.Fact]:
    p = state.policies[fact.policy]
    result = policies.deciding(fact.results)
    if result and result.verdict != "green":
        yield ev.PolicyFailed(policy=p.policy, sessions=p.spec.sessions, gate=result)
        yield from _failed(state, p, result, fact.only_worktree)
        return
    if p.spec.gate and not any(r.where != "hook" for r in fact.results):  # nobody saw it green
        yield ev.PolicyBlocked(policy=p.policy, reason=fact.refused or "could not judge: the gate has no result")
        return
    yield ev.PolicyPassed(policy=p.policy, sessions=p.spec.sessions, gate=result)
    if p.spec.then == "emit":
        yield _done(state, p.policy)
    elif fact.plan is None:
        yield ev.PolicyBlocked(policy=p.policy, reason=fact.refused or "nothing could be frozen")
    else:
        assert p.spec.commit
        yield ev.PolicyCommitReady(
            policy=p.policy,
            plan=fact.plan.commit,
            cwd=fact.plan.worktree,
            paths=tuple(path.path for path in fact.plan.paths),
            message=fact.plan.message,
            frozen=fact.plan,
            sessions=p.spec.sessions,
            notes=_with_auto(p, fact),
            replaced=p.plan,
            assessment=fact.assessment,
        )


def _failed(state: State, p: Policy, result: GateResult, only_worktree: bool) -> Iterator[ev.Fact]:
    why = policies.describe(result, p.spec.gate)
    if only_worktree:
        why += "; it was green only in the worktree, with changes that the plan does not hold"
    on_fail = p.spec.on_fail
    if result.verdict == "unjudged" or not on_fail:
        yield ev.PolicyBlocked(policy=p.policy, reason=why)
        return
    if p.retries >= on_fail.retries:
        yield ev.PolicyBlocked(policy=p.policy, reason=f"{why}, after {p.retries} nudges")
        return
    deaf = [name for name in p.spec.sessions if not state.sessions[name].resumable]
    if deaf:
        yield ev.PolicyBlocked(policy=p.policy, reason=f"{why}; cannot nudge {', '.join(deaf)}: not running any more")
        return
    yield ev.PolicyNudged(policy=p.policy, retry=p.retries + 1)
    text = policies.nudge_text(on_fail.nudge, result, p.spec.gate)
    for name in p.spec.sessions:
        turn = sessions.next_turn(state.sessions[name])
        yield ev.PromptQueued(session=name, turn=turn, text=text, cause="nudge", policy=p.policy)


def _auto(state: State, fact: ev.PolicyCommitReady) -> bool:
    """Whether it lands without a person: as attached, at risk level 1, and with a git dir as the operator left it."""
    commit = state.policies[fact.policy].spec.commit
    alert = open_alert(state)
    held = state.plans[fact.plan].level > 1 or bool(alert and alert.blocks)
    ticket = state.tickets.get(state.policies[fact.policy].spec.ticket)
    stacked = bool(ticket and any(queue.present(state, state.plans[p]).state != "landed" for p in ticket.stacked_on))
    reviewed = bool(ticket and state.chains_on and _wants_review(state, ticket, fact.plan))
    # In place the checkout is still to be put back: a person approves when the run has left it.
    return bool(commit and not commit.ack and not held and not stacked and not reviewed and not commit.in_place)


def _wants_review(state: State, t: Ticket, plan: str) -> bool:
    """Whether chains are to have it reviewed: then a person approves it, whatever the review says."""
    return chains.wanted(t.spec.review, state.plans[plan].level, state.review_limits)


def _with_auto(p: Policy, fact: ev.PolicyJudged) -> tuple[str, ...]:
    level = fact.assessment.level if fact.assessment else 1
    if level > 1 and p.spec.commit and not p.spec.commit.ack:
        return (*fact.notes, f"attached with --no-ack, but risk level {level} waits for a person")
    return fact.notes


# -- chains ----------------------------------------------------------------------------------------------


def _done(state: State, policy: str) -> ev.PolicyDone:
    p = state.policies[policy]
    follows = bool(p.spec.next) and not p.next_policy
    return ev.PolicyDone(policy=policy, next_policy=f"pol-{len(state.policies) + 1}" if follows else p.next_policy)


def _chain(state: State, fact: ev.PolicyDone) -> Iterator[ev.Fact]:
    p = state.policies[fact.policy]
    if p.spec.next and fact.next_policy and fact.next_policy not in state.policies:
        yield ev.PolicyAttached(policy=fact.next_policy, spec=p.spec.next, since=p.since, parent=p.policy, by=p.by)


def settle(state: State, facts: tuple[ev.Fact, ...], at: float) -> list[ev.Logged]:
    """Fold `facts` and everything that follows from them into `state`; return them in log order. Chains take their
    steps when all else has settled, each by itself, so that none is taken twice."""
    logged: list[ev.Logged] = []
    todo, asked = list(facts), False
    while todo:
        fact = todo.pop(0)
        entry = ev.Logged(seq=state.seq + 1, at=at, fact=fact)
        state.apply(entry)
        logged.append(entry)
        todo[0:0] = react(state, fact)
        asked = asked or isinstance(fact, (*queue_react.ADVANCING, *chains_react.ASKING))
        if asked and not todo:
            todo, asked = list(chains_react.follow(state)), False
    return logged
