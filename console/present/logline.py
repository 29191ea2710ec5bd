"""One log entry as a sentence for people: every kind of fact has one. Programs read the event itself."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from console.core import events as ev
from console.core.commits import short
from console.core.records import GateResult, Who
from console.core.snapshots import sentence as rollback_sentence
from console.present import chainlog, healthlog, queuelog
from console.present.text import clean
from console.present.wording import clock

Row = tuple[tuple[str, str], tuple[str, str], tuple[str, str]]
"""(time, style), (what it is about, style), (sentence, style)."""
Said = tuple[str, str]
"""Sentence, style."""

FAULTS = {"": "", "limit": ", a usage limit", "overload": ", the service is overloaded", "auth": ", not logged in"}

_Supervisor = ev.SupervisorStarted | ev.SupervisorStopped | ev.SupervisorStopRequested | ev.SupervisorTrouble
_Session = (
    ev.SessionAdded
    | ev.SessionStarted
    | ev.SessionInterrupted
    | ev.PromptQueued
    | ev.TurnStarted
    | ev.TurnEnded
    | ev.AgentCommitted
    | ev.CommandDone
    | ev.AwaitingInput
    | ev.AnswerRequested
    | ev.InputAnswered
    | ev.CancelRequested
    | ev.StopRequested
    | ev.SessionLent
    | ev.SessionReturned
    | ev.Exited
)
_Repository = (
    ev.RepositoryChanged | ev.AlertAnswered | ev.AlertSettled | ev.SnapshotTaken | ev.RollbackRequested | ev.RolledBack
)
_Policy = (
    ev.PolicyAttached
    | ev.PolicyQueued
    | ev.PolicyGating
    | ev.PolicyJudged
    | ev.PolicyPassed
    | ev.PolicyFailed
    | ev.PolicyNudged
    | ev.PolicyDone
    | ev.PolicyBlocked
    | ev.PolicyCancelled
    | ev.PolicyRetried
)
_Plan = (
    ev.PolicyCommitReady
    | ev.ApprovalRequested
    | ev.PlanLanding
    | ev.PolicyCommitted
    | ev.LandingRefused
    | ev.PlanRebased
    | ev.PlanSuperseded
    | ev.PlanVoided
    | ev.PlanRejected
    | ev.UndoRequested
    | ev.UndoRefused
    | ev.PlanRestored
)
_Queue = queuelog.Ticket | queuelog.Decision | queuelog.Run


def row(entry: ev.Logged) -> Row:
    about, text, style = sentence(entry.fact)
    return (clock(entry.at), "quiet"), (clean(about, limit=60), "plain"), (clean(text, limit=400), style)


def sentence(fact: ev.Fact) -> tuple[str, str, str]:
    """What it is about, what happened, and the style of it."""
    names, said = _speaker(type(fact))
    for field in names:
        if name := getattr(fact, field, ""):
            return name, *said(fact)
    return "", *said(fact)


@cache
def _speaker(kind: type[ev.Fact]) -> tuple[tuple[str, ...], Callable[[Any], Said]]:
    """Fields that name what a kind of fact is about, and who has a sentence for it; worked out once, as a search asks
    for every line of the log."""
    speakers: tuple[tuple[Any, Callable[[Any], Said]], ...] = (
        (healthlog.Health, healthlog.health),
        (_Supervisor, _supervisor),
        (_Session, _session),
        (_Policy, _policy),
        (_Repository, _repository),
        (queuelog.Ticket, queuelog.ticket),
        (queuelog.Decision, queuelog.decision),
        (queuelog.Run, queuelog.run),
        (chainlog.Chain, chainlog.chain),
        (chainlog.Routine, chainlog.routine),
        (chainlog.Notice, chainlog.notice),
    )
    said = next((said for kinds, said in speakers if issubclass(kind, kinds)), _plan)
    if issubclass(kind, queuelog.Ticket):
        return ("ticket",), said
    return ("decision", "run") if issubclass(kind, _Queue) else ("session", "policy"), said


def _supervisor(fact: _Supervisor) -> Said:
    match fact:
        case ev.SupervisorStarted():
            return f"supervisor started, pid {fact.pid}", "quiet"
        case ev.SupervisorStopped():
            return f"supervisor ended: {fact.reason}", "quiet"
        case ev.SupervisorStopRequested():
            return f"supervisor is to stop, says {fact.by.user or fact.by.via}", "plain"
        case ev.SupervisorTrouble():
            return f"nightdesk itself failed at {fact.effect}: {fact.error}", "broke"


def _repository(fact: _Repository) -> Said:
    match fact:
        case ev.RepositoryChanged():
            items = ", ".join(change.item for change in fact.changes[:5])
            blocks = any(change.severity in ("runs", "lies") for change in fact.changes)
            return f"{fact.alert}: the git dir changed: {items}", "broke" if blocks else "needs"
        case ev.AlertAnswered():
            return (
                f"{fact.alert} is to be {fact.action}{'ed' if fact.action == 'adopt' else 'd'}, {_by(fact.by)}",
                "plain",
            )
        case ev.AlertSettled():
            notes = f": {'; '.join(fact.notes)}" if fact.notes else ""
            return f"{fact.alert} {fact.outcome}{notes}", "broke" if fact.outcome == "failed" else "go"
        case ev.SnapshotTaken():
            before = f"before turn {fact.turn}" if fact.turn else ""
            return (
                (f"no snapshot {before}: {fact.refused}", "needs")
                if fact.refused
                else (f"snapshot {fact.snapshot[:10]} {before}".rstrip(), "quiet")
            )
        case ev.RollbackRequested():
            return f"files are to go back to {fact.snapshot[:10]}, {_by(fact.by)}", "plain"
        case ev.RolledBack():
            return rollback_sentence(fact), "broke" if fact.refused else "needs" if fact.left else "go"


def _session(fact: _Session) -> Said:
    match fact:
        case ev.SessionAdded():
            return f"{fact.label}: to be started as {fact.preset or fact.launch.argv[0]}", "plain"
        case ev.SessionStarted():
            return f"{'resumed' if fact.resumed else 'is up'} {fact.detail}".rstrip(), "go"
        case ev.SessionInterrupted():
            return "its processes ended with their supervisor; it can go on", "needs"
        case ev.PromptQueued():
            return f"{fact.cause} prompt for turn {fact.turn}: {fact.text}", "plain"
        case ev.TurnStarted():
            return f"turn {fact.turn} began at {fact.head[:10] or '?'}", "go"
        case ev.TurnEnded():
            how = "" if fact.ok else f": {fact.stop} {fact.detail}".rstrip() + FAULTS[fact.fault]
            return f"turn {fact.turn} ended{how}", "plain" if fact.ok else "needs"
        case ev.AgentCommitted():
            return f"the agent moved {fact.ref} from {fact.before[:10]} to {fact.after[:10]}", "needs"
        case ev.CommandDone():
            return f"command of turn {fact.turn} ended with {fact.code}", "plain"
        case ev.AwaitingInput():
            return f"asks: {fact.title}", "needs"
        case ev.AnswerRequested():
            return f"answer given, {_by(fact.by)}: {fact.option or 'none, the question is cancelled'}", "plain"
        case ev.InputAnswered():
            return f"was answered: {fact.option or 'cancelled'}", "plain"
        case ev.CancelRequested():
            return f"turn {fact.turn} is to be interrupted, {_by(fact.by)}", "plain"
        case ev.StopRequested() if fact.rest:
            return f"its agent is to end, its conversation can go on, {_by(fact.by)}", "plain"
        case ev.StopRequested():
            return f"is to be stopped, {_by(fact.by)}", "plain"
        case ev.SessionLent():
            return f"its conversation is taken to be opened in the agent's own program, {_by(fact.by)}", "needs"
        case ev.SessionReturned():
            return f"the agent's own program has ended{f': {fact.note}' if fact.note else ''}", "plain"
        case ev.Exited():
            left = f", {len(fact.leftovers)} leftover process(es) ended" if fact.leftovers else ""
            how = f"exit {fact.code}" if fact.code is not None else f"signal {fact.signal}" if fact.signal else fact.how
            return f"its agent has ended: {fact.reason or how}{left}", "quiet" if fact.stopped else "broke"


def _policy(fact: _Policy) -> Said:
    match fact:
        case ev.PolicyAttached():
            return f"watches {', '.join(fact.spec.sessions)}, then {fact.spec.then}", "plain"
        case ev.PolicyQueued():
            return "waits for a free gate", "quiet"
        case ev.PolicyGating():
            return f"judging, attempt {fact.attempt}", "go"
        case ev.PolicyJudged():
            return _judged(fact), "plain"
        case ev.PolicyPassed():
            return f"passed: {_gate(fact.gate)}", "go"
        case ev.PolicyFailed():
            return f"failed: {_gate(fact.gate)}", "broke"
        case ev.PolicyNudged():
            return f"nudges its session, time {fact.retry}", "needs"
        case ev.PolicyDone():
            return f"done; {fact.next_policy} goes on" if fact.next_policy else "done", "go"
        case ev.PolicyBlocked():
            return f"blocked: {fact.reason}", "broke"
        case ev.PolicyCancelled():
            return f"cancelled: {fact.reason}", "quiet"
        case ev.PolicyRetried():
            return f"to be judged again, {_by(fact.by)}", "plain"


def _plan(fact: _Plan) -> Said:
    name = short(fact.plan)
    match fact:
        case ev.PolicyCommitReady():
            return f"plan {name} waits for you: {fact.message}", "needs"
        case ev.ApprovalRequested():
            return f"plan {name} approved, {_by(fact.by)}", "plain"
        case ev.PlanLanding():
            return f"plan {name} is landing on {_branch(fact.ref)}", "plain"
        case ev.PolicyCommitted():
            return f"plan {name} landed on {_branch(fact.ref)} {fact.note}".rstrip(), "go"
        case ev.LandingRefused():
            return f"plan {name} could not land and waits again: {fact.reason}", "broke"
        case ev.PlanRebased():
            return f"the branch moved; plan {name} is frozen anew as {short(fact.fresh.commit)}", "needs"
        case ev.PlanSuperseded():
            return f"plan {name} is superseded: {fact.reason}", "quiet"
        case ev.PlanVoided():
            return f"plan {name} is void: {fact.reason}", "broke"
        case ev.PlanRejected():
            return f"plan {name} rejected, {_by(fact.by)}{fact.note and ': ' + fact.note}", "needs"
        case ev.UndoRequested():
            return f"plan {name} is to be taken back, {_by(fact.by)}", "plain"
        case ev.UndoRefused():
            return f"plan {name} cannot be taken back: {fact.reason}", "broke"
        case ev.PlanRestored():
            return f"plan {name} waits again ({fact.was} taken back) {fact.note}".rstrip(), "needs"


def _by(who: Who) -> str:
    return queuelog.by(who)


def _branch(ref: str) -> str:
    return ref.removeprefix("refs/heads/")


def _judged(fact: ev.PolicyJudged) -> str:
    if fact.refused:
        return f"nothing to commit could be frozen: {fact.refused}"
    if not fact.results:
        return "judged: it has no gate"
    result = fact.results[-1]
    unseen = "" if result.verdict == "green" else "no exit status"  # a judge's green has none
    why = result.reason or (f"exit {result.code}" if result.code is not None else unseen)
    blame = f"; {fact.blame.kind}: {fact.blame.why}" if fact.blame else ""
    return f"its gate ended {result.verdict}{why and ': ' + why}{blame}"


def _gate(result: GateResult | None) -> str:
    if not result:
        return "no gate"
    return f"gate {result.verdict} on the {result.where} in {result.seconds:.1f} s"
