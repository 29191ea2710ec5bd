"""What follows from a fact for the queue: attempts that fail, parks, outcomes, and the run's next step. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from console.core import drain, queue, sessions, tickets
from console.core import events as ev
from console.core.policies import CLOSED
from console.core.records import FOUNDATIONAL, Interpretation, Outcome, Who
from console.core.sessions import LIVE, Session
from console.core.state import State, open_run, ticket_of
from console.core.tickets import Ticket

MOST_WAITS = 3
"""Usage limits that one ticket waits for before it counts as blocked."""
UNKNOWN_RESET = 1800.0
"""Seconds to wait for a usage limit that does not say when it ends."""
LONGEST_WAIT = 12 * 3600.0
"""Seconds; a limit that lasts longer than a night is a block."""
OVERLOAD = 60.0
"""Seconds to wait for an overloaded provider, doubled each time."""
OUTPUT_TOLD = 6000
"""Characters of a failed gate's output that the next attempt is told."""
QUEUE = Who(via="queue")


def follow(state: State, fact: ev.Fact) -> tuple[ev.Fact, ...]:
    """What follows at once from `fact`, which has been folded already. The run's next step is asked for once: by the
    last of the facts that may bring one."""
    facts = tuple(_react(state, fact))
    later = (*ADVANCING, ev.RollbackRequested)  # what is put back asks again when it is done
    if isinstance(fact, ADVANCING) and not any(isinstance(one, later) for one in facts):
        facts += tuple(advance(state))
    return facts


def _react(state: State, fact: ev.Fact) -> Iterator[ev.Fact]:
    match fact:
        case ev.TicketClaimed():
            yield from _claimed(state, fact)
        case ev.TurnEnded():
            yield from _turn_ended(state, fact)
        case ev.Exited():
            yield from _exited(state, fact)
        case ev.StopRequested() if state.sessions[fact.session].phase == "exited":
            yield from _stopped(state, fact)
        case ev.SessionInterrupted():
            yield from _interrupted(state, fact)
        case ev.AwaitingInput():
            yield from _asked(state, fact)
        case ev.ParkRequested():
            yield from _park(state, fact)
        case ev.TicketOverdue():
            yield from _overdue(state, fact)
        case ev.TicketWoken():
            t = state.tickets[fact.ticket]
            turn = sessions.next_turn(state.sessions[t.session])
            yield ev.PromptQueued(session=t.session, turn=turn, text=GO_ON, cause="resume")
        case ev.TicketAttemptFailed():
            yield from _attempt_failed(state, fact)
        case ev.RolledBack():
            yield from _rolled_back(state, fact)
        case ev.TicketEnded():
            yield from _ended(state, fact)
        case ev.PlanRejected():
            yield from _rejected(state, fact)
        case ev.PlanRestored() if fact.was == "rejected":
            yield from _restored(state, fact)
        case ev.PolicyBlocked():
            yield from _plan_blocked(state, fact)
        case ev.PolicyCancelled() if fact.by:
            yield from _cancelled(state, fact)
        case ev.PlanVoided() | ev.PlanSuperseded():
            yield from _base_gone(state, fact.plan, fact.reason)
        case ev.RunStopRequested():
            yield from _stop_all(state, f"{fact.run} was stopped", only_waiting=not fact.now)
        case ev.RunHalting():
            yield from _stop_all(state, f"{fact.run} was halted: {fact.reason}")
        case _:
            pass


GO_ON = "The usage limit is over. Go on with the ticket where you were; nothing else has changed."

ADVANCING = (
    ev.RunStarted,
    ev.RunResumed,
    ev.RunStopRequested,
    ev.RunHalting,
    ev.TicketSeen,
    ev.TicketGone,
    ev.TicketReleased,
    ev.TicketRequeued,
    ev.TicketDropped,
    ev.TicketClaimed,
    ev.TicketBack,
    ev.TicketEnded,
    ev.DecisionAnswered,
    ev.PolicyCommitted,
    ev.PlanRestored,
    ev.RolledBack,
)
"""Facts after which the run may have a next step."""


def advance(state: State) -> Iterator[ev.Fact]:
    """The run's next step, one at a time: the fact that follows asks again."""
    run = open_run(state)
    if not run or run.state == "paused":
        return
    flying = queue.in_flight(state)
    ending = _ending(run)
    if ending:
        if not flying and not queue.giving_back(state):
            yield from _end(state, run, *ending)
        return
    capped = drain.capped(run)
    only = frozenset(run.claimed) if capped else None
    if capped and capped[0] == "COST_CAP":
        only = frozenset()
    if not run.pull and len(flying) < queue.slots(state, run) and (t := queue.next_ready(state, only)):
        yield queue.claim(t, run, "loop")
    elif not flying and not run.pull and not queue.giving_back(state):
        left = capped and (capped[0] == "COST_CAP" or queue.next_ready(state))
        status, why = capped if capped and left else ("DRAINED", "nothing is left that can start")
        yield from _end(state, run, status, why)


def _ending(run: drain.Run) -> tuple[ev.RunStatus, str] | None:
    """How the run ends as soon as nothing is under way any more."""
    if run.state == "stopping":
        return "STOPPED", run.reason
    if run.state == "halting":
        return "HALTED", run.reason
    if why := drain.low_yield(run):
        return "LOW_YIELD", why
    return None


def _end(state: State, run: drain.Run, status: ev.RunStatus, why: str) -> Iterator[ev.Fact]:
    """What waits for another attempt ends with the run (ruling 18), and the run after it."""
    for t in queue.queued(state):
        if t.run == run.run and t.failures and t.attempts:
            left = queue.allowed_attempts(t, run) - t.attempts
            told = f"{t.failures[-1].why}; {left} attempt(s) were left as the run ended"
            yield _outcome(t, "FAILED_RETRYABLE", told, run.run)
            return  # its end asks again
    yield ev.RunEnded(run=run.run, status=status, why=why)


def _outcome(t: Ticket, outcome: Outcome, why: str, run: str, **more: object) -> ev.TicketEnded:
    return ev.TicketEnded(ticket=t.ticket, attempt=t.attempt, outcome=outcome, why=why, run=run, **more)  # type: ignore[arg-type]


def run_of(state: State, t: Ticket) -> str:
    """The run that a ticket's end counts in, "" when that is over."""
    run = open_run(state)
    return t.run if run and run.run == t.run else ""


# -- claims and parks ------------------------------------------------------------------------------------


def _claimed(state: State, fact: ev.TicketClaimed) -> Iterator[ev.Fact]:
    t, verdict = state.tickets[fact.ticket], fact.verdict
    if verdict.decision == "PROCEED":
        return
    options = tuple(Interpretation(text=text, source="rule") for text in verdict.options)
    parked = ev.DecisionParked(
        decision=_next_decision(state),
        ticket=t.ticket,
        foundational=verdict.category in FOUNDATIONAL or t.spec.blast_radius == "foundational",
        why=verdict.why,
        question=verdict.question or f"What exactly is to be done for {t.ticket}?",
        options=options,
        evidence=verdict.evidence,
        category=verdict.category,
        source="rule",
    )
    yield from _parked(t, parked, fact.run)
    if verdict.decision == "HALT":
        yield ev.RunHalting(run=fact.run, reason=f"{t.ticket}: {verdict.why or 'the settings say HALT for it'}")


def _next_decision(state: State) -> str:
    return f"dec-{len(state.decisions) + 1}"


def _parked(t: Ticket, parked: ev.DecisionParked, run: str) -> Iterator[ev.Fact]:
    yield parked
    outcome: Outcome = "PARKED_FOUNDATIONAL" if parked.foundational else "PARKED_DECISION"
    yield _outcome(t, outcome, parked.why, run, decision=parked.decision)


def _park(state: State, fact: ev.ParkRequested) -> Iterator[ev.Fact]:
    t = state.tickets[fact.ticket]
    by_person = bool(fact.by and fact.by.via not in ("agent", "next"))
    who = "a person" if by_person else "its agent"
    parked = ev.DecisionParked(
        decision=_next_decision(state),
        ticket=t.ticket,
        foundational=fact.foundational,
        why=f"{who} asks for a decision",
        question=fact.question,
        options=tuple(Interpretation(text=text, source="agent") for text in fact.options),
        evidence=(f"session {t.session}, attempt {t.attempt}",) if t.session and t.in_flight else (),
        category=t.verdict.category,
        source="nightdesk" if by_person else "agent",
    )
    yield from _parked(t, parked, run_of(state, t))


def _asked(state: State, fact: ev.AwaitingInput) -> Iterator[ev.Fact]:
    """Unattended, a question is a park at once: nobody is there to answer it (rulings 14)."""
    t = _at_work(state, fact.session)
    run = open_run(state)
    if t and run and run.run == t.run and not run.attended:
        yield from asked(state, t, fact.title, tuple(option.name for option in fact.options))


def asked(state: State, t: Ticket, title: str, options: tuple[str, ...]) -> Iterator[ev.Fact]:
    parked = ev.DecisionParked(
        decision=_next_decision(state),
        ticket=t.ticket,
        foundational=False,
        why="its agent asked for a permission, and nobody attends the run",
        question=title or "the agent asks for a permission",
        options=tuple(Interpretation(text=text, source="agent") for text in options),
        evidence=(f"session {t.session}, attempt {t.attempt}",),
        source="question",
    )
    yield from _parked(t, parked, run_of(state, t))


# -- turns -----------------------------------------------------------------------------------------------


def _at_work(state: State, session: str) -> Ticket | None:
    """The ticket that this session is at work on right now."""
    t = ticket_of(state, session)
    return t if t and t.session == session and t.phase in ("working", "waiting") else None


def _turn_ended(state: State, fact: ev.TurnEnded) -> Iterator[ev.Fact]:
    t = _at_work(state, fact.session)
    s = state.sessions[fact.session]
    interrupted = bool(s.turn and s.turn.interrupted)
    if not t or t.phase != "working":
        return
    if fact.ok and not interrupted:
        if not s.external:  # nobody is at work under the gate's hands; the conversation can go on later
            yield ev.StopRequested(session=s.session, by=QUEUE, rest=True)
        return
    said = f"{fact.stop} {fact.detail}".strip()
    if t.overdue:
        yield ev.TicketAttemptFailed(
            ticket=t.ticket, attempt=t.attempt, cause="timeout", why=t.why, signature="timeout"
        )
    elif s.stopped:
        yield _outcome(t, "FAILED_RETRYABLE", "its session was stopped by a person", run_of(state, t))
    elif fact.fault in ("limit", "overload"):
        yield from _limited(state, t, fact)
    elif fact.fault == "auth":
        yield _outcome(t, "BLOCKED_ENV", f"the agent is not signed in: {said}", run_of(state, t))
    elif interrupted:
        yield _outcome(t, "FAILED_RETRYABLE", "its turn was interrupted by a person", run_of(state, t))
    else:
        yield ev.TicketAttemptFailed(
            ticket=t.ticket, attempt=t.attempt, cause="agent", why=f"the turn ended with {said}", signature=said[:200]
        )


def _limited(state: State, t: Ticket, fact: ev.TurnEnded) -> Iterator[ev.Fact]:
    what = "a usage limit" if fact.fault == "limit" else "an overloaded provider"
    if t.waits >= MOST_WAITS:
        yield _outcome(t, "BLOCKED_ENV", f"{what}, for the {t.waits + 1}th time: {fact.detail}", run_of(state, t))
        return
    wait = UNKNOWN_RESET if fact.fault == "limit" else OVERLOAD * 2**t.waits
    until = fact.until if fact.until > state.at else state.at + wait
    if until - state.at > LONGEST_WAIT:
        why = f"{what} for {(until - state.at) / 3600:.0f} hours, longer than a night: {fact.detail}"
        yield _outcome(t, "BLOCKED_ENV", why, run_of(state, t))
        return
    yield ev.TicketWaiting(ticket=t.ticket, attempt=t.attempt, until=until, why=f"{what}: {fact.detail}".rstrip(": "))


def _exited(state: State, fact: ev.Exited) -> Iterator[ev.Fact]:
    t = _at_work(state, fact.session)
    s = state.sessions.get(fact.session)
    if not t or not s or s.resting or (t.phase == "waiting" and not s.stopped) or _turn_is_over(s):
        return
    run = run_of(state, t)
    if t.overdue:
        yield ev.TicketAttemptFailed(
            ticket=t.ticket, attempt=t.attempt, cause="timeout", why=t.why, signature="timeout"
        )
    elif s.stopped:
        yield _outcome(t, "FAILED_RETRYABLE", "its session was stopped by a person", run)
    elif fact.how == "not-started":
        yield _outcome(t, "BLOCKED_ENV", f"its agent could not be started: {fact.reason}", run)
    else:
        why = f"the agent exited in the middle of its turn: {s.exit}"
        yield ev.TicketAttemptFailed(ticket=t.ticket, attempt=t.attempt, cause="crash", why=why, signature=s.exit)


def _stopped(state: State, fact: ev.StopRequested) -> Iterator[ev.Fact]:
    """A session that had no processes was stopped: nobody will report its end."""
    t = _at_work(state, fact.session)
    if t and not _turn_is_over(state.sessions[fact.session]):
        yield _outcome(t, "FAILED_RETRYABLE", "its session was stopped by a person", run_of(state, t))


def _turn_is_over(s: Session) -> bool:
    """Its turn has ended well already: the gate decides, whatever the process does now."""
    return bool(s.turn and s.turn.end_seq and s.turn.ok)


def _interrupted(state: State, fact: ev.SessionInterrupted) -> Iterator[ev.Fact]:
    t = _at_work(state, fact.session)
    s = state.sessions[fact.session]
    if t and t.phase == "working" and s.turn and s.turn.interrupted:
        yield _outcome(t, "FAILED_RETRYABLE", "its turn was interrupted by a person", run_of(state, t))
    elif t and s.phase == "exited" and not _turn_is_over(s):
        yield _outcome(t, "BLOCKED_ENV", f"its session could not go on: {s.exit}", run_of(state, t))


def _overdue(state: State, fact: ev.TicketOverdue) -> Iterator[ev.Fact]:
    t = state.tickets[fact.ticket]
    if state.sessions[t.session].external:
        why = f"its claim by {t.holder} lapsed after {fact.limit:g} s"
        yield ev.TicketAttemptFailed(ticket=t.ticket, attempt=t.attempt, cause="timeout", why=why, signature="timeout")
    else:
        yield ev.StopRequested(session=t.session, by=Who(via="turn timeout"))


# -- attempts --------------------------------------------------------------------------------------------


def _attempt_failed(state: State, fact: ev.TicketAttemptFailed) -> Iterator[ev.Fact]:
    """The session ends, then the worktree goes back to what it was before the attempt; its work stays in the shadow."""
    t = state.tickets[fact.ticket]
    yield from _policy_over(state, t, fact.why)
    yield from _processes_over(state, t, rest=False)
    s = state.sessions[t.session]
    if first := _first_snapshot(s):
        yield ev.RollbackRequested(session=s.session, snapshot=first, by=QUEUE)
    elif s.no_snapshot:
        why = f"{fact.why}; its work could not be rolled back, as there is no snapshot: {s.no_snapshot}"
        yield _outcome(t, "BLOCKED_ENV", why, run_of(state, t))
    else:
        yield from _again(state, t, "")


def _first_snapshot(s: Session) -> str:
    return next((kept.snapshot for kept in s.snapshots if kept.turn == 1), "")


def _rolled_back(state: State, fact: ev.RolledBack) -> Iterator[ev.Fact]:
    t = ticket_of(state, fact.session)
    if not t or t.session != fact.session or t.phase != "retrying":
        return
    if fact.refused or fact.left:
        what = fact.refused or f"still different: {', '.join(fact.left[:5])}"
        yield _outcome(t, "BLOCKED_ENV", f"{t.why}; its work could not be rolled back: {what}", run_of(state, t))
    else:
        yield from _again(state, t, fact.undo)


def _again(state: State, t: Ticket, kept: str) -> Iterator[ev.Fact]:
    """Another attempt, or the end: by the same failure twice, by attempts used up, or because the run takes no more."""
    run = state.runs[t.run]
    last = t.failures[-1]
    before = t.failures[-2].signature if len(t.failures) > 1 else ""
    if last.signature and last.signature == before:
        yield _outcome(t, "FAILED_BUG_IN_AGENT", f"the same failure twice: {last.why}", run_of(state, t))
    elif t.attempts >= queue.allowed_attempts(t, run):
        yield _outcome(t, "FAILED_BUG_IN_AGENT", f"{t.attempts} attempt(s) used up; last: {last.why}", run_of(state, t))
    elif run_of(state, t) and run.state in ("active", "paused"):
        yield ev.TicketBack(ticket=t.ticket, attempt=t.attempt, kept=kept)
    else:
        left = queue.allowed_attempts(t, run) - t.attempts
        why = f"{last.why}; {left} attempt(s) were left as the run ended"
        yield _outcome(t, "FAILED_RETRYABLE", why, run_of(state, t))


def _policy_over(state: State, t: Ticket, why: str) -> Iterator[ev.Fact]:
    p = state.policies.get(t.policy)
    if p and p.status not in CLOSED and p.status not in ("awaiting-ack", "acting"):
        yield ev.PolicyCancelled(policy=p.policy, reason=why)


def _processes_over(state: State, t: Ticket, *, rest: bool) -> Iterator[ev.Fact]:
    s = state.sessions.get(t.session)
    if s and (s.phase in LIVE or s.phase == "suspended") and not (s.phase == "stopping" and not s.resting):
        yield ev.StopRequested(session=s.session, by=QUEUE, rest=rest and s.phase in LIVE)


# -- ends ------------------------------------------------------------------------------------------------


def _ended(state: State, fact: ev.TicketEnded) -> Iterator[ev.Fact]:
    t = state.tickets[fact.ticket]
    if fact.outcome not in tickets.DONE:
        yield from _policy_over(state, t, fact.why)
    yield from _processes_over(state, t, rest=True)
    run = state.runs.get(t.run)
    s = state.sessions.get(t.session)
    in_place = bool(run and run.settings.workspace == "in_place")
    if s and in_place and (first := _first_snapshot(s)) and not s.rollback and not s.rolled_back:
        yield ev.RollbackRequested(session=s.session, snapshot=first, by=QUEUE)


def _stop_all(state: State, why: str, *, only_waiting: bool = False) -> Iterator[ev.Fact]:
    """What is under way goes back to the queue with what it has; what is being judged is judged no further. What waits
    for the end of a usage limit is not waited for even by a patient stop."""
    for t in queue.in_flight(state):
        if t.phase == "waiting" or not only_waiting:
            yield _outcome(t, "FAILED_RETRYABLE", why, t.run)


# -- plans -----------------------------------------------------------------------------------------------


def _ticket_of_plan(state: State, policy: str) -> Ticket | None:
    p = state.policies.get(policy)
    return state.tickets.get(p.spec.ticket) if p and p.spec.ticket else None


def _cancelled(state: State, fact: ev.PolicyCancelled) -> Iterator[ev.Fact]:
    """A person cancelled the policy of a ticket that is under way."""
    t = _ticket_of_plan(state, fact.policy)
    if not t or t.policy != fact.policy or t.phase == "retrying":
        return
    plan = state.plans.get(t.plan)
    if t.in_flight or (t.phase == "ended" and t.outcome in tickets.DONE and plan and plan.state == "void"):
        yield _outcome(t, "FAILED_RETRYABLE", f"its policy was cancelled: {fact.reason}", run_of(state, t))


def _plan_blocked(state: State, fact: ev.PolicyBlocked) -> Iterator[ev.Fact]:
    """A plan that waited cannot land as it is: then the ticket is not done."""
    t = _ticket_of_plan(state, fact.policy)
    plan = state.plans.get(t.plan) if t else None
    if t and plan and plan.policy == fact.policy and t.phase == "ended" and plan.state == "void":
        yield _outcome(t, "BLOCKED_ENV", f"its plan could not land: {fact.reason}", run_of(state, t))


def _rejected(state: State, fact: ev.PlanRejected) -> Iterator[ev.Fact]:
    t = _ticket_of_plan(state, fact.policy)
    if t and t.plan == fact.plan:
        parked = ev.DecisionParked(
            decision=_next_decision(state),
            ticket=t.ticket,
            foundational=False,
            why=f"its plan {fact.plan[:10]} was rejected{': ' + fact.note if fact.note else ''}",
            question="What should be done differently?",
            evidence=(f"nightdesk plan show {fact.plan[:10]}",),
            source="rejected",
        )
        yield from _parked(t, parked, run_of(state, t))
    yield from _base_gone(state, fact.plan, f"plan {fact.plan[:10]}, on which it builds, was rejected")


def _restored(state: State, fact: ev.PlanRestored) -> Iterator[ev.Fact]:
    t = _ticket_of_plan(state, fact.policy)
    d = state.decisions.get(t.decision) if t else None
    if not t or not d or d.source != "rejected" or d.state != "open" or t.phase != "ended":
        return
    yield ev.DecisionClosed(decision=d.decision, ticket=t.ticket, reason="the rejection was taken back")
    flags = queue.flags_of(state.plans[fact.plan].assessment)
    why = flags[0] if flags else "green, and its rejection was taken back"
    outcome: Outcome = "DONE_LOW_CONFIDENCE" if flags else "DONE"
    yield _outcome(t, outcome, why, run_of(state, t), plan=fact.plan, flags=flags)


def _base_gone(state: State, plan: str, why: str) -> Iterator[ev.Fact]:
    """Work that was started from a plan that will not land as it is goes back to the queue (ruling 6)."""
    if state.plans[plan].successor:
        return
    for t in queue.builds_on(state, plan):
        own = state.plans.get(t.plan)
        if own and own.state not in ("waiting", "void", "superseded", "rejected"):
            continue
        if own and own.state == "waiting":
            yield ev.PlanVoided(policy=own.policy, plan=own.plan, reason=why)
            yield ev.PolicyCancelled(policy=own.policy, reason=why)
        yield from _policy_over(state, t, why)
        yield from _processes_over(state, t, rest=False)
        yield from queue.closed(state, t, why)
        yield ev.TicketRequeued(ticket=t.ticket, by=QUEUE)
