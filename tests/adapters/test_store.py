"""The log on disk: shared by processes, refused when it is not ours to read, whole after any kill."""

from __future__ import annotations

import contextlib
import json
import os
import random
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import apsw
import pytest

from console.adapters import doorbell, logfile
from console.adapters.store import FORMAT, Log, LogError, LogFull
from console.core import commands as cmd
from console.core import events as ev
from console.core.records import Launch, Refused, Who
from console.engine.journal import CHECKPOINT_EVERY, Journal

ME = Who(user="ada")

APPENDER = """
import sys, time
from pathlib import Path
from console.adapters.store import Log
from console.core import commands as cmd
from console.core.records import Launch, PolicySpec, Who
from console.engine.journal import Journal

path, name, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
journal = Journal(Log(path), time.time)
print("ready", flush=True)
sys.stdin.readline()
me = Who(user=name)
for number in range(count):
    entries = journal.submit(
        cmd.StartSession(launch=Launch(argv=("x",)), cwd="/w", worktree="/w", by=me, label=name, prompt="go")
    )
    print(*(entry.seq for entry in entries), flush=True)
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "log.db"


def start(name: str = "first", prompt: str = "") -> cmd.StartSession:
    return cmd.StartSession(launch=Launch(argv=("x",)), cwd="/w", worktree="/w", by=ME, label=name, prompt=prompt)


def logged(log: Log, *facts: ev.Fact) -> list[ev.Logged]:
    first = log.last() + 1
    entries = [ev.Logged(seq=first + i, at=1000.0 + i, fact=fact) for i, fact in enumerate(facts)]
    with log.transaction():
        log.append(entries)
    return entries


def started(number: int = 1) -> ev.SupervisorStarted:
    return ev.SupervisorStarted(pid=number, start_time=1, host="h", version="0")


def session(name: str) -> ev.Exited:
    return ev.Exited(session=name, run=1, how="exited", code=0)


def appender(path: Path, name: str, count: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", APPENDER, str(path), name, str(count)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


@contextlib.contextmanager
def appenders(path: Path, count: int, each: int) -> Iterator[list[subprocess.Popen[str]]]:
    """Processes that append as soon as they get a line; ended and reaped in any case."""
    ran = [appender(path, f"p{number}", each) for number in range(count)]
    try:
        yield ran
    finally:
        for process in ran:
            process.kill()
            process.communicate()


def everything(path: Path) -> list[ev.Logged]:
    journal = Journal(Log(path), time.time)
    found = journal.since(0)
    journal.close()
    return found


# -- what is written is what is read ---------------------------------------------------------------


def test_entries_come_back_as_they_were_with_their_cursor(path: Path) -> None:
    log = Log(path)
    entries = logged(log, started(), session("s-1"), session("s-2"))
    assert log.read(0) == entries
    assert log.read(1, limit=1) == entries[1:2]
    assert log.span(2, 5) == entries[1:]
    assert log.last() == 3
    log.close()
    again = Log(path)
    assert again.read(0) == entries
    again.close()


def test_the_file_and_its_folder_are_for_their_owner_only(path: Path) -> None:
    log = Log(path)
    logged(log, started())
    modes = {file.name: file.stat().st_mode & 0o777 for file in (path.parent, *path.parent.iterdir())}
    assert modes.pop("state") == 0o700
    assert modes["log.db"] == 0o600 and not any(mode & 0o077 for mode in modes.values()), modes
    log.close()


def test_find_filters_and_its_cursor_goes_on_behind_the_last_look(path: Path) -> None:
    log = Log(path)
    logged(log, *(session(f"s-{n % 3}") for n in range(9)), started())
    rows, cursor = log.find(0, sessions=["s-1"])
    assert ([row[0] for row in rows], cursor) == ([2, 5, 8], 10)
    rows, cursor = log.find(0, types=["exited"], sessions=["s-0", "s-2"], limit=4)
    assert ([row[0] for row in rows], cursor) == ([1, 3, 4, 6], 6)
    rows, cursor = log.find(cursor, types=["exited"], sessions=["s-0", "s-2"], limit=4)
    assert ([row[0] for row in rows], cursor) == ([7, 9], 10)
    assert log.find(10) == ([], 10)
    assert log.find(99) == ([], 10), "a cursor from nowhere comes back to the log's end"
    assert json.loads(log.find(9)[0][0][2])["type"] == "supervisor:started"
    log.close()


def test_find_treats_what_it_gets_as_values(path: Path) -> None:
    log = Log(path)
    logged(log, started())
    assert log.find(0, types=["x') OR 1=1 --"])[0] == []
    assert log.find(0, sessions=["' OR ''='"])[0] == []
    log.close()


class Interleaved(Log):
    """Another process appends right after the first look at the events."""

    after_look: Callable[[], object] | None = None

    def _fetch(self, sql: str, values: tuple[object, ...]) -> list[tuple[int, float, str]]:
        rows = super()._fetch(sql, values)
        if self.after_look and "FROM events" in sql:
            act, self.after_look = self.after_look, None
            act()
        return rows


def test_an_event_appended_while_looking_is_in_this_look_or_the_next(path: Path) -> None:
    log, other = Interleaved(path), Log(path)
    logged(other, started(1))
    log.after_look = lambda: logged(other, started(2))
    rows, cursor = log.find(0)
    more, _ = log.find(cursor)
    assert [row[0] for row in (*rows, *more)] == [1, 2]
    log.close()
    other.close()


# -- several processes -----------------------------------------------------------------------------


def test_four_processes_append_at_once_without_gaps_or_duplicates(path: Path) -> None:
    each = 50
    with appenders(path, 4, each) as ran:
        for process in ran:
            assert process.stdout and process.stdout.readline() == "ready\n"
        for process in ran:
            assert process.stdin
            process.stdin.write("\n")
            process.stdin.flush()
        said = [process.communicate(timeout=60)[0].split() for process in ran]
        assert [process.returncode for process in ran] == [0] * 4
    claimed = sorted(int(seq) for numbers in said for seq in numbers)
    found = everything(path)
    assert [entry.seq for entry in found] == claimed == list(range(1, 4 * each * 2 + 1))
    names = [entry.fact.session for entry in found if isinstance(entry.fact, ev.SessionAdded)]
    assert names == [f"s-{n}" for n in range(1, 4 * each + 1)], "each decision saw everything before it"


@contextlib.contextmanager
def being_created(path: Path) -> Iterator[apsw.Connection]:
    """Another process is just switching the new, empty file to WAL."""
    path.parent.mkdir(parents=True)
    path.touch(0o600)
    db = apsw.Connection(str(path))
    db.execute("BEGIN IMMEDIATE")
    try:
        yield db
    finally:
        db.close()


def test_processes_that_create_the_log_together_all_get_it(path: Path) -> None:
    with being_created(path) as other:
        done = threading.Timer(0.2, lambda: other.execute("COMMIT"))
        done.start()
        try:
            log = Log(path)
        finally:
            done.join()
        assert log.last() == 0
        log.close()


def test_nobody_is_told_to_move_a_healthy_log_away_because_it_is_busy(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("console.adapters.store.BUSY_MS", 30)
    with being_created(path), pytest.raises(LogError) as refused:
        Log(path)
    assert str(path) in str(refused.value) and "move the file away" not in str(refused.value)


def test_a_killed_writer_never_leaves_half_a_decision(path: Path) -> None:
    """A command is two events; a kill -9 at any moment leaves both or none, and what was said is there."""
    for trial in range(5):
        with appenders(path, 1, 10_000) as (process,):
            assert process.stdout and process.stdin
            process.stdout.readline()
            process.stdin.write("\n")
            process.stdin.flush()
            said = [process.stdout.readline() for _ in range(3 + 11 * trial)]
            os.kill(process.pid, signal.SIGKILL)
            process.wait(timeout=30)
        found = everything(path)
        assert [entry.seq for entry in found] == list(range(1, len(found) + 1))
        assert len(found) % 2 == 0
        assert [type(entry.fact) for entry in found[-2:]] == [ev.SessionAdded, ev.PromptQueued]
        assert found[-1].seq >= int(said[-1].split()[-1]), "an append that was confirmed is gone"
    journal = Journal(Log(path), time.time)
    assert not isinstance(journal.submit(start()), Refused)
    journal.close()


# -- a transaction that fails ----------------------------------------------------------------------


def test_an_exception_in_a_transaction_leaves_the_log_as_it_was(path: Path) -> None:
    log = Log(path)
    entries = logged(log, started())
    with pytest.raises(RuntimeError), log.transaction():
        log.append([ev.Logged(seq=2, at=1.0, fact=started(2))])
        raise RuntimeError("a bug")
    assert log.read(0) == entries
    logged(log, started(3))
    assert log.last() == 2
    log.close()


def test_a_sequence_number_is_never_written_twice(path: Path) -> None:
    log = Log(path)
    entries = logged(log, started())
    with pytest.raises(LogError, match="could not append"), log.transaction():
        log.append([ev.Logged(seq=1, at=1.0, fact=started(2))])
    assert log.read(0) == entries
    log.close()


def test_a_log_that_stays_busy_is_told_with_its_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("console.adapters.store.BUSY_MS", 30)
    log, other = Log(path), Log(path)
    with other.transaction(), pytest.raises(LogError, match="could not append"), log.transaction():
        raise AssertionError("never entered")
    logged(log, started())
    log.close()
    other.close()


# -- what is not ours to read ----------------------------------------------------------------------


def set_meta(path: Path, key: str, value: str) -> bytes:
    log = Log(path)
    logged(log, started())
    log.close()
    db = apsw.Connection(str(path))
    db.execute("UPDATE meta SET value = ? WHERE key = ?", (value, key))
    db.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
    db.close()
    return path.read_bytes()


@pytest.mark.parametrize("key", ["format", "events"])
def test_a_newer_log_is_refused_with_file_and_cure_and_not_touched(path: Path, key: str) -> None:
    before = set_meta(path, key, "99")
    with pytest.raises(LogError) as refused:
        Log(path)
    said = str(refused.value)
    known = {"format": FORMAT, "events": ev.SCHEMA}[key]
    assert str(path) in said and f"{key} 99, this one knows {known}" in said and "upgrade nightdesk" in said
    assert path.read_bytes() == before


@pytest.mark.parametrize("content", [b"this is no database, only a note\n" * 40, b"SQLite format 3\0" + b"\xff" * 5000])
def test_garbage_is_refused_with_file_and_cure_and_not_touched(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    with pytest.raises(LogError) as refused:
        Log(path)
    assert str(path) in str(refused.value) and "move the file away" in str(refused.value)
    assert path.read_bytes() == content


def test_a_damaged_log_is_refused_and_not_touched(path: Path) -> None:
    log = Log(path)
    logged(log, *(started(n) for n in range(400)))
    log.checkpoint_wal()
    log.close()
    for extra in ("log.db-wal", "log.db-shm"):
        path.with_name(extra).unlink(missing_ok=True)
    whole = path.read_bytes()
    damaged = whole[:4096] + b"\xa5" * (len(whole) - 4096)
    path.write_bytes(damaged)
    with pytest.raises(LogError, match="not a readable event log"):
        everything(path)
    assert path.read_bytes() == damaged


@pytest.mark.parametrize(
    "body", ['{"type":"ticket:flown","ticket":"t-1"}', '{"type":"exited"}', "not json", '{"session":"s-1"}']
)
def test_an_event_that_nobody_knows_stops_the_reader_and_names_itself(path: Path, body: str) -> None:
    log = Log(path)
    logged(log, started())
    log.close()
    db = apsw.Connection(str(path))
    db.execute("INSERT INTO events VALUES (2, 1.0, 'x', NULL, NULL, NULL, ?)", (body,))
    db.close()
    log = Log(path)
    with pytest.raises(LogError) as refused:
        log.read(0)
    assert str(path) in str(refused.value) and "event 2" in str(refused.value)
    log.close()


# -- checkpoints -----------------------------------------------------------------------------------


def test_a_checkpoint_of_another_layout_is_ignored(path: Path) -> None:
    log = Log(path)
    with log.transaction():
        log.save_checkpoint(7, 1, b"{}")
    assert log.load_checkpoint(1) == (7, b"{}")
    assert log.load_checkpoint(2) is None
    with log.transaction():
        log.save_checkpoint(9, 2, b"[]")
    assert (log.load_checkpoint(1), log.load_checkpoint(2)) == (None, (9, b"[]"))
    log.close()


def test_start_up_goes_on_from_the_checkpoint(path: Path) -> None:
    """The events before it are made unreadable; only a start from the checkpoint can still succeed."""
    journal = Journal(Log(path), time.time)
    journal.submit(start("first", "go"))
    journal.checkpoint()
    journal.submit(start("second"))
    expected = journal.state
    journal.close()
    db = apsw.Connection(str(path))
    db.execute("UPDATE events SET body = 'gone' WHERE seq <= 2")
    db.close()
    again = Journal(Log(path), time.time)
    assert again.state == expected
    again.close()


def test_a_checkpoint_moves_the_wal_into_the_file(path: Path) -> None:
    journal = Journal(Log(path), time.time)
    journal.submit(start())
    journal.checkpoint()
    journal.close()
    alone = path.with_name("copy.db")
    alone.write_bytes(path.read_bytes())
    assert [type(entry.fact) for entry in everything(alone)] == [ev.SessionAdded]
    assert CHECKPOINT_EVERY > 1


# -- a log that was lost ---------------------------------------------------------------------------


def made(path: Path) -> None:
    log = Log(path)
    logged(log, started())
    log.close()


def contents(path: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in path.parent.iterdir()}


def lose(path: Path) -> None:
    for file in path.parent.glob(f"{path.name}*"):
        file.unlink()


def truncate(path: Path) -> None:
    path.write_bytes(b"")


def empty(path: Path) -> None:
    """A database with nothing of ours in it."""
    lose(path)
    db = apsw.Connection(str(path))
    db.execute("CREATE TABLE other (x)")
    db.close()


@pytest.mark.parametrize("harm", [lose, truncate, empty])
def test_a_log_that_was_lost_is_never_started_over(path: Path, harm: Callable[[Path], None]) -> None:
    made(path)
    harm(path)
    before = contents(path)
    for _ in range(2):
        with pytest.raises(LogError) as refused:
            Log(path)
        said = str(refused.value)
        assert str(path) in said and "Put the file back" in said and f"move the folder {path.parent} away" in said
    assert contents(path) == before


def test_a_log_that_is_put_back_is_read_again(path: Path, tmp_path: Path) -> None:
    made(path)
    kept = tmp_path / "kept"
    kept.mkdir()
    for file in path.parent.glob(f"{path.name}*"):
        file.rename(kept / file.name)
    with pytest.raises(LogError):
        Log(path)
    for file in kept.iterdir():
        file.rename(path.parent / file.name)
    log = Log(path)
    assert log.last() == 1
    log.close()


def test_an_older_folder_without_the_sign_is_known_by_what_it_holds(path: Path) -> None:
    made(path)
    path.with_name("log.made").unlink()
    transcripts = path.with_name("transcripts")
    transcripts.mkdir()
    Log(path).close()
    assert path.with_name("log.made").exists(), "a log without the sign gets it"
    path.with_name("log.made").unlink()
    lose(path)
    Log(path).close()  # an empty folder of ours speaks for nothing
    path.with_name("log.made").unlink()
    lose(path)
    (transcripts / "s-1.jsonl").touch()
    with pytest.raises(LogError, match="is gone"):
        Log(path)


def test_who_has_the_log_open_notices_within_a_second_that_it_is_gone(path: Path) -> None:
    log = Log(path)
    logged(log, started())
    clock = [100.0]
    watched = logfile.Open(path, lambda: clock[0])
    assert watched.gone() is None
    spare = path.with_name("spare")
    path.rename(spare)
    assert watched.gone() is None, "looked at once a second"
    clock[0] += logfile.LOOK
    gone = watched.gone()
    assert gone and str(path) in gone.reason
    spare.rename(path)
    clock[0] += logfile.LOOK
    assert watched.gone(), "what was written meanwhile may be lost"
    log.close()


def test_a_log_whose_wal_is_taken_away_is_gone_too(path: Path) -> None:
    log = Log(path)
    logged(log, started())
    watched = logfile.Open(path)
    assert watched.gone() is None
    path.with_name(f"{path.name}-wal").unlink()
    assert watched.gone(now=True)
    log.close()


# -- files that were cut short -----------------------------------------------------------------------------


def filled(path: Path, count: int = 300) -> None:
    log = Log(path)
    logged(log, *(ev.SupervisorTrouble(effect=str(n), error="x" * 500, tries=n) for n in range(count)))
    log.close()


@pytest.mark.row("F6")
def test_a_wal_that_was_torn_anywhere_opens_with_the_last_whole_record(path: Path) -> None:
    """One commit a record; the WAL is cut at random places, also in the middle of a frame."""
    log = Log(path)
    logged(log, started())
    log.checkpoint_wal()
    for number in range(2, 60):
        logged(log, started(number))
    log.close()
    wal = path.with_name("log.db-wal")
    whole, main = wal.read_bytes(), path.read_bytes()
    dice = random.Random(20260730)
    seen: list[int] = []
    for _ in range(40):
        cut = dice.randrange(len(whole))
        path.write_bytes(main)
        wal.write_bytes(whole[:cut])
        path.with_name("log.db-shm").unlink(missing_ok=True)
        found = everything(path)
        seen.append(len(found))
        assert [entry.seq for entry in found] == list(range(1, len(found) + 1))
        assert all(isinstance(entry.fact, ev.SupervisorStarted) and entry.fact.pid == entry.seq for entry in found)
        log = Log(path)
        logged(log, started(99))
        assert log.last() == len(found) + 1, "and goes on from there"
        log.close()
    assert len(set(seen)) > 20, "the cuts were all over the file"


@pytest.mark.row("F6")
@pytest.mark.parametrize("keep", [0.05, 0.3, 0.6, 0.97])
def test_a_main_file_that_was_cut_short_is_named_and_never_started_over(path: Path, keep: float) -> None:
    filled(path)
    log = Log(path)
    log.checkpoint_wal()
    logged(log, started())  # the end of the table is in the WAL: a reader of the newest events notices nothing
    log.close()
    os.truncate(path, int(path.stat().st_size * keep))
    before = {name: body for name, body in contents(path).items() if not name.endswith("-shm")}
    for _ in range(2):
        with pytest.raises(LogError) as refused:
            Log(path)
        assert str(path) in str(refused.value) and f"move the folder {path.parent} away" in str(refused.value)
    assert {name: body for name, body in contents(path).items() if not name.endswith("-shm")} == before


def test_a_checkpoint_that_a_kill_cut_off_is_no_cut_file(path: Path) -> None:
    """The first page says how long the file will be; the rest of it is still in the WAL."""
    filled(path)
    whole, wal = path.read_bytes(), path.with_name("log.db-wal").read_bytes()
    log = Log(path)
    log.checkpoint_wal()
    log.close()
    done = path.read_bytes()
    assert len(done) > len(whole)
    for pages in (1, 7, len(done) // 4096 - 1):
        path.write_bytes(done[: pages * 4096 + 100])  # also in the middle of a page
        path.with_name("log.db-wal").write_bytes(wal)
        path.with_name("log.db-shm").unlink(missing_ok=True)
        assert len(everything(path)) == 300


def test_who_has_the_log_open_notices_that_a_file_of_it_was_cut(path: Path) -> None:
    log = Log(path)
    logged(log, started())
    watched = logfile.Open(path)
    assert watched.gone(now=True) is None
    logged(log, started(2))
    assert watched.gone(now=True) is None
    os.truncate(path.with_name("log.db-wal"), 5000)
    assert watched.gone(now=True)
    log.close()


# -- a disk that takes nothing -----------------------------------------------------------------------------


def test_a_log_that_cannot_grow_refuses_with_the_cause_and_stays_readable(path: Path) -> None:
    log = Log(path)
    entries = logged(log, started())
    log._db.execute("PRAGMA max_page_count=1")  # SQLite's own word for a full disk; the least is what is there
    with pytest.raises(LogFull, match="the disk that holds the log is full") as refused:
        logged(log, ev.SupervisorTrouble(effect="big", error="x" * 500_000, tries=1))
    assert "nothing was recorded" in str(refused.value) and log.is_full(refused.value)
    assert log.read(0) == entries
    reader = Log(path)
    assert reader.read(0) == entries
    reader.close()
    log.close()


def test_what_was_kept_back_is_asked_for_by_who_appends(path: Path) -> None:
    gave: list[int] = []
    log = Log(path, lambda: bool(gave.append(1)) or len(gave) < 3)
    assert [log.make_room() for _ in range(4)] == [True, True, False, False]
    log.close()
    assert not Log(path).make_room()


def test_upgrading_a_log_that_is_up_to_date_writes_nothing(path: Path) -> None:
    log = Log(path)
    log.upgrade()
    before = log.version(), path.with_name("log.db-wal").stat().st_size
    other = Log(path)
    other.upgrade()
    assert (log.version(), path.with_name("log.db-wal").stat().st_size) == before
    log.close()
    other.close()


@pytest.mark.row("F6")
def test_without_the_look_at_the_files_a_log_that_was_cut_would_be_written_on(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control: SQLite itself notices a hole only when it gets there."""
    filled(path)
    log = Log(path)
    log.checkpoint_wal()
    logged(log, started())
    log.close()
    os.truncate(path, int(path.stat().st_size * 0.9))
    monkeypatch.setattr("console.adapters.walfile.lost_pages", lambda db, path: 0)
    cut = Log(path)
    assert cut.last() == 301
    logged(cut, started(2))
    cut.close()


def test_a_doorbell_that_cannot_be_hung_is_one_that_never_rings(tmp_path: Path) -> None:
    for place in (tmp_path / "doorbell", tmp_path / "not" / "there" / "doorbell"):
        fd = doorbell.listen(place)
        doorbell.ring(place)
        rang = bool(select.select([fd], [], [], 0)[0])
        assert rang == place.exists()
        doorbell.drain(fd)
        assert not select.select([fd], [], [], 0)[0]
        os.close(fd)
