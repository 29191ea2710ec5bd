"""Whether what a key is about can be read: so many rows of its text within the screen, not cut away by a low window, a
split or another tab. Asked again whenever panes are laid; nobody may act on what has no row before the eye."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from textual.geometry import Region, Size
from textual.widget import Widget
from textual.widgets._toast import Toast

from console.tui import keys
from console.tui.widgets.detail import Tab
from console.tui.widgets.lines import LinePane

if TYPE_CHECKING:
    from textual.screen import Screen

    from console.tui.screens.bench import Bench

    _Base = Screen[None]
else:
    _Base = object

LEAST_ROWS = 3
"""Rows of a text that have to be on the screen before a key acts on it: a changed line between its neighbours. A text
that has fewer needs all of its own."""
LEAST_CELLS = 10
"""Cells of each: fewer show no word, only that there is more."""
CLIPPED = "not all of this is on the screen: make the window higher"
WHAT: dict[Tab, str] = {"diff": "the diff", "ticket": "its text", "why": "what it is about"}


def _lies(widget: Widget) -> tuple[Region, Region]:
    """Where it lies on its screen, and what of that can be seen, as it was painted last (asking for the layout would
    lay all of it anew); nowhere when nothing of it was."""
    region, clip = widget.screen._compositor.visible_widgets.get(widget, (Region(), Region()))
    return region, clip.intersection(region)


def in_view(pane: LinePane) -> Size:
    """Cells of a pane's text that are within its screen; 0 for a pane that is not laid at all."""
    whole, seen = _lies(pane)
    return seen.size - (whole.size - pane.view)  # scrollbars, gutter


def too_little(pane: LinePane) -> str:
    """Which way the window is too small to read it: "low" or "narrow"; "heads" when the rows in it are only what stands
    before the text; or ""."""
    seen = in_view(pane)
    if seen.height < min(LEAST_ROWS, pane.count):
        return "low"
    if pane.count and seen.width < LEAST_CELLS:
        return "narrow"
    return "" if pane.telling(pane.top_line, seen.height) else "heads"


def covered(pane: LinePane) -> bool:
    """Whether messages lie over so much of a pane that what is beside them is too little to read."""
    _, text = _lies(pane)
    start = text.crop_size(Size(LEAST_CELLS, text.height))
    rows: set[int] = set()
    for message in pane.screen.query(Toast):
        over = _lies(message)[1].intersection(start)
        rows.update(range(over.y, over.bottom) if over.area else ())
    return text.height - len(rows) < min(LEAST_ROWS, pane.count)


def clipped(widget: Widget) -> str:
    """Why not all of a widget is on the screen, with the cure; "" when all of it is."""
    whole, seen = _lies(widget)
    return "" if whole.area and seen.size == whole.size else CLIPPED


class InView(_Base):
    """Mixed into every screen that shows one thing."""

    _readable: tuple[Tab, bool] = ("why", False)
    _covered: float = 0.0
    """Since when another screen lies above this one."""

    @property
    def _shows(self: Any) -> Bench:
        return self  # type: ignore[no-any-return]

    def unread(self, tab: Tab) -> str:
        """Why too little of this tab is on the screen to act on it, with the cure; "" when enough is."""
        desk = self._shows
        what = WHAT.get(tab, "it")
        if desk.detail_hidden or desk.detail.tab != tab:
            return f"{what} is not on the screen: open it first"
        pane = desk.detail.pane(tab)
        lacks = too_little(pane)
        if not lacks:
            return ""
        if lacks == "heads":
            return f"no changed line is on the screen: go to one, or make the window higher{self._or_zoom()}"
        rows, cure = in_view(pane).height, "wider" if lacks == "narrow" else "higher"
        only = f"only {rows} row{'s' * (rows != 1)} of {what} " + ("is" if rows == 1 else "are")
        said = f"{what} is not" if lacks == "narrow" or not rows else only
        return f"{said} on the screen: make the window {cure}{self._or_zoom()}"

    def _or_zoom(self) -> str:
        desk = self._shows
        helps = keys.find("zoom", desk.here_is) and not desk.why_not("zoom") and not getattr(desk, "zoomed", False)
        return f", or {keys.key('zoom')} in its pane" if helps else ""

    def on_mount(self) -> None:
        self.screen_layout_refresh_signal.subscribe(self, self._laid)

    def _laid(self, _: object) -> None:
        """The panes lie otherwise: what has come into view, or gone out of it, has to be looked at anew."""
        desk = self._shows
        now = (desk.detail.tab, not self.unread(desk.detail.tab))
        if now != self._readable:
            self._readable = now
            desk.guard.since = time.monotonic()
            desk.check_armed()
            desk.alert_drawn()
            desk.thing_drawn()
            desk.paint_footer()

    def on_screen_suspend(self) -> None:
        self._covered = time.monotonic()

    def on_screen_resume(self) -> None:
        """What was drawn while something lay above it was not seen until now."""
        desk, now = self._shows, time.monotonic()
        if desk.guard.since > self._covered:
            desk.guard.since = now
        desk.thing_seen_anew(self._covered, now)
        desk.alert_seen_anew(self._covered, now)
