"""What holds up everything, in words: many agents silent at once, something short, nobody who supervises; with what to
do about it. Pure; whatever came from outside is cleaned here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec

from console.core import due
from console.core.events import Lack
from console.core.sessions import LIVE, Session
from console.core.state import Fuse, Lacking, State, open_run
from console.present import healthwords
from console.present.ages import age, clock
from console.present.keytable import key
from console.present.text import clean

LACKS: dict[Lack, str] = {"disk": "disk space", "memory": "memory", "descriptors": "file descriptors"}

SHOWN = 12
"""Names that are listed one by one."""


@dataclass(frozen=True, slots=True)
class Condition:
    """Something that holds up everything. name: fuse, disk, memory, descriptors or supervisor. text: one line for a
    list, the gist first. lines: all of it, with what to do."""

    name: str
    word: str
    headline: str
    text: str
    since: float
    lines: tuple[str, ...] = ()


def conditions(state: State, supervised: bool = True, silent: float = 0.0, now: float = 0.0) -> list[Condition]:
    """What holds up everything, worst first. supervised: whether anybody holds the workspace's lock. silent: seconds
    since that one gave its last sign of life, 0 for all is well or unknown. now: Unix seconds, from which the silence
    is counted back."""
    found = [_absent(state, silent, now)] if _missed(state, supervised, silent) else []
    if state.fuse:
        found.append(_fuse(state, state.fuse))
    order = list(LACKS)
    found += [_short(state, each) for each in sorted(state.lacking.values(), key=lambda each: order.index(each.kind))]
    return found


def _missed(state: State, supervised: bool, silent: float) -> bool:
    return silent > 0 if supervised else open_run(state) is not None


def unheeded(silent: float) -> str:
    """What to know of something that was recorded while the supervisor is silent for so many seconds."""
    return f"recorded, but nobody acts on it now: the supervisor is silent for {age(silent)}"


def held_up(state: State) -> str:
    """What does not go on while nobody supervises, and the command that goes on with it; "" when nothing waits."""
    if run := open_run(state):
        return f"`nightdesk run` goes on with {run.run}"
    on_their_way = any(p.state in ("approved", "landing", "undoing") for p in state.plans.values())
    judged = any(p.status in ("queued", "gating", "acting", "nudging") for p in state.policies.values())
    working = any(s.phase in LIVE or s.rollback for s in state.sessions.values())
    return "`nightdesk run --idle` goes on with it" if on_their_way or judged or working else ""


def _absent(state: State, silent: float, now: float) -> Condition:
    run = open_run(state)
    if silent:
        pid = state.supervisor.pid if state.supervisor else 0
        stands = f"; {run.run} does not go on" if run else ""
        return Condition(
            name="supervisor",
            word="alarm",
            headline=f"! the supervisor is silent for {age(silent)}: nobody watches the agents",
            text=f"supervisor silent for {age(silent)} (pid {pid}){stands}",
            since=now - silent if now else state.at,
            lines=(
                f"It holds the workspace, but gave no sign of life for {age(silent)}: it is stopped or stuck.",
                "",
                "What to do:",
                "  `nightdesk doctor` says what it does and how to end it",
                "  `nightdesk standby`, started beforehand, takes over by itself",
            ),
        )
    name = run.run if run else "the run"
    return Condition(
        name="supervisor",
        word="alarm",
        headline=f"! nobody supervises, and {name} is not over",
        text=f"nobody supervises and {name} is not over: nothing goes on",
        since=state.at,
        lines=(
            "The supervisor is gone and nobody took its place. Its agents ended with it; nothing is lost.",
            "",
            "What to do:",
            "  `nightdesk run` goes on with it; so does `nightdesk` without a word",
            "  `nightdesk doctor` shows whether anything of it is left",
        ),
    )


def _fuse(state: State, fuse: Fuse) -> Condition:
    count, all_ = len(fuse.sessions), fuse.at_work
    named = ", ".join(clean(_called(state, name), limit=60) for name in fuse.sessions[:SHOWN])
    more = f" and {count - SHOWN} more" if count > SHOWN else ""
    return Condition(
        name="fuse",
        word="alarm",
        headline=f"! {count} of {all_} agents fell silent at once: network or provider? Nothing is ended meanwhile",
        text=f"{count} of {all_} agents silent at once: network or provider? nothing is ended",
        since=fuse.at,
        lines=(
            "When so many stop at the same moment the fault is rarely theirs: none is ended, no ticket is taken.",
            "After twice `hung` one of them is started again, to see whether that one answers.",
            "",
            "What to do:",
            "  see whether this machine reaches the network, and what the provider's status page says",
            "  nothing else: when they show progress again, this ends by itself and the watchdog goes on",
            f"  {key('stop')} on a session ends that one (twice); {key('pause')} pauses the run",
            "",
            f"silent    {named}{more}",
            f"since     {clock(fuse.at)}",
            f"why       {clean(fuse.why, limit=500)}",
        ),
    )


def _called(state: State, session: str) -> str:
    s = state.sessions.get(session)
    return f"{session} {s.label}".rstrip() if s else session


_CURES: dict[Lack, tuple[str, ...]] = {
    "disk": (
        "  free some space on the disk of that folder (`df -h` and `du -sh` show where it went)",
        "  `nightdesk worktree clean` takes away worktrees that nothing needs any more",
    ),
    "memory": (
        "  end what you do not need on this machine, or {stop} a session (twice)",
        "  `limits: {sessions: N}` in .nightdesk/config.yaml lets fewer agents work at once, from the next run on",
    ),
    "descriptors": (
        "  `ulimit -n 4096` in the shell that starts nightdesk raises the limit, at its next start",
        "  {stop} on a session (twice) gives its descriptors back",
    ),
}


def _short(state: State, lack: Lacking) -> Condition:
    waiting = held_work(state)
    count = len(waiting)
    named = ", ".join(clean(name, limit=60) for name in waiting[:SHOWN])
    more = f" and {count - SHOWN} more" if count > SHOWN else ""
    stands = f", {count} wait{'s' * (count == 1)}" if count else ""
    why = clean(lack.why, limit=400)
    return Condition(
        name=lack.kind,
        word="short",
        headline=f"! short of {LACKS[lack.kind]}: nothing new is started, what runs goes on",
        text=f"{lack.kind}{stands}: {why}",
        since=lack.at,
        lines=(
            f"why       {why}",
            f"held      {f'{named}{more}' if count else 'nothing waits for it yet'}",
            f"since     {clock(lack.at)}",
            "",
            "What to do:",
            *(line.replace("{stop}", key("stop")) for line in _CURES[lack.kind]),
            "",
            "Nothing is lost: it goes on by itself as soon as there is enough again.",
        ),
    )


def data(state: State) -> dict[str, Any]:
    """What the supervisor knows of trouble, as plain data for `--json`."""
    sessions = state.sessions.values()
    return {
        "lacking": [{"kind": each.kind, "why": each.why, "since": each.at} for each in state.lacking.values()],
        "heldWork": list(held_work(state)),
        "fuse": msgspec.to_builtins(state.fuse) if state.fuse else None,
        "suspects": [_suspect_data(s) for s in sessions if healthwords.ailing(s) == "suspect"],
        "ending": [s.session for s in sessions if healthwords.ailing(s) in ("hung", "crashed")],
        "restarts": [_restart_data(state, s) for s in sessions if healthwords.ailing(s) == "restarts"],
        "givenUp": [{"session": s.session, "why": s.given_up} for s in sessions if healthwords.ailing(s) == "given-up"],
        "unkillable": [{"session": s.session, "why": s.exit} for s in sessions if healthwords.ailing(s) == "stuck"],
    }


def _suspect_data(s: Session) -> dict[str, Any]:
    return {"session": s.session, "since": s.suspect_at, "evidence": s.evidence}


def _restart_data(state: State, s: Session) -> dict[str, Any]:
    done, most = healthwords.counted(state, s)
    return {"session": s.session, "at": s.restart_at, "why": s.restart_why, "count": done, "most": most or None}


def held_work(state: State) -> tuple[str, ...]:
    """What would be started now if nothing were short: sessions, tickets and policies, each once (the supervisor's own
    rule is in `engine/shortage.py`)."""
    if not (short := set(state.lacking)):
        return ()
    found = []
    for effect in due.due(state):
        match effect:
            case due.Prepare():
                found.append(effect.ticket)
            case due.Start():
                found.append(effect.session)
            case due.BeginTurn() if short - {"memory"}:
                found.append(effect.session)
            case due.Judge() if "disk" in short:
                found.append(effect.policy)
    return tuple(dict.fromkeys(found))
