"""What is left of worktrees, branches and locks in the git dir, and of scratch folders beside it. Locks of git are
named, never deleted: nobody but their maker knows whether they are stale."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

from console.adapters import shim
from console.adapters.doctor import proc
from console.adapters.doctor.findings import LISTED, Finding, Look, ago, some, words
from console.adapters.doctor.ground import Ground
from console.adapters.git.binary import GitFailed
from console.adapters.git.refs import all_refs, link_of
from console.adapters.git.removing import TRASH, Stale, empty_trash, forget_stale, stale_entries, without_entry
from console.adapters.git.shadow import Repository
from console.adapters.git.ticketwork import OURS, Records, is_bare_folder
from console.adapters.git.worktrees import HEADS, list_worktrees
from console.core import tickets

WORKTREES, BRANCHES, LOCKS = "worktrees", "branches", "git locks"
YOUNG = 600.0
"""Seconds in which a lock may be one of a git that is at work."""
SHARED_LOCKS = ("index.lock", "HEAD.lock", "config.lock", "packed-refs.lock", "shallow.lock", "gc.pid.lock")
OWN_LOCKS = ("index.lock", "HEAD.lock", "ORIG_HEAD.lock", "config.worktree.lock")


def gits(g: Ground) -> list[int]:
    """Git processes that may be at work in this repository; of another user's nobody can tell where they are."""
    assert g.workspace is not None
    places = [os.path.realpath(g.workspace.common), *g.worktrees]
    return [pid for pid, one in g.table.procs.items() if not one.dead and _is_git(pid) and _may_be_in(pid, places)]


def _is_git(pid: int) -> bool:
    return proc.text(f"/proc/{pid}/comm").strip().split(b"-")[0] == b"git"


def _may_be_in(pid: int, places: list[str]) -> bool:
    where = (proc.folder(pid), proc.value_in(pid, "GIT_DIR"), proc.value_in(pid, "GIT_COMMON_DIR"))
    if any(where):
        return any(one == place or one.startswith(f"{place}/") for one in where for place in places)
    return proc.owner(pid) not in (-1, os.geteuid())  # ours without a folder has just ended


# -- worktrees --------------------------------------------------------------------------------------------------


def worktrees(g: Ground) -> Look:
    """Raises OSError."""
    repo = g.repository
    if repo is None:
        return Look(name=WORKTREES, well=_unseen(g))
    found = (*_stale(g, repo), *_strangers(g, repo), *_trash(g, repo))
    return Look(name=WORKTREES, well=f"nothing half made or left over in {g.data}", findings=found)


def _unseen(g: Ground) -> str:
    return "not looked for: git cannot tell" if g.workspace else "not looked for: no repository here"


def _stale(g: Ground, repo: Repository) -> Iterator[Finding]:
    """One that is being made is there at the first look with its git at work, or not half made at the second."""
    first = stale_entries(repo, g.data)
    at_work = bool(first) and (bool(gits(replace(g))) or _being_made(repo))
    again = stale_entries(repo, g.data) if first else []
    for one in [one for one in first if one in again and not (one.half and at_work)][:LISTED]:
        yield _entry(g, repo, one, g.now - one.since)


def _being_made(repo: Repository) -> bool:
    """Whether somebody makes or removes a worktree of ours right now."""
    if not (repo.state / "worktrees" / "lock").exists():
        return False
    try:
        with Records(repo).locked(patience=0.0):
            return False
    except (GitFailed, OSError):
        return True


def _entry(g: Ground, repo: Repository, one: Stale, age: float) -> Finding:
    text = _told(one, age)
    if one.locked:
        unlock = words("git", "-C", repo.workspace.root, "worktree", "unlock", one.path)
        text = f"{text}; git was told to keep it ({one.locked})"
        return Finding(check=WORKTREES, level="warning", what=text, cure=unlock)
    if one.path and not g.data.is_dir():
        text = f"{text}; so is {g.data} as a whole, which may lie on a disk that is not mounted"
        return Finding(check=WORKTREES, level="warning", what=text, cure=words("ls", "-ld", str(g.data.parent)))
    if who := _user(g, one.path):
        text = f"{text}; {who} works there"
        return Finding(check=WORKTREES, level="fault", what=text, cure=g.command("status"))
    fix = g.command("doctor", "--fix")
    mend = partial(_forget, g, repo, one)
    return Finding(check=WORKTREES, level="warning", what=text, cure=fix, mend=mend)


def _told(one: Stale, age: float) -> str:
    if not one.path:
        return f"{one.entry} names no folder: git was ended as it began a worktree, {ago(age)} ago, and never clears it"
    begin = "git was ended while it made" if one.half else "git still knows the worktree"
    state = "nothing is in it" if one.half else "its folder is gone"
    return f"{begin} {one.path} ({ago(age)} ago): {state}, and its branch cannot be checked out elsewhere"


def _user(g: Ground, path: str) -> str:
    """What of the log is at work in a folder, "" when nothing is."""
    state = g.log.state
    if state is None or not path:
        return ""
    found = [f"ticket {t.ticket}" for t in state.tickets.values() if t.worktree == path and t.in_flight]
    found += [f"session {s.session}" for s in state.sessions.values() if s.worktree == path and s.phase != "exited"]
    return some(found)


def _forget(g: Ground, repo: Repository, one: Stale) -> str:
    if one.half and (at_work := gits(replace(g))):  # one may have begun since the look
        raise GitFailed(f"git is at work in this repository (pid {some(map(str, at_work))})")
    repo.prepare()
    if refused := forget_stale(repo, g.data, one):
        raise GitFailed(refused.reason)
    return f"git has forgotten {one.path or one.entry}; its branch is still there"


def _strangers(g: Ground, repo: Repository) -> Iterator[Finding]:
    for path in without_entry(repo, g.data)[:LISTED]:
        age = g.now - _changed(path)
        if not is_bare_folder(path):
            what = f"{path} is no worktree that git knows, but has files ({ago(age)} old): they are nowhere else"
            keep = words("mv", "-n", "--", path, f"{path}.kept")
            yield Finding(check=WORKTREES, level="warning", what=what, cure=keep)
        elif age >= YOUNG:  # git makes the folder first: a young one may be of a worktree that is being made
            what = f"{path} is an empty folder of no worktree ({ago(age)} old): it takes the place of one"
            mend = partial(_take_away, g, repo, path)
            yield Finding(check=WORKTREES, level="warning", what=what, cure=g.command("doctor", "--fix"), mend=mend)


def _take_away(g: Ground, repo: Repository, path: str) -> str:
    with Records(repo).locked(1.0):
        old = time.time() - _changed(path) >= YOUNG
        if not old or not is_bare_folder(path) or path not in without_entry(repo, g.data) or gits(replace(g)):
            raise GitFailed(f"{path} is not what it was, or git is at work: look again")
        pointer = os.path.join(path, ".git")
        if os.path.lexists(pointer):
            os.unlink(pointer)
        os.rmdir(path)
    return f"removed the empty folder {path}"


def _changed(path: str) -> float:
    try:
        return os.lstat(path).st_mtime
    except OSError:
        return 0.0


def _trash(g: Ground, repo: Repository) -> Iterator[Finding]:
    trash = g.data / TRASH
    if not trash.is_dir() or _being_made(repo):
        return
    what = f"{trash} holds worktrees that were removed and are not deleted yet: they take up room"

    def empty() -> str:
        with Records(repo).locked(1.0):
            left = empty_trash(g.data)
        if left:
            raise OSError(0, "could not be deleted", left)
        return f"deleted {trash}"

    yield Finding(check=WORKTREES, level="warning", what=what, cure=g.command("doctor", "--fix"), mend=empty)


# -- branches ---------------------------------------------------------------------------------------------------


def branches(g: Ground) -> Look:
    """Raises OSError."""
    repo = g.repository
    if repo is None or g.log.state is None:
        why = _unseen(g) if repo is None else "not looked for: there is no log that says what they are for"
        return Look(name=BRANCHES, well=why)
    ours = [ref for ref in all_refs(repo.workspace.common).values if ref.startswith(f"{HEADS}{OURS}")]
    left = sorted(set(ours) - _wanted(g, repo))
    found = [_branch(g, ref) for ref in left[:LISTED]]
    if more := left[LISTED:]:
        what = f"{len(more)} more branches of no ticket and no plan: {some(_short(ref) for ref in more)}"
        found.append(Finding(check=BRANCHES, level="advice", what=what, cure=_delete(g, more)))
    kept = sum(ref.startswith("refs/kept/") for ref in all_refs(str(repo.shadow_dir)).values)
    well = f"{len(ours)} of ours, each of a ticket or plan; {kept} commits of undone or removed work kept aside"
    return Look(name=BRANCHES, well=well, findings=tuple(found))


def _wanted(g: Ground, repo: Repository) -> set[str]:
    state = g.log.state
    assert state is not None
    found = {tree.ref for tree in list_worktrees(repo)} | {plan.frozen.ref for plan in state.plans.values()}
    for t in state.tickets.values():
        found |= {HEADS + t.branch.removeprefix(HEADS), HEADS + tickets.label(t.ticket)}
    return found


def _short(ref: str) -> str:
    return ref.removeprefix(HEADS)


def _branch(g: Ground, ref: str) -> Finding:
    what = f"the branch {_short(ref)} belongs to no ticket, plan or worktree: it only hides those that do"
    return Finding(check=BRANCHES, level="advice", what=what, cure=_delete(g, [ref]))


def _delete(g: Ground, refs: list[str]) -> str:
    """Git itself refuses where a commit would be lost."""
    assert g.workspace is not None
    return words("git", "-C", g.workspace.root, "branch", "-d", "--", *map(_short, refs))


# -- locks of git -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Lock:
    path: str
    age: float
    holders: tuple[int, ...]


def locks(g: Ground) -> Look:
    """Raises OSError."""
    if g.workspace is None:
        return Look(name=LOCKS, well=_unseen(g))
    common = g.workspace.common
    paths = [os.path.join(common, name) for name in SHARED_LOCKS] + all_refs(common).locks
    entries = os.path.join(common, "worktrees")
    names = sorted(os.listdir(entries)) if os.path.isdir(entries) else []
    paths += [os.path.join(entries, name, lock) for name in names for lock in OWN_LOCKS]
    there = [path for path in paths if os.path.lexists(path)]
    at_work = gits(g) if there else []
    found = [_lock(_Lock(p, g.now - _changed(p), tuple(_having(g, p))), at_work) for p in there[:LISTED]]
    if more := there[LISTED:]:
        what = f"{len(more)} more locks of git: {some(more)}"
        found.append(Finding(check=LOCKS, level="warning", what=what))
    return Look(name=LOCKS, well="none is left in the git dir", findings=tuple(found))


def _having(g: Ground, path: str) -> list[int]:
    return [] if link_of(path) else proc.who_has_open(path, g.table.procs)


def _lock(one: _Lock, at_work: list[int]) -> Finding:
    text = f"{one.path} is there since {ago(one.age)}: git refuses to write what it guards"
    if one.holders:
        who = some(f"pid {pid} ({shim.command_line(pid)[:80]})" for pid in one.holders)
        cure = words("ps", "-fp", ",".join(map(str, one.holders)))
        return Finding(check=LOCKS, level="warning", what=f"{text}; {who} has it open", cure=cure)
    if at_work or one.age < YOUNG:
        why = f"git is at work (pid {some(map(str, at_work))})" if at_work else "it may be in use"
        return Finding(check=LOCKS, level="advice", what=f"{text}; {why}: look again in 10 min")
    text = f"{text}; nobody has it open and no git is at work here"
    return Finding(check=LOCKS, level="warning", what=text, cure=words("rm", "--", one.path))
