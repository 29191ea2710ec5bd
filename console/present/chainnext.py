"""What comes next in a chain, and whether a person has to do it: the rank of a chain and a few words. Pure; decides
nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from console.core import queue
from console.core.commits import Plan
from console.core.state import State, open_run
from console.core.tickets import PARKED, Ticket
from console.present import queueing
from console.present.keytable import key
from console.present.text import clean


def _run() -> str:
    return f"waits for a run: {key('start-run')} on the desk starts one"


ESCALATED, SHIPPED, ASKS, GOING, OVER = range(5)
"""Ranks: what a person has to look into, what is ready for one, what else waits for one, what goes on, what is over."""


def name(t: Ticket) -> str:
    """`review 2`, or the ticket's own id, cleaned."""
    return f"{t.link.kind} {t.link.cycle}" if t.link else clean(t.ticket, limit=60)


def follows(state: State, root: Ticket, members: Sequence[Ticket], plan: Plan | None) -> tuple[int, str]:
    """(rank, what comes next). members: of the present round. plan: that the chain is about now."""
    waits = plan is not None and plan.state == "waiting"
    if waits and root.phase in ("ended", "gone") and root.escalated:
        return ESCALATED, f"findings: {key('findings')}, its plan: {key('its-plan')}; you decide"
    if plan and waits and root.phase in ("ended", "gone") and root.shipped == plan.plan:
        return SHIPPED, f"its plan waits for you: {key('its-plan')}"
    if root.phase in ("dropped", "gone"):
        return _over(members, "it is dropped" if root.phase == "dropped" else "it has no file any more")
    if root.phase == "queued" and not open_run(state):
        return ASKS, f"sent back: its own work {_run()}"
    if root.phase != "ended":
        return GOING, f"sent back: its own work is {queueing.ticket_sign(root, state).word}"
    if not waits:
        return _over(members, f"its plan is {plan.state}" if plan else "it has no plan")
    last = next((m for m in reversed(members) if m.phase != "dropped"), None)
    if last is None and not queue.in_chain(state, root):
        return OVER, ""
    return _after(state, last) if last else _first(state)


def _first(state: State) -> tuple[int, str]:
    return (GOING, "its first review") if open_run(state) else (ASKS, f"its first review {_run()}")


def _over(members: Sequence[Ticket], why: str) -> tuple[int, str]:
    """What is under way still ends, without consequence."""
    flying = next((m for m in members if m.in_flight), None)
    return (GOING, f"{why}: nothing follows from {name(flying)}") if flying else (OVER, "")


Asks = Literal["run", "decision", "chains", ""]
"""What a chain waits for that a person has to do: start a run, decide, or switch chains on."""


def asks(state: State, t: Ticket) -> Asks:
    """t: the latest member of a chain that is not over, or its ticket that was sent back."""
    if t.outcome in PARKED and t.phase == "ended":
        return "decision"
    if t.link and not state.chains_on and not t.in_flight:
        return "chains"
    waits = t.phase == "queued" or queue.taken_again(t)
    return "run" if waits and not open_run(state) else ""


def _after(state: State, t: Ticket) -> tuple[int, str]:
    """What follows the latest member of a chain that goes on."""
    who = name(t)
    match asks(state, t):
        case "run":
            return ASKS, f"{who} {_run()}"
        case "decision":
            return ASKS, f"{who} is parked: its decision waits for you"
        case "chains":
            return ASKS, f"chains are off: nothing follows by itself ({key('chains', 'board')} switches them on)"
    if queue.taken_again(t):
        return GOING, f"the next run takes {who} again"
    if t.phase != "ended":
        then = "its verdict" if t.link and t.link.kind == "review" else "a review of what it makes"
        return GOING, f"{who} is {queueing.ticket_sign(t, state).word}, then {then}"
    review = t.review if t.link and t.link.kind == "review" else None
    return GOING, "a repair" if review and review.verdict == "BLOCK" else "what follows is being worked out"
