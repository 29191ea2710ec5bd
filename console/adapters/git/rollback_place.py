"""Writes and deletes single paths of a worktree, every component opened from the folder above and no link followed.

Whoever swaps a folder for a link meanwhile makes a step fail, never lead elsewhere. A step says what it expects there.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator

from console.adapters.git.objects import LINK
from console.adapters.git.snapshot_record import Item, Stamp, mark, stamp
from console.adapters.git.snapshot_scan import FOLDER, allow, descend

CHANGED = "changed while it was rolled back: roll back again"
OCCUPIED = "is a folder with files that the snapshot does not cover: move them away and roll back again"


class Blocked(Exception):
    """A step could not be done. `why` completes "<path> ..."."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Place:
    """The worktree below an open root folder. token: the name that files have until they are complete."""

    def __init__(self, root: int, token: str) -> None:
        self._root = root
        self._token = token

    @contextlib.contextmanager
    def _above(self, path: str) -> Iterator[tuple[int, str]]:
        """(folder, name); an OSError inside becomes Blocked."""
        folder, _, name = path.rpartition("/")
        try:
            handle = descend(self._root, folder)
            try:
                yield handle, name
            finally:
                os.close(handle)
        except OSError as error:
            raise Blocked(f"cannot be rolled back: {error.strerror}") from error

    def remove(self, path: str, expected: Stamp) -> None:
        """Unlink the file or link that is still the expected one; one that is gone is fine. Raises Blocked."""
        with self._above(path) as (folder, name):
            now = status(folder, name)
            if now is None:
                return
            if not _same(now, expected):
                raise Blocked(CHANGED)
            os.unlink(name, dir_fd=folder)

    def clear(self, path: str) -> None:
        """Unlink a pipe or socket that stands where a folder or file belongs. Raises Blocked."""
        with self._above(path) as (folder, name):
            now = status(folder, name)
            if now is not None and stat.S_IFMT(now.st_mode) in (stat.S_IFIFO, stat.S_IFSOCK):
                os.unlink(name, dir_fd=folder)

    def remove_folder(self, path: str) -> None:
        """Remove a folder if it is empty; never a folder with anything in it."""
        with contextlib.suppress(Blocked), self._above(path) as (folder, name):
            os.rmdir(name, dir_fd=folder)

    def make_folder(self, path: str) -> None:
        """The folder and those above it. Raises Blocked."""
        made = ""
        for part in path.split("/"):
            made = f"{made}/{part}" if made else part
            with self._above(made) as (folder, name), contextlib.suppress(FileExistsError):
                os.mkdir(name, 0o700, dir_fd=folder)

    def open_up(self, path: str) -> None:
        """Give ourselves entry and write permission in a folder. Raises Blocked."""
        with self._above(path) as (folder, name):
            now = status(folder, name)
            if now is not None and stat.S_ISDIR(now.st_mode) and now.st_mode & stat.S_IRWXU != stat.S_IRWXU:
                allow(folder, name, now, stat.S_IRWXU)

    def set_mode(self, path: str, perm: int, expected: Stamp | None) -> None:
        """Permission bits of a folder (expected None) or of the file that is still the expected one. Raises Blocked."""
        with self._above(path) as (folder, name):
            now = status(folder, name)
            if now is None or not (stat.S_ISDIR(now.st_mode) if expected is None else _same(now, expected)):
                raise Blocked(CHANGED)
            if stat.S_IMODE(now.st_mode) != perm:
                allow(folder, name, now, perm, exactly=True)

    def write(self, path: str, item: Item, body: bytes, expected: Stamp | None) -> None:
        """Put a file or link in the place of the expected one (None: of nothing), whole or not at all.

        Raises Blocked.
        """
        with self._above(path) as (folder, name):
            self._temporary(folder, item, body)
            now = status(folder, name)
            if (now is None) != (expected is None) or (now and expected and not _same(now, expected)):
                os.unlink(self._token, dir_fd=folder)
                raise Blocked(OCCUPIED if now is not None and stat.S_ISDIR(now.st_mode) else CHANGED)
            os.rename(self._token, name, src_dir_fd=folder, dst_dir_fd=folder)

    def _temporary(self, folder: int, item: Item, body: bytes) -> None:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self._token, dir_fd=folder)
        if item.mode == LINK:
            os.symlink(body, self._token, dir_fd=folder)
            return
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        with os.fdopen(os.open(self._token, flags, 0o600, dir_fd=folder), "wb", buffering=0) as file:
            rest = memoryview(body)
            while rest:
                rest = rest[file.write(rest) :]
            os.fchmod(file.fileno(), item.perm)

    def remove_litter(self, path: str) -> None:
        """Take away what an interrupted `write` left, if that is what it is."""
        with contextlib.suppress(Blocked), self._above(path) as (folder, name):
            if name == self._token:
                os.unlink(name, dir_fd=folder)


def status(folder: int, name: str) -> os.stat_result | None:
    """Of the thing itself, no link followed; None when there is none."""
    try:
        return os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return None


def _same(now: os.stat_result, expected: Stamp) -> bool:
    # Without ctime: unlinking one hard link touches that of the others.
    return stamp(now)[:5] == expected[:5]


@contextlib.contextmanager
def root_of(worktree: str) -> Iterator[int]:
    """A descriptor of the worktree's root. Raises OSError."""
    handle = os.open(worktree, FOLDER)
    try:
        yield handle
    finally:
        os.close(handle)


def mark_at(root: int, path: str) -> tuple[int, ...] | None:
    """Inode, size and times of what is at a path; None when nothing is, or no folder leads there."""
    folder, _, name = path.rpartition("/")
    try:
        handle = descend(root, folder)
    except OSError:
        return None
    try:
        now = status(handle, name)
        return mark(now) if now else None
    finally:
        os.close(handle)
