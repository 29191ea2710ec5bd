"""When an agent loops: rounds with its model that bring nothing. Time is a number."""

from __future__ import annotations

from typing import Any

import pytest
from test_watchdog import LIMITS, STILL, Agent, more, spoke

from console.core import fuse as fuses
from console.core import watchdog as dog


def looping(agent: Agent) -> dict[str, Any]:
    """Three rounds a second with bytes, CPU time and I/O, as such a loop has."""
    rounds = agent.now.get("rounds", 0) + 3
    return {"rounds": rounds, "output": rounds * 700, **more("ticks", 50)(agent)}


def test_a_hundred_empty_rounds_in_a_row_are_hung_at_once_whatever_else_moves() -> None:
    agent = spoke().go(33, looping)
    assert agent.said == [] and agent.watched and agent.watched.rounds == 99
    agent.step(rounds=100)
    assert agent.said == ["hung"]
    assert agent.watched.cause == "hang"
    assert agent.watched.why == "its model was asked 100 times in a row and neither said nor did anything"


def test_rounds_that_bring_something_now_and_then_are_no_loop() -> None:
    agent = spoke()
    for number in range(50):
        agent.go(33, looping)
        agent.step(rounds=0, progress=number + 2)
    assert "hung" not in agent.said


def test_a_tool_and_a_heartbeat_do_not_excuse_a_loop() -> None:
    agent = spoke()
    agent.step(tools=(dog.Flight(name="pytest", since=1.0),))
    for second in range(40):
        agent.step(heartbeat=str(second), **looping(agent))
    assert agent.condition == "hung"


@pytest.mark.parametrize("change", [{"phase": "awaiting-input"}, {"turn": 0}, {"judged": False}], ids=str)
def test_nobody_is_judged_by_rounds_who_is_not_judged_at_all(change: dict[str, Any]) -> None:
    agent = Agent(turn=change.get("turn", 1))
    agent.go(10, lambda agent: change)
    agent.go(5, lambda agent: change | {"rounds": 500})
    assert "hung" not in agent.said


def test_a_new_turn_has_rounds_of_its_own() -> None:
    agent = spoke().go(40, looping)
    assert agent.condition == "hung"
    agent.step(turn=2, rounds=0)
    assert agent.condition == "running"


def test_words_end_a_loop() -> None:
    agent = spoke().go(40, looping)
    agent.step(rounds=0, progress=9)
    assert agent.said == ["hung", "recovered"]


def ruling(*rounds: int) -> fuses.Ruling:
    """Of agents that have so many empty rounds behind them; none is silent for long."""
    fleet = {}
    for number, count in enumerate(rounds):
        agent = Agent(LIMITS)
        agent.step(progress=1, look=STILL)
        agent.go(40, lambda agent, count=count: {"rounds": count, "output": agent.now.get("output", 0) + 1})
        assert agent.watched
        fleet[f"s-{number}"] = agent.watched
    return fuses.rule(fuses.Fuse(), fleet, 41.0, {})


def test_one_that_loops_alone_is_ended() -> None:
    found = ruling(130, 0, 0, 2)
    assert (found.hung, found.blown) == (("s-0",), ())


@pytest.mark.row("C6")
def test_those_that_loop_together_blow_the_fuse_and_nobody_is_ended() -> None:
    found = ruling(130, 60, 90, 0, 0)
    assert (found.hung, found.blown) == ((), ("s-0", "s-1", "s-2"))
    assert ruling(130, 40, 49, 0, 0).hung == ("s-0",), "control: two of them are not half way there"
