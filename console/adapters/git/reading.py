"""Reads listed paths of a worktree the way a plan needs them: no link followed, nothing but files and links.

An agent may swap any component while we look, so every step goes through an open folder, never through a name twice.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from console.adapters.git.binary import MIB
from console.adapters.git.objects import ABSENT, LINK, Entry, object_id
from console.core.records import PlanPath

SIZE_CAP = 20 * MIB

_FOLDER = os.O_RDONLY | os.O_NOFOLLOW | os.O_DIRECTORY | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_KINDS = {
    stat.S_IFIFO: "is a named pipe",
    stat.S_IFSOCK: "is a socket",
    stat.S_IFCHR: "is a device",
    stat.S_IFBLK: "is a device",
}
# Code points that HFS+ drops from names, so that ".g\u200cit" means ".git" there.
_IGNORED = dict.fromkeys([*range(0x200C, 0x2010), *range(0x202A, 0x202F), *range(0x206A, 0x2070), 0xFEFF])


@dataclass(frozen=True, slots=True)
class Content:
    """A regular file (mode 100644 or 100755) or a symbolic link (120000, body is its target)."""

    mode: str
    body: bytes

    @property
    def entry(self) -> Entry:
        return Entry(self.mode, object_id("blob", self.body))


@dataclass(frozen=True, slots=True)
class Missing:
    """Nothing is there. behind: the parent that is a symbolic link or a file instead of a folder, or ""."""

    behind: str = ""
    behind_kind: Literal["", "link", "file"] = ""


@dataclass(frozen=True, slots=True)
class Unfit:
    """Something is there that no commit can hold, or that may not be read; `why` completes "<path> ..."."""

    why: str


@dataclass(frozen=True, slots=True)
class Folder:
    """A directory; nested: it is the root of another repository."""

    nested: bool


Found = Content | Missing | Folder | Unfit


def path_problem(path: str) -> str:
    """Why a path can never be part of a plan ("" when it can); completes "<path> ..."."""
    if not path:
        return "is empty"
    try:
        path.encode()
    except UnicodeEncodeError:
        return "has a name that is not UTF-8, which this version cannot freeze"
    if "\0" in path:
        return "contains a NUL"
    if path.startswith("/"):
        return "is absolute: paths are relative to the worktree"
    parts = path.split("/")
    if any(part in ("", ".", "..") for part in parts):
        return 'has an empty, "." or ".." component'
    if any(_is_dot_git(part) for part in parts):
        return "reaches into git's own folder"
    return ""


def _is_dot_git(part: str) -> bool:
    """True for every spelling some file system takes for `.git`."""
    plain = part.translate(_IGNORED).replace("\\", "/").split("/")[0].split(":")[0].rstrip(" .").casefold()
    return plain in (".git", "git~1")


@contextlib.contextmanager
def opened(worktree: str) -> Iterator[int]:
    """A descriptor of the worktree's root. Raises OSError when it is gone."""
    root = os.open(os.path.realpath(worktree), _FOLDER)
    try:
        yield root
    finally:
        os.close(root)


def read_path(root: int, path: str) -> Found:
    """What is at `path` (valid by `path_problem`) below the open folder `root`, read once and whole."""
    *parents, name = path.split("/")
    folder = os.dup(root)
    try:
        for depth, parent in enumerate(parents, 1):
            try:
                below = os.open(parent, _FOLDER, dir_fd=folder)
            except OSError as error:
                return _stopped(folder, parent, "/".join(parents[:depth]), error)
            os.close(folder)
            folder = below
            if _exists(folder, ".git"):
                return Unfit(f"is inside another repository ({'/'.join(parents[:depth])})")
        return _read_last(folder, name)
    finally:
        os.close(folder)


def _stopped(folder: int, parent: str, so_far: str, error: OSError) -> Found:
    try:
        status = os.stat(parent, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return Missing()
    except OSError as other:
        error = other
    else:
        if stat.S_ISLNK(status.st_mode):
            return Missing(so_far, "link")
        if not stat.S_ISDIR(status.st_mode):
            return Missing(so_far, "file")
    return Unfit(f"cannot be reached: {error.strerror}")


def _read_last(folder: int, name: str) -> Found:
    try:
        before = os.stat(name, dir_fd=folder, follow_symlinks=False)
        if stat.S_ISLNK(before.st_mode):
            body = os.fsencode(os.readlink(name, dir_fd=folder))
            after = os.stat(name, dir_fd=folder, follow_symlinks=False)
            return Content(LINK, body) if _same(before, after) else Unfit("changed while it was read")
        if stat.S_ISDIR(before.st_mode):
            return Folder(_exists(folder, f"{name}/.git"))
        if not stat.S_ISREG(before.st_mode):
            return Unfit(_KINDS.get(stat.S_IFMT(before.st_mode), "is no regular file"))
        return _read_file(folder, name)
    except FileNotFoundError:
        return Missing()
    except OSError as error:
        if error.errno == errno.ELOOP:
            return Unfit("changed while it was read")
        return Unfit(f"cannot be read: {error.strerror}")


def _read_file(folder: int, name: str) -> Found:
    handle = os.open(name, _FILE, dir_fd=folder)
    with os.fdopen(handle, "rb", buffering=0) as file:
        before = os.fstat(handle)
        if not stat.S_ISREG(before.st_mode):
            return Unfit("changed while it was read")
        if before.st_size > SIZE_CAP:
            return Unfit(f"is {before.st_size // MIB} MiB, more than the {SIZE_CAP // MIB} MiB a plan may hold a file")
        body = _at_most(file.fileno(), SIZE_CAP + 1)
        if not _same(before, os.fstat(handle)) or len(body) != before.st_size:
            return Unfit("changed while it was read")
    return Content("100755" if before.st_mode & stat.S_IXUSR else "100644", body)


def _at_most(handle: int, limit: int) -> bytes:
    chunks: list[bytes] = []
    size = 0
    while size < limit and (chunk := os.read(handle, min(limit - size, 1 << 20))):
        chunks.append(chunk)
        size += len(chunk)
    return b"".join(chunks)


def _exists(folder: int, name: str) -> bool:
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except OSError:
        return False
    return True


def _same(before: os.stat_result, after: os.stat_result) -> bool:
    def facts(status: os.stat_result) -> tuple[int, ...]:
        return (
            status.st_dev, status.st_ino, status.st_mode, status.st_size, status.st_mtime_ns, status.st_ctime_ns,
        )  # fmt: skip

    return facts(before) == facts(after)


def drifted(worktree: str, paths: tuple[PlanPath, ...]) -> tuple[str, ...]:
    """Those of a plan's paths whose bytes or mode on disk are not the plan's; all of them when the worktree is gone."""
    try:
        with opened(worktree) as root:
            return tuple(one.path for one in paths if _now(root, one.path) != Entry(one.mode, one.oid))
    except OSError:
        return tuple(one.path for one in paths)


def _now(root: int, path: str) -> Entry | None:
    match read_path(root, path):
        case Content() as content:
            return content.entry
        case Missing() | Folder():
            return ABSENT
        case Unfit():
            return None
