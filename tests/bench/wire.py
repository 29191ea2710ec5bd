"""A terminal that knows when each byte came, and what the process behind it uses."""

from __future__ import annotations

import os
import time
from bisect import bisect_left
from collections.abc import Mapping, Sequence

import psutil
from rawterm import Screen, Size

FEW = 0.7
"""Seconds without output after which a screen has settled."""


SIP = 0.05
"""Seconds between two reads of a slow reader."""


class Wire(Screen):
    """started: monotonic seconds just before the process was made (a small launcher is part of every start)."""

    def __init__(
        self, argv: Sequence[str], environ: Mapping[str, str], size: Size = (120, 40), cwd: str | None = None
    ) -> None:
        self.rate = 0
        """Bytes a second that are taken, 0 for all that come."""
        self._ends: list[int] = []
        self._times: list[float] = []
        self.started = time.monotonic()
        super().__init__(argv, env=environ, size=size, cwd=cwd)

    def __enter__(self) -> Wire:
        return self

    def _read(self) -> None:
        """As in `Screen`, with the time of each piece: a waiter's own wake-up must not count."""
        while True:
            try:
                data = os.read(self._master, max(1, int(self.rate * SIP)) if self.rate else 65536)
            except OSError:
                data = b""
            now = time.monotonic()
            with self._changed:
                self._raw += data
                self._ends.append(len(self._raw))
                self._times.append(now)
                self._eof = not data
                self._changed.notify_all()
            if not data:
                return
            if self.rate:
                time.sleep(SIP)  # what a line of so many bytes a second does

    def arrival(self, marker: bytes, timeout: float = 30.0) -> float:
        """Monotonic seconds at which the last byte of the first `marker` came."""
        self.wait_until(lambda: self._eof or marker in self.raw(), timeout, repr(marker))
        assert marker in self.raw(), f"ended without {marker!r}; the screen:\n{self.text()}"
        with self._changed:
            end = self._raw.index(marker) + len(marker)
            return self._times[bisect_left(self._ends, end)]

    def pieces(self) -> list[tuple[float, bytes]]:
        """Everything that came so far: when (monotonic seconds), and what."""
        with self._changed:
            starts = [0, *self._ends[:-1]]
            return [
                (at, bytes(self._raw[a:b])) for at, a, b in zip(self._times, starts, self._ends, strict=True) if b > a
            ]

    @property
    def last(self) -> float:
        """When something came last."""
        return self._times[-1]

    def settle(self) -> None:
        """Return once nothing was written for a while."""

        def quiet() -> bool:
            return bool(self._times) and time.monotonic() - self._times[-1] > FEW

        self.wait_until(quiet, 30.0, "a quiet screen")

    def main(self) -> psutil.Process:
        """The process that draws: the front's child, or the process itself."""
        process = psutil.Process(self.process.pid)
        children = process.children()
        return children[0] if children else process

    def leave(self) -> None:
        """Leave as a person does; whatever does not understand the key is ended by `close`."""
        self.press("ctrl+z")
        self.wait_exit()


def cpu_seconds(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


def rss_mib(process: psutil.Process) -> float:
    return float(process.memory_info().rss) / (1 << 20)
