"""Rows as cells in fixed columns: the shapes, where each column lies, and one row as drawn segments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from console.present.text import Align, clean, fit

Key = str | int
Cell = str | tuple[str, str]
"""Text, or text and the name of a style: go, needs, broke, quiet, plain, strong."""
Fetch = Callable[[int], Sequence[Cell]]
Span = tuple[int, int]
"""Offset and width of a column, in cells."""

STYLES = ("go", "needs", "broke", "quiet", "plain", "strong")
MARK = "\u203a"
"""Stands before the selected row, so that the selection is seen without colour and without focus."""
_LEFT = len(MARK) + 1
_LIMIT = 400


@dataclass(frozen=True, slots=True)
class Column:
    """One column: cells wide. grow: takes what the pane has left over (one column at most), at least `width`."""

    width: int
    align: Align = "left"
    grow: bool = False


def narrowest(columns: Sequence[Column]) -> int:
    """Cells of a row whose growing column has its least width; a wider pane needs no scrolling sideways."""
    return _LEFT + sum(column.width + 1 for column in columns) - 1


def spans(columns: Sequence[Column], cells: int) -> list[Span]:
    """Where every column lies in a pane of `cells`."""
    spare = max(0, cells - narrowest(columns))
    found: list[Span] = []
    offset = _LEFT
    for column in columns:
        size = column.width + (spare if column.grow else 0)
        found.append((offset, size))
        offset += size + 1
    return found


def row_strip(
    cells: Sequence[Cell],
    columns: Sequence[Column],
    places: Sequence[Span],
    *,
    line: Style,
    looks: Callable[[str], Style],
    mark: bool,
) -> Strip:
    """One row. Text is cleaned here. line: the style between cells; looks: style name -> style of a cell."""
    segments = [Segment(f"{MARK} " if mark else "  ", line)]
    for cell, column, (_, size) in zip(cells, columns, places, strict=False):
        text, style = cell if isinstance(cell, tuple) else (cell, "plain")
        look = looks(style if style in STYLES else "plain")
        segments += (Segment(fit(clean(text, limit=_LIMIT), size, column.align), look), Segment(" ", line))
    return Strip(segments)
