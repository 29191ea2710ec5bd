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


def asleep() -> float:
    """Seconds that this machine has slept since it came up; 0.0 where the system does not say."""
    if not hasattr(time, "CLOCK_BOOTTIME"):
        return 0.0
    return time.clock_gettime(time.CLOCK_BOOTTIME) - time.clock_gettime(time.CLOCK_MONOTONIC)


class OwnTime:
    """Monotonic seconds without those in which we did not run. `now` may be asked from our loop at any time.

    lost: seconds that were taken out of it. slept: those that the machine slept, which the clock left out by itself."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic, asleep: Callable[[], float] = asleep) -> None:
        self._monotonic, self._asleep = monotonic, asleep
        self._last = monotonic()
        self._sleep = asleep()
        self.lost = self.slept = 0.0
        self.worst = 0.0
        """The longest gap between two looks, in seconds."""

    def now(self) -> float:
        at = self._monotonic()
        gap = at - self._last
        self.worst = max(self.worst, gap)
        if gap > AWAY:
            self.lost += gap
        if (slept := self._asleep() - self._sleep) > AWAY:
            self.slept += slept
            self._sleep += slept
        self._last = at
        return at - self.lost

    @property
    def away(self) -> float:
        """Seconds in which nobody saw anything, for whatever reason."""
        return self.lost + self.slept

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
        self._told = own.away

    async def run(self) -> None:
        self.own.now()
        while True:
            self.tick()
            await asyncio.sleep(TICK)

    def tick(self) -> None:
        now = self.own.now()
        if now - self._beaten >= BEAT:
            self._beaten = now
            self._beat(self.own.worst)

    def told(self) -> float:
        """The absence that nobody has told the log yet, in seconds; it then is told. Whoever asked the time first after
        it does not matter."""
        away, self._told = self.own.away - self._told, self.own.away
        return away
