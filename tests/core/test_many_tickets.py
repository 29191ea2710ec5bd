"""What thousands of tickets cost is counted in looks at all of them, never in seconds."""

from __future__ import annotations

from collections.abc import ValuesView

from msgspec.structs import replace
from queueplay import SETTINGS, Night

from console.core import queue
from console.core.reporting import standing, tallying
from console.core.tickets import Ticket
from console.present import queue_rows, queueing


class Counted(dict[str, Ticket]):
    looks = 0

    def values(self) -> ValuesView[str, Ticket]:
        self.looks += 1
        return super().values()


def night_of(count: int) -> Night:
    """A run whose one session is at work on the first ticket; all others are queued."""
    night = Night()
    for number in range(count):
        night.see(f"t{number:03}")
    night.go(replace(SETTINGS, sessions=1))
    night.prepare("t000")
    night.state.tickets = Counted(night.state.tickets)
    return night


def looks(night: Night) -> int:
    tickets = night.state.tickets
    assert isinstance(tickets, Counted)
    seen, tickets.looks = tickets.looks, 0
    return seen


def test_what_is_asked_about_every_ticket_looks_at_all_of_them_a_few_times() -> None:
    """Whether an agent is at its limit is found once for all: asked for each ticket it made `status` quadratic."""
    costs = []
    for count in (5, 60):
        night = night_of(count)
        state = night.state
        run = next(reversed(state.runs.values()))
        assert queueing.ticket_counts(state)["queued"] == count - 1 and tallying.tally(state, run).total == count
        queue.next_ready(state)
        queue.quarantined(state, "d-1")
        rows = queue_rows.Queue().rows(state)
        assert all(rows.cells(i) and rows.text(i) for i in range(count))
        costs.append(looks(night))
    assert costs[0] == costs[1] < 20


def test_an_agents_limit_is_told_of_every_ticket_that_is_for_it() -> None:
    night = night_of(3)
    night.see("other", agent="apt")
    state = night.state
    at_work = replace(state.tickets["t000"], phase="waiting", limited=True)
    state.tickets["t000"] = at_work
    limits = queue.limits(state)
    assert limits == {"bot": at_work}
    for one in state.tickets.values():
        assert standing.of(state, one, limits) == standing.of(state, one)
    assert standing.of(state, state.tickets["t001"], limits).by == "t000"
    assert standing.of(state, state.tickets["other"], limits).state == "ready"
