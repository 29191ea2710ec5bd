"""Whether git is in a state that work can start from, and what of it the tickets will not see."""

from __future__ import annotations

from collections.abc import Iterator

from console.adapters.preflight.facts import Facts, no_go, ok, some, warning
from console.core.records import Check, Refused

OURS = ".nightdesk/"


def git(f: Facts) -> Iterator[Check]:
    r = f.repo
    if r.trouble:
        yield no_go("git", r.trouble)
        return
    found = [*_head(f), *_identity(f), *_operation(f), *_alert(f)]
    yield from found
    if not any(check.level == "no-go" for check in found):
        branch = r.ref.removeprefix("refs/heads/") or "no branch"
        yield ok("git", f"{r.version or 'git'}; tickets start from {branch} at {r.head[:10]}")


def _head(f: Facts) -> Iterator[Check]:
    if not f.repo.head:
        cure = "make one: `git commit --allow-empty -m 'first commit'`"
        yield no_go("git", "there is no commit that work could start from", cure)
    elif not f.repo.ref and f.settings.workspace == "in_place":
        yield no_go("git", "HEAD is on no branch, so that no work can land on one", "check a branch out")
    elif not f.repo.ref:
        yield warning("git", "HEAD is on no branch: tickets start from a commit that no branch may hold")


def _identity(f: Facts) -> Iterator[Check]:
    if isinstance(f.repo.identity, Refused):
        yield no_go("git", f.repo.identity.reason)


def _operation(f: Facts) -> Iterator[Check]:
    if f.repo.operation:
        text = f"{f.repo.operation} is under way in the main worktree: tickets would start from half of it"
        yield no_go("git", text, "finish or abort it")


def _alert(f: Facts) -> Iterator[Check]:
    if f.repo.alert:
        text = f"{f.repo.alert} is open: something in the git dir runs programs or lies about content"
        yield no_go("git", text, f"`nightdesk alert show {f.repo.alert}`, then adopt or restore")


def unseen(f: Facts) -> Iterator[Check]:
    """Changes that are not committed. What the queue itself is made of is no ticket's work, unless that works in the
    checkout itself, where everything that is not committed would be in its plan."""
    if f.repo.trouble:
        return
    if f.repo.unseen is None:
        yield warning("files", f"nobody can tell what is not committed: {f.repo.unsure}")
        return
    in_place = f.settings.workspace == "in_place"
    if f.repo.submodules and not in_place:
        cure = "let the gate do without them, or use `workspace: in_place`"
        yield warning("files", "submodules are empty in a ticket's worktree and in the gate's checkout", cure)
    own = () if in_place else (OURS, f.settings.tickets.strip("/") + "/")
    names = tuple(path for path in f.repo.unseen if not path.startswith(own))
    if not names:
        yield ok("files", "everything that a ticket may need is committed")
    elif in_place and f.run:
        text = f"not committed: {some(names)}; {f.run.run} is open and goes on with them as its agent's half work"
        cure = "what of it is your own, keep a copy of: a failed attempt is rolled back"
        yield warning("files", text, cure)
    elif in_place:
        text = f"not committed: {some(names)}; in the checkout itself that would mix with a ticket's work"
        yield no_go("files", text, "commit, stash or ignore them")
    else:
        text = f"not committed, so that no ticket will see it: {some(names)}"
        yield warning("files", text, "commit what the tickets need")
