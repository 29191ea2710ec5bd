"""The lanes of a night: a table whose chart column is coloured cell by cell. What is drawn is told by characters; it
decides nothing."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from rich.segment import Segment
from rich.style import Style
from textual.message import Message
from textual.strip import Strip

from console.present.charts import TONES
from console.tui.widgets.columns import Column
from console.tui.widgets.table import VTable

CHART = 1
COLUMNS = (Column(9, most=22), Column(10, grow=True), Column(8, "right", room=70))


class LaneTable(VTable):
    """Rows of name, chart and cost. Sideways moves through time, which the screen does."""

    DEFAULT_CSS = "LaneTable { height: 1fr; scrollbar-size: 1 1; }"

    @dataclass
    class Panned(Message):
        """Later (steps > 0) or earlier."""

        steps: int

    def __init__(self, *, empty: str, id: str) -> None:
        super().__init__(COLUMNS, empty=empty, id=id)

    @property
    def chart(self) -> tuple[int, int]:
        """Where the chart begins, and how many cells it has."""
        return self._layout()[CHART]

    @property
    def in_view(self) -> range:
        """Indexes of the rows that are seen."""
        top = int(self.scroll_offset.y)
        return range(top, min(top + self.view.height, self.place[1]))

    def render_line(self, y: int) -> Strip:
        strip = super().render_line(y)
        index = int(self.scroll_offset.y) + y
        if index >= len(self._keys):
            return strip
        offset, size = self.chart
        before, drawn, after = strip.divide([offset, offset + size, strip.cell_length])
        cursor = self._part("cursor") if index == self._at else Style.null()
        coloured = [
            Segment("".join(cells), self.rich_style + self._part(tone) + cursor)
            for tone, cells in groupby(drawn.text, lambda cell: TONES.get(cell, "plain"))
        ]
        return Strip.join([before, Strip(coloured, size), after])

    def action_sideways(self, steps: int) -> None:
        self.post_message(self.Panned(steps))
