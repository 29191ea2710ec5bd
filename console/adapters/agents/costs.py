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
NOTHING = Usage(input_tokens=0, output_tokens=0)


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


def is_total(event: dict[str, Any]) -> bool:
    """Whether the line counts the whole conversation, turns of earlier processes included: codex and qwen do."""
    counts = event.get("usage")
    return event.get("type") == "turn.completed" or (isinstance(counts, dict) and "total_tokens" in counts)


def since(total: Usage, before: Usage | None) -> Usage | None:
    """What was added to a conversation; None when nobody knows what it had cost before."""
    if before is None:
        return None
    pairs = ((total.input_tokens, before.input_tokens), (total.output_tokens, before.output_tokens))
    spent = [None if now is None else max(0, now - (then or 0)) for now, then in pairs]
    return Usage(input_tokens=spent[0], output_tokens=spent[1], cost_usd=total.cost_usd)


def entry(usage: Usage | None, event: dict[str, Any]) -> dict[str, Any]:
    """What a `usage` entry of a transcript says: the turn so far, and how full the model's context is if told."""
    used, window = _context(event)
    known = usage or Usage()
    fields = {"input": known.input_tokens, "output": known.output_tokens, "usd": known.cost_usd}
    return {key: value for key, value in (fields | {"used": used, "window": window}).items() if value is not None}


def _context(event: dict[str, Any]) -> tuple[int | None, int | None]:
    """(tokens of the model's context in use, its size): opencode and pi tell the first, claude the second."""
    part, message, models = event.get("part"), event.get("message"), event.get("modelUsage")
    counts = part.get("tokens") if isinstance(part, dict) else None
    counts = message.get("usage") if isinstance(message, dict) else counts
    total = (
        next((counts[key] for key in ("total", "totalTokens") if key in counts), None)
        if isinstance(counts, dict)
        else None
    )
    sizes = (
        [_tokens(m.get("contextWindow")) for m in models.values() if isinstance(m, dict)]
        if isinstance(models, dict)
        else []
    )
    return _tokens(total) or None, max((size for size in sizes if size), default=None)


def usage(counts: Any, cost: float | None) -> Usage | None:
    """From a record of token counts in any of the known spellings; None when it says nothing. Input counts all that was
    read, from a cache or not; opencode keeps its cache in a record of its own."""
    known = counts if isinstance(counts, dict) else {}
    cache = known.get("cache")
    extra = [_tokens(n) for n in cache.values()] if isinstance(cache, dict) else []
    output = _sum(_tokens(known.get(key)) for key in OUTPUTS)
    found = Usage(
        input_tokens=_whole_input(known, output) or _sum([*(_tokens(known.get(key)) for key in INPUTS), *extra]),
        output_tokens=output,
        cost_usd=cost,
    )
    return None if found == Usage() else found


def _whole_input(known: dict[str, Any], output: int | None) -> int | None:
    """`input_tokens` when the total shows that it holds what came from a cache (gemini, which tells the rest of it once
    more as `input`, and qwen); else None."""
    whole, total = _tokens(known.get("input_tokens")), _tokens(known.get("total_tokens"))
    return whole if whole is not None and total == whole + (output or 0) else None


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
