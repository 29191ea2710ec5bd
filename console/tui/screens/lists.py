"""The lists of the desk: their rows from the state, what their borders say, and what a line of the log is about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from console.present import attention, captions, finding, queue_rows, rows, wording
from console.tui import keys
from console.tui.costs import Costs
from console.tui.screens import bars
from console.tui.screens.logpane import LogPane
from console.tui.widgets.columns import NEVER
from console.tui.widgets.table import Column, VTable

if TYPE_CHECKING:
    from console.tui.screens.desk import DeskScreen

COST = -2
"""Of the columns of sessions: the one that says what they cost."""
LISTS = ("needs", "sessions", "policies", "tickets", "log")
TITLES = {"needs": "Needs you", "sessions": "Sessions", "policies": "Policies", "tickets": "Tickets", "log": "Log"}
NEEDS_COLUMNS = (Column(1), Column(8), Column(12, grow=True), Column(10, room=92), Column(5, "right"))
SESSION_COLUMNS = (
    Column(1),
    Column(5),
    Column(8, most=24),
    Column(8),
    Column(10, grow=True),
    Column(18, room=92),
    Column(9, "right", room=76),
    Column(8, "right", room=60),
    Column(4, "right"),
)
COSTLESS = (*SESSION_COLUMNS[:-2], Column(8, "right", room=NEVER), SESSION_COLUMNS[-1])
"""Where no agent says what it costs."""
POLICY_COLUMNS = (
    Column(1),
    Column(6),
    Column(13),
    Column(4, most=9),
    Column(6, grow=True),
    Column(26, room=88),
    Column(7, room=116),
    Column(30, room=132),
    Column(4, "right"),
)
TICKET_COLUMNS = (
    Column(1),
    Column(18, grow=True),
    Column(16),
    Column(6, room=56),
    Column(34, room=104),
    Column(22, room=84),
    Column(4, "right", room=48),
)
LOG_COLUMNS = (Column(8), Column(7, most=12), Column(20, grow=True))
COLUMNS = {
    "needs": NEEDS_COLUMNS,
    "sessions": COSTLESS,
    "policies": POLICY_COLUMNS,
    "tickets": TICKET_COLUMNS,
    "log": LOG_COLUMNS,
}

EMPTY = {
    "needs": "nothing needs you",
    "sessions": "no session yet; `nightdesk session start` makes one",
    "policies": "no policy yet; `nightdesk policy attach` makes one",
    "tickets": "no ticket yet; put *.md into tickets/",
    "log": "nothing has happened yet",
}


class Lists(LogPane):
    """Mixed into the desk. active: the list that keys go to."""

    needs: list[attention.Item] = []
    waits: frozenset[str] = frozenset()
    """Keys of what needs a person."""
    active: str = "needs"

    @property
    def _at_desk(self: Any) -> DeskScreen:
        return self  # type: ignore[no-any-return]

    def begin_lists(self) -> None:
        """Before the first paint."""
        self._pulses: dict[str, str] = {}
        self._queue = queue_rows.Queue()
        self.content: dict[str, int] = dict.fromkeys(LISTS[:-1], 0)
        self.counts: dict[str, captions.Counts] = {name: captions.Counts(0, 0) for name in LISTS}
        self.begin_finding()
        self.begin_log()
        self._costs = Costs(self.opened_search, self._at_desk.app.hands.aside)

    def paint_lists(self) -> None:
        now = self._at_desk.app.now()
        self._pulses.clear()
        desk = self._at_desk
        self.needs = attention.needs(desk.state, desk.supervised, desk.silent, now)
        self.waits = finding.waiting(desk.state, self.needs)
        self.clear_archive()
        self._look_at_costs()
        for name, listed in self._rows(now).items():
            self._paint_list(name, listed)
        desk.share_room()
        for name in LISTS[:-1]:
            self.caption(name)

    def _look_at_costs(self) -> None:
        """Where there is room for them."""
        desk = self._at_desk
        table = desk.table("sessions")
        if table.view.width >= SESSION_COLUMNS[COST].room:
            self._costs.look(desk.state.seq, desk.app.now())
            table.set_columns(SESSION_COLUMNS if self._costs.known else COSTLESS)

    def _rows(self, now: float) -> Mapping[str, rows.Rows]:
        state = self._at_desk.state
        return {
            "needs": rows.needs_rows(self.needs, now),
            "sessions": rows.session_rows(state, now, self._pulse, self._costs.of),
            "policies": rows.policy_rows(state, now),
            "tickets": self._queue.rows(state, now),
        }

    def _paint_list(self, name: str, listed: rows.Rows) -> None:
        find = self.find(name)
        kept = finding.arranged(listed, find)
        gone = self.archived_of(name, listed.keys)
        self.counts[name] = self.counted(name, len(listed.keys), len(kept.keys), gone)
        self.content[name] = len(listed.keys) - (0 if self.show_archived else gone)
        table = self._at_desk.table(name)
        table.empty = self._empty(name, find, bool(listed.keys))
        if kept.keys or table.place[1] or self._at_desk._differs(f"empty-{name}", table.empty):
            table.set_rows(kept.keys, kept.cells)  # an empty list that stays empty is painted already

    def _empty(self, name: str, find: finding.Find, some: bool) -> str:
        if not some:
            return EMPTY[name]
        if find.words:
            return f"no row matches the filter; {keys.key('back')} shows all again"
        if find.only is not None:
            return f"nothing here waits for you; {keys.key('only-waiting')} shows all again"
        return f"all of it is archived; {keys.key('show-archived')} shows it"

    # -- borders -----------------------------------------------------------------------------------------

    def caption(self, name: str) -> None:
        """What the border of a list says: above what it is and how much of it is shown, below where one is in it."""
        table = self._at_desk.table(name)
        counts, line = self.counts[name], table.has_class("-line")
        tickets = name == "tickets"
        title = captions.upper(
            LISTS.index(name) + 1, TITLES[name], counts, self._more(name), counted=not tickets or line
        )
        if line:
            title = f" {title} · {table.empty} "
        cells = max(0, table.outer_size.width - 6)
        progress = [self.search_progress] if name == "log" else []
        parts = [*progress, f"{keys.key('back')} shows all"] if counts.words else []
        place = table.place if name == self.active else None
        below = captions.lower(place, [*parts, self._below(name, cells)], self._elsewhere(name), cells)
        table.caption(title, below)

    def _more(self, name: str) -> str:
        """What a title adds to the count."""
        holder = self._at_desk.state.supervisor
        if name == "sessions" and holder and (tier := bars.tier(holder.sandbox)):
            return f" · {tier}"
        if name == "tickets" and self._queue.counts:
            return f" · {queue_rows.counted(self._queue.counts, upper=True)}".rstrip(" ·")
        return ""

    def _below(self, name: str, cells: int) -> str:
        match name:
            case "needs":
                return self._newest(cells)
            case "tickets":
                return queue_rows.counted(self._queue.counts, upper=False)
            case "sessions":
                found = wording.counts(self._at_desk.state)
                ailing = {"suspect": found["suspect"], "hung": found["ending"], "restarting": found["restarting"]}
                return "  ".join(f"{number} {word}" for word, number in ailing.items() if number)
            case _:
                return ""

    def _newest(self, cells: int) -> str:
        """What came last is named in the border when the list is too long for it to be seen."""
        table, last = self._at_desk.table("needs"), attention.newest(self.needs)
        if not last or cells < 30 or not table.view.height or table.shows(last.id) or self.filters["needs"]:
            return ""
        return f"newest {wording.age(self._at_desk.app.now() - last.since)}: {last.text}"

    def _elsewhere(self, name: str) -> list[tuple[int, str, str]]:
        """Where one list is seen at a time: the others."""
        if self._at_desk.kind == "wide":
            return []
        return [
            (number, TITLES[each].split()[0], "" if each == "log" else str(self.counts[each].all))
            for number, each in enumerate(LISTS, 1)
            if each != name
        ]

    def on_vtable_highlighted(self, event: VTable.Highlighted) -> None:
        if event.table.id in LISTS:
            self.caption(event.table.id)

    def on_vtable_fitted(self, event: VTable.Fitted) -> None:
        if event.table.id in LISTS:
            self.caption(event.table.id)

    # -- what a row says that the state does not ----------------------------------------------------------

    def _pulse(self, session: str) -> str:
        if session not in self._pulses:
            self._pulses[session] = self._at_desk.app.desk.pulse(session)
        return self._pulses[session]
