"""Which ticket is next, and why another one is not: order, dependencies, quarantine. Pure, on the whole state."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from console.core import chains
from console.core import events as ev
from console.core.commits import Plan
from console.core.deciding import overridden
from console.core.drain import Run
from console.core.drain import capped as capping
from console.core.policies import Policy
from console.core.records import Outcome, Record, Refused, Who
from console.core.records_chains import Link
from console.core.state import State, open_run, ticket_of
from console.core.tickets import DONE, Ticket


class Readiness(Record, frozen=True, kw_only=True):
    """Whether a queued ticket can start. quarantined: it builds on a decision that is open (`by`), directly or through
    others. waits: for a ticket (`by`) that is not done. unknown: it depends on something that is no ticket here."""

    state: Literal["ready", "held", "quarantined", "waits", "unknown"]
    why: str = ""
    by: str = ""


READY = Readiness(state="ready")
Limits = Mapping[str, Ticket]
"""What `limits` finds."""


def readiness(state: State, t: Ticket, at_limit: Limits | None = None) -> Readiness:
    """Of a ticket that is queued; what is under way or over has no readiness. at_limit: `limits` of the state, from
    whoever asks about many tickets."""
    if t.held:
        return Readiness(state="held", why=t.held)
    if t.link and (waits := _in_chain(state, t.link)):
        return waits
    first: Readiness | None = None
    for name in t.spec.depends_on:
        dep = state.tickets.get(name)
        if dep is None or dep.phase in ("gone", "dropped"):
            what = "is no ticket here" if dep is None else f"is {dep.phase}"
            first = first or Readiness(state="unknown", why=f"it depends on {name}, which {what}", by=name)
            continue
        if met(state, dep):
            continue
        if root := foundation(state, dep):
            why = f"it builds on {root.ticket}, which waits for {root.decision}"
            return Readiness(state="quarantined", why=why, by=root.decision)
        what = in_chain(state, dep) or f"it waits for {name} ({dep.outcome or dep.phase})"
        first = first or Readiness(state="waits", why=what, by=name)
    return first or _apart(state, t) or _limited(state, t, at_limit) or READY


def _in_chain(state: State, link: Link) -> Readiness | None:
    """A review or repair is begun only while chains are on, and about a plan that waits."""
    if not state.chains_on:
        return Readiness(state="waits", why="chains are off; `nightdesk chain on` lets it begin")
    plan = state.plans[link.head]
    if plan.state != "waiting":
        return Readiness(state="waits", why=f"the plan that it is about is {plan.state}", by=link.after)
    return None


def met(state: State, dep: Ticket) -> bool:
    """A dependency is met by DONE when its chain is through with it, or by a person who let its work land (DESIGN.md,
    ruling 6)."""
    plan = present(state, state.plans[dep.plan]) if dep.plan in state.plans else None
    landed = bool(plan and plan.state == "landed")
    stands = bool(plan and plan.state in ("waiting", "approved", "landing", "undoing"))
    return dep.phase == "ended" and (landed or (dep.outcome == "DONE" and stands and not in_chain(state, dep)))


def in_chain(state: State, t: Ticket) -> str:
    """What is still to come of its review, in words: what starts from its plan now may start from what a repair is
    about to replace. "" for nothing. A review or repair that has not begun holds nobody up while chains are off."""
    if t.link or t.phase != "ended" or t.plan not in state.plans:
        return ""
    plan = present(state, state.plans[t.plan])
    if plan.state != "waiting":
        return ""
    for m in _members(state, t):
        coming = state.chains_on and (m.phase == "queued" or taken_again(m))
        if m.link and m.link.head == plan.plan and (m.in_flight or coming):
            how = "is being" if m.in_flight else "waits to be"
            return f"{t.ticket} {how} {'reviewed' if m.link.kind == 'review' else 'repaired'}"
    asked = chains.key("review", t.ticket, plan.plan) in state.ledger or t.escalated or t.shipped == plan.plan
    wanted = state.chains_on and chains.wanted(t.spec.review, plan.level, state.review_limits)
    return f"{t.ticket} waits to be reviewed" if wanted and not asked and t.outcome in DONE else ""


def _members(state: State, root: Ticket) -> Iterator[Ticket]:
    """The reviews and repairs of its present round, by their names: in each cycle there is a review first."""
    cycle = 1
    while review := state.tickets.get(chains.name("review", root.ticket, cycle, root.rounds)):
        yield review
        if repair := state.tickets.get(chains.name("repair", root.ticket, cycle, root.rounds)):
            yield repair
        cycle += 1


def foundation(state: State, t: Ticket) -> Ticket | None:
    """The ticket with an open foundational decision that this one is or builds on, however far down."""
    seen: set[str] = set()
    todo = [t]
    while todo:
        one = todo.pop()
        if one.ticket in seen:
            continue
        seen.add(one.ticket)
        if one.phase == "ended" and one.outcome == "PARKED_FOUNDATIONAL":
            return one
        if not met(state, one):
            todo += [dep for name in reversed(one.spec.depends_on) if (dep := state.tickets.get(name))]
    return None


def quarantined(state: State, decision: str) -> list[Ticket]:
    """Every queued ticket that waits for this decision through what it builds on, in the order of the queue."""
    found, at_limit = (t for t in queued(state) if not t.held), limits(state)
    return [t for t in found if (r := readiness(state, t, at_limit)).state == "quarantined" and r.by == decision]


def below(state: State, t: Ticket) -> set[str]:
    """The tickets whose work the base of this one's work holds."""
    found: set[str] = set()
    todo = list(t.spec.depends_on)
    while todo:
        name = todo.pop()
        if name not in found and (dep := state.tickets.get(name)):
            found.add(name)
            todo += dep.spec.depends_on
    return found


def tip(state: State, t: Ticket) -> Ticket | None:
    """The dependency whose work holds that of all the others: what the ticket starts from."""
    deps = [dep for name in t.spec.depends_on if (dep := state.tickets.get(name))]
    return next((d for d in deps if {o.ticket for o in deps} <= below(state, d) | {d.ticket}), None)


def _apart(state: State, t: Ticket) -> Readiness | None:
    """Two candidates that nobody has merged are no base to start from; landed ones may have been merged since."""
    if len(t.spec.depends_on) < 2 or tip(state, t):
        return None
    waiting = [name for name in t.spec.depends_on if not _landed(state, state.tickets[name])]
    if not waiting:
        return None
    names = " and ".join(t.spec.depends_on)
    why = f"{names} are on branches of their own: approve and merge them, then it starts from the merge"
    return Readiness(state="waits", why=why, by=waiting[0])


def _limited(state: State, t: Ticket, at_limit: Limits | None) -> Readiness | None:
    """The usage limit of an agent is every ticket's that is for it: each would spend its start to find out."""
    run = open_run(state)
    at_limit = limits(state) if at_limit is None else at_limit
    w = at_limit.get(preset(t, run)) if run else None
    if not run or not w:
        return None
    why = f"{preset(t, run)} is at its usage limit, whose end {w.ticket} waits for"
    return Readiness(state="waits", why=why, by=w.ticket)


def limits(state: State) -> dict[str, Ticket]:
    """The agents that are at their usage limit, each with the first ticket that waits for its end. One look at every
    ticket: who asks about all of them asks this once."""
    run, found = open_run(state), dict[str, Ticket]()
    for w in state.tickets.values() if run else ():
        if run and w.phase == "waiting" and w.limited:
            found.setdefault(preset(w, run), w)
    return found


def preset(t: Ticket, run: Run) -> str:
    """The name of the agent that works on it in this run."""
    return t.spec.agent or run.settings.agent


def _landed(state: State, t: Ticket) -> bool:
    plan = state.plans.get(t.plan)
    return bool(plan and plan.state == "landed")


# -- order -----------------------------------------------------------------------------------------------


def queued(state: State) -> list[Ticket]:
    """What is queued, in order: reviews and repairs, what was begun before, then by priority, then by file name."""
    found = [t for t in state.tickets.values() if t.phase == "queued"]
    return sorted(found, key=lambda t: (not t.link, not t.failures, -t.spec.priority, t.file))


def next_ready(state: State, only: frozenset[str] | None = None) -> Ticket | None:
    """The first ticket that can start now; only: among these."""
    at_limit = limits(state)
    for t in queued(state):
        if (only is None or t.ticket in only) and readiness(state, t, at_limit).state == "ready":
            return t
    return None


def takes(state: State, run: Run) -> frozenset[str] | None:
    """Which tickets the run still takes, None for any. A worker that pulls is given no review or repair: nobody can say
    whose conversation it would go on with. A reached ticket cap leaves those of the tickets that were taken."""
    capped = capping(run)
    if capped and capped[0] == "COST_CAP":
        return frozenset()
    if run.pull:
        own = (t.ticket for t in state.tickets.values() if not t.link)
        return frozenset(run.claimed) if capped else frozenset(own)
    if not capped:
        return None
    return frozenset(t.ticket for t in state.tickets.values() if (t.link.root if t.link else t.ticket) in run.claimed)


def in_flight(state: State) -> list[Ticket]:
    return [t for t in state.tickets.values() if t.in_flight]


def slots(state: State, run: Run) -> int:
    """How many tickets may be under way at once, whoever works on them."""
    if run.settings.workspace != "in_place":
        return run.settings.sessions
    return 0 if giving_back(state) or any(_lands_in_place(state, p) for p in state.policies.values()) else 1


def taken(state: State, run: Run) -> int:
    """How many slots are taken. What waits for the end of a usage limit leaves its slot to tickets of other agents,
    but for the one checkout that everything in place is done in; once the wait is over its slot is kept for it."""
    flying, judges = in_flight(state), judging(state, waiting=True)
    if run.settings.workspace == "in_place":
        return len(flying) + judges
    return sum(not (t.phase == "waiting" and t.limited and t.until > state.at) for t in flying) + judges


def judging(state: State, *, waiting: bool = False) -> int:
    """Judges at work beside the tickets, each an agent in a slot; waiting: those whose turn comes next, too, so that
    no ticket takes the slot that one of them waits for."""
    at = ("gating", "queued") if waiting else ("gating",)
    return sum(takes_slot(p) and p.status in at for p in state.policies.values())


def takes_slot(p: Policy) -> bool:
    """Whether its gate is an agent with a slot of its own; a ticket has one already, for its judge as well."""
    return bool(p.spec.gate and p.spec.gate.judge and not p.spec.ticket)


def no_room(state: State, p: Policy) -> str:
    """Why the judge of a queued policy waits: as many agents are at work as the run may have; "" when it need not."""
    run = open_run(state)
    if not run or not takes_slot(p):
        return ""
    held = taken(state, run) - judging(state, waiting=True) + judging(state)
    return f"its judge waits until an agent of {run.run} is done" if held >= run.settings.sessions else ""


def may_wake(state: State, t: Ticket) -> bool:
    """Whether a ticket that waits finds a slot: those whose wait ends first go first. Not while so many agents are
    silent that one more would be, too."""
    if state.fuse:
        return False
    run = state.runs.get(t.run)
    if not run or run.settings.workspace == "in_place":
        return True
    flying = in_flight(state)
    free = run.settings.sessions - sum(o.phase != "waiting" for o in flying) - judging(state)
    order = sorted((o for o in flying if o.phase == "waiting"), key=lambda o: (o.until, o.order))
    return t in order[: max(0, free)]


def giving_back(state: State) -> bool:
    """A worktree that a ticket used is being put back, or is about to be."""
    return any(s.ticket and s.rollback for s in state.sessions.values())


def leaving(state: State) -> bool:
    """An agent of a ticket is being ended: what that finds belongs to the run, whose report tells of it."""
    return any(s.ticket and s.phase == "stopping" and not s.external for s in state.sessions.values())


def _lands_in_place(state: State, p: Policy) -> bool:
    return bool(p.status == "acting" and p.spec.commit and p.spec.commit.in_place)


def in_checkout(state: State, t: Ticket) -> bool:
    """Whether it is worked on in the operator's own checkout. Reviews and repairs have worktrees of their own."""
    run = state.runs.get(t.run)
    return bool(run and run.settings.workspace == "in_place" and not t.link)


def at_work(state: State, session: str) -> Ticket | None:
    """The ticket that this session is at work on right now."""
    t = ticket_of(state, session)
    return t if t and t.session == session and t.phase in ("working", "waiting") else None


def occupied(state: State, worktree: str) -> Ticket | None:
    """The ticket that is being worked on in a worktree right now."""
    for t in in_flight(state):
        s = state.sessions.get(t.session)
        if (s and s.worktree == worktree) or (t.phase == "claimed" and in_checkout(state, t)):
            return t
    return None


def allowed_attempts(t: Ticket, run: Run) -> int:
    return t.spec.attempts or run.settings.attempts


def turn_limit(t: Ticket, run: Run) -> float:
    """Seconds that one turn may take."""
    return t.spec.timeout or run.settings.turn_timeout


def claim(t: Ticket, run: Run, holder: str) -> ev.TicketClaimed:
    """The claim, with the decision that goes with it. What a person has answered is no longer parked by its text."""
    verdict = overridden(t.verdict, t.ticket, run.settings.overrides)
    if t.answers and verdict.decision == "PARK":
        verdict = type(verdict)(
            decision="PROCEED", rule="answered", why="a person decided", announced=verdict.announced
        )
    return ev.TicketClaimed(
        ticket=t.ticket, run=run.run, attempt=t.attempt + 1, digest=t.digest, verdict=verdict, holder=holder
    )


def closed(state: State, t: Ticket, why: str) -> tuple[ev.DecisionClosed, ...]:
    """Its open decision has nothing left to decide."""
    d = state.decisions.get(t.decision)
    if not d or d.state != "open":
        return ()
    return (ev.DecisionClosed(decision=d.decision, ticket=t.ticket, reason=why),)


STOPPED, INTERRUPTED = "its session was stopped by a person", "its turn was interrupted by a person"
BY_A_PERSON = (STOPPED, INTERRUPTED)
"""Why a ticket ended whose agent a person has ended: it stays so until a person requeues it."""


def taken_again(t: Ticket) -> bool:
    """Whether the next run takes it by itself: an earlier one left it with attempts to go. What a person has stopped
    stays, until a person queues it again."""
    left = t.phase == "ended" and t.outcome == "FAILED_RETRYABLE" and not t.plan
    return left and t.why not in BY_A_PERSON


# -- what a ticket's work is stacked on ------------------------------------------------------------------


def present(state: State, plan: Plan) -> Plan:
    """The plan that took a plan's place, however often; itself when none did."""
    while plan.successor and plan.successor in state.plans:
        plan = state.plans[plan.successor]
    return plan


def stack(state: State, t: Ticket) -> tuple[Plan, ...]:
    """The plans that have not landed and that the ticket's work starts from, the lowest first."""
    top = tip(state, t)
    if not top or not top.plan or top.plan not in state.plans:
        return ()
    plan = present(state, state.plans[top.plan])
    if plan.state in ("landed", "void", "rejected"):
        return ()
    lower = tuple(present(state, state.plans[name]) for name in top.stacked_on if name in state.plans)
    return (*(p for p in lower if p.state != "landed"), plan)


def builds_on(state: State, plan: str) -> Iterator[Ticket]:
    """Tickets whose present work was started from this plan, or from one whose place it took."""
    for t in state.tickets.values():
        known = (state.plans[name] for name in t.stacked_on if name in state.plans)
        below = plan in t.stacked_on or any(present(state, p).plan == plan for p in known)
        if below and (t.in_flight or t.phase == "ended"):
            yield t


# -- facts that every reaction words alike ---------------------------------------------------------------

QUEUE = Who(via="queue")


def outcome(state: State, t: Ticket, outcome: Outcome, why: str, **more: object) -> ev.TicketEnded:
    """The end of a ticket; it counts in the run that is under way when that claimed it."""
    return ev.TicketEnded(
        ticket=t.ticket,
        attempt=t.attempt,
        outcome=outcome,
        why=why,
        run=run_of(state, t),
        **more,  # type: ignore[arg-type]
    )


def run_of(state: State, t: Ticket) -> str:
    """The run that a ticket's end counts in, "" when that is over."""
    run = open_run(state)
    return t.run if run and run.run == t.run else ""


def missing(kind: str, name: str) -> Refused:
    return Refused(reason=f"no {kind} {name!r}; `nightdesk {kind} list` shows what there is", paths=("missing",))
