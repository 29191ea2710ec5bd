"""Makes a candidate commit from entries on a base and seals it into a store that needs no other objects for its diff.

Every object is hashed on its way into the store, and the post-condition (base and tree differ in exactly what was
asked for) is checked there, where no planted object, replace ref or alternate can answer instead.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from console.adapters.git.binary import GitFailed, shown
from console.adapters.git.indexes import index_info
from console.adapters.git.lfs import POINTER_CAP, Pointer, keep, pointer_in
from console.adapters.git.objects import ABSENT, GITLINK, Change, Entry, compare, pack, proved_in, sizes_in
from console.adapters.git.shadow import EMPTY_TREE, Repository, View
from console.core.paths import bytes_of, text_of
from console.core.records import Frozen, Identity, PlanPath, Refused

MESSAGE_CAP = 64 * 1024
_DIFF = ("-p", "-r", "--full-index", "--no-renames", "--no-color", "--no-ext-diff", "--no-textconv")


@dataclass(frozen=True, slots=True)
class Candidate:
    """What the commit is to be: `wanted` entries (ABSENT deletes) over the files of `base` ("" when unborn)."""

    base: str
    files: Mapping[bytes, Entry]
    wanted: Mapping[bytes, Entry]
    message: str
    author: Identity
    when: int
    zone: str

    @property
    def changes(self) -> set[Change]:
        rows = (Change(path, self.files.get(path, ABSENT), entry) for path, entry in self.wanted.items())
        return {row for row in rows if row.old != row.new}


@dataclass(frozen=True, slots=True)
class Built:
    """A sealed candidate: ids, its store and the figures of its diff."""

    commit: str
    tree: str
    store: Path
    paths: tuple[PlanPath, ...]
    unchanged: tuple[str, ...]
    added: int
    removed: int
    diff_bytes: int


@dataclass(frozen=True, slots=True)
class Expected:
    """What a sealed store must prove to hold: this commit, with exactly these changes over its base."""

    commit: str
    base: str
    tree: str
    message: str
    changes: frozenset[Change]


def clean_message(text: str) -> str:
    """A commit message as it is stored, without its final newline: no control characters, at most 64 KiB."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    kept = "".join(char for char in lines if char in "\n\t" or unicodedata.category(char) != "Cc")
    return kept.encode("utf-8", "replace")[:MESSAGE_CAP].decode("utf-8", "ignore").strip("\n").rstrip()


def build(
    repo: Repository, candidate: Candidate, quarantine: Path, more: tuple[Path, ...] = (), large: Path | None = None
) -> Built | Refused:
    """Tree, commit and sealed store. Raises GitFailed.

    quarantine: a private object folder that holds the new blobs; more: further folders that may hold them; large: the
    LFS objects of the candidate, if it has any.
    """
    changes = candidate.changes
    if not changes:
        return Refused(
            reason="nothing to commit: the listed paths equal the base commit", paths=_names(candidate.wanted)
        )
    if clashes := _clashes(candidate):
        return Refused(
            reason="names that differ only in case or accents would overwrite each other elsewhere: "
            + "; ".join(f"{shown(new)} and {shown(old)}" for new, old in clashes),
            paths=tuple(shown(new) for new, _ in clashes),
        )
    with repo.scratch() as room:
        view = View(store=quarantine, index=room / "index", more=more)
        repo.out(view, "read-tree", candidate.base or "--empty")
        repo.out(view, "update-index", "-z", "--index-info", stdin=index_info({one.path: one.new for one in changes}))
        tree = repo.out(view, "write-tree").decode().strip()
        commit = _commit(repo, view, candidate, tree)
        expected = Expected(commit, candidate.base, tree, candidate.message, frozenset(changes))
        fresh = _seal(repo, view, expected, room / "plan" / "objects")
        if large:
            keep(large, room / "plan" / "lfs")
        store = _settle(repo, room / "plan", commit, fresh)
    return _proved(repo, store, expected, candidate.wanted)


def _commit(repo: Repository, view: View, candidate: Candidate, tree: str) -> str:
    date = f"@{candidate.when} {candidate.zone}"
    env = {
        f"GIT_{role}_{what}": value
        for role in ("AUTHOR", "COMMITTER")
        for what, value in (("NAME", candidate.author.name), ("EMAIL", candidate.author.email), ("DATE", date))
    }
    parent = ("-p", candidate.base) if candidate.base else ()
    stdin = f"{candidate.message}\n".encode()
    return repo.out(view, "commit-tree", tree, *parent, stdin=stdin, env=env).decode().strip()


def _seal(repo: Repository, view: View, expected: Expected, store: Path) -> list[str]:
    """Pack the candidate and the base's side of its diff into `store`; the ids of the new objects."""
    base = expected.base
    rows = compare(repo, view, base, expected.tree, trees=True)
    new = [expected.commit, expected.tree, *_objects(row.new for row in rows)]
    old = list(_objects(row.old for row in rows))
    if base:
        old += [base, repo.out(view, "rev-parse", f"{base}^{{tree}}").decode().strip()]
    store.mkdir(parents=True)
    data = pack(repo, view, dict.fromkeys([*new, *old]))
    # index-pack names each object by its bytes, whatever the store it was read from called it.
    repo.out(View(store=store, sealed=True), "index-pack", "--stdin", stdin=data)
    return new


def _objects(entries: Iterable[Entry]) -> Iterable[str]:
    return (entry.oid for entry in entries if entry != ABSENT and entry.mode != GITLINK and entry.oid != EMPTY_TREE)


def _settle(repo: Repository, made: Path, commit: str, new: list[str]) -> Path:
    """Give the store its final name; the same candidate frozen before keeps its store while that is sound."""
    place = repo.state / "plans" / commit
    if place.exists():
        with contextlib.suppress(GitFailed):
            proved_in(repo, View(store=place / "objects", sealed=True), new)
            keep(made / "lfs", place / "lfs")
            return place / "objects"
        shutil.rmtree(place)
    made.rename(place)
    handle = os.open(place.parent, os.O_RDONLY | os.O_DIRECTORY)
    os.fsync(handle)
    os.close(handle)
    return place / "objects"


def _proved(repo: Repository, store: Path, expected: Expected, wanted: Iterable[bytes]) -> Built | Refused:
    if problem := unsound(repo, store, expected):
        return problem
    added, removed = _counts(repo, store, expected.base, expected.tree)
    changed = {row.path for row in expected.changes}
    return Built(
        commit=expected.commit,
        tree=expected.tree,
        store=store,
        paths=tuple(_plan_path(row) for row in sorted(expected.changes)),
        unchanged=_names(path for path in wanted if path not in changed),
        added=added,
        removed=removed,
        diff_bytes=len(render(repo, store, expected.base, expected.tree)),
    )


def unsound(repo: Repository, store: Path, expected: Expected) -> Refused | None:
    """Why the sealed store does not hold exactly what is expected, or None. Raises GitFailed."""
    view = View(store=store, sealed=True)
    base, tree = expected.base, expected.tree
    if odd := set(compare(repo, view, base, tree)) ^ expected.changes:
        return _inexact(odd, expected)
    new = [expected.commit, tree, *_objects(row.new for row in compare(repo, view, base, tree, trees=True))]
    _, body = proved_in(repo, view, new)[expected.commit]
    head, _, text = body.partition(b"\n\n")
    lines = [line for line in head.decode("utf-8", "replace").split("\n") if line.startswith(("tree ", "parent "))]
    parents = [f"parent {base}"] if base else []
    if lines != [f"tree {tree}", *parents] or text != f"{expected.message}\n".encode():
        return Refused(reason=f"the stored commit {expected.commit[:10]} is not the one that was asked for")
    return None


def _inexact(odd: set[Change], expected: Expected) -> Refused:
    """The usual reason: a listed file has taken the place of a folder, or a folder that of a file."""
    names = tuple(sorted({shown(row.path) for row in odd}))
    listed = {shown(row.path) for row in expected.changes}
    missing = [shlex.quote(name) for name in names if name not in listed]
    cure = f"; add what is missing to the list: {' '.join(f'--commit-path {name}' for name in missing[:10])}"
    return Refused(
        reason=f"the commit would not change exactly what is listed: {', '.join(names[:10])}{cure if missing else ''}",
        paths=names,
    )


def object_folders(plan: Frozen) -> tuple[Path, ...]:
    """Where a plan's objects and those of its base are, besides the repository."""
    return tuple(Path(store) for store in (plan.store, *plan.stores) if store)


def new_objects(repo: Repository, plan: Frozen) -> list[str]:
    """The ids that landing has to bring into the repository."""
    rows = compare(repo, View(store=Path(plan.store), sealed=True), plan.base, plan.tree, trees=True)
    return list(dict.fromkeys([plan.commit, plan.tree, *_objects(row.new for row in rows)]))


def pointers_of(repo: Repository, plan: Frozen) -> list[Pointer]:
    """The LFS pointers among the plan's new files."""
    view = View(store=Path(plan.store), sealed=True)
    oids = {one.oid for one in plan.paths if one.mode.startswith("100")}
    small = [oid for oid, size in sizes_in(repo, view, oids).items() if size < POINTER_CAP]
    found = (pointer_in(body) for _, body in proved_in(repo, view, small).values())
    return [pointer for pointer in found if pointer]


def render(repo: Repository, store: Path, base: str, tree: str) -> bytes:
    """The diff a person approves, from the store alone."""
    return repo.out(View(store=store, sealed=True), "diff-tree", *_DIFF, base or EMPTY_TREE, tree)


def _counts(repo: Repository, store: Path, base: str, tree: str) -> tuple[int, int]:
    args = ("--numstat", "-z", "-r", "--no-renames", base or EMPTY_TREE, tree)
    rows = repo.out(View(store=store, sealed=True), "diff-tree", *args).split(b"\0")[:-1]
    figures = [row.split(b"\t")[:2] for row in rows]
    return sum(int(one) for one, _ in figures if one != b"-"), sum(int(two) for _, two in figures if two != b"-")


def _plan_path(row: Change) -> PlanPath:
    return PlanPath(
        path=text_of(row.path), old_mode=row.old.mode, old_oid=row.old.oid, mode=row.new.mode, oid=row.new.oid
    )


def expected_of(plan: Frozen) -> Expected:
    """What the plan's store must hold."""
    changes = (
        Change(bytes_of(one.path), Entry(one.old_mode, one.old_oid), Entry(one.mode, one.oid)) for one in plan.paths
    )
    return Expected(plan.commit, plan.base, plan.tree, plan.message, frozenset(changes))


def _clashes(candidate: Candidate) -> list[tuple[bytes, bytes]]:
    """(new name, other name) for added files that some file systems cannot tell from another file or folder."""
    added = [path for path, entry in candidate.wanted.items() if entry != ABSENT and path not in candidate.files]
    if not added:
        return []
    gone = {path for path, entry in candidate.wanted.items() if entry == ABSENT}
    known: dict[str, bytes] = {}
    for path in candidate.files:
        if path not in gone:
            known.update((_key(part), part) for part in _prefixes(path))
    clashes = []
    for path in added:
        for part in _prefixes(path):
            other = known.setdefault(_key(part), part)
            if other != part:
                clashes.append((path, other))
                break
    return clashes


def _prefixes(path: bytes) -> Iterable[bytes]:
    at = path.find(b"/")
    while at >= 0:
        yield path[:at]
        at = path.find(b"/", at + 1)
    yield path


def _key(name: bytes) -> str:
    return unicodedata.normalize("NFC", name.decode("utf-8", "surrogateescape").casefold())


def _names(paths: Iterable[bytes]) -> tuple[str, ...]:
    return tuple(text_of(path) for path in paths)
