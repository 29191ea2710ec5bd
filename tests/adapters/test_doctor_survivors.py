"""What the doctor says of processes that outlived a supervisor and its shim, with real ones; its cures are run."""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from process_rig import Driven, alive, python, until

from console.adapters import shim
from console.adapters.doctor import peeking, survivors
from console.adapters.doctor.findings import Finding
from console.adapters.doctor.ground import Ground
from console.adapters.environment import TOKEN
from console.adapters.git.finding import named
from console.adapters.places import places
from console.core.records import Launch
from console.core.sessions import Session
from console.core.state import State
from console.engine.ports import Workspace

pytestmark = pytest.mark.skipif(not shim.HAVE_PROC, reason="needs /proc")

SUPERVISOR = """
import asyncio, json, signal, sys
signal.alarm(60)
from pathlib import Path
from console.adapters.lock import Lock
from console.adapters.processes import ShimProcesses, prepare_supervisor
from console.engine.ports import ProcessSpec

async def main():
    prepare_supervisor()
    lock = Lock(Path(sys.argv[2]))
    assert lock.take("the test")
    spec = json.loads(sys.argv[1])
    run = await ShimProcesses().launch(ProcessSpec(argv=tuple(spec.pop("argv")), **spec))
    print(run.shim_pid, run.pid, flush=True)
    await asyncio.sleep(60)

asyncio.run(main())
"""
AGENT = """
import os, signal, socket, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        signal.alarm(60)
        server = socket.socket()
        server.bind(("127.0.0.1", 0))
        server.listen()
        with open("server.draft", "w") as file:
            file.write(f"{os.getpid()} {server.getsockname()[1]}")
        os.rename("server.draft", "server")
        time.sleep(60)
    os._exit(0)
signal.alarm(60)
time.sleep(60)
"""
"""Leaves a server in a session of its own, and says its pid and port."""

NAMELESS = """
import os, signal, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        with open("server.draft", "w") as file:
            file.write(f"{os.getpid()} 0")
        os.rename("server.draft", "server")
        os.execve("/bin/sleep", ["innocent", "50"], {})
    os._exit(0)
time.sleep(50)
"""
"""Leaves a daemon that carries no token."""


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    workspace = named(str(tmp_path / "shop"), str(tmp_path / "shop" / ".git"))
    assert isinstance(workspace, Workspace)
    environ = {"HOME": str(tmp_path), "PATH": os.environ["PATH"]}
    return Ground(environ=environ, workspace=workspace, places=places(workspace, environ))


def looked(g: Ground) -> tuple[Finding, ...]:
    return survivors.look(Ground(environ=g.environ, workspace=g.workspace, places=g.places)).findings


def spec(g: Ground, folder: Path) -> dict[str, object]:
    assert g.workspace is not None
    env = {"PATH": os.environ["PATH"], TOKEN: f"{g.workspace.key}/s-1"}
    return {"argv": python(AGENT), "cwd": str(folder), "env": env, "output": str(folder / "output")}


@contextlib.contextmanager
def supervised(g: Ground, folder: Path) -> Iterator[tuple[subprocess.Popen[str], int, int, int, int]]:
    """(supervisor, its shim, the agent, the server that it left, its port). The server is ended afterwards."""
    assert g.places is not None
    command = [sys.executable, "-c", SUPERVISOR, json.dumps(spec(g, folder)), str(g.places.lock)]
    boss = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)
    server = start = 0
    try:
        assert boss.stdout is not None
        keeper, agent = map(int, boss.stdout.readline().split())
        until((folder / "server").exists)
        server, port = map(int, (folder / "server").read_text().split())
        start = shim.read_stat(server).start  # type: ignore[union-attr]
        yield boss, keeper, agent, server, port
    finally:
        boss.kill()
        boss.wait()
        boss.stdout.close()  # type: ignore[union-attr]
        if server and (now := shim.read_stat(server)) and now.start == start:
            os.kill(server, signal.SIGKILL)


@pytest.mark.row("B3")
def test_a_double_kill_is_told_and_cured_by_the_command_that_is_shown(ground: Ground, tmp_path: Path) -> None:
    with supervised(ground, tmp_path) as (boss, keeper, agent, server, port):
        assert looked(ground) == ()  # what a living shim has is nobody's survivor
        os.kill(keeper, signal.SIGSTOP)  # so that it sees no end of its lifeline before it dies
        boss.kill()
        os.kill(keeper, signal.SIGKILL)
        until(lambda: not alive(keeper) and not alive(agent))
        (one,) = looked(ground)
        assert one.level == "fault" and one.cure == f"kill {server}" and one.mend is None
        assert f"pid {server} (" in one.what and f"listens on port {port}" in one.what
        assert "session s-1" in one.what and str(tmp_path) in one.what and " s old" in one.what
        assert alive(server)  # looking ends nobody
        subprocess.run(["sh", "-c", one.cure], check=True, timeout=5)
        until(lambda: not alive(server))
        assert looked(ground) == ()


def test_a_survivor_that_is_stopped_is_cured_by_going_on(ground: Ground, tmp_path: Path) -> None:
    with supervised(ground, tmp_path) as (boss, keeper, _, server, _port):
        os.kill(server, signal.SIGSTOP)
        os.kill(keeper, signal.SIGSTOP)
        boss.kill()
        os.kill(keeper, signal.SIGKILL)
        until(lambda: not alive(keeper))
        until(lambda: shim.read_stat(server).state == "T")  # type: ignore[union-attr]
        (one,) = looked(ground)
        assert "stopped" in one.what and one.cure == f"kill {server}; kill -CONT {server}"
        subprocess.run(["sh", "-c", one.cure], check=True, timeout=5)
        until(lambda: not alive(server))


def test_a_shim_without_a_supervisor_is_told_until_it_has_cleared_up(ground: Ground, tmp_path: Path) -> None:
    with supervised(ground, tmp_path) as (boss, keeper, _, server, _port):
        os.kill(keeper, signal.SIGSTOP)
        boss.kill()
        boss.wait()
        (one,) = looked(ground)
        assert one.level == "warning" and f"shim pid {keeper}" in one.what and "no supervisor" in one.what
        assert shlex.split(one.cure)[0] == "nightdesk" and shlex.split(one.cure)[-1] == "doctor"
        os.kill(keeper, signal.SIGCONT)
        until(lambda: not alive(server) and not alive(keeper))
        assert looked(ground) == ()


def test_what_could_not_be_killed_is_told_with_what_it_waits_for(ground: Ground, tmp_path: Path) -> None:
    launch = Launch(argv=("agent",))
    stuck = Session(
        session="s-1", label="fix", preset="", launch=launch, cwd="/", worktree="/srv/x y", stuck="it waits"
    )
    with supervised(ground, tmp_path) as (_, _keeper, agent, server, _port):
        assert ground.workspace is not None
        told = Ground(environ=ground.environ, workspace=ground.workspace, places=ground.places)
        told.__dict__["log"] = peeking.Read(State(sessions={"s-1": stuck}))
        found = {one.what.split()[1]: one for one in survivors.look(told).findings}
        assert set(found) == {str(agent), str(server)}
        one = found[str(server)]
        assert "session s-1 (fix) could not be killed: it waits in the kernel for " in one.what
        assert one.level == "warning" and one.cure == "findmnt -T '/srv/x y'"
        assert alive(server) and alive(agent)


DAEMON = """
import os, signal, subprocess, sys
signal.alarm(60)
path = sys.argv[1]
print("up", flush=True)
while not os.path.exists(path):
    import time; time.sleep(0.01)
env = dict(item.split("=", 1) for item in open(path).read().splitlines())
child = subprocess.Popen(["sleep", "50"], env=env, start_new_session=True)
print(child.pid, flush=True)
child.wait()
"""


@pytest.mark.row("A14")
def test_an_escape_over_a_daemon_from_outside_is_told_and_lives(ground: Ground, tmp_path: Path) -> None:
    wanted = tmp_path / "wanted"
    command = [sys.executable, "-I", "-S", "-c", DAEMON, str(wanted)]
    daemon = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)
    assert daemon.stdout is not None and daemon.stdout.readline() == "up\n"
    order = "import os; open('draft','w').write('\\n'.join(f'{k}={v}' for k,v in os.environ.items()))\n"
    made = spec(ground, tmp_path)
    env = made["env"]
    assert isinstance(env, dict)
    driven = Driven(tmp_path, python(f"{order}os.rename('draft', {str(wanted)!r})"), env)
    try:
        escaped = int(daemon.stdout.readline())
        driven.line("end")
        (one,) = looked(ground)
        assert f"pid {escaped} (sleep 50)" in one.what and one.cure == f"kill {escaped}"
        assert alive(escaped)
        subprocess.run(["sh", "-c", one.cure], check=True, timeout=5)
        daemon.wait(5)
    finally:
        driven.close()
        daemon.kill()
        daemon.wait()
        daemon.stdout.close()


def test_a_process_of_another_workspace_or_without_a_token_is_none_of_ours(ground: Ground) -> None:
    assert ground.workspace is not None
    tokens = (f"{ground.workspace.key}x/s-1", f"x{ground.workspace.key}/s-1", ground.workspace.key, "")
    birds = [subprocess.Popen(["sleep", "30"], env={TOKEN: token, "PATH": os.environ["PATH"]}) for token in tokens]
    try:
        assert looked(ground) == ()
    finally:
        for bird in birds:
            assert bird.poll() is None
            bird.kill()
            bird.wait()


def test_the_words_of_a_process_reach_nobody_raw(ground: Ground, tmp_path: Path) -> None:
    """What it calls itself is shown by the command line through `clean`; the command to paste has its pid only."""
    assert ground.workspace is not None
    env = {TOKEN: f"{ground.workspace.key}/s-1\x1b[2J", "PATH": os.environ["PATH"]}
    bird = subprocess.Popen(["sh", "-c", "sleep 30; : '\x1b]0;evil\x07'; rm -rf nothing"], env=env, cwd=tmp_path)
    try:
        until(lambda: any(f"pid {bird.pid} " in one.what for one in looked(ground)))
        for one in looked(ground):
            assert one.cure.isascii() and one.cure.removeprefix("kill ").isdigit()
    finally:
        children = shim.children(bird.pid)
        for pid in (bird.pid, *children):
            os.kill(pid, signal.SIGKILL)
        bird.wait()


@pytest.mark.row("B2")
def test_what_a_supervisor_had_from_a_lost_shim_is_told_though_it_carries_no_token(
    ground: Ground, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(globals(), "AGENT", NAMELESS)
    with supervised(ground, tmp_path) as (boss, keeper, agent, daemon, _):
        assert looked(ground) == ()
        os.kill(boss.pid, signal.SIGSTOP)  # as if it had not seen the daemon in time: it would end what it has seen
        os.kill(keeper, signal.SIGKILL)
        until(lambda: not alive(keeper) and not alive(agent))
        (one,) = looked(ground)
        assert one.level == "fault" and one.cure == f"kill {daemon}" and one.mend is None
        assert f"pid {daemon} (innocent 50)" in one.what and f"supervisor (pid {boss.pid})" in one.what
        assert str(tmp_path) in one.what
        subprocess.run(["sh", "-c", one.cure], check=True, timeout=5)
        until(lambda: not alive(daemon))
        assert looked(ground) == ()
