"""What a Claude Code process says that its work costs: round by round, and at the end of each turn. Pure."""

from __future__ import annotations

from typing import Any

from console.adapters.agents import costs
from console.core.records import Usage

Event = dict[str, Any]
Entry = dict[str, int | float]
"""A `usage` entry of the transcript; {} when there is nothing to tell."""


class Costs:
    """Of one process. Every result counts in the turn that ends next, also of work that went on by itself."""

    def __init__(self) -> None:
        self._total: float | None = None
        self._spent: Usage | None = None
        self._rounds: Usage | None = None
        self._read: Event = {}

    def begin(self, *, resumed: bool) -> None:
        """A fresh conversation has cost nothing; what a resumed one has cost is known after its first result."""
        self._total = None if resumed else 0.0

    def turn(self) -> None:
        self._rounds = None

    def round_begins(self, counts: Any) -> None:
        """The counts of a message's start: what was read."""
        self._read = _told(counts)

    def round_ends(self, counts: Any) -> Entry:
        """The counts of a message's end: what was written, and in some releases all of it again."""
        found = costs.usage(self._read | _told(counts), None)
        if found is None:
            return {}
        self._rounds = costs.plus(self._rounds, found)
        return _entry(self._rounds, used=(found.input_tokens or 0) + (found.output_tokens or 0))

    def result(self, event: Event) -> Entry:
        """A `result` line."""
        total = costs.dollars(event.get("total_cost_usd"))
        self._spent = costs.plus(self._spent, spent(event, self._total))
        self._total = total if total is not None else self._total
        self._rounds = None
        return _entry(self._spent, window=_window(event))

    def broken_off(self) -> Usage | None:
        """What a turn had spent that got no result: the rounds that it told of, without dollars."""
        usage, self._rounds = costs.plus(self.take(), self._rounds), None
        return usage

    def take(self) -> Usage | None:
        """What was spent since the last time."""
        usage, self._spent = self._spent, None
        return usage


def spent(event: Event, before: float | None) -> Usage | None:
    """What a `result` line adds. `total_cost_usd` is of the whole conversation, also of one that was resumed; `before`
    is what it was, None when that is not known. `usage` leaves out agents within; newer releases tell all of it."""
    since, total = event.get("model_usage_since_last_result"), costs.dollars(event.get("total_cost_usd"))
    if isinstance(since, dict):
        found: Usage | None = None
        for counts in since.values():
            found = costs.plus(found, _of_model(counts) if isinstance(counts, dict) else None)
        return found
    cost = max(0.0, total - before) if total is not None and before is not None else None
    return costs.usage(event.get("usage"), cost)


def _of_model(counts: Event) -> Usage | None:
    plain = {
        "input_tokens": counts.get("inputTokens"),
        "cache_read_input_tokens": counts.get("cacheReadInputTokens"),
        "cache_creation_input_tokens": counts.get("cacheCreationInputTokens"),
        "output_tokens": counts.get("outputTokens"),
    }
    return costs.usage(plain, costs.dollars(counts.get("costUSD")))


def _window(event: Event) -> int | None:
    """The tokens that the context of the turn's model holds."""
    models = event.get("modelUsage")
    known = [one.get("contextWindow") for one in _told(models).values() if isinstance(one, dict)]
    return max((size for size in known if isinstance(size, int)), default=None)


def _entry(usage: Usage | None, **more: int | None) -> Entry:
    if usage is None:
        return {}
    known = {"input": usage.input_tokens, "output": usage.output_tokens, "usd": usage.cost_usd, **more}
    return {name: value for name, value in known.items() if value is not None}


def _told(counts: Any) -> Event:
    return {name: n for name, n in counts.items() if n is not None} if isinstance(counts, dict) else {}
