"""Lists the workspace's worktrees, and adds one for a ticket.

Reads the shared git dir's files; writes only through `git worktree add`, and fills the new folder through the shadow,
so that no hook and no filter of the repository runs. Never removes a worktree it has not just made itself.
"""

from __future__ import annotations

import hashlib
import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from console.adapters.git.binary import GitFailed, shown
from console.adapters.git.finding import UNSAFE, discover
from console.adapters.git.plainfiles import read_small
from console.adapters.git.refs import Tip, head_of
from console.core.records import Refused
from console.engine.ports import Worktree

if TYPE_CHECKING:
    from console.adapters.git.shadow import Repository

__all__ = ["HEADS", "add_worktree", "discover", "linked_git_dirs", "list_worktrees", "worktree_of"]

HEADS = "refs/heads/"

# -- the worktrees of a workspace


def list_worktrees(repo: Repository) -> list[Worktree]:
    """All worktrees whose folder exists, the main one first, the others by path."""
    workspace = repo.workspace
    found = [_worktree(workspace.common, workspace.common, workspace.root, main=True)]
    linked = {path: git_dir for git_dir, path in linked_git_dirs(workspace.common) if path != workspace.root}
    found += [_worktree(workspace.common, linked[path], path) for path in sorted(linked)]
    return [one for one in found if os.path.isdir(one.path)]


def _worktree(common: str, git_dir: str, path: str, main: bool = False) -> Worktree:
    tip = head_of(common, git_dir) or Tip()
    return Worktree(path=path, ref=tip.ref, head=tip.oid, main=main)


def linked_git_dirs(common: str) -> list[tuple[str, str]]:
    """(git dir, folder) of every linked worktree whose folder's name is text, by what the shared side says of it: a
    `.git` file in the worktree is the agent's to rewrite."""
    entries = os.path.join(common, "worktrees")
    try:
        names = sorted(os.listdir(entries))
    except OSError:
        return []
    found = []
    for name in names:
        git_dir = os.path.join(entries, name)
        dot_git = (read_small(os.path.join(git_dir, "gitdir")) or b"").removesuffix(b"\n")
        if dot_git and b"\0" not in dot_git:
            path = os.path.realpath(os.path.dirname(os.path.join(git_dir, os.fsdecode(dot_git))))
            found += [(git_dir, path)] if _is_text(path) else []
    return found


def _is_text(path: str) -> bool:
    return not any("\ud800" <= char <= "\udfff" for char in path)


def worktree_of(repo: Repository, path: str) -> Worktree | None:
    """The worktree a path lies in; None outside all of them and inside another repository within one."""
    place = Path(os.path.realpath(path))
    ours = {worktree.path: worktree for worktree in list_worktrees(repo)}
    for folder in (place, *place.parents):
        if str(folder) in ours:
            return ours[str(folder)]
        if os.path.lexists(folder / ".git") or str(folder) == repo.workspace.common:
            return None
    return None


def add_worktree(repo: Repository, folder: Path, name: str, branch: str, base: str = "") -> Worktree | Refused:
    """A new worktree `<folder>/<name made safe>` on the new branch `branch`, at `base` or the main worktree's commit.

    Only the folder's name is made safe; the branch is taken as it is, or refused.
    """
    from console.adapters.git.checkouts import fill_worktree

    short = branch.removeprefix(HEADS)
    head = repo.value(base or "HEAD")
    if base and head != base:
        return Refused(reason=f"{shown(base)[:40]} is no commit of {shown(repo.workspace.root)}")
    target = folder / folder_name(name)
    if refused := _not_free(repo, short, head, target):
        return refused
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    how = ("--no-track", "--no-checkout", "-q", "-b", short)
    ran = repo.real("worktree", "add", *how, str(target), head, timeout=600)
    if ran.code != 0:
        return Refused(reason=f"git could not add the worktree {shown(str(target))}: {ran.complaint()}")
    path = os.path.realpath(target)
    try:
        index = Path(repo.git_dir_of(path), "index")
        fill_worktree(repo, head, path, index)
    except GitFailed as failed:
        repo.real("worktree", "remove", "--force", path)
        repo.real("update-ref", "-d", HEADS + short, head)
        return Refused(reason=f"the worktree {shown(path)} could not be filled and was taken back: {failed.reason}")
    return Worktree(path=path, ref=HEADS + short, head=head)


def folder_name(name: str) -> str:
    """A folder name for any ticket id; ids that differ never share one."""
    safe = UNSAFE.sub("-", name).strip("-.")[:60]
    return safe if safe == name else f"{safe or 'ticket'}-{hashlib.sha256(os.fsencode(name)).hexdigest()[:6]}"


def _not_free(repo: Repository, short: str, head: str, target: Path) -> Refused | None:
    if repo.real("check-ref-format", "--branch", short).code != 0:
        return Refused(reason=f"{shown(short)!r} cannot be a branch name: choose another one")
    if not head:
        return Refused(reason=f"{shown(repo.workspace.root)} has no commit checked out to start a worktree from")
    ref = HEADS + short
    holder = next((one for one in list_worktrees(repo) if one.ref == ref), None)
    if holder:
        return Refused(
            reason=f"the branch {shown(short)} is checked out in {shown(holder.path)}: "
            "go on there, or choose another branch"
        )
    if repo.value(ref):
        return Refused(
            reason=f"the branch {shown(short)} exists already: choose another one, or, when its work is merged, "
            f"delete it with `git branch -d {shlex.quote(short)}`"
        )
    if clash := _clash(repo, ref):
        return Refused(reason=f"the branch {shown(short)} cannot exist beside {shown(clash)}: choose another one")
    if os.path.lexists(target):
        return Refused(reason=f"{shown(str(target))} exists already: move it away, nothing of it is touched")
    return None


def _clash(repo: Repository, ref: str) -> str:
    """The branch that stands in the way because one name is a folder of the other, or ""."""
    for depth in range(3, ref.count("/") + 1):
        parent = "/".join(ref.split("/")[:depth])
        if repo.value(parent):
            return parent.removeprefix(HEADS)
    output = repo.real_out("for-each-ref", "--count=1", "--format=%(refname)", f"{ref}/")
    return output.decode("utf-8", "backslashreplace").strip().removeprefix(HEADS)
