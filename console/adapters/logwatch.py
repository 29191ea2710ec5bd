"""When to look at the log again: blocks until somebody may have committed to it. Says that, never what: the look
decides. Writes nothing, decodes nothing, and knows of SQLite only the names of its files."""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import struct
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from console.adapters import logfile

HEAD = struct.Struct("iIII")
"""An event of inotify(7), before its name: watch, mask, cookie, length of the name."""
MODIFY, MOVED_FROM, MOVED_TO, CREATE, DELETE = 0x2, 0x40, 0x80, 0x100, 0x200
DELETE_SELF, MOVE_SELF, UNMOUNT, OVERFLOW, IGNORED = 0x400, 0x800, 0x2000, 0x4000, 0x8000
ONLYDIR = 0x1000000
WANTED = MODIFY | MOVED_FROM | MOVED_TO | CREATE | DELETE | DELETE_SELF | MOVE_SELF | ONLYDIR
ENDED = DELETE_SELF | MOVE_SELF | UNMOUNT | IGNORED
"""The folder is not the one of that name any more: it is watched anew, by its name."""


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds. full: the longest time without a look. poll: between two looks at the files' stamps where the system
    tells nothing. retry: until it is asked again whether it does. gather: what comes within it is one change.
    echoes: after a change, since a commit is written before it can be read; the later ones are for a slow disk."""

    full: float = 1.0
    poll: float = 0.25
    retry: float = 30.0
    gather: float = 0.002
    echoes: tuple[float, ...] = (0.01, 0.03, 0.1, 0.3)


class Untold(Exception):
    """The system tells of no change here: no watches left, no such folder, no inotify."""


class LogWatch:
    """Of one log, for one thread at a time: each waiting thread has its own. Takes a descriptor or two until `close`.

    opened: the log as its reader has it open; once that is not what the path leads to any more, `changed` raises
    LogError, as no commit would ever be seen.
    """

    def __init__(
        self,
        path: Path,
        opened: logfile.Open | None = None,
        pace: Pace = Pace(),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._path, self._opened, self._pace, self._clock = path, opened, pace, clock
        self._names = {os.fsencode(path.name), os.fsencode(f"{path.name}-wal")}
        self._told: _Told | None = None
        self._asked = float("-inf")
        self._stamp: object = None
        self._looks: list[float] = []
        self._last = clock()
        self._ready()

    def changed(self, timeout: float) -> bool:
        """Block until there may be something new in the log, for at most `timeout` seconds. True: look at it, if only
        because a second has gone by. False: the time is over. Nothing that was committed since this watch was made is
        missed. Raises LogError."""
        began = self._clock()
        while True:
            self._check()
            now = self._clock()
            next_look = min([self._last + self._pace.full, *self._looks])
            until = min(next_look, began + timeout)
            if self._heard(max(0.0, until - now)):
                self._looks = [self._clock() + after for after in self._pace.echoes]
                break
            now = self._clock()
            if now >= next_look:
                self._looks = [at for at in self._looks if at > now]
                self._same_folder()
                break
            if now >= began + timeout:
                return False
        self._last = self._clock()
        return True

    def close(self) -> None:
        if self._told:
            self._told.close()
        self._told = None
        self._asked = float("inf")

    def _check(self) -> None:
        if self._opened and (lost := self._opened.gone()):
            from console.adapters.store import LogError

            raise LogError(lost.reason)

    def _ready(self) -> None:
        """Ask the system to tell, unless it said lately that it does not; what happened before counts as a change."""
        if not self._told and self._clock() - self._asked >= self._pace.retry:
            self._asked = self._clock()
            with contextlib.suppress(Untold):
                self._told = _Told(self._path.parent)
            self._stamp = self._stamps()

    def _same_folder(self) -> None:
        """A folder above may have been moved, of which nothing is told."""
        if self._told and self._told.folder != _stamp(self._path.parent)[:2]:
            self._lose(self._told)
            self._ready()

    def _lose(self, told: _Told) -> None:
        if self._told is told:
            told.close()
            self._told, self._asked = None, float("-inf")

    def _heard(self, seconds: float) -> bool:
        """Whether the log's files were touched within so many seconds."""
        if self._told:
            return self._listened(self._told, seconds)
        before = self._stamp
        if seconds > 0:
            time.sleep(min(seconds, self._pace.poll))
        self._ready()
        self._stamp = self._stamps()
        return bool(before != self._stamp)

    def _listened(self, told: _Told, seconds: float) -> bool:
        if not told.wait(seconds):
            return False
        if self._pace.gather:
            time.sleep(self._pace.gather)
        touched = False
        for mask, name in told.events():
            touched = touched or bool(mask & (OVERFLOW | ENDED)) or name in self._names
            if mask & ENDED:
                self._lose(told)
        self._ready()
        return touched

    def _stamps(self) -> tuple[object, ...]:
        return tuple(_stamp(self._path.with_name(os.fsdecode(name))) for name in sorted(self._names))


def _stamp(path: Path) -> tuple[int, ...]:
    try:
        found = os.stat(path, follow_symlinks=False)
    except OSError:
        return ()
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


class _Told:
    """One inotify instance on one folder. Raises Untold when there is none to be had."""

    def __init__(self, folder: Path) -> None:
        libc = ctypes.CDLL(None, use_errno=True)
        try:
            init, add = libc.inotify_init1, libc.inotify_add_watch
        except AttributeError:
            raise Untold from None
        self._fd = init(os.O_NONBLOCK | os.O_CLOEXEC)
        if self._fd < 0:
            raise Untold
        if add(self._fd, os.fsencode(folder), ctypes.c_uint32(WANTED)) < 0:
            os.close(self._fd)
            raise Untold
        self.folder = _stamp(folder)[:2]
        self._poll = select.poll()
        self._poll.register(self._fd, select.POLLIN)

    def wait(self, seconds: float) -> bool:
        return bool(self._poll.poll(seconds * 1000))

    def events(self) -> Iterator[tuple[int, bytes]]:
        """What has come: (mask, name in the folder, b"" for the folder itself)."""
        with contextlib.suppress(BlockingIOError):
            data = os.read(self._fd, 64 * 1024)
            while data:
                _, mask, _, length = HEAD.unpack_from(data)
                yield mask, data[HEAD.size : HEAD.size + length].rstrip(b"\0")
                data = data[HEAD.size + length :]

    def close(self) -> None:
        os.close(self._fd)
