"""What of our files the state still needs: of sessions, plans, policies and tickets that are not over, or whose end can
still be taken back. Pure; says nothing of age or size."""

from __future__ import annotations

from collections.abc import Iterable

from console.core import commits, policies
from console.core.records import Record
from console.core.sessions import Session
from console.core.state import State
from console.core.tickets import DONE, Ticket

OVER = frozenset({"landed", "rejected", "void", "superseded"})
"""States of a plan in which nobody waits for it."""


class Needed(Record, frozen=True, kw_only=True):
    """Ids whose files stay. digests: of the texts of tickets. closed: plans that are over, with the time of that; those
    that have landed also with what tells whether the approval can be taken back: `State.plans` has them."""

    sessions: frozenset[str] = frozenset()
    policies: frozenset[str] = frozenset()
    tickets: frozenset[str] = frozenset()
    digests: frozenset[str] = frozenset()
    closed: tuple[commits.Plan, ...] = ()
    tips: frozenset[str] = frozenset()


def needed(state: State) -> Needed:
    """tips: where branches stood under plans that stay."""
    tickets = {t.ticket: t for t in state.tickets.values() if _open(state, t)}
    plans = _with_bases(state, {p.plan for p in state.plans.values() if _waits(state, p)} | _under(state, tickets))
    kept = [state.plans[name] for name in plans]
    own = {name for p in kept if (name := state.policies[p.policy].spec.ticket)}
    tickets |= {name: state.tickets[name] for name in own if name in state.tickets}
    judged = {p.policy: p for p in state.policies.values() if p.status in policies.OPEN}
    judged |= {p.policy: state.policies[p.policy] for p in kept}
    judged |= {p.policy: p for p in state.policies.values() if p.spec.ticket in tickets}
    used = {name for p in judged.values() for name in p.spec.sessions} | {name for p in kept for name in p.sessions}
    used |= {name for t in tickets.values() for name in (t.session, *t.sessions)}
    used |= {s.session for s in state.sessions.values() if _lives(s)}
    texts = [t for t in state.tickets.values() if t.phase != "gone" or t.ticket in tickets]
    return Needed(
        sessions=frozenset(used),
        policies=frozenset(judged),
        tickets=frozenset(tickets),
        digests=frozenset(digest for t in texts for digest in (t.digest, t.pinned)),
        closed=tuple(p for p in state.plans.values() if p.plan not in plans),
        tips=frozenset(p.frozen.ref_old for p in kept),
    )


def snapshots(state: State) -> frozenset[str]:
    """Those that somebody may still ask for, and the work of attempts that failed."""
    open_ = [t for t in state.tickets.values() if _open(state, t)]
    theirs = {name for t in open_ for name in (t.session, *t.sessions)}
    used = [s for s in state.sessions.values() if not s.stopped or s.session in theirs]
    kept = {failure.kept for t in open_ for failure in t.failures if failure.kept}
    return frozenset(one.snapshot for s in used for one in s.snapshots) | {s.first_snapshot for s in used} | kept


def _lives(s: Session) -> bool:
    return s.phase != "exited" or bool(s.rollback)


def _open(state: State, t: Ticket) -> bool:
    """It is not over, its decision can be taken back, or it did not end well and nobody has requeued or dropped it."""
    asked = state.decisions.get(t.decision)
    return _waits_for_a_person(t) or bool(asked and asked.state != "closed") or bool(t.reopens)


def _waits_for_a_person(t: Ticket) -> bool:
    return t.phase not in ("dropped", "gone") and not (t.phase == "ended" and t.outcome in DONE)


def _waits(state: State, p: commits.Plan) -> bool:
    """It is not over, or the rejection can be taken back: it is the latest of its policy and no turn has followed."""
    if p.state != "rejected":
        return p.state not in OVER
    latest = state.policies[p.policy].plan == p.plan
    later = any((s := state.sessions.get(n)) and s.turn and s.turn.end_seq > p.ready_seq for n in p.sessions)
    return latest and not later


def _under(state: State, tickets: Iterable[str]) -> set[str]:
    """The plans that tickets which are not over stand on, or may."""
    found: set[str] = set()
    for name in tickets:
        t = state.tickets[name]
        found |= {t.plan, *t.stacked_on}
        found |= {state.tickets[other].plan for other in t.spec.depends_on if other in state.tickets}
    return found & state.plans.keys()


def _with_bases(state: State, plans: set[str]) -> set[str]:
    """Also the plans whose objects they stand on."""
    todo, found = list(plans), set(plans)
    while todo:
        plan = state.plans[todo.pop()].frozen
        under = {plan.base, *(store.rstrip("/").split("/")[-2] for store in plan.stores if "/" in store.strip("/"))}
        fresh = (under & state.plans.keys()) - found
        found |= fresh
        todo += fresh
    return found
