"""A person ends the turn of a run's ticket, with or without a word of what is next; and what broken turns cost."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from play import ME
from queueplay import SETTINGS, Night

from console.core import commands as cmd
from console.core import due, queue
from console.core import events as ev
from console.core.records import Usage
from console.core.state import decode, encode, open_run


@pytest.fixture
def night() -> Night:
    night = Night()
    night.see("a")
    night.go()
    return night


def interrupted(night: Night, *said: str) -> str:
    name = night.begin_turn("a")
    night.do(cmd.InterruptTurn(session=name, by=ME))
    for text in said:
        night.do(cmd.SendPrompt(session=name, text=text, by=ME))
    return name


def gone(night: Night, name: str, **end: object) -> None:
    run = night.state.sessions[name].run
    fields = {"how": "signaled", "signal": 9} | end
    night.report(ev.Exited(session=name, run=run, **fields))  # type: ignore[arg-type]


def starts(night: Night) -> list[due.Start]:
    return [e for e in due.due(night.state) if isinstance(e, due.Start)]


def second_turn(night: Night, name: str, text: str = "use tabs") -> None:
    """The waiting prompt runs, and the gate judges what it left."""
    if starts(night):
        night.up(name, conversation=f"c-{name}")
    first = night.state.sessions[name].prompts[0]
    assert (first.text, first.cause) == (text, "operator") and night.t("a").phase == "working"
    night.report(ev.TurnStarted(session=name, turn=first.turn, ref="refs/heads/nightdesk/a", head="h0"))
    night.end_turn("a")
    night.settle()
    night.judged("a")
    assert (night.t("a").outcome, night.t("a").attempts) == ("DONE", 1)


def test_an_interrupt_without_a_word_gives_the_ticket_back_and_says_that_a_person_did_it(night: Night) -> None:
    interrupted(night)
    night.end_turn("a", ok=False, stop="cancelled")
    assert (night.t("a").outcome, night.t("a").why) == ("FAILED_RETRYABLE", queue.INTERRUPTED)
    assert "by a person" in night.t("a").why


@pytest.mark.parametrize("how", ["signaled", "exited", "lost"])
def test_an_agent_that_dies_of_the_interrupt_is_started_again_for_what_was_said_meanwhile(
    night: Night, how: str
) -> None:
    name = interrupted(night, "use tabs")
    gone(night, name, how=how, code=1 if how == "exited" else None)
    second_turn(night, name)


def test_one_that_cannot_be_started_then_is_not_tried_again(night: Night) -> None:
    name = interrupted(night, "use tabs")
    gone(night, name)
    assert len(starts(night)) == 1
    gone(night, name, how="not-started", signal=None, reason="no such program")
    assert not starts(night) and night.t("a").outcome == "FAILED_RETRYABLE"


def test_a_supervisor_that_dies_between_the_interrupt_and_the_prompt_loses_neither(night: Night) -> None:
    name = interrupted(night, "use tabs")
    night.report(ev.SessionInterrupted(session=name, run=night.state.sessions[name].run))
    second_turn(night, name)


def test_what_was_said_to_a_turn_that_took_too_long_does_not_prolong_it(night: Night) -> None:
    name = night.begin_turn("a")
    night.do(cmd.SendPrompt(session=name, text="use tabs", by=ME))
    night.report(ev.TicketOverdue(ticket="a", attempt=1, limit=5.0))
    night.end_turn("a", ok=False, stop="stopped")
    night.settle()
    assert night.t("a").failures[-1].cause == "timeout"


def test_a_further_turn_has_the_deadline_of_a_turn(night: Night) -> None:
    name = night.begin_turn("a")
    night.do(cmd.SendPrompt(session=name, text="use tabs", by=ME))
    night.end_turn("a")
    night.now += 1000.0
    night.report(ev.TurnStarted(session=name, turn=2, ref="refs/heads/nightdesk/a", head="h0"))
    owed = [e for e in due.due(night.state) if isinstance(e, due.Deadline)]
    assert [e.at for e in owed] == [night.now + SETTINGS.turn_timeout]


# -- what broken turns cost ----------------------------------------------------------------------------------


def test_what_a_turn_had_cost_before_it_broke_off_counts_for_the_cap() -> None:
    night = Night()
    night.see("a")
    night.see("b")
    night.go(replace(SETTINGS, sessions=1, cost_usd=10.0))
    name = night.begin_turn("a")
    night.report(ev.Exited(session=name, run=1, how="signaled", signal=9, usage=Usage(cost_usd=12.5)))
    run = open_run(night.state)
    assert run and (run.cost_usd, run.turns, run.uncosted) == (12.5, 1, 0)
    night.do(cmd.StopSession(session=name, by=ME))
    night.settle()
    status, outcomes = night.end
    assert (status, outcomes) == ("COST_CAP", {"a": "FAILED_RETRYABLE"}), "b is not begun any more"
    assert decode(encode(night.state)) == night.state


def test_an_end_that_cost_nothing_or_does_not_say_counts_no_turn(night: Night) -> None:
    name = night.begin_turn("a")
    gone(night, name)
    run = open_run(night.state)
    assert run and (run.turns, run.begun) == (0, 1)
