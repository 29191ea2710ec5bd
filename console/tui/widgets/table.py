"""The one table of the console: any number of rows, drawn line by line, repainted cell by cell.

The selection is a row's key, never its place: rows may be sorted, filtered and replaced under it, and it stays on the
same thing or on nothing. The table fetches what it shows and decides nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import BindingType
from textual.content import Content
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from console.present.text import clean, fit
from console.tui import keys
from console.tui.widgets.columns import STYLES, Cell, Column, Fetch, Key, Span, narrowest, row_strip, spans

__all__ = ["Cell", "Column", "Fetch", "Key", "VTable"]

_REMEMBERED = 1000

Drawn = tuple[Key, bool, tuple[Cell, ...]]
"""Key, whether it is selected, cells."""


class VTable(ScrollView, can_focus=True):
    """Rows by index from a callable, a selection by key. Cells are cleaned here; no text is ever markup."""

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    VTable { height: 1fr; scrollbar-size: 1 1; }
    VTable > .vtable--go { color: $state-go; text-style: $state-go-style; }
    VTable > .vtable--needs { color: $state-needs; text-style: $state-needs-style; }
    VTable > .vtable--broke { color: $state-broke; text-style: $state-broke-style; }
    VTable > .vtable--quiet { color: $state-quiet; text-style: $state-quiet-style; }
    VTable > .vtable--strong { text-style: bold; }
    VTable > .vtable--cursor {
        background: $block-cursor-blurred-background; text-style: $block-cursor-blurred-text-style;
    }
    VTable:focus > .vtable--cursor {
        color: $block-cursor-foreground; background: $block-cursor-background; text-style: $block-cursor-text-style;
    }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {f"vtable--{style}" for style in (*STYLES, "cursor")}
    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("list")

    @dataclass
    class Highlighted(Message):
        """The selection is on another row, or its row is gone (key None)."""

        table: VTable
        key: Key | None

        @property
        def control(self) -> VTable:
            return self.table

    @dataclass
    class Opened(Message):
        """Enter or a double click on the selected row."""

        table: VTable
        key: Key

        @property
        def control(self) -> VTable:
            return self.table

    @dataclass
    class Fitted(Message):
        """The pane has another size."""

        table: VTable

        @property
        def control(self) -> VTable:
            return self.table

    def __init__(
        self,
        columns: Sequence[Column],
        *,
        empty: str = "",
        follow: bool = False,
        name: str | None = None,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        """empty: shown when there are no rows. follow: keep the last row in view while it is in view (a log)."""
        super().__init__(name=name, id=id, classes=classes)
        self.columns = tuple(columns)
        self.empty = empty
        self.follow = follow
        self._keys: Sequence[Key] = ()
        self._fetch: Fetch = lambda index: ()
        self._places: dict[Key, int] | None = None
        self._chosen: Key | None = None
        self._at: int | None = None
        self._settled = False
        self._hint = 0
        self._drawn: dict[int, Drawn] = {}
        self._spans: tuple[int, list[Span]] = (-1, [])
        self._captions: dict[str, str] = {}

    # -- rows ----------------------------------------------------------------------------------------------

    @property
    def cursor_key(self) -> Key | None:
        """The selected row's key; None when nothing is selected or the selected row is not there (any more)."""
        return self._chosen if self._at is not None else None

    @property
    def place(self) -> tuple[int, int]:
        """`n of m` for a border: the selected row counted from 1 (0: none) and the number of rows."""
        return (0 if self._at is None else self._at + 1, len(self._keys))

    def set_rows(self, keys: Sequence[Key], fetch: Fetch) -> None:
        """Show these rows; call it as often as the rows change: only cells that differ are painted again.

        keys: one unique key a row, in the order shown (a list, tuple or range; not mutated later). fetch: row index
        -> one cell a column. The first row is selected until the table had the focus or a row was chosen; from then on
        the selection stays on its key, and when that is missing, on nothing, until it comes back or another is chosen.
        """
        before, count = self.cursor_key, len(self._keys)
        at_end = self.scroll_offset.y >= self.max_scroll_y
        self._keys, self._fetch, self._places = keys, fetch, None
        if len(keys) and (self._chosen is None or not (self._settled or self.has_focus or self.follow)):
            self._chosen = keys[0]
        old, was_at = self._at, int(self.scroll_offset.y)
        self._at = self._find(self._chosen)
        self._hint = self._hint if self._at is None else self._at
        if len(keys) != count or (count and not self._drawn):
            self._resized()
        else:
            self._repaint_differences()
        self._keep_in_view(old, was_at, at_end)
        if self.cursor_key != before:
            self.post_message(self.Highlighted(self, self.cursor_key))

    def set_columns(self, columns: Sequence[Column]) -> None:
        """Other columns for the same cells."""
        if self.columns != tuple(columns):
            self.columns, self._spans = tuple(columns), (-1, [])
            self._resized()

    def caption(self, title: str, more: str) -> None:
        """The upper and the lower line of the border; only a line that changed is painted again."""
        here = Region(-1, 0, self.size.width + 2, 1)
        for y, name, text in ((-1, "_border_title", title), (self.size.height, "_border_subtitle", more)):
            if self._captions.get(name) != text:
                self._captions[name] = text
                setattr(self, name, Content(text) if text else None)
                self.refresh(here.translate((0, y)))

    def shows(self, key: Key) -> bool:
        """Whether this row lies in the pane now."""
        index = self._index(key)
        return index is not None and self._in_view(index)

    def row_changed(self, key: Key) -> None:
        """Paint one row again; nothing when it is not in view."""
        index = self._index(key)
        if index is not None:
            self._refresh_row(index)

    def cell_changed(self, key: Key, column: int) -> None:
        """Paint one cell again; nothing when it is not in view."""
        index = self._index(key)
        if index is not None:
            self._refresh_cell(index, column)

    def select(self, key: Key) -> bool:
        """Move the selection to a row; False when there is none with that key."""
        index = self._find(key)
        if index is None:
            return False
        self._go(index)
        return True

    def beside(self, key: Key) -> Key | None:
        """The row after it, else the one before; None when it is alone or not there."""
        index = self._find(key)
        around = [] if index is None else [index + 1, index - 1]
        return next((self._keys[at] for at in around if 0 <= at < len(self._keys)), None)

    def _find(self, key: Key | None) -> int | None:
        if key is None:
            return None
        if self._hint < len(self._keys) and self._keys[self._hint] == key:
            return self._hint
        try:
            return self._keys.index(key)
        except ValueError:
            return None

    def _index(self, key: Key) -> int | None:
        if self._places is None:
            self._places = {key: index for index, key in enumerate(self._keys)}
        return self._places.get(key)

    # -- drawing -------------------------------------------------------------------------------------------

    def on_mount(self) -> None:
        self._resized()

    def on_resize(self) -> None:
        self._resized()
        self._show_cursor()
        self.post_message(self.Fitted(self))

    @property
    def view(self) -> Size:
        """Cells that rows are seen in: the pane without its scrollbars."""
        return self.scrollable_content_region.size

    def _layout(self) -> list[Span]:
        """Offset and width of every column at the pane's present width."""
        cells = self.view.width
        if self._spans[0] != cells:
            self._spans = (cells, spans(self.columns, cells))
        return self._spans[1]

    def _resized(self) -> None:
        self._drawn.clear()
        self.virtual_size = Size(narrowest(self.columns, self.view.width), len(self._keys))
        self.refresh()

    def render_line(self, y: int) -> Strip:
        ground = self.rich_style
        left, cells = int(self.scroll_offset.x), self.size.width
        index = int(self.scroll_offset.y) + y
        if index >= len(self._keys):
            text = clean(self.empty) if not self._keys and y == 0 else ""
            style = ground + self._part("quiet")
            return Strip([Segment(fit(f"  {text}", cells), style)], cells) if text else Strip.blank(cells, ground)
        row = self._row(index)
        self._remember(index, row)
        cursor = self._part("cursor") if row[1] else Style.null()
        line = ground + cursor
        strip = row_strip(
            row[2],
            self.columns,
            self._layout(),
            line=line,
            looks=lambda style: ground + self._part(style) + cursor,
            mark=row[1],
        )
        return strip.crop_extend(left, left + cells, line)

    def _row(self, index: int) -> Drawn:
        return self._keys[index], index == self._at, tuple(self._fetch(index))

    def _remember(self, index: int, row: Drawn) -> None:
        if len(self._drawn) > _REMEMBERED:
            self._drawn = {at: drawn for at, drawn in self._drawn.items() if self._in_view(at)}
        self._drawn[index] = row

    def _part(self, name: str) -> Style:
        return self.get_component_rich_style(f"vtable--{name}", partial=True)

    def _repaint_differences(self) -> None:
        if not self.view:  # hidden: what is drawn when it comes back must not be what was drawn last
            self._drawn.clear()
            self.refresh()
        top = int(self.scroll_offset.y)
        for index in range(top, min(top + self.view.height, len(self._keys))):
            drawn, now = self._drawn.get(index), self._row(index)
            if drawn is None or drawn[1] != now[1] or len(drawn[2]) != len(now[2]):
                self._refresh_row(index)
                continue
            for column, (old, new) in enumerate(zip(drawn[2], now[2], strict=True)):
                if old != new:
                    self._refresh_cell(index, column)

    def _refresh_row(self, index: int) -> None:
        y = index - int(self.scroll_offset.y)
        if 0 <= y < self.view.height:
            self.refresh(Region(0, y, self.view.width, 1))

    def _refresh_cell(self, index: int, column: int) -> None:
        offset, size = self._layout()[column]
        cell = Region(offset - int(self.scroll_offset.x), index - int(self.scroll_offset.y), size, 1)
        visible = cell.intersection(Region(0, 0, *self.view))
        if visible:
            self.refresh(visible)

    # -- moving --------------------------------------------------------------------------------------------

    def _keep_in_view(self, old: int | None, top: int, at_end: bool) -> None:
        """top: the first row in view before. What is selected stays in its row of the screen, as far as there are rows
        enough; what somebody has scrolled away from stays away."""
        if self.follow and at_end:
            self.call_after_refresh(self.scroll_end, animate=False, immediate=True)
        elif self._at is None or old == self._at or not self.view:
            return
        elif old is None:
            self.call_after_refresh(self._show_cursor)
        elif 0 <= old - top < max(1, self.view.height):
            self.scroll_to(y=top + self._at - old, animate=False, force=True, immediate=True)
            self._show_cursor()

    def _in_view(self, index: int) -> bool:
        return 0 <= index - int(self.scroll_offset.y) < max(1, self.view.height)

    def _show_cursor(self) -> None:
        if self._at is not None:
            row = Region(int(self.scroll_offset.x), self._at, 1, 1)
            self.scroll_to_region(row, animate=False, force=True, immediate=True)

    def on_focus(self) -> None:
        self._settled = True

    def _go(self, index: int) -> None:
        self._settled = True
        index = max(0, min(index, len(self._keys) - 1))
        old, before = self._at, self.cursor_key
        self._chosen, self._at, self._hint = self._keys[index], index, index
        for row in {index, old} - {None}:
            self._refresh_row(row)  # type: ignore[arg-type]
        self._show_cursor()
        if self._chosen != before:
            self.post_message(self.Highlighted(self, self._chosen))

    def _step(self, rows: int) -> None:
        if self._keys:
            self._go(self._hint if self._at is None else self._at + rows)

    def action_move(self, rows: int) -> None:
        self._step(rows)

    def action_page(self, pages: int) -> None:
        self._step(pages * max(1, self.view.height - 1))

    def action_first(self) -> None:
        if self._keys:
            self._go(0)

    def action_last(self) -> None:
        if self._keys:
            self._go(len(self._keys) - 1)

    def action_sideways(self, steps: int) -> None:
        self.scroll_to(x=max(0, self.scroll_offset.x + 8 * steps), animate=False)

    def action_open(self) -> None:
        if self.cursor_key is not None:
            self.post_message(self.Opened(self, self.cursor_key))

    def on_click(self, event: events.Click) -> None:
        """One click selects; the second on the row that is already selected opens it."""
        offset = event.get_content_offset(self)
        if offset is None or offset.y + int(self.scroll_offset.y) >= len(self._keys):
            return
        before = self.cursor_key
        self._go(offset.y + int(self.scroll_offset.y))
        if event.chain == 2 and self.cursor_key == before:
            self.action_open()
