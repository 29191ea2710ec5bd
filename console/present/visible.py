"""One line of somebody's file, shown so that nothing in it stays unseen: controls, bidi, odd blanks, tabs, line ends.

What stands for something is never what real text looks like, whatever its colour: two lines that differ are drawn
unlike. Real text that could be taken for a stand-in is escaped (`<U+241B>`). `show` keeps account of what it replaced.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Any, Literal

from console.present.plain import ASCII
from console.present.text import SIGNS, prefix, thin, width

COLUMNS = 2000
"""Cells of one line that are shown; "…(+n)", in ASCII "<+n>", counts the characters left out."""

_MEASURED = 200

_ODD_BLANKS = (0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x2800)
_PICTURES = (*range(0x2400, 0x2427), 0xFFFD)
"""Real ones look like what stands for a control character, or for marks that were too many."""
_STAND_INS = SIGNS | {code: f"<U+{code:04X}>" for code in (*_ODD_BLANKS, *_PICTURES, ord("<"))}
_TAIL = {" ": "\u00b7", "\t": "\u2192", "\r": "\u240d"}
_TAB, _DOT, _MORE = "\u2192", "\u00b7", "\u2026"

_NAMES = tuple(
    re.findall(
        r"\w+",
        "NUL SOH STX ETX EOT ENQ ACK BEL BS TAB LF VT FF CR SO SI "
        "DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US",
    )
)
_NAMED = {chr(code): f"<{name}>" for code, name in enumerate(_NAMES)} | {" ": "<SP>", "\x7f": "<DEL>"}
_BYTE = "[89A-F][0-9A-F]"


def _ranges(codes: Iterable[int]) -> str:
    """A class of a pattern. In ranges: beyond the BMP single characters are tried one by one."""
    ordered = sorted(codes)
    starts = [ordered[0], *(b for a, b in pairwise(ordered) if b != a + 1)]
    ends = [*(a for a, b in pairwise(ordered) if b != a + 1), ordered[-1]]
    return "".join(f"\\U{start:08x}-\\U{end:08x}" for start, end in zip(starts, ends, strict=True))


_ODD = re.compile(
    rf"[\x00-\x08\x0a-\x1f\x7f]+|[{_ranges({*_STAND_INS} - {ord('<')})}{_TAB}{_DOT}]"
    rf"|<(?=(?:U\+[0-9A-F]{{4,6}}|{_BYTE})>)|{_MORE}(?=\(\+[0-9]{{1,12}}\)\Z)"
)
_TAKEN = rf"<(?=(?:U\+[0-9A-F]{{4,6}}|{_BYTE}|\+[0-9]{{1,12}}|{'|'.join((*_NAMES, 'SP', 'DEL'))})>)"
_ODD_ASCII = re.compile(f"[^ -~]|{_TAKEN}")

_COLOUR = re.compile(r"\x1b\[[0-9;:]*m")

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
        self.marked: list[tuple[int, int, SpanKind]] = []
        self.length = self.cells = self.read = 0

    def plain(self, raw: str) -> bool:
        if not raw:
            return True
        piece = thin(raw)
        cells = width(piece)
        if self.cells + cells > self.columns:
            raw = prefix(raw, self.columns - self.cells)
            self._add(thin(raw), len(raw))
            return False
        self._add(piece, len(raw), cells)
        return True

    def stand_in(self, text: str, kind: SpanKind, read: int = 1) -> bool:
        """`text` for some characters. What stands for one takes a cell a character."""
        if self.cells + len(text) > self.columns:
            return False
        start, end = self.length, self.length + len(text)
        if self.marked and self.marked[-1][1:] == (start, kind):
            start = self.marked.pop()[0]
        self.marked.append((start, end, kind))
        self._add(text, read, len(text))
        return True

    def run(self, signs: str, kind: SpanKind) -> bool:
        """Signs of one cell, each for one character."""
        fits = signs[: self.columns - self.cells]
        return (not fits or self.stand_in(fits, kind, len(fits))) and len(fits) == len(signs)

    @property
    def spans(self) -> tuple[Span, ...]:
        return tuple(Span(*each) for each in self.marked)

    def _add(self, text: str, read: int, cells: int | None = None) -> None:
        self.pieces.append(text)
        self.length += len(text)
        self.cells += width(text) if cells is None else cells
        self.read += read


def show(raw: str, *, tab: int = 4, columns: int = COLUMNS, keep: int = 0, ascii: bool = False) -> Shown:
    """`raw` (one line, without its line feed) with everything unseen made visible.

    A byte that is no UTF-8 is a lone surrogate of `surrogateescape`. keep: leading characters (the sign of a diff
    line) that are no part of the text: they take no tab stop and are no trailing blank. ascii: in ASCII alone.
    """
    if len(raw) <= columns and _as_it_is(raw, keep, _ODD_ASCII if ascii else _ODD):
        return Shown(raw)
    build = _Builder(columns)
    whole = (_walk_ascii(build, raw, keep) if ascii else _walk(build, raw, tab, keep)) and build.read == len(raw)
    if not whole:
        return _with_rest(build, len(raw) - build.read, ascii)
    return Shown("".join(build.pieces), build.spans)


def _as_it_is(raw: str, keep: int, odd: re.Pattern[str]) -> bool:
    ordinary = raw.isascii() and raw.isprintable() and (len(raw) <= keep or raw[-1] != " ")
    return ordinary and ("<" not in raw or not odd.search(raw))


def _walk(build: _Builder, raw: str, tab: int, keep: int) -> bool:
    """Feed `raw` to the builder; False as soon as a piece did not fit."""
    reach = min(len(raw), build.columns + 1)
    tail = max(keep, len(raw.rstrip(" \t\r"))) if reach == len(raw) else reach
    dots = len(raw.rstrip(" \t\r\u00b7")) if reach == len(raw) else reach
    position = keep
    if not build.plain(raw[:keep]):
        return False
    for odd in _ODD.finditer(raw, keep, tail):
        char, start = odd.group(), odd.start()
        if char == _DOT and start < dots:
            continue
        if not build.plain(raw[position:start]):
            return False
        position = start
        if char == _TAB and not _like_a_tab(raw, start, _to_stop(build, tab, keep)):
            continue
        if not _odd(build, char, tab, keep):
            return False
        position = odd.end()
    if not build.plain(raw[position:tail]):
        return False
    runs = groupby(raw[tail:reach], lambda char: char == "\r")
    return all(build.run("".join(map(_TAIL.__getitem__, run)), "hazard" if ends else "blank") for ends, run in runs)


def _to_stop(build: _Builder, tab: int, keep: int) -> int:
    """Blanks that a tab adds here after its arrow."""
    return tab - 1 - (build.cells - keep) % tab


def _like_a_tab(raw: str, at: int, blanks: int) -> bool:
    """Whether the arrow there, with what follows it, looks like a tab; at the end of a line a tab has no blanks."""
    return not raw[at + 1 :].strip(" \t\r\u00b7\u2192") or raw.startswith(" " * blanks, at + 1)


def _odd(build: _Builder, char: str, tab: int, keep: int) -> bool:
    if char == "\t":
        return build.stand_in(_TAB + " " * _to_stop(build, tab, keep), "blank")
    if char[0] < " " or char[0] == "\x7f":
        return build.run(char.translate(_STAND_INS), "hazard")
    return build.stand_in(_STAND_INS.get(ord(char)) or f"<U+{ord(char):04X}>", "hazard")


def _walk_ascii(build: _Builder, raw: str, keep: int) -> bool:
    """The same for ASCII alone: every other character by its number, controls and blanks by their names."""
    reach = min(len(raw), build.columns + 1)
    tail = max(keep, len(raw.rstrip(" "))) if reach == len(raw) else reach
    position = keep
    if not build.plain(raw[:keep]):
        return False
    for odd in _ODD_ASCII.finditer(raw, keep, tail):
        if not (build.plain(raw[position : odd.start()]) and build.stand_in(*_escaped(odd.group()))):
            return False
        position = odd.end()
    if not build.plain(raw[position:tail]):
        return False
    return all(build.stand_in("<SP>", "blank") for _ in range(tail, reach))


def _escaped(char: str) -> tuple[str, SpanKind]:
    if char == "\t":
        return "<TAB>", "blank"
    if char in _NAMED:
        return _NAMED[char], "hazard"
    code = ord(char)
    return f"<{code - 0xDC00:02X}>" if 0xDC80 <= code < 0xDD00 else f"<U+{code:04X}>", "hazard"


def in_ascii(text: str) -> str:
    """What others wrote, in ASCII alone: what `show` makes of it, without account. Line feeds, and blanks at an end,
    stay as they are."""
    return _ODD_ASCII.sub(lambda odd: odd.group() if odd.group() == "\n" else _escaped(odd.group())[0], text)


def theirs_in_ascii(value: Any) -> Any:
    """Text of others in whatever JSON holds; escapes for colours are left out, as logs are shown."""
    match value:
        case str():
            return in_ascii(_COLOUR.sub("", value))
        case list() | tuple():
            return [theirs_in_ascii(each) for each in value]
        case Mapping():
            return {key: theirs_in_ascii(each) for key, each in value.items()}
        case _:
            return value


def but_our_marks(text: str) -> str:
    """Clean words of ours with what others wrote among them, where the last door makes ASCII of our own marks: every
    other character by its number, and the pictures of controls by their names. Doing so twice changes nothing more."""
    return text if text.isascii() else _NO_MARK.sub(lambda odd: _by_picture(odd.group()), text)


_NO_MARK = re.compile(f"[^\n -~{re.escape(''.join(map(chr, ASCII)))}]|[\u2400-\u2421]")


def _by_picture(char: str) -> str:
    code = ord(char) - 0x2400
    return _escaped("\x7f" if code == 0x21 else chr(code) if 0 <= code < 0x20 else char)[0]


def _with_rest(build: _Builder, more: int, ascii: bool) -> Shown:
    note = f"<+{more}>" if ascii else f"{_MORE}(+{more})"
    spans = (*build.spans, Span(build.length, build.length + len(note), "cut"))
    return Shown("".join([*build.pieces, note]), spans, more)


_LOOKALIKE = re.compile(_TAKEN.encode())
_UNSEEN = re.compile(rb"[\x00-\x1f\x7f]| +\Z")


def bound(line: bytes, ascii: bool = False) -> int:
    """An upper bound of the cells that a line takes, without decoding or walking it."""
    if not line.isascii():
        return (5 if ascii else 4) * len(line)  # `<ESC>` for one byte, `<U+00A0>` for two
    cells = len(line) + (7 * len(_LOOKALIKE.findall(line)) if b"<" in line else 0)
    if ascii:
        return cells + sum(4 * len(found) for found in _UNSEEN.findall(line))
    return cells + 3 * line.count(b"\t")


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
