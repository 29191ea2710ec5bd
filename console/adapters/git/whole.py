"""Which paths a ticket's plan holds: everything in its worktree that is not ignored and differs from the base.

Only lists; what is listed is read anew when it is frozen. A list that nobody can review is refused, not cut.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from console.adapters.git.attributes import Rules, attributes_of
from console.adapters.git.binary import MIB, shown
from console.adapters.git.changes import changed_paths
from console.adapters.git.shadow import EMPTY_TREE, Repository, View
from console.core.paths import text_of
from console.core.records import Frozen, Refused
from console.engine.ports import FreezeRequest

PATHS_AT_MOST = 5_000
BYTES_AT_MOST = 200 * MIB


def everything(repo: Repository, request: FreezeRequest, rules: Rules) -> tuple[str, ...] | Refused:
    """The paths, as text. Raises GitFailed."""
    more = tuple(Path(store) for store in request.stores)
    names = changed_paths(repo, request.worktree, request.base.head, rules, more)
    if len(names) > PATHS_AT_MOST:
        return _too_much(request, f"{len(names):,} files changed, more than the {PATHS_AT_MOST:,}", names)
    size = _bytes(repo, request.worktree, rules, names)
    if size > BYTES_AT_MOST:
        what = f"the changed files have {size // MIB:,} MiB, more than the {BYTES_AT_MOST // MIB} MiB"
        return _too_much(request, what, names)
    # A repository of its own is listed with a slash; without it, it is refused by its name.
    return tuple(text_of(name.rstrip(b"/")) for name in names)


def _too_much(request: FreezeRequest, what: str, names: Sequence[bytes]) -> Refused:
    tops: dict[bytes, int] = {}
    for name in names:
        top = name.partition(b"/")[0]
        tops[top] = tops.get(top, 0) + 1
    most = shown(max(tops, key=lambda top: tops[top]))
    return Refused(
        reason=f"{what} that a plan may hold, most of them in {most}: add what is generated to the .gitignore of "
        f"{shown(request.worktree)}, or take it away, and try again; nothing was frozen"
    )


def _bytes(repo: Repository, worktree: str, rules: Rules, names: Sequence[bytes]) -> int:
    """Without what is kept in Git LFS, of which a plan holds pointers."""
    rows = attributes_of(repo, rules, names) if rules.lfs else {}
    root, total = os.fsencode(worktree), 0
    for name in names:
        if rows.get(name, {}).get("filter") != "lfs":
            try:
                total += os.lstat(os.path.join(root, name)).st_size
            except OSError:
                continue
    return total


def nothing(repo: Repository, request: FreezeRequest, message: str, now: str) -> Frozen:
    """What freezing everything gives when nothing differs: no paths, no store, the base itself. Raises GitFailed."""
    base, view = request.base.head, View(more=tuple(Path(store) for store in request.stores))
    tree = repo.out(view, "rev-parse", f"{base}^{{tree}}").decode().strip() if base else EMPTY_TREE
    return Frozen(
        commit=base, base=base, tree=tree, ref=request.base.ref, ref_old=now, message=message, author=request.author,
        when=request.when, zone=request.zone, paths=(), worktree=request.worktree, store="", stores=request.stores,
    )  # fmt: skip
