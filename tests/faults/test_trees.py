"""Rows A of the fault matrix: whatever an agent leaves behind is gone at its end, and nobody else is touched."""

from __future__ import annotations

import contextlib
import errno
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from trees import HIDDEN, HIDEPID, LEADERLESS, SYS_EXIT, ZOMBIES  # first: it knows where the rig is

# isort: split
from process_rig import (
    BOMB,
    HYDRA,
    NOBODY,
    Driven,
    Mark,
    alive,
    as_root,
    boxed,
    canary,
    interpreter,
    open_folder,
    patched,
    python,
    until,
)

from console.adapters import proctree, shim

pytestmark = pytest.mark.skipif(not shim.HAVE_PROC, reason="needs /proc")
Drive = Callable[..., Driven]


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
def drive(tmp_path: Path, mark: Mark) -> Iterator[Drive]:
    driven: list[Driven] = []

    def start(argv: list[str], **more: Any) -> Driven:
        folder = more.pop("folder", tmp_path)
        driven.append(Driven(folder, argv, mark.env | more.pop("env", {}), **more))
        return driven[-1]

    yield start
    for one in driven:
        one.close()


def ended_at_once(run: Driven, mark: Mark, limit: float) -> dict[str, Any]:
    began = time.monotonic()
    run.order("stop 0")
    end: dict[str, Any] = run.line("end", 20)
    spent = time.monotonic() - began
    assert mark.left() == []
    assert spent < limit, f"{spent:.2f} s"
    return end


# -- trees that grow while they are cut


def burst(drive: Drive, mark: Mark, size: int) -> None:
    run = drive(python(BOMB % size))
    until(lambda: mark.count(size // 2), 30)  # it still forks
    ended_at_once(run, mark, 3.0)


@pytest.mark.row("A4")
def test_a_fork_bomb_leaves_nothing(drive: Drive, mark: Mark) -> None:
    burst(drive, mark, 300)


@pytest.mark.slow
@pytest.mark.row("A4")
@pytest.mark.parametrize("number", range(20))
def test_twenty_fork_bombs_leave_nothing(drive: Drive, mark: Mark, number: int) -> None:
    burst(drive, mark, 300)


@pytest.mark.slow
@pytest.mark.row("A4", "A5")
@pytest.mark.parametrize("pause", [0.0, 0.0001, 0.001, 0.005])
@pytest.mark.parametrize("number", range(20))
def test_twenty_hydras_leave_nothing(drive: Drive, mark: Mark, pause: float, number: int) -> None:
    end = drive(python(HYDRA % pause)).line("end", 20)
    assert (end["how"], end["code"]) == ("exited", 0)
    assert mark.left() == []


@pytest.mark.row("A5")
def test_without_the_freeze_a_respawning_tree_outlives_its_end(drive: Drive, mark: Mark, tmp_path: Path) -> None:
    """Negative control: children are killed one by one, the parent last, as the common recipe does it."""
    respawning = """
import os, signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
children = set()
print("ready", flush=True)
end = time.time() + 20
while time.time() < end:
    for pid in [pid for pid in children if not os.path.exists(f"/proc/{pid}")]:
        children.discard(pid)
    while len(children) < 5:
        pid = os.fork()
        if pid == 0:
            signal.alarm(20)
            os.setsid()
            time.sleep(20)
            os._exit(0)
        children.add(pid)
    time.sleep(0.001)
"""
    recipe = patched(
        tmp_path,
        ("            self.chain.freeze(deadline)\n", "            self.chain.look()\n"),
        ("    def kill(self) -> None:\n", LOOK + "    def kill(self) -> None:\n"),
        (
            "        if self.pins is None:\n            for pid in children",
            "        if False:\n            for pid in children",
        ),
        ("KILL_LIMIT = 5.0", "KILL_LIMIT = 0.5"),
    )
    run = drive(python(respawning), program=recipe)
    run.ready()
    until(lambda: mark.count(6))
    run.order("stop 0")
    assert run.line("end")["how"] == "unkillable"
    assert mark.left()
    mark.sweep()


LOOK = """    def look(self):
        table = proc_table()
        tree = self.tree(table)
        self.family = {self.me, *tree}
        self.frozen = {pid: table[pid].start for pid in tree if table[pid].ppid != self.me}

"""


# -- what only looks dead, and what only looks alive


@pytest.mark.row("A7")
@pytest.mark.skipif(not SYS_EXIT, reason="the number of exit(2) on this machine is not known")
def test_a_leader_whose_other_thread_runs_on_is_alive_until_it_is_killed(drive: Drive, mark: Mark) -> None:
    run = drive(python(LEADERLESS))
    pid = run.line("started")
    until(lambda: shim.read_stat(pid).state == "Z")  # type: ignore[union-attr]
    assert alive(pid) and run.shim.poll() is None
    end = ended_at_once(run, mark, 2.0)
    assert end["how"] == "signaled" and end["stopped"]


@pytest.mark.row("A10")
def test_two_thousand_zombies_are_reaped(drive: Drive, mark: Mark) -> None:
    run = drive(python(ZOMBIES))
    until(lambda: b"ready" in run.text(), 30)
    until(lambda: len(shim.children(run.shim.pid)) < 50)
    ended_at_once(run, mark, 3.0)
    assert run.shim.wait(5) == 0


@as_root
@pytest.mark.row("A10")
def test_an_agent_that_takes_every_process_its_user_may_have_is_ended(mark: Mark, drive: Drive) -> None:
    """And a start for which none is left is a reason, not a crash."""
    greedy = """
import os, time
while True:
    try:
        if os.fork() == 0:
            os.setsid()
            time.sleep(40)
            os._exit(0)
    except BlockingIOError:
        break
print("ready", flush=True)
time.sleep(40)
"""
    python = interpreter(NOBODY)
    limited = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "prlimit", "--nproc=60"]
    with open_folder() as folder:
        more: dict[str, Any] = {"prefix": limited, "user": NOBODY, "folder": folder}
        run = drive([python, "-I", "-S", "-c", greedy], **more)
        until(lambda: b"ready" in run.text())
        assert mark.count(10)
        late = drive(["true"], **more, output=str(folder / "late"))
        refused = late.line("end")
        assert refused["how"] == "not-started" and "temporarily unavailable" in refused["reason"], refused
        ended_at_once(run, mark, 2.0)


# -- whose it is


@as_root
@pytest.mark.row("A8")
def test_what_belongs_to_another_user_is_named_and_all_else_is_killed(mark: Mark, drive: Drive) -> None:
    with open_folder() as folder:
        tool = folder / "as-root"
        shutil.copy(shutil.which("setpriv") or pytest.skip("no setpriv here"), tool)
        tool.chmod(0o4755)
        weak = patched(folder, ("KILL_LIMIT = 5.0", "KILL_LIMIT = 0.5"))
        script = f"{tool} --reuid=0 sleep 20 & setsid sleep 50 & sleep 50 & echo ready; wait"
        run = drive(["sh", "-c", script], program=weak, folder=folder, user=NOBODY)
        run.ready()
        until(lambda: mark.count(4))
        until(lambda: any(shim.command_line(pid) == "sleep 20" for pid in mark.left()))
        root = next(pid for pid in mark.left() if shim.command_line(pid) == "sleep 20")
        assert os.stat(f"/proc/{root}").st_uid == 0
        run.order("stop 0")
        end = run.line("end")
        assert end["how"] == "unkillable" and f"{root} (" in end["reason"] and "of user 0" in end["reason"], end
        assert mark.left() == [root]
        assert run.shim.poll() is None
        os.kill(root, signal.SIGKILL)
        assert run.shim.wait(5) == 0


@pytest.mark.row("A11")
def test_whoever_gets_a_pid_again_in_the_same_tick_lives() -> None:
    """In a process namespace, where the next pid can be chosen. psutil's own guard kills the innocent there."""
    command = ["unshare", "-Ur", "--pid", "--fork", "--kill-child", "--mount-proc", sys.executable, "-I", "-c", REUSE]
    command += [str(Path(shim.__file__).parent), str(Path(psutil.__file__).parent.parent)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    except FileNotFoundError:
        pytest.skip("no unshare here")
    if "cannot choose" in done.stdout or (done.returncode == 1 and "unshare" in done.stderr):
        pytest.skip(f"no process namespace in which pids can be chosen: {done.stdout}{done.stderr}")
    assert done.returncode == 0, done.stderr
    same, ours, theirs = map(int, done.stdout.split())
    assert same >= 3, "no pid was reused within its tick"
    assert ours == 0
    assert theirs > 0  # the negative control: pid and start time alone do not tell them apart


REUSE = """
import os, signal, sys, time
sys.path[:0] = sys.argv[1:]
import psutil, shim
LAST = "/proc/sys/kernel/ns_last_pid"
signal.alarm(40)
try:
    open(LAST, "w").close()
except OSError as error:
    print("cannot choose:", error)
    sys.exit(0)
to_host, ask = os.pipe()
told, to_us = os.pipe()

def host():
    # Somebody outside the chain, who starts an innocent with the pid that it is told.
    os.close(ask)
    while line := os.read(to_host, 32):
        with open(LAST, "w") as file:
            file.write(str(int(line) - 1))
        innocent = os.fork()
        if innocent == 0:
            time.sleep(30)
            os._exit(0)
        os.write(to_us, b"%d\\n" % innocent)
        os.read(to_host, 32)
        gone = os.waitpid(innocent, os.WNOHANG)[0]
        os.write(to_us, b"%d\\n" % gone)
        if not gone:
            os.kill(innocent, 9)
            os.waitpid(innocent, 0)

if os.fork() == 0:
    host()
    os._exit(0)

def once(strike):
    victim = os.fork()
    if victim == 0:
        signal.pause()
        os._exit(0)
    start = shim.read_stat(victim).start
    seen = psutil.Process(victim)
    seen.create_time()
    os.kill(victim, 9)
    os.waitpid(victim, 0)
    os.write(ask, b"%d" % victim)
    reused = int(os.read(told, 32)) == victim and shim.read_stat(victim).start == start
    if reused:
        strike(victim, start, seen)
        time.sleep(0.02)
    os.write(ask, b"next")
    gone = int(os.read(told, 32))
    return reused, bool(gone)

def ours(pid, start, seen):
    shim.signal_under(pid, start, {os.getpid()}, signal.SIGKILL)

def theirs(pid, start, seen):
    try:
        seen.kill()
    except psutil.Error:
        pass

mine = [once(ours) for _ in range(40)]
recipe = [once(theirs) for _ in range(20)]
print(sum(a for a, _ in mine), sum(b for _, b in mine), sum(b for _, b in recipe))
"""


@pytest.mark.row("A12")
def test_the_group_is_signalled_only_while_its_leader_holds_the_number(drive: Drive, tmp_path: Path) -> None:
    """The leader has exited; a member of its group that hears TERM looks whether the leader still is there."""
    code = """
import os, signal, sys, time
if os.fork():
    os._exit(0)
group = os.getpgid(0)
def heard(*_):
    with open("heard", "w") as file:
        with open(f"/proc/{group}/stat") as stat:
            file.write(stat.read().rpartition(")")[2].split()[0])
    os._exit(0)
signal.signal(signal.SIGTERM, heard)
print("ready", flush=True)
time.sleep(30)
"""
    assert drive(python(code)).line("end")["code"] == 0
    assert (tmp_path / "heard").read_text() == "Z"


@pytest.mark.row("A12")
def test_no_group_is_signalled_once_its_leader_is_reaped(monkeypatch: pytest.MonkeyPatch) -> None:
    one = shim.Shim(-1, -1)
    one.leader = 0
    monkeypatch.setattr(os, "killpg", lambda *args: pytest.fail(f"killpg{args}"))
    monkeypatch.setattr(shim, "children", lambda pid: [12345])
    for result in (None, ("exited", 0)):
        one.result = result
        one.polite()


# -- when we cannot look


@as_root
@pytest.mark.row("A16")
def test_what_the_system_hides_from_us_is_ended_all_the_same(mark: Mark, drive: Drive) -> None:
    with open_folder() as folder:
        run = drive([interpreter(NOBODY), "-I", "-S", "-c", HIDDEN], prefix=HIDEPID, user=NOBODY, folder=folder)
        until(lambda: run.text().count(b"ready") == 2 and mark.count(3))
        end = ended_at_once(run, mark, 2.0)
        assert end["how"] == "signaled", end


@as_root
@pytest.mark.row("A16")
@pytest.mark.parametrize("order", ["stop 0", "stop 0.3", ""])
def test_a_process_namespace_that_is_hidden_from_us_is_ended_all_the_same(mark: Mark, drive: Drive, order: str) -> None:
    with open_folder() as folder:
        box = boxed("pids", folder / "locked")
        script = "echo ready; trap '' TERM; while [ ! -e done ]; do sleep 0.05; done; exit 3"
        run = drive(
            ["sh", "-c", f"setsid sleep 40 & {script}"], prefix=HIDEPID, user=NOBODY, folder=folder, sandbox=box
        )
        run.ready()
        until(lambda: mark.count(3))
        run.order(order) if order else (folder / "done").touch()
        end = run.line("end")
        assert (end["how"], end.get("code")) == (("signaled", None) if order else ("exited", 3)), end
        assert run.shim.wait(5) == 0 and mark.left() == []


@as_root
@pytest.mark.row("A16")
def test_what_is_hidden_never_counts_as_gone(mark: Mark, drive: Drive) -> None:
    """Negative control: without the step for hidden children they stay, and it is said."""
    with open_folder() as folder:
        blind = patched(
            folder, ("            self.chain.kill_hidden()", "            pass"), ("LIMIT = 5.0", "LIMIT = 0.5")
        )
        run = drive(
            [interpreter(NOBODY), "-I", "-S", "-c", HIDDEN], prefix=HIDEPID, user=NOBODY, folder=folder, program=blind
        )
        until(lambda: run.text().count(b"ready") == 2 and mark.count(3))
        run.order("stop 0")
        end = run.line("end")
        assert end["how"] == "unkillable" and "could not be killed" in end["reason"], end
        assert mark.left() and run.shim.poll() is None
        mark.sweep()
        assert run.shim.wait(5) == 0


@pytest.mark.row("A16")
def test_a_shim_without_descriptors_says_that_it_does_not_know(drive: Drive, mark: Mark, tmp_path: Path) -> None:
    weak = patched(tmp_path, ("KILL_LIMIT = 5.0", "KILL_LIMIT = 0.5"))
    run = drive(["sh", "-c", "trap '' TERM; setsid sleep 50 & echo ready; while :; do sleep 1; done"], program=weak)
    run.ready()
    until(lambda: mark.count(2))
    before = resource.prlimit(run.shim.pid, resource.RLIMIT_NOFILE)
    taken = {int(name) for name in os.listdir(f"/proc/{run.shim.pid}/fd")}
    free = min(set(range(100)) - taken)
    resource.prlimit(run.shim.pid, resource.RLIMIT_NOFILE, (free, before[1]))
    run.order("stop 0")
    end = run.line("end")
    assert end["how"] == "unkillable" and "Too many open files" in end["reason"], end
    assert mark.left() and run.shim.poll() is None
    resource.prlimit(run.shim.pid, resource.RLIMIT_NOFILE, before)
    assert run.shim.wait(5) == 0
    assert mark.left() == []


@pytest.fixture
def heir(agent: str) -> Iterator[subprocess.Popen[bytes]]:
    child = subprocess.Popen([agent, "60"])
    yield child
    child.kill()
    child.wait()


@contextlib.contextmanager
def no_descriptors() -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (1, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


@pytest.mark.row("A16")
def test_without_descriptors_an_inherited_tree_is_not_called_gone(heir: subprocess.Popen[bytes]) -> None:
    start = shim.read_stat(heir.pid).start  # type: ignore[union-attr]
    pins = {heir.pid: start}
    with no_descriptors():
        with pytest.raises(OSError) as failed:
            shim.proc_table()
        ended = proctree.end_pinned(pins, 0.2)
    assert failed.value.errno == errno.EMFILE
    assert "could not be read" in ended.stuck and ended.left == pins
    assert heir.poll() is None
    assert proctree.end_pinned(pins, 5.0).stuck == ""
    assert shim.read_stat(heir.pid) is None


@pytest.mark.row("A16")
def test_a_look_that_fails_once_is_repeated(heir: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    start = shim.read_stat(heir.pid).start  # type: ignore[union-attr]
    table, failures = shim.proc_table, iter([True, False, True, True])

    def flaky() -> dict[int, shim.Proc]:
        if next(failures, False):
            raise OSError(errno.ENFILE, os.strerror(errno.ENFILE))
        return table()

    monkeypatch.setattr(shim, "proc_table", flaky)
    assert proctree.end_pinned({heir.pid: start}, 5.0).stuck == ""
    assert shim.read_stat(heir.pid) is None


@pytest.mark.row("A16")
def test_adopted_processes_are_remembered_while_we_cannot_look(
    heir: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "getsid", lambda _pid: -1)  # so that every child of ours counts as adopted
    adopted = proctree.Adopted()
    seen = adopted.sweep((), time.monotonic())
    assert heir.pid in {leftover.pid for leftover in seen}
    with no_descriptors():
        assert adopted.sweep((), time.monotonic()) == seen


# -- what may be outside, and what it costs to look


@pytest.mark.row("A15")
def test_one_pass_costs_less_than_one_look_with_psutil(agent: str) -> None:
    birds = [subprocess.Popen([agent, "60"]) for _ in range(60)]
    try:
        me = psutil.Process()
        ours = min(_seconds(lambda: shim.Chain(os.getpid()).tree(shim.proc_table())) for _ in range(5))
        theirs = min(_seconds(lambda: [child.cpu_times() for child in me.children(recursive=True)]) for _ in range(5))
        assert len(shim.Chain(os.getpid()).tree(shim.proc_table())) >= 60
        assert ours < theirs
    finally:
        for bird in birds:
            bird.kill()
            bird.wait()


def _seconds(call: Callable[[], object]) -> float:
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


@pytest.mark.row("A6")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_deaf_to_one_signal_is_dead_after_the_grace(drive: Drive, mark: Mark, number: signal.Signals) -> None:
    run = drive(["sh", "-c", f"trap '' {number.value}; (kill -STOP $$; true) & echo ready; while :; do sleep 1; done"])
    run.ready()
    end = ended_at_once(run, mark, 2.0)
    assert end["how"] == "signaled"
