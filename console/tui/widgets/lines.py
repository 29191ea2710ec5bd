"""Long texts drawn line by line: the scrolling that diffs, logs and transcripts share, and a plain view of raw lines.

Only visible lines are cleaned and drawn, so size costs nothing. No markup, no wrapping, no selection of text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.binding import BindingType
from textual.cache import LRUCache
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget

from console.present.text import Sgr, clean, cut, width
from console.present.visible import COLUMNS, but_our_marks, widest
from console.tui import keys

CONTROLS = dict.fromkeys((*range(32), 127))
SIDEWAYS = 8
"""Columns that one press of left or right moves the text."""


def of_others_in_ascii(widget: Widget) -> bool:
    """Whether text of others is escaped where it is not ASCII: there the last door makes ASCII of our own marks, and
    what others wrote must not become the same."""
    return widget.is_attached and bool(getattr(widget.app, "ascii", False))


class LinePane(ScrollView, can_focus=True):
    """A pane of `count` lines. A subclass says how one line looks (`draw`) and how wide the widest is (`measure`)."""

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    LinePane { height: 1fr; scrollbar-size: 0 1; }
    LinePane > .pane--quiet { color: $state-quiet; text-style: $state-quiet-style; }
    LinePane > .pane--hazard { color: $diff-hazard; text-style: $diff-hazard-style; }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {"pane--quiet", "pane--hazard"}
    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("text")

    def __init__(self, *, name: str | None = None, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(name=name, id=id, classes=classes)
        self._strips: LRUCache[int, Strip] = LRUCache(1024)
        self._at_end = False
        """The end was asked for and nothing else since: it stays in view when the pane gets its size, or another."""

    @property
    def count(self) -> int:
        """Lines there are."""
        raise NotImplementedError

    def draw(self, index: int, ground: Style) -> list[Segment]:
        """The segments of one line, already safe; `ground` is the style of the pane."""
        raise NotImplementedError

    def measure(self) -> int:
        """Cells of the widest line."""
        raise NotImplementedError

    @property
    def view(self) -> Size:
        """Cells that text is seen in: the pane without its scrollbars."""
        return self.scrollable_content_region.size

    def telling(self, first: int, rows: int) -> bool:
        """Whether these rows hold any of what the text is there for, not only heads of it."""
        return True

    @property
    def top_line(self) -> int:
        """Index of the first visible line."""
        return int(self.scroll_offset.y)

    def changed(self) -> None:
        """Draw anew after the lines were replaced."""
        self._strips.clear()
        self.virtual_size = Size(self.measure(), self.count)
        self.refresh()

    def show_line(self, index: int) -> None:
        """Scroll so that a line is the first visible one, as far as the end of the text allows."""
        self._at_end = False
        self.scroll_to(y=max(0, min(index, self.count - 1)), animate=False)

    def notify_style_update(self) -> None:
        self._strips.clear()
        super().notify_style_update()

    def render_line(self, y: int) -> Strip:
        ground = self.rich_style
        index = self.top_line + y
        if index >= self.count:
            return Strip.blank(self.size.width, ground)
        return self.row(index, ground)

    def row(self, index: int, ground: Style) -> Strip:
        """A line as wide as the pane."""
        left, cells = int(self.scroll_offset.x), self.size.width
        return self.seen(self.whole(index, ground), left, self.view.width, cells, ground)

    def whole(self, index: int, ground: Style) -> Strip:
        """All of a line, as wide as it is."""
        strip = self._strips.get(index)
        if strip is None:
            self._strips[index] = strip = Strip(self.draw(index, ground))
        return strip

    def seen(self, strip: Strip, left: int, room: int, cells: int, ground: Style) -> Strip:
        """`cells` of a line from column `left`, of which `room` can be seen. What is not seen is said: blanks could
        push the rest of a line out of sight."""
        hidden = strip.cell_length - left - room
        if hidden <= 0:
            return strip.crop_extend(left, left + cells, ground)
        more = hidden + len(str(hidden)) + 2
        mark = f"<+{more + 1}>" if of_others_in_ascii(self) else f"\u2026+{more}"
        text = max(0, room - len(mark))
        look = self.rich_style + self.get_component_rich_style("pane--hazard", partial=True)
        shown = Strip([*strip.crop_extend(left, left + text, ground), Segment(mark, look)])
        return shown.crop_extend(0, cells, ground)

    def action_by(self, lines: int) -> None:
        self.show_top(self.top_line + lines)

    def action_page(self, pages: int) -> None:
        self.show_top(self.top_line + pages * max(1, self.view.height - 1))

    def action_top(self) -> None:
        self.show_top(0)

    def action_bottom(self) -> None:
        self.show_top(self.count)
        self._at_end = True

    def action_sideways(self, steps: int) -> None:
        self.scroll_to(x=max(0, self.scroll_offset.x + steps * SIDEWAYS), animate=False)

    def show_top(self, y: int) -> None:
        self._at_end = False
        self.scroll_to(y=max(0, y), animate=False)

    def on_resize(self) -> None:
        if self._at_end:
            self.call_after_refresh(self.action_bottom)

    def on_mouse_scroll_up(self) -> None:
        self._at_end = False


class LineView(LinePane):
    """Lines of ours and of others among them; cleaned when drawn.

    sgr: `strip` drops colour escapes, `show` makes them visible.
    follow: keep showing the end while lines are appended, as long as the end is in view.
    """

    def __init__(
        self,
        lines: Iterable[str] = (),
        *,
        sgr: Sgr = "strip",
        follow: bool = False,
        name: str | None = None,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        super().__init__(name=name, id=id, classes=classes)
        self.sgr = sgr
        self.follow = follow
        self._lines: list[str] = list(lines)
        self._ascii = False
        self._widest = self._measured(self._lines)

    def on_mount(self) -> None:
        self._in_its_glyphs()
        self.changed()

    def notify_style_update(self) -> None:
        if self._in_its_glyphs():
            self.changed()
        super().notify_style_update()

    def _in_its_glyphs(self) -> bool:
        """Shown as this screen is drawn; True when it was not."""
        if self._ascii == of_others_in_ascii(self):
            return False
        self._ascii = not self._ascii
        self._widest = self._measured(self._lines)
        return True

    @property
    def count(self) -> int:
        return len(self._lines)

    def measure(self) -> int:
        return self._widest

    def set_lines(self, lines: Iterable[str]) -> None:
        """Replace the text; the scroll position stays as far as there are lines."""
        self._lines = list(lines)
        self._widest = self._measured(self._lines)
        self.changed()

    def set_text(self, text: str) -> None:
        """Replace the text by the lines of `text`; only a line feed ends a line."""
        self.set_lines(text.removesuffix("\n").split("\n") if text else ())

    def append_lines(self, lines: Sequence[str]) -> None:
        """Add whole lines at the end; a partial line belongs to the caller until it is complete."""
        if not lines:
            return
        at_end = self.scroll_offset.y >= self.max_scroll_y
        first = len(self._lines)
        self._lines.extend(lines)
        self._widest = max(self._widest, self._measured(lines))
        self.virtual_size = Size(self._widest, self.count)
        if not self.view or first < self.top_line + self.view.height:
            self.refresh()
        if self.follow and at_end:
            self.call_after_refresh(self.action_bottom)

    def draw(self, index: int, ground: Style) -> list[Segment]:
        return [Segment(self._shown(self._lines[index]), ground)]

    def _shown(self, raw: str) -> str:
        text = clean(raw.removesuffix("\r"), sgr=self.sgr, limit=COLUMNS)
        return cut(but_our_marks(text) if self._ascii else text, COLUMNS)

    def _measured(self, lines: Sequence[str]) -> int:
        bounds = (min(_bound(line), COLUMNS) for line in lines)
        return widest(bounds, lambda index: width(self._shown(lines[index])))


def _bound(line: str) -> int:
    if line.isascii():
        return len(line) + 4 * (len(line) - len(line.translate(CONTROLS)))
    return 10 * len(line)
