"""The beginning of a routine's step: what its sessions are told, in one go. Pure."""

from __future__ import annotations

from collections import Counter

from msgspec.structs import replace

from console.core import events as ev
from console.core import queue, sessions
from console.core.records import Who
from console.core.records_routines import RoutineSession, Step
from console.core.routines import Routine
from console.core.state import State, ticket_of

Facts = tuple[ev.Fact, ...]


def begin(state: State, r: Routine, step: Step) -> Facts:
    """Sessions and prompts first, the step last: what follows from it finds them in the state."""
    ids = {one.name: f"s-{len(state.sessions) + n}" for n, one in enumerate(step.start, 1)}
    facts: list[ev.Fact] = []
    for one in step.start:
        facts += _added(r, one, ids[one.name])
    known = replace(r, sessions=r.sessions | ids)
    told: Counter[str] = Counter(ids[one.name] for one in step.start if one.prompt)
    for name, text in step.prompts.items():
        session = known.id_of(name)
        s = state.sessions.get(session)
        if session not in ids.values() and (why := _deaf(state, s, session)):
            return (failed(r, f"cannot prompt {session}: {why}"),)
        turn = told[session] + (sessions.next_turn(s) if s else 1)
        facts.append(ev.PromptQueued(session=session, turn=turn, text=text, by=_who(r)))
        told[session] += 1
    return (*facts, _begun(state, known, step, ids, tuple(told)))


def failed(r: Routine, why: str, by: Who | None = None) -> ev.RoutineEnded:
    """The end of a routine at the step that it is at."""
    name = f" ({r.now.name})" if r.now else ""
    return ev.RoutineEnded(routine=r.routine, status="failed", why=f"step {r.step + 1}{name}: {why}", by=by)


def _added(r: Routine, one: RoutineSession, session: str) -> Facts:
    added = ev.SessionAdded(
        session=session,
        label=f"{r.routine}/{one.name}",
        preset=one.preset,
        launch=one.launch,
        cwd=one.cwd,
        worktree=one.worktree,
        by=_who(r),
    )
    return (added, ev.PromptQueued(session=session, turn=1, text=one.prompt, by=_who(r))) if one.prompt else (added,)


def _begun(state: State, r: Routine, step: Step, ids: dict[str, str], told: tuple[str, ...]) -> ev.RoutineStepBegun:
    """A session counts from where it was last told something by this routine; one that was there before counts with
    its current turn, running or just ended: no end is missed that came before its step."""
    since: dict[str, int] = {}
    for session in map(r.id_of, step.wait_for):
        s = state.sessions.get(session)
        known = state.seq if session in told or not s else r.told.get(session, -1)
        since[session] = known if known >= 0 or not s else sessions.current_turn_seq(s)
    return ev.RoutineStepBegun(routine=r.routine, step=r.step, sessions=ids, prompted=told, since=since)


def _deaf(state: State, s: sessions.Session | None, name: str) -> str:
    """Why a session that was there before takes no prompt now, "" when it does. One that is about to be started again
    takes it along."""
    if not s:
        return f"there is no session {name}"
    if s.external:
        return "nightdesk does not drive it"
    t = ticket_of(state, s.session) or queue.occupied(state, s.worktree)
    if s.ticket and t and t.in_flight:
        return f"ticket {t.ticket} is being worked on there, and its prompts are the queue's"
    if s.resumable:
        return ""
    return "it was stopped" if s.stopped else f"it has exited ({s.exit}) and cannot be resumed"


def _who(r: Routine) -> Who:
    return replace(r.by, via=f"routine {r.routine}")
