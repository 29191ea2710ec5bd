"""Where things of ours lie on disk: state outside the repository, where an agent has no business."""

from __future__ import annotations

import os
import pwd
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from console.engine.ports import Workspace


def _root(environ: Mapping[str, str], variable: str, default: str) -> Path:
    """An XDG base folder; a relative value is ignored, as the XDG specification asks."""
    value = environ.get(variable, "")
    home = environ.get("HOME", "")
    if not home.startswith("/"):  # unset, or relative to a folder that is not ours
        home = pwd.getpwuid(os.getuid()).pw_dir
    base = Path(value) if value.startswith("/") else Path(home) / default
    return base / "nightdesk"


def state_root(environ: Mapping[str, str]) -> Path:
    return _root(environ, "XDG_STATE_HOME", ".local/state")


def data_root(environ: Mapping[str, str]) -> Path:
    return _root(environ, "XDG_DATA_HOME", ".local/share")


def config_root(environ: Mapping[str, str]) -> Path:
    return _root(environ, "XDG_CONFIG_HOME", ".config")


@dataclass(frozen=True, slots=True)
class Places:
    """The folders and files of one workspace."""

    state: Path
    data: Path
    trust: Path
    cache: Path

    @property
    def log(self) -> Path:
        return self.state / "log.db"

    @property
    def lock(self) -> Path:
        return self.state / "lock"

    @property
    def doorbell(self) -> Path:
        return self.state / "doorbell"

    @property
    def beat(self) -> Path:
        return self.state / "beat"

    @property
    def deadman(self) -> Path:
        """The stacks of a supervisor that ended itself because its loop did not run any more."""
        return self.state / "deadman.txt"

    def transcript(self, session: str) -> Path:
        return self.state / "transcripts" / f"{session}.jsonl"

    def stderr(self, session: str, run: int) -> Path:
        return self.state / "transcripts" / f"{session}.{run}.err"

    def gate_output(self, policy: str, attempt: int, where: str) -> Path:
        return self.state / "gates" / f"{policy}.{attempt}.{where}.out"

    def checkout(self, policy: str, attempt: int) -> Path:
        """Outside the state folder, which a sandboxed gate cannot write."""
        return self.cache / "checkouts" / f"{policy}.{attempt}"

    def hooks(self, policy: str, attempt: int) -> Path:
        return self.cache / "hooks" / f"{policy}.{attempt}"

    @property
    def inboxes(self) -> Path:
        """The inboxes of all sessions of all workspaces, which a sandbox hides but for its session's own."""
        return self.cache.parent / "inbox"

    def inbox(self, session: str) -> Path:
        """A folder that the session's agent may write, outside the state folder."""
        return self.inboxes / self.cache.name / session

    @property
    def tickets(self) -> Path:
        """Every text of a ticket that was ever seen, by its digest."""
        return self.state / "tickets"

    def make(self) -> None:
        """Create the folders, readable by their owner only."""
        for folder in (self.state, *(self.state / name for name in ("transcripts", "gates"))):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)


def places(workspace: Workspace, environ: Mapping[str, str]) -> Places:
    return Places(
        state=state_root(environ) / workspace.key,
        data=data_root(environ) / workspace.key,
        trust=state_root(environ) / "trust.json",
        cache=_root(environ, "XDG_CACHE_HOME", ".cache") / workspace.key,
    )
