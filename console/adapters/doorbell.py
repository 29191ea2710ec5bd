"""A FIFO that tells the supervisor that another process has appended. A hint only: the log is the truth."""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path


def listen(path: Path) -> int:
    """A non-blocking descriptor that becomes readable when somebody rings. Made anew if something else lies there; one
    that nobody can ring when none can be made (a full disk), as the log is looked at every second anyway."""
    try:
        return _hung(path)
    except OSError:
        if not hasattr(os, "eventfd"):
            raise
        return os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)


def _hung(path: Path) -> int:
    with contextlib.suppress(FileNotFoundError):
        if not stat.S_ISFIFO(os.lstat(path).st_mode):
            os.unlink(path)
    with contextlib.suppress(FileExistsError):
        os.mkfifo(path, 0o600)
    return os.open(path, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)


def drain(fd: int) -> None:
    with contextlib.suppress(BlockingIOError):
        while os.read(fd, 4096):
            pass


def ring(path: Path) -> None:
    """Wake the supervisor, if there is one."""
    try:
        fd = os.open(path, os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return
    try:
        os.write(fd, b"!")
    except OSError:
        pass
    finally:
        os.close(fd)
