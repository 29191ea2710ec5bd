"""Commands about the queue, its decisions and runs: each becomes facts, or is refused with the reason. Pure."""

from __future__ import annotations

from msgspec.structs import replace

from console.core import chains_board, commits, decisions, queue, queue_claims, tickets
from console.core import commands as cmd
from console.core import events as ev
from console.core.records import Refused
from console.core.state import State

Facts = tuple[ev.Fact, ...] | Refused


def decide(state: State, command: cmd.QueueCommand) -> Facts:
    match command:
        case cmd.SyncTickets():
            return _sync(state, command)
        case cmd.StartRun():
            return queue_claims.start_run(state, command)
        case cmd.PauseRun() | cmd.ResumeRun() | cmd.StopRun():
            return queue_claims.brake(state, command)
        case cmd.NextTicket():
            return queue_claims.next_ticket(state, command)
        case cmd.BeginWork():
            return queue_claims.begin(state, command)
        case cmd.CompleteTicket():
            return queue_claims.complete(state, command)
        case cmd.ParkTicket():
            return queue_claims.park(state, command)
        case cmd.RequeueTicket():
            return _requeue(state, command)
        case cmd.DropTicket():
            return _drop(state, command)
        case cmd.ReleaseTicket():
            return _release(state, command)
        case cmd.AnswerDecision():
            return _answer(state, command)
        case cmd.ReopenDecision():
            return _reopen(state, command)


# -- the folder ------------------------------------------------------------------------------------------


def _sync(state: State, c: cmd.SyncTickets) -> Facts:
    facts: list[ev.Fact] = []
    for one in c.seen:
        known = state.tickets.get(one.ticket)
        if tickets.of_chain(one.ticket):
            continue  # such an id is a review's or repair's
        here = known is not None and known.phase != "gone"
        if here and known and (known.digest, known.stamp, known.file) == (one.digest, one.stamp, one.file):
            continue
        held = c.held or ("" if c.by else _suspect(state, one.stamp))
        same = known is not None and known.digest == one.digest
        facts.append(replace(one, held=known.held if same and known else held, by=c.by))
    for name in c.gone:
        known = state.tickets.get(name)
        if known and known.phase != "gone" and not known.in_flight and not known.link:
            facts.append(ev.TicketGone(ticket=name))
    if c.whole and c.problems != state.problems:
        facts.append(ev.QueueProblems(problems=c.problems))
    return tuple(facts)


def _suspect(state: State, stamp: str) -> str:
    """Why what is found in the folder may be an agent's (ruling 17), "" when no session could have put it there.

    The kernel's own time of the file's last change (the second field of its stamp) tells, however late it is found.
    """
    changed = _changed_at(stamp) or state.at
    writers = [
        s.session
        for s in state.sessions.values()
        if s.writes_tickets and s.up_at and s.up_at - SLACK <= changed <= (s.gone_at or changed) + SLACK
    ]
    if not writers:
        return ""
    return f"it appeared or changed while {', '.join(writers[:3])} could write in the tickets folder"


SLACK = 1.0
"""Seconds by which a session's beginning and end may be told late, or the file system's clock be coarse."""


def _changed_at(stamp: str) -> float:
    """Unix seconds of a file's last change, 0 when the stamp does not tell."""
    parts = stamp.split(":")
    return int(parts[1]) / 1e9 if len(parts) > 1 and parts[1].isdigit() else 0.0


def _release(state: State, c: cmd.ReleaseTicket) -> Facts:
    t = state.tickets.get(c.ticket)
    if not t:
        return queue.missing("ticket", c.ticket)
    if not t.held:
        return Refused(reason=f"{t.ticket} is not held; it is {t.outcome or t.phase}")
    if c.digest and c.digest != t.digest:
        return Refused(reason=f"{t.ticket} has changed since you saw it: look at it again (`nightdesk ticket show`)")
    return (ev.TicketReleased(ticket=t.ticket, digest=t.digest, by=c.by),)


def _requeue(state: State, c: cmd.RequeueTicket) -> Facts:
    t = state.tickets.get(c.ticket)
    if not t:
        return queue.missing("ticket", c.ticket)
    if t.in_flight:
        return Refused(reason=f"{t.ticket} is being worked on ({t.phase}); stop its session first")
    if t.phase == "queued":
        return Refused(reason=f"{t.ticket} is in the queue already")
    if t.phase == "gone":
        return Refused(reason=f"{t.ticket} has no file any more ({t.file}); put it back first")
    if busy := _landing(state, t) or _member(state, t):
        return busy
    facts: list[ev.Fact] = [
        *_plan_given_up(state, t, f"{t.ticket} was queued again"),
        *queue.closed(state, t, "queued again"),
    ]
    return (*facts, ev.TicketRequeued(ticket=t.ticket, by=c.by, note=c.note))


def _drop(state: State, c: cmd.DropTicket) -> Facts:
    t = state.tickets.get(c.ticket)
    if not t:
        return queue.missing("ticket", c.ticket)
    if t.in_flight:
        return Refused(reason=f"{t.ticket} is being worked on ({t.phase}); stop its session first")
    if t.phase == "dropped":
        return Refused(reason=f"{t.ticket} is dropped already")
    if busy := _landing(state, t) or _kept(state, t):
        return busy
    facts = (*_plan_given_up(state, t, f"{t.ticket} was dropped"), *queue.closed(state, t, "dropped"))
    return (*facts, ev.TicketDropped(ticket=t.ticket, by=c.by, note=c.note))


def _landing(state: State, t: tickets.Ticket) -> Refused | None:
    plan = _plan_now(state, t)
    if plan and plan.state in ("approved", "landing", "undoing"):
        return Refused(reason=f"the plan of {t.ticket} is {plan.state} right now: wait for its outcome")
    return None


def _plan_now(state: State, t: tickets.Ticket) -> commits.Plan | None:
    """Its plan, or what a repair has made of it."""
    return queue.present(state, state.plans[t.plan]) if t.plan in state.plans else None


def _member(state: State, t: tickets.Ticket) -> Refused | None:
    """Why a review or repair cannot begin again: it would be about nothing."""
    if not t.link:
        return None
    root, plan = state.tickets[t.link.root], state.plans[t.link.head]
    instead = f"; `nightdesk ticket requeue {root.ticket}` begins the work anew"
    if root.rounds != t.link.round:
        return Refused(reason=f"{t.ticket} is of an earlier round of {root.ticket}{instead}")
    if plan.state != "waiting":
        return Refused(reason=f"the plan that {t.ticket} is about is {plan.state}{instead}")
    later = (o for o in state.tickets.values() if o.link and o.link.after == t.ticket)
    if open_ := next((o for o in later if o.in_flight or o.phase == "queued"), None):
        return Refused(reason=f"{open_.ticket} follows from {t.ticket} and is {open_.phase}: drop or stop that first")
    return None


def _kept(state: State, t: tickets.Ticket) -> Refused | None:
    """A review or repair that has ended well stays while its chain goes on; what it led to is for a person to
    reject."""
    if not t.link or t.phase != "ended" or t.outcome not in tickets.DONE or chains_board.over(state, t):
        return None
    return Refused(reason=f"{t.ticket} is done; reject the plan of {t.link.root} instead, or requeue {t.link.root}")


def _plan_given_up(state: State, t: tickets.Ticket, why: str) -> tuple[ev.Fact, ...]:
    plan = _plan_now(state, t)
    if not plan or plan.state != "waiting":
        return ()
    void = ev.PlanVoided(policy=plan.policy, plan=plan.plan, reason=why)
    return (void, ev.PolicyCancelled(policy=plan.policy, reason=why))


# -- decisions -------------------------------------------------------------------------------------------


def _answer(state: State, c: cmd.AnswerDecision) -> Facts:
    d = state.decisions.get(c.decision)
    if not d:
        return queue.missing("decision", c.decision)
    if refused := decisions.answerable(d, c.choice, c.text):
        return refused
    t = state.tickets[d.ticket]
    if t.phase == "gone":
        return Refused(reason=f"{t.ticket} has no file any more ({t.file}): put it back first, or leave it")
    if busy := _landing(state, t):
        return busy
    answered = ev.DecisionAnswered(decision=d.decision, ticket=d.ticket, by=c.by, choice=c.choice, text=c.text.strip())
    return (*_plan_given_up(state, t, f"{d.decision} was answered"), answered)


def _reopen(state: State, c: cmd.ReopenDecision) -> Facts:
    d = state.decisions.get(c.decision)
    if not d:
        return queue.missing("decision", c.decision)
    if d.state != "answered":
        return Refused(reason=f"{d.decision} is {d.state}; there is no answer to take back")
    t = state.tickets[d.ticket]
    if t.phase != "queued" or t.reopens != d.decision:
        return Refused(reason=f"work on {t.ticket} has begun with this answer ({t.outcome or t.phase}); it stays")
    return (ev.DecisionReopened(decision=d.decision, ticket=d.ticket, by=c.by),)
