"""Every benchmark runs and produces figures. One tiny round; what the figures are is nobody's business here."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from bench.benchmarks import ALL
from bench.ground import TINY, Ground
from bench.measure import Figure, figure, interleaved, table

HEAVY = ("large-workspaces", "held-key", "untouched", "slow-reader", "first-paint")
"""A round of these takes seconds at any size."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] if name in HEAVY else []) for name in ALL]
)
def test_produces_figures(name: str, tmp_path: Path) -> None:
    figures = ALL[name](Ground.make(tmp_path / "ground", TINY))
    assert figures
    for one in figures:
        assert one.ours and len(one.ours) == len(one.bare)
        assert all(math.isfinite(value) and value >= 0 for value in (*one.ours, *one.bare))
    assert len(table(figures).splitlines()) == 1 + len(figures)


def test_the_ratio_is_that_of_the_rounds() -> None:
    """A round in which everything was slow says nothing against the product."""
    one = Figure("ours", "ms", (10.0, 100.0, 12.0), "bare", (5.0, 50.0, 6.0))
    assert one.ratio == 2.0


def test_rounds_are_interleaved_and_the_first_does_not_count() -> None:
    order: list[str] = []

    def probe(name: str) -> dict[str, float]:
        order.append(name)
        return {"n": float(len(order))}

    samples = interleaved(2, {"a": lambda: probe("a"), "b": lambda: probe("b")}, warm=1)
    assert len(samples["a"]) == len(samples["b"]) == 2
    assert order == ["b", "a", "a", "b", "b", "a"]
    assert figure(samples, "a", "n", "b").ours == (3.0, 6.0)
