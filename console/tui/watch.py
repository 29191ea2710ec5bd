"""Notices that the log has grown, from a thread of its own. A hint to look, never the data."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress

LOOK = 0.05
"""Seconds between looks: one pragma on a read connection, some microseconds."""

AGAIN = 1.0
"""Seconds until a log that could not be read is opened again."""


class LogWatch:
    def __init__(self, open_version: Callable[[], Callable[[], int]], grown: Callable[[], None]) -> None:
        self._open_version = open_version
        self._grown = grown
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="log-watch", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()

    def _run(self) -> None:
        """Until told to stop. A log that cannot be read just now is opened again, and whoever shows it has to look."""
        while not self._stop.is_set():
            with suppress(Exception):
                self._follow()
            if not self._stop.wait(AGAIN):
                self._grown()

    def _follow(self) -> None:
        version = self._open_version()
        last = version()
        while not self._stop.wait(LOOK):
            now = version()
            if now != last:
                last = now
                self._grown()
