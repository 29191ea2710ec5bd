"""Fewer bytes on the wire: a partial repaint sends the cells that changed, not the whole left part of their lines.

Textual 8.2 trims a dirty span on its right side only. tests/tui/test_output.py draws in a real terminal with and
without this and fails when the private class that is read here changes.
"""

from __future__ import annotations

from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.control import Control
from textual._compositor import ChopsUpdate
from textual.strip import Strip


class TrimmedUpdate(ChopsUpdate):
    """The same spans of the same lines, cut on both sides."""

    def render_segments(self, console: Console) -> str:
        written: list[str] = []
        for y, left, right in self.spans:
            for end, (x, strip) in zip(self.chop_ends[y], self.chops[y].items(), strict=False):
                if strip is None or x >= right or end <= left:
                    continue
                start = _whole(strip, max(0, left - x), -1)
                piece = strip.crop(start, _whole(strip, min(end, right) - x, 1))
                written.append(Control.move_to(x + start, y).segment.text)
                written.append(piece.render(console))
        return "".join(written)


def _whole(strip: Strip, cut: int, step: int) -> int:
    """`cut`, or the cell beside it when a wide character lies across it: half of one cannot be drawn."""
    return cut + step if cut > 0 and cell_len(strip.crop(cut - 1, cut + 1).text[:1]) == 2 else cut


def trimmed(update: RenderableType | None) -> RenderableType | None:
    """`update` itself, or its trimmed form when it is a partial repaint."""
    if type(update) is ChopsUpdate:
        return TrimmedUpdate(update.chops, update.spans, update.chop_ends)
    return update
