"""The desk: lists on the left, the thing itself on the right. It paints state and forwards keys; `Verbs` act."""

from __future__ import annotations

import time
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Input, Static

from console.present import healthwords
from console.tui import keys
from console.tui.screens import bars
from console.tui.screens.bench import Bench
from console.tui.screens.board import Board
from console.tui.screens.first_verbs import FirstVerbs
from console.tui.screens.lists import COLUMNS, EMPTY, LISTS, Lists
from console.tui.screens.moving import Moving
from console.tui.screens.night import NightScreen
from console.tui.screens.review import Review
from console.tui.screens.room import WIDE, log_rows
from console.tui.screens.run_verbs import RunVerbs
from console.tui.screens.splitting import Splitting
from console.tui.screens.verbs import Verbs
from console.tui.widgets.detail import Detail
from console.tui.widgets.table import VTable

REST = 0.1
"""Seconds after which a selection that was moved twice rests; a held key comes more often."""


class DeskScreen(Moving, FirstVerbs, RunVerbs, Verbs, Lists, Splitting, Bench):
    """The one screen people live in."""

    _moved_at: float = 0.0
    _coming: str = ""
    """What is selected and not drawn yet."""
    AUTO_FOCUS = "#needs"
    here_is = "desk"
    lists = LISTS
    BINDINGS: ClassVar[list[BindingType]] = [*keys.digits("digit"), *keys.bindings("desk")]

    # -- building ----------------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        yield Static(id="header", markup=False)
        with Horizontal(id="body"):
            with Vertical(id="left"):
                for name in LISTS[:-1]:
                    yield self._table(name)
            with Vertical(id="right"):
                yield Detail()
                yield self._table("log", follow=True)
        field = Input(id="filter")
        field.cursor_blink = False
        yield field
        yield Static(id="footer", markup=False)

    def _table(self, name: str, *, follow: bool = False) -> VTable:
        return VTable(COLUMNS[name], empty=EMPTY[name], follow=follow, id=name, classes="pane list")

    def on_mount(self) -> None:
        self.begin_panes()
        self.begin_lists()
        self.set_interval(1.0, self._tick)
        self.refit()
        self._enter_list(self.active)
        self.show_state()

    def on_resize(self, _: events.Resize) -> None:
        self.refit()
        self._paint_header()
        self.call_after_refresh(self.paint_detail)

    # -- where the panes lie -----------------------------------------------------------------------------

    @property
    def body_rows(self) -> int:
        """Rows between the header and the lines at the bottom."""
        return max(0, self.size.height - 2 - self.query_one("#filter").has_class("-open"))

    def refit(self) -> None:
        """The size of the screen or its zoom is another."""
        self.lay(self.size.width, self.body_rows)
        if self.detail_hidden:
            self.unseen()
        self.share_room()
        for name in LISTS:
            self.caption(name)
        self.paint_footer()

    def share_room(self) -> None:
        """Sizes of the panes for what the lists hold now."""
        rows = self.body_rows
        self.place_panes(self.size.width, rows, self.content, self.active)
        self.set_pane("log", 0, {"wide": log_rows(rows), "stacked": max(5, rows // 2)}.get(self.kind, 0))

    @property
    def detail_hidden(self) -> bool:
        """On a narrow screen the lists and the thing itself take turns."""
        return self.has_class("-single") and not self.has_class("-detail")

    # -- painting ----------------------------------------------------------------------------------------

    def show_state(self) -> None:
        """Paint everything that the state says; only what differs reaches the terminal."""
        self.paint_lists()
        self.paint_log()
        self._paint_header()
        self.paint_detail()

    def _tick(self) -> None:
        """Ages and the clock move; nothing else does."""
        if isinstance(self.app.screen, Review | Board | NightScreen):
            return
        self.paint_lists()
        self._paint_header()
        shown = self.state.sessions.get(self.subject.name) if self.subject.kind == "session" else None
        ailing = shown is not None and healthwords.ailing(shown)
        if self.subject.kind == "health" or ailing or self.subject.counts(self.state):
            self.paint_detail()  # its headline says how long
        elif self.detail.tab == "session" and self.subject.session(self.state):
            self.load_transcript()

    def table(self, name: str) -> VTable:
        return self.query_one(f"#{name}", VTable)

    def _paint_header(self) -> None:
        name = self.app.desk.name if self.size.width < WIDE else f"nightdesk  {self.app.desk.name}"
        now = self.app.now()
        clock, cells = time.strftime("%H:%M", time.localtime(now)), max(0, self.size.width - 2)
        self._static("header", bars.fitted(self.state, self.needs, now, (name, self.holder, clock), cells))

    # -- moving about ------------------------------------------------------------------------------------

    @on(VTable.Highlighted)
    def _highlighted(self, event: VTable.Highlighted) -> None:
        if event.table.id == self.active and isinstance(event.key, str):
            self._look_soon(event.key)

    def _look_soon(self, key: str) -> None:
        """While a key is held only the list moves: what is selected is drawn when the selection rests, and until then
        nothing that is drawn can be approved."""
        now = time.monotonic()
        resting, self._moved_at = now - self._moved_at >= REST, now
        if resting and not self._coming:
            self.look_at(key)
            return
        if not self._coming:
            self.unseen()
        self._coming = key
        self.set_timer(REST, lambda: self._caught_up(now))

    def _caught_up(self, since: float = 0.0) -> None:
        """Draw what is selected, unless the selection has moved on since."""
        if self._coming and since in (0.0, self._moved_at):
            self.look_at(self._coming)

    def look_at(self, key: str) -> None:
        self._coming = ""
        super().look_at(key)

    def able(self, ident: str) -> bool:
        """A verb is about what is selected, also when the key came right after the one that selected it."""
        self._caught_up()
        return super().able(ident)

    @on(VTable.Opened)
    def _opened(self, event: VTable.Opened) -> None:
        key = event.key if isinstance(event.key, str) else self.logged(event.key)
        if not key:
            return
        self.enter(key)

    def open_detail(self) -> None:
        self.add_class("-detail")
        self.detail.current.focus()
        self.call_after_refresh(self.paint_detail)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        if event.widget is not self.focused:
            return  # the focus has moved on since
        name = event.widget.id or ""
        if name in LISTS:
            self._enter_list(name)
            key = self.table(name).cursor_key
            if isinstance(key, str):
                self.look_at(key)
        self.detail.set_class(self.detail.has_focus_within, "-lit")
        self.paint_footer()

    def _enter_list(self, name: str) -> None:
        if name == "log" and self.active != "log":
            self.call_after_refresh(self.table("log").action_last)
        self.active = name
        self.remove_class("-detail")
        self.set_class(name == "log", "-log")
        if self.detail_hidden:
            self.unseen()
        for each in LISTS:
            self.table(each).set_class(each == name, "-active")
        self.query_one("#filter", Input).remove_class("-open")
        self.share_room()
        for each in LISTS:
            self.caption(each)

    def action_list(self, name: str) -> None:
        self._enter_list(name)
        self.table(name).focus()

    def action_digit(self, number: int) -> None:
        """A reading of the decision that was opened; else a pane."""
        if self.digits_choose:
            self.action_choose(number)
        elif number <= len(LISTS):
            self.action_list(LISTS[number - 1])

    def action_review(self) -> None:
        """The guided walk through everything that waits."""
        if self.able("review"):
            self.app.push_screen(Review(), self._reviewed)

    def why_not_review(self) -> str:
        waits = Review.things(self.state, self.supervised, self.silent)
        return "" if waits else "nothing waits for you; there is nothing to go through"

    def _reviewed(self, _: None) -> None:
        """What changed during the review was not seen here."""
        self.unseen()
        self.show_state()

    def action_step_focus(self, step: int) -> None:
        if isinstance(self.focused, Input):
            return
        stops = [*LISTS, "detail"]
        here = "detail" if self.detail.has_focus_within else self.active
        target = stops[(stops.index(here) + step) % len(stops)]
        if target == "detail":
            self.open_detail()
        else:
            self.action_list(target)

    def action_tab(self, step: int) -> None:
        if not self.able("next-tab"):
            return
        self.detail.step_tab(step)
        self.thing_drawn()
        self.check_armed()
