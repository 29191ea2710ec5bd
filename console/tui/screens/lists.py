"""The lists of the desk: rows from the state, titles, filters, and what a line of the log is about."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from textual.content import Content
from textual.widgets import Input

from console.core.events import Logged
from console.present import attention, logline, queue_rows, rows, wording
from console.present.text import clean, cut
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
SESSION_COLUMNS = (Column(1), Column(4), Column(9), Column(8), Column(10, grow=True), Column(4, "right"))
POLICY_COLUMNS = (Column(1), Column(6), Column(13), Column(4), Column(6, grow=True), Column(4, "right"))
TICKET_COLUMNS = (Column(1), Column(18, grow=True), Column(16))
LOG_COLUMNS = (Column(8), Column(7), Column(20, grow=True))

NO_MATCH = "no row matches the filter; Esc shows all again"
EMPTY = {
    "needs": "nothing needs you",
    "sessions": "no session yet; `nightdesk session start` makes one",
    "policies": "no policy yet; `nightdesk policy attach` makes one",
    "tickets": "no ticket yet; put *.md into tickets/",
    "log": "nothing has happened yet",
}


class Lists(_Base):
    """Mixed into the desk. filters: what each list is filtered by; active: the list that keys go to."""

    needs: list[attention.Item] = []
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
        self._queue = queue_rows.Queue()
        self._log_pages: dict[int, list[logline.Row]] = {}
        self._events = self._at_desk.app.desk.open_events()

    def paint_lists(self) -> None:
        now = self._at_desk.app.now()
        self._pulses.clear()
        desk = self._at_desk
        self.needs = attention.needs(desk.state, desk.supervised, desk.silent, now)
        shown = {
            "needs": rows.needs_rows(self.needs, now),
            "sessions": rows.session_rows(self._at_desk.state, now, self._pulse),
            "policies": rows.policy_rows(self._at_desk.state, now),
            "tickets": self._queue.rows(self._at_desk.state),
        }
        self._at_desk.set_class(bool(shown["tickets"].keys), "-queue")
        for name, listed in shown.items():
            kept = listed.matching(self.filters[name])
            table = self._at_desk.table(name)
            table.empty = NO_MATCH if self.filters[name] and listed.keys else EMPTY[name]
            if kept.keys or table.place[1] or self._at_desk._differs(f"empty-{name}", table.empty):
                table.set_rows(kept.keys, kept.cells)  # an empty list that stays empty is painted already
            self._title(name, len(kept.keys), len(listed.keys))
        self._paint_newest(now)
        self._subtitle("tickets", queue_rows.counted(self._queue.counts, upper=False))
        found = wording.counts(self._at_desk.state)
        ailing = {"suspect": found["suspect"], "hung": found["ending"], "restarting": found["restarting"]}
        self._subtitle("sessions", "  ".join(f"{number} {word}" for word, number in ailing.items() if number))

    def _subtitle(self, name: str, text: str) -> None:
        if self._at_desk._differs(f"subtitle-{name}", text):
            self._at_desk.table(name).border_subtitle = Content(text)

    def _paint_newest(self, now: float) -> None:
        """What came last is named in the border when the list is too long for it to be seen."""
        table, last = self._at_desk.table("needs"), attention.newest(self.needs)
        told = ""
        if last and table.view.height and not table.shows(last.id) and not self.filters["needs"]:
            room = max(0, table.size.width - 20)
            told = f"newest {wording.age(now - last.since)}: {cut(last.text, room)}" if room > 8 else ""
        self._subtitle("needs", told)

    def _title(self, name: str, shown: int, all_: int) -> None:
        wanted = self.filters[name]
        count = f"{shown} of {all_} · /{clean(wanted, limit=20)}" if wanted else str(all_)
        more = self._more(name)
        plain = name == "tickets" and more and not wanted  # the counts say more than their sum
        title = f"{LISTS.index(name) + 1} {TITLES[name]}{'' if plain else f' ({count})'}{more}"
        if self._at_desk._differs(f"title-{name}", title):
            self._at_desk.table(name).border_title = Content(title)

    def _more(self, name: str) -> str:
        """What a title adds to the count."""
        holder = self._at_desk.state.supervisor
        if name == "sessions" and holder and (tier := bars.tier(holder.sandbox)):
            return f" · {tier}"
        if name == "tickets" and self._queue.counts:
            return f" · {queue_rows.counted(self._queue.counts, upper=True)}".rstrip(" ·")
        return ""

    def _pulse(self, session: str) -> str:
        if session not in self._pulses:
            self._pulses[session] = self._at_desk.app.desk.pulse(session)
        return self._pulses[session]

    def paint_log(self) -> None:
        last = self._at_desk.state.seq
        log = self._at_desk.table("log")
        log.set_rows(range(1, last + 1), self._log_cells)
        if self.active != "log" and log.place[0] != last:
            log.action_last()  # nobody reads in it: it shows its end, in the same frame
        self._title("log", last, last)

    def _log_cells(self, index: int) -> logline.Row:
        page, at = divmod(index, LOG_PAGE)
        if at >= len(self._log_pages.get(page, ())):  # not read yet, or when it was the last page and not full
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
            "decision": state.decisions,
            "ticket": state.tickets,
            "routine": state.routines,
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
