"""Both versions of a plan's files as bytes, for those who judge what a diff says. Only the sealed store answers."""

from __future__ import annotations

from pathlib import Path

from console.adapters.git.binary import MIB
from console.adapters.git.objects import GITLINK, proved_in, sizes_in
from console.adapters.git.shadow import Repository, View
from console.core.records import Frozen
from console.engine.ports import FileChange

CAP = 5 * MIB
"""Bytes of one version; a larger one is None, as if it could not be read."""


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
