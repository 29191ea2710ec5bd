"""Conversations that people have open in the agent's own interactive mode, as the supervisor sees them: whether who has
one is still there, and what became of the git dir meanwhile. It signals nobody."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from console.core import events as ev
from console.core.sessions import Session
from console.core.state import State
from console.engine.pulse import OwnTime
from console.engine.repository_work import RepositoryWork
from console.engine.world import Tell, World

PATIENCE = 10.0
"""Seconds that what was opened may outlive who opened it: his end ends it, but it may take a moment to obey."""

FRESH = 20.0
"""Seconds within which whoever takes a conversation, with nobody supervising, has a supervisor."""


class Lending:
    def __init__(
        self,
        world: World,
        state: Callable[[], State],
        tell: Tell,
        *,
        repository: RepositoryWork,
        own: OwnTime,
        at_work: Callable[[], bool],
    ) -> None:
        """at_work: whether an agent of ours is up or comes up."""
        self._world, self._state, self._tell = world, state, tell
        self._repository, self._own, self._at_work = repository, own, at_work
        self._gone: dict[tuple[str, int, int], float] = {}
        self._begun: set[asyncio.Task[None]] = set()

    def open(self) -> bool:
        """Whether anybody has a conversation: until it is back there is something to look after."""
        return any(s.lent for s in self._state().sessions.values())

    def begin(self, orderly: bool) -> None:
        """Once. A conversation that was taken just now, while nobody supervised, is why we were started; one that was
        taken under a supervisor that broke off (not `orderly`) may have been used already."""
        taken = [s for s in self._state().sessions.values() if s.lent and self._world.now() - s.lent.at < FRESH]
        if orderly and taken:
            self._before(taken[0].session)

    def heard(self, fact: ev.Fact) -> None:
        """What has just come into the log; on the loop, before anything is begun because of it."""
        if isinstance(fact, ev.SessionLent):
            self._before(fact.session)
        elif isinstance(fact, ev.SessionReturned):
            self._repository.loans.add(fact.session)

    def _before(self, session: str) -> None:
        if not self._at_work():
            task = asyncio.ensure_future(self._repository.before_a_loan(session))
            self._begun.add(task)
            task.add_done_callback(self._begun.discard)

    async def look(self) -> None:
        """Once a second."""
        await self._compare()
        lent = [s for s in self._state().sessions.values() if s.lent]
        self._gone = {key: at for key, at in self._gone.items() if key in {_key(s) for s in lent}}
        for s in lent:
            await self._look_after(s)

    async def _compare(self) -> None:
        """What the program did to the git dir: told before it could be taken for the operator's doing."""
        for name in sorted(self._repository.loans):
            facts = await self._repository.after_loan(self._state().sessions[name])
            if facts:
                await self._tell(*facts)
            self._repository.loans.discard(name)

    async def _look_after(self, s: Session) -> None:
        assert s.lent
        if self._world.alive(s.lent.pid, s.lent.start_time):
            return
        now = self._own.now()
        since = self._gone.setdefault(_key(s), now)
        left = await asyncio.to_thread(self._world.survivors, [s.session])
        if left and now - since < PATIENCE:
            return
        note = "the console that had it is gone" + (f"; of its program still runs {left[0]}" if left else "")
        await self._tell(
            ev.SessionReturned(session=s.session, pid=s.lent.pid, start_time=s.lent.start_time, note=note)
        )  # fmt: skip


def _key(s: Session) -> tuple[str, int, int]:
    return (s.session, s.lent.pid, s.lent.start_time) if s.lent else (s.session, 0, 0)
