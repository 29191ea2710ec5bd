"""What a shim leaves that was never seen below it, as when an agent kills its own shim as soon as it has a daemon."""

from __future__ import annotations

import asyncio
import ctypes
import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from process_rig import alive, canary, patched, python

from console.adapters import newcomers, own, processes, proctree, shim
from console.adapters.processes import ShimProcesses, is_alive, prepare_supervisor
from console.adapters.shimmed import ShimRun
from console.engine.ports import ProcessSpec

pytestmark = [pytest.mark.skipif(not shim.HAVE_PROC, reason="needs /proc"), pytest.mark.row("B2")]
Start = Callable[..., Any]

DAEMON = """
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        open("daemon.draft", "w").write(str(os.getpid()))
        os.rename("daemon.draft", "daemon")
        os.execve("/bin/sleep", ["innocent", "%s"], {})
    os._exit(0)
time.sleep(50)
"""
"""A daemon in a session of its own that carries nothing along. It may run for so many seconds."""
DEAF = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
CHAIN = """
import os, time
if os.fork() == 0:
    os.setsid()
    open("daemon", "w").close()
    end = time.time() + 40
    while time.time() < end and not os.path.exists("enough"):
        time.sleep(0.005)
        if os.fork():
            os._exit(0)
    os._exit(0)
time.sleep(50)
"""
"""Each process lives only until it has a successor."""


@pytest.fixture(autouse=True)
def agent(tmp_path: Path) -> Iterator[str]:
    with canary(tmp_path) as program:
        yield program


@pytest.fixture(autouse=True)
def subreaper() -> Iterator[None]:
    assert prepare_supervisor()
    yield
    ctypes.CDLL(None).prctl(36, 0, 0, 0, 0)


@pytest.fixture
def looks_rarely(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is begun is not seen before the shim dies."""
    monkeypatch.setattr(processes, "PIN_EVERY", 60.0)
    monkeypatch.setattr(processes, "PIN_YOUNG", 60.0)
    monkeypatch.setattr(processes, "UNSEEN_PATIENCE", 0.5)


@pytest.fixture
def start(tmp_path: Path) -> Start:
    async def start(port: ShimProcesses, code: str) -> ShimRun:
        where, env = str(tmp_path), {"PATH": os.environ["PATH"]}
        what = ProcessSpec(argv=tuple(python(code)), cwd=where, env=env, output=f"{where}/out", grace=0.1)
        run = await port.launch(what)
        assert isinstance(run, ShimRun), run
        await soon((tmp_path / "daemon").exists)
        return run

    return start


async def soon(condition: Callable[[], Any], seconds: float = 10.0) -> None:
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.01)


def daemon(folder: Path) -> int:
    return int((folder / "daemon").read_text())


@pytest.mark.usefixtures("looks_rarely")
async def test_a_daemon_that_nobody_saw_is_named_and_left_alone_and_the_run_is_not_over(
    tmp_path: Path, start: Start
) -> None:
    port = ShimProcesses()
    run = await start(port, DAEMON % 50)
    pid = daemon(tmp_path)
    try:
        os.kill(run.shim_pid, signal.SIGKILL)
        end = await run.wait()
        assert end.how == "unkillable" and pid in {one.pid for one in end.leftovers}
        assert f"{pid} (innocent 50, in {tmp_path})" in end.reason and f"kill {pid}" in end.reason
        assert alive(pid) and shim.read_stat(pid).state != "T"  # type: ignore[union-attr]
        assert not is_alive(run.shim_pid, run.shim_start) and port.alive(run.shim_pid, run.shim_start)
    finally:
        os.kill(pid, signal.SIGKILL)
    await soon(lambda: not port.alive(run.shim_pid, run.shim_start))


@pytest.mark.usefixtures("looks_rarely")
async def test_negative_control_without_the_look_nobody_knows_of_it(
    tmp_path: Path, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(newcomers.Newcomers, "there", lambda found: False)
    port = ShimProcesses()
    run = await start(port, DAEMON % 50)
    os.kill(run.shim_pid, signal.SIGKILL)
    end = await run.wait()
    assert alive(daemon(tmp_path)) and end.how == "lost"
    assert not port.alive(run.shim_pid, run.shim_start)
    os.kill(daemon(tmp_path), signal.SIGKILL)


@pytest.mark.usefixtures("looks_rarely")
async def test_what_soon_ends_by_itself_is_nothing(start: Start) -> None:
    run = await start(ShimProcesses(), DAEMON % 0.3)
    os.kill(run.shim_pid, signal.SIGKILL)
    assert (await run.wait()).how == "lost"


@pytest.mark.usefixtures("looks_rarely")
async def test_a_chain_of_short_lives_is_something(tmp_path: Path, start: Start) -> None:
    port = ShimProcesses()
    run = await start(port, CHAIN)
    os.kill(run.shim_pid, signal.SIGKILL)
    assert (await run.wait()).how == "unkillable"
    assert all(port.alive(run.shim_pid, run.shim_start) for _ in range(20))
    (tmp_path / "enough").touch()
    await soon(lambda: not port.alive(run.shim_pid, run.shim_start))


@pytest.mark.usefixtures("looks_rarely")
async def test_what_was_there_before_or_is_our_own_git_is_not_of_the_lost_shim(tmp_path: Path, start: Start) -> None:
    port = ShimProcesses()
    first = await start(port, DAEMON % 50)
    os.kill(first.shim_pid, signal.SIGKILL)
    assert (await first.wait()).how == "unkillable"
    second = await start(port, "import time; time.sleep(50)")
    git = subprocess.Popen(["sleep", "50"], start_new_session=True)
    own.PIDS.add(git.pid)
    try:
        os.kill(second.shim_pid, signal.SIGKILL)
        assert (await second.wait()).how == "lost"
        own.PIDS.discard(git.pid)  # the negative control: unknown, it would count
        assert git.pid in proctree.adopted(shim.proc_table(), ())
    finally:
        own.PIDS.discard(git.pid)
        git.kill()
        git.wait()
        os.kill(daemon(tmp_path), signal.SIGKILL)


async def test_what_a_run_starts_in_its_first_moments_is_seen_soon(
    tmp_path: Path, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "PIN_EVERY", 60.0)
    port = ShimProcesses()
    other = await start(port, "open('daemon', 'w').close(); import time; time.sleep(50)")
    (tmp_path / "daemon").unlink()
    run = await start(port, DAEMON % 50)
    await soon(lambda: daemon(tmp_path) in run.pins, 3.0)
    os.kill(run.shim_pid, signal.SIGKILL)
    assert (await run.wait()).how == "lost" and not alive(daemon(tmp_path))
    other.stop(0)
    await other.wait()


async def test_a_guard_that_is_killed_leaves_what_it_guarded_as_there(tmp_path: Path, start: Start) -> None:
    """A shim that could not end its tree (here: never strikes) keeps the worktree taken; so does what it leaves."""
    idle = patched(
        tmp_path,
        ("            self.strike(max(deadline, time.monotonic() + SETTLE))\n", ""),
        ("KILL_LIMIT = 5.0", "KILL_LIMIT = 0.1"),
    )
    port = ShimProcesses(program=idle)
    run = await start(port, DEAF + DAEMON % 50)
    pid = daemon(tmp_path)
    try:
        await soon(lambda: pid in run.pins)
        run.stop(0)
        assert (await run.wait()).how == "unkillable"
        os.kill(run.shim_pid, signal.SIGKILL)
        await soon(lambda: not is_alive(run.shim_pid, run.shim_start))
        await soon(lambda: not port.shims())
        assert alive(pid) and port.alive(run.shim_pid, run.shim_start)
    finally:
        os.kill(pid, signal.SIGKILL)
    await soon(lambda: not port.alive(run.shim_pid, run.shim_start))
