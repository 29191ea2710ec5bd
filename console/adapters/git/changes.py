"""Which paths of a worktree differ from a tree: tracked and changed, deleted, or untracked and not ignored.

Runs none of the repository's configuration. A private index per worktree in the state folder remembers file stats;
it only ever decides what is listed, the bytes of a plan are always read anew.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
from collections.abc import Collection, Mapping
from pathlib import Path

from console.adapters.git.attributes import Rules, flattened, ruled_git_dir, trusted
from console.adapters.git.binary import GitFailed, shown
from console.adapters.git.objects import GITLINK, Entry, tree_entries
from console.adapters.git.shadow import EMPTY_TREE, Repository, View
from console.adapters.git.submodules import checked_out, git_dir_below
from console.adapters.git.unchanged import Compared, still_changed

SHOWN_AT_MOST = 200


def changed_paths(
    repo: Repository, worktree: str, treeish: str, rules: Rules, more: tuple[Path, ...] = (), *, sparse: bool = True
) -> list[bytes]:
    """Sorted names; a nested repository is one name with a trailing slash. Raises GitFailed.

    treeish: what to compare with ("" is the empty tree); more: where its objects are, besides the repository; rules:
    a file that these store as the tree has it has not changed, whatever its bytes on disk. sparse: what the sparse
    checkout leaves out is not named; anybody can mark a file so in the index, and a gate does not see such a file.
    """
    flat = flattened(rules) if rules.any else b""
    kept = _kept(repo, worktree, flat + rules.autocrlf.encode() if flat else b"")
    with repo.scratch() as room:
        view = View(index=room / "index", worktree=worktree, more=(repo.shadow_dir / "objects", *more))
        env = {"GIT_DIR": str(ruled_git_dir(repo, room / "ruled", flat))} if flat else {}
        settings = ("-c", f"core.autocrlf={rules.autocrlf or 'false'}", "-c", "core.safecrlf=false")
        with contextlib.suppress(FileNotFoundError):
            # The copy keeps its time: git re-reads files as young as the index, and a younger copy would hide them.
            shutil.copy2(kept, room / "index")
        _load(repo, view, treeish or EMPTY_TREE, env)
        repo.ran(view, *settings, "update-index", "-q", "--refresh", env=env)
        excludes = f"core.excludesFile={repo.operator_settings().excludes}"
        wanted = ("-m", "-d", "-o", "--exclude-standard", "-z")
        names = set(repo.out(view, *settings, "-c", excludes, "ls-files", *wanted, env=env).split(b"\0")) - {b""}
        compared = Compared(worktree, rules, sparse, lambda: index_entries(repo, view, env), View(more=more))
        names = still_changed(repo, compared, names)
        with contextlib.suppress(OSError):
            os.replace(room / "index", kept)
    return sorted(names)


def changed_inside(repo: Repository, worktree: str, files: Mapping[bytes, Entry]) -> set[bytes]:
    """The submodules among a commit's files that hold changes of their own, or whose state cannot be told."""
    found = set()
    for path in (path for path, entry in files.items() if entry.mode == GITLINK):
        place = os.path.join(worktree, os.fsdecode(path))
        if not os.path.lexists(os.path.join(place, ".git")):
            continue
        commit = checked_out(repo, worktree, path)
        if commit is None or _changed_in(repo, place, commit, os.path.join(git_dir_below(worktree, path), "objects")):
            found.add(path)
    return found


def _changed_in(repo: Repository, place: str, commit: str, objects: str) -> bool:
    view = View(more=(Path(objects),))
    try:
        rules = trusted(repo, tree_entries(repo, view, commit), view)
        return bool(changed_paths(repo, place, commit, rules, (Path(objects),), sparse=False))
    except (GitFailed, OSError):
        # Objects that are missing or damaged are the agent's to make: no reason to freeze nothing at all.
        return True


def _kept(repo: Repository, worktree: str, rules: bytes) -> Path:
    """The private index of a worktree under these rules; those under earlier rules know other stats and go."""
    name = hashlib.sha256(os.fsencode(os.path.realpath(worktree))).hexdigest()[:20]
    folder = repo.state / "indexes"
    kept = folder / (f"{name}-{hashlib.sha256(rules).hexdigest()[:12]}.index" if rules else f"{name}.index")
    for other in folder.glob(f"{name}-*.index"):
        if other != kept:
            other.unlink(missing_ok=True)
    return kept


def index_entries(repo: Repository, view: View, env: Mapping[str, str]) -> dict[bytes, Entry]:
    """Every entry of an index of ours."""
    found = {}
    for row in repo.out(view, "ls-files", "--stage", "-z", env=env).split(b"\0")[:-1]:
        head, _, path = row.partition(b"\t")
        mode, oid, _ = head.decode().split(" ")
        found[path] = Entry(mode, oid)
    return found


def _load(repo: Repository, view: View, treeish: str, env: Mapping[str, str]) -> None:
    """Fill the index from the tree, keeping the stats of entries that did not change."""
    assert view.index is not None
    try:
        repo.out(view, "read-tree", "-m", treeish, env=env)
    except GitFailed:
        view.index.unlink(missing_ok=True)
        repo.out(view, "read-tree", treeish, env=env)


def listed(names: Collection[bytes]) -> tuple[str, ...]:
    """Names for a person, at most 200 and then one line with the count of the rest."""
    some = [shown(name) for name in sorted(names)[:SHOWN_AT_MOST]]
    more = len(names) - len(some)
    return (*some, f"(and {more} more)") if more > 0 else tuple(some)
