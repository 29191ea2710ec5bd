"""Which lines of a diff are longer than is shown, so that a screen can say so before somebody approves them. Pure."""

from __future__ import annotations

from console.present.diffrecords import Diff
from console.present.visible import COLUMNS, bound

WIDEST = 10
"""Cells of what stands for one character at most: `<U+10FFFF>`."""
MEASURED = 2000
"""Lines that are laid out to know it. What comes after is taken to be longer: more is said then, never less."""


def cut_lines(diff: Diff) -> tuple[int, ...]:
    """Indices of the lines of which some characters are not shown, in their order."""
    found: list[int] = []
    left = MEASURED
    for index, line in enumerate(diff.lines):
        if len(line) * WIDEST <= COLUMNS:
            continue
        long = _surely(line, diff.ascii)
        if long is None:
            left -= 1
            long = left < 0 or diff.shown(index).more > 0
        if long:
            found.append(index)
    return tuple(found)


def _surely(line: bytes, ascii: bool) -> bool | None:
    """Whether it is longer, where that is known without laying it out."""
    if line.isascii():
        if len(line) > COLUMNS:
            return True  # every one of its characters takes a cell
        return False if bound(line, ascii) <= COLUMNS else None
    text = line.decode("utf-8", "surrogateescape")
    return False if len(text) * WIDEST <= COLUMNS else None
