"""How a command line, a screen or a program asks for something: append, ring, wait for the outcome in the log."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol, TypeVar

from console.core import commands as cmd
from console.core import events as ev
from console.core.due import due
from console.core.records import Refused
from console.core.state import State
from console.engine.journal import Journal, Result

T = TypeVar("T")
LOOK = 0.03
"""Seconds between looks while waiting, where nobody tells of changes."""
REVIVE = 1.0
"""Seconds between looks whether the supervisor that is waited for still runs."""


class Watch(Protocol):
    """When to look at the log again. Nothing that was committed since it was made is missed."""

    def changed(self, timeout: float) -> bool:
        """Block for at most `timeout` seconds. True: there may be something new. False: the time is over."""
        ...

    def close(self) -> None: ...


class Ticking:
    """Short sleeps, which need nothing of the system: for tests within a process."""

    def changed(self, timeout: float) -> bool:
        time.sleep(min(LOOK, timeout))
        return timeout > LOOK

    def close(self) -> None:
        pass


class Client:
    """One journal of one workspace. summon: make sure that a supervisor runs, or say why none can. watch: made when it
    is first waited for.

    A client is its thread's own, waits included: what serves several requests at once makes a client for each, in the
    thread that uses it, and closes it there. A wait is ended from outside by what its `look` returns: that is asked
    whenever the log may have changed, and at least once a second.
    """

    def __init__(
        self,
        journal: Journal,
        ring: Callable[[], None],
        summon: Callable[[], Refused | None] = lambda: None,
        watch: Callable[[], Watch] = Ticking,
    ) -> None:
        self.journal = journal
        self._ring = ring
        self._summon = summon
        self._new_watch = watch
        self._watch: Watch | None = None

    @property
    def state(self) -> State:
        self.journal.refresh()
        return self.journal.state

    def send(self, command: cmd.Command, *, needs_hands: bool = True) -> Result:
        """Append a command. needs_hands: its effect needs a supervisor, so one is started if none runs."""
        result = self.journal.submit(command)
        if isinstance(result, Refused):
            if needs_hands and any(due(self.journal.state)):  # what stands in the way may wait for a supervisor
                self._summon()
            return result
        self._ring()
        if needs_hands and (refused := self._summon()):
            return Refused(reason=f"recorded, but not done yet: {refused.reason}")
        return result

    def wait(self, look: Callable[[State], T | None], timeout: float) -> T | None:
        """The first thing that `look` finds in the state, or None after `timeout` seconds."""
        deadline = time.monotonic() + timeout
        found = look(self.state)
        if found is not None or timeout <= 0:
            return found
        watch = self._watch = self._watch or self._new_watch()
        while True:
            found = look(self.state)  # once more after the watch was made: what came before it is told to nobody
            left = deadline - time.monotonic()
            if found is not None or left <= 0:
                return found
            watch.changed(left)

    def await_effect(self, look: Callable[[State], T | None], timeout: float) -> T | None:
        """Like `wait`, for what a supervisor does: one that dies meanwhile is replaced."""
        deadline = time.monotonic() + timeout
        while True:
            found = self.wait(look, min(REVIVE, max(0.0, deadline - time.monotonic())))
            if found is not None or time.monotonic() >= deadline:
                return found
            self._summon()

    def close(self) -> None:
        if self._watch:
            self._watch.close()
            self._watch = None
        self.journal.close()


def first(result: Result, kind: type[ev.Event]) -> ev.Event:
    """The first fact of `kind` in an accepted result."""
    assert not isinstance(result, Refused)
    return next(entry.fact for entry in result if isinstance(entry.fact, kind))
