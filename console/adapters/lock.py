"""The workspace's lock: one flock decides who supervises. Its text is for people only and never decides anything."""

from __future__ import annotations

import fcntl
import os
import time
from pathlib import Path

LOOK = 0.05
"""Seconds until a lock that others only look at (`is_taken`, some microseconds each) is certain to have been free."""


class Lock:
    """Held from a successful `take` until `release` or the end of the process.

    The descriptor is close-on-exec, so no agent can hold it open; the file is never unlinked while in use.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._fd: int | None = None

    def take(self, text: str = "") -> bool:
        """True when we hold it now. Waits 50 ms at most."""
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        for _ in range(5):
            fd = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
            if not _lock(fd):
                os.close(fd)
                return False
            if self._is_ours(fd):
                os.ftruncate(fd, 0)
                os.pwrite(fd, text.encode(), 0)
                self._fd = fd
                return True
            os.close(fd)
        return False

    def _is_ours(self, fd: int) -> bool:
        """The path still leads to the file we locked; if not, somebody replaced it and there could be two holders."""
        mine = os.fstat(fd)
        try:
            there = os.stat(self.path, follow_symlinks=False)
        except FileNotFoundError:
            return False
        return (mine.st_dev, mine.st_ino) == (there.st_dev, there.st_ino)

    def held(self) -> bool:
        """We hold it and the path still leads to it."""
        return self._fd is not None and self._is_ours(self._fd)

    def release(self) -> None:
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None


def _lock(fd: int) -> bool:
    deadline = time.monotonic() + LOOK
    while True:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            if time.monotonic() >= deadline:
                return False
            time.sleep(0.001)
        else:
            return True


def is_taken(path: Path) -> bool:
    """Whether some process holds the lock now."""
    try:
        fd = os.open(path, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(fd)
    return False
