"""How much of the supervisor's loop one agent's output may have: no more than about half of it, however much it sends.

Every session shares that loop, its deadlines and its stops. Decides nothing about what the output means.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

AT_ONCE = 0.02
"""Seconds of work that are done before the others get their turn."""
LONGEST_REST = 1.0


class Pace:
    """Of one stream: `begins` before a line is dealt with, `await done()` behind it."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._since = self._busy = 0.0

    def begins(self) -> None:
        self._since = self._now()

    async def done(self) -> None:
        """Rests for as long as the work since the last rest took, once that is AT_ONCE."""
        self._busy += self._now() - self._since
        if self._busy >= AT_ONCE:
            rest, self._busy = min(self._busy, LONGEST_REST), 0.0
            await asyncio.sleep(rest)
