"""What a ticket's work begins beside: where its commit stands in the operator's branches, and what it will not see.

Only tells; what is said of an upstream is as old as the last fetch. Reads refs and one listing, writes nothing.
"""

from __future__ import annotations

import os

from console.adapters.git.attributes import trusted
from console.adapters.git.binary import shown
from console.adapters.git.changes import changed_paths
from console.adapters.git.objects import tree_entries
from console.adapters.git.shadow import Repository, View
from console.adapters.git.worktrees import HEADS


def place(repo: Repository, commit: str) -> str:
    """See `console.engine.ports.Git.place`. Raises GitFailed."""
    if not commit or repo.value(commit) != commit:
        return ""
    ref = repo.head(repo.workspace.common)
    name = shown(ref.removeprefix(HEADS)) if ref else "the detached HEAD"
    apart = _words(*_apart(repo, commit, repo.value("HEAD")), name)
    here = f"{name}@{commit[:10]}" if ref and not apart else commit[:10]
    own = apart or ("" if ref else f"at {name}")
    return ", ".join(part for part in (here, own, _upstream(repo, ref, commit) if ref else "") if part)


def _upstream(repo: Repository, ref: str, commit: str) -> str:
    output = repo.real_out("for-each-ref", "--count=1", "--format=%(refname)%00%(upstream)", ref)
    name, _, upstream = os.fsdecode(output).rstrip("\n").partition("\0")
    if name != ref or not upstream:
        return ""
    short = shown(upstream.removeprefix("refs/remotes/").removeprefix(HEADS))
    tip = repo.value(upstream)
    if not tip:
        return f"its upstream {short} is gone"
    return _words(*_apart(repo, commit, tip), short) or f"level with {short}"


def _apart(repo: Repository, commit: str, other: str) -> tuple[int, int]:
    """(commits that only the first has, that only the second has)."""
    if commit == other or not other:
        return 0, 0
    output = repo.out(View(), "rev-list", "--left-right", "--count", f"{commit}...{other}")
    ahead, behind = output.split()
    return int(ahead), int(behind)


def _words(ahead: int, behind: int, name: str) -> str:
    if ahead and behind:
        return f"{ahead} ahead of and {behind} behind {name}"
    return f"{ahead} ahead of {name}" if ahead else f"{behind} behind {name}" if behind else ""


def uncommitted(repo: Repository, limit: int) -> tuple[str, ...]:
    """See `console.engine.ports.Git.uncommitted`; one line with the count of the rest follows. Raises GitFailed."""
    head = repo.value("HEAD")
    names = changed_paths(repo, repo.workspace.root, head, trusted(repo, tree_entries(repo, View(), head)))
    some = [shown(name) for name in names[:limit]]
    more = len(names) - len(some)
    return (*some, f"(and {more} more)") if more else tuple(some)
