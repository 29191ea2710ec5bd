"""The verdicts of `deciding` against labelled tickets: false parks and false proceeds, on six sets.

`unseen.jsonl` is read by the code below and by nobody who writes rules: a failure here names no row of it.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from console.core.deciding import judge

TICKETS = Path(__file__).parent.parent / "data" / "tickets"
LANGUAGES = {"en", "fr", "de", "es", "pt", "it", "pl", "ru", "zh", "ja", "ko"}


@dataclass(frozen=True)
class Figures:
    """PARK is what is looked for. by_language: language -> (found, there)."""

    found: int
    false_parks: int
    missed: int
    by_language: dict[str, tuple[int, int]]

    @property
    def precision(self) -> float:
        return self.found / (self.found + self.false_parks)

    @property
    def recall(self) -> float:
        return self.found / (self.found + self.missed)

    def __str__(self) -> str:
        counts = f"{self.found} found, {self.false_parks} false parks, {self.missed} missed"
        return f"precision {self.precision:.3f}, recall {self.recall:.3f} ({counts})"


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (TICKETS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def measured(name: str) -> Figures:
    kinds: Counter[tuple[bool, bool]] = Counter()
    found: Counter[str] = Counter()
    there: Counter[str] = Counter()
    for row in rows(name):
        parks, should = judge(row["title"], row["body"]).decision == "PARK", row["decision"] == "PARK"
        kinds[parks, should] += 1
        there[row["lang"]] += should
        found[row["lang"]] += parks and should
    by_language = {language: (found[language], there[language]) for language in there}
    return Figures(kinds[True, True], kinds[True, False], kinds[False, True], by_language)


def holds(figures: Figures, precision: float, recall: float) -> None:
    """Without the rows in the message of a failure."""
    assert figures.precision >= precision and figures.recall >= recall, str(figures)


def test_seen_half() -> None:
    figures = measured("seen")
    holds(figures, 0.98, 0.98)
    assert set(figures.by_language) == LANGUAGES
    assert all(found for found, _ in figures.by_language.values()), str(figures.by_language)


def test_unseen_half() -> None:
    """The goal is 0.90 and 0.85; the data's README tells all figures. A failure says no more than totals."""
    figures = measured("unseen")
    print(figures)
    holds(figures, 0.92, 0.95)
    silent = [language for language, (found, there) in figures.by_language.items() if there and not found]
    assert not silent, f"{figures}; nothing found in {silent}"


def test_own_examples() -> None:
    """Made while the rules were written: they show what a change of a rule breaks, not how good the rules are."""
    figures = measured("own")
    assert figures.found + figures.missed >= 150
    holds(figures, 0.97, 0.96)
    assert all(found >= 0.7 * there for found, there in figures.by_language.values()), str(figures.by_language)


@pytest.mark.parametrize(("name", "precision", "recall"), [("more_c", 0.97, 0.95), ("more_d", 0.97, 0.95)])
def test_tickets_of_other_hands(name: str, precision: float, recall: float) -> None:
    """The weights are fitted to these: a floor under the present figures, which say little of texts never seen."""
    holds(measured(name), precision, recall)


def test_examples_made_for_the_weights() -> None:
    holds(measured("more_e"), 0.95, 0.93)


@pytest.mark.parametrize("name", ["seen", "own", "more_c", "more_d"])
def test_the_category_of_a_park_is_mostly_the_labelled_one(name: str) -> None:
    right = parked = 0
    for row in rows(name):
        verdict = judge(row["title"], row["body"])
        if verdict.decision == "PARK" == row["decision"]:
            parked += 1
            right += verdict.category in (row["category"], *row.get("also", ()))
    assert right / parked >= 0.8, f"{right} of {parked}"


@pytest.mark.parametrize("name", ["seen", "own", "more_c", "more_d", "more_e"])
def test_every_park_explains_itself(name: str) -> None:
    for row in rows(name):
        verdict = judge(row["title"], row["body"])
        assert verdict.rule and verdict.why, row["id"]
        if verdict.decision == "PARK":
            assert verdict.question, row["id"]
            assert 2 <= len(verdict.options) <= 3, row["id"]
            assert verdict.evidence or verdict.rule == "unclassifiable", row["id"]
            assert len(verdict.evidence) <= 5


def test_a_hint_never_lowers() -> None:
    for row in rows("seen"):
        bare = judge(row["title"], row["body"])
        for hint in ("low", "medium", "high", "foundational"):
            hinted = judge(row["title"], row["body"], hint)
            if bare.decision == "PARK":
                assert hinted == bare, row["id"]
            elif hint == "foundational":
                assert hinted.decision == "PARK", row["id"]
            elif hint == "high":
                assert (hinted.decision == "PARK") == bool(bare.announced), row["id"]
            else:
                assert hinted == bare, row["id"]
