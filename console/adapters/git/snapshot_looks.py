"""One look at a worktree, ready to be kept: its files, what git ignores there, its index and HEAD.

For a snapshot the worktree's present rules decide what is covered; for a rollback those of the snapshot do, and
everything that the rollback may take away is covered too.
"""

from __future__ import annotations

import contextlib
import os
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import msgspec

from console.adapters.git.binary import MIB, GitFailed, shown
from console.adapters.git.objects import tree_entries
from console.adapters.git.plainfiles import read_small
from console.adapters.git.rollback_place import root_of
from console.adapters.git.shadow import Repository, View
from console.adapters.git.snapshot_record import Scene, Stamp, folders_of, parents
from console.adapters.git.snapshot_rules import collapsed, index_of, rules_of, tracked_and_ignored, under
from console.adapters.git.snapshot_scan import UNDO_FILE_CAP, UNTRACKED_CAP, Look, TooMuch, Walk
from console.adapters.git.snapshot_store import Pack, SnapshotStore

NEW_CAP: Final = 500 * MIB
COPY_CAP: Final = 256 * MIB


@dataclass(frozen=True, slots=True)
class Site:
    """A worktree of the workspace: its real path, its git dir and a name for its files in the state folder."""

    worktree: str
    git_dir: str
    key: str


class Stamps(msgspec.Struct, frozen=True, array_like=True):
    """What the last kept look knew. borrowed: some of the ids are only in the repository, not in the store."""

    files: dict[bytes, tuple[Stamp, str]] = {}
    borrowed: bool = False


@dataclass(slots=True)
class Keeping:
    """Decides which bytes go into the pack: all that are not in the store, within the caps.

    base: ids of the files of HEAD; up to COPY_CAP of them are copied, so that losing the repository's objects loses
    nothing of the snapshot, the rest stays borrowed. Everything else may be NEW_CAP.
    """

    pack: Pack
    known: set[str]
    base_of: Callable[[], frozenset[str]]
    worktree: str
    trusting: bool = False
    fresh: int = 0
    copied: int = 0
    borrowed: int = 0
    _base: frozenset[str] | None = field(default=None)

    @property
    def base(self) -> frozenset[str]:
        if self._base is None:
            self._base = self.base_of()
        return self._base

    def holds(self, oid: str) -> bool:
        if oid in self.known or oid in self.pack.written:
            return True
        if self.trusting and oid in self.base:
            self.borrowed += 1
            return True
        return False

    def put(self, oid: str, body: bytes) -> None:
        if oid in self.known or oid in self.pack.written:
            return
        if oid in self.base:
            if self.copied + len(body) > COPY_CAP:
                self.borrowed += 1
                return
            self.copied += len(body)
        else:
            self.fresh += len(body)
            if self.fresh > NEW_CAP:
                raise TooMuch(
                    f"more than {NEW_CAP // MIB} MiB of files in {shown(self.worktree)} are new: add what is generated "
                    "to .gitignore or move it away"
                )
        self.pack.add("blob", body, oid)


class Looks:
    """Looks at one site. Nothing is kept unless the caller saves the pack and then `remember`s."""

    def __init__(self, repo: Repository, store: SnapshotStore, site: Site, room: Path) -> None:
        self._repo = repo
        self._store = store
        self._site = site
        self._room = room
        self._last = self._remembered()

    def keeping(self, pack: Pack) -> Keeping:
        known = self._store.known()
        return Keeping(pack, known, self._base, self._site.worktree, trusting=self._last.borrowed)

    def fresh(self, keeping: Keeping) -> tuple[Scene, Walk]:
        """Everything that is not ignored now. Raises OSError, GitFailed and TooMuch."""
        scene = self._begun()
        tracked, scene.ignored = tracked_and_ignored(self._repo, scene, self._room)
        walk = Walk(scene, Look(scene.ignored, tracked, keeping.put, keeping.holds, self._stamps()))
        with root_of(self._site.worktree) as root:
            walk.all(root)
        scene.rules = rules_of(scene)
        return scene, walk

    def against(self, target: Scene, keeping: Keeping) -> tuple[Scene, Walk]:
        """Everything that a rollback to the target is about. Raises OSError, GitFailed and TooMuch."""
        scene = self._begun()
        skip = target.ignored | target.skipped.keys()
        look = Look(skip, target.files.keys(), keeping.put, keeping.holds, self._stamps(), cap=UNDO_FILE_CAP)
        look.later = look.force = True
        walk = Walk(scene, look)
        with root_of(self._site.worktree) as root:
            try:
                walk.all(root)
                hidden = under(self._repo, self._store, target, look.put_off, self._room)
                wanted = [path for path in look.put_off if path not in hidden]
                if len(wanted) > UNTRACKED_CAP:
                    raise TooMuch(_many(self._site.worktree, wanted))
                look.later = False
                walk.these(root, wanted)
            finally:
                walk.close_again(root)
        # The undo is about the same paths as the rollback, whatever the .gitignore files say meanwhile.
        scene.rules, scene.exclude, scene.excludes = target.rules, target.exclude, target.excludes
        scene.ignored = target.ignored | collapsed(hidden, folders_of(scene.files) | target.dirs.keys())
        scene.dirs = {path: perm for path, perm in scene.dirs.items() if not _within(path, scene.ignored)}
        scene.busy = frozenset(folders_of([*hidden, *scene.skipped]))
        return scene, walk

    def _begun(self) -> Scene:
        repo, site = self._repo, self._site
        scene = Scene(site.worktree)
        scene.index, scene.shared = index_of(site.git_dir)
        scene.exclude = read_small(os.path.join(repo.workspace.common, "info", "exclude")) or b""
        scene.excludes = read_small(repo.operator_settings().excludes) or b""
        scene.ref, scene.tip = head_of(repo, site)
        return scene

    def _base(self) -> frozenset[str]:
        _, head = head_of(self._repo, self._site)
        return frozenset(entry.oid for entry in tree_entries(self._repo, View(), head).values())

    # -- stamps

    @property
    def _stamp_file(self) -> Path:
        return self._store.place / "stamps" / self._site.key

    def _remembered(self) -> Stamps:
        with contextlib.suppress(OSError, msgspec.MsgspecError):
            return msgspec.msgpack.decode(self._stamp_file.read_bytes(), type=Stamps)
        return Stamps()

    def _stamps(self) -> dict[str, tuple[Stamp, str]]:
        return {os.fsdecode(path): one for path, one in self._last.files.items()}

    def remember(self, walk: Walk, keeping: Keeping) -> None:
        """Spare the next look what this one read. Only for a look whose pack was saved."""
        files = {os.fsencode(path): one for path, one in walk.lasting().items()}
        fresh = self._room / "stamps"
        fresh.write_bytes(msgspec.msgpack.encode(Stamps(files, keeping.borrowed > 0)))
        os.replace(fresh, self._stamp_file)


def head_of(repo: Repository, site: Site) -> tuple[str, str]:
    """(ref HEAD stands for, its commit), empty as far as a wrecked git dir does not tell: files come first."""
    try:
        return repo.head(site.git_dir), repo.value("HEAD", site.git_dir)
    except GitFailed:
        return "", ""


def _within(path: str, ignored: frozenset[str]) -> bool:
    """True for an ignored folder and those below it."""
    return f"{path}/" in ignored or any(f"{one}/" in ignored for one in parents(path))


def _many(worktree: str, paths: list[str]) -> str:
    tops = Counter(path.partition("/")[0] for path in paths)
    most = shown(os.fsencode(tops.most_common(1)[0][0]))
    return (
        f"{len(paths):,} files in {shown(worktree)} are new since the snapshot, most of them in {most}, too many to be "
        "put back by an undo: move them away and roll back again"
    )
