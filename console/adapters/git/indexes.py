"""Brings single entries of an operator's index from one version to another, and only where nobody staged anything.

The index is edited as a private copy through the shadow and put back under git's own lock, unless it changed meanwhile.
A lock that is there is somebody's: it is reported, never waited for and never removed.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from console.adapters.git.binary import GitFailed, shown
from console.adapters.git.objects import ABSENT, Entry, object_id
from console.adapters.git.shadow import NO_COMMIT, Repository, View
from console.core.paths import bytes_of

_EMPTY_BLOB = object_id("blob", b"")
_NAMED_AT_MOST = 5


@dataclass(frozen=True, slots=True)
class Step:
    """One path's entry: from any of `before` to `after`. path: as text (`core.paths`)."""

    path: str
    before: frozenset[Entry]
    after: Entry


def refresh(repo: Repository, git_dir: str, steps: Sequence[Step]) -> str:
    """Apply the steps to that worktree's index; "" or a sentence about what could not be done."""
    index = Path(git_dir, "index")
    try:
        for _ in range(3):
            with repo.scratch() as room:
                copy = room / "index"
                seen = _copy(index, copy)
                view = View(index=copy)
                todo, kept = _sorted_out(_entries(repo, view, git_dir), steps)
                if todo:
                    _edit(repo, view, todo)
                if not todo or _publish(copy, index, seen):
                    return _note(kept, "were staged differently and stay as they are in the index")
    except FileExistsError:
        return f"the index is locked ({index}.lock): when that git command has ended, run `git reset -q -- <paths>`"
    except (GitFailed, OSError) as error:
        return f"the index could not be refreshed ({error}): run `git reset -q -- <paths>`"
    return "the index kept changing and was not refreshed: run `git reset -q -- <paths>`"


def unmerged(repo: Repository, git_dir: str) -> list[str]:
    """Paths with unresolved conflicts in that worktree's index."""
    with repo.scratch() as room:
        _copy(Path(git_dir, "index"), room / "index")
        entries = _entries(repo, View(index=room / "index"), git_dir)
    return [shown(path) for path, entry in entries.items() if entry is None]


def skipped(repo: Repository, git_dir: str) -> set[bytes]:
    """Paths that are outside that worktree's sparse checkout (skip-worktree), on disk or not."""
    with repo.scratch() as room:
        if _copy(Path(git_dir, "index"), room / "index") is None:
            return set()
        _link_shared(repo, git_dir)
        rows = repo.out(View(index=room / "index"), "ls-files", "-t", "-z").split(b"\0")
    return {row[2:] for row in rows if row.startswith(b"S ")}


def _copy(index: Path, copy: Path) -> os.stat_result | None:
    try:
        seen = index.stat()
        shutil.copy2(index, copy)
    except FileNotFoundError:
        return None
    return seen


def _entries(repo: Repository, view: View, git_dir: str) -> Mapping[bytes, Entry | None]:
    """{path: entry}, None for an unresolved conflict."""
    _link_shared(repo, git_dir)
    found: dict[bytes, Entry | None] = {}
    for row in repo.out(view, "ls-files", "--stage", "-z").split(b"\0")[:-1]:
        head, _, path = row.partition(b"\t")
        mode, oid, stage = head.decode().split(" ")
        found[path] = Entry(mode, oid) if stage == "0" else None
    return found


def _link_shared(repo: Repository, git_dir: str) -> None:
    """A split index names its other half by content, and git looks for that half in the git dir it runs in."""
    for shared in Path(git_dir).glob("sharedindex.*"):
        with contextlib.suppress(FileExistsError):
            (repo.shadow_dir / shared.name).symlink_to(shared)


def _sorted_out(entries: Mapping[bytes, Entry | None], steps: Sequence[Step]) -> tuple[list[Step], list[str]]:
    """(steps to do, paths that somebody staged in another version)."""
    todo: list[Step] = []
    kept: list[str] = []
    for step in steps:
        now = entries.get(bytes_of(step.path), ABSENT)
        if now == step.after:
            continue
        if now in step.before or (ABSENT in step.before and now is not None and now.oid == _EMPTY_BLOB):
            todo.append(step)
        else:
            kept.append(step.path)
    return todo, kept


def _edit(repo: Repository, view: View, todo: Sequence[Step]) -> None:
    # Whole, not split: should git renew the shared half, it would write it into the shadow, where nobody looks.
    repo.out(view, "-c", "core.splitIndex=false", "update-index", "-z", "--index-info", stdin=index_info(
        {bytes_of(step.path): step.after for step in todo}
    ))  # fmt: skip


def index_info(entries: Mapping[bytes, Entry]) -> bytes:
    """Input of `update-index -z --index-info`; removals first, so that a file can take the place of a folder."""
    rows = sorted(entries.items(), key=lambda item: (item[1] != ABSENT, item[0]))
    return b"".join(
        f"0 {NO_COMMIT}\t".encode() + path + b"\0"
        if entry == ABSENT
        else f"{entry.mode} {entry.oid}\t".encode() + path + b"\0"
        for path, entry in rows
    )


def _publish(copy: Path, index: Path, seen: os.stat_result | None) -> bool:
    """Put the copy in the index's place under `index.lock`; False when the index is no longer what was copied."""
    lock = index.with_name("index.lock")
    mode = seen.st_mode & 0o777 if seen else 0o644
    handle = os.open(lock, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(copy.read_bytes())
        if _stamp(index) != (None if seen is None else _facts(seen)):
            lock.unlink()
            return False
        os.replace(lock, index)
    except BaseException:
        lock.unlink(missing_ok=True)
        raise
    return True


def _stamp(index: Path) -> tuple[int, int, int] | None:
    try:
        return _facts(index.stat())
    except FileNotFoundError:
        return None


def _facts(status: os.stat_result) -> tuple[int, int, int]:
    return (status.st_ino, status.st_size, status.st_mtime_ns)


def _note(paths: Sequence[str], what: str) -> str:
    if not paths:
        return ""
    more = f" and {len(paths) - _NAMED_AT_MOST} more" if len(paths) > _NAMED_AT_MOST else ""
    return f"{', '.join(shown(path) for path in paths[:_NAMED_AT_MOST])}{more} {what}"
