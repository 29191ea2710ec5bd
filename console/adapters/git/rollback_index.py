"""The part of a rollback that lies in the operator's git dir: the index bytes are put back, refs only compared.

A lock of somebody else is reported, never waited for and never removed.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator

from console.adapters.git.binary import shown
from console.adapters.git.rollback_place import status
from console.adapters.git.shadow import Repository
from console.adapters.git.snapshot_looks import Site, head_of
from console.adapters.git.snapshot_record import Scene
from console.adapters.git.snapshot_rules import index_of
from console.adapters.git.snapshot_scan import descend

INDEX = "index"
LOCK = "index.lock"


def put_index(repo: Repository, site: Site, target: Scene, token: str) -> Iterator[str]:
    """Put back what was staged at the snapshot; yields what could not be done.

    token: the name of the whole file that becomes the lock and then the index. A lock that is that very file is ours,
    left by a rollback that was killed, and only such a lock is taken away.
    """
    raw, shared = index_of(site.git_dir)
    where = shown(os.path.join(site.git_dir, "index"))
    try:
        with _git_dir(repo, site) as folder:
            _drop_own(folder, token)
            if raw == target.index and (raw is None or shared.keys() >= target.shared.keys()):
                return
            for name, body in target.shared.items():
                if status(folder, name) is None:
                    _write(folder, token, body, 0o644)
                    os.rename(token, name, src_dir_fd=folder, dst_dir_fd=folder)
            _publish(folder, token, target.index)
    except FileExistsError:
        yield f"what was staged was not put back: {where}.lock is there: when that git has ended, roll back again"
    except OSError as error:
        yield f"what was staged was not put back ({error.strerror}): roll back again when {where} is writable"


def drop_own_lock(repo: Repository, site: Site, token: str) -> None:
    """Take away what a rollback that was killed left in the git dir."""
    with contextlib.suppress(OSError), _git_dir(repo, site) as folder:
        _drop_own(folder, token)


@contextlib.contextmanager
def _git_dir(repo: Repository, site: Site) -> Iterator[int]:
    """The open git dir, no link followed below the folder that holds the shared one. Raises OSError."""
    top = os.path.dirname(repo.workspace.common)
    above = os.open(top, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        folder = descend(above, os.path.relpath(site.git_dir, top))
    finally:
        os.close(above)
    try:
        yield folder
    finally:
        os.close(folder)


def _drop_own(folder: int, token: str) -> None:
    mine, lock = status(folder, token), status(folder, LOCK)
    if mine is not None:
        if lock is not None and os.path.samestat(mine, lock):
            os.unlink(LOCK, dir_fd=folder)
        os.unlink(token, dir_fd=folder)


def _publish(folder: int, token: str, raw: bytes | None) -> None:
    before = status(folder, INDEX)
    _write(folder, token, raw or b"", before.st_mode & 0o777 if before and stat.S_ISREG(before.st_mode) else 0o644)
    try:
        os.link(token, LOCK, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
        if raw is not None:
            os.rename(LOCK, INDEX, src_dir_fd=folder, dst_dir_fd=folder)
        elif before is not None:
            os.unlink(INDEX, dir_fd=folder)
    finally:
        _drop_own(folder, token)


def _write(folder: int, name: str, body: bytes, mode: int) -> None:
    """A file that was not there before, complete and on disk. Raises OSError."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    with os.fdopen(os.open(name, flags, mode, dir_fd=folder), "wb") as file:
        file.write(body)
        file.flush()
        os.fsync(file.fileno())


def head_moved(repo: Repository, site: Site, target: Scene) -> Iterator[str]:
    """HEAD as far as it is not where the snapshot saw it."""
    ref, tip = head_of(repo, site)
    if ref != target.ref:
        yield f"HEAD is {_name(ref)}, it was {_name(target.ref)}: a rollback moves no branch"
    if tip != target.tip:
        now, then = tip[:10] or "no commit", target.tip[:10] or "none"
        yield f"{_name(ref)} is at {now}, it was at {then}: a rollback moves no branch"


def _name(ref: str) -> str:
    return shown(ref) if ref else "a detached HEAD"
