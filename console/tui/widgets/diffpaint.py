"""How one line of a diff looks: the colour of its kind, code, changed words, and what stands for something unseen.

It knows styles by the names of their component classes and draws nothing itself.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby

from rich.segment import Segment
from rich.style import Style

from console.present.difftext import Diff, Kind
from console.present.syntax import Colouring
from console.present.visible import Shown
from console.present.worddiff import Words

KINDS = ("added", "removed", "context", "hunk", "file", "meta", "note")
CODE = ("string", "comment", "keyword", "number")
PARTS = (*KINDS, *CODE, "added-word", "removed-word", "cursor", "mark")

Looks = Callable[[str], Style]
"""The style of a component class."""
Painted = tuple[int, int, Style]


class DiffPaint:
    """Of one diff; what was worked out for its lines is remembered as long as it is."""

    def __init__(self, diff: Diff) -> None:
        self._diff = diff
        self._words = Words(diff)
        self._colours = Colouring(diff)
        self._conflicts = frozenset(diff.conflicts)

    def line(self, index: int, ground: Style, looks: Looks) -> list[Segment]:
        """The segments of one line."""
        kind = self._diff.kind(index)
        shown = self._diff.shown(index)
        style = ground + looks(f"diff--{kind}")
        if index in self._conflicts:
            return [Segment(shown.text, style + looks("pane--hazard"))]
        words = [(start, end, looks(f"diff--{kind}-word")) for start, end in self._words.changed(index)]
        return _layered(shown.text, style, [*self._code(index, shown.text, kind, looks), *words, *_signs(shown, looks)])

    def ground(self, index: int, ground: Style, looks: Looks) -> Style:
        """What the row of a line is filled up with."""
        below = looks(f"diff--{self._diff.kind(index)}").bgcolor
        return ground + Style(bgcolor=below) if below and not below.is_default else ground

    def _code(self, index: int, text: str, kind: Kind, looks: Looks) -> list[Painted]:
        """Syntax in context lines; a changed line keeps the colour of its change, which matters more."""
        if kind not in ("added", "removed", "context"):
            return []
        found = self._colours.parts(index, text)
        if kind == "context":
            return [(start, end, looks(f"diff--{part}")) for start, end, part in found]
        return [(start, end, Style(bold=True)) for start, end, part in found if part == "keyword"]


def _signs(shown: Shown, looks: Looks) -> list[Painted]:
    """What stands for something unseen, told apart from real text."""
    styles = {"hazard": looks("pane--hazard"), "blank": looks("pane--quiet"), "cut": looks("pane--quiet")}
    return [(span.start, span.end, styles[span.kind]) for span in shown.spans]


def _layered(text: str, ground: Style, parts: list[Painted]) -> list[Segment]:
    """`text` as segments; a later part lies over an earlier one. A style is made once for each stretch between two
    ends of parts, not for each character."""
    ends = sorted({0, len(text), *(end for part in parts for end in part[:2] if 0 <= end <= len(text))})
    place = {end: index for index, end in enumerate(ends)}
    paint = [ground] * (len(ends) - 1)
    for start, end, style in parts:
        for at in range(place[min(start, len(text))], place[min(end, len(text))]):
            paint[at] += style
    segments: list[Segment] = []
    at = 0
    for style, run in groupby(paint):
        stretch = sum(1 for _ in run)
        segments.append(Segment(text[ends[at] : ends[at + stretch]], style))
        at += stretch
    return segments
