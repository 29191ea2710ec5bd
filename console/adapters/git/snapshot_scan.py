"""Looks at a whole worktree through open folders, no link followed, and hands every changed file's bytes on.

A stamp from the last look spares reading a file again; a file as young as that look gets none. Writes nothing there.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from typing import Final

from console.adapters.git.binary import MIB, shown
from console.adapters.git.objects import LINK, object_id
from console.adapters.git.snapshot_record import Item, Scene, Skipped, Stamp, file_item, folders_of, mark, stamp

FILE_CAP: Final = 20 * MIB
UNDO_FILE_CAP: Final = 100 * MIB
UNTRACKED_CAP: Final = 50_000
NAMES_CAP: Final = 1_000_000
DEEPEST: Final = 100
YOUNG_NS: Final = 2_000_000_000

FOLDER: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_DIRECTORY | os.O_CLOEXEC
_FILE: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_KINDS = {
    stat.S_IFIFO: "is a named pipe",
    stat.S_IFSOCK: "is a socket",
    stat.S_IFCHR: "is a device",
    stat.S_IFBLK: "is a device",
}


class TooMuch(Exception):
    """More than a snapshot may hold. `reason` is one sentence with the cure."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(slots=True)
class Look:
    """How to look: what to leave out, what is expected to be there, what is known from the last time.

    skip: paths (folders also with a slash) that are not even opened. expected: names whose folders are entered although
    they hold a `.git`. put: takes (id, bytes) of everything that was read. holds: whether the bytes of an id are safe.
    later: put off files that are not expected, by name only. force: open up what its owner closed (chmod).
    """

    skip: Collection[str]
    expected: Collection[str]
    put: Callable[[str, bytes], None]
    holds: Callable[[str], bool]
    stamps: dict[str, tuple[Stamp, str]]
    cap: int = FILE_CAP
    later: bool = False
    force: bool = False
    put_off: list[str] = field(default_factory=list)


class Walk:
    """One look at one worktree; fills files, dirs, skipped and stamps of the scene. Raises OSError and TooMuch."""

    def __init__(self, scene: Scene, look: Look) -> None:
        self._scene = scene
        self._look = look
        self._inside = folders_of(look.expected)
        self._young = time.time_ns() - YOUNG_NS
        self._names = 0
        self._opened: list[tuple[str, os.stat_result]] = []
        self._others: Counter[str] = Counter()

    def all(self, root: int) -> None:
        """Everything below the open root folder."""
        self._folder(os.dup(root), "", 0)

    def these(self, root: int, paths: Iterable[str]) -> None:
        """The files at these paths, as far as they are still there."""
        for path in paths:
            folder, _, name = path.rpartition("/")
            try:
                handle = descend(root, folder)
            except OSError:
                continue
            try:
                self._one(handle, name, path, os.stat(name, dir_fd=handle, follow_symlinks=False), 0)
            except FileNotFoundError:
                pass
            finally:
                os.close(handle)

    def _folder(self, handle: int, path: str, depth: int) -> None:
        """Takes over the handle."""
        try:
            with os.scandir(handle) as found:
                for entry in found:
                    self._entry(handle, entry, f"{path}/{entry.name}" if path else entry.name, depth)
        finally:
            os.close(handle)

    def _entry(self, handle: int, entry: os.DirEntry[str], path: str, depth: int) -> None:
        if entry.name == ".git":
            if path != ".git":
                self._scene.skipped[path] = Skipped("is the git folder of another repository")
            return
        if path in self._look.skip or f"{path}/" in self._look.skip:
            return
        self._names += 1
        if self._names > NAMES_CAP:
            place = shown(self._scene.worktree)
            raise TooMuch(f"more than {NAMES_CAP:,} names are in {place}: add what is generated to .gitignore")
        try:
            status = entry.stat(follow_symlinks=False)
        except FileNotFoundError:
            return
        self._one(handle, entry.name, path, status, depth)

    def _one(self, handle: int, name: str, path: str, status: os.stat_result, depth: int) -> None:
        kind = stat.S_IFMT(status.st_mode)
        if kind == stat.S_IFDIR:
            self._enter(handle, name, path, status, depth)
        elif kind not in (stat.S_IFREG, stat.S_IFLNK):
            self._scene.skipped[path] = Skipped(_KINDS.get(kind, "is no regular file"))
        elif path in self._look.expected:
            self._file(handle, name, path, status)
        elif self._look.later:
            self._look.put_off.append(path)
        else:
            self._count(path)
            self._file(handle, name, path, status)

    def _count(self, path: str) -> None:
        top = path.partition("/")[0]
        self._others[top] += 1
        if self._others.total() > UNTRACKED_CAP:
            most = shown(os.fsencode(self._others.most_common(1)[0][0]))
            raise TooMuch(
                f"more than {UNTRACKED_CAP:,} files that git does not track are in {shown(self._scene.worktree)}, "
                f"most of them in {most}: add what is generated to .gitignore or move it away"
            )

    def _enter(self, handle: int, name: str, path: str, status: os.stat_result, depth: int) -> None:
        if depth > DEEPEST:
            self._scene.skipped[path] = Skipped("is nested too deeply")
            return
        try:
            below = self._open(handle, name, FOLDER, status, path)
        except OSError as error:
            if error.errno not in (errno.ENOENT, errno.ENOTDIR, errno.ELOOP):
                self._scene.skipped[path] = Skipped(f"cannot be opened: {error.strerror}")
            return
        if path not in self._inside and _exists(below, ".git"):
            os.close(below)
            self._scene.skipped[path] = Skipped("is a repository of its own")
            return
        self._scene.dirs[path] = stat.S_IMODE(status.st_mode)
        self._folder(below, path, depth + 1)

    def _file(self, handle: int, name: str, path: str, status: os.stat_result) -> None:
        now = stamp(status)
        before = self._look.stamps.get(path)
        if before and before[0] == now and self._look.holds(before[1]):
            self._note(path, before[1], status, now)
            return
        try:
            body, now = self._read(handle, name, status)
        except FileNotFoundError:
            return
        except OSError as error:
            self._scene.skipped[path] = Skipped(f"cannot be read: {error.strerror}", mark(status))
            return
        except ValueError as error:
            self._scene.skipped[path] = Skipped(str(error), mark(status))
            return
        oid = object_id("blob", body)
        self._look.put(oid, body)
        self._note(path, oid, status, now)

    def _note(self, path: str, oid: str, status: os.stat_result, now: Stamp) -> None:
        link = stat.S_ISLNK(status.st_mode)
        self._scene.files[path] = Item(LINK, oid, 0) if link else file_item(status, oid)
        self._scene.stamps[path] = now

    def _read(self, handle: int, name: str, status: os.stat_result) -> tuple[bytes, Stamp]:
        if stat.S_ISLNK(status.st_mode):
            return os.fsencode(os.readlink(name, dir_fd=handle)), stamp(status)
        file = self._open(handle, name, _FILE, status, "")
        try:
            for _ in range(3):
                before = os.fstat(file)
                if not stat.S_ISREG(before.st_mode):
                    raise ValueError("changed while it was read")
                if before.st_size > self._look.cap:
                    raise ValueError(f"is {before.st_size // MIB} MiB, more than {self._look.cap // MIB} MiB")
                body = _whole(file, before.st_size + 1)
                if stamp(before) == stamp(os.fstat(file)) and len(body) == before.st_size:
                    return body, stamp(before)
                os.lseek(file, 0, os.SEEK_SET)
            raise ValueError("kept changing while it was read")
        finally:
            os.close(file)

    def _open(self, handle: int, name: str, how: int, status: os.stat_result, path: str) -> int:
        """What was closed is opened up: a file for this moment, a folder (path given) until `close_again`."""
        try:
            return os.open(name, how, dir_fd=handle)
        except PermissionError:
            if not self._look.force or status.st_uid != os.geteuid():
                raise
        allow(handle, name, status, stat.S_IRWXU if path else stat.S_IRUSR)
        if path:
            self._opened.append((path, status))
        opened = os.open(name, how, dir_fd=handle)
        if not path:
            allow(handle, name, status, stat.S_IMODE(status.st_mode), exactly=True)
        return opened

    def close_again(self, root: int) -> None:
        """Give the folders that were opened up their own permission bits back."""
        for path, status in reversed(self._opened):
            folder, _, name = path.rpartition("/")
            with contextlib.suppress(OSError):
                handle = descend(root, folder)
                try:
                    allow(handle, name, status, stat.S_IMODE(status.st_mode), exactly=True)
                finally:
                    os.close(handle)

    def lasting(self) -> dict[str, tuple[Stamp, str]]:
        """{path: (stamp, id)} without the files that may be written to again without the clock showing it."""
        files, stamps = self._scene.files, self._scene.stamps
        return {path: (one, files[path].oid) for path, one in stamps.items() if one[5] < self._young}


def _whole(file: int, limit: int) -> bytes:
    chunks: list[bytes] = []
    left = limit
    while left > 0 and (chunk := os.read(file, min(left, 1 << 20))):
        chunks.append(chunk)
        left -= len(chunk)
    return b"".join(chunks)


def allow(handle: int, name: str, status: os.stat_result, bits: int, *, exactly: bool = False) -> None:
    """Add (or set) permission bits on a file or folder that is still the one of `status`. Raises OSError."""
    flags = getattr(os, "O_PATH", os.O_RDONLY) | os.O_NOFOLLOW | os.O_CLOEXEC
    thing = os.open(name, flags, dir_fd=handle)
    try:
        now = os.fstat(thing)
        if (now.st_dev, now.st_ino) != (status.st_dev, status.st_ino) or stat.S_ISLNK(now.st_mode):
            raise PermissionError(errno.EACCES, "changed while it was looked at")
        os.chmod(f"/proc/self/fd/{thing}", bits if exactly else stat.S_IMODE(now.st_mode) | bits)
    finally:
        os.close(thing)


def descend(root: int, path: str) -> int:
    """A new descriptor of a folder, every component opened from the one above. Raises OSError."""
    handle = os.dup(root)
    for part in path.split("/") if path else ():
        try:
            below = os.open(part, FOLDER, dir_fd=handle)
        finally:
            os.close(handle)
        handle = below
    return handle


def _exists(folder: int, name: str) -> bool:
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except OSError:
        return False
    return True
