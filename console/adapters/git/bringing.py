"""Brings files of a worktree from one tree's version to another's, and only where each is one of the two.

Every component is opened from the folder above and no link is followed; a file changes whole, by a rename, or not at
all. Cut off anywhere, the same call completes it. HEAD, refs and index are not looked at.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from console.adapters.git.binary import GitFailed, shown
from console.adapters.git.checkouts import write_forms
from console.adapters.git.naming import path_problem
from console.adapters.git.objects import ABSENT, GITLINK, LINK, Change, Entry
from console.adapters.git.reading import (
    LARGE_CAP,
    Content,
    Folder,
    Missing,
    Streamed,
    opened,
    read_with,
    streaming,
)
from console.adapters.git.shadow import Repository
from console.adapters.git.snapshot_scan import descend
from console.core.paths import text_of

State = Literal["old", "new", "odd"]
_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class CannotBring(Exception):
    """One path could not be written. `reason` is a sentence about it."""

    def __init__(self, path: bytes, why: str) -> None:
        super().__init__(f"{shown(path)} {why}")
        self.reason = f"{shown(path)} {why}"


@dataclass(frozen=True, slots=True)
class Between:
    """What is to be brought. before, after: the two tree-ishes; more: where their objects are, besides the repository.
    disk: further forms that count as the new version, {path: entry}."""

    changes: Sequence[Change]
    before: str
    after: str
    more: tuple[Path, ...]
    disk: dict[bytes, Entry]


@dataclass(slots=True)
class Scene:
    """Both versions as files in folders of ours, and what the worktree has of them. states: of every path."""

    root: int
    after: Path
    before_forms: dict[bytes, Entry]
    after_forms: dict[bytes, Entry]
    states: dict[bytes, State]

    @property
    def odd(self) -> tuple[str, ...]:
        return tuple(text_of(path) for path in sorted(self.states) if self.states[path] == "odd")


@contextlib.contextmanager
def looked_at(repo: Repository, worktree: str, what: Between) -> Iterator[Scene]:
    """The scene of a worktree. Raises GitFailed and OSError."""
    for row in what.changes:
        if why := path_problem(text_of(row.path)):
            raise GitFailed(f"{shown(row.path)} {why}")
    with repo.scratch() as room, opened(worktree) as root:
        olds = {row.path: row.old for row in what.changes}
        news = {row.path: row.new for row in what.changes}
        write_forms(repo, what.before, olds, room / "before", what.more)
        write_forms(repo, what.after, news, room / "after", what.more)
        before, after = _forms(room / "before", olds), _forms(room / "after", news)
        scene = Scene(root, room / "after", before, after, {})
        for row in what.changes:
            scene.states[row.path] = _state(scene, row, what)
        yield scene


def _forms(folder: Path, entries: dict[bytes, Entry]) -> dict[bytes, Entry]:
    """What a checkout wrote for these entries, as mode and id of the bytes on disk."""
    found = {}
    with opened(str(folder)) as root:
        for path, entry in entries.items():
            if entry == ABSENT or entry.mode == GITLINK:
                found[path] = entry
                continue
            form = read_with(root, text_of(path), streaming(None, LARGE_CAP))
            if not isinstance(form, Content | Streamed):
                raise GitFailed(f"{shown(path)} could not be checked out")
            found[path] = form.entry
    return found


def _state(scene: Scene, row: Change, what: Between) -> State:
    found = read_with(scene.root, text_of(row.path), streaming(None, LARGE_CAP))
    match found:
        case Content() | Streamed():
            if found.entry in (row.new, scene.after_forms[row.path], what.disk.get(row.path)):
                return "new"
            return "old" if found.entry in (row.old, scene.before_forms[row.path]) else "odd"
        case Missing(behind) if not behind or _ours(what, behind):
            return _when_absent(row)
        case Folder(nested):
            if row.new.mode == GITLINK:
                return "new"
            if row.old.mode == GITLINK:
                return "odd" if nested else "old"
            # A folder in a file's place goes when its own files go.
            below = row.path + b"/"
            emptied = any(one.path.startswith(below) and one.old != ABSENT for one in what.changes)
            return "odd" if nested or (row.new != ABSENT and not emptied) else _when_absent(row)
        case _:
            return "odd"


def _ours(what: Between, behind: str) -> bool:
    """Whether the file or link in a folder's place is itself one that goes or came; then its own state decides."""
    return any(text_of(one.path) == behind for one in what.changes)


def _when_absent(row: Change) -> State:
    if row.new == ABSENT:
        return "new"
    return "old" if row.old == ABSENT or row.new.mode == GITLINK else "odd"


def bring(scene: Scene, what: Between, token: str) -> tuple[str, ...]:
    """Write and delete what is still old; the paths. token: the name that a file has until it is complete.

    Raises CannotBring with what was done so far done; the same call then goes on.
    """
    todo = [row for row in what.changes if scene.states[row.path] == "old"]
    for row in sorted(todo, key=lambda row: row.path.count(b"/"), reverse=True):
        if row.new == ABSENT or GITLINK in (row.old.mode, row.new.mode):
            _remove(scene, row)
    for row in sorted(todo, key=lambda row: row.path):
        if row.new != ABSENT:
            _put(scene, row, token)
    return tuple(text_of(row.path) for row in todo)


@contextlib.contextmanager
def _above(root: int, path: bytes) -> Iterator[tuple[int, str]]:
    """(folder, name) of a path; no link is followed. Raises OSError."""
    folder, _, name = os.fsdecode(path).rpartition("/")
    handle = descend(root, folder)
    try:
        yield handle, name
    finally:
        os.close(handle)


def _remove(scene: Scene, row: Change) -> None:
    """A file, or the folder of a submodule, which is empty; and the folders above that are empty then."""
    try:
        with _above(scene.root, row.path) as (folder, name):
            _still(scene, row)
            if row.old.mode == GITLINK:
                os.rmdir(name, dir_fd=folder)
            else:
                os.unlink(name, dir_fd=folder)
    except FileNotFoundError:
        return
    except OSError as error:
        raise CannotBring(row.path, f"cannot be deleted: {error.strerror}") from error
    parent = os.path.dirname(row.path)
    with contextlib.suppress(OSError):
        while parent:
            with _above(scene.root, parent) as (folder, name):
                os.rmdir(name, dir_fd=folder)
            parent = os.path.dirname(parent)


def _still(scene: Scene, row: Change) -> None:
    """Nobody has written there since it was looked at. Raises CannotBring."""
    found = read_with(scene.root, text_of(row.path), streaming(None, LARGE_CAP))
    now = found.entry if isinstance(found, Content | Streamed) else ABSENT
    if row.old.mode == GITLINK:
        return
    if now not in (row.old, scene.before_forms[row.path]):
        raise CannotBring(row.path, "changed while it was brought up to date: look at it, then try again")


def _put(scene: Scene, row: Change, token: str) -> None:
    try:
        make_folders(scene.root, os.path.dirname(row.path))
        with _above(scene.root, row.path) as (folder, name):
            if row.new.mode == GITLINK:
                with contextlib.suppress(FileExistsError):
                    os.mkdir(name, dir_fd=folder)
                return
            with contextlib.suppress(FileNotFoundError):
                os.unlink(token, dir_fd=folder)
            try:
                _copy(
                    scene.after / os.fsdecode(row.path), scene.after_forms[row.path], folder, token, _perm(folder, name)
                )
                _still(scene, row)
                os.rename(token, name, src_dir_fd=folder, dst_dir_fd=folder)
            except BaseException:
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(token, dir_fd=folder)
                raise
    except OSError as error:
        raise CannotBring(row.path, f"cannot be written: {error.strerror}") from error


def make_folders(root: int, path: bytes) -> None:
    """A folder below the open root and those above it, as far as they are missing; no link is followed.

    Raises OSError.
    """
    made = b""
    for part in path.split(b"/") if path else ():
        made = made + b"/" + part if made else part
        with _above(root, made) as (folder, name), contextlib.suppress(FileExistsError):
            os.mkdir(name, dir_fd=folder)


def _perm(folder: int, name: str) -> int | None:
    """The permissions of the file that is replaced: what its owner closed to others stays closed."""
    try:
        now = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except OSError:
        return None
    return stat.S_IMODE(now.st_mode) if stat.S_ISREG(now.st_mode) else None


def _copy(source: Path, form: Entry, folder: int, token: str, perm: int | None) -> None:
    if form.mode == LINK:
        os.symlink(os.readlink(os.fsencode(source)), token, dir_fd=folder)
        return
    runs = form.mode == "100755"
    with (
        open(source, "rb") as content,
        os.fdopen(os.open(token, _NEW_FILE, 0o777 if runs else 0o666, dir_fd=folder), "wb") as target,
    ):
        while chunk := content.read(1 << 20):
            target.write(chunk)
        if perm is not None:
            plain = perm & 0o666
            os.fchmod(target.fileno(), plain | (plain & 0o444) >> 2 if runs else plain)
