"""SIGKILL of a supervisor, a console or a command: nothing is left, nothing is lost, nothing happens twice.

A few moments of many: `tests/full` plays all forty, and the others more often.
"""

from __future__ import annotations

import fcntl
import random
import threading
from pathlib import Path

import pytest
from clients import doubled_acks, doubled_supervisors, killed_acks
from moments import MOMENTS, Moment
from plays import play_moment
from screens import killed_console

from console.adapters.lock import Lock

SEED = random.SystemRandom().randrange(10**6)
PLAYED, SLOW = 4, 2


def test_there_are_forty_moments() -> None:
    assert len(MOMENTS) == len({moment.name for moment in MOMENTS}) == 40


@pytest.mark.parametrize(
    "moment",
    [
        pytest.param(m, id=m.name, marks=[pytest.mark.slow] if at < SLOW else [])
        for at, m in enumerate(MOMENTS[:PLAYED])
    ],
)
def test_the_supervisor_is_killed(moment: Moment, tmp_path: Path) -> None:
    figures = play_moment(moment, SEED, tmp_path / "play")
    print(figures.line())
    if moment.arm and moment.arm[0] != "gate":
        assert {"plan:landing", "plan:undo-requested"} & set(figures.open[0]), "not between the intent and its outcome"


@pytest.mark.slow
def test_the_console_is_killed_under_its_front(tmp_path: Path) -> None:
    print(f"nothing left after {killed_console(tmp_path / 'play'):.2f} s")


def test_an_approval_is_killed(tmp_path: Path) -> None:
    print(f"seed {SEED}: {dict(killed_acks(tmp_path / 'play', 4, SEED))}")


def test_the_same_approval_twice_at_once(tmp_path: Path) -> None:
    assert doubled_acks(tmp_path / "play", 2) == {"landed once": 2}


def test_two_supervisors_at_once(tmp_path: Path) -> None:
    assert doubled_supervisors(tmp_path / "play", 2) == {"one won": 2}


def test_a_supervisor_starts_although_somebody_looks_at_the_lock(tmp_path: Path) -> None:
    """Everybody who asks whether the workspace is supervised holds the lock shared for a moment."""
    lock = Lock(tmp_path / "lock")
    with open(lock.path, "w") as looking:
        fcntl.flock(looking, fcntl.LOCK_SH)
        end = threading.Timer(0.01, fcntl.flock, (looking, fcntl.LOCK_UN))
        end.start()
        assert lock.take("pid of the new holder")
        end.join()
    lock.release()
