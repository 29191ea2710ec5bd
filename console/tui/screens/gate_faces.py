"""What the Gate tab says: a command and its output, or a judge, what it was asked and its words. Pure; no widget."""

from __future__ import annotations

from console.core.policies import Policy
from console.core.records import Gate
from console.core.state import State
from console.present import progress, wording
from console.present.text import clean

NO_GATE = "This policy has no gate: a turn's end passes."


def gate_lines(p: Policy, state: State | None = None, now: float = 0.0) -> tuple[str, ...]:
    """What judges, how far it has come, and what each run of it said; raw output, which is cleaned where it is drawn.
    state, now: for how far."""
    if not p.spec.gate:
        return ("A reviewer's verdict is all there is to judge here." if p.spec.review else NO_GATE,)
    lines = _head(p, p.spec.gate)
    far = progress.judging_lines(state, p, now) if state and now else ()
    lines += far
    for result in p.results:
        lines.append(f"{result.where}: {wording.result_text(result)}")
        if result.leftovers:
            lines.append(f"{result.leftovers} process(es) it left behind were ended")
        lines += ["", *result.output.rstrip("\n").split("\n"), ""]
    if not p.results and not far:
        lines.append("not judged yet")
    return tuple(lines)


def _head(p: Policy, gate: Gate) -> list[str]:
    """What judges. Of a judge also what it was asked for: its words come below, as a command's output does."""
    if not gate.judge:
        return [f"$ {wording.gate_text(p)}    in {clean(gate.cwd)}, limit {gate.timeout:g} s", ""]
    model = f", model {clean(gate.judge.model, limit=60)}" if gate.judge.model else ""
    asked = [f"  {line}" for line in gate.judge.prompt.strip().split("\n")[:40]]
    now = [f"! {clean(gate.words, limit=100)} is at work on it", ""] if p.status == "gating" else []
    return [f"{clean(gate.words, limit=100)}{model}, limit {gate.judge.timeout:g} s; asked to judge:", *asked, "", *now]
