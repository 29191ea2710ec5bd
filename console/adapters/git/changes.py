"""Which paths of a worktree differ from a tree: tracked and changed, deleted, or untracked and not ignored.

Runs none of the repository's configuration. A private index per worktree in the state folder remembers file stats;
it only ever decides what is listed, the bytes of a plan are always read anew.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
from collections.abc import Collection
from pathlib import Path

from console.adapters.git.binary import GitFailed, shown
from console.adapters.git.shadow import EMPTY_TREE, Repository, View

SHOWN_AT_MOST = 200


def changed_paths(repo: Repository, worktree: str, treeish: str, store: Path | None = None) -> list[bytes]:
    """Sorted names; a nested repository is one name with a trailing slash. Raises GitFailed.

    treeish: what to compare with ("" is the empty tree); store: where its objects are, besides the repository.
    """
    kept = repo.state / "indexes" / f"{hashlib.sha256(os.fsencode(os.path.realpath(worktree))).hexdigest()[:20]}.index"
    with repo.scratch() as room:
        view = View(index=room / "index", worktree=worktree, more=(store,) if store else ())
        _load(repo, view, kept, room / "index", treeish or EMPTY_TREE)
        repo.ran(view, "update-index", "-q", "--refresh")
        excludes = f"core.excludesFile={repo.operator_settings().excludes}"
        wanted = ("-m", "-d", "-o", "--exclude-standard", "-z")
        names = repo.out(view, "-c", excludes, "ls-files", *wanted)
        with contextlib.suppress(OSError):
            os.replace(room / "index", kept)
    return sorted(set(names.split(b"\0")) - {b""})


def _load(repo: Repository, view: View, kept: Path, index: Path, treeish: str) -> None:
    """Fill the index from the tree, keeping the stats of entries that did not change."""
    with contextlib.suppress(FileNotFoundError):
        # The copy keeps its time: git re-reads files as young as the index, and a younger copy would hide them.
        shutil.copy2(kept, index)
    try:
        repo.out(view, "read-tree", "-m", treeish)
    except GitFailed:
        index.unlink(missing_ok=True)
        repo.out(view, "read-tree", treeish)


def listed(names: Collection[bytes]) -> tuple[str, ...]:
    """Names for a person, at most 200 and then one line with the count of the rest."""
    some = [shown(name) for name in sorted(names)[:SHOWN_AT_MOST]]
    more = len(names) - len(some)
    return (*some, f"(and {more} more)") if more > 0 else tuple(some)
