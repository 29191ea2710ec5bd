"""The sign of life of who is at a screen: that a key was pressed, at most once a minute (DESIGN.md, ruling 14)."""

from __future__ import annotations

from console.core import commands as cmd
from console.core import events as ev
from console.core.drain import Run
from console.core.records import Who

EVERY = 60.0
"""Seconds between two signs."""


class Presence:
    def __init__(self) -> None:
        self._last = -EVERY

    def due(self, run: Run | None, now: float, *, asked: bool = False) -> bool:
        """Whether this key is to be told; it counts as told then. now: monotonic seconds. asked: there are channels
        that may be quiet while somebody is at a screen."""
        if not (asked or (run and run.attended)) or now - self._last < EVERY:
            return False
        self._last = now
        return True


def sign(who: Who) -> cmd.Report:
    return cmd.Report(facts=(ev.OperatorActive(by=who),))
