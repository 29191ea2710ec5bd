"""A folder of ours in a place that agents can write. It looks at that one path only, and removes no folder."""

from __future__ import annotations

import stat
from contextlib import suppress
from pathlib import Path

TRIES = 20


def made(folder: Path) -> None:
    """Make it; what an agent put there instead goes. Two starts may do so at once. Raises OSError."""
    for _ in range(TRIES):
        with suppress(FileExistsError):
            return folder.mkdir(parents=True, mode=0o700)
        with suppress(FileNotFoundError, IsADirectoryError, PermissionError):  # somebody else was faster
            if stat.S_ISDIR(folder.lstat().st_mode):
                return None
            folder.unlink()
    raise NotADirectoryError(f"{folder}: something that is no folder is put there again and again")
