"""A parked decision in words, lines and plain data. Pure; take it from `console.present.queueing`. Whatever an agent
worded is shown as a quotation."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import msgspec

from console.core.decisions import Parked
from console.core.records import Interpretation
from console.core.reporting import actions, standing
from console.core.state import State
from console.present import wording
from console.present.glyphs import Sign, sign
from console.present.text import clean, cut

WIDTH = 100
"""Cells of a line when nothing else is said."""


def decision_sign(d: Parked) -> Sign:
    """open: a question. answered: done. closed: void."""
    shown = {"open": "question", "answered": "done", "closed": "void"}[d.state]
    return dataclasses.replace(sign(shown), word={"open": "decide"}.get(d.state, d.state))


def by_agent(d: Parked) -> bool:
    """Whether the question is in an agent's own words, so that it is shown as a quotation."""
    return d.source in ("agent", "question")


def decision_order(d: Parked) -> tuple[bool, bool, int]:
    """Open ones first, foundational before others, oldest first."""
    return d.state != "open", not d.foundational, d.seq


def open_decisions(state: State) -> list[Parked]:
    """What a person must decide, in the order to do it."""
    return sorted((d for d in state.decisions.values() if d.state == "open"), key=decision_order)


def question(d: Parked, limit: int = 300) -> str:
    """The exact question on one line, quoted when the agent worded it."""
    text = clean(" ".join(d.question.split()), limit=limit)
    return f"the agent asks: “{text}”" if by_agent(d) else text


def gist(d: Parked) -> str:
    """What it is about in a list of few cells: of an agent that nightdesk gave up on why, else the question."""
    ours = d.source == "nightdesk" and any(option.source == "nightdesk" for option in d.options)
    return clean(" ".join(d.why.split()), limit=300) if ours else question(d)


def reading(number: int, option: Interpretation, limit: int = 300) -> str:
    """`1  keep the old column (the agent's)`"""
    whose = {"agent": " (the agent's)", "analyst": " (the analyst's)"}.get(option.source, "")
    return f"{number}  {clean(' '.join(option.text.split()), limit=limit)}{whose}"


def decision_line(d: Parked, state: State, now: float = 0.0, *, cells: int = WIDTH, ascii_only: bool = False) -> str:
    """`? decide  dec-2  T-03  foundational  1h  4 behind  Which way ...?`, at most `cells` wide."""
    waiting = len(standing.held_back(state, d)) if d.state == "open" else 0
    parts = [
        decision_sign(d).text(ascii_only=ascii_only),
        clean(d.decision),
        clean(d.ticket, limit=60),
        *(["foundational"] if d.foundational else []),
        *([wording.age(now - d.at)] if now else []),
        *([f"{waiting} behind it"] if waiting else []),
        question(d),
    ]
    return cut("  ".join(parts), cells, "~" if ascii_only else "…")


def decision_lines(d: Parked, state: State, now: float = 0.0) -> list[str]:
    """All of one decision, for `decision show` and the screen's detail."""
    t = state.tickets.get(d.ticket)
    kind = "foundational, " if d.foundational else ""
    age = f", {wording.age(now - d.at)} old" if now else ""
    lines = [
        f"decision  {clean(d.decision)}  {kind}{d.state}{age}",
        f"ticket    {clean(d.ticket, limit=60)}" + (f"  {clean(t.spec.title, limit=200)}" if t else ""),
        f"why       {clean(d.why, limit=500)}",
        f"question  {question(d, 2000)}",
        *(f"reading   {reading(number, option, 1000)}" for number, option in enumerate(d.options, 1)),
        *(f"evidence  {clean(line, limit=300)}" for line in d.evidence),
    ]
    if waiting := standing.held_back(state, d) if d.state == "open" else ():
        kept = "quarantined" if d.foundational else "waits behind it"
        lines.append(f"{'behind':10}{_named(waiting, 12)} ({kept})")
    return [*lines, *_answer_lines(d)]


def _answer_lines(d: Parked) -> list[str]:
    if d.state == "answered":
        by = f" by {clean(d.by.user)}" if d.by and d.by.user else ""
        when = f" at {wording.clock(d.answered_at)}" if d.answered_at else ""
        return [
            f"answered  {clean(d.answer, limit=1000)}{by}{when}",
            f"undo      nightdesk decision reopen {d.decision}",
        ]
    if d.state == "closed":
        return [f"closed    {clean(d.reason, limit=500)}"]
    return [f"answer    {action.command}   ({action.says})" for action in actions.answers(d)]


def _named(tickets: Sequence[str], shown: int = 6) -> str:
    more = f" and {len(tickets) - shown} more" if len(tickets) > shown else ""
    return ", ".join(clean(name, limit=60) for name in tickets[:shown]) + more


def decision_data(d: Parked, state: State) -> dict[str, Any]:
    """Plain data for `--json`: the record, and what stands behind it."""
    return {
        **msgspec.to_builtins(d),
        "state": d.state,
        "options": msgspec.to_builtins(d.options),
        "answer": d.answer or None,
        "behind": list(standing.held_back(state, d)) if d.state == "open" else [],
    }


def follows(d: Parked, before: Sequence[str]) -> str:
    """What an answer led to: `T-3 is queued again; 4 tickets ...`. before: the tickets that stood behind it."""
    text = f"{clean(d.ticket, limit=60)} is queued again"
    if not before:
        return text
    some = "1 ticket that waits for it is" if len(before) == 1 else f"{len(before)} tickets that wait for it are"
    return f"{text}; {some} {'released' if d.foundational else 'next'}: {_named(before)}"


def taken_back(d: Parked, behind: Sequence[str]) -> str:
    """What reopening led to. behind: the tickets that it holds back again."""
    text = f"{clean(d.decision)} is open again, {clean(d.ticket, limit=60)} is parked"
    if not behind:
        return text
    some = "1 ticket is" if len(behind) == 1 else f"{len(behind)} tickets are"
    return f"{text}; {some} {'quarantined' if d.foundational else 'waiting'} again: {_named(behind)}"
