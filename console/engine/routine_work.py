"""Effects of routines: the end of a wait for a person. Everything else of a routine is decided in the log."""

from __future__ import annotations

import asyncio

from console.core import due
from console.core import events as ev
from console.engine.pulse import OwnTime
from console.engine.world import Tell, World

NAP = 1.0


class RoutineWork:
    def __init__(self, world: World, tell: Tell, own: OwnTime) -> None:
        self._world, self._tell, self._own = world, tell, own

    async def wait(self, effect: due.RoutinePatience) -> None:
        """In time that passed for us, as every other patience: a machine that slept takes nothing from a person."""
        end = self._own.now() + max(0.0, effect.at - self._world.now())
        while (left := end - self._own.now()) > 0:
            await asyncio.sleep(min(left, NAP))
        await self._tell(ev.RoutineExpired(routine=effect.routine, step=effect.step, asked=effect.asked))
