"""Whether anybody still wants what is done: a call that waits ends when it is cancelled, or when its client is gone."""

from __future__ import annotations

import threading

import anyio.from_thread

from console.engine.client import Watch
from console.verbs.failing import Fail

GONE = threading.Event()
"""The client's end of our standard input is closed."""
LOOK = 0.5
"""Seconds between looks."""


def check() -> None:
    """In the thread of a call. Raises when nobody waits for its answer."""
    anyio.from_thread.check_cancelled()
    if GONE.is_set():
        raise Fail("the client is gone")


class Leaving:
    """A watch on the log that gives up with its call."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch

    def changed(self, timeout: float) -> bool:
        check()
        return self._watch.changed(min(timeout, LOOK)) or timeout > LOOK

    def close(self) -> None:
        self._watch.close()
