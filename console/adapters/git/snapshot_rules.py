"""What is ignored in a worktree: now, by git's own walk, or under the rules that a snapshot recorded.

A snapshot's rules are tried in a folder that holds nothing but its .gitignore files, so the worktree's present ones
(and whoever rewrites them meanwhile) have no say.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Collection, Iterable
from pathlib import Path

from console.adapters.git.binary import GitFailed, shown
from console.adapters.git.objects import LINK
from console.adapters.git.plainfiles import read_small
from console.adapters.git.shadow import Repository, View
from console.adapters.git.snapshot_record import Scene
from console.adapters.git.snapshot_store import SnapshotStore

RULES = ".gitignore"
PATIENCE = 60.0
INDEX_CAP = 256 * 1024 * 1024


def index_of(git_dir: str) -> tuple[bytes | None, dict[str, bytes]]:
    """(raw bytes of the operator's index, {name: bytes} of the other half when it is split)."""
    raw = read_small(os.path.join(git_dir, "index"), INDEX_CAP)
    if raw is None:
        return None, {}
    shared: dict[str, bytes] = {}
    for one in Path(git_dir).glob("sharedindex.*"):
        with contextlib.suppress(ValueError):
            body = read_small(str(one), INDEX_CAP) if bytes.fromhex(one.name.partition(".")[2]) in raw else None
            if body is not None:
                shared[one.name] = body
    return raw, shared


def tracked_and_ignored(repo: Repository, scene: Scene, room: Path) -> tuple[frozenset[str], frozenset[str]]:
    """(names in the scene's index, what is ignored in its worktree now: files, and folders with a slash).

    In the place of an index that is missing or that git cannot read, HEAD's files count. Raises GitFailed.
    """
    copy = room / "git"
    _bare(repo, copy, scene)
    index = copy / "index"
    if scene.index is not None:
        index.write_bytes(scene.index)
    for name, body in scene.shared.items():
        (copy / name).write_bytes(body)
    view, how = View(index=index, worktree=scene.worktree), {"GIT_DIR": str(copy)}
    ran = repo.ran(view, "ls-files", "-z", "--cached", env=how)
    if ran.code != 0 or scene.index is None:
        index.unlink(missing_ok=True)
        repo.ran(view, "read-tree", scene.tip or "--empty", env=how)
        ran = repo.ran(view, "ls-files", "-z", "--cached", env=how)
    names = _names(ran.out) if ran.code == 0 else frozenset()
    wanted = ("ls-files", "-z", "-o", "-i", "--directory", "--exclude-standard")
    try:
        found = repo.out(view, "-c", f"core.excludesFile={copy / 'excludes'}", *wanted, env=how, timeout=PATIENCE)
    except GitFailed as error:
        raise _explained(scene.worktree, error) from error
    return names, _names(found)


def _explained(worktree: str, error: GitFailed) -> GitFailed:
    """Git waits for ever on a pipe by the name of a rules file; the reason then says which."""
    for folder, names, files in os.walk(worktree):
        names[:] = [name for name in names if name != ".git"]
        place = os.path.join(folder, RULES)
        if RULES in files and not os.path.isfile(place):
            return GitFailed(
                f"{shown(os.fsencode(place))} is no regular file, so git cannot list the worktree: remove it"
            )
    return error


def under(repo: Repository, store: SnapshotStore, scene: Scene, paths: Collection[str], room: Path) -> set[str]:
    """Those of the paths (of files) that the scene's own rules ignore. Raises GitFailed."""
    if not paths:
        return set()
    copy, tree = room / "rules", room / "tree"
    _bare(repo, copy, scene)
    tree.mkdir()
    _lay_out(store, scene, tree)
    view = View(index=copy / "index", worktree=str(tree))
    # check-ignore is the one command that rejects literal pathspecs; names on stdin are literal anyway.
    how = {"GIT_DIR": str(copy), "GIT_LITERAL_PATHSPECS": "0"}
    stdin = b"".join(os.fsencode(path) + b"\0" for path in paths)
    excludes = f"core.excludesFile={copy / 'excludes'}"
    ran = repo.ran(view, "-c", excludes, "check-ignore", "--no-index", "-z", "--stdin", stdin=stdin, env=how)
    if ran.code not in (0, 1):  # 1: none of them
        raise GitFailed(f"git check-ignore: {ran.complaint()}")
    return set(_names(ran.out))


def _lay_out(store: SnapshotStore, scene: Scene, tree: Path) -> None:
    bodies = store.blobs(scene.rules.values())
    for path, oid in scene.rules.items():
        place = tree / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(bodies[oid])


def rules_of(scene: Scene) -> dict[str, str]:
    """{path: blob id} of its .gitignore files; git follows no link there."""
    return {path: item.oid for path, item in scene.files.items() if is_rules(path) and item.mode != LINK}


def is_rules(path: str) -> bool:
    return path == RULES or path.endswith(f"/{RULES}")


def _bare(repo: Repository, place: Path, scene: Scene) -> None:
    """A throw-away git dir with the scene's ignore rules and the repository's objects (a sparse index needs trees)."""
    (place / "info").mkdir(parents=True)
    (place / "refs").mkdir()
    (place / "objects" / "info").mkdir(parents=True)
    (place / "HEAD").write_text("ref: refs/heads/none\n")
    (place / "config").write_text("[core]\n\trepositoryformatversion = 0\n\tbare = false\n")
    (place / "info" / "exclude").write_bytes(scene.exclude)
    (place / "excludes").write_bytes(scene.excludes)
    shutil.copyfile(repo.shadow_dir / "objects" / "info" / "alternates", place / "objects" / "info" / "alternates")


def collapsed(ignored: Iterable[str], covered: Collection[str]) -> frozenset[str]:
    """The ignored files as few entries: a folder (with a slash) where nothing in it or below is covered."""
    found: set[str] = set()
    for path in ignored:
        parts = path.split("/")
        folders = ("/".join(parts[:depth]) for depth in range(1, len(parts)))
        top = next((folder for folder in folders if folder not in covered), None)
        found.add(f"{top}/" if top else path)
    return frozenset(found)


def _names(output: bytes) -> frozenset[str]:
    return frozenset(os.fsdecode(name) for name in output.split(b"\0")[:-1])
