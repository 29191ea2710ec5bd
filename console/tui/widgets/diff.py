"""A diff on the screen, of any size: a line cursor, jumps by hunk and file, unified or side by side, marks of comments.

It draws what `present.difftext` parsed and decides nothing about the plan that it belongs to.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from typing import ClassVar, Literal

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.strip import Strip

from console.present.diffoutline import draw_in
from console.present.diffrecords import ADDED, REMOVED
from console.present.difftext import Diff, Position, parse
from console.present.splitdiff import NONE, Rows
from console.present.text import width
from console.present.visible import show
from console.tui import keys
from console.tui.widgets.diffpaint import PARTS, DiffPaint
from console.tui.widgets.lines import LinePane, of_others_in_ascii

Layout = Literal["unified", "split"]
BESIDE_FROM = 110
"""Cells of the pane from which side by side leaves half of it readable."""
CURSOR, COMMENT, BETWEEN = "\u203a", "*", "\u2502"
ACROSS = frozenset({"file", "meta", "hunk"})


class LineDiff(LinePane):
    """A diff. cursor: the row that keys are about. Whatever a caller names by an index is a line of `diff`, also where
    rows are side by side."""

    DEFAULT_CSS = """
    LineDiff > .diff--added {
        color: $diff-added; background: $diff-added-ground; text-style: $diff-added-style;
    }
    LineDiff > .diff--removed {
        color: $diff-removed; background: $diff-removed-ground; text-style: $diff-removed-style;
    }
    LineDiff > .diff--added-word { background: $diff-added-word; text-style: $diff-word-style; }
    LineDiff > .diff--removed-word { background: $diff-removed-word; text-style: $diff-word-style; }
    LineDiff > .diff--cursor { background: $diff-cursor; text-style: $diff-cursor-style; }
    LineDiff > .diff--hunk { color: $diff-hunk; }
    LineDiff > .diff--file { color: $diff-file; text-style: $diff-file-style; }
    LineDiff > .diff--meta { color: $state-quiet; text-style: $state-quiet-style; }
    LineDiff > .diff--note { color: $state-quiet; text-style: $state-quiet-style; }
    LineDiff > .diff--mark { color: $state-needs; text-style: bold; }
    LineDiff > .diff--string { color: $code-string; }
    LineDiff > .diff--comment { color: $code-comment; }
    LineDiff > .diff--keyword { color: $code-keyword; }
    LineDiff > .diff--number { color: $code-number; }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {f"diff--{part}" for part in PARTS}
    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("diff")

    class FileChanged(Message):
        """The cursor has come to another file, or another diff is shown."""

    def __init__(
        self,
        diff: bytes | Diff = b"",
        *,
        name: str | None = None,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        super().__init__(name=name, id=id, classes=classes)
        self.layout_wanted: Layout = "unified"
        self.cursor = self._led = 0
        self._marks: frozenset[int] = frozenset()
        self._rows: Rows | None = None
        self._take(diff)

    def _take(self, diff: bytes | Diff) -> None:
        self.diff = diff if isinstance(diff, Diff) else parse(diff)
        self._in_its_glyphs()
        self._paint = DiffPaint(self.diff)
        self._file: int | None = None

    def on_mount(self) -> None:
        self._in_its_glyphs()
        self._lay()
        self.changed()

    def _in_its_glyphs(self) -> bool:
        """Shown as this screen is drawn; True when it was not."""
        wanted = of_others_in_ascii(self)
        if self.diff.ascii == wanted:
            return False
        draw_in(self.diff, ascii=wanted)
        return True

    def notify_style_update(self) -> None:
        if self._in_its_glyphs():
            self._paint = DiffPaint(self.diff)
            self.changed()
        super().notify_style_update()

    @property
    def count(self) -> int:
        return len(self.diff if self._rows is None else self._rows)

    def measure(self) -> int:
        """Side by side each half is moved by itself: what is beside the widest line does not count twice."""
        widest = self.diff.widest()
        return widest if self._rows is None else max(0, widest - self._half) + self.view.width

    @property
    def gutter_cells(self) -> int:
        return 2 if self._marks else 1

    @property
    def view(self) -> Size:
        """Cells that lines are seen in, beside the gutter."""
        cells = super().view
        return Size(max(0, cells.width - self.gutter_cells), cells.height)

    def changed(self) -> None:
        self._strips.clear()
        self.virtual_size = Size(self.measure() + self.gutter_cells, self.count)
        self.refresh()

    def set_diff(self, diff: bytes | Diff) -> None:
        """Show another diff from its top, or from where its first change is in view."""
        self._take(diff)
        self._marks, self.cursor, self._rows, self._led = frozenset(), 0, None, 0
        self._lay()
        self.scroll_to(0, 0, animate=False, immediate=True)
        self.changed()
        self._tell()
        self._lead()

    def set_marks(self, lines: Iterable[int]) -> None:
        """Lines that somebody has said something about."""
        marks = frozenset(lines)
        if marks != self._marks:
            self._marks = marks
            self.changed()

    # -- unified or side by side ---------------------------------------------------------------------------

    @property
    def side_by_side(self) -> bool:
        return self._rows is not None

    def not_beside(self) -> str:
        """Why this diff cannot be side by side here; "" when it can."""
        if not self.diff.whole:
            return "this diff is too big to be drawn"
        cells = self.size.width
        return f"side by side wants {BESIDE_FROM} columns; this pane has {cells}" if cells < BESIDE_FROM else ""

    def set_layout(self, layout: Layout) -> None:
        """From now on, wherever it fits; the cursor stays on its line."""
        self.layout_wanted = layout
        self._refit()

    def _refit(self) -> None:
        line, above, was = self.line, self.cursor - self.top_line, self._rows
        self._lay()
        if self._rows is not was:
            self.scroll_to(x=0, animate=False)
            self.changed()
            self.show_line(line, above)
        elif self._rows is not None:
            self.changed()

    def _lay(self) -> None:
        if self.layout_wanted == "unified" or self.not_beside():
            self._rows = None
            return
        if self.diff.beside is None:
            self.diff.beside = Rows(self.diff)
        self._rows = self.diff.beside

    def on_resize(self) -> None:
        self._refit()
        self._follow(self.cursor)
        self.call_after_refresh(self._lead)  # how far it can scroll is not known before

    def _lead(self) -> None:
        """A diff that nobody has moved in yet begins where its first change is in view: in a low window what git says
        before it would fill the pane."""
        rows = self.view.height
        if not rows or not self.count or self.cursor != self._led:
            return
        top = 0 if self.telling(0, rows) else max(0, self._first_change() - max(0, rows - 3))
        if top != self._led or self.top_line != top:
            self._led = top
            self._put(top)
            self.scroll_to(y=top, animate=False, immediate=True)

    def _first_change(self) -> int:
        kinds = self.diff.kinds
        line = min((at for kind in (ADDED, REMOVED) if (at := kinds.find(kind)) >= 0), default=0)
        return line if self._rows is None else self._rows.row[line]

    # -- the cursor ----------------------------------------------------------------------------------------

    @property
    def line(self) -> int:
        """Index of the diff line under the cursor."""
        return self.cursor if self._rows is None or not self.count else self._rows.line(self.cursor)

    @property
    def current_file(self) -> int | None:
        """Index into `diff.files` of the file under the cursor."""
        return self.diff.file_at(self.line) if self.count else None

    def telling(self, first: int, rows: int) -> bool:
        """A changed line, or a file that has none (renamed, binary): what git says before changed lines is neither."""
        seen = range(first, min(first + rows, self.count))
        return not self.count or any(self._tells(line) for row in seen for line in self._of_row(row))

    def _tells(self, line: int) -> bool:
        kinds, at = self.diff.kinds, self.diff.file_at(line)
        if at is None or kinds[line] in (ADDED, REMOVED):
            return True
        file = self.diff.files[at]
        return max(kinds.find(kind, file.line, file.end) for kind in (ADDED, REMOVED)) < 0

    def _of_row(self, row: int) -> tuple[int, ...]:
        if self._rows is None:
            return (row,)
        return tuple(line for line in (self._rows.left[row], self._rows.right[row]) if line != NONE)

    def place(self, cells: int) -> str:
        """`cart.py \u00b7 2 of 5 files`: the file under the cursor, its name in so many cells; "" for none."""
        at = self.current_file
        if at is None:
            return ""
        name, files = show(self.diff.files[at].path, ascii=self.diff.ascii).text, len(self.diff.files)
        while width(name) > cells:
            name = "\u2026" + name[max(2, width(name) - cells + 1) :]
        return f"{name} \u00b7 {at + 1} of {files} file{'s' * (files != 1)}"

    def position(self, index: int) -> Position | None:
        """Where a line of the diff is in its file; for comments on a line."""
        return self.diff.position(index) if 0 <= index < len(self.diff) else None

    def show_line(self, index: int, above: int = 0) -> None:
        """To this line, the first visible one but for `above`, as far as the ends of the text allow."""
        self._at_end = False
        if not self.count:
            return
        row = max(0, min(index, len(self.diff) - 1))
        row = row if self._rows is None else self._rows.row[row]
        self._put(row)
        self._scroll(row - above)

    def _put(self, row: int) -> None:
        """The cursor to this row; nothing scrolls."""
        was, self.cursor = self.cursor, max(0, min(row, self.count - 1))
        for each in {was, self.cursor}:
            self.refresh(Region(0, each - self.top_line, self.size.width, 1))
        self._tell()

    def _tell(self) -> None:
        if (file := self.current_file) != self._file or file is None:
            self._file = file
            self.post_message(self.FileChanged())

    def _follow(self, row: int) -> None:
        """Scroll no further than wanted to have this row in view."""
        rows = self.view.height
        if rows and not self.top_line <= row < self.top_line + rows:
            self._scroll(row if row < self.top_line else row - rows + 1)

    def _scroll(self, top: int) -> None:
        self.scroll_to(y=max(0, top), animate=False)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Whatever scrolls takes the cursor along at the edge."""
        super().watch_scroll_y(old_value, new_value)
        rows, top = self.view.height, round(new_value)
        if rows and self.count and not top <= self.cursor < top + rows:
            self._put(max(top, min(self.cursor, top + rows - 1)))

    def action_by(self, lines: int) -> None:
        self._at_end = False
        self._put(self.cursor + lines)
        self._follow(self.cursor)

    def action_page(self, pages: int) -> None:
        self._at_end = False
        step = pages * max(1, self.view.height - 1)
        at, top = self.cursor, self.top_line
        self._scroll(top + step)
        self._put(at + (self.top_line - top or step))

    def action_top(self) -> None:
        self._put(0)
        super().action_top()

    def action_bottom(self) -> None:
        self._put(self.count - 1)
        super().action_bottom()

    def on_click(self, event: events.Click) -> None:
        if self.top_line + event.y < self.count:
            self._put(self.top_line + event.y)

    # -- jumps ---------------------------------------------------------------------------------------------

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
        """Jump to the `@@` line before the cursor."""
        return self._jump(self.diff.hunks, -1)

    def action_jump_file(self, step: int) -> None:
        _ = self.next_file() if step > 0 else self.prev_file()

    def action_jump_hunk(self, step: int) -> None:
        _ = self.next_hunk() if step > 0 else self.prev_hunk()

    def _jump(self, heads: tuple[int, ...] | list[int], step: int) -> bool:
        at = bisect_right(heads, self.line) if step > 0 else bisect_left(heads, self.line) - 1
        if not 0 <= at < len(heads):
            return False
        self.show_line(heads[at])
        return True

    # -- drawing -------------------------------------------------------------------------------------------

    def draw(self, index: int, ground: Style) -> list[Segment]:
        return self._paint.line(index, ground, self._part)

    def row(self, index: int, ground: Style) -> Strip:
        cells = self.size.width - self.gutter_cells
        body = self._single(index, cells, ground) if self._rows is None else self._double(index, cells, ground)
        mark = self._margin(index, ground)
        if index != self.cursor:
            return Strip([*mark, *body], self.size.width)
        below = self._part("diff--cursor").bgcolor
        lit = Segment.apply_style(body, post_style=Style(bgcolor=below)) if below and not below.is_default else body
        return Strip([*mark, *lit], self.size.width)

    def _single(self, line: int, cells: int, ground: Style) -> Strip:
        fill = self._paint.ground(line, ground, self._part)
        return self.seen(self.whole(line, ground), int(self.scroll_offset.x), self.view.width, cells, fill)

    @property
    def _half(self) -> int:
        """Cells of one side."""
        return max(1, (self.view.width - 1) // 2)

    def _double(self, row: int, cells: int, ground: Style) -> Strip:
        assert self._rows
        left, right = self._rows.left[row], self._rows.right[row]
        if left == right and self.diff.kind(left) in ACROSS:
            return self._single(left, cells, ground)
        quiet = ground + self._part("pane--quiet")
        sides = [*self._side(left, ground), Segment(BETWEEN, quiet), *self._side(right, ground)]
        return Strip(sides).crop_extend(0, cells, ground)

    def _side(self, line: int, ground: Style) -> Strip:
        if line == NONE:
            return Strip.blank(self._half, ground)
        fill = self._paint.ground(line, ground, self._part)
        return self.seen(self.whole(line, ground), int(self.scroll_offset.x), self._half, self._half, fill)

    def _margin(self, row: int, ground: Style) -> list[Segment]:
        here = row == self.cursor
        look = ground + (self._part("diff--cursor") if here and self.has_focus else Style())
        parts = [Segment(CURSOR if here else " ", look + Style(bold=here or None))]
        if self._marks:
            lines = {row} if self._rows is None else {self._rows.left[row], self._rows.right[row]}
            parts.append(Segment(COMMENT if lines & self._marks else " ", ground + self._part("diff--mark")))
        return parts

    def _part(self, name: str) -> Style:
        return self.get_component_rich_style(name, partial=True)
