"""What follows when an agent broke off in the middle of its turn: it is started again, or given up for a person.

A restart is no attempt and no verdict about the work: hangs, crashes and starts that never came up share one count, of
the ticket (whatever attempt or session) or of the session of a person. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from console.core import events as ev
from console.core import prompting, queue, restart_limits, sessions
from console.core.records import WatchLimits
from console.core.sessions import Session
from console.core.state import State

NOT_AGAIN = frozenset({0, 126, 127})
"""Exit codes that no restart helps: the agent left in good order, or its command cannot be run."""


def cause(state: State, fact: ev.Exited) -> ev.RestartCause | Literal[""]:
    """Why the session that is gone is to be started again, "" when it is not: it was told to end, its end is not
    proven, it had nothing to do, or its command cannot be run."""
    s = state.sessions[fact.session]
    told = s.stopped or s.resting or (s.turn is not None and s.cancel == s.turn.number and sessions.open_turn(s))
    if told or s.external or fact.how == "unkillable":
        return ""
    if s.hung:
        idle = s.hung_cause == "start" and s.turn is None
        return s.hung_cause if sessions.cut_off(s) or idle else ""
    if fact.how == "not-started" or (fact.how == "exited" and fact.code in NOT_AGAIN):
        return ""
    return "crash" if sessions.cut_off(s) else ""


def exited(state: State, fact: ev.Exited) -> Iterator[ev.Fact]:
    """Its old processes are gone, which `fact` proves: now, and not before, it may begin again."""
    kind = cause(state, fact)
    if not kind:
        return
    s = state.sessions[fact.session]
    t = queue.at_work(state, s.session)
    before = t.restarts if t else s.restarts
    said = _said(s, kind, fact)
    turn = sessions.broken_turn(s)
    number = turn.number if turn else s.turns
    if over := restart_limits.spent(_limits(state, s), before, state.at):
        yield ev.SessionGivenUp(session=s.session, turn=number, cause=kind, why=f"{said}; {over}")
        return
    count = len(before) + 1
    until = state.at + restart_limits.wait(s.session, count)
    yield ev.SessionRestarting(
        session=s.session, run=s.run, turn=number, cause=kind, why=said, count=count, until=until
    )  # fmt: skip
    if t and turn and (kept := sessions.snapshot_before(s, turn.number)):
        yield ev.RollbackRequested(session=s.session, snapshot=kept, by=queue.QUEUE)


def _limits(state: State, s: Session) -> WatchLimits:
    t = queue.at_work(state, s.session)
    return state.runs[t.run].settings.watchdog if t else WatchLimits()


def _said(s: Session, kind: ev.RestartCause, fact: ev.Exited) -> str:
    if kind == "crash":
        how = fact.reason or (f"exit {fact.code}" if fact.code is not None else f"signal {fact.signal}")
        return f"its process crashed: {how}" if fact.how != "lost" else f"its process was lost: {how}"
    return f"its agent did not come up: {s.hung}" if kind == "start" else f"its process hung: {s.hung}"


def due(state: State, fact: ev.SessionRestartDue) -> Iterator[ev.Fact]:
    """The wait is over: what broke off is told once more and as a whole, then what nobody had begun."""
    s = state.sessions[fact.session]
    number = s.turns
    if turn := sessions.broken_turn(s):
        number += 1
        kept = sessions.snapshot_before(s, turn.number)
        put_back = bool(kept) and s.rolled_to == kept
        text = prompting.restarted(s.hung_cause if s.hung else "crash", turn.text, put_back=put_back)
        yield ev.PromptQueued(session=s.session, turn=number, text=text, cause="restart")
    for prompt in s.undelivered:
        number += 1
        yield ev.PromptQueued(
            session=s.session, turn=number, text=prompt.text, cause=prompt.cause, policy=prompt.policy
        )  # fmt: skip
