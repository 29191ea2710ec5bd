"""Sets and clears the flags that make git look away from files, under git's own lock. Changes nothing else there."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from console.adapters.git.plainfiles import INDEX_CAP, read_small
from console.adapters.git.replacing import CannotReplace
from console.adapters.git.shadow import Repository, View


def reflag(repo: Repository, folder: str, old: set[str], now: set[str]) -> None:
    """From `now` to `old`, both as `Side.flags` has them. Raises CannotReplace, OSError and GitFailed."""
    git_dir = repo.git_dir_of(folder)
    if not git_dir:
        raise CannotReplace("the worktree is gone")
    index = Path(git_dir, "index")
    with repo.scratch() as room:
        before = index.stat()
        body = read_small(str(index), INDEX_CAP)
        if body is None:
            raise CannotReplace("the index is no file that can be read")
        (room / "index").write_bytes(body)
        for letter, what in (("a", "assume-unchanged"), ("s", "skip-worktree")):
            for rows, option in ((now - old, f"--no-{what}"), (old - now, f"--{what}")):
                _mark(repo, room / "index", option, [row[2:] for row in rows if row[0] == letter])
        _publish(index, (room / "index").read_bytes(), before)


def _mark(repo: Repository, index: Path, option: str, names: list[str]) -> None:
    if names:
        stdin = os.fsencode("".join(f"{name}\0" for name in sorted(names)))
        args = ("-c", "core.splitIndex=false", "update-index", option, "-z", "--stdin")
        # Only the entries' bits are set; git wants a working tree for that, and this one has nothing to look at.
        repo.out(View(index=index, worktree=str(index.parent)), *args, stdin=stdin)


def _publish(index: Path, body: bytes, before: os.stat_result) -> None:
    """Under `index.lock`; raises FileExistsError when it is there, CannotReplace when the index changed meanwhile."""
    lock = index.with_name("index.lock")
    handle = os.open(lock, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, before.st_mode & 0o777)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(body)
        now = index.stat()
        if (now.st_ino, now.st_size, now.st_mtime_ns) != (before.st_ino, before.st_size, before.st_mtime_ns):
            raise CannotReplace("the index changed meanwhile")
        os.replace(lock, index)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            lock.unlink()
        raise
