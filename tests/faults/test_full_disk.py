"""Rows F3 and F4: a disk that is full before a run, during it and while something is saved; no file can be made;
nothing may be written. The state folder is on a small disk of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from smalldisk import WITHOUT, SmallDisk, small_disk

sys.path.insert(0, str(Path(__file__).parent.parent / "nights"))

from nightrig import NightRig, kill, until

READING = (("status",), ("events",))
WRITING = (("run",), ("run", "--idle"), ("ticket", "add", "{file}"), ("ticket", "drop", "one"), ("next",))
REFUSED = (2, 64)
CAUSES = ("disk is full", "No space left", "Read-only file system", "Permission denied", "readonly database")


class DiskRig(NightRig):
    """Its state folder is on the small disk; every command runs where that can be seen. prefix: what they run under."""

    warm = False

    def __init__(self, room: Path, disk: SmallDisk, **settings: Any) -> None:
        self.disk = disk
        self.prefix: tuple[str, ...] = ()
        self.seen: list[dict[str, Any]] = []
        self._reader: subprocess.Popen[str] | None = None
        super().__init__(room, **settings)
        self.env["XDG_STATE_HOME"] = str(disk.place)

    def argv(self, *args: str) -> list[str]:
        return self.disk.inside(*self.prefix, *super().argv("--workspace", str(self.repo), *args))

    @property
    def state(self) -> Path:
        return next(path for path in (self.disk.seen / "nightdesk").iterdir() if path.is_dir())

    def follow(self) -> None:
        """One reader of the log for the whole test, in a process of its own."""
        self._reader = self.start("events", "--follow", "--json")
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self._reader.stdout
        self.seen += map(json.loads, self._reader.stdout)

    def told(self, *types: str) -> list[dict[str, Any]]:
        return [event for event in self.seen if event["type"] in types]

    def close(self) -> None:
        if self._reader:
            kill(self._reader)
        super().close()


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[DiskRig]:
    with small_disk(tmp_path / "disk") as disk:
        made = DiskRig(tmp_path, disk)
        yield made
        made.close()


# -- during a run ----------------------------------------------------------------------------------------


def waits_for(rig: DiskRig, flag: str) -> list[Any]:
    there = f"echo $$ > {flag}.pid; mv {flag}.pid {flag}.there"
    script = f"i=0; {there}; while [ ! -e {flag} ] && [ $i -lt 400 ]; do sleep 0.1; i=$((i+1)); done"
    return ["run", "sh", "-c", script]


@pytest.mark.row("F3")
def test_a_disk_that_fills_up_during_a_run_stops_only_what_is_new_and_the_run_finishes(
    rig: DiskRig, record_property: Callable[[str, object], None]
) -> None:
    flag = rig.room / "go"
    rig.ticket("one", [waits_for(rig, str(flag)), ["write", "one.txt", "1\n"]])
    rig.ticket("two")
    rig.configure(limits={"sessions": 1})
    rig.ready()
    night = rig.start("run")
    until(Path(f"{flag}.there").exists)
    until((rig.state / "ballast").exists, 10)
    rig.follow()
    until(lambda: rig.told("turn-start"), 20)
    rig.disk.resize(0)
    full = time.monotonic()
    until(lambda: rig.told("supervisor:degraded"), 10)
    degraded = time.monotonic() - full
    (said,) = rig.told("supervisor:degraded")
    assert said["kind"] == "disk" and "the disk of the log" in said["why"]
    flag.touch()  # the running turn goes on, and its end is recorded
    until(lambda: rig.told("turn-end"), 10)
    assert not rig.told("policy:judged") and night.poll() is None, "its gate waits for the disk"
    assert {event["session"] for event in rig.told("session:started")} == {"s-1"}, "nothing new was started"
    rig.disk.remount("size=2g")
    room = time.monotonic()
    until(lambda: rig.told("supervisor:recovered"), 10)
    recovered = time.monotonic() - room
    out, _ = night.communicate(timeout=60)
    assert night.returncode == 0 and "DRAINED" in out, out[-2000:]
    assert rig.outcomes() == {"one": "DONE", "two": "DONE"}
    assert rig.told("supervisor:trouble") == []
    assert (rig.state / "ballast").stat().st_size == 1024 * 1024
    record_property("degraded after", round(degraded, 2))
    record_property("recovered after", round(recovered, 2))
    print(f"degraded after {degraded:.2f} s, recovered after {recovered:.2f} s")


@pytest.mark.slow
@pytest.mark.row("B5")
def test_a_supervisor_that_is_ended_while_its_log_is_full_leaves_no_process(rig: DiskRig) -> None:
    flag = rig.room / "go"
    rig.ticket("one", [waits_for(rig, str(flag))])
    rig.ready()
    night = rig.start("run")
    until(Path(f"{flag}.there").exists)
    (rig.state / "ballast").unlink()
    rig.disk.resize(0)
    worker = int(Path(f"{flag}.there").read_text())
    os.kill(worker, 0)
    until(lambda: night.poll() is not None or night.send_signal(signal.SIGTERM), 30)
    out, _ = night.communicate(timeout=30)
    assert night.returncode not in (0, 1), out[-1000:]
    assert "Traceback" not in out, out[-3000:]
    with pytest.raises(ProcessLookupError):
        os.kill(worker, 0)
    assert rig.call("status", timeout=60).returncode == 0


# -- before a run, and every command ---------------------------------------------------------------------


def full(rig: DiskRig) -> None:
    rig.disk.resize(0)


def no_more_files(rig: DiskRig) -> None:
    rig.disk.files_left(0)


def read_only(rig: DiskRig) -> None:
    rig.disk.remount("ro")


def not_ours(rig: DiskRig) -> None:
    for folder in (rig.state, *(path for path in rig.state.rglob("*") if path.is_dir())):
        folder.chmod(0o500)
    for file in rig.state.rglob("*"):
        if file.is_file():
            file.chmod(0o400)
    rig.prefix = (sys.executable, "-c", WITHOUT)


F3, F4 = pytest.mark.row("F3"), pytest.mark.row("F4")
HARMS = [
    pytest.param(full, False, id="full, a log is there", marks=F3),
    pytest.param(full, True, id="full, no log yet", marks=F3),
    pytest.param(no_more_files, False, id="no more files, a log is there", marks=F4),
    pytest.param(no_more_files, True, id="no more files, no log yet", marks=F4),
    pytest.param(read_only, False, id="read-only, a log is there", marks=F4),
    pytest.param(not_ours, False, id="not ours, a log is there", marks=F4),
    pytest.param(not_ours, True, id="not ours, no log yet", marks=F4),
]


def log_of(rig: DiskRig) -> dict[str, bytes]:
    return {name.name: name.read_bytes() for name in rig.state.glob("log.db*") if not name.name.endswith("-shm")}


@pytest.mark.parametrize(("harm", "fresh"), HARMS)
def test_a_state_folder_that_takes_nothing_starts_no_run_and_every_command_says_why(
    rig: DiskRig, harm: Callable[[DiskRig], None], fresh: bool
) -> None:
    rig.ticket("one")
    rig.ready()
    if not fresh:
        rig.ok("ticket", "list")
    (rig.room / "new.md").write_text("Add a file new.txt.\n")
    harm(rig)
    before = log_of(rig)
    for command in WRITING[1:3] if fresh else WRITING if harm is full else WRITING[:3]:
        done = rig.call(*(word.format(file=rig.room / "new.md") for word in command), timeout=60)
        assert done.returncode in REFUSED, (command, done.returncode, done.stdout[-500:], done.stderr[-1500:])
        assert any(word in done.stdout + done.stderr for word in CAUSES), (command, done.stderr)
    for command in () if fresh else READING if harm is full else READING[:1]:
        assert rig.call(*command, timeout=60).returncode == 0, "what is there can still be read"
    for name, content in log_of(rig).items():
        assert content.startswith(before.get(name, b"")), f"{name} was cut short"


# -- while something is saved ----------------------------------------------------------------------------

APPENDER = r"""
import sys, time
from pathlib import Path
from console.adapters.ballast import Ballast
from console.adapters.store import Log
from console.core import commands as cmd, events as ev
from console.engine.journal import Journal, Writer

path = Path(sys.argv[1])
ballast = Ballast(path.with_name("ballast"))
with_ballast = sys.argv[2] == "ballast"
assert not with_ballast or ballast.hold() == ""
writer = Writer(lambda: Journal(Log(path, ballast.drop), time.time), lambda entries: None)
writer.start()
def told(n):
    return cmd.Report(facts=(ev.SupervisorTrouble(effect=str(n), error="x" * 2000, tries=0),))
def deliver(n):
    def said(outcome):
        sys.stdout.write(f"{outcome!r}\n" if isinstance(outcome, BaseException) else f"{n}\n")
        sys.stdout.flush()
    return said
n = 0
for line in sys.stdin:
    if line == "stop\n":
        writer.stop()
        break
    for _ in range(int(line)):
        n += 1
        writer.submit(told(n), deliver(n))
"""
READER = """
import sys, time
from pathlib import Path
from console.adapters.store import Log
from console.engine.journal import Journal

for entry in Journal(Log(Path(sys.argv[1])), time.time).since(0):
    print(entry.fact.effect)
"""


class Saver:
    """A supervisor's writer with its ballast, in a process of its own, on the small disk."""

    def __init__(self, disk: SmallDisk, ballast: str = "ballast") -> None:
        self._disk = disk
        self._process = subprocess.Popen(
            disk.inside(sys.executable, "-c", APPENDER, str(disk.place / "log.db"), ballast),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.said: list[str] = []

    def ask(self, count: int) -> None:
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write(f"{count}\n")
        self._process.stdin.flush()

    def read(self, line: str) -> None:
        assert self._process.stdout
        while self.said[-1:] != [line]:
            self.said.append(self._process.stdout.readline().strip())
            assert self.said[-1], self.said

    def stop(self) -> None:
        """As a supervisor ends: it tries to keep its fold and to move the WAL into the file."""
        assert self._process.stdin
        self._process.stdin.write("stop\n")
        out, _ = self._process.communicate(timeout=20)
        self.said += out.split("\n")

    def kill(self) -> None:
        self._process.kill()
        self._process.communicate(timeout=20)

    def recorded(self) -> list[int]:
        """As any other process finds it in the log."""
        command = self._disk.inside(sys.executable, "-c", READER, str(self._disk.place / "log.db"))
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=True)
        return [int(word) for word in done.stdout.split()]


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[SmallDisk]:
    with small_disk(tmp_path / "disk", "size=64m") as made:
        yield made


@pytest.mark.row("F3", "B5")
def test_what_a_full_disk_does_not_take_is_appended_in_its_order_when_there_is_room(disk: SmallDisk) -> None:
    saver = Saver(disk)
    try:
        saver.ask(1)
        saver.read("1")
        disk.resize(0)
        saver.ask(1)
        saver.read("2")  # the ballast makes room for it
        assert (disk.seen / "ballast").stat().st_size < 1024 * 1024
        saver.ask(2000)  # and for some of these
        until(lambda: not (disk.seen / "ballast").exists(), 20)
        until(lambda: len(saver.recorded()) > 100, 20)
        some = saver.recorded()
        assert some == list(range(1, len(some) + 1)) and len(some) < 2000
        disk.remount("size=64m")
        saver.read("2002")
        assert saver.recorded() == list(range(1, 2003)), "nothing is lost, nothing is twice, all is in its order"
        assert [word for word in saver.said if word.isdigit()] == [str(n) for n in range(1, 2003)]
    finally:
        saver.kill()


@pytest.mark.row("F3")
def test_without_the_ballast_nothing_at_all_is_recorded_on_a_full_disk(disk: SmallDisk) -> None:
    """The control of the test above."""
    saver = Saver(disk, "none")
    try:
        saver.ask(1)
        saver.read("1")
        disk.resize(0)
        saver.ask(20)
        saver.ask(20)
    finally:
        saver.stop()
    assert saver.recorded() == [1]
    assert len([line for line in saver.said if "disk that holds the log is full" in line]) == 40


@pytest.mark.row("F3", "F6")
@pytest.mark.parametrize(("left", "end"), [(0, Saver.kill), (20_000, Saver.kill), (300_000, Saver.stop)])
def test_an_end_while_the_disk_is_full_leaves_every_record_that_was_confirmed(
    disk: SmallDisk, left: int, end: Callable[[Saver], None]
) -> None:
    saver = Saver(disk)
    try:
        saver.ask(1)
        saver.read("1")
        disk.resize(left)
        saver.ask(3000)
        until(lambda: not (disk.seen / "ballast").exists(), 20)
        until(lambda: len(saver.recorded()) > 20, 20)
    finally:
        end(saver)
    found = saver.recorded()  # the disk is still full: it can be read
    assert found == list(range(1, len(found) + 1)) and len(found) > 20
    assert {int(word) for word in saver.said if word.isdigit()} <= set(found)
    disk.remount("size=64m")
    assert saver.recorded() == found
