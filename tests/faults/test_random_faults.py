"""The property test of the fault matrix: random operations and faults on the real thing, then what must always hold.

A few seeds here, one of them new each time; 200 in `tests/full random`. A seed that fails is printed with its sequence
and with what plays it again.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

import randomchecks as checks
from randomly import Play, drawn, played, told
from randomstage import Stage

from console.adapters import shim

pytestmark = pytest.mark.skipif(not shim.HAVE_PROC, reason="needs /proc")

LENGTH = 6
FRESH = random.SystemRandom().randrange(10**6)


@pytest.mark.row("A13", "B1", "B2", "B3", "B6", "F1")
@pytest.mark.parametrize(
    "seed",
    [*(pytest.param(seed, marks=pytest.mark.slow) for seed in (2, 4, 56)), 10, 106, pytest.param(FRESH, id="fresh")],
)
def test_after_any_sequence_nothing_hangs_leaks_or_is_lost(seed: int, tmp_path: Path) -> None:
    found = played(tmp_path / "play", seed, LENGTH)
    print({name: value for name, value in found.items() if name != "log"})
    if found["fault"]:
        pytest.fail(told(found, LENGTH))


def test_a_seed_always_draws_the_same_sequence() -> None:
    assert drawn(FRESH, 20) == drawn(FRESH, 20) and drawn(7, 20) != drawn(8, 20)
    assert all(callable(getattr(Play, op.name)) for seed in range(50) for op in drawn(seed, 20)[0])


# -- negative controls: the checks see what they are there for


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """With canaries and worktrees, and nobody at work."""
    made = Stage(tmp_path_factory.mktemp("controls").resolve() / "play", alone=False)
    made.prepare(["good"])
    yield made
    made.close()


def leashed(*steps: str) -> list[str]:
    return [sys.executable, "-I", "-S", "-c", f"import signal, os, time; signal.alarm(50); {'; '.join(steps)}"]


def test_negative_control_a_process_that_is_left_is_seen(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "SETTLED", 0.3)
    assert checks.nothing_left(stage, excused=False) < 0.3
    left = subprocess.Popen(leashed("os.fork()", "time.sleep(50)"))
    try:
        with pytest.raises(AssertionError, match=f"still running: .*{left.pid}"):
            checks.nothing_left(stage, excused=False)
    finally:
        for pid, proc in stage.processes().items():
            if "signal.alarm(50)" in shim.command_line(pid) and proc.ppid in (os.getpid(), left.pid):
                os.kill(pid, signal.SIGKILL)
        left.wait()


def test_negative_control_a_second_tree_in_a_worktree_is_seen(stage: Stage) -> None:
    argv = [stage.room / "bin" / "agent", stage.room / "locks"]
    tree = stage.room / "tree0"
    first = subprocess.Popen([*argv, "behave: steady"], cwd=tree, stdout=subprocess.PIPE)
    assert first.stdout
    first.stdout.readline()
    checks.doubles(stage)
    subprocess.run([*argv, "behave: ends"], cwd=tree, check=True, stdout=subprocess.DEVNULL, timeout=30)
    first.kill()
    first.wait()
    first.stdout.close()
    with pytest.raises(AssertionError, match="second tree"):
        checks.doubles(stage)


def test_negative_control_a_canary_that_was_signalled_is_seen(stage: Stage) -> None:
    checks.canaries(stage)
    bird = stage.canaries[0]
    os.kill(bird.pid, signal.SIGKILL)
    stage.birds[0].wait()
    with pytest.raises(AssertionError, match="canary"):
        checks.canaries(stage)


def test_negative_control_a_changed_checkout_is_seen(stage: Stage) -> None:
    checks.untouched(stage)
    (stage.room / "operators" / "shop.py").write_text("")
    with pytest.raises(AssertionError, match="was touched"):
        checks.untouched(stage)
