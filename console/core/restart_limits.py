"""How often something may be started again, and how long it waits first: arithmetic on times, no session in sight."""

from __future__ import annotations

import hashlib

from console.core.records import WatchLimits

FIRST_WAIT = 5.0
"""Seconds before the first restart; each further one waits twice as long."""
LONGEST_WAIT = 300.0
"""Seconds; before the jitter."""
JITTER = 0.25
"""At most this share longer, so that a fleet that fell together does not rise together."""


def noted(before: tuple[float, ...], at: float) -> tuple[float, ...]:
    """With one more restart at `at`. A clock that was set back leaves nothing in the future, where it would count for
    longer than its window."""
    return (*(min(one, at) for one in before), at)


def spent(limits: WatchLimits, before: tuple[float, ...], now: float) -> str:
    """Why there is no further restart, "" when there may be one. What lies in the future (a clock that was set back)
    counts as just now, so that no jump makes room in the window."""
    if len(before) >= limits.total_restarts:
        return f"it was started again {_times(len(before))} already, the most for one piece of work"
    recent = sum(one > now - limits.window for one in before)
    if recent >= limits.restarts:
        return f"it was started again {_times(recent)} within {limits.window:g} s, the most that the settings allow"
    return ""


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def wait(name: str, count: int) -> float:
    """Seconds before restart number `count` of this session; the same ones whoever asks."""
    plain: float = min(LONGEST_WAIT, FIRST_WAIT * 2.0 ** min(count - 1, 16))
    dice = int.from_bytes(hashlib.sha256(f"{name}/{count}".encode()).digest()[:4], "big") / 2**32
    return plain * (1.0 + JITTER * dice)


LONGEST = LONGEST_WAIT * (1.0 + JITTER)
"""No restart is ever further away, whatever a clock says."""
