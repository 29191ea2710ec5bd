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
        self._upto = 0
        self._found: dict[str, list[str]] = {}

    def texts(self, policy: str) -> tuple[str, ...]:
        """What each nudge of `policy` said, oldest first."""
        self._events = self._events or self._open()
        while page := self._events(self._upto + 1, PAGE):
            self._upto = page[-1].seq
            for entry in page:
                if isinstance(entry.fact, PromptQueued) and entry.fact.cause == "nudge":
                    self._found.setdefault(entry.fact.policy, []).append(entry.fact.text)
        return tuple(self._found.get(policy, ()))


def lines(texts: Sequence[str]) -> list[str]:
    """Each nudge under a line that counts it; cleaned where they are drawn."""
    out: list[str] = []
    for number, text in enumerate(texts, 1):
        out += ["", f"nudge {number} said:", *(f"  {line}" for line in text.rstrip("\n").split("\n"))]
    return out
