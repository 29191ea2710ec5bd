"""What a screen may read and do, as a record of functions: the wiring fills it, tests fill it with less."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from console.core.events import Logged
from console.core.notify_settings import Channel
from console.core.records import Check, Frozen, Refused, Sandbox, Who
from console.engine.client import Client
from console.engine.first_steps import FirstSteps
from console.engine.planfiles import PlanFiles

SILENT = 4.0
"""Seconds without a sign of life of a supervisor that are worth a word: several beats in a row are missing."""


class Search(Protocol):
    """The log from its newest entry back, through a connection that cannot write; used in the thread that opened it."""

    def before(self, seq: int, count: int, texts: Sequence[str] = ()) -> tuple[Sequence[Logged], int]:
        """Of the `count` entries before position `seq` those that hold every one of `texts`, ASCII in any case, newest
        first; and the position to go on from, 0 at the end."""

    def costs(self, since: int) -> tuple[Mapping[str, float], int]:
        """What the turns that ended after a position cost, by session, in US dollars; and up to which position."""


class Memory(Protocol):
    """What the screen remembers between two starts; convenience, never truth. None raises; only what says so waits."""

    def get(self, name: str, default: Any = None) -> Any:
        """The value set last; `default` when there is none, or one of another type than `default` (unless None)."""

    def set(self, name: str, value: Any) -> None:
        """value: anything that JSON holds."""

    def amend(self, name: str, make: Callable[[Any], Any]) -> None:
        """For a collection: make the new value of the one there (None: none), which another console may have changed.
        May be called more than once."""

    def settle(self) -> str:
        """Wait until all is written: why it could not be (it is still known here), or ""."""

    def refresh(self) -> None:
        """Wait until what other consoles wrote is read."""


class Forgetful:
    """A memory that ends with the program."""

    def __init__(self) -> None:
        self._known: dict[str, Any] = {}

    def get(self, name: str, default: Any = None) -> Any:
        found = self._known.get(name, default)
        return found if default is None or isinstance(found, type(default)) else default

    def set(self, name: str, value: Any) -> None:
        self._known[name] = value

    def amend(self, name: str, make: Callable[[Any], Any]) -> None:
        self._known[name] = make(self._known.get(name))

    def settle(self) -> str:
        return ""

    def refresh(self) -> None:
        pass


def _not_wired() -> Sequence[Check]:
    return (Check(name="console", level="no-go", text="this console was opened without the means to start a run"),)


def _not_startable(checks: Sequence[Check], attended: bool) -> str:
    return "this console was opened without the means to start a run; `nightdesk run` starts one"


def _no_text(digest: str) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Opening:
    """The agent's own interactive mode of one conversation: what to run where. env: the whole environment. sandbox:
    what it is to be confined to (no process namespace: that would take its terminal away), None for nothing. words: one
    line about that, for the person who opens it."""

    argv: tuple[str, ...]
    cwd: str
    env: dict[str, str]
    sandbox: Sandbox | None = None
    words: str = ""


def _not_openable(session: str) -> Opening | Refused:
    return Refused(reason="this console was opened without the means to start a program")


@dataclass(frozen=True, slots=True)
class Desk:
    """name: the workspace for people. new_client: a client with a connection of its own (call it in the thread that
    uses it). events(first, count): log entries by position. version: a number that changes when the log has grown
    (from the watching thread). diff, drift and snapshot_changes(worktree, snapshot) call git and block: never on the
    screen's loop. supervised: whether somebody holds the workspace's lock. silence(pid): seconds that the supervisor
    with this pid gave no sign of life while we looked, 0 when nothing is known; asked about once a second on the
    screen's loop. preflight: every check, GO when none is `no-go`; start_run(checks, attended): sends the GO, "" or why
    there is no run; ticket_text(digest): the text of the ticket file that is kept under that digest, "" when none is.
    All three block. opening(session): how its conversation is opened in the agent's own interactive mode; me: pid and
    start time of this process, for `cmd.LendSession`. ringers: channels of the settings that are a terminal;
    passes_through: whether the tmux around us hands escape sequences on (both block). memory: what this user's screens
    remember (theme, split), memory_here: what those of this workspace do (the archive). config_dir: the user's own
    folder, with `themes/` and `keys.yaml`; it may be missing. first_steps: what a newcomer does here, None where nobody
    offers that. open_search: a way through the log of its own, None where `open_events` has to do. files: those of
    a plan (all block)."""

    name: str
    root: str
    new_client: Callable[[], Client]
    who: Callable[[], Who]
    diff: Callable[[Frozen], bytes]
    drift: Callable[[Frozen], Sequence[str]]
    transcript: Callable[[str], Sequence[dict[str, Any]]]
    pulse: Callable[[str], str]
    read_output: Callable[[str], str]
    open_events: Callable[[], Callable[[int, int], Sequence[Logged]]]
    open_version: Callable[[], Callable[[], int]]
    supervised: Callable[[], bool]
    snapshot_changes: Callable[[str, str], Sequence[str] | Refused]
    preflight: Callable[[], Sequence[Check]] = _not_wired
    start_run: Callable[[Sequence[Check], bool], str] = _not_startable
    ticket_text: Callable[[str], str] = _no_text
    silence: Callable[[int], float] = lambda _pid: 0.0
    opening: Callable[[str], Opening | Refused] = _not_openable
    me: Callable[[], tuple[int, int]] = lambda: (0, 0)
    ringers: Callable[[], Sequence[Channel]] = tuple
    passes_through: Callable[[], bool] = lambda: False
    memory: Memory = field(default_factory=Forgetful)
    memory_here: Memory = field(default_factory=Forgetful)
    config_dir: Path = Path("/nonexistent")
    first_steps: FirstSteps | None = None
    open_search: Callable[[], Search] | None = None
    files: PlanFiles = field(default_factory=PlanFiles)
