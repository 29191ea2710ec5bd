"""Who holds a lock file's flock, as the kernel tells. Takes no lock and signals nobody."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from console.adapters import holder, shim
from console.adapters.doctor import proc
from console.adapters.doctor.ground import Ground
from console.adapters.lock import is_taken


@dataclass(frozen=True, slots=True)
class Holding:
    """pids: who holds it, as far as that can be seen. taken: somebody does, None when nobody can tell. trouble: why."""

    pids: tuple[int, ...] = ()
    taken: bool | None = False
    trouble: str = ""


def of_lock(g: Ground) -> tuple[int, ...]:
    return holding(g.places.lock).pids if g.places else ()


def holding(lock: Path) -> Holding:
    try:
        file = os.stat(lock, follow_symlinks=False)
    except FileNotFoundError:
        return Holding()
    except OSError as error:
        return Holding(taken=None, trouble=f"{lock}: {error.strerror}")
    listed = holder.named(proc.text("/proc/locks").decode("ascii", "replace"), file.st_ino)
    pids = tuple(pid for pid in listed if _leads_to(pid, file))
    if pids:
        return Holding(pids, True)
    # A holder in another container, of another user or that has handed its descriptor on is not named there.
    try:
        taken = is_taken(lock)
    except OSError as error:
        return Holding(taken=None, trouble=f"{lock}: {error.strerror}")
    return Holding(tuple(proc.who_has_open(str(lock), shim.proc_table())) if taken else (), taken)


def _leads_to(pid: int, file: os.stat_result) -> bool:
    """Device numbers in /proc/locks are not those of stat on every file system: the descriptor itself decides."""
    where = f"/proc/{pid}/fd"
    try:
        names = os.listdir(where)
    except PermissionError:
        return True
    except OSError:
        return False
    for name in names:
        try:
            status = os.stat(f"{where}/{name}")
        except OSError:
            continue
        if (status.st_dev, status.st_ino) == (file.st_dev, file.st_ino):
            return True
    return False


def leading_elsewhere(pid: int, lock: Path) -> str:
    """A file that it has open under the lock's name and that the name does not lead to any more, "" for none."""
    where = f"/proc/{pid}/fd"
    try:
        names = os.listdir(where)
    except OSError:
        return ""
    for name in names:
        try:
            link, status = os.readlink(f"{where}/{name}"), os.stat(f"{where}/{name}")
        except OSError:
            continue
        if link.removesuffix(" (deleted)") == os.path.realpath(lock):
            try:
                there = os.stat(lock, follow_symlinks=False)
            except OSError:
                return link
            if (status.st_dev, status.st_ino) != (there.st_dev, there.st_ino):
                return link
    return ""
