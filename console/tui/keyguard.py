"""When an approving key counts: what it names was drawn long enough, and it was one key, not a burst."""

from __future__ import annotations

from dataclasses import dataclass

SETTLE = 0.4
"""Seconds that a plan must have been on the screen before a key may approve it."""
ALONE = 0.25
"""Seconds without another key, before and after, that tell a press from a paste or from keys typed during a stall."""
STALE = 1.0
"""Seconds between a key's arrival and its handling from which it was typed blind."""


@dataclass(slots=True)
class KeyGuard:
    """Times are seconds of one monotonic clock. shown: what is drawn, and since when. spent: approved already."""

    shown: str = ""
    since: float = 0.0
    last_key: float = -10.0
    spent: str = ""
    late: float = 0.0

    def drawn(self, what: str, now: float) -> None:
        """This is on the screen now; "" for nothing that can be approved."""
        if what != self.shown:
            self.shown, self.since = what, now
            if what != self.spent:
                self.spent = ""

    def renewed(self, now: float) -> None:
        """What is drawn is the same thing, but it looks different now: it must be seen again, and may be approved."""
        self.since, self.spent = now, ""

    def key(self, now: float, typed: float) -> float:
        """Note a key that was read at `typed` and is handled now; returns the seconds since the one before."""
        gap = now - self.last_key
        self.last_key, self.late = now, now - typed
        return gap

    def closed(self) -> str:
        """Why no key approves anything however long one waits; "" when one may."""
        if not self.shown:
            return "no plan is shown; open one first"
        return "this plan was approved already; its outcome is on the way" if self.spent == self.shown else ""

    def refusal(self, now: float, gap: float) -> str:
        """Why a key pressed now approves nothing; "" when it may, if no other key follows within ALONE."""
        if why := self.closed():
            return why
        if now - self.since < SETTLE:
            return "this plan has only just appeared; look at it, then press again"
        if self.late > STALE:
            return "that key was typed while the screen stood still; look, then press again"
        if gap < ALONE:
            return "keys came too fast (pasted?); nothing was approved"
        return ""
