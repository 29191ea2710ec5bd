"""Looks at a workspace and its machine after a bad night: every check is made, whatever the others find. Nothing is
changed, nothing is signalled; what may be mended without losing anything carries its mending along."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from console.adapters.doctor import disk, gitfolders, locks, login, machine, scratch, survivors, terminal
from console.adapters.doctor.asking import ask
from console.adapters.doctor.findings import Finding, Look, words
from console.adapters.doctor.ground import Ground, find
from console.adapters.doctor.terminal import window
from console.adapters.git.binary import GitFailed

__all__ = ["Finding", "Ground", "Look", "examine", "find", "mended", "window"]

Check = Callable[[Ground], Look]
LOCAL = frozenset(
    {
        *(locks.NAME, survivors.NAME, disk.LOG, disk.DISK, scratch.NAME),
        *(gitfolders.WORKTREES, gitfolders.BRANCHES, gitfolders.LOCKS),
    }
)
"""Checks of a workspace: without one they are none."""


def examine(g: Ground, *, asked: str = "", size: tuple[int, int] | None = None) -> list[Look]:
    """Every check, in a fixed order. asked: the folder that was named, "" when nobody named one. size: of the terminal.

    Blocks for some tenths of a second, for 3 s more when a supervisor holds the lock and is silent.
    """
    before = locks.glance(g)
    checks: Sequence[tuple[str, Check]] = (
        ("workspace", lambda g: _workspace(g, asked)),
        (survivors.NAME, survivors.look),
        (disk.LOG, disk.log),
        (disk.DISK, disk.disk),
        (gitfolders.WORKTREES, gitfolders.worktrees),
        (gitfolders.BRANCHES, gitfolders.branches),
        (gitfolders.LOCKS, gitfolders.locks),
        (scratch.NAME, scratch.look),
        (machine.SANDBOX, machine.tier),
        (machine.LIMITS, machine.limits),
        (machine.CLOCK, machine.clock),
        (machine.PROGRAMS, machine.programs),
        (login.NAME, lambda g: login.look(g, ask)),
        (terminal.NAME, lambda g: terminal.look(g, ask, size)),
        (locks.NAME, lambda g: locks.look(g, before)),
    )
    looks = [_made(name, check, g) for name, check in checks]
    return [looks[0], looks[-1], *looks[1:-1]]


def _made(name: str, check: Check, g: Ground) -> Look:
    """A check that breaks must not hide the others, least of all on a machine that is in trouble."""
    if g.places is None and name in LOCAL:
        return Look(name=name, well="not looked at: no workspace here", skipped=True)
    try:
        return check(g)
    except Exception as error:
        what = f"could not be looked at: {_why(error)}"
        return Look(name=name, well="", findings=(Finding(check=name, level="warning", what=what),))


def _why(error: Exception) -> str:
    if isinstance(error, OSError):
        return f"{error.filename or 'the machine'}: {error.strerror or error}"
    if isinstance(error, GitFailed):
        return error.reason
    return f"{type(error).__name__}: {error}; this is a bug in nightdesk"


def _workspace(g: Ground, asked: str) -> Look:
    name = "workspace"
    if g.workspace is not None and g.places is not None:
        found = _broken(g) if g.trouble else ()
        return Look(name=name, well=f"{g.workspace.root}; state in {g.places.state}", findings=found)
    if not asked:
        return Look(name=name, well=f"none here ({g.trouble}): only the machine was looked at")
    cure = words("git", "init", str(Path(asked))) if os.path.isdir(asked) else ""
    what = g.trouble if cure else f"{g.trouble}: name a folder in a git repository after --workspace"
    return Look(name=name, well="", findings=(Finding(check=name, level="fault", what=what, cure=cure),))


def _broken(g: Ground) -> tuple[Finding, ...]:
    assert g.workspace is not None
    what = f"git cannot tell of {g.workspace.root}: {g.trouble}; the log and frozen plans are still there"
    return (Finding(check="workspace", level="fault", what=what, cure=words("ls", "-la", g.workspace.root)),)


def mended(found: Finding) -> Finding:
    """What `--fix` made of a finding: `fixed` says what was done, or `what` why it was left."""
    if found.mend is None:
        return found
    try:
        return replace(found, fixed=found.mend(), cure="")
    except Exception as error:
        return replace(found, what=f"{found.what}; left as it is: {_why(error)}")
