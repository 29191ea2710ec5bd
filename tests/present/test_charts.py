"""Pictures of time: every state has a sign of its own, also in ASCII; every line is exactly as wide as it says."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from console.core.lanes import KINDS, MOMENTS, Cost, Lane, Mark, Span
from console.core.spending import Bucket
from console.core.timeline import Night
from console.present import nightchart, plain, timeline
from console.present.charts import INKS, Scale, axis, bars, lane, legend, scale
from console.present.text import width
from console.present.timeline import Window

NOON = 1_700_049_600.0  # 2023-11-15 12:00 UTC


@pytest.fixture(autouse=True)
def utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def drawn(*spans: tuple[str, float, float | None], marks: tuple[tuple[str, float], ...] = (), cells: int = 10) -> str:
    """One cell a minute, ten of them from NOON; (kind and verdict, minutes from and to)."""
    made = []
    for what, start, end in spans:
        kind, _, said = what.partition(" ")
        until = NOON + end * 60 if end is not None else 0.0
        made.append(Span(kind=kind, at=NOON + start * 60, until=until, said=said))  # type: ignore[arg-type]
    found = tuple(Mark(what=what, at=NOON + at * 60) for what, at in marks)  # type: ignore[arg-type]
    on = Scale(NOON, 60.0, cells)
    return lane(Lane(id="ticket:T", name="T", spans=tuple(made), marks=found), on, NOON + 6 * 60, ascii_only=True)


TABLE: dict[str, tuple[list[Any], tuple[Any, ...], str]] = {
    "a turn, then nothing": ([("turn", 1, 4)], (), " ===      "),
    "what goes on ends at the last known time": ([("turn", 4, None)], (), "    ==    "),
    "a cell shows what took most of it": (
        [("turn", 0, 1.4), ("gate green", 1.4, 2), ("waits", 2, 4)], (), "=+..      ",
    ),
    "a gate of a moment is seen where nothing else is": ([("gate red", 3, 3)], (), "   x      "),
    "what is short is still seen": ([("turn", 2.4, 2.5)], (), "  =       "),
    "the weightiest moment of a cell": (
        [("turn", 0, 5)], (("failed", 2.1), ("landed", 2.6), ("done", 4.0)), "==L=D     ",
    ),
    "what lies outside is left out": (
        [("turn", -5, -1), ("asks", -1, 2), ("limit", 9, 30)], (("done", -1),), "??       :",
    ),
    "every verdict has its sign": (
        [("gate green", 0, 1), ("gate red", 1, 2), ("gate timeout", 2, 3), ("gate unjudged", 3, 4), ("gate", 4, 5)],
        (), "+x!#>     ",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", TABLE)
def test_a_lane_is_drawn(name: str) -> None:
    spans, marks, picture = TABLE[name]
    assert drawn(*spans, marks=marks) == picture


def test_every_state_has_one_sign_of_its_own_that_no_terminal_takes_for_two_cells() -> None:
    assert {*KINDS} <= {*INKS} and {*MOMENTS} <= {*INKS, "restart"}
    inks = [ink for name, ink in INKS.items() if name != "run"]  # it works, as a turn does
    for ascii_only in (False, True):
        signs = [ink.mark(ascii_only) for ink in inks]
        assert len(set(signs)) == len(signs) and all(width(sign) == 1 for sign in signs)
    assert all(ink.ascii.isascii() for ink in inks)
    assert all(plain.plain(ink.glyph) == ink.ascii for ink in inks), "the last door of an ASCII screen says the same"
    assert len(legend()) == len({cell for cell, _ in legend()}) == len(inks)
    assert legend(ascii_only=True, used="=+") == (("=", "works"), ("+", "gate green"))


@settings(deadline=None)
@given(st.floats(0, 4e9), st.floats(0.1, 4e6), st.integers(1, 300), st.booleans())
def test_a_scale_holds_what_it_was_made_for_and_its_axis_is_as_wide(
    first: float, seconds: float, cells: int, ascii_only: bool
) -> None:
    on = scale(first, first + seconds, cells)
    assert on.cells == cells and on.start <= first and on.end >= first + seconds - 0.01
    assert on.step == int(on.step)
    shown = axis(on, ascii_only=ascii_only)
    assert len(shown) == cells
    assert not ascii_only or shown.isascii()


def test_an_axis_says_the_time_of_day_and_a_new_day() -> None:
    assert axis(Scale(NOON, 60.0, 40), ascii_only=True).rstrip() == "|12:00    |12:10    |12:20    |12:30"
    night = axis(Scale(NOON + 11 * 3600, 300.0, 40), ascii_only=True)
    assert night.rstrip() == "|23:00      |11-16      |01:00"
    assert axis(Scale(NOON, 60.0, 3)).strip() == ""


def test_bars_rise_with_what_they_stand_for() -> None:
    rising = [0.0, 1.0, 4.0, 8.0]
    assert bars(rising) == " ▂▅█" and bars(rising, ascii_only=True) == plain.plain(bars(rising)) == " .=#"
    assert bars([]) == "" and bars([0.0, 0.0]) == "  "


# -- the window on the screen ----------------------------------------------------------------------------


def test_zooming_and_panning_stay_within_the_night_and_the_right_end_follows() -> None:
    first, last = NOON, NOON + 10 * 3600
    whole = Window()
    assert whole.scale(first, last, 80).start <= first and whole.panned(-1, first, last) == whole
    near = whole.zoomed(1).zoomed(1)
    assert near.zoom == 3600 and near.end == 0.0 and near.scale(first, last, 60).end >= last
    back = near.panned(-0.5, first, last)
    assert back.end == last - 1800
    assert back.panned(-100, first, last).end == first + 3600
    assert back.panned(+100, first, last).end == 0.0
    assert back.zoomed(-9) == whole and near.zoomed(9).zoom == 900


def night_of(*lanes: Lane, cost: Cost | None = None) -> Night:
    spent = cost or Cost(turns=3, cost_usd=0.5, uncosted=1, input_tokens=12_000, output_tokens=900, untold=2)
    step = Bucket(at=NOON + 3600, seconds=60, cost=spent)
    return Night(run="r", since=NOON, last=NOON + 7200, ended_at=NOON + 7200, lanes=lanes, steps=(step,), cost=spent)


def test_what_a_lane_came_to_and_what_it_cost_is_said_with_what_nobody_knows() -> None:
    spans = (
        Span(kind="turn", at=NOON, until=NOON + 300),
        Span(kind="gate", at=NOON + 300, until=NOON + 301, said="red"),
        Span(kind="waits", at=NOON + 400),
    )
    marks = (Mark(what="restart", at=NOON), Mark(what="restart", at=NOON), Mark(what="done", at=NOON))
    one = Lane(id="ticket:T", name="T", spans=spans, marks=marks, cost=Cost().turn(None))
    assert timeline.about(one, NOON + 460) == (
        "works 5m00s, gate 1s (1 red), waits for you 1m00s, 2 x restart, done · cost unknown, tokens unknown, 1 turn"
    )
    assert timeline.spent_words(night_of().cost) == (
        "0.50 $ or more (1 of 3 turns named no cost), "
        "12.0k tokens in, 900 out or more (2 of 3 turns named none), 3 turns"
    )
    assert timeline.dollars(Cost()) == "" and timeline.dollars(Cost().turn(None)) == "?"
    drawn, told = timeline.cost_line(night_of(), Scale(NOON, 600.0, 12))
    assert drawn == "      █     " and told == "in 10m00s least 0.50 $, most 0.50 $, last 0.50 $"


# -- the report ------------------------------------------------------------------------------------------

EVIL = "```\n# heading <script>\x1b[2J \u202e 漢字漢字漢字漢字漢字"


def test_the_section_of_the_report_is_text_of_a_hundred_columns_whatever_lanes_are_called() -> None:
    spans = [(Span(kind="turn", at=NOON + i, until=NOON + 60 * i + 9),) for i in range(57)]
    lanes = [Lane(id=f"ticket:{i}", name=f"{EVIL} {i}", spans=each) for i, each in enumerate(spans)]
    lines = nightchart.night(night_of(*lanes))
    assert all(width(line) <= 100 for line in lines)
    assert [line for line in lines if line.startswith("```")] == ["```text", "```"] * 2
    assert sum("=" in line for line in lines) == 40 + 1 and "and 17 more" in "\n".join(lines)
    assert not any(ord(char) < 32 or char == "\u202e" for line in lines for char in line)
    assert any(line.startswith("11-15 13:00       3     0.50+ $     12.0k+     900+") for line in lines)
    assert nightchart.night(None) == nightchart.night(Night()) == []


def test_a_long_run_has_a_short_table_of_costs() -> None:
    week = replace(night_of(Lane(id="run:r", name="r")), last=NOON + 7 * 86400, ended_at=0.0)
    lines = nightchart.night(week)
    table = lines[lines.index("```text", 4) + 1 : -1]
    assert 8 <= len(table) <= nightchart.HOURS + 1
    assert sum(int(line.split()[2]) for line in table[1:]) == 3
