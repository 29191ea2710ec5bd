"""Plans whose base is another ticket's candidate, which the repository need not hold yet: how they stand to a branch.

Reads only; objects come from the stores that the plan names and from the repository.
"""

from __future__ import annotations

import re
from pathlib import Path

from console.adapters.git.binary import shown
from console.adapters.git.building import object_folders
from console.adapters.git.objects import proved_in
from console.adapters.git.shadow import Repository, View
from console.core.records import Frozen, Refused
from console.engine.ports import FreezeRequest

COMMIT = re.compile(r"[0-9a-f]{40}")


def is_stacked(repo: Repository, plan: Frozen) -> bool:
    """Whether landing brings more than the plan onto its branch: the base is not on the branch as it was frozen."""
    if not plan.base or plan.base == plan.ref_old:
        return False
    return not descends(repo, View(more=object_folders(plan)), plan.base, plan.ref_old)


def descends(repo: Repository, view: View, old: str, new: str) -> bool:
    """True when `new` is `old` or descends from it; False too when one of them cannot be read."""
    return bool(old and new) and repo.ran(view, "merge-base", "--is-ancestor", old, new).code == 0


def stands_below(repo: Repository, request: FreezeRequest, now: str) -> str:
    """The newest commit that the branch and the base of a stacked request share; "" when it is not stacked, or none."""
    if not request.stores or not request.base.head:
        return ""
    view = View(more=tuple(Path(store) for store in request.stores))
    ran = repo.ran(view, "merge-base", now, request.base.head)
    return ran.out.decode().split("\n")[0] if ran.code == 0 else ""


def stores_under(repo: Repository, commit: str) -> tuple[str, ...] | None:
    """The stores of plans that hold a commit and what it descends from, down to a commit that the repository has; ()
    when it has this one. None when it is neither. Raises GitFailed."""
    found: list[str] = []
    while commit and not repo.value(commit):
        store = repo.state / "plans" / commit / "objects"
        if not COMMIT.fullmatch(commit) or not store.is_dir():
            return None
        found.append(str(store))
        _, body = proved_in(repo, View(store=store, sealed=True), [commit])[commit]
        parents = [line[7:].decode() for line in body.partition(b"\n\n")[0].split(b"\n") if line.startswith(b"parent ")]
        commit = parents[0] if parents else ""
    return tuple(found)


def unreadable(repo: Repository, commit: str, stores: tuple[str, ...]) -> Refused | None:
    """Why a commit that is partly in these stores cannot be read, or None."""
    if not commit:
        return None
    more = tuple(Path(store) for store in stores)
    if repo.ran(View(more=more), "cat-file", "-e", f"{commit}^{{tree}}").code == 0:
        return None
    gone = next((store for store in stores if not Path(store).is_dir()), "")
    where = f" ({shown(gone)} is not there any more)" if gone else ""
    return Refused(
        reason=f"{commit[:10]}, which this work stands on, cannot be read{where}: its ticket has to be done again first"
    )


def not_landed(repo: Repository, plan: Frozen) -> Refused | None:
    """What has to land before a stacked plan can, or None. Raises GitFailed.

    That the repository has the commit is not enough: a landing that was undone leaves it there, on no branch.
    """
    if repo.value(plan.base):
        held = ("for-each-ref", "--count=1", f"--contains={plan.base}", "refs/heads/", "refs/remotes/", "refs/tags/")
        if repo.real_out(*held).strip():
            return None
    ran = repo.ran(View(more=object_folders(plan)), "log", "-1", "--no-walk", "--format=%s", plan.base)
    subject = shown(ran.out.strip()[:200]) if ran.code == 0 else ""
    return Refused(
        reason=f"this plan stands on {plan.base[:10]}{f' ({subject})' if subject else ''}, which is on no branch yet: "
        f"approve that one first (`nightdesk plan show {plan.base[:10]}`)"
    )
