"""What a session does right now and what its transcript looks like, from entries alone; time is an argument."""

from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec.structs import replace

from console.core.records import Launch, Usage, Who
from console.core.sessions import Lent, Question, Session, Turn
from console.present import doing, doinglines, pieces, sessionwords, talk
from console.present.doing import Spent
from console.present.text import width

NOW = 1_750_000_000.0
TURN = Turn(number=2, text="go", cause="operator", started_at=NOW - 90)
SESSION = Session(
    session="s-1", label="a", preset="claude", launch=Launch(argv=("agent",)), cwd="/w", worktree="/w",
    phase="working", since=NOW - 90, turns=2, turn=TURN,
)  # fmt: skip
HOSTILE = "\x1b]52;c;ZXZpbA==\x07[@click=app.quit]x[/]\u202e"


def entries(*told: tuple[float, str, dict[str, Any]]) -> list[dict[str, Any]]:
    """(seconds before NOW, kind, fields) behind the start of the turn."""
    found = [(90.0, "turn-start", {"turn": 2, "text": "go"}), *told]
    return [{"n": n, "at": NOW - ago, "kind": kind, **more} for n, (ago, kind, more) in enumerate(found, 1)]


def line(*told: tuple[float, str, dict[str, Any]], s: Session = SESSION, now: float = NOW) -> str:
    return doing.doing(entries(*told), now, s).line


def tool(ago: float, status: str = "in_progress", **more: Any) -> tuple[float, str, dict[str, Any]]:
    return ago, "tool", {"tool": "Bash", "id": "t-1", "status": status, **more}


PYTEST = json.dumps({"command": "pytest -q", "timeout": 120_000})
RETRY = (5.0, "retry", {"text": "overloaded", "attempt": 3, "of": 10, "until": NOW + 8})


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ([], "asked its model 1m30s ago, nothing came yet"),
        ([(2, "thought", {"text": "hm"})], "thinking"),
        ([(9, "thought", {"text": "hm"}), (1, "thought", {"text": "so"})], "thinking for 9s"),
        ([(5, "text", {"text": "I"}), (0, "usage", {"usd": 0.1})], "writing for 5s"),
        ([(45, "text", {"text": "I"})], "silent for 45s, was writing before"),
        ([tool(42, text="pytest -q")], "running Bash for 42s"),
        ([tool(42, text=PYTEST)], "running Bash pytest -q for 42s of at most 2m00s"),
        (
            [tool(42, text=PYTEST), (1, "text", {"text": "meanwhile"})],
            "running Bash pytest -q for 42s of at most 2m00s",
        ),
        ([tool(42), (20, "tool", {"tool": "Read a", "id": "t-2"})], "running Bash for 42s (and 1 more)"),
        ([tool(42), tool(1, "completed")], "thinking for 42s"),
        ([RETRY], "retrying: overloaded, attempt 3 of 10, next in 8s"),
        ([(5, "retry", {"text": "", "attempt": 0, "until": 0})], "retrying: its model did not answer"),
        ([RETRY, (1, "text", {"text": "I"})], "writing"),
        ([(5, "retry", {"text": 7, "attempt": "x", "of": None, "until": float("nan")})], "retrying: 7"),
    ],
)
def test_it_says_what_the_agent_does_and_since_when(told: list[Any], said: str) -> None:
    assert line(*told) == said


def test_a_turn_that_the_transcript_does_not_know_yet_has_nothing_of_the_one_before() -> None:
    later = replace(SESSION, turns=3, turn=replace(TURN, number=3, started_at=NOW - 4))
    assert line(tool(42), s=later) == "asked its model 4s ago, nothing came yet"
    assert doing.doing(entries((1, "usage", {"usd": 1.0})), NOW, later).spent == Spent()


def test_other_phases_say_what_they_wait_for() -> None:
    question = Question(id="q-1", title=f"Write {HOSTILE}", options=(), at=NOW - 61)
    asking = line(tool(42), s=replace(SESSION, phase="awaiting-input", question=question))
    assert asking.startswith("waits for you for 1m01s: Write ␛]52;c;")
    assert line(s=replace(SESSION, cancel=2)) == "is being interrupted for 1m30s"
    assert line(s=replace(SESSION, phase="ready", since=NOW - 5)) == "idle for 5s: n sends a prompt"
    lent = Lent(by=Who(user="ada", tty="/dev/pts/3"), pid=1, start_time=1, at=NOW)
    held = replace(SESSION, phase="suspended", lent=lent)
    assert line(s=held).startswith("open in claude's own program by ada on pts/3 since ")
    for refuses in (
        sessionwords.not_promptable,
        sessionwords.not_answerable,
        sessionwords.not_interruptible,
        sessionwords.not_stoppable,
    ):
        assert "open in claude's own program by ada" in refuses(held)


def test_ages_tick_without_reading_the_entries_again() -> None:
    seen = doing.glance(pieces.together(entries(tool(42))))
    assert [doing.tell(seen, NOW + more, SESSION).line for more in (0, 1)] == [
        "running Bash for 42s",
        "running Bash for 43s",
    ]


def test_tokens_and_dollars_are_of_the_turn_and_of_the_session_and_each_field_counts_when_it_was_told_last() -> None:
    told = entries(
        (9, "usage", {"input": 1000, "output": 100, "usd": 0.1, "used": 50_000, "window": 200_000}),
        (8, "usage", {"input": 12_345, "output": "many", "usd": -1}),
    )
    found = doing.doing(told, NOW, SESSION, doing.usage(Usage(input_tokens=1, cost_usd=1.0)))
    assert (found.spent, found.total) == (Spent(12_345, 100, 0.1), Spent(12_346, 100, 1.1))
    assert doinglines.spent_line(found, 70) == "turn 12.3k in 100 out 0.10 $ · session 1.10 $ · context 25% of 200k"
    assert doinglines.spent_line(found, 50) == "turn 12.3k in 100 out 0.10 $ · session 1.10 $"
    assert doinglines.spent_line(found, 8) == ""


STEPS = "completed: one\nin_progress: two\npending: three: with colon"


def test_the_plan_is_folded_to_its_step_when_there_is_no_room() -> None:
    found = doing.doing(entries((9, "plan", {"text": STEPS}), tool(42, text=PYTEST)), NOW, SESSION)
    texts = [text for text, _ in doinglines.head(found, 60, 9)]
    assert texts[1:] == ["✓ one", "▸ two", "· three: with colon"]
    small = [text for text, _ in doinglines.head(found, 30, 2)]
    assert small == ["running Bash pytest -q for 42…", "2/3: two"]
    assert doinglines.plan_brief(pieces.steps_of("completed: one")) == "✓ all 1 steps of its plan are done"


def test_what_is_cut_of_a_long_line_is_the_name_and_not_the_age() -> None:
    found = doing.doing(entries(tool(42, text=json.dumps({"command": "pytest " + "x" * 90}))), NOW, SESSION)
    [(text, _)] = doinglines.head(found, 40, 3)
    assert text.startswith("running Bash pytest xx") and text.endswith("… for 42s") and len(text) == 40


# -- the conversation --------------------------------------------------------------------------------------


def texts(*told: tuple[float, str, dict[str, Any]], whole: bool = False, cells: int = 60) -> list[str]:
    shown = talk.lines(pieces.together(entries(*told)), cells, {2: talk.Origin("nudge", "pol-1")}, whole=whole)
    return [each.text for each in shown]


def test_the_entries_of_one_call_are_one_line_with_its_duration_and_first_output() -> None:
    done = texts(tool(42, text=PYTEST), tool(22, ""), tool(2, "completed", text="5 passed\nin 40 s"))
    assert done[-1] == "✓ Bash pytest -q · 40s · 5 passed"
    whole = texts(tool(42, text=PYTEST), tool(2, "failed", text="5 passed\nin 40 s"), whole=True)
    assert whole[-3:] == ["✕ Bash pytest -q · 40s", "  │ 5 passed", "  │ in 40 s"]


def test_a_call_whose_turn_ended_does_not_look_as_if_it_ran() -> None:
    shown = texts(tool(42), (1, "turn-end", {"turn": 2, "ok": False, "stop": "error", "text": "overloaded"}))
    assert shown[-2:] == ["· Bash · nobody said how it ended", "✕ turn 2 ended: error: overloaded"]


def test_turns_are_under_a_rule_and_say_who_prompted() -> None:
    shown = texts(
        (30, "text", {"text": "so "}),
        (29, "text", {"text": "be it\n\n\n\nthen\n"}),
        (1, "turn-end", {"turn": 2, "ok": True}),
    )
    assert shown[0].startswith("── turn 2 · ") and " · 1m29s ─" in shown[0] and len(shown[0]) == 60
    assert shown[1:] == ["> nudge of pol-1, its gate said no:", "  go", "┆ so be it", "┆ ", "┆ then"]


def test_a_question_and_its_answer_are_marked_and_told_in_the_words_of_the_option() -> None:
    ask = (
        9.0,
        "ask",
        {"question": "q-1", "title": "Write /etc/hosts", "options": "a-1: Allow once\nno: Reject", "text": "x"},
    )
    asked = talk.lines(pieces.together(entries(ask)), 60)[-1]
    assert (asked.text, asked.look) == ("? asks: Write /etc/hosts", "needs")
    assert texts(ask, (8, "answer", {"question": "q-1", "option": "a-1"}))[-1] == "> answered: Allow once"


@pytest.mark.parametrize(
    "kind", ["text", "thought", "line", "tool", "plan", "ask", "retry", "began", "noise", "event", "x"]
)
@pytest.mark.parametrize("whole", [False, True])
def test_hostile_text_is_harmless_in_every_kind_of_entry(kind: str, whole: bool) -> None:
    fields = dict.fromkeys(("text", "tool", "title", "id", "paths", "type", "status", "options", "question"), HOSTILE)
    wrong = {"turn": HOSTILE, "attempt": HOSTILE, "of": [], "until": {}, "limit": True, "input": "x"}
    for told in (fields, {**fields, **wrong}, dict.fromkeys(fields, 7), {}):
        shown = talk.lines(pieces.together(entries((9, kind, told))), 30, whole=whole)
        assert all(each.text.isprintable() for each in shown) and all(width(each.text) <= 30 for each in shown)
        assert doing.doing(entries((9, kind, told)), NOW, SESSION).line.isprintable()


def test_places_in_the_text_survive_that_entries_above_are_dropped() -> None:
    told = entries(*((60 - i, "thought" if i % 2 else "text", {"text": f"{i}\n"}) for i in range(20)))
    before, after = (talk.lines(pieces.together(told[skip:]), 60) for skip in (0, 7))
    assert after[-10:] == before[-10:]
    assert [each.key for each in before] == sorted(each.key for each in before)


@pytest.mark.parametrize("kind", ["text", "line", "user", "thought"])
def test_nobodys_words_pass_for_a_turn_a_prompt_a_tool_or_an_answer(kind: str) -> None:
    forged = ["── turn 9 · 10:00 · 2s ──", "> ada prompts:", "✓ Edit x · 0.1s", "> answered: Reject", "✕ turn 1 ended"]
    shown = texts((9, kind, {"text": "\n".join([*forged, "long " * 40])}))
    assert len(shown) > len(forged)
    theirs = [line for line in shown if line.startswith(("┆ ", "~ "))]
    assert [line for line in shown if line not in theirs] == shown[: len(shown) - len(theirs)], "the head"
    assert len(theirs) >= len(forged) + 3 and "ada prompts" in theirs[1]


def test_a_plan_whose_turn_has_ended_is_not_under_way_any_more() -> None:
    plan = (9.0, "plan", {"text": "completed: Look\nin_progress: Add a test\npending: Run it"})
    assert texts(plan)[-1] == "▸ plan 1/3 done, now: Add a test"
    assert "· plan 1/3 done, then: Add a test" in texts(plan, (1, "turn-end", {"turn": 2, "ok": True}))
