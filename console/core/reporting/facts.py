"""What the report says of one thing, fact by fact, and what can be done about it. Pure.

Facts come from the log and from git only. What an agent worded (the question it parked with, the readings it offered,
how it says that its turn failed) is marked.
"""

from __future__ import annotations

from console.core import drain, queue
from console.core.alerts import Alert
from console.core.commits import Plan, short
from console.core.decisions import Parked
from console.core.reporting import actions, stacking, standing
from console.core.reporting.actions import Action
from console.core.reporting.records import Said
from console.core.sessions import Session
from console.core.state import State
from console.core.tickets import DONE, Failure, Ticket

BEHIND_SHOWN = 8
FINDINGS_SHOWN = 6
LOST = stacking.DEAD
DECIDED = "landed", "approved", "landing", "undoing"
"""States of a plan that a person has approved, as long as that holds."""


def plan_of(state: State, t: Ticket) -> Plan | None:
    """The plan of its last end, or the one that took its place."""
    plan = state.plans.get(t.plan)
    return queue.present(state, plan) if plan else None


def why(state: State, t: Ticket) -> tuple[Said, ...]:
    flags = (Said(name="flag", text=flag) for flag in t.flags if flag != t.why)
    return (Said(name="why", text=t.why, agent=_quotes(state, t, t.why)), *flags)


def _quotes(state: State, t: Ticket, text: str) -> bool:
    """Whether a reason holds words that its agent or worker chose: then it is shown as theirs, not as ours."""
    s = state.sessions.get(t.session)
    turn = s.turn if s else None
    said = [turn.detail, "" if turn.ok else turn.stop] if turn else []
    said += [f.why for f in t.failures if f.cause == "agent"]
    claimed = bool(s and s.launch.protocol == "external" and t.outcome == "BLOCKED_ENV")
    return claimed or any(part and part in text for part in said)


def keeper(state: State, t: Ticket, failure: Failure) -> tuple[str, str]:
    """(session, snapshot) with the work of a failed attempt, "" and "" when none is known."""
    mine = [s for name in t.sessions if (s := state.sessions.get(name))]
    if failure.kept:
        found = (s.session for s in mine if any(one.snapshot == failure.kept for one in s.snapshots))
        return next(found, t.session), failure.kept
    return _last_kept(mine[-1]) if mine and failure == t.failures[-1] else ("", "")


def _last_kept(s: Session) -> tuple[str, str]:
    """Of the rollback that ended its last attempt: what was there before it."""
    kept = [one.snapshot for one in s.snapshots if not one.turn]
    return (s.session, kept[-1]) if kept else ("", "")


def kept(state: State, t: Ticket) -> tuple[Said, ...]:
    """Where the work of failed attempts is kept."""
    found = [(f.attempt, *keeper(state, t, f)) for f in t.failures]
    return tuple(
        Said(name="kept", text=f"the work of attempt {attempt} is snapshot {short(snapshot)} of {session}")
        for attempt, session, snapshot in found
        if snapshot
    )


def decision_facts(state: State, d: Parked) -> tuple[Said, ...]:
    agents = d.source in ("agent", "question")
    held = standing.held_back(state, d)
    more = f" and {len(held) - BEHIND_SHOWN} more" if len(held) > BEHIND_SHOWN else ""
    kind = "quarantined behind it" if d.foundational else "waits behind it"
    return (
        Said(name="why", text=d.why),
        Said(name="question", text=d.question, agent=agents),
        *(
            Said(name=f"reading {number}", text=o.text, agent=o.source == "agent")
            for number, o in enumerate(d.options, 1)
        ),
        *(Said(name="evidence", text=line) for line in d.evidence),
        *([Said(name=kind, text=f"{len(held)}: {', '.join(held[:BEHIND_SHOWN])}{more}")] if held else []),
    )


def findings(plan: Plan | None, told: tuple[str, ...] = ()) -> tuple[Said, ...]:
    """What is grave about its diff. told: what has been said already, unless the finding names a place."""
    if not plan or not plan.assessment:
        return ()
    grave = [f for f in plan.assessment.findings if f.level != "info" and (f.path or f.text not in told)]
    shown = [
        Said(name=f.level, text=f.text + (f" ({f.path}{f':{f.line}' if f.line else ''})" if f.path else ""))
        for f in grave[:FINDINGS_SHOWN]
    ]
    more = len(grave) - len(shown)
    return (*shown, *([Said(name="and", text=f"{more} more; the plan shows them")] if more > 0 else []))


def plan_facts(state: State, t: Ticket, plan: Plan | None) -> tuple[Said, ...]:
    base = (Said(name="base", text=f"{short(t.base)}{f' ({t.place})' if t.place else ''}"),) if t.base else ()
    if not plan:
        return (Said(name="plan", text="none: nothing differs from its base"), *base) if t.outcome in DONE else base
    count = len(plan.frozen.paths)
    size = f"{count} file{'s' * (count != 1)} +{plan.frozen.added} -{plan.frozen.removed}"
    branch = plan.frozen.ref.removeprefix("refs/heads/")
    what = f"commit {plan.to_land.commit} on {branch}" if plan.state == "landed" else f"{short(plan.plan)} for {branch}"
    level = f", level {plan.level}" if plan.level > 1 else ""
    why = f": {plan.reason}" if plan.reason and plan.state != "landed" else ""
    told = Said(name="plan", text=f"{plan.state}, {what}, {size}{level}{why}")
    return (told, *stacked(state, plan), *_without_ticket(t), *base)


def stacked(state: State, plan: Plan) -> tuple[Said, ...]:
    """What must land before it can (ruling 6), or that it cannot."""
    told = stacking.obstacle(state, plan)
    return (Said(name="stacked on", text=told),) if told else ()


def _without_ticket(t: Ticket) -> tuple[Said, ...]:
    """What became of the ticket since its work was done."""
    if t.phase == "gone":
        return (Said(name="ticket", text=f"its file {t.file} is not there any more"),)
    return (Said(name="ticket", text="dropped since"),) if t.phase == "dropped" else ()


def plan_actions(state: State, t: Ticket, plan: Plan | None) -> tuple[Action, ...]:
    if plan and plan.state == "waiting":
        return waiting_actions(state, t, plan)
    if plan and plan.state not in LOST:
        branch = plan.frozen.ref.removeprefix("refs/heads/")
        merge = Action(
            says="merge it, in the order below", command=f"git merge --no-ff --no-edit {actions.word(branch)}"
        )
        return (merge,) if plan.state == "landed" and branch.startswith("nightdesk/") else ()
    return (actions.show_ticket(t), actions.requeue(t))


def waiting_actions(state: State, t: Ticket | None, plan: Plan) -> tuple[Action, ...]:
    """The key that lands it, only where it would; else what has to be done instead."""
    show, below = actions.show_plan(plan), stacking.under(state, plan)
    if not below:
        return (show, actions.approve(plan), actions.reject(plan))
    if not stacking.never(below):
        first = Action(says=f"approve plan {short(below.plan)} first", command=actions.approve(below).command)
        return (show, first) if below.state == "waiting" else (show,)
    if t and t.phase != "gone":
        return (show, actions.requeue(t, "what it builds on never lands: work on it again"))
    return (show, actions.reject(plan))


def failure_facts(state: State, t: Ticket) -> tuple[Said, ...]:
    """Each attempt with its cause and where its work is kept."""
    told: list[Said] = []
    for f in t.failures:
        session, snapshot = keeper(state, t, f)
        where = f"; its work is kept as snapshot {short(snapshot)} of {session}" if snapshot else ""
        told.append(Said(name=f"attempt {f.attempt}", text=f"{f.cause}: {f.why}{where}", agent=f.cause == "agent"))
    left = f", in {t.worktree}" if t.worktree else ""
    at = (Said(name="session", text=f"{t.session}{left}"),) if t.session else ()
    return (*why(state, t), *told, *at)


def failure_actions(state: State, t: Ticket) -> tuple[Action, ...]:
    session, snapshot = keeper(state, t, t.failures[-1]) if t.failures else ("", "")
    look = (
        Action(says="see its work", command=f"nightdesk snapshot diff {actions.word(session)} {short(snapshot)}")
        if snapshot
        else actions.show_ticket(t, "see what it did")
    )
    if t.outcome != "FAILED_RETRYABLE":
        return look, actions.requeue_told(t)
    by_itself = "; the next run takes it by itself, too" if queue.taken_again(t) else ""
    return look, actions.requeue(t, f"try again{by_itself}")


def since_facts(state: State, r: drain.Run, t: Ticket) -> tuple[Said, ...]:
    if later := _later(state, r, t):
        return (Said(name="since", text=f"taken again by {later[-1]}, whose report tells of it"),)
    if overruled(state, t):
        told = Said(name="since", text="a person lets it land as it is")
        return (told, *why(state, t), *plan_facts(state, t, plan_of(state, t)))
    if t.phase == "queued" and (d := _answered(state, t)) and t.ticket in r.outcomes:
        agents = bool(d.choice and d.options[d.choice - 1].source == "agent")
        return (
            Said(name="since", text=f"{d.decision} answered, queued again"),
            Said(name="answer", text=d.answer, agent=agents),
        )
    if t.phase == "queued":
        was = "queued again" if t.ticket in r.outcomes else "begun, then put back into the queue as the run ended"
        return (Said(name="since", text=was), *kept(state, t))
    how = f"{t.phase}{': ' + t.why if t.why else ''}"
    return (Said(name="since", text=how, agent=_quotes(state, t, how)),)


def overruled(state: State, t: Ticket) -> bool:
    """Whether a person let its work land although it was in doubt: that is over, and makes it no more trustworthy."""
    plan = plan_of(state, t)
    return bool(t.outcome == "DONE_LOW_CONFIDENCE" and plan and plan.state in DECIDED)


def _answered(state: State, t: Ticket) -> Parked | None:
    """The decision that was answered last, when its answer is what queued the ticket again."""
    mine = [d for d in state.decisions.values() if d.ticket == t.ticket and d.state == "answered"]
    return max(mine, key=lambda d: d.answered_at) if mine and t.answers else None


def since_actions(state: State, r: drain.Run, t: Ticket) -> tuple[Action, ...]:
    if later := _later(state, r, t):
        return (Action(says="see how it went", command=f"nightdesk report --run {actions.word(later[-1])}"),)
    if overruled(state, t):
        return plan_actions(state, t, plan_of(state, t))
    if t.phase == "queued":
        ready = standing.of(state, t).state == "ready"
        return (actions.start("the next run takes it") if ready else actions.show_ticket(t, "see why it waits"),)
    if t.phase == "gone":
        return (Action(says="put its file back if it is still wanted"),)
    return (actions.requeue(t, "if it is still wanted"),) if t.phase == "dropped" else (actions.show_ticket(t),)


def _later(state: State, r: drain.Run, t: Ticket) -> list[str]:
    """The later runs that took it again."""
    return [o.run for o in state.runs.values() if o.seq > r.seq and (t.ticket in o.claimed or t.ticket in o.outcomes)]


def alert_facts(a: Alert) -> tuple[Said, ...]:
    shown = [Said(name=c.severity, text=c.item + (f"; {c.cure}" if c.cure else "")) for c in a.changes[:FINDINGS_SHOWN]]
    more = len(a.changes) - len(shown)
    return (*shown, *([Said(name="and", text=f"{more} more")] if more > 0 else []))


def plan_alone(p: Plan) -> tuple[Said, ...]:
    branch = p.frozen.ref.removeprefix("refs/heads/")
    return (Said(name="plan", text=f"{p.state}, {short(p.plan)} for {branch}, level {p.level}"),)
