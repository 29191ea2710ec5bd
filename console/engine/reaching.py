"""What telling people needs from the world, in one record. Built by the wiring, replaced by fakes in tests."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from console.core.events import Logged
from console.core.notice_groups import Told
from console.core.notify_settings import Channel


@dataclass(frozen=True, slots=True)
class Reaching:
    """channels: those of the settings and of the environment, as they are now (blocks). tell(channel, id, body): send
    one notice; bounded in time. read(since, count): log entries after that position, at most so many (blocks; one call
    at a time). workspace: its name for people; key: what tells it from others. close: nothing is sent any more."""

    channels: Callable[[], Sequence[Channel]]
    tell: Callable[[Channel, str, bytes], Awaitable[Told]]
    read: Callable[[int, int], Sequence[Logged]]
    workspace: str
    key: str
    close: Callable[[], None] = lambda: None
