"""The worktree of a ticket on a branch of its own: made once, whatever is cut off, and found again afterwards.

Reuses a branch or a folder only where a record of ours, written before it was made, or the shared git dir proves that
it is ours. Never touches another entry of the git dir, and deletes no folder that holds anything.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import shutil
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from console.adapters.git.binary import GitFailed, shown
from console.adapters.git.checkouts import fill_worktree
from console.adapters.git.freezing import keep_tip
from console.adapters.git.ourfiles import write_whole
from console.adapters.git.plainfiles import read_small
from console.adapters.git.refs import Tip, all_refs, head_of
from console.adapters.git.shadow import Repository
from console.adapters.git.worktrees import HEADS, folder_name, list_worktrees
from console.core.records import Refused
from console.engine.ports import Worktree

OURS = "nightdesk/"
_INITIALIZING = b"initializing"
PATIENCE = 120.0
"""Seconds to wait for another worktree that is being made."""


@dataclass(frozen=True, slots=True)
class Made:
    """What we set out to make. ref: the full branch name; base: the commit it began at. filled: its files were all
    written, so that somebody may have worked there since."""

    name: str
    ref: str
    base: str
    path: str
    filled: bool = False


class Records:
    """`<state>/worktrees/<hash of the branch>.json`, one a branch of ours, and the lock that makers hold."""

    def __init__(self, repo: Repository) -> None:
        self._folder = repo.state / "worktrees"

    @contextlib.contextmanager
    def locked(self, patience: float = PATIENCE) -> Iterator[int]:
        """One maker or remover at a time, in any process; the lock's descriptor, which a git of ours holds as well: one
        that outlives us is waited for, `patience` seconds. Raises GitFailed and OSError."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        deadline = time.monotonic() + patience
        with open(self._folder / "lock", "ab") as lock:
            while True:
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    if time.monotonic() > deadline:
                        raise GitFailed(
                            "another worktree is being made or removed: try again when it is done"
                        ) from None
                    time.sleep(0.05)
            yield lock.fileno()

    def of(self, ref: str) -> Made | None:
        try:
            return Made(**json.loads(self._file(ref).read_text("utf-8")))
        except (OSError, ValueError, TypeError):
            return None

    def all(self) -> list[Made]:
        found = (read_small(str(file)) for file in sorted(self._folder.glob("*.json")))
        made = []
        for body in found:
            with contextlib.suppress(ValueError, TypeError):
                made.append(Made(**json.loads(body or b"")))
        return made

    def write(self, made: Made) -> None:
        write_whole(self._file(made.ref), json.dumps(asdict(made)).encode())

    def forget(self, ref: str) -> None:
        self._file(ref).unlink(missing_ok=True)

    def _file(self, ref: str) -> Path:
        return self._folder / f"{hashlib.sha256(os.fsencode(ref)).hexdigest()[:24]}.json"


def ticket_worktree(repo: Repository, folder: Path, name: str, branch: str, base: str) -> Worktree | Refused:
    """See `console.engine.ports.Git.ticket_worktree`. Raises GitFailed and OSError."""
    short = branch.removeprefix(HEADS)
    if not short.startswith(OURS) or repo.real("check-ref-format", "--branch", short).code != 0:
        return Refused(reason=f"{shown(short)!r} cannot be a ticket's branch: it is {OURS} and a name that git takes")
    commit = repo.value(base or "HEAD")
    if not commit or (base and commit != base):
        what = f"{shown(base)[:40]} is no commit of {shown(repo.workspace.root)}"
        return Refused(reason=what if base else f"{shown(repo.workspace.root)} has no commit to start from")
    wanted = Made(name, HEADS + short, commit, os.path.join(os.path.realpath(folder), folder_name(name)))
    records = Records(repo)
    with records.locked() as lock:
        return _not_ours(repo, records, wanted) or _made(repo, records, wanted, lock)


# -- is it ours?


def _not_ours(repo: Repository, records: Records, wanted: Made) -> Refused | None:
    """Why this name cannot be used, or None."""
    short, path = shown(wanted.ref.removeprefix(HEADS)), shown(wanted.path)
    if clash := _clash(repo, records, wanted):
        return Refused(reason=clash)
    if holder := next((one for one in list_worktrees(repo) if one.ref == wanted.ref and one.path != wanted.path), None):
        return Refused(
            reason=f"the branch {short} is checked out in {shown(holder.path)}, which nightdesk did not make: "
            "switch that worktree to another branch"
        )
    if os.path.islink(wanted.path):
        return Refused(reason=f"{path} is a symbolic link: move it away, nothing of it is touched")
    entry, known = repo.git_dir_of(wanted.path), records.of(wanted.ref)
    head = (head_of(repo.workspace.common, entry) or Tip()) if entry else Tip()
    if head.ref and head.ref != wanted.ref and known is None:
        return Refused(
            reason=f"{path} is the worktree of {shown(head.ref.removeprefix(HEADS))} already: remove that one"
        )
    if tip := repo.value(wanted.ref):
        ours = (
            head.ref == wanted.ref or tip == wanted.base or (known is not None and (known.filled or tip == known.base))
        )
        if not ours or repo.real("symbolic-ref", "--quiet", wanted.ref).code == 0:
            return Refused(
                reason=f"the branch {short} exists already, at {tip[:10]}, and nightdesk did not make it: rename it "
                f"(`git branch -m {short} <name>`), or give the ticket another id"
            )
    if os.path.lexists(wanted.path) and not entry and not is_bare_folder(wanted.path):
        return Refused(reason=f"{path} exists already and is no worktree: move it away, nothing of it is touched")
    return None


def is_bare_folder(path: str) -> bool:
    """True for a folder that is empty, or holds nothing but the `.git` file of a worktree."""
    if os.path.islink(path) or not os.path.isdir(path):
        return False
    return set(os.listdir(path)) <= {".git"} and not os.path.isdir(os.path.join(path, ".git"))


def _clash(repo: Repository, records: Records, wanted: Made) -> str:
    """A branch or folder beside which this one cannot exist on every file system, as a sentence, or ""."""
    key, short = wanted.ref.casefold(), shown(wanted.ref.removeprefix(HEADS))
    for ref in sorted(all_refs(repo.workspace.common).values):
        other = ref.casefold()
        if ref != wanted.ref and (other == key or other.startswith(f"{key}/") or key.startswith(f"{other}/")):
            return (
                f"the branch {short} cannot exist beside {shown(ref.removeprefix(HEADS))}: give one of the tickets "
                "another id, or delete that branch"
            )
    name = os.path.basename(wanted.path)
    parent = os.path.dirname(wanted.path)
    for other in os.listdir(parent) if os.path.isdir(parent) else ():
        if other != name and other.casefold() == name.casefold():
            return f"{shown(wanted.path)} cannot exist beside {shown(other)} everywhere: give the ticket another id"
    taken = next((one for one in records.all() if one.path == wanted.path and one.ref != wanted.ref), None)
    if taken and os.path.lexists(wanted.path):
        return f"{shown(wanted.path)} is the worktree of {shown(taken.ref.removeprefix(HEADS))}"
    return ""


# -- making it, from wherever an earlier call was cut off


def _made(repo: Repository, records: Records, wanted: Made, lock: int) -> Worktree | Refused:
    known = records.of(wanted.ref)
    entry = repo.git_dir_of(wanted.path)
    tip = head_of(repo.workspace.common, entry) if entry else None
    whole = (
        tip is not None and bool(tip.ref or tip.oid.strip("0")) and os.path.isfile(os.path.join(wanted.path, ".git"))
    )
    if known is None and entry and whole:
        # The record was lost with the state folder: what is registered here and on our branch is taken as it is.
        known = replace(wanted, base=repo.value(wanted.ref), filled=os.path.lexists(os.path.join(entry, "index")))
    if entry and whole and known and known.filled:
        records.write(known)
        return _found(repo, wanted)
    making = replace(wanted, base=repo.value(wanted.ref) or wanted.base)
    records.write(making)
    if not whole and (refused := _taken_down(repo, wanted, entry) or _added(repo, making, lock)):
        return refused
    entry = repo.git_dir_of(wanted.path)
    _unlock(entry)
    fill_worktree(repo, making.base, wanted.path, Path(entry, "index"), lock)
    records.write(replace(making, filled=True))
    return _found(repo, wanted)


def _found(repo: Repository, wanted: Made) -> Worktree | Refused:
    entry = repo.git_dir_of(wanted.path)
    tip = head_of(repo.workspace.common, entry)
    if tip is None or tip.ref != wanted.ref:
        branch, path = shown(wanted.ref.removeprefix(HEADS)), shown(wanted.path)
        return Refused(reason=f"{path} is not on {branch} any more: go back with `git -C {path} switch {branch}`")
    return Worktree(path=wanted.path, ref=wanted.ref, head=tip.oid)


def _taken_down(repo: Repository, wanted: Made, entry: str) -> Refused | None:
    """Take away our own entry without a folder, and a folder that holds nothing yet."""
    if os.path.lexists(wanted.path):
        if not is_bare_folder(wanted.path):
            return Refused(
                reason=f"{shown(wanted.path)} has files but is no whole worktree: look what is in it and move it away"
            )
        with contextlib.suppress(FileNotFoundError):
            os.unlink(os.path.join(wanted.path, ".git"))
        os.rmdir(wanted.path)
    if entry:
        drop_entry(repo, entry)
    return None


def drop_entry(repo: Repository, entry: str) -> None:
    """Git forgets one linked worktree, and no other; a commit that only its HEAD has is kept in the shadow.

    Raises GitFailed when it is no entry of the shared git dir, and OSError.
    """
    common = repo.workspace.common
    if os.path.dirname(entry) != os.path.join(common, "worktrees") or os.path.realpath(entry) != entry:
        raise GitFailed(f"{shown(entry)} is no entry of a linked worktree")
    tip = head_of(common, entry)
    if tip and tip.oid and not tip.ref and not tip.oid.startswith("0" * 40):
        with contextlib.suppress(GitFailed):
            keep_tip(repo, repo.value("HEAD"), tip.oid)
    shutil.rmtree(entry)
    with contextlib.suppress(OSError):
        os.rmdir(os.path.dirname(entry))


def _added(repo: Repository, making: Made, lock: int) -> Refused | None:
    short = making.ref.removeprefix(HEADS)
    Path(making.path).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    how = ("--no-track", "--no-checkout", "-q")
    at = (making.path, short) if repo.value(making.ref) else ("-b", short, making.path, making.base)
    ran = repo.real("worktree", "add", *(how if at[0] == "-b" else how[1:]), *at, timeout=600, hold=lock)
    if ran.code != 0:
        return Refused(reason=f"git could not add the worktree {shown(making.path)}: {ran.complaint()}")
    return None


def _unlock(entry: str) -> None:
    """Take away the locks that a git of ours left behind when it was ended in the middle: nobody has worked there."""
    with contextlib.suppress(FileNotFoundError):
        os.unlink(os.path.join(entry, "index.lock"))
    locked = os.path.join(entry, "locked")
    if (read_small(locked) or b"").strip() == _INITIALIZING:
        os.unlink(locked)
