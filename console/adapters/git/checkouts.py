"""A clean checkout of a plan's tree for its gate: what a checkout of the commit would hold, no hook, no `.git` in it.

Line endings, ident, encodings and LFS follow the plan's own attributes; no filter program runs.

Folders of installed dependencies are linked in from the plan's worktree when they are ignored there, because a gate
without them cannot run; a gate that writes into such a folder writes into the worktree's.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from console.adapters.git import lfs
from console.adapters.git.attributes import (
    AUTO,
    OFF,
    Rules,
    attribute_files,
    attributes_of,
    flattened,
    ruled_git_dir,
    trusted,
)
from console.adapters.git.binary import shown
from console.adapters.git.building import object_folders
from console.adapters.git.changes import index_entries
from console.adapters.git.indexes import index_info
from console.adapters.git.objects import ABSENT, GITLINK, Entry, proved_in, sizes_in
from console.adapters.git.reading import (
    LARGE_CAP,
    Content,
    Found,
    Streamed,
    drifted,
    on_disk,
    opened,
    read_path,
    read_with,
    streaming,
)
from console.adapters.git.shadow import Repository, View
from console.core.paths import bytes_of, text_of
from console.core.records import Frozen, PlanPath, Refused

DEPENDENCIES = ("node_modules", ".venv", "venv", "vendor")
PROVED_AT_ONCE = 200


def checkout(repo: Repository, plan: Frozen, into: Path) -> Refused | None:
    """Fill the empty (or missing) folder `into`. Raises GitFailed."""
    if refused := _not_empty(into):
        return refused
    odd = fill(repo, plan, into)
    if odd:
        return Refused(
            reason=f"the checkout does not hold the plan's bytes: {', '.join(map(shown, odd[:10]))}", paths=odd
        )
    link_dependencies(repo, plan.worktree, into)
    return None


def checkout_commit(
    repo: Repository, commit: str, stores: tuple[str, ...], worktree: str, into: Path
) -> Refused | None:
    """As `checkout`, of any commit; stores: object folders of plans that hold it, when the repository does not.

    Raises GitFailed.
    """
    if refused := _not_empty(into):
        return refused
    more = tuple(Path(store) for store in stores)
    with ruled_as(repo, commit, str(into), None, more) as how:
        repo.out(how.view, "read-tree", commit, env=how.env)
        repo.out(how.view, *how.settings, "checkout-index", "--all", "--quiet", timeout=600, env=how.env)
        entries = index_entries(repo, how.view, how.env)
        prove_checkout(repo, how, into, entries)
        _fill_lfs(repo, how, str(into), more)
    link_dependencies(repo, worktree, into)
    return None


def _not_empty(into: Path) -> Refused | None:
    try:
        into.mkdir(mode=0o700, parents=True, exist_ok=True)
        if any(into.iterdir()):
            return Refused(reason=f"{shown(str(into))} is not empty: a plan is checked out into an empty folder only")
    except OSError as error:
        return Refused(reason=f"{shown(str(into))} cannot be filled: {error.strerror}")
    return None


def prove_checkout(repo: Repository, how: Ruled, into: Path, entries: Mapping[bytes, Entry]) -> None:
    """Files just checked out hold what their ids stand for. Raises GitFailed when one was planted.

    A file that was converted on its way out is proved by the object that it came from.
    """
    files = {path: entry for path, entry in entries.items() if entry.mode != GITLINK}
    with opened(str(into)) as root:
        odd = [entry.oid for path, entry in files.items() if not _is(root, path, entry)]
    for start in range(0, len(odd), PROVED_AT_ONCE):
        proved_in(repo, how.view, odd[start : start + PROVED_AT_ONCE])


def _is(root: int, path: bytes, entry: Entry) -> bool:
    found = read_with(root, text_of(path), streaming(None, LARGE_CAP))
    return isinstance(found, Content | Streamed) and found.entry == entry


def write_forms(
    repo: Repository, treeish: str, entries: Mapping[bytes, Entry], into: Path, more: tuple[Path, ...]
) -> None:
    """Write some files of a tree into an empty folder as a checkout by the tree's attributes has them on disk.

    more: where the tree's objects are, besides the repository. Raises GitFailed.
    """
    files = {path: entry for path, entry in entries.items() if entry != ABSENT and entry.mode != GITLINK}
    into.mkdir(mode=0o700)
    if not files:
        return
    with ruled_as(repo, treeish, str(into), None, more) as how:
        repo.out(how.view, "update-index", "-z", "--index-info", stdin=index_info(files), env=how.env)
        repo.out(how.view, *how.settings, "checkout-index", "--all", "--quiet", timeout=600, env=how.env)
        prove_checkout(repo, how, into, files)
        _fill_lfs(repo, how, str(into), more)


@dataclass(frozen=True, slots=True)
class Ruled:
    """A call in which a tree's own attributes hold: what it sees, its environment and its settings."""

    rules: Rules
    view: View
    env: Mapping[str, str]
    settings: tuple[str, ...]


@contextlib.contextmanager
def ruled_as(
    repo: Repository, tree: str, into: str, index: Path | None = None, more: tuple[Path, ...] = ()
) -> Iterator[Ruled]:
    """index: None for one that is thrown away. more: where the tree's objects are, besides the repository."""
    objects = View(more=more)
    rules = trusted(repo, attribute_files(repo, tree, objects), objects)
    with repo.scratch() as room:
        view = View(index=index or room / "index", worktree=into, more=(repo.shadow_dir / "objects", *more))
        env = {"GIT_DIR": str(ruled_git_dir(repo, room / "ruled", flattened(rules)))}
        ran = repo.real("config", "--get", "core.eol", operator=True, timeout=20)
        eol = ran.out.strip().decode("ascii", "ignore") if ran.code == 0 else "native"
        settings = ("-c", f"core.autocrlf={rules.autocrlf or 'false'}", "-c", f"core.eol={eol}")
        yield Ruled(rules, view, env, settings)


def fill(repo: Repository, plan: Frozen, into: Path) -> tuple[str, ...]:
    """Write the plan's tree as its own attributes have it on disk; the paths that did not become what they must.

    A file in LFS whose object is nowhere stays a pointer. Raises GitFailed.
    """
    with ruled_as(repo, plan.tree, str(into), None, object_folders(plan)) as ruled:
        view, env, settings = ruled.view, ruled.env, ruled.settings
        repo.out(view, "read-tree", plan.tree, env=env)
        repo.out(view, *settings, "checkout-index", "--all", "--quiet", timeout=600, env=env)
        paths = tuple(one for one in plan.paths if GITLINK not in (one.mode, one.old_mode))
        odd = drifted(str(into), paths)
        if odd and ruled.rules.any:
            # Converted on its way out: it must come back as the same.
            names = set(repo.out(view, *settings, "ls-files", "-m", "-d", "-z", env=env).split(b"\0"))
            odd = tuple(path for path in odd if bytes_of(path) in names or not _converts(repo, ruled.rules, path))
        if not odd:
            _fill_lfs(repo, ruled, str(into), object_folders(plan))
    return odd


def unlike_checkout(repo: Repository, plan: Frozen) -> tuple[str, ...]:
    """Converted paths of a plan whose bytes on disk, when it was frozen, are not those that a checkout would write.

    Line endings that were mixed, for example: what ran on them did not run on what is committed. Raises GitFailed.
    """
    converted = {one.path: one for one in plan.paths if one.disk and one.mode.startswith("100")}
    if not converted:
        return ()
    with repo.scratch() as room, ruled_as(repo, plan.tree, str(room / "out"), None, object_folders(plan)) as ruled:
        (room / "out").mkdir()
        repo.out(ruled.view, "read-tree", plan.tree, env=ruled.env)
        names = b"".join(bytes_of(path) + b"\0" for path in converted)
        args = (*ruled.settings, "checkout-index", "-z", "--stdin", "--quiet")
        repo.out(ruled.view, *args, stdin=names, env=ruled.env)
        with opened(str(room / "out")) as root:
            return tuple(path for path, one in converted.items() if not _alike(read_path(root, path), one))


def _alike(found: Found, one: PlanPath) -> bool:
    """True too for a pointer: what it names is what was on disk when it was made."""
    return isinstance(found, Content) and (found.entry == on_disk(one) or lfs.pointer_in(found.body) is not None)


def fill_worktree(repo: Repository, commit: str, worktree: str, index: Path, hold: int = -1) -> tuple[str, ...]:
    """Write a commit's files into a new worktree and its index, as `fill` does; the paths that stay LFS pointers.

    hold: as for `GitBinary.run`. Raises GitFailed.
    """
    with ruled_as(repo, commit, worktree, index) as ruled:
        repo.out(
            ruled.view, *ruled.settings, "read-tree", "--reset", "-u", commit, timeout=600, env=ruled.env, hold=hold
        )
        filled, missing = _fill_lfs(repo, ruled, worktree, ())
        if filled:
            # Without the pointer's size and times in its entry, git asks the filter what the file is.
            entries = index_entries(repo, ruled.view, ruled.env)
            rows = index_info({path: entries[path] for path in filled})
            repo.out(ruled.view, "update-index", "-z", "--index-info", stdin=rows, env=ruled.env)
        return tuple(text_of(path) for path in missing)


def _fill_lfs(repo: Repository, ruled: Ruled, into: str, stores: tuple[Path, ...]) -> tuple[list[bytes], list[bytes]]:
    """(paths that hold their content now, paths that stay pointers)."""
    if not ruled.rules.lfs:
        return [], []
    pointers = _pointers(repo, ruled.view, ruled.rules, ruled.env)
    missing = lfs.fill(repo, stores, Path(into), pointers)
    return sorted({path for path, _ in pointers} - set(missing)), missing


def _converts(repo: Repository, rules: Rules, path: str) -> bool:
    found = attributes_of(repo, rules, [bytes_of(path)]).get(bytes_of(path), {})
    return rules.autocrlf in AUTO or any(value not in OFF for value in found.values())


def _pointers(repo: Repository, view: View, rules: Rules, env: Mapping[str, str]) -> list[tuple[bytes, lfs.Pointer]]:
    """The files of a checked out index that are pointers by its attributes."""
    entries = index_entries(repo, view, env)
    rows = attributes_of(repo, rules, entries)
    ours = {
        path: entry.oid
        for path, entry in entries.items()
        if entry.mode.startswith("100") and rows.get(path, {}).get("filter") == "lfs"
    }
    small = [oid for oid, size in sizes_in(repo, view, ours.values()).items() if size < lfs.POINTER_CAP]
    bodies = proved_in(repo, view, small)
    found = ((path, lfs.pointer_in(bodies[oid][1])) for path, oid in ours.items() if oid in bodies)
    return [(path, pointer) for path, pointer in found if pointer]


def link_dependencies(repo: Repository, worktree: str, into: Path) -> tuple[str, ...]:
    """Link the ignored dependency folders of `worktree` into a checkout that has none of that name; their names."""
    there = [name for name in DEPENDENCIES if os.path.isdir(os.path.join(worktree, name))]
    linked = ignored(repo, worktree, [name for name in there if not os.path.lexists(into / name)])
    for name in linked:
        (into / name).symlink_to(os.path.join(os.path.realpath(worktree), name))
    return tuple(linked)


def ignored(repo: Repository, worktree: str, names: list[str]) -> list[str]:
    """Those of the names (relative to the worktree, tracked or not) that its ignore rules cover."""
    if not names:
        return []
    excludes = f"core.excludesFile={repo.operator_settings().excludes}"
    view = View(worktree=worktree)
    # check-ignore is the one command that rejects literal pathspecs; names on stdin are literal anyway.
    how = {"GIT_LITERAL_PATHSPECS": "0"}
    stdin = b"".join(os.fsencode(name) + b"\0" for name in names)
    ran = repo.ran(view, "-c", excludes, "check-ignore", "--no-index", "-z", "--stdin", stdin=stdin, env=how)
    return [name for name in os.fsdecode(ran.out).split("\0") if name]
