"""What is at one path of a git dir, as a small record that changes when it does. Never blocks, whatever it meets."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable
from dataclasses import dataclass

from console.adapters.git.plainfiles import read_handle, read_small

FILE_CAP = 8 << 20
_KINDS = {stat.S_IFIFO: "a fifo", stat.S_IFSOCK: "a socket", stat.S_IFCHR: "a device", stat.S_IFBLK: "a device"}


@dataclass(frozen=True, slots=True)
class Item:
    """One file as it was. kind: file, link, folder, odd, unreadable, large. digest: of the content (through a link);
    for what has no content that is read, facts that change when it does. target: of a link."""

    kind: str
    mode: int = 0
    digest: str = ""
    target: str = ""


def digest_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def item_at(path: str, content: Callable[[bytes], None] = lambda _body: None) -> Item | None:
    """What is at a path now, None for nothing. content: is given the bytes that were hashed."""
    try:
        status = os.lstat(path)
        mode = stat.S_IMODE(status.st_mode)
        if stat.S_ISLNK(status.st_mode):
            body = read_small(path, FILE_CAP)
            if body is not None:
                content(body)
            return Item("link", 0, "" if body is None else digest_of(body), os.readlink(path))
        if stat.S_ISDIR(status.st_mode):
            return Item("folder", mode)
        if not stat.S_ISREG(status.st_mode):
            return Item("odd", mode, f"{_KINDS.get(stat.S_IFMT(status.st_mode), 'a special file')} {status.st_ino}")
        return _file(path, mode, content)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        return Item("unreadable", 0, str(error.errno) if isinstance(error, OSError) else "name")


def _file(path: str, mode: int, content: Callable[[bytes], None]) -> Item:
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except PermissionError:
        return Item("unreadable", mode, _facts(os.lstat(path)))
    try:
        body = read_handle(handle, FILE_CAP)
        if body is None:
            return Item("large", mode, _facts(os.fstat(handle)))
    finally:
        os.close(handle)
    content(body)
    return Item("file", mode, digest_of(body))


def _facts(status: os.stat_result) -> str:
    return f"{status.st_size} {status.st_mtime_ns} {status.st_ctime_ns} {status.st_ino}"
