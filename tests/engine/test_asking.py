"""Questions from an agent's inbox: into the log once, answered back, closed when nobody answers any more."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from types import SimpleNamespace

import pytest
from night import ENDED, H0, ME, Night

from console.core import commands as cmd
from console.core import events as ev
from console.core.records import Launch, Refused
from console.core.records_asking import Answer, AskNote
from console.core.sessions import Session
from console.core.state import State
from console.engine import asking
from console.engine.ports import Answered, Asked

AGENT = Launch(argv=("agent",))


class Inbox:
    """What an agent asks, and what came back."""

    def __init__(self, night: Night) -> None:
        self.note: AskNote | None = None
        self.replies: list[tuple[str, Answer]] = []
        self.refuses: Refused | None = None
        night.world = replace(night.world, asks=lambda _session: self.note, reply=self._reply)

    def ask(self, ident: str, question: str = "Which?", *options: str) -> None:
        self.note = AskNote(ident=ident * 16, question=question, options=options)

    def _reply(self, _session: str, ident: str, said: Answer) -> Refused | None:
        self.replies.append((ident[0], said))
        return self.refuses


@asynccontextmanager
async def at_work(night: Night) -> AsyncIterator[str]:
    """A session whose turn goes on until the end of the test."""
    night.script.expect("start", "c1")
    night.script.expect("turn_base", H0)
    night.script.expect("prompt", None)
    async with night.supervised():
        session = night.session()
        await night.until(lambda state: night.prompted)
        yield session


async def test_a_question_is_asked_once_and_its_answer_goes_back(night: Night) -> None:
    box = Inbox(night)
    async with at_work(night) as session:
        box.ask("a", "Up, or to even?", "up", "to even")
        await night.until(lambda state: state.sessions[session].question)
        night.do(cmd.AnswerQuestion(session=session, option="2", by=ME))
        await night.until(lambda state: state.sessions[session].phase == "working")
        box.ask("b")
        await night.until(lambda state: state.sessions[session].question)
        night.do(cmd.AnswerQuestion(session=session, option="", text="neither", by=ME))
        await night.until(lambda state: state.sessions[session].phase == "working")
    assert box.replies == [
        ("a", Answer(status="answered", option="2", choice="to even")),
        ("b", Answer(status="answered", text="neither")),
    ]
    told = night.facts(ev.AwaitingInput)
    assert [(fact.title, fact.via) for fact in told] == [("Up, or to even?", "inbox"), ("Which?", "inbox")]


async def test_a_question_that_is_cancelled_is_refused(night: Night) -> None:
    box = Inbox(night)
    async with at_work(night) as session:
        box.ask("a")
        await night.until(lambda state: state.sessions[session].question)
        night.do(cmd.AnswerQuestion(session=session, option="", by=ME))
        await night.until(lambda state: state.sessions[session].phase == "working")
    assert [(ident, said.status) for ident, said in box.replies] == [("a", "refused")]
    assert [fact.option for fact in night.facts(ev.InputAnswered)] == [""]


async def test_an_answer_that_cannot_be_left_leaves_the_question_open_three_times_at_most(night: Night) -> None:
    box = Inbox(night)
    box.refuses = Refused(reason="no")
    async with at_work(night) as session:
        box.ask("b", "Which?", "this")
        for tries in range(asking.TRIES):
            await night.until(lambda state: len(night.facts(ev.AwaitingInput)) == tries + 1)  # noqa: B023
            assert not night.facts(ev.InputAnswered)
            night.do(cmd.AnswerQuestion(session=session, option="1", by=ME))
        await night.until(lambda state: state.sessions[session].phase == "working")
    assert len({fact.question for fact in night.facts(ev.AwaitingInput)}) == 1
    assert [fact.option for fact in night.facts(ev.InputAnswered)] == [""]


async def test_no_question_takes_the_place_of_one_that_is_open_and_none_is_named_by_an_agent(night: Night) -> None:
    box = Inbox(night)
    async with at_work(night) as session:
        agent = night.agents.started[0]
        box.ask("a", "Tabs?", "tabs")
        await night.until(lambda state: state.sessions[session].question)
        first = night.state.sessions[session].question
        assert first and first.id != "a" * 16
        agent.report(Asked(question="q1", title="May I?", options=()))
        agent.report(Asked(question="q2", title="May I still?", options=()))
        agent.report(Answered(question="q1", option=""))  # it does not want that any more
        night.do(cmd.AnswerQuestion(session=session, option="1", question=first.id, by=ME))
        await night.until(lambda state: (q := state.sessions[session].question) and q.id == "q2")
        box.ask("b", "Spaces?")
        night.script.expect("answer", False)
        night.do(cmd.AnswerQuestion(session=session, option="", question="q2", by=ME))
        await night.until(lambda state: (q := state.sessions[session].question) and q.title == "Spaces?")
    assert [fact.title for fact in night.facts(ev.AwaitingInput)] == ["Tabs?", "May I still?", "Spaces?"]
    assert [(ident, said.option) for ident, said in box.replies] == [("a", "1")]


async def test_a_turns_end_closes_a_question_and_one_that_was_left_in_its_last_moment(night: Night) -> None:
    box = Inbox(night)
    async with at_work(night) as session:
        night.script.expect("turn_base", H0)
        box.ask("a")
        await night.until(lambda state: state.sessions[session].question)
        night.agents.started[0]._break.set_result(ENDED)
        await night.until(lambda state: box.replies)
    assert [(ident, said.status) for ident, said in box.replies] == [("a", "closed")]


async def test_what_the_agent_of_a_ticket_asked_last_parks_it_before_its_turns_end_is_told(
    night: Night, monkeypatch: pytest.MonkeyPatch
) -> None:
    box = Inbox(night)
    told: list[ev.Fact] = []

    async def tell(*facts: ev.Fact) -> None:
        told.extend(facts)

    state = State(sessions={"s-1": Session(session="s-1", label="", preset="", launch=AGENT, cwd="/w", worktree="/w")})
    work = asking.Asking(night.world, lambda: state, tell)
    ticket = SimpleNamespace(ticket="t", attempt=2)
    monkeypatch.setattr(asking, "queue", SimpleNamespace(at_work=lambda _state, _session: ticket))
    assert await work.at_end(state.sessions["s-1"]) == ()
    box.ask("a", "Which?", "x", "y")
    parks = (ev.ParkRequested(ticket="t", attempt=2, question="Which?", options=("x", "y")),)
    assert await work.at_end(state.sessions["s-1"]) == parks
    await work.look()
    assert [(ident, said.status) for ident, said in box.replies] == [("a", "closed")]
    assert await work.at_end(state.sessions["s-1"]) == () and not told, "once"


async def test_who_asks_without_end_is_told_to_decide(night: Night) -> None:
    box = Inbox(night)
    most = asking.MOST
    asking.MOST = 2
    try:
        async with at_work(night) as session:
            for ident in "abc":
                box.ask(ident)
                if ident != "c":
                    await night.until(lambda state: state.sessions[session].question)
                    night.do(cmd.AnswerQuestion(session=session, option="", text="x", by=ME))
                    await night.until(lambda state: state.sessions[session].phase == "working")
            await night.until(lambda state: len(box.replies) == 3)
    finally:
        asking.MOST = most
    assert [said.status for _, said in box.replies] == ["answered", "answered", "refused"]
    assert len(night.facts(ev.AwaitingInput)) == 2
