"""`review` of the settings: as what chains go by, and names that are no presets are told with their line and a cure."""

from __future__ import annotations

from typing import Any

import pytest

from console.core.records_chains import ReviewLimits
from console.core.settings import Settings, read, review_limits

PRESETS = {
    "bot": {"command": "bot", "protocol": "acp", "autonomy_confirmed": True},
    "shy": {"command": "shy", "protocol": "acp"},
    "apt": {"command": "apt", "protocol": "acp", "autonomy_confirmed": True},
}


def settings(**review: Any) -> Settings:
    made = read({"presets": PRESETS, "review": review}, lambda path: 1)
    assert isinstance(made, Settings), made
    return made


def test_without_a_word_it_is_high_risk_work_by_whom_it_can_be() -> None:
    assert review_limits(settings()) == ReviewLimits(presets=("apt", "bot"))


def test_every_key_counts_and_who_is_not_confirmed_is_not_started() -> None:
    given = {"when": "always", "assignee": "shy", "repair_assignee": "bot", "max_cycles": 2, "max_chains": 3}
    wanted = ReviewLimits(
        when="always",
        reviewer="shy",
        repairer="bot",
        max_cycles=2,
        max_chains=3,
        interval=0.5,
        presets=("apt", "bot"),
    )
    assert review_limits(settings(**given, interval="500ms")) == wanted


def test_null_is_nobody_in_particular() -> None:
    assert settings(assignee=None, repair_assignee=None).review == ReviewLimits()


@pytest.mark.parametrize(
    ("review", "key", "says"),
    [
        ({"assignee": "bott"}, "review.assignee", "no preset 'bott' (did you mean bot?); here: apt, bot, shy"),
        ({"repair_assignee": "ready-made"}, "review.repair_assignee", "take it in with `ready-made: {}`"),
        ({"when": "sometimes"}, "review.when", "one of never, high_risk, always"),
        ({"max_cycles": 0}, "review.max_cycles", "whole number"),
        ({"interval": 30}, "review.interval", "duration"),
    ],
)
def test_what_is_wrong_is_told_with_its_line_and_a_cure(review: dict[str, Any], key: str, says: str) -> None:
    def ready(name: str) -> dict[str, Any] | None:
        return {"command": "ready"} if name == "ready-made" else None

    problems = read({"presets": PRESETS, "review": review}, lambda path: 7 if path[0] == "review" else 1, ready)
    assert isinstance(problems, list)
    (problem,) = problems
    assert (problem.line, problem.key) == (7, key) and says in problem.message, problem


def test_a_preset_with_a_fault_of_its_own_is_told_of_once() -> None:
    broken = {"presets": {1: {}, "bot": {"command": "bot", "protocol": "smoke"}}, "review": {"assignee": "bot"}}
    problems = read(broken, lambda path: 1)
    assert isinstance(problems, list) and all("review" not in problem.key for problem in problems)
