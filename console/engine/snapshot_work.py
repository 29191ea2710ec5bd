"""Effects on snapshots: one before each turn, and the rollback that a person asks for."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from console.core import due, keeping
from console.core import events as ev
from console.core.records import Refused
from console.core.sessions import Session
from console.core.state import State
from console.engine.world import Tell, World


class SnapshotWork:
    def __init__(
        self,
        world: World,
        state: Callable[[], State],
        tell: Tell,
        since: Callable[[], int],
        in_the_way: Callable[[Session], Awaitable[str]],
    ) -> None:
        """since: the log position at which this supervisor began. in_the_way: what may still write in the worktree of a
        session whose processes are not proven gone."""
        self._since = since
        self._in_the_way = in_the_way
        self._world = world
        self._state = state
        self._tell = tell

    async def before_turn(self, session: Session, turn: int) -> ev.SnapshotTaken | None:
        """None when the turn began before and was cut off: its snapshot stays the one of its true beginning."""
        if session.turn and session.turn.number == turn:
            return None
        name = f"{session.session}/{turn}"
        taken = await asyncio.to_thread(
            self._world.snapshots.take, session.worktree, name, int(self._world.now())
        )  # fmt: skip
        if isinstance(taken, Refused):
            return ev.SnapshotTaken(session=session.session, turn=turn, refused=taken.reason)
        return ev.SnapshotTaken(
            session=session.session, turn=turn, snapshot=taken.snapshot, uncovered=taken.uncovered
        )  # fmt: skip

    async def roll_back(self, effect: due.RollBackTo) -> None:
        """Begins wherever a crash left it: a rollback done twice changes nothing the second time."""
        s = self._state().sessions[effect.session]
        if not s.rollback_asked and s.worktree == self._world.root and effect.request <= self._since():
            # Its supervisor is gone, and nobody knows what the operator did in the checkout since.
            reason = (
                f"the checkout was not put back when its supervisor ended; look at what is there, then "
                f"`nightdesk snapshot restore {s.session} {effect.snapshot[:10]}` does it"
            )
            await self._tell(ev.RolledBack(session=s.session, snapshot=effect.snapshot, refused=reason))
            return
        if s.unproven and (reason := await self._in_the_way(s)):
            await self._tell(ev.RolledBack(session=s.session, snapshot=effect.snapshot, refused=reason))
            return
        done = await asyncio.to_thread(
            self._world.snapshots.restore, s.worktree, effect.snapshot, int(self._world.now())
        )  # fmt: skip
        if isinstance(done, Refused):
            await self._tell(ev.RolledBack(session=s.session, snapshot=effect.snapshot, refused=done.reason))
            return
        await self._tell(
            ev.RolledBack(
                session=s.session,
                snapshot=effect.snapshot,
                undo=done.undo.snapshot,
                changed=done.changed,
                count=done.count,
                left=done.left,
            )
        )

    async def collect(self) -> None:
        """Free the space of snapshots that nobody can ask for any more."""
        keep = keeping.snapshots(self._state())
        await asyncio.to_thread(self._world.snapshots.collect, keep, int(self._world.now()))
