"""Puts a terminal back as it was, without ever waiting for it: it may be stalled, gone, or somebody else's by now.

Standard library only and nothing of ours: the front and the process that it has lost both need it.
"""

from __future__ import annotations

import os
import select
import signal
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

RESET = (
    b"\x1b[?2026l\x1b[<u\x1b[?1049l\x1b[?25h\x1b[?1000l\x1b[?1003l\x1b[?1006l\x1b[?1015l\x1b[?1016l"
    b"\x1b[?1004l\x1b[?2004l\x1b[?2048l\x1b[?7h\x1b[0m"
)
"""Keyboard protocol popped, alternate screen left, cursor shown, reports of mouse, focus, paste and size off."""

PATIENCE = 0.5
"""Seconds that a terminal has to take what is written to it here."""

PIECE = 256
"""Bytes written at once where the terminal cannot be opened anew: so much fits when it is ready at all."""


@contextmanager
def unstopped() -> Iterator[None]:
    """The terminal does not stop this process when another job is in the foreground (signals of this thread)."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTTOU, signal.SIGTTIN})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def foreground(fd: int) -> int:
    """The group that the terminal obeys; 0 when it is not the terminal of this session, or none at all."""
    try:
        return os.tcgetpgrp(fd)
    except OSError:
        return 0


def line_modes(fd: int) -> list[Any] | None:
    """As they are now; None where there is no terminal."""
    try:
        return termios.tcgetattr(fd)
    except termios.error:
        return None


def again(fd: int) -> int:
    """A descriptor of its own for the terminal at `fd` that never blocks; where that is not allowed, a copy."""
    for path in (f"/proc/self/fd/{fd}", f"/dev/fd/{fd}"):
        with suppress(OSError):
            return os.open(path, os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    return os.dup(fd)


def ready(fd: int, what: int, seconds: float) -> bool:
    """Whether `fd` can be read (POLLIN) or written (POLLOUT) within so many seconds, or fails at once when it is."""
    waiter = select.poll()
    waiter.register(fd, what)
    return bool(waiter.poll(seconds * 1000))


def put(fd: int, data: bytes, seconds: float = PATIENCE) -> bool:
    """Write to a terminal within so many seconds; False when it did not take all of it."""
    try:
        mine = again(fd)
    except OSError:
        return False
    deadline = time.monotonic() + seconds
    try:
        while data:
            left = deadline - time.monotonic()
            if left <= 0 or not ready(mine, select.POLLOUT, left):
                return False
            with suppress(BlockingIOError):
                data = data[os.write(mine, data[:PIECE]) :]
    except (OSError, ValueError):
        return False
    finally:
        os.close(mine)
    return True


def reset(fd: int) -> None:
    """Screen, cursor and reports as a shell wants them. What the terminal has not taken so far is thrown away."""
    with unstopped():
        with suppress(termios.error):
            termios.tcflush(fd, termios.TCOFLUSH)
        put(fd, RESET)


def give(fd: int, group: int, modes: list[Any] | None) -> None:
    """Line modes as they were, and the foreground to `group` (0: as it is). At once, whatever the terminal does, and
    also when another job is in its foreground."""
    with unstopped():
        give_if_ours(fd, group, modes)


def give_if_ours(fd: int, group: int, modes: list[Any] | None) -> None:
    """The same, but nothing happens when another job is in the foreground: the kernel looks and sets in one step. There
    must be a handler for SIGTTOU."""
    if modes is not None:
        with suppress(termios.error):
            termios.tcsetattr(fd, termios.TCSANOW, modes)
    if group:
        with suppress(OSError):
            os.tcsetpgrp(fd, group)
