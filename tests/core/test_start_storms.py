"""Whatever happened before: agents that cannot be started are not started again without end while no time passes."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from play import ME, Play
from test_random_play import STEP, live
from test_random_queue import SETTINGS, Random

from console.core import commands as cmd
from console.core import due
from console.core import events as ev
from console.core.state import open_run

HOWS = ("not-started", "hung")
"""The two ends of a start that a supervisor can tell of: refused or failed, and ended by the watchdog."""


def failing(play: Play, effect: due.Effect, how: str) -> bool:
    """Perform an effect that takes no time; no agent ever comes up. Whether it was a start."""
    match effect:
        case due.Start(session=name, run=run):
            fields = {"how": "not-started", "reason": "no such program"}
            if how == "hung":
                turn = play.state.sessions[name].turns
                play.report(ev.SessionHung(session=name, run=run, turn=turn, cause="start", why="no answer"))
                fields["reason"] = "no answer"
            play.report(ev.Exited(session=name, run=run, **fields))  # type: ignore[arg-type]
            return True
        case due.Stop(session=name, run=run):
            stopped = play.state.sessions[name].stopped
            play.report(ev.Exited(session=name, run=run, how="exited", code=0, stopped=stopped))
        case due.RollBackTo(session=name, snapshot=snapshot, request=request):
            play.report(ev.RolledBack(session=name, snapshot=snapshot, undo=f"{request:040x}"))
    return False


TIMELESS = (due.Start, due.Stop, due.RollBackTo)


def storm(play: Play, hows: Sequence[str]) -> int:
    """How many starts follow each other although none succeeds and no time passes."""
    number = 0
    for turn in range(400):
        owed = [e for e in due.due(play.state) if isinstance(e, TIMELESS)]
        if not owed:
            return number
        number += failing(play, owed[turn % len(owed)], hows[turn % len(hows)])
    raise AssertionError(f"{number} starts and no end: {[s for s in play.state.sessions.values() if s.prompts]}")


def bound(play: Play) -> int:
    """One start for each session that waits for one or may be asked for one by a policy's nudge, and no more."""
    nudges = sum(p.spec.on_fail.retries for p in play.state.policies.values() if p.spec.on_fail)
    return len(play.state.sessions) * (2 + nudges)


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(STEP, min_size=20, max_size=60), st.lists(st.sampled_from(HOWS), min_size=1, max_size=4))
def test_sessions_of_ones_own(steps: list[tuple[str, int, int, int]], hows: list[str]) -> None:
    play = live(steps).play
    for s in list(play.state.sessions.values()):  # everybody is asked for something more
        if s.lent:
            play.ask(cmd.ReturnSession(session=s.session, pid=s.lent.pid, code=0))
        play.ask(cmd.SendPrompt(session=s.session, text="more", by=ME))
    assert storm(play, hows) <= bound(play)


@pytest.mark.parametrize("seed", range(20))
def test_sessions_of_tickets(seed: int) -> None:
    night = Random(seed)
    for _ in range(4):
        night.folder()
    for step in range(60):
        if step % 5 == 4:
            night.disturb()
        if not night.perform() and not open_run(night.state):
            night.go(SETTINGS)
        for t in [t for t in night.state.tickets.values() if t.in_flight and t.session]:
            if night.dice.random() < 0.3:  # a person has more to say to who is at work
                night.ask(cmd.SendPrompt(session=t.session, text="more", by=ME))
    assert storm(night, HOWS) <= bound(night)
