"""Removes a worktree that nightdesk made: never one with work in it that nothing else holds, unless that was said.

Git forgets exactly that worktree; its folder is deleted without following a link or crossing into another file system.
A branch goes only when another branch has all of it.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from dataclasses import dataclass
from pathlib import Path

from console.adapters.git.attributes import trusted
from console.adapters.git.binary import shown
from console.adapters.git.changes import changed_inside, changed_paths
from console.adapters.git.objects import tree_entries
from console.adapters.git.plainfiles import read_small
from console.adapters.git.refs import head_of
from console.adapters.git.shadow import Repository, View
from console.adapters.git.snapshot_scan import FOLDER, allow
from console.adapters.git.stacking import named
from console.adapters.git.stacks import unreadable
from console.adapters.git.ticketwork import Records, drop_entry, is_bare_folder
from console.adapters.git.worktrees import HEADS, linked_git_dirs
from console.core.records import Refused

TRASH = ".removing"
_INITIALIZING = b"initializing"

Held = tuple[str, tuple[str, ...]]
"""A commit that is held elsewhere, and the object folders of plans that hold it when the repository does not."""


@dataclass(frozen=True, slots=True)
class Doomed:
    """What is in a worktree. ref, tip: its branch ("" when detached) and commit. changed: paths that differ from that
    commit and are not ignored. detached: its commit is on no branch. locked: why git was told to keep it. gone: the
    folder is not there. merged: another branch that has all of its branch, "" when none."""

    path: str
    entry: str
    ref: str
    tip: str
    changed: tuple[str, ...] = ()
    detached: bool = False
    locked: str = ""
    gone: bool = False
    merged: str = ""

    @property
    def why_kept(self) -> str:
        """What would be lost, "" when nothing."""
        if self.locked:
            return f"git was told to keep it ({self.locked}); `git worktree unlock` takes that back"
        if self.changed:
            return f"{len(self.changed)} not committed: {named(self.changed)}"
        return f"its commit {self.tip[:10]} is on no branch" if self.detached else ""


@dataclass(frozen=True, slots=True)
class Removed:
    """branch: the branch that was deleted with it, "" when it stays. left: what could not be deleted."""

    branch: str = ""
    left: str = ""


def owned(repo: Repository, data: Path) -> list[str]:
    """The folders of the worktrees that git knows directly below our data folder, whether they are there or not."""
    return sorted(path for _, path in linked_git_dirs(repo.workspace.common) if os.path.dirname(path) == str(data))


def doomed(repo: Repository, data: Path, path: str, held: tuple[Held, ...] = ()) -> Doomed | Refused:
    """Look at one worktree below our data folder; files that are all as in a commit of `held` are no loss either.

    Raises GitFailed and OSError.
    """
    real = os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))
    entry = repo.git_dir_of(real)
    if os.path.dirname(real) != str(data) or os.path.islink(real):
        return Refused(reason=f"{shown(real)} is not in {shown(str(data))}, where nightdesk makes worktrees")
    if not entry or entry == repo.workspace.common:
        return Refused(reason=f"git knows no worktree at {shown(real)}: look at it and delete it yourself")
    tip = head_of(repo.workspace.common, entry)
    ref, commit = (tip.ref, tip.oid if tip.oid.strip("0") else "") if tip else ("", "")
    why = _locked(entry)
    if not os.path.isdir(real):
        return Doomed(real, entry, ref, commit, locked=why, gone=True, merged=_other_branch(repo, ref, commit))
    detached = bool(commit) and not ref and not _branches(repo, commit)
    changed = _changed(repo, real, (commit, ()))
    if not os.path.lexists(os.path.join(entry, "index")):
        # Never filled to its end: what is missing was never there.
        changed = {name for name in changed if os.path.lexists(os.path.join(os.fsencode(real), name))}
    if changed and any(not _changed(repo, real, one) for one in held if not unreadable(repo, *one)):
        changed = set()
    names = tuple(shown(name) for name in sorted(changed))
    return Doomed(real, entry, ref, commit, names, detached, why, merged=_other_branch(repo, ref, commit))


def _locked(entry: str) -> str:
    """Why git was told to keep a worktree, "" when it was not; its own lock while it makes one does not count."""
    path = os.path.join(entry, "locked")
    why = (read_small(path) or b"").strip()
    return shown(why) or "no reason given" if os.path.lexists(path) and why != _INITIALIZING else ""


def _changed(repo: Repository, path: str, held: Held) -> set[bytes]:
    commit, more = held[0], tuple(Path(store) for store in held[1])
    files = tree_entries(repo, View(more=more), commit)
    names = changed_paths(repo, path, commit, trusted(repo, files, View(more=more)), more)
    return {*names, *changed_inside(repo, path, files)}


def _branches(repo: Repository, commit: str) -> list[str]:
    """The branches, local and remote, that have this commit."""
    args = ("for-each-ref", f"--contains={commit}", "--format=%(refname)", "refs/heads/", "refs/remotes/")
    return os.fsdecode(repo.real_out(*args)).splitlines()


def _other_branch(repo: Repository, ref: str, commit: str) -> str:
    if not ref or not commit:
        return ""
    return next((shown(one.removeprefix(HEADS)) for one in _branches(repo, commit) if one != ref), "")


def remove_worktree(
    repo: Repository, data: Path, path: str, held: tuple[Held, ...] = (), *, force: bool = False, branch: bool = False
) -> Removed | Refused:
    """Remove it; Refused when something would be lost, unless `force`. held: as for `doomed`. branch: its branch, too,
    when another has all of it. Cut off, the same call, or the next one of any worktree, completes it.

    Raises GitFailed and OSError.
    """
    records = Records(repo)
    with records.locked():
        seen = doomed(repo, data, path, held)
        if isinstance(seen, Refused):
            return seen
        if (why := seen.why_kept) and not force:
            return Refused(reason=f"{shown(seen.path)} stays: {why}", paths=seen.changed)
        trash = data / TRASH
        trash.mkdir(mode=0o700, exist_ok=True)
        if not seen.gone:
            # Out of its place first: cut off later, what is left is no worktree that has lost files.
            os.rename(seen.path, trash / secrets.token_hex(8))
        drop_entry(repo, seen.entry)
        left = empty_trash(data)
        gone = _delete_branch(repo, seen) if branch else ""
        if gone:
            records.forget(seen.ref)
        return Removed(gone, left)


def _delete_branch(repo: Repository, seen: Doomed) -> str:
    if not seen.merged or repo.real("symbolic-ref", "--quiet", seen.ref).code == 0:
        return ""
    ran = repo.real("update-ref", "--no-deref", "-d", seen.ref, seen.tip)
    return shown(seen.ref.removeprefix(HEADS)) if ran.code == 0 else ""


# -- entries that stand for nothing


@dataclass(frozen=True, slots=True)
class Stale:
    """An entry of the shared git dir whose folder of ours is not there, or holds nothing yet. path: that folder, ""
    when git was ended before it wrote that down. half: git was ended while it made it. locked: why git was told to
    keep it. since: when something was last written there, Unix seconds."""

    entry: str
    path: str
    half: bool
    locked: str
    since: float


def stale_entries(repo: Repository, data: Path) -> list[Stale]:
    """Those of worktrees below our data folder. One that is being made just now looks half made, too: ask who is at
    work. Raises OSError."""
    common = repo.workspace.common
    paths = dict(linked_git_dirs(common))
    known = {os.path.basename(one.path) for one in Records(repo).all()}
    found = []
    with contextlib.suppress(FileNotFoundError):
        for entry in sorted(os.scandir(os.path.join(common, "worktrees")), key=lambda one: one.name):
            if entry.is_dir(follow_symlinks=False) and (one := _stale(entry, paths.get(entry.path, ""), data, known)):
                found.append(one)
    return found


def _stale(entry: os.DirEntry[str], path: str, data: Path, known: set[str]) -> Stale | None:
    lock = (read_small(os.path.join(entry.path, "locked")) or b"").strip()
    half = not path or lock == _INITIALIZING
    if path:
        # Half made with files in it: the next attempt of its ticket completes it.
        empty = not os.path.lexists(path) or (half and is_bare_folder(path))
        ours = os.path.dirname(path) == str(data)
    else:
        # Git puts a number behind a name that is taken.
        ours = entry.name in known or entry.name.rstrip("0123456789") in known or not os.listdir(entry.path)
        empty = not os.path.lexists(os.path.join(entry.path, "index"))
    if not (ours and empty):
        return None
    return Stale(entry.path, path, half, _locked(entry.path), entry.stat(follow_symlinks=False).st_mtime)


def forget_stale(repo: Repository, data: Path, stale: Stale, patience: float = 1.0) -> Refused | None:
    """Let git forget it, after another look while nobody of ours makes or removes worktrees. A commit that only its
    HEAD has is kept in the shadow. Raises GitFailed and OSError."""
    with Records(repo).locked(patience):
        if stale not in stale_entries(repo, data):
            return Refused(reason=f"{shown(stale.entry)} is not what it was: look again")
        if stale.locked:
            return Refused(reason=f"git was told to keep {shown(stale.entry)} ({stale.locked})")
        if stale.path and os.path.lexists(stale.path):
            with contextlib.suppress(FileNotFoundError):
                os.unlink(os.path.join(stale.path, ".git"))
            os.rmdir(stale.path)
        drop_entry(repo, stale.entry)
    return None


def without_entry(repo: Repository, data: Path) -> list[str]:
    """Folders below our data folder that git knows nothing of; an empty one may be of a worktree that is being made
    just now. Raises OSError."""
    try:
        folders = [one.path for one in os.scandir(data) if one.is_dir(follow_symlinks=False) and one.name != TRASH]
    except FileNotFoundError:
        return []
    known = set(owned(repo, data))  # after the folders: a worktree with files in it has an entry by now
    return sorted(path for path in folders if path not in known and os.path.lexists(path))


# -- deleting folders


def delete_folder(folder: Path) -> bool:
    """Delete it with all that is in it, following no link and crossing into no other file system; False when something
    of it stays."""
    try:
        above = os.open(folder.parent, FOLDER)
    except OSError:
        return False
    try:
        return _deleted(above, folder.name, os.fstat(above).st_dev)
    finally:
        os.close(above)


def empty_trash(data: Path) -> str:
    """Delete what was moved out of its place; what could not be deleted, "" when all was."""
    trash = data / TRASH
    left = []
    with contextlib.suppress(FileNotFoundError):
        root = os.open(trash, FOLDER)
        try:
            device = os.fstat(root).st_dev
            left = [name for name in os.listdir(root) if not _deleted(root, name, device)]
        finally:
            os.close(root)
        with contextlib.suppress(OSError):
            trash.rmdir()
    return ", ".join(shown(str(trash / name)) for name in left)


def _deleted(folder: int, name: str, device: int) -> bool:
    """Delete a file, link or whole folder; False when something of it stays."""
    try:
        status = os.stat(name, dir_fd=folder, follow_symlinks=False)
        if not stat.S_ISDIR(status.st_mode):
            os.unlink(name, dir_fd=folder)
            return True
        if status.st_dev != device:
            return False
        if status.st_mode & stat.S_IRWXU != stat.S_IRWXU:
            allow(folder, name, status, stat.S_IRWXU)
        handle = os.open(name, FOLDER, dir_fd=folder)
        try:
            whole = all([_deleted(handle, one, device) for one in os.listdir(handle)])
        finally:
            os.close(handle)
        if whole:
            os.rmdir(name, dir_fd=folder)
        return whole
    except FileNotFoundError:
        return True
    except (OSError, RecursionError):
        return False
