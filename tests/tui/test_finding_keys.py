"""Keys of layout and finding: the split, zoom, only what waits, order, archive, and the search in the log."""

from __future__ import annotations

from typing import Any

import pytest
from deskplay import DeskPlay, full, picture, screen, toasts, until
from textual.geometry import Region

from console.core import events as ev
from console.tui.screens.board import Board
from console.tui.screens.lists import LISTS


async def test_the_split_and_zoom_are_moved_by_keys_and_remembered(play: DeskPlay) -> None:
    full(play)
    async with screen(play, (120, 40)) as (pilot, desk):
        left = desk.query_one("#left")
        was = left.outer_size.width
        await pilot.press("plus")
        await until(pilot, lambda: left.outer_size.width < was)
        assert desk.app.desk.memory.get("split", {}).keys() == {"wide"}
        await pilot.press("minus", "minus")
        await until(pilot, lambda: left.outer_size.width > was)
        await pilot.press("equals_sign")
        await until(pilot, lambda: left.outer_size.width == was and not desk.app.desk.memory.get("split", {}))
        await pilot.press("2", "z")
        await until(pilot, lambda: desk.table("sessions").outer_size.width == 120 and desk.detail_hidden)
        assert desk.guard.shown == "" and "5 Log" in picture(pilot)
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: desk.kind == "stacked")
        rows = left.outer_size.height
        await pilot.press("minus")
        await until(pilot, lambda: left.outer_size.height > rows)
        await pilot.resize_terminal(120, 40)
        await until(pilot, lambda: desk.zoomed and desk.table("sessions").has_focus)
        await pilot.press("z")
        await until(pilot, lambda: left.outer_size.width == was and desk.detail.region.area)
        await pilot.resize_terminal(50, 20)
        await until(pilot, lambda: desk.kind == "single")
        await pilot.press("z")
        assert "room for one pane" in toasts(pilot)[-1]


async def test_the_line_between_the_panes_is_dragged(play: DeskPlay) -> None:
    async with screen(play, (120, 40)) as (pilot, desk):
        left = desk.query_one("#left")
        edge = left.region.right - 1
        await pilot.mouse_down(offset=(edge, 10))
        await pilot.hover(offset=(edge + 10, 10))
        await pilot.mouse_up(offset=(edge + 10, 10))
        await until(pilot, lambda: left.region.right - 1 == edge + 10)


async def test_only_what_waits_order_archive_and_next_waiting(play: DeskPlay) -> None:
    made = full(play)
    over = play.working("done-with")
    play.ends_turn(over)
    play.report(ev.Exited(session=over, run=1, how="exited", code=0))
    async with screen(play, (120, 40)) as (pilot, desk):
        sessions = desk.table("sessions")
        await pilot.press("2", "W")
        await until(pilot, lambda: "2 of 7 · waiting" in picture(pilot))
        await pilot.press("W")
        await until(pilot, lambda: "Sessions (7)" in picture(pilot))
        kept = sessions.cursor_key
        await pilot.press("S")
        await until(pilot, lambda: "latest first" in picture(pilot))
        assert sessions.cursor_key == kept
        await pilot.press("S", "S", "H")
        assert "it needs you" in toasts(pilot)[-1]
        await until(pilot, lambda: sessions.select(f"session:{over}"))
        await pilot.press("H")
        await until(pilot, lambda: "Sessions 6 (+1 archived)" in picture(pilot))
        assert desk.app.desk.memory_here.get("archive", []) == [f"session:{over}"]
        await pilot.press("full_stop")
        await until(pilot, lambda: "7, 1 archived" in picture(pilot))
        await until(pilot, lambda: sessions.select(f"session:{over}"))
        await pilot.press("H")
        await until(pilot, lambda: "Sessions (7)" in picture(pilot) and not desk.archive)
        await pilot.press("1", "slash", *"tax", "enter", "w")
        await until(pilot, lambda: desk.filters["needs"] == "" and desk.subject.id == f"plan:{made['plan']}")


async def test_the_log_is_searched_newest_first_follows_and_leads_to_what_a_line_is_about(play: DeskPlay) -> None:
    made = full(play)
    async with screen(play, (120, 40)) as (pilot, desk):
        log = desk.table("log")
        await pilot.press("5", "slash", *"WAITS you plan")
        await until(pilot, lambda: log.place[1] == 2 and "2 of 47 · /WAITS you plan" in picture(pilot))
        assert list(log._keys) == sorted(log._keys, reverse=True), "the newest is first"
        await pilot.press("enter", "enter")
        await until(pilot, lambda: desk.subject.kind in ("policy", "plan"))
        await pilot.press("5")
        late = play.plan("later", "Say more")
        await until(pilot, lambda: log.place[1] == 3)
        assert play.state.plans[late] and made
        here = log.cursor_key
        await pilot.press("escape")
        await until(pilot, lambda: log.place[1] == play.state.seq)
        assert log.cursor_key == here, "the line that was found is selected among its neighbours"
        await pilot.press("slash", *"nowhere")
        await until(pilot, lambda: "no line of the log holds that" in picture(pilot))


async def test_the_board_has_the_split_and_zoom(play: DeskPlay) -> None:
    async with screen(play, (120, 40)) as (pilot, desk):
        await pilot.press("b")
        await until(pilot, lambda: isinstance(pilot.app.screen, Board))
        board = pilot.app.screen
        await until(pilot, lambda: board.query_one("#left").outer_size.area)
        was = board.query_one("#left").outer_size.width
        await pilot.press("plus")
        await until(pilot, lambda: board.query_one("#left").outer_size.width < was)
        await pilot.press("z")
        await until(pilot, lambda: board.query_one("#left").outer_size.width == 120)
        assert desk.app.desk.memory.get("zoom", {}) == {}, "the desk's own is another"


async def test_a_tick_repaints_the_cells_of_ages_and_lays_nothing_out(
    play: DeskPlay, monkeypatch: pytest.MonkeyPatch
) -> None:
    full(play)
    async with screen(play, (160, 50)) as (pilot, desk):
        await until(pilot, lambda: "May I?" in picture(pilot))
        painted: list[tuple[str, Region]] = []
        for name in LISTS:
            table = desk.table(name)

            def spy(*regions: Region, name: str = name, refresh: Any = table.refresh, **options: Any) -> Any:
                painted.extend((name, region) for region in regions or [Region(0, 0, 999, 999)])
                return refresh(*regions, **options)

            monkeypatch.setattr(table, "refresh", spy)
        layouts = desk._layout_updates
        now = desk.app.now()
        monkeypatch.setattr(desk.app, "now", lambda: now)
        desk._tick()
        assert painted == [], "nothing ticks when nothing changes"
        monkeypatch.setattr(desk.app, "now", lambda: now + 60)
        desk._tick()
        assert 3 <= len(painted) <= 14 and all(region.height == 1 and region.width <= 5 for _, region in painted)
        assert desk._layout_updates == layouts


async def test_a_storm_of_sizes_leaves_the_picture_the_focus_and_the_selection(play: DeskPlay) -> None:
    full(play)
    async with screen(play, (80, 24)) as (pilot, desk):
        await pilot.press("2", "j", "j")
        await until(pilot, lambda: "[Session]" in picture(pilot))
        await pilot.pause()
        before, key = picture(pilot), desk.table("sessions").cursor_key
        for size in [(200, 50), (20, 5), (1, 1), (110, 13), (61, 8), (80, 24)]:
            await pilot.resize_terminal(*size)
        await until(pilot, lambda: picture(pilot) == before)
        assert desk.table("sessions").has_focus and desk.table("sessions").cursor_key == key


async def test_while_a_key_is_held_only_the_list_moves_and_a_verb_is_about_what_is_selected(
    play: DeskPlay, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("console.tui.screens.desk.REST", 0.5)
    full(play)
    async with screen(play, (120, 40)) as (pilot, desk):
        await pilot.press("2")
        table = desk.table("sessions")
        drawn: list[str] = []
        look_at = desk.look_at
        desk.look_at = lambda key: (drawn.append(key), look_at(key))[1]  # type: ignore[method-assign]
        for _ in range(4):
            table.action_move(1)
            table.action_move(-1)
        table.action_last()
        await pilot.pause()
        last = table.cursor_key
        assert len(drawn) <= 1 and desk.guard.shown == ""
        await until(pilot, lambda: desk.subject.id == last)
        assert drawn[-1] == last and len(drawn) <= 2
        table.action_first()
        table.action_move(1)
        await pilot.pause()
        desk.able("stop")
        assert desk.subject.id == table.cursor_key
