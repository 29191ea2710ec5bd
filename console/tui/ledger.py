"""What the log says of every session's prompts and costs, read a page at a time; on the reading thread only."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from console.core.events import Exited, Fact, Logged, PromptQueued, SessionAdded, TurnEnded
from console.present.doing import Spent, usage
from console.present.talk import Origin

PAGE, PAGES = 500, 4
"""Entries read at once, and pages read before somebody else may use the thread."""
Events = Callable[[int, int], Sequence[Logged]]


class Ledger:
    """open_events: as in `Desk`; called once, in the thread that uses it."""

    def __init__(self, open_events: Callable[[], Events]) -> None:
        self._open = open_events
        self._events: Events | None = None
        self._upto = 0
        self._origins: dict[str, dict[int, Origin]] = {}
        self._spent: dict[str, Spent] = {}
        self._tickets: dict[str, str] = {}

    def read_on(self) -> bool:
        """Read some more; True when there may be more to read."""
        self._events = self._events or self._open()
        for _ in range(PAGES):
            page = self._events(self._upto + 1, PAGE)
            for entry in page:
                self._note(entry.fact)
            if not page:
                return False
            self._upto = page[-1].seq
        return True

    def origins(self, session: str) -> Mapping[int, Origin]:
        """Turn -> who or what prompted it."""
        return dict(self._origins.get(session, {}))

    def spent(self, session: str) -> Spent:
        """By the turns that have ended."""
        return self._spent.get(session, Spent())

    def _note(self, fact: Fact) -> None:
        match fact:
            case SessionAdded():
                self._tickets[fact.session] = fact.ticket
            case PromptQueued():
                user = fact.by.user if fact.by else ""
                ticket = self._tickets.get(fact.session, "")
                origin = Origin(fact.cause, policy=fact.policy, ticket=ticket, user=user)
                self._origins.setdefault(fact.session, {})[fact.turn] = origin
            case TurnEnded() | Exited():
                self._spent[fact.session] = self.spent(fact.session).plus(usage(fact.usage))
            case _:
                return
