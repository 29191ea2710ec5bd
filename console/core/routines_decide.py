"""Commands about routines. Pure."""

from __future__ import annotations

from console.core import commands as cmd
from console.core import events as ev
from console.core.records import Refused
from console.core.routines import Routine
from console.core.routines_react import given, open_question
from console.core.routines_reply import as_told
from console.core.routines_rules import dotted, problems
from console.core.state import State

Facts = tuple[ev.Fact, ...] | Refused


def decide(state: State, command: cmd.RoutineCommand) -> Facts:
    if isinstance(command, cmd.StartRoutine):
        return _start(state, command)
    r = state.routines.get(command.routine)
    if not r:
        reason = f"no routine {command.routine!r}; `nightdesk routine list` shows what there is"
        return Refused(reason=reason, paths=("missing",))
    if not r.open:
        return Refused(reason=f"routine {r.routine} is {r.status}{f' ({r.why})' if r.why else ''}: nothing waits in it")
    if isinstance(command, cmd.CancelRoutine):
        why = command.note or "cancelled by a person"
        return (ev.RoutineEnded(routine=r.routine, status="cancelled", why=why, by=command.by),)
    return _resolve(state, r, command)


def _start(state: State, c: cmd.StartRoutine) -> Facts:
    if found := problems(c.spec, state.sessions):
        return Refused(reason="\n".join(f"{dotted(p.path)}: {p.message}" for p in found))
    return (ev.RoutineStarted(routine=f"rt-{len(state.routines) + 1}", spec=c.spec, by=c.by),)


def _resolve(state: State, r: Routine, c: cmd.ResolveRoutine) -> Facts:
    if refused := _not_asked(r, c.step):
        return refused
    if refused := _unseen(r, c):
        return refused
    word = ev.RoutineResolved(routine=r.routine, step=r.step, approve=c.approve, by=c.by, response=c.response)
    s = state.sessions.get(r.session)
    if not c.approve or not s:
        return (word,)
    q = open_question(s)
    if not q or q.id != r.question:
        return Refused(reason=f"{s.session} asks that no more: its question is answered, or its turn is over")
    reply = as_told(q, c.response)
    if isinstance(reply, str):
        return Refused(reason=f"step {r.step + 1} of {r.routine}: {reply}")
    word = ev.RoutineResolved(
        routine=r.routine, step=r.step, approve=True, by=c.by, response=reply.said, session=s.session
    )
    return (word, *given(s, q, reply, c.by))


def _unseen(r: Routine, c: cmd.ResolveRoutine) -> Refused | None:
    """Why a person who says this cannot have seen what is asked now: whoever allows says what, also in the second after
    somebody else allowed the question before."""
    if c.asked == r.asked or not (c.asked or c.approve):
        return None
    asks = f"asks something else by now, {r.asked}" if c.asked else f"needs the number of what you allow, {r.asked} now"
    who = f"{r.session} asks" if r.session else "it asks"
    return Refused(reason=f"step {r.step + 1} of {r.routine} {asks}: {who}: {r.title}")


def _not_asked(r: Routine, step: int) -> Refused | None:
    """Why a word on this step is not waited for (any more)."""
    at = f"{r.routine} is at step {r.step + 1}{f' ({r.now.name})' if r.now else ''}"
    if step < r.step:
        return Refused(reason=f"step {step + 1} of {r.routine} is over; {at}")
    if step > r.step:
        there = step < len(r.spec.steps)
        what = "has not begun" if there else f"is not there, it has {len(r.spec.steps)}"
        return Refused(reason=f"step {step + 1} of {r.routine} {what}; {at}")
    if r.status != "escalated":
        return Refused(reason=f"{at}, which asks nobody now: it may have been answered; look at it again")
    return None
