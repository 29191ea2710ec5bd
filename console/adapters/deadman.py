"""Ends a supervisor whose loop does not run any more, with the stack of every thread in a file. For processes without a
screen only: it ends the whole process.

Two watches, because each is blind where the other sees. A thread of ours counts the seconds without a tick in time
that this process really had, so that a process that was stopped (Ctrl+Z, SIGSTOP, a paused machine) is not ended when
it goes on, as `faulthandler.dump_traceback_later` does. Code that holds the interpreter's lock stops that thread too,
but it burns CPU: a timer of CPU time, set anew by each tick, ends the process then.
"""

from __future__ import annotations

import faulthandler
import os
import select
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path

LIMIT = 30.0
"""Seconds without a tick, and seconds of CPU without one."""
LAST_WORDS = 5.0
"""Seconds that writing the stacks may take: the disk may be what everything hangs on."""
CODE = 70


class Deadman:
    """Armed by the first `tick`; `disarm` ends it. One a process, for the time of one supervisor."""

    def __init__(
        self,
        path: Path,
        now: Callable[[], float],
        *,
        limit: float = LIMIT,
        end: Callable[[int], object] = os._exit,
    ) -> None:
        """path: where the stacks go, appended. now: seconds without those in which this process did not run; asked from
        a thread of ours alone. Raises OSError when the file cannot be opened."""
        self._out = open(path, "a", encoding="utf-8", buffering=1)  # noqa: SIM115
        self._now, self._limit, self._end = now, limit, end
        self._ticks = 0
        self._over = threading.Event()
        self._thread: threading.Thread | None = None

    def tick(self) -> None:
        """From the loop, about once a second."""
        self._ticks += 1
        if self._over.is_set():
            return
        signal.setitimer(signal.ITIMER_PROF, self._limit)
        if self._thread is None:
            # chain: after the stacks the signal does what it does by default, which ends the process.
            faulthandler.register(signal.SIGPROF, file=self._out, all_threads=True, chain=True)
            self._thread = threading.Thread(target=self._watch, name="deadman", daemon=True)
            self._thread.start()

    def _watch(self) -> None:
        seen, since = self._ticks, self._now()
        while not self._over.wait(min(1.0, self._limit / 4)):
            now = self._now()
            if self._ticks != seen:
                seen, since = self._ticks, now
            elif now - since >= self._limit:
                self._die(now - since)
                return

    def _die(self, silent: float) -> None:
        signal.setitimer(signal.ITIMER_REAL, LAST_WORDS)  # its signal ends us, should a write below never return
        try:
            at = time.strftime("%Y-%m-%d %H:%M:%S")
            self._out.write(f"{at} pid {os.getpid()}: no tick for {silent:.0f} s; where it stood:\n")
            faulthandler.dump_traceback(self._out, all_threads=True)
            _say(f"the supervisor's loop has not run for {silent:.0f} s: ended; {self._out.name} says where it stood\n")
        finally:
            self._end(CODE)

    def disarm(self) -> None:
        """Afterwards nothing ends this process."""
        self._over.set()
        signal.setitimer(signal.ITIMER_PROF, 0)
        if self._thread:
            faulthandler.unregister(signal.SIGPROF)
            self._thread.join()
        self._out.close()


def _say(line: str) -> None:
    """On stderr, unless that is a terminal that takes nothing."""
    try:
        if select.select([], [2], [], 0)[1]:
            os.write(2, line.encode())
    except (OSError, ValueError):
        return
