"""What a snapshot knows of a worktree, as plain values, and how they are merged and written as git trees.

Pure. Paths are text as the file system functions give it (bytes that are no UTF-8 as surrogates), without a
leading or trailing slash.
"""

from __future__ import annotations

import json
import os
import stat
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from console.adapters.git.objects import LINK, object_id

FILE = "100644"
PROGRAM = "100755"

Stamp = tuple[int, int, int, int, int, int]
"""Device, inode, mode, size, mtime and ctime in ns: a file with the same stamp was not written to in between."""


class Item(NamedTuple):
    """One covered file or link: git's mode, blob id and the permission bits (0 for a link)."""

    mode: str
    oid: str
    perm: int


class Skipped(NamedTuple):
    """Something no snapshot holds; `why` completes "<path> ...". mark: inode, size and times, () for a folder."""

    why: str
    mark: tuple[int, ...] = ()


@dataclass(slots=True)
class Scene:
    """A worktree at one moment. dirs: every folder with covered content or none at all, and its permission bits.

    ignored: files, and folders with a trailing slash, that are no business of a rollback. index: raw bytes of the
    operator's index (None: there is none), shared: the other half of a split one by name. The ignore rules that say
    what is covered: rules, {path of a .gitignore: blob id}; exclude, the repository's; excludes, the operator's own.
    ref, tip: HEAD. When just looked at, stamps: of `files`; busy: folders with something in them that is not covered.
    """

    worktree: str
    files: dict[str, Item] = field(default_factory=dict)
    dirs: dict[str, int] = field(default_factory=dict)
    skipped: dict[str, Skipped] = field(default_factory=dict)
    ignored: frozenset[str] = frozenset()
    index: bytes | None = None
    shared: dict[str, bytes] = field(default_factory=dict)
    rules: dict[str, str] = field(default_factory=dict)
    exclude: bytes = b""
    excludes: bytes = b""
    ref: str = ""
    tip: str = ""
    stamps: dict[str, Stamp] = field(default_factory=dict)
    busy: frozenset[str] = frozenset()


def stamp(status: os.stat_result) -> Stamp:
    s = status
    return (s.st_dev, s.st_ino, s.st_mode, s.st_size, s.st_mtime_ns, s.st_ctime_ns)


def mark(status: os.stat_result) -> tuple[int, ...]:
    return (status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)


def file_item(status: os.stat_result, oid: str) -> Item:
    return Item(PROGRAM if status.st_mode & stat.S_IXUSR else FILE, oid, stat.S_IMODE(status.st_mode))


def parents(path: str) -> Iterator[str]:
    """The folders above a path, innermost first."""
    at = path.rfind("/")
    while at > 0:
        yield path[:at]
        at = path.rfind("/", 0, at)


def folders_of(paths: Iterable[str]) -> set[str]:
    """Every folder above any of the paths."""
    found: set[str] = set()
    for path in paths:
        for folder in parents(path):
            if folder in found:
                break
            found.add(folder)
    return found


def merged(now: Scene, target: Scene, earlier: Scene) -> Scene:
    """What an interrupted rollback to `target` has to be able to undo: `earlier` where it already did its work, what
    is there now everywhere else."""
    fresh = {path: item for path, item in now.files.items() if item != target.files.get(path)}
    undone = {path: item for path, item in earlier.files.items() if now.files.get(path) == target.files.get(path)}
    busy = folders_of(fresh)
    free = {p: item for p, item in undone.items() if p not in busy and not any(one in fresh for one in parents(p))}
    files = free | fresh
    # Permission bits of folders say nothing: a rollback opens them up, and gives them their own ones last.
    dirs = {path: perm for path, perm in now.dirs.items() if path not in target.dirs}
    dirs |= {p: perm for p, perm in earlier.dirs.items() if (p in now.dirs) == (p in target.dirs)}
    implied = {path: now.dirs.get(path, earlier.dirs.get(path, 0o755)) for path in folders_of(files)}
    dirs = implied | {path: perm for path, perm in dirs.items() if path not in files}
    worked = now.index == target.index
    return replace(
        now,
        files=files,
        dirs=dirs,
        ignored=now.ignored | earlier.ignored,
        skipped=earlier.skipped | now.skipped,
        index=earlier.index if worked else now.index,
        shared=earlier.shared | now.shared if worked else now.shared,
    )


# -- as git objects


def trees(entries: Mapping[str, tuple[str, str]]) -> tuple[str, dict[str, bytes]]:
    """(id of the root tree, {id: body} of all trees) for {path: (mode, blob id)}."""
    rows: dict[str, dict[bytes, tuple[str, str]]] = {"": {}}
    for path, entry in entries.items():
        folder, _, name = path.rpartition("/")
        rows.setdefault(folder, {})[os.fsencode(name)] = entry
    for folder in folders_of(entries):
        rows.setdefault(folder, {})
    bodies: dict[str, bytes] = {}
    for folder in sorted(rows, key=lambda one: one.count("/") + bool(one), reverse=True):
        body = _tree_body(rows[folder])
        oid = object_id("tree", body)
        bodies[oid] = body
        if folder:
            above, _, name = folder.rpartition("/")
            rows[above][os.fsencode(name)] = ("40000", oid)
    return oid, bodies


def _tree_body(rows: Mapping[bytes, tuple[str, str]]) -> bytes:
    ordered = sorted(rows.items(), key=lambda row: row[0] + b"/" if row[1][0] == "40000" else row[0])
    return b"".join(mode.encode() + b" " + name + b"\0" + bytes.fromhex(oid) for name, (mode, oid) in ordered)


# -- what a tree cannot say


def meta_of(scene: Scene) -> bytes:
    """Permission bits that are not the usual ones, folders without files, what was skipped, where HEAD was."""
    usual = {mode: _usual(item.perm for item in scene.files.values() if item.mode == mode) for mode in (FILE, PROGRAM)}
    usual["dir"] = _usual(scene.dirs.values())
    odd = {p: item.perm for p, item in scene.files.items() if item.mode != LINK and item.perm != usual[item.mode]}
    implied = folders_of(scene.files)
    found: dict[str, Any] = {
        "worktree": scene.worktree,
        "ref": scene.ref,
        "tip": scene.tip,
        "usual": usual,
        "odd": odd,
        "odd_dirs": {path: perm for path, perm in scene.dirs.items() if perm != usual["dir"]},
        "dirs": sorted(path for path in scene.dirs if path not in implied),
        "skipped": {path: [one.why, *one.mark] for path, one in scene.skipped.items()},
        "index": scene.index is not None,
    }
    return json.dumps(found, sort_keys=True).encode()


def scene_from(meta: bytes, entries: Mapping[str, tuple[str, str]], ignored: bytes) -> Scene:
    """The other way round; entries: {path: (mode, blob id)} of the worktree's tree."""
    said = json.loads(meta)
    usual, odd, odd_dirs = said["usual"], said["odd"], said["odd_dirs"]
    files = {p: Item(m, o, 0 if m == LINK else odd.get(p, usual[m])) for p, (m, o) in entries.items()}
    folders = folders_of(files) | folders_of(said["dirs"]) | set(said["dirs"])
    return Scene(
        worktree=said["worktree"],
        files=files,
        dirs={path: odd_dirs.get(path, usual["dir"]) for path in folders},
        skipped={path: Skipped(row[0], tuple(row[1:])) for path, row in said["skipped"].items()},
        ignored=frozenset(os.fsdecode(ignored).split("\0")) - {""},
        ref=said["ref"],
        tip=said["tip"],
        index=b"" if said["index"] else None,
    )


def _usual(perms: Iterable[int]) -> int:
    counted = Counter(perms).most_common(1)
    return counted[0][0] if counted else 0
