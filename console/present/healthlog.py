"""What the log says about what hangs, restarts and runs short, in words."""

from __future__ import annotations

from console.core import events as ev
from console.present.glyphs import Tone

Health = (
    ev.SupervisorAway
    | ev.SupervisorDegraded
    | ev.SupervisorRecovered
    | ev.SessionSuspect
    | ev.SessionRecovered
    | ev.SessionHung
    | ev.SessionRestarting
    | ev.SessionRestartDue
    | ev.SessionGivenUp
    | ev.TurnProcesses
    | ev.FuseBlown
    | ev.FuseReset
)

LACKS: dict[ev.Lack, str] = {"disk": "disk space", "memory": "memory", "descriptors": "file descriptors"}


def health(fact: Health) -> tuple[str, Tone]:
    match fact:
        case ev.SupervisorAway():
            return f"the supervisor did not run for {fact.seconds:.0f} s; no deadline counts them", "needs"
        case ev.SupervisorDegraded():
            return f"{LACKS[fact.kind]} is short: {fact.why}; nothing new is started", "broke"
        case ev.SupervisorRecovered():
            return f"{LACKS[fact.kind]} is enough again", "go"
        case ev.FuseBlown():
            names = ", ".join(fact.sessions)
            return f"{len(fact.sessions)} of {fact.at_work} agents are silent at once ({names}): {fact.why}", "broke"
        case ev.FuseReset():
            return f"the fleet fuse is in again: {fact.why}", "go"
        case _:
            return _session(fact)


def _session(
    fact: ev.SessionSuspect
    | ev.SessionRecovered
    | ev.SessionHung
    | ev.SessionRestarting
    | ev.SessionRestartDue
    | ev.SessionGivenUp
    | ev.TurnProcesses,
) -> tuple[str, Tone]:
    match fact:
        case ev.SessionSuspect():
            return f"{fact.session} shows no progress for {fact.quiet:.0f} s: {fact.evidence}", "needs"
        case ev.SessionRecovered():
            return f"{fact.session} shows progress again", "go"
        case ev.SessionHung():
            return f"{fact.session} is ended: {fact.why}", "broke"
        case ev.SessionRestarting():
            return f"{fact.session} is started again (number {fact.count}): {fact.why}", "needs"
        case ev.SessionRestartDue():
            return f"{fact.session}: the wait before its restart is over", "quiet"
        case ev.SessionGivenUp():
            return f"{fact.session} is not started again: {fact.why}", "broke"
        case ev.TurnProcesses():
            return f"{fact.session} turn {fact.turn} left running: {'; '.join(fact.processes)}", "quiet"
