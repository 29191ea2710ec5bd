"""A program for the pty tests: a table of wide characters whose cells change at random, then its picture in a file."""

from __future__ import annotations

import os
import random
import sys
from pathlib import Path

from console.tui.environment import prepare

prepare(os.environ)

from textual.app import ComposeResult  # noqa: E402

from console.tui.guard import ConsoleApp  # noqa: E402
from console.tui.widgets.table import Cell, Column, VTable  # noqa: E402

WORDS = ("日本語", "x", "naïve", "e\u0301e\u0301", "語日本x", "plain text", "🏽👍🏽", "", "日")
STEPS = 60


class Ticking(ConsoleApp):
    """Argument: the file for the picture as the app itself knows it. `q` leaves."""

    BINDINGS = [("q", "quit", "Leave")]

    def compose(self) -> ComposeResult:
        yield VTable([Column(7), Column(9, grow=True), Column(5), Column(6, "right")])

    def on_mount(self) -> None:
        self.dice = random.Random(7)
        self.rows: list[list[Cell]] = [[self.dice.choice(WORDS) for _ in range(4)] for _ in range(18)]
        self.step = 0
        self.timer = self.set_interval(0.02, self.tick)

    def tick(self) -> None:
        self.step += 1
        for _ in range(5):
            row, column = self.dice.randrange(len(self.rows)), self.dice.randrange(4)
            self.rows[row] = [*self.rows[row][:column], self.dice.choice(WORDS), *self.rows[row][column + 1 :]]
        if self.step == STEPS:
            self.timer.stop()
            self.rows[-1] = ["finished", *self.rows[-1][1:]]
        self.query_one(VTable).set_rows(range(len(self.rows)), self.rows.__getitem__)
        if self.step == STEPS:
            self.call_after_refresh(self.dump)

    def dump(self) -> None:
        strips = self.screen._compositor.render_strips()
        draft = Path(sys.argv[1] + ".draft")
        draft.write_text("\n".join(strip.text.rstrip() for strip in strips), encoding="utf-8")
        draft.rename(sys.argv[1])


if __name__ == "__main__":
    Ticking().run()
