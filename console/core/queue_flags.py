"""What keeps a green from being plain DONE, and what reviews make of it: flags, and outcomes told again. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from console.core import events as ev
from console.core import queue
from console.core.chains import key
from console.core.commits import Plan, short
from console.core.records import Assessment, Outcome
from console.core.records_chains import Review
from console.core.state import State
from console.core.tickets import DONE, OVER, Ticket

FLAGGING = ("tests", "hook", "repository", "gate", "ticket", "secret")
"""Kinds of findings that keep a green from being plain DONE."""
BLOCKED = "the review said BLOCK"
UNSEEN = "it repairs what a review blocked, and nobody has reviewed the repair"
WHY_KEPT = 300
"""Characters of the reason why a chain ended that a flag repeats."""


def flags_of(
    assessment: Assessment | None,
    reviews: tuple[Review, ...] = (),
    *,
    chains_on: bool = True,
    mends: bool = False,
    escalated: str = "",
    outdated: str = "",
) -> tuple[str, ...]:
    """Facts that keep a green from being plain DONE. reviews: of exactly this plan. mends: it replaces a plan that a
    review blocked. escalated: why its chain went no further. outdated: why what it was judged on will not land."""
    said = decisive(reviews)
    found = [BLOCKED] if said and said.verdict == "BLOCK" else []
    if escalated and not (said and said.verdict == "SHIP"):
        found.append(escalated[:WHY_KEPT])
    if outdated:
        found.append(outdated)
    findings = assessment.findings if assessment else ()
    found += [f.text for f in findings if f.kind in FLAGGING and f.level != "info"]
    if mends and not said:
        found.append(UNSEEN)
    if assessment and assessment.level > 2 and not said:
        risks = [f.text for f in findings if f.kind == "risk" and f.level == "high"]
        off = "" if chains_on else " (chains are off)"
        unseen = f"risk level {assessment.level}, and nobody has reviewed it{off}"
        found.append(unseen + (f": {risks[0]}" if risks else ""))
    return tuple(found)


def decisive(reviews: tuple[Review, ...]) -> Review | None:
    """The last review that could be read."""
    return next((r for r in reversed(reviews) if r.verdict), None)


def plan_flags(state: State, plan: Plan) -> tuple[str, ...]:
    """The flags of a plan that is known."""
    policy = state.policies[plan.policy]
    root = root_of(state, state.tickets.get(policy.spec.ticket))
    over = root is not None and key("escalate", root.ticket, plan.plan) in state.ledger
    return flags_of(
        plan.assessment,
        plan.reviews,
        chains_on=state.chains_on,
        mends=bool(policy.spec.replaces),
        escalated=root.escalated if root and over else "",
        outdated=outdated(state, plan.frozen.base),
    )


def outdated(state: State, base: str) -> str:
    """Why work with this base was made and judged on something that a repair has replaced, "" when it was not. What is
    rebased onto the repair, as it is at the latest when it lands, is judged again."""
    plan, seen = state.plans.get(base), {""}
    while plan and plan.plan not in seen:
        seen.add(plan.plan)
        if _mended(state, plan):
            return f"it was made and judged on {short(plan.plan)}, which a repair replaced"
        plan = state.plans.get(plan.frozen.base)
    return ""


def _mended(state: State, plan: Plan) -> bool:
    """Whether a repair took its place, or that of what it became on a branch that moved."""
    while later := state.plans.get(plan.successor):
        if state.policies[later.policy].spec.replaces == plan.plan:
            return True
        plan = later
    return False


# -- whose plan it is ------------------------------------------------------------------------------------


def root_of(state: State, t: Ticket | None) -> Ticket | None:
    """The ticket that was implemented: itself, or that of its chain."""
    return state.tickets.get(t.link.root) if t and t.link else t


def owners(state: State, policy: str, plan: str) -> tuple[Ticket, ...]:
    """The tickets whose outcome a plan is: the one that made it, and the root that it was repaired for."""
    p = state.policies.get(policy)
    maker = state.tickets.get(p.spec.ticket) if p and p.spec.ticket else None
    if maker is None:
        return ()
    root = root_of(state, maker)
    if root is None or root is maker or not _stands_for(state, root, plan):
        return (maker,)
    return (maker, root)


def _stands_for(state: State, root: Ticket, plan: str) -> bool:
    """Whether a plan is what became of the root's own."""
    return root.phase in OVER and root.plan in state.plans and _present(state, root) == plan


def _present(state: State, t: Ticket) -> str:
    return queue.present(state, state.plans[t.plan]).plan


# -- told again ------------------------------------------------------------------------------------------


def retold(state: State, commit: str) -> Iterator[ev.Fact]:
    """The outcomes of a plan that waits, as they are after what a review, or the end of its chain, says of it."""
    plan = state.plans.get(commit)
    if plan is None or plan.state != "waiting":
        return
    flags, said = plan_flags(state, plan), decisive(plan.reviews)
    if not flags and not said:
        return
    by = f"{said.preset} reviewed it" if said and said.preset else "it was reviewed"
    outcome: Outcome = "DONE_LOW_CONFIDENCE" if flags else "DONE"
    why = flags[0] if flags else f"green, and {by}: SHIP"
    for t in owners(state, plan.policy, plan.plan):
        theirs = t.phase in OVER and t.outcome in DONE and t.plan in state.plans and _present(state, t) == commit
        if theirs and (t.outcome, t.why, t.flags) != (outcome, why, flags):
            yield queue.outcome(state, t, outcome, why, plan=t.plan, flags=flags)
            return  # that end brings up the next one: each is told once


def told_before(state: State, t: Ticket, plan: str) -> bool:
    """Whether an outcome with this plan only says more about work that had ended already."""
    known = state.plans.get(plan)
    root = t.link.root if t.link else t.ticket
    if known is None:
        return False
    moved = t.before in DONE and bool(outdated(state, known.frozen.base))
    return bool(moved or known.reviews or key("escalate", root, plan) in state.ledger)
