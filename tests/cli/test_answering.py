"""`nightdesk session answer`: an offered answer, words of one's own where the question takes them, and a cancel."""

from __future__ import annotations

from typing import Literal

import pytest
from commandline import CommandLine

from console.core import events as ev
from console.core.records import Option
from console.verbs import answering


@pytest.fixture(autouse=True)
def nobody_gives_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """No supervisor is here that would hand an answer over: nobody waits long for that."""
    monkeypatch.setattr(answering, "GIVEN", 0.05)


def asking(line: CommandLine, via: Literal["", "inbox"]) -> str:
    session = line.session()
    line.report(ev.SessionStarted(session=session, run=1, conversation="c", pid=5))
    line.report(ev.TurnStarted(session=session, turn=1))
    options = (Option(id="1", name="up"),)
    line.report(ev.AwaitingInput(session=session, turn=1, question="q", title="Which?", options=options, via=via))
    return session


def given(line: CommandLine, session: str) -> tuple[str | None, str]:
    line.journal.refresh()
    question = line.journal.state.sessions[session].question
    assert question
    return question.answer, question.text


def test_a_question_of_ask_human_takes_words_or_an_option(line: CommandLine) -> None:
    first, second = asking(line, "inbox"), asking(line, "inbox")
    for said in (("--text", "two digits"), ("--option", "1")):
        told = line.run("session", "answer", first if "--text" in said else second, *said)
        assert told.code == 2 and "recorded, not yet given" in told.err
    assert (given(line, first), given(line, second)) == (("", "two digits"), ("1", ""))


def test_a_permission_takes_no_words(line: CommandLine) -> None:
    session = asking(line, "")
    said = line.run("session", "answer", session, "--text", "well, yes")
    assert said.code == 2 and "takes one of its answers, no text" in said.err
    assert given(line, session) == (None, "")


def test_no_answer_at_all_is_refused_and_an_empty_one_cancels(line: CommandLine) -> None:
    session = asking(line, "inbox")
    for words in ((), ("1", "--option", "1")):
        assert line.run("session", "answer", session, *words).code == 2
    assert given(line, session) == (None, "")
    assert "recorded, not yet given" in line.run("session", "answer", session, "").err
    assert given(line, session) == ("", "")
