"""What each session's turns cost, added up by the log itself on a thread of its own, a few seconds behind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from console.engine.desk import Search

EVERY = 5.0
"""Seconds between two looks."""
Aside = Callable[[Callable[[], Any], Callable[[Any], None]], None]


class Costs:
    """opened: as `Desk.open_search`. aside: calls the first on a thread, and the second with its value on the loop."""

    def __init__(self, opened: Callable[[], Search], aside: Aside) -> None:
        self._opened = opened
        self._aside = aside
        self._spent: dict[str, float] = {}
        self._upto = 0
        self._asked: float | None = None
        self._busy = False
        self.known = False
        """Some session's agent says what it costs."""

    def of(self, session: str) -> str:
        """`2.10 $`, "" for nothing known."""
        usd = self._spent.get(session)
        return "" if usd is None else f"{usd:.2f} $"

    def look(self, seq: int, now: float) -> None:
        """Read what came since, when that is worth it. seq: the log's last position; now: any clock's seconds."""
        early = self._asked is not None and 0 <= now - self._asked < EVERY
        if self._busy or early or seq <= self._upto:
            return
        self._busy, self._asked = True, now
        since = self._upto
        self._aside(lambda: self._opened().costs(since), self._have)

    def _have(self, found: object) -> None:
        self._busy = False
        if isinstance(found, tuple):
            spent, self._upto = found
            self._add(spent)

    def _add(self, spent: Mapping[str, float]) -> None:
        for session, usd in spent.items():
            self._spent[session] = self._spent.get(session, 0.0) + usd
        self.known = bool(self._spent)
