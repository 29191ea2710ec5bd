"""What follows from a fact for routines: the next step, an answer, an escalation. Pure.

One routine makes one move at a time, and every move ends with a fact that asks all of them again. What comes before
that last fact asks nobody, or leaves nothing to do for its own routine: so nothing is decided twice.
"""

from __future__ import annotations

from collections.abc import Iterator

from console.core import events as ev
from console.core import restarts, routines, sessions
from console.core.records import Who
from console.core.records_routines import Step
from console.core.routines import Routine
from console.core.routines_begin import Facts, begin, failed
from console.core.routines_reply import Reply, by_itself
from console.core.sessions import Question, Session
from console.core.state import State, ticket_of

ASKING = (
    ev.TurnEnded,
    ev.Exited,
    ev.SessionGivenUp,
    ev.SessionHung,
    ev.SessionInterrupted,
    ev.SessionRestarting,
    ev.StopRequested,
    ev.AwaitingInput,
    ev.AnswerRequested,
    ev.InputAnswered,
    ev.RoutineStarted,
    ev.RoutineStepBegun,
    ev.RoutineAnswered,
    ev.RoutineEscalated,
    ev.RoutineResolved,
    ev.RoutineStepDone,
    ev.RoutineEnded,
)
"""Facts after which a routine may go on."""


def follow(state: State, fact: ev.Fact) -> Iterator[ev.Fact]:
    match fact:
        case ev.RoutineExpired():
            r = state.routines[fact.routine]
            yield failed(r, f"nobody answered in time: {r.title}")
        case ev.RoutineResolved() if not fact.approve:
            said = f": {fact.response}" if fact.response else ""
            r = state.routines[fact.routine]
            yield failed(r, f"{fact.by.user or 'a person'} said no{said}", fact.by)
        case ev.RoutineResolved() if fact.session:
            return  # the answer to its session comes next
        case ev.Exited() if restarts.cause(state, fact):
            return  # it is started again, or given up, which comes next
        case _ if isinstance(fact, ASKING):
            # A step that begins may give a session more to do, whose end others are just to take note of.
            listed = sorted((r for r in state.routines.values() if r.open), key=lambda r: not r.begun)
            yield from next((move for r in listed if (move := next_move(state, r, fact))), ())


def next_move(state: State, r: Routine, fact: ev.Fact) -> Facts:
    """What the routine does next, () for nothing yet."""
    step = r.now
    if not step:
        return (ev.RoutineEnded(routine=r.routine, status="done"),)
    if not r.begun:
        return begin(state, r, step)
    if why := _broken(state, r):
        return (failed(r, why),)
    if r.status == "escalated":
        return _over(state, r, fact)
    for s in _asking(state, r, step):
        return _waited(state, r, step, s)
    if any(not ended(state.sessions[name], since) for name, since in r.since.items()):
        return ()
    if step.title and not r.granted:
        return (_escalated(state, r, step, step.title),)
    return (ev.RoutineStepDone(routine=r.routine, step=r.step),)


# -- what its sessions do --------------------------------------------------------------------------------


def ended(s: Session, since: int) -> str:
    """As `sessions.finished_since`; one that is gone before it took its last prompt has ended nothing."""
    lost = s.phase == "exited" and (s.undelivered or s.dropped) and not s.busy
    return "exit" if lost else sessions.finished_since(s, since)


def _broken(state: State, r: Routine) -> str:
    """Which session of the step cannot bring it to its end any more, and why."""
    if not r.session and r.status == "escalated":
        return ""  # a person has the word, and their turns are over
    for name, since in r.since.items():
        s = state.sessions[name]
        match ended(s, since):
            case "bad" | "exit" if s.stopped:
                return f"{name} was stopped by {s.stopped_by or 'a person'} before its turn ended"
            case "bad" if s.turn:
                return f"turn {s.turn.number} of {name} ended with {s.turn.stop} {s.turn.detail}".rstrip()
            case "exit":
                how = s.given_up and f"was given up: {s.given_up}"
                return f"{name} {how or f'exited before its turn ended: {s.exit}'}"
    return ""


def _asking(state: State, r: Routine, step: Step) -> Iterator[Session]:
    """Sessions of the step with a question that nobody has answered. Those of a ticket that is worked on ask by the
    rules of the queue."""
    for name in r.members(step):
        s = state.sessions.get(name)
        t = ticket_of(state, name)
        if s and open_question(s) and not (t and t.in_flight):
            yield s


def open_question(s: Session) -> Question | None:
    """What it waits for an answer to, None when it does not or somebody has given one."""
    return s.question if s.phase == "awaiting-input" and s.question and s.question.answer is None else None


# -- what is done about a question -----------------------------------------------------------------------


def _waited(state: State, r: Routine, step: Step, s: Session) -> Facts:
    q = s.question
    assert q
    if step.on_wait.kind == "fail":
        return (failed(r, f"{s.session} asks: {q.title}"),)
    reply = by_itself(q, step.on_wait.prompt) if step.on_wait.kind == "auto-allow" else None
    if not reply:  # also where nothing can be said by itself
        return (_escalated(state, r, step, q.title, s),)
    if r.answers >= routines.ANSWERS:
        return (failed(r, f"{s.session} asks once more after {r.answers} automatic answers: {q.title}"),)
    said = ev.RoutineAnswered(
        routine=r.routine, step=r.step, session=s.session, question=q.id, said=reply.said
    )  # fmt: skip
    return (*given(s, q, reply, Who(via=f"routine {r.routine}")), said)


def given(s: Session, q: Question, reply: Reply, by: Who) -> Facts:
    """The facts that give a session this reply. The answer, which asks all routines again, comes last."""
    answer = ev.AnswerRequested(session=s.session, question=q.id, option=reply.option, text=reply.text, by=by)
    if not reply.prompt:
        return (answer,)
    prompt = ev.PromptQueued(session=s.session, turn=sessions.next_turn(s), text=reply.prompt, by=by)
    return (prompt, answer)


def _escalated(state: State, r: Routine, step: Step, title: str, s: Session | None = None) -> ev.RoutineEscalated:
    q = s.question if s else None
    return ev.RoutineEscalated(
        routine=r.routine,
        step=r.step,
        title=title,
        until=state.at + step.on_wait.timeout,
        session=s.session if s else "",
        question=q.id if q else "",
        options=q.options if q else (),
        webhook=step.on_wait.webhook,
    )


def _over(state: State, r: Routine, fact: ev.Fact) -> Facts:
    """The question of an escalation is no more: somebody else answered it, or its turn is over."""
    if not r.session:
        return ()
    s = state.sessions[r.session]
    if (q := open_question(s)) and q.id == r.question:
        return ()
    answered = isinstance(fact, ev.AnswerRequested) and fact.session == r.session
    by, said = Who(via=f"routine {r.routine}"), ""
    if isinstance(fact, ev.AnswerRequested) and answered:
        by, said = fact.by, fact.text or fact.option
    why = f"{r.session} was answered directly" if answered else f"{r.session} asks that no more"
    over = ev.RoutineResolved(routine=r.routine, step=r.step, approve=True, by=by, response=said, over=why)
    return (over,)
