"""Where a ticket stands in the queue: what keeps it from starting, and which tickets stand behind it. Pure."""

from __future__ import annotations

from msgspec.structs import replace

from console.core import queue
from console.core.decisions import Parked
from console.core.queue import Readiness
from console.core.state import State
from console.core.tickets import Ticket


def of(state: State, t: Ticket, at_limit: queue.Limits | None = None) -> Readiness:
    """Its readiness, with a sentence also when it is ready. at_limit: as in `queue.readiness`."""
    found = queue.readiness(state, t, at_limit)
    return found if found.why else replace(found, why="ready: the next free session takes it")


def behind(state: State, ticket: str) -> tuple[str, ...]:
    """The tickets that cannot start before this one is done, transitively, in the order they were first seen."""
    next_of: dict[str, list[str]] = {}
    for t in state.tickets.values():
        for wanted in t.spec.depends_on:
            next_of.setdefault(wanted, []).append(t.ticket)
    found: set[str] = set()
    open_ = [ticket]
    while open_:
        for child in next_of.get(open_.pop(), ()):
            if child not in found and child != ticket and not queue.met(state, state.tickets[child]):
                found.add(child)
                open_.append(child)
    found = {name for name in found if state.tickets[name].phase not in ("dropped", "gone")}
    return tuple(sorted(found, key=lambda name: (state.tickets[name].order, name)))


def held_back(state: State, d: Parked) -> tuple[str, ...]:
    """The tickets that an open decision keeps from starting: its quarantine, or what simply waits behind its ticket."""
    found = behind(state, d.ticket)
    if not d.foundational:
        return found
    at_limit = queue.limits(state)
    quarantine = {name for name in found if _quarantined_by(state, state.tickets[name], at_limit) == d.decision}
    return tuple(t.ticket for t in queue.queued(state) if t.ticket in quarantine) if quarantine else ()


def _quarantined_by(state: State, t: Ticket, at_limit: queue.Limits) -> str:
    if t.phase != "queued" or t.held:
        return ""
    stands = queue.readiness(state, t, at_limit)
    return stands.by if stands.state == "quarantined" else ""
