"""Reads the log without changing a byte of it, also one that nobody else could open. Never makes one."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import apsw

from console.adapters import logfile, walfile
from console.adapters.store import Log, LogError
from console.core.state import STATE_SCHEMA, State
from console.core.state import decode as decode_state

BUSY_MS = 2000
CHECK_SECONDS = 5.0
CLOSED = (apsw.CantOpenError, apsw.IOError, apsw.FullError, apsw.ReadOnlyError)
STEPS = 10_000
"""Virtual machine steps of SQLite between two looks at the time."""


class Peek(Log):
    """A read-only connection. old: only the main file could be read, without what was written last."""

    def __init__(self, path: Path) -> None:
        self.old = False
        super().__init__(path)

    def _open(self) -> apsw.Connection:
        if not self._size():
            raise LogError(logfile.lost(self.path))
        try:
            return self._read_only("mode=ro")
        except CLOSED:
            # Without room for the index of the WAL (a full or read-only disk) the file alone still tells a lot.
            self.old = True
        try:
            return self._read_only("immutable=1")
        except CLOSED as error:
            raise self._unreadable(error) from error

    def _read_only(self, how: str) -> apsw.Connection:
        uri = f"file:{quote(os.fspath(self.path))}?{how}"
        db = apsw.Connection(uri, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
        try:
            db.set_busy_timeout(BUSY_MS)
            db.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
            if not self._has_tables(db):
                raise LogError(logfile.lost(self.path))
            if not self.old and (pages := walfile.lost_pages(db, self.path)):
                raise LogError(logfile.torn(self.path, pages))
            self._prepare(db)
        except CLOSED:
            db.close()
            raise
        except apsw.Error as error:
            db.close()
            raise self._unreadable(error) from error
        except BaseException:
            db.close()
            raise
        return db

    def fold(self) -> State:
        """Raises LogError, and ValueError for a log with a gap in it."""
        kept = self.load_checkpoint(STATE_SCHEMA)
        state = decode_state(kept[1]) if kept else State()
        while page := self.read(state.seq):
            for entry in page:
                state.apply(entry)
        return state

    def damage(self, seconds: float = CHECK_SECONDS) -> str | None:
        """What SQLite's own quick check complains of, "" for nothing; None when it was not done in time."""
        deadline = time.monotonic() + seconds
        self._db.set_progress_handler(lambda: time.monotonic() > deadline, STEPS)
        try:
            said = [str(row[0]) for row in self._db.execute("PRAGMA quick_check(3)")]
        except apsw.InterruptError:
            return None
        except apsw.Error as error:
            return str(error)
        finally:
            self._db.set_progress_handler(None)
        return "" if said == ["ok"] else "; ".join(said)[:300]


@dataclass(frozen=True, slots=True)
class Read:
    """What was read of a log. state: None when there is no log, or none that can be read; trouble says why then. old:
    without what was written last. damage: as `Peek.damage`."""

    state: State | None = None
    trouble: str = ""
    old: bool = False
    damage: str | None = ""


def read(path: Path) -> Read:
    """Everything there is to know of a log. Raises nothing but for a bug."""
    if not os.path.lexists(path) and not logfile.was_made(path):
        return Read()
    try:
        log = Peek(path)
    except (LogError, OSError) as error:
        return Read(trouble=str(error))
    try:
        damage = log.damage()
        try:
            return Read(log.fold(), old=log.old, damage=damage)
        except (LogError, ValueError, KeyError) as error:
            return Read(trouble=str(error), old=log.old, damage=damage)
    finally:
        log.close()
