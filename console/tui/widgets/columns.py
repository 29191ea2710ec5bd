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
NEVER = 10_000
"""Room of a column that is not shown."""
_LIMIT = 400
_SPARED = 10
"""Cells that a growing column gets more before any other."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column: cells wide. grow: takes what the pane has left over (one column at most), at least `width`.
    room: it is left out of a pane that has fewer cells than this. most: it gets a third of what a growing one need
    not have, up to this width."""

    width: int
    align: Align = "left"
    grow: bool = False
    room: int = 0
    most: int = 0


def narrowest(columns: Sequence[Column], cells: int = 0) -> int:
    """Cells of a row whose growing column has its least width, in a pane of `cells`; a wider one needs no scrolling
    sideways."""
    return _LEFT + sum(column.width + 1 for column in columns if column.room <= cells) - 1


def spans(columns: Sequence[Column], cells: int) -> list[Span]:
    """Where every column lies in a pane of `cells`; a column that is left out has no width."""
    spare = max(0, cells - narrowest(columns, cells))
    more = sum(_more(column, spare) for column in columns if column.room <= cells)
    found: list[Span] = []
    offset = _LEFT
    for column in columns:
        shown = column.room <= cells
        size = _size(column, spare, more) if shown else 0
        found.append((offset, size))
        offset += size + shown
    return found


def _more(column: Column, spare: int) -> int:
    return min(column.most - column.width, max(0, spare - _SPARED) // 3) if column.most else 0


def _size(column: Column, spare: int, more: int) -> int:
    """more: what the columns that have a most take of what is left over."""
    return column.width + (max(0, spare - more) if column.grow else _more(column, spare))


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
        if not size:
            continue
        text, style = cell if isinstance(cell, tuple) else (cell, "plain")
        look = looks(style if style in STYLES else "plain")
        segments += (Segment(fit(clean(text, limit=_LIMIT), size, column.align), look), Segment(" ", line))
    return Strip(segments)
