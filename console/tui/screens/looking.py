"""Since when a ticket or a decision has looked as it does, so that no key counts for what was not seen.

Plans and alerts have clocks of their own."""

from __future__ import annotations

import time
from collections.abc import Callable

from console.tui.keyguard import SETTLE, STALE
from console.tui.screens.verbs import Asking


class Looking(Asking):
    """Mixed into every screen that shows one thing."""

    _thing_drawn: tuple[object, float] = (None, 0.0)

    def thing_drawn(self) -> None:
        """Note since when the thing has looked as it does (plans and alerts have their own count)."""
        thing = self._thing()
        if thing != self._thing_drawn[0]:
            self._thing_drawn = (thing, time.monotonic())

    def _thing(self) -> object:
        desk = self.desk
        if desk.detail_hidden:
            return None
        tab = desk.detail.tab
        about = (desk.subject.id, desk.subject.ticket(desk.state), desk.decision())
        return (*about, tab, desk.text_shown, not desk.unread(tab))

    def thing_seen_anew(self, after: float, now: float) -> None:
        """What was drawn after that moment was not seen before `now`."""
        thing, since = self._thing_drawn
        if since > after:
            self._thing_drawn = (thing, now)

    def too_soon(self) -> str:
        """Why a key does not count yet; "" when what is drawn was drawn long enough ago."""
        thing, since = self._thing_drawn
        if self._thing() != thing or time.monotonic() - since < SETTLE:
            return "this has only just appeared or changed; look at it, then press again"
        if self.desk.guard.late > STALE:
            return "that key was typed while the screen stood still; look, then press again"
        return ""

    def on_this(self, undone: str, act: Callable[[], None]) -> None:
        """Run `act` if the key stands alone and what is drawn now is still drawn then."""
        if why := self.too_soon():
            self.say(why)
            return
        seen = self._thing_drawn

        def later() -> None:
            if self._thing_drawn != seen or self._thing() != seen[0]:
                self.say(f"what is shown has changed just now; look at it again. Nothing was {undone}")
            else:
                act()

        self.when_alone(undone, later)
