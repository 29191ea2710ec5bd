"""The tickets folder and the log brought together: what a look found, as a command; the supervisor's watch on it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable

from console.core import commands as cmd
from console.core.state import State
from console.core.tickets import Ticket
from console.engine.journal import Result
from console.engine.ports import Folder, FolderLook

Watching = Callable[[asyncio.Event], AsyncGenerator[None, None]]
"""Yields whenever the folder may have changed, until the event is set."""


def known(state: State) -> dict[str, str]:
    """Ticket -> stamp of those whose file was there at the last look."""
    return {t.ticket: t.stamp for t in state.tickets.values() if t.phase != "gone"}


def changes(state: State, look: FolderLook) -> cmd.SyncTickets | None:
    """What a look found, None when the state says so already."""
    seen = tuple(one for one in look.seen if _differs(state.tickets.get(one.ticket), one.digest, one.stamp))
    there = {t.ticket for t in state.tickets.values() if t.phase != "gone" and not t.in_flight}
    gone = tuple(ticket for ticket in look.gone if ticket in there)
    if not seen and not gone and look.problems == state.problems:
        return None
    return cmd.SyncTickets(seen=seen, gone=gone, problems=look.problems)


def _differs(t: Ticket | None, digest: str, stamp: str) -> bool:
    return t is None or t.phase == "gone" or (t.digest, t.stamp) != (digest, stamp)


class Syncing:
    """Keeps the log in step with the folder for as long as a supervisor runs."""

    def __init__(
        self,
        folder: Folder,
        watching: Watching,
        state: Callable[[], State],
        append: Callable[[cmd.Command], Awaitable[Result]],
    ) -> None:
        self._folder = folder
        self._watching = watching
        self._state = state
        self._append = append
        self._stop = asyncio.Event()

    async def run(self) -> None:
        async with contextlib.aclosing(self._watching(self._stop)) as hints:
            async for _ in hints:
                await self.look()

    async def look(self) -> None:
        look = await asyncio.to_thread(self._folder.look, known(self._state()))
        command = changes(self._state(), look)
        if command:
            await self._append(command)

    def end(self) -> None:
        self._stop.set()
