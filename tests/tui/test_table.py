"""The table: a selection that stays on its key, repaints no larger than a cell, keys and clicks."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from textual.app import ComposeResult
from textual.geometry import Region

from console.tui.guard import ConsoleApp
from console.tui.widgets.table import Cell, Column, VTable

COLUMNS = (Column(2), Column(10, grow=True), Column(8), Column(6, "right"))


class Rows(ConsoleApp):
    """One table; every message it posts is kept."""

    def __init__(self, columns: tuple[Column, ...] = COLUMNS, **options: Any) -> None:
        super().__init__()
        self.table = VTable(columns, **options)
        self.said: list[tuple[str, object]] = []

    def compose(self) -> ComposeResult:
        yield self.table

    def on_vtable_highlighted(self, message: VTable.Highlighted) -> None:
        self.said.append(("highlighted", message.key))

    def on_vtable_opened(self, message: VTable.Opened) -> None:
        self.said.append(("opened", message.key))


def cells(names: dict[str, str] | None = None) -> Callable[[list[str]], Callable[[int], list[Cell]]]:
    words = names or {}
    return lambda keys: (
        lambda index: [
            ("●", "go"),
            f"ticket {keys[index]}",
            (words.get(keys[index], "queued"), "quiet"),
            f"{index}m",
        ]
    )


def show(table: VTable, keys: list[str], names: dict[str, str] | None = None) -> None:
    table.set_rows(keys, cells(names)(keys))


def picture(app: Rows) -> str:
    return "\n".join(strip.text for strip in app.screen._compositor.render_strips())


class Regions:
    """Which parts of the table were asked to be painted again."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, table: VTable) -> None:
        self.seen: list[Region] = []
        refresh = table.refresh

        def spy(*regions: Region, **options: Any) -> VTable:
            self.seen.extend(regions or [Region(0, 0, 999, 999)])
            return refresh(*regions, **options)

        monkeypatch.setattr(table, "refresh", spy)


async def test_the_selection_stays_on_its_key_through_sorting(golden: Any) -> None:
    app = Rows()
    async with app.run_test(size=(44, 6)) as pilot:
        show(app.table, ["a", "b", "c", "d"])
        await pilot.press("j", "j")
        assert app.table.cursor_key == "c"
        show(app.table, ["c", "d", "b", "a"], {"b": "gating"})
        await pilot.pause()
        assert (app.table.cursor_key, app.table.place) == ("c", (1, 4))
        assert app.said == [("highlighted", "a"), ("highlighted", "b"), ("highlighted", "c")]
        golden(app, "table")


async def test_a_row_that_goes_takes_the_selection_with_it_to_nothing_never_to_its_neighbour() -> None:
    app = Rows()
    async with app.run_test(size=(44, 6)) as pilot:
        show(app.table, ["a", "b", "c"])
        await pilot.press("j")
        show(app.table, ["a", "c"])
        await pilot.press("enter")
        assert app.table.cursor_key is None
        assert app.said[-1] == ("highlighted", None), "nothing is opened, nothing else is selected"
        show(app.table, ["a", "b", "c"])
        assert app.table.cursor_key == "b", "it comes back with its row"
        show(app.table, ["a", "c"])
        await pilot.press("j")
        assert app.table.cursor_key == "c", "a key press goes on from the same place"


async def test_an_empty_table_says_so_and_ignores_keys(golden: Any) -> None:
    app = Rows(empty="Nothing waits for you.")
    async with app.run_test(size=(44, 3)) as pilot:
        await pilot.press("j", "G", "g", "enter", "pagedown")
        assert app.said == [] and app.table.place == (0, 0)
        golden(app, "table-empty")
        show(app.table, ["a"])
        await pilot.pause()
        assert app.said == [("highlighted", "a")]
        show(app.table, [])
        await pilot.pause()
        assert app.said[-1] == ("highlighted", None)


async def test_keys_move_and_keep_the_selection_in_view() -> None:
    app = Rows()
    async with app.run_test(size=(44, 11)) as pilot:
        keys = [f"k{n}" for n in range(100)]
        show(app.table, keys)
        steps = {"j": "k1", "down": "k2", "k": "k1", "up": "k0", "pagedown": "k10", "G": "k99", "pageup": "k89"}
        for key, expected in (*steps.items(), ("g", "k0"), ("end", "k99"), ("home", "k0"), ("k", "k0")):
            await pilot.press(key)
            assert app.table.cursor_key == expected, key
            at = app.table.place[0] - 1
            assert 0 <= at - app.table.scroll_offset.y < app.table.size.height
        await pilot.press("enter")
        assert app.said[-1] == ("opened", "k0")


async def test_a_click_selects_and_only_a_second_one_on_the_same_row_opens() -> None:
    app = Rows()
    async with app.run_test(size=(44, 8)) as pilot:
        show(app.table, ["a", "b", "c"])
        await pilot.click(VTable, offset=(5, 2))
        assert app.said[-1] == ("highlighted", "c")
        await pilot.click(VTable, offset=(5, 6))
        assert app.table.cursor_key == "c", "below the last row is no row"
        await pilot.click(VTable, offset=(5, 1), times=2)
        assert app.said[-1] == ("opened", "b")


async def test_a_double_click_does_not_open_a_row_that_slid_under_the_pointer() -> None:
    app = Rows()
    async with app.run_test(size=(44, 8)) as pilot:
        show(app.table, ["a", "b", "c"])
        await pilot.click(VTable, offset=(5, 1))
        show(app.table, ["b", "a", "c"])
        await pilot.click(VTable, offset=(5, 1))
        assert ("opened", "a") not in app.said and app.table.cursor_key == "a"


async def test_only_the_cells_that_differ_are_painted_again(monkeypatch: pytest.MonkeyPatch) -> None:
    app = Rows()
    async with app.run_test(size=(44, 8)) as pilot:
        keys = ["a", "b", "c"]
        show(app.table, keys)
        await pilot.pause()
        spy = Regions(monkeypatch, app.table)
        show(app.table, keys)
        assert spy.seen == [], "the same rows again paint nothing"
        show(app.table, keys, {"b": "gating"})
        (cell,) = spy.seen
        assert (cell.y, cell.height, cell.width) == (1, 1, 8)
        await pilot.pause()
        assert "gating" in app.table.render_line(1).text


async def test_a_hidden_table_comes_back_with_the_rows_of_now() -> None:
    app = Rows()
    app.table.set_rows(["early"], cells()(["early"]))
    async with app.run_test(size=(44, 8)) as pilot:
        await pilot.pause()
        assert "early" in picture(app), "rows given before the table was mounted"
        show(app.table, ["a"])
        await pilot.pause()
        app.table.display = False
        await pilot.pause()
        show(app.table, ["a"], {"a": "gating"})
        await pilot.pause()
        app.table.display = True
        await pilot.pause()
        assert "gating" in picture(app)


async def test_cell_regions_follow_the_horizontal_offset_and_skip_what_is_not_in_view(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app = Rows(columns=(Column(30), Column(30), Column(30)))
    async with app.run_test(size=(44, 8)) as pilot:
        app.table.set_rows(["a", "b"], lambda index: ["x", "y", "z"])
        await pilot.press("l")
        assert app.table.scroll_offset.x == 8
        spy = Regions(monkeypatch, app.table)
        app.table.cell_changed("b", 1)
        assert spy.seen == [Region(33 - 8, 1, 44 - 25, 1)]
        app.table.cell_changed("b", 2)
        app.table.cell_changed("no such row", 0)
        assert len(spy.seen) == 1
        app.table.row_changed("a")
        assert spy.seen[-1] == Region(0, 0, 44, 1)


@pytest.mark.parametrize(
    "text",
    [
        "日本語のとても長い名前",
        "z" + "\u0301" * 50,
        "👨\u200d👩\u200d👧 family",
        "\x1b[2J\u202eevil",
        "[@click=app.quit]",
    ],
)
async def test_no_text_moves_the_next_column(text: str) -> None:
    app = Rows()
    async with app.run_test(size=(40, 3)) as pilot:
        app.table.set_rows(["a"], lambda index: ["●", text, "status", "9m"])
        await pilot.pause()
        strip = app.table.render_line(0)
        assert strip.cell_length == 40
        assert strip.text.isprintable() and "\ufe0f" not in strip.text, "cleaned by the table, not only by the guard"
        assert strip.crop(24, 40).text == " status       9m"


async def test_selected_and_toned_cells_have_their_styles() -> None:
    app = Rows()
    async with app.run_test(size=(44, 4)) as pilot:
        app.table.set_rows(["a", "b"], lambda index: [("✕", "broke"), "x", ("?", "no such style"), "1m"])
        await pilot.pause()
        broke = app.table.get_component_rich_style("vtable--broke").color
        cursor = app.table.get_component_rich_style("vtable--cursor", partial=True).bgcolor
        first, second = app.table.render_line(0), app.table.render_line(1)
        assert {segment.style.bgcolor for segment in first if segment.style} == {cursor}
        assert next(s for s in second if "✕" in s.text).style.color == broke  # type: ignore[union-attr]
        assert (first.text[0], second.text[0]) == ("›", " ")


async def test_a_log_follows_its_end_until_somebody_scrolls_away() -> None:
    app = Rows(follow=True)
    async with app.run_test(size=(44, 5)) as pilot:
        keys = [f"k{n}" for n in range(20)]
        show(app.table, keys)
        await pilot.pause()
        show(app.table, [*keys, "new"])
        await pilot.pause()
        await pilot.pause()
        assert app.table.scroll_offset.y == 16
        await pilot.press("g")
        show(app.table, [*keys, "new", "newer"])
        await pilot.pause()
        assert app.table.scroll_offset.y == 0


async def test_a_million_rows_show_at_once_and_only_visible_ones_are_fetched() -> None:
    app = Rows()
    fetched: list[int] = []

    def fetch(index: int) -> list[Cell]:
        fetched.append(index)
        return ["●", f"row {index}", "x", "y"]

    async with app.run_test(size=(80, 30)) as pilot:
        started = time.process_time()
        app.table.set_rows(range(1_000_000), fetch)
        await pilot.press("G")
        assert "row 999999" in picture(app)
        seconds = time.process_time() - started
        print(f"a million rows, then the last: {seconds * 1000:.0f} ms, {len(set(fetched))} rows fetched")
        assert app.table.cursor_key == 999_999
        assert 30 <= len(set(fetched)) <= 2 * 30
        assert seconds < 3.0
