"""What the machine lacks (disk, memory, descriptors), and that nothing new is started meanwhile. It frees nothing and
ends nothing that runs; a disk that stays full for too long halts the run (DESIGN.md, ruling 19)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from console.core import due
from console.core import events as ev
from console.core.state import State, open_run
from console.engine.pulse import OwnTime
from console.engine.world import Tell, World

GRACE = 900.0
"""Seconds of our own time that a disk may be full until the run is halted."""


class Shortage:
    """short: what is lacking as of the last look, with the reason; the log may not have been able to take that yet."""

    def __init__(
        self,
        world: World,
        state: Callable[[], State],
        tell: Tell,
        own: OwnTime,
        blocked: Callable[[], str] = lambda: "",
    ) -> None:
        """blocked: why the log takes nothing now, "" while it does."""
        self._world, self._state, self._tell, self._own, self._blocked = world, state, tell, own, blocked
        self._full_since: float | None = None
        self.short: dict[ev.Lack, str] = {}
        self.grace = GRACE

    async def see(self) -> None:
        """Look at the machine; tells nobody, so that it never waits for the log."""
        found = dict(await asyncio.to_thread(self._world.shortage))
        if why := self._blocked():
            found["disk"] = why
        self.short = found
        if "disk" not in found:
            self._full_since = None
        elif self._full_since is None:
            self._full_since = self._own.now()

    async def look(self) -> None:
        """Once a second. What the log does not know yet is told; that waits while the log takes nothing."""
        await self.see()
        known = self._state().lacking
        facts: list[ev.Fact] = [
            ev.SupervisorDegraded(kind=kind, why=why) for kind, why in self.short.items() if kind not in known
        ]
        facts += [ev.SupervisorRecovered(kind=lack.kind) for lack in known.values() if lack.kind not in self.short]
        if facts:
            await self._tell(*facts)
        await self._halt_in_time()

    async def _halt_in_time(self) -> None:
        run = open_run(self._state())
        if self._full_since is None or run is None or run.state == "halting":
            return
        if (full := self._own.now() - self._full_since) >= self.grace:
            why = f"no room on the disk for {full / 60:.0f} minutes: {self.short['disk']}; make room, then run again"
            await self._tell(ev.RunHalting(run=run.run, reason=why))

    def holds(self, effect: due.Effect) -> bool:
        """Whether this effect has to wait until what is short is there again. A gate waits for the disk, since a red
        one would blame the work; memory keeps only new processes of agents back."""
        short = self.short.keys() | self._state().lacking.keys()
        match effect:
            case due.Start() | due.Prepare():
                return bool(short)
            case due.BeginTurn():
                return bool(short - {"memory"})
            case due.Judge():
                policy = self._state().policies.get(effect.policy)
                agent = bool(policy and policy.spec.gate and policy.spec.gate.judge)
                return bool(short) if agent else "disk" in short
            case _:
                return False
