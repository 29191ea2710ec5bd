"""The screen's hands: commands and slow reads on threads of their own, so that no lock and no git stalls a key."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from typing import Any

from console.core.commands import Command
from console.core.records import Refused
from console.engine.client import Client
from console.engine.desk import Desk
from console.engine.journal import Result

Job = Callable[[], None]
LOOK = 0.1
"""Seconds between looks whether the screen is still there."""


class Hands:
    """deliver: runs a call on the screen's loop, from any thread. Two threads: one sends, one reads."""

    def __init__(
        self, desk: Desk, deliver: Callable[[Callable[[], None]], None], there: Callable[[], bool] = lambda: True
    ) -> None:
        """there: whether the screen can still take anything (asked from any thread)."""
        self._there = there
        self._desk = desk
        self.deliver = deliver
        self._client: Client | None = None
        self._sending: queue.SimpleQueue[Job] = queue.SimpleQueue()
        self._reading: queue.SimpleQueue[Job] = queue.SimpleQueue()
        for name, jobs in (("hands", self._sending), ("reader", self._reading)):
            threading.Thread(target=_work, args=(jobs,), name=name, daemon=True).start()

    def send(self, command: Command, done: Callable[[Result], None], *, needs_hands: bool = True) -> None:
        """Append a command; `done` gets the result, or a refusal that names what went wrong."""

        def job() -> None:
            try:
                if self._client is None:
                    self._client = self._desk.new_client()
                result = self._client.send(command, needs_hands=needs_hands)
            except Exception as error:
                result = Refused(reason=f"nothing was recorded: {error}")
            self.deliver(lambda: done(result))

        self._sending.put(job)

    def offer(self, what: Callable[[], Any], took: Callable[[Any], None], dropped: Callable[[Any], None]) -> None:
        """Like `aside`, for what must not be lost on the way: when the screen goes before it `took` the value,
        `dropped` gets it, in the thread that made it."""

        def job() -> None:
            try:
                value = what()
            except Exception as error:
                value = error
            once = threading.Lock()  # whoever gets it has the value
            self.deliver(lambda: took(value) if once.acquire(blocking=False) else None)
            while not once.locked():
                if not self._there() and once.acquire(blocking=False):
                    dropped(value)
                    return
                time.sleep(LOOK)

        threading.Thread(target=job, name="aside", daemon=True).start()

    def aside(self, what: Callable[[], Any], done: Callable[[Any], None]) -> None:
        """Like `read`, on a thread of its own: for what takes seconds and must not keep a diff waiting."""
        threading.Thread(target=self._told(what, done), name="aside", daemon=True).start()

    def read(self, what: Callable[[], Any], done: Callable[[Any], None]) -> None:
        """Call `what` on the reading thread; `done` gets its value, or the exception it raised."""
        self._reading.put(self._told(what, done))

    def _told(self, what: Callable[[], Any], done: Callable[[Any], None]) -> Job:
        def job() -> None:
            try:
                value = what()
            except Exception as error:
                value = error
            self.deliver(lambda: done(value))

        return job


def _work(jobs: queue.SimpleQueue[Job]) -> None:
    while True:
        jobs.get()()
