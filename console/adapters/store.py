"""The event log on disk: SQLite through apsw, the one door to it. Decides nothing; folds nothing.

Several processes append at once, each in its own immediate transaction. Only the supervisor checkpoints the WAL
(SQLite before 3.51.3 could corrupt a WAL whose checkpoint raced a commit; apsw carries a current one).
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import apsw
import msgspec

from console.adapters import logfile, walfile
from console.core import events as ev

FORMAT = 1
"""Layout of the tables. A file with a higher one is refused."""

BUSY_MS = 10_000
PAGE = 500

TABLES = """
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS events (
    seq INTEGER PRIMARY KEY, at DOUBLE PRECISION NOT NULL, type TEXT NOT NULL,
    session TEXT, policy TEXT, plan TEXT, body TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS events_by_session ON events (session, seq);
CREATE TABLE IF NOT EXISTS checkpoint (id INTEGER PRIMARY KEY, seq INTEGER NOT NULL, layout INTEGER NOT NULL,
    body TEXT NOT NULL);
"""

INSERT = "INSERT INTO events (seq, at, type, session, policy, plan, body) VALUES (?, ?, ?, ?, ?, ?, ?)"

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(ev.Fact)


class LogError(Exception):
    """The log cannot be used. The text names the file, what is wrong and what to do; nothing was changed."""


class LogFull(LogError):
    """The disk takes nothing more of the log, or nothing for now. What is in it stays, and can be read."""


FULL = (apsw.FullError, apsw.IOError, apsw.ReadOnlyError)
"""What SQLite says when the disk takes no more: full, a quota (an I/O error), mounted again for reading only."""


class Log:
    """One connection to one log. Not shared between threads.

    give: frees some of the room that was kept back on the disk for an append that fails for want of it; False when
    there is none.
    """

    def __init__(self, path: Path, give: Callable[[], bool] = lambda: False) -> None:
        self.path = path
        self._give = give
        self._wal = 0
        self._db = self._open()

    def close(self) -> None:
        self._db.close()

    def _open(self) -> apsw.Connection:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            made = logfile.was_made(self.path)
            if made and not self._size():
                raise LogError(logfile.lost(self.path))
            if not made:
                os.close(os.open(self.path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600))
            db = self._connected(made)
            logfile.mark(self.path)
        except apsw.Error as error:
            raise self._unreadable(error) from error
        except OSError as error:
            raise LogFull(f"the log {self.path} cannot be made or opened: {error.strerror or error}") from error
        return db

    def _connected(self, made: bool) -> apsw.Connection:
        db = apsw.Connection(str(self.path), flags=apsw.SQLITE_OPEN_READWRITE)
        try:
            db.set_busy_timeout(BUSY_MS)
            db.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
            if made and not self._has_tables(db):
                raise LogError(logfile.lost(self.path))
            self._patiently(lambda: db.execute("PRAGMA journal_mode=WAL"))
            db.execute("PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=0")
            db.set_wal_hook(self._committed)
            if made and (lost := walfile.lost_pages(db, self.path)):
                raise LogError(logfile.torn(self.path, lost))
            self._prepare(db)
        except BaseException:
            db.close()
            raise
        return db

    def _committed(self, _db: apsw.Connection, _name: str, pages: int) -> int:
        self._wal = pages * walfile.FRAME
        return int(apsw.SQLITE_OK)

    @property
    def wal_bytes(self) -> int:
        """How much of the WAL the last commit of ours left in use; the file itself never shrinks."""
        return self._wal

    def _size(self) -> int:
        """0 also when there is no file. Asked before it is opened: SQLite drops the WAL of an empty file."""
        try:
            return self.path.stat().st_size
        except FileNotFoundError:
            return 0

    @staticmethod
    def _has_tables(db: apsw.Connection) -> bool:
        return bool(db.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'meta'").get)

    @staticmethod
    def _patiently(work: Callable[[], object]) -> None:
        """Wait for other processes where SQLite itself asks no busy handler (the switch to WAL)."""
        deadline = time.monotonic() + BUSY_MS / 1000
        while True:
            try:
                work()
                return
            except (apsw.BusyError, apsw.LockedError):
                if time.monotonic() >= deadline:
                    raise
                time.sleep(0.01)

    def _prepare(self, db: apsw.Connection) -> None:
        if not self._has_tables(db):
            db.execute("BEGIN IMMEDIATE")
            db.execute(TABLES)
            for key, value in (("format", FORMAT), ("events", ev.SCHEMA)):
                db.execute("INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO NOTHING", (key, str(value)))
            db.execute("COMMIT")
        written = dict(db.execute("SELECT key, value FROM meta"))
        for key, mine in (("format", FORMAT), ("events", ev.SCHEMA)):
            if not written.get(key, "0").isdecimal():
                raise self._unreadable(ValueError(f"{key} is {written[key]!r}"))
            if int(written.get(key, "0")) > mine:
                raise LogError(
                    f"{self.path}: written by a newer nightdesk ({key} {written[key]}, this one knows {mine}); "
                    "upgrade nightdesk. Nothing was changed"
                )

    def upgrade(self) -> None:
        """Say that this log may hold events of the present schema from now on. Only under the supervisor's lock: a
        client of an older version then refuses the log instead of stumbling over an event it does not know."""
        if self._fetch("SELECT count(*) FROM meta WHERE key = 'events' AND value = ?", (str(ev.SCHEMA),))[0][0]:
            return  # a full disk must not matter here
        with self.transaction():
            self._db.execute("UPDATE meta SET value = ? WHERE key = 'events'", (str(ev.SCHEMA),))

    def _unreadable(self, error: Exception) -> LogError:
        if isinstance(error, (apsw.BusyError, apsw.LockedError)):
            seconds = BUSY_MS / 1000
            return LogError(
                f"{self.path}: another process kept the log locked for {seconds:g} s; try again. Nothing was changed"
            )
        if isinstance(error, (*FULL, apsw.CantOpenError)):
            return LogFull(
                f"{self.path}: the log cannot be used now ({error}): make room on its disk, or make it readable and "
                "writable for you. Nothing was changed"
            )
        return LogError(
            f"{self.path}: not a readable event log ({error}); move the file away to keep it, or restore a copy. "
            "Nothing was changed and nothing is started over it"
        )

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """An immediate (writing) transaction: no other process appends until it ends. Rolled back on any exception."""
        try:
            self._db.execute("BEGIN IMMEDIATE")
        except apsw.Error as error:
            raise self._unwritable(error) from error
        try:
            yield
            self._db.execute("COMMIT")
        except apsw.Error as error:
            self._rollback()
            raise self._unwritable(error) from error
        except BaseException:
            self._rollback()
            raise

    def _rollback(self) -> None:
        if self._db.in_transaction:
            self._db.execute("ROLLBACK")

    def _unwritable(self, error: Exception) -> LogError:
        if isinstance(error, apsw.FullError):
            return LogFull(
                f"the disk that holds the log is full: {self.path} could not append ({error}). Make room there; "
                "nothing was recorded"
            )
        kind = LogFull if isinstance(error, FULL) else LogError
        return kind(
            f"{self.path}: could not append ({error}); check free disk space and permissions. Nothing was recorded"
        )

    def is_full(self, error: BaseException) -> bool:
        """Whether an append failed only because the disk takes no more: the same one may succeed later."""
        return isinstance(error, LogFull)

    def make_room(self) -> bool:
        """After such a failure: whether there is a little room now, that was kept back for this."""
        return self._give()

    def append(self, entries: Sequence[ev.Logged]) -> None:
        """Insert entries. Call inside `transaction`, with sequence numbers that continue the log."""
        rows = (
            (
                entry.seq,
                entry.at,
                ev.type_of(entry.fact),
                getattr(entry.fact, "session", None),
                getattr(entry.fact, "policy", None),
                getattr(entry.fact, "plan", None) if isinstance(getattr(entry.fact, "plan", None), str) else None,
                _encoder.encode(entry.fact).decode(),
            )
            for entry in entries
        )
        self._db.executemany(INSERT, rows)

    def read(self, since: int, limit: int = PAGE) -> list[ev.Logged]:
        """Up to `limit` entries after `since`, in order."""
        sql = "SELECT seq, at, body FROM events WHERE seq > ? ORDER BY seq LIMIT ?"
        return [self._logged(*row) for row in self._fetch(sql, (since, limit))]

    def find(
        self, since: int, *, types: Sequence[str] = (), sessions: Sequence[str] = (), limit: int = PAGE
    ) -> tuple[list[tuple[int, float, str]], int]:
        """Raw rows (seq, at, body as JSON) that match, and the cursor from which the search goes on."""
        last = self.last()  # before the rows: what is appended meanwhile belongs to the next look
        sql, values = "SELECT seq, at, body FROM events WHERE seq > ? AND seq <= ?", [since, last]
        for column, wanted in (("type", types), ("session", sessions)):
            if wanted:
                sql += f" AND {column} IN ({', '.join('?' * len(wanted))})"
                values += wanted  # type: ignore[arg-type]
        rows = self._fetch(sql + " ORDER BY seq LIMIT ?", (*values, limit))
        cursor = rows[-1][0] if len(rows) == limit else last
        return rows, cursor

    def span(self, first: int, count: int) -> list[ev.Logged]:
        """The entries first .. first+count-1."""
        sql = "SELECT seq, at, body FROM events WHERE seq >= ? AND seq < ? ORDER BY seq"
        return [self._logged(*row) for row in self._fetch(sql, (first, first + count))]

    def last(self) -> int:
        return self._fetch("SELECT coalesce(max(seq), 0) FROM events", ())[0][0]

    def version(self) -> int:
        """A number that changes when another connection has committed."""
        return self._fetch("PRAGMA data_version", ())[0][0]

    def _fetch(self, sql: str, values: tuple[object, ...]) -> list[tuple[int, float, str]]:
        try:
            return list(self._db.execute(sql, values))
        except apsw.Error as error:
            raise self._unreadable(error) from error

    def _logged(self, seq: int, at: float, body: str) -> ev.Logged:
        return decoded(self.path, seq, at, body)

    # -- checkpoints of the fold, and of the WAL (supervisor only) ---------------------------------------

    def load_checkpoint(self, layout: int) -> tuple[int, bytes] | None:
        rows = self._fetch("SELECT seq, layout, body FROM checkpoint WHERE id = 1", ())
        if not rows or rows[0][1] != layout:
            return None
        return rows[0][0], str(rows[0][2]).encode()

    def save_checkpoint(self, seq: int, layout: int, body: bytes) -> None:
        """Keep the fold as of `seq`. Call inside `transaction`."""
        self._db.execute(
            "INSERT INTO checkpoint VALUES (1, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET "
            "seq = excluded.seq, layout = excluded.layout, body = excluded.body",
            (seq, layout, body.decode()),
        )

    def checkpoint_wal(self) -> None:
        """Move the WAL into the file as far as readers allow; never blocks them."""
        self._db.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)


def decoded(path: Path, seq: int, at: float, body: str) -> ev.Logged:
    """One row of the log at `path` as an entry."""
    try:
        return ev.Logged(seq=seq, at=at, fact=_decoder.decode(body))
    except msgspec.DecodeError as error:
        raise LogError(
            f"{path}: event {seq} is not one that this nightdesk knows ({error}); it may be from a newer one. "
            "Upgrade nightdesk; nothing was changed"
        ) from error
