"""What the supervisor owes the world: intents without an outcome, read from the state. Pure; names no adapter."""

from __future__ import annotations

from collections.abc import Iterator

from console.core.policies import Policy
from console.core.queue import may_wake, turn_limit
from console.core.records import Record
from console.core.sessions import AT_WORK, LIVE, Session
from console.core.state import State
from console.core.tickets import Ticket


class Start(Record, frozen=True, kw_only=True):
    session: str
    run: int


class BeginTurn(Record, frozen=True, kw_only=True):
    session: str
    run: int
    turn: int


class GiveAnswer(Record, frozen=True, kw_only=True):
    session: str
    question: str
    option: str


class Interrupt(Record, frozen=True, kw_only=True):
    session: str
    turn: int


class Stop(Record, frozen=True, kw_only=True):
    session: str
    run: int


class Judge(Record, frozen=True, kw_only=True):
    policy: str
    attempt: int


class LandPlan(Record, frozen=True, kw_only=True):
    """request: the log position of the key press, so that a second one for the same plan is a second effect."""

    policy: str
    plan: str
    request: int


class UndoPlan(Record, frozen=True, kw_only=True):
    policy: str
    plan: str
    request: int


class SettleAlert(Record, frozen=True, kw_only=True):
    alert: str
    request: int


class RollBackTo(Record, frozen=True, kw_only=True):
    session: str
    snapshot: str
    request: int


class Prepare(Record, frozen=True, kw_only=True):
    """Make the worktree of a claimed ticket, and begin its work."""

    ticket: str
    attempt: int


class Deadline(Record, frozen=True, kw_only=True):
    """At `at` (Unix seconds) the turn of a ticket has taken too long."""

    ticket: str
    attempt: int
    limit: float
    at: float


class Wake(Record, frozen=True, kw_only=True):
    """At `at` a ticket that waits for the end of a usage limit goes on."""

    ticket: str
    attempt: int
    at: float


class Patience(Record, frozen=True, kw_only=True):
    """At `at` a question that nobody answered, in an attended run, becomes a parked decision (ruling 14)."""

    ticket: str
    attempt: int
    title: str
    options: tuple[str, ...]
    at: float


class RoutinePatience(Record, frozen=True, kw_only=True):
    """At `at` an escalation of a routine has waited long enough. asked: its log position."""

    routine: str
    step: int
    asked: int
    at: float


class Restart(Record, frozen=True, kw_only=True):
    """At `at` a session that broke off is started again."""

    session: str
    run: int
    at: float


Timed = Deadline | Wake | Patience
"""Effects that are a wait; one that is no longer owed is given up."""

ATTENTION = 300.0
"""Seconds without a key after which nobody attends."""

Effect = (
    Prepare
    | Timed
    | RoutinePatience
    | Restart
    | Start
    | BeginTurn
    | GiveAnswer
    | Interrupt
    | Stop
    | Judge
    | LandPlan
    | UndoPlan
    | SettleAlert
    | RollBackTo
)


def due(state: State) -> Iterator[Effect]:
    """Every effect that is owed now. The supervisor starts those that it does not already run."""
    for s in state.sessions.values():
        if s.phase != "exited":
            yield from (effect for effect in _session(s) if not (isinstance(effect, Start) and _beside(state, s)))
        elif s.restart_at and not s.rollback and not s.lent:
            yield Restart(session=s.session, run=s.run, at=s.restart_at)
    for p in state.policies.values():
        if p.status == "gating" and not _rolling_back(state, p.spec.sessions) and not _still_up(state, p):
            yield Judge(policy=p.policy, attempt=p.attempt)
        elif p.status == "acting":
            plan = state.plans[p.plan]
            if plan.state in ("approved", "landing"):
                yield LandPlan(policy=p.policy, plan=plan.plan, request=plan.request)
            elif plan.state == "undoing":
                yield UndoPlan(policy=p.policy, plan=plan.plan, request=plan.request)
    for a in state.alerts.values():
        if a.state == "answered":
            yield SettleAlert(alert=a.alert, request=a.request)
    for s in state.sessions.values():
        if s.rollback and s.phase not in AT_WORK:
            yield RollBackTo(session=s.session, snapshot=s.rollback, request=s.rollback_seq)

    for r in state.routines.values():
        if r.status == "escalated":
            yield RoutinePatience(routine=r.routine, step=r.step, asked=r.asked, at=r.until)

    for t in state.tickets.values():
        if t.in_flight:
            yield from _ticket(state, t)


def _ticket(state: State, t: Ticket) -> Iterator[Effect]:
    if t.phase == "claimed" and not lent_there(state, t):
        yield Prepare(ticket=t.ticket, attempt=t.attempt)
    elif t.phase == "waiting" and may_wake(state, t):
        yield Wake(ticket=t.ticket, attempt=t.attempt, at=t.until)
    elif t.phase == "working" and not t.overdue and (s := state.sessions.get(t.session)):
        if s.turn and not s.turn.end_seq and s.phase in ("working", "awaiting-input"):
            limit = turn_limit(t, state.runs[t.run])
            yield Deadline(ticket=t.ticket, attempt=t.attempt, limit=limit, at=s.turn.started_at + limit)
        if s.question and s.question.answer is None and s.phase == "awaiting-input":
            options = tuple(option.name for option in s.question.options)
            at = max(s.question.at, state.active_at) + ATTENTION
            yield Patience(ticket=t.ticket, attempt=t.attempt, title=s.question.title, options=options, at=at)


def lent_there(state: State, t: Ticket) -> Session | None:
    """The session of an earlier attempt whose conversation a person has open where this one is to begin."""
    in_place = t.run in state.runs and state.runs[t.run].settings.workspace == "in_place"
    lent = (s for s in state.sessions.values() if s.lent and s.ticket and (s.ticket == t.ticket or in_place))
    return next(lent, None)


def _beside(state: State, s: Session) -> bool:
    """Whether an earlier agent of a ticket is still being ended in the worktree where this one is to begin."""
    there = (o for o in state.sessions.values() if o.worktree == s.worktree and o.session != s.session)
    return bool(s.ticket) and any(o.ticket and o.phase == "stopping" and not o.external for o in there)


def _still_up(state: State, p: Policy) -> bool:
    """Whether the agent whose ticket is to be judged still has processes: they could change the files meanwhile."""
    t = state.tickets.get(p.spec.ticket)
    sessions = [state.sessions[name] for name in p.spec.sessions]
    return bool(t and t.in_flight and any(s.phase in LIVE and not s.external for s in sessions))


def _rolling_back(state: State, names: tuple[str, ...]) -> bool:
    """Whether the files under one of these sessions are being put back: nothing judges them meanwhile."""
    moving = {s.worktree for s in state.sessions.values() if s.rollback}
    return any(state.sessions[name].worktree in moving for name in names)


def _session(s: Session) -> Iterator[Effect]:
    if s.phase == "stopping":
        yield Stop(session=s.session, run=s.run)
    elif s.external or s.lent:
        return  # lent: a person has its conversation
    elif s.rollback:
        return  # no turn begins while the files of its worktree are being put back
    elif s.phase == "starting" or (s.phase == "suspended" and s.prompts):
        yield Start(session=s.session, run=s.run)
    elif s.phase == "ready" and s.prompts:
        yield BeginTurn(session=s.session, run=s.run, turn=s.prompts[0].turn)
    elif s.phase == "awaiting-input" and s.question and s.question.answer is not None:
        yield GiveAnswer(session=s.session, question=s.question.id, option=s.question.answer)
    if s.cancel and s.turn and s.cancel == s.turn.number and not s.turn.end_seq:
        yield Interrupt(session=s.session, turn=s.cancel)
