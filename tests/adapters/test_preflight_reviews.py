"""The preflight's line about reviews: whether there are any, by whom, and when that is who did the work."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from preflight_facts import SETTINGS, healthy, load, said, worst

from console.adapters.preflight import preflight

CONFIRMED = {"command": "second acp", "protocol": "acp", "autonomy_confirmed": True}


def on(place: Path, presets: dict[str, Any] | None = None, **review: Any) -> Any:
    loaded = load(place, presets=SETTINGS["presets"] | (presets or {}), review=review)
    assert not loaded.problems, loaded.problems
    return replace(healthy(loaded), chains=True)


def test_off_is_said_and_is_no_warning(tmp_path: Path) -> None:
    check = worst(healthy(load(tmp_path)), "reviews")
    assert check.level == "ok" and "off" in check.text and "nightdesk chain on" in check.text


def test_on_it_says_what_is_reviewed_and_by_whom(tmp_path: Path) -> None:
    check = worst(on(tmp_path, {"second": CONFIRMED}, when="always", max_cycles=2), "reviews")
    assert check.level == "ok" and "all work, by second, at most 2 times" in check.text


@pytest.mark.parametrize("review", [{}, {"assignee": "codex"}])
def test_a_reviewer_who_did_the_work_is_a_warning(tmp_path: Path, review: dict[str, str]) -> None:
    check = worst(on(tmp_path, **review), "reviews")
    assert check.level == "warning" and "codex, which also does the work" in check.text and check.cure
    assert preflight(on(tmp_path, **review)).go


def test_a_reviewer_whom_nobody_confirmed_is_a_warning(tmp_path: Path) -> None:
    checks = said(on(tmp_path, {"second": CONFIRMED}, assignee="shy", repair_assignee="shy"), "reviews")
    told = [check.text for check in checks if check.level == "warning"]
    assert len(told) == 2 and all("shy" in text and "nobody confirmed" in text for text in told)
    assert not any("by shy" in check.text for check in checks), "it does not promise what cannot be"


def test_workers_that_pull_get_no_reviews(tmp_path: Path) -> None:
    check = worst(replace(on(tmp_path, {"second": CONFIRMED}), pull=True), "reviews")
    assert check.level == "ok" and "get none" in check.text
