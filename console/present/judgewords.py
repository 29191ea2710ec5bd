"""What a policy's judge was asked, why it waits and what it said, as lines. Pure; its words are an agent's: cleaned."""

from __future__ import annotations

from console.core import queue
from console.core.policies import Policy
from console.core.state import State
from console.present.text import clean

SAID_LINES = 20
"""Lines of a judge's words that are shown, its last ones."""


def judge_lines(state: State, p: Policy) -> list[str]:
    """Nothing for a gate that is a command."""
    judge = p.spec.gate.judge if p.spec.gate else None
    if not judge:
        return []
    model = f" (model {clean(judge.model, limit=60)})" if judge.model else ""
    asked = f"asked     {clean(judge.prompt.strip(), limit=300)}{model}"
    waits = waiting(state, p)
    return [asked, *([f"waits     {waits}"] if waits else []), *_said(p)]


def waiting(state: State, p: Policy) -> str:
    """Why a queued policy's judge does not begin; "" when it is not that."""
    return clean(queue.no_room(state, p)) if p.status == "queued" else ""


def _said(p: Policy) -> list[str]:
    result = p.result
    if not result or result.where == "hook" or not result.output.strip():
        return []
    lines = result.output.strip().splitlines()
    left = len(lines) - SAID_LINES
    shown = [f"({left} lines before these: {result.output_file})"] if left > 0 else []
    shown += lines[-SAID_LINES:]
    return [f"{'' if at else 'said':<10}{clean(line, limit=300)}" for at, line in enumerate(shown)]
