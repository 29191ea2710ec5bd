"""What gates said of base commits, kept beside the log so that a night asks each only once.

A cache and no truth: a file that cannot be read is an empty one, and nothing here is older than a day.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from console.core.failures import Failures
from console.core.records import Record

KEPT = 200
"""Entries; the oldest go first."""

AGE = 24 * 3600.0
"""Seconds: what is installed on the machine changes under the same commit."""

LARGEST = 32 * 1024 * 1024


class _Entry(Record, frozen=True, kw_only=True):
    at: float
    runs: tuple[Failures, ...]


_entries = msgspec.json.Decoder(dict[str, _Entry])


class Baselines:
    """One JSON file, replaced whole. Blocking calls, from any thread of the one supervisor that holds the workspace."""

    def __init__(self, path: Path, now: Callable[[], float] = time.time) -> None:
        self._path = path
        self._now = now
        self._lock = threading.Lock()

    def get(self, key: str) -> tuple[Failures, ...]:
        """The runs under this key; () when there is nothing, or nothing fresh."""
        with self._lock:
            entry = self._fresh().get(key)
        return entry.runs if entry else ()

    def put(self, key: str, runs: tuple[Failures, ...]) -> None:
        """Keeps them; a full or read-only disk only costs the next one a run."""
        with self._lock:
            known = self._fresh() | {key: _Entry(at=self._now(), runs=runs)}
            newest = sorted(known.items(), key=lambda item: item[1].at)[-KEPT:]
            try:
                self._replace(msgspec.json.encode(dict(newest)))
            except OSError:
                return

    def _fresh(self) -> dict[str, _Entry]:
        try:
            with open(self._path, "rb") as file:
                known = _entries.decode(file.read(LARGEST))
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
            return {}
        now = self._now()
        return {key: entry for key, entry in known.items() if 0 <= now - entry.at <= AGE}

    def _replace(self, raw: bytes) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        fresh = self._path.with_name(self._path.name + ".new")
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        with open(descriptor, "wb") as file:
            file.write(raw)
            file.flush()
            os.fsync(file.fileno())
        os.replace(fresh, self._path)
