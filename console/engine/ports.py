"""What the supervisor needs from the world, as small protocols. Adapters implement them; tests fake them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from console.core.records import Frozen, Identity, Launch, Option, ProcessEnd, Record, Refused


class ProcessSpec(Record, frozen=True, kw_only=True):
    """One process to run under a shim of its own.

    argv[0] is an absolute path or is resolved on env["PATH"]. stdio: `pipes` hands the process's stdin and stdout
    straight to us (ACP) and pumps only stderr into `output`; `file` gives it /dev/null (or `stdin`) and pumps stdout
    and stderr into `output`. `output` keeps the first `head` and the last `tail` bytes. grace: seconds between TERM
    and the freeze-and-kill. The caller keeps its own deadline and calls `stop`.
    """

    argv: tuple[str, ...]
    cwd: str
    env: dict[str, str]
    output: str
    stdio: str = "file"
    stdin: str = ""
    head: int = 65536
    tail: int = 65536
    grace: float = 2.0


class Running(Protocol):
    """A process that runs under a shim."""

    pid: int
    start_time: int
    shim_pid: int
    shim_start: int
    stdin_fd: int | None
    stdout_fd: int | None

    async def wait(self) -> ProcessEnd: ...
    def stop(self, grace: float | None = None) -> None:
        """Ask the shim to clear the tree; returns at once, `wait` tells when it is gone."""


class Processes(Protocol):
    async def launch(self, spec: ProcessSpec) -> Running | ProcessEnd:
        """Start it, or say why not (`not-started`)."""


# -- agents ----------------------------------------------------------------------------------------------


class TurnResult(Record, frozen=True, kw_only=True):
    """The end of one turn. ok: the protocol's own positive end (`end_turn`, exit 0); never prose."""

    ok: bool
    stop: str
    detail: str = ""
    code: int | None = None


class Asked(Record, frozen=True, kw_only=True):
    """An agent waits for a person: `session/request_permission`."""

    question: str
    title: str
    options: tuple[Option, ...]


class Answered(Record, frozen=True, kw_only=True):
    """An open question is no longer open (answered, cancelled, or the agent withdrew it)."""

    question: str
    option: str


class Ended(Record, frozen=True, kw_only=True):
    """The agent's process (or, for the command driver, the session) is gone."""

    end: ProcessEnd


class Began(Record, frozen=True, kw_only=True):
    """The agent is up: its conversation id and the processes that carry it."""

    conversation: str
    pid: int
    shim_pid: int
    shim_start: int
    resumed: bool = False
    detail: str = ""


AgentFact = Began | Asked | Answered | Ended


class AgentSpec(Record, frozen=True, kw_only=True):
    """One session to drive. transcript: the JSONL file its updates are appended to (capped by the driver).
    conversation: resume this one when not empty."""

    session: str
    run: int
    launch: Launch
    cwd: str
    env: dict[str, str]
    transcript: str
    stderr: str
    conversation: str = ""
    start_timeout: float = 60.0


class Agent(Protocol):
    """A live session. One turn at a time; every call is made from the supervisor's loop."""

    async def prompt(self, turn: int, text: str) -> TurnResult:
        """Send a prompt, return at the turn's end. Never raises for something the agent did."""

    def answer(self, question: str, option: str | None) -> bool:
        """Choose an option by id (None: cancelled). False when the question is no longer open."""

    async def cancel(self) -> None: ...
    async def stop(self) -> None:
        """Orderly end: cancel, close stdin, 5 s, then the shim's kill procedure. Reports `Ended`."""


class Agents(Protocol):
    async def start(self, spec: AgentSpec, report: Callable[[AgentFact], None]) -> Agent | Refused:
        """Spawn (or resume) and report `Began`; `Refused` names the reason. `Ended` is reported exactly once
        after a successful start."""


# -- git -------------------------------------------------------------------------------------------------


class Worktree(Record, frozen=True, kw_only=True):
    """One worktree of the workspace. ref is "" when HEAD is detached; head is "" when unborn."""

    path: str
    ref: str
    head: str
    main: bool = False


class Workspace(Record, frozen=True, kw_only=True):
    """root: the main worktree; common: the shared git dir; key: the folder name under our state root."""

    root: str
    common: str
    key: str


class TurnBase(Record, frozen=True, kw_only=True):
    """Where a worktree stood when a turn began."""

    ref: str
    head: str


class FreezeRequest(Record, frozen=True, kw_only=True):
    """Freeze `paths` of `worktree` on top of `base`.

    base.head is the parent; the ref is base.ref. If the branch moved during the turn (the agent committed), the
    candidate is still the final bytes on base.head, and ref_old is the branch's present value.
    """

    worktree: str
    paths: tuple[str, ...]
    message: str
    base: TurnBase
    author: Identity
    when: int
    zone: str


class Moved(Record, frozen=True, kw_only=True):
    """The ref is no longer what the plan was frozen on."""

    now: str
    overlap: tuple[str, ...] = ()


class Landed(Record, frozen=True, kw_only=True):
    """The ref holds the commit. index_note: empty, or what could not be refreshed in the operator's index."""

    commit: str
    index_note: str = ""


class Plans(Protocol):
    """Everything that touches git for plans. Blocking calls: the supervisor runs them in a thread."""

    def turn_base(self, worktree: str) -> TurnBase | Refused: ...
    def freeze(self, request: FreezeRequest) -> Frozen | Refused: ...
    def rebase(self, plan: Frozen, onto: str, when: int) -> Frozen | Refused:
        """The same changes, from objects only, on a new base that touches none of the plan's paths."""

    def moved(self, plan: Frozen) -> Moved | None: ...
    def drift(self, plan: Frozen) -> tuple[str, ...]:
        """Listed paths whose bytes on disk are no longer the plan's."""

    def diff(self, plan: Frozen) -> bytes: ...
    def checkout(self, plan: Frozen, into: Path) -> Refused | None: ...
    def same_bytes(self, plan: Frozen) -> tuple[str, ...]:
        """Paths that make the worktree differ from the plan's tree (unlisted changes, untracked files)."""

    def land(self, plan: Frozen) -> Landed | Moved | Refused: ...
    def landed(self, plan: Frozen) -> bool:
        """True when the ref's tip is, or descends from, the plan's commit."""

    def undo(self, plan: Frozen) -> Landed | Refused: ...
    def identity(self) -> Identity | Refused: ...


class Git(Plans, Protocol):
    def worktrees(self) -> Sequence[Worktree]: ...
    def worktree_of(self, path: str) -> Worktree | None: ...
    def add_worktree(self, name: str, branch: str) -> Worktree | Refused: ...
