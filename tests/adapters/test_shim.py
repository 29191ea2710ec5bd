"""The shim as a program: what it starts, what it reports, and that nothing of it is left."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from process_rig import DAEMON, HYDRA, RESPAWN, STORM, Driven, Mark, alive, boxed, canary, kinds, patched, python, until

from console.adapters import shim

pytestmark = pytest.mark.skipif(not shim.HAVE_PROC, reason="needs /proc")
Drive = Callable[..., Driven]
everywhere = pytest.mark.parametrize("box", kinds(), indirect=True)
"""Without a sandbox, with read-only mounts, and with a process namespace too: nothing else may differ."""


@pytest.fixture
def box(request: pytest.FixtureRequest, tmp_path: Path) -> dict[str, Any] | None:
    return boxed(getattr(request, "param", "bare"), tmp_path / "locked")


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
def drive(tmp_path: Path, mark: Mark, box: dict[str, Any] | None) -> Iterator[Drive]:
    driven: list[Driven] = []

    def start(argv: list[str], **more: Any) -> Driven:
        driven.append(Driven(tmp_path, argv, more.pop("env", mark.env), sandbox=box, **more))
        return driven[-1]

    yield start
    for one in driven:
        one.close()


# -- how it ends


@everywhere
@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("exit 0", {"how": "exited", "code": 0}),
        ("exit 7", {"how": "exited", "code": 7}),
        ("exit 255", {"how": "exited", "code": 255}),
        ("kill -KILL $$", {"how": "signaled", "signal": 9}),
        ("kill -SEGV $$", {"how": "signaled", "signal": 11}),
    ],
)
@pytest.mark.row("D4")
def test_the_end_is_told_as_it_was(drive: Drive, script: str, expected: dict[str, Any]) -> None:
    run = drive(["sh", "-c", script])
    end = run.line("end")
    assert {key: end[key] for key in expected} == expected
    assert run.line("started") > 1
    assert end["leftovers"] == [] and not end["stopped"]


@pytest.mark.parametrize(
    ("argv", "more", "words"),
    [
        (["no-such-thing"], {}, ["'no-such-thing'", "not found on PATH"]),
        (["/no/such/thing"], {}, ["'/no/such/thing'", "No such file"]),
        (["./agent"], {}, ["'./agent'", "absolute"]),
        ([], {}, ["empty"]),
        (["/etc/passwd"], {}, ["'/etc/passwd'", "Permission denied"]),
        (["true"], {"cwd": "/no/such/place"}, ["'true'", "'/no/such/place'", "No such file"]),
        (["true"], {"cwd": "relative"}, ["'relative'", "absolute"]),
        (["true"], {"output": "/no/such/place/out"}, ["/no/such/place/out"]),
        (["true", "x" * 200_000], {}, ["'true'", "too long"]),
    ],
)
def test_what_cannot_start_says_why(drive: Drive, argv: list[str], more: dict[str, str], words: list[str]) -> None:
    run = drive(argv, **more)
    end = run.line("end")
    assert end["how"] == "not-started"
    assert all(word in end["reason"] for word in words), end["reason"]
    assert not any("started" in line for line in run.lines)


def test_a_script_without_its_interpreter(drive: Drive, tmp_path: Path) -> None:
    script = tmp_path / "tool"
    script.write_text("#!/no/such/interpreter\n")
    script.chmod(0o755)
    assert "interpreter" in drive([str(script)]).line("end")["reason"]


def test_relative_entries_of_path_do_not_count(drive: Drive, mark: Mark, tmp_path: Path) -> None:
    tool = tmp_path / "only-here"
    tool.write_text("#!/bin/sh\nexit 0\n")
    tool.chmod(0o755)
    assert drive(["only-here"], env=mark.env | {"PATH": ".::/usr/bin"}).line("end")["how"] == "not-started"
    assert drive(["only-here"], env=mark.env | {"PATH": str(tmp_path)}).line("end")["code"] == 0


# -- what the command is given


@everywhere
@pytest.mark.row("D1")
def test_stdin_is_the_text_or_nothing(drive: Drive) -> None:
    run = drive(["cat"])
    assert run.line("end")["code"] == 0 and run.text() == b""
    run = drive(["wc", "-c"], stdin="é" * 30_000)
    assert run.line("end")["code"] == 0 and run.text().strip() == b"60000"


@everywhere
@pytest.mark.row("D1")
def test_no_terminal_can_be_opened(drive: Drive) -> None:
    code = "import os\ntry: os.open('/dev/tty', os.O_RDWR)\nexcept OSError as error: print(error.errno)"
    run = drive(python(code))
    run.line("end")
    assert run.text() == b"6\n"


FDS = "import os; print(*[fd for fd in os.listdir('/proc/self/fd') if os.path.exists(f'/proc/self/fd/{fd}')])"


@pytest.mark.row("B5")
def test_no_descriptor_leaks_into_the_command(drive: Drive, tmp_path: Path) -> None:
    run = drive(python(FDS))
    run.line("end")
    assert run.text().split() == [b"0", b"1", b"2"]
    leaky = patched(tmp_path, ("        os.set_inheritable(fd, False)\n    for", "        pass\n    for"))
    run = drive(python(FDS), program=leaky)
    run.line("end")
    assert len(run.text().split()) == 5


@everywhere
def test_signals_start_at_their_defaults(drive: Drive) -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        run = drive(["grep", "-E", "Sig(Blk|Ign)", "/proc/self/status"])
        run.line("end")
    finally:
        signal.signal(signal.SIGHUP, before)
    assert run.text().split() == [b"SigBlk:", b"0" * 16, b"SigIgn:", b"0" * 16]


@everywhere
@pytest.mark.row("B7")
def test_memory_pressure_takes_the_agent_first(drive: Drive) -> None:
    own = int(Path("/proc/self/oom_score_adj").read_text())
    run = drive(["cat", "/proc/self/oom_score_adj"])
    run.line("end")
    assert int(run.text()) == min(1000, own + 500)


# -- output


@pytest.mark.row("D5")
def test_a_flood_is_capped_and_counted(drive: Drive, tmp_path: Path) -> None:
    flood = "printf START; yes abcdefg | head -c 50000000; grep VmHWM /proc/$PPID/status > peak; printf END"
    run = drive(["sh", "-c", flood], head=1000, tail=500)
    assert run.line("end", 20)["output_bytes"] == 50_000_008
    text = run.text()
    marker = b"\n[... 49998508 bytes dropped ...]\n"
    assert len(text) == 1500 + len(marker)
    assert text.startswith(b"STARTabcdefg") and text[1000 : 1000 + len(marker)] == marker and text.endswith(b"END")
    assert int((tmp_path / "peak").read_text().split()[1]) < 40_000


@pytest.mark.row("D5")
def test_bytes_are_kept_as_they_are(drive: Drive) -> None:
    run = drive(["printf", r"\377\376\033[31m\0x"])
    run.line("end")
    assert run.text() == b"\xff\xfe\x1b[31m\0x"


def test_output_between_the_caps_has_no_marker(drive: Drive) -> None:
    run = drive(["printf", "0123456789"], head=4, tail=6)
    run.line("end")
    assert run.text() == b"0123456789"


def test_the_head_can_be_read_while_it_runs(drive: Drive) -> None:
    run = drive(["sh", "-c", "echo ready; exec sleep 60"])
    run.ready()
    run.order("stop 0")
    assert run.line("end")["signal"] in (signal.SIGTERM, signal.SIGKILL)


@pytest.mark.row("B5")
def test_a_full_disk_loses_output_but_not_the_verdict(drive: Drive) -> None:
    run = drive(["sh", "-c", "yes | head -c 300000; exit 3"], output="/dev/full")
    end = run.line("end")
    assert (end["code"], end["output_bytes"]) == (3, 300_000)
    assert "No space" in end["reason"]


# -- what is left behind


@everywhere
@pytest.mark.row("A1", "A13")
def test_everything_left_behind_is_counted_and_gone(drive: Drive, mark: Mark, agent: str) -> None:
    script = f'{agent} 61 & setsid {agent} 62 & {" ".join(python("$0")[:-1])} "$DAEMON"; exit 0'
    began = time.monotonic()
    run = drive(["sh", "-c", script], env=mark.env | {"DAEMON": DAEMON})
    end = run.line("end")
    assert time.monotonic() - began < 1.5
    assert (end["how"], end["code"], len(end["leftovers"])) == ("exited", 0, 3)
    assert sorted(command.split()[-1] for _, command, _, _ in end["leftovers"])[:2] == ["61", "62"]
    assert mark.left() == []


@pytest.mark.row("D2")
def test_the_end_does_not_wait_for_the_pipe(drive: Drive) -> None:
    began = time.monotonic()
    run = drive(["sh", "-c", "sleep 300 & echo ok"])
    end = run.line("end")
    assert time.monotonic() - began < 1.5
    assert (end["code"], len(end["leftovers"])) == (0, 1)
    assert run.text() == b"ok\n"


@pytest.mark.row("A1")
def test_without_the_subreaper_a_daemon_escapes(drive: Drive, mark: Mark, tmp_path: Path) -> None:
    blind = patched(tmp_path, ("    prctl(PR_SET_CHILD_SUBREAPER, ctypes.c_ulong(1))\n", ""))
    run = drive(python(DAEMON), program=blind)
    assert run.line("end")["leftovers"] == []
    assert len(mark.left()) == 1
    mark.sweep()


@everywhere
@pytest.mark.row("D2")
def test_a_reader_behind_the_command_may_finish(drive: Drive, tmp_path: Path) -> None:
    run = drive(["bash", "-c", "exec > >(cat > copy); echo through"])
    assert run.line("end")["leftovers"] == []
    assert (tmp_path / "copy").read_text() == "through\n"


@pytest.mark.row("A3", "A10")
def test_many_short_lived_daemons_are_reaped_as_they_die(drive: Drive) -> None:
    code = """
import os, time
for _ in range(300):
    if (pid := os.fork()) == 0:
        os.fork()
        os._exit(0)
    os.waitpid(pid, 0)
shim = os.getppid()
def zombies():
    with open(f"/proc/{shim}/task/{shim}/children") as file:
        return len(file.read().split()) - 1
end = time.time() + 20
while zombies() and time.time() < end:
    time.sleep(0.005)
print(zombies())
"""
    run = drive(python(code))
    assert run.line("end", 25)["leftovers"] == []
    assert run.text() == b"0\n"


# -- being stopped


@everywhere
def test_a_polite_end_is_heard(drive: Drive) -> None:
    code = "import os, signal, sys, time; signal.signal(15, lambda *_: (print('bye'), sys.exit(5))); os.fork()"
    code += "; print('ready', flush=True)\nfor _ in range(1000): time.sleep(0.05)"
    run = drive(python(code), grace=5.0)
    until(lambda: run.text().count(b"ready") == 2)
    began = time.monotonic()
    run.order("stop 5")
    end = run.line("end")
    assert time.monotonic() - began < 2
    assert (end["how"], end["code"], end["stopped"]) == ("exited", 5, True)
    assert run.text().count(b"bye\n") == 2


@everywhere
@pytest.mark.row("A6")
def test_a_stopped_process_can_still_obey(drive: Drive, mark: Mark) -> None:
    run = drive(["sh", "-c", "trap 'exit 5' TERM; echo ready; kill -STOP $$; sleep 60"], grace=5.0)
    run.ready()
    until(lambda: "T" in {shim.read_stat(pid).state for pid in mark.left()})  # type: ignore[union-attr]
    run.order("stop 5")
    assert run.line("end")["code"] == 5


@everywhere
@pytest.mark.row("A6")
def test_a_deaf_tree_is_killed_after_the_grace(drive: Drive, mark: Mark) -> None:
    deaf = "trap '' TERM INT HUP; (setsid sh -c 'while :; do sleep 1; done' &); echo ready; while :; do sleep 1; done"
    run = drive(["sh", "-c", deaf])
    run.ready()
    began = time.monotonic()
    run.order("stop 0.4")
    end = run.line("end")
    assert 0.4 <= time.monotonic() - began < 1.5
    assert (end["how"], end["signal"], end["stopped"]) == ("signaled", 9, True)
    assert end["leftovers"] and mark.left() == []


@everywhere
def test_a_second_stop_shortens_the_grace(drive: Drive) -> None:
    run = drive(["sh", "-c", "trap '' TERM; echo ready; while :; do sleep 1; done"])
    run.ready()
    run.order("stop 50")
    run.order("stop 0.1")
    assert run.line("end", 5)["signal"] == 9


@everywhere
def test_stop_may_come_with_the_start(drive: Drive, tmp_path: Path) -> None:
    run = drive(["sleep", "60"])
    run.order("stop 0.2")
    end = run.line("end")
    assert end["how"] == "signaled" and end["stopped"]
    assert [next(iter(line)) for line in run.lines] == ["started", "end"]


@everywhere
def test_shims_are_deaf_to_a_broad_kill(drive: Drive) -> None:
    run = drive(["sh", "-c", "echo ready; kill -TERM $PPID; kill -INT $PPID; kill -HUP $PPID; exit 4"])
    assert run.line("end")["code"] == 4
    assert not run.line("end")["stopped"]


# -- trees that fight back


@everywhere
@pytest.mark.row("A5")
def test_a_respawning_parent_leaves_nothing(drive: Drive, mark: Mark) -> None:
    run = drive(python(RESPAWN))
    run.ready()
    began = time.monotonic()
    run.order("stop 0")
    run.line("end")
    assert time.monotonic() - began < 2
    assert mark.left() == []


@pytest.mark.parametrize(
    ("box", "pause"), [("bare", 0.005), ("bare", 0.001), ("bare", 0.0), (kinds()[-1], 0.001)], indirect=["box"]
)
@pytest.mark.row("A4", "A3")
def test_a_hydra_leaves_nothing(drive: Drive, mark: Mark, pause: float) -> None:
    run = drive(python(HYDRA % pause))
    end = run.line("end")
    assert (end["how"], end["code"]) == ("exited", 0)
    assert mark.left() == []


@pytest.mark.row("A4")
def test_without_the_kill_procedure_the_children_stay(drive: Drive, mark: Mark, tmp_path: Path) -> None:
    idle = patched(tmp_path, ("        while not self.gone():\n", "        while False:\n"))
    run = drive(["sh", "-c", "setsid sh -c 'echo ready; exec sleep 60' & exec sleep 60"], program=idle)
    run.ready()
    run.order("stop 0")
    run.line("end")
    assert run.shim.wait(5) == 0
    assert mark.left()
    mark.sweep()


@everywhere
@pytest.mark.row("A4")
def test_a_fork_storm_leaves_nothing(drive: Drive, mark: Mark) -> None:
    run = drive(python(STORM % 40))
    run.ready()
    until(lambda: mark.count(80))
    run.order("stop 0")
    run.line("end")
    assert mark.left() == []


@everywhere
@pytest.mark.row("A2")
def test_an_agent_that_is_a_subreaper_itself(drive: Drive, mark: Mark) -> None:
    nested = f"import ctypes, os, time; ctypes.CDLL(None).prctl(36, 1, 0, 0, 0); os.fork() or exec({DAEMON!r})"
    run = drive(python(f"{nested}; print('ready', flush=True); time.sleep(60)"))
    run.ready()
    until(lambda: mark.count(2))
    run.order("stop 0")
    run.line("end")
    assert mark.left() == []


@pytest.mark.row("A9")
def test_what_cannot_be_killed_is_named_and_guarded(drive: Drive, mark: Mark, tmp_path: Path) -> None:
    weak = patched(tmp_path, ("self.chain.kill()", "None"), ("KILL_LIMIT = 5.0", "KILL_LIMIT = 0.2"))
    run = drive(["sh", "-c", "trap '' TERM; echo ready; exec sleep 60"], program=weak)
    run.ready()
    pid = run.line("started")
    run.order("stop 0")
    until(lambda: shim.read_stat(pid).state == "T")  # type: ignore[union-attr]
    end = run.line("end")
    assert end["how"] == "unkillable"
    assert f"{pid} (T" in end["reason"] and "sleep 60" in end["reason"]
    assert run.shim.poll() is None
    os.kill(pid, signal.SIGKILL)
    assert run.shim.wait(5) == 0


# -- losing the supervisor


def test_a_closed_lifeline_before_the_spec_starts_nothing(tmp_path: Path) -> None:
    orders, lifeline = os.pipe()
    child = subprocess.Popen(
        [sys.executable, "-I", "-S", shim.__file__, str(orders), "1"], pass_fds=[orders], stdout=subprocess.PIPE
    )
    os.close(orders)
    os.write(lifeline, b'{"argv": ["touch", "made"]')
    os.close(lifeline)
    assert child.communicate(timeout=5) == (b"", None)


@everywhere
@pytest.mark.row("B5")
def test_nobody_listening_does_not_keep_it_from_its_work(drive: Drive, mark: Mark) -> None:
    run = drive(["sh", "-c", "trap '' TERM; setsid sleep 60 & echo ready; while :; do sleep 1; done"])
    run.ready()
    os.close(run.status)
    run.order("stop 0.1")
    assert run.shim.wait(5) == 0
    assert mark.left() == []


SUPERVISOR = """
import json, os, subprocess, sys, time
program, spec = sys.argv[1:]
orders, lifeline = os.pipe()
subprocess.Popen([sys.executable, "-I", "-S", program, str(orders), "1"], pass_fds=[orders], start_new_session=True)
os.close(orders)
os.write(lifeline, spec.encode() + b"\\n")
time.sleep(60)
"""


def killed_supervisor(program: Path, mark: Mark, folder: Path) -> float:
    """Seconds from the SIGKILL of a supervisor until nothing of its agent's tree is left; at most 2."""
    tree = f"trap '' TERM; sleep 60 & setsid sleep 60 & {' '.join(python('$0')[:-1])} \"$DAEMON\"; sleep 60; sleep 60"
    spec = {"argv": ["sh", "-c", tree], "cwd": str(folder), "env": mark.env | {"DAEMON": DAEMON}, "stdio": "file"}
    spec |= {"output": str(folder / "out"), "stdin": "", "head": 1000, "tail": 1000, "grace": 30.0}
    parent = subprocess.Popen([sys.executable, "-c", SUPERVISOR, str(program), json.dumps(spec)], stdout=-3)
    until(lambda: mark.count(5))
    parent.kill()
    parent.wait()
    began = time.monotonic()
    while mark.left() and time.monotonic() - began < 2:
        time.sleep(0.01)
    return time.monotonic() - began


@pytest.mark.row("B1")
def test_a_killed_supervisor_takes_everything_along(mark: Mark, tmp_path: Path) -> None:
    assert killed_supervisor(Path(shim.__file__), mark, tmp_path) < 2


@pytest.mark.row("B1")
def test_without_the_lifeline_the_tree_stays(mark: Mark, tmp_path: Path) -> None:
    deaf = patched(tmp_path, ("            self.hurry = True\n            self.hasten(HURRY_GRACE)\n", ""))
    assert killed_supervisor(deaf, mark, tmp_path) >= 2
    shims = {shim.read_stat(pid).ppid for pid in mark.left()}  # type: ignore[union-attr]
    mark.sweep()
    assert all(not alive(pid) or pid == 1 or until(lambda pid=pid: not alive(pid)) for pid in shims)


# -- the pin


@pytest.mark.row("A11", "A13")
def test_only_the_very_process_that_was_seen_is_signalled(agent: str) -> None:
    child = subprocess.Popen([agent, "60"])
    me = os.getpid()
    start = shim.read_stat(child.pid).start  # type: ignore[union-attr]
    assert not shim.signal_under(child.pid, start + 1, {me}, signal.SIGKILL)
    assert not shim.signal_under(child.pid, start, {1, child.pid}, signal.SIGKILL)
    assert child.poll() is None
    assert shim.signal_under(child.pid, start, {me}, signal.SIGKILL)
    assert child.wait(5) == -9
    assert not shim.signal_under(child.pid, start, {me}, signal.SIGKILL)
    assert not shim.signal_under(1, shim.read_stat(1).start, {0}, 0)  # type: ignore[union-attr]


@pytest.mark.row("A13")
def test_a_pinned_chain_leaves_other_children_alone(agent: str) -> None:
    first, second = subprocess.Popen([agent, "60"]), subprocess.Popen([agent, "60"])
    try:
        chain = shim.Chain(os.getpid(), {first.pid: shim.read_stat(first.pid).start})  # type: ignore[union-attr]
        chain.freeze(time.monotonic() + 5)
        chain.kill()
        assert first.wait(5) == -9
        assert shim.read_stat(second.pid).state != "T"  # type: ignore[union-attr]
    finally:
        second.kill()
        second.wait()
