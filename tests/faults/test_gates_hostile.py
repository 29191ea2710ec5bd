"""Rows D of the fault matrix: gates that wait, leave things behind, lie about their end, flood or leave their place."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from trees import HERE  # first: it knows where the rig is

# isort: split
from process_rig import DAEMON, Driven, Mark, canary, python

from console.adapters import shim
from console.adapters.environment import gate_env
from console.adapters.processes import ShimProcesses
from console.core.records import GateResult
from console.engine.ports import ProcessSpec
from console.engine.running import run_limited

pytestmark = pytest.mark.skipif(not shim.HAVE_PROC, reason="needs /proc")
Gate = Callable[..., Any]
FEW = (0, 1, 2, 125, 126, 127, 128, 130, 137, 143, 255)


@pytest.fixture(autouse=True)
def agent(tmp_path: Path) -> Iterator[str]:
    assert HERE.is_dir()
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
def gate(tmp_path: Path, mark: Mark) -> Gate:
    """Run a gate as a policy would: under a shim, in the environment of gates, with a limit."""
    processes = ShimProcesses()
    numbers = iter(range(10_000))

    async def run(*argv: str, limit: float = 20.0, **more: Any) -> GateResult:
        place = tmp_path / f"work-{next(numbers)}"
        place.mkdir()
        env = gate_env(os.environ, []) | mark.env | more.pop("env", {})
        spec = ProcessSpec(argv=argv, cwd=str(place), env=env, output=str(place) + ".txt", **({"grace": 0.5} | more))
        return await run_limited(processes, spec, limit, "worktree")

    return run


async def quickly(result: Any, limit: float) -> GateResult:
    began = time.monotonic()
    found: GateResult = await result
    assert time.monotonic() - began < limit
    return found


# -- questions to nobody


@pytest.mark.row("D1")
@pytest.mark.parametrize(
    "script",
    [
        "read -r answer",
        "read -r answer < /dev/tty",
        "printf 'protocol=https\\nhost=nowhere.invalid\\n' | git credential fill",
        "git -c core.editor= commit --allow-empty -F - ; exit 1",
    ],
)
async def test_a_gate_that_asks_ends_at_once(gate: Gate, script: str) -> None:
    result = await quickly(gate("sh", "-c", script), 2.0)
    assert result.verdict in ("red", "green") and not result.reason


@pytest.mark.row("D1")
@pytest.mark.skipif(not shutil.which("ssh-keygen"), reason="no ssh-keygen here")
async def test_a_gate_that_asks_for_a_passphrase_ends_at_once(gate: Gate, tmp_path: Path) -> None:
    key = tmp_path / "key"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "secret", "-f", key], check=True)
    result = await quickly(gate("ssh-keygen", "-y", "-f", str(key)), 2.0)
    assert result.verdict == "red"


# -- what stays behind


@pytest.mark.row("D2")
@pytest.mark.parametrize(
    ("script", "left"),
    [
        ("sleep 50 & echo ok", 1),
        ("setsid sleep 50 & echo ok", 1),
        ("exec > >(cat); echo ok", 0),
        (f'{" ".join(python("$0")[:-1])} "$DAEMON"; echo ok', 1),
    ],
)
async def test_a_gate_passes_although_somebody_holds_its_output(gate: Gate, mark: Mark, script: str, left: int) -> None:
    result = await quickly(gate("bash", "-c", script, env={"DAEMON": DAEMON}), 2.0)
    assert (result.verdict, result.code, result.leftovers, result.output) == ("green", 0, left, "ok\n")
    assert mark.left() == []


# -- what it said at its end


async def sevens(gate: Gate, count: int) -> None:
    script = "(sh -c 'true & true &' &) ; (true &) ; exit 7"
    for _ in range(0, count, 8):
        results = await asyncio.gather(*(gate("sh", "-c", script) for _ in range(8)))
        assert {(result.verdict, result.code) for result in results} == {("red", 7)}


@pytest.mark.row("D3")
async def test_every_exit_7_is_a_7_while_orphans_are_reaped(gate: Gate) -> None:
    await sevens(gate, 24)


@pytest.mark.slow
@pytest.mark.row("D3")
async def test_five_hundred_times_exit_7(gate: Gate) -> None:
    await sevens(gate, 504)


@pytest.mark.row("D3")
def test_a_launcher_that_ignores_dead_children_loses_no_status(mark: Mark, tmp_path: Path) -> None:
    ignoring = ["bash", "-c", 'trap "" CHLD; exec "$@"', "sh"]
    run = Driven(tmp_path, ["sh", "-c", "grep SigIgn /proc/$PPID/status; exit 7"], mark.env, prefix=ignoring)
    try:
        assert run.line("end")["code"] == 7
    finally:
        run.close()


async def told_exactly(gate: Gate, codes: Any) -> None:
    for code in codes:
        result = await gate("sh", "-c", f"exit {code}")
        assert (result.verdict, result.code) == ("green" if code == 0 else "red", code)


@pytest.mark.row("D4")
async def test_exit_codes_are_told_exactly(gate: Gate) -> None:
    await told_exactly(gate, FEW)


@pytest.mark.slow
@pytest.mark.row("D4")
async def test_all_256_exit_codes_are_told_exactly(gate: Gate) -> None:
    await told_exactly(gate, range(256))


@pytest.mark.row("D4")
async def test_success_after_the_limit_is_a_timeout(gate: Gate) -> None:
    result = await gate("sh", "-c", "trap 'exit 0' TERM; while :; do sleep 0.05; done", limit=0.3)
    assert (result.verdict, result.code) == ("timeout", 0)


@pytest.mark.row("D4")
async def test_a_gate_that_crashes_or_cannot_start_is_told_apart(gate: Gate, tmp_path: Path) -> None:
    crashed = await gate("sh", "-c", "kill -SEGV $$")
    assert (crashed.verdict, crashed.code, crashed.signal) == ("red", None, 11)
    (tmp_path / "plain").write_text("no program\n")
    for argv in (("no-such-gate",), (str(tmp_path / "plain"),)):
        missing = await gate(*argv)
        assert missing.verdict == "unjudged" and argv[0] in missing.reason


# -- floods


@pytest.mark.row("D5")
@pytest.mark.parametrize("size", [60_000_000, pytest.param(1_000_000_000, marks=pytest.mark.slow)])
async def test_a_flood_without_a_line_end_stays_small(gate: Gate, size: int, tmp_path: Path) -> None:
    flood = (
        rf"head -c {size} /dev/zero | tr '\0' '\377'; printf '\033[2J\033]0;x\007'; grep VmHWM /proc/$PPID/status >peak"
    )
    result = await gate("sh", "-c", flood, limit=60)
    assert result.verdict == "green" and result.output_bytes == size + 10
    assert Path(result.output_file).stat().st_size < 200_000 and len(result.output) <= 16_000
    assert int((tmp_path / "work-0" / "peak").read_text().split()[1]) < 40_000  # kB


# -- gates that leave their place


@pytest.mark.row("D6")
@pytest.mark.parametrize(
    ("script", "verdict"),
    [
        ('rm -rf "$PWD"; exit 3', "red"),
        ('rm -rf "$PWD"; sleep 50', "timeout"),
        ("exec setsid -w sh -c 'exit 3'", "red"),
        ("exec setsid -w sh -c 'sleep 50'", "timeout"),
        ("kill -STOP $$; exit 3", "timeout"),
        ("kill -STOP 0; sleep 50", "timeout"),
    ],
)
async def test_a_gate_that_moves_away_is_classified_and_ended(
    gate: Gate, mark: Mark, script: str, verdict: str
) -> None:
    result = await quickly(gate("sh", "-c", script, limit=0.6), 3.0)
    assert result.verdict == verdict
    assert mark.left() == []
