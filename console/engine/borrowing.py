"""How a console takes the conversation of a session, to open it in the agent's own interactive mode, and gives it back.

For whoever has a terminal: `take`, run the program, `give_back`. Everything here blocks.
"""

from __future__ import annotations

from collections.abc import Callable

from console.core import commands as cmd
from console.core.records import Refused
from console.core.state import State
from console.engine.client import Client
from console.engine.desk import Desk, Opening

PATIENCE = 20.0
"""Seconds that the session's agent has to end, before its conversation is opened elsewhere."""
NOT_OPENED = 127
"""The code of a program that was never started."""


def take(
    client: Client, desk: Desk, session: str, patience: float = PATIENCE, wanted: Callable[[], bool] = lambda: True
) -> Opening | Refused:
    """What to run, once nothing of the session runs any more; it is ours then until `give_back`. When it is refused,
    not `wanted` any more (asked again and again), or an exception comes, it is nobody's."""
    opening = desk.opening(session)
    if isinstance(opening, Refused):
        return opening
    pid, start = desk.me()
    lent = client.send(cmd.LendSession(session=session, by=desk.who(), pid=pid, start_time=start))
    if isinstance(lent, Refused):
        give_back(client, desk, session, NOT_OPENED, lent.reason)  # it may be recorded although nobody can act on it
        return lent
    try:
        why = client.await_effect(
            lambda state: _rested(state, session, pid, start) if wanted() else "you left it", patience
        )
    except BaseException:
        give_back(client, desk, session, NOT_OPENED, "it was not opened")
        raise
    if why is None:
        why = f"the agent of {session} did not end within {patience:g} s; look at it, then try again"
    if not why:
        return opening
    give_back(client, desk, session, NOT_OPENED, why)
    return Refused(reason=f"{session} was not opened: {why}" if not wanted() else why)


def give_back(client: Client, desk: Desk, session: str, code: int | None = None, note: str = "") -> None:
    """The program has ended with this code (None: nobody saw it). Nothing happens when the conversation is not ours."""
    pid, start = desk.me()
    s = client.state.sessions.get(session)
    if s and s.lent and (s.lent.pid, s.lent.start_time) == (pid, start):
        client.send(cmd.ReturnSession(session=session, pid=pid, code=code, note=note))


def _rested(state: State, session: str, pid: int, start: int) -> str | None:
    """Nothing ("") when nothing of it runs any more, None while it does, else why it cannot be opened."""
    s = state.sessions[session]
    if not s.lent or (s.lent.pid, s.lent.start_time) != (pid, start):
        return f"session {session} was taken back before it could be opened"
    if s.stopped:
        return f"session {session} was stopped meanwhile; start a new one"
    if s.stuck:
        return f"of session {session} a process is left that could not be ended: {s.stuck}"
    return "" if s.phase in ("suspended", "exited") else None
