"""Counts what an agent says that is new, and remembers which of its tools run. Decides nothing: the watchdog does.

A spinner is no progress: what has no letters or digits, or says once more what was said just now but for the time that
it took, does not count. Being strict ends nobody, as bytes and CPU time argue against a kill all the same.
"""

from __future__ import annotations

import os
import re
import time
from collections import deque
from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any

from console.engine.ports import ToolCall, Vital

FRAMES = 8
"""So many sayings are remembered: a spinner with up to as many frames repeats itself."""
TOOLS = 100
"""Tools in flight that are remembered; the oldest is forgotten first."""
KEY, NAME = 200, 100
LONGEST = 24 * 3600.0
"""Seconds that a tool may declare for itself at most."""
COMPARED = 4096
"""Characters of a saying that are looked at."""

WORDS, LEAVES, NODES = 2000, 300, 5000
"""How much of an event of an unknown kind is looked at: words, items of one level, values in all."""

_COUNTED = re.compile(
    r"(?:^|[_\W])(?:uu|gu)?ids?$|[a-z](?:Id|ID)s?$|(?:^|_)(?:at|ts|ms)$|[a-z](?:At|Ms)$|time|stamp|elapsed|duration|count"
)
"""Keys whose values tell things apart and say nothing."""

_DIGIT = re.compile(r"\d")
_ELAPSED = re.compile(r"\b\d+(\.\d+)?\s*(ms|s|secs?|seconds?|m|mins?|minutes?)\b")

IN_FLIGHT = frozenset({"pending", "in_progress"})
OVER = frozenset({"completed", "failed", "cancelled"})


class Signs:
    """One agent's signs of life. `bytes_seen`: what came over its pipe."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        """now: monotonic seconds."""
        self._now = now
        self._recent: deque[int] = deque(maxlen=FRAMES)
        self._tools: dict[str, ToolCall] = {}
        self.progress = 0
        self.bytes_seen = 0
        self.rounds = 0

    def happened(self) -> None:
        """Something that is progress whatever it says: an answer, a question."""
        self.progress += 1

    def said(self, kind: str, text: str) -> None:
        """An event of the protocol that could be read."""
        words = "".join(c for c in _ELAPSED.sub("", text[:COMPARED]) if c.isalnum())
        rest = text[COMPARED:]
        if not words and not rest:
            return
        mark = hash((kind, words, rest))
        if mark not in self._recent:
            self.progress += 1
        self._recent.append(mark)

    def round(self, empty: bool) -> None:
        """A round with its model is over, or has already brought something. empty: no new word or thought, no tool."""
        self.rounds = self.rounds + 1 if empty else 0

    def tool(self, key: str, name: str, status: str, given: Any = None) -> None:
        """What is known of a tool call now. given: its raw input, where a limit of its own may stand."""
        key = key[:KEY]
        if status in OVER:
            self._tools.pop(key, None)
            return
        known = self._tools.get(key)
        if known is None and status not in IN_FLIGHT:
            return
        budget = declared(given) or (known.budget if known else 0.0)
        since = known.since if known else self._now()
        self._tools[key] = ToolCall(name=(name or (known.name if known else key))[:NAME], since=since, budget=budget)
        if len(self._tools) > TOOLS:
            del self._tools[next(iter(self._tools))]

    def turn(self) -> None:
        """A new turn: what an earlier one left open runs no more."""
        self._tools.clear()
        self._recent.clear()
        self.rounds = 0

    def vital(self, file: str = "") -> Vital:
        """As of now. file: where the agent's other output goes; its size counts as output."""
        return Vital(
            progress=self.progress,
            output=self.bytes_seen + _size(file),
            tools=tuple(list(self._tools.values())),
            rounds=self.rounds,
        )


def gist(event: Mapping[str, Any]) -> str:
    """What an event of an unknown kind says, without ids, times and numbers: two that differ in these say the same."""
    words: list[str] = []
    stack: list[tuple[str, Any]] = [("", event)]
    seen = 0
    while stack and len(words) < WORDS and seen < NODES:
        key, here = stack.pop()
        seen += 1
        if _COUNTED.search(key):
            continue
        if isinstance(here, Mapping):
            stack.extend((str(name)[:80], inner) for name, inner in reversed(list(islice(here.items(), LEAVES))))
        elif isinstance(here, list):
            stack.extend((key, inner) for inner in reversed(here[:LEAVES]))
        elif isinstance(here, str):
            words.extend(word for word in here[:COMPARED].split() if not _DIGIT.search(word))
    return " ".join(words)


def declared(given: Any) -> float:
    """The limit in seconds that a tool call's input names; 0 for none.

    `timeout_ms` and `timeoutMs` are milliseconds. `timeout` is milliseconds with some agents and seconds with others:
    nobody gives a tool less than a second, and nobody a thousand of them but in milliseconds."""
    if not isinstance(given, Mapping):
        return 0.0
    for key, unit in (("timeout_ms", 0.001), ("timeoutMs", 0.001), ("timeout", 0.0)):
        value = given.get(key)
        if isinstance(value, int | float) and not isinstance(value, bool) and value > 0:  # False for NaN, too
            value = min(float(value), 1e9) if value < 1e300 else 1e9
            return min(LONGEST, value * (unit or (0.001 if value >= 1000 else 1.0)))
    return 0.0


def _size(file: str) -> int:
    try:
        return os.stat(file).st_size if file else 0
    except OSError:
        return 0
