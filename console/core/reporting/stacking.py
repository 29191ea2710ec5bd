"""Whether a waiting plan can land now: its work may start from another plan, which lands first (DESIGN.md, ruling 6).
Pure."""

from __future__ import annotations

from console.core import queue
from console.core.commits import Plan, short
from console.core.state import State
from console.core.tickets import Ticket

DEAD = "void", "superseded", "rejected"
"""A plan in one of these states that nothing took the place of lands never."""


def owner(state: State, p: Plan) -> Ticket | None:
    """The ticket that a plan is of."""
    policy = state.policies.get(p.policy)
    return state.tickets.get(policy.spec.ticket) if policy else None


def root(state: State, t: Ticket) -> Ticket:
    """The ticket that a review or repair is about; any other ticket itself."""
    return state.tickets.get(t.link.root, t) if t.link else t


def under(state: State, p: Plan) -> Plan | None:
    """The plan that keeps this one from landing: one that lands never before one that has not landed yet; None when its
    own key may land it."""
    missing = _missing(state, p)
    return next((one for one in missing if never(one)), missing[0] if missing else None)


def _missing(state: State, p: Plan) -> list[Plan]:
    """Every plan below it that has not landed, the lowest first."""
    stack = (now for _, now in _stack(state, p))
    return [one for one in stack if one.state != "landed" and one.plan != p.plan]


def _stack(state: State, p: Plan) -> list[tuple[Plan, Plan]]:
    """Every plan that its work was started from, with what has become of it."""
    t = owner(state, p)
    names = t.stacked_on if t else ()
    return [(one, queue.present(state, one)) for name in names if (one := state.plans.get(name))]


def replaced(state: State, p: Plan) -> Plan | None:
    """The plan that its work really starts from where `under` is one that took its place since."""
    below = under(state, p)
    return next((old for old, now in _stack(state, p) if below and now == below and old.plan != now.plan), None)


def never(below: Plan) -> bool:
    return below.state in DEAD


def obstacle(state: State, p: Plan) -> str:
    """One sentence: what must land first, or that it cannot land any more and what to do; "" when nothing is in its
    way."""
    below = under(state, p)
    if p.state != "waiting" or not below:
        return ""
    if never(below):
        what = f"its work starts from plan {_named(state, below)}, which is {below.state}"
        if old := replaced(state, p):
            what = (
                f"its work starts from plan {short(old.plan)}, whose successor {_named(state, below)} is {below.state}"
            )
        return f"it can never land: {what}; {_instead(state, p)}"
    missing = _missing(state, p)
    names = ", ".join(_started(state, old, now) for old, now in _stack(state, p) if now in missing)
    return f"its work starts from {names}: to be approved first"


def _started(state: State, old: Plan, now: Plan) -> str:
    return _named(state, now) if old.plan == now.plan else f"{short(old.plan)}, in whose place {_named(state, now)} is"


def _named(state: State, p: Plan) -> str:
    t = owner(state, p)
    return f"{short(p.plan)} of {root(state, t).ticket if t else p.policy}"


def _instead(state: State, p: Plan) -> str:
    t = owner(state, p)
    return "queue its ticket again" if t and root(state, t).phase != "gone" else "reject it"
