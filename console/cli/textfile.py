"""A text file that a person names: plain, small, UTF-8, or in words why it is none. Nothing is waited for."""

from __future__ import annotations

import errno
import os
import stat

from console.core.records import Refused

FLAGS = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY


def read(file: str, most: int) -> str | Refused:
    """Its text; refused when it has more than `most` bytes. A link to a plain file is one."""
    try:
        raw = _content(file, most + 1)
        return raw.decode("utf-8") if len(raw) <= most else Refused(reason=f"has more than {most} bytes: shorten it")
    except UnicodeDecodeError:
        return Refused(reason="is no UTF-8 text")
    except (OSError, ValueError) as error:
        return Refused(reason=f"cannot be read: {getattr(error, 'strerror', None) or error}")


def _content(file: str, most: int) -> bytes:
    """Its first bytes. A pipe, a device or a folder is no file. Raises OSError."""
    fd = os.open(file, FLAGS)
    try:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            raise OSError(errno.EINVAL, "it is no plain file")
        return os.read(fd, most)
    finally:
        os.close(fd)
