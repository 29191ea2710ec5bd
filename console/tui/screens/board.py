"""The board: chains as trees and routines, beside what is known of the one that is selected. It shows and leads on;
plans are approved on the desk, never here."""

from __future__ import annotations

import time
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Static

from console.present import board, boardlines, captions
from console.present.rows import Rows
from console.tui import keys
from console.tui.screens import bars
from console.tui.screens.bench import Bench
from console.tui.screens.filtered import Filtered
from console.tui.screens.room import Usual
from console.tui.screens.splitting import Splitting
from console.tui.screens.subject import Subject
from console.tui.widgets.detail import Detail
from console.tui.widgets.table import Column, VTable

LISTS = ("chains", "routines")
TITLES = {"chains": "Chains", "routines": "Routines"}
COLUMNS = {
    "chains": (Column(1), Column(10), Column(12, grow=True), Column(4, "right")),
    "routines": (Column(1), Column(9), Column(12, grow=True), Column(8, "right")),
}
ON = "no chain yet"
NO_ROUTINE = "none; `nightdesk routine start FILE`"


def off() -> str:
    return f"chains are off: {keys.key('chains', 'board')} switches them on"


class Board(Filtered, Splitting, Bench):
    """wanted: what is to be shown on the desk when it is left (`plan:...`, `session:...`), "" for nothing. active: the
    list that keys go to."""

    AUTO_FOCUS = "#chains"
    memory_name = "board-split"
    zoom_name = "board-zoom"
    usual = Usual(left=560, above=450, most=100, right=52)
    lists = LISTS
    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("board")

    here_is = "board"
    active: str = "chains"
    wanted: str = ""

    def compose(self) -> ComposeResult:
        yield Static(id="header", markup=False)
        with Horizontal(id="body"):
            with Vertical(id="left"):
                for name in LISTS:
                    yield VTable(COLUMNS[name], id=name, classes="pane list")
            yield Detail()
        yield self.filter_field()
        yield Static(id="footer", markup=False)

    def on_mount(self) -> None:
        self.subject = Subject("board:")
        self.content = dict.fromkeys(LISTS, 0)
        self.begin_panes()
        self.set_interval(1.0, self._tick)
        self.refit()
        self.show_state()
        self._enter_list(self._first_list())

    def _first_list(self) -> str:
        """Where a routine asks and no chain is there, that is why somebody came."""
        return "routines" if self.state.routines and not self.table("chains").place[1] else "chains"

    def on_resize(self, _: events.Resize) -> None:
        self.refit()
        self._paint_header()
        self.call_after_refresh(self.paint_detail)

    @property
    def body_rows(self) -> int:
        return max(0, self.size.height - 2 - self.field_rows)

    def refit(self) -> None:
        """The size of the screen or its zoom is another."""
        self.lay(self.size.width, self.body_rows)
        self.share_room()
        self.paint_footer()

    def share_room(self) -> None:
        self.place_panes(self.size.width, self.body_rows, self.content, self.active)

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
        now, everyone = self.app.now(), board.chains(self.state)
        found = [c for c in everyone if self.passes(boardlines.chain_rows([c], now))]
        rows = {
            "chains": boardlines.chain_rows(found, now),
            "routines": self.passing(boardlines.routine_rows(self.state, now)),
        }
        self.table("chains").empty = self.no_match if everyone else ON if self.state.chains_on else off()
        self.table("routines").empty = self.no_match if self.state.routines else NO_ROUTINE
        for name, listed in rows.items():
            self._paint_list(name, listed)
        self.content = {name: len(listed.keys) for name, listed in rows.items()}
        self.share_room()
        said = "  ".join(f"{word} {count}" for word, count in board.counts(found).items())
        counts = self.filter_words(len(found), len(everyone)) or str(len(found))
        self._border("chains", f"1 Chains ({counts}) · {'on' if self.state.chains_on else 'off'}", said)
        asked = len(self.state.routines)
        counts = self.filter_words(self.content["routines"], asked) or str(asked)
        self._border("routines", f"2 Routines ({counts})", "")

    def _paint_list(self, name: str, listed: Rows) -> None:
        table = self.table(name)
        if listed.keys or table.place[1] or self._differs(f"empty-{name}", table.empty):
            table.set_rows(listed.keys, listed.cells)
            table.refresh() if not listed.keys else None

    def _border(self, name: str, title: str, more: str) -> None:
        table = self.table(name)
        title = f" {title} · {table.empty} " if table.has_class("-line") else title
        cells = max(0, table.outer_size.width - 6)
        other = [(2, "Routines", str(self.content["routines"])), (1, "Chains", str(self.content["chains"]))]
        elsewhere = [] if self.kind == "wide" else [each for each in other if each[0] != LISTS.index(name) + 1]
        place = table.place if name == self.active else None
        table.caption(title, captions.lower(place, [more], elsewhere, cells))

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
        if self.filtering:
            return self.field_keys()
        found = [(keys.key("open"), "open", "open")] if self.detail_hidden else self.can("findings", "findings")
        found += self.can("its-plan", "its plan", "plan")
        found += self.can("its-session", "its session", "session")
        found += [*self.question_keys(), *self.routine_keys()]
        switch = "off" if self.state.chains_on else "on"
        leave = keys.key("leave-board").replace("q", "b")
        found += [(keys.key("chains", "board"), f"chains {switch}", "chains"), (leave, "back to the desk", "desk")]
        return [
            *found,
            *self.can("help", "help"),
            ("1 2", "chains, routines", "lists"),
            (self.tabs, "tabs", "tabs"),
            *self.can("filter", "filter"),
        ]

    # -- moving about ------------------------------------------------------------------------------------

    @on(VTable.Highlighted)
    def _highlighted(self, event: VTable.Highlighted) -> None:
        if event.table.id == self.active:
            self._paint_lists()
            self._show_row()

    @on(VTable.Fitted)
    def _list_fitted(self, event: VTable.Fitted) -> None:
        if event.table.id in LISTS:
            self._paint_lists()

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
        self.close_field()
        for each in LISTS:
            self.table(each).set_class(each == name, "-active")
        self.table(name).focus()
        self._show_row()

    def _show_row(self) -> None:
        key = self.table(self.active).cursor_key
        self.look_at(key if isinstance(key, str) else "board:")

    def refiltered(self) -> None:
        self.refit()
        self.show_state()

    def to_lists(self) -> None:
        self._enter_list(self.active)

    def action_filter(self) -> None:
        if self.kind == "single" and self.detail.has_focus_within:
            self._enter_list(self.active)
        super().action_filter()

    def why_not_order(self) -> str:
        return "chains stand as they grew, routines by who asks"

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
        if not self.able("next-tab"):
            return
        self.detail.step_tab(step)
        self.paint_detail()

    def action_back(self) -> None:
        """One step out: of the thing to its list, of the list to the desk."""
        if self.detail.has_focus_within and not self.filtering:
            self._enter_list(self.active)
        elif not self.unfilter():
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

    def why_not_findings(self) -> str:
        return "" if self.subject.kind in ("chain", "next") else "no review is selected; choose one first"

    def why_not_its_plan(self) -> str:
        return "" if self._plan() else "nothing selected here has a plan"

    def why_not_its_session(self) -> str:
        return "" if self.subject.session(self.state) else "no session works on this (yet)"

    def action_findings(self) -> None:
        if not self.able("findings"):
            return
        self.open_detail()
        self.detail.show("why")
        self.paint_detail()

    def _leave_for(self, thing: str) -> None:
        self.wanted = thing
        self.dismiss(None)

    def action_plan(self) -> None:
        if self.able("its-plan"):
            self._leave_for(f"plan:{self._plan()}")

    def action_session(self) -> None:
        if self.able("its-session"):
            self._leave_for(f"session:{self.subject.session(self.state)}")
