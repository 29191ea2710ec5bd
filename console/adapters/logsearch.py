"""Reads the log from its newest entry back, for a search: a connection of its own that cannot write, so that a search
holds up nobody. It narrows down by text where that is safe; what matches is decided by who asks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import apsw

from console.adapters.store import BUSY_MS, LogError, decoded
from console.core import events as ev


class Backwards:
    """Used in one thread. Raises LogError for a log that cannot be read."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._db = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
            self._db.set_busy_timeout(BUSY_MS)
        except apsw.Error as error:
            raise LogError(f"{path}: the log cannot be opened for a search ({error})") from error

    def before(self, seq: int, count: int, texts: Sequence[str] = ()) -> tuple[Sequence[ev.Logged], int]:
        """The entries before position `seq`, newest first, among the `count` next ones; and the position that the next
        call goes on from, 0 at the end. texts: ASCII words that every entry has to hold somewhere, in any case: what
        does not is never read."""
        first = max(1, seq - count)
        sql = "SELECT seq, at, body FROM events WHERE seq >= ? AND seq < ?"
        sql += " AND body LIKE ? ESCAPE '!'" * len(texts) + " ORDER BY seq DESC"
        try:
            found = list(self._db.execute(sql, (first, seq, *(_pattern(text) for text in texts))))
        except apsw.Error as error:
            raise LogError(f"{self._path}: the log cannot be searched ({error})") from error
        return [decoded(self._path, *row) for row in found], first if first > 1 else 0

    def costs(self, since: int) -> tuple[dict[str, float], int]:
        """What the turns that ended after a position cost, by session, in US dollars, where their agents said; and the
        position up to which that is. SQLite adds it up, without holding up another thread."""
        sql = """SELECT session, sum(body ->> '$.usage.cost_usd') FROM events
            WHERE seq > ? AND seq <= ? AND type IN ('turn-end', 'exited') AND body LIKE '%cost_usd%'
            GROUP BY session"""
        try:
            last = self._db.execute("SELECT coalesce(max(seq), 0) FROM events").get
            found = list(self._db.execute(sql, (since, last)))
        except apsw.Error as error:
            raise LogError(f"{self._path}: the log cannot be searched ({error})") from error
        return {session: usd for session, usd in found if usd is not None}, last

    def close(self) -> None:
        self._db.close()


def _pattern(text: str) -> str:
    escaped = "".join(f"!{char}" if char in "!%_" else char for char in text)
    return f"%{escaped}%"
