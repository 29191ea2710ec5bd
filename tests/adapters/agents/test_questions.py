"""The questions of an ACP agent: one at a time, with what is needed to decide, whatever the agent offers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from console.adapters.agents import blocks
from console.adapters.agents.questions import HELD, OPTIONS, Questions
from console.adapters.agents.transcripts import Transcript, tail
from console.adapters.agents.updates import Updates
from console.engine.ports import AgentFact, Answered, Asked

ALLOW = {"optionId": "y", "name": "Yes", "kind": "allow_once"}


class Desk:
    """Questions with everything they talk to."""

    def __init__(self, folder: Path) -> None:
        self.path = str(folder / "t.jsonl")
        self.transcript = Transcript(self.path)
        self.updates = Updates(self.transcript)
        self.replies: list[tuple[Any, str]] = []
        self.facts: list[AgentFact] = []
        self.questions = Questions(self._reply, self.facts.append, self.transcript, self.updates.known)
        self.questions.reopen()

    def _reply(self, request: Any, result: dict[str, Any]) -> None:
        self.replies.append((request, result["outcome"].get("optionId", "cancelled")))

    def ask(self, request: Any, tool: Any = None, options: Any = (ALLOW,)) -> None:
        self.questions.ask(request, {"toolCall": tool, "options": list(options)})

    def entries(self, kind: str) -> list[dict[str, Any]]:
        return [entry for entry in tail(self.path) if entry["kind"] == kind]


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_a_second_question_is_asked_when_the_first_is_answered(desk: Desk) -> None:
    desk.ask(1)
    desk.ask(2)
    assert [fact.question for fact in desk.facts if isinstance(fact, Asked)] == ["q-1"]
    assert not desk.questions.answer("q-2", "y"), "nobody has seen it yet"
    assert desk.questions.answer("q-1", "y")
    assert [type(fact) for fact in desk.facts] == [Asked, Answered, Asked]
    assert desk.questions.answer("q-2", None) and desk.replies == [(1, "y"), (2, "cancelled")]
    assert [(e["kind"], e["question"]) for e in tail(desk.path)] == [
        (kind, name) for name in ("q-1", "q-2") for kind in ("ask", "answer")
    ]


def test_a_question_that_waits_can_be_withdrawn_and_nobody_hears_of_it(desk: Desk) -> None:
    for request in (1, 2, 3):
        desk.ask(request)
    desk.questions.withdraw(2)
    desk.questions.withdraw(1)
    assert desk.replies == [(2, "cancelled"), (1, "cancelled")]
    assert [fact.question for fact in desk.facts] == ["q-1", "q-1", "q-3"]


def test_a_cancel_answers_all_and_asks_none_of_them(desk: Desk) -> None:
    for request in range(HELD + 5):
        desk.ask(request)
    assert [request for request, _ in desk.replies] == list(range(HELD, HELD + 5)), "too many are not held"
    desk.questions.close_all()
    desk.ask("late")
    assert len(desk.replies) == HELD + 6 and {said for _, said in desk.replies} == {"cancelled"}
    assert [type(fact) for fact in desk.facts] == [Asked, Answered]


def test_what_is_asked_shows_the_diff_the_path_and_the_command(desk: Desk) -> None:
    old = "\n".join(f"line {i}" for i in range(100))
    diff = {"type": "diff", "path": "a/b.py", "oldText": old, "newText": old.replace("line 50", "LINE 50")}
    desk.ask(1, {"toolCallId": "t", "title": "Edit b.py", "kind": "edit", "content": [diff]})
    (asked,) = desk.entries("ask")
    assert (asked["title"], asked["type"], asked["paths"]) == ("Edit b.py", "edit", "a/b.py")
    lines = asked["text"].splitlines()
    assert lines[0] == "a/b.py" and [line for line in lines if line[0] in "-+"] == ["-line 50", "+LINE 50"]
    assert len(lines) < 10
    desk.questions.answer("q-1", "y")
    desk.ask(2, {"title": "Shell", "kind": "execute", "rawInput": {"command": ["rm", "-rf", "x"], "why": "tidy"}})
    assert (desk.entries("ask")[1]["command"], desk.entries("ask")[1]["text"]) == ("rm -rf x", "$ rm -rf x")


def test_a_question_that_only_names_its_tool_shows_what_was_told_before(desk: Desk) -> None:
    told = {"sessionUpdate": "tool_call", "toolCallId": "t", "title": "Run tests", "rawInput": {"command": "make"}}
    desk.updates.take({"update": told})
    desk.ask(1, {"toolCallId": "t"})
    assert desk.entries("ask")[0]["title"] == "Run tests" and desk.entries("ask")[0]["text"] == "$ make"


@pytest.mark.parametrize("lines", [700, 400_000])
def test_a_huge_diff_is_cut_and_says_so(desk: Desk, lines: int) -> None:
    diff = {"type": "diff", "path": "x", "oldText": "a\n" * lines, "newText": "b\n" * lines}
    desk.ask(1, {"title": "t", "content": [diff]})
    text = desk.entries("ask")[0]["text"]
    assert len(text) < 17_000 and text.startswith("x\n-a\n") and "more lines" in text


def test_of_many_options_each_kind_can_be_chosen(desk: Desk) -> None:
    many: list[Any] = [{"optionId": f"y{i}", "name": f"Yes {i}", "kind": "allow_once"} for i in range(200)]
    odd: list[Any] = [5, {}, {"optionId": ""}, {"optionId": 7}, {"optionId": "z" * 999}, {"name": "no id"}]
    desk.ask(1, options=[*odd, *many, {"optionId": "n", "kind": "rejectOnce"}, {"optionId": "y0", "name": "again"}])
    (asked,) = desk.facts
    assert isinstance(asked, Asked)
    assert len(asked.options) == OPTIONS + 1 and asked.options[0].name == "Yes 0"
    assert (asked.options[-1].id, asked.options[-1].kind, asked.options[-1].name) == ("n", "reject_once", "n")
    assert not desk.questions.answer("q-1", "y150") and desk.questions.answer("q-1", "n")


def test_nonsense_instead_of_a_question_can_be_cancelled(desk: Desk) -> None:
    desk.ask(1, tool=[1], options=())
    desk.questions.ask(2, {"options": 5, "toolCall": {"title": 7, "content": [3, {"type": "diff"}], "locations": {}}})
    assert desk.questions.answer("q-1", None) and desk.questions.answer("q-2", None)


@pytest.mark.parametrize(
    ("tool", "title"),
    [
        ({"title": "/w/a.py", "kind": "edit", "locations": [{"path": "/w/a.py"}]}, "edit: /w/a.py"),
        ({"title": "a.py", "kind": "read", "locations": [{"path": "a.py"}]}, "read: a.py"),
        ({"title": "/etc/x", "kind": "other"}, "permission for: /etc/x"),
        ({"title": "npm test", "kind": "execute", "rawInput": {"command": "npm test"}}, "run: npm test"),
        ({"title": "bash", "kind": "execute", "rawInput": {"command": "npm test"}}, "bash: npm test"),
        ({"title": "Edit a.py", "kind": "edit", "locations": [{"path": "a.py"}]}, "Edit a.py"),
        ({"title": "", "kind": "edit", "locations": [{"path": "a.py"}]}, "edit: a.py"),
        ({"toolCallId": "t"}, "t"),
    ],
)
def test_a_question_says_what_kind_of_action_it_is(desk: Desk, tool: dict[str, Any], title: str) -> None:
    desk.ask(1, tool)
    assert [fact.title for fact in desk.facts if isinstance(fact, Asked)] == [title]


def test_what_was_left_out_of_a_big_diff_is_counted_from_what_the_agent_sent() -> None:
    new = "".join(f"{'x' * 60} line {i}\n" for i in range(15_000))
    text = blocks.tool_text({"content": [{"type": "diff", "path": "/w/a", "oldText": "", "newText": new}]})
    shown, told = text.count("\n") - 1, text.rpartition("\n")[2]
    assert len(text) < 17_000 and told.startswith("... ") and told.endswith(" more lines")
    compared = len(new[: 512 * 1024].splitlines()) + 1  # with the sentence about what was not compared
    assert abs(shown + int(told.split()[1]) - compared) <= 2
    assert blocks.capped(text) == text
