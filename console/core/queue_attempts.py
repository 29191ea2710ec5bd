"""What becomes of an attempt: a turn that ends, a process that is gone, a limit, work that is rolled back. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from console.core import events as ev
from console.core import queue, tickets
from console.core.policies import CLOSED
from console.core.records import Who
from console.core.sessions import LIVE, Session
from console.core.state import State, ticket_of
from console.core.tickets import Ticket

MOST_WAITS = 3
"""Usage limits that one ticket waits for before it counts as blocked."""
UNKNOWN_RESET = 1800.0
"""Seconds to wait for a usage limit that does not say when it ends."""
LONGEST_WAIT = 12 * 3600.0
"""Seconds; a limit that lasts longer than a night is a block."""
OVERLOAD = 60.0
"""Seconds to wait for an overloaded provider, doubled each time."""
GO_ON = "The usage limit is over. Go on with the ticket where you were; nothing else has changed."


def at_work(state: State, session: str) -> Ticket | None:
    """The ticket that this session is at work on right now."""
    t = ticket_of(state, session)
    return t if t and t.session == session and t.phase in ("working", "waiting") else None


def turn_ended(state: State, fact: ev.TurnEnded) -> Iterator[ev.Fact]:
    t = at_work(state, fact.session)
    s = state.sessions[fact.session]
    interrupted = bool(s.turn and s.turn.interrupted)
    if not t or t.phase != "working":
        return
    if fact.ok and not interrupted:
        if not s.external:  # nobody is at work under the gate's hands; the conversation can go on later
            yield ev.StopRequested(session=s.session, by=queue.QUEUE, rest=True)
        return
    detail = " ".join(fact.detail.split())
    said = f"{fact.stop}: {detail}" if detail else fact.stop
    if t.overdue:
        yield ev.TicketAttemptFailed(
            ticket=t.ticket, attempt=t.attempt, cause="timeout", why=t.why, signature="timeout"
        )
    elif s.stopped:
        yield queue.outcome(state, t, "FAILED_RETRYABLE", "its session was stopped by a person")
    elif fact.fault in ("limit", "overload"):
        yield from _limited(state, t, fact)
    elif fact.fault == "auth":
        yield queue.outcome(state, t, "BLOCKED_ENV", f"the agent is not signed in: {said}")
    elif interrupted:
        yield queue.outcome(state, t, "FAILED_RETRYABLE", "its turn was interrupted by a person")
    else:
        yield ev.TicketAttemptFailed(
            ticket=t.ticket, attempt=t.attempt, cause="agent", why=f"the turn ended with {said}", signature=said[:200]
        )


def _limited(state: State, t: Ticket, fact: ev.TurnEnded) -> Iterator[ev.Fact]:
    what = "a usage limit" if fact.fault == "limit" else "an overloaded provider"
    if t.waits >= MOST_WAITS:
        yield queue.outcome(state, t, "BLOCKED_ENV", f"{what}, for the {t.waits + 1}th time: {fact.detail}")
        return
    wait = UNKNOWN_RESET if fact.fault == "limit" else OVERLOAD * 2**t.waits
    until = fact.until if fact.until > state.at else state.at + wait
    if until - state.at > LONGEST_WAIT:
        why = f"{what} for {(until - state.at) / 3600:.0f} hours, longer than a night: {fact.detail}"
        yield queue.outcome(state, t, "BLOCKED_ENV", why)
        return
    yield ev.TicketWaiting(ticket=t.ticket, attempt=t.attempt, until=until, why=f"{what}: {fact.detail}".rstrip(": "))


def exited(state: State, fact: ev.Exited) -> Iterator[ev.Fact]:
    t = at_work(state, fact.session)
    s = state.sessions.get(fact.session)
    if not t or not s or s.resting or (t.phase == "waiting" and not s.stopped) or _turn_is_over(s):
        return
    if t.overdue:
        yield ev.TicketAttemptFailed(
            ticket=t.ticket, attempt=t.attempt, cause="timeout", why=t.why, signature="timeout"
        )
    elif s.stopped:
        yield queue.outcome(state, t, "FAILED_RETRYABLE", "its session was stopped by a person")
    elif fact.how == "not-started":
        yield queue.outcome(state, t, "BLOCKED_ENV", f"its agent could not be started: {fact.reason}")
    else:
        why = f"the agent exited in the middle of its turn: {s.exit}"
        yield ev.TicketAttemptFailed(ticket=t.ticket, attempt=t.attempt, cause="crash", why=why, signature=s.exit)


def stopped(state: State, fact: ev.StopRequested) -> Iterator[ev.Fact]:
    """A session that had no processes was stopped: nobody will report its end."""
    t = at_work(state, fact.session)
    if t and not _turn_is_over(state.sessions[fact.session]):
        yield queue.outcome(state, t, "FAILED_RETRYABLE", "its session was stopped by a person")


def _turn_is_over(s: Session) -> bool:
    """Its turn has ended well already: the gate decides, whatever the process does now."""
    return bool(s.turn and s.turn.end_seq and s.turn.ok)


def interrupted(state: State, fact: ev.SessionInterrupted) -> Iterator[ev.Fact]:
    t = at_work(state, fact.session)
    s = state.sessions[fact.session]
    if t and t.phase == "working" and s.turn and s.turn.interrupted:
        yield queue.outcome(state, t, "FAILED_RETRYABLE", "its turn was interrupted by a person")
    elif t and s.phase == "exited" and not _turn_is_over(s):
        yield queue.outcome(state, t, "BLOCKED_ENV", f"its session could not go on: {s.exit}")


def overdue(state: State, fact: ev.TicketOverdue) -> Iterator[ev.Fact]:
    t = state.tickets[fact.ticket]
    if state.sessions[t.session].external:
        why = f"its claim by {t.holder} lapsed after {fact.limit:g} s"
        yield ev.TicketAttemptFailed(ticket=t.ticket, attempt=t.attempt, cause="timeout", why=why, signature="timeout")
    else:
        yield ev.StopRequested(session=t.session, by=Who(via="turn timeout"))


def attempt_failed(state: State, fact: ev.TicketAttemptFailed) -> Iterator[ev.Fact]:
    """The session ends, then the worktree goes back to what it was before the attempt; its work stays in the shadow."""
    t = state.tickets[fact.ticket]
    yield from policy_over(state, t, fact.why)
    yield from processes_over(state, t, rest=False)
    s = state.sessions[t.session]
    if first := _first_snapshot(s):
        yield ev.RollbackRequested(session=s.session, snapshot=first, by=queue.QUEUE)
    elif s.no_snapshot:
        why = f"{fact.why}; its work could not be rolled back, as there is no snapshot: {s.no_snapshot}"
        yield queue.outcome(state, t, "BLOCKED_ENV", why)
    else:
        yield from _again(state, t, "")


def _first_snapshot(s: Session) -> str:
    return next((kept.snapshot for kept in s.snapshots if kept.turn == 1), "")


def rolled_back(state: State, fact: ev.RolledBack) -> Iterator[ev.Fact]:
    t = ticket_of(state, fact.session)
    if not t or t.session != fact.session or t.phase != "retrying":
        return
    if fact.refused or fact.left:
        what = fact.refused or f"still different: {', '.join(fact.left[:5])}"
        yield queue.outcome(state, t, "BLOCKED_ENV", f"{t.why}; its work could not be rolled back: {what}")
    else:
        yield from _again(state, t, fact.undo)


def _again(state: State, t: Ticket, kept: str) -> Iterator[ev.Fact]:
    """Another attempt, or the end: by the same failure twice, by attempts used up, or because the run takes no more."""
    run = state.runs[t.run]
    last = t.failures[-1]
    before = t.failures[-2].signature if len(t.failures) > 1 else ""
    if last.signature and last.signature == before:
        yield queue.outcome(state, t, "FAILED_BUG_IN_AGENT", f"the same failure twice: {last.why}")
    elif t.attempts >= queue.allowed_attempts(t, run):
        yield queue.outcome(state, t, "FAILED_BUG_IN_AGENT", f"{t.attempts} attempt(s) used up; last: {last.why}")
    elif queue.run_of(state, t) and run.state in ("active", "paused"):
        yield ev.TicketBack(ticket=t.ticket, attempt=t.attempt, kept=kept)
    else:
        left = queue.allowed_attempts(t, run) - t.attempts
        why = f"{last.why}; {left} attempt(s) were left as the run ended"
        yield queue.outcome(state, t, "FAILED_RETRYABLE", why)


def policy_over(state: State, t: Ticket, why: str) -> Iterator[ev.Fact]:
    p = state.policies.get(t.policy)
    if p and p.status not in CLOSED and p.status not in ("awaiting-ack", "acting"):
        yield ev.PolicyCancelled(policy=p.policy, reason=why)


def processes_over(state: State, t: Ticket, *, rest: bool) -> Iterator[ev.Fact]:
    s = state.sessions.get(t.session)
    if s and (s.phase in LIVE or s.phase == "suspended") and not (s.phase == "stopping" and not s.resting):
        yield ev.StopRequested(session=s.session, by=queue.QUEUE, rest=rest and s.phase in LIVE)


def ended(state: State, fact: ev.TicketEnded) -> Iterator[ev.Fact]:
    t = state.tickets[fact.ticket]
    if fact.outcome not in tickets.DONE:
        yield from policy_over(state, t, fact.why)
    yield from processes_over(state, t, rest=True)
    run = state.runs.get(t.run)
    s = state.sessions.get(t.session)
    in_place = bool(run and run.settings.workspace == "in_place")
    if s and in_place and (first := _first_snapshot(s)) and not s.rollback and not s.rolled_back:
        yield ev.RollbackRequested(session=s.session, snapshot=first, by=queue.QUEUE)


def stop_all(state: State, why: str, *, only_waiting: bool = False) -> Iterator[ev.Fact]:
    """What is under way goes back to the queue with what it has; what is being judged is judged no further. What waits
    for the end of a usage limit is not waited for even by a patient stop."""
    for t in queue.in_flight(state):
        if t.phase == "waiting" or not only_waiting:
            yield queue.outcome(state, t, "FAILED_RETRYABLE", why)
