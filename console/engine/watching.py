"""The watchdog at work: gathers what each agent shows, asks `core.watchdog`, and tells the log. It signals nobody."""

from __future__ import annotations

from collections.abc import Callable

from console.core.state import State
from console.engine.pulse import OwnTime
from console.engine.session_work import SessionWork
from console.engine.world import Tell, World


class Watching:
    def __init__(
        self, world: World, state: Callable[[], State], tell: Tell, sessions: SessionWork, own: OwnTime
    ) -> None:
        self._world, self._state, self._tell, self._sessions, self._own = world, state, tell, sessions, own

    async def look(self) -> None:
        """Once a second."""
