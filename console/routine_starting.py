"""What comes before a routine: its file, read by the settings, worktrees and sessions of this workspace. For the
command line and for programs; starts nothing. Imports are late."""

from __future__ import annotations

import os
from collections import Counter
from typing import TYPE_CHECKING

from console.core.records import Refused

if TYPE_CHECKING:
    from console.core.records_routines import RoutineSpec
    from console.core.state import State
    from console.wiring import Here


def routine_of(here: Here, file: str, state: State) -> RoutineSpec | Refused:
    """The routine in `file` (from the current folder), or every problem of it. Its presets must be confirmed ones of
    settings that this user trusts."""
    from console import wiring
    from console.adapters.routine_file import Ground, read

    loaded = wiring.settings_of(here)
    if why := wiring.distrust(here, loaded):
        return Refused(reason=why)
    git = wiring.git_of(here)

    def worktree_of(folder: str) -> str:
        found = git.worktree_of(folder)
        return found.path if found else ""

    ground = Ground(
        presets=loaded.settings.presets,
        agent=loaded.settings.agent,
        settings=loaded.file,
        sessions=_sessions(state),
        root=str(here.root),
        worktree_of=worktree_of,
    )
    return read(os.fspath(file), ground)


def _sessions(state: State) -> dict[str, str]:
    """Ids, and labels that only one session has."""
    known = state.sessions.values()
    labels = Counter(s.label for s in known)
    return {s.label: s.session for s in known if labels[s.label] == 1} | {s.session: s.session for s in known}
