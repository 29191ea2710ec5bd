"""What people and programs can ask for. A command is checked against the state and becomes facts, or is refused."""

from __future__ import annotations

from typing import Literal

from console.core.events import Cause, Fact
from console.core.records import Launch, PolicySpec, Record, Who


class StartSession(Record, frozen=True, kw_only=True):
    """prompt "" starts it idle. label "" becomes the session's id."""

    launch: Launch
    cwd: str
    worktree: str
    by: Who
    preset: str = ""
    label: str = ""
    prompt: str = ""


class SendPrompt(Record, frozen=True, kw_only=True):
    session: str
    text: str
    by: Who
    cause: Cause = "operator"


class AnswerQuestion(Record, frozen=True, kw_only=True):
    """option "" cancels the question. question "" means the one that is open."""

    session: str
    option: str
    by: Who
    question: str = ""


class InterruptTurn(Record, frozen=True, kw_only=True):
    session: str
    by: Who


class StopSession(Record, frozen=True, kw_only=True):
    session: str
    by: Who


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


class StopSupervisor(Record, frozen=True, kw_only=True):
    by: Who


class Report(Record, frozen=True, kw_only=True):
    """What the supervisor saw or did. Facts that no longer fit the state are dropped, not forced."""

    facts: tuple[Fact, ...]


Command = (
    StartSession
    | SendPrompt
    | AnswerQuestion
    | InterruptTurn
    | StopSession
    | AttachPolicy
    | CancelPolicy
    | RetryPolicy
    | Approve
    | Reject
    | Undo
    | AnswerAlert
    | RollBack
    | StopSupervisor
    | Report
)
