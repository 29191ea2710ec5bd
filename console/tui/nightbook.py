"""The night as the log tells it, folded a few pages at a time on the reading thread. It begins with the last run, or a
day back where there was none, so that a log of any length is no longer to read than that."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from console.core.events import Logged
from console.core.state import State
from console.core.timeline import Night, Timeline

PAGE, PAGES = 500, 4
"""Entries read at once, and pages read before somebody else may use the thread."""
DAY = 24 * 3600.0
Events = Callable[[int, int], Sequence[Logged]]


class Nightbook:
    """Made on the screen's loop; everything else is called in the one thread that reads. open_events: as in `Desk`."""

    def __init__(self, open_events: Callable[[], Events], state: State) -> None:
        self._open = open_events
        self._events: Events | None = None
        run = next(reversed(state.runs.values()), None)
        self._next = run.seq if run else 0
        self._last = state.seq
        self._timeline = Timeline.knowing(
            {s.session: s.ticket for s in state.sessions.values()},
            {p.policy: p.spec.sessions for p in state.policies.values()},
        )

    def read_on(self) -> tuple[Night, float]:
        """Some more entries: the night so far, and which share of the log has been read (1: all there was)."""
        self._events = self._events or self._open()
        if not self._next:
            self._next = _day_back(self._events, self._last)
        for _ in range(PAGES):
            page = self._events(self._next, PAGE)
            self._timeline.feed(page)
            self._next += len(page)
            if len(page) < PAGE:
                return self._timeline.night(), 1.0
        return self._timeline.night(), min(0.99, self._next / max(1, self._last))


def _day_back(events: Events, last: int) -> int:
    """Position of the first entry of the last DAY; 1 in an empty log."""
    end = events(last, 1)
    low, high = 1, max(1, last)
    while end and low < high:
        middle = (low + high) // 2
        found = events(middle, 1)
        if found and found[0].at < end[0].at - DAY:
            low = middle + 1
        else:
            high = middle
    return low
