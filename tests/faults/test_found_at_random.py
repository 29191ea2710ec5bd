"""What random plays have found, each as the smallest case that shows it."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "nights"))

from harness import alive, until
from nightrig import NightRig

from console import wiring
from console.adapters import proctree, shim
from console.adapters.lock import Lock
from console.adapters.processes import prepare_supervisor
from console.core import commands as cmd
from console.core import events as ev
from console.core import session_fold
from console.core.records import Launch
from console.core.sessions import Session

PARENT = """
import os, signal, time
signal.alarm(50)
if os.fork() == 0:
    os.setsid()
    signal.alarm(50)
    print(os.getpid(), flush=True)
time.sleep(50)
"""


@pytest.fixture
def subreaper() -> Iterator[None]:
    assert prepare_supervisor()
    yield
    ctypes.CDLL(None).prctl(36, 0, 0, 0, 0)


@pytest.mark.row("B2")
@pytest.mark.skipif(not shim.HAVE_PROC, reason="needs /proc")
def test_a_child_seen_below_a_pinned_process_is_ended_although_its_parent_dies_first(
    subreaper: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A command dies with its shim: often between the first look at what it left and the next one."""
    parent = subprocess.Popen([sys.executable, "-I", "-S", "-c", PARENT], stdout=subprocess.PIPE)
    assert parent.stdout
    child = int(parent.stdout.readline())
    strike = proctree.Inheritance.strike

    def late(heirs: proctree.Inheritance, deadline: float) -> None:
        os.kill(parent.pid, signal.SIGKILL)
        until(lambda: (stat := shim.read_stat(child)) is None or stat.ppid == os.getpid(), 5, "the adoption")
        strike(heirs, deadline)

    monkeypatch.setattr(proctree.Inheritance, "strike", late)
    stat = shim.read_stat(parent.pid)
    assert stat
    try:
        ended = proctree.end_pinned({parent.pid: stat.start}, 5.0)
        assert not ended.stuck and {one.pid for one in ended.found} == {parent.pid, child}
        assert not alive(child)
    finally:
        parent.stdout.close()
        if alive(child):
            os.kill(child, signal.SIGKILL)
        parent.wait()


@pytest.mark.row("B3")
def test_a_start_that_is_refused_beside_survivors_does_not_make_them_forgotten() -> None:
    s = Session(session="s-1", label="x", preset="", launch=Launch(argv=("x",)), cwd="/w", worktree="/w", phase="ready")
    s = session_fold.fold(s, ev.SessionInterrupted(session="s-1", run=1), 1, 1.0)
    s = session_fold.fold(s, ev.Exited(session="s-1", run=2, how="not-started", reason="123 still runs"), 2, 2.0)
    assert s.unproven, "its worktree is looked at before the next start too"
    s = session_fold.fold(s, ev.SessionStarted(session="s-1", run=3, pid=5), 3, 3.0)
    assert not s.unproven


@pytest.mark.row("F1")
def test_a_stop_reaches_a_supervisor_that_had_the_lock_but_had_not_begun_to_listen(tmp_path: Path) -> None:
    rig = NightRig(tmp_path)
    rig.ready()
    here = wiring.locate(rig.repo, rig.env)
    assert isinstance(here, wiring.Here)
    lock = Lock(here.places.lock)
    assert lock.take("a supervisor that comes up")
    client = wiring.client(here)
    stop = rig.start("stop", "--timeout", "30")

    def asked() -> int:
        return sum(isinstance(entry.fact, ev.SupervisorStopRequested) for entry in client.journal.since(0))

    try:
        until(asked, 30, "the request")
        client.journal.submit(started())
        until(lambda: asked() == 2, 20, "the request, said again to the one that has come up")
        lock.release()
        out, _ = stop.communicate(timeout=30)
        assert (stop.returncode, out) == (0, "stopped\n")
    finally:
        client.close()
        stop.kill()
        stop.communicate()


def started() -> cmd.Report:
    fact = ev.SupervisorStarted(pid=os.getpid(), start_time=int(time.monotonic()), host="h", version="0")
    return cmd.Report(facts=(fact,))
