"""The way to the terminal: a thread that writes what it is given and never makes the giver wait.

A terminal that takes nothing only lets the queue grow (who draws looks at `waiting` and skips frames); one that is gone
ends the thread. Decides nothing about what is drawn.
"""

from __future__ import annotations

import os
import select
import signal
import threading
import time
from collections import deque

from console.terminal.restoring import PIECE, again, ready

LOOK = 0.1
"""Seconds between looks whether a terminal that takes nothing is still wanted."""
PATIENCE = 1.0
"""Seconds that `stop` gives the terminal to take the rest."""
CHUNK = 16 * 1024


class Wire:
    """For the terminal at a descriptor. Any thread may write."""

    def __init__(self, fd: int) -> None:
        self._given = fd
        self._fd = again(fd)
        self._chunk = PIECE if os.get_blocking(self._fd) else CHUNK
        self._queue: deque[bytes] = deque()
        self._changed = threading.Condition()
        self._stopping = False
        self._dead = False
        self._thread = threading.Thread(target=self._run, daemon=True, name="terminal-output")

    def start(self) -> None:
        self._thread.start()

    def write(self, text: str) -> None:
        data = text.encode("utf-8", "replace")
        with self._changed:
            if data and not self._dead:
                self._queue.append(data)
                self._changed.notify_all()

    @property
    def waiting(self) -> int:
        """Writes that the terminal has not taken yet."""
        return len(self._queue)

    @property
    def dead(self) -> bool:
        """Nothing will reach the terminal any more."""
        return self._dead

    def stop(self, patience: float = PATIENCE) -> bool:
        """Write the rest, but not for longer than so many seconds; True when the terminal took all of it."""
        deadline = time.monotonic() + patience
        with self._changed:
            self._stopping = True
            self._changed.notify_all()
            while self._queue and not self._dead and (left := deadline - time.monotonic()) > 0:
                self._changed.wait(min(left, LOOK))
            whole = not self._queue and not self._dead
        self.abandon()
        if self._thread.is_alive():
            self._thread.join(2 * LOOK)
        return whole

    def abandon(self) -> None:
        """From now on not one byte more."""
        with self._changed:
            self._dead = True
            self._queue.clear()
            self._changed.notify_all()

    def _run(self) -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTTOU})  # the last bytes may come from the background
        try:
            while self._wait():
                self._put()
        except (OSError, ValueError):
            pass  # the terminal is gone; who reads from it learns so too
        finally:
            self.abandon()
            os.close(self._fd)

    def _wait(self) -> bool:
        """Until there is something to write; False when there never will be."""
        with self._changed:
            while not self._queue and not self._dead and not self._stopping:
                self._changed.wait()
            return bool(self._queue) and not self._dead

    def _put(self) -> None:
        if not ready(self._fd, select.POLLOUT, LOOK):
            return
        with self._changed:
            if self._dead or not self._queue:
                return
            piece = _piece(self._queue[0], self._chunk)
        try:
            written = os.write(self._fd, piece)
        except BlockingIOError:
            return
        with self._changed:
            if not self._queue:  # abandoned meanwhile
                return
            rest = self._queue[0][written:]
            if rest:
                self._queue[0] = rest
            else:
                self._queue.popleft()
                self._changed.notify_all()


def _piece(data: bytes, most: int) -> bytes:
    """Its first bytes, no character cut in two: whatever is abandoned behind them, what was written stays text."""
    end = min(most, len(data))
    while 0 < end < len(data) and data[end] & 0xC0 == 0x80:
        end -= 1
    return data[: end or most]
