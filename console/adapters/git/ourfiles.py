"""Puts our own small files, links and folders in place: whole or not at all, whatever other processes do meanwhile."""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
from pathlib import Path


def rename_new(source: Path, target: Path) -> None:
    """Move a folder into place; one that is already there wins."""
    try:
        source.rename(target)
    except OSError as error:
        if not target.exists():
            raise
        shutil.rmtree(source)
        raise FileExistsError(str(target)) from error


def quoted(path: Path) -> bytes:
    """A path as git's alternates read it: C-quoted, so that no byte of it can end or split the entry."""
    safe = (chr(byte) if 32 <= byte < 127 and byte not in b'"\\' else f"\\{byte:03o}" for byte in os.fsencode(path))
    return f'"{"".join(safe)}"'.encode()


def write_whole(path: Path, content: bytes) -> None:
    """Replace a small file whole; readers in other threads see the old or the new one."""
    if path.is_file() and path.read_bytes() == content:
        return
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
        file.write(content)
    os.replace(file.name, path)


def link_to(source: Path, target: Path) -> None:
    if target.is_symlink() and os.readlink(target) == str(source):
        return
    fresh = target.with_name(f"{target.name}.{os.getpid()}.{threading.get_ident()}")
    fresh.unlink(missing_ok=True)
    fresh.symlink_to(source)
    os.replace(fresh, target)
