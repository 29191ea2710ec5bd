"""What a standby decides before it touches anything: what is left to take over, and whom it may ask, wake or end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from commandline import CommandLine

from console import guarding
from console.adapters import beat, holder
from console.adapters.boot import boot_id
from console.adapters.lock import is_taken
from console.adapters.processes import process_start_time
from console.core import events as ev
from console.core.records import Refused
from console.engine.pulse import OwnTime

HOLDER = """
import os, signal, sys
from pathlib import Path
from console.adapters import doorbell
from console.adapters.lock import Lock
signal.alarm(60)
assert Lock(Path(sys.argv[1])).take() and (fd := doorbell.listen(Path(sys.argv[2])))
print("held", flush=True)
for line in sys.stdin:
    doorbell.drain(fd)
    print("drained", flush=True)
"""


class Own:
    """Our own time, by hand."""

    at = 1000.0

    def __call__(self) -> float:
        return self.at


class Silent:
    """A process that holds the lock, with the beat that it left."""

    def __init__(self, line: CommandLine) -> None:
        line.lock.release()
        self.places = line.here.places
        self.process = subprocess.Popen(
            [sys.executable, "-c", HOLDER, str(self.places.lock), str(self.places.doorbell)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout and self.process.stdout.readline() == "held\n"
        start = process_start_time(self.process.pid)
        assert start
        self.beat = beat.Beat(self.process.pid, start, boot_id(), 7, 0.0, 0.0)
        self.beats()

    def beats(self, **changes: object) -> None:
        self.beat = replace(self.beat, count=self.beat.count + 1)
        self.places.beat.write_bytes(beat.encode(replace(self.beat, **changes)))  # type: ignore[arg-type]

    def drains(self) -> None:
        assert self.process.stdin and self.process.stdout
        print("now", file=self.process.stdin, flush=True)
        assert self.process.stdout.readline() == "drained\n"

    def end(self) -> None:
        self.process.kill()
        self.process.communicate()


@pytest.fixture
def silent(line: CommandLine) -> Iterator[Silent]:
    made = Silent(line)
    yield made
    made.end()


def kinds(guard: guarding.Guard, own: Own, *pauses: float) -> list[str]:
    found = []
    for pause in pauses:
        own.at += pause
        found.append(guard.look().kind)
    return found


# -- whom it may signal ----------------------------------------------------------------------------------


@pytest.mark.row("B4")
def test_a_holder_is_killed_only_after_three_beats_a_wake_up_and_no_answer(line: CommandLine, silent: Silent) -> None:
    guard = guarding.Guard(line.here, own := Own())
    assert kinds(guard, own, 0, 1, 1, 1.5) == ["held"] * 4
    assert holder.unheard(silent.places.doorbell) == 0, "nothing was done yet"
    assert kinds(guard, own, 0.5, 1, 1.5) == ["asked"] * 3
    assert holder.unheard(silent.places.doorbell) == 1 and silent.process.poll() is None
    assert kinds(guard, own, 0.6) == ["killed"]
    assert silent.process.wait(timeout=20) == -signal.SIGKILL
    assert not is_taken(silent.places.lock) and kinds(guard, own, 0.2) == ["free"]


@pytest.mark.row("C4")
def test_one_that_beats_again_is_left_alone(line: CommandLine, silent: Silent) -> None:
    guard = guarding.Guard(line.here, own := Own())
    assert kinds(guard, own, 0, 4, 2) == ["held", "asked", "asked"]
    silent.beats()
    assert kinds(guard, own, 0.9, 1, 1) == ["back", "back", "back"]
    silent.beats()
    assert kinds(guard, own, 1) == ["held"] and silent.process.poll() is None


@pytest.mark.row("C4")
def test_time_that_we_did_not_have_ourselves_is_no_silence(line: CommandLine, silent: Silent) -> None:
    """A machine that was paused: when we go on, the holder has had no more time than we had."""
    clock = [1000.0]
    guard = guarding.Guard(line.here, OwnTime(lambda: clock[0]).now)
    seen = [guard.look().kind]
    for pause in (0.5, 3600.0, 0.5, 3600.0, 0.5):
        clock[0] += pause
        seen.append(guard.look().kind)
    assert seen == ["held"] * 6 and silent.process.poll() is None


def test_one_whose_loop_takes_rings_is_left_alone_although_its_beat_stands_still(
    line: CommandLine, silent: Silent
) -> None:
    """A state folder that nobody can write any more is no reason to be killed."""
    guard = guarding.Guard(line.here, own := Own())
    assert kinds(guard, own, 0, 4) == ["held", "asked"]
    for _ in range(3):
        silent.drains()
        assert kinds(guard, own, 0.9) == ["asked"]
    silent.drains()
    assert kinds(guard, own, 1, 10, 20) == ["unseen"] * 3 and silent.process.poll() is None


def test_one_ring_taken_in_passing_is_no_proof_of_life(line: CommandLine, silent: Silent) -> None:
    guard = guarding.Guard(line.here, own := Own())
    assert kinds(guard, own, 0, 4) == ["held", "asked"]
    silent.drains()
    assert kinds(guard, own, 1, 1, 1.1) == ["asked", "asked", "killed"]


@pytest.mark.row("F2")
@pytest.mark.parametrize(
    "changes",
    [{"pid": 1}, {"pid": os.getpid()}, {"start": 1}, {"boot": "another-boot"}],
    ids=["init", "us", "start", "boot"],
)
def test_a_beat_that_is_not_the_holders_is_no_reason_to_signal_anybody(
    line: CommandLine, silent: Silent, changes: dict[str, object]
) -> None:
    silent.beats(**changes)
    guard = guarding.Guard(line.here, own := Own())
    assert kinds(guard, own, 0, 4, 4, 400) == ["held", "starting", "starting", "starting"]
    assert silent.process.poll() is None and holder.unheard(silent.places.doorbell) == 0


def test_a_holder_that_cannot_be_traced_is_named_as_that_and_left_alone(
    line: CommandLine, silent: Silent, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    listed = tmp_path / "locks"
    listed.write_text(f"1: FLOCK  ADVISORY  WRITE {os.getpid()} fe:00:{silent.places.lock.stat().st_ino} 0 EOF\n")
    monkeypatch.setattr(holder, "LOCKS", listed)
    guard = guarding.Guard(line.here, own := Own())
    assert kinds(guard, own, 0, 4, 400) == ["held", "untraceable", "untraceable"]
    assert "nobody is signalled" in guard.look().why and silent.process.poll() is None


def test_our_own_lock_is_never_a_reason_to_signal_us(line: CommandLine) -> None:
    found = holder.find(line.here.places.lock)
    assert not isinstance(found, Refused) and found.pid == os.getpid()
    assert isinstance(holder.pin(line.here.places.lock, found), Refused)


# -- what is left ----------------------------------------------------------------------------------------


def started(line: CommandLine) -> None:
    line.report(ev.SupervisorStarted(pid=4711, start_time=1, host="here", version="1"))


def stopped(line: CommandLine, reason: str) -> None:
    line.report(ev.SupervisorStopped(pid=4711, reason=reason))


@pytest.mark.row("B6")
@pytest.mark.parametrize(
    ("reason", "left"),
    [
        ("stopped by ada", False),
        ("stopped at once by a person", False),
        ("SIGTERM", False),
        ("nothing left to do", True),
        ("", True),
        (guarding.HANDED_OVER, True),
    ],
)
def test_a_run_is_left_by_a_fault_or_a_standby_that_leaves_and_not_by_who_wanted_it(
    line: CommandLine, reason: str, left: bool
) -> None:
    line.session()
    started(line)
    owed = guarding.Owed(line.journal)
    assert owed.work() == "1 session" and owed.left(), "killed: it never said that it stopped"
    stopped(line, reason)
    assert owed.left() is left
    assert guarding.Owed(line.journal).left() is left, "the same for one that comes later"


def test_with_nothing_open_there_is_nothing_to_take_over(line: CommandLine) -> None:
    owed = guarding.Owed(line.journal)
    started(line)
    assert owed.work() == ""


def test_less_patience_than_three_beats_is_a_usage_error_and_a_network_file_system_is_refused(
    line: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert line.run("standby", "--patience", "1").code == 2
    from console.adapters.preflight import looking

    monkeypatch.setattr(looking, "file_system", lambda _place, _mounts: "nfs4")
    said = line.run("standby")
    assert said.code == 2 and "nfs4" in said.err and "XDG_STATE_HOME" in said.err
