"""How a screen's room is shared between its panes: side by side, one above the other, or one at a time. Pure; sizes in
cells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Kind = Literal["wide", "stacked", "single"]
"""wide: lists beside the thing itself. stacked: one list above it. single: one pane at a time."""

WIDE, STACKED = 110, 60
"""Columns from which the panes are side by side, and from which list and detail fit one above the other."""
LOWEST = 14
"""Rows of the body under which one pane is all that fits, however wide it is."""
BORDERS = 2
LEAST_LEFT = 46
"""Columns of the lists where nobody moved the split."""
STEP = {"wide": 30, "stacked": 50}
"""Thousandths that one key moves the split."""
NARROWEST, SLIMMEST = 30, 40
"""Least columns of lists and of the thing itself when the split is moved."""
LOWEST_LIST, LOWEST_DETAIL = 3, 7
HEAVY = {"needs": 2, "tickets": 2, "chains": 2}
"""Lists that get a double share of what is left over."""


@dataclass(frozen=True, slots=True)
class Usual:
    """Where a screen's split is as long as nobody moved it. left, above: thousandths of the body that the lists have,
    side by side and stacked. most: columns of the lists. right: columns that the thing itself has before the lists get
    more than the least."""

    left: int = 410
    above: int = 360
    most: int = 78
    right: int = 94


def kind_of(columns: int, rows: int) -> Kind:
    """rows: of the body."""
    if columns < STACKED or rows < LOWEST:
        return "single"
    return "wide" if columns >= WIDE else "stacked"


def left_columns(columns: int, usual: Usual, share: int = 0) -> int:
    """Columns of the lists beside the thing itself. share: where the user put the split, in thousandths, 0: nowhere."""
    if share:
        return max(min(NARROWEST, columns), min(columns * share // 1000, columns - SLIMMEST))
    return max(LEAST_LEFT, min(columns * usual.left // 1000, usual.most, columns - usual.right))


def list_rows(rows: int, longest: int, usual: Usual, share: int = 0) -> int:
    """Rows of the list above the thing itself, border included; less than usual when every list is shorter."""
    if share:
        return max(LOWEST_LIST, min(rows * share // 1000, rows - LOWEST_DETAIL))
    return max(LOWEST_LIST + BORDERS, min(rows * usual.above // 1000, longest + BORDERS))


def log_rows(rows: int) -> int:
    """Rows of the log under the thing itself, border included."""
    return max(5, min(16, (rows - 20) // 2))


def share_of(part: int, whole: int) -> int:
    """In thousandths, rounded up: it comes back as the same number of cells."""
    return -(-1000 * part // max(1, whole))


def heights(content: Mapping[str, int], total: int, before: Mapping[str, int], active: str) -> dict[str, int]:
    """Rows of each list, border included, the most important list first. content: rows that each would show.

    A list without a row is one line; the first one has room for three rows before any other gets a second. What is
    left over is shared, so that a row more moves nothing. `before` stays for as long as it serves as well as new
    heights would. Where not even the least fits, all but the active list are one line."""
    want = {name: rows + BORDERS if rows else 1 for name, rows in content.items()}
    fresh = _shared(want, total, active)
    same = before.keys() == fresh.keys() and sum(before.values()) == sum(fresh.values())
    stands = same and all(
        (before[name] == 1) == (fresh[name] == 1) and before[name] >= min(want[name], fresh[name]) for name in fresh
    )
    return dict(before) if stands else fresh


def _shared(want: dict[str, int], total: int, active: str) -> dict[str, int]:
    first = next(iter(want))
    least = {name: min(rows, 3 + BORDERS if name == first else 1 + BORDERS) for name, rows in want.items()}
    if sum(least.values()) > total:
        return {name: max(1, total - len(want) + 1) if name == active else 1 for name in want}
    found, left = dict(least), total - sum(least.values())
    open_ = [name for name in want if want[name] > 1] or [first]
    while left > 0:
        short = [name for name in open_ if found[name] < want[name]]
        chosen = min(short or open_, key=lambda name: (found[name] - (0 if short else want[name])) / HEAVY.get(name, 1))
        found[chosen] += 1
        left -= 1
    return found
