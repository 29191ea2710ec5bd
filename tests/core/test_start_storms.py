"""Whatever happened before: agents that cannot be started are not started again without end while no time passes."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

import pytest
from msgspec.structs import replace
from play import ACP, GATE, MAIN, ME, NUDGE, Play
from queueplay import SETTINGS, Night
from test_random_queue import Random

from console.core import commands as cmd
from console.core import due
from console.core import events as ev
from console.core.records import PolicySpec
from console.core.state import open_run

TALKER = replace(ACP, interactive=("agent", "--resume", "{conversation}"))
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


def fresh(play: Play) -> str:
    play.do(cmd.StartSession(launch=TALKER, cwd="/w", worktree="/w", by=ME, prompt="go"))
    return next(iter(play.state.sessions))


def between_turns(play: Play) -> str:
    name = fresh(play)
    play.up(name, conversation="c")
    play.report(ev.TurnStarted(session=name, turn=1, ref=MAIN, head="h0"))
    play.report(ev.TurnEnded(session=name, turn=1, ok=True, stop="end_turn", ref=MAIN, head="h1"))
    return name


def after_a_loan(play: Play) -> str:
    name = between_turns(play)
    play.do(cmd.LendSession(session=name, by=ME, pid=100, start_time=1))
    storm(play, HOWS)
    play.do(cmd.ReturnSession(session=name, pid=100, code=0))
    return name


def after_a_loan_whose_agent_still_ends(play: Play) -> str:
    name = between_turns(play)
    play.do(cmd.LendSession(session=name, by=ME, pid=100, start_time=1))
    play.do(cmd.ReturnSession(session=name, pid=100, code=0))
    return name


def after_its_supervisor(play: Play) -> str:
    name = between_turns(play)
    play.report(ev.SessionInterrupted(session=name, run=1))
    return name


def in_a_turn(play: Play) -> str:
    name = between_turns(play)
    play.prompt(name)
    play.report(ev.TurnStarted(session=name, turn=2, ref=MAIN, head="h1"))
    return name


def cut_off_by_its_supervisor(play: Play) -> str:
    name = in_a_turn(play)
    play.report(ev.SessionInterrupted(session=name, run=1))
    return name


def crashed(play: Play) -> str:
    name = in_a_turn(play)
    play.report(ev.Exited(session=name, run=1, how="signaled", signal=9))
    owed = next(e for e in due.due(play.state) if isinstance(e, due.Restart))
    play.report(ev.SessionRestartDue(session=name, run=owed.run))
    return name


def interrupted_to_death(play: Play) -> str:
    name = in_a_turn(play)
    play.do(cmd.InterruptTurn(session=name, by=ME))
    play.prompt(name)
    play.report(ev.Exited(session=name, run=1, how="signaled", signal=9))
    return name


PASTS = (
    fresh,
    between_turns,
    after_a_loan,
    after_a_loan_whose_agent_still_ends,
    after_its_supervisor,
    in_a_turn,
    cut_off_by_its_supervisor,
    crashed,
    interrupted_to_death,
)
PATTERNS = tuple(itertools.product(HOWS, repeat=3))


@pytest.mark.parametrize("policy", [False, True])
@pytest.mark.parametrize("past", PASTS)
def test_sessions_of_ones_own(past: Callable[[Play], str], policy: bool) -> None:
    seen = 0
    for hows in PATTERNS:
        play = Play()
        name = past(play)
        if policy:
            spec = PolicySpec(sessions=(name,), gate=GATE, on_fail=NUDGE)
            play.do(cmd.AttachPolicy(spec=spec, by=ME))
        play.ask(cmd.SendPrompt(session=name, text="more", by=ME))
        number = storm(play, hows)
        assert number <= bound(play)
        seen += number
    assert seen or past in (between_turns, in_a_turn), "nothing was started at all"


@pytest.mark.parametrize("hows", PATTERNS)
def test_a_turn_of_a_ticket_that_a_person_ended_for_another(hows: Sequence[str]) -> None:
    night = Night()
    night.see("a")
    night.go()
    name = night.begin_turn("a")
    night.do(cmd.InterruptTurn(session=name, by=ME))
    night.do(cmd.SendPrompt(session=name, text="more", by=ME))
    night.report(ev.Exited(session=name, run=1, how="signaled", signal=9))
    assert storm(night, hows) == 1 and night.t("a").phase == "ended"


@pytest.mark.parametrize("seed", range(20))
def test_sessions_of_random_tickets(seed: int) -> None:
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
