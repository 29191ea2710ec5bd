"""The git dir between and after turns: look, tell what changed as an alert, adopt or restore on a person's word."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Literal

from console.core import alerts, due
from console.core import events as ev
from console.core.records import Refused, RepoChange
from console.core.sessions import LIVE, Session
from console.core.state import State, open_alert
from console.engine.ports import Look
from console.engine.world import Tell, World

MAY_MOVE = LIVE | {"suspended"}


class RepositoryWork:
    """Everything that is compared with the baseline. Only a look tells; nothing is put back unasked."""

    def __init__(self, world: World, state: Callable[[], State], tell: Tell, making: asyncio.Lock) -> None:
        """making: held while a worktree of ours is made; nothing is compared meanwhile. loans: sessions whose
        conversation came back from a person's program, before anything was compared since."""
        self.loans: set[str] = set()
        self._making = making
        self._world = world
        self._state = state
        self._tell = tell

    async def before_first_session(self) -> None:
        """With nobody of ours at work, what is there is the operator's: it becomes the baseline. After a crash in the
        middle of a turn, with an alert open, or while somebody has an agent's own program open, it does not."""
        await self._rebase(())

    async def before_a_loan(self, session: str) -> None:
        """The same, before the agent's own program is opened with nobody of ours at work."""
        await self._rebase((session,))

    async def _rebase(self, taken: tuple[str, ...]) -> None:
        state = self._state()
        mid_turn = any(s.turn and s.turn.start_seq and not s.turn.end_seq for s in state.sessions.values())
        lent = self.loans or any(s.lent and s.session not in taken for s in state.sessions.values())
        if not mid_turn and not open_alert(state) and not lent:
            await asyncio.to_thread(self._world.watch.rebase)

    async def after_loan(self, session: Session) -> list[ev.Fact]:
        """What to tell when a conversation is back from the agent's own program."""
        facts = await self._look("turn", session.session, session.turns)
        await self._own_branch(session)
        return facts

    async def after_turn(self, session: Session, turn: int, committed: ev.AgentCommitted | None) -> list[ev.Fact]:
        """What to tell with the end of a turn. committed: the agent moved HEAD of its worktree."""
        extra: tuple[RepoChange, ...] = ()
        if committed is not None and session.worktree == self._world.root:
            # A branch that the operator has checked out (DESIGN.md, ruling 8).
            extra = (
                RepoChange(
                    item=f"ref {committed.ref}", severity="moved", before=committed.before, after=committed.after
                ),
            )
        facts = await self._look("turn", session.session, turn, extra)
        await self._own_branch(session)
        return facts

    async def trusted(self, when: Literal["judging", "approval"]) -> tuple[list[ev.Fact], str]:
        """(facts to tell, why neither hooks may run nor anything land): looked at once more, just before."""
        facts = await self._look(when)
        changes = [c for fact in facts if isinstance(fact, ev.RepositoryChanged) for c in fact.changes]
        alert = open_alert(self._state())
        gone = any(isinstance(fact, ev.AlertSettled) for fact in facts)
        if alert and not gone:
            changes += alert.changes
        held = [c.item for c in changes if c.severity in alerts.BLOCKING]
        if not held:
            return facts, ""
        name = next((f.alert for f in facts if isinstance(f, ev.RepositoryChanged)), alert.alert if alert else "")
        return facts, f"{held[0]} changed in the git dir: {name} wants to be adopted or restored first"

    async def new_worktree(self, session: Session) -> None:
        """A worktree in which nobody has worked yet is as git made it."""
        before = [s for s in self._state().sessions.values() if s.worktree == session.worktree and s.turns]
        if not before and session.worktree != self._world.root:
            await asyncio.to_thread(self._world.watch.accept_worktree, session.worktree)

    async def _compare(self) -> Look:
        """strict as long as something of ours can write the git dir: then whatever moved there may be its doing."""
        sessions = self._state().sessions.values()
        own_refs = await asyncio.to_thread(self._world.own_refs, self._moving())
        strict = any(s.writes_git and s.phase != "exited" for s in sessions)
        async with self._making:
            look = await asyncio.to_thread(lambda: self._world.watch.look(own_refs, strict=strict))
        if isinstance(look, Refused):
            return Look(baseline="", seen="", changes=(RepoChange(item=look.reason, severity="lies"),))
        return look

    def _moving(self) -> frozenset[str]:
        """Worktrees whose branch a session may move now: of those that are there and may write. The branch of work that
        waits for a person is nobody's to move, a reviewer's least of all."""
        there = (s for s in self._state().sessions.values() if not s.read_only)
        return frozenset(s.worktree for s in there if s.phase in MAY_MOVE or s.lent or s.session in self.loans)

    async def _own_branch(self, session: Session) -> None:
        """Where a session's turn left its own branch is right from then on."""
        if session.read_only or session.worktree == self._world.root:
            return
        refs = await asyncio.to_thread(self._world.own_refs, frozenset({session.worktree}))
        await asyncio.to_thread(self._world.watch.accept_refs, refs)

    async def _look(
        self,
        when: Literal["turn", "judging", "approval"],
        session: str = "",
        turn: int = 0,
        extra: tuple[RepoChange, ...] = (),
    ) -> list[ev.Fact]:
        look = await self._compare()
        known = {change.item for change in extra}
        changes = alerts.loud((*extra, *(c for c in look.changes if c.item not in known)))
        alert = open_alert(self._state())
        if not changes:
            kept = alert and alert.state == "open" and any(c.severity != "moved" for c in alert.changes)
            return [ev.AlertSettled(alert=alert.alert, outcome="gone")] if alert and kept else []
        return [
            ev.RepositoryChanged(
                alert=alert.alert if alert else f"alert-{len(self._state().alerts) + 1}",
                when=when,
                changes=changes,
                baseline=look.baseline,
                seen=look.seen,
                session=session,
                turn=turn,
            )
        ]

    async def settle(self, effect: due.SettleAlert) -> None:
        """Do what a person chose; done twice it finds nothing left to do."""
        alert = self._state().alerts[effect.alert]
        outcome: Literal["adopted", "restored"] = "adopted" if alert.action == "adopt" else "restored"
        result = await (self._adopt(alert) if alert.action == "adopt" else self._restore(alert))
        if isinstance(result, Refused):
            await self._tell(ev.AlertSettled(alert=alert.alert, outcome="failed", notes=(result.reason,)))
            return
        items = {change.item for change in alert.changes}
        left = [change for change in alerts.loud((await self._compare()).changes) if change.item in items]
        if left:
            said = tuple(f"still there: {c.item}{': ' + c.cure if c.cure else ''}" for c in left)
            await self._tell(ev.AlertSettled(alert=alert.alert, outcome="failed", notes=(*result, *said)))
            return
        await self._tell(ev.AlertSettled(alert=alert.alert, outcome=outcome, notes=result))

    async def _adopt(self, alert: alerts.Alert) -> tuple[str, ...] | Refused:
        own_refs = await asyncio.to_thread(self._world.own_refs, self._moving())
        return await asyncio.to_thread(self._world.watch.adopt, alert.seen, own_refs)

    async def _restore(self, alert: alerts.Alert) -> tuple[str, ...] | Refused:
        moved = frozenset(c.item.removeprefix("ref ") for c in alert.changes if c.severity == "moved")
        return await asyncio.to_thread(self._world.watch.restore, alert.baseline, alert.seen, moved)

    async def landed(self, ref: str) -> None:
        """We moved this ref ourselves."""
        await asyncio.to_thread(self._world.watch.accept_refs, frozenset({ref}))
