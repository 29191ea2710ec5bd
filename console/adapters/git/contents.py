"""What a plan says, as bytes: the diff that a person approves, and both versions of its files for those who judge it.

Only the sealed store answers, and only what has the bytes that its name stands for is passed on.
"""

from __future__ import annotations

from pathlib import Path

from console.adapters.git.binary import MIB
from console.adapters.git.building import render
from console.adapters.git.objects import ABSENT, GITLINK, Entry, compare, pack, proved_in, sizes_in
from console.adapters.git.shadow import EMPTY_TREE, Repository, View
from console.core.records import Frozen
from console.engine.ports import FileChange

CAP = 5 * MIB
"""Bytes of one version; a larger one is None, as if it could not be read."""


def diff(repo: Repository, plan: Frozen) -> bytes:
    """See `console.engine.ports.Plans.diff`. Raises GitFailed.

    Drawn from a private copy of the store, made object by object: what was put there under another's name gets its own
    name in the copy and cannot be shown.
    """
    view = View(store=Path(plan.store), sealed=True)
    rows = compare(repo, view, plan.base, plan.tree, trees=True)
    sides = [entry for row in rows for entry in (row.old, row.new) if _is_object(entry)]
    names = dict.fromkeys([plan.tree, plan.base, *_tree_of(repo, view, plan.base), *(one.oid for one in sides)])
    with repo.scratch() as room:
        copy = room / "objects"
        copy.mkdir()
        data = pack(repo, view, [name for name in names if name not in ("", EMPTY_TREE)])
        repo.out(View(store=copy, sealed=True), "index-pack", "--stdin", stdin=data)
        return render(repo, copy, plan.base, plan.tree)


def _is_object(entry: Entry) -> bool:
    return entry != ABSENT and entry.mode != GITLINK


def _tree_of(repo: Repository, view: View, commit: str) -> list[str]:
    return [repo.out(view, "rev-parse", f"{commit}^{{tree}}").decode().strip()] if commit else []


def contents(repo: Repository, plan: Frozen) -> tuple[FileChange, ...]:
    """See `console.engine.ports.Plans.contents`. Raises GitFailed when an object is missing or was planted."""
    view = View(store=Path(plan.store), sealed=True)
    sides = [side for one in plan.paths for side in ((one.old_mode, one.old_oid), (one.mode, one.oid))]
    small = _small(repo, view, {oid for mode, oid in sides if oid and mode != GITLINK})
    bodies = {oid: body for oid, (_, body) in proved_in(repo, view, sorted(small)).items()}
    return tuple(
        FileChange(
            path=one.path,
            old_mode=one.old_mode,
            mode=one.mode,
            old=bodies.get(one.old_oid),
            new=bodies.get(one.oid),
        )
        for one in plan.paths
    )


def _small(repo: Repository, view: View, oids: set[str]) -> set[str]:
    """Those that are not above the cap; their sizes come from git, their bytes are proved afterwards."""
    return {oid for oid, size in sizes_in(repo, view, oids).items() if size <= CAP}
