"""The part of a rollback that lies in the operator's git dir: the index bytes are put back, refs only compared.

A lock that is there is somebody's: it is reported, never waited for and never removed.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from console.adapters.git.binary import shown
from console.adapters.git.shadow import Repository
from console.adapters.git.snapshot_looks import Site, head_of
from console.adapters.git.snapshot_record import Scene
from console.adapters.git.snapshot_rules import index_of


def put_index(site: Site, target: Scene) -> Iterator[str]:
    """Put back what was staged at the snapshot; yields what could not be done."""
    raw, shared = index_of(site.git_dir)
    if raw == target.index and (raw is None or shared.keys() >= target.shared.keys()):
        return
    index = Path(site.git_dir, "index")
    where = shown(str(index))
    try:
        for name, body in target.shared.items():
            if not (index.with_name(name)).exists():
                _write_new(index.with_name(f"{name}.nightdesk"), body, 0o644)
                os.replace(index.with_name(f"{name}.nightdesk"), index.with_name(name))
        _publish(index, target.index)
    except FileExistsError:
        yield f"what was staged was not put back: {where}.lock is there: when that git has ended, roll back again"
    except OSError as error:
        yield f"what was staged was not put back ({error.strerror}): roll back again when {where} is writable"


def _publish(index: Path, raw: bytes | None) -> None:
    lock = index.with_name("index.lock")
    mode = 0o644
    with contextlib.suppress(FileNotFoundError):
        mode = index.stat(follow_symlinks=False).st_mode & 0o777
    _write_new(lock, raw or b"", mode)
    if raw is None:
        index.unlink(missing_ok=True)
        lock.unlink()
    else:
        os.replace(lock, index)


def _write_new(path: Path, body: bytes, mode: int) -> None:
    """A file that was not there before, complete and on disk. Raises FileExistsError."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, mode)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(body)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        path.unlink(missing_ok=True)
        raise


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
