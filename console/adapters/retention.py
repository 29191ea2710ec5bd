"""Old files of ours leave the disk: transcripts, outputs, texts and frozen plans that nothing needs any more, once they
are old, or the oldest first when these are too much. Only names that we give are touched: never the log, an index, or
what is in use."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import re
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from console.adapters.places import Places
from console.core.commits import Plan
from console.core.keeping import Needed, needed
from console.core.state import State

DAY = 86_400.0
KINDS = {
    "transcripts": re.compile(r"(s-\d+|judge-pol-\d+(?=-\d+\.))(?:-\d+)?\.(?:jsonl|\d+\.err)"),
    "gates": re.compile(r"(pol-\d+|[0-9a-f]{12})\.\d+\.[^/]+\.out"),
    "tickets": re.compile(r"([0-9a-f]{64})\.md"),
}
"""Folders of the state folder that hold one file a thing, and how such a file is called; the group says whose it is."""
NOTES = "retention.log"
NOTES_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """days: how long what nobody needs is kept. megabytes: how much of it. What is needed counts for neither, so that a
    night of big files that wait for a person takes nothing of the nights before."""

    days: float = 30
    megabytes: float = 2048


@dataclass(slots=True)
class Swept:
    """What was removed: how many of each kind, and their bytes."""

    counts: Counter[str] = field(default_factory=Counter)
    size: int = 0

    def text(self) -> str:
        parts = ", ".join(f"{count} {kind}" for kind, count in sorted(self.counts.items()))
        return f"removed {parts}; {self.size / 1e6:.1f} MB"


@dataclass(frozen=True, slots=True)
class _File:
    path: str
    kind: str
    size: int
    at: float


def sweep(
    places: Places,
    need: Needed,
    limits: Limits,
    *,
    now: float,
    undoable: Callable[[Plan], bool] = lambda plan: True,
    forget_tip: Callable[[str], object] = lambda tip: None,
) -> Swept:
    """Remove what is due. undoable: whether the approval of a landed plan can still be taken back. forget_tip: lets go
    of commits that were held for a plan only. Blocks; a file that cannot be removed stays until the next time."""
    done = Swept()
    files = sorted(_unneeded(places.state, need), key=lambda file: file.at)
    over = sum(file.size for file in files) - limits.megabytes * 1_000_000
    for file in files:
        if over <= 0 and now - file.at <= limits.days * DAY:
            continue
        with contextlib.suppress(OSError):
            os.unlink(file.path)
            over -= file.size
            done.counts[file.kind] += 1
            done.size += file.size
    for plan in need.closed:
        if now - plan.changed_at > limits.days * DAY and not (plan.state == "landed" and undoable(plan)):
            _drop_plan(places.state, plan, done)
            if plan.frozen.ref_old and plan.frozen.replaces and plan.frozen.ref_old not in need.tips:
                forget_tip(plan.frozen.ref_old)
    return done


def _drop_plan(state: Path, plan: Plan, done: Swept) -> None:
    store = state / "plans" / plan.plan
    if not plan.plan.isalnum() or not store.is_dir() or store.is_symlink():
        return
    size = _bytes_below(store)
    with contextlib.suppress(OSError):
        shutil.rmtree(store)
        done.counts["plans"] += 1
        done.size += size


def _unneeded(state: Path, need: Needed) -> Iterator[_File]:
    plain = frozenset(map(_short, need.tickets))
    wanted = {
        "transcripts": need.sessions | {f"judge-{p}" for p in need.policies},
        "gates": need.policies | plain,
        "tickets": need.digests,
    }
    for kind, name in KINDS.items():
        for entry in _scan(state / kind):
            with contextlib.suppress(OSError):
                ours = name.fullmatch(entry.name)
                if ours and ours[1] not in wanted[kind] and entry.is_file(follow_symlinks=False):
                    stat = entry.stat(follow_symlinks=False)
                    yield _File(entry.path, kind, stat.st_size, stat.st_mtime)


def _short(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()[:12]


def _scan(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as listing:
            return list(listing)
    except OSError:
        return []


# -- how much there is -------------------------------------------------------------------------------------


def usage(places: Places) -> dict[str, int]:
    """Bytes on the disk of each kind of file of this workspace, the largest first. Blocks."""
    parts = {"log": sum(_size(places.state / f"log.db{end}") for end in ("", "-wal", "-shm"))}
    names = (*KINDS, "plans", "reports", "worktrees", "shadow.git")
    parts |= {name: _bytes_below(places.state / name) for name in names}
    parts |= {"checkouts": _bytes_below(places.cache)}
    return dict(sorted(parts.items(), key=lambda part: -part[1]))


def _bytes_below(folder: Path) -> int:
    total, todo = 0, [os.fspath(folder)]
    while todo:
        for entry in _scan(Path(todo.pop())):
            with contextlib.suppress(OSError):
                if entry.is_dir(follow_symlinks=False):
                    todo.append(entry.path)
                else:
                    total += entry.stat(follow_symlinks=False).st_blocks * 512
    return total


def _size(path: Path) -> int:
    try:
        return os.stat(path, follow_symlinks=False).st_blocks * 512
    except OSError:
        return 0


# -- once a day --------------------------------------------------------------------------------------------


class Tidying:
    """At a supervisor's start and once a day, beside its work. One instance a supervisor, on its loop."""

    def __init__(
        self,
        places: Places,
        limits: Callable[[], Limits],
        *,
        undoable: Callable[[Plan], bool],
        forget_tip: Callable[[str], object],
        now: Callable[[], float] = time.time,
    ) -> None:
        self._places, self._limits, self._now = places, limits, now
        self._undoable, self._forget_tip = undoable, forget_tip
        self._next = float("-inf")
        self._task: asyncio.Task[None] | None = None

    def look(self, state: State) -> None:
        """To be called about once a second; returns at once."""
        if time.monotonic() >= self._next and (self._task is None or self._task.done()):
            self._next = time.monotonic() + DAY
            self._task = asyncio.ensure_future(asyncio.to_thread(self._tidy, needed(state)))

    def _tidy(self, need: Needed) -> None:
        swept = sweep(
            self._places,
            need,
            self._limits(),
            now=self._now(),
            undoable=self._undoable,
            forget_tip=self._forget_tip,
        )
        if swept.counts:
            with contextlib.suppress(OSError):
                _note(self._places.state / NOTES, f"{time.strftime('%Y-%m-%d %H:%M:%S')} {swept.text()}\n")


def _note(path: Path, line: str) -> None:
    """Append to the list of what was removed; of a long one only its end is kept."""
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        size = os.fstat(file).st_size
        if size > NOTES_BYTES:
            end = os.pread(file, NOTES_BYTES // 2, size - NOTES_BYTES // 2).partition(b"\n")[2]
            os.ftruncate(file, 0)
            os.write(file, end)
        os.write(file, line.encode())
    finally:
        os.close(file)
