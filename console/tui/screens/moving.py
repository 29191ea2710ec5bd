"""From one thing that needs a person to the next, on the desk: selects it in its list and shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from console.core.state import State, open_alert
from console.present.queue_rows import HELD, held
from console.tui.screens import bars
from console.tui.screens.board import Board
from console.tui.screens.finding import WAITING
from console.tui.screens.night import NightScreen
from console.tui.screens.subject import Subject
from console.tui.screens.verbs import Asking

if TYPE_CHECKING:
    from console.tui.screens.desk import DeskScreen


class Moving(Asking):
    """Mixed into the desk."""

    @property
    def _floor(self: Any) -> DeskScreen:
        return self  # type: ignore[no-any-return]

    def action_next_waiting(self) -> None:
        """To the next thing that needs a person, from the one that is selected."""
        desk = self._floor
        if not self.able("next-waiting"):
            return
        ids = [item.id for item in desk.needs]
        self.go_to(ids[(ids.index(desk.subject.id) + 1 if desk.subject.id in ids else 0) % len(ids)])

    def why_not_next_waiting(self) -> str:
        return "" if self._floor.needs else "nothing needs you"

    def why_not_alert(self) -> str:
        alert = open_alert(self._floor.state)
        return "" if alert and alert.state == "open" else "no alert is open"

    def go_to(self, target: str) -> None:
        """Select and show one of the things that need a person."""
        desk = self._floor
        self.reveal("needs", target)
        if desk.detail_hidden:
            desk.open_detail()

    def reveal(self, name: str, key: str) -> None:
        """Select and show a row of a list, whatever it is filtered by."""
        desk = self._floor
        desk.action_list(name)
        desk.set_filter("")
        desk.only_waiting &= key in desk.waits or name not in WAITING
        desk.show_archived |= key in desk.archive
        desk.show_state()
        desk.table(name).select(key)
        desk.look_at(key)

    def action_go_to_alert(self) -> None:
        """To the open alert, from wherever the screen is."""
        alert = open_alert(self._floor.state)
        if self.able("alert") and alert:
            self._floor.go_to(f"alert:{alert.alert}")

    def board_keys(self) -> list[bars.Key]:
        state = self._floor.state
        return self.can("board", "board") if state.chains_on or state.routines or state.ledger else []

    def action_board(self) -> None:
        """Chains and routines; it is left for something on the desk, or for nothing."""
        board = Board()
        self._floor.app.push_screen(board, lambda _: self._from_board(board.wanted))

    def action_timeline(self) -> None:
        """The night as a chart; it is left for a ticket or a session, or for nothing."""
        night = NightScreen()
        self._floor.app.push_screen(night, lambda _: self._from_board(night.wanted))

    def _from_board(self, thing: str) -> None:
        """What changed meanwhile was not seen here."""
        desk = self._floor
        desk.unseen()
        desk.show_state()
        if not thing:
            return
        if listed := {"session": "sessions", "ticket": "tickets"}.get(Subject(thing).kind):
            desk.filters[listed] = ""
            desk.action_list(listed)
            desk.show_state()
            desk.table(listed).select(thing)
            desk.look_at(thing)
            desk.open_detail()
        else:
            self.go_to(thing)
            desk.open_detail()

    def enter(self, key: str) -> None:
        """Open a row: the thing itself, or what of it waits for a person."""
        desk = self._floor
        if key == HELD:
            self.reveal("tickets", f"ticket:{held(desk.state)[0].ticket}")
            return
        desk.look_at(opened(desk.state, key))
        desk.open_detail()
        desk.offer_answer()


def opened(state: State, key: str) -> str:
    """A policy opens as its waiting plan, a ticket as its open decision or its waiting plan."""
    subject = Subject(key)
    ticket = state.tickets.get(subject.name) if subject.kind == "ticket" else None
    d = state.decisions.get(ticket.decision) if ticket else None
    if d and d.state == "open":
        return f"decision:{d.decision}"
    plan = state.plans.get(ticket.plan) if ticket else subject.plan(state)
    waits = plan is not None and plan.state == "waiting" and subject.kind in ("policy", "ticket")
    return f"plan:{plan.plan}" if plan and waits else key
