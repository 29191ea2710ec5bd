"""The head of a session's pane: what it does right now as lines that fit. Pure; every line is clean."""

from __future__ import annotations

from collections.abc import Sequence

from console.present.doing import Doing, Spent, tokens
from console.present.glyphs import Tone
from console.present.pieces import Step
from console.present.text import clean, cut, width

Part = tuple[str, Tone]
MARKS = {"done": "✓", "doing": "▸", "todo": "·"}
_TONES: dict[str, Tone] = {"done": "quiet", "doing": "go", "todo": "plain"}


def head(d: Doing, cells: int, rows: int) -> list[Part]:
    """At most `rows` lines of at most `cells`: what it does, its plan (folded to one line when there is no room for all
    of it) and what it spent; what is not known is left out."""
    out: list[Part] = [(_fitted(d, cells), d.tone)] if d.line else []
    spent = spent_line(d, cells)
    room = rows - len(out) - bool(spent)
    if d.steps and room > 0:
        out += _plan(d.steps, cells, room)
    return [*out, (spent, "quiet")] if spent and len(out) < rows else out[:rows]


def _fitted(d: Doing, cells: int) -> str:
    """The line in so many cells; where it has an age, that is not what is cut."""
    over = width(d.line) - cells
    if over > 0 and width(d.what) - over >= 8:
        return d.line.replace(d.what, cut(d.what, width(d.what) - over), 1)
    return cut(d.line, cells)


def _plan(steps: Sequence[Step], cells: int, room: int) -> list[Part]:
    if len(steps) <= room and room > 1:
        return [(cut(f"{MARKS[s.mark]} {clean(s.text, limit=300)}", cells), _TONES[s.mark]) for s in steps]
    return [(cut(plan_brief(steps), cells), "plain")]


def plan_brief(steps: Sequence[Step]) -> str:
    """`3/7: step text`: the step that is under way, else the next one."""
    done = sum(step.mark == "done" for step in steps)
    at = next((i for mark in ("doing", "todo") for i, step in enumerate(steps) if step.mark == mark), None)
    if at is None:
        return f"✓ all {done} steps of its plan are done"
    return f"{at + 1}/{len(steps)}: {clean(steps[at].text, limit=300)}"


def spent_line(d: Doing, cells: int) -> str:
    """Tokens and dollars of the turn, what the session cost in one of these, and the context; as many as fit."""
    turn, total = _amount(d.spent), _amount(Spent(usd=d.total.usd) if d.total.usd is not None else d.total)
    parts = [f"turn {turn}" if turn else "", f"session {total}" if total else ""]
    contexts = (f"context {d.context}", f"context {d.context.partition(' ')[0]}", "") if d.context else ("",)
    lines = [*([*parts, context] for context in contexts), [parts[0] or parts[1]]]
    told = (" · ".join(part for part in line if part) for line in lines)
    return next((line for line in told if len(line) <= cells), "")


def _amount(spent: Spent) -> str:
    parts = [f"{tokens(spent.input)} in"] if spent.input is not None else []
    parts += [f"{tokens(spent.output)} out"] if spent.output is not None else []
    parts += [f"{spent.usd:.2f} $"] if spent.usd is not None else []
    return " ".join(parts)
