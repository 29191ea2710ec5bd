"""What the log says about what hangs, what is started again and what runs short: a sentence for each fact. Pure."""

from __future__ import annotations

from console.core import events as ev
from console.present.ages import age, clock
from console.present.conditions import LACKS
from console.present.glyphs import Tone

_Session = (
    ev.SessionSuspect
    | ev.SessionRecovered
    | ev.SessionHung
    | ev.SessionRestarting
    | ev.SessionRestartDue
    | ev.SessionGivenUp
    | ev.TurnProcesses
)
Health = ev.SupervisorAway | ev.SupervisorDegraded | ev.SupervisorRecovered | ev.FuseBlown | ev.FuseReset | _Session

CAUSES: dict[ev.RestartCause, str] = {
    "hang": "it hangs",
    "crash": "its process is gone in the middle of a turn",
    "start": "it never began to answer",
}
NAMED = 8
"""Sessions and processes that a sentence names."""


def health(fact: Health) -> tuple[str, Tone]:
    match fact:
        case ev.SupervisorAway():
            return f"the supervisor itself stood still for {_long(fact.seconds)}; no deadline counts that time", "needs"
        case ev.SupervisorDegraded():
            return f"short of {LACKS[fact.kind]}: {fact.why}; nothing new is started, what runs goes on", "broke"
        case ev.SupervisorRecovered():
            return f"{LACKS[fact.kind]}: there is enough again, what was held goes on", "go"
        case ev.FuseBlown():
            many = f"{len(fact.sessions)} of {fact.at_work} agents are silent at once"
            return f"{many}, so none is ended: network or provider? ({_some(fact.sessions)})", "broke"
        case ev.FuseReset():
            return f"agents that hang are ended again: {fact.why}", "go"
        case _:
            return _session(fact)


def _session(fact: _Session) -> tuple[str, Tone]:
    match fact:
        case ev.SessionSuspect():
            seen = f": {fact.evidence}" if fact.evidence else ""
            return f"suspect: no progress in turn {fact.turn} for {_long(fact.quiet)}{seen}", "needs"
        case ev.SessionRecovered():
            return f"shows progress in turn {fact.turn} again", "go"
        case ev.SessionHung():
            seen = f" ({fact.evidence})" if fact.evidence else ""
            return f"{CAUSES[fact.cause]}, its processes are ended: {fact.why}{seen}", "broke"
        case ev.SessionRestarting():
            return (
                f"turn {fact.turn} begins again at {clock(fact.until)}, restart number {fact.count}: {fact.why}",
                "needs",
            )
        case ev.SessionRestartDue():
            return "the wait before its restart is over", "quiet"
        case ev.SessionGivenUp():
            return f"given up in turn {fact.turn}, it is not started again: {fact.why}", "broke"
        case ev.TurnProcesses() if fact.processes:
            return f"turn {fact.turn} left running: {_some(fact.processes, '; ')}", "needs"
        case ev.TurnProcesses():
            return f"turn {fact.turn} left nothing running", "quiet"


def _long(seconds: float) -> str:
    """`4 s`, `6m`."""
    return f"{seconds:.0f} s" if seconds < 60 else age(seconds)


def _some(names: tuple[str, ...], between: str = ", ") -> str:
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return between.join(names[:NAMED]) + more
