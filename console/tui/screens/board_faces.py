"""What the right-hand pane says of a chain and its members, of a routine, of an empty board. Pure; no widget."""

from __future__ import annotations

from console.core.routines import Routine
from console.core.state import State
from console.core.tickets import Ticket
from console.present import board, boardlines, landings
from console.present.glyphs import Sign
from console.present.keytable import key
from console.present.routinewords import routine_sign
from console.present.text import clean
from console.tui.widgets.detail import Face

ABOUT = (
    "Chains: finished work is reviewed by another agent; what its review blocks is repaired and reviewed again.",
    "SHIP marks a plan ready for you. Nothing here approves, merges or lands.",
    "",
)
ROUTINES = (
    "Routines: steps over several sessions, written as a YAML file: nightdesk routine start FILE.",
    "One that asks a person shows among what needs you, with the time it waits.",
)


def about(state: State) -> Face:
    """Nothing is chosen."""
    on = state.chains_on
    how = ("They are on: the next finished ticket that wants a review begins one.",)
    switch = key("chains", "board")
    off = (f"They are off. {switch} switches them on, and says first what that does (nightdesk chain on).",)
    return Face(
        title="the board",
        headline=f"chains are {f'on · {boardlines.limit_words(state)}' if on else f'off · {switch} switches them on'}",
        tone="quiet" if on else "needs",
        why=(*ABOUT, *(how if on else off), "", *ROUTINES),
        wrap=True,
    )


def chain(state: State, name: str, gate: tuple[str, ...]) -> Face:
    """Of the root, review or repair of this id."""
    t, c = state.tickets.get(name), board.chain_of(state, name)
    if t is None or c is None:
        return about(state)
    m = next((m for m in c.members if m.ticket == name), c.root)
    return Face(
        title=_title(t, c),
        headline=_headline(state, m.mark, c, t),
        tone=m.mark.tone,
        warnings=tuple(f"!! {clean(flag, limit=300)}" for flag in t.flags),
        why=tuple(boardlines.member_lines(state, t, c)),
        gate=gate,
        plan=m.plan if m.plan in state.plans else "",
        wrap=True,
    )


def _title(t: Ticket, c: board.Chain) -> str:
    if not t.link:
        return f"chain {c.root.name}"
    return f"{t.link.kind} {t.link.cycle} of {c.root.name}"


def _headline(state: State, mark: Sign, c: board.Chain, t: Ticket) -> str:
    if not t.link:
        return " · ".join(part for part in (mark.text(), c.root.said, c.then) if part)
    said = clean(t.review.why, limit=300) if t.review else landings.why(state, t)
    return f"{mark.text()} · {said}".rstrip(" ·")


def routine(state: State, r: Routine, now: float) -> Face:
    mark = routine_sign(r)
    asks = r.status == "escalated"
    hint = f"{key('answer')} answers, {boardlines.left(r, now)} left · " if asks else ""
    return Face(
        title=f"routine {r.routine} · {clean(r.spec.name, limit=100)}",
        facts=boardlines.step_name(r),
        headline=f"{mark.text()} · {hint}{boardlines.routine_now(state, r, now)}",
        tone=mark.tone,
        why=tuple(boardlines.routine_all(state, r, now)),
        gate=("A routine has no gate of its own.",),
        wrap=True,
    )
