"""The facts of the queue as sentences of the log: tickets, decisions, runs. Pure; the log's row cleans them."""

from __future__ import annotations

import time

from console.core import events as ev
from console.core.records import Who
from console.present.glyphs import sign

Said = tuple[str, str]
"""Sentence, style."""

Ticket = (
    ev.TicketSeen
    | ev.TicketGone
    | ev.TicketReleased
    | ev.TicketRequeued
    | ev.TicketDropped
    | ev.TicketClaimed
    | ev.TicketBegun
    | ev.TicketOverdue
    | ev.TicketWaiting
    | ev.TicketWoken
    | ev.TicketAttemptFailed
    | ev.TicketBack
    | ev.TicketEnded
    | ev.ParkRequested
)
Decision = ev.DecisionParked | ev.DecisionAnswered | ev.DecisionReopened | ev.DecisionClosed
Run = (
    ev.RunStarted
    | ev.RunPaused
    | ev.RunResumed
    | ev.RunStopRequested
    | ev.RunHalting
    | ev.RunEnded
    | ev.QueueProblems
    | ev.OperatorActive
)


def by(who: Who | None) -> str:
    """`by ada from 192.0.2.7`"""
    if not who:
        return "by somebody"
    return f"by {who.user or who.via or 'somebody'}" + (f" from {who.ssh.split(' ')[0]}" if who.ssh else "")


def ticket(fact: Ticket) -> Said:
    match fact:
        case ev.TicketSeen():
            added = f", added {by(fact.by)}" if fact.by else ""
            held = f"; held: {fact.held}" if fact.held else ""
            return f"ticket: {fact.spec.title}{added}{held}", "needs" if fact.held else "plain"
        case ev.TicketGone():
            return "its file is gone", "quiet"
        case ev.TicketReleased():
            return f"released, {by(fact.by)}", "go"
        case ev.TicketRequeued():
            return f"queued again, {by(fact.by)}{fact.note and ': ' + fact.note}", "plain"
        case ev.TicketDropped():
            return f"dropped, {by(fact.by)}{fact.note and ': ' + fact.note}", "quiet"
        case ev.TicketClaimed():
            whose = "" if fact.holder == "loop" else f" by {fact.holder}"
            return f"claimed{whose}, attempt {fact.attempt}", "go"
        case ev.TicketBegun():
            return f"work begins in {fact.session}, attempt {fact.attempt}, on {fact.branch}", "go"
        case ev.TicketOverdue():
            return f"its turn takes longer than {fact.limit:g} s", "needs"
        case ev.TicketWaiting():
            return f"waits until {time.strftime('%Y-%m-%d %H:%M', time.localtime(fact.until))}: {fact.why}", "needs"
        case ev.TicketWoken():
            return f"goes on with attempt {fact.attempt}", "go"
        case ev.TicketAttemptFailed():
            return f"attempt {fact.attempt} failed ({fact.cause}): {fact.why}", "broke"
        case ev.TicketBack():
            kept = f"; the failed work is kept as {fact.kept[:10]}" if fact.kept else ""
            return f"rolled back, waits for its next attempt{kept}", "plain"
        case ev.TicketEnded():
            mark = sign(fact.outcome)
            return f"ended: {mark.word}: {'; '.join(dict.fromkeys((fact.why, *fact.flags)))}", mark.tone
        case ev.ParkRequested():
            return f"asks for a decision: {fact.question}", "needs"


def decision(fact: Decision) -> Said:
    match fact:
        case ev.DecisionParked():
            kind = "foundational, " if fact.foundational else ""
            return f"{fact.ticket} is parked, {kind}you decide: {fact.question}", "needs"
        case ev.DecisionAnswered():
            what = f"reading {fact.choice}" if fact.choice else fact.text
            return f"{fact.ticket} answered, {by(fact.by)}: {what}", "go"
        case ev.DecisionReopened():
            return f"{fact.ticket}: the answer is taken back, {by(fact.by)}", "needs"
        case ev.DecisionClosed():
            return f"{fact.ticket}: nothing is left to decide: {fact.reason}", "quiet"


def run(fact: Run) -> Said:
    match fact:
        case ev.RunStarted():
            how = ", attended" if fact.attended else ""
            warned = f", {len(fact.warnings)} warning(s)" if fact.warnings else ""
            return f"run starts, {by(fact.by)}{how}{warned}", "go"
        case ev.RunPaused():
            return f"run paused, {by(fact.by)}: what is under way goes on", "needs"
        case ev.RunResumed():
            return f"run resumed, {by(fact.by)}", "go"
        case ev.RunStopRequested():
            when = "now" if fact.now else "after what is under way"
            return f"run is to stop {when}, {by(fact.by)}", "needs"
        case ev.RunHalting():
            return f"run is halting: {fact.reason}", "broke"
        case ev.RunEnded():
            style = "go" if fact.status == "DRAINED" else "broke" if fact.status in ("HALTED", "LOW_YIELD") else "needs"
            return f"run ended {fact.status}: {fact.why}", style
        case ev.QueueProblems():
            if not fact.problems:
                return "nothing is wrong in tickets/ any more", "go"
            more = f" and {len(fact.problems) - 1} more" if len(fact.problems) > 1 else ""
            return f"in tickets/: {fact.problems[0]}{more}", "broke"
        case ev.OperatorActive():
            return f"a key was pressed, {by(fact.by)}", "quiet"
