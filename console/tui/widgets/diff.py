"""A unified diff on the screen, of any size: colours by kind of line, everything unseen made visible, jumps.

It draws what `present.difftext` parsed and decides nothing about the plan that it belongs to.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from itertools import groupby
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.binding import Binding, BindingType

from console.present.difftext import Diff, Kind, Position, parse
from console.present.visible import Shown
from console.tui.widgets.lines import LinePane

_CODE = re.compile(
    r"""(?P<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`)"""
    r"""|(?P<comment>(?:\#|//|--\s|/\*|<!--).*)"""
    r"""|(?P<keyword>\b(?:and|as|assert|async|await|break|case|catch|class|const|continue|def|del|elif|else|enum|except"""
    r"""|export|extends|finally|fn|for|from|func|function|global|if|impl|import|in|interface|is|lambda|let|match|mod"""
    r"""|new|nonlocal|not|or|package|pass|pub|raise|return|self|static|struct|switch|this|throw|trait|try|type|use"""
    r"""|var|void|while|with|yield|None|True|False|null|nil|true|false)\b)"""
    r"""|(?P<number>\b\d[\w.]*)"""
)
_PARTS = ("string", "comment", "keyword", "number")
_COLOURED = 400
"""Characters of one line that are coloured as code; the rest keeps the colour of its kind."""


class LineDiff(LinePane):
    """A unified diff. `diff` is what is drawn; jumps move it so that a file or hunk head is the first line."""

    DEFAULT_CSS = """
    LineDiff > .diff--added { color: $diff-added; text-style: $diff-added-style; }
    LineDiff > .diff--removed { color: $diff-removed; text-style: $diff-removed-style; }
    LineDiff > .diff--hunk { color: $diff-hunk; }
    LineDiff > .diff--file { color: $diff-file; text-style: $diff-file-style; }
    LineDiff > .diff--meta { color: $state-quiet; text-style: $state-quiet-style; }
    LineDiff > .diff--note { color: $state-quiet; text-style: $state-quiet-style; }
    LineDiff > .diff--string { color: $code-string; }
    LineDiff > .diff--comment { color: $code-comment; }
    LineDiff > .diff--keyword { color: $code-keyword; }
    LineDiff > .diff--number { color: $code-number; }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"diff--{part}" for part in ("added", "removed", "context", "hunk", "file", "meta", "note", *_PARTS)
    }
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right_curly_bracket", "jump_hunk(1)", "Next hunk", show=False),
        Binding("left_curly_bracket", "jump_hunk(-1)", "Previous hunk", show=False),
        Binding("greater_than_sign", "jump_file(1)", "Next file", show=False),
        Binding("less_than_sign", "jump_file(-1)", "Previous file", show=False),
    ]

    def __init__(
        self,
        diff: bytes | Diff = b"",
        *,
        name: str | None = None,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        super().__init__(name=name, id=id, classes=classes)
        self.diff = diff if isinstance(diff, Diff) else parse(diff)
        self._widest = self.diff.widest()

    def on_mount(self) -> None:
        self.changed()

    @property
    def count(self) -> int:
        return len(self.diff)

    def measure(self) -> int:
        return self._widest

    def set_diff(self, diff: bytes | Diff) -> None:
        """Show another diff from its top."""
        self.diff = diff if isinstance(diff, Diff) else parse(diff)
        self._widest = self.diff.widest()
        self.scroll_to(0, 0, animate=False)
        self.changed()

    @property
    def current_file(self) -> int | None:
        """Index into `diff.files` of the file whose lines are at the top of the pane."""
        return self.diff.file_at(self.top_line) if self.count else None

    def position(self, index: int) -> Position | None:
        """Where a line of the diff is in its file; for comments on a line."""
        return self.diff.position(index) if 0 <= index < self.count else None

    def next_file(self) -> bool:
        """Jump to the head of the next file; False when there is none."""
        return self._jump([entry.line for entry in self.diff.files], 1)

    def prev_file(self) -> bool:
        """Jump to the head of this file, or of the one before when already there."""
        return self._jump([entry.line for entry in self.diff.files], -1)

    def next_hunk(self) -> bool:
        """Jump to the next `@@` line; False when there is none."""
        return self._jump(self.diff.hunks, 1)

    def prev_hunk(self) -> bool:
        """Jump to the `@@` line before the first visible line."""
        return self._jump(self.diff.hunks, -1)

    def action_jump_file(self, step: int) -> None:
        _ = self.next_file() if step > 0 else self.prev_file()

    def action_jump_hunk(self, step: int) -> None:
        _ = self.next_hunk() if step > 0 else self.prev_hunk()

    def _jump(self, heads: tuple[int, ...] | list[int], step: int) -> bool:
        at = bisect_right(heads, self.top_line) if step > 0 else bisect_left(heads, self.top_line) - 1
        if not 0 <= at < len(heads):
            return False
        self.show_line(heads[at])
        return True

    def draw(self, index: int, ground: Style) -> list[Segment]:
        kind = self.diff.kind(index)
        shown = self.diff.shown(index)
        style = ground + self._part(f"diff--{kind}")
        cuts = self._code(shown, kind, style) + self._stand_ins(shown, style)
        return _layered(shown.text, style, cuts)

    def _part(self, name: str) -> Style:
        return self.get_component_rich_style(name, partial=True)

    def _code(self, shown: Shown, kind: Kind, style: Style) -> list[tuple[int, int, Style]]:
        """Syntax in context lines; a changed line keeps the colour of its change, which matters more."""
        if kind not in ("added", "removed", "context"):
            return []
        looks = {part: style + self._part(f"diff--{part}") for part in _PARTS}
        if kind != "context":
            looks = dict.fromkeys(_PARTS, style) | {"keyword": style + Style(bold=True)}
        found = _CODE.finditer(shown.text, 1, min(len(shown.text), _COLOURED))
        return [(m.start(), m.end(), looks[m.lastgroup or ""]) for m in found]

    def _stand_ins(self, shown: Shown, style: Style) -> list[tuple[int, int, Style]]:
        looks = {
            "blank": style + self._part("pane--quiet"),
            "hazard": style + self._part("pane--hazard"),
            "cut": style + self._part("pane--quiet"),
        }
        return [(span.start, span.end, looks[span.kind]) for span in shown.spans]


def _layered(text: str, ground: Style, parts: list[tuple[int, int, Style]]) -> list[Segment]:
    """`text` as segments; where parts overlap, the later in the list wins. Linear, however many parts there are."""
    paint = [ground] * len(text)
    for start, end, style in parts:
        paint[start:end] = [style] * (end - start)
    segments: list[Segment] = []
    at = 0
    for style, run in groupby(paint):
        end = at + sum(1 for _ in run)
        segments.append(Segment(text[at:end], style))
        at = end
    return segments
