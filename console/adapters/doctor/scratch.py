"""Folders that a gate, a hook or a git of ours used for a moment and that a kill left behind."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from console.adapters.doctor import holders, proc
from console.adapters.doctor.findings import LISTED, Finding, Look, ago, some, words
from console.adapters.doctor.ground import Ground
from console.adapters.git.removing import delete_folder

NAME = "scratch"
OLD = 600.0
"""Seconds after which a folder in which nothing has happened and nobody is may go."""


def look(g: Ground) -> Look:
    """Raises OSError."""
    if g.places is None:
        return Look(name=NAME, well="not looked for: no workspace here")
    found = (*_unused(g), *_missing(g), *_open_to_others(g))
    return Look(name=NAME, well="no scratch folder is left over, none of ours is missing", findings=found)


def _unused(g: Ground) -> Iterator[Finding]:
    assert g.places is not None
    left = [folder for folder in _folders(g) if _is_left(g, folder)]
    for folder in left[:LISTED]:
        age = ago(g.now - _used(folder))
        what = f"{folder} was left by a gate, a hook or git {age} ago; nobody is in it: it takes up room"
        yield Finding(check=NAME, level="warning", what=what, cure=_fix(g), mend=_deleting(folder))
    if more := left[LISTED:]:
        what = f"{len(more)} more such folders: {some(map(str, more))}"

        def every() -> str:
            return "; ".join(_deleting(folder)() for folder in more)

        yield Finding(check=NAME, level="warning", what=what, cure=_fix(g), mend=every)


def _fix(g: Ground) -> str:
    return g.command("doctor", "--fix")


def _folders(g: Ground) -> list[Path]:
    assert g.places is not None
    found = []
    for above in (g.places.cache / "checkouts", g.places.cache / "hooks", g.places.state / "tmp"):
        try:
            found += [Path(one.path) for one in os.scandir(above) if one.is_dir(follow_symlinks=False)]
        except OSError:
            continue
    return sorted(found)


def _is_left(g: Ground, folder: Path) -> bool:
    return g.now - _used(folder) >= OLD and not _wanted(g, folder.name) and not _somebody_is_in(g, folder)


def _used(folder: Path) -> float:
    """When something was last made or removed right in it."""
    try:
        return folder.lstat().st_mtime
    except OSError:
        return 0.0


def _wanted(g: Ground, name: str) -> bool:
    """Whether a living supervisor may be at a gate there. Without one nobody comes back to a scratch folder."""
    assert g.places is not None
    if not holders.holding(g.places.lock).taken:
        return False
    state = g.log.state
    if state is None:
        return True
    policy = state.policies.get(name.rpartition(".")[0])
    return policy is not None and policy.status in ("queued", "gating", "acting")


def _somebody_is_in(g: Ground, folder: Path) -> bool:
    place = os.path.realpath(folder)
    return any(f"{one}/".startswith(f"{place}/") for one in map(proc.folder, g.table.procs) if one)


def _deleting(folder: Path) -> Callable[[], str]:
    def delete() -> str:
        if not delete_folder(folder):
            raise OSError(0, "could not be deleted", str(folder))
        return f"deleted {folder}"

    return delete


def _missing(g: Ground) -> Iterator[Finding]:
    """Of a workspace that is in use."""
    places = g.places
    assert places is not None
    if not places.log.exists():
        return
    for folder in (places.state / "transcripts", places.state / "gates"):
        if not folder.is_dir():
            what = f"{folder} is missing: what agents and gates say could not be kept"

            def make(folder: Path = folder) -> str:
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                return f"made {folder}"

            yield Finding(check=NAME, level="fault", what=what, cure=_fix(g), mend=make)


def _open_to_others(g: Ground) -> Iterator[Finding]:
    assert g.places is not None
    for folder in (g.places.state, g.places.data, g.places.cache):
        try:
            mode = folder.stat().st_mode & 0o777
        except OSError:
            continue
        if mode & 0o022:
            what = f"{folder} can be written by other users (mode {mode:03o}): they could put anything there"
            yield Finding(check=NAME, level="fault", what=what, cure=words("chmod", "go-w", str(folder)))
