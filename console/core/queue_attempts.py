"""What becomes of an attempt: a turn that ends, a process that is gone, a limit, work that is rolled back. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from console.core import events as ev
from console.core import prompting, queue, queue_flags, restarts, sessions, tickets
from console.core.policies import CLOSED
from console.core.queue import at_work
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
OVERLOAD, LONGEST_OVERLOAD = 60.0, 1800.0
"""Seconds to wait for an overloaded provider: the first time, doubled each time, and the most for one wait."""
MOST_OVERLOAD = 3 * 3600.0
"""Seconds that one ticket waits for it in all, in one round in the queue, before it counts as blocked."""
CANNOT_RUN = ("not-started", "exit 126", "exit 127")
"""How a turn's process ends whose command is missing or cannot be run."""


def turn_ended(state: State, fact: ev.TurnEnded) -> Iterator[ev.Fact]:
    t = at_work(state, fact.session)
    s = state.sessions[fact.session]
    interrupted = bool(s.turn and s.turn.interrupted)
    if not t or t.phase != "working" or (_more_wanted(t, s) and (fact.ok or interrupted)):
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
        yield queue.outcome(state, t, "FAILED_RETRYABLE", queue.STOPPED)
    elif fact.fault in ("limit", "overload"):
        yield from _limited(state, t, fact)
    elif fact.fault == "auth":
        yield queue.outcome(state, t, "BLOCKED_ENV", f"the agent is not signed in: {said}")
    elif interrupted:
        yield queue.outcome(state, t, "FAILED_RETRYABLE", queue.INTERRUPTED)
    elif fact.stop in CANNOT_RUN:
        yield queue.outcome(state, t, "BLOCKED_ENV", f"its agent could not be started: {said}")
    else:
        yield ev.TicketAttemptFailed(
            ticket=t.ticket, attempt=t.attempt, cause="agent", why=f"the turn ended with {said}", signature=said[:200]
        )


def _more_wanted(t: Ticket, s: Session) -> bool:
    """The operator has said more to it: that is a further turn of the same attempt, and the gate judges after it."""
    waits = s.phase in ("ready", "suspended") and any(p.cause == "operator" for p in s.prompts)
    return waits and not t.overdue


def _goes_on(t: Ticket, s: Session, fact: ev.Exited) -> Iterator[ev.Fact]:
    """Of an agent that a person's interrupt has ended together with its turn: what was said to it meanwhile. Not of
    one that could not be started then: that would be tried without end."""
    said = any(p.cause == "operator" for p in s.undelivered)
    if not said or t.overdue or not s.resumable or fact.how == "not-started" or fact.code in (126, 127):
        return
    for number, prompt in enumerate(s.undelivered, s.turns + 1):
        yield ev.PromptQueued(session=s.session, turn=number, text=prompt.text, cause=prompt.cause)


def _limited(state: State, t: Ticket, fact: ev.TurnEnded) -> Iterator[ev.Fact]:
    if fact.fault == "overload":
        yield _overloaded(state, t, fact)
        return
    if t.waits >= MOST_WAITS:
        why = f"a usage limit, for the {t.waits + 1}th time: {fact.detail}"
        yield queue.outcome(state, t, "BLOCKED_ENV", why)
        return
    until = fact.until if fact.until > state.at else state.at + UNKNOWN_RESET
    if until - state.at > LONGEST_WAIT:
        why = f"a usage limit for {(until - state.at) / 3600:.0f} hours, longer than a night: {fact.detail}"
        yield queue.outcome(state, t, "BLOCKED_ENV", why)
        return
    why = f"a usage limit: {fact.detail}".rstrip(": ")
    yield ev.TicketWaiting(ticket=t.ticket, attempt=t.attempt, until=until, why=why)


def _overloaded(state: State, t: Ticket, fact: ev.TurnEnded) -> ev.Fact:
    """An hour's stall of a provider must not lose the night: the waits grow, and only their sum ends it."""
    said = f"an overloaded provider: {fact.detail}".rstrip(": ")
    if t.stalled >= MOST_OVERLOAD:
        hours = t.stalled / 3600
        why = f"{said}; waited {t.stalls} times, {hours:.1f} hours in all"
        return queue.outcome(state, t, "BLOCKED_ENV", why)
    wait = min(LONGEST_OVERLOAD, OVERLOAD * 2.0 ** min(t.stalls, 16))
    until = min(max(state.at + wait, fact.until), state.at + max(wait, MOST_OVERLOAD - t.stalled))
    return ev.TicketWaiting(ticket=t.ticket, attempt=t.attempt, until=until, why=said)


def woken(state: State, fact: ev.TicketWoken) -> Iterator[ev.Fact]:
    s = state.sessions[state.tickets[fact.ticket].session]
    text = prompting.gone_on(s.turn.text if s.turn else "")
    yield ev.PromptQueued(session=s.session, turn=sessions.next_turn(s), text=text, cause="resume")


def exited(state: State, fact: ev.Exited) -> Iterator[ev.Fact]:
    s = state.sessions.get(fact.session)
    if s and fact.how == "unkillable":
        yield from _unkillable(state, s, fact)
        return
    t = at_work(state, fact.session)
    if not t or not s or s.resting or (t.phase == "waiting" and not s.stopped) or _turn_is_over(s):
        return
    if restarts.cause(state, fact):
        return  # `restarts` has said what becomes of it; no attempt is spent
    if t.overdue:
        yield ev.TicketAttemptFailed(
            ticket=t.ticket, attempt=t.attempt, cause="timeout", why=t.why, signature="timeout"
        )
    elif s.stopped:
        yield queue.outcome(state, t, "FAILED_RETRYABLE", queue.STOPPED)
    elif s.turn and s.cancel == s.turn.number:
        more = tuple(_goes_on(t, s, fact))
        yield from more or (queue.outcome(state, t, "FAILED_RETRYABLE", queue.INTERRUPTED),)
    elif fact.how == "not-started" or fact.code in (126, 127):
        said = fact.reason or f"exit {fact.code}"
        yield queue.outcome(state, t, "BLOCKED_ENV", f"its agent could not be started: {said}")
    else:
        why = f"the agent exited in the middle of its turn: {s.exit}"
        yield ev.TicketAttemptFailed(ticket=t.ticket, attempt=t.attempt, cause="crash", why=why, signature=s.exit)


def _unkillable(state: State, s: Session, fact: ev.Exited) -> Iterator[ev.Fact]:
    """A process of it lives on and may write: nothing of its worktree is judged, put back or worked on meanwhile."""
    why = f"a process of its agent could not be ended: {fact.reason or s.exit}"
    if s.rollback:
        yield ev.RolledBack(session=s.session, snapshot=s.rollback, refused=why)
    t = ticket_of(state, s.session)
    if t and t.session == s.session and t.in_flight and not (s.rollback and t.phase == "retrying"):
        yield queue.outcome(state, t, "BLOCKED_ENV", why)


def alone(state: State, fact: ev.TicketBegun) -> Iterator[ev.Fact]:
    """Whoever still talks to an earlier agent of a ticket in this worktree: it rests while the new one works there."""
    for s in state.sessions.values():
        earlier = s.ticket and s.worktree == fact.worktree and s.session != fact.session and not s.external
        if earlier and s.phase in LIVE and s.phase != "stopping":
            yield ev.StopRequested(session=s.session, by=queue.QUEUE, rest=True)


def stopped(state: State, fact: ev.StopRequested) -> Iterator[ev.Fact]:
    """A session that had no processes was stopped: nobody will report its end."""
    t = at_work(state, fact.session)
    if t and not _turn_is_over(state.sessions[fact.session]):
        yield queue.outcome(state, t, "FAILED_RETRYABLE", queue.STOPPED)


def _turn_is_over(s: Session) -> bool:
    """Its turn has ended well already: the gate decides, whatever the process does now."""
    return bool(s.turn and s.turn.end_seq and s.turn.ok)


def interrupted(state: State, fact: ev.SessionInterrupted) -> Iterator[ev.Fact]:
    t = at_work(state, fact.session)
    s = state.sessions[fact.session]
    if t and t.phase == "working" and s.turn and s.turn.interrupted:
        if _more_wanted(t, s):
            return
        yield queue.outcome(state, t, "FAILED_RETRYABLE", queue.INTERRUPTED)
    elif t and s.phase == "exited" and not _turn_is_over(s):
        yield queue.outcome(state, t, "BLOCKED_ENV", f"its session could not go on: {s.exit}")
    elif t and s.phase == "suspended" and not s.rollback and (kept := _cut(state, t, s)):
        yield ev.RollbackRequested(session=s.session, snapshot=kept, by=queue.QUEUE)


def _cut(state: State, t: Ticket, s: Session) -> str:
    """What its files are put back to before the turn that was cut off begins again. Not in the operator's own checkout:
    nobody knows what they do there meanwhile."""
    cut = s.turn and s.prompts and s.prompts[0].cause == "resume" and s.prompts[0].turn == s.turn.number
    if not cut or not s.turn or s.external or queue.in_checkout(state, t):
        return ""
    return sessions.snapshot_before(s, s.turn.number)


def overdue(state: State, fact: ev.TicketOverdue) -> Iterator[ev.Fact]:
    t = state.tickets[fact.ticket]
    if state.sessions[t.session].external:
        why = f"its claim by {t.holder} lapsed after {fact.limit:g} s"
        yield ev.TicketAttemptFailed(ticket=t.ticket, attempt=t.attempt, cause="timeout", why=why, signature="timeout")
    elif state.fuse:  # the whole fleet is silent: its time was not its own
        s = state.sessions[t.session]
        why = f"{t.why}, while so many agents were silent that the fault is not theirs"
        yield ev.SessionHung(session=s.session, run=s.run, turn=s.turns, cause="hang", why=why)
    else:
        yield ev.StopRequested(session=t.session, by=Who(via="turn timeout"))


def attempt_failed(state: State, fact: ev.TicketAttemptFailed) -> Iterator[ev.Fact]:
    """The session ends, then the worktree goes back to what it was before the attempt; its work stays in the shadow."""
    t = state.tickets[fact.ticket]
    yield from policy_over(state, t, fact.why)
    yield from processes_over(state, t, rest=False)
    s = state.sessions[t.session]
    if s.first_snapshot:
        yield ev.RollbackRequested(session=s.session, snapshot=s.first_snapshot, by=queue.QUEUE)
    elif s.no_snapshot:
        why = f"{fact.why}; its work could not be rolled back, as there is no snapshot: {s.no_snapshot}"
        yield queue.outcome(state, t, "BLOCKED_ENV", why)
    else:
        yield from _again(state, t, "")


def rolled_back(state: State, fact: ev.RolledBack) -> Iterator[ev.Fact]:
    t = ticket_of(state, fact.session)
    if not t or t.session != fact.session:
        return
    s = state.sessions[fact.session]
    failed = bool(fact.refused or fact.left)
    if t.phase == "ended" and not failed and not s.rollback_asked:
        yield from _put_back(state, t)
    begins = bool(s.restart_at) or (s.phase == "suspended" and not s.rollback_asked)
    if t.phase != "retrying" and not (t.phase == "working" and begins and failed):
        return
    if failed:
        what = fact.refused or f"still different: {', '.join(fact.left[:5])}"
        why = f"{t.why or s.restart_why}; its work could not be rolled back: {what}"
        yield queue.outcome(state, t, "BLOCKED_ENV", why)
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
    here = s and (s.phase in LIVE or s.phase == "suspended" or s.restart_at)
    if s and here and not (s.phase == "stopping" and s.stopped):
        yield ev.StopRequested(session=s.session, by=queue.QUEUE, rest=rest and s.phase != "suspended")


def ended(state: State, fact: ev.TicketEnded) -> Iterator[ev.Fact]:
    t = state.tickets[fact.ticket]
    if fact.outcome in tickets.DONE and queue_flags.told_before(state, t, fact.plan):
        return  # a person may be talking with its session again
    if fact.outcome not in tickets.DONE:
        yield from policy_over(state, t, fact.why)
    yield from processes_over(state, t, rest=True)
    yield from _put_back(state, t)


def _put_back(state: State, t: Ticket) -> Iterator[ev.Fact]:
    """The operator's own checkout is to be as it was before the ticket, whatever its last turn began from. Not while a
    process that could not be ended may write there."""
    s = state.sessions.get(t.session)
    if not s or not queue.in_checkout(state, t) or s.rollback or not s.first_snapshot:
        return
    asked = bool(s.rolled_back) and s.rolled_to in ("", s.first_snapshot)
    if not asked and not s.stuck:
        yield ev.RollbackRequested(session=s.session, snapshot=s.first_snapshot, by=queue.QUEUE)


def stop_all(state: State, why: str, *, only_waiting: bool = False) -> Iterator[ev.Fact]:
    """What is under way goes back to the queue with what it has; what is being judged is judged no further. What waits
    for the end of a usage limit, or to be started again, is not waited for even by a patient stop."""
    for t in queue.in_flight(state):
        s = state.sessions.get(t.session)
        waits = t.phase == "waiting" or bool(s and s.restart_at and t.phase == "working")
        if waits or not only_waiting:
            yield queue.outcome(state, t, "FAILED_RETRYABLE", why)
