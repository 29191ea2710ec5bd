"""Fills a new worktree before anybody works in it: files of `include`, commands of `setup`. What those leave is told
from the work that follows. Decides nothing about the ticket.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from console.core.commits import Plan
from console.core.drain import Run
from console.core.records import GateResult, Record, Refused
from console.core.state import State
from console.core.tickets import Ticket
from console.engine.droppings import Droppings, plain
from console.engine.ports import FreezeRequest, ProcessSpec, TurnBase
from console.engine.running import run_limited
from console.engine.world import World

SETUP_LIMIT = 1800.0
"""Seconds that one setup command may take."""


class Ground(Record, frozen=True, kw_only=True):
    """The worktree of a ticket, ready for its session. fresh: nobody has worked in it."""

    path: str
    branch: str
    ref: str
    head: str
    base: str
    fresh: bool
    plans: tuple[Plan, ...] = ()


class SettingUp:
    def __init__(self, world: World, state: Callable[[], State]) -> None:
        self._world = world
        self._droppings = Droppings(world, lambda: state().plans)

    async def run(self, t: Ticket, run: Run, ground: Ground) -> Refused | None:
        if run.settings.include:
            copied = await asyncio.to_thread(self._world.git.include, ground.path, run.settings.include)
            if isinstance(copied, Refused):
                return copied
        for number, argv in enumerate(run.settings.setup, 1):
            result = await self._command(t, argv, ground.path, number)
            if isinstance(result, Refused):
                return result
            if result.verdict != "green":
                how = result.reason or (f"exit {result.code}" if result.code is not None else result.verdict)
                tail = result.output.strip().splitlines()[-3:]
                said = f": {' / '.join(tail)}" if tail else ""
                return Refused(reason=f"the setup command `{' '.join(argv)}` failed ({how}){said}")
        if run.settings.setup:
            await asyncio.to_thread(self._remember_setup, t, ground)
        return None

    def _remember_setup(self, t: Ticket, ground: Ground) -> None:
        """What the commands left is told from the work that follows. Blocks."""
        author = self._world.git.identity()
        if isinstance(author, Refused):
            return
        request = FreezeRequest(
            worktree=ground.path,
            paths=(),
            message="setup",
            base=TurnBase(ref=ground.ref, head=ground.base),
            author=author,
            when=int(self._world.now()),
            zone="+0000",
            everything=True,
            stores=stores_of(ground.plans),
        )
        self._droppings.after_setup(t.ticket, request)

    async def _command(self, t: Ticket, argv: tuple[str, ...], worktree: str, number: int) -> GateResult | Refused:
        env = await asyncio.to_thread(self._world.gate_env)
        program = self._world.find_command(argv[0], env)
        if isinstance(program, Refused):
            return program
        sandbox = await asyncio.to_thread(self._world.sandbox, worktree, False)
        if isinstance(sandbox, Refused):
            return sandbox
        spec = ProcessSpec(
            argv=(program, *argv[1:]),
            cwd=worktree,
            env=env,
            output=str(self._world.places.gate_output(plain(t.ticket), t.attempt, f"setup{number}")),
            sandbox=sandbox,
        )
        return await run_limited(self._world.processes, spec, SETUP_LIMIT, "worktree")


def stores_of(plans: tuple[Plan, ...]) -> tuple[str, ...]:
    """Folders with the objects of what a worktree is stacked on."""
    return tuple(dict.fromkeys(store for p in plans for store in (*p.frozen.stores, p.frozen.store)))
