"""One session: its record and how facts change it. Knows nothing of policies, plans or processes."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from console.core import events as ev
from console.core import snapshots
from console.core.records import Launch, Option, Record

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
    here with nobody else moving the branch between them."""

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


class Question(Record, frozen=True, kw_only=True):
    """What the agent waits for. answer: requested but not yet delivered (None: nobody answered)."""

    id: str
    title: str
    options: tuple[Option, ...]
    at: float
    answer: str | None = None


class Session(Record, frozen=True, kw_only=True):
    """turn: the latest turn that began. prompts: what waits to be sent, in order. snapshots: oldest first.
    rollback: the snapshot that is to be put back, with the log position of the request, and whether a person asked.
    ticket: the one it works on.
    resting: it is stopped or being stopped so that its conversation can go on later. up_at: when its processes first
    came up; gone_at: when they were last gone (0: they are there).
    suspect_at: since when it shows no progress (0: it does), with the evidence. hung: why its processes are being ended
    by the watchdog. restarts: when it was started again, Unix seconds; restart_at: when it will be (0: not), and why.
    given_up: why it is not started again. processes: what its last turn left running; leftovers: what had to be ended
    after its last process."""

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
        return not self.stopped and (self.phase != "exited" or bool(self.conversation) or self.launch.protocol != "acp")


def added(fact: ev.SessionAdded, seq: int, at: float) -> Session:
    return Session(
        session=fact.session,
        label=fact.label,
        preset=fact.preset,
        launch=fact.launch,
        cwd=fact.cwd,
        worktree=fact.worktree,
        ticket=fact.ticket,
        since=at,
        last_seq=seq,
    )


def fold(s: Session, fact: ev.Fact, seq: int, at: float) -> Session:
    """The session after this fact; the same object when the fact does not concern it."""
    match fact:
        case ev.SessionStarted():
            s = _started(s, fact, at)
        case ev.SessionInterrupted():
            s = replace(_interrupted(s, seq, at), gone_at=at)
        case ev.PromptQueued():
            s = _prompted(s, fact)
        case ev.TurnStarted():
            s = _turn_started(s, fact, seq, at)
        case ev.TurnEnded():
            s = _turn_ended(s, fact, seq, at)
        case ev.AwaitingInput():
            question = Question(id=fact.question, title=fact.title, options=fact.options, at=at)
            s = replace(s, phase="awaiting-input", question=question)
        case ev.AnswerRequested() if s.question:
            s = replace(s, question=replace(s.question, answer=fact.option))
        case ev.InputAnswered():
            s = replace(s, phase="working" if s.phase == "awaiting-input" else s.phase, question=None)
        case ev.CancelRequested():
            s = replace(s, cancel=fact.turn)
        case ev.StopRequested():
            s = _resting(s) if fact.rest else _stopping(s, seq)
        case ev.Exited():
            s = replace(_exited(s, fact, seq), gone_at=at)
        case ev.SnapshotTaken():
            return _snapshot_taken(s, fact, at)
        case ev.RollbackRequested():
            return replace(s, rollback=fact.snapshot, rollback_seq=seq, rollback_asked=fact.by.via != "queue")
        case ev.RolledBack():
            return _rolled_back(s, fact, at)
        case _:
            return _watched(s, fact, at)
    return replace(s, last_seq=seq, since=at)


def _watched(s: Session, fact: ev.Fact, at: float) -> Session:
    """What the watchdog says of it, and how it is started again."""
    match fact:
        case ev.SessionSuspect():
            return replace(s, suspect_at=at, evidence=fact.evidence)
        case ev.SessionRecovered():
            return replace(s, suspect_at=0.0, evidence="")
        case ev.SessionHung():
            said = fact.evidence or s.evidence
            return replace(s, phase="stopping", since=at, hung=fact.why, hung_cause=fact.cause, evidence=said)
        case ev.SessionRestarting():
            return replace(s, restarts=(*s.restarts, at), restart_at=fact.at, restart_why=fact.why)
        case ev.SessionRestartDue():
            return replace(s, restart_at=0.0)
        case ev.SessionGivenUp():
            return replace(s, given_up=fact.why, restart_at=0.0)
        case ev.TurnProcesses():
            return replace(s, processes=fact.processes)
        case _:
            return s


def _started(s: Session, fact: ev.SessionStarted, at: float) -> Session:
    phase: Phase = "ready" if s.phase in ("starting", "suspended", "exited") else s.phase
    return replace(
        s,
        phase=phase,
        run=fact.run,
        conversation=fact.conversation or s.conversation,
        pid=fact.pid,
        shim_pid=fact.shim_pid,
        shim_start=fact.shim_start,
        detail=fact.detail,
        exit="",
        sandbox=fact.sandbox,
        writes_git=fact.writes_git,
        writes_tickets=fact.writes_tickets,
        resting=False,
        up_at=s.up_at or at,
        gone_at=0.0,
        start_time=fact.start_time,
        suspect_at=0.0,
        evidence="",
        hung="",
        restart_at=0.0,
        restart_why="",
        given_up="",
        leftovers=(),
    )


def _interrupted(s: Session, seq: int, at: float) -> Session:
    if s.resting and s.phase == "stopping":  # it was to end anyway; its conversation can still go on later
        return replace(s, phase="exited", exit="ended with its supervisor", exit_seq=seq, question=None, run=s.run + 1)
    again: tuple[Prompt, ...] = ()
    count = s.interruptions
    if s.turn and not s.turn.end_seq and s.cancel == s.turn.number:  # a person wanted its end: it does not begin again
        s = replace(s, turn=replace(s.turn, end_seq=seq, ended_at=at, stop="cancelled", interrupted=True), cancel=0)
    elif s.phase in ("working", "awaiting-input") and s.turn:
        count += 1
        again = (Prompt(turn=s.turn.number, text=s.turn.text, cause="resume"),)
    if s.stopped or count > INTERRUPTIONS:
        why = "stopped" if s.stopped else f"its supervisor died {count} times in turn {s.turns}"
        return replace(s, phase="exited", exit=why, exit_seq=seq, question=None, prompts=())
    return replace(
        s, phase="suspended", question=None, prompts=(*again, *s.prompts), interruptions=count, run=s.run + 1, pid=0
    )


def _prompted(s: Session, fact: ev.PromptQueued) -> Session:
    prompt = Prompt(turn=fact.turn, text=fact.text, cause=fact.cause, policy=fact.policy)
    run = s.run + 1 if s.phase == "exited" else s.run
    phase: Phase = "suspended" if s.phase == "exited" else s.phase
    return replace(s, prompts=(*s.prompts, prompt), phase=phase, run=run)


def _turn_started(s: Session, fact: ev.TurnStarted, seq: int, at: float) -> Session:
    prompt = next((p for p in s.prompts if p.turn == fact.turn), None)
    rest = tuple(p for p in s.prompts if p.turn != fact.turn)
    before = s.turn
    if before and before.number == fact.turn:  # begun again after an interruption: its base stays what it was
        turn = replace(before, start_seq=seq)
    else:
        follows = before if before and before.end_head and _same_place(before, fact) else None
        turn = Turn(
            number=fact.turn,
            text=prompt.text if prompt else "",
            cause=prompt.cause if prompt else "operator",
            ref=fact.ref,
            head=fact.head,
            problem=fact.problem,
            start_seq=seq,
            started_at=at,
            origin_ref=follows.origin_ref if follows else fact.ref,
            origin_head=follows.origin_head if follows else fact.head,
            origin_seq=follows.origin_seq if follows else seq,
        )
    turns = max(s.turns, fact.turn)
    return replace(s, phase="working", turn=turn, turns=turns, prompts=rest, cancel=0, rolled_back="")


def _same_place(before: Turn, fact: ev.TurnStarted) -> bool:
    return (before.end_ref, before.end_head) == (fact.ref, fact.head)


def _turn_ended(s: Session, fact: ev.TurnEnded, seq: int, at: float) -> Session:
    if not s.turn or s.turn.number != fact.turn:
        return s
    turn = replace(
        s.turn,
        end_seq=seq,
        ended_at=at,
        end_head=fact.head,
        end_ref=fact.ref,
        ok=fact.ok,
        stop=fact.stop,
        detail=fact.detail,
        interrupted=s.cancel == fact.turn,
    )
    phase: Phase = "ready" if s.phase in ("working", "awaiting-input") else s.phase
    return replace(s, phase=phase, turn=turn, question=None, interruptions=0, cancel=0)


def _exited(s: Session, fact: ev.Exited, seq: int) -> Session:
    why = fact.reason or (f"exit {fact.code}" if fact.code is not None else f"signal {fact.signal}")
    if s.prompts:
        why += f"; {len(s.prompts)} queued prompt(s) were not delivered"
    return replace(
        s,
        phase="exited",
        exit=why,
        exit_seq=seq,
        question=None,
        prompts=(),
        pid=0,
        run=fact.run + 1,
        stopped=s.stopped or fact.stopped,
        suspect_at=0.0,
        leftovers=fact.leftovers,
    )


def _stopping(s: Session, seq: int) -> Session:
    if s.phase in LIVE:
        return replace(s, phase="stopping", stopped=True, prompts=())
    if s.phase == "exited":  # it broke off, and a person has seen it
        return replace(s, stopped=True, restart_at=0.0)
    return replace(s, phase="exited", stopped=True, prompts=(), exit="stopped by a person", exit_seq=seq)


def _resting(s: Session) -> Session:
    """Its processes end, its conversation may go on: a later prompt starts it again."""
    return replace(s, phase="stopping", resting=True, prompts=()) if s.phase in LIVE else s


def _snapshot_taken(s: Session, fact: ev.SnapshotTaken, at: float) -> Session:
    if not fact.snapshot:
        return replace(s, no_snapshot=fact.refused)
    return replace(s, snapshots=snapshots.taken(s.snapshots, fact, at), no_snapshot="")


def _rolled_back(s: Session, fact: ev.RolledBack, at: float) -> Session:
    kept = snapshots.before_rollback(s.snapshots, fact, at)
    return replace(s, rollback="", rollback_seq=0, rolled_back=snapshots.sentence(fact), snapshots=kept)


def next_turn(s: Session) -> int:
    """The number a new prompt gets."""
    return max([s.turns, *(p.turn for p in s.prompts)]) + 1


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
