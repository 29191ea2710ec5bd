"""The end of a wait for a person: told once, in time that passed for us, at once when it is long over."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from console.core import events as ev
from console.core.due import RoutinePatience
from console.engine import routine_work
from console.engine.pulse import OwnTime
from console.engine.routine_work import RoutineWork


class Clock:
    """Each look moves it on, as far as it is told."""

    def __init__(self, *steps: float) -> None:
        self.at, self.steps, self.looks = 0.0, list(steps), 0

    def __call__(self) -> float:
        self.looks += 1
        self.at += self.steps.pop(0) if self.steps else 0.5
        return self.at


async def waited(clock: Clock, left: float, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    monkeypatch.setattr(routine_work, "NAP", 0.001)
    told: list[Any] = []

    async def tell(*facts: Any) -> None:
        told.extend(facts)

    world: Any = SimpleNamespace(now=lambda: 1000.0)
    work = RoutineWork(world, tell, OwnTime(monotonic=clock, asleep=lambda: 0.0))
    await work.wait(RoutinePatience(routine="rt-1", step=2, asked=7, at=1000.0 + left))
    return told


async def test_the_end_of_the_wait_is_told_with_the_escalation_it_is_about(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    assert await waited(clock, 3.0, monkeypatch) == [ev.RoutineExpired(routine="rt-1", step=2, asked=7)]
    assert clock.at >= 3.0


@pytest.mark.parametrize("left", [-500.0, 0.0, 0.001])
async def test_the_shortest_waits_end_at_once(left: float, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    assert len(await waited(clock, left, monkeypatch)) == 1 and clock.looks <= 4


async def test_time_in_which_we_did_not_run_is_not_taken_from_a_person(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(0.0, 0.0, 0.5, 3600.0)
    assert len(await waited(clock, 3.0, monkeypatch)) == 1
    assert clock.at >= 3603.0
