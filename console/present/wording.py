"""State in words: sentences, rows and plain data, the same for the command line and the screen.

Everything that came from outside (labels, reasons, messages, paths) goes through `clean` here or where it is drawn.
"""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from typing import Any

import msgspec

from console.core.commits import Plan, short
from console.core.policies import Policy
from console.core.records import GateResult
from console.core.sessions import Session
from console.core.state import State
from console.present.alerting import assessment_lines, finding_lines
from console.present.text import clean


def age(seconds: float) -> str:
    """`41s`, `12m`, `3h12`, `2d`."""
    s = max(0, int(seconds))
    if s < 60:
        return f"{s}s"
    if s < 3600:
        return f"{s // 60}m"
    if s < 86400:
        return f"{s // 3600}h{s % 3600 // 60:02d}"
    return f"{s // 86400}d"


def clock(at: float) -> str:
    """Local wall time, `06:11:58`."""
    return time.strftime("%H:%M:%S", time.localtime(at))


# -- sessions --------------------------------------------------------------------------------------------


def session_phase(s: Session) -> str:
    match s.phase:
        case "working":
            return f"working (turn {s.turns})"
        case "awaiting-input":
            return f"asks: {clean(s.question.title, limit=200)}" if s.question else "awaiting-input"
        case "ready" if s.turn and s.turn.end_seq:
            return f"turn {s.turns} ended" + ("" if s.turn.ok else f" ({clean(s.turn.stop, limit=100)})")
        case "ready":
            return "idle"
        case "exited":
            return f"exited: {clean(s.exit, limit=300)}"
        case "suspended" if s.prompts:
            return "restarting"
        case _:
            return s.phase


def session_word(s: Session) -> str:
    """The phase as a word that has a sign."""
    return {"ready": "idle", "suspended": "restarting" if s.prompts else "suspended"}.get(s.phase, s.phase)


def session_more(s: Session) -> str:
    """What a headline adds to the word: the question, the turn, the exit; with its separator."""
    match s.phase:
        case "awaiting-input" if s.question:
            return f": {clean(s.question.title, limit=200)}"
        case "working":
            return f" · turn {s.turns}"
        case "ready" if s.turn and s.turn.end_seq:
            return f" · {session_phase(s)}"
        case "exited":
            return f": {clean(s.exit, limit=300)}"
        case _:
            return ""


def session_brief(s: Session) -> str:
    """What a narrow list adds to the word of a session that does not work just now."""
    match s.phase:
        case "awaiting-input" if s.question:
            return clean(s.question.title, limit=200)
        case "exited":
            return clean(s.exit, limit=300)
        case "ready" if s.turn and s.turn.end_seq and not s.turn.ok:
            return clean(s.turn.stop, limit=100)
        case _:
            return f"{s.turns} turn{'' if s.turns == 1 else 's'}" if s.turns else ""


def session_data(s: Session) -> dict[str, Any]:
    """Plain data for `--json`: the record, with `sessionId` and `status` as programs know them."""
    data: dict[str, Any] = msgspec.to_builtins(s)
    data["launch"].pop("env", None)  # may hold secrets
    return {
        "sessionId": s.session,
        "status": s.phase,
        "turn": s.turns,
        **{k: v for k, v in data.items() if k != "turn"},
    }


def session_lines(s: Session) -> list[str]:
    lines = [
        f"session   {s.session}  {clean(s.label)}",
        f"agent     {clean(s.preset or '-')}: {clean(' '.join(s.launch.argv))} ({s.launch.protocol})",
        f"state     {session_phase(s)}",
        f"folder    {clean(s.cwd)}",
    ]
    if s.detail:
        lines.append(f"note      {clean(s.detail)}")
    if s.sandbox:
        lines.append(f"sandbox   {clean(s.sandbox)}")
    if s.snapshots:
        lines.append(f"snapshot  {s.snapshots[-1].snapshot[:10]}, {len(s.snapshots)} kept")
    if s.no_snapshot:
        lines.append(f"snapshot  none for the latest turn: {clean(s.no_snapshot)}")
    if s.rollback or s.rolled_back:
        now = f"going back to {s.rollback[:10]}" if s.rollback else s.rolled_back
        lines.append(f"rollback  {clean(now)}")
    if s.pid:
        lines.append(f"process   pid {s.pid} under shim {s.shim_pid}")
    if s.question:
        lines += [f"answer    {clean(o.id)}: {clean(o.name)} ({clean(o.kind)})" for o in s.question.options]
    if s.prompts:
        lines.append(f"queued    {len(s.prompts)} prompt(s)")
    return lines


def transcript_line(entry: dict[str, Any]) -> str:
    """One transcript entry as one line."""
    parts = [str(entry[key]) for key in ("title", "tool", "status", "text", "detail") if entry.get(key)]
    said = f": {' '.join(parts)}" if parts else ""
    return clean(f"{clock(float(entry.get('at', 0)))} {entry.get('kind', '')}{said}", limit=2000)


# -- policies --------------------------------------------------------------------------------------------


def gate_text(p: Policy) -> str:
    return clean(" ".join(p.spec.gate.argv)) if p.spec.gate else "no gate"


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
    sessions, plans = state.sessions.values(), state.plans.values()
    return {
        "working": sum(s.phase in ("working", "starting") for s in sessions),
        "idle": sum(s.phase in ("ready", "suspended") for s in sessions),
        "asking": sum(s.phase == "awaiting-input" for s in sessions),
        "waiting": sum(p.state == "waiting" for p in plans),
        "landed": sum(p.state == "landed" for p in plans),
        "blocked": sum(p.status == "blocked" for p in state.policies.values()),
        "exited": sum(s.phase == "exited" for s in sessions),
    }


def counts_sentence(state: State) -> str:
    return ", ".join(f"{number} {word}" for word, number in counts(state).items())


def supervisor_data(state: State, running: bool) -> dict[str, Any]:
    holder = state.supervisor
    return {
        "running": running,
        "pid": holder.pid if holder and running else None,
        "host": holder.host if holder else None,
        "sandbox": holder.sandbox if holder else None,
    }


def supervisor_sentence(state: State, running: bool) -> str:
    if not running:
        return "no supervisor runs"
    if not state.supervisor:
        return "a supervisor is starting"
    sandbox = f"; {clean(state.supervisor.sandbox)}" if state.supervisor.sandbox else ""
    return f"supervised by pid {state.supervisor.pid}{sandbox}"


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
