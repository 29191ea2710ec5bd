"""A supervisor in a thread of its own, inside a process that does something else (a screen, the headless demo)."""

from __future__ import annotations

import asyncio
import random
import threading
import time
from collections.abc import Callable, Coroutine
from typing import Any

from console.core.due import due
from console.engine.supervisor import Supervisor

LOOK = 0.5
"""Seconds between looks whether the supervisor's post is vacant."""
WAITS = (1.0, 5.0, 15.0, 60.0)
"""Seconds until a post whose supervisor failed here is taken again, by the number of failures in a row."""
SOUND = 120.0
"""Seconds of supervising after which earlier failures no longer count."""
BEGIN = 2.0
"""Seconds that a supervisor has to read the log before it is asked whether it has work."""


class Hosted:
    """failed: the exception that ended the supervisor, None while all is well."""

    def __init__(
        self,
        supervisor: Supervisor,
        serve: Callable[[Supervisor], Coroutine[Any, Any, str]],
        ended: Callable[[], None],
    ) -> None:
        """ended: called on the supervisor's thread when it is over, however it ended (to let the lock go)."""
        self.supervisor = supervisor
        self._serve = serve
        self._ended = ended
        self.failed: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="supervisor", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def _run(self) -> None:
        try:
            asyncio.run(self._serve(self.supervisor))
        except BaseException as error:
            self.failed = error
        finally:
            self._ended()

    @property
    def alive(self) -> bool:
        return self._thread.is_alive()

    def busy(self) -> bool:
        """Work of ours lives, or is owed. A supervisor that has only just begun is given the time to know."""
        deadline = time.monotonic() + BEGIN
        while self.alive and not self.supervisor.state.seq and time.monotonic() < deadline:
            time.sleep(0.01)
        return self.alive and (self.supervisor.busy() or self._owes())

    def _owes(self) -> bool:
        try:
            return any(due(self.supervisor.state))
        except RuntimeError:  # its own thread changed the state meanwhile: there is something going on
            return True

    def linger(self, seconds: float) -> None:
        """From now on leave after so many seconds without work."""
        self.supervisor.linger(seconds)

    def stop(self, why: str) -> None:
        self.supervisor.request_stop(why)

    def join(self, timeout: float | None = None) -> bool:
        """Wait until the supervisor has ended; True when it has."""
        while self._thread.is_alive():
            self._thread.join(1.0 if timeout is None else timeout)  # short waits, so that signals are served
            if timeout is not None:
                break
        return not self._thread.is_alive()


class Post:
    """The supervisor's post, seen from a process with a screen: held here when it is free at the start, taken over when
    who holds it dies. The lock decides who of several takes it; whoever does not goes on watching.

    take: the lock, at once or not at all. make: a supervisor that is not started yet, for a lock that is held; release:
    gives it back when none could be made. taken: whether anybody holds it. orphaned: whether the last supervisor ended
    without meaning to (asked only when nobody holds the lock). failed_here(error): told on a thread of ours.
    """

    def __init__(
        self,
        *,
        take: Callable[[], bool],
        make: Callable[[], Hosted],
        release: Callable[[], None],
        taken: Callable[[], bool],
        orphaned: Callable[[], bool],
        failed_here: Callable[[BaseException, float], None] = lambda _error, _wait: None,
    ) -> None:
        self._take, self._make, self._release = take, make, release
        self._taken, self._orphaned, self._failed_here = taken, orphaned, failed_here
        self._hosted: Hosted | None = None
        self._error: BaseException | None = None
        self._failures = 0
        self._since = 0.0
        self._not_before = 0.0
        self._known: Hosted | None = None
        self._closed = threading.Event()
        self._deciding = threading.Lock()
        self._thread = threading.Thread(target=self._watch, name="post", daemon=True)

    def open(self) -> None:
        """Take the post if it is free. What makes that impossible is raised; later it is only told."""
        if self._take():
            try:
                self._start(self._make())
            except BaseException:
                self._release()
                raise
        self._thread.start()

    def _start(self, hosted: Hosted) -> None:
        self._hosted, self._since = hosted, time.monotonic()
        hosted.start()

    # -- as one supervisor -------------------------------------------------------------------------------

    @property
    def alive(self) -> bool:
        """The supervisor is in this process."""
        return bool(self._hosted and self._hosted.alive)

    @property
    def elsewhere(self) -> bool:
        """Another process supervises."""
        return not self.alive and self._taken()

    @property
    def failed(self) -> BaseException | None:
        """What ended the supervisor of this process, as long as nobody took its place."""
        if self.alive:
            return None
        hosted = self._hosted
        return hosted.failed if hosted and hosted is not self._known else self._error

    def busy(self) -> bool:
        return bool(self._hosted and self._hosted.busy())

    def linger(self, seconds: float) -> None:
        if self._hosted:
            self._hosted.linger(seconds)

    def close(self) -> None:
        """Take no post any more; a supervisor that is here goes on."""
        self._closed.set()
        with self._deciding:
            pass

    def stop(self, why: str) -> None:
        self.close()
        if self._hosted:
            self._hosted.stop(why)

    def join(self, timeout: float | None = None) -> bool:
        return self._hosted is None or self._hosted.join(timeout)

    # -- the watch ---------------------------------------------------------------------------------------

    def _watch(self) -> None:
        while not self._closed.wait(LOOK * random.uniform(0.6, 1.2)):  # of several consoles one is first
            with self._deciding:
                if not self._closed.is_set() and not self.alive:
                    self._try()

    def _try(self) -> None:
        try:
            self._look()
        except Exception as error:  # the lock cannot be used: said now and then, and looked at again
            if time.monotonic() >= self._not_before:
                self._failed(error)

    def _look(self) -> None:
        gone = self._hosted
        if gone and gone is not self._known:
            self._known = gone
            if gone.failed:
                self._failed(gone.failed)
        if self._taken():
            self._error = None  # somebody else supervises, which is all that matters
        elif time.monotonic() >= self._not_before and (self._error is not None or self._orphaned()) and self._take():
            self._man()

    def _man(self) -> None:
        try:
            self._start(self._make())
        except Exception as error:
            self._release()
            self._failed(error)
        else:
            self._error = None

    def _failed(self, error: BaseException) -> None:
        if time.monotonic() - self._since > SOUND:
            self._failures = 0
        wait = WAITS[min(self._failures, len(WAITS) - 1)]
        self._failures += 1
        self._error, self._not_before = error, time.monotonic() + wait
        self._failed_here(error, wait)
