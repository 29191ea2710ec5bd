"""The things of the report one by one: which section each belongs to, its facts, and the exact next action. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from console.core import drain, queue
from console.core.commits import Plan
from console.core.decisions import Parked
from console.core.reporting import actions, calls, chaining, facts, stacking, standing, tallying
from console.core.reporting.actions import Action
from console.core.reporting.history import Past
from console.core.reporting.records import SECTIONS, Item, Reason, Said, Section
from console.core.state import State
from console.core.tickets import DONE, FAILED, Ticket


def items(state: State, r: drain.Run, past: Past, *, latest: bool) -> tuple[Item, ...]:
    """Everything, ranked. latest: also what waits from before this run."""
    dealt = tallying.met(state, r)
    nudges = Counter[str]()
    for p in state.policies.values():
        nudges[p.spec.ticket] += p.retries
    groups = chaining.families(state)
    found = [
        _chained(state, _ticket(state, r, past, state.tickets[name], nudges[name]), groups.get(name, ()))
        for name in dealt
        if name in state.tickets
    ]
    asking = [t for t in chaining.of_run(state, r) if decision_of(state, t)]
    shown = _shown_for_chains(state, r, dealt)
    found += [_chained(state, _ticket(state, r, past, t, nudges[t.ticket]), groups[t.ticket]) for t in shown]
    found += [*_others(state, r), *_asked(state, asking)]
    if latest:
        told = {item.plan for item in found if item.section in ("look", "done")}
        known = {*dealt, *(t.ticket for t in asking)}
        found += [*_alerts(state), *_open_before(state, known), *_plans(state, set(dealt), told, groups)]
        found += [*calls.routines(state), *calls.channels(state)]
    return tuple(sorted(found, key=_rank))


def _shown_for_chains(state: State, r: drain.Run, dealt: Sequence[str]) -> list[Ticket]:
    """Tickets of an earlier run whose work was reviewed or repaired in this one and still stands."""
    links = (m.link for m in chaining.of_run(state, r))
    roots = dict.fromkeys(link.root for link in links if link and link.root not in dealt)
    found = (state.tickets[name] for name in roots if name in state.tickets)
    return [t for t in found if section(state, r, t) in ("look", "done")]


def _rank(item: Item) -> tuple[int, int, bool, float]:
    first = {"alert": 0, "routine": 0, "channel": 1}.get(item.kind, {"escalated": 1, "shipped": 2}.get(item.chain, 3))
    return SECTIONS.index(item.section), first, not item.foundational, item.since


# -- tickets ---------------------------------------------------------------------------------------------


def decision_of(state: State, t: Ticket) -> Parked | None:
    """Its open decision."""
    d = state.decisions.get(t.decision)
    return d if d and d.state == "open" else None


def section(state: State, r: drain.Run, t: Ticket) -> Section:
    """Where a ticket that the run dealt with belongs now."""
    if tallying.under_way(state, r, t.ticket):
        return "under-way"
    if not _stands(state, t) or _moved_on(state, r, t):
        return "since" if t.ticket in r.outcomes or t.phase != "queued" else "not-started"
    if decision_of(state, t):
        return "decide"
    if t.outcome == "BLOCKED_ENV":
        return "blocked"
    if t.outcome in FAILED:
        return "failed"
    if _doubtful(state, t, facts.plan_of(state, t)):
        return "look"
    return "since" if facts.overruled(state, t) else "done"


def _stands(state: State, t: Ticket) -> bool:
    """Whether its end still says how things are. Work that waits or has landed does so without its ticket's file."""
    plan = facts.plan_of(state, t)
    alive = bool(t.outcome in DONE and plan and plan.state not in facts.LOST)
    return t.phase == "ended" or (t.phase in ("gone", "dropped") and alive)


def _moved_on(state: State, r: drain.Run, t: Ticket) -> bool:
    later = (other for other in state.runs.values() if other.seq > r.seq)
    return any(t.ticket in other.claimed or t.ticket in other.outcomes for other in later)


def _doubtful(state: State, t: Ticket, plan: Plan | None) -> bool:
    if plan and plan.state in facts.DECIDED:
        return False  # a person has looked at it
    if t.outcome not in DONE or t.outcome == "DONE_LOW_CONFIDENCE":
        return True
    if queue.in_chain(state, t):
        return True  # its review is still to come
    below = stacking.under(state, plan) if plan else None
    stuck = bool(below and stacking.never(below))
    return stuck or bool(plan and (plan.level > 1 or plan.state in facts.LOST))


def _ticket(state: State, r: drain.Run, past: Past, t: Ticket, nudges: int) -> Item:
    where = section(state, r, t)
    d, plan = decision_of(state, t), facts.plan_of(state, t)
    said, todo = _told(state, r, t, where)
    end = past.ended.get(t.ticket, t.ended_at)
    begin = past.claimed.get(t.ticket, t.begun_at)
    return Item(
        section=where,
        kind="decision" if where == "decide" else "ticket",
        about=t.ticket,
        title=t.spec.title,
        outcome=r.outcomes.get(t.ticket),
        word=t.outcome or t.phase,
        since=d.at if d and where == "decide" else end if t.ticket in r.outcomes else t.since,
        seconds=max(0.0, end - begin) if begin and t.ticket in r.outcomes and t.ticket in r.claimed else 0.0,
        attempts=past.attempts[t.ticket] if past.told else len(t.failures) + (t.outcome in DONE),
        nudges=nudges,
        foundational=bool(d and d.foundational and where == "decide"),
        decision=d.decision if d else "",
        plan=plan.plan if plan else "",
        until=t.until if t.phase == "waiting" else 0.0,
        facts=said,
        actions=todo,
    )


def _chained(state: State, item: Item, group: Sequence[Ticket]) -> Item:
    """With its ticket's reviews and repairs."""
    t = state.tickets[item.about]
    plan = facts.plan_of(state, t)
    tells = item.section in ("decide", "look", "done") or facts.overruled(state, t)
    told = chaining.facts(state, t, group, plan) if tells else ()
    members = tuple(chaining.told(state, m) for m in group)
    end = chaining.end(t, plan)
    last = next((m for m in reversed(group) if m.review), None)
    read = (replace(actions.show_ticket(last, "read what was found"), key=""),) if last and end == "escalated" else ()
    todo = (*read, *item.actions)
    return replace(item, facts=(*item.facts, *told), actions=todo, chain=end, members=members)


def _told(state: State, r: drain.Run, t: Ticket, where: Section) -> tuple[tuple[Said, ...], tuple[Action, ...]]:
    plan, d = facts.plan_of(state, t), decision_of(state, t)
    why, kept = facts.why(state, t), facts.kept(state, t)
    match where:
        case "decide" if d:
            return (*facts.decision_facts(state, d), *kept), actions.answers(d)
        case "look":
            told = (t.why, *t.flags)
            return (*why, *facts.findings(plan, told), *facts.plan_facts(state, t, plan)), facts.plan_actions(
                state, t, plan
            )
        case "done":
            low = why if t.outcome != "DONE" else ()
            return (*low, *facts.plan_facts(state, t, plan)), facts.plan_actions(state, t, plan)
        case "blocked":
            return (*why, *kept), (actions.requeue(t, "when that is cured, work on it again"),)
        case "failed":
            return facts.failure_facts(state, t), facts.failure_actions(state, t)
        case "under-way":
            what = "waits for the end of a usage limit" if t.phase == "waiting" else t.phase
            now = Said(name="now", text=f"{what}, attempt {t.attempt}")
            return (now, *kept), (actions.show_ticket(t),)
        case _:
            return facts.since_facts(state, r, t), facts.since_actions(state, r, t)


def _others(state: State, r: drain.Run) -> Iterator[Item]:
    at_limit = queue.limits(state)
    for t in tallying.others(state, r):
        because = tallying.reason(state, r, t, at_limit)
        if because != "put aside":
            said, todo = _unstarted(state, t, because, at_limit)
            yield Item(
                section="not-started",
                kind="ticket",
                about=t.ticket,
                title=t.spec.title,
                word=because,
                since=t.since,
                reason=because,
                facts=said,
                actions=todo,
            )


def _unstarted(
    state: State, t: Ticket, because: Reason, at_limit: queue.Limits
) -> tuple[tuple[Said, ...], tuple[Action, ...]]:
    stands = standing.of(state, t, at_limit) if t.phase == "queued" else None
    if not stands or stands.state == "ready":
        return (), (actions.start("the next run takes it"),) if stands else ()
    why = (Said(name="why", text=stands.why),)
    d = state.decisions.get(stands.by)
    if because == "held":
        return why, (actions.release(t),)
    if d and d.state == "open":
        return why, (Action(says="answer the decision", key=actions.MORNING, command=_show(d)),)
    dep = state.tickets.get(stands.by)
    plan = facts.plan_of(state, dep) if dep else None
    if plan and plan.state == "waiting":
        return why, facts.waiting_actions(state, dep, plan)[1:]
    if because == "unknown dependency" or not dep:
        return (*why, Said(name="file", text=t.file)), (Action(says="edit its file: `depends_on` is wrong"),)
    return why, (actions.show_ticket(dep, "deal with that one first"),)


def _show(d: Parked) -> str:
    return f"nightdesk decision show {actions.word(d.decision)}"


# -- what is not of this run's tickets -------------------------------------------------------------------


def _alerts(state: State) -> Iterator[Item]:
    for a in state.alerts.values():
        if a.state != "settled":
            yield Item(
                section="look",
                kind="alert",
                about=a.alert,
                title="the git dir is not as you left it" + (": approvals are held" if a.blocks else ""),
                word="alert",
                since=a.at,
                facts=facts.alert_facts(a),
                actions=actions.alert(a.alert),
            )


def _open_before(state: State, dealt: set[str]) -> Iterator[Item]:
    """Decisions that are open from before, or from outside of a run."""
    for d in state.decisions.values():
        t = state.tickets.get(d.ticket)
        if d.state == "open" and d.ticket not in dealt:
            yield Item(
                section="decide",
                kind="decision",
                about=d.ticket,
                title=t.spec.title if t else d.ticket,
                word="open from before",
                since=d.at,
                foundational=d.foundational,
                decision=d.decision,
                facts=facts.decision_facts(state, d),
                actions=actions.answers(d),
            )


def _asked(state: State, asking: Sequence[Ticket]) -> Iterator[Item]:
    """Reviews and repairs of the run that wait for an answer; all else of them is told with their ticket."""
    for t in asking:
        d = decision_of(state, t)
        assert d
        yield Item(
            section="decide",
            kind="decision",
            about=t.ticket,
            title=stacking.root(state, t).spec.title,
            word=t.outcome or t.phase,
            since=d.at,
            foundational=d.foundational,
            decision=d.decision,
            facts=(Said(name="about", text=chaining.about(t)), *facts.decision_facts(state, d)),
            actions=actions.answers(d),
        )


def _plans(state: State, dealt: set[str], told: set[str], groups: Mapping[str, Sequence[Ticket]]) -> Iterator[Item]:
    """Every plan that waits and that no ticket's own item tells of, whatever has become of its ticket."""
    for p in state.plans.values():
        if p.state != "waiting" or p.plan in told:
            continue
        owner = stacking.owner(state, p)
        t = stacking.root(state, owner) if owner else None
        chain = chaining.facts(state, t, groups.get(t.ticket, ()), p) if t else ()
        yield Item(
            section="look",
            kind="plan",
            about=t.ticket if t else p.policy,
            title=p.frozen.message.strip().split("\n")[0],
            word=f"waits, its ticket is {t.phase}" if t and t.ticket in dealt else "waits from before",
            since=p.ready_at,
            plan=p.plan,
            facts=(*facts.findings(p), *facts.plan_alone(p), *facts.stacked(state, p), *chain),
            actions=facts.waiting_actions(state, t, p),
            chain=chaining.end(t, p) if t else "",
        )
