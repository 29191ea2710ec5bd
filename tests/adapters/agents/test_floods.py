"""What an agent sends to keep the supervisor busy or to fill its disk: each message, and each turn, has a budget."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from console.adapters.agents import command, diffs, growing, questions, wire
from console.adapters.agents.claude_lines import Stream
from console.adapters.agents.lines import Lines
from console.adapters.agents.pacing import AT_ONCE, Pace
from console.adapters.agents.payloads import brief
from console.adapters.agents.transcripts import Transcript
from console.adapters.agents.updates import Updates
from console.adapters.agents.vitals import gist
from console.core.records import Launch, Output, Refused
from console.engine.ports import Asked, Began

PEER = Path(__file__).with_name("claude_peer.py")
OLD, NEW = ("\n".join(s for i in range(370) for s in (f"{c}{i}", str(i % 123))) for c in "uv")
"""Takes difflib 0.1 s."""


def seconds(since: float) -> float:
    return time.perf_counter() - since


async def peer(bench: Any, script: str) -> Any:
    path = bench.folder / "script.py"
    path.write_text(script)
    return await bench.start(Launch(argv=(sys.executable, str(PEER), str(path)), protocol="claude-stream"))


# -- one message -------------------------------------------------------------------------------------------------


def test_many_diffs_in_one_update_cost_little(tmp_path: Path) -> None:
    updates = Updates(Transcript(str(tmp_path / "t")))
    diff = {"type": "diff", "path": "a", "oldText": OLD, "newText": NEW}
    begun = time.perf_counter()
    updates.take({"update": {"sessionUpdate": "tool_call", "toolCallId": "1", "content": [diff] * 100}})
    assert seconds(begun) < 2
    assert len(updates.known("1").text) < 20_000


def test_many_edits_in_one_message_of_claude_cost_little(tmp_path: Path) -> None:
    given = {"file_path": "a", "old_string": OLD, "new_string": NEW}
    content = [{"type": "tool_use", "id": str(n), "name": "Edit", "input": given} for n in range(1000)]
    begun = time.perf_counter()
    transcript = Transcript(str(tmp_path / "t"))
    Stream(transcript).take({"type": "assistant", "message": {"id": "m", "content": content}})
    assert seconds(begun) < 3
    last = (tmp_path / "t").read_text().splitlines()
    assert len(last) < 210 and "more parts of one message" in last[0]


def test_a_small_change_is_still_shown_line_by_line_beside_others() -> None:
    budget = diffs.Budget()
    texts = [diffs.diff_text("a", "one\ntwo\nthree", "one\n2\nthree", budget) for _ in range(100)]
    assert set(texts) == {"a\n one\n-two\n+2\n three"}
    assert diffs.diff_text("b", OLD, NEW, budget).startswith("b\n-u0\n-0\n-u1")
    assert diffs.diff_text("c", "x" * diffs.READ, "y" * diffs.READ, budget).endswith("characters were not compared)")


@pytest.mark.parametrize("shown", [brief, lambda value: gist({"x": value})])
def test_what_is_deep_and_broad_is_not_walked_to_its_end(shown: Any) -> None:
    value: Any = []
    for _ in range(4):
        value = [value] * 200
    begun = time.perf_counter()
    shown(value)
    assert seconds(begun) < 1


def test_a_frame_of_more_parts_than_fit_in_memory_is_no_frame() -> None:
    frame = b'{"a":[' + b"{}," * (wire.PARTS // 2) + b"1]}"
    with pytest.raises(ValueError, match="too many parts"):
        wire.loads(frame)
    assert wire.loads(b'{"a":"\xff"}') == {"a": "\ufffd"}


async def test_an_answer_that_is_too_long_is_not_checked_against_the_protocol(bench: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(wire, "ANSWER_BYTES", 10_000)
    modes = '{"currentModeId": "a", "availableModes": [{"id": "a", "name": "b"}] * 1000}'
    refused = await bench.raw(f'NEW = {{"sessionId": "c", "modes": {modes}}}')
    assert isinstance(refused, Refused) and "too long for an answer" in refused.reason


# -- many messages -----------------------------------------------------------------------------------------------


async def test_an_agent_has_half_of_the_loop_at_most(monkeypatch: Any) -> None:
    clock, rests = [0.0], list[float]()

    async def rest(length: float) -> None:
        rests.append(length)

    monkeypatch.setattr("console.adapters.agents.pacing.asyncio.sleep", rest)
    pace = Pace(lambda: clock[0])
    for spent in (AT_ONCE / 2, AT_ONCE / 2, 5.0, 0.0):
        pace.begins()
        clock[0] += spent
        await pace.done()
        clock[0] += 100  # waiting for the agent is no work
    assert rests == pytest.approx([AT_ONCE, 1.0])


async def test_who_asks_and_does_not_read_is_ended(bench: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(wire, "BACKLOG", 200_000)
    flood = "def turn(text):\n    while True: send(id=1, method='x')"
    result = await (await bench.raw(flood)).prompt(1, "go")
    assert (result.stop, result.detail) == (
        "protocol",
        "the agent asks on and on and does not read what it is answered",
    )


async def test_a_claude_that_changes_its_conversation_all_the_time_is_ended(bench: Any) -> None:
    flood = "def turn(text):\n    for i in range(10000): put(type='system', subtype='init', session_id=f's{i}')\n"
    result = await (await peer(bench, flood + "    result()")).prompt(1, "go")
    assert result.stop == "protocol" and "changed its conversation more than 3 times" in result.detail
    assert len(bench.facts.of(Began)) < 6 and len(bench.entries("began")) < 6


ACP_FLOOD = """
def turn(text):
    options = [{"optionId": "a", "name": "b", "kind": "allow_once"}]
    for i in range(10000):
        send(id=i, method="session/request_permission", params={"options": options, "toolCall": {"toolCallId": "t"}})
        send(method="$/cancel_request", params={"requestId": i})
    reply()
"""
CLAUDE_FLOOD = """
def turn(text):
    for i in range(10000):
        request(f"r{i}", subtype="can_use_tool", tool_name="Bash", input={"command": "ls"})
        put(type="control_cancel_request", request_id=f"r{i}")
    result()
"""


@pytest.mark.parametrize("flood", [ACP_FLOOD, CLAUDE_FLOOD])
async def test_questions_taken_back_all_the_time_end_the_agent(bench: Any, flood: str) -> None:
    agent = await (peer(bench, flood) if flood is CLAUDE_FLOOD else bench.raw(flood))
    result = await agent.prompt(1, "go")
    assert (result.stop, result.detail) == ("protocol", questions.TOO_MANY)
    assert len(bench.facts.of(Asked)) == questions.WITHDRAWN + 1


async def test_a_question_that_nobody_is_asked_is_no_progress(bench: Any) -> None:
    agent = await bench.raw("def turn(text): reply()")
    ask = {"toolCall": {"toolCallId": "t"}, "options": []}
    before = agent.vital().progress
    assert agent._on_request(1, "session/request_permission", ask)
    assert agent.vital().progress == before


def test_past_the_cap_what_an_agent_causes_has_an_end_and_turns_do_not(tmp_path: Path) -> None:
    path = str(tmp_path / "t")
    transcript = Transcript(path, cap=2000)
    for number in range(300):
        transcript.append("ask", question=f"q-{number}", text="x" * 50)
        transcript.append("answer", question=f"q-{number}")
    assert 4000 <= os.path.getsize(path) < 4300
    transcript.append("turn-end", turn=1)
    assert '"turn-end"' in Path(path).read_text().splitlines()[-1]


# -- output without an end ---------------------------------------------------------------------------------------

LONG = """
import json, sys, time, os
def put(n=1, **line): sys.stdout.write((json.dumps(line) + "\\n") * n); sys.stdout.flush()
put(400, type="message_update", message="y" * 1000)
"""


async def test_a_failure_in_the_middle_of_much_output_is_seen(bench: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(command, "HEAD", 100_000)
    monkeypatch.setattr(command, "TAIL", 1000)
    agent = await bench.command(
        LONG + 'put(type="error", message="refused"); put(400, type="message_update", m="y" * 1000)'
    )
    result = await agent.prompt(1, "go")
    assert (result.ok, result.detail) == (False, "refused")
    assert os.path.getsize(bench.output) < 300_000 and not os.path.exists(bench.output + ".old")


async def test_a_tool_in_flight_is_seen_behind_much_output(bench: Any, monkeypatch: Any, eventually: Any) -> None:
    monkeypatch.setattr(command, "HEAD", 100_000)
    tool = 'put(type="tool_execution_start", toolCallId="t", toolName="bash", args={"timeout": 3000})'
    agent = await bench.command(f"{LONG}{tool}\ntime.sleep(60)")
    turn = asyncio.ensure_future(agent.prompt(1, "go"))
    await eventually(lambda: [tool.budget for tool in agent.vital().tools] == [3.0])
    await agent.cancel()
    assert (await turn).stop == "cancelled"


async def test_a_line_of_json_that_is_too_long_is_a_hole_and_fails_the_turn(bench: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(growing, "LINE_BYTES", 300_000)
    script = "import json; print(json.dumps({'m': 'fatal: ' * 100_000})); print(json.dumps({'type': 'done'}))"
    agent = await bench.command(script, output=Output(ended=({"type": "done"},), failed=("fatal: ",)))
    result = await agent.prompt(1, "go")
    assert (result.ok, result.stop) == (False, "lost-output")
    assert bench.text("line") == "[... 700009 bytes dropped ...]\n"


def test_what_the_shim_dropped_is_a_hole() -> None:
    lines = Lines("")
    lines.read("I dropped 12 bytes")
    assert not lines.hole
    lines.read("[... 12 bytes dropped ...]")
    assert lines.hole


def test_many_pieces_of_one_message_are_remembered_up_to_a_size(tmp_path: Path) -> None:
    stream = Stream(Transcript(str(tmp_path / "t")))
    piece = {"type": "content_block_delta", "delta": {"type": "text_delta", "text": "words " * 50_000}}
    for _ in range(10):
        stream.take({"type": "stream_event", "event": piece})
    assert sum(map(len, stream._streamed.values())) == 1_000_000
    assert json.loads((tmp_path / "t").read_text().splitlines()[-1])["n"] >= 10
