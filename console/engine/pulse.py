"""The supervisor's own heartbeat and the time it really had: what every deadline is measured in.

`monotonic` runs on while we are stopped (SIGSTOP, a paused machine) or our loop is blocked; time that we did not have
is no silence of an agent. A machine that sleeps stops the clock by itself.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

TICK = 0.25
"""Seconds between ticks."""
AWAY = 3.0
"""A gap between two ticks of more than this many seconds counts as absence."""
BEAT = 1.0
"""Seconds between beats that others can see (`adapters/beat.py`); who waits for us to fall silent counts them."""


class OwnTime:
    """Monotonic seconds without those in which we did not run. `now` may be asked from our loop at any time."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._last = monotonic()
        self.lost = 0.0
        self.worst = 0.0
        """The longest gap between two looks, in seconds."""

    def now(self) -> float:
        at = self._monotonic()
        gap = at - self._last
        self.worst = max(self.worst, gap)
        if gap > AWAY:
            self.lost += gap
        self._last = at
        return at - self.lost

    async def sleep(self, seconds: float) -> None:
        """Wait until so much of our own time is over."""
        end = self.now() + seconds
        while (left := end - self.now()) > 0:
            await asyncio.sleep(min(left, 1.0))


class Pulse:
    """Ticks on the supervisor's loop for as long as `run` is awaited, so that a blocked loop is seen from outside."""

    def __init__(self, own: OwnTime, beat: Callable[[float], None] = lambda _worst: None) -> None:
        """beat(worst gap in seconds): called once a `BEAT`; must not block."""
        self.own = own
        self._beat = beat
        self._beaten = float("-inf")
        self.away = 0.0
        """Seconds of absence that nobody has told the log yet."""

    async def run(self) -> None:
        self.own.now()
        while True:
            self.tick()
            await asyncio.sleep(TICK)

    def tick(self) -> None:
        before = self.own.lost
        now = self.own.now()
        self.away += self.own.lost - before
        if now - self._beaten >= BEAT:
            self._beaten = now
            self._beat(self.own.worst)

    def told(self) -> float:
        """The absence to tell, which then is told."""
        away, self.away = self.away, 0.0
        return away
