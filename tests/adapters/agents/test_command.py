"""The command driver against real processes, and the reading of the output of known CLIs."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from console.adapters.agents import command, growing
from console.adapters.agents.lines import Lines
from console.adapters.agents.prompts import plain_prompt
from console.adapters.processes import process_start_time
from console.core.records import Launch, Refused
from console.engine.ports import Began, Ended

ARGV = "import json, os, sys, time\n"


async def test_exit_0_is_the_good_end(bench: Any) -> None:
    agent = await bench.command("import sys; print('did', sys.argv[1]); print('warn', file=sys.stderr)")
    result = await agent.prompt(1, "this")
    assert (result.ok, result.stop, result.code) == (True, "exit", 0)
    assert sorted(bench.text("line").splitlines()) == ["did this", "warn"]
    assert [e["kind"] for e in bench.entries()][:2] == ["began", "turn-start"]
    assert bench.entries()[-1]["kind"] == "turn-end"


async def test_another_exit_is_not(bench: Any) -> None:
    agent = await bench.command("import sys; print('no such model'); sys.exit(41)")
    result = await agent.prompt(1, "go")
    assert (result.ok, result.stop, result.code, result.detail) == (False, "exit 41", 41, "no such model")
    assert not bench.facts.of(Ended), "the session outlives its turns"


async def test_an_error_result_beats_exit_0(bench: Any) -> None:
    agent = await bench.command('print(\'{"type": "result", "is_error": true, "result": "API Error 529"}\')')
    result = await agent.prompt(1, "go")
    assert (result.ok, result.stop, result.code, result.detail) == (False, "error", 0, "API Error 529")


async def test_death_by_a_signal(bench: Any) -> None:
    agent = await bench.command("import os; print('so long', flush=True); os.kill(os.getpid(), 9)")
    result = await agent.prompt(1, "go")
    assert (result.ok, result.stop, result.code) == (False, "died", 137) and "so long" in result.detail


async def test_output_is_recorded_while_the_process_runs(bench: Any, eventually: Any) -> None:
    agent = await bench.command("import sys, time; print('early', flush=True); time.sleep(600)")
    turn = asyncio.ensure_future(agent.prompt(1, "go"))
    await eventually(lambda: bench.text("line") == "early\n")
    assert not turn.done()
    with pytest.raises(RuntimeError, match="already running"):
        await agent.prompt(2, "again")
    began = bench.facts.of(Began)
    assert [b.pid > 0 for b in began] == [False, True]
    await agent.cancel()
    result = await turn
    assert (result.ok, result.stop, result.code) == (False, "cancelled", 143)
    assert process_start_time(began[1].pid) is None and not bench.facts.of(Ended)


async def test_stop_in_a_turn(bench: Any, eventually: Any) -> None:
    agent = await bench.command("import time; print('up', flush=True); time.sleep(600)")
    turn = asyncio.ensure_future(agent.prompt(1, "go"))
    await eventually(lambda: bench.text("line"))
    await asyncio.gather(agent.stop(), agent.stop())
    assert (await turn).stop == "stopped"
    assert [fact.end.stopped for fact in bench.facts.of(Ended)] == [True]
    assert (await agent.prompt(2, "more")).stop == "stopped"


async def test_stop_without_a_turn(bench: Any) -> None:
    agent = await bench.command("")
    await agent.cancel()
    await agent.stop()
    assert not agent.answer("q-1", None)
    assert bench.facts.of(Ended)[0].end.reason == "no turn was running"


async def test_a_cancelled_prompt_leaves_no_process(bench: Any, eventually: Any) -> None:
    agent = await bench.command("import time; print('up', flush=True); time.sleep(600)")
    turn = asyncio.ensure_future(agent.prompt(1, "go"))
    await eventually(lambda: bench.text("line"))
    turn.cancel()
    with pytest.raises(asyncio.CancelledError):
        await turn
    await eventually(lambda: process_start_time(bench.facts.of(Began)[1].pid) is None)


async def test_a_conversation_is_found_and_resumed(bench: Any) -> None:
    agent = await bench.command(
        ARGV + "print(json.dumps({'type': 'thread.started', 'thread_id': 'abc-1'})); print(sys.argv[1:])",
        resume=("--resume", "{conversation}"),
    )
    assert (await agent.prompt(1, "one")).ok
    assert [b.conversation for b in bench.facts.of(Began)] == ["", "", "abc-1"]
    assert (await agent.prompt(2, "two")).ok
    assert bench.text("line") == "['one']\n['--resume', 'abc-1', 'two']\n"


async def test_a_conversation_of_an_earlier_run_is_resumed(bench: Any) -> None:
    agent = await bench.command(ARGV + "print(sys.argv[1:])", resume=("--resume={conversation}",), conversation="old")
    assert bench.facts.of(Began)[0].resumed
    await agent.prompt(1, "go")
    assert bench.text("line") == "['--resume=old', 'go']\n"


async def test_a_preset_without_resume_says_that_it_starts_afresh(bench: Any) -> None:
    agent = await bench.command(ARGV + "print(sys.argv[1:])", conversation="old")
    began = bench.facts.of(Began)[0]
    assert not began.resumed and "fresh conversation" in began.detail
    await agent.prompt(1, "go")
    assert bench.text("line") == "['go']\n"


async def test_the_prompt_by_stdin(bench: Any) -> None:
    agent = await bench.command(ARGV + "print(len(sys.argv), len(sys.stdin.read()))", prompt_by="stdin")
    assert (await agent.prompt(1, "x" * 300_000)).ok
    assert bench.text("line") == "1 300000\n"


async def test_a_prompt_too_long_for_an_argument(bench: Any) -> None:
    agent = await bench.command("")
    result = await agent.prompt(1, "x" * 200_000)
    assert (result.ok, result.stop, result.code) == (False, "not-started", 127) and "prompt: stdin" in result.detail


async def test_a_program_that_vanishes(bench: Any) -> None:
    program = bench.folder / "agent"
    program.write_text("#!/bin/sh\necho hello\n")
    program.chmod(0o755)
    agent = await bench.start(Launch(argv=(str(program),), protocol="command"))
    program.unlink()
    result = await agent.prompt(1, "go")
    assert (result.ok, result.stop, result.code) == (False, "not-started", 127) and "cannot start" in result.detail


async def test_a_missing_program_is_refused(bench: Any) -> None:
    refused = await bench.start(Launch(argv=("no-such-agent",), protocol="command"))
    assert isinstance(refused, Refused) and "not installed" in refused.reason and bench.facts == []


async def test_output_of_more_than_a_file_holds_is_read_to_its_end(bench: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(command, "HEAD", 1000)
    monkeypatch.setattr(command, "TAIL", 200_000)
    agent = await bench.command("print('x' * 99 + '\\n', end='' ) or [print('y' * 99) for _ in range(1000)]\n"
                                "print('{\"type\": \"turn.failed\", \"error\": {\"message\": \"full\"}}')")  # fmt: skip
    result = await agent.prompt(1, "go")
    assert (result.ok, result.detail) == (False, "full") and bench.text("line").count("\n") == 1001


async def test_a_long_line_comes_in_pieces(bench: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(growing, "LINE_BYTES", 300_000)
    agent = await bench.command("print('words ' * 170_000, end='')")
    assert (await agent.prompt(1, "go")).ok
    assert sum(entry.get("cut", 0) or len(entry["text"]) for entry in bench.entries("line")) >= 1_000_000


async def test_what_a_turn_leaves_behind_is_ended(bench: Any) -> None:
    agent = await bench.command(
        "import subprocess; print(subprocess.Popen(['sleep', '600'], start_new_session=True).pid)"
    )
    assert (await agent.prompt(1, "go")).ok
    assert process_start_time(int(bench.text("line"))) is None


def test_a_prompt_is_no_option_and_no_file() -> None:
    assert [plain_prompt(text) for text in ("-v", "@f", "do", "a\0b", "\ud800")] == [
        " -v",
        " @f",
        "do",
        "a\ufffdb",
        "?",
    ]


# -- lines -------------------------------------------------------------------------------------------------------


def read(*events: object, key: str = "session_id") -> Lines:
    lines = Lines(key)
    for event in events:
        lines.read(event if isinstance(event, str) else json.dumps(event))
    return lines


GOOD: list[list[object]] = [
    [{"type": "result", "is_error": False, "subtype": "success"}],
    [{"type": "result", "status": "success"}],
    [{"type": "error", "message": "Reconnecting... 1/5"}, {"type": "turn.completed"}],
    [{"type": "step_finish", "part": {"reason": "tool-calls"}}, {"type": "step_finish", "part": {"reason": "stop"}}],
    [{"type": "turn_end", "message": {"stopReason": "stop"}}, {"type": "agent_settled", "aborted": False}],
    [{"type": "item.completed", "item": {"type": "error", "message": "only a warning"}}, {"type": "turn.completed"}],
    ["plain text about an error", '{"type": "error"', "[]"],
    [{"type": "system", "subtype": "api_retry", "error": "overloaded"}, {"type": "result", "is_error": False}],
]
BAD: list[tuple[list[object], str]] = [
    ([{"type": "result", "is_error": True, "subtype": "success", "result": "529"}], "529"),
    ([{"type": "result", "subtype": "error_during_execution"}], "error_during_execution"),
    ([{"type": "result", "status": "error", "error": {"message": "stream cut"}}], "stream cut"),
    ([{"type": "turn.failed", "error": {"message": "no credit"}}], "no credit"),
    ([{"type": "turn.completed"}, {"type": "error", "message": "late"}], "late"),
    ([{"type": "error", "error": {"name": "APIError", "data": {"statusCode": 401}}}], "401"),
    ([{"type": "step_finish", "part": {"reason": "tool-calls"}}], "tool-calls"),
    ([{"type": "step_finish"}], "None"),
    ([{"type": "turn_end", "message": {"stopReason": "error", "errorMessage": "x"}}, {"type": "agent_settled"}], "x"),
    ([{"type": "auto_retry_end", "success": False, "finalError": "503"}, {"type": "agent_settled"}], "503"),
    ([{"type": "agent_settled", "aborted": True}], "aborted"),
]


@pytest.mark.parametrize("events", GOOD)
def test_good_ends(events: list[object]) -> None:
    assert read(*events).failure == ""


@pytest.mark.parametrize(("events", "why"), BAD)
def test_bad_ends(events: list[object], why: str) -> None:
    assert why in read(*events).failure


@pytest.mark.parametrize(
    ("event", "key", "found"),
    [
        ({"type": "system", "session_id": "u-1"}, "session_id", "u-1"),
        ({"type": "session", "id": "p_1"}, "id", "p_1"),
        ({"sessionID": "ses.1"}, "session_id", "ses.1"),
        ({"session_id": "--dangerously-skip-permissions"}, "session_id", ""),
        ({"session_id": "a b"}, "session_id", ""),
        ({"session_id": "x" * 201}, "session_id", ""),
        ({"session_id": 5}, "session_id", ""),
        ({"message": {"session_id": "deep"}}, "session_id", ""),
    ],
)
def test_conversations(event: object, key: str, found: str) -> None:
    assert read(event, key=key).conversation == found


def test_the_first_id_of_a_turn_counts() -> None:
    assert read({"session_id": "a"}, {"session_id": "b"}).conversation == "a"


SHOWN: list[tuple[object, list[tuple[str, ...]]]] = [
    ({"type": "assistant", "message": {"content": [{"type": "text", "text": "hi"}]}}, [("text", "hi\n")]),
    (
        {"type": "assistant", "message": {"content": [{"type": "tool_use", "id": "t", "name": "Bash", "input": {}}]}},
        [("tool", "Bash", "in_progress")],
    ),
    (
        {"type": "user", "message": {"content": [{"type": "tool_result", "tool_use_id": "t", "is_error": True}]}},
        [("tool", "t", "failed")],
    ),
    ({"type": "item.completed", "item": {"type": "agent_message", "text": "done"}}, [("text", "done\n")]),
    (
        {"type": "item.completed", "item": {"type": "command_execution", "command": "ls", "exit_code": 1}},
        [("tool", "ls", "failed")],
    ),
    ({"type": "message", "role": "assistant", "content": "par", "delta": True}, [("text", "par")]),
    ({"type": "tool_use", "tool_name": "write_file", "tool_id": "1"}, [("tool", "write_file", "in_progress")]),
    ({"type": "tool_result", "tool_id": "1", "status": "success"}, [("tool", "1", "completed")]),
    ({"type": "text", "part": {"text": "oc"}}, [("text", "oc\n")]),
    (
        {"type": "tool_use", "part": {"tool": "edit", "callID": "c", "state": {"status": "completed"}}},
        [("tool", "edit", "completed")],
    ),
    (
        {"type": "tool_execution_end", "toolCallId": "c", "toolName": "bash", "isError": True},
        [("tool", "bash", "failed")],
    ),
    ({"type": "rate_limit_event"}, [("event", "rate_limit_event")]),
]


@pytest.mark.parametrize(("event", "shown"), SHOWN)
def test_what_is_shown(event: object, shown: list[tuple[str, ...]]) -> None:
    entries = Lines("session_id").read(json.dumps(event))
    keys = {"tool": ("tool", "status"), "event": ("type",)}
    assert [(kind, *(fields[key] for key in keys.get(kind, ("text",)))) for kind, fields in entries] == shown


def test_a_tool_keeps_its_name_until_its_result() -> None:
    lines = Lines("session_id")
    lines.read(json.dumps(SHOWN[1][0]))
    assert lines.read(json.dumps(SHOWN[2][0]))[0][1]["tool"] == "Bash"


KINDS = ("assistant", "result", "error", "item.completed", "tool_use", "turn_end", "text", "step_finish", [], {}, None)
PARTS = (None, 5, "x", [], [1], {}, {"content": [1, None]}, {"state": 3})


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("kind", KINDS)
def test_strange_events_are_survived(kind: object, part: object) -> None:
    event = dict.fromkeys(("part", "item", "message", "content", "error"), part) | {"type": kind}
    shown = Lines("session_id").read(json.dumps(event))
    assert shown or kind in ("turn_end", "step_finish")
