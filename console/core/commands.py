"""What people and programs can ask for. A command is checked against the state and becomes facts, or is refused."""

from __future__ import annotations

from typing import Literal

from console.core.events import Cause, Fact, TicketSeen
from console.core.records import Check, Launch, PolicySpec, Record, RunSettings, Who
from console.core.records_chains import ReviewLimits
from console.core.records_routines import RoutineSpec


class StartSession(Record, frozen=True, kw_only=True):
    """prompt "" starts it idle. label "" becomes the session's id. notify_url, notify_secret: as in `session:added`."""

    launch: Launch
    cwd: str
    worktree: str
    by: Who
    preset: str = ""
    label: str = ""
    prompt: str = ""
    notify_url: str = ""
    notify_secret: str = ""


class SendPrompt(Record, frozen=True, kw_only=True):
    session: str
    text: str
    by: Who
    cause: Cause = "operator"


class AnswerQuestion(Record, frozen=True, kw_only=True):
    """option "" and text "" cancel the question. question "" means the one that is open. text: in own words, for a
    question that came through `ask_human`."""

    session: str
    option: str
    by: Who
    question: str = ""
    text: str = ""


class InterruptTurn(Record, frozen=True, kw_only=True):
    session: str
    by: Who


class StopSession(Record, frozen=True, kw_only=True):
    session: str
    by: Who


class LendSession(Record, frozen=True, kw_only=True):
    """Open the conversation in the agent's own interactive mode. pid, start_time: as in `session:lent`."""

    session: str
    by: Who
    pid: int
    start_time: int


class ReturnSession(Record, frozen=True, kw_only=True):
    """The interactive program has ended; by who lent it."""

    session: str
    pid: int
    code: int | None = None
    note: str = ""


class AttachPolicy(Record, frozen=True, kw_only=True):
    """since None: the sessions' current turn, running or just ended."""

    spec: PolicySpec
    by: Who
    since: int | None = None


class CancelPolicy(Record, frozen=True, kw_only=True):
    policy: str
    by: Who
    note: str = ""


class RetryPolicy(Record, frozen=True, kw_only=True):
    policy: str
    by: Who


class Approve(Record, frozen=True, kw_only=True):
    """plan: the commit id that was on the screen, or its first 7 or more digits. confirm: for a plan above risk level 1
    the policy's id, typed or given by a second key press."""

    policy: str
    plan: str
    by: Who
    confirm: str = ""


class Reject(Record, frozen=True, kw_only=True):
    """plan "" rejects whatever plan of the policy waits."""

    policy: str
    by: Who
    plan: str = ""
    note: str = ""


class Undo(Record, frozen=True, kw_only=True):
    plan: str
    by: Who


class AnswerAlert(Record, frozen=True, kw_only=True):
    """seen: the state of the git dir that the person looked at (`Alert.seen`); "" answers whatever it says now."""

    alert: str
    action: Literal["adopt", "restore"]
    by: Who
    seen: str = ""


class RollBack(Record, frozen=True, kw_only=True):
    """snapshot: its id or the first 7 or more digits; "" is the one before the session's latest turn."""

    session: str
    by: Who
    snapshot: str = ""


class StartRun(Record, frozen=True, kw_only=True):
    """GO, after a preflight. Refused while a run is under way."""

    settings: RunSettings
    by: Who
    attended: bool = False
    pull: bool = False
    warnings: tuple[Check, ...] = ()


class PauseRun(Record, frozen=True, kw_only=True):
    """What is under way goes on; nothing new is claimed."""

    by: Who


class ResumeRun(Record, frozen=True, kw_only=True):
    by: Who


class StopRun(Record, frozen=True, kw_only=True):
    """now: also stop what is under way; it goes back to the queue."""

    by: Who
    now: bool = False


class SyncTickets(Record, frozen=True, kw_only=True):
    """What the tickets folder holds now, as far as it differs from the state. by: the person who added it by a command;
    None: it was found there, and is held when a session of ours could have put it there. held: hold it anyway, and why.
    whole: `problems` is the whole list."""

    seen: tuple[TicketSeen, ...] = ()
    gone: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    whole: bool = True
    by: Who | None = None
    held: str = ""


class NextTicket(Record, frozen=True, kw_only=True):
    """A worker asks for work. Its facts are none when it holds a ticket already: the claim is idempotent."""

    holder: str
    by: Who


class BeginWork(Record, frozen=True, kw_only=True):
    """The supervisor has made a ticket's worktree. Refused when the claim is no longer the present one.

    snapshot: of the worktree as it is now, for a worker that pulled the ticket. ref, head: where the worktree stands;
    base: what the work is measured against (usually head); stores: folders with objects of it that the repository
    lacks. prompt: "" for a worker that pulled the ticket.
    """

    ticket: str
    attempt: int
    worktree: str
    branch: str
    ref: str
    head: str
    base: str
    launch: Launch
    preset: str
    prompt: str
    place: str = ""
    stacked_on: tuple[str, ...] = ()
    stores: tuple[str, ...] = ()
    snapshot: str = ""


class CompleteTicket(Record, frozen=True, kw_only=True):
    """A worker that pulled a ticket is done with it. The claim decides nothing but whether to judge or to park."""

    ticket: str
    holder: str
    by: Who
    claim: Literal["DONE", "PARK", "BLOCKED"] = "DONE"
    note: str = ""
    head: str = ""


class ParkTicket(Record, frozen=True, kw_only=True):
    """From the worker that holds it, or from a person."""

    ticket: str
    question: str
    by: Who
    options: tuple[str, ...] = ()
    foundational: bool = False


class RequeueTicket(Record, frozen=True, kw_only=True):
    ticket: str
    by: Who
    note: str = ""


class DropTicket(Record, frozen=True, kw_only=True):
    ticket: str
    by: Who
    note: str = ""


class ReleaseTicket(Record, frozen=True, kw_only=True):
    """digest: of the text that the person has seen, "" for the present one."""

    ticket: str
    by: Who
    digest: str = ""


class AnswerDecision(Record, frozen=True, kw_only=True):
    """choice from 1, or 0 and a text. Both may be given: the text is then a remark on the choice."""

    decision: str
    by: Who
    choice: int = 0
    text: str = ""


class ReopenDecision(Record, frozen=True, kw_only=True):
    decision: str
    by: Who


class SwitchChains(Record, frozen=True, kw_only=True):
    on: bool
    by: Who


class ReadChainLimits(Record, frozen=True, kw_only=True):
    """The supervisor has read the settings again. No facts when nothing is another."""

    limits: ReviewLimits


class StartRoutine(Record, frozen=True, kw_only=True):
    spec: RoutineSpec
    by: Who


class ResolveRoutine(Record, frozen=True, kw_only=True):
    """step: the one that the person saw; from 0. asked: log position of the escalation that they saw; 0, for the
    present one, cannot approve."""

    routine: str
    step: int
    by: Who
    asked: int = 0
    approve: bool = True
    response: str = ""


class CancelRoutine(Record, frozen=True, kw_only=True):
    routine: str
    by: Who
    note: str = ""


class StopSupervisor(Record, frozen=True, kw_only=True):
    by: Who


class Report(Record, frozen=True, kw_only=True):
    """What the supervisor saw or did. Facts that no longer fit the state are dropped, not forced."""

    facts: tuple[Fact, ...]


QueueCommand = (
    SyncTickets
    | StartRun
    | PauseRun
    | ResumeRun
    | StopRun
    | NextTicket
    | BeginWork
    | CompleteTicket
    | ParkTicket
    | RequeueTicket
    | DropTicket
    | ReleaseTicket
    | AnswerDecision
    | ReopenDecision
)

ChainCommand = SwitchChains | ReadChainLimits
RoutineCommand = StartRoutine | ResolveRoutine | CancelRoutine

Command = (
    StartSession
    | SendPrompt
    | AnswerQuestion
    | InterruptTurn
    | StopSession
    | LendSession
    | ReturnSession
    | AttachPolicy
    | CancelPolicy
    | RetryPolicy
    | Approve
    | Reject
    | Undo
    | AnswerAlert
    | RollBack
    | QueueCommand
    | ChainCommand
    | RoutineCommand
    | StopSupervisor
    | Report
)
