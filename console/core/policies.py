"""One policy: its record, its states and what a judgement means. Knows nothing of sessions, git or processes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec.structs import replace

from console.core import events as ev
from console.core.records import Frozen, Gate, GateResult, Judge, PolicySpec, Record, Refused, Who
from console.core.settings_checks import LONGEST

Status = Literal["watching", "queued", "gating", "acting", "nudging", "awaiting-ack", "done", "blocked", "cancelled"]

WAITING_FOR_TURN: frozenset[Status] = frozenset({"watching", "nudging"})
OPEN: frozenset[Status] = frozenset({"watching", "queued", "gating", "acting", "nudging", "awaiting-ack"})
CLOSED: frozenset[Status] = frozenset({"done", "blocked", "cancelled"})
IN_A_SLOT: frozenset[Status] = frozenset({"gating", "acting"})

CONCURRENCY = 8
"""Policies that may be gating or acting at once; the others queue, first come first served."""

NEXT_STATES: dict[Status, frozenset[Status]] = {
    "watching": frozenset({"queued", "blocked", "cancelled"}),
    "queued": frozenset({"gating", "cancelled"}),
    "gating": frozenset({"done", "blocked", "nudging", "awaiting-ack", "cancelled"}),
    "awaiting-ack": frozenset({"acting", "watching", "cancelled"}),
    "acting": frozenset({"done", "awaiting-ack", "blocked", "queued"}),
    "nudging": frozenset({"queued", "blocked", "cancelled"}),
    "done": frozenset({"acting", "awaiting-ack"}),
    "blocked": frozenset({"queued", "cancelled"}),
    "cancelled": frozenset({"awaiting-ack"}),
}
"""Every legal move. done -> acting/awaiting-ack and cancelled -> awaiting-ack are the two undos."""

LONGEST_PROMPT = 60_000
"""Bytes of what a judge is asked: beside it stands the work, and an argument of a program has room for 128 KiB."""
OUTPUT_IN_NUDGE = 6000
"""Characters of gate output that a nudge carries, taken from the end."""


class Policy(Record, frozen=True, kw_only=True):
    """attempt: counts judgements, so that a late result is told from the present one. base_*: what the work is
    measured against, and the log position of the judgement that last used it. candidate: a rebased plan that only
    needs its gate again."""

    policy: str
    spec: PolicySpec
    status: Status
    since: int
    attached_at: float
    changed_at: float
    queued_seq: int = 0
    attempt: int = 0
    retries: int = 0
    base_ref: str = ""
    base_head: str = ""
    base_seq: int = 0
    result: GateResult | None = None
    results: tuple[GateResult, ...] = ()
    plan: str = ""
    candidate: Frozen | None = None
    reason: str = ""
    parent: str = ""
    next_policy: str = ""
    by: Who | None = None


def attached(fact: ev.PolicyAttached, at: float) -> Policy:
    return Policy(
        policy=fact.policy,
        spec=fact.spec,
        status="watching",
        since=fact.since,
        attached_at=at,
        changed_at=at,
        parent=fact.parent,
        by=fact.by,
    )


def fold(p: Policy, fact: ev.Fact, seq: int, at: float) -> Policy:
    """The policy after this fact; the same object when the fact does not concern it."""
    match fact:
        case ev.PolicyQueued():
            p = replace(p, status="queued", queued_seq=seq)
        case ev.PolicyGating():
            p = replace(p, status="gating", attempt=fact.attempt, reason="", base_seq=seq)
            p = replace(p, base_ref=fact.base_ref, base_head=fact.base_head)
        case ev.PolicyJudged() if fact.attempt == p.attempt:
            result = deciding(fact.results)
            p = replace(p, results=fact.results, result=result, candidate=None)
        case ev.PolicyNudged():
            p = replace(p, status="nudging", retries=fact.retry, since=seq)
        case ev.PolicyCommitReady():
            p = replace(p, status="awaiting-ack", plan=fact.plan)
        case ev.ApprovalRequested():
            p = replace(p, status="acting")
        case ev.UndoRequested():
            p = replace(p, status="acting") if p.status == "done" else p
        case ev.UndoRefused():
            p = replace(p, status="done") if p.status == "acting" else p
        case ev.LandingRefused() | ev.PlanRestored():
            p = replace(p, status="awaiting-ack", reason="")
        case ev.PlanSuperseded():
            p = replace(p, status="watching") if p.status == "awaiting-ack" else p
        case ev.PlanRebased():
            p = replace(p, candidate=fact.fresh)
        case ev.PolicyDone():
            p = replace(p, status="done", next_policy=fact.next_policy)
        case ev.PolicyBlocked():
            p = replace(p, status="blocked", reason=fact.reason)
        case ev.PolicyCancelled():
            p = replace(p, status="cancelled", reason=fact.reason)
        case ev.PolicyRetried():
            p = replace(p, retries=0, reason="", candidate=None)
        case _:
            return p
    return replace(p, changed_at=at)


def problems(spec: PolicySpec, *, where: str = "policy") -> list[str]:
    """Everything wrong with a spec by itself, worded for the person who attaches it."""
    found = []
    if not spec.sessions:
        found.append(f"{where}: names no session")
    if len(set(spec.sessions)) != len(spec.sessions):
        found.append(f"{where}: names a session twice")
    if spec.then == "commit" and (spec.commit is None or not spec.commit.paths):
        found.append(f"{where}: then=commit needs at least one --commit-path: it commits exactly those")
    if spec.then == "commit" and spec.commit and not spec.commit.message.strip():
        found.append(f"{where}: then=commit needs a --commit-message")
    if spec.then == "emit" and spec.commit is not None:
        found.append(f"{where}: commit paths were given, but then=emit commits nothing; use --then commit")
    texts = (*(spec.gate.argv if spec.gate else ()), spec.gate.cwd if spec.gate else "")
    if any("\0" in text for text in texts):
        found.append(f"{where}: the gate holds a NUL character, which no command can have")
    if spec.on_fail and spec.on_fail.retries < 1:
        found.append(f"{where}: max retries must be at least 1, not {spec.on_fail.retries}")
    if spec.on_fail and not spec.gate:
        found.append(f"{where}: a nudge needs a gate that can fail")
    if spec.gate and (why := _unfit(spec.gate.timeout)):
        found.append(f"{where}: the gate's timeout {why}")
    if spec.gate and spec.gate.judge:
        found += [f"{where}: {problem}" for problem in _judge_problems(spec.gate, spec.gate.judge)]
    if spec.next:
        found += problems(spec.next, where=f"{where} > next")
    return found


def _unfit(timeout: float) -> str:
    if timeout <= 0:
        return "must be more than 0 seconds"
    return "" if timeout <= LONGEST else "must be at most 1000 hours"


def _judge_problems(gate: Gate, judge: Judge) -> list[str]:
    found = []
    if gate.argv:
        found.append("a gate is a command or a judge, not both")
    if not judge.adapter:
        found.append("the judge names no preset (adapter)")
    if not judge.prompt.strip():
        found.append("the judge has no prompt: say what it is to judge")
    if len(judge.prompt.encode("utf-8", "replace")) > LONGEST_PROMPT:
        found.append(
            f"the judge's prompt has more than {LONGEST_PROMPT} bytes, which leaves no room for the work: put "
            "the rest into a file of the repository, and tell the judge to read that"
        )
    if why := _unfit(judge.timeout):
        found.append(f"the judge's timeout {why}")
    if any("\0" in text for text in (judge.prompt, judge.model, judge.adapter)):
        found.append("the judge holds a NUL character, which no agent can be told")
    return found


def nudge_text(template: str, result: GateResult, gate: Gate | None = None) -> str:
    """The prompt a red gate sends: `{code}` (of a judge its verdict) and `{output}` (of a judge its words) replaced,
    nothing else interpreted."""
    code = str(result.code) if result.code is not None else result.verdict
    if gate and gate.judge and result.where != "hook":
        code = {"red": "FAIL", "timeout": "no verdict in time"}.get(result.verdict, code)
    output = result.output[-OUTPUT_IN_NUDGE:]
    return template.replace("{code}", code).replace("{output}", output)


PLACES = {
    "plan": "in a clean checkout of the plan",
    "worktree": "in the worktree",
    "hook": "as a commit hook",
    "base": "in a clean checkout of the base",
}


def describe(result: GateResult, gate: Gate | None) -> str:
    """One sentence for a result that was not green."""
    command = gate.words if gate else "the gate"
    place = PLACES[result.where]
    if result.where == "hook":
        command = result.reason or "a commit hook"
    if gate and gate.judge and result.where != "hook" and result.verdict != "unjudged":
        return _described(result, gate.judge, f"{command}, {place},")
    match result.verdict:
        case "green":
            return f"{command} was green {place}"
        case "red":
            how = f"exit {result.code}" if result.code is not None else f"signal {result.signal}"
            return f"{command} failed {place}: {how}"
        case "timeout":
            return f"{command} hit its limit of {gate.timeout if gate else 0:g} s {place}"
        case "unjudged":
            return f"could not judge: {command} {place}: {result.reason}"


def _described(result: GateResult, judge: Judge, who: str) -> str:
    match result.verdict:
        case "green":
            return f"{who} said PASS"
        case "timeout":
            return f"{who} gave no verdict within {judge.timeout:g} s"
        case _:
            return f"{who} did not pass it: {result.reason or 'it said FAIL'}"


def deciding(results: Sequence[GateResult]) -> GateResult | None:
    """The run that decides: the last one. A hook that could not judge decides nothing; that is a finding of its own."""
    counted = [r for r in results if r.where != "hook" or r.verdict in ("green", "red")]
    return counted[-1] if counted else None


def passed(results: Sequence[GateResult]) -> bool:
    result = deciding(results)
    return result is None or result.verdict == "green"


def may(p: Policy, status: Status) -> bool:
    return status in NEXT_STATES[p.status]


def cancellable(p: Policy) -> Refused | None:
    if p.status in ("done", "cancelled"):
        return Refused(reason=f"{p.policy} is already {p.status}")
    if p.status == "acting":
        return Refused(reason=f"{p.policy} is landing its commit right now; wait for the outcome, then undo the plan")
    return None
