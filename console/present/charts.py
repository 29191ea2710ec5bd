"""Pictures of time in cells of a terminal: a lane, a time axis, a sparkline. Pure but for the local time zone; every
state is told by its character, colour only helps."""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from console.core.lanes import MOMENTS, Lane, Span
from console.present.glyphs import Tone
from console.present.text import pad

BARS, ASCII_BARS = "▁▂▃▄▅▆▇█", "_.-:=+*#"
QUIET = " "


@dataclass(frozen=True, slots=True)
class Ink:
    """How one state is drawn: its cell, in ASCII too, its word and the name of its style."""

    glyph: str
    ascii: str
    word: str
    tone: Tone

    def mark(self, ascii_only: bool) -> str:
        return self.ascii if ascii_only else self.glyph


INKS: dict[str, Ink] = {
    "turn": Ink("━", "=", "works", "go"),
    "asks": Ink("?", "?", "asks you", "needs"),
    "waits": Ink("·", ".", "waits for you", "needs"),
    "limit": Ink("┊", ":", "usage limit", "needs"),
    "slot": Ink("○", "o", "waits for a slot", "quiet"),
    "setup": Ink("┄", "-", "setup", "quiet"),
    "restart": Ink("⟳", "~", "is started again", "needs"),
    "gate": Ink("▸", ">", "gate runs", "go"),
    "gate:green": Ink("✓", "+", "gate green", "go"),
    "gate:red": Ink("✕", "x", "gate red", "broke"),
    "gate:timeout": Ink("!", "!", "gate timed out", "broke"),
    "gate:unjudged": Ink("⊘", "#", "could not judge", "broke"),
    "run": Ink("━", "=", "works", "go"),
    "held": Ink("│", "|", "held up", "needs"),
    "hang": Ink("H", "H", "hang", "broke"),
    "crash": Ink("C", "C", "crash", "broke"),
    "restart!": Ink("R", "R", "restart", "needs"),
    "given-up": Ink("G", "G", "given up", "broke"),
    "failed": Ink("F", "F", "failed", "broke"),
    "blocked": Ink("B", "B", "blocked", "broke"),
    "parked": Ink("P", "P", "parked", "needs"),
    "done": Ink("D", "D", "done", "go"),
    "landed": Ink("L", "L", "landed", "go"),
    "rejected": Ink("J", "J", "rejected", "quiet"),
}
"""State -> ink. Moments are letters, what lasts is a sign."""

LEGEND = (
    "turn", "gate:green", "gate:red", "gate:timeout", "gate:unjudged", "gate", "asks", "waits", "limit", "slot",
    "setup", "restart", "held", "done", "parked", "failed", "blocked", "landed", "rejected", "restart!", "hang",
    "crash", "given-up",
)  # fmt: skip

TONES: dict[str, Tone] = {ink.mark(ascii_only): ink.tone for ink in INKS.values() for ascii_only in (False, True)}
"""Cell of a chart -> the name of its style."""


@dataclass(frozen=True, slots=True)
class Scale:
    """start: Unix seconds at the left edge; step: seconds a cell; cells: the width."""

    start: float
    step: float
    cells: int

    @property
    def end(self) -> float:
        return self.start + self.step * self.cells


STEPS = (
    *(1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 75, 90, 105, 120, 150, 180, 210, 240, 300, 360, 420),
    *(480, 600, 720, 900, 1080, 1200, 1500, 1800, 2400, 3000, 3600, 5400, 7200, 10800, 14400, 21600, 28800, 43200),
)


def scale(first: float, last: float, cells: int) -> Scale:
    """One that holds first .. last, with a round step, so that it seldom changes while time goes on."""
    cells = max(1, cells)
    days = max(1, int((last - first) // (86400 * cells)))
    for step in (*STEPS, 86400 * days, 86400 * (days + 1), 86400 * (days + 2)):
        start = first // min(step, 86400) * min(step, 86400)
        if start + step * cells >= last:
            break
    return Scale(start, float(step), cells)


def lane(drawn: Lane, on: Scale, last: float, *, ascii_only: bool = False) -> str:
    """One character a cell. last: Unix seconds up to which what goes on is drawn. A cell shows the weightiest moment
    within it, else what took most of its time."""
    cells = [QUIET] * on.cells
    kept = [0.0] * on.cells
    for span in _within(drawn.spans, on):
        ink = INKS.get(f"{span.kind}:{span.said}" if span.said else span.kind, INKS[span.kind])
        _lay(cells, kept, (span.at, span.until or max(last, span.at)), on, ink.mark(ascii_only))
    ranks = {what: rank for rank, what in enumerate(MOMENTS)}
    best: dict[int, int] = {}
    for mark in drawn.marks:
        at = int((mark.at - on.start) // on.step)
        if 0 <= at < on.cells:
            best[at] = min(best.get(at, len(ranks)), ranks[mark.what])
    for at, rank in best.items():
        what = MOMENTS[rank]
        cells[at] = INKS["restart!" if what == "restart" else what].mark(ascii_only)
    return "".join(cells)


def _within(spans: Sequence[Span], on: Scale) -> Sequence[Span]:
    """Those that may be seen: they are in order, and only the last may go on."""
    first = bisect_left(spans, on.start, key=lambda span: span.until or float("inf"))
    return spans[first : bisect_left(spans, on.end, key=lambda span: span.at)]


def _lay(cells: list[str], kept: list[float], taken: tuple[float, float], on: Scale, glyph: str) -> None:
    """Into every cell that it takes more of than what lies there; a moment of a gate takes a little of its own."""
    at, until = taken
    first, last = int((at - on.start) // on.step), int((until - on.start) // on.step)
    for i in range(max(0, first), min(on.cells - 1, last) + 1):
        left = on.start + i * on.step
        took = min(until, left + on.step) - max(at, left)
        if took > kept[i] or (cells[i] == QUIET and at == until):
            cells[i], kept[i] = glyph, took


_TICKS = (60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 604800)


def axis(on: Scale, *, ascii_only: bool = False) -> str:
    """Clock labels (local time) with a tick before each, exactly as wide as the scale."""
    room = 8
    tick = next((t for t in _TICKS if t >= room * on.step), int(room * on.step))
    bar = "|" if ascii_only else "│"
    zone = time.localtime(on.start).tm_gmtoff
    at = -(-(on.start + zone) // tick) * tick - zone
    out, last_day = "", time.localtime(on.start).tm_yday
    while at < on.end:
        there = time.localtime(at)
        new_day = there.tm_yday != last_day
        last_day = there.tm_yday
        text = time.strftime("%m-%d" if tick >= 86400 or (new_day and there.tm_hour == 0) else "%H:%M", there)
        column = int((at - on.start) // on.step)
        if column + 1 + len(text) <= on.cells and column >= len(out):
            out = pad(out, column) + bar + text
        at += tick
    return pad(out, on.cells)


def bars(values: Sequence[float], *, ascii_only: bool = False) -> str:
    """One character a value, higher for more; nothing at all is a blank."""
    signs = ASCII_BARS if ascii_only else BARS
    top = max(values, default=0.0)
    return "".join(QUIET if v <= 0 else signs[min(len(signs) - 1, int(v / top * len(signs)))] for v in values)


def legend(*, ascii_only: bool = False, used: str = "") -> tuple[tuple[str, str], ...]:
    """(cell, word) of every state; used: cells of charts, to leave out what is in none of them ("" for all)."""
    found = ((INKS[name].mark(ascii_only), INKS[name].word) for name in LEGEND)
    return tuple((cell, word) for cell, word in found if not used or cell in used)
