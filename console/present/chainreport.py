"""Reviews, repairs and routines in the words of the morning report. Pure; everything here is our own words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from console.core.reporting.records import ChainSums, ChainWord, Item
from console.present.ages import age

ENDS = {"escalated": "escalated", "shipped": "with SHIP"}
"""What a chain came to."""


def sums(c: ChainSums) -> str:
    """`Reviews 4: 2 SHIP, 1 BLOCK, 1 unreadable; repairs 2.` None of them is in the sums of the tickets."""
    told = [_counted("reviews", c.reviews), _counted("repairs", c.repairs)]
    ends = [f"{len(c.shipped)} ready by SHIP"] * bool(c.shipped) + [f"{len(c.escalated)} escalated"] * bool(c.escalated)
    line = "; ".join(part for part in (*told, ", ".join(ends)) if part)
    return f"{line[:1].upper()}{line[1:]}."


def _counted(name: str, found: Mapping[ChainWord, int]) -> str:
    """How they stand is left out where all of them stand as they should."""
    total = sum(found.values())
    parts = ", ".join(f"{number} {word}" for word, number in found.items())
    return "" if not total else f"{name} {total}" if set(found) == {"repaired"} else f"{name} {total}: {parts}"


def within(found: Sequence[Item]) -> str:
    """` (1 escalated, 2 with SHIP)`"""
    ends = [(sum(i.chain == chain for i in found), ENDS[chain]) for chain in ("escalated", "shipped")]
    named = ", ".join(f"{number} {word}" for number, word in ends if number)
    return f" ({named})" if named else ""


def left(item: Item, now: float) -> str:
    """How long a routine still waits for its answer."""
    if item.kind != "routine":
        return ""
    return f"for {age(item.until - now)} more" if item.until > now else "time is up"
