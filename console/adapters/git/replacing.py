"""Puts single files of a git dir back, or moves them away: whole or not at all, through no symbolic link, and only
while they are still what was seen. What it replaces is kept in a folder of ours.
"""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator
from pathlib import Path

from console.adapters.git.items import Item, item_at

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_LOCKED = ("HEAD", "config", "config.worktree", "shallow")


class CannotReplace(Exception):
    """Why one file was left as it is; completes "not put back: ..."."""


def put(
    base: str, below: str, item: Item, body: bytes, *, expected: Item | None, room: Path | None
) -> None:  # fmt: skip
    """Make `base`/`below` what `item` says, a file with `body` or a link.

    expected: what must be there now; None for nothing. room: where what is there is kept (None: it need not be).
    Raises CannotReplace and OSError with nothing changed.
    """
    with _parent(base, below, make=True) as (folder, name):
        # Git's own protocol for the files that it locks; for the others a name that no git uses.
        temporary = f"{name}.lock" if name in _LOCKED else f".{name}.{os.getpid()}.nightdesk"
        try:
            _write(folder, temporary, item, body)
        except FileExistsError:
            raise CannotReplace(f"{temporary} is there: another git command holds it or left it behind") from None
        try:
            _check(base, below, expected)
            if expected is not None and room is not None:
                _keep(folder, name, below, expected, room)
            os.rename(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(temporary, dir_fd=folder)
            raise
        os.fsync(folder)


def move_away(base: str, below: str, expected: Item, room: Path) -> Path:
    """Move what is at `base`/`below` into our folder; where it is now. Raises CannotReplace and OSError."""
    with _parent(base, below, make=False) as (folder, name):
        _check(base, below, expected)
        kept = room / _flat(below)
        try:
            os.rename(name, kept, src_dir_fd=folder)
        except OSError as error:
            if error.errno != errno.EXDEV:
                raise
            if expected.kind not in ("file", "link"):
                kept = Path(base, below).with_name(f"{name}.moved-away-by-nightdesk")
                os.rename(name, kept.name, src_dir_fd=folder, dst_dir_fd=folder)
                return kept
            _copy(folder, name, expected, kept)
            os.unlink(name, dir_fd=folder)
        return kept


@contextlib.contextmanager
def _parent(base: str, below: str, make: bool) -> Iterator[tuple[int, str]]:
    """(descriptor of the folder, last name); no component is followed if it is a link."""
    *folders, name = below.split("/")
    handle = os.open(base, _FOLDER)
    try:
        for part in folders:
            if part in ("", ".", ".."):
                raise CannotReplace("its path is not plain")
            with contextlib.suppress(FileExistsError):
                if make:
                    os.mkdir(part, 0o755, dir_fd=handle)
            try:
                deeper = os.open(part, _FOLDER, dir_fd=handle)
            except OSError as error:
                if error.errno in (errno.ELOOP, errno.ENOTDIR):
                    raise CannotReplace(f"{part}, a folder on its path, is a link or a file now") from error
                raise
            os.close(handle)
            handle = deeper
        yield handle, name
    finally:
        os.close(handle)


def _check(base: str, below: str, expected: Item | None) -> None:
    if item_at(os.path.join(base, below)) != expected:
        raise CannotReplace("it changed again since it was seen")


def _write(folder: int, name: str, item: Item, body: bytes) -> None:
    if item.kind == "link":
        os.symlink(item.target, name, dir_fd=folder)
        return
    with os.fdopen(os.open(name, _NEW, 0o600, dir_fd=folder), "wb") as file:
        file.write(body)
        os.fchmod(file.fileno(), item.mode)
        file.flush()
        os.fsync(file.fileno())


def _keep(folder: int, name: str, below: str, expected: Item, room: Path) -> None:
    """Keep what is about to be replaced. A folder or a special file has to leave its place for that."""
    kept = room / _flat(below)
    if expected.kind in ("file", "link"):
        _copy(folder, name, expected, kept)
        return
    try:
        os.rename(name, kept, src_dir_fd=folder)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        os.rename(name, f"{name}.moved-away-by-nightdesk", src_dir_fd=folder, dst_dir_fd=folder)


def _copy(folder: int, name: str, expected: Item, kept: Path) -> None:
    if expected.kind == "link":
        os.symlink(expected.target, kept)
        return
    handle = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    with os.fdopen(handle, "rb") as source, kept.open("xb") as target:
        while chunk := source.read(1 << 20):
            target.write(chunk)
    kept.chmod(0o600)


def _flat(below: str) -> str:
    name = below.replace("%", "%25").replace("/", "%2F")
    return name if len(os.fsencode(name)) < 200 else f"{name[:40]}-{abs(hash(name)):x}"
