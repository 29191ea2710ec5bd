"""The token that processes of a session carry, and what is told of those that carry it."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from process_rig import NOBODY, as_root, interpreter, open_folder, until

from console.adapters import listening, proctree, shim, survivors
from console.adapters.agents import RealAgents
from console.adapters.environment import TOKEN, gate_env, session_env, token
from console.adapters.processes import ShimProcesses
from console.core.records import Launch, Refused
from console.engine.ports import Agent, AgentFact, AgentSpec

pytestmark = pytest.mark.skipif(not shim.HAVE_PROC, reason="needs /proc")
KEY = f"shop-{os.getpid()}"


@pytest.fixture
def child() -> Iterator[subprocess.Popen[bytes]]:
    environ = {"PATH": os.environ["PATH"], **token(KEY, "s-3")}
    with subprocess.Popen(["sh", "-c", "echo up; exec sleep 50"], env=environ, stdout=subprocess.PIPE) as process:
        assert process.stdout and process.stdout.read(3) == b"up\n"
        until(lambda: shim.command_line(process.pid) == "sleep 50")
        yield process
        process.kill()


def found(**more: list[str] | list[int]) -> list[tuple[int, str]]:
    seen = survivors.find(KEY, **more)  # type: ignore[arg-type]
    assert not isinstance(seen, Refused), seen
    return [(one.process.pid, one.session) for one in seen]


def test_who_carries_a_token_of_this_workspace_is_listed(child: subprocess.Popen[bytes]) -> None:
    assert found() == found(sessions=["s-3", "s-4"]) == [(child.pid, "s-3")]
    assert found(sessions=["s-4"]) == []
    assert survivors.find(KEY[:-1]) == ()  # a key that only begins the same


def test_what_a_shim_holds_is_none(child: subprocess.Popen[bytes]) -> None:
    assert found(shims=[os.getpid()]) == []


def test_the_dead_are_none(child: subprocess.Popen[bytes]) -> None:
    child.kill()
    until(lambda: shim.read_stat(child.pid).dead)  # type: ignore[union-attr]
    assert found() == []


@as_root
def test_other_users_processes_are_looked_past() -> None:
    with open_folder() as folder:
        argv = [interpreter(NOBODY), "-I", "-S", "-c", "import time; print('up', flush=True); time.sleep(50)"]
        with subprocess.Popen(
            argv, env=token(KEY, "s-3"), cwd=folder, stdout=subprocess.PIPE, user=NOBODY, group=NOBODY, extra_groups=[]
        ) as other:
            try:
                assert other.stdout and other.stdout.read(3) == b"up\n"
                assert found() == []
                assert survivors.session_of(other.pid, KEY) == "s-3"
            finally:
                other.kill()


def test_a_program_of_that_name_is_no_shim(tmp_path: Path, child: subprocess.Popen[bytes]) -> None:
    assert not survivors.looks_like_a_shim(child.pid)
    assert not survivors.looks_like_a_shim(os.getpid())
    assert not survivors.looks_like_a_shim(2**22)


def test_listening_ports_are_those_of_the_process() -> None:
    with socket.create_server(("127.0.0.1", 0)) as one, socket.create_server(("127.0.0.1", 0)) as two:
        mine = {one.getsockname()[1], two.getsockname()[1]}
        assert mine <= set(listening.ports([os.getpid()], limit=5.0)[os.getpid()])
        with socket.create_connection(one.getsockname()) as client:
            assert client.getsockname()[1] not in listening.ports([os.getpid()], limit=5.0)[os.getpid()]
    assert not mine & set(listening.ports([os.getpid()], limit=5.0).get(os.getpid(), ()))


def test_an_age_is_measured_from_the_start(child: subprocess.Popen[bytes]) -> None:
    table = shim.proc_table()
    (leftover,) = proctree.described(table, [child.pid])
    assert (leftover.pid, leftover.command, leftover.ports) == (child.pid, "sleep 50", ())
    assert 0 <= leftover.age < 60
    assert shim.age(1) > shim.age(table[child.pid].start)
    assert shim.age(0) == 0.0


def test_gates_and_sessions_do_not_inherit_a_token() -> None:
    environ = {"PATH": "/usr/bin", TOKEN: "elsewhere/s-9"}
    assert TOKEN not in gate_env(environ, [])
    assert TOKEN not in session_env(environ, Launch(argv=("x",), protocol="command"))
    assert token("key") == {TOKEN: "key/gate"}


async def test_an_agent_finds_its_token_in_its_environment(tmp_path: Path) -> None:
    facts: list[AgentFact] = []
    launch = Launch(argv=("sh", "-c", f"printf %s ${TOKEN} > seen"), protocol="command")
    spec = AgentSpec(
        session="s-5",
        run=1,
        launch=launch,
        cwd=str(tmp_path),
        env={"PATH": os.environ["PATH"]},
        transcript=str(tmp_path / "transcript"),
        stderr=str(tmp_path / "stderr"),
    )
    agent = await RealAgents(ShimProcesses(), workspace="shop-1").start(spec, facts.append)
    assert not isinstance(agent, Refused), agent
    speaker: Agent = agent
    assert (await speaker.prompt(1, "go")).ok
    assert (tmp_path / "seen").read_text() == "shop-1/s-5"
    await speaker.stop()


def test_the_shim_needs_nothing_but_its_own_folder_for_ports(tmp_path: Path) -> None:
    """It is imported by its path, without our package and without `site`."""
    folder = str(Path(listening.__file__).parent)
    code = f"import sys; sys.path.append({folder!r}); import listening; print(listening.ports([]))"
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, cwd=tmp_path, check=True)
    assert done.stdout == b"{}\n"


@pytest.mark.row("B3")
def test_an_orphan_that_works_in_a_worktree_is_found_without_a_token(tmp_path: Path) -> None:
    place, elsewhere = tmp_path / "w", tmp_path / "w2"
    for folder in (place, elsewhere):
        (folder / "sub").mkdir(parents=True)
    code = "(env -i setsid sleep 50 >/dev/null 2>&1 & echo $!)"
    pid = int(subprocess.run(["sh", "-c", code], cwd=place / "sub", capture_output=True, check=True, timeout=5).stdout)
    child = subprocess.Popen(["sleep", "50"], cwd=place)  # its parent lives: no orphan
    try:
        until(lambda: shim.command_line(pid) == "sleep 50")
        if (born := shim.read_stat(pid)) is None or born.ppid != 1:
            pytest.skip("orphans go to another process than pid 1 here")
        assert [one.pid for one in survivors.beside(str(place), born.start)] == [pid]
        assert survivors.beside(str(place), born.start + 1) == survivors.beside(str(place), 0) == ()
        assert survivors.beside(str(elsewhere), born.start) == ()
        (line,) = survivors.lines_beside(str(place), born.start)
        assert line.startswith(f"{pid} sleep 50")
    finally:
        os.kill(pid, signal.SIGKILL)
        child.kill()
        child.wait()
