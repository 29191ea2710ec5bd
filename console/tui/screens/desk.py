"""The desk: lists on the left, the thing itself on the right. It paints state and forwards keys; `Verbs` act."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Input, Static

from console.core.events import Logged
from console.core.state import State
from console.present import attention, logline, rows, wording
from console.present.text import clean, cut
from console.tui.keyguard import KeyGuard
from console.tui.screens.subject import Subject, describe
from console.tui.screens.verbs import Verbs
from console.tui.widgets.detail import Detail
from console.tui.widgets.table import Column, VTable

if TYPE_CHECKING:
    from console.tui.app import NightdeskApp

LISTS = ("needs", "sessions", "policies", "tickets", "log")
TITLES = {"needs": "Needs you", "sessions": "Sessions", "policies": "Policies", "tickets": "Tickets", "log": "Log"}
WIDE, STACKED = 110, 60
"""Columns from which the desk is side by side, and from which list and detail fit one above the other."""
LOG_PAGE = 200
NEEDS_COLUMNS = (Column(1), Column(8), Column(12, grow=True), Column(5, "right"))
SESSION_COLUMNS = (Column(1), Column(4), Column(10), Column(7), Column(6, grow=True), Column(4, "right"))
POLICY_COLUMNS = (Column(1), Column(6), Column(13), Column(4), Column(6, grow=True), Column(4, "right"))
LOG_COLUMNS = (Column(8), Column(7), Column(20, grow=True))


class DeskScreen(Verbs, Screen[None]):
    """The one screen people live in."""

    AUTO_FOCUS = "#needs"
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(str(i + 1), f"list('{name}')", TITLES[name], show=False) for i, name in enumerate(LISTS)),
        Binding("tab", "step_focus(1)", "Next pane", show=False, priority=True),
        Binding("shift+tab", "step_focus(-1)", "Previous pane", show=False, priority=True),
        Binding("left_square_bracket", "tab(-1)", "Previous tab", show=False),
        Binding("right_square_bracket", "tab(1)", "Next tab", show=False),
        Binding("escape,backspace", "back", "Back", show=False),
        Binding("slash", "filter", "Filter", show=False),
        *Verbs.KEYS,
    ]

    def __init__(self) -> None:
        super().__init__()
        self.guard = KeyGuard()
        self.subject = Subject("")
        self.filters = dict.fromkeys(LISTS, "")
        self.active = "needs"
        self._texts: dict[str, str] = {}
        self._pulses: dict[str, str] = {}
        self._log_pages: dict[int, list[logline.Row]] = {}
        self._loaded_diff = ""
        self._drifted: tuple[str, tuple[str, ...]] = ("", ())
        self._events: Callable[[int, int], Sequence[Logged]] | None = None

    if TYPE_CHECKING:

        @property
        def app(self) -> NightdeskApp: ...  # type: ignore[override]

    @property
    def state(self) -> State:
        return self.app.state

    # -- building ----------------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        yield Static(id="header", markup=False)
        with Horizontal(id="body"):
            with Vertical(id="left"):
                yield self._table(
                    "needs", [Column(1), Column(8), Column(12, grow=True), Column(5, "right")], "nothing needs you"
                )
                yield self._table(
                    "sessions",
                    SESSION_COLUMNS,
                    "no session yet; `nightdesk session start` makes one",
                )
                yield self._table(
                    "policies",
                    POLICY_COLUMNS,
                    "no policy yet; `nightdesk policy attach` makes one",
                )
                yield self._table("tickets", (Column(8, grow=True),), "the ticket queue comes in a later version")
            with Vertical(id="right"):
                yield Detail()
                log = self._table(
                    "log", [Column(8), Column(7), Column(20, grow=True)], "nothing has happened yet", follow=True
                )
                yield log
        field = Input(id="filter", placeholder="filter this list; Enter keeps it, Esc clears it")
        field.cursor_blink = False
        yield field
        yield Static(id="footer", markup=False)

    def _table(self, name: str, columns: Sequence[Column], empty: str, *, follow: bool = False) -> VTable:
        return VTable(columns, empty=empty, follow=follow, id=name, classes="pane list")

    def on_mount(self) -> None:
        self._events = self.app.desk.open_events()
        self.set_interval(1.0, self._tick)
        self._fit(self.size.width)
        self._mark_active()
        self.show_state()
        self.call_after_refresh(self.table("log").action_last)

    def on_resize(self, event: events.Resize) -> None:
        self._fit(event.size.width)

    def _fit(self, columns: int) -> None:
        self.set_class(columns < WIDE and columns >= STACKED, "-stacked")
        self.set_class(columns < STACKED, "-single")

    # -- painting ----------------------------------------------------------------------------------------

    def show_state(self) -> None:
        """Paint everything that the state says; only what differs reaches the terminal."""
        self._pulses.clear()
        self._paint_lists()
        self._paint_log()
        self._paint_header()
        self.paint_detail()

    def _tick(self) -> None:
        """Ages and the clock move; nothing else does."""
        self._pulses.clear()
        self._paint_lists()
        self._paint_header()
        if self.subject.kind == "session" and self.detail.tab == "session":
            self._load_transcript()

    @property
    def detail(self) -> Detail:
        return self.query_one(Detail)

    def table(self, name: str) -> VTable:
        return self.query_one(f"#{name}", VTable)

    def _paint_lists(self) -> None:
        now = time.time()
        self.needs = attention.needs(self.state)
        shown = {
            "needs": rows.needs_rows(self.needs, now),
            "sessions": rows.session_rows(self.state, now, self._pulse),
            "policies": rows.policy_rows(self.state, now),
        }
        for name, listed in shown.items():
            kept = listed.matching(self.filters[name])
            self.table(name).set_rows(kept.keys, kept.cells)
            self._title(name, len(kept.keys), len(listed.keys))
        self._title("tickets", 0, 0)

    def _title(self, name: str, shown: int, all_: int) -> None:
        wanted = self.filters[name]
        count = f"{shown} of {all_} · /{clean(wanted, limit=20)}" if wanted else str(all_)
        title = f"{LISTS.index(name) + 1} {TITLES[name]} ({count})"
        if self._differs(f"title-{name}", title):
            self.table(name).border_title = Content(title)

    def _pulse(self, session: str) -> str:
        if session not in self._pulses:
            self._pulses[session] = self.app.desk.pulse(session)
        return self._pulses[session]

    def _paint_log(self) -> None:
        last = self.state.seq
        self._log_pages.pop(last // LOG_PAGE, None)
        self._log_pages.pop((last - 1) // LOG_PAGE, None)
        self.table("log").set_rows(range(1, last + 1), self._log_cells)
        self._title("log", last, last)

    def _log_cells(self, index: int) -> logline.Row:
        page, at = divmod(index, LOG_PAGE)
        if page not in self._log_pages:
            if len(self._log_pages) > 20:
                self._log_pages.clear()
            assert self._events
            self._log_pages[page] = [logline.row(entry) for entry in self._events(page * LOG_PAGE + 1, LOG_PAGE)]
        return self._log_pages[page][at]

    def _paint_header(self) -> None:
        counts = wording.counts(self.state)
        hosted = self.app.hosted
        if hosted and hosted.failed:
            holder = f"SUPERVISOR FAILED: {hosted.failed}"
        elif hosted:
            holder = "supervising here"
        else:
            running = self.app.desk.supervised()
            holder = "attached, " + wording.supervisor_sentence(self.state, running)
        text = (
            f"nightdesk  {self.app.desk.name}   ● {counts['working']} working  ◐ {counts['waiting']} waiting  "
            f"? {counts['asking']}  ✓ {counts['landed']}  ⊘ {counts['blocked']}   {holder}"
        )
        clock = time.strftime("%H:%M")
        room = max(0, self.size.width - 2 - len(clock) - 2)
        self._static("header", f"{cut(text, room)}  {clock}")

    def _static(self, name: str, text: str) -> None:
        if self._differs(name, text):
            self.query_one(f"#{name}", Static).update(Content(text), layout=False)

    def _differs(self, name: str, value: str) -> bool:
        if self._texts.get(name) == value:
            return False
        self._texts[name] = value
        return True

    # -- the thing itself --------------------------------------------------------------------------------

    def look_at(self, key: str) -> None:
        """Show this thing on the right."""
        if key and key != self.subject.id:
            self.subject = Subject(key)
            self.guard.drawn("", time.monotonic())
            self.paint_detail()
            self.detail.show(self.subject.first_tab)

    def paint_detail(self) -> None:
        face = describe(self.state, self.subject, self._drifted)
        self.detail.head(self.subject.id, face.title, face.headline, face.tone, face.warnings)
        self.detail.set_lines("why", face.why)
        self.detail.set_lines("gate", face.gate)
        plan = self.state.plans.get(face.plan)
        if plan and self._loaded_diff != plan.plan:
            self._loaded_diff = plan.plan
            self.detail.set_diff(b"", "")
            wanted = self.subject.id
            self.app.hands.read(
                lambda: (self.app.desk.diff(plan.frozen), tuple(self.app.desk.drift(plan.frozen))),
                lambda found: self._diff_read(wanted, plan.plan, found),
            )
        elif plan is None and self._loaded_diff:
            self._loaded_diff = ""
            self.detail.set_diff(b"", "")
        elif plan and self.subject.kind == "plan" and not self.guard.shown:
            self.call_after_refresh(self._drawn, plan.plan)
        self._load_transcript()
        self.paint_footer()

    def _diff_read(self, wanted: str, plan: str, found: object) -> None:
        if self.subject.id != wanted or self._loaded_diff != plan:
            return
        if isinstance(found, Exception):
            self._loaded_diff = ""
            self.notify(f"the diff cannot be shown: {found}", severity="error")
            return
        assert isinstance(found, tuple)
        diff, drifted = found
        self._drifted = (plan, drifted)
        self.detail.set_diff(diff, plan if self.subject.kind == "plan" else "")
        self.paint_detail()

    def on_detail_drawn(self, event: Detail.Drawn) -> None:
        self._drawn(event.plan)

    def _drawn(self, plan: str) -> None:
        if self.subject.id == f"plan:{plan}" and self._loaded_diff == plan and self.detail.region.area:
            self.guard.drawn(plan, time.monotonic())

    def _load_transcript(self) -> None:
        session = self.subject.session(self.state)
        if not session:
            self.detail.set_lines("session", ("no session",))
            return
        self.app.hands.read(
            lambda: [wording.transcript_line(entry) for entry in self.app.desk.transcript(session)],
            lambda lines: self._transcript_read(session, lines),
        )

    def _transcript_read(self, session: str, lines: object) -> None:
        if isinstance(lines, list) and self.subject.session(self.state) == session:
            self.detail.set_lines("session", lines or ["nothing yet"])

    def paint_footer(self) -> None:
        self._static("footer", cut(self.keys_here(), max(0, self.size.width - 2)))

    # -- moving about ------------------------------------------------------------------------------------

    @on(VTable.Highlighted)
    def _highlighted(self, event: VTable.Highlighted) -> None:
        if event.table.id == self.active and isinstance(event.key, str):
            self.look_at(event.key)

    @on(VTable.Opened)
    def _opened(self, event: VTable.Opened) -> None:
        if isinstance(event.key, str):
            self.look_at(event.key)
            self.add_class("-detail")
            self.detail.current.focus()
            self.call_after_refresh(self.paint_detail)
            self.offer_answer()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        name = event.widget.id or ""
        if name in LISTS:
            self.active = name
            self.remove_class("-detail")
            self._mark_active()
            key = self.table(name).cursor_key
            if isinstance(key, str):
                self.look_at(key)
        self.detail.set_class(self.detail.has_focus_within, "-lit")
        self.paint_footer()

    def _mark_active(self) -> None:
        for name in LISTS:
            self.table(name).set_class(name == self.active, "-active")

    def action_list(self, name: str) -> None:
        self.active = name
        self.remove_class("-detail")
        self._mark_active()
        self.table(name).focus()

    def action_step_focus(self, step: int) -> None:
        if isinstance(self.focused, Input):
            return
        stops = [*LISTS, "detail"]
        here = "detail" if self.detail.has_focus_within else self.active
        target = stops[(stops.index(here) + step) % len(stops)]
        if target == "detail":
            self.add_class("-detail")
            self.detail.current.focus()
            self.call_after_refresh(self.paint_detail)
        else:
            self.action_list(target)

    def action_tab(self, step: int) -> None:
        self.detail.step_tab(step)

    def action_back(self) -> None:
        field = self.query_one("#filter", Input)
        if field.has_focus or self.filters[self.active]:
            self._set_filter("")
            field.remove_class("-open")
        self.action_list(self.active)

    def action_filter(self) -> None:
        field = self.query_one("#filter", Input)
        field.value = self.filters[self.active]
        field.add_class("-open")
        field.focus()

    def _set_filter(self, text: str) -> None:
        self.filters[self.active] = text
        self._paint_lists()

    @on(Input.Changed, "#filter")
    def _typed(self, event: Input.Changed) -> None:
        if self.query_one("#filter", Input).has_focus and self.active != "log":
            self._set_filter(event.value)

    @on(Input.Submitted, "#filter")
    def _kept(self) -> None:
        self.query_one("#filter", Input).remove_class("-open")
        self.action_list(self.active)
