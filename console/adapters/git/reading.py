"""Reads listed paths of a worktree the way a plan needs them: no link followed, nothing but files and links.

An agent may swap any component while we look, so every step goes through an open folder, never through a name twice.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import BinaryIO, Literal

from console.adapters.git.binary import MIB, shown
from console.adapters.git.objects import ABSENT, GITLINK, LINK, Entry, object_id
from console.adapters.git.submodules import head_below
from console.core.paths import bytes_of, text_of
from console.core.records import PlanPath

SIZE_CAP = 20 * MIB
LARGE_CAP = 2048 * MIB
NOWHERE = "0" * 40
"""As `PlanPath.disk`: nothing is on disk where something is committed."""

_FOLDER = os.O_RDONLY | os.O_NOFOLLOW | os.O_DIRECTORY | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_KINDS = {
    stat.S_IFIFO: "is a named pipe",
    stat.S_IFSOCK: "is a socket",
    stat.S_IFCHR: "is a device",
    stat.S_IFBLK: "is a device",
}


@dataclass(frozen=True, slots=True)
class Content:
    """A regular file (mode 100644 or 100755) or a symbolic link (120000, body is its target). links: its names."""

    mode: str
    body: bytes
    links: int = 1

    @property
    def entry(self) -> Entry:
        return Entry(self.mode, object_id("blob", self.body))


@dataclass(frozen=True, slots=True)
class Streamed:
    """A regular file that was not held: its blob id and its sha256, and its first kilobyte."""

    mode: str
    oid: str
    sha256: str
    size: int
    head: bytes
    links: int = 1

    @property
    def entry(self) -> Entry:
        return Entry(self.mode, self.oid)


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
FoundLarge = Streamed | Found
Take = Callable[[int, os.stat_result], Content | Streamed | Unfit]


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
    found = read_with(root, path, whole)
    assert not isinstance(found, Streamed)
    return found


def read_with(root: int, path: str, take: Take) -> FoundLarge:
    """As `read_path`; a regular file's content is what `take` makes of its open descriptor."""
    *parents, name = bytes_of(path).split(b"/")
    folder = os.dup(root)
    try:
        for depth, parent in enumerate(parents, 1):
            try:
                below = os.open(parent, _FOLDER, dir_fd=folder)
            except OSError as error:
                return _stopped(folder, parent, text_of(b"/".join(parents[:depth])), error)
            os.close(folder)
            folder = below
            if _exists(folder, b".git"):
                return Unfit(f"is inside another repository ({shown(b'/'.join(parents[:depth]))})")
        return _read_last(folder, name, take)
    finally:
        os.close(folder)


def _stopped(folder: int, parent: bytes, so_far: str, error: OSError) -> Found:
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


def _read_last(folder: int, name: bytes, take: Take) -> FoundLarge:
    try:
        before = os.stat(name, dir_fd=folder, follow_symlinks=False)
        if stat.S_ISLNK(before.st_mode):
            body = os.readlink(name, dir_fd=folder)
            after = os.stat(name, dir_fd=folder, follow_symlinks=False)
            return Content(LINK, body) if _same(before, after) else Unfit("changed while it was read")
        if stat.S_ISDIR(before.st_mode):
            return Folder(_exists(folder, name + b"/.git"))
        if not stat.S_ISREG(before.st_mode):
            return Unfit(_KINDS.get(stat.S_IFMT(before.st_mode), "is no regular file"))
        return _read_file(folder, name, take)
    except FileNotFoundError:
        return Missing()
    except OSError as error:
        if error.errno == errno.ELOOP:
            return Unfit("changed while it was read")
        return Unfit(f"cannot be read: {error.strerror}")


def _read_file(folder: int, name: bytes, take: Take) -> FoundLarge:
    handle = os.open(name, _FILE, dir_fd=folder)
    try:
        before = os.fstat(handle)
        if not stat.S_ISREG(before.st_mode):
            return Unfit("changed while it was read")
        found = take(handle, before)
        return found if isinstance(found, Unfit) or _same(before, os.fstat(handle)) else _CHANGED
    finally:
        os.close(handle)


def _mode(status: os.stat_result) -> str:
    return "100755" if status.st_mode & stat.S_IXUSR else "100644"


def whole(handle: int, status: os.stat_result) -> Content | Unfit:
    """Take a file into memory, up to the cap of a plan."""
    if status.st_size > SIZE_CAP:
        return Unfit(
            f"is {status.st_size // MIB} MiB, more than the {SIZE_CAP // MIB} MiB a plan may hold a file: keep it in "
            "Git LFS (a `filter=lfs` line for it in a committed .gitattributes), or commit it by hand"
        )
    body = _at_most(handle, SIZE_CAP + 1)
    return Content(_mode(status), body, status.st_nlink) if len(body) == status.st_size else _CHANGED


_CHANGED = Unfit("changed while it was read")


def streaming(sink: BinaryIO | None, cap: int) -> Take:
    """Take a file in pieces, and write them to `sink`."""

    def take(handle: int, status: os.stat_result) -> Streamed | Unfit:
        if status.st_size > cap:
            return Unfit(f"is {status.st_size // MIB} MiB, more than {cap // MIB} MiB: commit it by hand")
        blob = hashlib.sha1(b"blob %d\0" % status.st_size, usedforsecurity=False)
        sha256, head, size = hashlib.sha256(), b"", 0
        while size <= status.st_size and (chunk := os.read(handle, 1 << 20)):
            head = head or chunk[:1024]
            size += len(chunk)
            blob.update(chunk)
            sha256.update(chunk)
            if sink:
                sink.write(chunk)
        if size != status.st_size:
            return _CHANGED
        return Streamed(_mode(status), blob.hexdigest(), sha256.hexdigest(), size, head, status.st_nlink)

    return take


def _at_most(handle: int, limit: int) -> bytes:
    chunks: list[bytes] = []
    size = 0
    while size < limit and (chunk := os.read(handle, min(limit - size, 1 << 20))):
        chunks.append(chunk)
        size += len(chunk)
    return b"".join(chunks)


def _exists(folder: int, name: bytes) -> bool:
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


# -- is it still so?


def drifted(worktree: str, paths: tuple[PlanPath, ...]) -> tuple[str, ...]:
    """Those of a plan's paths that are not on disk exactly as they are committed; all when the folder is gone."""
    return _differing(worktree, paths, lambda now, one: now == Entry(one.mode, one.oid))


def changed_since(worktree: str, paths: tuple[PlanPath, ...]) -> tuple[str, ...]:
    """Those of a plan's paths that are no longer on disk as they were when it was frozen (`PlanPath.disk`)."""
    return _differing(worktree, paths, _as_frozen)


def _as_frozen(now: Entry, one: PlanPath) -> bool:
    was = on_disk(one)
    # An older record of a file that a hook took away does not tell its mode.
    return now == was or (one.mode == ABSENT.mode == was.mode and now.oid == was.oid)


def on_disk(one: PlanPath) -> Entry:
    """What was on disk when the plan was frozen (`PlanPath.disk`, as `disk_of` writes it)."""
    if not one.disk:
        return Entry(one.mode, one.oid)
    if one.disk == NOWHERE:
        return ABSENT
    mode, _, oid = one.disk.rpartition(" ")
    return Entry(mode or one.mode, oid)


def disk_of(was: Entry, committed: Entry) -> str:
    """For `PlanPath.disk`: "" when both are the same; the id, after the mode on disk where that is another one."""
    if was == committed:
        return ""
    if was == ABSENT:
        return NOWHERE
    return was.oid if was.mode == committed.mode else f"{was.mode} {was.oid}"


def _differing(worktree: str, paths: tuple[PlanPath, ...], fits: Callable[[Entry, PlanPath], bool]) -> tuple[str, ...]:
    try:
        with opened(worktree) as root:
            now = ((one, _now(root, worktree, one)) for one in paths)
            return tuple(one.path for one, entry in now if entry is None or not fits(entry, one))
    except OSError:
        return tuple(one.path for one in paths)


def _now(root: int, worktree: str, one: PlanPath) -> Entry | None:
    match read_with(root, one.path, streaming(None, LARGE_CAP if one.disk else SIZE_CAP)):
        case Content() | Streamed() as content:
            return content.entry
        case Folder(nested=True) if GITLINK in (one.mode, one.old_mode):
            head = head_below(os.fsencode(worktree), bytes_of(one.path))
            return Entry(GITLINK, head) if head else None
        case Missing() | Folder():
            return ABSENT
        case Unfit():
            return None
