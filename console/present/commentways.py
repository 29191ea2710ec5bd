"""Where comments on a plan can go, and what each way does to the plan that waits: said before a key sends anything.

It words what the brain will do; whether it does that the brain decides when the command comes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from console.core import queue
from console.core.commits import Plan
from console.core.sessions import Session
from console.core.state import State
from console.core.tickets import Ticket
from console.present import sessionwords
from console.present.text import clean


@dataclass(frozen=True, slots=True)
class Way:
    """how: `prompt` a session or `requeue` a ticket, by its name. does: what the agent gets. then: what becomes of the
    plan and of what builds on it."""

    how: Literal["prompt", "requeue"]
    name: str
    does: str
    then: str

    @property
    def id(self) -> str:
        return f"{self.how}:{self.name}"


def ways(state: State, p: Plan) -> tuple[list[Way], list[str]]:
    """All that are open now, the one that keeps most first; and why the others are not."""
    found: list[Way] = []
    shut: list[str] = []
    for name in p.sessions:
        if (s := state.sessions.get(name)) is None:
            continue
        if why := _unpromptable(state, s):
            shut.append(why)
        else:
            found.append(Way("prompt", name, _prompting(s), _superseding(state, p, s)))
    policy = state.policies.get(p.policy)
    t = state.tickets.get(policy.spec.ticket) if policy and policy.spec.ticket else None
    if t and (why := _unrequeueable(state, p, t)):
        shut.append(why)
    elif t:
        does = f"queue {clean(t.ticket, limit=60)} again with these words: its work begins anew"
        found.append(Way("requeue", t.ticket, does, _voiding(state, p)))
    return found, shut


def _unpromptable(state: State, s: Session) -> str:
    if why := sessionwords.not_promptable(s):
        return why
    t = queue.occupied(state, s.worktree) if s.ticket else None
    if t and t.session != s.session:
        return f"{clean(t.ticket, limit=60)} is being worked on in the worktree of {s.session}"
    return ""


def _prompting(s: Session) -> str:
    if s.phase in ("working", "awaiting-input"):
        return f"prompt {s.session}: it gets them as soon as turn {s.turns} has ended"
    started = ", its agent is started again" if s.phase in ("suspended", "exited") else ""
    return f"prompt {s.session}: it goes on from here and remembers what it did{started}"


def _superseding(state: State, p: Plan, s: Session) -> str:
    if p.state != "waiting":
        return _stays(p)
    return f"the plan that waits is superseded when that turn of {s.session} ends, and the work is judged anew" + _also(
        state, p
    )


def _voiding(state: State, p: Plan) -> str:
    if p.state != "waiting":
        return _stays(p)
    return "the plan that waits becomes void at once, which cannot be taken back" + _also(state, p)


def _stays(p: Plan) -> str:
    return f"this plan stays {p.state}"


def _also(state: State, p: Plan) -> str:
    names = [clean(t.ticket, limit=40) for t in queue.builds_on(state, p.plan)]
    return f"; {', '.join(names[:5])}, built on it, begins anew, too" if names else ""


def _unrequeueable(state: State, p: Plan, t: Ticket) -> str:
    name = clean(t.ticket, limit=60)
    if t.link:
        return f"{name} is a review or repair: it begins anew only with {clean(t.link.root, limit=60)}"
    if t.policy != p.policy:
        return f"{name} has been worked on anew since this plan"
    if p.state in ("approved", "landing", "undoing"):
        return f"this plan is {p.state} right now"
    if t.phase in ("ended", "dropped"):
        return ""
    return f"{name} is {'under way' if t.in_flight else t.phase}"
