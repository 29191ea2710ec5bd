"""Trimmed repaints: the same picture as the app has in mind, with far fewer bytes."""

from __future__ import annotations

import sys
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from rawterm import Screen, violations
from rich.cells import cell_len
from rich.console import Console
from rich.segment import Segment
from textual._compositor import ChopsUpdate
from textual.app import ComposeResult
from textual.strip import Strip

from console.tui.guard import ConsoleApp
from console.tui.output import TrimmedUpdate, trimmed
from console.tui.widgets.table import Column, VTable


def composed(text: str) -> str:
    """Letters with marks in one spelling: pyte composes them."""
    return unicodedata.normalize("NFC", text)


class Sessions(ConsoleApp):
    def __init__(self) -> None:
        super().__init__()
        self.updates: list[Any] = []

    def compose(self) -> ComposeResult:
        yield VTable([Column(9), Column(20, grow=True), Column(8, "right"), Column(6, "right")])

    def tick(self, now: int) -> None:
        self.query_one(VTable).set_rows(range(50), lambda i: ["● working", f"session {i}", f"{now}s", f"{now % 7}%"])

    def _display(self, screen: Any, renderable: Any) -> None:
        self.updates.append(renderable)
        super()._display(screen, renderable)


async def test_a_tick_of_cells_on_the_right_sends_those_cells_only() -> None:
    app = Sessions()
    async with app.run_test(size=(120, 40)) as pilot:
        app.tick(1)
        await pilot.pause()
        app.tick(2)
        await pilot.pause()
        app.screen._compositor.render_strips()
        app.updates.clear()
        app.tick(3)
        await pilot.pause()
        updates = [update for update in app.updates if update is not None]
        assert {type(update) for update in updates} == {ChopsUpdate}, "the library repaints in another way now"
        mine = [trimmed(update) for update in updates]
        assert all(isinstance(update, TrimmedUpdate) for update in mine)
        stock, ours = ("".join(u.render_segments(app.console) for u in some) for some in (updates, mine))
        print(f"one tick of 40 rows, two cells each: {len(stock)} bytes by the library, {len(ours)} trimmed")
        assert len(ours) * 3 < len(stock)
        assert len(ours) < 6000


def test_what_the_terminal_shows_is_what_the_app_means_also_with_wide_characters(tmp_path: Path) -> None:
    file = tmp_path / "picture"
    with Screen([sys.executable, str(Path(__file__).parent / "ticking.py"), str(file)], size=(60, 20)) as screen:
        screen.wait_for("finish")
        screen.wait_until(file.exists, what="the app's own picture")
        meant = composed(file.read_text(encoding="utf-8"))
        screen.wait_until(lambda: composed(screen.text()) == meant, 5.0, f"the same picture on the terminal\n{meant}\n")
        screen.send("q")
        screen.wait_exit()
        assert violations(screen.raw()) == []


@pytest.mark.parametrize(
    ("left", "right", "sent"),
    [(0, 8, "a日本語b"), (1, 3, "日"), (2, 3, "日"), (2, 4, "日本"), (4, 6, "本語"), (7, 8, "b"), (0, 1, "a")],
)
def test_a_span_that_cuts_a_wide_character_sends_all_of_it(left: int, right: int, sent: str) -> None:
    update = TrimmedUpdate([{0: Strip([Segment("a日本語b")])}], [(0, left, right)], [[8]])
    text = update.render_segments(Console(color_system=None, force_terminal=True))
    column = 1 + cell_len("a日本語b".partition(sent)[0])
    assert text == f"\x1b[1;{column}H{sent}"


@pytest.mark.parametrize("update", [None, "text"])
def test_other_paints_are_left_alone(update: Any) -> None:
    assert trimmed(update) is update
