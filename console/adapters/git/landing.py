"""Puts a sealed candidate on its branch, and takes it off again: objects first, then one compare-and-swap of the ref.

Writes nothing but objects, that ref and the index entries of the plan's own paths; no file of a worktree is touched,
no hook runs. Done twice it does nothing the second time.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable
from pathlib import Path

from console.adapters.git import indexes, lfs
from console.adapters.git.binary import GitFailed, Ran, shown
from console.adapters.git.building import expected_of, new_objects, object_folders, pointers_of, unsound
from console.adapters.git.freezing import kept_ref, position
from console.adapters.git.objects import ABSENT, Change, Entry, compare, pack, proved_in_real, tree_entries
from console.adapters.git.rebasing import overlapping
from console.adapters.git.shadow import NO_COMMIT, Repository, View
from console.adapters.git.stacks import is_stacked, not_landed
from console.adapters.git.worktrees import HEADS, list_worktrees
from console.core.paths import bytes_of, text_of
from console.core.records import Frozen, Refused
from console.engine.ports import Landed, Moved

_LOCK = re.compile(rb"Unable to create '(.*\.lock)': File exists", re.DOTALL)


def landed(repo: Repository, plan: Frozen) -> bool:
    """See `console.engine.ports.Plans.landed`."""
    tip = repo.value(plan.ref)
    return bool(tip) and (tip == plan.commit or repo.ancestor(plan.commit, tip))


def moved(repo: Repository, plan: Frozen) -> Moved | None:
    """See `console.engine.ports.Plans.moved`. A ref that is gone has `now` ""."""
    now = repo.value(plan.ref)
    return None if now == plan.ref_old else Moved(now=now, overlap=overlapping(repo, plan, now))


def land(repo: Repository, plan: Frozen) -> Landed | Moved | Refused:
    """See `console.engine.ports.Plans.land`. Raises GitFailed with nothing moved."""
    if landed(repo, plan):
        return Landed(commit=plan.commit, index_note=_late(repo, plan))
    if refused := _blocked(repo, plan):
        return refused
    if now := moved(repo, plan):
        return now
    if refused := _unsound(repo, plan) or (not_landed(repo, plan) if is_stacked(repo, plan) else None):
        return refused
    _deliver(repo, plan)
    ran = _swap(repo, plan, plan.commit, plan.ref_old, f"nightdesk: approved {plan.commit[:10]}")
    if ran.code != 0:
        return moved(repo, plan) or _stuck(repo, plan, ran, "nothing was landed, and the plan waits")
    return Landed(commit=plan.commit, index_note=_refresh(repo, plan, _landing_steps(repo, plan)))


def _blocked(repo: Repository, plan: Frozen) -> Refused | None:
    if not plan.ref.startswith(HEADS) or repo.real("symbolic-ref", "--quiet", plan.ref).code == 0:
        return Refused(reason=f"{shown(plan.ref)} is not a plain branch any more: nothing was landed")
    git_dir = repo.git_dir_of(plan.worktree)
    if git_dir and os.path.isdir(plan.worktree):
        return position(repo, plan.worktree, git_dir, plan.ref)
    return None


def _unsound(repo: Repository, plan: Frozen) -> Refused | None:
    store = Path(plan.store)
    if not store.is_dir():
        return Refused(reason=f"the objects of the plan are gone ({shown(plan.store)}): freeze the work anew")
    return unsound(repo, store, expected_of(plan))


def _deliver(repo: Repository, plan: Frozen) -> None:
    """Bring the objects into the repository and prove that it now answers with exactly these bytes."""
    lfs.deliver(repo, lfs.store_of(plan.store), pointers_of(repo, plan))
    names = new_objects(repo, plan)
    data = pack(repo, View(store=Path(plan.store), sealed=True), names)
    repo.real_out("index-pack", "--stdin", "--strict", stdin=data)
    proved_in_real(repo, names)


def _swap(repo: Repository, plan: Frozen, new: str, old: str, why: str) -> Ran:
    """Compare-and-swap of the plan's ref by name; "" stands for a ref that does not exist."""
    who = {"GIT_COMMITTER_NAME": plan.author.name, "GIT_COMMITTER_EMAIL": plan.author.email}
    # From the worktree that has the branch checked out, so that its HEAD log tells of the move.
    git_dir = next(iter(_holders(repo, plan.ref)), repo.workspace.common)
    args = ("-d", plan.ref, old) if not new else (plan.ref, new, old or NO_COMMIT)
    return repo.real("update-ref", "--no-deref", "-m", why, *args, git_dir=git_dir, env=who)


def _stuck(repo: Repository, plan: Frozen, ran: Ran, outcome: str) -> Refused:
    found = _LOCK.search(ran.err)
    why = _lock_cure(repo, os.fsdecode(found[1])) if found else ran.complaint()
    return Refused(reason=f"{shown(plan.ref.removeprefix(HEADS))} could not be moved: {why}; {outcome}")


def _lock_cure(repo: Repository, lock: str) -> str:
    """Whose the lock is. Its new name is outside `refs`, where git would take it for a broken branch."""
    from console.adapters.git.watching import holders

    if who := holders(lock):
        return f"{shown(lock)} is held by {', '.join(map(shown, who))}: wait for that to end, then try again"
    away = os.path.join(repo.workspace.common, f"{os.path.basename(lock)}.old")
    return (
        f"{shown(lock)} is in the way, and no process holds it: when no git command runs here, move it away with "
        f"`mv {shown(shlex.quote(lock))} {shown(shlex.quote(away))}` and try again"
    )


def _holders(repo: Repository, ref: str) -> list[str]:
    """The git dirs of the worktrees that have this branch checked out."""
    found = (repo.git_dir_of(worktree.path) for worktree in list_worktrees(repo) if worktree.ref == ref)
    return [git_dir for git_dir in found if git_dir]


# -- the index of the worktree that has the branch checked out


def _at(repo: Repository, plan: Frozen, commit: str) -> dict[str, Entry]:
    """The entries of the plan's paths in a commit ("" is the empty tree)."""
    if commit == plan.base:
        return {one.path: Entry(one.old_mode, one.old_oid) for one in plan.paths}
    files = tree_entries(repo, View(), commit)
    return {one.path: files.get(bytes_of(one.path), ABSENT) for one in plan.paths}


def _brought(repo: Repository, plan: Frozen) -> list[Change]:
    """All that landing a stacked plan changes on its branch, what it stands on included."""
    return compare(repo, View(more=object_folders(plan)), plan.ref_old, plan.tree)


def _landing_steps(repo: Repository, plan: Frozen) -> list[indexes.Step]:
    if is_stacked(repo, plan):
        below = tree_entries(repo, View(more=object_folders(plan)), plan.base)
        return [
            indexes.Step(text_of(row.path), frozenset({row.old, below.get(row.path, ABSENT)}), row.new)
            for row in _brought(repo, plan)
        ]
    base, before = _at(repo, plan, plan.base), _at(repo, plan, plan.ref_old)
    return [
        indexes.Step(one.path, frozenset({base[one.path], before[one.path]}), Entry(one.mode, one.oid))
        for one in plan.paths
    ]


def _undoing_steps(repo: Repository, plan: Frozen) -> list[indexes.Step]:
    if is_stacked(repo, plan):
        return [indexes.Step(text_of(row.path), frozenset({row.new}), row.old) for row in _brought(repo, plan)]
    before = _at(repo, plan, plan.ref_old)
    return [indexes.Step(one.path, frozenset({Entry(one.mode, one.oid)}), before[one.path]) for one in plan.paths]


def _refresh(repo: Repository, plan: Frozen, steps: list[indexes.Step]) -> str:
    return _joined(indexes.refresh(repo, git_dir, steps) for git_dir in _holders(repo, plan.ref))


def _late(repo: Repository, plan: Frozen) -> str:
    """After a landing that was cut off before the index: the same steps, which leave alone what was staged since."""
    return _refresh(repo, plan, _landing_steps(repo, plan)) if repo.value(plan.ref) == plan.commit else ""


def _joined(notes: Iterable[str]) -> str:
    return "; ".join(note for note in notes if note)


# -- undo


def undo(repo: Repository, plan: Frozen) -> Landed | Refused:
    """See `console.engine.ports.Plans.undo`. Done twice it does nothing the second time. Raises GitFailed."""
    tip = repo.value(plan.ref)
    if tip == plan.ref_old:
        return Landed(commit=plan.ref_old, index_note=_refresh(repo, plan, _undoing_steps(repo, plan)))
    if refused := _held(repo, plan, tip):
        return refused
    steps = _undoing_steps(repo, plan)
    if plan.ref_old:
        _restore(repo, plan)
    ran = _swap(repo, plan, plan.ref_old, plan.commit, f"nightdesk: approval of {plan.commit[:10]} undone")
    if ran.code != 0:
        return _stuck(repo, plan, ran, "nothing was undone")
    return Landed(commit=plan.ref_old, index_note=_refresh(repo, plan, steps))


def stays(repo: Repository, plan: Frozen) -> Refused | None:
    """Why `undo` would refuse as things are, or None. Changes nothing. Raises GitFailed."""
    tip = repo.value(plan.ref)
    return None if tip == plan.ref_old else _held(repo, plan, tip)


def _held(repo: Repository, plan: Frozen, tip: str) -> Refused | None:
    """Why the commit cannot be taken off the branch any more, or None."""
    branch, short = shown(plan.ref.removeprefix(HEADS)), plan.commit[:10]
    revert = f"take it back with a new commit: `git revert {short}`"
    if tip != plan.commit:
        if tip and repo.ancestor(plan.commit, tip):
            return Refused(reason=f"{branch} has gone on to {tip[:10]} since {short} landed; {revert}")
        return Refused(reason=f"{branch} is at {tip[:10] or 'nothing'} and does not hold {short}: nothing to undo")
    if repo.real("symbolic-ref", "--quiet", plan.ref).code == 0:
        return Refused(reason=f"{branch} is not a plain branch any more: nothing was undone")
    if other := _other_holder(repo, plan):
        return Refused(reason=f"{other} holds {short} too, so it is no longer only on {branch}; {revert}")
    for git_dir in _holders(repo, plan.ref):
        if what := repo.operation(git_dir):
            return Refused(reason=f"{what} is under way on {branch}: finish or abort it first")
    return None


def _other_holder(repo: Repository, plan: Frozen) -> str:
    output = repo.real_out("for-each-ref", f"--contains={plan.commit}", "--format=%(refname) %(symref)")
    for line in output.decode("utf-8", "surrogateescape").splitlines():
        name, _, target = line.partition(" ")
        if plan.ref not in (name, target):
            return shown(name)
    for worktree in list_worktrees(repo):
        if not worktree.ref and worktree.head and repo.ancestor(plan.commit, worktree.head):
            return f"the detached HEAD of {shown(shlex.quote(worktree.path))}"
    return ""


def _restore(repo: Repository, plan: Frozen) -> None:
    """The tip that landing took off the branch may have been pruned since: bring it back from the shadow."""
    if repo.value(plan.ref_old):
        return
    if repo.ran(View(), "rev-parse", "--quiet", "--verify", kept_ref(plan.ref_old)).code != 0:
        raise GitFailed(f"{plan.ref_old[:10]}, where {shown(plan.ref)} was before, is gone from the repository")
    view = View()
    names = repo.out(view, "rev-list", "--objects", "--no-object-names", plan.ref_old, f"^{plan.base}").decode().split()
    repo.real_out("index-pack", "--stdin", "--strict", stdin=pack(repo, view, names))
