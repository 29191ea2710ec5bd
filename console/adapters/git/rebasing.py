"""The same changes on another base: made from objects only, the worktree is not looked at."""

from __future__ import annotations

from pathlib import Path

from console.adapters.git.binary import GitFailed, shown
from console.adapters.git.building import Candidate, build
from console.adapters.git.freezing import frozen
from console.adapters.git.lfs import store_of
from console.adapters.git.objects import Entry, tree_entries
from console.adapters.git.shadow import Repository, View
from console.core.paths import bytes_of
from console.core.records import Frozen, Refused


def rebase(repo: Repository, plan: Frozen, onto: str, when: int) -> Frozen | Refused:
    """See `console.engine.ports.Plans.rebase`. Raises GitFailed."""
    if not repo.value(onto):
        raise GitFailed(f"{onto[:10]} is not a commit of this repository")
    overlap = overlapping(repo, plan, onto)
    if overlap:
        named = ", ".join(shown(path) for path in overlap[:10])
        return Refused(
            reason=f"the plan is void: {named} changed on the branch too; freeze the work anew", paths=overlap
        )
    wanted = {bytes_of(one.path): Entry(one.mode, one.oid) for one in plan.paths}
    files = tree_entries(repo, View(), onto)
    candidate = Candidate(onto, files, wanted, plan.message, plan.author, when, plan.zone)
    with repo.scratch() as quarantine:
        built = build(repo, candidate, quarantine, (Path(plan.store),), store_of(plan.store))
    if isinstance(built, Refused):
        return built
    return frozen(
        built, candidate, ref=plan.ref, ref_old=onto, worktree=plan.worktree, others=plan.others,
        disk={bytes_of(one.path): one.disk for one in plan.paths}, notes=plan.notes,
    )  # fmt: skip


def overlapping(repo: Repository, plan: Frozen, now: str) -> tuple[str, ...]:
    """The plan's paths that changed between the ref's old value and `now`; all of them when it was rewritten."""
    everything = tuple(one.path for one in plan.paths)
    if not now or not plan.ref_old or not repo.ancestor(plan.ref_old, now):
        return everything
    args = ("-r", "-z", "--name-only", "--no-renames", plan.ref_old, now)
    changed = set(repo.out(View(), "diff-tree", *args).split(b"\0")) - {b""}
    return tuple(path for path in everything if _touched(bytes_of(path), changed))


def _touched(path: bytes, changed: set[bytes]) -> bool:
    """True when a changed name is this path, one of its folders, or lies below it."""
    parts = path.split(b"/")
    above = (b"/".join(parts[:depth]) for depth in range(1, len(parts) + 1))
    return any(part in changed for part in above) or any(other.startswith(path + b"/") for other in changed)
