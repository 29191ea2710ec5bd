"""When a fleet is silent together, and how that ends: by table. Time is a number."""

from __future__ import annotations

import pytest
from test_watchdog import LIMITS, Agent, more

from console.core import fuse as fuses
from console.core import watchdog as dog
from console.core.records import WatchLimits


class Fleet:
    """Agents by number; those in `silent` (number -> when it fell silent) say nothing from then on."""

    def __init__(self, size: int, silent: dict[int, float], limits: WatchLimits = LIMITS) -> None:
        self.agents = {f"s-{number}": Agent(limits) for number in range(size)}
        self.silent = {f"s-{number}": at for number, at in silent.items()}
        self.fuse = fuses.Fuse()
        self.aside: dict[str, fuses.Aside] = {}
        self.at = 0.0
        self.ended: dict[str, float] = {}
        self.blown: list[float] = []
        self.reset: list[float] = []

    def again(self, name: str, *, silent: bool) -> None:
        """It has come up in another run, and its turn begins again."""
        self.agents[name] = Agent(self.agents["s-0" if name != "s-0" else "s-1"].limits, self.at, run=2)
        del self.aside[name]
        if not silent:
            self.silent.pop(name)

    def go(self, seconds: int) -> Fleet:
        for _ in range(seconds):
            for name, agent in self.agents.items():
                talks = agent.at < self.silent.get(name, float("inf"))
                agent.step(progress=agent.now.get("progress", 0) + talks)
            self.at += 1.0
            at = self.at
            watched = {n: a.watched for n, a in self.agents.items() if a.watched}
            ruling = fuses.rule(self.fuse, watched, at, self.aside)
            self.fuse = ruling.fuse
            for name in ruling.hung:
                self.ended[name] = at
                del self.agents[name]
                self.aside[name] = "coming"
            self.blown += [at] if ruling.blown else []
            self.reset += [at] if ruling.reset else []
        return self


def test_three_of_eight_are_ended_and_the_fuse_holds() -> None:
    fleet = Fleet(8, {0: 10, 1: 12, 2: 14}).go(1200)
    assert sorted(fleet.ended) == ["s-0", "s-1", "s-2"]
    assert not fleet.blown


@pytest.mark.row("C6")
@pytest.mark.parametrize("count", [4, 5, 6, 8])
def test_half_of_them_silent_together_blows_the_fuse_once_and_ends_nobody(count: int) -> None:
    fleet = Fleet(8, {number: 10.0 + number * 7 for number in range(count)}).go(1800)
    assert (fleet.ended, len(fleet.blown), fleet.reset) == ({}, 1, [])


@pytest.mark.parametrize("count", [1, 2])
def test_one_or_two_agents_are_ended_even_when_all_are_silent(count: int) -> None:
    assert len(Fleet(count, dict.fromkeys(range(count), 10.0)).go(700).ended) == count


def test_three_of_three_are_together() -> None:
    fleet = Fleet(3, dict.fromkeys(range(3), 10.0)).go(700)
    assert (fleet.ended, len(fleet.blown)) == ({}, 1)


def test_silences_that_began_far_apart_are_not_together() -> None:
    fleet = Fleet(4, {0: 10, 1: 400, 2: 800, 3: 1200}).go(2500)
    assert len(fleet.ended) == 4
    assert not fleet.blown


def test_the_first_to_be_due_is_judged_with_those_that_are_nearly_due() -> None:
    fleet = Fleet(5, {0: 10, 1: 250, 2: 300}).go(700)
    assert (fleet.ended, len(fleet.blown)) == ({}, 1), "the others have 290 and 240 s to go"


def test_a_blown_fuse_is_whole_again_when_they_come_back_and_then_the_hung_one_is_ended() -> None:
    fleet = Fleet(8, dict.fromkeys(range(5), 10.0)).go(900)
    assert fleet.blown and not fleet.reset
    for name in ("s-1", "s-2", "s-3", "s-4"):
        fleet.silent.pop(name)
        fleet.go(20)
    fleet.go(299)
    assert len(fleet.reset) == 1
    assert list(fleet.go(5).ended) == ["s-0"]
    assert len(fleet.blown) == 1


def test_a_fuse_does_not_flap_with_an_agent_that_stirs_now_and_then() -> None:
    fleet = Fleet(4, dict.fromkeys(range(3), 10.0)).go(700)
    del fleet.silent["s-2"]
    stirring = fleet.agents["s-1"]
    for _ in range(3):
        for _ in range(250):
            stirring.now |= more("ticks", 100)(stirring)
            fleet.go(1)
        fleet.go(50)
    assert (len(fleet.blown), fleet.reset, fleet.ended) == (1, [], {})


def test_starts_that_hang_together_blow_it_too() -> None:
    fleet = Fleet(4, dict.fromkeys(range(4), 0.0))
    for agent in fleet.agents.values():
        agent.watched, agent.now = None, {"phase": "starting", "run": 1, "turn": 0, "look": None}
    fleet.go(300)
    assert (fleet.ended, len(fleet.blown)) == ({}, 1)


def test_who_waits_for_a_tool_is_not_counted_as_silent() -> None:
    fleet = Fleet(4, dict.fromkeys(range(4), 10.0))
    for name in ("s-1", "s-2"):
        fleet.agents[name].now["tools"] = (dog.Flight(name="make", since=1.0),)
    fleet.go(650)
    assert sorted(fleet.ended) == ["s-0", "s-3"]


# -- what ends it ------------------------------------------------------------------------------------------


@pytest.mark.row("C6")
def test_a_fleet_that_stays_silent_has_one_ended_after_long_and_the_next_after_twice_as_long() -> None:
    fleet = Fleet(8, dict.fromkeys(range(8), 10.0)).go(610)
    (blown,) = fleet.blown
    for _ in range(2):
        before = set(fleet.ended)
        while set(fleet.ended) == before:
            fleet.go(1)
        (name,) = set(fleet.ended) - before
        fleet.go(10)
        fleet.again(name, silent=True)
    first, second = sorted(fleet.ended.values())
    assert (first - blown, second - first) == (1200, 2400)
    assert len(fleet.blown) == 1 and not fleet.reset
    assert sorted(fleet.ended) == ["s-0", "s-1"], "not the same one again"
    fleet.go(3598)
    assert len(fleet.ended) == 3, "an hour is the longest wait"


@pytest.mark.row("C6")
@pytest.mark.parametrize("size", [3, 8])
def test_a_probe_that_speaks_resets_the_fuse_and_the_others_are_ended_without_another_alarm(size: int) -> None:
    fleet = Fleet(size, dict.fromkeys(range(size), 10.0)).go(1815)
    (probe,) = fleet.ended
    fleet.again(probe, silent=False)
    fleet.go(10)
    assert len(fleet.reset) == len(fleet.blown) == 1
    assert len(fleet.ended) == size and set(fleet.agents) == {probe}


def test_negative_control_without_the_mark_of_the_probe_the_others_are_another_alarm() -> None:
    fleet = Fleet(8, dict.fromkeys(range(8), 10.0)).go(1815)
    (probe,) = fleet.ended
    fleet.again(probe, silent=False)
    fleet.go(2)
    fleet.fuse = fuses.Fuse()
    assert len(Fleet.go(fleet, 5).blown) == 1 and len(fleet.ended) == 8
    again = Fleet(8, dict.fromkeys(range(8), 10.0)).go(1815)
    again.fuse = fuses.Fuse()
    assert len(again.go(5).blown) == 2


def test_a_probe_whose_turn_ended_well_between_two_looks_counts_as_progress() -> None:
    fleet = Fleet(4, dict.fromkeys(range(4), 10.0)).go(1815)
    (probe,) = fleet.ended
    fleet.aside[probe] = "well"
    assert len(fleet.go(5).reset) == 1


def test_agents_of_the_alarm_that_are_started_again_are_no_calm_before_they_speak() -> None:
    fleet = Fleet(4, dict.fromkeys(range(4), 10.0)).go(700)
    for name in list(fleet.agents):
        del fleet.agents[name]
        fleet.aside[name] = "coming"
    fleet.go(400)
    for name in list(fleet.aside):
        fleet.agents[name] = Agent(LIMITS, fleet.at, run=2)
        del fleet.aside[name]
    assert not fleet.go(400).reset, "their limit by another way, and nothing of them yet"
    fleet.silent.clear()
    assert len(fleet.go(302).reset) == 1


def test_an_alarm_ends_when_fewer_than_two_of_its_agents_are_still_at_work() -> None:
    fleet = Fleet(8, dict.fromkeys(range(4), 10.0)).go(700)
    for name in ("s-0", "s-1"):
        del fleet.agents[name]
    assert not fleet.go(5).reset
    del fleet.agents["s-2"]
    assert len(fleet.go(1).reset) == 1
    assert list(fleet.go(5).ended) == ["s-3"]
