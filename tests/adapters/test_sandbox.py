"""The sandbox: what a machine is found to allow, which one a session gets, and that half of one is never started."""

from __future__ import annotations

import asyncio
import os
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from process_rig import NAMESPACES, Driven, Mark, alive, boxed, kinds, patched, python, tier, until

from console.adapters import sandbox, shim
from console.adapters.processes import ShimProcesses
from console.adapters.sandbox import Tier, explain, plan, words
from console.adapters.shimmed import ShimRun
from console.core.records import ProcessEnd, Refused, Sandbox
from console.core.settings import Settings, read
from console.engine.ports import ProcessSpec

FULL = Tier(mounts=True, pids=True)
NONE = Tier(mounts=False, pids=False, reason="user namespaces are off")
needed = pytest.mark.skipif(not tier().mounts, reason=f"no sandbox here: {tier().reason}")
pids_needed = pytest.mark.skipif(not tier().pids, reason=f"no process namespace here: {tier().reason}")
Drive = Callable[..., Driven]


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

    def start(argv: list[str], kind: str = "mounts", **more: Any) -> Driven:
        box = more.pop("sandbox", None) or boxed(kind, tmp_path / "locked")
        driven.append(Driven(tmp_path, argv, mark.env, sandbox=box, **more))
        return driven[-1]

    yield start
    for one in driven:
        one.close()


# -- what the machine allows


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"/proc/sys/kernel/unprivileged_userns_clone": "0"}, "kernel.unprivileged_userns_clone=0"),
        ({"/proc/sys/user/max_user_namespaces": "0"}, "user.max_user_namespaces=0"),
        ({"/proc/sys/kernel/apparmor_restrict_unprivileged_userns": "1"}, "AppArmor"),
        ({"/proc/self/status": "Name:\tx\nSeccomp:\t2\n"}, "seccomp filter"),
        ({"/proc/self/status": "Name:\tx\nSeccomp:\t0\n"}, "do not work here (making it: Operation not permitted)"),
    ],
)
def test_why_there_is_none_is_told_in_words(files: dict[str, str], words: str) -> None:
    assert words in explain("making it: Operation not permitted", lambda path: files.get(path, ""))


@needed
def test_a_probe_finds_what_is_there_and_leaves_nothing() -> None:
    before = set(shim.children(os.getpid()))
    found = sandbox.probe(os.environ)
    assert found.mounts and found.pids == ("pids" in kinds()) and found.root == (os.geteuid() == 0)
    assert set(shim.children(os.getpid())) == before


def test_a_probe_that_cannot_run_is_a_reason() -> None:
    found = sandbox.probe(os.environ, python="/no/such/python")
    assert not found.mounts and not found.pids and "/no/such/python" in found.reason


@needed
@pytest.mark.parametrize("what", ["mounts", "pids"])
def test_a_refusal_is_told_with_its_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    broken = tmp_path / "namespaces.py"
    flag = "0x10000000, 0x20000000" if what == "mounts" else 'b"proc", b"/proc", b"proc"'
    wrong = "0x00000001, 0x20000000" if what == "mounts" else 'b"proc", b"/proc", b"noproc"'
    source = NAMESPACES.read_text()
    assert flag in source
    broken.write_text(source.replace(flag, wrong))
    monkeypatch.setattr(sandbox, "PROGRAM", broken)
    found = sandbox.probe(os.environ)
    assert (found.mounts, found.pids) == (what == "pids", False)
    assert ("making a user namespace" if what == "mounts" else "mounting /proc") in found.reason, found


# -- what a session gets


@pytest.fixture
def layout(tmp_path: Path) -> dict[str, str]:
    for name in ("shop/.git", "linked", "state"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "linked/.git").write_text("gitdir: ...\n")
    base = Path(os.path.realpath(tmp_path))
    return {name: str(base / path) for name, path in (("git", "shop/.git"), ("linked", "linked"), ("state", "state"))}


def planned(layout: dict[str, str], tier: Tier, wanted: str, worktree: str = "", **more: Any) -> Any:
    return plan(tier, wanted, layout["git"], worktree or layout["linked"], layout["state"], **more)


def test_the_git_dir_the_git_file_and_our_state_are_locked(layout: dict[str, str]) -> None:
    expected = (layout["git"], f"{layout['linked']}/.git", layout["state"])
    assert planned(layout, FULL, "auto") == Sandbox(read_only=expected)
    assert planned(layout, FULL, "require", pids=True) == Sandbox(read_only=expected, pids=True)
    main = planned(layout, FULL, "auto", worktree=os.path.dirname(layout["git"]))
    assert main == Sandbox(read_only=(layout["git"], layout["state"]))
    assert planned(layout, FULL, "auto", writable_git=True) == Sandbox(read_only=(layout["state"],))


def test_what_is_wanted_and_what_there_is(layout: dict[str, str]) -> None:
    assert planned(layout, FULL, "off") is None
    assert planned(layout, NONE, "off") is None
    assert planned(layout, NONE, "auto", pids=True) is None
    refused = planned(layout, NONE, "require")
    assert isinstance(refused, Refused) and NONE.reason in refused.reason
    only_mounts = Tier(mounts=True, pids=False, reason="no process namespace")
    assert planned(layout, only_mounts, "auto", pids=True).pids is False
    assert isinstance(planned(layout, only_mounts, "require", pids=True), Refused)


def test_links_are_followed_to_what_they_lead_to_or_refused(layout: dict[str, str], tmp_path: Path) -> None:
    main = os.path.dirname(layout["git"])
    (tmp_path / "real").mkdir()
    (tmp_path / "shop/.git").rmdir()
    (tmp_path / "shop/.git").symlink_to(tmp_path / "real")
    assert planned(layout, FULL, "auto", worktree=main).read_only[0] == os.path.realpath(tmp_path / "real")
    (tmp_path / "linked/.git").unlink()
    (tmp_path / "linked/.git").symlink_to(tmp_path)
    refused = planned(layout, FULL, "auto")
    assert isinstance(refused, Refused) and "symbolic link" in refused.reason


def test_a_worktree_that_would_be_locked_itself_is_refused(layout: dict[str, str]) -> None:
    inside = os.path.join(layout["git"], "worktree")
    os.mkdir(inside)
    refused = planned(layout, FULL, "auto", worktree=inside)
    assert isinstance(refused, Refused) and "git: writable" in refused.reason
    assert planned(layout, FULL, "auto", worktree=inside, writable_git=True) == Sandbox(read_only=(layout["state"],))


def test_the_state_folder_is_made_before_an_agent_could(layout: dict[str, str]) -> None:
    layout["state"] += "/deep/nightdesk"
    assert isinstance(planned(layout, FULL, "auto"), Sandbox)
    assert os.stat(layout["state"]).st_mode & 0o777 == 0o700
    layout["state"] = f"{layout['linked']}/.git/state"
    assert isinstance(planned(layout, FULL, "auto"), Refused)


def test_the_words_say_what_is_not_covered(layout: dict[str, str]) -> None:
    both = words(FULL, planned(layout, FULL, "auto"))
    assert ".git and Nightdesk's state are read-only" in both
    gaps = ("the network", "HOME with its credentials", "other files and worktrees", "signals")
    assert all(gap in both for gap in gaps)
    own = words(FULL, planned(layout, FULL, "auto", pids=True))
    assert "no processes but its own" in own and "signals" not in own
    assert ".git is not" in words(FULL, planned(layout, FULL, "auto", writable_git=True))
    assert "as root" in words(Tier(mounts=True, pids=True, root=True), planned(layout, FULL, "auto"))
    assert "switched off" in words(FULL, None) and NONE.reason in words(NONE, None)
    assert not any("\n" in line for line in (both, own, words(NONE, None)))


# -- the settings


def settings(data: dict[str, Any]) -> Any:
    return read(data, lambda path: 1)


def test_the_settings_of_a_sandbox() -> None:
    assert (Settings().sandbox_tier, Settings().sandbox_pids) == ("auto", False)
    good = settings({"sandbox": {"tier": "require", "pids": True}})
    assert (good.sandbox_tier, good.sandbox_pids) == ("require", True)
    assert settings({"sandbox": {"tier": False}}).sandbox_tier == "off"  # how YAML reads a bare `off`
    assert settings({"sandbox": None}).sandbox_tier == "auto"
    for bad in ({"tier": True}, {"tier": "on"}, {"pids": "yes"}, {"other": 1}, "off"):
        assert isinstance(settings({"sandbox": bad}), list), bad


def test_a_preset_may_leave_the_git_dir_writable() -> None:
    presets = {name: {"command": "agent", "git": name} for name in ("writable", "read-only")}
    good = settings({"presets": presets | {"plain": {"command": "agent"}}}).presets
    assert {name: preset.launch.writable_git for name, preset in good.items()} == {
        "writable": True,
        "read-only": False,
        "plain": False,
    }
    assert settings({"presets": {"bad": {"command": "agent", "git": "maybe"}}})[0].key == "presets.bad.git"


# -- all of it or nothing


@needed
@pytest.mark.parametrize("kind", kinds()[1:])
@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("0x10000000, 0x20000000", "0x00000001, 0x20000000"), "making a user namespace"),
        (('"/proc/{pid}/{kind}_map"', '"/proc/{pid}/no_map"'), "mapping our ids"),
        (("None, MS_REC | MS_SLAVE, None", "None, MS_REC | MS_SLAVE | 1 << 18, None"), "leaving the mounts"),
        (('SYS_MOUNT_SETATTR, top, b""', 'SYS_MOUNT_SETATTR, 999, b""'), "read-only: Bad file descriptor (errno 9)"),
        (("MS_RDONLY | MS_NOSUID)  #", "MS_NOSUID)  #"), "it did not become so"),
        (("identity != self.identity", "identity == self.identity"), "exchanged meanwhile"),
        (('b"tmpfs", flags', 'b"nosuchfs", flags'), "in its place: No such device"),
        (('unshare(CLONE_NEWUSER | CLONE_NEWNS, "locking', 'unshare(1, "locking'), "locking the mounts"),
        (('"prctl", PR_SET_NO_NEW_PRIVS, 1', '"prctl", 9999, 1'), "forbidding new privileges"),
        (("def enter(", "raise RuntimeError('oops')\n\n\ndef enter("), "oops"),
    ],
)
def test_a_step_that_fails_starts_nothing(
    drive: Drive, tmp_path: Path, kind: str, change: tuple[str, str], said: str
) -> None:
    broken = patched(tmp_path)
    source = NAMESPACES.read_text()
    assert change[0] in source
    source = source.replace(*change)
    (tmp_path / "namespaces.py").write_text(source)
    run = drive(["touch", str(tmp_path / "made")], kind, program=broken)
    end = run.line("end")
    assert end["how"] == "not-started" and said in end["reason"] and "'touch'" in end["reason"], end
    assert not (tmp_path / "made").exists()
    assert not any("started" in line for line in run.lines)
    assert run.shim.wait(5) == 0


@needed
def test_paths_that_are_missing_or_lead_elsewhere_start_nothing(drive: Drive, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    for name in ("missing", "link", "link/../real"):
        end = drive(["true"], sandbox={"read_only": [f"{tmp_path}/{name}"], "pids": False}).line("end")
        assert end["how"] == "not-started" and f"{tmp_path}/{name}" in end["reason"], end
    (tmp_path / "real/inner").mkdir()
    end = drive(["true"], sandbox={"read_only": [f"{tmp_path}/link/inner"], "pids": False}).line("end")
    assert "symbolic link" in end["reason"]


@needed
@pytest.mark.parametrize("numbers", ["428, 429, 9999", "9998, 9999, 9999"], ids=["before 5.12", "before 5.2"])
def test_older_kernels_lock_the_same(drive: Drive, tmp_path: Path, numbers: str) -> None:
    old = patched(tmp_path)
    source = NAMESPACES.read_text()
    assert "428, 429, 442" in source
    (tmp_path / "namespaces.py").write_text(source.replace("428, 429, 442", numbers))
    run = drive(["sh", "-c", "touch locked/x; mv locked away"], program=old)
    assert run.line("end")["how"] == "exited"
    assert b"Read-only" in run.text() and b"busy" in run.text() and not (tmp_path / "locked/x").exists()


BELOW = """
import os, subprocess, sys
sys.path.append(sys.argv[1])
import namespaces
subprocess.run(["mount", "-t", "tmpfs", "none", "outer/a b"], check=True)
namespaces.enter([os.path.realpath("outer")], False, -1)
try:
    open("outer/a b/x", "w")
except OSError as error:
    print(error.errno)
"""


@needed
@pytest.mark.parametrize("numbers", ["428, 429, 442", "428, 429, 9999", "9998, 9999, 9999"])
def test_what_is_mounted_below_is_locked_too(tmp_path: Path, numbers: str) -> None:
    (tmp_path / "outer/a b").mkdir(parents=True)
    (tmp_path / "namespaces.py").write_text(NAMESPACES.read_text().replace("428, 429, 442", numbers))
    argv = ["unshare", "-Urm", sys.executable, "-c", BELOW, str(tmp_path)]
    ran = subprocess.run(argv, cwd=tmp_path, capture_output=True, check=False)
    assert ran.stdout == b"30\n", ran.stderr


# -- what is in the sandbox


@needed
@pytest.mark.parametrize("kind", kinds()[1:])
def test_a_directory_inside_is_the_mounted_one(drive: Drive, tmp_path: Path, kind: str) -> None:
    box = boxed(kind, tmp_path / "locked")
    run = drive(["sh", "-c", "touch here; pwd"], sandbox=box, cwd=str(tmp_path / "locked"))
    assert run.line("end")["code"] == 0
    assert b"Read-only" in run.text() and str(tmp_path / "locked").encode() in run.text()


FDS = "import os; print(*[fd for fd in os.listdir('/proc/self/fd') if os.path.exists(f'/proc/self/fd/{fd}')])"


@needed
@pytest.mark.parametrize("kind", kinds()[1:])
def test_no_descriptor_leaks_into_it(drive: Drive, kind: str) -> None:
    run = drive(python(FDS), kind)
    run.line("end")
    assert run.text().split() == [b"0", b"1", b"2"]


@needed
def test_links_between_folders_above_go_on_working(drive: Drive, tmp_path: Path) -> None:
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache/file").touch()
    (tmp_path / "repository").mkdir()
    box = boxed("mounts", tmp_path / "repository" / "git")
    run = drive(["ln", "cache/file", "repository/file"], sandbox=box)
    assert run.line("end")["code"] == 0, run.text()
    run = drive(["mv", "repository", "elsewhere"], sandbox=box)
    assert run.line("end")["code"] == 1 and b"busy" in run.text()


# -- a process namespace


@pids_needed
def test_it_sees_its_own_processes_only_and_leads_its_session(drive: Drive) -> None:
    code = "import os; print(*sorted(int(n) for n in os.listdir('/proc') if n.isdigit()))"
    code += "; print(os.getpid(), os.getsid(0), os.getpgrp(), os.getppid())"
    run = drive(python(code), "pids")
    assert run.line("end")["code"] == 0
    assert run.text().splitlines() == [b"1 2", b"2 2 2 1"]


@pids_needed
def test_the_command_cannot_end_its_pid_1(drive: Drive) -> None:
    run = drive(["sh", "-c", "kill -KILL 1; kill -TERM 1; kill -STOP 1; exit 3"], "pids")
    end = run.line("end")
    assert (end["code"], end["stopped"]) == (3, False)


TREE = "trap '' TERM; setsid sleep 60 & (sleep 60 &) ; echo ready; while :; do sleep 1; done"


@pids_needed
@pytest.mark.parametrize("victim", ["shim", "leader", "pid 1"])
def test_whoever_keeps_it_takes_it_along(drive: Drive, mark: Mark, victim: str) -> None:
    run = drive(["sh", "-c", TREE], "pids", grace=30.0)
    run.ready()
    until(lambda: mark.count(3))
    leader = run.line("started")
    pid = {"shim": run.shim.pid, "leader": leader, "pid 1": shim.children(leader)[0]}[victim]
    began = time.monotonic()
    os.kill(pid, signal.SIGKILL)
    until(lambda: not mark.left(), 3)
    assert time.monotonic() - began < 3
    if victim != "shim":
        assert run.line("end")["signal"] == signal.SIGKILL
        assert run.shim.wait(5) == 0
    until(lambda: not alive(leader))


@needed
def test_a_command_still_dies_with_its_shim(drive: Drive) -> None:
    run = drive(["sleep", "60"])
    leader = run.line("started")
    run.shim.kill()
    until(lambda: not alive(leader), 3)


# -- through the port


@needed
@pytest.mark.parametrize("kind", kinds()[1:])
async def test_pipes_and_their_ends_reach_through_it(tmp_path: Path, mark: Mark, kind: str) -> None:
    box = boxed(kind, tmp_path / "locked")
    assert box
    script = "touch locked/x; cat; exec >&- ; exec sleep 60"
    spec = ProcessSpec(
        argv=("sh", "-c", script),
        cwd=str(tmp_path),
        env=mark.env,
        output=str(tmp_path / "errors"),
        stdio="pipes",
        sandbox=Sandbox(read_only=tuple(box["read_only"]), pids=box["pids"]),
    )
    run = await ShimProcesses().launch(spec)
    assert isinstance(run, ShimRun) and run.stdin_fd is not None and run.stdout_fd is not None
    os.write(run.stdin_fd, b'{"jsonrpc": "2.0"}\n')
    assert await asyncio.to_thread(os.read, run.stdout_fd, 100) == b'{"jsonrpc": "2.0"}\n'
    os.close(run.stdin_fd)
    assert await asyncio.to_thread(os.read, run.stdout_fd, 100) == b""  # nobody else holds it open
    run.stop()
    end = await run.wait()
    assert isinstance(end, ProcessEnd) and end.stopped and end.signal == signal.SIGTERM
    os.close(run.stdout_fd)
    assert "Read-only" in (tmp_path / "errors").read_text()


@needed
async def test_a_sandbox_that_cannot_be_made_is_an_end(tmp_path: Path, mark: Mark) -> None:
    box = Sandbox(read_only=(str(tmp_path / "missing"),))
    spec = ProcessSpec(argv=("true",), cwd="/", env=mark.env, output=str(tmp_path / "out"), sandbox=box)
    end = await ShimProcesses().launch(spec)
    assert isinstance(end, ProcessEnd) and end.how == "not-started"
    assert "missing" in end.reason and "(errno 2)" in end.reason


@needed
def test_the_cost_of_a_start(drive: Drive, tmp_path: Path) -> None:
    """Prints the medians; the bound only catches a start that became something else (a busy machine is slow)."""
    boxes = {kind: boxed(kind, tmp_path / kind) for kind in kinds()}
    spent: dict[str, list[float]] = {kind: [] for kind in boxes}
    for _ in range(5):
        for kind, box in boxes.items():
            began = time.monotonic()
            drive(["true"], kind, **({"sandbox": box} if box else {})).line("started")
            spent[kind].append(time.monotonic() - began)
    medians = {kind: statistics.median(times) for kind, times in spent.items()}
    print({kind: f"{median * 1000:.0f} ms" for kind, median in medians.items()})
    assert all(median < medians["bare"] + 0.5 for median in medians.values())
