"""Takes out of a list of changed names those that only look changed: raw bytes that are the tree's, content that is
kept in Git LFS, files outside a sparse checkout.

Only ever decides what is listed; the bytes of a plan are always read anew.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from console.adapters.git.attributes import Rules, attributes_of
from console.adapters.git.indexes import skipped
from console.adapters.git.lfs import POINTER_CAP, Pointer, pointer_in
from console.adapters.git.naming import path_problem
from console.adapters.git.objects import Entry, proved_in, sizes_in
from console.adapters.git.reading import Content, Streamed, opened, read_path, read_with, streaming
from console.adapters.git.shadow import Repository, View
from console.core.paths import text_of

LOOKED_AT = 2000
LFS_BYTES = 16 << 30
"""At most so much content is read for one list; what lies beyond is listed as changed."""


@dataclass(frozen=True, slots=True)
class Compared:
    """A worktree and what it is compared with. sparse: what its sparse checkout leaves out is not missing. entries: the
    tree's, asked for only when they decide; view: where its objects are."""

    worktree: str
    rules: Rules
    sparse: bool
    entries: Callable[[], Mapping[bytes, Entry]]
    view: View


def still_changed(repo: Repository, this: Compared, names: set[bytes]) -> set[bytes]:
    """The names that really differ. Raises GitFailed."""
    worktree, rules = this.worktree, this.rules
    root = os.fsencode(worktree)
    absent = {name for name in names if not os.path.lexists(os.path.join(root, name))}
    left = names - (absent & _left_out(repo, worktree) if absent and this.sparse else set())
    looked_at = {name for name in left - absent if not name.endswith(b"/")}
    if not rules.any or not looked_at:
        return left
    known = this.entries()
    tracked = {name: known[name] for name in sorted(looked_at) if name in known}
    with opened(worktree) as folder:
        same = {name for name in list(tracked)[:LOOKED_AT] if _raw(folder, name, tracked[name])}
        rest = {name: entry for name, entry in tracked.items() if name not in same}
        if rules.lfs and rest:
            same |= _in_lfs(repo, this, folder, rest)
    return left - same


def _left_out(repo: Repository, worktree: str) -> set[bytes]:
    git_dir = repo.git_dir_of(worktree)
    return skipped(repo, git_dir) if git_dir else set()


def _raw(folder: int, name: bytes, entry: Entry) -> bool:
    """True when the bytes on disk are the tree's, which git would convert now."""
    path = text_of(name)
    found = None if path_problem(path) else read_path(folder, path)
    return isinstance(found, Content) and found.entry == entry


def _in_lfs(repo: Repository, this: Compared, folder: int, changed: Mapping[bytes, Entry]) -> set[bytes]:
    worktree, rules = this.worktree, this.rules
    rows = attributes_of(repo, rules, changed)
    ours = {name: entry for name, entry in changed.items() if rows.get(name, {}).get("filter") == "lfs"}
    pointers = _pointers(repo, this.view, ours)
    memory = _Memory(repo, worktree)
    budget, same = LFS_BYTES, set()
    for name, pointer in pointers.items():
        status = os.lstat(os.path.join(os.fsencode(worktree), name))
        budget -= pointer.size
        if (
            status.st_size == pointer.size
            and budget > 0
            and memory.hash_of(folder, name, ours[name].mode) == pointer.oid
        ):
            same.add(name)
    memory.keep()
    return same


def _pointers(repo: Repository, view: View, entries: Mapping[bytes, Entry]) -> dict[bytes, Pointer]:
    oids = {entry.oid for entry in entries.values() if entry.mode.startswith("100")}
    small = [oid for oid, size in sizes_in(repo, view, oids).items() if size < POINTER_CAP]
    bodies = proved_in(repo, view, small)
    found = {}
    for name, entry in entries.items():
        pointer = pointer_in(bodies[entry.oid][1]) if entry.oid in bodies else None
        if pointer:
            found[name] = pointer
    return found


class _Memory:
    """The sha256 of large files by their stat, between calls; only of files that have been still for two seconds."""

    def __init__(self, repo: Repository, worktree: str) -> None:
        name = hashlib.sha256(os.fsencode(os.path.realpath(worktree))).hexdigest()[:20]
        self._file = repo.state / "indexes" / f"{name}.lfs.json"
        self._worktree = os.fsencode(worktree)
        self._known = _loaded(self._file)
        self._seen: dict[str, list[object]] = {}

    def hash_of(self, folder: int, name: bytes, mode: str) -> str:
        """The file's sha256, "" when it is no file of this mode."""
        path = text_of(name)
        stamp = self._stamp(name)
        if stamp and self._known.get(path, [None])[:-1] == stamp:
            self._seen[path] = self._known[path]
            return str(self._known[path][-1])
        found = None if path_problem(path) else read_with(folder, path, streaming(None, LFS_BYTES))
        if not isinstance(found, Streamed) or found.mode != mode:
            return ""
        if stamp and stamp == self._stamp(name) and time.time_ns() - int(str(stamp[-1])) > 2_000_000_000:
            self._seen[path] = [*stamp, found.sha256]
        return found.sha256

    def keep(self) -> None:
        if self._seen != self._known:
            part = self._file.with_name(f"{self._file.name}.{os.getpid()}")
            part.write_text(json.dumps(self._seen), "utf-8")
            os.replace(part, self._file)

    def _stamp(self, name: bytes) -> list[object]:
        try:
            status = os.lstat(os.path.join(self._worktree, name))
        except OSError:
            return []
        return [status.st_dev, status.st_ino, status.st_mode, status.st_size, status.st_mtime_ns, status.st_ctime_ns]


def _loaded(file: Path) -> dict[str, list[object]]:
    try:
        return dict(json.loads(file.read_text("utf-8")))
    except (OSError, ValueError):
        return {}
