"""A clean checkout of a plan's tree for its gate: exact bytes, no filter, no hook, no `.git` in it.

Folders of installed dependencies are linked in from the plan's worktree when they are ignored there, because a gate
without them cannot run; a gate that writes into such a folder writes into the worktree's.
"""

from __future__ import annotations

import os
from pathlib import Path

from console.adapters.git.binary import shown
from console.adapters.git.reading import drifted
from console.adapters.git.shadow import Repository, View
from console.core.records import Frozen, Refused

DEPENDENCIES = ("node_modules", ".venv", "venv", "vendor")


def checkout(repo: Repository, plan: Frozen, into: Path) -> Refused | None:
    """Fill the empty (or missing) folder `into`. Raises GitFailed."""
    try:
        into.mkdir(mode=0o700, parents=True, exist_ok=True)
        if any(into.iterdir()):
            return Refused(reason=f"{shown(str(into))} is not empty: a plan is checked out into an empty folder only")
    except OSError as error:
        return Refused(reason=f"{shown(str(into))} cannot be filled: {error.strerror}")
    with repo.scratch() as room:
        view = View(index=room / "index", worktree=str(into), more=(Path(plan.store),))
        repo.out(view, "read-tree", plan.tree)
        repo.out(view, "checkout-index", "--all", "--quiet", timeout=600)
    if odd := drifted(str(into), plan.paths):
        return Refused(
            reason=f"the checkout does not hold the plan's bytes: {', '.join(map(shown, odd[:10]))}", paths=odd
        )
    link_dependencies(repo, plan.worktree, into)
    return None


def link_dependencies(repo: Repository, worktree: str, into: Path) -> tuple[str, ...]:
    """Link the ignored dependency folders of `worktree` into a checkout that has none of that name; their names."""
    there = [name for name in DEPENDENCIES if os.path.isdir(os.path.join(worktree, name))]
    linked = ignored(repo, worktree, [name for name in there if not os.path.lexists(into / name)])
    for name in linked:
        (into / name).symlink_to(os.path.join(os.path.realpath(worktree), name))
    return tuple(linked)


def ignored(repo: Repository, worktree: str, names: list[str]) -> list[str]:
    """Those of the names (relative to the worktree, tracked or not) that its ignore rules cover."""
    if not names:
        return []
    excludes = f"core.excludesFile={repo.operator_settings().excludes}"
    view = View(worktree=worktree)
    # check-ignore is the one command that rejects literal pathspecs; names on stdin are literal anyway.
    how = {"GIT_LITERAL_PATHSPECS": "0"}
    stdin = "".join(f"{name}\0" for name in names).encode()
    ran = repo.ran(view, "-c", excludes, "check-ignore", "--no-index", "-z", "--stdin", stdin=stdin, env=how)
    return [name for name in os.fsdecode(ran.out).split("\0") if name]
