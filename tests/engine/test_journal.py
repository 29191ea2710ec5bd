"""One brain over one log: whole decisions or none, every waiter gets an answer, everybody sees everything in order."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from console.adapters.store import Log, LogFull
from console.core import commands as cmd
from console.core import events as ev
from console.core.records import Launch, Refused, Who
from console.core.state import State
from console.engine import journal as room
from console.engine.client import Client
from console.engine.journal import Journal, Result, Writer

ME = Who(user="ada")


class Flaky(Log):
    """fail_next: how often appending fails first. unreadable: whether reading fails."""

    fail_next = 0
    unreadable = False
    fail_checkpoints = False
    transactions = 0

    @contextmanager
    def transaction(self) -> Iterator[None]:
        self.transactions += 1
        with super().transaction():
            yield

    def append(self, entries: Sequence[ev.Logged]) -> None:
        super().append(entries)
        if self.fail_next:
            self.fail_next -= 1
            raise OSError("no space left on device")

    def read(self, since: int, limit: int = 500) -> list[ev.Logged]:
        if self.unreadable:
            raise OSError("input/output error")
        return super().read(since, limit)

    def save_checkpoint(self, seq: int, layout: int, body: bytes) -> None:
        if self.fail_checkpoints:
            raise OSError("no space left on device")
        super().save_checkpoint(seq, layout, body)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "log.db"


def start(label: str = "a", prompt: str = "go") -> cmd.StartSession:
    return cmd.StartSession(launch=Launch(argv=("x",)), cwd="/w", worktree="/w", by=ME, label=label, prompt=prompt)


def beat(pid: int = 1) -> cmd.Report:
    return cmd.Report(facts=(ev.SupervisorStarted(pid=pid, start_time=1, host="h", version="0"),))


def seqs(entries: Sequence[ev.Logged]) -> list[int]:
    return [entry.seq for entry in entries]


def replayed(path: Path) -> State:
    log, state = Log(path), State()
    for entry in log.read(0):
        state.apply(entry)
    log.close()
    return state


# -- the journal -----------------------------------------------------------------------------------------


def test_a_refusal_writes_nothing_and_does_not_stop_its_neighbours(path: Path) -> None:
    journal = Journal(Log(path), time.time)
    results, fresh = journal.submit_all([start(), cmd.StopSession(session="s-9", by=ME), beat()])
    assert isinstance(results[1], Refused)
    assert [seqs(r) for r in (results[0], results[2]) if not isinstance(r, Refused)] == [[1, 2], [3]]
    assert seqs(fresh) == [1, 2, 3]
    assert journal.state == replayed(path)
    journal.close()


def test_each_command_is_decided_on_everything_before_it(path: Path) -> None:
    one, other = Journal(Log(path), time.time), Journal(Log(path), time.time)
    one.submit(start("first"))
    other.submit(start("second"))
    assert list(one.state.sessions) == ["s-1"]
    assert seqs(one.refresh()) == [3, 4]
    assert one.refresh() == []
    assert one.state == other.state == replayed(path)
    one.close()
    other.close()


def test_time_in_the_log_never_runs_backwards(path: Path) -> None:
    clock = iter([100.0, 50.0, 200.0])
    journal = Journal(Log(path), lambda: next(clock))
    for _ in range(3):
        journal.submit(beat())
    assert [entry.at for entry in journal.since(0)] == [100.0, 100.0, 200.0]
    journal.close()


def test_a_failed_append_leaves_log_and_state_as_before(path: Path) -> None:
    log = Flaky(path)
    journal = Journal(log, time.time)
    journal.submit(start("kept"))
    before = replayed(path)
    log.fail_next = 1
    with pytest.raises(OSError, match="no space"):
        journal.submit_all([start("lost"), start("lost too")])
    assert journal.state == replayed(path) == before
    journal.submit(start("after"))
    assert [s.label for s in journal.state.sessions.values()] == ["kept", "after"]
    assert journal.state == replayed(path)
    journal.close()


def test_a_failed_append_that_cannot_even_reread_never_leaves_a_gap_in_the_log(path: Path) -> None:
    log = Flaky(path)
    journal = Journal(log, time.time)
    journal.submit(start("kept"))
    log.fail_next = 1

    def append_then_die(entries: Sequence[ev.Logged]) -> None:
        log.unreadable = True
        raise OSError("disk gone")

    log.append = append_then_die  # type: ignore[method-assign]
    with pytest.raises(OSError, match="disk gone"):
        journal.submit(start("lost"))
    with pytest.raises(OSError, match="input/output"):
        journal.submit(start("lost too"))
    del log.append
    log.unreadable, log.fail_next = False, 0
    journal.submit(start("after"))
    assert [entry.seq for entry in journal.since(0)] == [1, 2, 3, 4]
    assert journal.state == replayed(path)
    journal.close()


def test_reading_on_pages_through_a_long_log(path: Path) -> None:
    journal = Journal(Log(path), time.time)
    journal.submit_all([beat(n) for n in range(1201)])
    assert seqs(journal.since(0)) == list(range(1, 1202))
    assert seqs(journal.since(1100)) == list(range(1101, 1202))
    again = Journal(Log(path), time.time)
    assert again.state == journal.state
    journal.close()
    again.close()


# -- the client ------------------------------------------------------------------------------------------


def test_a_command_that_needs_hands_rings_and_summons(path: Path) -> None:
    calls: list[str] = []
    client = Client(Journal(Log(path), time.time), lambda: calls.append("ring"), lambda: calls.append("summon"))  # type: ignore[func-returns-value]
    client.send(start())
    client.send(beat(), needs_hands=False)
    assert isinstance(client.send(cmd.StopSession(session="s-9", by=ME)), Refused)
    assert calls == ["ring", "summon", "ring", "summon"], "a refusal leaves nothing unfinished without a supervisor"
    client.close()


def test_a_supervisor_that_cannot_be_summoned_is_told_but_the_command_is_recorded(path: Path) -> None:
    client = Client(Journal(Log(path), time.time), lambda: None, lambda: Refused(reason="no memory"))
    assert client.send(start()) == Refused(reason="recorded, but not done yet: no memory")
    assert list(client.state.sessions) == ["s-1"]
    client.close()


def test_waiting_sees_what_another_process_appends_and_gives_up_in_time(path: Path) -> None:
    client, other = Client(Journal(Log(path), time.time), lambda: None), Journal(Log(path), time.time)
    assert client.wait(lambda state: state.sessions or None, 0.0) is None
    other.submit(start())
    assert client.wait(lambda state: state.sessions or None, 5.0)
    client.close()
    other.close()


# -- the writer ------------------------------------------------------------------------------------------


class Desk:
    """A writer with everything it said. log: its store, once it is open."""

    def __init__(self, path: Path, prepare: Callable[[Flaky], None] = lambda log: None, since: int = 0) -> None:
        self.path = path
        self.published: list[ev.Logged] = []
        self.log: Flaky | None = None
        self.prepare = prepare
        Log(path).close()
        self.writer = Writer(self.open, self.published.extend)
        self.writer.start(since)

    def open(self) -> Journal:
        self.log = Flaky(self.path)
        self.prepare(self.log)
        return Journal(self.log, time.time)

    def ask(self, command: cmd.Command) -> Answer:
        answer = Answer()
        self.writer.submit(command, answer)
        return answer


class Answer:
    def __init__(self) -> None:
        self._there = threading.Event()
        self._said: list[Result | BaseException] = []

    def __call__(self, outcome: Result | BaseException) -> None:
        self._said.append(outcome)
        self._there.set()

    def get(self) -> Result | BaseException:
        assert self._there.wait(20), "nobody answered"
        assert len(self._said) == 1
        return self._said[0]


def test_what_queues_up_while_it_commits_goes_into_one_commit(path: Path) -> None:
    desk, blocker = Desk(path), Log(path)
    assert not isinstance(desk.ask(beat()).get(), BaseException)
    assert desk.log
    before = desk.log.transactions
    with blocker.transaction():
        answers = [desk.ask(start(f"n{n}")) for n in range(40)]
    entries = [entry for answer in answers for entry in answer.get()]  # type: ignore[union-attr]
    assert seqs(entries) == list(range(2, 82))
    assert desk.log.transactions - before <= 3
    desk.writer.stop()
    assert seqs(desk.published) == list(range(1, 82))
    blocker.close()


def test_published_is_everything_in_order_also_what_others_append(path: Path) -> None:
    desk, other = Desk(path), Journal(Log(path), time.time)
    answers = []
    for number in range(30):
        answers.append(desk.ask(beat(number)))
        other.submit(beat(1000 + number))
        if number % 10 == 0:
            desk.writer.look()
    for answer in answers:
        assert not isinstance(answer.get(), BaseException)
    desk.writer.look()
    desk.writer.stop()
    assert seqs(desk.published) == list(range(1, 61))
    assert desk.published == other.since(0)
    assert desk.writer.failure is None
    other.close()


def test_published_begins_after_what_its_owner_has_read_and_misses_nothing(path: Path) -> None:
    other = Journal(Log(path), time.time)
    other.submit_all([beat(number) for number in range(9)])
    desk = Desk(path, since=4)
    desk.writer.look()
    desk.writer.stop()
    assert seqs(desk.published) == [5, 6, 7, 8, 9]
    other.close()


def test_an_answer_comes_after_its_entries_were_published(path: Path) -> None:
    desk = Desk(path)
    for number in range(20):
        result = desk.ask(beat(number)).get()
        assert not isinstance(result, BaseException | Refused)
        assert desk.published[-1] == result[-1]
    desk.writer.stop()


def test_a_failed_commit_is_told_to_all_of_its_batch_and_the_next_one_works(path: Path) -> None:
    desk, blocker = Desk(path), Log(path)
    desk.ask(beat()).get()
    assert desk.log
    with blocker.transaction():
        first = desk.ask(beat())  # alone in its commit, or together with the others
        lost = [desk.ask(start()) for _ in range(3)]
        desk.log.fail_next = 2
    told = [answer.get() for answer in (first, *lost)]
    assert all(isinstance(outcome, OSError) for outcome in told)
    desk.log.fail_next = 0
    assert not isinstance(desk.ask(start("after")).get(), BaseException)
    desk.writer.stop()
    assert desk.writer.failure is None
    assert seqs(desk.published) == [1, 2, 3]
    assert [s.label for s in replayed(path).sessions.values()] == ["after"]
    blocker.close()


def test_a_log_that_cannot_be_opened_is_told_to_everybody_who_asks(path: Path) -> None:
    def refuse(log: Flaky) -> None:
        log.unreadable = True

    desk = Desk(path, refuse)
    assert isinstance(desk.ask(beat()).get(), OSError)
    desk.writer.stop()
    assert isinstance(desk.writer.failure, OSError)
    assert isinstance(desk.ask(beat()).get(), OSError)


def test_after_stop_nobody_waits_for_ever(path: Path) -> None:
    desk = Desk(path)
    last = desk.ask(beat())
    desk.writer.stop()
    assert not isinstance(last.get(), BaseException)
    assert isinstance(desk.ask(beat()).get(), RuntimeError)
    assert desk.writer.failure is None and desk.writer.over


def test_stopping_keeps_the_fold_for_the_next_start(path: Path) -> None:
    desk = Desk(path)
    desk.ask(start()).get()
    desk.writer.stop()
    log = Log(path)
    kept = log.load_checkpoint(room.STATE_SCHEMA)
    assert kept and kept[0] == 2
    log.close()


def test_a_checkpoint_that_fails_does_not_end_the_writer(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "CHECKPOINT_EVERY", 5)
    desk = Desk(path)
    desk.ask(beat()).get()
    assert desk.log
    desk.log.fail_checkpoints = True
    for number in range(12):
        assert not isinstance(desk.ask(beat(number)).get(), BaseException)
    desk.log.fail_checkpoints = False
    for number in range(6):
        desk.ask(beat(number)).get()
    assert Log(path).load_checkpoint(room.STATE_SCHEMA)
    desk.writer.stop()
    assert desk.writer.failure is None


# -- a disk that takes nothing more ----------------------------------------------------------------------


class Filling(Flaky):
    """full: so many appends fail for want of space first; give: so many times there is a little kept back."""

    full = 0
    give = 0

    def append(self, entries: Sequence[ev.Logged]) -> None:
        if self.full:
            self.full -= 1
            raise LogFull("the disk that holds the log is full")
        super().append(entries)

    def make_room(self) -> bool:
        self.give -= 1
        return self.give >= 0


class FullDesk(Desk):
    log: Filling | None  # type: ignore[assignment]

    def open(self) -> Journal:
        self.log = Filling(self.path)
        return Journal(self.log, time.time)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "FULL_RETRY", 0.02)


@pytest.mark.usefixtures("quick")
def test_what_a_full_disk_does_not_take_waits_in_its_order_and_so_does_what_comes_later(path: Path) -> None:
    desk = FullDesk(path)
    desk.ask(beat()).get()
    assert desk.log
    desk.log.full = 1000
    answers = [desk.ask(beat(number)) for number in range(2, 30)]
    while not desk.writer.blocked:
        time.sleep(0.001)
    answers += [desk.ask(beat(number)) for number in range(30, 60)]
    assert "full" in desk.writer.blocked and len(desk.published) == 1
    desk.log.full = 0
    for answer in answers:
        assert not isinstance(answer.get(), BaseException)
    assert desk.writer.blocked == ""
    desk.writer.stop()
    assert [entry.fact.pid for entry in desk.published] == list(range(1, 60))  # type: ignore[union-attr]
    assert desk.published == Journal(Log(path), time.time).since(0)


@pytest.mark.usefixtures("quick")
def test_what_was_kept_back_is_given_up_before_anything_waits(path: Path) -> None:
    desk = FullDesk(path)
    desk.ask(beat()).get()
    assert desk.log
    desk.log.full, desk.log.give = 2, 2
    assert not isinstance(desk.ask(beat(2)).get(), BaseException)
    assert desk.log.give == 0 and desk.writer.blocked == ""
    desk.writer.stop()


@pytest.mark.usefixtures("quick")
def test_stopping_with_a_full_disk_tells_those_who_wait_and_ends(path: Path) -> None:
    desk = FullDesk(path)
    desk.ask(beat()).get()
    assert desk.log
    desk.log.full = 1_000_000
    answer = desk.ask(beat(2))
    desk.writer.stop()
    assert isinstance(answer.get(), OSError)
    assert desk.writer.failure is None
    assert len(Journal(Log(path), time.time).since(0)) == 1


def test_a_full_disk_is_said_at_once_to_who_has_recorded_nothing_yet(path: Path) -> None:
    desk = FullDesk(path)
    desk.writer.look()
    while not desk.log:
        time.sleep(0.001)
    desk.log.full = 10
    assert isinstance(desk.ask(beat()).get(), LogFull)
    desk.writer.stop()


def test_the_wal_stays_small_over_thousands_of_appends(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "WAL_BYTES", 1024 * 1024)
    desk = Desk(path)
    text = "x" * 2000
    for turn in range(25):
        told = [cmd.Report(facts=(ev.SupervisorTrouble(effect=str(turn), error=text, tries=n),)) for n in range(200)]
        for answer in [desk.ask(one) for one in told]:
            assert not isinstance(answer.get(), BaseException)
    wal = path.with_name(f"{path.name}-wal").stat().st_size
    assert wal < 4 * 1024 * 1024, wal
    desk.writer.stop()
    assert len(Journal(Log(path), time.time).since(0)) == 5000


# -- clocks ----------------------------------------------------------------------------------------------


@pytest.mark.row("C3")
def test_a_wall_clock_that_jumps_an_hour_either_way_breaks_nothing(path: Path) -> None:
    times = [1000.0, 4600.0, 1001.0, -2599.0, 1002.0]
    journal = Journal(Log(path), lambda: times[min(len(journal.since(0)), 4)])
    for number in range(5):
        assert not isinstance(journal.submit(beat(number)), Refused)
    assert seqs(journal.since(0)) == [1, 2, 3, 4, 5]
    assert journal.state == replayed(path)
    journal.checkpoint()
    again = Journal(Log(path), time.time)
    assert again.state == journal.state
    journal.close()
    again.close()
