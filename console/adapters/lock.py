"""The workspace's lock: one flock decides who supervises. Its text is for people only and never decides anything."""

from __future__ import annotations

import fcntl
import os
import stat
import time
from pathlib import Path

SHARED_WAIT = 1.0
"""Seconds. A supervisor that has just died lets go of both in any order."""
LOOK = 0.05
"""Seconds until a lock that others only look at (`is_taken`, some microseconds each) is certain to have been free."""
OPEN = os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK


class LockUnusable(Exception):
    """Nothing can be locked here: what is wrong, where, what to do. An expected failure, made for one line."""


class Lock:
    """Held from a successful `take` until `release` or the end of the process.

    The descriptor is close-on-exec, so no agent can hold it open; the file is never unlinked while in use. shared: a
    folder that whoever supervises the same things has in common, wherever its own lock lies (the shared git dir): it is
    locked too, where its file system can do that, so that two state folders are not two supervisors.
    """

    def __init__(self, path: Path, shared: Path | None = None) -> None:
        self.path, self.shared = path, shared
        self._fd: int | None = None
        self._shared_fd = -1

    def take(self, text: str = "") -> bool:
        """True when we hold it now. Waits 50 ms at most, a second for the shared folder. Raises LockUnusable."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            taken = self._take(text)
        except OSError as error:
            reason = trouble(self.path) or f"cannot use the lock {self.path}: {error.strerror}"
            raise LockUnusable(reason) from error
        if taken and self.shared and not self._take_shared(self.shared):
            self.release()
            raise LockUnusable(
                f"{self.shared} is supervised already, with another state folder than {self.path.parent}: use the same "
                f"XDG_STATE_HOME as there ({_holders(self.shared)})"
            )
        return taken

    def _take_shared(self, folder: Path) -> bool:
        """False while somebody else has it; true also where folders cannot be locked."""
        try:
            fd = os.open(folder, OPEN | os.O_RDONLY | os.O_DIRECTORY)
        except OSError:
            return True
        try:
            if not _lock(fd, SHARED_WAIT):
                return False
            self._shared_fd, fd = fd, -1
        except OSError:
            return True
        finally:
            if fd >= 0:
                os.close(fd)
        return True

    def _take(self, text: str) -> bool:
        for _ in range(5):
            fd = os.open(self.path, OPEN | os.O_RDWR | os.O_CREAT, 0o600)
            try:
                if reason := trouble(self.path, fd):
                    raise LockUnusable(reason)
                if not _lock(fd):
                    return False
                if self._is_ours(fd):
                    _note(fd, text)
                    self._fd, fd = fd, -1
                    return True
            finally:
                if fd >= 0:
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
        if self._shared_fd >= 0:
            os.close(self._shared_fd)
            self._shared_fd = -1
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None


def _note(fd: int, text: str) -> None:
    """A full disk must not keep anybody from supervising: the words in the file are for people."""
    raw = text.encode()
    try:
        os.pwrite(fd, raw, 0)
        os.ftruncate(fd, len(raw))
    except OSError:
        return


def _holders(path: Path) -> str:
    """Asked for late: only who fails needs it."""
    from console.adapters import holder

    return f"held by {holder.words(path)}"


def _lock(fd: int, wait: float = LOOK) -> bool:
    """False while somebody has it. Raises OSError where nothing can be locked at all."""
    deadline = time.monotonic() + wait
    while True:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                return False
            time.sleep(0.001)
        else:
            return True


def is_taken(path: Path) -> bool:
    """Whether some process holds the lock now."""
    try:
        fd = os.open(path, OPEN | os.O_RDONLY)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(fd)
    return False


def trouble(path: Path, fd: int | None = None) -> str:
    """Why this cannot be our lock: another kind of file, or another user's; "" when it can, or is not there yet."""
    try:
        seen = os.fstat(fd) if fd is not None else os.lstat(path)
    except FileNotFoundError:
        return ""
    except OSError as error:
        return f"cannot look at the lock {path}: {error.strerror}"
    kind = next((words for look, words in KINDS if look(seen.st_mode)), "")
    if kind:
        return f"the lock {path} is {kind}: something else made that; look at it, then remove it"
    if seen.st_uid != os.geteuid() and os.geteuid() != 0:
        return f"the lock {path} belongs to uid {seen.st_uid}: the workspace is supervised as that user, or was"
    return ""


KINDS = (
    (stat.S_ISLNK, "a symbolic link"),
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)
