"""The supervisor's watch on the tickets folder: whatever is found there goes into the log."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable

from console.core import commands as cmd
from console.core.state import State
from console.engine.folder import changes, known
from console.engine.journal import Result
from console.engine.ports import Folder

Watching = Callable[[asyncio.Event], AsyncGenerator[None, None]]
"""Yields whenever the folder may have changed, until the event is set."""


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
