"""The texts of a policy's nudges, looked up in the log; on the reading thread only, each entry is read once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from console.core.events import Logged, PromptQueued

PAGE = 500
Events = Callable[[int, int], Sequence[Logged]]


class Nudges:
    """open_events: as in `Desk`; called once, in the thread that uses it."""

    def __init__(self, open_events: Callable[[], Events]) -> None:
        self._open = open_events
        self._events: Events | None = None
        self._read: dict[str, tuple[int, list[str]]] = {}

    def texts(self, policy: str, since: int) -> list[str]:
        """What each nudge of `policy` said, oldest first. since: a log position before the first."""
        self._events = self._events or self._open()
        upto, found = self._read.get(policy, (since, []))
        while page := self._events(upto + 1, PAGE):
            upto = page[-1].seq
            for entry in page:
                fact = entry.fact
                if isinstance(fact, PromptQueued) and fact.cause == "nudge" and fact.policy == policy:
                    found.append(fact.text)
        self._read[policy] = (upto, found)
        return found


def lines(texts: Sequence[str]) -> list[str]:
    """Each nudge under a line that counts it; cleaned where they are drawn."""
    out: list[str] = []
    for number, text in enumerate(texts, 1):
        out += ["", f"nudge {number} said:", *(f"  {line}" for line in text.rstrip("\n").split("\n"))]
    return out
