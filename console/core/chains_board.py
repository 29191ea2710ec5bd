"""The board of chains: every ticket that a chain may be about as a card, read from the state. Pure; decides nothing."""

from __future__ import annotations

from console.core import queue
from console.core.chains import Card, Fired, Stage, Standing, key
from console.core.commits import Plan
from console.core.state import State
from console.core.tickets import DONE, Ticket

FIRED: tuple[Fired, ...] = ("review", "repair", "ship", "escalate")


def board(state: State) -> tuple[Card, ...]:
    """The oldest first. A ticket whose card cannot be made is not on it (see `read`)."""
    return read(state)[0]


def read(state: State) -> tuple[tuple[Card, ...], dict[str, Exception]]:
    """The board, and what was wrong with the tickets that are not on it, so that one of them never stops the others."""
    roots = {t.link.root for t in state.tickets.values() if t.link}
    cards: list[Card] = []
    faults: dict[str, Exception] = {}
    for t in state.tickets.values():
        if t.link or t.plan or t.ticket in roots:
            try:
                cards.append(card(state, t))
            except Exception as fault:
                faults[t.ticket] = fault
    return tuple(sorted(cards, key=lambda c: c.at)), faults


def card(state: State, t: Ticket) -> Card:
    """What decides about one ticket. Raises LookupError when the log does not hold what it names."""
    made = state.plans[t.plan] if t.plan else None
    head = state.plans[t.link.head] if t.link else None
    root = state.tickets[t.link.root] if t.link else t
    about = made or head
    commit = about.plan if about else ""
    read = t.review if t.review and head and t.review.commit == head.plan else None
    return Card(
        ticket=t.ticket,
        kind=t.link.kind if t.link else "work",
        root=root.ticket,
        at=made.ready_seq if made and not t.link else t.order,
        stage=_stage(t),
        ok=t.outcome in DONE,
        round=t.link.round if t.link else t.rounds,
        cycle=t.link.cycle if t.link else 0,
        head=head.plan if head else "",
        head_policy=head.policy if head else "",
        head_stands=_stands(head),
        made=made.plan if made else "",
        made_policy=made.policy if made else "",
        made_stands=_stands(made),
        level=made.level if made else 0,
        wanted=t.spec.review,
        verdict=read.verdict if read else "",
        reviewed=read.commit if read else "",
        fired=tuple(kind for kind in FIRED if key(kind, root.ticket, commit) in state.ledger),
        escalated=bool(root.escalated),
        preset=_preset(state, t, made),
        why=t.why,
    )


def over(state: State, member: Ticket) -> bool:
    """Whether a review or repair is of a chain that goes no further whatever becomes of it: its root was dropped or
    sent back or has no file any more, or what became of the plan that it is about waits for nobody."""
    if not member.link:
        return False
    root, head = state.tickets[member.link.root], state.plans[member.link.head]
    if root.phase in ("dropped", "gone") or root.rounds != member.link.round:
        return True
    return queue.present(state, head).state not in ("waiting", "approved", "landing", "undoing")


def _stage(t: Ticket) -> Stage:
    if t.phase in ("dropped", "gone"):
        return "dropped" if t.dropped or t.phase == "dropped" else "gone"
    if t.in_flight:
        return "busy"
    return "queued" if t.phase == "queued" or queue.taken_again(t) else "ended"


def _stands(plan: Plan | None) -> Standing:
    if plan is None:
        return ""
    if plan.state == "waiting":
        return "waits"
    return "moving" if plan.state in ("approved", "landing", "undoing") else "gone"


def _preset(state: State, t: Ticket, made: Plan | None) -> str:
    """Who made its plan, or works on it."""
    names = made.sessions if made else (t.session,) if t.session else ()
    return next((s.preset for name in names if (s := state.sessions.get(name))), "")
