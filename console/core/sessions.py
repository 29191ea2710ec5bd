"""One session: its record, and what can be asked of it. Knows nothing of policies, plans or processes."""

from __future__ import annotations

from typing import Literal

from console.core import events as ev
from console.core import snapshots
from console.core.records import Launch, Option, Record, Who

Phase = Literal["starting", "ready", "working", "awaiting-input", "stopping", "suspended", "exited"]
"""starting: processes are coming up. ready: up, between turns. suspended: the processes are gone with their
supervisor, the conversation can go on. exited: over, by itself or by a person."""

LIVE: frozenset[Phase] = frozenset({"starting", "ready", "working", "awaiting-input", "stopping"})
AT_WORK: frozenset[Phase] = frozenset({"starting", "working", "awaiting-input", "stopping"})
INTERRUPTIONS = 3
"""How often one turn is begun again after its supervisor died before the session counts as exited."""


class Prompt(Record, frozen=True, kw_only=True):
    """A prompt that has not begun its turn."""

    turn: int
    text: str
    cause: ev.Cause
    policy: str = ""


class Turn(Record, frozen=True, kw_only=True):
    """One turn. start_seq/end_seq: log positions (0: not yet). origin_*: where the first of the turns began that led
    here with nobody else moving the branch between them. fault: the outside trouble that ended it (as in `turn-end`).
    cut: it broke off, and its session has come up again since."""

    number: int
    text: str
    cause: ev.Cause
    ref: str = ""
    head: str = ""
    problem: str = ""
    asked_seq: int = 0
    start_seq: int = 0
    started_at: float = 0.0
    end_seq: int = 0
    ended_at: float = 0.0
    end_head: str = ""
    end_ref: str = ""
    ok: bool = False
    stop: str = ""
    detail: str = ""
    interrupted: bool = False
    origin_ref: str = ""
    origin_head: str = ""
    origin_seq: int = 0
    fault: str = ""
    cut: bool = False


class Question(Record, frozen=True, kw_only=True):
    """What the agent waits for. answer, text: requested but not yet delivered (None: nobody answered). via: as in
    `awaiting-input`."""

    id: str
    title: str
    options: tuple[Option, ...]
    at: float
    answer: str | None = None
    text: str = ""
    via: str = ""


class Lent(Record, frozen=True, kw_only=True):
    """Its conversation is open in the agent's own interactive mode. pid, start_time: the process of ours that waits for
    it (clock ticks since boot)."""

    by: Who
    pid: int
    start_time: int
    at: float


class Session(Record, frozen=True, kw_only=True):
    """turn: the latest turn that began. prompts: what waits to be sent, in order. snapshots: oldest first.
    rollback: the snapshot that is to be put back, with the log position of the request, and whether a person asked.
    ticket: the one it works on.
    resting: it is stopped or being stopped so that its conversation can go on later. up_at: when its processes first
    came up; gone_at: when they were last gone (0: they are there).
    suspect_at: since when it shows no progress (0: it does), with the evidence. hung: why its processes are being ended
    by the watchdog. restarts: when it was started again, Unix seconds; restart_at: when it will be (0: not), and why.
    given_up: why it is not started again. processes: what its last turn left running; leftovers: what had to be ended
    after its last process. undelivered: prompts that waited when it exited, or came before it was started again.
    unproven: nobody saw the end of its processes; stuck: one of them could not be ended, and which. first_snapshot: the
    one before its first turn. rolled_to: the snapshot that its files were put back to since its last turn began.
    stopped_by: who stopped it, for people; dropped: prompts that waited then, and were not delivered.
    read_only: its worktree is not to be written. notify_url, notify_secret: as in `session:added`.
    lent: a person has the conversation; none of its processes is started meanwhile. for_loan: it rests, or is to,
    because a person took it: what waits for it goes on waiting."""

    session: str
    label: str
    preset: str
    launch: Launch
    cwd: str
    worktree: str
    phase: Phase = "starting"
    since: float = 0.0
    run: int = 1
    conversation: str = ""
    pid: int = 0
    shim_pid: int = 0
    shim_start: int = 0
    detail: str = ""
    prompts: tuple[Prompt, ...] = ()
    turns: int = 0
    turn: Turn | None = None
    question: Question | None = None
    interruptions: int = 0
    cancel: int = 0
    stopped: bool = False
    stopped_by: str = ""
    dropped: int = 0
    exit: str = ""
    exit_seq: int = 0
    last_seq: int = 0
    sandbox: str = ""
    writes_git: bool = False
    snapshots: tuple[snapshots.Kept, ...] = ()
    no_snapshot: str = ""
    rollback: str = ""
    rollback_seq: int = 0
    rollback_asked: bool = True
    rolled_back: str = ""
    ticket: str = ""
    writes_tickets: bool = True
    resting: bool = False
    up_at: float = 0.0
    gone_at: float = 0.0
    start_time: int = 0
    suspect_at: float = 0.0
    evidence: str = ""
    hung: str = ""
    hung_cause: ev.RestartCause = "hang"
    restarts: tuple[float, ...] = ()
    restart_at: float = 0.0
    restart_why: str = ""
    given_up: str = ""
    processes: tuple[str, ...] = ()
    leftovers: tuple[str, ...] = ()
    undelivered: tuple[Prompt, ...] = ()
    unproven: bool = False
    stuck: str = ""
    first_snapshot: str = ""
    rolled_to: str = ""
    lent: Lent | None = None
    for_loan: bool = False
    read_only: bool = False
    notify_url: str = ""
    notify_secret: str = ""

    @property
    def external(self) -> bool:
        """Not driven by us: a worker that pulled its ticket."""
        return self.launch.protocol == "external"

    @property
    def busy(self) -> bool:
        """A turn runs or is about to."""
        return self.phase in ("working", "awaiting-input") or bool(self.prompts) or self.restart_at > 0

    @property
    def resumable(self) -> bool:
        """Can take another prompt, if need be by starting its agent again."""
        return not self.stopped and (
            self.phase != "exited" or bool(self.conversation) or self.launch.protocol == "command"
        )


def not_lendable(s: Session, ticket: str) -> str:
    """Why its conversation cannot be opened in the agent's own interactive mode now, "" when it can. ticket: the one
    that it works on in a run."""
    if s.lent:
        return f"session {s.session} is open in its agent's own program already (pid {s.lent.pid})"
    if not s.launch.interactive:
        return f"nobody knows how {s.launch.argv[0]} opens a conversation: set `interactive` in its preset"
    if not s.conversation:
        return f"session {s.session} has no conversation yet: send a prompt first"
    if ticket:
        return f"session {s.session} works on ticket {ticket} in a run; it can be opened when that has ended"
    if s.stopped:
        return f"session {s.session} was stopped; start a new one"
    if s.stuck:
        return f"of session {s.session} a process is left that could not be ended: {s.stuck}"
    if s.busy or s.phase in ("starting", "stopping") or s.rollback:
        return f"session {s.session} is at work: wait for its turn to end, or interrupt it first"
    return ""


def next_turn(s: Session) -> int:
    """The number a new prompt gets."""
    return max([s.turns, *(p.turn for p in (*s.prompts, *s.undelivered))]) + 1


def open_turn(s: Session) -> bool:
    """Its latest turn has not ended, and its processes have not come up anew since it began."""
    return bool(s.turn and not s.turn.end_seq and not s.turn.cut)


def broken_turn(s: Session) -> Turn | None:
    """The turn that broke off and that no waiting prompt begins again."""
    again = any(p.cause in ("restart", "resume") for p in s.undelivered)
    return s.turn if open_turn(s) and not again else None


def cut_off(s: Session) -> bool:
    """Whether it exited with something still to do."""
    return open_turn(s) or bool(s.undelivered)


def snapshot_before(s: Session, turn: int) -> str:
    """The snapshot that was taken as this turn began, "" for none."""
    return next((kept.snapshot for kept in s.snapshots if kept.turn == turn), "")


def finished_since(s: Session, since: int) -> Literal["turn", "bad", "exit", ""]:
    """Whether the session has nothing more to do for a watcher that looks from log position `since` on.

    turn: it ended one as its protocol ends turns. bad: it ended one in another way (an error, a refusal, a command
    that failed); that is no work to judge. A turn that a person interrupted is neither.
    """
    if s.busy or s.phase == "stopping":
        return ""
    if s.turn and s.turn.end_seq > since and not s.turn.interrupted:
        return "turn" if s.turn.ok else "bad"
    return "exit" if s.phase == "exited" and (s.exit_seq > since or not s.resumable) else ""


def current_turn_seq(s: Session) -> int:
    """A cursor from which the session's current turn is still ahead: the one that runs or waits, else the last."""
    if s.turn and not s.turn.end_seq:
        return s.turn.start_seq - 1
    if s.prompts:
        return s.last_seq
    return s.turn.start_seq - 1 if s.turn else s.last_seq
