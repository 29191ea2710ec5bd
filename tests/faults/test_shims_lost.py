"""Rows B of the fault matrix, as far as they are about processes: supervisors and shims that die, stop or go blind."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import errno
import json
import os
import random
import select
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from trees import SERVER, SMALL_DISK, SUPERVISOR  # first: it knows where the rig is

# isort: split
from process_rig import DAEMON, Driven, Mark, alive, as_root, canary, patched, python, until

from console.adapters import listening, processes, shim, survivors
from console.adapters.environment import token
from console.adapters.processes import ShimProcesses, is_alive, prepare_supervisor
from console.adapters.shimmed import ShimRun
from console.core.records import Refused
from console.engine.ports import ProcessSpec

pytestmark = pytest.mark.skipif(not shim.HAVE_PROC, reason="needs /proc")

DEAF = "trap '' TERM HUP INT; setsid sleep 50 & sleep 50 & echo ready; while :; do sleep 1; done"
KILLED = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"


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


@pytest.fixture
def spec(tmp_path: Path, mark: Mark) -> Callable[..., ProcessSpec]:
    def make(*argv: str, **more: Any) -> ProcessSpec:
        given: dict[str, Any] = {"cwd": str(tmp_path), "env": mark.env, "output": str(tmp_path / "output")}
        return ProcessSpec(argv=argv, **(given | {"grace": 0.3} | more))

    return make


async def soon(condition: Callable[[], Any], seconds: float = 10.0) -> None:
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.01)


async def started(port: ShimProcesses, what: ProcessSpec) -> ShimRun:
    run = await port.launch(what)
    assert isinstance(run, ShimRun), run
    return run


# -- the supervisor


def supervisor(mark: Mark, folder: Path, then: str, *, order_after: float = 30.0, **more: Any) -> tuple[Any, int]:
    """A supervisor of one deaf tree, in a process of its own; with it the pid of its shim."""
    script = f"trap '' TERM; {' '.join(python('$0')[:-1])} \"$DAEMON\"; {DEAF}"
    order = {"argv": ["sh", "-c", script], "cwd": str(folder), "stdio": "file", "stdin": "", "grace": 0.1}
    order |= {"env": mark.env | {"DAEMON": DAEMON} | more.get("env", {})}
    order |= {"output": str(folder / "out"), "head": 1000, "tail": 1000}
    program = str(more.get("program", shim.__file__))
    command = [sys.executable, "-c", SUPERVISOR, program, json.dumps(order), str(order_after), then]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout
    return process, int(process.stdout.readline())


def gone(mark: Mark, limit: float) -> float:
    """Seconds until nothing of it was left."""
    began = time.monotonic()
    while mark.left():
        assert time.monotonic() - began < limit, f"still there: {[shim.command_line(pid) for pid in mark.left()]}"
        time.sleep(0.005)
    return time.monotonic() - began


def close(process: Any) -> None:
    process.kill()
    process.wait(10)
    process.stdout.close()
    process.stderr.close()


def killed_at(moment: float, mark: Mark, folder: Path) -> None:
    """Kill a supervisor `moment` seconds after its shim was started; the order to end comes at 0.25 s, the freeze at
    about 0.35 s."""
    process, _ = supervisor(mark, folder, "", order_after=0.25)
    began = time.monotonic()
    select.select([], [], [], moment)
    close(process)
    gone(mark, shim.HURRY_GRACE + 1.0)
    assert time.monotonic() - began < moment + shim.HURRY_GRACE + 2.0


@pytest.mark.row("B1")
@pytest.mark.parametrize("moment", [0.0, 0.04, 0.15, 0.3, 0.355, 0.37])
def test_a_supervisor_killed_at_any_moment_leaves_nothing(mark: Mark, tmp_path: Path, moment: float) -> None:
    killed_at(moment, mark, tmp_path)


@pytest.mark.slow
@pytest.mark.row("B1")
@pytest.mark.parametrize("seed", range(40))
def test_a_supervisor_killed_at_forty_moments_leaves_nothing(mark: Mark, tmp_path: Path, seed: int) -> None:
    killed_at(random.Random(seed).uniform(0.0, 0.5), mark, tmp_path)


@pytest.mark.row("B4")
@pytest.mark.parametrize(
    ("then", "code", "words"),
    [
        ("raise RuntimeError('boom')", 1, "RuntimeError: boom"),
        ("faulthandler.dump_traceback_later(0.1, exit=True); re.match('(a+)+$', 'a' * 40 + 'b')", 1, "Timeout"),
        ("os.abort()", -signal.SIGABRT, ""),
    ],
)
def test_a_supervisor_that_fails_takes_everything_along(
    mark: Mark, tmp_path: Path, then: str, code: int, words: str
) -> None:
    process, _ = supervisor(mark, tmp_path, then, order_after=0.2)
    _, said = process.communicate(timeout=20)
    assert process.returncode == code and words in said, said
    gone(mark, shim.HURRY_GRACE + 1.0)


# -- both at once


@pytest.mark.row("B3", "A14")
def test_what_outlives_supervisor_and_shim_is_found_by_its_token_and_left_alone(mark: Mark, tmp_path: Path) -> None:
    server = " ".join([*python("$0")[:-1], '"$SERVER"'])
    env = token("shop-12ab", "s-1") | {"SERVER": SERVER}
    process, shim_pid = supervisor(mark, tmp_path, "", env=env)
    until(lambda: mark.count(4))
    assert survivors.find("shop-12ab") == ()  # a shim holds them
    extra = subprocess.Popen(["sh", "-c", f"exec {server}"], env=mark.env | env, stdout=subprocess.PIPE)
    try:
        assert extra.stdout
        port = int(extra.stdout.readline().split()[1])
        os.kill(shim_pid, signal.SIGSTOP)
        close(process)
        os.kill(shim_pid, signal.SIGKILL)
        until(lambda: not alive(shim_pid))
        until(lambda: not any("while :" in shim.command_line(pid) for pid in mark.left()))  # the agent itself
        found = survivors.find("shop-12ab")
        assert not isinstance(found, Refused)
        assert {one.process.pid for one in found} == set(mark.left()) and len(found) >= 3
        assert {one.session for one in found} == {"s-1"}
        (listener,) = [one for one in found if one.process.pid == extra.pid]
        assert listener.process.ports == (port,) and 0 <= listener.process.age < 60
        assert f"{extra.pid} " in listener.text and f"port {port}" in listener.text and "of s-1" in listener.text
        assert survivors.find("shop-12ab", sessions=["s-2"]) == survivors.find("shop-12") == ()
        assert len(survivors.lines("shop-12ab", ["s-1"], ())) == len(found)
        assert set(mark.left()) == {one.process.pid for one in found}  # nobody was signalled
    finally:
        close(process)
        with contextlib.suppress(ProcessLookupError):
            os.kill(shim_pid, signal.SIGKILL)
        extra.kill()
        extra.communicate(timeout=10)
        mark.sweep()


@pytest.mark.row("A14")
def test_a_process_that_somebody_else_started_for_the_agent_lives_and_is_listed(mark: Mark, tmp_path: Path) -> None:
    """An outside daemon (tmux, at, a service manager) that starts what it is told to, with the agent's environment."""
    fifo = tmp_path / "ask"
    os.mkfifo(fifo)
    outside = subprocess.Popen(["sh", "-c", f"read -r what < {fifo}; exec env $what sleep 50"])
    env = token("shop-12ab", "s-7")
    words = " ".join(f"{name}={value}" for name, value in env.items())
    run = Driven(tmp_path, ["sh", "-c", f"echo {words} > {fifo}"], mark.env | env)
    try:
        assert run.line("end")["leftovers"] == []
        until(lambda: shim.command_line(outside.pid) == "sleep 50")
        found = survivors.find("shop-12ab")
        assert not isinstance(found, Refused)
        assert [(one.process.pid, one.session) for one in found] == [(outside.pid, "s-7")]
        assert outside.poll() is None
    finally:
        run.close()
        outside.kill()
        outside.wait()


def test_survivors_that_cannot_be_looked_for_are_not_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def blind() -> dict[int, shim.Proc]:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    monkeypatch.setattr(shim, "proc_table", blind)
    assert isinstance(survivors.find("shop-12ab"), Refused)
    (line,) = survivors.lines("shop-12ab", ["s-1"], ())
    assert "not known" in line and "Too many open files" in line
    (entry,) = survivors.left_running(1, 2)
    assert "nothing could be seen" in entry.text


# -- the shim


@pytest.mark.row("B2")
async def test_a_shim_that_is_stopped_while_nothing_was_ordered_goes_on(
    spec: Callable[..., ProcessSpec], mark: Mark, subreaper: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "PIN_EVERY", 0.05)
    run = await started(ShimProcesses(), spec("sh", "-c", DEAF))
    await soon(lambda: set(mark.left()) <= set(run.pins) and mark.count(3))
    os.kill(run.shim_pid, signal.SIGSTOP)
    await soon(lambda: shim.read_stat(run.shim_pid).state in "SR", 2.0)  # type: ignore[union-attr]
    assert mark.count(3)
    run.stop(0)
    assert (await run.wait()).how == "signaled"


@pytest.mark.row("B2")
async def test_a_shim_that_is_stopped_again_is_lost_and_its_tree_is_ended(
    spec: Callable[..., ProcessSpec], mark: Mark, subreaper: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "PIN_EVERY", 0.05)
    run = await started(ShimProcesses(), spec("sh", "-c", DEAF))
    await soon(lambda: set(mark.left()) <= set(run.pins) and mark.count(3))
    async with asyncio.timeout(5):
        while is_alive(run.shim_pid, run.shim_start):
            os.kill(run.shim_pid, signal.SIGSTOP)
            await asyncio.sleep(0.01)
        end = await run.wait()
    assert end.how == "lost" and mark.left() == []


@pytest.mark.row("B1", "B2")
async def test_a_shim_killed_between_stop_and_kill_leaves_nobody_stopped(
    spec: Callable[..., ProcessSpec], mark: Mark, subreaper: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(processes, "PIN_EVERY", 0.05)
    dawdling = patched(tmp_path, ("            self.note(self.chain.frozen)\n", "            time.sleep(30)\n"))
    run = await started(ShimProcesses(program=dawdling), spec("sh", "-c", DEAF))
    await soon(lambda: set(mark.left()) <= set(run.pins) and mark.count(3))
    run.stop(0)
    await soon(lambda: {shim.read_stat(pid).state for pid in mark.left()} == {"T"})  # type: ignore[union-attr]
    os.kill(run.shim_pid, signal.SIGKILL)
    end = await run.wait()
    assert end.how == "lost" and len(end.leftovers) >= 2
    assert mark.left() == []


@pytest.mark.row("B2", "A16")
async def test_a_lost_shims_tree_that_cannot_be_seen_counts_as_there(
    spec: Callable[..., ProcessSpec], mark: Mark, subreaper: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "PIN_EVERY", 0.05)
    monkeypatch.setattr(shim, "KILL_LIMIT", 0.3)
    port = ShimProcesses()
    run = await started(port, spec("sh", "-c", DEAF))
    await soon(lambda: set(mark.left()) <= set(run.pins) and mark.count(3))
    pins, table = dict(run.pins), shim.proc_table

    def blind() -> dict[int, shim.Proc]:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    monkeypatch.setattr(shim, "proc_table", blind)
    await asyncio.sleep(0.2)  # passes that saw nothing
    assert run.pins == pins
    os.kill(run.shim_pid, signal.SIGKILL)
    end = await run.wait()
    assert end.how == "unkillable" and "Too many open files" in end.reason
    assert not is_alive(run.shim_pid, run.shim_start) and port.alive(run.shim_pid, run.shim_start)
    monkeypatch.setattr(shim, "proc_table", table)
    mark.sweep()
    await soon(lambda: not port.alive(run.shim_pid, run.shim_start))


@pytest.mark.row("B5")
@as_root
def test_an_output_on_a_full_disk_keeps_nobody_from_ending(mark: Mark, tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    small = [*SMALL_DISK, f'mount -t tmpfs -o size=64k none {disk} && exec "$@"', "sh"]
    flood = "trap '' TERM; setsid sleep 50 & yes | head -c 300000; echo; while :; do sleep 1; done"
    run = Driven(tmp_path, ["sh", "-c", flood], mark.env, prefix=small, output=str(disk / "out"))
    try:
        until(lambda: mark.count(3))
        run.order("stop 0.3")
        end = run.line("end")
        assert end["how"] == "signaled" and "No space left" in end["reason"], end
        assert mark.left() == []
    finally:
        run.close()


@pytest.mark.row("B5")
def test_ports_and_age_of_what_is_left_are_told(mark: Mark, tmp_path: Path) -> None:
    code = f"import os\nif os.fork(): os._exit(0)\nos.setsid()\nopen('up', 'w').close()\n{SERVER}"
    code = code.replace("print(", "open('port', 'w').write(str(server.getsockname()[1])); print(")
    wait = "until [ -s port ]; do sleep 0.02; done"
    run = Driven(tmp_path, ["sh", "-c", f'{" ".join(python("$0")[:-1])} "$CODE"; {wait}'], mark.env | {"CODE": code})
    try:
        ((pid, command, ports, age),) = run.line("end")["leftovers"]
        assert ports == [int((tmp_path / "port").read_text())]
        assert pid > 1 and command.startswith(sys.executable) and 0 <= age < 30
        assert mark.left() == []
    finally:
        run.close()


def test_ports_of_a_process_that_is_gone_are_none() -> None:
    child = subprocess.Popen(["true"])
    child.wait()
    assert listening.ports([child.pid, os.getpid()], limit=1.0).get(child.pid) is None
    assert listening.ports([os.getpid()], limit=-1.0) == {}


# -- what nobody can kill


@contextlib.contextmanager
def frozen_disk(folder: Path) -> Iterator[tuple[Path, Callable[[], None], Callable[[], None]]]:
    """An ext4 of its own: where it is, how to freeze it and how to thaw it. Thawed by itself after 20 s."""
    image, point = folder / "image", folder / "disk"
    point.mkdir()
    with open(image, "wb") as file:
        file.truncate(8 << 20)
    try:
        subprocess.run(["mkfs.ext4", "-q", "-F", image], check=True, capture_output=True)
        subprocess.run(["mount", "-o", "loop", image, point], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"no ext4 of our own can be mounted here: {error}")
    leash = subprocess.Popen(["sh", "-c", f"sleep 20; fsfreeze -u {point}"], stderr=subprocess.DEVNULL)

    def thaw() -> None:
        subprocess.run(["fsfreeze", "-u", point], check=False, capture_output=True)

    try:
        yield point, lambda: subprocess.run(["fsfreeze", "-f", point], check=True) and None, thaw
    finally:
        thaw()
        leash.kill()
        leash.wait()
        until(lambda: subprocess.run(["umount", point], check=False, capture_output=True).returncode == 0)


@contextlib.asynccontextmanager
async def measured_loop() -> AsyncIterator[list[float]]:
    """The gaps between ticks of this loop, meanwhile."""
    gaps: list[float] = []

    async def tick() -> None:
        while True:
            began = time.monotonic()
            await asyncio.sleep(0.01)
            gaps.append(time.monotonic() - began)

    task = asyncio.create_task(tick())
    yield gaps
    task.cancel()


@as_root
@pytest.mark.row("A9")
async def test_a_process_in_d_state_is_unkillable_and_guarded_until_it_is_gone(
    spec: Callable[..., ProcessSpec], mark: Mark, tmp_path: Path
) -> None:
    short = patched(tmp_path, ("KILL_LIMIT = 5.0", "KILL_LIMIT = 0.5"))
    port = ShimProcesses(program=short)
    with frozen_disk(tmp_path) as (disk, freeze, thaw):
        run = await started(port, spec("sh", "-c", f"echo ready; while :; do echo x >> {disk}/file; sleep 0.01; done"))
        await soon((disk / "file").exists)
        freeze()
        await soon(lambda: any(shim.read_stat(pid).state == "D" for pid in mark.left()))  # type: ignore[union-attr]
        async with measured_loop() as gaps:
            began = time.monotonic()
            run.stop(0)
            end = await run.wait()
            assert time.monotonic() - began < 0.5 + 1.0
        assert end.how == "unkillable" and "(D " in end.reason, end
        assert max(gaps) < 0.5
        assert port.alive(run.shim_pid, run.shim_start) and mark.left()
        assert run.shim_pid in port.shims()
        thaw()
        await soon(lambda: not port.alive(run.shim_pid, run.shim_start))
        assert mark.left() == []
        await soon(lambda: not port.shims())


@pytest.mark.row("A9")
def test_an_unkillable_process_is_guarded_also_when_the_supervisor_is_gone(mark: Mark, tmp_path: Path) -> None:
    """A double: a shim whose blows do not hurt."""
    weak = patched(
        tmp_path,
        ("self.chain.kill()", "None"),
        ("self.chain.kill_hidden()", "None"),
        ("KILL_LIMIT = 5.0", "KILL_LIMIT = 0.2"),
    )
    run = Driven(tmp_path, ["sh", "-c", "trap '' TERM; echo ready; exec sleep 50"], mark.env, program=weak)
    try:
        run.ready()
        pid = run.line("started")
        os.close(run.lifeline)
        run.lifeline = os.open(os.devnull, os.O_RDONLY)
        until(lambda: shim.read_stat(pid).state == "T")  # type: ignore[union-attr]
        assert run.line("end")["how"] == "unkillable"
        assert run.shim.poll() is None
        os.kill(pid, signal.SIGKILL)
        assert run.shim.wait(5) == 0
    finally:
        run.close()


@pytest.mark.row("A14")
@pytest.mark.skipif(not shutil.which("tmux"), reason="no tmux here")
def test_a_window_in_a_tmux_that_ran_before_is_out_of_reach_and_left_alone(mark: Mark, tmp_path: Path) -> None:
    """The documented escape: such a process was never below a shim. A server that the agent starts itself is."""
    name = f"nightdesk-{os.getpid()}"
    tmux = ["tmux", "-f", os.devnull, "-S", str(tmp_path / name)]
    environ = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "TERM": "xterm"}
    subprocess.run([*tmux, "new-session", "-d", "sleep 40"], env=environ, check=True)
    server = int(
        subprocess.run([*tmux, "display", "-p", "#{pid}"], env=environ, check=True, capture_output=True).stdout
    )
    try:
        window = " ".join([*tmux, "new-window", "-P", "-F", "'#{pane_pid}'", "'exec sleep 41'"])
        own = f"tmux -f {os.devnull} -S {tmp_path / 'own'} new-session -d 'exec sleep 42'"
        run = Driven(tmp_path, ["sh", "-c", f"{window} && {own}"], mark.env | {"HOME": str(tmp_path), "TERM": "xterm"})
        end = run.line("end")
        pane = int(run.text())
        run.close()
        assert end["code"] == 0, end
        assert any("sleep 42" in command for _, command, _, _ in end["leftovers"])
        assert mark.left() == []
        assert alive(pane) and alive(server)
        assert survivors.find("shop-12ab") == ()  # tmux did not pass the token on either
    finally:
        os.kill(server, signal.SIGKILL)
        until(lambda: not alive(server))
