"""What a turn cost, as far as an agent reports it: tokens and dollars of its result records. Pure.

Numbers that make no sense count as not said; nothing is estimated.
"""

from __future__ import annotations

from typing import Any

from console.core.records import Usage

INPUTS = (
    "input_tokens",
    "inputTokens",
    "input",
    "cache_read_input_tokens",
    "cache_creation_input_tokens",
    "cachedReadTokens",
    "cachedWriteTokens",
    "cacheRead",
    "cacheWrite",
)
OUTPUTS = ("output_tokens", "outputTokens", "output")
MOST = 10**12


def of_event(event: dict[str, Any]) -> Usage | None:
    """The usage that one JSON line of a headless CLI reports: claude and qwen `result`, codex `turn.completed`, gemini
    `result.stats`, opencode `step_finish`, pi `turn_end`."""
    match event.get("type"):
        case "result":
            counts = event.get("usage") or event.get("stats")
            return usage(counts, dollars(event.get("total_cost_usd")))
        case "turn.completed":
            return usage(event.get("usage"), None)
        case "step_finish":
            part = event.get("part")
            return usage(part.get("tokens"), dollars(part.get("cost"))) if isinstance(part, dict) else None
        case "turn_end":
            message = event.get("message")
            counts = message.get("usage") if isinstance(message, dict) else None
            cost = counts.get("cost") if isinstance(counts, dict) else None
            return usage(counts, dollars(cost.get("total")) if isinstance(cost, dict) else None)
        case _:
            return None


def usage(counts: Any, cost: float | None) -> Usage | None:
    """From a record of token counts in any of the known spellings; None when it says nothing. Input counts all that was
    read, from a cache or not; opencode keeps its cache in a record of its own."""
    known = counts if isinstance(counts, dict) else {}
    cache = known.get("cache")
    extra = [_tokens(n) for n in cache.values()] if isinstance(cache, dict) else []
    found = Usage(
        input_tokens=_sum([*(_tokens(known.get(key)) for key in INPUTS), *extra]),
        output_tokens=_sum(_tokens(known.get(key)) for key in OUTPUTS),
        cost_usd=cost,
    )
    return None if found == Usage() else found


def plus(one: Usage | None, other: Usage | None) -> Usage | None:
    """The usage of two steps together; what neither says stays unsaid."""
    if one is None or other is None:
        return one or other
    return Usage(
        input_tokens=_sum((one.input_tokens, other.input_tokens)),
        output_tokens=_sum((one.output_tokens, other.output_tokens)),
        cost_usd=_total(one.cost_usd, other.cost_usd),
    )


def dollars(value: Any) -> float | None:
    """A cost in US dollars; None when it is no number from 0."""
    good = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < MOST
    return float(value) if good else None


def _total(one: float | None, other: float | None) -> float | None:
    return None if one is None and other is None else (one or 0.0) + (other or 0.0)


def _tokens(value: Any) -> int | None:
    good = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < MOST
    return value if good else None


def _sum(counts: Any) -> int | None:
    said = [count for count in counts if count is not None]
    return sum(said) if said else None
