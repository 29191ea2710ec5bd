"""Puts a worktree's files on another ticket's candidate: work on top of it begins before it has landed.

Only files change; HEAD, index and refs stay where they are, and no object enters the repository.
"""

from __future__ import annotations

from collections.abc import Iterable

from console.adapters.git.binary import shown
from console.adapters.git.bringing import Between, CannotBring, bring, looked_at
from console.adapters.git.building import object_folders
from console.adapters.git.objects import compare
from console.adapters.git.shadow import Repository, View
from console.adapters.git.stacks import descends, unreadable
from console.core.records import Frozen, Refused

NAMED_AT_MOST = 10


def stack(repo: Repository, worktree: str, plan: Frozen) -> Refused | None:
    """See `console.engine.ports.Git.stack`. Raises GitFailed and OSError."""
    git_dir = repo.git_dir_of(worktree)
    if not git_dir:
        return Refused(reason=f"{shown(worktree)} is no worktree of {shown(repo.workspace.root)}")
    if refused := unreadable(repo, plan.commit, (plan.store, *plan.stores)):
        return refused
    view = View(more=object_folders(plan))
    here = repo.value("HEAD", git_dir)
    changes = compare(repo, view, here, plan.tree)
    if changes and not descends(repo, view, here, plan.commit):
        return Refused(
            reason=f"{shown(worktree)} is at {here[:10] or 'no commit'}, which {plan.commit[:10]} does not descend "
            "from: its own commits come first, so nothing was put there"
        )
    what = Between(changes, here, plan.tree, view.more, {})
    with looked_at(repo, worktree, what) as scene:
        if scene.odd:
            return Refused(
                reason=f"{named(scene.odd)} in {shown(worktree)} changed already: {plan.commit[:10]} was not put there",
                paths=scene.odd,
            )
        try:
            bring(scene, what, token_of(plan))
        except CannotBring as cannot:
            return Refused(reason=f"{plan.commit[:10]} could not be put into {shown(worktree)}: {cannot.reason}")
    return None


def token_of(plan: Frozen) -> str:
    """The name of a file that is not complete; the same again after a crash, so that it is taken away then."""
    return f".nightdesk-{plan.commit[:16]}.part"


def named(paths: Iterable[str]) -> str:
    names = [shown(path) for path in paths]
    more = f" and {len(names) - NAMED_AT_MOST} more" if len(names) > NAMED_AT_MOST else ""
    return f"{', '.join(names[:NAMED_AT_MOST])}{more}"
