"""Writes landed in-place work into the checkout it was made in, file by file and only over what the base has there.

The branch has moved already; the operator's index is not touched here, and no file that somebody changed is.
"""

from __future__ import annotations

from console.adapters.git.binary import shown
from console.adapters.git.bringing import Between, CannotBring, bring, looked_at
from console.adapters.git.building import object_folders
from console.adapters.git.freezing import position
from console.adapters.git.objects import Change, Entry
from console.adapters.git.reading import on_disk
from console.adapters.git.shadow import Repository
from console.adapters.git.stacking import named, token_of
from console.core.paths import bytes_of
from console.core.records import Frozen, Refused


def write_back(repo: Repository, plan: Frozen) -> tuple[str, ...] | Refused:
    """See `console.engine.ports.Git.write_back`. The paths that this call wrote. Raises GitFailed and OSError."""
    where, git_dir = shown(plan.worktree), repo.git_dir_of(plan.worktree)
    kept = f"the work is in {plan.commit[:10]} on {shown(plan.ref.removeprefix('refs/heads/'))}"
    if not git_dir:
        return Refused(reason=f"{where} is no worktree of {shown(repo.workspace.root)} any more; {kept}")
    if refused := position(repo, plan.worktree, git_dir, plan.ref):
        return Refused(reason=f"no file was written: {refused.reason}; {kept}")
    what = _between(plan)
    with looked_at(repo, plan.worktree, what) as scene:
        if scene.odd:
            return Refused(
                reason=f"no file was written into {where}: {named(scene.odd)} changed there since; {kept}, bring them "
                "together by hand",
                paths=scene.odd,
            )
        try:
            return bring(scene, what, token_of(plan))
        except CannotBring as cannot:
            return Refused(reason=f"not every file could be written into {where}: {cannot.reason}; {kept}")


def unlike_base(repo: Repository, plan: Frozen) -> tuple[str, ...]:
    """See `console.engine.ports.Git.unlike_base`. All paths when the folder is gone. Raises GitFailed."""
    try:
        with looked_at(repo, plan.worktree, _between(plan)) as scene:
            return scene.odd
    except OSError:
        return tuple(one.path for one in plan.paths)


def _between(plan: Frozen) -> Between:
    changes = [
        Change(bytes_of(one.path), Entry(one.old_mode, one.old_oid), Entry(one.mode, one.oid)) for one in plan.paths
    ]
    disk = {bytes_of(one.path): on_disk(one) for one in plan.paths if one.disk}
    return Between(changes, plan.base, plan.tree, object_folders(plan), disk)
