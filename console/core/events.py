"""The facts that make up the log: one frozen record a kind of event, tagged by its public type name.

An event never changes after it is written. A new field gets a default; a changed meaning gets a new type and a
raised SCHEMA. Anything that is not in `Fact` is refused by the reader, never skipped.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from console.core.event import Event as Event
from console.core.events_chains import ChainEscalated as ChainEscalated
from console.core.events_chains import ChainLimitsRead as ChainLimitsRead
from console.core.events_chains import ChainShipped as ChainShipped
from console.core.events_chains import ChainSpawned as ChainSpawned
from console.core.events_chains import ChainsSwitched as ChainsSwitched
from console.core.events_chains import ChainTrouble as ChainTrouble
from console.core.events_chains import JudgeEnded as JudgeEnded
from console.core.events_chains import JudgeStarted as JudgeStarted
from console.core.events_chains import ReviewJudged as ReviewJudged
from console.core.events_health import FuseBlown as FuseBlown
from console.core.events_health import FuseReset as FuseReset
from console.core.events_health import Lack as Lack
from console.core.events_health import RestartCause as RestartCause
from console.core.events_health import SessionGivenUp as SessionGivenUp
from console.core.events_health import SessionHung as SessionHung
from console.core.events_health import SessionRecovered as SessionRecovered
from console.core.events_health import SessionRestartDue as SessionRestartDue
from console.core.events_health import SessionRestarting as SessionRestarting
from console.core.events_health import SessionSuspect as SessionSuspect
from console.core.events_health import SupervisorAway as SupervisorAway
from console.core.events_health import SupervisorDegraded as SupervisorDegraded
from console.core.events_health import SupervisorRecovered as SupervisorRecovered
from console.core.events_health import TurnProcesses as TurnProcesses
from console.core.events_lending import SessionLent as SessionLent
from console.core.events_lending import SessionReturned as SessionReturned
from console.core.events_notices import ChannelClosed as ChannelClosed
from console.core.events_notices import ChannelOpened as ChannelOpened
from console.core.events_notices import NoticeOutcome as NoticeOutcome
from console.core.events_notices import NoticeSending as NoticeSending
from console.core.events_notices import NoticeSettled as NoticeSettled
from console.core.events_routines import RoutineAnswered as RoutineAnswered
from console.core.events_routines import RoutineEnded as RoutineEnded
from console.core.events_routines import RoutineEscalated as RoutineEscalated
from console.core.events_routines import RoutineExpired as RoutineExpired
from console.core.events_routines import RoutineResolved as RoutineResolved
from console.core.events_routines import RoutineStarted as RoutineStarted
from console.core.events_routines import RoutineStatus as RoutineStatus
from console.core.events_routines import RoutineStepBegun as RoutineStepBegun
from console.core.events_routines import RoutineStepDone as RoutineStepDone
from console.core.records import (
    Assessment,
    Blame,
    Category,
    Check,
    Frozen,
    GateResult,
    Interpretation,
    Launch,
    Option,
    Outcome,
    PolicySpec,
    RepoChange,
    RunSettings,
    TextVerdict,
    TicketSpec,
    Usage,
    Who,
)
from console.core.records_chains import Review

SCHEMA = 6
"""Version of the event vocabulary. A log with a higher one is refused by this program."""

Cause = Literal["operator", "nudge", "resume", "ticket", "restart"]


# -- the supervisor --------------------------------------------------------------------------------------


class SupervisorStarted(Event, frozen=True, kw_only=True, tag="supervisor:started"):
    pid: int
    start_time: int
    host: str
    version: str
    sandbox: str = ""
    boot: str = ""


class SupervisorStopped(Event, frozen=True, kw_only=True, tag="supervisor:stopped"):
    pid: int
    reason: str = ""


class SupervisorStopRequested(Event, frozen=True, kw_only=True, tag="supervisor:stop-requested"):
    """Intent: the supervisor that runs now is to end; its sessions can go on under the next one."""

    by: Who


class SupervisorTrouble(Event, frozen=True, kw_only=True, tag="supervisor:trouble"):
    """An effect raised: a fault of nightdesk itself. The effect is tried again, with growing waits."""

    effect: str
    error: str
    tries: int


# -- sessions --------------------------------------------------------------------------------------------


class SessionAdded(Event, frozen=True, kw_only=True, tag="session:added"):
    """Intent: this session is to be started. ticket: the one it works on. notify_url: where its events are told besides
    the channels of the settings; notify_secret: where the secret that signs them is found ("env:NAME", "file:PATH").
    read_only: its worktree is not to be written, as far as a sandbox can see to that."""

    session: str
    label: str
    preset: str
    launch: Launch
    cwd: str
    worktree: str
    by: Who
    ticket: str = ""
    notify_url: str = ""
    notify_secret: str = ""
    read_only: bool = False


class SessionStarted(Event, frozen=True, kw_only=True, tag="session:started"):
    """sandbox: which one it runs in, in words. writes_git, writes_tickets: whether it can write the git dir, and the
    tickets folder. start_time: of pid, in clock ticks."""

    session: str
    run: int
    conversation: str = ""
    pid: int = 0
    shim_pid: int = 0
    shim_start: int = 0
    resumed: bool = False
    detail: str = ""
    sandbox: str = ""
    writes_git: bool = False
    writes_tickets: bool = True
    start_time: int = 0


class SessionInterrupted(Event, frozen=True, kw_only=True, tag="session:interrupted"):
    """The supervisor that held the session is gone, and with it the session's processes. orderly: it was told to leave,
    and ended them itself."""

    session: str
    run: int
    orderly: bool = False


class PromptQueued(Event, frozen=True, kw_only=True, tag="session:prompted"):
    """Intent: this prompt is to begin turn `turn`."""

    session: str
    turn: int
    text: str
    cause: Cause = "operator"
    policy: str = ""
    by: Who | None = None


class TurnStarted(Event, frozen=True, kw_only=True, tag="turn-start"):
    """head and ref: where the session's worktree stood before the prompt was sent."""

    session: str
    turn: int
    ref: str = ""
    head: str = ""
    problem: str = ""


class TurnEnded(Event, frozen=True, kw_only=True, tag="turn-end"):
    """fault: what kind of outside trouble ended it, as the protocol told (never prose): limit (a usage limit, with the
    time of its reset in `until`, Unix seconds, 0 for unknown), overload, auth. usage: what the turn cost."""

    session: str
    turn: int
    ok: bool
    stop: str
    detail: str = ""
    ref: str = ""
    head: str = ""
    fault: Literal["", "limit", "overload", "auth"] = ""
    until: float = 0.0
    usage: Usage | None = None


class AgentCommitted(Event, frozen=True, kw_only=True, tag="agent-committed"):
    """HEAD moved while the agent worked: `before` -> `after` on `ref`."""

    session: str
    turn: int
    ref: str
    before: str
    after: str


class CommandDone(Event, frozen=True, kw_only=True, tag="command-done"):
    session: str
    turn: int
    code: int | None = None
    detail: str = ""


class AwaitingInput(Event, frozen=True, kw_only=True, tag="awaiting-input"):
    """via: how it asks: "" over its protocol, inbox through `ask_human` (the answer may be a text)."""

    session: str
    turn: int
    question: str
    title: str
    options: tuple[Option, ...] = ()
    via: Literal["", "inbox"] = ""


class AnswerRequested(Event, frozen=True, kw_only=True, tag="session:answer-requested"):
    """Intent: give this answer (option and text "" cancel the question). text: in a person's own words, where the
    question takes such (`via` of the question)."""

    session: str
    question: str
    option: str
    by: Who
    text: str = ""


class InputAnswered(Event, frozen=True, kw_only=True, tag="input-answered"):
    session: str
    question: str
    option: str = ""


class CancelRequested(Event, frozen=True, kw_only=True, tag="session:cancel-requested"):
    """Intent: interrupt the running turn."""

    session: str
    turn: int
    by: Who


class StopRequested(Event, frozen=True, kw_only=True, tag="session:stop-requested"):
    """Intent: end the session's processes. rest: its conversation may go on later."""

    session: str
    by: Who
    rest: bool = False


class Exited(Event, frozen=True, kw_only=True, tag="exited"):
    """usage: what the turn that this end cut off had cost until then, as far as its agent said."""

    session: str
    run: int
    how: str
    code: int | None = None
    signal: int | None = None
    reason: str = ""
    stopped: bool = False
    leftovers: tuple[str, ...] = ()
    usage: Usage | None = None


# -- policies --------------------------------------------------------------------------------------------


class PolicyAttached(Event, frozen=True, kw_only=True, tag="policy:attached"):
    policy: str
    spec: PolicySpec
    since: int
    parent: str = ""
    by: Who | None = None


class PolicyQueued(Event, frozen=True, kw_only=True, tag="policy:queued"):
    policy: str


class PolicyGating(Event, frozen=True, kw_only=True, tag="policy:gating"):
    """Intent: freeze (when it commits) and run the gate. base: the commit that the work is measured against."""

    policy: str
    attempt: int
    base_ref: str = ""
    base_head: str = ""
    end_head: str = ""
    candidate: Frozen | None = None


class PolicyJudged(Event, frozen=True, kw_only=True, tag="policy:judged"):
    """Outcome of `policy:gating`. refused: why nothing could be frozen; results: every gate run, the last decides.
    blame: of a ticket's work whose gate was not green. unchanged: there was nothing to freeze, as nothing differs.
    review: of a policy that reviews another's plan: what its reviewer said."""

    policy: str
    attempt: int
    results: tuple[GateResult, ...] = ()
    plan: Frozen | None = None
    refused: str = ""
    only_worktree: bool = False
    notes: tuple[str, ...] = ()
    assessment: Assessment | None = None
    blame: Blame | None = None
    unchanged: bool = False
    review: Review | None = None


class PolicyPassed(Event, frozen=True, kw_only=True, tag="policy:passed"):
    policy: str
    sessions: tuple[str, ...]
    gate: GateResult | None = None


class PolicyFailed(Event, frozen=True, kw_only=True, tag="policy:failed"):
    policy: str
    sessions: tuple[str, ...]
    gate: GateResult


class PolicyNudged(Event, frozen=True, kw_only=True, tag="policy:nudged"):
    policy: str
    retry: int


class PolicyCommitReady(Event, frozen=True, kw_only=True, tag="policy:commit-ready"):
    """A green diff waits for a person. cwd: the worktree; paths: what the commit will hold."""

    policy: str
    plan: str
    cwd: str
    paths: tuple[str, ...]
    message: str
    frozen: Frozen
    sessions: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    replaced: str = ""
    assessment: Assessment | None = None


class PolicyCommitted(Event, frozen=True, kw_only=True, tag="policy:committed"):
    policy: str
    plan: str
    sha: str
    ref: str
    note: str = ""


class PolicyDone(Event, frozen=True, kw_only=True, tag="policy:done"):
    policy: str
    next_policy: str = ""


class PolicyBlocked(Event, frozen=True, kw_only=True, tag="policy:blocked"):
    policy: str
    reason: str


class PolicyCancelled(Event, frozen=True, kw_only=True, tag="policy:cancelled"):
    policy: str
    reason: str
    by: Who | None = None


class PolicyRetried(Event, frozen=True, kw_only=True, tag="policy:retried"):
    """A person wants a blocked policy judged again, on the work as it is now."""

    policy: str
    by: Who


# -- plans -----------------------------------------------------------------------------------------------


class ApprovalRequested(Event, frozen=True, kw_only=True, tag="plan:approved"):
    """Somebody pressed the key for exactly this plan. The supervisor checks the world, then writes `plan:landing`."""

    policy: str
    plan: str
    by: Who


class PlanLanding(Event, frozen=True, kw_only=True, tag="plan:landing"):
    """Intent: the ref is to become this commit. From here on only objects count, not the disk. commit: the plan's
    commit with its signature, when it is another than the plan."""

    policy: str
    plan: str
    ref: str
    old: str
    commit: str = ""


class LandingRefused(Event, frozen=True, kw_only=True, tag="plan:landing-refused"):
    """Git said no; nothing changed; the plan waits again. unlock: what a person runs in a terminal when the signing
    key is locked."""

    policy: str
    plan: str
    reason: str
    unlock: tuple[str, ...] = ()


class PlanRebased(Event, frozen=True, kw_only=True, tag="plan:rebased"):
    """The branch moved without touching the plan's paths: the same changes on the new base, to be gated again."""

    policy: str
    plan: str
    fresh: Frozen


class PlanSuperseded(Event, frozen=True, kw_only=True, tag="plan:superseded"):
    policy: str
    plan: str
    reason: str


class PlanVoided(Event, frozen=True, kw_only=True, tag="plan:void"):
    policy: str
    plan: str
    reason: str
    paths: tuple[str, ...] = ()


class PlanRejected(Event, frozen=True, kw_only=True, tag="plan:rejected"):
    policy: str
    plan: str
    by: Who
    note: str = ""


class UndoRequested(Event, frozen=True, kw_only=True, tag="plan:undo-requested"):
    """Intent: take the approval or the rejection of this plan back."""

    policy: str
    plan: str
    by: Who


class PlanRestored(Event, frozen=True, kw_only=True, tag="plan:restored"):
    """The plan waits again. was: what was taken back."""

    policy: str
    plan: str
    was: Literal["landed", "rejected"]
    note: str = ""


class UndoRefused(Event, frozen=True, kw_only=True, tag="plan:undo-refused"):
    policy: str
    plan: str
    reason: str


# -- the repository --------------------------------------------------------------------------------------


class RepositoryChanged(Event, frozen=True, kw_only=True, tag="repository:changed"):
    """Something in the git dir is no longer what the operator left there. when: what we were about to do or had done.

    The same alert again replaces its changes: there is one open alert at a time. baseline, seen: names of the two
    states, for adopting and restoring.
    """

    alert: str
    when: Literal["start", "turn", "judging", "approval"]
    changes: tuple[RepoChange, ...]
    baseline: str
    seen: str
    session: str = ""
    turn: int = 0


class AlertAnswered(Event, frozen=True, kw_only=True, tag="alert:answered"):
    """Intent: take what is there as right (adopt), or put back what was there before (restore)."""

    alert: str
    action: Literal["adopt", "restore"]
    by: Who


class AlertSettled(Event, frozen=True, kw_only=True, tag="alert:settled"):
    """gone: nothing differs any more. failed: it stays open, the notes say why."""

    alert: str
    outcome: Literal["adopted", "restored", "gone", "failed"]
    notes: tuple[str, ...] = ()


# -- snapshots -------------------------------------------------------------------------------------------


class SnapshotTaken(Event, frozen=True, kw_only=True, tag="snapshot:taken"):
    """The worktree's files before turn `turn` (0: taken by a person). refused: why there is none."""

    session: str
    turn: int
    snapshot: str = ""
    uncovered: tuple[str, ...] = ()
    refused: str = ""


class RollbackRequested(Event, frozen=True, kw_only=True, tag="snapshot:rollback-requested"):
    """Intent: the session's worktree is to hold exactly this snapshot's files again."""

    session: str
    snapshot: str
    by: Who


class RolledBack(Event, frozen=True, kw_only=True, tag="snapshot:rolled-back"):
    """undo: the snapshot of what was there before. left: what still differs. refused: why nothing was done."""

    session: str
    snapshot: str
    undo: str = ""
    changed: tuple[str, ...] = ()
    count: int = 0
    left: tuple[str, ...] = ()
    refused: str = ""


# -- the queue -------------------------------------------------------------------------------------------


class TicketSeen(Event, frozen=True, kw_only=True, tag="ticket:seen"):
    """A ticket's file is new or has changed. file: relative to the tickets folder. digest: SHA-256 of its bytes, under
    which they are kept in the state folder. stamp: the file's stat, to tell cheaply that it is the same. held: why it
    may not be worked on before a person releases it."""

    ticket: str
    file: str
    digest: str
    stamp: str
    spec: TicketSpec
    verdict: TextVerdict
    held: str = ""
    by: Who | None = None


class TicketGone(Event, frozen=True, kw_only=True, tag="ticket:gone"):
    """Its file is not there any more."""

    ticket: str


class QueueProblems(Event, frozen=True, kw_only=True, tag="queue:problems"):
    """Everything wrong in the tickets folder now, each as "file:line: what, and the cure". Replaces the last list."""

    problems: tuple[str, ...] = ()


class TicketReleased(Event, frozen=True, kw_only=True, tag="ticket:released"):
    """A person has looked at a held ticket, with this content."""

    ticket: str
    digest: str
    by: Who


class TicketRequeued(Event, frozen=True, kw_only=True, tag="ticket:requeued"):
    """Back to the queue, with its attempts at zero. note: what the next attempt is told."""

    ticket: str
    by: Who
    note: str = ""


class TicketDropped(Event, frozen=True, kw_only=True, tag="ticket:dropped"):
    """A person wants it never worked on; its file stays."""

    ticket: str
    by: Who
    note: str = ""


class TicketClaimed(Event, frozen=True, kw_only=True, tag="ticket:claimed"):
    """Intent: this attempt begins. holder: "loop" for the run's own sessions, else who pulled it. digest: the text and
    gate it is pinned to."""

    ticket: str
    run: str
    attempt: int
    digest: str
    verdict: TextVerdict
    holder: str = "loop"


class TicketBegun(Event, frozen=True, kw_only=True, tag="ticket:begun"):
    """Its worktree is ready and its session is to start. base: the commit the work starts from and is measured against;
    stacked_on: the plans (not landed yet) that the base is made of. place: how the base stands to the main branch."""

    ticket: str
    attempt: int
    session: str
    policy: str
    worktree: str
    branch: str
    base: str
    place: str = ""
    stacked_on: tuple[str, ...] = ()


class TicketOverdue(Event, frozen=True, kw_only=True, tag="ticket:overdue"):
    """Its turn takes longer than `limit` seconds."""

    ticket: str
    attempt: int
    limit: float


class TicketWaiting(Event, frozen=True, kw_only=True, tag="ticket:waiting"):
    """The agent met a usage limit or overload: the same attempt goes on at `until` (Unix seconds)."""

    ticket: str
    attempt: int
    until: float
    why: str


class TicketWoken(Event, frozen=True, kw_only=True, tag="ticket:woken"):
    ticket: str
    attempt: int


class TicketAttemptFailed(Event, frozen=True, kw_only=True, tag="ticket:attempt-failed"):
    """The attempt is over and its work is to be rolled back (it stays in the snapshot store). cause: gate (introduced
    failures), agent (an error, a refusal, nothing it could do), crash, timeout. output: what the next one is told."""

    ticket: str
    attempt: int
    cause: Literal["gate", "agent", "crash", "timeout"]
    why: str
    signature: str = ""
    output: str = ""


class TicketBack(Event, frozen=True, kw_only=True, tag="ticket:back"):
    """Its failed attempt is rolled back and it waits for the next one. kept: the snapshot with the failed work."""

    ticket: str
    attempt: int
    kept: str = ""


class TicketEnded(Event, frozen=True, kw_only=True, tag="ticket:ended"):
    """One of the seven outcomes. flags: facts that keep it from being plain DONE. run: "" outside of a run."""

    ticket: str
    attempt: int
    outcome: Outcome
    why: str
    run: str = ""
    plan: str = ""
    decision: str = ""
    flags: tuple[str, ...] = ()


class DecisionParked(Event, frozen=True, kw_only=True, tag="decision:parked"):
    """A question for a person. why: what stands in the way. question: exactly what must be decided. evidence: where one
    can see it. source: who parked it."""

    decision: str
    ticket: str
    foundational: bool
    why: str
    question: str
    options: tuple[Interpretation, ...] = ()
    evidence: tuple[str, ...] = ()
    category: Category = ""
    source: Literal["rule", "agent", "question", "rejected", "nightdesk"] = "rule"


class DecisionAnswered(Event, frozen=True, kw_only=True, tag="decision:answered"):
    """choice: number of the interpretation from 1, 0 for a text of one's own."""

    decision: str
    ticket: str
    by: Who
    choice: int = 0
    text: str = ""


class DecisionReopened(Event, frozen=True, kw_only=True, tag="decision:reopened"):
    """The answer is taken back, before work began on it."""

    decision: str
    ticket: str
    by: Who


class DecisionClosed(Event, frozen=True, kw_only=True, tag="decision:closed"):
    """Nothing is left to decide: the ticket was requeued or dropped, or its rejection was taken back."""

    decision: str
    ticket: str
    reason: str


class ParkRequested(Event, frozen=True, kw_only=True, tag="ticket:park-requested"):
    """The worker that holds a ticket wants a person to decide; nothing it says decides anything else."""

    ticket: str
    attempt: int
    question: str
    options: tuple[str, ...] = ()
    foundational: bool = False
    by: Who | None = None


class RunStarted(Event, frozen=True, kw_only=True, tag="run:started"):
    """GO. pull: it hands tickets out to workers that ask and starts no sessions of its own. warnings: the preflight's
    lines that were no reason to stop."""

    run: str
    settings: RunSettings
    by: Who
    attended: bool = False
    pull: bool = False
    warnings: tuple[Check, ...] = ()


class RunPaused(Event, frozen=True, kw_only=True, tag="run:paused"):
    run: str
    by: Who


class RunResumed(Event, frozen=True, kw_only=True, tag="run:resumed"):
    run: str
    by: Who


class RunStopRequested(Event, frozen=True, kw_only=True, tag="run:stop-requested"):
    """No further ticket is claimed. now: what is under way is stopped too and goes back to the queue."""

    run: str
    by: Who
    now: bool = False


RunStatus = Literal["DRAINED", "HALTED", "LOW_YIELD", "TICKET_CAP", "COST_CAP", "STOPPED"]


class RunHalting(Event, frozen=True, kw_only=True, tag="run:halting"):
    """Something that must not go on was seen (ruling 19): what is under way is stopped, then the run ends as HALTED."""

    run: str
    reason: str


class RunEnded(Event, frozen=True, kw_only=True, tag="run:ended"):
    run: str
    status: RunStatus
    why: str


class OperatorActive(Event, frozen=True, kw_only=True, tag="operator:active"):
    """A key was pressed on a screen; written at most once a minute, while a run is attended."""

    by: Who


Fact = (
    SupervisorStarted
    | SupervisorStopped
    | SupervisorStopRequested
    | SupervisorTrouble
    | SupervisorAway
    | SupervisorDegraded
    | SupervisorRecovered
    | SessionLent
    | SessionReturned
    | SessionSuspect
    | SessionRecovered
    | SessionHung
    | SessionRestarting
    | SessionRestartDue
    | SessionGivenUp
    | TurnProcesses
    | FuseBlown
    | FuseReset
    | SessionAdded
    | SessionStarted
    | SessionInterrupted
    | PromptQueued
    | TurnStarted
    | TurnEnded
    | AgentCommitted
    | CommandDone
    | AwaitingInput
    | AnswerRequested
    | InputAnswered
    | CancelRequested
    | StopRequested
    | Exited
    | PolicyAttached
    | PolicyQueued
    | PolicyGating
    | PolicyJudged
    | PolicyPassed
    | PolicyFailed
    | PolicyNudged
    | PolicyCommitReady
    | PolicyCommitted
    | PolicyDone
    | PolicyBlocked
    | PolicyCancelled
    | PolicyRetried
    | ApprovalRequested
    | PlanLanding
    | LandingRefused
    | PlanRebased
    | PlanSuperseded
    | PlanVoided
    | PlanRejected
    | UndoRequested
    | PlanRestored
    | UndoRefused
    | RepositoryChanged
    | AlertAnswered
    | AlertSettled
    | SnapshotTaken
    | RollbackRequested
    | RolledBack
    | TicketSeen
    | TicketGone
    | QueueProblems
    | TicketReleased
    | TicketRequeued
    | TicketDropped
    | TicketClaimed
    | TicketBegun
    | TicketOverdue
    | TicketWaiting
    | TicketWoken
    | TicketAttemptFailed
    | TicketBack
    | TicketEnded
    | DecisionParked
    | DecisionAnswered
    | DecisionReopened
    | DecisionClosed
    | ParkRequested
    | RunStarted
    | RunPaused
    | RunResumed
    | RunStopRequested
    | RunHalting
    | RunEnded
    | OperatorActive
    | ChainsSwitched
    | ChainLimitsRead
    | ChainSpawned
    | ChainShipped
    | ChainEscalated
    | ChainTrouble
    | ReviewJudged
    | JudgeStarted
    | JudgeEnded
    | RoutineStarted
    | RoutineStepBegun
    | RoutineAnswered
    | RoutineEscalated
    | RoutineResolved
    | RoutineExpired
    | RoutineStepDone
    | RoutineEnded
    | ChannelOpened
    | ChannelClosed
    | NoticeSending
    | NoticeSettled
)
"""Every kind of fact there is, as a tagged union (msgspec decodes by `type`)."""


class Logged(msgspec.Struct, frozen=True, kw_only=True):
    """A fact in its place. seq: position and cursor; at: Unix seconds (UTC) when it was appended."""

    seq: int
    at: float
    fact: Fact


def type_of(fact: Fact) -> str:
    """The public type name, e.g. `policy:committed`."""
    tag = fact.__struct_config__.tag
    assert isinstance(tag, str)
    return tag


DURABLE = (
    PlanLanding,
    PolicyCommitted,
    ApprovalRequested,
    UndoRequested,
    PlanRejected,
    PlanRestored,
    AlertAnswered,
    RollbackRequested,
    DecisionAnswered,
    RunStarted,
    RunEnded,
    ChainsSwitched,
    ChainShipped,
    ChainEscalated,
    RoutineResolved,
    NoticeSending,
)
"""Facts that must be on disk before anybody acts on them."""
