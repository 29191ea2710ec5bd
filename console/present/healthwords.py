"""What ails a session, in words: silent, hung, started again, given up, not to be killed; and what it left running.
Pure; whatever an agent worded is cleaned here."""

from __future__ import annotations

from collections.abc import Sequence

from console.core.records import WatchLimits
from console.core.sessions import LIVE, Session
from console.core.state import State
from console.present.ages import age, clock
from console.present.glyphs import sign
from console.present.text import clean

UNKILLABLE = "could not be killed: "
"""How the shim begins its report of processes that no signal ends."""

SHOWN = 12
"""Processes, restarts and names that are listed one by one."""

_CAUSES = {"hang": "hung", "crash": "crashed", "start": "hung"}


# -- one session -----------------------------------------------------------------------------------------


def ailing(s: Session) -> str:
    """The word for what is wrong with it, "" when nothing is: suspect, hung, crashed, restarts, given-up, stuck."""
    if s.phase == "exited" and s.exit.startswith(UNKILLABLE):
        return "stuck"
    if s.phase in ("exited", "suspended") and s.restart_at:
        return "restarts"
    if s.phase == "exited" and s.given_up and not s.stopped:
        return "given-up"
    if s.phase == "stopping" and s.hung and not s.stopped:
        return _CAUSES[s.hung_cause]
    return "suspect" if s.suspect_at and s.phase in LIVE and s.phase != "stopping" else ""


def since(s: Session) -> float:
    """Unix seconds from which its age in a list counts: of a silent one the silence."""
    return s.suspect_at if ailing(s) == "suspect" else s.since


def counted(state: State, s: Session) -> tuple[int, int]:
    """How often it was started again, and how often it may be. Of its ticket, when it has one."""
    t = state.tickets.get(s.ticket)
    run = state.runs.get(t.run) if t else None
    limits = run.settings.watchdog if run else WatchLimits()
    return max(len(t.restarts) if t else 0, len(s.restarts)), limits.total_restarts


def brief(state: State, s: Session, now: float) -> str:
    """What a list of few cells adds to the word."""
    match ailing(s):
        case "suspect":
            return f"silent {age(now - s.suspect_at)}"
        case "restarts":
            done, most = counted(state, s)
            return f"{_due(s, now)} {done}/{most}"
        case "hung" | "crashed":
            return "is ended"
        case "given-up":
            return clean(s.given_up, limit=300)
        case _:
            return clean(s.exit.removeprefix(UNKILLABLE), limit=300)


def told(state: State, s: Session, now: float) -> str:
    """The same as a headline, after the word."""
    match ailing(s):
        case "suspect":
            seen = f"; as that began: {clean(s.evidence, limit=300)}" if s.evidence else ""
            held = " · none is ended while so many are silent" if state.fuse else ""
            return f" · silent {age(now - s.suspect_at)}{held}{seen}"
        case "restarts":
            done, most = counted(state, s)
            return f" {_due(s, now)} ({done} of {most}): {clean(s.restart_why, limit=300)}"
        case "hung" | "crashed":
            return f" · its processes are being ended: {clean(s.hung, limit=300)}"
        case "given-up":
            return f": {clean(s.given_up, limit=300)}"
        case _:
            return f": {clean(s.exit, limit=400)}"


def left_running(s: Session) -> tuple[str, ...]:
    """What its last turn left running; with the agent's end these are ended too."""
    return s.processes if s.phase in LIVE else ()


def _due(s: Session, now: float) -> str:
    return f"in {age(s.restart_at - now)}" if s.restart_at > now else "now"


def lines(state: State, s: Session, now: float) -> list[str]:
    """Everything that is known of its health, for the detail and `session show`; [] when all is well."""
    found = []
    if word := ailing(s):
        found.append(f"health    {sign(word).text()}{told(state, s, now)}")
        if word in ("hung", "crashed", "restarts", "given-up") and s.evidence:
            found.append(f"evidence  {clean(s.evidence, limit=500)}")
    found += _restarts(state, s)
    found += _listed("left", left_running(s), "its last turn left this running")
    found += _listed("ended", s.leftovers, "outlived its agent and was ended")
    if word == "stuck":
        found.append("do        " + UNKILLABLE_CURE)
    elif word == "given-up":
        found.append(f"do        look at its log; `nightdesk session prompt {s.session} TEXT` starts it again")
    return found


def _restarts(state: State, s: Session) -> list[str]:
    if not s.restarts:
        return []
    done, most = counted(state, s)
    times = ", ".join(clock(at) for at in s.restarts[-SHOWN:])
    more = f" and {len(s.restarts) - SHOWN} before" if len(s.restarts) > SHOWN else ""
    mine = f", this session at {times}{more}" if done != len(s.restarts) else f", at {times}{more}"
    why = f"; last because {clean(s.restart_why, limit=300)}" if s.restart_why else ""
    return [f"restarts  {done} of {most}{mine}{why}"]


def _listed(name: str, processes: Sequence[str], says: str) -> list[str]:
    if not processes:
        return []
    shown = [f"{name:10}{clean(text, limit=300)}" for text in processes[:SHOWN]]
    more = len(processes) - len(shown)
    count = "" if len(processes) == 1 else f" ({len(processes)})"
    return [f"{name:10}{says}{count}:", *shown, *([f"{name:10}and {more} more"] if more > 0 else [])]


UNKILLABLE_CURE = (
    "it waits inside the kernel, usually for a disk or a mount: bring that back and it ends by itself; "
    "`nightdesk doctor` shows what is left; a restart of the machine ends it in any case"
)
