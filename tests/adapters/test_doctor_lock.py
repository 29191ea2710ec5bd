"""What the doctor says of the workspace's lock and its holder, with real holders; its cures are run."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from process_rig import until

from console.adapters import shim
from console.adapters.boot import boot_id
from console.adapters.doctor import holders, locks, peeking
from console.adapters.doctor.findings import Finding
from console.adapters.doctor.ground import Ground
from console.adapters.git.finding import named
from console.adapters.places import places
from console.core.drain import Run
from console.core.records import RunSettings, Who
from console.core.state import Holder, State
from console.engine.ports import Workspace

pytestmark = pytest.mark.skipif(not shim.HAVE_PROC, reason="needs /proc")

HOLDER = """
import os, signal, sys, time
signal.alarm(60)
from pathlib import Path
from console.adapters.beat import BeatFile
from console.adapters.lock import Lock
from console.adapters.processes import process_start_time
state = Path(sys.argv[1])
lock = Lock(state / "lock")
assert lock.take("somebody")
beat = BeatFile(state / "beat", os.getpid(), process_start_time(os.getpid()))
beat.beat(0.0)
print("held", flush=True)
while True:
    time.sleep(0.05)
    if sys.argv[2] == "beating":
        beat.beat(0.0)
"""


class Desk:
    """A workspace with a state folder, a log that says what a test wants, and whoever holds its lock."""

    def __init__(self, folder: Path) -> None:
        self.environ = {"HOME": str(folder), "PATH": os.environ["PATH"]}
        self.root, self.state = folder / "shop", State()
        where = self.ground().places
        assert where is not None
        self.places = where
        self.places.make()
        self.holder: subprocess.Popen[str] | None = None

    def ground(self) -> Ground:
        workspace = named(str(self.root), str(self.root / ".git"))
        assert isinstance(workspace, Workspace)
        g = Ground(environ=self.environ, workspace=workspace, places=places(workspace, self.environ))
        g.__dict__["log"] = peeking.Read(self.state)
        return g

    def look(self) -> tuple[Finding, ...]:
        return locks.look(self.ground()).findings

    def hold(self, how: str = "beating") -> int:
        command = [sys.executable, "-c", HOLDER, str(self.places.state), how]
        self.holder = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.holder.stdout is not None and self.holder.stdout.readline() == "held\n"
        return self.holder.pid

    def names(self, pid: int, *, running: bool = True) -> None:
        """The log's last supervisor is this process."""
        stat = shim.read_stat(pid)
        self.state.supervisor = Holder(
            pid=pid,
            start_time=stat.start if stat else 0,
            host=os.uname().nodename,
            version="1",
            at=time.time() - 60,
            running=running,
            boot=boot_id(),
        )

    def close(self) -> None:
        if self.holder:
            self.holder.kill()
            self.holder.wait()
            assert self.holder.stdout is not None
            self.holder.stdout.close()


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path)
    yield desk
    desk.close()


def test_nobody_supervises_and_nothing_is_open(desk: Desk) -> None:
    look = locks.look(desk.ground())
    assert look.findings == () and "nobody supervises" in look.well
    assert not desk.places.lock.exists()  # looking makes none


def test_a_supervisor_that_beats_is_well_and_told_by_the_kernel(desk: Desk) -> None:
    pid = desk.hold()
    desk.names(pid)
    assert holders.holding(desk.places.lock) == holders.Holding((pid,), True)
    look = locks.look(desk.ground())
    assert look.findings == () and f"pid {pid}" in look.well


def test_a_stopped_holder_goes_on_by_the_command_that_is_shown(desk: Desk) -> None:
    pid = desk.hold()
    desk.names(pid)
    os.kill(pid, signal.SIGSTOP)
    until(lambda: shim.read_stat(pid).state == "T")  # type: ignore[union-attr]
    (one,) = desk.look()
    assert one.level == "fault" and "is stopped" in one.what and one.cure == f"kill -CONT {pid}" and not one.mend
    subprocess.run(["sh", "-c", one.cure], check=True, timeout=5)
    until(lambda: desk.look() == ())


def test_a_silent_holder_is_told_after_two_looks(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locks, "SILENT", 0.4)
    pid = desk.hold("silent")
    desk.names(pid)
    g = desk.ground()
    before = locks.glance(g)
    assert before.sign is not None and before.sign[0] == pid
    (one,) = locks.look(g, before).findings
    assert one.level == "fault" and f"pid {pid} " in one.what and "has not beaten for 0.4 s" in one.what
    assert "standby" in one.cure and f"kill {pid}" in one.cure
    assert time.monotonic() - before.seen >= 0.4


def test_one_beat_between_the_looks_is_enough(desk: Desk) -> None:
    pid = desk.hold()
    desk.names(pid)
    began = time.monotonic()
    assert desk.look() == ()
    assert time.monotonic() - began < locks.SILENT


def test_a_supervisor_whose_beat_cannot_be_written(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    pid = desk.hold("silent")
    desk.names(pid)
    desk.places.beat.unlink()
    assert desk.look() == ()  # it has just begun
    monkeypatch.setattr(locks, "SILENT", 0.0)
    (one,) = desk.look()
    assert one.level == "warning" and "has no beat" in one.what and str(desk.places.beat) in one.cure


def test_a_run_that_is_open_with_nobody_supervising(desk: Desk) -> None:
    run = Run(run="r-1", settings=RunSettings(), by=Who(user="ada"), started_at=time.time() - 7200, seq=1)
    desk.state.runs["r-1"] = run
    (one,) = desk.look()
    assert one.level == "fault" and "r-1, begun 2 h ago" in one.what and one.cure.startswith("nightdesk --workspace")
    assert str(desk.root) in one.cure and " run " in one.cure and "standby" in one.cure
    pid = desk.hold()
    desk.names(pid)
    assert desk.look() == ()


def test_a_lock_file_that_was_exchanged_is_told(desk: Desk) -> None:
    pid = desk.hold()
    desk.names(pid)
    desk.places.lock.unlink()
    desk.places.lock.touch(mode=0o600)
    (one,) = desk.look()
    assert one.level == "fault" and "a second one could start" in one.what and one.cure == f"kill {pid}"


def test_a_holder_that_the_log_does_not_name(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    pid = desk.hold()
    desk.names(os.getpid())
    assert desk.look() == ()  # it has just begun, and will say so
    monkeypatch.setattr(locks, "SILENT", 0.0)
    monkeypatch.setattr(locks, "_silent", lambda _g, _before: False)
    (one,) = desk.look()
    assert one.level == "warning" and f"the log names pid {os.getpid()}" in one.what and str(pid) in one.what


def test_a_reused_pid_in_the_log_is_nobody(desk: Desk) -> None:
    """The process that has the dead supervisor's number now is innocent, and is not named."""
    desk.names(os.getpid())
    assert desk.state.supervisor is not None
    desk.state.supervisor = Holder(
        pid=os.getpid(), start_time=1, host=os.uname().nodename, version="1", at=1.0, running=True, boot=boot_id()
    )
    assert desk.look() == ()


def test_a_lock_on_a_network_file_system(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locks, "text_of", lambda _path: f"server:/x {desk.places.state} nfs4 rw 0 0\n")
    (one,) = desk.look()
    assert one.level == "fault" and "nfs4" in one.what and "XDG_STATE_HOME" in one.cure


def test_a_lock_that_cannot_be_looked_at(desk: Desk) -> None:
    desk.places.lock.symlink_to(desk.places.lock)
    (one,) = desk.look()
    assert one.level == "fault" and "nobody can tell who supervises" in one.what and one.cure.startswith("ls -ld ")


def test_the_last_words_of_a_supervisor_that_stood_still(desk: Desk) -> None:
    words = desk.places.state / "deadman.txt"
    words.touch()
    assert desk.look() == ()
    words.write_text("Thread 1: stuck\n")
    (one,) = desk.look()
    assert one.level == "advice" and str(words) in one.what and one.cure == f"less -- {words}"
