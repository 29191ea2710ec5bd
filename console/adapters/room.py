"""What the machine has left for a supervisor: room on its disks, memory for one more session, descriptors. Cheap enough
for every second. It frees and takes back what is kept for bad moments; what follows from a shortage is not its matter.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from console.adapters.ballast import SIZE, Ballast
from console.adapters.descriptors import Reserve
from console.adapters.preflight import looking
from console.adapters.preflight.facts import size
from console.adapters.preflight.machine import TIGHT
from console.core.events import Lack

FLOOR = 64 * 1024 * 1024
"""Bytes that a disk must have left, or a twentieth of a small one, but twice the ballast in any case."""
INODES = 1000
"""Files that can still be made there, or a twentieth of what a small one can hold."""
AGAIN = 1.25
"""So many times as much must be there until it is no longer short: it would go back and forth at the border."""


@dataclass(frozen=True, slots=True)
class Places:
    """Folders of ours and what each is for, in words. They need not be there yet. state: where the log is."""

    state: Path
    others: Mapping[str, Path]


class Room:
    """`look()`: what is short now, with the reason in words for a person. One instance a supervisor, one call at a
    time.

    memory: bytes that could be had, None where nobody can tell. need: bytes for one more session.
    """

    def __init__(
        self,
        places: Places,
        ballast: Ballast,
        reserve: Reserve,
        *,
        memory: Callable[[], int | None] = looking.memory,
        need: int = TIGHT,
    ) -> None:
        self._places = places
        self._ballast = ballast
        self._reserve = reserve
        self._memory = memory
        self._need = need
        self._short: set[str] = set()

    def look(self) -> dict[Lack, str]:
        found: dict[Lack, str] = {}
        if why := self._reserve.look():  # first: every other look needs a descriptor
            found["descriptors"] = why
        if why := self._disk():
            found["disk"] = why
        if why := self._too_little_memory():
            found["memory"] = why
        return found

    # -- disks -------------------------------------------------------------------------------------------

    def _disk(self) -> str:
        seen: set[int] = set()
        for what, folder in {"the log": self._places.state, **self._places.others}.items():
            try:
                place = _existing(folder)
                device, fs = os.stat(place).st_dev, os.statvfs(place)
            except OSError as error:
                return f"{folder} cannot be looked at: {error.strerror}"
            kept = 0 if seen else self._ballast.held  # the log's disk is the first
            if device not in seen and (why := self._too_full(f"the disk of {what} ({place})", device, fs, kept)):
                return why
            seen.add(device)
        return self._ballast_missing()

    def _too_full(self, what: str, device: int, fs: os.statvfs_result, kept: int) -> str:
        """kept: bytes of it that are the ballast's, which counts as room."""
        if fs.f_flag & os.ST_RDONLY:
            return f"{what} can only be read"
        free, total = fs.f_bavail * fs.f_frsize, fs.f_blocks * fs.f_frsize
        floor = max(2 * SIZE, min(FLOOR, total // 20))
        if self._below(f"bytes {device}", free + kept, floor):
            return f"{what} has {size(free)} left, at least {size(floor)} is needed"
        least = min(INODES, fs.f_files // 20)  # a file system that does not count files has 0 of them
        if self._below(f"files {device}", fs.f_favail, least):
            return f"{what} can hold {fs.f_favail} more files, at least {least} are needed"
        return ""

    def _ballast_missing(self) -> str:
        """Only now that there is room: what is kept back is taken back, which also shows that the disk takes it."""
        if self._ballast.whole or not (why := self._ballast.hold()):
            return ""
        return f"{self._places.state} takes no more: {why}"

    # -- memory ------------------------------------------------------------------------------------------

    def _too_little_memory(self) -> str:
        free = self._memory()
        if free is None or not self._below("memory", free, self._need):
            return ""
        enough = int(self._need * AGAIN)
        need = f"one more session needs {_mb(self._need)}"
        return f"{_mb(free)} of memory is free, {need}; it goes on once {_mb(enough)} is free"

    def _below(self, name: str, left: int, least: int) -> bool:
        """With the memory of having been below before."""
        short = left < (least * AGAIN if name in self._short else least)
        (self._short.add if short else self._short.discard)(name)
        return short


def _mb(count: int) -> str:
    return f"{count / 1e6:.0f} MB"


def _existing(folder: Path) -> Path:
    return next((place for place in (folder, *folder.parents) if place.is_dir()), Path("/"))
