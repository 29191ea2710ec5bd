"""A change of a file as lines with `-` and `+`, short enough to be read before a decision. Pure.

An agent chooses what is compared and how often, so the work of one message has a budget.
"""

from __future__ import annotations

import difflib
from typing import Any

LINES, AROUND = 400, 3
"""Lines of a diff that are shown; lines around a change."""
READ = 512 * 1024
"""Characters of either side that are looked at: what is beyond them is not compared."""
CAREFUL = 800
"""Changed lines, of all the diffs of one message together, for which the smallest diff is looked for: the time for that
grows with their square, at worst to some 50 ms."""
CHEAP = 2 * READ
"""Characters, of all the diffs of one message together, that are compared line by line at all."""


class Budget:
    """What may still be spent on the diffs of one message."""

    def __init__(self) -> None:
        self.lines, self.characters = CAREFUL, CHEAP


def diff_text(path: str, old: Any, new: Any, budget: Budget | None = None) -> str:
    """The path, then what changes; `(new file)` when there was nothing before. Past its budget only how big it is."""
    budget = budget or Budget()
    sides = [side[:READ] if isinstance(side, str) else "" for side in (old, new)]
    title = f"{path[:1000]}{'' if isinstance(old, str) else ' (new file)'}"
    size = sum(map(len, sides))
    if size > budget.characters:
        return f"{title}\n({size} characters were not compared)"
    budget.characters -= size
    lines = _changes(sides[0].splitlines(), sides[1].splitlines(), budget)
    if any(isinstance(side, str) and len(side) > READ for side in (old, new)):
        lines.append(f"(only the first {READ} characters were compared)")
    shown = "\n".join(lines[:LINES])
    more = f"\n... {len(lines) - LINES} more lines" if len(lines) > LINES else ""
    return f"{title}\n{shown}{more}".rstrip("\n")


def _changes(before: list[str], after: list[str], budget: Budget) -> list[str]:
    """Beyond the budget what differs is shown as one piece, which takes time by its size only."""
    head = _alike(before, after)
    tail = _alike(before[head:][::-1], after[head:][::-1])
    gone, come = before[head : len(before) - tail], after[head : len(after) - tail]
    if len(gone) + len(come) > budget.lines:
        return [f"-{line}" for line in gone] + [f"+{line}" for line in come]
    budget.lines -= len(gone) + len(come) if gone and come else 0
    first, more = max(0, head - AROUND), min(AROUND, tail)
    pieces = before[first : len(before) - tail + more], after[first : len(after) - tail + more]
    made = list(difflib.unified_diff(*pieces, lineterm="", n=AROUND))[2:]
    return made[1:] if sum(line.startswith("@@") for line in made) == 1 else made


def _alike(one: list[str], other: list[str]) -> int:
    """How many lines at the beginning are the same."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((i for i, (a, b) in pairs if a != b), min(len(one), len(other)))
