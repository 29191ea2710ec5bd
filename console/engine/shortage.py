"""What the machine lacks (disk, memory, descriptors), and that nothing new is started meanwhile."""

from __future__ import annotations

from collections.abc import Callable

from console.core import due
from console.core.state import State
from console.engine.pulse import OwnTime
from console.engine.world import Tell, World


class Shortage:
    def __init__(self, world: World, state: Callable[[], State], tell: Tell, own: OwnTime) -> None:
        self._world, self._state, self._tell, self._own = world, state, tell, own

    async def look(self) -> None:
        """Once a second."""

    def holds(self, effect: due.Effect) -> bool:
        """Whether this effect has to wait until what is short is there again."""
        return bool(self._state().lacking) and isinstance(effect, (due.Start, due.Prepare, due.BeginTurn))
