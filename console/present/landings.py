"""What has landed, in words: of a ticket whose work lies on its branch, and the latest landing of all. Pure.
Whether a landing can be taken back is known only where git is asked; nothing here guesses it.
"""

from __future__ import annotations

from console.core import queue
from console.core.commits import Plan, short
from console.core.state import State
from console.core.tickets import Ticket
from console.present import ages
from console.present.text import clean

_WAITS = " is green on exactly what waits to be committed"
"""What the log says of a green end: true only as long as the plan waits."""


def of_ticket(state: State, t: Ticket) -> Plan | None:
    """The plan of an ended ticket (or what a repair made of it) that has landed; None otherwise."""
    known = state.plans.get(t.plan) if t.phase == "ended" else None
    now = queue.present(state, known) if known else None
    return now if now and now.state == "landed" else None


def settled(state: State, kind: str, name: str) -> Plan | None:
    """The landed plan behind a policy, a session or a ticket that is shown; of several the one that landed last."""
    match kind:
        case "ticket":
            t = state.tickets.get(name)
            return of_ticket(state, t) if t else None
        case "policy":
            return latest(state, policy=name)
        case "session":
            return latest(state, session=name)
        case _:
            return None


def latest(state: State, *, policy: str = "", session: str = "") -> Plan | None:
    """What landed last, of all or of one policy or session."""
    found = [
        p
        for p in state.plans.values()
        if p.state == "landed" and policy in ("", p.policy) and (not session or session in p.sessions)
    ]
    return max(found, key=lambda p: p.landed_at, default=None)


def last_settled(state: State) -> Plan | None:
    """The last plan that landed or was rejected, as long as its policy has no later one."""
    rejected = [p for p in state.plans.values() if p.state == "rejected" and state.policies[p.policy].plan == p.plan]
    found = [*rejected, *filter(None, [latest(state)])]
    return max(found, key=lambda p: p.landed_at or p.changed_at, default=None)


def question(state: State, p: Plan) -> str:
    """What exactly would be taken back: `ticket T-7; landed on main as 1a2b3c4d5e at 01:04`."""
    names = sorted({t for s in p.sessions if s in state.sessions and (t := state.sessions[s].ticket)})
    whose = f"ticket {', '.join(names)}" if names else f"session {', '.join(p.sessions)}"
    when = landed(p, state.at) if p.state == "landed" else f"rejected at {ages.moment(p.changed_at, state.at)}"
    return f"{clean(whose, limit=100)}; {when}"


def landed(p: Plan, now: float = 0.0) -> str:
    """`landed on main as 1a2b3c4d5e at 01:04`. now: Unix seconds; another day than that is told with its date."""
    branch = clean(p.frozen.ref.removeprefix("refs/heads/"), limit=100)
    when = f" at {ages.moment(p.landed_at, now or p.landed_at)}" if p.landed_at else ""
    return f"landed on {branch} as {short(p.to_land.commit)}{when}"


def why(state: State, t: Ticket, now: float = 0.0) -> str:
    """Why an ended ticket stands where it stands: what has landed waits for nothing any more."""
    known = state.plans.get(t.plan)
    plan = queue.present(state, known) if known else None
    gate = t.why.removesuffix(_WAITS)
    if plan is None or plan.state in ("waiting", "approved", "landing"):
        return clean(t.why, limit=300)
    if plan.state != "landed":
        said = f"{gate} was green on it" if gate != t.why else t.why
        return clean(f"its plan is {plan.state}; {said}" if gate != t.why else t.why, limit=300)
    said = f"{gate} was green on exactly that" if gate != t.why else f"doubtful: {t.why}" if t.why else ""
    return clean("; ".join(part for part in (landed(plan, now), said) if part), limit=300)
