"""Copies ignored files that a project needs to run (a `.env`) from the main worktree into a place that has none.

Regular files only, no link followed on either side, nothing overwritten, nothing outside read or written.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Sequence
from dataclasses import dataclass, field

from console.adapters.git.binary import MIB, shown
from console.adapters.git.bringing import make_folders
from console.adapters.git.checkouts import DEPENDENCIES, ignored
from console.adapters.git.naming import path_problem
from console.adapters.git.reading import Content, Missing, Unfit, opened, read_path, read_with
from console.adapters.git.shadow import Repository, View
from console.adapters.git.snapshot_scan import descend
from console.adapters.git.stacking import named
from console.core.paths import bytes_of, text_of
from console.core.records import Refused

EACH = 10 * MIB
ALL = 100 * MIB
FILES = 1_000
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_PART = ".nightdesk-include.part"


@dataclass(slots=True)
class _Taking:
    """Reads one small file whole and remembers its permissions."""

    perm: int = 0
    sizes: dict[str, int] = field(default_factory=dict)

    def __call__(self, handle: int, status: os.stat_result) -> Content | Unfit:
        if status.st_size > EACH:
            return Unfit("is too large")
        self.perm = stat.S_IMODE(status.st_mode)
        with os.fdopen(os.dup(handle), "rb") as file:
            body = file.read(EACH + 1)
        return Content("100644", body) if len(body) == status.st_size else Unfit("changed while it was read")


def include(repo: Repository, worktree: str, patterns: tuple[str, ...]) -> tuple[str, ...] | Refused:
    """See `console.engine.ports.Git.include`. Raises GitFailed and OSError."""
    if os.path.realpath(worktree) == repo.workspace.root:
        return ()
    names = _absent(worktree, matching(repo, repo.workspace.root, patterns))
    hidden = set(ignored(repo, worktree, [os.fsdecode(name) for name in names]))
    if seen := [name for name in names if os.fsdecode(name) not in hidden]:
        return Refused(
            reason=f"{named(map(text_of, seen))} is ignored in {shown(repo.workspace.root)} but not by the commit that "
            f"{shown(worktree)} is at, so it would become part of the work: commit the .gitignore that covers it, or "
            "take it off `include`",
            paths=tuple(map(text_of, seen)),
        )
    return copy(repo.workspace.root, worktree, names)


def matching(repo: Repository, root: str, patterns: Sequence[str]) -> list[bytes]:
    """Ignored files of a worktree that match, sorted. What is installed below a dependency folder is not looked for."""
    wanted = [f"--exclude={pattern}" for pattern in patterns if pattern and "\0" not in pattern]
    if not wanted:
        return []
    with repo.scratch() as room:
        view = View(index=room / "index", worktree=root)
        repo.out(view, "read-tree", repo.value("HEAD", repo.git_dir_of(root)) or "--empty")
        found = repo.out(view, "ls-files", "-o", "-i", "-z", *wanted).split(b"\0")
    asked = {name for name in DEPENDENCIES if any(name in pattern.split("/") for pattern in patterns)}
    skipped = {name.encode() for name in DEPENDENCIES} - {name.encode() for name in asked}
    plain = [name for name in found if name and not name.endswith(b"/") and not skipped & set(name.split(b"/"))]
    return sorted(os.fsencode(name) for name in ignored(repo, root, [os.fsdecode(name) for name in plain]))


def copy(source: str, into: str, names: Sequence[bytes]) -> tuple[str, ...] | Refused:
    """Copy those that `into` has not; their names. Raises OSError."""
    with opened(source) as root, opened(into) as target:
        todo = [text_of(name) for name in _absent(into, names)]
        todo = [name for name in todo if _is_file(root, name)]
        if refused := _too_much(root, todo):
            return refused
        return tuple(name for name in todo if _copied(root, target, name))


def _absent(into: str, names: Sequence[bytes]) -> list[bytes]:
    """Those that `into` has not, and no link in the place of one of their folders."""
    sound = [name for name in names if not path_problem(text_of(name))]
    with opened(into) as target:
        _drop_litter(target, [text_of(name) for name in sound])
        return [name for name in sound if read_path(target, text_of(name)) == Missing()]


def _drop_litter(target: int, names: Sequence[str]) -> None:
    """Take away what an interrupted call left beside these."""
    for folder in {os.path.dirname(os.fsdecode(bytes_of(name))) for name in names}:
        with contextlib.suppress(OSError):
            handle = descend(target, folder)
            try:
                os.unlink(_PART, dir_fd=handle)
            finally:
                os.close(handle)


def _is_file(root: int, name: str) -> bool:
    status = _status(root, name)
    return status is not None and stat.S_ISREG(status.st_mode)


def _status(root: int, name: str) -> os.stat_result | None:
    folder, _, last = os.fsdecode(bytes_of(name)).rpartition("/")
    try:
        handle = descend(root, folder)
    except OSError:
        return None
    try:
        return os.stat(last, dir_fd=handle, follow_symlinks=False)
    except OSError:
        return None
    finally:
        os.close(handle)


def _too_much(root: int, names: Sequence[str]) -> Refused | None:
    found = ((name, _status(root, name)) for name in names)
    sizes = {name: status.st_size for name, status in found if status}
    cure = "narrow `include` in the settings"
    if large := [name for name, size in sizes.items() if size > EACH]:
        return Refused(
            reason=f"{named(large)} has more than the {EACH // MIB} MiB that an included file may have: {cure}",
            paths=tuple(large),
        )
    if len(sizes) > FILES or sum(sizes.values()) > ALL:
        what = f"{len(sizes):,} files with {sum(sizes.values()) // MIB} MiB"
        return Refused(reason=f"`include` matches {what}, more than {FILES:,} or {ALL // MIB} MiB: {cure}")
    return None


def _copied(root: int, target: int, name: str) -> bool:
    """False when it went away meanwhile, or something took its place in the target."""
    take = _Taking()
    found = read_with(root, name, take)
    if not isinstance(found, Content) or found.mode != "100644":
        return False
    raw = bytes_of(name)
    make_folders(target, os.path.dirname(raw))
    folder, _, last = os.fsdecode(raw).rpartition("/")
    handle = descend(target, folder)
    try:
        with os.fdopen(os.open(_PART, _NEW, 0o600, dir_fd=handle), "wb") as file:
            file.write(found.body)
            os.fchmod(file.fileno(), take.perm & 0o777)
        try:
            # A link, because a rename would take the place of what came there meanwhile.
            os.link(_PART, last, src_dir_fd=handle, dst_dir_fd=handle, follow_symlinks=False)
        except FileExistsError:
            return False
        finally:
            os.unlink(_PART, dir_fd=handle)
    finally:
        os.close(handle)
    return True
