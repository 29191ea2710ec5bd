"""The desk: lists on the left, the thing itself on the right. It paints state and forwards keys; `Verbs` act."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Input, Static

from console.present import healthwords
from console.tui.screens import bars
from console.tui.screens.bench import Bench
from console.tui.screens.board import Board
from console.tui.screens.lists import (
    EMPTY,
    LISTS,
    LOG_COLUMNS,
    NEEDS_COLUMNS,
    POLICY_COLUMNS,
    SESSION_COLUMNS,
    TICKET_COLUMNS,
    Lists,
)
from console.tui.screens.moving import Moving
from console.tui.screens.review import Review
from console.tui.screens.run_verbs import RunVerbs
from console.tui.screens.verbs import Verbs
from console.tui.widgets.detail import Detail
from console.tui.widgets.diff import LineDiff
from console.tui.widgets.table import Column, VTable

WIDE, STACKED = 110, 60
"""Columns from which the desk is side by side, and from which list and detail fit one above the other."""


class DeskScreen(Moving, RunVerbs, Verbs, Lists, Bench):
    """The one screen people live in."""

    AUTO_FOCUS = "#needs"
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(str(i), f"digit({i})", f"Pane or reading {i}", show=False) for i in range(1, 10)),
        Binding("tab", "step_focus(1)", "Next pane", show=False, priority=True),
        Binding("shift+tab", "step_focus(-1)", "Previous pane", show=False, priority=True),
        Binding("left_square_bracket", "tab(-1)", "Previous tab", show=False),
        Binding("right_square_bracket", "tab(1)", "Next tab", show=False),
        *(
            Binding(name, f"jump('{what}', {step})", f"{what}", show=False)
            for name, what, step in (
                ("right_curly_bracket", "hunk", 1),
                ("left_curly_bracket", "hunk", -1),
                ("greater_than_sign", "file", 1),
                ("less_than_sign", "file", -1),
            )
        ),
        Binding("escape,backspace", "back", "Back", show=False),
        Binding("slash", "filter", "Filter", show=False),
        *Verbs.KEYS,
    ]

    # -- building ----------------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        yield Static(id="header", markup=False)
        with Horizontal(id="body"):
            with Vertical(id="left"):
                yield self._table("needs", NEEDS_COLUMNS)
                yield self._table("sessions", SESSION_COLUMNS)
                yield self._table("policies", POLICY_COLUMNS)
                yield self._table("tickets", TICKET_COLUMNS)
            with Vertical(id="right"):
                yield Detail()
                yield self._table("log", LOG_COLUMNS, follow=True)
        field = Input(id="filter", placeholder="filter this list; Enter keeps it, Esc clears it")
        field.cursor_blink = False
        yield field
        yield Static(id="footer", markup=False)

    def _table(self, name: str, columns: Sequence[Column], *, follow: bool = False) -> VTable:
        return VTable(columns, empty=EMPTY[name], follow=follow, id=name, classes="pane list")

    def on_mount(self) -> None:
        self.begin_lists()
        self.set_interval(1.0, self._tick)
        self._fit(self.size.width)
        self._enter_list(self.active)
        self.show_state()

    def on_resize(self, event: events.Resize) -> None:
        self._fit(event.size.width)
        self._paint_header()
        self.call_after_refresh(self.paint_detail)

    def _fit(self, columns: int) -> None:
        self.set_class(columns < WIDE and columns >= STACKED, "-stacked")
        self.set_class(columns < STACKED, "-single")
        if self.detail_hidden:
            self.unseen()

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
        if isinstance(self.app.screen, Review | Board):
            return
        self.paint_lists()
        self._paint_header()
        shown = self.state.sessions.get(self.subject.name) if self.subject.kind == "session" else None
        if self.subject.kind == "health" or (shown and healthwords.ailing(shown)):
            self.paint_detail()  # its headline says how long
        elif self.detail.tab == "session" and self.subject.session(self.state):
            self.load_transcript()

    def table(self, name: str) -> VTable:
        return self.query_one(f"#{name}", VTable)

    def _paint_header(self) -> None:
        name = self.app.desk.name if self.size.width < WIDE else f"nightdesk  {self.app.desk.name}"
        now = self.app.now()
        facts, clock = bars.facts(self.state, self.needs, now), time.strftime("%H:%M", time.localtime(now))
        self._static("header", bars.header(name, facts, self.holder, clock, max(0, self.size.width - 2)))

    # -- moving about ------------------------------------------------------------------------------------

    @on(VTable.Highlighted)
    def _highlighted(self, event: VTable.Highlighted) -> None:
        if event.table.id == self.active and isinstance(event.key, str):
            self.look_at(event.key)

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
        if not Review.things(self.state, self.supervised, self.silent):
            self.say("nothing waits for you; there is nothing to go through")
        else:
            self.app.push_screen(Review(), self._reviewed)

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
        if self.detail_hidden:
            self.say("open something first (Enter)")
            return
        self.detail.step_tab(step)
        self.thing_drawn()
        self.check_armed()

    def action_jump(self, what: str, step: int) -> None:
        """The keys of the diff work wherever the focus is, as long as a diff is drawn."""
        diff = self.detail.query_one(LineDiff)
        if self.detail_hidden or self.detail.tab != "diff" or not diff.count:
            self.say("no diff is drawn; open a plan first")
        elif what == "hunk":
            diff.action_jump_hunk(step)
        else:
            diff.action_jump_file(step)
