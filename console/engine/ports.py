"""What the supervisor needs from the world, as small protocols. Adapters implement them; tests fake them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal, Protocol

from console.core.events import TicketSeen
from console.core.failures import Failures
from console.core.records import (
    Frozen,
    Identity,
    Launch,
    Option,
    ProcessEnd,
    Record,
    Refused,
    RepoChange,
    Sandbox,
    Usage,
)


class ProcessSpec(Record, frozen=True, kw_only=True):
    """One process to run under a shim of its own.

    argv[0] is an absolute path or is resolved on env["PATH"]. stdio: `pipes` hands the process's stdin and stdout
    straight to us (ACP) and pumps only stderr into `output`; `file` gives it /dev/null (or `stdin`) and pumps stdout
    and stderr into `output`. `output` keeps the first `head` and the last `tail` bytes. rolling: somebody reads it as
    it comes, all of it: after some `head` bytes it becomes `<output>.old` and a new file is begun, for which the
    process waits until the reader has removed the `.old` before. grace: seconds between TERM and the freeze-and-kill.
    sandbox: the namespaces it runs in; when they cannot be made it is not started. The caller keeps its own deadline
    and calls `stop`.
    """

    argv: tuple[str, ...]
    cwd: str
    env: dict[str, str]
    output: str
    stdio: str = "file"
    stdin: str = ""
    head: int = 65536
    tail: int = 65536
    rolling: bool = False
    grace: float = 2.0
    sandbox: Sandbox | None = None


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
    """The end of one turn. ok: the protocol's own positive end (`end_turn`, exit 0); never prose. fault, until, usage:
    as in `turn-end`, from the protocol's error or result, never from what the agent wrote to a person."""

    ok: bool
    stop: str
    detail: str = ""
    code: int | None = None
    fault: Literal["", "limit", "overload", "auth"] = ""
    until: float = 0.0
    usage: Usage | None = None


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
    start_time: int = 0


AgentFact = Began | Asked | Answered | Ended


class McpServer(Record, frozen=True, kw_only=True):
    """A tool server that an agent is handed and starts itself: name, argv (argv[0] absolute), its environment."""

    name: str
    argv: tuple[str, ...]
    env: dict[str, str] = {}


class AgentSpec(Record, frozen=True, kw_only=True):
    """One session to drive. transcript: the JSONL file its updates are appended to (capped by the driver).
    conversation: resume this one when not empty. mcp: tool servers to hand it, where its protocol can."""

    session: str
    run: int
    launch: Launch
    cwd: str
    env: dict[str, str]
    transcript: str
    stderr: str
    conversation: str = ""
    start_timeout: float = 60.0
    sandbox: Sandbox | None = None
    mcp: tuple[McpServer, ...] = ()


class ToolCall(Record, frozen=True, kw_only=True):
    """A tool that an agent says it is running. since: monotonic seconds of ours. budget: seconds that it declared
    itself, 0 for none."""

    name: str
    since: float
    budget: float = 0.0


class Vital(Record, frozen=True, kw_only=True):
    """What an agent showed us so far. progress: a count that grows with every event of its protocol that could be read
    and says something new; lines that mean nothing do not count. output: bytes that came, progress or not. rounds: how
    many rounds with its model have ended in a row without a word, a thought or a tool."""

    progress: int = 0
    output: int = 0
    tools: tuple[ToolCall, ...] = ()
    rounds: int = 0


class Tree(Record, frozen=True, kw_only=True):
    """The processes below one shim at one moment. state: of the agent's first process (/proc letter, "" when it is
    gone). ticks: CPU time of the whole tree, clock ticks. moved: bytes read and written by it, as far as may be seen.
    members: a digest of who is there. words: as a person would describe it. complete: False when /proc could not be
    read as a whole, so that nothing may be concluded from what is missing."""

    state: str = ""
    ticks: int = 0
    moved: int = 0
    members: int = 0
    count: int = 0
    words: str = ""
    complete: bool = True


class Evidence(Protocol):
    """Looks at processes, signals none. Blocking: called in a thread, one pass for all sessions."""

    def trees(self, agents: Mapping[str, tuple[int, int]]) -> Mapping[str, Tree]:
        """agents: session -> (pid of its shim, pid of its agent). Sessions whose shim is gone are left out."""

    def detail(self, shim: int, agent: int) -> str:
        """What a suspect waits for: state, wchan, open connections, youngest child; one line for a person."""


class Agent(Protocol):
    """A live session. One turn at a time; every call is made from the supervisor's loop."""

    async def prompt(self, turn: int, text: str) -> TurnResult:
        """Send a prompt, return at the turn's end. Never raises for something the agent did."""

    def answer(self, question: str, option: str | None) -> bool:
        """Choose an option by id (None: cancelled). False when the question is no longer open."""

    async def cancel(self) -> None: ...
    async def stop(self, patience: float = 5.0) -> None:
        """Orderly end: cancel, close stdin, `patience` seconds (a hung agent gets none), then the shim's kill
        procedure. Reports `Ended`."""

    def vital(self) -> Vital:
        """What it showed so far; cheap, asked once a second."""


class Agents(Protocol):
    async def start(self, spec: AgentSpec, report: Callable[[AgentFact], None]) -> Agent | Refused:
        """Spawn (or resume) and report `Began`; `Refused` names the reason. `Ended` is reported exactly once
        after a successful start."""


class Unable(Exception):
    """What was asked cannot be answered, for a reason outside of us: `reason` is one sentence for a person. Only
    operations whose result cannot be `Refused` raise it."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


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

    everything: every non-ignored path that differs from base.head instead of `paths`; `Frozen.paths` empty means that
    nothing differs. stores: folders with objects of base.head, which the repository then need not hold (it is a
    candidate of another ticket); the branch then may be at an ancestor of base.head that the repository does hold.
    """

    worktree: str
    paths: tuple[str, ...]
    message: str
    base: TurnBase
    author: Identity
    when: int
    zone: str
    everything: bool = False
    stores: tuple[str, ...] = ()


class Moved(Record, frozen=True, kw_only=True):
    """The ref is no longer what the plan was frozen on."""

    now: str
    overlap: tuple[str, ...] = ()


class Behind(Record, frozen=True, kw_only=True):
    """How far the ref has gone on since a plan was frozen. overlap: the plan's paths that changed there too. lost: it
    is gone, or no longer holds what the plan was frozen on."""

    commits: int
    overlap: tuple[str, ...] = ()
    lost: bool = False


class Landed(Record, frozen=True, kw_only=True):
    """The ref holds the commit. index_note: empty, or what could not be refreshed in the operator's index."""

    commit: str
    index_note: str = ""


class FileChange(Record, frozen=True, kw_only=True):
    """One path of a plan with both versions' bytes as they are in git (None: absent, a submodule, or above the cap)."""

    path: str
    old_mode: str
    mode: str
    old: bytes | None
    new: bytes | None


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
    def contents(self, plan: Frozen) -> tuple[FileChange, ...]:
        """Both versions of every path of the plan, each proved by its id."""

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
    def add_worktree(self, name: str, branch: str, base: str = "") -> Worktree | Refused:
        """A new worktree on a new branch at `base` ("": the main worktree's commit)."""

    def ticket_worktree(self, name: str, branch: str, base: str = "") -> Worktree | Refused:
        """Like `add_worktree`, but what an earlier call of ours with the same name and branch made is taken as it is,
        also half made; a branch of ours whose worktree was cleaned away is checked out again."""

    def stack(self, worktree: str, plan: Frozen) -> Refused | None:
        """The files of a worktree that is at an ancestor of the plan become the plan's tree; HEAD and index stay.
        Idempotent. Refused when a file differs from both."""

    def checkout_commit(
        self, commit: str, stores: tuple[str, ...], worktree: str, into: Path, include: tuple[str, ...] = ()
    ) -> Refused | None:
        """Like `checkout`, of any commit: dependency folders come from `worktree`, included files from the main one."""

    def include(self, worktree: str, patterns: tuple[str, ...]) -> tuple[str, ...] | Refused:
        """Copy ignored files of the main worktree that match (gitignore-like globs, relative) into a worktree that has
        none of that name; no link is followed, nothing outside is read or written. The names that were copied."""

    def merged(self, commit: str) -> bool:
        """Whether the main worktree's commit holds this one."""

    def place(self, commit: str) -> str:
        """How a commit stands to the main worktree's branch and its upstream, in words for a person ("main@1a2b3c4d5e,
        2 ahead of origin/main"), "" when nothing is to say."""

    def uncommitted(self, limit: int = 50) -> tuple[str, ...]:
        """Paths of the main worktree that a ticket's worktree will not see (changed or untracked, not ignored)."""

    def write_back(self, plan: Frozen) -> tuple[str, ...] | Refused:
        """In-place work that has landed: its paths are written into the worktree where the file still equals the base.
        Idempotent. Refused, with the files, when one is neither; then nothing is written."""

    def unlike_base(self, plan: Frozen) -> tuple[str, ...]:
        """Listed paths whose bytes on disk are neither the base's nor the plan's."""


# -- the repository itself -------------------------------------------------------------------------------


class Look(Record, frozen=True, kw_only=True):
    """A comparison of the git dir with its baseline. baseline, seen: names under which both are kept for a restore."""

    baseline: str
    seen: str
    changes: tuple[RepoChange, ...] = ()


class GitDirWatch(Protocol):
    """What in the git dir runs programs or lies about content, compared over time. Blocking calls.

    There is one baseline a workspace, kept in the state folder: what the operator last had or accepted.
    """

    def rebase(self) -> Refused | None:
        """What is there now becomes the baseline (nobody of ours was at work since the last one)."""

    def look(self, own_refs: frozenset[str] = frozenset(), *, strict: bool = False) -> Look | Refused:
        """Compare now with the baseline. own_refs: refs that a session of ours may move (its linked worktree's
        branch); what happens to them is no change here. strict: something of ours can write the git dir, so that a
        branch that went forward, was deleted or rewritten is "moved"; else only the operator can have done it, and
        it is a note. The first look ever makes the baseline."""

    def accept_refs(self, refs: frozenset[str]) -> None:
        """These refs were moved by us (a landing, an undo): their present values go into the baseline."""

    def accept_worktree(self, worktree: str) -> None:
        """This linked worktree is new and nothing has run in it: its git dir as it is goes into the baseline."""

    def adopt(self, seen: str, own_refs: frozenset[str] = frozenset()) -> tuple[str, ...] | Refused:
        """What was seen becomes the baseline; the notes say what has changed again since."""

    def restore(self, baseline: str, seen: str, refs: frozenset[str] = frozenset()) -> tuple[str, ...] | Refused:
        """Put back what runs or lies and differs between the two, as far as it is still as it was seen; of the refs
        exactly these, by compare-and-swap. Notes say what was put back and what was not, and why. Nothing is deleted:
        what was added is moved into the state folder."""


class Snapshot(Record, frozen=True, kw_only=True):
    """A worktree's files at one moment, in the shadow store. snapshot: its commit id there. uncovered: what a rollback
    cannot bring back, each with the reason."""

    snapshot: str
    worktree: str
    when: int
    files: int = 0
    seconds: float = 0.0
    uncovered: tuple[str, ...] = ()


class RolledBack(Record, frozen=True, kw_only=True):
    """A rollback that is complete. undo: the snapshot of what was there before it. changed: "M path", "A path" (put
    back), "D path" (taken away), at most 200. left: what still differs, each with the reason."""

    undo: Snapshot
    changed: tuple[str, ...] = ()
    count: int = 0
    left: tuple[str, ...] = ()


class Snapshots(Protocol):
    """Snapshots and rollback of worktrees; never in the operator's refs, stash or index. Blocking calls."""

    def take(self, worktree: str, name: str, when: int) -> Snapshot | Refused:
        """name: letters, digits, "-" and "/", e.g. "s-1/3"; the same name again replaces that snapshot."""

    def changes(self, worktree: str, snapshot: str) -> tuple[str, ...] | Refused:
        """What a rollback would do, as in `RolledBack.changed`, not capped."""

    def restore(self, worktree: str, snapshot: str, when: int) -> RolledBack | Refused:
        """Exactly the snapshot's files again. Idempotent: after a crash the same call completes it."""

    def collect(self, keep: frozenset[str], now: int) -> int:
        """Forget snapshots that are not in `keep` and are older than 14 days, and free their space; bytes freed."""


# -- hooks and signatures --------------------------------------------------------------------------------


class HookRun(Record, frozen=True, kw_only=True):
    """A scratch repository in which the operator's commit hooks can run. hooks: "pre-commit", "commit-msg" as far as
    there are any. argv, env: how to run one (argv per hook). skipped: hooks that will not run, with the reason."""

    folder: str
    hooks: tuple[str, ...] = ()
    argv: dict[str, tuple[str, ...]] = {}
    env: dict[str, str] = {}
    skipped: tuple[str, ...] = ()


class Hooks(Protocol):
    """Commit hooks, prepared and read by us, run by the engine under a shim. Blocking calls."""

    def prepare(self, plan: Frozen, into: Path) -> HookRun | Refused | None:
        """A scratch repository with the plan checked out and staged, in the folder `into`; None: there are no hooks."""

    def outcome(self, plan: Frozen, run: HookRun) -> Frozen | Refused:
        """The plan itself when the hooks changed nothing, else the candidate they made of it. Refused names files
        outside the plan that they staged."""


class Signed(Record, frozen=True, kw_only=True):
    """The plan's commit with a signature, in the plan's own store. by: the key, for a person."""

    commit: str
    by: str = ""


class Locked(Record, frozen=True, kw_only=True):
    """The key cannot sign without a person at a terminal. unlock: argv that asks for what is missing there."""

    reason: str
    unlock: tuple[str, ...] = ()


class Signing(Protocol):
    """Signatures that the operator's own configuration asks for. Blocking calls, at most 30 s."""

    def sign(self, plan: Frozen) -> Signed | Locked | Refused | None:
        """None: nobody asks for a signature. Never an unsigned commit where one is asked for."""


# -- the queue -------------------------------------------------------------------------------------------


class Folder(Protocol):
    """The tickets folder. Blocking calls."""

    def look(self, known: Mapping[str, str]) -> FolderLook:
        """What is there. known: ticket id -> stamp of those that need not be read again."""

    def text(self, digest: str) -> str | Refused:
        """The body of a ticket as it was when it was seen with this digest, from the state folder."""


class FolderLook(Record, frozen=True, kw_only=True):
    """seen: new or changed tickets (held is not decided here). gone: known tickets whose file is not there. problems:
    everything wrong now, each as "file:line: what, and the cure"; such a file is no ticket until it is right."""

    seen: tuple[TicketSeen, ...] = ()
    gone: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()


class Baselines(Protocol):
    """Runs on base commits that are kept from one question to the next. Blocking calls."""

    def get(self, key: str) -> tuple[Failures, ...]: ...
    def put(self, key: str, runs: tuple[Failures, ...]) -> None: ...
