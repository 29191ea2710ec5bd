"""Whether the file of the log is still there, whatever is in it: the sign that there was one, and the watch on the one
that is open. Knows nothing of SQLite but the names of its files; never makes, moves or mends a log."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

from console.core.records import Refused

MARKER = "log.made"
"""Beside the log; there from before its first use on."""
TRACES = ("transcripts", "gates", "plans", "reports")
"""Folders that only what stood in a log has filled: they speak for one that was made before there were markers."""
LOOK = 1.0
"""Seconds between looks at the file."""
FLAGS = os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC


def was_made(log: Path) -> bool:
    """Whether there has been a log here. Asked before the file is looked for, as others may be making it just now."""
    return os.path.lexists(log.with_name(MARKER)) or any(_holds_something(log.with_name(name)) for name in TRACES)


def _holds_something(folder: Path) -> bool:
    try:
        with os.scandir(folder) as listing:
            return any(True for _ in listing)
    except OSError:
        return False


def mark(log: Path) -> None:
    """Leave the sign, durably. Only once the log's tables are committed. Raises OSError."""
    if os.path.lexists(log.with_name(MARKER)):
        return
    text = f"{log.name} was made here: a folder with this file and without that log has lost it\n"
    file = os.open(log.with_name(MARKER), FLAGS, 0o600)
    try:
        os.write(file, text.encode())
        os.fsync(file)
    finally:
        os.close(file)
    folder = os.open(log.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def lost(log: Path) -> str:
    """What to know and to do when a log that was made here is not there any more, or has nothing in it."""
    return (
        f"the log {log} is gone: there was one, and none is started over it. Put the file back (a copy, with its -wal "
        f"file if there is one), or move the folder {log.parent} away to start anew"
    )


def torn(log: Path, pages: int) -> str:
    """What to know and to do when the end of the log's file is missing."""
    return (
        f"{log} is cut short: {pages} page(s) of it are in no file. Nothing was changed, and none is started over it. "
        f"Put a copy back (with its -wal file if there is one), or move the folder {log.parent} away to start anew"
    )


class Open:
    """The log as it was when this was made, for who keeps it open: `gone` says whether it still is what its path leads
    to, and as long as it was: neither file of a log that is open ever shrinks. Looks once a second at most."""

    def __init__(self, log: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._log, self._clock = log, clock
        self._file = _identity(log)
        self._wal: tuple[int, int] | None = None
        self._sizes = (0, 0)
        self._looked = float("-inf")
        self._gone = False

    def gone(self, *, now: bool = False) -> Refused | None:
        """Why nobody else can see any more what is written here, None while all is well. now: look in any case."""
        if not self._gone and (now or self._clock() - self._looked >= LOOK):
            self._looked = self._clock()
            self._gone = not self._same()
        return Refused(reason=lost(self._log)) if self._gone else None

    def _same(self) -> bool:
        # SQLite keeps one -wal file for as long as anybody has the log open; the first look is the first to need it.
        beside = self._log.with_name(f"{self._log.name}-wal")
        wal, sizes = _identity(beside), (_size(self._log), _size(beside))
        if self._wal and wal != self._wal:
            return False
        if sizes[0] < self._sizes[0] or sizes[1] < self._sizes[1]:
            return False
        self._wal, self._sizes = wal, sizes
        return self._file is not None and _identity(self._log) == self._file


def _size(path: Path) -> int:
    try:
        return os.stat(path, follow_symlinks=False).st_size
    except OSError:
        return 0


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = os.stat(path, follow_symlinks=False)
    except OSError:
        return None
    return found.st_dev, found.st_ino
