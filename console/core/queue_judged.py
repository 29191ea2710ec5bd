"""What a judgement means for the ticket whose work was judged: a plan with its outcome, another attempt, or a block.

Only a seen green makes DONE; whatever keeps it from being plain is a flag (DESIGN.md 6, 7; rulings 3, 18). Pure.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from console.core import events as ev
from console.core import policies, queue, queue_flags
from console.core.deciding import unannounced
from console.core.policies import Policy
from console.core.records import Assessment, Blame, Finding, Frozen, GateResult
from console.core.state import State
from console.core.swallowing import swallowed
from console.core.tickets import Ticket

OUTPUT_TOLD = 6000
"""Characters of a failed gate's output that the next attempt is told."""
MOOT = "the plan that it was to repair is"
"""Begins why a repair came too late."""
IN_PLACE = "it was worked on in your checkout: what anybody changed there during the turn is part of it"


def judged(state: State, fact: ev.PolicyJudged) -> Iterator[ev.Fact]:
    p = state.policies[fact.policy]
    t = state.tickets[p.spec.ticket]
    if t.policy != p.policy:  # of an earlier round: it says nothing about the ticket any more
        yield ev.PolicyCancelled(policy=p.policy, reason=f"{t.ticket} has been worked on anew since")
        return
    if p.spec.review:
        yield from _review(state, p, t, fact)
        return
    result = policies.deciding(fact.results)
    if result and result.verdict != "green":
        yield ev.PolicyFailed(policy=p.policy, sessions=p.spec.sessions, gate=result)
        yield from _not_green(state, p, t, fact, result)
    elif p.spec.gate and not any(r.where != "hook" for r in fact.results):  # nobody saw it green
        yield from _blocked(state, p, t, fact.refused or "could not judge: the gate has no result")
    else:
        yield ev.PolicyPassed(policy=p.policy, sessions=p.spec.sessions, gate=result)
        yield from _green(state, p, t, fact)


def _review(state: State, p: Policy, t: Ticket, fact: ev.PolicyJudged) -> Iterator[ev.Fact]:
    """A verdict that can be read ends it well, whatever it says; what it means is for the chain to say."""
    read = fact.review
    if read is None or read.commit != p.spec.review:
        what = f"what it says is about {read.commit[:10]}, another plan" if read else fact.refused
        yield from _blocked(state, p, t, what or "nobody read what its reviewer said")
        return
    yield ev.ReviewJudged(ticket=t.ticket, attempt=t.attempt, review=read)
    if read.verdict:
        yield ev.PolicyDone(policy=p.policy)
        yield queue.outcome(state, t, "DONE", f"it says {read.verdict} of plan {read.commit[:10]}")
    elif not t.in_flight:  # judged again by a person after it had ended
        yield from _blocked(state, p, t, read.why)
    else:
        yield ev.TicketAttemptFailed(ticket=t.ticket, attempt=t.attempt, cause="agent", why=read.why)


def _green(state: State, p: Policy, t: Ticket, fact: ev.PolicyJudged) -> Iterator[ev.Fact]:
    if fact.unchanged:
        why = "the agent changed nothing, and the gate is green: look whether there was anything to do"
        yield ev.PolicyCancelled(policy=p.policy, reason=why)
        yield queue.outcome(state, t, "DONE_LOW_CONFIDENCE", why, flags=("nothing was changed", *fact.notes))
    elif fact.plan is None:
        yield from _blocked(state, p, t, fact.refused or "nothing could be frozen")
    else:
        extra = () if p.spec.gate else (_gate_finding("no gate is configured: nothing was verified"),)
        if p.spec.gate and (hidden := swallowed(p.spec.gate.argv)):
            extra = (_gate_finding(f"the gate's green says little: {hidden}"),)
        yield from _ready(state, p, fact, fact.plan, extra)


def _in_vain(state: State, p: Policy, plan: Frozen) -> str:
    """Why a repair's plan is of no use, "" when it is: nothing was repaired, or a person has decided meanwhile."""
    old = state.plans.get(p.spec.replaces)
    if old is None or p.plan:  # its own plan is judged again
        return ""
    if old.state != "waiting":
        return f"{MOOT} {old.state}: what it did stays in its worktree"
    if (old.frozen.tree, old.frozen.base) == (plan.tree, plan.base):
        return "it changed nothing of what it was to repair"
    return ""


def _replacing(state: State, p: Policy) -> Iterator[ev.Fact]:
    """The repaired plan gives way. Its policy ends first: else it would judge the old work again."""
    old = state.plans.get(p.spec.replaces)
    if old and old.state == "waiting":
        why = f"{p.spec.ticket} has repaired it"
        yield ev.PolicyCancelled(policy=old.policy, reason=why)
        yield ev.PlanSuperseded(policy=old.policy, plan=old.plan, reason=why)


def _ready(
    state: State, p: Policy, fact: ev.PolicyJudged, plan: Frozen, extra: tuple[Finding, ...]
) -> Iterator[ev.Fact]:
    """The plan waits for a person; the outcome says how far its green can be trusted."""
    t = state.tickets[p.spec.ticket]
    if why := _in_vain(state, p, plan):
        yield ev.PolicyCancelled(policy=p.policy, reason=why)
        yield queue.outcome(state, t, "DONE_LOW_CONFIDENCE", why, flags=(why,))
        return
    assessment = _assessed(queue_flags.root_of(state, t) or t, fact.assessment, extra)
    yield ev.PolicyCommitReady(
        policy=p.policy,
        plan=plan.commit,
        cwd=plan.worktree,
        paths=tuple(path.path for path in plan.paths),
        message=plan.message,
        frozen=plan,
        sessions=p.spec.sessions,
        notes=(*fact.notes, IN_PLACE) if p.spec.commit and p.spec.commit.in_place else fact.notes,
        replaced=p.plan or p.spec.replaces,
        assessment=assessment,
    )
    yield from _replacing(state, p)
    flags = queue_flags.flags_of(
        assessment,
        chains_on=state.chains_on,
        mends=bool(p.spec.replaces),
        outdated=queue_flags.outdated(state, plan.base),
    )
    gate = p.spec.gate.words if p.spec.gate else ""
    if flags:
        yield queue.outcome(state, t, "DONE_LOW_CONFIDENCE", flags[0], plan=plan.commit, flags=flags)
    else:
        yield queue.outcome(
            state, t, "DONE", f"{gate} is green on exactly what waits to be committed", plan=plan.commit
        )


def _assessed(t: Ticket, assessment: Assessment | None, extra: tuple[Finding, ...]) -> Assessment:
    known = assessment or Assessment(
        level=2, findings=(Finding(kind="risk", level="medium", rule="unassessed", text="it could not be assessed"),)
    )
    silent = () if t.answers else unannounced(t.verdict.announced, known.classes)
    told = tuple(Finding(kind="ticket", level="medium", rule="unannounced", text=text) for text in silent)
    level = max(known.level, 2) if extra or told else known.level
    return replace(known, level=level, findings=(*extra, *told, *known.findings))


def _gate_finding(text: str) -> Finding:
    return Finding(kind="gate", level="high", rule="gate", text=text)


# -- not green -------------------------------------------------------------------------------------------


def _not_green(state: State, p: Policy, t: Ticket, fact: ev.PolicyJudged, result: GateResult) -> Iterator[ev.Fact]:
    blame = fact.blame
    said = policies.describe(result, p.spec.gate)
    if result.where == "hook":
        yield from _introduced(state, p, t, result, Blame(kind="introduced", why=said, signature=said))
    elif blame is None or blame.kind == "environment":
        yield from _blocked(state, p, t, blame.why if blame else said)
    elif blame.kind == "introduced":
        yield from _introduced(state, p, t, result, blame)
    elif fact.plan is None:
        yield from _blocked(state, p, t, fact.refused or f"{said}; {blame.why}")
    else:
        where = "; it was green in the worktree only" if fact.only_worktree else ""
        text = f"the gate is not green, {blame.kind}: {blame.why}{where}"
        yield from _ready(state, p, fact, fact.plan, (_gate_finding(text),))


def _introduced(state: State, p: Policy, t: Ticket, result: GateResult, blame: Blame) -> Iterator[ev.Fact]:
    if not t.in_flight:  # judged again by a person after it had ended: nothing is rolled back by itself
        yield ev.PolicyBlocked(policy=p.policy, reason=blame.why)
        yield queue.outcome(state, t, "FAILED_RETRYABLE", blame.why)
        return
    yield ev.TicketAttemptFailed(
        ticket=t.ticket,
        attempt=t.attempt,
        cause="gate",
        why=blame.why,
        signature=blame.signature,
        output=result.output[-OUTPUT_TOLD:],
    )


def _blocked(state: State, p: Policy, t: Ticket, why: str) -> Iterator[ev.Fact]:
    yield ev.PolicyBlocked(policy=p.policy, reason=why)
    yield queue.outcome(state, t, "BLOCKED_ENV", why)
