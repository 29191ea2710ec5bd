"""Answering and cancelling routines, and questions that take words: dialogs that begin on the refusing answer."""

from __future__ import annotations

import time
from typing import Any

import pytest
from boardplay import Chains, lone
from deskplay import NOW, SINGLE, DeskPlay, alone, picture, screen, toasts, until
from queuedesk import Queue, review
from textual.pilot import Pilot

from console.core import commands as cmd
from console.core import events as ev
from console.core.records import Option
from console.core.records_routines import Step
from console.tui.keyguard import SETTLE
from console.tui.screens.session_sheets import AskQuestion
from console.tui.screens.sheets import AskText

OPTIONS = (Option(id="allow", name="Allow once", kind="allow_once"), Option(id="no", name="Reject"))


@pytest.fixture
def chains(play: DeskPlay) -> Chains:
    return Chains(play, Queue(play))


def asking(play: DeskPlay, chains: Chains) -> str:
    """A routine whose step asks a person."""
    routine = chains.routine("rollout", Step(name="ask", title="Ship it?"), Step(name="go"))
    chains.at_step(routine, 0)
    chains.calls(routine, "Ship it?", NOW + 180)
    return routine


async def asked(pilot: Pilot[Any], key: str = "y") -> AskQuestion:
    """The dialog, up long enough for a digit to count."""
    await pilot.press(key)
    await until(pilot, lambda: isinstance(pilot.app.screen, AskQuestion))
    sheet = pilot.app.screen
    assert isinstance(sheet, AskQuestion)
    await until(pilot, lambda: time.monotonic() - sheet._since > SETTLE)
    await alone(pilot)
    return sheet


async def test_enter_and_escape_on_a_fresh_dialog_answer_nothing_and_a_digit_goes_on(
    play: DeskPlay, chains: Chains
) -> None:
    routine = asking(play, chains)
    async with screen(play, SINGLE) as (pilot, desk):
        assert desk.subject.id == f"routine:{routine}"
        await pilot.press("enter")
        for refusing in ("enter", "escape"):
            await pilot.press("y")
            await until(pilot, lambda: isinstance(pilot.app.screen, AskQuestion))
            await pilot.press(refusing)
            await until(pilot, lambda: pilot.app.screen is desk)
        assert not play.sent
        await asked(pilot)
        assert "go on, with words that I type" in picture(pilot)
        await pilot.press("1")
        await until(pilot, lambda: play.state.routines[routine].status == "done")
        assert play.sent == [cmd.ResolveRoutine(asked=3, routine=routine, step=0, by=desk.app.desk.who())]


async def test_a_routine_is_answered_in_words_or_cancelled_by_two_presses(play: DeskPlay, chains: Chains) -> None:
    first, second = asking(play, chains), asking(play, chains)
    async with screen(play) as (pilot, desk):
        await asked(pilot)
        await pilot.press("2")
        await until(pilot, lambda: isinstance(pilot.app.screen, AskText))
        await pilot.press(*"now", "enter")
        await until(pilot, lambda: play.sent)
        by = desk.app.desk.who()
        assert play.sent == [cmd.ResolveRoutine(asked=3, routine=first, step=0, by=by, response="now")]
        await until(pilot, lambda: [item.about for item in desk.needs] == [second])
        await pilot.press("w")
        await lone(pilot, desk, f"routine:{second}")
        await pilot.press("x")
        await until(pilot, lambda: any("press x again to cancel routine rollout" in said for said in toasts(pilot)))
        assert len(play.sent) == 1
        await lone(pilot, desk, f"routine:{second}")
        await pilot.press("x")
        await until(pilot, lambda: play.state.routines[second].status == "cancelled")
        assert [type(command) for command in play.sent] == [cmd.ResolveRoutine, cmd.CancelRoutine]
        await until(pilot, lambda: "cancelled" in picture(pilot).split("╭─ routine")[1])


async def test_what_a_session_offers_is_what_can_be_answered_and_a_question_that_is_over_takes_no_answer(
    play: DeskPlay, chains: Chains
) -> None:
    session = play.working("build")
    play.asks(session)
    routine = chains.routine("rollout", Step(name="ask", wait_for=(session,)))
    chains.at_step(routine, 0, session)
    question = play.state.sessions[session].question
    assert question
    chains.calls(routine, "Write?", NOW + 60, *OPTIONS, session=session, question=question.id)
    async with screen(play) as (pilot, desk):
        assert desk.subject.id == f"routine:{routine}"
        sheet = await asked(pilot)
        assert [words for _, words in sheet.options] == [
            "  nothing, leave it open",
            "1 Allow once",
            "2 Reject",
            "3 do not: the routine has failed",
        ]
        play.fold(
            ev.RoutineExpired(routine=routine, step=0, asked=1), ev.RoutineEnded(routine=routine, status="failed")
        )
        await until(pilot, lambda: "it waits for no answer any more" in picture(pilot))
        await pilot.press("1", "enter")
        await until(pilot, lambda: pilot.app.screen is desk)
        assert not play.sent


async def test_the_review_goes_through_routines_that_ask_and_can_say_no(play: DeskPlay, chains: Chains) -> None:
    routine = asking(play, chains)
    async with review(play) as (pilot, shown):
        await until(pilot, lambda: shown.here == f"routine:{routine}")
        assert "a routine asks, and fails when nobody answers in time" in picture(pilot)
        await asked(pilot)
        await pilot.press("3")
        await until(pilot, lambda: "1 done" in picture(pilot) and "stopped: rollout" in picture(pilot))
        by = shown.app.desk.who()
        assert play.sent == [cmd.ResolveRoutine(asked=3, routine=routine, step=0, by=by, approve=False)]


# -- questions through ask_human ---------------------------------------------------------------------------


def human(play: DeskPlay, *options: Option) -> str:
    session = play.working("ask-me")
    title = "Which tax rate?\n\nThe file says 7, the ticket says 19."
    asked_ = ev.AwaitingInput(session=session, turn=1, question="q-1", title=title, options=options, via="inbox")
    play.report(asked_)
    return session


async def test_a_question_of_an_agent_is_read_in_full_and_takes_words_or_an_option(play: DeskPlay) -> None:
    first, second = human(play, *OPTIONS), human(play, *OPTIONS)
    async with screen(play, SINGLE) as (pilot, desk):
        await pilot.press("enter")  # a question opens with its dialog
        await until(pilot, lambda: isinstance(pilot.app.screen, AskQuestion))
        await pilot.press("enter")
        await until(pilot, lambda: pilot.app.screen is desk)
        assert not play.sent
        await asked(pilot)
        await until(pilot, lambda: "The file says 7, the ticket says 19." in picture(pilot))
        assert "3 an answer that I type" in picture(pilot)
        await pilot.press("3")
        await until(pilot, lambda: isinstance(pilot.app.screen, AskText))
        await pilot.press("1", "9", "enter")
        await until(pilot, lambda: play.sent)
        desk.go_to(f"session:{second}")
        await until(pilot, lambda: pilot.app.screen is desk)
        await asked(pilot)
        await pilot.press("1")
        await until(pilot, lambda: len(play.sent) == 2)
        by = desk.app.desk.who()
        assert play.sent == [
            cmd.AnswerQuestion(session=first, option="", by=by, question="q-1", text="19"),
            cmd.AnswerQuestion(session=second, option="allow", by=by, question="q-1"),
        ]
