"""Reads a file that still grows, line by line. Knows nothing of what the lines say."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

CHUNK = 256 * 1024
LINE_BYTES = 32 * 1024 * 1024
FLAGS = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK


class Growing:
    """The lines of a file that still grows. A line of more than LINE_BYTES comes in pieces, but for one of JSON, whose
    pieces would be nobody's words: of that it is told, as the shim tells it, how many bytes were dropped.

    When a new file has taken its place (`ProcessSpec.rolling`), that one is read behind it, and the old one, which is
    done with, is removed: who writes waits for that.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._fd: int | None = None
        self._rest = bytearray()
        self._dropped = 0

    def lines(self, *, last: bool = False) -> Iterator[str]:
        """The whole lines since the last call; with `last` also a line without its end."""
        while chunk := self._read():
            self._rest += chunk
            if b"\n" not in chunk and len(self._rest) < LINE_BYTES:
                continue
            *whole, rest = bytes(self._rest).split(b"\n")
            yield from map(self._text, whole)
            if len(rest) >= LINE_BYTES:
                if self._dropped or rest.lstrip().startswith(b"{"):
                    self._dropped += len(rest)
                else:
                    yield self._text(rest)
                rest = b""
            self._rest = bytearray(rest)
        if last and (self._rest or self._dropped):
            yield self._text(bytes(self._rest))
            self._rest.clear()

    def _text(self, line: bytes) -> str:
        dropped, self._dropped = self._dropped, 0
        if dropped:
            return f"[... {dropped + len(line)} bytes dropped ...]"
        return line.rstrip(b"\r").decode("utf-8", "replace")

    def close(self) -> None:
        """What is left of an old file is not wanted any more."""
        if self._fd is not None:
            os.close(self._fd)
        self._fd = None
        self._forget_old()

    def _read(self) -> bytes:
        try:
            if self._fd is None:
                self._fd = self._first()
            return os.read(self._fd, CHUNK) or self._next()
        except OSError:
            return b""

    def _first(self) -> int:
        """The file that was begun first: it may have had its place taken before anybody looked."""
        fresh = self._open()
        with contextlib.suppress(FileNotFoundError):
            before = os.open(f"{self._path}.old", FLAGS)
            os.close(fresh)
            return before
        return fresh

    def _next(self) -> bytes:
        """From the file that has taken the place of ours, if one has; b"" when there is none."""
        assert self._fd is not None
        ours, fresh = os.fstat(self._fd), self._open()
        there = os.fstat(fresh)
        if (there.st_dev, there.st_ino) == (ours.st_dev, ours.st_ino):
            os.close(fresh)
            return b""
        chunk = os.read(self._fd, CHUNK)  # written after our look, and before the new file was begun
        if chunk:
            os.close(fresh)
            return chunk
        os.close(self._fd)
        self._fd = fresh
        self._forget_old()
        return os.read(fresh, CHUNK)

    def _open(self) -> int:
        return os.open(self._path, FLAGS)

    def _forget_old(self) -> None:
        with contextlib.suppress(OSError):
            os.unlink(f"{self._path}.old")
