"""From one scene of a worktree to another: what has to be done (pure), then doing it, rules first, deletions next.

Only listed paths are touched, each through open folders; nothing here asks git about the worktree.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from console.adapters.git.binary import shown
from console.adapters.git.objects import LINK
from console.adapters.git.rollback_place import Blocked, Place
from console.adapters.git.snapshot_record import Item, Scene, folders_of
from console.adapters.git.snapshot_rules import is_rules
from console.adapters.git.snapshot_store import SnapshotStore

LOST = "cannot be put back: its bytes are lost, or somebody planted others in the repository under their name"


@dataclass(slots=True)
class Steps:
    """What leads from one scene to the other. All are paths; `clear` may hold anything that is no file."""

    remove: list[str] = field(default_factory=list)
    write: list[str] = field(default_factory=list)
    modes: list[str] = field(default_factory=list)
    folders: list[str] = field(default_factory=list)
    unfolders: list[str] = field(default_factory=list)
    clear: list[str] = field(default_factory=list)
    folder_modes: list[str] = field(default_factory=list)
    rows: dict[str, str] = field(default_factory=dict)

    def lines(self) -> tuple[str, ...]:
        """ "M path", "A path" (put back), "D path" (taken away), by path."""
        return tuple(f"{self.rows[path]} {shown(os.fsencode(path))}" for path in sorted(self.rows))


def steps_between(now: Scene, target: Scene) -> Steps:
    """What makes `now` the target. Both were looked at under the target's rules of what is covered."""
    steps = Steps()
    for path, item in target.files.items():
        _step(steps, path, now.files.get(path), item)
    gone = [path for path in now.files if path not in target.files]
    steps.remove = gone
    steps.rows |= dict.fromkeys(gone, "D")
    steps.folders = sorted(path for path in target.dirs if path not in now.dirs)
    extra = (path for path in now.dirs if path not in target.dirs and path not in now.busy)
    steps.unfolders = sorted(extra, key=_depth, reverse=True)
    in_the_way = target.files.keys() | target.dirs.keys()
    steps.clear = [path for path in now.skipped if path in in_the_way]
    kept = [path for path, perm in target.dirs.items() if now.dirs.get(path) not in (None, perm)]
    steps.folder_modes = kept
    # Folders that a path implies need no row of their own.
    steps.rows |= {path: "M" for path in kept} | dict.fromkeys(set(steps.folders) - folders_of(target.files), "A")
    steps.rows |= dict.fromkeys(set(steps.unfolders) - folders_of(now.files), "D")
    return steps


def _step(steps: Steps, path: str, before: Item | None, item: Item) -> None:
    if before == item:
        return
    steps.rows[path] = "M" if before else "A"
    same_bytes = before is not None and before.oid == item.oid and LINK not in (before.mode, item.mode)
    (steps.modes if same_bytes else steps.write).append(path)


def _depth(path: str) -> int:
    return path.count("/")


@dataclass(slots=True)
class Rollback:
    """One rollback under way. blocked: {path: why} of steps that could not be done."""

    store: SnapshotStore
    place: Place
    now: Scene
    target: Scene
    blocked: dict[str, str] = field(default_factory=dict)
    _written: set[str] = field(default_factory=set)

    def run(self, steps: Steps) -> None:
        """Do the steps. One that cannot be done is noted; the others go on."""
        self._open_up(steps)
        rules = [path for path in steps.write if is_rules(path)]
        self._remove(path for path in steps.remove if is_rules(path))
        self._write(path for path in rules if self.now.dirs.keys() >= folders_of([path]))
        self._remove(path for path in steps.remove if not is_rules(path))
        for path in steps.clear:
            with self._noting(path):
                self.place.clear(path)
        for path in steps.unfolders:
            self.place.remove_folder(path)
        for path in steps.folders:
            with self._noting(path):
                self.place.make_folder(path)
        self._write(path for path in steps.write if path not in self._written)
        self._modes(steps)

    @contextlib.contextmanager
    def _noting(self, path: str) -> Iterator[None]:
        try:
            yield
        except Blocked as error:
            self.blocked[path] = error.why

    def _open_up(self, steps: Steps) -> None:
        touched = folders_of([*steps.write, *steps.remove, *steps.modes, *steps.folders, *steps.unfolders])
        for path in sorted(touched):
            if self.now.dirs.get(path, 0o700) & 0o700 != 0o700:
                with self._noting(path):
                    self.place.open_up(path)

    def _remove(self, paths: Iterable[str]) -> None:
        for path in paths:
            with self._noting(path):
                self.place.remove(path, self.now.stamps[path])

    def _write(self, paths: Iterable[str]) -> None:
        wanted: dict[str, list[str]] = {}
        for path in paths:
            wanted.setdefault(self.target.files[path].oid, []).append(path)
        for bodies in self.store.batches(wanted):
            for oid, body in bodies.items():
                for path in wanted.pop(oid):
                    self._put(path, body)
        self.blocked |= {path: LOST for paths_of in wanted.values() for path in paths_of}

    def _put(self, path: str, body: bytes) -> None:
        item = self.target.files[path]
        with self._noting(path):
            self.place.write(path, item, body, self.now.stamps.get(path))
            self._written.add(path)

    def _modes(self, steps: Steps) -> None:
        for path in steps.modes:
            with self._noting(path):
                self.place.set_mode(path, self.target.files[path].perm, self.now.stamps[path])
        opened = {path for path in folders_of(steps.rows) if path in self.target.dirs}
        for path in sorted({*steps.folders, *steps.folder_modes, *opened}, key=_depth, reverse=True):
            with self._noting(path):
                self.place.set_mode(path, self.target.dirs[path], None)
