"""The process adapter on a real loop: launching, waiting, stopping, and what happens when a shim is killed."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from process_rig import Mark, alive, boxed, canary, kinds, patched

from console.adapters import own, processes, proctree, shim, shimmed
from console.adapters.processes import ShimProcesses, ancestors, prepare_supervisor, process_start_time
from console.adapters.shimmed import ShimRun
from console.core.records import ProcessEnd, Sandbox
from console.engine.ports import ProcessSpec

pytestmark = pytest.mark.skipif(not shim.HAVE_PROC, reason="needs /proc")
Make = Callable[..., ProcessSpec]

TREE = "trap '' TERM HUP; setsid sleep 60 & sleep 60 & echo ready; while :; do sleep 1; done"


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
def make(tmp_path: Path, mark: Mark) -> Make:
    def spec(*argv: str, **more: Any) -> ProcessSpec:
        given: dict[str, Any] = {
            "cwd": str(tmp_path),
            "env": mark.env,
            "output": str(tmp_path / "output"),
            "grace": 1.0,
        }
        return ProcessSpec(argv=argv, **(given | more))

    return spec


@pytest.fixture
def subreaper() -> Iterator[None]:
    assert prepare_supervisor()
    yield
    ctypes.CDLL(None).prctl(36, 0, 0, 0, 0)


async def soon(condition: Callable[[], Any], seconds: float = 10.0) -> None:
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.01)


async def started(port: ShimProcesses, spec: ProcessSpec) -> ShimRun:
    run = await port.launch(spec)
    assert isinstance(run, ShimRun), run
    return run


async def ended(port: ShimProcesses, spec: ProcessSpec) -> ProcessEnd:
    run = await port.launch(spec)
    return run if isinstance(run, ProcessEnd) else await run.wait()


def fds() -> int:
    return len(os.listdir("/proc/self/fd"))


def own_children() -> set[int]:
    return {pid for pid, proc in shim.proc_table().items() if proc.ppid == os.getpid()}


def own_zombies() -> list[int]:
    """Dead children of ours that nobody has collected, without what earlier tests of this process were left."""
    table = shim.proc_table()
    return [pid for pid, proc in table.items() if proc.ppid == os.getpid() and proc.dead and pid not in INHERITED]


INHERITED: set[int] = set()


@pytest.fixture(autouse=True)
def _inherited() -> None:
    INHERITED.clear()
    INHERITED.update(own_zombies())


# -- the plain way


async def test_the_end_reaches_everybody_who_waits(make: Make) -> None:
    run = await started(ShimProcesses(), make("sh", "-c", "sleep 0.2; exit 7"))
    impatient = asyncio.create_task(run.wait())
    others = [asyncio.create_task(run.wait()) for _ in range(3)]
    await asyncio.sleep(0)
    impatient.cancel()
    ends = await asyncio.gather(*others)
    assert ends == [await run.wait()] * 3
    assert (ends[0].how, ends[0].code, ends[0].stopped) == ("exited", 7, False)
    with contextlib.suppress(asyncio.CancelledError):
        await impatient


async def test_it_knows_the_processes_it_started(make: Make) -> None:
    run = await started(ShimProcesses(), make("sleep", "60"))
    assert run.start_time == process_start_time(run.pid)
    assert run.shim_start == process_start_time(run.shim_pid)
    assert ancestors(run.pid)[:2] == [(run.shim_pid, run.shim_start), (os.getpid(), process_start_time(os.getpid()))]
    run.stop(0)
    run.stop(0)
    run.stop()
    end = await run.wait()
    assert end.how == "signaled" and end.stopped
    run.stop()


@pytest.mark.parametrize(
    ("argv", "more", "word"),
    [(("no-such-thing",), {}, "no-such-thing"), (("true",), {"cwd": "/no/such/place"}, "/no/such/place"), ((), {}, "")],
)
async def test_what_cannot_start_is_an_end(make: Make, argv: tuple[str, ...], more: dict[str, str], word: str) -> None:
    before = fds()
    port = ShimProcesses()
    for stdio in ("file", "pipes"):
        end = await port.launch(make(*argv, stdio=stdio, **more))
        assert isinstance(end, ProcessEnd) and end.how == "not-started"
        assert end.reason and word in end.reason
    await soon(lambda: fds() == before)


async def test_a_shim_that_cannot_start_is_an_end_too(make: Make) -> None:
    before = fds()
    end = await ShimProcesses(python="/no/such/python").launch(make("true"))
    assert isinstance(end, ProcessEnd) and end.how == "not-started" and "/no/such/python" in end.reason
    assert fds() == before


async def test_a_shim_that_fails_says_so(make: Make, tmp_path: Path) -> None:
    broken = patched(
        tmp_path, ("        self.orders()\n        while", '        raise RuntimeError("oops")\n        while')
    )
    end = await ended(ShimProcesses(program=broken), make("sleep", "60"))
    assert end.how == "lost" and "RuntimeError: oops" in end.reason


async def test_leftovers_are_named(make: Make, agent: str, mark: Mark) -> None:
    end = await ended(ShimProcesses(), make("sh", "-c", f"setsid {agent} 77 & exit 0"))
    assert (end.how, end.code) == ("exited", 0)
    assert [leftover.command.split()[-1] for leftover in end.leftovers] == ["77"]
    assert mark.left() == []


async def test_a_long_text_reaches_stdin(make: Make, tmp_path: Path) -> None:
    end = await ended(ShimProcesses(), make("wc", "-c", stdin="é\n" * 400_000))
    assert end.code == 0
    assert (tmp_path / "output").read_text().strip() == "1200000"


async def test_pipes_go_straight_through(make: Make, tmp_path: Path) -> None:
    run = await started(ShimProcesses(), make("sh", "-c", "echo noise >&2; exec cat", stdio="pipes"))
    assert run.stdin_fd is not None and run.stdout_fd is not None
    assert not os.get_inheritable(run.stdin_fd) and not os.get_inheritable(run.stdout_fd)
    os.write(run.stdin_fd, b"hello\xff\n")
    assert await asyncio.to_thread(os.read, run.stdout_fd, 100) == b"hello\xff\n"
    os.close(run.stdin_fd)
    assert await asyncio.to_thread(os.read, run.stdout_fd, 100) == b""
    end = await run.wait()
    assert (end.how, end.code, end.output_bytes) == ("exited", 0, 6)
    os.close(run.stdout_fd)
    assert (tmp_path / "output").read_text() == "noise\n"


@pytest.mark.row("D3")
async def test_thirty_runs_leave_neither_descriptors_nor_zombies(make: Make, subreaper: None) -> None:
    port = ShimProcesses()
    await ended(port, make("true"))
    await soon(lambda: not own_zombies())
    before = fds()
    for _ in range(30):
        end, _ = await asyncio.gather(ended(port, make("sh", "-c", "(true &) ; exit 7")), port.reap_adopted())
        assert (end.how, end.code) == ("exited", 7)
    await soon(lambda: fds() == before)
    await soon(lambda: not own_zombies())


async def test_several_at_once(make: Make, tmp_path: Path) -> None:
    port = ShimProcesses()
    specs = [make("sh", "-c", f"exit {code}", output=str(tmp_path / str(code))) for code in range(8)]
    ends = await asyncio.gather(*(ended(port, spec) for spec in specs))
    assert [end.code for end in ends] == list(range(8))


def test_it_works_in_a_thread_with_its_own_loop(make: Make, mark: Mark) -> None:
    ends: list[ProcessEnd] = []

    async def main() -> None:
        prepare_supervisor()
        run = await started(ShimProcesses(), make("sh", "-c", "sleep 0.2; exit 3"))
        ends.append(await run.wait())

    thread = threading.Thread(target=lambda: asyncio.run(main()))
    thread.start()
    thread.join(20)
    ctypes.CDLL(None).prctl(36, 0, 0, 0, 0)
    assert [end.code for end in ends] == [3]


# -- stopping


async def test_stop_waits_for_the_grace_of_the_spec(make: Make, mark: Mark) -> None:
    run = await started(ShimProcesses(), make("sh", "-c", TREE, grace=0.3))
    await soon(lambda: mark.count(3))
    run.stop()
    end = await run.wait()
    assert (end.how, end.signal, end.stopped) == ("signaled", 9, True)
    assert mark.left() == []


async def test_a_cancelled_launch_starts_nothing_that_stays(make: Make, mark: Mark) -> None:
    before = fds()
    launch = asyncio.create_task(ShimProcesses().launch(make("sleep", "60", stdio="pipes")))
    await asyncio.sleep(0)
    launch.cancel()
    with pytest.raises(asyncio.CancelledError):
        await launch
    await soon(lambda: fds() == before)
    assert mark.left() == []


# -- losing a shim


@pytest.mark.parametrize("kind", kinds())
@pytest.mark.row("B2")
async def test_a_killed_shim_is_lost_and_its_tree_is_ended(
    make: Make, mark: Mark, subreaper: None, tmp_path: Path, kind: str
) -> None:
    before = fds()
    port = ShimProcesses()
    box = boxed(kind, tmp_path / "locked")
    sandbox = Sandbox(read_only=tuple(box["read_only"]), pids=box["pids"]) if box else None
    run = await started(port, make("sh", "-c", TREE, sandbox=sandbox))
    await soon(lambda: mark.count(4) and set(mark.left()) <= set(run.pins))
    os.kill(run.shim_pid, signal.SIGKILL)
    end = await run.wait()
    assert end.how == "lost" and str(run.shim_pid) in end.reason
    assert end.leftovers or kind == "pids"  # a process namespace may be gone before anybody looks
    assert mark.left() == []
    assert own_zombies() == []
    await soon(lambda: fds() == before)


@pytest.mark.row("B2")
async def test_a_shim_killed_while_it_starts(make: Make, mark: Mark, subreaper: None) -> None:
    before = own_children()
    launch = asyncio.create_task(ShimProcesses().launch(make("sleep", "60")))
    await soon(lambda: own_children() - before)
    os.kill((own_children() - before).pop(), signal.SIGKILL)
    end = await launch
    if isinstance(end, ShimRun):
        end = await end.wait()
    assert end.how == "lost"
    await soon(lambda: not mark.left())


@pytest.mark.row("B2")
async def test_a_shim_that_stands_still_is_given_up(
    make: Make, mark: Mark, subreaper: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shimmed, "OVERDUE", 0.2)
    monkeypatch.setattr(ShimRun, "seen_stopped", lambda run: None)  # what would make it go on
    run = await started(ShimProcesses(), make("sh", "-c", TREE))
    await soon(lambda: mark.count(4) and set(mark.left()) <= set(run.pins))
    os.kill(run.shim_pid, signal.SIGSTOP)
    run.stop(0)
    assert (await run.wait()).how == "lost"
    assert mark.left() == []


@pytest.mark.row("A13")
async def test_strangers_that_come_by_adoption_are_listed_and_left_alone(
    make: Make, agent: str, subreaper: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proctree, "ZOMBIE_AGE", 0.1)
    port = ShimProcesses()
    before = {leftover.pid for leftover in await port.reap_adopted()}  # the canary has a session of its own
    script = f"setsid {agent} 60 >/dev/null 2>&1 & echo $!"
    stranger = int(subprocess.run(["sh", "-c", script], capture_output=True, check=True).stdout)
    run = await started(port, make("sleep", "60"))
    os.kill(run.shim_pid, signal.SIGKILL)
    assert (await run.wait()).how == "lost"
    living = await started(port, make("sleep", "60"))
    assert {leftover.pid for leftover in await port.reap_adopted()} - before == {stranger}
    assert alive(stranger)
    living.stop(0)
    await living.wait()
    os.kill(stranger, signal.SIGKILL)
    await soon(lambda: stranger in own_zombies())
    async with asyncio.timeout(5):
        while own_zombies():
            assert {leftover.pid for leftover in await port.reap_adopted()} == before


@pytest.mark.row("D3")
async def test_a_young_zombie_belongs_to_whoever_started_it(subreaper: None) -> None:
    port = ShimProcesses()
    child = subprocess.Popen(["sh", "-c", "exit 7"])
    await soon(lambda: child.pid in own_zombies())
    await port.reap_adopted()
    await port.reap_adopted()
    assert child.wait(5) == 7


@pytest.mark.row("D3")
async def test_a_git_of_ours_is_never_reaped_however_late_its_caller_is(
    subreaper: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proctree, "ZOMBIE_AGE", 0.0)
    port = ShimProcesses()
    child = subprocess.Popen(["sh", "-c", "exit 7"], start_new_session=True)
    monkeypatch.setattr(own, "PIDS", {child.pid})
    await soon(lambda: child.pid in own_zombies())
    await port.reap_adopted()
    assert child.wait(5) == 7
    other = subprocess.Popen(["sh", "-c", "exit 7"], start_new_session=True)
    await soon(lambda: other.pid in own_zombies())
    await port.reap_adopted()  # the negative control: one that nobody has told of is taken for adopted
    assert other.wait(5) == 0


# -- identity


def test_start_times_and_ancestors(agent: str) -> None:
    assert process_start_time(os.getpid()) == shim.read_stat(os.getpid()).start  # type: ignore[union-attr]
    child = subprocess.Popen([agent, "60"])
    chain = ancestors(child.pid)
    assert chain[0] == (os.getpid(), process_start_time(os.getpid()))
    assert chain[-1][0] == 1
    child.kill()
    child.wait()
    assert process_start_time(child.pid) is None
    assert ancestors(child.pid) == []


@pytest.mark.row("D3")
def test_prepare_supervisor_makes_exit_statuses_visible(subreaper: None) -> None:
    before = signal.getsignal(signal.SIGCHLD), signal.getsignal(signal.SIGHUP)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        assert prepare_supervisor()
        assert subprocess.run(["sh", "-c", "exit 7"], check=False).returncode == 7
        assert signal.getsignal(signal.SIGHUP) == before[1]
    finally:
        signal.signal(signal.SIGCHLD, before[0])


def test_psutil_stays_out_where_there_is_proc() -> None:
    code = f"import sys; from {processes.__name__} import ancestors; ancestors(1); print('psutil' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout == b"False\n"
