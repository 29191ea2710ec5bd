"""Reads small files that a hostile program may have replaced by anything: never blocks, never reads without a bound.

Knows nothing about git.
"""

from __future__ import annotations

import os
import stat

CAP = 1 << 20
INDEX_CAP = 1 << 30
_FLAGS = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


def read_small(path: str, cap: int = CAP) -> bytes | None:
    """The content of a regular file, symbolic links followed; None when it is none, cannot be read or is longer."""
    try:
        handle = os.open(path, _FLAGS)
    except (OSError, ValueError):
        return None
    try:
        return read_handle(handle, cap)
    except OSError:
        return None
    finally:
        os.close(handle)


def read_handle(handle: int, cap: int = CAP) -> bytes | None:
    """As `read_small`, from an open file. Raises OSError."""
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        return None
    chunks: list[bytes] = []
    size = 0
    while chunk := os.read(handle, 1 << 18):
        chunks.append(chunk)
        size += len(chunk)
        if size > cap:
            return None
    return b"".join(chunks)


def is_file(path: str) -> bool:
    """True for a regular file behind any number of symbolic links."""
    try:
        return stat.S_ISREG(os.stat(path).st_mode)
    except (OSError, ValueError):
        return False
