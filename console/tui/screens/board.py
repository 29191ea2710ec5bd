"""The board: chains as trees and routines, beside what is known of the one that is selected. It shows and leads on;
plans are approved on the desk, never here."""

from __future__ import annotations

import time
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Static

from console.present import board, boardlines
from console.present.rows import Rows
from console.tui.screens import bars, help
from console.tui.screens.bench import Bench
from console.tui.screens.sheets import Help
from console.tui.screens.subject import Subject
from console.tui.screens.verbs import Verb
from console.tui.widgets.detail import Detail
from console.tui.widgets.table import Column, VTable

WIDE, STACKED = 110, 60
"""As on the desk: columns from which list and detail are side by side, and one above the other."""
LISTS = ("chains", "routines")
TITLES = {"chains": "Chains", "routines": "Routines"}
COLUMNS = {
    "chains": (Column(1), Column(10), Column(12, grow=True), Column(4, "right")),
    "routines": (Column(1), Column(9), Column(12, grow=True), Column(8, "right")),
}
OFF, ON = "chains are off: c switches them on", "no chain yet"
NO_ROUTINE = "none; `nightdesk routine start FILE`"


class Board(Bench):
    """wanted: what is to be shown on the desk when it is left (`plan:...`, `session:...`), "" for nothing. active: the
    list that keys go to."""

    AUTO_FOCUS = "#chains"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("1", "list('chains')", "Chains", show=False),
        Binding("2", "list('routines')", "Routines", show=False),
        Binding("tab", "step_focus(1)", "Next pane", show=False, priority=True),
        Binding("shift+tab", "step_focus(-1)", "Previous pane", show=False, priority=True),
        Binding("left_square_bracket", "tab(-1)", "Previous tab", show=False),
        Binding("right_square_bracket", "tab(1)", "Next tab", show=False),
        Binding("f", "findings", "Findings", show=False),
        Binding("p", "plan", "Its plan", show=False),
        Binding("s", "session", "Its session", show=False),
        Binding("c", "switch_chains", "Chains on or off", show=False),
        Binding("y", "answer", "Answer", show=False),
        Binding("x", "stop", "Cancel the routine", show=False),
        Binding("v", "whole", "Outputs in full", show=False),
        Binding("question_mark,f1", "help", "Help", show=False),
        Binding("escape,backspace", "back", "Back", show=False),
        Binding("q,b", "leave_board", "Leave the board", show=False),
    ]

    active: str = "chains"
    wanted: str = ""

    def compose(self) -> ComposeResult:
        yield Static(id="header", markup=False)
        with Horizontal(id="body"):
            with Vertical(id="left"):
                for name in LISTS:
                    yield VTable(COLUMNS[name], id=name, classes="pane list")
            yield Detail()
        yield Static(id="footer", markup=False)

    def on_mount(self) -> None:
        self.subject = Subject("board:")
        self.set_interval(1.0, self._tick)
        self._fit(self.size.width)
        self.show_state()
        self._enter_list(self._first_list())

    def _first_list(self) -> str:
        """Where a routine asks and no chain is there, that is why somebody came."""
        return "routines" if self.state.routines and not self.table("chains").place[1] else "chains"

    def on_resize(self, event: events.Resize) -> None:
        self._fit(event.size.width)
        self._paint_header()
        self.call_after_refresh(self.paint_detail)

    def _fit(self, columns: int) -> None:
        self.set_class(STACKED <= columns < WIDE, "-stacked")
        self.set_class(columns < STACKED, "-single")

    @property
    def detail_hidden(self) -> bool:
        return self.has_class("-single") and not self.has_class("-detail")

    def table(self, name: str) -> VTable:
        return self.query_one(f"#{name}", VTable)

    # -- painting ----------------------------------------------------------------------------------------

    def show_state(self) -> None:
        self._paint_lists()
        self._paint_header()
        self.paint_detail()

    def _tick(self) -> None:
        """Ages and the clock move."""
        self._paint_lists()
        self._paint_header()
        if self.subject.kind == "routine":
            self.paint_detail()  # its headline says how long is left
        elif self.detail.tab == "session" and self.subject.session(self.state):
            self.load_transcript()

    def _paint_lists(self) -> None:
        now, found = self.app.now(), board.chains(self.state)
        rows = {"chains": boardlines.chain_rows(found, now), "routines": boardlines.routine_rows(self.state, now)}
        self.table("chains").empty = ON if self.state.chains_on else OFF
        self.table("routines").empty = NO_ROUTINE
        for name, listed in rows.items():
            self._paint_list(name, listed)
        said = "  ".join(f"{word} {count}" for word, count in board.counts(found).items())
        self._border("chains", f"1 Chains ({len(found)}) · {'on' if self.state.chains_on else 'off'}", said)
        self._border("routines", f"2 Routines ({len(self.state.routines)})", "")
        self.set_class(bool(rows["routines"].keys), "-routines")

    def _paint_list(self, name: str, listed: Rows) -> None:
        table = self.table(name)
        if listed.keys or table.place[1] or self._differs(f"empty-{name}", table.empty):
            table.set_rows(listed.keys, listed.cells)
            table.refresh() if not listed.keys else None

    def _border(self, name: str, title: str, more: str) -> None:
        if self._differs(f"border-{name}", f"{title}\n{more}"):
            self.table(name).border_title, self.table(name).border_subtitle = Content(title), Content(more)

    def _paint_header(self) -> None:
        now = self.app.now()
        asks = sum(r.status == "escalated" for r in self.state.routines.values())
        on = self.state.chains_on
        parts = [(f"chains {'on' if on else 'off'}", bars.GO if on else bars.NEEDS)]
        parts += [(bars.routines_ask(asks), bars.NEEDS)] if asks else []
        parts += [(boardlines.limit_words(self.state), bars.QUIET)] if on else []
        clock = time.strftime("%H:%M", time.localtime(now))
        self._static("header", bars.header("the board", parts, self.holder, clock, max(0, self.size.width - 2)))

    def keys_here(self) -> list[bars.Key]:
        found = [("f", "findings", "findings")] if self.subject.kind in ("chain", "next") else []
        keys = [("Enter", "open", "open")] if self.detail_hidden else found
        keys += [("p", "its plan", "plan")] if self._plan() else []
        keys += [("s", "its session", "session")] if self.subject.session(self.state) else []
        keys += [*self.question_keys(), *self.routine_keys()]
        switch = "off" if self.state.chains_on else "on"
        keys += [("c", f"chains {switch}", "chains"), ("b", "back to the desk", "desk")]
        return [*keys, ("?", "help", "help"), ("1 2", "chains, routines", "lists"), ("[ ]", "tabs", "tabs")]

    def verbs(self) -> list[Verb]:
        """What the palette offers here; there is no approving among it."""
        return [
            Verb(
                "Chains on or off", "Whether finished work is reviewed by itself (c, asks)", self.action_switch_chains
            ),
            Verb("Findings", "What the review that is selected found (f)", self.action_findings),
            Verb("Plan", "The plan of what is selected, on the desk (p)", self.action_plan),
            Verb("Session", "The session of what is selected, on the desk (s)", self.action_session),
            Verb("Answer", "What the routine or session that is selected asks (y)", self.action_answer),
            Verb("Keys", "Every key of the board (?)", self.action_help),
            Verb("Desk", "Back to the desk (b)", self.action_leave_board),
        ]

    # -- moving about ------------------------------------------------------------------------------------

    @on(VTable.Highlighted)
    def _highlighted(self, event: VTable.Highlighted) -> None:
        if event.table.id == self.active:
            self._show_row()

    @on(VTable.Opened)
    def _opened(self, event: VTable.Opened) -> None:
        self._show_row()
        self.open_detail()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        if event.widget is not self.focused:
            return
        if (name := event.widget.id or "") in LISTS:
            self._enter_list(name)
        self.detail.set_class(self.detail.has_focus_within, "-lit")
        self.paint_footer()

    def _enter_list(self, name: str) -> None:
        self.active = name
        self.remove_class("-detail")
        for each in LISTS:
            self.table(each).set_class(each == name, "-active")
        self.table(name).focus()
        self._show_row()

    def _show_row(self) -> None:
        key = self.table(self.active).cursor_key
        self.look_at(key if isinstance(key, str) else "board:")

    def open_detail(self) -> None:
        self.add_class("-detail")
        self.detail.current.focus()
        self.call_after_refresh(self.paint_detail)

    def action_list(self, name: str) -> None:
        self._enter_list(name)

    def action_step_focus(self, step: int) -> None:
        stops = [*LISTS, "detail"]
        here = "detail" if self.detail.has_focus_within else self.active
        target = stops[(stops.index(here) + step) % len(stops)]
        if target == "detail":
            self.open_detail()
        else:
            self._enter_list(target)

    def action_tab(self, step: int) -> None:
        if self.detail_hidden:
            self.say("open something first (Enter)")
            return
        self.detail.step_tab(step)
        self.paint_detail()

    def action_back(self) -> None:
        """One step out: of the thing to its list, of the list to the desk."""
        if self.detail.has_focus_within:
            self._enter_list(self.active)
        else:
            self.dismiss(None)

    def action_leave_board(self) -> None:
        self.dismiss(None)

    # -- leading on --------------------------------------------------------------------------------------

    def _plan(self) -> str:
        """The plan of the row that is selected, "" for none."""
        chain = board.chain_of(self.state, self.subject.name) if self.subject.kind in ("chain", "next") else None
        if chain is None:
            return ""
        member = next((m for m in chain.members if m.ticket == self.subject.name), chain.root)
        return member.plan if member.plan in self.state.plans else ""

    def action_findings(self) -> None:
        if self.subject.kind not in ("chain", "next"):
            self.say("no review is selected; choose one first")
            return
        self.open_detail()
        self.detail.show("why")
        self.paint_detail()

    def _leave_for(self, thing: str) -> None:
        self.wanted = thing
        self.dismiss(None)

    def action_plan(self) -> None:
        if plan := self._plan():
            self._leave_for(f"plan:{plan}")
        else:
            self.say("nothing selected here has a plan")

    def action_session(self) -> None:
        if session := self.subject.session(self.state):
            self._leave_for(f"session:{session}")
        else:
            self.say("no session works on this (yet)")

    def action_help(self) -> None:
        self.app.push_screen(Help(help.board_lines))
