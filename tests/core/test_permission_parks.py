"""What an agent asks over its protocol, parked: real choices only, and a question that comes again says so."""

from __future__ import annotations

import pytest
from play import ME
from queueplay import Night

from console.core import commands as cmd
from console.core import due
from console.core import events as ev
from console.core.decisions import Parked
from console.core.records import Option


@pytest.fixture
def night() -> Night:
    return Night()


ALLOW, REFUSE = Option(id="y", name="Allow once", kind="allow_once"), Option(id="n", name="Refuse", kind="reject_once")


def _wants(night: Night, title: str = "write /etc/hosts") -> Parked:
    """The agent of a claimed ticket begins its turn and asks for a permission; what is parked for it."""
    s = night.begin_turn("a")
    night.report(ev.AwaitingInput(session=s, turn=1, question="q-1", title=title, options=(ALLOW, REFUSE)))
    night.settle()
    return next(reversed(night.state.decisions.values()))


def test_a_parked_permission_says_what_it_is_and_offers_only_what_an_answer_can_do(night: Night) -> None:
    night.see("a")
    night.go()
    d = _wants(night)
    assert d.question == "write /etc/hosts" and "its level does not give it by itself" in d.why
    texts = [option.text for option in d.options]
    assert len(texts) == 3 and not any("Allow" in text or text == "Refuse" for text in texts), texts
    assert "without that" in texts[0] and "presets.bot" in texts[1] and texts[2] == "drop the ticket"
    evidence = " ".join(d.evidence)
    assert "does not let the agent do it" in evidence and "`autonomy`" in evidence and "--attended" in evidence


def test_the_same_permission_again_says_so_and_that_an_answer_could_not_give_it(night: Night) -> None:
    night.see("a")
    night.go()
    _wants(night)
    night.do(cmd.AnswerDecision(decision="dec-1", choice=2, by=ME))
    night.go()
    again = _wants(night)
    assert again.decision == "dec-2" and "asked again for the permission of dec-1" in again.why
    said = next(line for line in again.evidence if line.startswith("the same question as dec-1, answered"))
    assert "an answer does not let the agent do it" in said and said.endswith("presets.bot starts it as it did then")
    night.do(cmd.AnswerDecision(decision="dec-2", choice=1, by=ME))
    night.go()
    other = _wants(night, "read /etc/hosts")
    assert "asked for a permission" in other.why and not any("dec-1" in line for line in other.evidence)


def test_the_ticket_of_a_parked_permission_can_be_dropped_by_its_answer(night: Night) -> None:
    night.see("a")
    night.go()
    d = _wants(night)
    night.do(cmd.AnswerDecision(decision=d.decision, choice=3, by=ME))
    assert night.t("a").phase == "dropped"


def test_a_permission_that_nobody_answers_in_an_attended_run_is_parked_in_the_same_words(night: Night) -> None:
    night.see("a")
    night.go(attended=True)
    s = night.begin_turn("a")
    night.report(ev.AwaitingInput(session=s, turn=1, question="q-1", title="write x", options=(ALLOW, REFUSE)))
    patience = next(e for e in due.due(night.state) if isinstance(e, due.Patience))
    night.report(ev.ParkRequested(ticket="a", attempt=1, question=patience.title, options=patience.options))
    d = night.state.decisions["dec-1"]
    assert d.source == "question" and "nobody answered in time" in d.why
    assert not any("Allow" in option.text for option in d.options)


def test_a_question_with_readings_of_its_own_keeps_them(night: Night) -> None:
    night.see("a")
    night.go()
    s = night.begin_turn("a")
    which = (Option(id="l", name="left"), Option(id="r", name="right"))
    night.report(ev.AwaitingInput(session=s, turn=1, question="q-1", title="Which side?", options=which))
    assert [option.text for option in night.state.decisions["dec-1"].options] == ["left", "right"]
