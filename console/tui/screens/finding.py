"""What of a list is shown and in which order: the filter's field, only what waits, the order, the archive."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from textual.widgets import Input

from console.present import captions, finding
from console.tui import keys
from console.tui.screens.verbs import Asking

if TYPE_CHECKING:
    from console.tui.screens.desk import DeskScreen

WAITING = ("sessions", "policies", "tickets")
"""Lists that can show only what waits for a person; the first list has nothing else."""
ARCHIVE = "archive"
KEPT = 5000
"""Names in the archive; the oldest are forgotten."""


class Finding(Asking):
    """Mixed into the desk. filters: what each list is filtered by. only_waiting: sessions, policies and tickets show
    what needs a person; show_archived: and what is in the archive."""

    filters: dict[str, str]
    orders: dict[str, finding.Order]
    only_waiting: bool = False
    show_archived: bool = False
    archive: frozenset[str] = frozenset()

    @property
    def _lists(self: Any) -> DeskScreen:
        return self  # type: ignore[no-any-return]

    def begin_finding(self) -> None:
        names = self._lists.lists
        self.filters, self.orders = dict.fromkeys(names, ""), {}
        self.archive = frozenset(str(key) for key in self._lists.app.desk.memory_here.get(ARCHIVE, []))

    def find(self, name: str) -> finding.Find:
        """What is wanted of a list now."""
        only = self._lists.waits if self.only_waiting and name in WAITING else None
        kept = self.archive if name in WAITING else frozenset()
        hidden, marked = (frozenset(), kept) if self.show_archived else (kept, frozenset())
        return finding.Find(self.filters[name], only, hidden, marked, self.orders.get(name, "attention"))

    def archived_of(self, name: str, listed: Sequence[str]) -> int:
        """How many of these rows are in the archive."""
        return sum(key in self.archive for key in listed) if self.archive and name in WAITING else 0

    def counted(self, name: str, listed: int, shown: int, gone: int) -> captions.Counts:
        order = self.orders.get(name, "attention")
        return captions.Counts(
            all=listed - gone,
            shown=shown,
            archived=gone,
            shown_too=self.show_archived,
            words=self.filters[name],
            waiting=self.only_waiting and name in WAITING,
            order="" if order == "attention" else finding.ORDER_WORDS[order],
        )

    # -- the filter --------------------------------------------------------------------------------------

    def action_back(self) -> None:
        """One step out: of the filter, of the thing to its list, of a filtered list to all of it."""
        desk = self._lists
        outside = not desk.detail.has_focus_within
        if outside and self.filters[desk.active]:
            self.set_filter("")
        elif outside and desk.table(desk.active).has_focus:
            self.say(f"there is nothing to go back from; {keys.key('leave')} leaves, runs go on", 3)
        desk.action_list(desk.active)

    @property
    def filtering(self) -> bool:
        """The keys go to the filter's field."""
        return self.query_one("#filter", Input).has_focus

    def action_filter(self) -> None:
        desk = self._lists
        if desk.kind == "single" and desk.detail.has_focus_within:
            desk.action_list(desk.active)
        field = self.query_one("#filter", Input)
        what = "search the whole log" if desk.active == "log" else "filter this list"
        field.placeholder = f"{what}; Enter keeps it, {keys.key('back')} clears it"
        field.value = self.filters[desk.active]
        field.add_class("-open")
        field.focus()
        desk.share_room()

    def set_filter(self, text: str) -> None:
        desk = self._lists
        if self.filters[desk.active] == text:
            return
        self.filters[desk.active] = text
        if desk.active == "log":
            desk.search_log(text)
        else:
            desk.paint_lists()

    def on_input_changed(self, event: Input.Changed) -> None:
        if self.filtering:
            self.set_filter(event.value)

    def on_input_submitted(self) -> None:
        self._lists.action_list(self._lists.active)

    # -- only what waits, the order ----------------------------------------------------------------------

    def why_not_only_waiting(self) -> str:
        return ""

    def action_only_waiting(self) -> None:
        """Sessions, policies and tickets: what needs a person, or all of it again."""
        self.only_waiting = not self.only_waiting
        self._lists.paint_lists()
        what = "only what waits for you" if self.only_waiting else "all of it again"
        self._lists.notify(f"sessions, policies and tickets: {what}", timeout=2)

    def why_not_order(self) -> str:
        return "the log stands in the order of time" if self._lists.active == "log" else ""

    def action_order(self) -> None:
        """The next order of the list that keys go to."""
        if reason := self.why_not_order():
            self.say(reason)
            return
        name = self._lists.active
        at = finding.ORDERS.index(self.orders.get(name, "attention"))
        self.orders[name] = finding.ORDERS[(at + 1) % len(finding.ORDERS)]
        self._lists.paint_lists()
        self._lists.notify(finding.ORDER_WORDS[self.orders[name]], timeout=2)

    # -- the archive -------------------------------------------------------------------------------------

    @property
    def _selected(self) -> str:
        key = self._lists.table(self._lists.active).cursor_key
        return key if isinstance(key, str) else ""

    def why_not_archive(self) -> str:
        """Of the row that is selected."""
        desk, key = self._lists, self._selected
        if desk.active not in WAITING:
            return "only sessions, policies and tickets that are over are archived"
        if not key:
            return "no row is selected; choose one first"
        return "" if key in self.archive else finding.unarchivable(desk.state, key, desk.waits)

    def action_archive(self) -> None:
        """Out of sight with what is over, or back."""
        if reason := self.why_not_archive():
            self.say(reason)
            return
        desk, key = self._lists, self._selected
        back = key in self.archive
        table = desk.table(desk.active)
        following = "" if back or self.show_archived else table.beside(key)
        self._keep(self.archive - {key} if back else self.archive | {key})
        desk.paint_lists()
        if following:
            table.select(following)
        name, again = key.partition(":")[2], keys.key("archive")
        said = f"{name} is back" if back else f"{name} is archived; {keys.key('show-archived')} shows it, {again} there"
        desk.notify(said if back else f"{said} brings it back", timeout=4)

    def why_not_show_archived(self) -> str:
        return "" if self.archive or self.show_archived else "nothing is archived"

    def action_show_archived(self) -> None:
        if reason := self.why_not_show_archived():
            self.say(reason)
            return
        self.show_archived = not self.show_archived
        self._lists.paint_lists()
        self._lists.notify("archived rows are shown, too" if self.show_archived else "archived rows are hidden")

    def clear_archive(self) -> None:
        """What needs a person or lives again is no longer in it."""
        if self.archive:
            still = finding.still_archived(self._lists.state, self.archive, self._lists.waits)
            if still != self.archive:
                self._keep(still)

    def _keep(self, names: frozenset[str]) -> None:
        memory = self._lists.app.desk.memory_here
        added, gone = names - self.archive, self.archive - names

        def make(there: object) -> list[str]:
            before = [str(key) for key in there if key not in gone] if isinstance(there, list) else []
            return [*before, *sorted(added.difference(before))][-KEPT:]

        memory.amend(ARCHIVE, make)
        self.archive = frozenset(memory.get(ARCHIVE, []))
