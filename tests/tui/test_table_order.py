"""Rows that are put in another order, come and go: the selection keeps its key and its row of the screen."""

from __future__ import annotations

import random

from textual.app import ComposeResult

from console.tui.guard import ConsoleApp
from console.tui.widgets.columns import Column, spans
from console.tui.widgets.table import VTable

ROWS = 8


class One(ConsoleApp):
    def compose(self) -> ComposeResult:
        yield VTable((Column(6, grow=True),), id="t")


async def test_whatever_the_order_the_selection_keeps_its_key_and_where_possible_its_row_of_the_screen() -> None:
    chance = random.Random(8)
    app = One()
    async with app.run_test(size=(20, ROWS)) as pilot:
        table = app.query_one(VTable)
        keys = [f"k-{i}" for i in range(30)]
        table.set_rows(list(keys), lambda i: (keys[i],))
        await pilot.pause()
        for _ in range(150):
            table.select(chance.choice(keys))
            chosen = table.cursor_key
            assert isinstance(chosen, str)
            row = keys.index(chosen) - int(table.scroll_offset.y)
            others = [key for key in keys if key != chosen]
            gone = chance.sample(others, chance.randrange(0, 5))
            keys = [key for key in keys if key not in gone] + [f"n-{chance.random()}" for _ in gone]
            chance.shuffle(keys)
            listed = list(keys)
            table.set_rows(listed, lambda i, listed=listed: (listed[i],))  # type: ignore[misc]
            at, top = keys.index(chosen), int(table.scroll_offset.y)
            assert table.cursor_key == chosen
            possible = 0 <= at - row <= len(keys) - ROWS
            assert at - top == row if possible else 0 <= at - top < ROWS
        await pilot.pause()


async def test_what_somebody_scrolled_away_from_does_not_pull_the_view_back() -> None:
    app = One()
    async with app.run_test(size=(20, ROWS)) as pilot:
        table = app.query_one(VTable)
        keys = [f"k-{i}" for i in range(30)]
        table.set_rows(keys, lambda i: (keys[i],))
        await pilot.pause()
        await pilot.pause()  # the scrollbar has come
        table.scroll_to(y=15, animate=False, immediate=True)
        turned = list(reversed(keys))
        table.set_rows(turned, lambda i: (turned[i],))
        await pilot.pause()
        assert table.scroll_offset.y == 15 and table.cursor_key == "k-0"


def test_a_column_without_room_is_left_out_and_one_with_a_most_grows_to_it() -> None:
    columns = (Column(4, most=8), Column(6, grow=True), Column(10, room=60))
    assert spans(columns, 30) == [(2, 6), (9, 21), (31, 0)]
    assert spans(columns, 60) == [(2, 8), (11, 38), (50, 10)]
    assert spans(columns, 13) == [(2, 4), (7, 6), (14, 0)]


async def test_where_nobody_has_chosen_anything_yet_what_comes_first_is_what_is_seen() -> None:
    app = One()
    app.AUTO_FOCUS = None  # type: ignore[assignment]
    async with app.run_test(size=(20, ROWS)) as pilot:
        table = app.query_one(VTable)
        keys = [f"k-{i}" for i in range(30)]
        table.set_rows(keys[10:], lambda i: (keys[10 + i],))
        table.set_rows(keys, lambda i: (keys[i],))
        await pilot.pause()
        assert (table.cursor_key, table.scroll_offset.y) == ("k-0", 0)
        table.focus()
        await pilot.pause()
        turned = list(reversed(keys))
        table.set_rows(turned, lambda i: (turned[i],))
        await pilot.pause()
        assert table.cursor_key == "k-0" and table.shows("k-0")
