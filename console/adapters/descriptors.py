"""The supervisor's open descriptors: as many as the system allows, and some kept back for when they run out. What we
start gets back the limit that we were started with (programs that walk all possible descriptors exist)."""

from __future__ import annotations

import contextlib
import errno
import os
import resource
import threading

RESERVED = 8
MOST = 65_536
"""A higher limit is of no use to us."""
NEAR = 64
"""So few left, or a third of a small limit, are nearly none: a session takes a dozen, and git at work for it others."""
AGAIN = 1.5
"""So many times what is near must be free until they are no longer short."""

_former: list[tuple[int, int]] = []


def raise_limit() -> int:
    """Lift the soft limit to the hard one, at most `MOST`; the limit that now holds. Once a process."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if not _former:
        _former.append((soft, hard))
    most = MOST if hard == resource.RLIM_INFINITY else min(hard, MOST)
    if soft != resource.RLIM_INFINITY and soft < most:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return limit()


def give_back(pid: int) -> None:
    """The limit that we were started with, for a child that waits for our orders. Nothing where the system cannot."""
    if _former and hasattr(resource, "prlimit"):
        with contextlib.suppress(OSError, ValueError):
            resource.prlimit(pid, resource.RLIMIT_NOFILE, _former[0])


def limit() -> int:
    soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return MOST if soft == resource.RLIM_INFINITY else soft


def used() -> int | None:
    """How many are open, None when not even that can be seen: there is none left to look with."""
    for place in ("/proc/self/fd", "/dev/fd"):
        try:
            return len(os.listdir(place)) - 1  # without the one that looked
        except OSError as error:
            if error.errno in (errno.EMFILE, errno.ENFILE):
                return None
    return 0


class Reserve:
    """Some descriptors that nobody uses, so that there are some when there are none. Any thread may call."""

    def __init__(self, count: int = RESERVED) -> None:
        self._count = count
        self._held: list[int] = []
        self._lock = threading.Lock()
        self._short = False

    def look(self) -> str:
        """Why nothing that needs many may be started now, "" when there are enough. Lets the reserve go when there is
        none beside it, takes it back when there are enough again."""
        most, open_now = limit(), used()
        with self._lock:
            free = 0 if open_now is None else most - open_now
            near = min(NEAR, most // 3)
            if free <= len(self._held) // 2:
                self._let_go()
            enough = near * (AGAIN if self._short else 1)
            if free >= enough:
                self._take()
            self._short = free < enough or len(self._held) < self._count
            if not self._short:
                return ""
        shown = "nearly all" if open_now is None else f"{open_now}"
        return f"{shown} of {most} descriptors are open, what is started now needs more (`ulimit -n`)"

    def let_go(self) -> None:
        """At once, whatever is open: something has just failed for want of one."""
        with self._lock:
            self._let_go()

    @property
    def held(self) -> int:
        return len(self._held)

    def _take(self) -> None:
        with contextlib.suppress(OSError):
            while len(self._held) < self._count:
                self._held.append(os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC))

    def _let_go(self) -> None:
        while self._held:
            os.close(self._held.pop())
