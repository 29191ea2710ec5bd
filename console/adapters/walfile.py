"""What the files of a SQLite database hold, read from the files themselves: whether a piece of the main one is missing
that its WAL does not have either. Reads only; SQLite would notice such a hole when it gets there, weeks later."""

from __future__ import annotations

import os
from pathlib import Path

import apsw

PAGE = 4096
"""Bytes of a page: SQLite's default, which our logs have."""
HEAD = 32
FRAME_HEAD = 24
FRAME = FRAME_HEAD + PAGE


def lost_pages(db: apsw.Connection, path: Path) -> int:
    """How many pages of the database are in none of its files; 0 when it is whole."""
    db.execute("BEGIN")  # what this connection sees stays where it is until the end of it
    try:
        db.execute("SELECT count(*) FROM sqlite_schema").get  # noqa: B018 - only the first read begins
        pages, page = int(db.pragma("page_count")), int(db.pragma("page_size"))
        there = os.stat(path).st_size // page
        if pages <= there or page != PAGE:
            return 0
        return len(set(range(there + 1, pages + 1)) - _in_wal(path.with_name(f"{path.name}-wal")))
    finally:
        db.execute("COMMIT")


def _in_wal(path: Path) -> set[int]:
    """The numbers of the pages that the WAL has some version of: frames with the salt of its head are of this round."""
    found: set[int] = set()
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return found
    try:
        salt = os.pread(file, 8, 16)
        for at in range(HEAD, os.fstat(file).st_size - FRAME + 1, FRAME):
            head = os.pread(file, 16, at)
            if head[8:] != salt:
                break
            found.add(int.from_bytes(head[:4]))
    finally:
        os.close(file)
    return found
