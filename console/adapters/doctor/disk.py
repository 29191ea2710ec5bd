"""Room on the disks that we write to, what of ours takes it up, and whether the log can be read."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from console.adapters.doctor.findings import Finding, Look, size, words
from console.adapters.doctor.ground import Ground

DISK, LOG = "disk", "log"
LOW = 1_000_000_000
EMPTY = 100_000_000
FEW_FILES = 10_000
NO_FILES = 1_000
"""Free bytes, and files that can still be made, that are too few."""
SECONDS = 2.0
"""For adding up sizes, of all folders together."""
LARGE_WAL = 500_000_000


def disk(g: Ground) -> Look:
    if g.places is None:
        return Look(name=DISK, well="not looked at: no workspace here")
    found = tuple(one for room in _rooms(g) for one in _short(g, room))
    return Look(name=DISK, well=f"{_free(g)}; {_used(g)}", findings=found)


@dataclass(frozen=True, slots=True)
class _Room:
    """A file system of ours. files: that can still be made, None where it has no such limit."""

    what: str
    place: Path
    free: int
    files: int | None
    read_only: bool


def _rooms(g: Ground) -> list[_Room]:
    """Each file system once."""
    assert g.places is not None
    found: dict[int, _Room] = {}
    for what, folder in (("the log", g.places.state), ("worktrees", g.places.data), ("checkouts", g.places.cache)):
        place = next((one for one in (folder, *folder.parents) if one.is_dir()), Path("/"))
        try:
            device, fs = os.stat(place).st_dev, os.statvfs(place)
        except OSError:
            continue
        known = found.get(device)
        name = f"{known.what}, {what}" if known else what
        files = fs.f_favail if fs.f_files else None
        read_only = bool(fs.f_flag & os.ST_RDONLY)
        found[device] = _Room(name, known.place if known else place, fs.f_bavail * fs.f_frsize, files, read_only)
    return list(found.values())


def _free(g: Ground) -> str:
    return ", ".join(f"{size(room.free)} free for {room.what}" for room in _rooms(g)) or "nobody can tell what is free"


def _short(g: Ground, room: _Room) -> Iterator[Finding]:
    cure = f"{g.command('worktree', 'clean')}  # or make room elsewhere: {words('df', '-h', str(room.place))}"
    where = f"for {room.what} ({room.place})"
    if room.read_only:
        what = f"the disk {where} is mounted read-only: nothing can be recorded"
        yield Finding(check=DISK, level="fault", what=what, cure=words("findmnt", "-T", str(room.place)))
    elif room.free < LOW:
        level = "fault" if room.free < EMPTY else "warning"
        what = f"{size(room.free)} are free {where}: nothing new is begun on a full disk. {_used(g)}"
        yield Finding(check=DISK, level="fault" if level == "fault" else "warning", what=what, cure=cure)
    if room.files is not None and room.files < FEW_FILES and not room.read_only:
        what = f"only {room.files} more files can be made {where}: a worktree needs many"
        few = words("df", "-i", str(room.place))
        yield Finding(check=DISK, level="fault" if room.files < NO_FILES else "warning", what=what, cure=few)


def _used(g: Ground) -> str:
    """What of ours takes up how much; at least so much when there are very many files."""
    assert g.places is not None
    state, deadline = g.places.state, time.monotonic() + SECONDS
    parts = {
        "log": [g.places.log],
        "its WAL": [state / "log.db-wal"],
        "transcripts": [state / "transcripts"],
        "gate outputs": [state / "gates"],
        "plans": [state / "plans"],
        "snapshots": [state / "shadow.git", state / "snapshots.git"],
        "worktrees": [g.data],
        "cache": [g.places.cache],
    }
    sizes = {name: sum(_size(str(one), deadline) for one in places) for name, places in parts.items()}
    shown = [f"{name} {size(count)}" for name, count in sorted(sizes.items(), key=lambda one: -one[1]) if count]
    more = " at least" if time.monotonic() > deadline else ""
    return f"of ours{more}: {', '.join(shown)}" if shown else "nothing of ours is there yet"


def _size(path: str, deadline: float) -> int:
    """Bytes on disk, no link followed."""
    total, todo = 0, [path]
    while todo and time.monotonic() < deadline:
        here = todo.pop()
        try:
            status = os.lstat(here)
            total += status.st_blocks * 512
            if stat.S_ISDIR(status.st_mode):
                todo += [one.path for one in os.scandir(here)]
        except OSError:
            continue
    return total


# -- the log ----------------------------------------------------------------------------------------------------


def log(g: Ground) -> Look:
    if g.places is None:
        return Look(name=LOG, well="not looked at: no workspace here")
    read = g.log
    seq = read.state.seq if read.state else 0
    events = f"{seq} event{'s' * (seq != 1)}, the last of {_day(read.state.at)}" if read.state and seq else "empty"
    checked = "not checked to its end" if read.damage is None else "sound"
    return Look(name=LOG, well=f"{g.places.log}: {events}, {checked}" if read.state else "none yet", findings=_log(g))


def _day(at: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(at))


def _log(g: Ground) -> tuple[Finding, ...]:
    assert g.places is not None
    found, path = [], g.places.log
    if g.log.trouble:
        newer = "newer nightdesk" in g.log.trouble or "a newer one" in g.log.trouble
        cure = words("python3", "-m", "pip", "install", "--upgrade", "nightdesk") if newer else _aside(path)
        found.append(Finding(check=LOG, level="fault", what=g.log.trouble, cure=cure))
    if g.log.damage:
        what = f"{path} is damaged ({g.log.damage}): what it says can be wrong"
        found.append(Finding(check=LOG, level="fault", what=what, cure=_aside(path)))
    if g.log.old:
        what = f"{path} could only be read without what was written last (no room or no right for its index)"
        found.append(Finding(check=LOG, level="warning", what=what, cure=words("df", "-h", str(path.parent))))
    wal = _size(f"{path}-wal", time.monotonic() + 1)
    if wal > LARGE_WAL:
        what = f"{path}-wal has {size(wal)}: nobody has moved it into the log, which makes every start slow"
        found.append(Finding(check=LOG, level="warning", what=what, cure=g.command("run", "--idle", "--linger", "1")))
    return tuple(found)


def _aside(path: Path) -> str:
    """The whole folder: the log and its WAL belong together, and nothing is deleted."""
    return words("cp", "-a", str(path.parent), f"{path.parent}.copy")
