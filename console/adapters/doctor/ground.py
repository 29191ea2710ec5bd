"""What the doctor looks at: the workspace around a folder, if there is one, and what its log says. Makes nothing."""

from __future__ import annotations

import functools
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from console.adapters.doctor import peeking, proc
from console.adapters.doctor.findings import words
from console.adapters.git.binary import GitBinary, GitFailed
from console.adapters.git.finding import discover, named
from console.adapters.git.shadow import Repository
from console.adapters.git.worktrees import linked_git_dirs
from console.adapters.places import Places, places
from console.core.records import Refused
from console.engine.ports import Workspace


@dataclass(frozen=True, kw_only=True)
class Ground:
    """workspace, places: None where there is no repository of ours; trouble: why. now: Unix seconds."""

    environ: Mapping[str, str]
    workspace: Workspace | None = None
    places: Places | None = None
    trouble: str = ""
    now: float = field(default_factory=time.time)

    @functools.cached_property
    def log(self) -> peeking.Read:
        return peeking.read(self.places.log) if self.places else peeking.Read()

    @functools.cached_property
    def table(self) -> proc.Table:
        return proc.table()

    @functools.cached_property
    def repository(self) -> Repository | None:
        """None where git cannot tell of it."""
        if self.workspace is None or self.places is None or self.trouble:
            return None
        given = dict(self.environ)
        try:
            return Repository(self.workspace, self.places.state, GitBinary(given, self.worktrees), given)
        except GitFailed:
            return None

    @functools.cached_property
    def worktrees(self) -> tuple[str, ...]:
        """Folders that an agent can write."""
        if self.workspace is None or self.places is None:
            return ()
        linked = (folder for _, folder in linked_git_dirs(self.workspace.common))
        return (self.workspace.root, os.path.realpath(self.places.data), *linked)

    @property
    def data(self) -> Path:
        """The folder of our worktrees as the kernel names it."""
        assert self.places is not None
        return Path(os.path.realpath(self.places.data))

    def command(self, *argv: str) -> str:
        """A command line of ours about this workspace, to paste anywhere."""
        where = ("--workspace", self.workspace.root) if self.workspace else ()
        return words("nightdesk", *where, *argv)


def find(start: Path, environ: Mapping[str, str]) -> Ground:
    """The workspace that a folder is in, also one whose git dir is broken; without one there is still a machine."""
    bare = Ground(environ=environ)
    try:
        found = discover(start, environ)
        if isinstance(found, Workspace):
            return replace(bare, workspace=found, places=places(found, environ))
        known = _known(start, environ)
    except OSError as error:
        return replace(bare, trouble=f"{start}: {error.strerror}")
    except KeyError:  # a user without an entry in the list of users, and no HOME
        return replace(bare, trouble="there is no HOME: set it, so that the state of nightdesk is found")
    return replace(known, trouble=found.reason) if known else replace(bare, trouble=found.reason)


def _known(start: Path, environ: Mapping[str, str]) -> Ground | None:
    """A workspace of which there is a log, although git cannot tell any more."""
    real = Path(os.path.realpath(start))
    for folder in (real, *real.parents):
        workspace = named(str(folder), str(folder / ".git"))
        if not isinstance(workspace, Refused) and (where := places(workspace, environ)).log.is_file():
            return Ground(environ=environ, workspace=workspace, places=where)
    return None
