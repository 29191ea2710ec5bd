"""A run in words: the line of the header, its counts and its cost. Pure; take it from `console.present.queueing`."""

from __future__ import annotations

import dataclasses
from collections import Counter
from typing import get_args

from console.core.drain import Run
from console.core.records import Outcome
from console.core.state import State
from console.core.tickets import DONE, FAILED, PARKED, chain_kind, of_chain
from console.present import wording
from console.present.glyphs import Sign, sign
from console.present.rows import Cell


def latest_run(state: State) -> Run | None:
    return next(reversed(state.runs.values()), None)


def run_word(r: Run) -> str:
    """`run`, `paused`, `stopping`, `halting`, or how it ended: `DRAINED`, `LOW_YIELD`, ..."""
    return {"active": "run", "ended": str(r.status or "ended")}.get(r.state, r.state)


def run_sign(r: Run) -> Sign:
    """Its glyph and tone, with `run_word`."""
    calm = "done" if r.status == "DRAINED" else "halted" if r.status == "HALTED" else "low_yield"
    shown = {"active": "running", "paused": "paused", "ended": calm}.get(r.state, "stopping")
    return dataclasses.replace(sign(shown), word=run_word(r))


def money(r: Run) -> str:
    """`2.10 $`, `2.10 $ or more` when some turns did not say, `cost unknown` when none did."""
    if r.uncosted and r.uncosted == r.turns:
        return "cost unknown"
    return f"{r.cost_usd:.2f} $" + (" or more" if r.uncosted else "")


def run_tally(state: State, r: Run) -> tuple[tuple[str, int, str], ...]:
    """(word with a sign, how many, tone): done, waiting plans, parked or blocked, failed; reviews do not count."""
    ended = list(outcomes(r).values())
    waiting = sum(p.state == "waiting" for p in state.plans.values())
    counted = (
        ("done", sum(o in DONE for o in ended)),
        ("waiting", waiting),
        ("parked", sum(o in PARKED or o == "BLOCKED_ENV" for o in ended)),
        ("failed", sum(o in FAILED for o in ended)),
    )
    return tuple((word, number, sign(word).tone if number else "quiet") for word, number in counted)


def outcomes(r: Run) -> dict[str, Outcome]:
    """How its tickets ended; reviews and repairs are none of their own."""
    return {ticket: outcome for ticket, outcome in r.outcomes.items() if not of_chain(ticket)}


def tally(r: Run) -> dict[str, int]:
    """Outcome -> how many tickets of the run, in the order of the seven."""
    counted = Counter(outcomes(r).values())
    return {name: counted[name] for name in get_args(Outcome) if counted[name]}


def chained(r: Run) -> dict[str, int]:
    """`review`, `repair` -> how many of them ended in the run; only what there is."""
    counted = Counter(chain_kind(name) for name in r.outcomes if of_chain(name))
    return {kind: counted[kind] for kind in ("review", "repair") if counted[kind]}


def beside(r: Run) -> str:
    """`2 reviews and 1 repair`, "" when none ended."""
    return " and ".join(f"{number} {kind}{'s' * (number != 1)}" for kind, number in chained(r).items())


def run_cells(state: State, now: float, *, ascii_only: bool = False) -> tuple[Cell, ...]:
    """The run for the header, as coloured pieces; none when there was no run."""
    r = latest_run(state)
    if not r:
        return ()
    mark = run_sign(r)
    ended = outcomes(r)
    left = sum(t.phase == "queued" and t.ticket not in ended and not t.link for t in state.tickets.values())
    moving = sum(ticket not in ended and not of_chain(ticket) for ticket in r.claimed)
    passed = wording.age((r.ended_at or now) - r.started_at)
    tally = ((f"{sign(word).mark(ascii_only=ascii_only)}{number}", tone) for word, number, tone in run_tally(state, r))
    return (
        (f"{mark.text(ascii_only=ascii_only)} {passed}", mark.tone),
        (f"{len(ended)}/{len(ended) + left + (moving if r.open else 0)}", "plain"),
        *tally,
        (money(r), "quiet"),
    )


def run_line(state: State, now: float, *, ascii_only: bool = False) -> str:
    """`● run 3h12  14/40  ✓9 ◐3 ⊘1 ✕0  2.10 $`; "" when there was no run."""
    cells = run_cells(state, now, ascii_only=ascii_only)
    if not cells:
        return ""
    head, count, *tally, cost = (cell[0] for cell in cells)
    return "  ".join((head, count, " ".join(tally), cost))
