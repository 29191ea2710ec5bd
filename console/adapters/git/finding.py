"""Finds the workspace a folder belongs to, from files: what a repository's configuration says about its place counts
for nothing, and a broken one hides nothing. Writes nothing.
"""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from console.adapters.git.binary import OLDEST, GitBinary, GitFailed, GitSlow, shown
from console.adapters.git.plainfiles import is_file, read_small
from console.adapters.git.refs import head_of
from console.core.records import Refused
from console.engine.ports import Workspace

ANSWER = 5.0
"""Seconds that git has to say its version: a screen waits for it."""
UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_FALSE = ("false", "no", "off", "0", "")


@dataclass(frozen=True, slots=True)
class _Spot:
    """The nearest repository above a folder. folder: its working tree ("" inside a git dir); own: the git dir of that
    working tree; common: the shared git dir."""

    folder: str
    own: str
    common: str


def discover(start: Path, environ: Mapping[str, str] | None = None) -> Workspace | Refused:
    """The workspace `start` is in: from any subfolder and from any linked worktree the main worktree is the root."""
    try:
        return _discover(os.path.realpath(start), environ)
    except GitFailed as failed:
        return Refused(reason=failed.reason)


def _discover(start: str, environ: Mapping[str, str] | None) -> Workspace | Refused:
    spot = _walk(start)
    trees = (spot.folder, os.path.dirname(spot.common)) if isinstance(spot, _Spot) and spot.folder else ()
    git = GitBinary(environ, trees)
    if unfit := _unfit(git):
        return Refused(reason=unfit, paths=("program",))
    if spot is None:
        return _no_repository(start)
    if isinstance(spot, Refused):
        return spot
    settings = _settings(git, spot.common)
    if refused := _unusable(start, spot, settings):
        return refused
    root = spot.folder if spot.own == spot.common else _main_worktree(git, spot)
    if isinstance(root, Refused):
        return root
    return _without_commit(git, root, spot.common, start) or named(root, spot.common)


# -- from a folder up to its repository


def _walk(start: str) -> _Spot | Refused | None:
    """As git looks: `.git` or a git dir in each folder upwards, not beyond the file system `start` is on."""
    try:
        device = os.stat(start).st_dev
    except OSError as error:
        return Refused(reason=f"{shown(start)} cannot be opened: {error.strerror}")
    folder = start
    while True:
        found = _at(folder)
        above = os.path.dirname(folder)
        if found is not None or above == folder or os.stat(above).st_dev != device:
            return found
        folder = above


def _at(folder: str) -> _Spot | Refused | None:
    dot = os.path.join(folder, ".git")
    kind = _kind(dot)
    # A `commondir` in the main worktree's own git dir is nobody's but an attacker's: it is not followed.
    if kind == stat.S_IFDIR and _is_git_dir(dot, dot):
        return _Spot(folder, os.path.realpath(dot), os.path.realpath(dot))
    if kind == stat.S_IFREG:
        return _pointed(folder, dot)
    own = os.path.realpath(folder)
    common = _common_of(own)
    return _Spot("", own, common) if _is_git_dir(own, common) else None


def _kind(path: str) -> int:
    try:
        return stat.S_IFMT(os.stat(path).st_mode)
    except OSError:
        return 0


def _pointed(folder: str, dot: str) -> _Spot | Refused:
    """A `.git` file: of a linked worktree, a submodule or a repository whose git dir lies elsewhere."""
    label, _, target = (read_small(dot) or b"").partition(b": ")
    if label != b"gitdir" or not target.strip() or b"\0" in target:
        return Refused(reason=f"git cannot read the repository at {shown(folder)}: {shown(dot)} names no git dir")
    own = os.path.realpath(os.path.join(folder, os.fsdecode(target.rstrip(b"\r\n"))))
    common = _common_of(own)
    if _is_git_dir(own, common):
        return _Spot(folder, own, common)
    return Refused(
        reason=f"git cannot read the repository at {shown(folder)}: {shown(own)}, which its .git file names, is not a "
        "git repository; `git worktree repair`, run in the main worktree, mends moved ones"
    )


def _common_of(own: str) -> str:
    content = read_small(os.path.join(own, "commondir"))
    if not content or b"\0" in content:
        return own
    return os.path.realpath(os.path.join(own, os.fsdecode(content.rstrip(b"\r\n"))))


def _is_git_dir(own: str, common: str) -> bool:
    folders = all(os.path.isdir(os.path.join(common, name)) for name in ("objects", "refs"))
    return folders and os.path.lexists(os.path.join(own, "HEAD"))


def _main_worktree(git: GitBinary, spot: _Spot) -> str | Refused:
    """The root of a linked worktree's workspace. Only for an unusual place of the git dir is git asked."""
    root = os.path.dirname(spot.common)
    if os.path.basename(spot.common) != ".git":
        listing = git.run(["worktree", "list", "--porcelain", "-z"], cwd=spot.folder)
        first = os.fsdecode(listing.out).split("\0\0")[0].split("\0")
        if "bare" in first:
            return _bare(spot.common)
        root = os.path.realpath(first[0].removeprefix("worktree ")) if first[0] else ""
    found = _at(root) if root else None
    if isinstance(found, _Spot) and found.folder == root and found.common == spot.common:
        return root
    return Refused(
        reason=f"the main worktree of {shown(spot.common)} cannot be found: start in it instead of a linked one"
    )


# -- what is no workspace


def _settings(git: GitBinary, common: str) -> dict[str, str]:
    """The git dir's own settings by lower-case name, as far as they can be read; includes never count for these."""
    config = os.path.join(common, "config")
    if not is_file(config):
        return {}
    try:
        output = git.run(["config", "--file", config, "--no-includes", "--list", "-z"], timeout=20).out
    except GitFailed:
        return {}
    items = (item.partition("\n") for item in os.fsdecode(output).split("\0") if item)
    return {name: value if gap else "true" for name, gap, value in items}


def _unusable(start: str, spot: _Spot, settings: Mapping[str, str]) -> Refused | None:
    # A bare repository has no index: the setting alone, which anybody can write, does not make it one.
    index = os.path.lexists(os.path.join(spot.common, "index"))
    if settings.get("core.bare", "false").lower() not in _FALSE and not index:
        return _bare(spot.common)
    if not spot.folder:
        return Refused(reason=f"{shown(start)} is inside git's own folder: start in the working tree")
    kind = settings.get("extensions.objectformat", "sha1").lower()
    if kind != "sha1":
        return _other_format(start, kind)
    if settings.get("extensions.refstorage", "files").lower() != "files":
        return Refused(
            reason=f"{shown(start)} keeps its refs as {shown(settings['extensions.refstorage'])}: only repositories "
            "that keep them as files are supported (`git refs migrate --ref-format=files`)"
        )
    return None


def _other_format(start: str, kind: str) -> Refused:
    return Refused(reason=f"{shown(start)} is a {shown(kind)} repository: only sha1 repositories are supported")


def _no_repository(start: str) -> Refused:
    quoted = shlex.quote(start)
    return Refused(
        reason=f"{shown(start)} is not in a git repository: start in one, or make one with "
        f"`git init {quoted}` and a first commit",
        paths=("no-repository",),
    )


def _bare(common: str) -> Refused:
    return Refused(
        reason=f"{shown(common)} is a bare repository without a working tree: clone it "
        f"(`git clone {shlex.quote(common)}`) and start in the clone"
    )


def _without_commit(git: GitBinary, root: str, common: str, start: str) -> Refused | None:
    head = head_of(common, common)
    if head is not None and head.oid:
        return None if len(head.oid) == 40 else _other_format(start, "sha256")
    env = {"GIT_DIR": common, "GIT_COMMON_DIR": common, "GIT_WORK_TREE": root}
    if git.run(["rev-parse", "-q", "--verify", "HEAD^{commit}"], env=env).code == 0:
        return None
    return Refused(
        reason=f"{shown(root)} needs a first commit before anything can work on top of it: "
        f"`git -C {shlex.quote(root)} commit --allow-empty -m 'first commit'`",
        paths=("no-commit",),
    )


def named(root: str, common: str) -> Workspace | Refused:
    """The workspace of a main worktree; its key is the name of its folder in our state."""
    try:
        digest = hashlib.sha256(root.encode()).hexdigest()[:10]
    except UnicodeEncodeError:
        return Refused(reason=f"the path {shown(os.fsencode(root))} is not UTF-8: move the repository to one that is")
    name = UNSAFE.sub("-", os.path.basename(root)).strip("-.")[:40] or "workspace"
    return Workspace(root=root, common=common, key=f"{name}-{digest}")


def _unfit(git: GitBinary) -> str:
    """Why nothing can be asked of this git, "" when it answers and is new enough."""
    try:
        said = git.check(["version"], timeout=ANSWER).decode("utf-8", "replace").strip()
    except GitSlow:
        return f"git did not answer within {ANSWER:g} s: {git.program} is the one on your PATH; see `which -a git`"
    except GitFailed as failed:
        return f"git cannot be used: {failed.reason}"
    numbers = re.search(r"(\d+)\.(\d+)", said)
    if not numbers:
        return f"{git.program} does not answer as git does; look at it with `git version`"
    if (int(numbers[1]), int(numbers[2])) >= OLDEST:
        return ""
    return f"git {OLDEST[0]}.{OLDEST[1]} or newer is needed, this is {said}: install a newer git"
