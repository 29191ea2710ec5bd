"""The same changes on another base: made from objects only, the worktree is not looked at."""

from __future__ import annotations

from pathlib import Path

from console.adapters.git.binary import GitFailed, shown
from console.adapters.git.building import Candidate, build, object_folders
from console.adapters.git.freezing import frozen
from console.adapters.git.lfs import store_of
from console.adapters.git.objects import Entry, tree_entries
from console.adapters.git.shadow import Repository, View
from console.adapters.git.stacks import is_stacked, stores_under
from console.core.paths import bytes_of
from console.core.records import Frozen, Refused


def rebase(repo: Repository, plan: Frozen, onto: str, when: int) -> Frozen | Refused:
    """See `console.engine.ports.Plans.rebase`. Raises GitFailed."""
    stores = stores_under(repo, onto)
    stacked = is_stacked(repo, plan)
    if stores is None or (stores and not stacked):
        raise GitFailed(f"{onto[:10]} is not a commit of this repository")
    more = (*object_folders(plan), *map(Path, stores))
    overlap = _between(repo, plan, plan.base, onto, more) if stacked else overlapping(repo, plan, onto)
    if overlap:
        named = ", ".join(shown(path) for path in overlap[:10])
        return Refused(
            reason=f"the plan is void: {named} changed on the branch too; freeze the work anew", paths=overlap
        )
    wanted = {bytes_of(one.path): Entry(one.mode, one.oid) for one in plan.paths}
    files = tree_entries(repo, View(more=more), onto)
    candidate = Candidate(onto, files, wanted, plan.message, plan.author, when, plan.zone)
    with repo.scratch() as quarantine:
        built = build(repo, candidate, quarantine, more, store_of(plan.store))
    if isinstance(built, Refused):
        return built
    # A stacked plan gets another base under it while its own branch stays where it is.
    stays = stacked and repo.value(plan.ref) == plan.ref_old
    return frozen(
        built, candidate, ref=plan.ref, ref_old=plan.ref_old if stays else onto, worktree=plan.worktree,
        others=plan.others, disk={bytes_of(one.path): one.disk for one in plan.paths}, notes=plan.notes,
        replaces=plan.replaces if stays else (), stores=stores,
    )  # fmt: skip


def overlapping(repo: Repository, plan: Frozen, now: str) -> tuple[str, ...]:
    """The plan's paths that changed between the ref's old value and `now`; all of them when it was rewritten.

    Of a stacked plan all of them, too, unless `now` has what the plan stands on.
    """
    stacked = is_stacked(repo, plan)
    since = plan.base if stacked else plan.ref_old
    if not now or not since or not repo.ancestor(since, now):
        return tuple(one.path for one in plan.paths)
    return _between(repo, plan, since, now, object_folders(plan))


def _between(repo: Repository, plan: Frozen, old: str, new: str, more: tuple[Path, ...]) -> tuple[str, ...]:
    """The plan's paths that differ between two commits."""
    args = ("-r", "-z", "--name-only", "--no-renames", old, new)
    changed = set(repo.out(View(more=more), "diff-tree", *args).split(b"\0")) - {b""}
    return tuple(one.path for one in plan.paths if _touched(bytes_of(one.path), changed))


def _touched(path: bytes, changed: set[bytes]) -> bool:
    """True when a changed name is this path, one of its folders, or lies below it."""
    parts = path.split(b"/")
    above = (b"/".join(parts[:depth]) for depth in range(1, len(parts) + 1))
    return any(part in changed for part in above) or any(other.startswith(path + b"/") for other in changed)
