"""Whether the branch has moved since a plan was frozen, and by how much: for a person who looks, decides nothing."""

from __future__ import annotations

from console.adapters.git.binary import GitFailed
from console.adapters.git.landing import landed, moved
from console.adapters.git.shadow import Repository
from console.core.records import Frozen
from console.engine.ports import Behind

MOST = 1000
"""Commits that are counted."""
PATIENCE = 10.0
"""Seconds that counting may take."""


def behind(repo: Repository, plan: Frozen) -> Behind | None:
    """None when the branch is where it was, holds the plan already, or git cannot tell. Calls git; never raises for
    what it says."""
    try:
        now = moved(repo, plan)
        if now is None or landed(repo, plan):
            return None
        if not now.now or (plan.ref_old and not repo.ancestor(plan.ref_old, now.now)):
            return Behind(commits=0, lost=True)
        span = f"{plan.ref_old}..{now.now}" if plan.ref_old else now.now
        ran = repo.real("rev-list", "--count", f"--max-count={MOST}", "--end-of-options", span, timeout=PATIENCE)
        return Behind(commits=int(ran.out) if ran.code == 0 else 1, overlap=now.overlap)
    except (GitFailed, ValueError):
        return None
