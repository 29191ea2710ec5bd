"""The log itself: appends through the brain beside plain inserts, and opening a long log beside reading its rows."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

import apsw

from bench.ground import Ground, long_log, report
from bench.measure import Figure, Sample, figure, interleaved
from console import wiring
from console.adapters.store import INSERT, TABLES, Log
from console.core import events as ev
from console.engine.journal import Journal, Writer

QUEUED = 200
NOTE = report(ev.SupervisorTrouble(effect="bench", error="a short sentence that stands for an event", tries=1))
BODY = '{"type":"supervisor:trouble","effect":"bench","error":"a short sentence that stands for an event","tries":1}'


def one_by_one(ground: Ground) -> list[Figure]:
    """Small commands, a durable transaction each."""
    journal, count = wiring.open_journal(ground.workspace("appends")), ground.scale.appends
    table = _Plain(ground.place / "plain.db")

    def ours() -> Sample:
        return _rate(count, lambda: [journal.submit(NOTE) for _ in range(count)])

    def bare() -> Sample:
        return _rate(count, lambda: [table.insert(1) for _ in range(count)])

    name = "append, one command a transaction"
    samples = interleaved(ground.scale.rounds, {name: ours, "apsw INSERT": bare}, ground.scale.warm)
    journal.close()
    return [figure(samples, name, "events/s", "apsw INSERT")]


def queued(ground: Ground) -> list[Figure]:
    """The supervisor's writer with two hundred commands queued at once."""
    here, table = ground.workspace("queue"), _Plain(ground.place / "plain-batches.db")
    writer = Writer(lambda: wiring.open_journal(here), lambda _entries: None)
    writer.start()

    def ours() -> Sample:
        return _rate(QUEUED, lambda: _through(writer))

    def bare() -> Sample:
        return _rate(QUEUED, lambda: table.insert(QUEUED))

    name = f"append, {QUEUED} queued at the writer"
    samples = interleaved(ground.scale.rounds, {name: ours, "apsw INSERT of 200": bare}, ground.scale.warm)
    writer.stop()
    return [figure(samples, name, "events/s", "apsw INSERT of 200")]


def _through(writer: Writer) -> None:
    done = threading.Event()
    left = [QUEUED]

    def delivered(outcome: object) -> None:
        assert not isinstance(outcome, BaseException), outcome
        left[0] -= 1
        if not left[0]:
            done.set()

    for _ in range(QUEUED):
        writer.submit(NOTE, delivered)
    assert done.wait(30.0)


class _Plain:
    """The same table and the same durability, and nothing else."""

    def __init__(self, path: Path) -> None:
        self._db = apsw.Connection(str(path))
        self._db.execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=0")
        self._db.execute(TABLES)
        self._last = 0

    def insert(self, rows: int) -> None:
        first = self._last + 1
        self._last += rows
        new = [(seq, time.time(), "supervisor:trouble", None, None, None, BODY) for seq in range(first, first + rows)]
        self._db.execute("BEGIN IMMEDIATE")
        self._db.executemany(INSERT, new)
        self._db.execute("COMMIT")


def _rate(count: int, run: Callable[[], object]) -> Sample:
    began = time.perf_counter()
    run()
    return {"events/s": count / (time.perf_counter() - began)}


def opening(ground: Ground) -> list[Figure]:
    """A journal on a long log with and without a checkpoint, beside fetching every row."""
    here, events = ground.workspace("long"), ground.scale.events
    long_log(here, events)
    fold, kept, rows = f"open {events:,} events, fold all", f"open {events:,} events, checkpoint", "SELECT every row"
    rounds = max(1, ground.scale.rounds // 3)

    def read() -> Sample:
        db = apsw.Connection(str(here.places.log), flags=apsw.SQLITE_OPEN_READONLY)
        try:
            return _ms(lambda: list(db.execute("SELECT seq, at, body FROM events ORDER BY seq")))
        finally:
            db.close()

    before = interleaved(rounds, {fold: lambda: _ms(lambda: _open(here.places.log)), rows: read}, ground.scale.warm)
    journal = wiring.open_journal(here)
    journal.checkpoint()
    journal.close()
    after = interleaved(rounds, {kept: lambda: _ms(lambda: _open(here.places.log)), rows: read}, ground.scale.warm)
    return [figure(before, fold, "ms", rows), figure(after, kept, "ms", rows)]


def _open(path: Path) -> None:
    Journal(Log(path), time.time).close()


def _ms(run: Callable[[], object]) -> Sample:
    began = time.perf_counter()
    run()
    return {"ms": (time.perf_counter() - began) * 1000}
