"""Finds the workspace and its worktrees, and adds a worktree for a ticket.

Reads what git itself lists; writes only through `git worktree add`, and fills the new folder through the shadow, so
that no hook and no filter of the repository runs. Never removes a worktree it has not just made itself.
"""

from __future__ import annotations

import hashlib
import os
import re
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from console.adapters.git.binary import OLDEST, GitBinary, GitFailed, Ran, shown
from console.core.records import Refused
from console.engine.ports import Workspace, Worktree

if TYPE_CHECKING:
    from console.adapters.git.shadow import Repository

HEADS = "refs/heads/"
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_NO_OID = re.compile(r"^0*$")


def discover(start: Path, environ: Mapping[str, str] | None = None) -> Workspace | Refused:
    """The workspace `start` is in: from any subfolder and from any linked worktree the main worktree is the root."""
    try:
        return _discover(GitBinary(environ), os.path.realpath(start))
    except GitFailed as failed:
        return Refused(reason=failed.reason)


def _discover(git: GitBinary, start: str) -> Workspace | Refused:
    if too_old := _too_old(git.check(["version"]).decode()):
        return Refused(reason=too_old)
    return _usual(git, start) or _step_by_step(git, start)


def _usual(git: GitBinary, start: str) -> Workspace | Refused | None:
    """The usual place in one question: inside a main worktree whose `.git` is its folder, with a commit.

    None: anything else, to be asked step by step. Every command waits for this. A path with a line feed makes more
    lines than the pattern has, so it never passes for another.
    """
    flags = ("--is-bare-repository", "--is-inside-work-tree", "--show-object-format")
    paths = ("--path-format=absolute", "--git-common-dir", "--absolute-git-dir", "--show-toplevel")
    ran = git.run(["rev-parse", *flags, *paths, "HEAD^{commit}"], cwd=start)
    match ran.out.split(b"\n") if ran.code == 0 else []:
        case [b"false", b"true", b"sha1", common, own, top, _commit, b""]:
            root = os.path.realpath(os.fsdecode(top))
            same = {os.path.realpath(os.fsdecode(path)) for path in (common, own, os.path.join(top, b".git"))}
            return _named(root, same.pop()) if len(same) == 1 else None
    return None


def _step_by_step(git: GitBinary, start: str) -> Workspace | Refused:
    kind = git.run(["rev-parse", "--is-bare-repository", "--is-inside-work-tree", "--show-object-format"], cwd=start)
    if kind.code != 0:
        return _no_repository(start, kind)
    bare, inside, *rest = kind.out.decode().split()
    common = os.path.realpath(_path(git.check(["rev-parse", "--path-format=absolute", "--git-common-dir"], cwd=start)))
    if bare == "true":
        return _bare(common)
    if inside != "true":
        return Refused(reason=f"{shown(start)} is inside git's own folder: start in the working tree")
    if rest != ["sha1"]:
        return Refused(reason=f"{shown(start)} is a {' '.join(rest)} repository: only sha1 repositories are supported")
    root = _main_worktree(git, start, common)
    return root if isinstance(root, Refused) else _workspace(git, root, common)


def _no_repository(start: str, ran: Ran) -> Refused:
    if b"not a git repository" in ran.err:
        quoted = shlex.quote(start)
        return Refused(
            reason=f"{shown(start)} is not in a git repository: start in one, or make one with "
            f"`git init {quoted}` and a first commit"
        )
    return Refused(reason=f"git cannot read the repository at {shown(start)}: {ran.complaint()}")


def _bare(common: str) -> Refused:
    return Refused(
        reason=f"{shown(common)} is a bare repository without a working tree: clone it "
        f"(`git clone {shlex.quote(common)}`) and start in the clone"
    )


def _main_worktree(git: GitBinary, start: str, common: str) -> str | Refused:
    own = os.path.realpath(_path(git.check(["rev-parse", "--absolute-git-dir"], cwd=start)))
    if own == common:
        root = os.path.realpath(_path(git.check(["rev-parse", "--show-toplevel"], cwd=start)))
    else:
        first = _blocks(git.check(["worktree", "list", "--porcelain", "-z"], cwd=start))[0]
        if "bare" in first:
            return _bare(common)
        root = os.path.realpath(first["worktree"])
    found = git.run(["rev-parse", "--path-format=absolute", "--git-common-dir"], cwd=root)
    if found.code != 0 or os.path.realpath(_path(found.out)) != common:
        return Refused(
            reason=f"the main worktree of {shown(common)} cannot be found: start in it instead of a linked one"
        )
    return root


def _workspace(git: GitBinary, root: str, common: str) -> Workspace | Refused:
    if git.run(["rev-parse", "-q", "--verify", "HEAD^{commit}"], env={"GIT_DIR": common}).code != 0:
        return Refused(
            reason=f"{shown(root)} needs a first commit before anything can work on top of it: "
            f"`git -C {shlex.quote(root)} commit --allow-empty -m 'first commit'`"
        )
    return _named(root, common)


def _named(root: str, common: str) -> Workspace | Refused:
    try:
        digest = hashlib.sha256(root.encode()).hexdigest()[:10]
    except UnicodeEncodeError:
        return Refused(reason=f"the path {shown(os.fsencode(root))} is not UTF-8: move the repository to one that is")
    name = _UNSAFE.sub("-", os.path.basename(root)).strip("-.")[:40] or "workspace"
    return Workspace(root=root, common=common, key=f"{name}-{digest}")


def _too_old(version: str) -> str:
    numbers = re.search(r"(\d+)\.(\d+)", version)
    if numbers and (int(numbers[1]), int(numbers[2])) >= OLDEST:
        return ""
    return f"git {OLDEST[0]}.{OLDEST[1]} or newer is needed, this is {version.strip()}: install a newer git"


def _path(output: bytes) -> str:
    return os.fsdecode(output.removesuffix(b"\n"))


def _blocks(output: bytes) -> list[dict[str, str]]:
    """`worktree list --porcelain -z` as one {label: value} a worktree, in git's order (the main one first)."""
    blocks: list[dict[str, str]] = []
    for block in output.split(b"\0\0"):
        lines = [os.fsdecode(line).partition(" ") for line in block.split(b"\0") if line]
        if lines:
            blocks.append({label: value for label, _, value in lines})
    return blocks


# -- the worktrees of a workspace


def list_worktrees(repo: Repository) -> list[Worktree]:
    """All worktrees whose folder exists, the main one first. Raises GitFailed."""
    output = repo.real_out("worktree", "list", "--porcelain", "-z")
    found = []
    for number, block in enumerate(_blocks(output)):
        # Git guesses the main worktree's path from the git dir's name; the workspace knows it.
        path = repo.workspace.root if number == 0 else os.path.realpath(block["worktree"])
        head = block.get("HEAD", "")
        if os.path.isdir(path) and _is_text(path):
            head = "" if _NO_OID.match(head) else head
            found.append(Worktree(path=path, ref=block.get("branch", ""), head=head, main=number == 0))
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


def add_worktree(repo: Repository, folder: Path, name: str, branch: str) -> Worktree | Refused:
    """A new worktree `<folder>/<name made safe>` on the new branch `branch`, at the main worktree's commit.

    Only the folder's name is made safe; the branch is taken as it is, or refused.
    """
    from console.adapters.git.shadow import View

    short = branch.removeprefix(HEADS)
    head = repo.value("HEAD")
    target = folder / _folder_name(name)
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
        repo.out(View(worktree=path, index=index), "read-tree", "--reset", "-u", head, timeout=600)
    except GitFailed as failed:
        repo.real("worktree", "remove", "--force", path)
        repo.real("update-ref", "-d", HEADS + short, head)
        return Refused(reason=f"the worktree {shown(path)} could not be filled and was taken back: {failed.reason}")
    return Worktree(path=path, ref=HEADS + short, head=head)


def _folder_name(name: str) -> str:
    """A folder name for any ticket id; ids that differ never share one."""
    safe = _UNSAFE.sub("-", name).strip("-.")[:60]
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
