"""Routines in words, lines and rows: the same for the command line and the screen. Pure; what came from outside is
cleaned here. Nothing here decides anything or knows a widget.

For the screen: `routine_order`, `routine_sign`, `routine_line`, `routine_lines`, `routine_rows`; `routine_ask` is what
a person is asked now, `resolving` the commands that answer it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import msgspec

from console.core.routines import Routine
from console.core.routines_reply import offered
from console.core.sessions import Session
from console.core.state import State
from console.present.ages import age, clock
from console.present.glyphs import Sign, sign
from console.present.rows import Cell, Rows
from console.present.sessionwords import session_phase
from console.present.text import clean, cut

WIDTH = 120
_SIGNS = {"running": "running", "escalated": "question", "done": "done", "failed": "failed", "cancelled": "cancelled"}


def routine_order(r: Routine) -> tuple[int, float]:
    """Sorting key: what asks a person first, then what runs, then what is over, the youngest first there."""
    rank = {"escalated": 0, "running": 1}.get(r.status, 2)
    return rank, r.until if rank == 0 else r.started_at if rank == 1 else -r.ended_at


def routine_word(r: Routine) -> str:
    """`runs`, `asks`, `done`, `failed`, `cancelled`."""
    return {"running": "runs", "escalated": "asks"}.get(r.status, r.status)


def routine_sign(r: Routine) -> Sign:
    """Its glyph and tone, with `routine_word`."""
    return dataclasses.replace(sign(_SIGNS[r.status]), word=routine_word(r))


def routine_name(r: Routine) -> str:
    return clean(r.spec.name, limit=80)


def routine_place(r: Routine) -> str:
    """`step 2/4 deploy`; behind the last step `4 steps`."""
    if not r.now:
        return f"{len(r.spec.steps)} steps"
    return f"step {r.step + 1}/{len(r.spec.steps)} {clean(r.now.name, limit=60)}"


def routine_ask(r: Routine) -> str:
    """What a person is asked now, "" for nothing: `s-3 asks: Deploy? (allow (Allow), deny (Deny))`."""
    if r.status != "escalated":
        return ""
    who = f"{r.session} asks: " if r.session else ""
    answers = f" ({clean(offered(r.options), limit=300)})" if r.options else ""
    return f"{who}{clean(r.title, limit=300)}{answers}"


def routine_gist(r: Routine, state: State, now: float) -> str:
    """What it does or waits for, in one sentence."""
    if r.status == "escalated":
        return f"{routine_ask(r)}, until {clock(r.until)}"
    if not r.open:
        return clean(r.why, limit=500)
    waiting = [name for name in r.since if (s := state.sessions.get(name)) and not _over(s, r.since[name])]
    if len(waiting) == 1:
        return f"waits for {waiting[0]}: {_session(state, waiting[0], now)}"
    return f"waits for {', '.join(waiting)}" if waiting else "goes on"


def routine_line(r: Routine, state: State, now: float, *, cells: int = WIDTH, ascii_only: bool = False) -> str:
    """`? asks  rt-1  nightly  step 2/4 deploy  3m  s-3 asks: ...`, at most `cells` wide."""
    parts = (
        routine_sign(r).text(ascii_only=ascii_only),
        r.routine,
        routine_name(r),
        routine_place(r),
        _age(r, now),
        routine_gist(r, state, now),
    )
    return cut("  ".join(part for part in parts if part), cells, "~" if ascii_only else "…")


def routine_rows(listed: Sequence[Routine], state: State, now: float) -> Rows:
    """sign, word, id, name, place, gist, age; keys are ids."""

    def cells(i: int) -> Sequence[Cell]:
        r = listed[i]
        mark = routine_sign(r)
        return (
            (mark.glyph, mark.tone),
            (mark.word, mark.tone),
            (r.routine, "plain"),
            (routine_name(r), "strong"),
            (routine_place(r), "plain"),
            (routine_gist(r, state, now), "plain"),
            (_age(r, now), "quiet"),
        )

    return Rows(tuple(r.routine for r in listed), cells)


def routine_lines(r: Routine, state: State, now: float) -> list[str]:
    """All of one routine, for `routine status` and the screen's detail."""
    by = f" by {clean(r.by.user, limit=60)}" if r.by.user else ""
    file = f" from {clean(r.spec.file, limit=300)}" if r.spec.file else ""
    over = f", {routine_word(r)} after {age(r.ended_at - r.started_at)}" if not r.open else ""
    lines = [
        f"routine   {r.routine}  {routine_name(r)}  {routine_word(r)}",
        f"started   {age(now - r.started_at)} ago{by}{file}{over}",
    ]
    if r.why:
        lines.append(f"{r.status:9} {clean(r.why, limit=1000)}")
    for number in range(len(r.spec.steps)):
        lines += _step_lines(r, state, number, now)
    return [*lines, *(f"{word:9} {command}" for word, command in resolving(r))]


def left_alone(r: Routine, state: State) -> str:
    """What becomes of its sessions, for who has cancelled it."""
    told = (name for step in r.spec.steps[: r.step + 1] for name in r.members(step))
    known = [s for name in dict.fromkeys((*r.sessions.values(), *told)) if (s := state.sessions.get(name))]
    going = [s.session for s in known if s.phase != "exited"]
    if not going:
        return "none of its sessions is there any more" if known else "it has no session"
    return f"its sessions are left as they are: {', '.join(going)}; `nightdesk session stop` ends one"


def resolving(r: Routine) -> list[tuple[str, str]]:
    """(what it does, the command) for each answer to what is asked now; () when nobody is asked."""
    if r.status != "escalated":
        return []
    base = f"nightdesk routine resolve {r.routine} --step {r.step + 1} --asked {r.asked}"
    said = " --response TEXT" if r.session else ""
    return [("go on", f"{base} --approve{said}"), ("stop", f"{base} --reject")]


def step_word(r: Routine, number: int) -> str:
    """done, now, ahead, or how the routine ended there. number: from 0."""
    if number < r.step:
        return "done"
    if number > r.step:
        return "ahead" if r.open else "not begun"
    return "now" if r.open else r.status


def _step_lines(r: Routine, state: State, number: int, now: float) -> list[str]:
    step = r.spec.steps[number]
    lines = [f"step {number + 1:<4} {clean(step.name, limit=80)}: {step_word(r, number)}"]
    for name in r.members(step) if number <= r.step else ():
        waited = ", waited for" if name in map(r.id_of, step.wait_for) else ""
        does = "" if number < r.step else f": {_session(state, name, now)}"  # what it does now is of a later step
        lines.append(f"          {clean(_called(r, name))}{waited}{does}")
    if number == r.step and r.status == "escalated":
        left = max(0.0, r.until - now)
        lines.append(f"asked     {routine_ask(r)}; answered within {age(left)}, or it has failed")
    return lines


def _called(r: Routine, session: str) -> str:
    name = next((name for name, known in r.sessions.items() if known == session), "")
    return f"{session} ({name})" if name else session


def _session(state: State, name: str, now: float) -> str:
    s = state.sessions.get(name)
    if s and s.turn and s.turn.interrupted and s.phase == "ready" and not s.prompts:
        return "its turn was interrupted: prompt it, or cancel the routine"
    if s and s.phase == "awaiting-input" and s.question and s.question.answer is not None:
        return "has its answer"
    return cut(session_phase(s, state, now), 200) if s else "not there"


def _over(s: Session, since: int) -> bool:
    return bool(s.turn and s.turn.end_seq > since and not s.turn.interrupted and not s.busy)


def _age(r: Routine, now: float) -> str:
    return age(now - (r.started_at if r.open else r.ended_at)) if now else ""


def routine_data(r: Routine, state: State) -> dict[str, Any]:
    """Plain data for `--json`. step and those of `steps` count from 1; asked is None when no person is, its number is
    what an approval names."""
    return {
        "routine": r.routine,
        "name": r.spec.name,
        "status": r.status,
        "why": r.why,
        "step": min(r.step + 1, len(r.spec.steps)),
        "file": r.spec.file,
        "digest": r.spec.digest,
        "by": msgspec.to_builtins(r.by),
        "startedAt": r.started_at,
        "endedAt": r.ended_at or None,
        "sessions": dict(r.sessions),
        "asked": _asked_data(r),
        "steps": [_step_data(r, state, number) for number in range(len(r.spec.steps))],
    }


def _asked_data(r: Routine) -> dict[str, Any] | None:
    if r.status != "escalated":
        return None
    options = [{"id": o.id, "name": o.name, "kind": o.kind} for o in r.options]
    known = {"number": r.asked, "step": r.step + 1, "session": r.session, "title": r.title}
    return {**known, "options": options, "until": r.until}


def _step_data(r: Routine, state: State, number: int) -> dict[str, Any]:
    step = r.spec.steps[number]
    sessions = r.members(step) if number <= r.step else ()
    return {
        "step": number + 1,
        "name": step.name,
        "state": step_word(r, number),
        "sessions": {name: s.phase for name in sessions if (s := state.sessions.get(name))},
        "waitFor": [r.id_of(name) for name in step.wait_for],
        "onWait": step.on_wait.kind,
        "ask": step.title,
    }
