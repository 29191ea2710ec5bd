"""Who holds a lock: found through the lock itself, and pinned; the one process outside our chain that may be signalled.

What the lock's file says of itself is for people and never read here.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
import termios
from dataclasses import dataclass
from pathlib import Path

from console.adapters import shim
from console.core.records import Refused

LOCKS = Path("/proc/locks")


@dataclass(frozen=True, slots=True)
class Holder:
    """start: in clock ticks. state: the kernel's letter (R, S, D, T, ...). command: as it calls itself."""

    pid: int
    start: int
    state: str
    command: str


def find(lock: Path) -> Holder | Refused:
    """The one process of our own user that holds the flock on this file. Refused says why nobody may be named."""
    try:
        seen = os.lstat(lock)
        listed = LOCKS.read_text(encoding="ascii")
    except (OSError, ValueError) as error:
        return Refused(reason=f"who holds {lock} cannot be told: {error}")
    pids = [pid for pid in named(listed, seen.st_ino) if _has_open(pid, seen)]
    if len(pids) != 1:
        found = f"{len(pids)} processes" if pids else "no process that can be seen from here"
        return Refused(reason=f"{lock} is held, but by {found}: nobody is signalled; `nightdesk doctor` shows it")
    return _described(lock, pids[0])


def words(lock: Path) -> str:
    """Who holds it, for people: `pid 4711 (nightdesk run)`; "another process" when that cannot be told."""
    found = find(lock)
    return "another process" if isinstance(found, Refused) else f"pid {found.pid} ({found.command})"


def named(listed: str, inode: int) -> list[int]:
    """The pids in the text of /proc/locks that hold an exclusive flock on this inode, each once. The device is not
    compared: some file systems show another one than `stat` does. Who has the file open is looked at instead."""
    pids: dict[int, None] = {}
    for line in listed.splitlines():
        words = line.split()
        exclusive = len(words) >= 6 and words[1] == "FLOCK" and words[3] == "WRITE"
        if exclusive and words[5].endswith(f":{inode}") and words[4].isdecimal() and int(words[4]) > 1:
            pids[int(words[4])] = None
    return list(pids)


def _has_open(pid: int, lock: os.stat_result) -> bool:
    """It has this very file open. A pid in /proc/locks is that of who locked, also when only a child of it is left."""
    folder = f"/proc/{pid}/fd"
    with contextlib.suppress(OSError):
        for name in os.listdir(folder):
            with contextlib.suppress(OSError):
                there = os.stat(f"{folder}/{name}")
                if (there.st_dev, there.st_ino) == (lock.st_dev, lock.st_ino):
                    return True
    return False


def _described(lock: Path, pid: int) -> Holder | Refused:
    stat = shim.read_stat(pid)
    if stat is None or stat.dead:
        return Refused(reason=f"pid {pid}, which held {lock}, has just ended")
    if foreign := _foreign(pid):
        return Refused(reason=f"{lock} is held by pid {pid} of {foreign}: it is not ours to signal")
    return Holder(pid=pid, start=stat.start, state=stat.state, command=shim.command_line(pid))


def _foreign(pid: int) -> str:
    """Whose process it is; "" when every user id of it is ours."""
    uids = {word for line in _status(pid) if line.startswith("Uid:") for word in line.split()[1:]}
    return "" if uids == {str(os.geteuid())} else f"another user (uid {'/'.join(sorted(uids)) or 'unknown'})"


def _status(pid: int) -> list[str]:
    return shim.read_proc(f"/proc/{pid}/status").decode("ascii", "replace").splitlines()


class Pinned:
    """A holder that can be signalled: a pidfd, taken before its start time and its lock were looked at once more."""

    def __init__(self, holder: Holder, fd: int) -> None:
        self.holder, self._fd = holder, fd

    def send(self, number: signal.Signals) -> bool:
        """False when it is gone already."""
        try:
            signal.pidfd_send_signal(self._fd, number)
        except ProcessLookupError:
            return False
        return True

    def close(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


def pin(lock: Path, holder: Holder) -> Pinned | Refused:
    """Pins exactly the process that `find` named, if it still is the holder."""
    if holder.pid == os.getpid():
        return Refused(reason=f"{lock} is held by this process itself")
    try:
        fd = os.pidfd_open(holder.pid)
    except OSError as error:
        return Refused(reason=f"pid {holder.pid}, which held {lock}, cannot be pinned: {error.strerror}")
    again = find(lock)
    if isinstance(again, Refused) or (again.pid, again.start) != (holder.pid, holder.start):
        os.close(fd)
        return again if isinstance(again, Refused) else Refused(reason=f"another process holds {lock} by now")
    return Pinned(again, fd)


# -- whether its loop runs -------------------------------------------------------------------------------


def unheard(doorbell: Path) -> int | None:
    """How many rings at the doorbell nobody has taken yet; None when nobody listens there. A loop that runs takes them
    at once, so that what stays is proof that it does not."""
    try:
        fd = os.open(doorbell, os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return None
    try:
        left = bytearray(4)
        fcntl.ioctl(fd, termios.FIONREAD, left)
        return int.from_bytes(left, "little")
    except OSError:
        return None
    finally:
        os.close(fd)
