"""One line of somebody's file, shown so that nothing in it stays unseen: controls, bidi, odd blanks, tabs, line ends.

`show` keeps account of what it replaced, so that a screen can colour the stand-ins apart from real text.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from console.present.text import SIGNS, prefix, thin, width

COLUMNS = 2000
"""Cells of one line that are shown; "…(+n)" counts the characters left out."""

_MEASURED = 200

_ODD_BLANKS = (0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x2800)
_STAND_INS = SIGNS | {code: f"<U+{code:04X}>" for code in _ODD_BLANKS}
_ODD = re.compile("[" + "".join(re.escape(chr(code)) for code in sorted(_STAND_INS)) + "]")
_TAIL = {" ": "\u00b7", "\t": "\u2192"}

SpanKind = Literal["blank", "hazard", "cut"]


@dataclass(frozen=True, slots=True)
class Span:
    """A part of a shown line that stands for something unseen: character offsets into the shown text."""

    start: int
    end: int
    kind: SpanKind


@dataclass(frozen=True, slots=True)
class Shown:
    """A line ready to draw. more: characters of it that are not shown."""

    text: str
    spans: tuple[Span, ...] = ()
    more: int = 0


class _Builder:
    """Collects pieces left to right until the columns are used up."""

    def __init__(self, columns: int) -> None:
        self.columns = columns
        self.pieces: list[str] = []
        self.spans: list[Span] = []
        self.length = self.cells = self.read = 0

    def plain(self, raw: str) -> bool:
        piece = thin(raw)
        cells = width(piece)
        if self.cells + cells > self.columns:
            raw = prefix(raw, self.columns - self.cells)
            self._add(thin(raw), len(raw))
            return False
        self._add(piece, len(raw), cells)
        return True

    def stand_in(self, text: str, kind: SpanKind) -> bool:
        if self.cells + width(text) > self.columns:
            return False
        self.spans.append(Span(self.length, self.length + len(text), kind))
        self._add(text, 1)
        return True

    def _add(self, text: str, read: int, cells: int | None = None) -> None:
        self.pieces.append(text)
        self.length += len(text)
        self.cells += width(text) if cells is None else cells
        self.read += read


def show(raw: str, *, tab: int = 4, columns: int = COLUMNS, keep: int = 0) -> Shown:
    """`raw` (one line, without its line feed) with everything unseen made visible.

    A byte that is no UTF-8 is a lone surrogate of `surrogateescape`. keep: leading characters (the sign of a diff
    line) that are no part of the text: they take no tab stop and are no trailing blank.
    """
    if len(raw) <= columns and raw.isascii() and raw.isprintable() and (len(raw) <= keep or raw[-1] != " "):
        return Shown(raw)
    build = _Builder(columns)
    if not (_walk(build, raw, tab, keep) and build.read == len(raw)):
        return _with_rest(build, len(raw) - build.read)
    return Shown("".join(build.pieces), tuple(build.spans))


def _walk(build: _Builder, raw: str, tab: int, keep: int) -> bool:
    """Feed `raw` to the builder; False as soon as a piece did not fit."""
    reach = min(len(raw), build.columns + 1)
    tail = max(keep, len(raw.rstrip(" \t\r"))) if reach == len(raw) else reach
    position = keep
    if not build.plain(raw[:keep]):
        return False
    for odd in _ODD.finditer(raw, keep, tail):
        if not (build.plain(raw[position : odd.start()]) and _odd(build, odd.group(), tab, keep)):
            return False
        position = odd.end()
    if not build.plain(raw[position:tail]):
        return False
    return all(_blank(build, char) for char in raw[tail:reach])


def _odd(build: _Builder, char: str, tab: int, keep: int) -> bool:
    if char == "\t":
        return build.stand_in("\u2192" + " " * (tab - 1 - (build.cells - keep) % tab), "blank")
    return build.stand_in(_STAND_INS[ord(char)], "hazard")


def _blank(build: _Builder, char: str) -> bool:
    return build.stand_in("\u240d", "hazard") if char == "\r" else build.stand_in(_TAIL[char], "blank")


def _with_rest(build: _Builder, more: int) -> Shown:
    note = f"\u2026(+{more})"
    spans = (*build.spans, Span(build.length, build.length + len(note), "cut"))
    return Shown("".join([*build.pieces, note]), spans, more)


def widest(bounds: Iterable[int], measure: Callable[[int], int]) -> int:
    """The widest of many lines, from cheap upper bounds and an exact `measure(index)` of the likeliest few.

    Cells. Exact, unless more than 200 lines have a bound above the widest measured: then that bound.
    """
    likeliest = heapq.nlargest(_MEASURED, ((bound, index) for index, bound in enumerate(bounds)))
    best = 0
    for bound, index in likeliest:
        if bound <= best:
            return best
        best = max(best, measure(index))
    return likeliest[-1][0] if len(likeliest) == _MEASURED else best
