"""Tokens and dollars, as the agents' own result records tell them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from console.adapters.agents import costs
from console.adapters.agents.costs import NOTHING, usage
from console.adapters.agents.lines import Lines
from console.core.records import Usage

CLAUDE = {"input_tokens": 10, "cache_read_input_tokens": 90, "cache_creation_input_tokens": 5, "output_tokens": 7}
OPENCODE = {"input": 10, "output": 7, "reasoning": 3, "cache": {"read": 80, "write": 2}}
PI = {"input": 10, "output": 7, "cacheRead": 1, "cacheWrite": 0, "cost": {"total": 0.25}}


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        ({"type": "result", "usage": CLAUDE, "total_cost_usd": 0.5}, (105, 7, 0.5)),
        ({"type": "result", "stats": {"input_tokens": 4, "output_tokens": 2, "total_tokens": 6}}, (4, 2, None)),
        ({"type": "turn.completed", "usage": {"input_tokens": 4, "output_tokens": 2}}, (4, 2, None)),
        ({"type": "step_finish", "part": {"tokens": OPENCODE, "cost": 0.125}}, (92, 7, 0.125)),
        ({"type": "turn_end", "message": {"usage": PI}}, (11, 7, 0.25)),
    ],
)
def test_lines_that_tell_a_cost(event: dict[str, Any], expected: tuple[int, int, float | None]) -> None:
    told = costs.of_event(event)
    assert told and (told.input_tokens, told.output_tokens, told.cost_usd) == expected


@pytest.mark.parametrize("counts", [None, 5, {}, {"input_tokens": -1}, {"input_tokens": "9"}, {"input_tokens": True}])
@pytest.mark.parametrize("cost", [None, "1", True, -1, float("nan"), float("inf"), 10**400])
def test_nonsense_is_not_said(counts: Any, cost: Any) -> None:
    assert costs.of_event({"type": "result", "usage": counts, "total_cost_usd": cost}) is None


def test_steps_add_up_and_what_neither_says_stays_unsaid() -> None:
    one, other = Usage(input_tokens=1, cost_usd=0.5), Usage(input_tokens=2, output_tokens=3)
    assert costs.plus(one, other) == Usage(input_tokens=3, output_tokens=3, cost_usd=0.5)
    assert costs.plus(Usage(input_tokens=1), Usage(input_tokens=1)) == Usage(input_tokens=2)
    assert costs.plus(None, one) == one == costs.plus(one, None)


def test_what_a_whole_conversation_has_cost_is_not_counted_again_with_each_turn() -> None:
    """codex and qwen count it from its beginning, also in another process."""

    def turn(event: dict[str, Any], before: Usage | None) -> Usage | None:
        lines = Lines("", before=before)
        lines.read(json.dumps(event))
        return lines.usage

    codex = {"type": "turn.completed", "usage": {"input_tokens": 600, "output_tokens": 42}}
    counts = {"input_tokens": 60, "output_tokens": 30, "total_tokens": 90}
    qwen = {"type": "result", "is_error": False, "usage": counts}
    assert turn(codex, Usage(input_tokens=300, output_tokens=21)) == Usage(input_tokens=300, output_tokens=21)
    assert turn(qwen, Usage(input_tokens=30, output_tokens=15)) == Usage(input_tokens=30, output_tokens=15)
    assert turn(qwen, NOTHING) == Usage(input_tokens=60, output_tokens=30)
    assert turn(codex, None) is None, "nobody knows what an earlier supervisor's turns had cost"
    claude = {"type": "result", "usage": {"input_tokens": 5, "output_tokens": 2}}
    assert turn(claude, Usage(input_tokens=3)) == Usage(input_tokens=5, output_tokens=2)


def test_input_that_is_told_twice_or_holds_its_cache_is_counted_once() -> None:
    gemini = {"total_tokens": 45, "input_tokens": 30, "output_tokens": 15, "cached": 10, "input": 20}
    qwen = {"input_tokens": 30, "output_tokens": 15, "cache_read_input_tokens": 20, "total_tokens": 45}
    claude = {"input_tokens": 30, "output_tokens": 15, "cache_read_input_tokens": 20}
    found = [usage(counts, None) for counts in (gemini, qwen, claude)]
    assert [one.input_tokens if one else None for one in found] == [30, 30, 50]
