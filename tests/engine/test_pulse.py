"""Our own time: what was taken from us does not count, whoever asks first."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from console.core import due
from console.engine import pulse
from console.engine.pulse import OwnTime, Pulse
from console.engine.ticket_work import TicketWork


class Clock:
    def __init__(self) -> None:
        self.at = 100.0

    def __call__(self) -> float:
        return self.at


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.mark.row("C4")
def test_a_gap_of_more_than_a_few_seconds_is_absence(clock: Clock) -> None:
    own = OwnTime(clock)
    began = own.now()
    clock.at += 2.0
    assert own.now() - began == 2.0
    clock.at += 3600.0
    assert own.now() - began == 2.0
    assert (own.lost, own.worst) == (3600.0, 3600.0)


def test_the_absence_is_told_once_whoever_noticed_it_first(clock: Clock) -> None:
    own = OwnTime(clock)
    beating = Pulse(own)
    clock.at += 50.0
    own.now()
    beating.tick()
    assert beating.told() == 50.0
    assert beating.told() == 0.0
    clock.at += 10.0
    beating.tick()
    assert beating.told() == 10.0


def test_a_sleep_of_the_machine_takes_nothing_from_our_time_and_is_told(clock: Clock) -> None:
    slept = Clock()
    own = OwnTime(clock, slept)
    beating = Pulse(own)
    began = own.now()
    slept.at += 8 * 3600.0
    clock.at += 1.0
    beating.tick()
    assert own.now() - began == 1.0
    assert (own.lost, own.slept, beating.told()) == (0.0, 8 * 3600.0, 8 * 3600.0)


def test_it_beats_once_a_second_with_the_longest_gap(clock: Clock) -> None:
    beats: list[float] = []
    beating = Pulse(OwnTime(clock), beats.append)
    for _ in range(9):
        beating.tick()
        clock.at += pulse.TICK
    assert beats == [0.0, pulse.TICK, pulse.TICK]


async def test_a_sleep_is_as_long_as_our_own_time(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    own = OwnTime(clock)
    naps: list[float] = []

    async def nap(seconds: float) -> None:
        naps.append(seconds)
        clock.at += 100.0 if len(naps) == 2 else seconds

    monkeypatch.setattr(asyncio, "sleep", nap)
    await own.sleep(3.5)
    assert naps == [1.0, 1.0, 1.0, 1.0, 0.5], "the nap in which we were away did not count"


def waiting(*, limited: bool = False) -> Any:
    """A state in which ticket "t" waits from the second 1000 to 1060."""
    return SimpleNamespace(tickets={"t": SimpleNamespace(since=1000.0, until=1060.0, limited=limited)})


@pytest.mark.row("C4")
@pytest.mark.parametrize("limit", ["deadline", "patience"])
async def test_the_limit_of_a_turn_is_our_own_time(clock: Clock, monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    """A supervisor that is stopped for three times the limit goes on with what was left of it."""
    naps: list[float] = []
    told: list[object] = []

    async def nap(seconds: float) -> None:
        naps.append(seconds)
        clock.at += 90.0 if len(naps) == 5 else seconds

    async def tell(*facts: object) -> None:
        told.extend(facts)

    monkeypatch.setattr(asyncio, "sleep", nap)
    world: Any = SimpleNamespace(now=lambda: 1000.0)
    nothing: Any = None
    work = TicketWork(world, waiting, tell, nothing, nothing, own=OwnTime(clock))
    wait: Any = {
        "deadline": due.Deadline(ticket="t", attempt=1, limit=30.0, at=1030.0),
        "patience": due.Patience(ticket="t", attempt=1, title="?", options=(), at=1030.0),
    }[limit]
    await work.wait(wait)
    assert len(told) == 1
    assert sum(naps) == pytest.approx(31.0), "the nap in which it was stopped, and thirty seconds"


DAY = 86_400.0
WAITS: list[tuple[Any, bool, float]] = [
    (due.Deadline(ticket="t", attempt=1, limit=60.0, at=1060.0), False, 60.0),
    (due.Patience(ticket="t", attempt=1, title="?", options=(), at=1000.0 + due.ATTENTION), False, 300.0),
    (due.Wake(ticket="t", attempt=1, at=1060.0), False, 60.0),
    (due.Wake(ticket="t", attempt=1, at=1060.0), True, 60.0),
]


async def waited(clock: Clock, patch: pytest.MonkeyPatch, wait: Any, limited: bool, jump: Any) -> float:
    """Seconds of our own time that this wait takes; jump(own seconds so far): by how much the wall clock is off."""
    naps: list[float] = []

    async def nap(seconds: float) -> None:
        naps.append(seconds)
        clock.at += seconds
        assert sum(naps) < 3 * DAY

    async def tell(*facts: object) -> None:
        pass

    patch.setattr(asyncio, "sleep", nap)
    world: Any = SimpleNamespace(now=lambda: 1000.0 + sum(naps) + jump(sum(naps)))
    nothing: Any = None
    state = waiting(limited=limited)
    await TicketWork(world, lambda: state, tell, nothing, nothing, own=OwnTime(clock)).wait(wait)
    return sum(naps)


@pytest.mark.row("C3")
@pytest.mark.parametrize(("wait", "limited", "long"), WAITS, ids=["turn", "question", "overload", "usage limit"])
async def test_a_clock_that_is_set_back_makes_no_wait_longer(
    clock: Clock, monkeypatch: pytest.MonkeyPatch, wait: Any, limited: bool, long: float
) -> None:
    def during(gone: float) -> float:
        return -DAY if gone > 20 else 0.0

    assert await waited(clock, monkeypatch, wait, limited, during) == pytest.approx(long)
    assert await waited(clock, monkeypatch, wait, limited, lambda _: -DAY) == pytest.approx(long), "behind a restart"


@pytest.mark.row("C3")
@pytest.mark.parametrize(("limited", "long"), [(True, 21.0), (False, 60.0)])
async def test_a_clock_that_is_set_forward_ends_only_the_wait_for_a_time_of_day(
    clock: Clock, monkeypatch: pytest.MonkeyPatch, limited: bool, long: float
) -> None:
    wait = due.Wake(ticket="t", attempt=1, at=1060.0)
    jump = await waited(clock, monkeypatch, wait, limited, lambda gone: DAY if gone > 20 else 0.0)
    assert jump == pytest.approx(long)
