"""The night as a timeline: a lane for each ticket and session, and what it cost, over time. It shows and leads on to
the desk; it sends no command."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import Static

from console.core.lanes import Lane
from console.core.timeline import Night
from console.present import charts, progress, timeline
from console.present.charts import Scale
from console.present.mdtext import broken
from console.present.text import cut, pad, width
from console.present.timeline import Window
from console.tui import keys
from console.tui.nightbook import Nightbook
from console.tui.screens import bars
from console.tui.screens.bench import Bench
from console.tui.screens.filtered import Filtered
from console.tui.widgets.lanes import LaneTable
from console.tui.widgets.table import VTable

EVERY = 1.0
"""Seconds between two paints, however busy the log is."""


def empty() -> str:
    return f"nothing has run yet; {keys.key('start-run')} on the desk starts a run"


class NightScreen(Filtered, Bench):
    """wanted: what is to be shown on the desk when it is left (`ticket:...`, `session:...`), "" for nothing."""

    AUTO_FOCUS = "#lanes"
    here_is = "night"
    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("night")
    DEFAULT_CSS = """
    NightScreen { layout: vertical; background: $background; }
    NightScreen #axis { height: 1; color: $state-quiet; text-style: $state-quiet-style; }
    NightScreen #about { height: 2; padding: 0 1; background: $panel; color: $foreground; }
    NightScreen #spending { height: 5; color: $foreground; }
    NightScreen #legend { height: 3; padding: 0 1; color: $state-quiet; text-style: $state-quiet-style; }
    """

    wanted: str = ""

    def compose(self) -> ComposeResult:
        yield Static(id="header", markup=False)
        yield Static(id="axis", markup=False)
        yield LaneTable(empty=empty(), id="lanes")
        for name in ("about", "spending", "legend"):
            yield Static(id=name, markup=False)
        yield self.filter_field()
        yield Static(id="footer", markup=False)

    def on_mount(self) -> None:
        self.night = Night()
        self._listed: Sequence[Lane] = ()
        self.window = Window()
        self._book = Nightbook(self.app.desk.open_events, self.state)
        self._share, self._paging, self._paged, self._painted = 0.0, False, -1, 0.0
        self.set_interval(EVERY, self._tick)
        self._page()
        self.call_after_refresh(self._paint)

    def on_resize(self, event: events.Resize) -> None:
        self.call_after_refresh(self._paint)

    @property
    def lanes(self) -> LaneTable:
        return self.query_one(LaneTable)

    # -- reading -----------------------------------------------------------------------------------------

    def _page(self) -> None:
        """A few pages on the reading thread; then the next, until nothing is left."""
        if not self._paging:
            self._paging, self._paged = True, self.state.seq
            self.app.hands.read(self._book.read_on, self._got)

    def _got(self, found: object) -> None:
        self._paging = False
        if isinstance(found, Exception):
            self.say(f"the log cannot be read: {found}")
            return
        assert isinstance(found, tuple)
        first = not self.night.read
        self.night, self._share = found
        if self._share < 1:
            self._page()
        if first or self._share == 1 or time.monotonic() - self._painted > EVERY:
            self._paint()

    def show_state(self) -> None:
        """The log has grown: read at the next beat, which is at most once a second."""

    def _tick(self) -> None:
        if self._paged != self.state.seq:
            self._page()
        if self._live or self._share < 1:
            self._paint()
        else:
            self._paint_head()

    # -- painting ----------------------------------------------------------------------------------------

    @property
    def _live(self) -> bool:
        """Whether what goes on does go on: somebody supervises."""
        return self.supervised and not self.silent

    @property
    def _last(self) -> float:
        return timeline.last_of(self.night, self.app.now(), live=self._live)

    @property
    def _scale(self) -> Scale:
        return self.window.scale(self.night.since, self._last, self.lanes.chart[1])

    def paint_detail(self) -> None:
        """It has no such pane."""

    def _laid(self, _: object) -> None:
        """Nothing is acted on here that had to be looked at first."""

    def _paint(self) -> None:
        if not self.is_mounted or not self.lanes.view:
            return
        self._painted = time.monotonic()
        on, last = self._scale, self._last
        rows = self.passing(timeline.lane_rows(self.night, on, last))
        kept = set(rows.keys)
        self._listed = [each for each in self.night.lanes if each.id in kept]
        self.lanes.empty = self.no_match if self.night.lanes else empty()
        if rows.keys or self.lanes.place[1] or self._differs("empty", self.lanes.empty):
            self.lanes.set_rows(rows.keys, rows.cells)
            self.lanes.refresh() if not rows.keys else None
        axis = charts.axis(on) if self.night.read else ""
        self._static("axis", [(" " * self.lanes.chart[0] + axis, "")])
        self._paint_spending(on)
        self._paint_about()
        self._paint_head()

    def _paint_head(self) -> None:
        now = self.app.now()
        parts: list[bars.Part] = [(timeline.ZOOM_WORDS[self.window.zoom], "bold")]
        if self.window.end:
            parts.append((f"until {time.strftime('%H:%M', time.localtime(self.window.end))}", bars.NEEDS))
        if said := self.filter_words(len(self._listed), len(self.night.lanes)):
            parts.append((said, bars.NEEDS))
        parts += [(f"reading {self._share:.0%}", bars.NEEDS)] * (self._share < 1)
        parts += [(text, "") for text in progress.drain(self.state, now)]
        parts += [("older than what is drawn was forgotten", bars.QUIET)] * self.night.forgot
        clock = time.strftime("%H:%M", time.localtime(now))
        name = f"the night of {self.night.run}" if self.night.run else "the last day"
        self._static("header", bars.header(name, parts, self.holder, clock, max(0, self.size.width - 2)))
        self.paint_footer()

    def _paint_spending(self, on: Scale) -> None:
        lines, told = [], []
        found = {"cost": timeline.cost_line(self.night, on), "tokens": timeline.token_line(self.night, on)}
        for name, (drawn, words) in found.items():
            lines.append(pad(f"  {name}", self.lanes.chart[0]) + drawn)
            told += [f"{name} {words}"] if words else []
        words = "; ".join([timeline.spent_words(self.night.cost), *told])
        room = max(16, self.size.width - 4)
        lines += [f"  {line}" for line in broken(words, room, room)[:3]]
        self._static("spending", [("\n".join(lines), "")])

    def _paint_about(self) -> None:
        """The lane that is selected, in words, and what the signs that are seen mean."""
        room, on, last = max(16, self.size.width - 2), self._scale, self._last
        chosen = self._chosen()
        said = f"{timeline.name(chosen)}: {timeline.about(chosen, last)}" if chosen else ""
        self._static("about", [(cut("\n".join(broken(said, room, room)[:2]), 2 * room), "")])
        seen = [charts.lane(self._listed[i], on, last) for i in self.lanes.in_view if i < len(self._listed)]
        self._static("legend", [("\n".join(_flowed(timeline.legend(seen), room)[:3]), "")])

    def _chosen(self) -> Lane | None:
        at = self.lanes.place[0]
        return self._listed[at - 1] if 0 < at <= len(self._listed) else None

    # -- keys --------------------------------------------------------------------------------------------

    def refiltered(self) -> None:
        self._paint()

    def to_lists(self) -> None:
        self.lanes.focus()

    def on_descendant_focus(self) -> None:
        self.paint_footer()

    def why_not_order(self) -> str:
        return "lanes stand in the order in which they began"

    def keys_here(self) -> list[bars.Key]:
        if self.filtering:
            return self.field_keys()
        zoom = keys.key("nearer", "night"), keys.key("further", "night")
        found = [("Enter", "open on the desk", "open")] if self._chosen() else []
        found += [(" ".join(zoom), "zoom", "zoom")]
        found += [(f"{keys.key('left', 'list')} {keys.key('right', 'list')}", "earlier, later", "move")]
        found += [(keys.key("back", "night"), "back to the desk", "desk"), (keys.key("help"), "help", "help")]
        return [*found, *self.can("filter", "filter"), *self.can("palette", "palette")]

    @on(VTable.Highlighted)
    def _highlighted(self) -> None:
        self._paint_about()

    @on(VTable.Opened)
    def _opened(self, event: VTable.Opened) -> None:
        if str(event.key).startswith("run:"):
            self.say("that is the run itself; a ticket or a session opens on the desk")
            return
        self.wanted = str(event.key)
        self.dismiss(None)

    @on(LaneTable.Panned)
    def _panned(self, event: LaneTable.Panned) -> None:
        self.action_pan(event.steps)

    def action_pan(self, quarters: int) -> None:
        """Through time, by quarters of what is seen."""
        if not self.window.zoom:
            self.say(f"the whole run is shown; {keys.key('nearer', 'night')} looks nearer")
            return
        self.window = self.window.panned(quarters / 4, self.night.since, self._last)
        self._paint()

    def action_zoom_time(self, steps: int) -> None:
        before, self.window = self.window, self.window.zoomed(steps)
        if self.window == before:
            self.say("nearer is not shown" if steps > 0 else "the whole run is shown already")
        self._paint()

    def action_leave_night(self) -> None:
        self.dismiss(None)

    def action_back(self) -> None:
        """Out of the filter, then out of the screen."""
        if not self.unfilter():
            self.dismiss(None)

    def help_notes(self, cells: int) -> list[str]:
        """What every sign of a chart means."""
        return _flowed(charts.legend(), max(20, cells))


def _flowed(pairs: Sequence[tuple[str, str]], room: int) -> list[str]:
    """`= works  + gate green ...` in lines; a sign is never parted from its word."""
    lines: list[str] = [""]
    for cell, word in pairs:
        text = f"{cell} {word}"
        if width(lines[-1]) + 2 + width(text) > room and lines[-1]:
            lines.append("")
        lines[-1] += f"{'  ' * bool(lines[-1])}{text}"
    return lines
