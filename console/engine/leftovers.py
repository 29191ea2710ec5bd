"""What sessions leave behind: shims and processes of earlier ones beside a worktree, and what a turn left running.

It looks and tells; it signals nobody.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Sequence

from console.core import events as ev
from console.core.records import Leftover
from console.core.sessions import Session
from console.core.state import State
from console.engine.world import World

SHIM_PATIENCE = 6.0
"""Seconds that a former shim may take to clear its tree before its worktree counts as taken."""
A_MOMENT = 1.0
"""Seconds that the end of a turn waits at most for the look at what it left running."""


class Leftovers:
    def __init__(self, world: World, state: Callable[[], State]) -> None:
        self._world = world
        self._state = state

    # -- before a start ----------------------------------------------------------------------------------

    async def in_the_way(self, s: Session, held: Collection[str]) -> str:
        """Why no agent may start in this session's worktree, "" when nothing stands in the way. held: sessions whose
        agents we hold ourselves; a second agent never works beside one that nobody holds."""
        for _ in range(int(SHIM_PATIENCE / 0.1)):
            if not (shims := self._shims(s.worktree, held)):
                break
            await asyncio.sleep(0.1)
        else:
            shim = shims[0]
            if shim.stuck:
                return f"of {shim.session} something still runs beside {s.worktree}: {shim.stuck}; then queue it again"
            return (
                f"the shim of {shim.session}, pid {shim.shim_pid}, still runs beside {s.worktree}: "
                f"end it (`kill {shim.shim_pid}`), then prompt it or queue it again"
            )
        unproven = [o for o in self._here(s.worktree, held) if o.unproven]
        if not unproven:
            return ""
        left = await asyncio.to_thread(self._survivors, s.worktree, unproven)
        if not left:
            return ""
        more = f" and {len(left) - 1} more" if len(left) > 1 else ""
        return (
            f"of an earlier session in {s.worktree} still runs {left[0]}{more}: end it (`nightdesk doctor` lists "
            "it with its cure), then prompt it or queue it again"
        )

    def _survivors(self, worktree: str, unproven: Sequence[Session]) -> Sequence[str]:
        since = min((o.shim_start for o in unproven if o.shim_start), default=0)
        return self._world.survivors([o.session for o in unproven]) or self._world.beside(worktree, since)

    def _here(self, worktree: str, held: Collection[str]) -> Sequence[Session]:
        found = self._state().sessions.values()
        return [o for o in found if o.worktree == worktree and o.session not in held]

    def _shims(self, worktree: str, held: Collection[str]) -> list[Session]:
        here = self._here(worktree, held)
        return [o for o in here if o.shim_pid and self._world.alive(o.shim_pid, o.shim_start)]

    # -- after a turn ------------------------------------------------------------------------------------

    async def below(self, s: Session) -> tuple[Leftover, ...] | None:
        """What runs below the session's agent now; None when that cannot be told within a moment."""
        if not s.shim_pid or not s.pid:
            return ()
        look = asyncio.ensure_future(asyncio.to_thread(self._world.left_running, s.shim_pid, s.pid))
        done, _ = await asyncio.wait({look}, timeout=A_MOMENT)
        if not done:
            look.add_done_callback(_heard)
            return None
        return None if look.exception() else tuple(look.result())

    async def of_turn(
        self, s: Session, turn: int, before: tuple[Leftover, ...] | None, seconds: float
    ) -> tuple[ev.TurnProcesses, ...]:
        """What was started during the turn, `seconds` ago or less, and still runs."""
        now = await self.below(s)
        if now is None or before is None:
            return ()
        known = {one.pid for one in before}
        fresh = tuple(one.text for one in now if one.pid not in known or 0 < one.age < seconds)
        if not fresh and not s.processes:
            return ()
        return (ev.TurnProcesses(session=s.session, turn=turn, processes=fresh),)


def _heard(look: asyncio.Future[Sequence[Leftover]]) -> None:
    """It came too late to be told; its failure is nobody's either."""
    if not look.cancelled():
        look.exception()
