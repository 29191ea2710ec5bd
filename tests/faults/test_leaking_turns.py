"""Turn after turn with an agent that leaves servers behind: the process table and our descriptors do not grow."""

from __future__ import annotations

import asyncio
import ctypes
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from trees import SERVER  # first: it knows where the rig is

# isort: split
from process_rig import DAEMON, Mark, boxed, canary, kinds, python

from console.adapters import shim, survivors
from console.adapters.environment import token
from console.adapters.processes import ShimProcesses, prepare_supervisor
from console.adapters.shimmed import ShimRun
from console.core.records import Sandbox
from console.engine.ports import ProcessSpec

pytestmark = pytest.mark.skipif(not shim.HAVE_PROC, reason="needs /proc")

AGENT = f"""
setsid {" ".join(python("$0")[:-1])} "$SERVER" > port 2>/dev/null &
{" ".join(python("$0")[:-1])} "$DAEMON" >/dev/null 2>&1
sh -c 'cat <&3' 3<>wait >/dev/null 2>&1 &
until [ -s port ]; do sleep 0.01; done
echo ready
"""
"""A dev server in its own session, a daemon that forked twice, and a server that waits for its next request."""

WORKSPACE = f"shop-{os.getpid()}"
"""Its own for each worker: what another one runs at the same time is none of ours."""


@pytest.fixture(autouse=True)
def agent(tmp_path: Path) -> Iterator[str]:
    with canary(tmp_path) as program:
        yield program


@pytest.fixture
def mark() -> Iterator[Mark]:
    mark = Mark()
    yield mark
    left = mark.left()
    mark.sweep()
    assert left == []


@pytest.fixture
def subreaper() -> Iterator[None]:
    assert prepare_supervisor()
    yield
    ctypes.CDLL(None).prctl(36, 0, 0, 0, 0)


def spec_of(tmp_path: Path, mark: Mark, script: str, **more: Any) -> ProcessSpec:
    env = mark.env | token(WORKSPACE, "s-1") | {"SERVER": SERVER, "DAEMON": DAEMON}
    (tmp_path / "port").unlink(missing_ok=True)
    if not (tmp_path / "wait").exists():
        os.mkfifo(tmp_path / "wait")
    given: dict[str, Any] = {"cwd": str(tmp_path), "env": env, "output": str(tmp_path / "output"), "grace": 0.5}
    return ProcessSpec(argv=("sh", "-c", script), **(given | more))


async def soon(condition: Callable[[], Any], seconds: float = 10.0) -> None:
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.005)


def below_us() -> set[int]:
    return set(shim.Chain(os.getpid()).tree(shim.proc_table()))


async def leaking_turns(tmp_path: Path, mark: Mark, agent: str, turns: int) -> None:
    port = ShimProcesses()
    await _one_turn(port, tmp_path, mark)
    await soon(lambda: not mark.left())
    baseline, descriptors = below_us(), len(os.listdir("/proc/self/fd"))
    for _ in range(turns):
        commands = await _one_turn(port, tmp_path, mark)
        assert len(commands) >= 3, commands
        await port.reap_adopted()
        # What an earlier test of this process left may go meanwhile: nothing may be there that was not before.
        await soon(lambda: below_us() <= baseline and len(os.listdir("/proc/self/fd")) <= descriptors)
        assert mark.left() == [] and survivors.find(WORKSPACE) == ()
    assert any(shim.command_line(pid).startswith(agent) for pid in baseline)  # the look-alike beside us


async def _one_turn(port: ShimProcesses, tmp_path: Path, mark: Mark) -> list[str]:
    run = await port.launch(spec_of(tmp_path, mark, AGENT))
    assert isinstance(run, ShimRun), run
    end = await run.wait()
    assert (end.how, end.code) == ("exited", 0), end
    listening = int((tmp_path / "port").read_text().split()[1])
    assert any(left.ports == (listening,) for left in end.leftovers), end
    return [left.command for left in end.leftovers]


@pytest.mark.row("A1", "A13")
async def test_five_leaking_turns_leave_the_process_table_as_it_was(
    tmp_path: Path, mark: Mark, agent: str, subreaper: None
) -> None:
    await leaking_turns(tmp_path, mark, agent, 5)


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.row("A1", "A13")
async def test_two_hundred_leaking_turns_leave_the_process_table_as_it_was(
    tmp_path: Path, mark: Mark, agent: str, subreaper: None
) -> None:
    await leaking_turns(tmp_path, mark, agent, 200)


@pytest.mark.row("A13")
@pytest.mark.parametrize("kind", kinds())
async def test_what_runs_below_an_agent_is_listed_without_the_agent(tmp_path: Path, mark: Mark, kind: str) -> None:
    """With its port, its age, and nothing that belongs to the sandbox; nobody is signalled."""
    box = boxed(kind, tmp_path / "locked")
    sandbox = Sandbox(read_only=tuple(box["read_only"]), pids=box["pids"]) if box else None
    spec = spec_of(tmp_path, mark, f"{AGENT}\nexec sleep 50", sandbox=sandbox)
    run = await ShimProcesses().launch(spec)
    assert isinstance(run, ShimRun), run
    try:
        await soon(lambda: b"ready" in (tmp_path / "output").read_bytes())
        listening = int((tmp_path / "port").read_text().split()[1])
        # a shell that has forked for its cat and is not it yet looks like a second shell
        await soon(lambda: sum("cat <&3" in one.text for one in survivors.left_running(run.shim_pid, run.pid)) < 2)
        left = survivors.left_running(run.shim_pid, run.pid)
        # the server, the daemon, the waiting shell (its cat, where the shell did not become it)
        assert len([one for one in left if "cat" not in one.command.split()[0]]) in (2, 3), left
        assert not any("sleep 50" in one.command or "nightdesk" in one.command for one in left), left
        assert [one.ports for one in left if one.ports] == [(listening,)]
        assert all(0 <= one.age < 30 for one in left)
        assert survivors.left_running(run.shim_pid, run.pid) == left or mark.count(4)
        assert survivors.find(WORKSPACE, shims=[run.shim_pid]) == survivors.find(WORKSPACE) == ()
    finally:
        run.stop(0)
        await run.wait()
    assert survivors.left_running(run.shim_pid, run.pid) == ()
