"""Reads a file that still grows, line by line. Knows nothing of what the lines say."""

from __future__ import annotations

from collections.abc import Iterator

CHUNK = 256 * 1024
LINE_BYTES = 8 * 1024 * 1024


class Growing:
    """The lines of a file that still grows. A line of more than LINE_BYTES comes in pieces."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._offset = 0
        self._rest = bytearray()

    def lines(self, *, last: bool = False) -> Iterator[str]:
        """The whole lines since the last call; with `last` also a line without its end."""
        while chunk := self._read():
            self._rest += chunk
            if b"\n" not in chunk and len(self._rest) < LINE_BYTES:
                continue
            *whole, rest = bytes(self._rest).split(b"\n")
            if len(rest) >= LINE_BYTES:
                whole, rest = [*whole, rest], b""
            self._rest = bytearray(rest)
            for line in whole:
                yield line.rstrip(b"\r").decode("utf-8", "replace")
        if last and self._rest:
            yield self._rest.decode("utf-8", "replace")
            self._rest.clear()

    def _read(self) -> bytes:
        try:
            with open(self._path, "rb") as file:
                file.seek(self._offset)
                chunk = file.read(CHUNK)
        except OSError:
            return b""
        self._offset += len(chunk)
        return chunk
