"""Who waits for the log wakes for a commit of any process, and costs nothing meanwhile; also where no system tells."""

from __future__ import annotations

import ctypes
import os
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from console.adapters import logfile, logwatch
from console.adapters.logwatch import LogWatch, Pace
from console.adapters.store import Log, LogError
from console.core import events as ev

SLOW = Pace(full=60.0, echoes=())
"""Looks only when it was told."""

APPENDER = """
import sys
from pathlib import Path
from console.adapters.store import Log
from console.core import events as ev
log = Log(Path(sys.argv[1]))
print("up", flush=True)
for _ in sys.stdin:
    with log.transaction():
        log.append([ev.Logged(seq=log.last() + 1, at=1.0, fact=ev.SupervisorStopped(pid=1))])
    print("done", flush=True)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "state"


@pytest.fixture
def log(folder: Path) -> Iterator[Log]:
    log = Log(folder / "log.db")
    append(log)
    yield log
    log.close()


def append(log: Log) -> None:
    with log.transaction():
        log.append([ev.Logged(seq=log.last() + 1, at=1.0, fact=ev.SupervisorStopped(pid=1))])


@pytest.fixture
def watches() -> Iterator[Callable[..., LogWatch]]:
    made: list[LogWatch] = []

    def make(log: Log, pace: Pace = SLOW, opened: logfile.Open | None = None) -> LogWatch:
        made.append(LogWatch(log.path, opened, pace))
        return made[-1]

    yield make
    for watch in made:
        watch.close()


Watches = Callable[..., LogWatch]


def quiet(watch: LogWatch) -> None:
    """Until what was told so far has been heard."""
    deadline = time.monotonic() + 5
    while watch.changed(0.05):
        assert time.monotonic() < deadline


@pytest.fixture
def untold(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A system without a watch to give. The list counts how often it was asked."""
    asked: list[int] = []

    def none(folder: Path) -> None:
        asked.append(1)
        raise logwatch.Untold

    monkeypatch.setattr(logwatch, "_Told", none)
    return asked


def test_a_commit_of_another_process_wakes_at_once(log: Log, watches: Watches) -> None:
    argv = [sys.executable, "-c", APPENDER, str(log.path)]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdin and other.stdout and other.stdout.readline() == "up\n"
        watch = watches(log, Pace(full=60.0))
        quiet(watch)
        took = []
        for _ in range(5):
            version = log.version()
            other.stdin.write("\n")
            other.stdin.flush()
            while log.version() == version:
                assert watch.changed(10.0)
            seen = time.monotonic()
            assert other.stdout.readline() == "done\n"
            took.append(time.monotonic() - seen)
            quiet(watch)
        other.stdin.close()
    assert min(took) < 0.05, took


def test_what_was_committed_before_the_first_wait_is_not_missed(log: Log, watches: Watches) -> None:
    watch = watches(log)
    append(log)
    assert watch.changed(5.0)


def test_one_commit_is_told_again_a_little_later_as_it_is_written_before_it_can_be_read(
    log: Log, watches: Watches
) -> None:
    watch = watches(log, Pace(full=60.0, echoes=(0.02, 0.05)))
    append(log)
    assert watch.changed(5.0) and watch.changed(5.0), "an echo is no news, but a reason to look"
    quiet(watch)


def test_other_files_of_the_folder_wake_nobody(log: Log, folder: Path, watches: Watches) -> None:
    watch = watches(log)
    folder.joinpath("beat").write_text("1")
    folder.joinpath("beat").rename(folder / "beat2")
    folder.joinpath("log.db-shm").touch()
    assert not watch.changed(0.2)


def test_without_news_it_sleeps_for_a_second_and_for_no_longer_than_asked(log: Log, watches: Watches) -> None:
    watch = watches(log, Pace(full=0.2))
    quiet(watch)
    began, cpu = time.monotonic(), resource.getrusage(resource.RUSAGE_THREAD)
    assert watch.changed(10.0), "a look now and then, in case that nothing is told"
    assert 0.1 < time.monotonic() - began < 5
    assert not watch.changed(0.05) and not watch.changed(0.0)
    after = resource.getrusage(resource.RUSAGE_THREAD)
    assert after.ru_nvcsw - cpu.ru_nvcsw < 20, "it slept, it did not look again and again"


def test_without_watches_left_the_files_are_looked_at(log: Log, untold: list[int], watches: Watches) -> None:
    watch = watches(log, Pace(full=60.0, poll=0.01, retry=0.05, echoes=()))
    assert not watch.changed(0.15)
    append(log)
    assert watch.changed(5.0)
    assert 1 < len(untold) < 20, "and now and then the system is asked again"


def test_the_system_is_used_again_once_it_has_watches(
    log: Log, monkeypatch: pytest.MonkeyPatch, watches: Watches
) -> None:
    real = logwatch._Told
    with monkeypatch.context() as patch:
        patch.setattr(logwatch, "_Told", no_watch)
        watch = watches(log, Pace(full=60.0, poll=0.01, retry=0.02, echoes=()))
        assert not watch._told
    assert logwatch._Told is real
    assert not watch.changed(0.1) and watch._told
    append(log)
    assert watch.changed(5.0)


def no_watch(_folder: Path) -> None:
    raise logwatch.Untold


@pytest.mark.skipif(sys.platform != "linux", reason="inotify is Linux's")
def test_a_system_that_has_no_instance_left_is_no_error(log: Log, watches: Watches) -> None:
    """So many are taken that the next one is refused: by the limit of descriptors, which is ours to set."""
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    watch = watches(log, Pace(full=60.0, poll=0.01, retry=60.0, echoes=()))
    watch._told.close()  # type: ignore[union-attr]
    watch._told = None
    free = os.open(os.devnull, os.O_RDONLY)
    os.close(free)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (free, limits[1]))
        watch._ready()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
    assert watch._told is None
    append(log)
    assert watch.changed(5.0)


def test_a_system_without_inotify_is_no_error(log: Log, monkeypatch: pytest.MonkeyPatch, watches: Watches) -> None:
    monkeypatch.setattr(ctypes, "CDLL", lambda *_args, **_named: object())
    watch = watches(log, Pace(full=60.0, poll=0.01, echoes=()))
    append(log)
    assert watch.changed(5.0)


def test_a_folder_that_can_only_be_read_is_watched(log: Log, folder: Path, watches: Watches) -> None:
    folder.chmod(0o500)
    try:
        watch = watches(log)
        append(log)
        assert watch.changed(5.0)
    finally:
        folder.chmod(0o700)


def test_a_log_that_is_replaced_is_told_of_and_commits_to_the_new_one_are_seen(log: Log, watches: Watches) -> None:
    fresh = log.path.with_name("copy.db")
    log.checkpoint_wal()
    shutil.copy(log.path, fresh)
    watch = watches(log)
    log.close()
    log.path.with_name("log.db-wal").unlink()
    fresh.rename(log.path)
    assert watch.changed(5.0)
    quiet(watch)
    with_new = Log(log.path)
    append(with_new)
    assert watch.changed(5.0)
    with_new.close()


def test_a_folder_that_is_made_anew_is_watched_anew(log: Log, folder: Path, watches: Watches) -> None:
    watch = watches(log, Pace(full=60.0, poll=0.01, retry=0.02, echoes=()))
    folder.rename(folder.with_name("away"))
    assert watch.changed(5.0)
    new = Log(folder / "log.db")
    append(new)
    assert watch.changed(5.0)
    quiet(watch)
    assert watch._told
    append(new)
    assert watch.changed(5.0)
    new.close()


def test_a_folder_whose_parent_was_moved_is_found_again_by_its_name(tmp_path: Path, watches: Watches) -> None:
    old = Log(tmp_path / "home" / "state" / "log.db")
    watch = watches(old, Pace(full=0.05, echoes=()))
    tmp_path.joinpath("home").rename(tmp_path / "elsewhere")
    new = Log(tmp_path / "home" / "state" / "log.db")
    assert watch.changed(5.0)
    watch._pace = SLOW
    quiet(watch)
    append(new)
    assert watch.changed(5.0)
    old.close()
    new.close()


def test_who_has_another_log_open_than_the_one_of_that_name_is_told_so(log: Log, watches: Watches) -> None:
    ticks = iter(range(0, 100, 2))
    watch = watches(log, Pace(full=0.02), logfile.Open(log.path, lambda: float(next(ticks))))
    assert watch.changed(5.0)
    log.path.rename(log.path.with_name("log.db.away"))
    with pytest.raises(LogError, match=r"the log .* is gone"):
        for _ in range(20):
            watch.changed(0.1)


def test_closing_gives_every_descriptor_back(log: Log) -> None:
    before = len(os.listdir("/dev/fd"))
    for _ in range(3):
        watch = LogWatch(log.path, pace=Pace(full=0.01))
        assert watch.changed(5.0)
        watch.close()
        watch.close()
    assert len(os.listdir("/dev/fd")) == before
