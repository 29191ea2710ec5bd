"""What the preflight goes by: everything that was looked at before a run, as plain values. Looks at nothing itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from console.adapters.trust import Loaded
from console.core.drain import Run
from console.core.records import Check, Identity, Record, Refused, TicketSpec
from console.core.settings import Preset, Settings, agent_of

GB = 1_000_000_000
VERSION = re.compile(r"\d+\.\d+\.\d+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """What is known of a preset's program. found: its path, or why there is none. elsewhere: what the agent's own PATH
    leads to when that lies inside a worktree. asked: it was started to say its version; said: its first line.
    failed: why that is no version."""

    found: str | Refused
    elsewhere: str = ""
    asked: bool = False
    said: str = ""
    failed: str = ""


class Drift(Record, frozen=True, kw_only=True):
    """Whether an agent still takes what its preset says. checked: something could be asked. missing: flags that its
    help no longer has. why: why it would not begin a session, or does not tell its flags; "" when all is well. said:
    its own name and version, over ACP. login: nobody is logged in. seconds: that it took."""

    checked: bool = False
    missing: tuple[str, ...] = ()
    why: str = ""
    said: str = ""
    login: bool = False
    seconds: float = 0.0

    @property
    def fits(self) -> bool:
        return not (self.missing or self.why)


@dataclass(frozen=True, slots=True, kw_only=True)
class Repo:
    """The repository. trouble: why git cannot tell of it. unseen: changed files that no ticket's worktree will have
    (None: nobody could tell, see `unsure`). size: bytes of its files. alert: one that holds approvals is open.
    submodules: it has some."""

    version: str = ""
    trouble: str = ""
    head: str = ""
    ref: str = ""
    operation: str = ""
    identity: Identity | Refused | None = None
    unseen: tuple[str, ...] | None = ()
    unsure: str = ""
    size: int = 0
    alert: str = ""
    submodules: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """A file system that we write to: what for, and the bytes that are free. growing: worktrees are made there."""

    what: str
    place: str
    free: int
    growing: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """rooms: the file systems, each once. kind: type of the state folder's. unwritable: why the state folder cannot be
    written. memory: bytes that could be had now, None where nobody can tell. sandbox: what a session gets, in words."""

    rooms: tuple[Room, ...] = ()
    kind: str = ""
    state: str = ""
    unwritable: str = ""
    memory: int | None = None
    sandbox: str | Refused = ""
    sandboxed: bool = False


class Waiting(Record, frozen=True, kw_only=True):
    """A ticket that a run could take. held: why it will not, "" when it may. file: relative to the tickets folder."""

    ticket: str
    file: str
    spec: TicketSpec
    held: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Queue:
    """The tickets as they are now. waiting: what is queued, and what a run that starts takes again by itself. at_work:
    those that the open run has under way. stopped: by a person; no run takes them before a person requeues them.
    problems: as "file:line: what, and the cure"."""

    waiting: tuple[Waiting, ...] = ()
    at_work: tuple[str, ...] = ()
    stopped: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    trouble: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """All of it. sessions: at work at once; agent: the preset asked for instead of the settings'; pull: workers come
    and ask for tickets, so that no preset is started. supervised: somebody holds the lock, named by `holder`; silent:
    seconds since it gave a sign of life, 0 where nothing is known. run: the one that is under way or was left open.
    credentials: what can push and lies within an agent's reach. login: why the end of this login may end a run, and the
    command that helps. command: where a gate's program is. builtin: the names of all built-in presets.
    chains: finished work gets reviews and repairs by itself."""

    loaded: Loaded
    trusted: bool
    uid: int
    user: str
    environ: Mapping[str, str]
    sessions: int = 1
    agent: str = ""
    pull: bool = False
    supervised: bool = False
    holder: str = ""
    silent: float = 0.0
    run: Run | None = None
    probes: Mapping[str, Probe] = field(default_factory=dict)
    drifts: Mapping[str, Drift] = field(default_factory=dict)
    builtin: tuple[str, ...] = ()
    chains: bool = False
    repo: Repo = field(default_factory=Repo)
    machine: Machine = field(default_factory=Machine)
    queue: Queue = field(default_factory=Queue)
    credentials: tuple[str, ...] = ()
    login: tuple[tuple[str, str], ...] = ()
    command: Callable[[str], str | Refused] = lambda name: name
    is_folder: Callable[[str], bool] = lambda _path: True

    @property
    def settings(self) -> Settings:
        return self.loaded.settings

    def where(self, *keys: str) -> str:
        """`file:line` of the first of these keys that the file has, else of its beginning."""
        known = next((key for key in keys if key in self.loaded.lines), "")
        return self.loaded.where(known)

    def wanted(self) -> dict[str, tuple[str, ...]]:
        """Every preset that the run would start -> the tickets that name it, () for the run's own."""
        names: dict[str, tuple[str, ...]] = {}
        own = self.agent or agent_of(self.settings)
        if own:
            names[own] = ()
        for one in self.queue.waiting:
            if one.spec.agent and one.spec.agent != own:
                names[one.spec.agent] = (*names.get(one.spec.agent, ()), one.ticket)
        return names

    def needs(self, tickets: tuple[str, ...]) -> bool:
        """Whether a preset that these tickets name (() for the run's own) is needed for any work at all: nothing that
        could start does without it."""
        ready = {one.ticket for one in self.queue.waiting if not one.held}
        return not tickets or (bool(ready) and ready <= set(tickets))

    def presets(self) -> dict[str, Preset]:
        """Those of `wanted` that there are."""
        return {name: self.settings.presets[name] for name in self.wanted() if name in self.settings.presets}


def ok(name: str, text: str) -> Check:
    return Check(name=name, level="ok", text=text)


def warning(name: str, text: str, cure: str = "") -> Check:
    return Check(name=name, level="warning", text=text, cure=cure)


def no_go(name: str, text: str, cure: str = "") -> Check:
    return Check(name=name, level="no-go", text=text, cure=cure)


def some(names: tuple[str, ...] | list[str], most: int = 5) -> str:
    """At most so many names, and how many more there are."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")


def size(count: float) -> str:
    """Bytes for people."""
    return f"{count / GB:.1f} GB" if count >= GB / 10 else f"{count / 1e6:.0f} MB"


def inside(place: str, folder: Path) -> bool:
    return Path(place) == folder or folder in Path(place).parents
