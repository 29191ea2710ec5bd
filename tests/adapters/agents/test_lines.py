"""What real agents printed (`samples`: agent-case.jsonl, stdout and stderr together), read as a turn of theirs."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from console.adapters.agents.dialects import Shown
from console.adapters.agents.lines import Lines
from console.adapters.agents.transcripts import Transcript, last_words
from console.adapters.agents.vitals import Signs
from console.core.judgements import judgement
from console.core.records import Output

NOW = 1_796_056_000.0
SAMPLES = Path(__file__).with_name("samples")
KEYS = {"codex": "thread_id", "pi": "id", "opencode": "sessionID"}


class Read:
    """A sample after it was read. Without marks, as these are the known agents' own dialects."""

    def __init__(self, name: str, output: Output | None = None) -> None:
        self.signs = Signs(lambda: 0.0)
        self.lines = Lines(KEYS.get(name.partition("-")[0], "session_id"), lambda: NOW, self.signs, output)
        text = (SAMPLES / f"{name}.jsonl").read_text(encoding="utf-8")
        self.shown: list[Shown] = [shown for line in text.splitlines() for shown in self.lines.read(line)]

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [fields for shown, fields in self.shown if shown == kind]

    def text(self, kind: str) -> str:
        return "".join(fields["text"] for fields in self.of(kind))


# -- turns that end well -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("agent", ["codex", "pi", "gemini", "qwen", "opencode"])
def test_a_good_edit_shows_its_words_and_tools_once_and_ends_well(agent: str) -> None:
    read = Read(f"{agent}-good")
    assert read.lines.failure == "" and not read.lines.fault
    assert read.text("text").strip() == "All done."
    wrote = next(tool["id"] for tool in read.of("tool") if "hello" in tool["tool"] + tool["text"] + str(tool["id"]))
    edits = [tool for tool in read.of("tool") if tool["id"] == wrote]
    assert [edit["status"] for edit in edits][-1] == "completed"
    assert len(edits) == len({(edit["id"], edit["status"]) for edit in edits}), "each state of a call is told once"
    assert read.signs.vital().tools == () and read.signs.vital().rounds == 0
    assert read.lines.conversation


@pytest.mark.parametrize(
    ("agent", "tokens"), [("codex", (300, 21)), ("pi", (20, 10)), ("gemini", (30, 15)), ("qwen", (30, 15))]
)
def test_what_it_cost_is_told_as_it_goes(agent: str, tokens: tuple[int, int]) -> None:
    read = Read(f"{agent}-good")
    usage = read.lines.usage
    assert usage and (usage.input_tokens, usage.output_tokens) == tokens
    assert (read.of("usage")[-1]["input"], read.of("usage")[-1]["output"]) == tokens


def test_the_plan_of_a_tool_is_shown_as_a_plan() -> None:
    assert Read("opencode-good").text("plan") == "in_progress: one\npending: two"
    assert Read("qwen-good").text("plan") == "in_progress: one\npending: two"
    todo = {"type": "item.started", "item": {"type": "todo_list", "items": [{"text": "a", "completed": True}, {}]}}
    assert Lines("").read(json.dumps(todo)) == [("plan", {"text": "completed: a\npending: "})]
    assert Lines("").read(json.dumps(todo | {"item": {"type": "todo_list", "items": 7}}))[0][0] == "event"


def test_streamed_words_come_at_once_and_are_not_repeated_by_their_message() -> None:
    def stream(text: str) -> list[Shown]:
        inner = {"type": "content_block_delta", "delta": {"type": "text_delta", "text": text}}
        return lines.read(json.dumps({"type": "stream_event", "event": inner}))

    lines = Lines("")
    assert [stream("Good "), stream("morning")] == [[("text", {"text": "Good "})], [("text", {"text": "morning"})]]
    whole = {"type": "assistant", "message": {"content": [{"type": "text", "text": "Good morning"}]}}
    assert lines.read(json.dumps(whole)) == [("text", {"text": "\n"})]
    assert lines.read(json.dumps(whole)) == [("text", {"text": "Good morning\n"})], "said again, it is shown again"


# -- turns that do not -------------------------------------------------------------------------------------------

BAD = [
    ("codex-429", "overload", "429 Too Many Requests"),
    ("codex-529", "overload", "529"),
    ("codex-401", "auth", "401 Unauthorized"),
    ("codex-cut", "overload", "stream disconnected"),
    ("codex-429quota", "limit", "Quota exceeded"),
    ("pi-429", "overload", "Rate limit reached"),
    ("pi-401", "auth", "Incorrect API key"),
    ("pi-cut", "overload", "other side closed"),
    ("pi-429quota", "limit", "exceeded your current quota"),
    ("gemini-401", "auth", "Incorrect API key"),
    ("qwen-401", "auth", "401 Incorrect API key"),
    ("qwen-cut", "overload", "UND_ERR_SOCKET"),
    ("opencode-401", "auth", "Incorrect API key provided (status 401)"),
    ("opencode-529", "overload", "Overloaded (status 529)"),
    ("opencode-429quota", "limit", "exceeded your current quota"),
    ("opencode-refused", "", "reason 'tool-calls'"),
    ("opencode-loop", "", "reason 'unknown'"),
]


@pytest.mark.parametrize(("name", "kind", "why"), BAD)
def test_a_bad_end_says_why_and_whose_fault_it_is(name: str, kind: str, why: str) -> None:
    read = Read(name)
    assert why in read.lines.failure
    assert read.lines.fault.kind == kind


RETRIES = [
    ("codex-cut", [(n, 5, 0.0) for n in (1, 2, 3, 4, 5)]),
    ("codex-401", [(n, 5, 0.0) for n in (1, 2, 3, 4, 5)]),
    ("pi-429", [(1, 3, NOW + 2), (2, 3, NOW + 4), (3, 3, NOW + 8)]),
    ("qwen-cut", [(0, 0, 0.0)] * 3),
    ("gemini-429", [(n, 0, 0.0) for n in (1, 2, 3, 4)]),
    ("mini-cut", [(0, 0, NOW + s) for s in (4, 4, 4, 8, 16, 32, 60)]),
    ("aider-429", [(0, 0, NOW + s) for s in (0.2, 0.5)]),
]


@pytest.mark.parametrize(("name", "expected"), RETRIES)
def test_retries_are_told_and_are_no_progress(name: str, expected: list[tuple[int, int, float]]) -> None:
    read = Read(name)
    assert [(retry["attempt"], retry["of"], retry["until"]) for retry in read.of("retry")][: len(expected)] == expected
    assert all(retry["text"] for retry in read.of("retry"))
    before = read.signs.progress
    for number in range(50):
        lines = Lines("", lambda: NOW, read.signs)
        lines.read(json.dumps({"type": "system", "subtype": "api_retry", "attempt": number, "error": f"e{number}"}))
        lines.read(json.dumps({"type": "error", "message": f"Reconnecting... {number}/99 (x{number})"}))
        lines.read(json.dumps({"type": "auto_retry_start", "attempt": number, "errorMessage": str(number)}))
    assert read.signs.progress == before


def test_a_retry_of_claude_is_read_in_full() -> None:
    notice = {"type": "system", "subtype": "api_retry", "attempt": 3, "max_retries": 10, "retry_delay_ms": 2260}
    (entry,) = Lines("", lambda: NOW).read(json.dumps(notice | {"error_status": 529, "error": "overloaded"}))
    expected = {"text": "overloaded (status 529)", "attempt": 3, "of": 10, "until": NOW + 2.26}
    assert entry == ("retry", expected)
    silly = {"attempt": -1, "max_retries": "x", "retry_delay_ms": 1e300, "error": {"a": [1]}}
    assert Lines("", lambda: NOW).read(json.dumps(notice | silly))[0][1]["until"] == 0.0


# -- progress ----------------------------------------------------------------------------------------------------


def signs_of(*events: object) -> Signs:
    signs = Signs(lambda: 0.0)
    lines = Lines("", lambda: NOW, signs)
    for event in events:
        lines.read(event if isinstance(event, str) else json.dumps(event))
    return signs


@pytest.mark.row("C2")
@pytest.mark.parametrize(
    "beat",
    [
        {"type": "heartbeat"},
        {"type": "system", "subtype": "status", "status": "requesting"},
        {"type": "tool_progress", "tool_use_id": "t", "heartbeat": True},
        {"type": "item.updated", "item": {"type": "unknown"}},
        {"type": "step_start", "part": {"type": "step-start"}},
        {"type": "message_update", "assistantMessageEvent": {"type": "text_start", "contentIndex": 0}},
        {"type": "agent_end", "messages": [{"role": "assistant", "content": "all of it once more"}]},
        {"type": "something.new", "state": "still here"},
    ],
    ids=lambda beat: str(beat["type"]),
)
def test_ids_times_counters_and_heartbeats_are_no_progress(beat: dict[str, Any]) -> None:
    def at(number: int) -> dict[str, Any]:
        told = {"uuid": f"0198-{number}", "timestamp": NOW + number, "elapsed_ms": number * 7, "n": number}
        return beat | told | {"when": f"2026-11-30T16:25:{number % 60:02}Z", "usage": {"output_tokens": number}}

    assert signs_of(*(at(number) for number in range(200))).progress <= 1


def test_an_unknown_kind_of_line_that_says_something_new_is() -> None:
    assert signs_of(*({"type": "note", "text": word} for word in ("red", "green", "blue"))).progress == 3


def test_a_tool_that_begins_and_ends_is_progress_and_its_output_too() -> None:
    item = {"id": "i", "type": "command_execution", "command": "make"}
    started = {"type": "item.started", "item": item}
    updates = [{"type": "item.updated", "item": item | {"aggregated_output": f"line {'x' * n}"}} for n in range(3)]
    ended = {"type": "item.completed", "item": item | {"exit_code": 0}}
    assert signs_of(started, *updates, ended).progress == 5
    assert signs_of(started, started, started).progress == 1


def test_the_input_of_a_tool_that_is_still_being_written_is_progress_and_is_not_shown() -> None:
    pieces = [
        {"type": "message_update", "assistantMessageEvent": {"type": "toolcall_delta", "delta": word}}
        for word in ("def", "f(x)", "return")
    ]
    assert signs_of(*pieces).progress == 3
    assert [Lines("").read(json.dumps(piece)) for piece in pieces] == [[], [], []]


@pytest.mark.row("C2")
def test_the_endless_loop_of_opencode_is_counted_in_rounds_and_is_no_progress() -> None:
    read = Read("opencode-loop")
    assert (read.signs.vital().rounds, read.signs.progress) == (6, 0)


def test_a_round_without_its_end_counts_when_the_next_begins() -> None:
    start = {"type": "step_start", "part": {}}
    assert signs_of(*[start] * 5).rounds == 4


def step(*shown: object, reasoning: int = 0) -> list[object]:
    return [
        {"type": "step_start"},
        *shown,
        {"type": "step_finish", "part": {"reason": "unknown", "tokens": {"reasoning": reasoning}}},
    ]


def test_words_thoughts_and_tools_end_a_row_of_empty_rounds_and_the_same_words_again_do_not() -> None:
    empty, same = step() * 9, {"type": "text", "part": {"text": "Let me see."}}
    assert signs_of(*empty).rounds == 9
    assert signs_of(*empty, *step(same)).rounds == 0
    assert signs_of(*empty, *step(reasoning=3)).rounds == 0
    assert signs_of(*empty, {"type": "step_start"}, same).rounds == 0, "at once, not only when the round ends"
    tool = {"type": "tool_use", "part": {"tool": "bash", "callID": "1", "state": {"status": "completed"}}}
    assert signs_of(*empty, *step(tool), *step()).rounds == 1
    assert signs_of(*step(same) * 30).rounds == 29


def test_a_new_turn_begins_without_rounds() -> None:
    signs = signs_of(*step() * 9)
    signs.turn()
    assert signs.vital().rounds == 0


# -- what is harmless --------------------------------------------------------------------------------------------

PICTURE = "iVBORw0KGgo" * 1000
SAID = f"[image image/png, {len(PICTURE)} characters]"
IMAGES: list[object] = [
    {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PICTURE}},
    {"type": "image", "mimeType": "image/png", "data": PICTURE},
    {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PICTURE}"}},
    {"type": "file", "mime": "image/png", "url": f"data:image/png;base64,{PICTURE}"},
    {"inlineData": {"mimeType": "image/png", "data": PICTURE}},
]


@pytest.mark.parametrize("image", IMAGES, ids=range(len(IMAGES)))
def test_an_image_is_shown_as_its_type_and_size(image: dict[str, Any]) -> None:
    told = [
        {"type": "user", "message": {"content": [{"type": "tool_result", "tool_use_id": "t", "content": [image]}]}},
        {"type": "tool_execution_end", "toolCallId": "t", "result": {"content": [image]}},
        {
            "type": "tool_use",
            "part": {"callID": "t", "state": {"status": "completed", "output": "", "metadata": image}},
        },
        {"type": "who knows", "payload": {"deep": [image]}},
        {"type": "assistant", "message": {"content": [image]}},
    ]
    shown = [str(Lines("").read(json.dumps(event))) for event in told]
    assert not any(PICTURE[:100] in text for text in shown)
    assert sum(SAID in text for text in shown) >= 3


def test_bytes_in_plain_text_are_left_out() -> None:
    assert Lines("").read(f"see data:image/png;base64,{PICTURE} there") == [("line", {"text": f"see {SAID} there\n"})]
    assert Lines("").read("x" * 100_000) == [("line", {"text": "[100000 characters]\n"})]


def test_json_that_is_no_event_of_a_stream_is_what_the_agent_says() -> None:
    decision = '{"decision": "pass", "summary": "fine", "findings": []}'
    finding = '    {"severity": "low", "file": "a", "note": "n"}'
    for line in (decision, finding, '{"type": "verdict", "decision": "fail"}', "{}"):
        assert Lines("").read(line) == [("line", {"text": line + "\n"})]
    assert Lines("").read('{"type": "who knows", "a": 1}')[0][0] == "event"
    assert Lines("session_id").read('{"type": "init", "session_id": "s"}')[0][0] == "event"


@pytest.mark.parametrize("indent", [None, 2])
def test_the_decision_of_a_judge_that_prints_json_is_read(indent: int | None, tmp_path: Path) -> None:
    found = [{"severity": "low", "file": "a", "note": "n"}]
    decision = json.dumps({"decision": "pass", "summary": "fine", "findings": found}, indent=indent)
    if indent:  # one finding a line, as people write it
        decision = decision.replace("{\n      ", "{").replace(",\n      ", ", ").replace("\n    }", "}")
    lines, transcript = Lines(""), Transcript(str(tmp_path / "t"))
    transcript.append("turn-start", turn=1)
    for line in f"Looks good.\n\n```json\n{decision}\n```".splitlines():
        for kind, fields in lines.read(line):
            transcript.say(kind, **fields)
    transcript.append("turn-end", turn=1)
    transcript.close()
    read = judgement(last_words(str(tmp_path / "t"), 1))
    assert read.passed and read.findings == "Looks good.\nfine\n- low a: n"


HARMLESS = [
    '{"type": "assistant", "message": {"content": [{"type": "te',
    '"type": "assistant"}',
    "{}",
    "{" * 100_000,
    '{"a":' * 900 + "1" + "}" * 900,
    '{"type": "x", "a": ' + "[" * 900 + "]" * 900 + "}",
    '{"type": "text", "part": {"text": "\\ud800 \\u0000 lone"}}',
    "\x00\x00{\x00",
    '{"type": "result", "usage": {"input_tokens": NaN, "output_tokens": -1}, "total_cost_usd": Infinity}',
    '{"type": "result", "usage": {"input_tokens": ' + "9" * 5000 + "}}",
    '{"type": {"a": 1}, "subtype": [], "item": {"type": []}, "event": 5}',
    '{"type": "system", "subtype": {"a": []}}',
    '{"type": "message_update", "assistantMessageEvent": {"type": {}, "delta": {"type": []}}}',
    '{"type": "assistant", "message": {"role": {}, "content": {"a": 1}}}',
    '{"type": "tool_use", "part": {"tool": {"a": 1}, "callID": [1], "state": {"status": {}, "input": {"todos": 5}}}}',
    '{"type": "result", "modelUsage": {"m": {"contextWindow": "x"}}, "usage": 5}',
]


@pytest.mark.parametrize("line", HARMLESS, ids=range(len(HARMLESS)))
def test_strange_lines_are_survived_with_every_kind_of_mark(line: str) -> None:
    marks = ("x", {"type": "*", "a.b.c": 1})
    output = Output(ended=marks, failed=marks, limit=marks, overload=marks, auth=marks, retrying=marks, asked=marks)
    lines = Lines("session_id", lambda: NOW, Signs(), output)
    for shown in lines.read(line):
        json.dumps(shown, default=str)
    assert lines.read('{"type": "text", "part": {"text": "still here"}}')


@pytest.mark.parametrize(
    "line",
    [
        "a" * 8_000_000,
        ("b" * 1999 + " ") * 4000,
        '{"type": "x", "text": "' + "c " * 4_000_000 + '"}',
        '{"type": "x", "list": [' + '{"k": "v"},' * 500_000 + "1]}",
        "data:image/png;base64," * 300_000,
    ],
    ids=["one word", "words", "text", "list", "urls"],
)
def test_a_line_as_long_as_they_come_takes_no_more_than_a_moment(line: str) -> None:
    began = time.process_time()
    shown = Lines("session_id", lambda: NOW).read(line)
    assert time.process_time() - began < 5
    assert len(shown) == 1
