"""The supervisor's heartbeat as a small file: written from its loop, read by who waits for it to fall silent.

Only "the counter changed since I last looked" says anything; no clock of the writer and no mtime is ever compared.
"""

from __future__ import annotations

import contextlib
import os
import stat
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from console.adapters.boot import boot_id

SIZE = 256
"""Bytes of the record, always all of them: an existing block is written over, which a full disk allows."""


@dataclass(frozen=True, slots=True)
class Beat:
    """pid, start: of the supervisor's process (clock ticks). worst: its longest gap between two ticks so far, seconds.
    monotonic: its clock as it wrote, for eyes only."""

    pid: int
    start: int
    boot: str
    count: int
    worst: float
    monotonic: float

    @property
    def process(self) -> tuple[int, int, str]:
        return (self.pid, self.start, self.boot)


class BeatFile:
    """The writing side. `beat` never raises: a supervisor whose beat cannot be written goes on, and `trouble` says why
    ("" while all is well)."""

    def __init__(self, path: Path, pid: int, start: int) -> None:
        self._path, self._pid, self._start = path, pid, start
        self._fd = -1
        self._count = 0
        self.trouble = ""

    def beat(self, worst: float) -> None:
        """worst: the longest gap so far, in seconds."""
        self._count += 1
        made = Beat(self._pid, self._start, boot_id(), self._count, worst, time.monotonic())
        try:
            if not self._there():
                self._open()
            os.pwrite(self._fd, encode(made), 0)
            self.trouble = ""
        except OSError as error:
            self.trouble = f"{self._path}: {error.strerror}"

    def _there(self) -> bool:
        """We have it open, and the path still leads to it: a beat in a file that nobody can find is none."""
        if self._fd < 0:
            return False
        mine = os.fstat(self._fd)
        try:
            there = os.stat(self._path, follow_symlinks=False)
        except FileNotFoundError:
            return False
        return (mine.st_dev, mine.st_ino) == (there.st_dev, there.st_ino)

    def _open(self) -> None:
        self.close()
        with contextlib.suppress(FileNotFoundError):
            if not stat.S_ISREG(os.lstat(self._path).st_mode):
                os.unlink(self._path)
        self._fd = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)

    def close(self) -> None:
        """The file stays: its block is what a full disk cannot take from the next one."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


def encode(beat: Beat) -> bytes:
    text = f"{beat.pid} {beat.start} {beat.boot or '-'} {beat.count} {beat.worst:.3f} {beat.monotonic:.3f}".encode()
    line = b"%s %08x" % (text, zlib.crc32(text))
    return line.ljust(SIZE - 1) + b"\n"


def decode(raw: bytes) -> Beat | None:
    """None for what is torn, cut or foreign."""
    text, _, check = raw.strip().rpartition(b" ")
    words = text.split()
    if len(words) != 6 or check != b"%08x" % zlib.crc32(text):
        return None
    try:
        pid, start, boot, count, worst, monotonic = words
        return Beat(int(pid), int(start), boot.decode("ascii").strip("-"), int(count), float(worst), float(monotonic))
    except ValueError:
        return None


def read(path: Path) -> Beat | None:
    """The last beat, None when there is none that can be read."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return None
    try:
        return decode(os.pread(fd, SIZE, 0))
    except OSError:
        return None
    finally:
        os.close(fd)


class Silence:
    """How long the beats of one supervisor have stood still, for who looks about once a second. own: monotonic seconds
    without those in which the looker itself did not run."""

    def __init__(self, path: Path, own: Callable[[], float]) -> None:
        self._path, self._own = path, own
        self._last: Beat | None = None
        self._since = own()

    def seconds(self, pid: int) -> float:
        """Since the first look that saw the last beat of this process; 0.0 when that cannot be read or is another's:
        then nothing is known."""
        now, seen = self._own(), read(self._path)
        if seen is None or seen.pid != pid:
            self._last = None
            return 0.0
        if self._last is None or (seen.process, seen.count) != (self._last.process, self._last.count):
            self._last, self._since = seen, now
        return now - self._since
