"""Looks at the processes of the machine through /proc. Signals none, and takes no process for ours by its name."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass

from console.adapters import shim

TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Table:
    """One pass over /proc. uptime: seconds since boot, then. hidden: processes of others cannot be seen, and perhaps
    some of ours cannot either."""

    procs: dict[int, shim.Proc]
    uptime: float
    hidden: bool

    def age(self, pid: int) -> float:
        """Seconds since it began."""
        return self.uptime - self.procs[pid].start / TICKS

    def above(self, pid: int) -> Iterator[int]:
        """Its parent, that one's parent and so on, as far as they can be seen."""
        seen = {pid}
        while (proc := self.procs.get(pid)) and proc.ppid not in seen:
            pid = proc.ppid
            seen.add(pid)
            if pid in self.procs:
                yield pid


def text(path: str) -> bytes:
    """A file of /proc; empty when it is gone or may not be read."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""


def table() -> Table:
    """Raises OSError when /proc cannot be looked at."""
    words = text("/proc/uptime").split()
    procs = shim.proc_table()
    return Table(procs, float(words[0]) if words else 0.0, bool(procs) and 1 not in procs)


def value_in(pid: int, name: str) -> str:
    """A variable of the environment that it was started with; "" when it has none of that name or is not ours."""
    start = f"{name}=".encode()
    found = (item for item in text(f"/proc/{pid}/environ").split(b"\0") if item.startswith(start))
    return os.fsdecode(next(found, b"")[len(start) :])


def owner(pid: int) -> int:
    """The user it belongs to, -1 when nobody can tell."""
    try:
        return os.stat(f"/proc/{pid}").st_uid
    except OSError:
        return -1


def folder(pid: int) -> str:
    """Its working folder, "" when nobody can tell."""
    try:
        return os.readlink(f"/proc/{pid}/cwd")
    except OSError:
        return ""


def who_has_open(path: str, procs: dict[int, shim.Proc]) -> list[int]:
    """The processes that have exactly this file open, as far as they can be seen."""
    try:
        file = os.stat(path, follow_symlinks=False)
    except OSError:
        return []
    return [pid for pid in procs if _has(pid, (file.st_dev, file.st_ino))]


def _has(pid: int, file: tuple[int, int]) -> bool:
    where = f"/proc/{pid}/fd"
    try:
        names = os.listdir(where)
    except OSError:
        return False
    for name in names:
        try:
            status = os.stat(f"{where}/{name}")
        except OSError:
            continue
        if (status.st_dev, status.st_ino) == file:
            return True
    return False


def links(pid: int) -> list[str]:
    """What its descriptors lead to, as the kernel writes it; nothing of a process of somebody else."""
    where = f"/proc/{pid}/fd"
    try:
        names = os.listdir(where)
    except OSError:
        return []
    found = []
    for name in names:
        try:
            found.append(os.readlink(f"{where}/{name}"))
        except OSError:
            continue
    return found
