"""The lists of the desk: rows from the state, titles, filters, and what a line of the log is about."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from textual.content import Content
from textual.widgets import Input

from console.core.events import Logged
from console.present import attention, logline, rows
from console.present.text import clean
from console.tui.screens import bars
from console.tui.widgets.table import Column

if TYPE_CHECKING:
    from textual.screen import Screen

    from console.tui.screens.desk import DeskScreen

    _Base = Screen[None]
else:
    _Base = object

LISTS = ("needs", "sessions", "policies", "tickets", "log")
TITLES = {"needs": "Needs you", "sessions": "Sessions", "policies": "Policies", "tickets": "Tickets", "log": "Log"}
LOG_PAGE = 200
NEEDS_COLUMNS = (Column(1), Column(8), Column(12, grow=True), Column(5, "right"))
SESSION_COLUMNS = (Column(1), Column(4), Column(12), Column(8), Column(7, grow=True), Column(4, "right"))
POLICY_COLUMNS = (Column(1), Column(6), Column(13), Column(4), Column(6, grow=True), Column(4, "right"))
LOG_COLUMNS = (Column(8), Column(7), Column(20, grow=True))


class Lists(_Base):
    """Mixed into the desk. filters: what each list is filtered by; active: the list that keys go to."""

    needs: Sequence[attention.Item] = ()
    active: str = "needs"
    filters: dict[str, str]
    _events: Callable[[int, int], Sequence[Logged]]

    @property
    def _at_desk(self: Any) -> DeskScreen:
        return self  # type: ignore[no-any-return]

    def begin_lists(self) -> None:
        """Before the first paint: an own connection for the log, on the screen's thread."""
        self.filters = dict.fromkeys(LISTS, "")
        self._pulses: dict[str, str] = {}
        self._log_pages: dict[int, list[logline.Row]] = {}
        self._events = self._at_desk.app.desk.open_events()

    def paint_lists(self) -> None:
        now = self._at_desk.app.now()
        self._pulses.clear()
        self.needs = attention.needs(self._at_desk.state)
        shown = {
            "needs": rows.needs_rows(self.needs, now),
            "sessions": rows.session_rows(self._at_desk.state, now, self._pulse),
            "policies": rows.policy_rows(self._at_desk.state, now),
        }
        for name, listed in shown.items():
            kept = listed.matching(self.filters[name])
            table = self._at_desk.table(name)
            if kept.keys or table.place[1]:  # an empty list that stays empty is painted already
                table.set_rows(kept.keys, kept.cells)
            self._title(name, len(kept.keys), len(listed.keys))
        self._title("tickets", 0, 0)

    def _title(self, name: str, shown: int, all_: int) -> None:
        wanted = self.filters[name]
        count = f"{shown} of {all_} · /{clean(wanted, limit=20)}" if wanted else str(all_)
        holder = self._at_desk.state.supervisor
        tier = bars.tier(holder.sandbox) if holder and name == "sessions" else ""
        title = f"{LISTS.index(name) + 1} {TITLES[name]} ({count}){f' · {tier}' if tier else ''}"
        if self._at_desk._differs(f"title-{name}", title):
            self._at_desk.table(name).border_title = Content(title)

    def _pulse(self, session: str) -> str:
        if session not in self._pulses:
            self._pulses[session] = self._at_desk.app.desk.pulse(session)
        return self._pulses[session]

    def paint_log(self) -> None:
        last = self._at_desk.state.seq
        self._log_pages.pop(last // LOG_PAGE, None)
        self._log_pages.pop((last - 1) // LOG_PAGE, None)
        log = self._at_desk.table("log")
        log.set_rows(range(1, last + 1), self._log_cells)
        if self.active != "log" and log.place[0] != last:
            log.action_last()  # nobody reads in it: it shows its end, in the same frame
        self._title("log", last, last)

    def _log_cells(self, index: int) -> logline.Row:
        page, at = divmod(index, LOG_PAGE)
        if page not in self._log_pages:
            if len(self._log_pages) > 20:
                self._log_pages.clear()
            self._log_pages[page] = [logline.row(entry) for entry in self._events(page * LOG_PAGE + 1, LOG_PAGE)]
        return self._log_pages[page][at]

    def logged(self, position: int) -> str:
        """What a line of the log is about, as a subject."""
        state = self._at_desk.state
        row = self._log_cells(position - 1)
        alert = row[2][0].partition(" ")[0].rstrip(":")
        about = alert if alert in state.alerts else row[1][0]
        known: dict[str, Mapping[str, object]] = {
            "alert": state.alerts,
            "session": state.sessions,
            "policy": state.policies,
        }
        for kind, names in known.items():
            if about in names:
                return f"{kind}:{about}"
        self._at_desk.say("this line is about the console itself; there is nothing to open")
        return ""

    # -- the filter --------------------------------------------------------------------------------------

    def action_back(self) -> None:
        """One step out: of the filter, of the thing to its list, of a filtered list to all of it."""
        if not self._at_desk.detail.has_focus_within and self.filters[self.active]:
            self._set_filter("")
        self._at_desk.action_list(self.active)

    @property
    def filtering(self) -> bool:
        """The keys go to the filter's field."""
        return self.query_one("#filter", Input).has_focus

    def action_filter(self) -> None:
        if self.active == "log":
            self._at_desk.say("the log is not filtered here; `nightdesk events --types T --sessions S` does it")
            return
        field = self.query_one("#filter", Input)
        field.value = self.filters[self.active]
        field.add_class("-open")
        field.focus()

    def _set_filter(self, text: str) -> None:
        self.filters[self.active] = text
        self.paint_lists()

    def on_input_changed(self, event: Input.Changed) -> None:
        if self.filtering:
            self._set_filter(event.value)

    def on_input_submitted(self) -> None:
        self._at_desk.action_list(self.active)
