"""The tickets folder watched on a real disk: every change is hinted at, whatever becomes of the folder."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from pathlib import Path

import pytest
import watchfiles

from console.adapters.tickets.watch import Pace, watch

QUICK = Pace(full=30.0, check=0.05, poll=0.05, retry=60.0)
PATIENCE = 10.0


class Watcher:
    """Counts the hints of one watch, which runs as a task."""

    def __init__(self, folder: Path, pace: Pace) -> None:
        self.stop = asyncio.Event()
        self.count = 0
        self._more = asyncio.Condition()
        self.task = asyncio.create_task(self._run(watch(folder, self.stop, pace)))

    async def _run(self, hints: AsyncGenerator[None, None]) -> None:
        async with contextlib.aclosing(hints):
            async for _ in hints:
                async with self._more:
                    self.count += 1
                    self._more.notify_all()

    async def until(self, count: int) -> None:
        async with asyncio.timeout(PATIENCE), self._more:
            await self._more.wait_for(lambda: self.count >= count)

    async def hinted(self, act: Callable[[], object]) -> None:
        """A hint comes after `act`; repeated, as what happened before it may still be on its way."""
        before = self.count
        act()
        await self.until(before + 1)

    async def end(self) -> None:
        self.stop.set()
        await asyncio.wait_for(self.task, PATIENCE)


@contextlib.asynccontextmanager
async def watched(folder: Path, pace: Pace = QUICK) -> AsyncIterator[Watcher]:
    watcher = Watcher(folder, pace)
    try:
        await watcher.until(1)
        yield watcher
    finally:
        await watcher.end()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "tickets"
    made.mkdir()
    return made


def no_inotify(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def refuse(*_args: object, **_options: object) -> None:
        raise error

    monkeypatch.setattr(watchfiles, "awatch", refuse)


@pytest.fixture(params=["inotify", "no watches left", "no instances left"])
def either(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "no watches left":
        no_inotify(monkeypatch, OSError("OS file watch limit reached"))
    elif request.param == "no instances left":
        no_inotify(monkeypatch, watchfiles._rust_notify.WatchfilesRustInternalError("no instances"))


@pytest.mark.usefixtures("either")
async def test_new_changed_renamed_and_removed_files_are_hinted_at(folder: Path) -> None:
    async with watched(folder) as watcher:
        await watcher.hinted(lambda: (folder / "a.md").write_text("a"))
        await watcher.hinted(lambda: (folder / "a.md").write_text("other"))
        (folder / "b.tmp").write_text("b")
        await watcher.hinted(lambda: (folder / "b.tmp").rename(folder / "b.md"))
        await watcher.hinted((folder / "a.md").unlink)


@pytest.mark.usefixtures("either")
async def test_a_folder_that_comes_later_goes_and_comes_again_is_found(tmp_path: Path) -> None:
    folder = tmp_path / "not" / "yet"
    async with watched(folder) as watcher:
        await watcher.hinted(lambda: folder.mkdir(parents=True))
        for name in ("a.md", "b.md"):
            await _seen_at_last(watcher, folder / name)
            await watcher.hinted(lambda: shutil.rmtree(folder))
            await watcher.hinted(folder.mkdir)
        await _seen_at_last(watcher, folder / "c.md")


async def _seen_at_last(watcher: Watcher, path: Path) -> None:
    """The folder being found again and the file in it may come as one hint or as several: none may be missing."""
    await watcher.hinted(lambda: path.write_text("x"))


async def test_a_file_written_between_the_first_look_and_the_watch_is_hinted_at(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = watchfiles.awatch

    def late(*paths: Path, **options: object) -> object:
        (folder / "early.md").write_text("x")
        return real(*paths, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(watchfiles, "awatch", late)
    async with watched(folder) as watcher:
        await watcher.until(2)


@pytest.mark.usefixtures("either")
async def test_there_is_a_look_now_and_then_though_nothing_happens(folder: Path) -> None:
    async with watched(folder, Pace(full=0.1, check=0.02, poll=0.02, retry=60.0)) as watcher:
        await watcher.until(4)


async def test_names_that_are_no_tickets_wake_nobody(folder: Path) -> None:
    async with watched(folder) as watcher:
        await watcher.hinted(lambda: (folder / "a.md").write_text("a"))
        before = watcher.count
        for name in (".a.md.swp", "x.txt", ".hidden.md"):
            (folder / name).write_text("x")
        (folder / "last.md").write_text("x")
        await watcher.until(before + 1)
        assert watcher.count == before + 1


async def test_inotify_is_asked_for_again_after_a_while(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[float] = []

    def refuse(*_args: object, **_options: object) -> None:
        asked.append(time.monotonic())
        raise OSError("OS file watch limit reached")

    monkeypatch.setattr(watchfiles, "awatch", refuse)
    async with watched(folder, Pace(full=30.0, check=0.02, poll=0.02, retry=0.1)) as watcher:
        await watcher.until(3)
    assert len(asked) >= 2


@pytest.mark.usefixtures("either")
async def test_it_ends_when_told_to_and_when_cancelled(folder: Path) -> None:
    watcher = Watcher(folder, Pace())
    await watcher.until(1)
    began = time.monotonic()
    await watcher.end()
    assert time.monotonic() - began < 2
    second = Watcher(folder, Pace())
    await second.until(1)
    second.task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(second.task, PATIENCE)
    assert not second.stop.is_set()


async def test_who_leaves_in_the_middle_leaves_nothing_behind(folder: Path) -> None:
    stop, before = asyncio.Event(), len(os.listdir("/proc/self/fd"))
    for _ in range(5):
        hints = watch(folder, stop, QUICK)
        async with contextlib.aclosing(hints):
            await anext(hints)
            (folder / "a.md").write_text(str(time.monotonic_ns()))
            await asyncio.wait_for(anext(hints), PATIENCE)
    async with asyncio.timeout(PATIENCE):  # the library's thread closes the last descriptors when it gets to it
        while len(os.listdir("/proc/self/fd")) > before + 2:
            await asyncio.sleep(0.02)
    assert not stop.is_set()
