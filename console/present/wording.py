"""State in words: sentences, rows and plain data, the same for the command line and the screen.

Everything that came from outside (labels, reasons, messages, paths) goes through `clean` here or where it is drawn.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import msgspec

from console.core.commits import Plan, short
from console.core.policies import Policy
from console.core.records import GateResult
from console.core.state import State
from console.present import conditions, healthwords
from console.present.ages import age, clock
from console.present.alerting import assessment_lines, finding_lines
from console.present.sessionwords import (
    session_brief,
    session_data,
    session_lines,
    session_more,
    session_phase,
    session_word,
)
from console.present.text import clean

__all__ = [
    "age",
    "branch",
    "clock",
    "counted",
    "counts",
    "counts_sentence",
    "event_row",
    "gate_text",
    "plan_data",
    "plan_lines",
    "plan_sentence",
    "plan_warnings",
    "policy_data",
    "policy_lines",
    "policy_sentence",
    "result_text",
    "session_brief",
    "session_data",
    "session_lines",
    "session_more",
    "session_phase",
    "session_word",
    "size",
    "supervisor_data",
    "supervisor_sentence",
    "title",
    "transcript_line",
]


TOLD = {
    "usage": ("input", "output", "usd", "used", "window"),
    "retry": ("attempt", "of"),
    "answer": ("option",),
    "turn-start": ("turn",),
    "turn-end": ("turn", "stop"),
}
"""Fields of a transcript entry, by its kind, that stand in its line with their names."""


def transcript_line(entry: dict[str, Any]) -> str:
    """One transcript entry as one line."""
    parts = [str(entry[key]) for key in ("title", "tool", "status", "text", "detail") if entry.get(key)]
    parts += [f"{key} {entry[key]}" for key in TOLD.get(str(entry.get("kind")), ()) if entry.get(key)]
    said = f": {' '.join(parts)}" if parts else ""
    return clean(f"{clock(float(entry.get('at', 0)))} {entry.get('kind', '')}{said}", limit=2000)


# -- policies --------------------------------------------------------------------------------------------


def gate_text(p: Policy) -> str:
    return clean(p.spec.gate.words) if p.spec.gate else "no gate"


def result_text(result: GateResult | None) -> str:
    if not result:
        return "not judged yet"
    how = "" if result.code is None else f" (exit {result.code})"
    where = {"plan": " on the plan", "hook": " of a commit hook"}.get(result.where, "")
    why = f": {clean(result.reason)}" if result.reason else ""
    return f"{result.verdict}{how}{where} in {result.seconds:.1f} s{why}"


def policy_data(p: Policy) -> dict[str, Any]:
    """Plain data for `--json`, with the contract's names beside the record's."""
    gate = p.result
    return {
        "policyId": p.policy,
        "status": p.status,
        "sessionIds": list(p.spec.sessions),
        "then": p.spec.then,
        "retries": p.retries,
        "lastGate": msgspec.to_builtins(gate) | {"exitCode": gate.code} if gate else None,
        "plan": p.plan or None,
        "reason": p.reason or None,
        "nextPolicyId": p.next_policy or None,
        "since": p.since,
        "spec": msgspec.to_builtins(p.spec),
    }


def policy_sentence(p: Policy) -> str:
    text = f"{p.policy} is {p.status}"
    if p.reason:
        text += f": {p.reason}"
    elif p.status == "awaiting-ack":
        text += f": plan {p.plan}"
    return text


def policy_lines(p: Policy, plan: Plan | None) -> list[str]:
    lines = [
        f"policy    {p.policy}  {p.status}",
        f"sessions  {', '.join(p.spec.sessions)}",
        f"gate      {gate_text(p)}: {result_text(p.result)}",
        f"nudges    {p.retries}" + (f" of {p.spec.on_fail.retries}" if p.spec.on_fail else ""),
    ]
    if p.reason:
        lines.append(f"why       {clean(p.reason)}")
    if plan:
        lines.append(f"plan      {plan_sentence(plan)}")
    if p.next_policy or p.spec.next:
        lines.append(f"next      {p.next_policy or 'attached when this one is done'}")
    return lines


# -- plans -----------------------------------------------------------------------------------------------


def branch(p: Plan) -> str:
    return clean(p.frozen.ref.removeprefix("refs/heads/"))


def title(p: Plan) -> str:
    return clean(p.frozen.message.strip().split("\n")[0], limit=200)


def size(p: Plan) -> str:
    count = len(p.frozen.paths)
    return f"{count} file{'' if count == 1 else 's'} +{p.frozen.added} -{p.frozen.removed}"


def plan_sentence(p: Plan) -> str:
    why = f": {clean(p.reason)}" if p.reason else ""
    return f"plan {short(p.plan)} for {branch(p)} is {p.state}{why}"


def plan_data(p: Plan) -> dict[str, Any]:
    data: dict[str, Any] = msgspec.to_builtins(p.frozen)
    return {
        "plan": p.plan,
        "policyId": p.policy,
        "state": p.state,
        "reason": p.reason or None,
        "successor": p.successor or None,
        "paths": [path.path for path in p.frozen.paths],
        "message": p.frozen.message,
        "cwd": p.frozen.worktree,
        "readyAt": p.ready_at,
        "level": p.level,
        "assessment": msgspec.to_builtins(p.assessment) if p.assessment else None,
        "sha": p.to_land.commit if p.state == "landed" else None,
        "unlock": list(p.unlock),
        "notes": list(p.notes),
        "by": msgspec.to_builtins(p.by) if p.by else None,
        "frozen": data,
    }


def counted(listed: Sequence[str]) -> tuple[Sequence[str], int]:
    """A capped list of names, whose last entry may be `(and N more)`, as the names and how many there are in all."""
    last = re.fullmatch(r"\(and (\d+) more\)", listed[-1]) if listed else None
    return (listed[:-1], len(listed) - 1 + int(last[1])) if last else (listed, len(listed))


def plan_warnings(p: Plan, *, findings: bool = True) -> list[str]:
    """What a person should know before the key, worst first, each fact once; findings: those of the assessment too."""
    f = p.frozen
    warnings = []
    if f.replaces:
        commits = "; ".join(clean(line) for line in f.replaces)
        warnings.append(f"! the agent committed by itself; landing replaces on {branch(p)}: {commits}")
    if p.reason and p.state == "waiting":
        warnings.append(f"! {clean(p.reason)}")
    told = {finding.text: finding.rule for finding in p.assessment.findings} if p.assessment else {}
    if findings:
        warnings += finding_lines(p)
    warnings += [f"! {clean(note)}" for note in p.notes if note not in told]
    rewritten = "hook-rewrote" in told.values()
    warnings += [f"- {clean(note)}" for note in f.notes if not (rewritten and note.startswith("rewritten by a hook: "))]
    if f.others:
        named, total = counted(f.others)
        names = ", ".join(clean(name) for name in named[:8])
        more = f" and {total - 8} more" if total > 8 else ""
        warnings.append(f"- not part of this plan, but changed in the worktree: {names}{more}")
    if f.unchanged:
        warnings.append(f"- listed, but equal to the base: {', '.join(clean(name) for name in f.unchanged)}")
    return warnings


def plan_lines(p: Plan) -> list[str]:
    f = p.frozen
    return [
        f"plan      {p.plan} ({p.state})",
        f"policy    {p.policy}, session {', '.join(p.sessions)}",
        f"lands on  {branch(p)}, on top of {short(f.base) or 'nothing (first commit)'}",
        f"author    {clean(f.author.name)} <{clean(f.author.email)}>",
        f"message   {clean(f.message.strip(), limit=2000)}",
        f"holds     {size(p)}: {', '.join(clean(path.path) for path in f.paths)}",
        *([f"signed    {p.signed}"] if p.signed else []),
        *assessment_lines(p),
        *plan_warnings(p, findings=False),
    ]


# -- the whole -------------------------------------------------------------------------------------------


def counts(state: State) -> dict[str, int]:
    """How many there are of each; a suspect also works, one that is to be started again has not exited."""
    sessions, plans = state.sessions.values(), state.plans.values()
    ailing = [healthwords.ailing(s) for s in sessions]
    return {
        "working": sum(s.phase in ("working", "starting") for s in sessions),
        "idle": sum(s.phase in ("ready", "suspended") and not s.restart_at for s in sessions),
        "asking": sum(s.phase == "awaiting-input" for s in sessions),
        "waiting": sum(p.state == "waiting" for p in plans),
        "landed": sum(p.state == "landed" for p in plans),
        "blocked": sum(p.status == "blocked" for p in state.policies.values()),
        "exited": sum(s.phase == "exited" for s in sessions) - ailing.count("restarts"),
        "suspect": ailing.count("suspect"),
        "ending": ailing.count("hung") + ailing.count("crashed"),
        "restarting": ailing.count("restarts"),
    }


ONLY_IF_ANY = frozenset({"suspect", "ending", "restarting"})
"""Counts that are not worth a word when there are none."""


def counts_sentence(state: State) -> str:
    found = counts(state).items()
    return ", ".join(f"{number} {word}" for word, number in found if number or word not in ONLY_IF_ANY)


def supervisor_data(state: State, running: bool) -> dict[str, Any]:
    holder = state.supervisor
    return {
        "running": running,
        "pid": holder.pid if holder and running else None,
        "host": holder.host if holder else None,
        "sandbox": holder.sandbox if holder else None,
        "since": holder.at if holder and running else None,
        **conditions.data(state),
    }


def supervisor_sentence(state: State, running: bool, now: float = 0.0) -> str:
    if not running:
        return "no supervisor runs"
    if not state.supervisor:
        return "a supervisor is starting"
    sandbox = f"; {clean(state.supervisor.sandbox)}" if state.supervisor.sandbox else ""
    how_long = f" for {age(now - state.supervisor.at)}" if now else ""
    return f"supervised by pid {state.supervisor.pid}{how_long}{sandbox}"


def event_row(entry: dict[str, Any]) -> str:
    """One log entry as one line for people."""
    about = [str(entry[key]) for key in ("session", "policy") if entry.get(key)]
    if isinstance(entry.get("plan"), str):
        about.append(short(entry["plan"]))
    says = [str(entry[key]) for key in ("reason", "stop", "detail", "title", "how", "note", "error") if entry.get(key)]
    if isinstance(entry.get("gate"), dict):
        gate = entry["gate"]
        says.append(f"gate {gate.get('verdict')}" + (f" (exit {gate['code']})" if "code" in gate else ""))
    if entry.get("sha"):
        says.append(str(entry["sha"]))
    words = f"{clock(entry['at'])} {entry['seq']:>5} {entry['type']:<24} {' '.join(about)}"
    return clean(f"{words}  {'; '.join(says)}".rstrip(), limit=1000)
