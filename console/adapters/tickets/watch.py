"""When to look at the tickets folder again. Says that something may have changed, never what: the look decides.
The only door to watchfiles."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from pathlib import Path

from console.adapters.tickets.reading import is_ticket_name, stamp

Signature = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds. full: the longest time without a look. check: how soon a folder that was made again is noticed. poll:
    between looks where the system cannot tell. retry: until it is asked again whether it can."""

    full: float = 30.0
    check: float = 1.0
    poll: float = 3.0
    retry: float = 60.0


class _Either(asyncio.Event):
    """Set when it is set itself (watchfiles does so when it is cancelled) or when the outer one is."""

    def __init__(self, outer: asyncio.Event) -> None:
        super().__init__()
        self._outer = outer

    def is_set(self) -> bool:
        return super().is_set() or self._outer.is_set()


async def watch(folder: Path, stop: asyncio.Event, pace: Pace = Pace()) -> AsyncGenerator[None, None]:
    """Yields at once, whenever a `*.md` directly in `folder` may have changed, and at least every `pace.full` seconds,
    until `stop` is set. The folder may come, go and be another one; it is found again by its name."""
    while not stop.is_set():
        before = await _look(folder)
        yield
        try:
            async with contextlib.aclosing(_told(folder, before, stop, pace)) as hints:
                async for _ in hints:
                    yield
        except (OSError, RuntimeError):  # no watches left, no such folder, a file system that cannot
            async with contextlib.aclosing(_polled(folder, before, stop, pace)) as hints:
                async for _ in hints:
                    yield


async def _told(folder: Path, before: Signature, stop: asyncio.Event, pace: Pace) -> AsyncGenerator[None, None]:
    """By inotify and the like, until the folder is another one. Raises what the library raises."""
    from watchfiles import Change, awatch

    def wanted(_change: Change, path: str) -> bool:
        return is_ticket_name(os.path.basename(path))

    loop = asyncio.get_running_loop()
    identity, last, first = _identity(folder), loop.time(), True
    if not identity:
        raise FileNotFoundError(folder)
    changes = awatch(
        folder,
        watch_filter=wanted,
        debounce=400,
        step=20,
        stop_event=_Either(stop),
        rust_timeout=max(1, int(pace.check * 1000)),
        yield_on_timeout=True,
        recursive=False,
        ignore_permission_denied=True,
    )
    async with contextlib.aclosing(changes):
        async for batch in changes:
            # What was changed between the caller's look and the first watch is found by comparing once.
            late = first and not batch and await _look(folder) != before
            first = False
            if batch or late or loop.time() - last >= pace.full:
                last = loop.time()
                yield
            if _identity(folder) != identity:
                return


async def _polled(folder: Path, before: Signature, stop: asyncio.Event, pace: Pace) -> AsyncGenerator[None, None]:
    """By asking for every file's stamp, for a while."""
    loop = asyncio.get_running_loop()
    began = last = loop.time()
    missing = not _identity(folder)
    while loop.time() - began < pace.retry:
        if await _stopped(stop, pace.poll):
            return
        now = await _look(folder)
        if now != before or loop.time() - last >= pace.full:
            before, last = now, loop.time()
            yield
        if missing and _identity(folder):
            return


async def _stopped(stop: asyncio.Event, seconds: float) -> bool:
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(stop.wait(), seconds)
    return stop.is_set()


async def _look(folder: Path) -> Signature:
    return await asyncio.to_thread(_signature, folder)


def _signature(folder: Path) -> Signature:
    """Which folder it is, and every candidate's name and stamp."""
    try:
        with os.scandir(folder) as listing:
            names = [entry.name for entry in listing if is_ticket_name(entry.name)]
            return (_identity(folder), *(f"{name}:{_stamp(folder, name)}" for name in sorted(names)))
    except OSError:
        return ()


def _stamp(folder: Path, name: str) -> str:
    try:
        return stamp(os.lstat(folder / name))
    except OSError:
        return ""


def _identity(folder: Path) -> str:
    """The folder behind the name now; "" when there is none."""
    try:
        found = os.stat(folder)
    except OSError:
        return ""
    return f"{found.st_dev}:{found.st_ino}" if os.path.isdir(folder) else ""
