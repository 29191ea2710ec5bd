"""Room on the disk kept back for the moment when there is none: given up bit by bit, so that what must be recorded
still is. It measures nothing and decides nothing; it never touches another file."""

from __future__ import annotations

import contextlib
import os
import threading
from pathlib import Path

SIZE = 1024 * 1024
BITS = 4
"""It is given up in so many steps: an agent that fills the disk takes what one of them leaves over at once."""
FLAGS = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW


class Ballast:
    """One file, `size` bytes that are really taken. Any thread may call; only who supervises makes one."""

    def __init__(self, path: Path, size: int = SIZE) -> None:
        self._path, self._size = path, size
        self._lock = threading.Lock()

    def hold(self) -> str:
        """Take the room, as far as it is not taken yet; why that cannot be done, "" when it is. The bytes are written,
        as no file system that compresses or copies on write gives back what was only reserved."""
        with self._lock:
            try:
                if self._held() < self._size:
                    self._fill()
            except OSError as error:
                self._unlink()
                return error.strerror or str(error)
        return ""

    def drop(self) -> bool:
        """Give up a part of it; False when there is nothing left to give."""
        with self._lock:
            left = self._held()
            if not left:
                return False
            smaller = left - self._size // BITS
            if smaller <= 0:
                self._unlink()
            else:
                with contextlib.suppress(OSError):
                    os.truncate(self._path, smaller)
            return self._held() < left

    @property
    def held(self) -> int:
        """Bytes that are kept back now."""
        with self._lock:
            return self._held()

    @property
    def whole(self) -> bool:
        return self.held >= self._size

    def _held(self) -> int:
        try:
            return os.stat(self._path, follow_symlinks=False).st_size
        except OSError:
            return 0

    def _fill(self) -> None:
        file = os.open(self._path, FLAGS, 0o600)
        try:
            os.lseek(file, 0, os.SEEK_END)
            while (left := self._size - os.fstat(file).st_size) > 0:
                os.write(file, os.urandom(min(left, 256 * 1024)))
            os.fsync(file)
        finally:
            os.close(file)

    def _unlink(self) -> None:
        with contextlib.suppress(OSError):
            os.unlink(self._path)
