"""Snapshots and rollback of worktrees: the one object the supervisor is given for them.

All of it lives in a store of our own in the state folder; the operator's refs, stash, index and objects are only read,
but for the index bytes that a rollback puts back under git's own lock. Every call blocks.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import re
import secrets
import time
from collections.abc import Callable, Iterator, Set
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final, TypeVar

from console.adapters.git.binary import GitFailed, shown
from console.adapters.git.rollback import Rollback, steps_between
from console.adapters.git.rollback_index import drop_own_lock, head_moved, put_index
from console.adapters.git.rollback_place import Blocked, Place, mark_at, root_of
from console.adapters.git.shadow import Repository
from console.adapters.git.snapshot_looks import Keeping, Looks, Site
from console.adapters.git.snapshot_record import Scene, merged
from console.adapters.git.snapshot_scan import TooMuch
from console.adapters.git.snapshot_store import SnapshotStore
from console.core.records import Refused
from console.engine.ports import RolledBack, Snapshot

SHOWN_AT_MOST: Final = 200
NAMED_AT_MOST: Final = 20
KEPT_SECONDS: Final = 14 * 24 * 3600
PATIENCE: Final = 60.0
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]*(/[A-Za-z0-9][A-Za-z0-9-]*)*")
_ID = re.compile(r"[0-9a-f]{40}")

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Journal:
    """A rollback that has begun. undo: the snapshot from before it; token: the name of incomplete files.

    done: it is complete; asked for again because its answer was lost, it still has the same undo.
    """

    target: str
    undo: str
    token: str
    done: bool = False


class ShadowSnapshots:
    """`console.engine.ports.Snapshots` for one workspace; several threads and processes may call at once."""

    def __init__(self, repo: Repository) -> None:
        self._repo = repo
        self._store = SnapshotStore(repo)
        repo.prepare()
        self._store.prepare()

    # -- the port

    def take(self, worktree: str, name: str, when: int) -> Snapshot | Refused:
        if not _NAME.fullmatch(name) or name.startswith("undo/"):
            return Refused(reason=f'"{shown(name)}" is no name for a snapshot: letters, digits, "-" and "/" only')
        return self._at(worktree, lambda site: self._take(site, name, when))

    def changes(self, worktree: str, snapshot: str) -> tuple[str, ...] | Refused:
        def look(site: Site) -> tuple[str, ...] | Refused:
            target = self._target(site, snapshot)
            if isinstance(target, Refused):
                return target
            with self._looking(site) as (looks, keeping):
                now, _ = looks.against(target, keeping)
            return steps_between(now, target).lines()

        return self._at(worktree, look)

    def restore(self, worktree: str, snapshot: str, when: int) -> RolledBack | Refused:
        def go(site: Site) -> RolledBack | Refused:
            target = self._target(site, snapshot)
            return target if isinstance(target, Refused) else self._restore(site, snapshot, target, when)

        return self._at(worktree, go)

    def collect(self, keep: frozenset[str], now: int) -> int:
        """0 too when a snapshot or rollback is under way. Raises GitFailed."""
        try:
            with self._locked("store", fcntl.LOCK_EX, 0.0):
                begun = {one for journal in self._journals() for one in (journal.target, journal.undo)}
                return self._store.collect(keep | begun, now - KEPT_SECONDS)
        except TimeoutError:
            return 0

    # -- taking

    def _take(self, site: Site, name: str, when: int) -> Snapshot:
        began = time.monotonic()
        with self._looking(site) as (looks, keeping):
            scene, walk = looks.fresh(keeping)
            self._drop_litter(site, scene)
            commit = self._store.save(keeping.pack, keeping.known, scene, name, when)
            looks.remember(walk, keeping)
        self._journal_of(site).unlink(missing_ok=True)
        return _snapshot(commit, scene, when, began, keeping)

    def _target(self, site: Site, snapshot: str) -> Scene | Refused:
        scene = self._store.load(snapshot) if _ID.fullmatch(snapshot) else None
        if scene is None:
            return Refused(reason=f"there is no snapshot {shown(snapshot)[:40]} any more: they are kept 14 days")
        if scene.worktree != site.worktree:
            of, here = shown(scene.worktree), shown(site.worktree)
            return Refused(reason=f"snapshot {snapshot[:10]} is of {of}, not of {here}: name one of that worktree")
        return scene

    # -- rolling back

    def _restore(self, site: Site, snapshot: str, target: Scene, when: int) -> RolledBack:
        began = time.monotonic()
        with self._looking(site) as (looks, keeping):
            now, walk = looks.against(target, keeping)
            journal = self._begun(site, snapshot)
            self._drop_litter(site, now)
            if self._cleared(site, now.skipped.keys() - target.skipped.keys(), journal):
                now, walk = looks.against(target, keeping)
            steps = steps_between(now, target)
            idle = not steps.rows and now.index == target.index
            kept = self._with_earlier(now, target, journal if idle or not journal.done else None)
            name = f"undo/{site.key}/{when}-{secrets.token_hex(4)}"
            commit = self._store.save(keeping.pack, keeping.known, kept, name, when)
            looks.remember(walk, keeping)
        undo = _snapshot(commit, kept, when, began, keeping)
        self._write_journal(site, Journal(snapshot, commit, journal.token))
        with root_of(site.worktree) as root:
            rollback = Rollback(self._store, Place(root, journal.token), now, target)
            rollback.run(steps)
        notes = tuple(put_index(self._repo, site, target, journal.token))
        left = (*self._left(site, target, rollback), *notes, *head_moved(self._repo, site, target))
        self._write_journal(site, Journal(snapshot, commit, journal.token, done=True))
        lines = steps.lines()
        return RolledBack(undo=undo, changed=lines[:SHOWN_AT_MOST], count=len(lines), left=left)

    def _cleared(self, site: Site, fresh: Set[str], journal: Journal) -> bool:
        """Unlink pipes and sockets that an agent's server left: nothing in them could be lost. Those in the
        operator's own checkout may be in use."""
        if not fresh or site.worktree == self._repo.workspace.root:
            return False
        with root_of(site.worktree) as root:
            for path in fresh:
                with contextlib.suppress(Blocked):
                    Place(root, journal.token).clear(path)
            return any(mark_at(root, path) is None for path in fresh)

    def _with_earlier(self, now: Scene, target: Scene, journal: Journal | None) -> Scene:
        earlier = self._store.load(journal.undo) if journal and journal.undo else None
        kept = merged(now, target, earlier) if earlier else now
        return replace(kept, skipped=target.skipped | kept.skipped)

    def _left(self, site: Site, target: Scene, rollback: Rollback) -> tuple[str, ...]:
        """What still differs, by a second look."""
        with self._looking(site) as (looks, keeping):
            now, _ = looks.against(target, keeping)
        steps = steps_between(now, target)
        reasons = rollback.blocked | {path: one.why for path, one in now.skipped.items()}
        reasons |= {path: "was put here during the rollback" for path in steps.remove if path not in reasons}
        rows = [_reason(path, reasons.get(path, "differs")) for path in sorted(steps.rows.keys() | now.skipped.keys())]
        return (*rows, *_uncovered_changes(site.worktree, target))

    # -- looking

    @contextlib.contextmanager
    def _looking(self, site: Site) -> Iterator[tuple[Looks, Keeping]]:
        with self._repo.scratch() as room, self._store.packing() as pack:
            looks = Looks(self._repo, self._store, site, room)
            yield looks, looks.keeping(pack)

    def _at(self, worktree: str, work: Callable[[Site], Result | Refused]) -> Result | Refused:
        """Work on a worktree under its lock; what git or the file system cannot do becomes a refusal."""
        place = os.path.realpath(worktree)
        if place in ("/", os.path.realpath(self._repo.environ.get("HOME", "/"))):
            return Refused(reason=f"{shown(place)} is a home or the root folder: run the console in a project's folder")
        git_dir = self._repo.git_dir_of(place)
        if not git_dir:
            return Refused(reason=f"{shown(place)} is no worktree of {shown(self._repo.workspace.root)}")
        site = Site(place, git_dir, hashlib.sha256(os.fsencode(place)).hexdigest()[:20])
        try:
            with self._locked(site.key, fcntl.LOCK_EX), self._locked("store", fcntl.LOCK_SH):
                return work(site)
        except (GitFailed, TooMuch) as error:
            return Refused(reason=error.reason)
        except TimeoutError:
            return Refused(reason=f"another snapshot or rollback of {shown(place)} has not ended: try again later")
        except OSError as error:
            return Refused(reason=f"{shown(error.filename or place)}: {error.strerror}: put that right and try again")

    @contextlib.contextmanager
    def _locked(self, name: str, how: int, patience: float = PATIENCE) -> Iterator[None]:
        """Hold a lock. Raises TimeoutError. It ends with the process, whatever ends that."""
        handle = os.open(self._store.place / f"{name}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            deadline = time.monotonic() + patience
            while not _flock(handle, how):
                if time.monotonic() >= deadline:
                    raise TimeoutError
                time.sleep(0.02)
            yield
        finally:
            os.close(handle)

    # -- the journal

    def _journal_of(self, site: Site) -> Path:
        return self._store.place / "rollbacks" / site.key

    def _journals(self) -> Iterator[Journal]:
        for file in (self._store.place / "rollbacks").iterdir():
            if not file.name.endswith(".new"):
                yield Journal(**json.loads(file.read_bytes()))

    def _begun(self, site: Site, snapshot: str) -> Journal:
        """The rollback to this snapshot that was cut off, else a new one."""
        with contextlib.suppress(FileNotFoundError):
            found = Journal(**json.loads(self._journal_of(site).read_bytes()))
            return found if found.target == snapshot else Journal(snapshot, "", found.token)
        return Journal(snapshot, "", f".nightdesk-{secrets.token_hex(8)}")

    def _write_journal(self, site: Site, journal: Journal) -> None:
        place = self._journal_of(site)
        fresh = place.with_name(f"{place.name}.new")
        with open(fresh, "wb") as file:
            file.write(json.dumps(asdict(journal)).encode())
            file.flush()
            os.fsync(file.fileno())
        os.replace(fresh, place)

    def _drop_litter(self, site: Site, scene: Scene) -> None:
        """Take away what a rollback that was cut off left: its lock, and its incomplete file from tree and scene."""
        try:
            token = json.loads(self._journal_of(site).read_bytes())["token"]
        except FileNotFoundError:
            return
        drop_own_lock(self._repo, site, token)
        for path in [path for path in scene.files if path.rpartition("/")[2] == token]:
            with root_of(site.worktree) as root:
                Place(root, token).remove_litter(path)
            del scene.files[path]


def _flock(handle: int, how: int) -> bool:
    try:
        fcntl.flock(handle, how | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _snapshot(commit: str, scene: Scene, when: int, began: float, keeping: Keeping) -> Snapshot:
    uncovered = [_reason(path, one.why) for path, one in sorted(scene.skipped.items())]
    uncovered += _some([_reason(path, "(ignored)") for path in sorted(scene.ignored)], "ignored files and folders")
    if keeping.borrowed:
        uncovered.append(
            f"{keeping.borrowed} unchanged files are kept by the repository alone: together they are too big to copy"
        )
    return Snapshot(
        snapshot=commit,
        worktree=scene.worktree,
        when=when,
        files=len(scene.files),
        seconds=round(time.monotonic() - began, 3),
        uncovered=tuple(uncovered),
    )


def _reason(path: str, why: str) -> str:
    return f"{shown(os.fsencode(path))} {why}"


def _some(rows: list[str], what: str) -> list[str]:
    more = len(rows) - NAMED_AT_MOST
    return [*rows[:NAMED_AT_MOST], f"and {more} more {what}"] if more > 0 else rows


def _uncovered_changes(worktree: str, target: Scene) -> Iterator[str]:
    """What the snapshot did not cover and is gone or not the same any more."""
    with root_of(worktree) as root:
        gone = [path for path in sorted(target.ignored) if mark_at(root, path.rstrip("/")) is None]
        rows = [_reason(path, "is gone: it was ignored, and ignored files are not covered") for path in gone]
        yield from _some(rows, "ignored files and folders are gone")
        for path, one in sorted(target.skipped.items()):
            now = mark_at(root, path)
            if now is None or (one.mark and now != one.mark):
                yield _reason(path, f"{'is gone' if now is None else 'has changed'}; it is not covered: it {one.why}")
