"""The night as a timeline on the screen: one run through it, at the sizes people have."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from deskplay import SINGLE, DeskPlay, picture, screen, toasts, until
from msgspec.structs import replace

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "core"))
from nightlog import seven

from console.core import events as ev
from console.tui import keys
from console.tui.nightbook import PAGE, PAGES, Nightbook
from console.tui.screens.night import NightScreen
from console.tui.verbpalette import offers
from console.tui.widgets.lanes import LaneTable


def night_play(play: DeskPlay) -> DeskPlay:
    play.log.entries = list(seven().log)
    return play


async def test_a_night_is_looked_at_zoomed_moved_through_and_left_for_one_of_its_tickets(play: DeskPlay) -> None:
    async with screen(night_play(play)) as (pilot, desk):
        await pilot.press("T")
        await until(pilot, lambda: isinstance(pilot.app.screen, NightScreen) and "━━━···D" in picture(pilot))
        night = pilot.app.screen
        assert isinstance(night, NightScreen)
        seen = picture(pilot)
        assert "the night of run-1" in seen and "whole run" in seen
        assert "0.50 $ or more (1 of 3 turns named no cost), tokens unknown" in seen
        assert "━ works" in seen and "P parked" in seen and "H hang" not in seen
        lane = night.query_one(LaneTable).render_line(1)  # not the one that is selected
        colours = {cell: part.style.color for part in lane if part.style for cell in part.text}
        assert len({str(colours[cell]) for cell in "━·"}) == 2
        await pilot.press("h")
        assert any("the whole run is shown" in said for said in toasts(pilot))
        await pilot.press("minus", "plus", "plus", "plus", "h")
        assert night.window.zoom == 900 and night.window.end
        await until(pilot, lambda: "15 min" in picture(pilot) and "until" in picture(pilot))
        await pilot.press("greater_than_sign")
        assert night.window.end == 0.0
        await pilot.press("enter")
        assert any("the run itself" in said for said in toasts(pilot)) and pilot.app.screen is night
        await pilot.press("j", "j")
        await until(pilot, lambda: "doubt: works" in picture(pilot))
        pilot.app.clear_notifications()
        await pilot.resize_terminal(*SINGLE)
        await until(pilot, lambda: max(map(len, picture(pilot).splitlines())) <= SINGLE[0])
        assert "› doubt" in picture(pilot) and "━ works" in picture(pilot)
        await pilot.press("enter")
        await until(pilot, lambda: pilot.app.screen is desk)
        assert desk.subject.id == "ticket:doubt" and desk.active == "tickets"


@pytest.mark.parametrize("runs", [True, False])
def test_a_long_log_is_read_in_pages_from_the_last_run_or_from_a_day_back(runs: bool) -> None:
    night, play = seven(), DeskPlay()
    log = [e for e in night.log if runs or not isinstance(e.fact, ev.RunStarted | ev.RunEnded)]
    asked: list[int] = []
    week = [ev.Logged(seq=0, at=1.6e9 + i * 300, fact=ev.TicketGone(ticket="t")) for i in range(6000)]
    entries = [ev.Logged(seq=i, at=e.at, fact=e.fact) for i, e in enumerate([*week, *log], 1)]

    def read(first: int, count: int) -> list[ev.Logged]:
        asked.append(count)
        return entries[max(0, first - 1) : max(0, first - 1 + count)]

    state = play.state
    state.seq = len(entries)
    if runs:
        began = next(e for e in entries if isinstance(e.fact, ev.RunStarted))
        state.runs |= {name: replace(r, seq=began.seq) for name, r in night.state.runs.items()}
    book = Nightbook(lambda: read, state)
    for _ in range(9):
        found, share = book.read_on()
        if share == 1:
            break
    assert share == 1 and "ticket:good" in {lane.id for lane in found.lanes}
    assert found.read < len(log) + 2 and sum(asked) <= PAGE * PAGES + 40  # not the weeks before


async def test_lanes_are_filtered_and_the_palette_has_what_the_timeline_does_and_does_not(play: DeskPlay) -> None:
    async with screen(night_play(play)) as (pilot, _):
        await pilot.press("T")
        await until(pilot, lambda: isinstance(pilot.app.screen, NightScreen) and "retry" in picture(pilot))
        night = pilot.app.screen
        assert isinstance(night, NightScreen)
        await pilot.press("slash", *"bug")
        await until(pilot, lambda: "1 of 8 · /bug" in picture(pilot) and "retry" not in picture(pilot))
        await pilot.press("enter", "j")
        await until(pilot, lambda: "bug: works" in picture(pilot))
        assert night.lanes.has_focus and night.lanes.place == (1, 1)
        await pilot.press("slash", "z")
        await until(pilot, lambda: "no row matches the filter; / changes it" in picture(pilot))
        await pilot.press("enter", "escape")
        await until(pilot, lambda: pilot.app.screen is night and night.lanes.place[1] == 8 and night.lanes.has_focus)
        for key, why in {
            "W": "is on the desk",
            "S": "the order in which they began",
            "H": "nothing is archived",
        }.items():
            await pilot.press(key)
            assert any(why in said for said in toasts(pilot))
        found = {offer.name: offer for offer in offers(night)}
        names = {row.title for row in keys.rows("night") if row.action}
        assert names <= found.keys() and "not now: lanes stand" in found["Order of the list"].about
        await pilot.press("colon")
        await until(
            pilot, lambda: "less time, seen nearer" in picture(pilot) and "not now: lanes stand" in picture(pilot)
        )
