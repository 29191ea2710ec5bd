"""Which commit a submodule has checked out: read as files, without its configuration and without a git process.

A submodule's git dir is the agent's to write. Nothing in it is believed but the name of a commit, and that only when
the commit is in the submodule's own object store.
"""

from __future__ import annotations

import os
from pathlib import Path

from console.adapters.git.binary import GitFailed, shown
from console.adapters.git.objects import object_id
from console.adapters.git.plainfiles import read_small
from console.adapters.git.refs import head_of
from console.adapters.git.shadow import Repository, View


def git_dir_below(worktree: str | bytes, path: bytes) -> str:
    """The git dir of the repository at `path`, "" when its `.git` cannot be understood."""
    worktree = os.path.realpath(os.fsencode(worktree))
    dot_git = os.path.join(worktree, path, b".git")
    if os.path.islink(dot_git):
        return ""
    if os.path.isdir(dot_git):
        return os.fsdecode(os.path.realpath(dot_git))
    content = read_small(os.fsdecode(dot_git), 4096) or b""
    if not content.startswith(b"gitdir: ") or b"\0" in content:
        return ""
    target = os.path.realpath(os.path.join(worktree, path, content[8:].rstrip(b"\r\n")))
    return os.fsdecode(target) if os.path.isdir(target) else ""


def head_below(worktree: bytes, path: bytes) -> str:
    """The commit that the repository at `path` has checked out, "" when there is none or it cannot be told."""
    git_dir = git_dir_below(worktree, path)
    if not git_dir or os.path.lexists(os.path.join(git_dir, "commondir")):
        return ""
    tip = head_of(git_dir, git_dir)
    return tip.oid if tip and len(tip.oid) == 40 else ""


def checked_out(repo: Repository, worktree: str, path: bytes) -> str | None:
    """The commit of a submodule whose git dir is where git puts it and that has this commit, or None."""
    place = os.fsencode(os.path.realpath(worktree))
    git_dir = git_dir_below(place, path)
    inside = (os.fsdecode(os.path.join(place, path, b".git")), repo.workspace.common + os.sep)
    if git_dir != inside[0] and not git_dir.startswith(inside[1]):
        return None
    head = head_below(place, path)
    return head if head and _has(repo, os.path.join(git_dir, "objects"), head) else None


def _has(repo: Repository, objects: str, commit: str) -> bool:
    with repo.scratch() as room:
        (room / "objects").mkdir()
        view = View(store=room / "objects", sealed=True, more=(Path(objects),))
        try:
            ran = repo.ran(view, "cat-file", "commit", commit, cap=16 << 20)
        except GitFailed:
            return False
    return ran.code == 0 and object_id("commit", ran.out) == commit


def cure(path: bytes, in_base: bool) -> str:
    """Why a repository in the worktree is not frozen; completes "<path> ..."."""
    name = shown(path)
    if not in_base:
        return (
            "is a repository of its own and no submodule of the base commit: list nothing in it, or commit it by hand "
            f"(`git submodule add <url> {name} && git commit`)"
        )
    return (
        "is a submodule whose commit cannot be told from its own objects: commit it by hand "
        f"(`git add -- {name} && git commit`)"
    )
