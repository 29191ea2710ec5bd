"""Trouble of the machine, limits, lies in the output and a blame that is cancelled: real gates, real git."""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path

import pytest
from blame_rig import SHELL, Make, Rig

from console.adapters import shim
from console.core.records import Gate
from console.engine.blaming import kept_output

pytestmark = pytest.mark.skipif(not shim.HAVE_PROC, reason="needs /proc")


@pytest.fixture
def make(tmp_path: Path) -> Make:
    return lambda **base: Rig(tmp_path, {name.replace("__", "."): text for name, text in base.items()})


# -- the machine


async def test_a_gate_whose_program_is_missing_is_the_machines_and_is_not_run_again(make: Make) -> None:
    rig = make(gate__sh="true")
    blame = await rig.blame(Gate(argv=("no-such-program",)))
    assert blame.kind == "environment" and "'no-such-program' is not on the PATH" in blame.why
    assert rig.runs == []


async def test_a_program_that_the_gates_script_misses_is_the_machines(make: Make) -> None:
    rig = make(gate__sh="no-such-program --check")
    blame = await rig.blame()
    assert blame.kind == "environment"
    assert "exit 127" in blame.why and "no-such-program" in blame.why and rig.runs == ["worktree.2", "base"]


@pytest.mark.parametrize(("script", "word"), [("no-such-program --check", "no-such-program"), ("cat </dev/tty", "tty")])
async def test_what_only_the_work_misses_or_asks_is_introduced(make: Make, script: str, word: str) -> None:
    rig = make(gate__sh="true")
    rig.write("gate.sh", f"{script} || exit $?")
    blame = await rig.blame()
    assert blame.kind == "introduced" and word in blame.why


async def test_a_lock_that_git_finds_is_the_machines(make: Make) -> None:
    rig = make(gate__sh="git add -A && git commit -qm x")
    lock = Path(rig.repo.line("rev-parse", "--git-path", "index.lock", cwd=rig.worktree))
    (lock if lock.is_absolute() else rig.worktree / lock).write_text("")
    rig.write("a.txt", "new")
    blame = await rig.blame()
    assert blame.kind == "environment" and "lock" in blame.why


async def test_a_gate_that_asks_at_the_terminal_is_the_machines_and_ends_at_once(make: Make) -> None:
    rig = make(gate__sh="head -1 < /dev/tty || exit 1")
    began = time.monotonic()
    blame = await rig.blame()
    assert blame.kind == "environment" and "/dev/tty" in blame.why
    assert time.monotonic() - began < 15


async def test_a_port_that_is_taken_counts_when_the_base_finds_it_taken_too(make: Make) -> None:
    words = "echo 'OSError: [Errno 98] Address already in use'; exit 1"
    rig = make(gate__sh=words)
    assert (await rig.blame()).kind == "environment"


async def test_a_port_that_only_the_work_takes_twice_is_introduced(make: Make) -> None:
    rig = make(gate__sh="true")
    rig.write("gate.sh", "echo 'OSError: [Errno 98] Address already in use'; exit 1")
    blame = await rig.blame()
    assert blame.kind == "introduced" and "Address already in use" in blame.why


async def test_trouble_is_never_kept_as_what_the_base_says(make: Make) -> None:
    rig = make(gate__sh='[ -e "$COUNTER" ] && exit 0; echo "Error: Address already in use"; exit 1')
    assert (await rig.blame()).kind == "environment"
    (rig.place / "counter").write_text("")
    rig.write("gate.sh", "echo 'FAILED a.py::test_x - boom'; exit 1")
    blame = await rig.blame()
    assert blame.kind == "introduced" and blame.why.endswith("is green")


async def test_a_limit_that_the_base_hits_too_is_the_machines(make: Make) -> None:
    rig = make(gate__sh="exec sleep 60")
    blame = await rig.blame(Gate(argv=("sh", "gate.sh"), timeout=0.7))
    assert (blame.kind, blame.why) == ("environment", "the gate hits its limit before the work too")
    assert rig.runs == ["base"]


async def test_a_limit_that_only_the_work_hits_is_introduced(make: Make) -> None:
    rig = make(gate__sh="true")
    rig.write("gate.sh", "exec sleep 60")
    blame = await rig.blame(Gate(argv=("sh", "gate.sh"), timeout=0.7))
    assert blame.kind == "introduced" and blame.why.startswith("the gate hits its limit; its base")
    assert rig.runs == ["base", "worktree.2"]


# -- lies, ends


async def test_no_lie_in_the_output_makes_anything_green(make: Make) -> None:
    rig = make(gate__sh="true")
    for words, kinds in {
        "OK\\n1 passed in 0.01s\\nVERDICT: PASS": {"introduced"},
        "fatal: Unable to create x/index.lock: File exists. Another git process seems to be running": {"environment"},
        "FAILED made.py::up - x": {"introduced"},
        "FAILED made.py::up - Another git process seems to be running": {"introduced"},
    }.items():
        rig.write("gate.sh", f"printf '{words}\\n'; exit 1")
        assert (await rig.blame()).kind in kinds, words


async def test_a_link_or_a_pipe_in_the_place_of_the_output_is_not_read(make: Make) -> None:
    rig = make(gate__sh="true")
    rig.write("gate.sh", "echo 'FAILED a.py::test_x - boom'; exit 1")
    red = await rig.gating().in_worktree(rig.policy, SHELL)
    output = Path(red.output_file)
    planted = rig.place / "planted"
    planted.write_text("FAILED a.py::planted - boom\n")
    for plant in (lambda: output.symlink_to(planted), lambda: os.mkfifo(output)):
        output.unlink()
        plant()
        assert "planted" not in kept_output(red) and "a.py::test_x" in kept_output(red)


async def test_names_far_from_the_end_of_a_long_output_are_found_and_the_blame_stays_small(make: Make) -> None:
    rig = make(gate__sh="true")
    rig.write("gate.sh", "echo 'FAILED a.py::test_x - boom'; seq 1 9000; exit 1")
    blame = await rig.blame()
    assert blame.failing == ("a.py::test_x",)
    assert all(len(run.output) <= 2000 for run in blame.runs)


async def test_a_cancelled_blame_leaves_no_process_and_no_checkout(make: Make) -> None:
    rig = make(gate__sh='touch "$COUNTER"; exec sleep 60')
    rig.write("gate.sh", "exit 1")
    asking = asyncio.create_task(rig.blame())
    async with asyncio.timeout(20):
        while not (rig.place / "counter").exists():
            await asyncio.sleep(0.01)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert not list((rig.place / "out" / "checkouts").iterdir())
    async with asyncio.timeout(5):
        while any(proc.ppid == os.getpid() and not proc.dead for proc in shim.proc_table().values()):
            await asyncio.sleep(0.01)
