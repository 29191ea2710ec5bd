"""How far long work has come, where that can be said: `0:41 of about 1:10`. Pure; durations are those of earlier runs
of the same command in this log, and where there were none nothing is said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from statistics import median

from console.core.policies import Policy
from console.core.records import Gate
from console.core.sessions import Session
from console.core.state import State, open_run
from console.core.tickets import Ticket, of_chain
from console.present.ages import age

LOOK_BACK, SAMPLES = 300, 5
"""Policies that are looked at, the latest first, and judgements among them that count."""
ENOUGH = 5
"""Tickets that must have ended before a pace is worth a word."""
CELLS = 10


def bar(share: float, cells: int = CELLS) -> str:
    """`[####......]`; more than all is all."""
    full = max(0, min(cells, int(share * cells)))
    return f"[{'#' * full}{'.' * (cells - full)}]"


def minutes(seconds: float) -> str:
    """`0:41`, `1:10`, `2:03:10`."""
    whole = max(0, int(seconds))
    hours, rest = divmod(whole, 3600)
    return f"{hours}:{rest // 60:02d}:{rest % 60:02d}" if hours else f"{rest // 60}:{rest % 60:02d}"


def of_about(passed: float, usual: float) -> str:
    """`0:41 of about 1:10 [#####.....]`; without anything to compare `0:41`; past it, that it takes longer."""
    if usual < 1:
        return minutes(passed)
    if passed > usual * 1.25 + 2:
        return f"{minutes(passed)}, longer than the usual {minutes(usual)}"
    return f"{minutes(passed)} of about {minutes(usual)} {bar(passed / usual)}"


# -- gates -----------------------------------------------------------------------------------------------


def usual_gate(state: State, gate: Gate | None) -> float:
    """Seconds that judging by this gate took of late, the middle one; 0 when it never did. The same command in the same
    folder; a judge never takes as long twice. What a red gate is run again for is not in it."""
    if gate is None or gate.judge:
        return 0.0
    latest = islice(reversed(state.policies.values()), LOOK_BACK)
    took = (_took(p) for p in latest if p.spec.gate and _same(p.spec.gate, gate))
    found = list(islice((seconds for seconds in took if seconds), SAMPLES))
    return median(found) if found else 0.0


def _same(one: Gate, other: Gate) -> bool:
    return one.argv == other.argv and one.cwd == other.cwd


def _took(p: Policy) -> float:
    """Of its last judgement, the runs of the gate and the hooks; 0 when it said nothing."""
    said = [r.seconds for r in p.results if r.verdict in ("green", "red")]
    return sum(said) if len(said) == len(p.results) else 0.0


def gating(state: State, p: Policy, now: float) -> str:
    """How far the judgement of a policy has come; "" while nothing is judged."""
    if p.status == "queued":
        return f"waits for a free place, {minutes(now - p.changed_at)}"
    if p.status != "gating" or not p.spec.gate:
        return ""
    return of_about(now - p.changed_at, usual_gate(state, p.spec.gate))


def judging_lines(state: State, p: Policy, now: float) -> tuple[str, ...]:
    """For the Gate tab: how far it has come, and why it may take longer."""
    told = gating(state, p, now)
    if not told or p.spec.gate is None or p.spec.gate.judge:
        return ()
    late = "longer than" in told
    again = ("a gate that is not green is run again, and on the base, before it is blamed on the work",) if late else ()
    return (f"runs for {told}" if p.status == "gating" else told, *again, "")


def session(state: State, s: Session, mine: Sequence[Policy], now: float) -> str:
    """What the headline of a session adds while its work is judged, with its separator; "" otherwise."""
    judged = next((p for p in mine if p.status == "gating"), None)
    told = gating(state, judged, now) if judged and s.phase != "working" else ""
    return f" · its gate runs for {told}" if told else ""


# -- setup -----------------------------------------------------------------------------------------------


def setting_up(state: State, t: Ticket, now: float, step: int = 0) -> str:
    """`setup command 2 of 3, 0:12`; step: the command that runs, 0 where nobody knows; "" without setup."""
    run = state.runs.get(t.run)
    commands = len(run.settings.setup) if run else 0
    if t.phase != "claimed" or not commands:
        return ""
    which = f"setup command {step} of {commands}" if step else f"setup, {commands} command{'s' * (commands != 1)}"
    return f"{which}, {minutes(now - t.since)}"


# -- the run ---------------------------------------------------------------------------------------------


def drain(state: State, now: float) -> Sequence[str]:
    """`14 of 40 tickets ended`, and about how long the rest takes where the pace so far can tell."""
    return tuple(_drain(state, now))


def _drain(state: State, now: float) -> Iterator[str]:
    r = open_run(state)
    if r is None:
        return
    ended = sum(not of_chain(name) for name in r.outcomes)
    moving = sum(name not in r.outcomes and not of_chain(name) for name in r.claimed)
    there = (t for t in state.tickets.values() if t.phase == "queued" and t.ticket not in r.outcomes)
    queued = sum(not t.held and not t.link for t in there)
    left = moving + max(0, min(queued, r.settings.tickets - ended - moving))
    yield f"{ended} of {ended + left} tickets ended"
    clear = r.state == "active" and not state.lacking and not state.fuse
    if clear and ended >= ENOUGH and left:
        yield f"at this pace about {age(left * (now - r.started_at) / ended)} more"
