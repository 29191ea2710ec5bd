"""Questions from an agent's inbox: into the log once, answered back, closed when nobody answers any more."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from night import ENDED, H0, ME, Night

from console.core import commands as cmd
from console.core import events as ev
from console.core.records import Refused
from console.core.records_asking import Answer, AskNote
from console.engine import asking
from console.engine.ports import Asked


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


async def test_a_question_that_is_cancelled_or_whose_answer_cannot_be_left_is_closed(night: Night) -> None:
    box = Inbox(night)
    async with at_work(night) as session:
        box.ask("a")
        await night.until(lambda state: state.sessions[session].question)
        night.do(cmd.AnswerQuestion(session=session, option="", by=ME))
        await night.until(lambda state: state.sessions[session].phase == "working")
        box.refuses = Refused(reason="no")
        box.ask("b", "Which?", "this")
        await night.until(lambda state: state.sessions[session].question)
        night.do(cmd.AnswerQuestion(session=session, option="1", by=ME))
        await night.until(lambda state: state.sessions[session].phase == "working")
    assert [(ident, said.status) for ident, said in box.replies] == [("a", "refused"), ("b", "answered")]
    assert [fact.option for fact in night.facts(ev.InputAnswered)] == ["", ""]


async def test_one_that_is_pushed_aside_is_asked_again_and_a_turns_end_closes_it(night: Night) -> None:
    box = Inbox(night)
    async with at_work(night) as session:
        agent = night.agents.started[0]
        box.ask("a")
        await night.until(lambda state: state.sessions[session].question)
        agent.report(Asked(question="q1", title="May I?", options=()))
        await night.until(lambda state: (q := state.sessions[session].question) and q.id == "q1")
        night.script.expect("answer", False)
        night.do(cmd.AnswerQuestion(session=session, option="", by=ME))
        await night.until(lambda state: (q := state.sessions[session].question) and q.via == "inbox")
        night.script.expect("turn_base", H0)
        agent._break.set_result(ENDED)
        await night.until(lambda state: box.replies)
    assert [(ident, said.status) for ident, said in box.replies] == [("a", "closed")]


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
