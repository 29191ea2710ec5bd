"""Facts about a conversation that a person opens in the agent's own interactive mode. Part of `events`."""

from __future__ import annotations

from console.core.event import Event
from console.core.records import Who


class SessionLent(Event, frozen=True, kw_only=True, tag="session:lent"):
    """A person opens the session's conversation in the agent's own interactive mode: nothing of it is started before
    `session:returned`. pid, start_time: the process of ours that waits for that program (clock ticks since boot)."""

    session: str
    by: Who
    pid: int
    start_time: int


class SessionReturned(Event, frozen=True, kw_only=True, tag="session:returned"):
    """The interactive program has ended. code: its exit code, None when nobody saw it. note: how it ended, "" for
    well. pid, start_time: as in the `session:lent` that is over."""

    session: str
    pid: int
    start_time: int
    code: int | None = None
    note: str = ""
