"""Reviews and repairs as the report tells of them: with the ticket they are about, and in sums of their own. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from console.core import drain, queue
from console.core.commits import Plan, short
from console.core.queue_judged import MOOT
from console.core.reporting.facts import plan_of
from console.core.reporting.records import ChainEnd, ChainMember, ChainSums, ChainWord, Said
from console.core.state import State
from console.core.tickets import FAILED, PARKED, Ticket

REVIEWS: tuple[ChainWord, ...] = ("SHIP", "BLOCK", "unreadable")
LASTING: tuple[ChainWord, ...] = ("failed", "parked", "blocked", "under way", "queued", "withdrawn")
OPEN: frozenset[ChainWord] = frozenset({"under way", "queued", "parked", "blocked"})
"""Not over yet, or waiting for a person."""
REPAIRS: tuple[ChainWord, ...] = ("repaired", "unused", "changed nothing")


def members(state: State, root: str) -> tuple[Ticket, ...]:
    """Every review and repair of a ticket, oldest first, those of earlier rounds included."""
    found = (t for t in state.tickets.values() if t.link and t.link.root == root)
    return tuple(sorted(found, key=lambda t: t.order))


def families(state: State) -> dict[str, tuple[Ticket, ...]]:
    """All of them by the ticket that they are about; one walk for a whole report."""
    found: dict[str, list[Ticket]] = {}
    for t in state.tickets.values():
        if t.link:
            found.setdefault(t.link.root, []).append(t)
    return {root: tuple(sorted(group, key=lambda t: t.order)) for root, group in found.items()}


def word(t: Ticket) -> ChainWord:
    """How a review or repair stands."""
    if t.phase in ("dropped", "gone"):
        return "withdrawn"
    if t.in_flight or t.phase == "queued" or queue.taken_again(t):
        return "under way" if t.in_flight else "queued"
    if t.outcome in PARKED or t.outcome == "BLOCKED_ENV":
        return "parked" if t.outcome in PARKED else "blocked"
    if t.link and t.link.kind == "repair":
        return _repaired(t)
    if t.review:
        return t.review.verdict or "unreadable"
    return "failed"


def _repaired(t: Ticket) -> ChainWord:
    if t.outcome in FAILED or t.plan:
        return "repaired" if t.plan else "failed"
    return "unused" if t.why.startswith(MOOT) else "changed nothing"


def preset(state: State, t: Ticket) -> str:
    """Who did it: the preset of its last session; "" when none has begun."""
    s = state.sessions.get(t.session)
    return (t.review.preset if t.review else "") or (s.preset if s else "")


def told(state: State, t: Ticket) -> ChainMember:
    assert t.link
    return ChainMember(
        ticket=t.ticket,
        kind=t.link.kind,
        cycle=t.link.cycle,
        round=t.link.round,
        head=t.link.head,
        word=word(t),
        outcome=t.outcome,
        preset=preset(state, t),
        why=t.review.why if t.review else t.why,
        plan=t.plan,
        decision=t.decision,
    )


# -- the sums of a run -----------------------------------------------------------------------------------


def of_run(state: State, r: drain.Run) -> tuple[Ticket, ...]:
    """The members that the run dealt with, or that were called for while it lasted."""
    dealt = {*r.claimed, *r.outcomes}
    found = []
    for t in state.tickets.values():
        during = t.order >= r.seq and not (r.end_seq and t.order > r.end_seq)
        if t.link and (t.ticket in dealt or during):
            found.append(t)
    return tuple(sorted(found, key=lambda t: t.order))


def sums(state: State, r: drain.Run) -> ChainSums | None:
    """None when no review or repair was called for in it. Those that a later run took count as they stand now."""
    found = of_run(state, r)
    if not found:
        return None
    by_kind = {kind: Counter(word(t) for t in found if t.link and t.link.kind == kind) for kind in ("review", "repair")}
    roots = [
        state.tickets[name] for name in dict.fromkeys(t.link.root for t in found if t.link) if name in state.tickets
    ]
    return ChainSums(
        reviews=_ordered(by_kind["review"], REVIEWS),
        repairs=_ordered(by_kind["repair"], REPAIRS),
        shipped=tuple(t.ticket for t in roots if end(t, plan_of(state, t)) == "shipped"),
        escalated=tuple(t.ticket for t in roots if end(t, plan_of(state, t)) == "escalated"),
    )


def _ordered(counted: Counter[ChainWord], first: Sequence[ChainWord]) -> dict[ChainWord, int]:
    return {name: counted[name] for name in (*first, *LASTING) if counted[name]}


# -- the chain of one ticket -----------------------------------------------------------------------------


def end(t: Ticket, plan: Plan | None) -> ChainEnd:
    """What its chain came to, as far as that still matters: "" when there is none, or it goes on, or its plan is not
    waiting any more."""
    if not plan or plan.state != "waiting":
        return ""
    if t.escalated:
        return "escalated"
    return "shipped" if t.shipped and t.shipped == plan.plan else ""


def facts(state: State, t: Ticket, group: Sequence[Ticket], plan: Plan | None) -> tuple[Said, ...]:
    """Its chain in one line, and what the last reviewer found unless that said SHIP."""
    now = [m for m in group if m.link and m.link.round == t.rounds]
    if not now and not t.escalated:
        return ()
    steps = [_step(state, m) for m in now]
    if t.escalated:
        steps.append(f"escalated: {t.escalated}")
    elif end(t, plan) == "shipped":
        steps.append("ready for a person")
    earlier = len(group) - len(now)
    before = (f"{earlier} before it was sent back",) if earlier else ()
    return (Said(name="chain", text=", ".join((*before, *steps))), *_findings(now))


def _step(state: State, m: Ticket) -> str:
    assert m.link
    how, by = word(m), f" by {who}" if (who := preset(state, m)) else ""
    if m.link.kind == "repair":
        return f"repaired in cycle {m.link.cycle}" if how == "repaired" else f"repair of cycle {m.link.cycle}: {how}"
    said = {"SHIP": "SHIP", "BLOCK": "BLOCK", "unreadable": "no verdict"}.get(how)
    if said:
        return f"reviewed{by}: {said}"
    return f"review of cycle {m.link.cycle}{by}: {how}{_asks(m)}"


def _asks(m: Ticket) -> str:
    return f" ({m.decision})" if m.decision and m.outcome in PARKED else ""


def _findings(now: Sequence[Ticket]) -> tuple[Said, ...]:
    """In the last reviewer's words."""
    last = next((m.review for m in reversed(now) if m.review), None)
    if not last or last.verdict == "SHIP":
        return ()
    why = (Said(name="review", text=f"{short(last.commit)}: {last.why}"),) if not last.verdict else ()
    return (*why, *([Said(name="findings", text=last.findings, agent=True)] if last.findings.strip() else []))


def about(t: Ticket) -> str:
    """What a review or repair is about, in one line: `reviews 3f2a91c04d of rounding, cycle 1`."""
    if not t.link:
        return ""
    verb = "reviews" if t.link.kind == "review" else "repairs"
    again = f", round {t.link.round + 1}" if t.link.round else ""
    return f"{verb} {short(t.link.head)} of {t.link.root}, cycle {t.link.cycle}{again}"
