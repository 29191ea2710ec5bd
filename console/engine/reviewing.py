"""Reads what a reviewer said at the end of its turn, and what the settings say about reviews. Believes neither more
than its exact last line: what cannot be read is no verdict, and no verdict ships."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from console.core import commands as cmd
from console.core import events as ev
from console.core.policies import Policy
from console.core.records_chains import Review
from console.core.state import State
from console.core.verdicts import verdict
from console.engine.journal import Result
from console.engine.pulse import OwnTime
from console.engine.world import World

FINDINGS = 20_000
"""Characters of a reviewer's findings that the log keeps."""


class Reviewing:
    def __init__(self, world: World, state: Callable[[], State]) -> None:
        self._world = world
        self._state = state

    async def judged(self, p: Policy) -> ev.PolicyJudged:
        """What its reviewer said about the plan that it was shown; its work is not looked at."""
        return ev.PolicyJudged(policy=p.policy, attempt=p.attempt, review=await self._review(p))

    async def _review(self, p: Policy) -> Review:
        session = self._state().sessions[p.spec.sessions[0]]
        turn = session.turn
        about = {"commit": p.spec.review, "preset": session.preset, "session": session.session}
        if not turn or not turn.end_seq or not turn.ok:
            how = turn.detail or turn.stop if turn else "no turn of it began"
            return Review(verdict="", why=f"the reviewer's turn did not end well: {how}", **about)
        words = await asyncio.to_thread(self._words, session.session, turn.number)
        if not words[-1].strip():
            return Review(verdict="", why="nothing is left of what the reviewer said last, or not all of it", **about)
        reading = verdict("\n".join(words))
        return Review(verdict=reading.verdict, why=reading.why, findings=reading.findings[:FINDINGS], **about)

    def _words(self, session: str, turn: int) -> list[str]:
        """Of each turn, the last one last: a verdict that an earlier turn contradicts is none. Blocks."""
        return [self._world.last_words(session, number) for number in range(1, turn + 1)]


class LimitsWatch:
    """Tells the log what `review` of the settings says, at the supervisor's start and every `interval` after that."""

    def __init__(
        self,
        world: World,
        state: Callable[[], State],
        append: Callable[[cmd.Command], Awaitable[Result]],
        own: OwnTime,
    ) -> None:
        self._world = world
        self._state = state
        self._append = append
        self._own = own
        self._next = 0.0

    async def look(self) -> None:
        """Cheap until the interval is over. Settings that nobody trusts change nothing."""
        now = self._own.now()
        if now < self._next:
            return
        limits = await asyncio.to_thread(self._world.review_limits)
        known = self._state().review_limits
        self._next = now + (limits or known).interval
        if limits is not None and limits != known:
            await self._append(cmd.ReadChainLimits(limits=limits))
