"""Whether the installed dependencies of a worktree are still those that were there when the work began.

They are ignored, so no diff shows them, and a clean checkout of a plan is given them all the same.
"""

from __future__ import annotations

import os

from console.adapters.git.checkouts import DEPENDENCIES

MOST = 400_000
"""Entries that are looked at; a folder with more counts as changed, since nobody can tell."""


def changed_since(worktree: str, since: float) -> tuple[str, ...]:
    """The folders of installed dependencies in which the kernel saw anything change after `since` (Unix seconds)."""
    return tuple(name for name in DEPENDENCIES if _changed(os.path.join(worktree, name), since))


def _changed(folder: str, since: float) -> bool:
    todo, left = [folder], MOST
    while todo:
        try:
            with os.scandir(todo.pop()) as entries:
                for entry in entries:
                    left -= 1
                    if left < 0 or entry.stat(follow_symlinks=False).st_ctime > since:
                        return True
                    if entry.is_dir(follow_symlinks=False):
                        todo.append(entry.path)
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError:
            return True  # what cannot be looked at was not there like this when it was installed
    return False
