"""What an agent shows of its progress, and that it can be ended however it behaves."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import time
from typing import Any

import pytest

from console.adapters.agents.lines import Lines
from console.adapters.agents.updates import Updates
from console.adapters.agents.vitals import TOOLS, Signs, declared
from console.engine.ports import Began, Ended, Vital


class Quiet:
    """A transcript that keeps nothing."""

    def __getattr__(self, name: str) -> Any:
        return lambda *args, **fields: None


def chunk(text: str, kind: str = "agent_message_chunk") -> dict[str, Any]:
    return {"update": {"sessionUpdate": kind, "content": {"type": "text", "text": text}}}


def progress_of(*updates: dict[str, Any]) -> int:
    seen = Updates(Quiet())  # type: ignore[arg-type]
    for update in updates:
        seen.take(update)
    return seen.signs.progress


def test_words_are_progress() -> None:
    assert progress_of(chunk("The"), chunk(" cat"), chunk(" sat")) == 3


@pytest.mark.row("C2")
@pytest.mark.parametrize(
    "frames",
    [
        ["⠋", "⠙", "⠹", "⠸"],
        ["|", "/", "-", "\\"],
        ["Thinking 1 s", "Thinking 2 s", "Thinking 3 s"],
        [f"({seconds}s, {seconds // 60}m) still thinking" for seconds in range(200)],
        ["", " ", "\n", "\x1b[0m \r"],
        ["working", "working.", "working..", "working..."],
        ["load", "loading", "loaded"],
    ],
)
def test_a_spinner_is_not(frames: list[str]) -> None:
    assert progress_of(*(chunk(frames[n % len(frames)]) for n in range(200))) <= min(4, len(frames))


def test_a_count_that_goes_up_is_progress() -> None:
    assert progress_of(*(chunk(f"Step {number}.\n") for number in range(20))) == 20


def test_updates_that_make_no_sense_are_none() -> None:
    assert progress_of({}, {"update": 7}, {"update": {}}, {"update": {"sessionUpdate": 9, "content": [1]}}) <= 1
    assert progress_of({"update": {"sessionUpdate": "agent_message_chunk", "content": None}}) == 0


def call(key: str, status: str, **more: Any) -> dict[str, Any]:
    kind = "tool_call" if status == "pending" else "tool_call_update"
    return {"update": {"sessionUpdate": kind, "toolCallId": key, "status": status, **more}}


def test_tools_are_in_flight_until_they_say_otherwise_and_a_new_turn_has_none() -> None:
    at = [10.0]
    signs = Signs(lambda: at[0])
    seen = Updates(Quiet(), signs)  # type: ignore[arg-type]
    seen.take(call("a", "pending", title="pytest -q", rawInput={"timeout": 120_000}))
    at[0] = 20.0
    seen.take(call("a", "in_progress"))
    seen.take(call("b", "pending", title="make"))
    a, b = signs.vital().tools
    assert (a.name, a.since, a.budget) == ("pytest -q", 10.0, 120.0)
    assert (b.name, b.since, b.budget) == ("make", 20.0, 0.0)
    seen.take(call("a", "completed"))
    seen.take(call("zz", "failed"))
    assert [tool.name for tool in signs.vital().tools] == ["make"]
    seen.turn()
    assert signs.vital().tools == ()


def test_hostile_tools_are_bounded() -> None:
    signs = Signs()
    seen = Updates(Quiet(), signs)  # type: ignore[arg-type]
    for number in range(1000):
        seen.take(call(f"{number}" * 5000, "pending", title="x" * 10_000))
    seen.take({"update": {"sessionUpdate": "tool_call", "toolCallId": {"a": [1]}, "status": ["in_progress"]}})
    tools = signs.vital().tools
    assert len(tools) <= TOOLS
    assert all(len(tool.name) <= 200 for tool in tools)


@pytest.mark.parametrize(
    ("given", "seconds"),
    [
        ({"timeout": 120_000}, 120.0),
        ({"timeout": 90}, 90.0),
        ({"timeout_ms": 500}, 0.5),
        ({"timeoutMs": 1_800_000}, 1800.0),
        ({"timeout": 1e300}, 86400.0),
        ({"timeout": float("inf")}, 86400.0),
        ({"timeout": 10**400}, 86400.0),
        ({"timeout": float("nan")}, 0.0),
        ({"timeout": -5}, 0.0),
        ({"timeout": True}, 0.0),
        ({"timeout": "60"}, 0.0),
        ("timeout", 0.0),
        (None, 0.0),
    ],
)
def test_what_a_tool_declares_as_its_limit(given: Any, seconds: float) -> None:
    assert declared(given) == pytest.approx(seconds)


def test_lines_of_a_command_count_when_they_are_objects_that_say_something_new() -> None:
    signs = Signs()
    lines = Lines("", signs=signs)
    for number in range(50):
        lines.read(f"some plain text that goes on and on {number}")
        lines.read('["no object"]')
    assert signs.progress == 0
    for _ in range(50):
        lines.read(json.dumps({"type": "tick", "after": "3 s"}))
    assert signs.progress == 1
    lines.read('{"type": "assistant", "message": {"content": [{"type": "text", "text": "hello"}]}}')
    assert signs.progress == 2


def test_the_tools_of_the_command_lines_are_seen() -> None:
    signs = Signs()
    lines = Lines("", signs=signs)
    lines.read(
        '{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t1","name":"Bash",'
        '"input":{"command":"make","timeout":600000}}]}}'
    )
    lines.read('{"type":"item.started","item":{"id":"i1","type":"command_execution","command":"cargo test"}}')
    assert [(tool.name, tool.budget) for tool in signs.vital().tools] == [("Bash", 600.0), ("cargo test", 0.0)]
    lines.read('{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1"}]}}')
    lines.read('{"type":"item.completed","item":{"id":"i1","type":"command_execution","command":"cargo test"}}')
    assert signs.vital().tools == ()


# -- with real processes ---------------------------------------------------------------------------------

LEASH = "import signal; signal.alarm(60)\n"


async def test_an_acp_agent_shows_answers_words_questions_bytes_and_tools(bench: Any, eventually: Any) -> None:
    agent = await bench.raw(
        LEASH
        + """
def turn(text):
    say("hello")
    note({"sessionUpdate": "tool_call", "toolCallId": "t1", "title": "pytest", "rawInput": {"timeout": 5000}})
    out(b"noise without an end of line")
    receive()
"""
    )
    before: Vital = agent.vital()
    assert before.progress == 2, "its two answers at the start"
    turn = asyncio.ensure_future(agent.prompt(1, "go"))
    await eventually(lambda: agent.vital().tools and agent.vital().output > before.output + 100)
    seen = agent.vital()
    assert seen.progress == before.progress + 2
    assert [(tool.name, tool.budget) for tool in seen.tools] == [("pytest", 5.0)]
    await agent.stop(0.0)
    await turn


async def test_answers_that_nobody_asked_for_are_no_progress(bench: Any, eventually: Any) -> None:
    agent = await bench.raw(
        LEASH
        + """
def turn(text):
    for number in range(200):
        send(id=1000 + number, result={})
        send(id=0, result={})
        send(method="session/update", params=[number])
        send(id=f"x{number}", method="fs/read_text_file", params={})
    time.sleep(60)
"""
    )
    before = agent.vital()
    turn = asyncio.ensure_future(agent.prompt(1, "go"))
    await eventually(lambda: agent.vital().output > before.output + 20_000)
    assert agent.vital().progress == before.progress
    await agent.stop(0.0)
    await turn


SILENT = """
def turn(text):
    say("begun")
    time.sleep(60)
"""
DEAF = """
signal.signal(signal.SIGTERM, signal.SIG_IGN); signal.signal(signal.SIGINT, signal.SIG_IGN)
def turn(text):
    say("begun")
    while True: time.sleep(60)
"""
CHILDISH = """
import subprocess
def turn(text):
    subprocess.Popen(["sh", "-c", "trap '' TERM; sleep 50"])
    say("begun")
    while True: time.sleep(60)
"""


@pytest.mark.parametrize("script", [SILENT, DEAF, CHILDISH], ids=["silent", "ignores signals", "has children"])
async def test_a_hung_acp_agent_is_ended_at_once(bench: Any, eventually: Any, script: str) -> None:
    agent = await bench.raw(LEASH + script)
    before = agent.vital().progress
    turn = asyncio.ensure_future(agent.prompt(1, "go"))
    await eventually(lambda: agent.vital().progress > before)
    began = time.monotonic()
    await agent.stop(0.0)
    assert time.monotonic() - began < 4
    assert (await turn).stop == "stopped"
    assert len(bench.facts.of(Ended)) == 1


async def test_an_acp_agent_with_a_full_pipe_that_is_stopped_is_ended_at_once(bench: Any, eventually: Any) -> None:
    agent = await bench.raw(LEASH + SILENT)
    began: Began = bench.facts.of(Began)[0]
    os.kill(began.pid, signal.SIGSTOP)
    turn = asyncio.ensure_future(agent.prompt(1, "x" * 1_000_000))
    await eventually(lambda: agent._wire._writer.transport.get_write_buffer_size() > 100_000)
    at = time.monotonic()
    await agent.stop(0.0)
    assert time.monotonic() - at < 4
    assert (await turn).stop == "stopped"


async def test_a_command_shows_its_lines_and_bytes_and_ends_at_once(bench: Any, eventually: Any) -> None:
    agent = await bench.command(
        LEASH
        + """
import json, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("plain text", flush=True)
item = {"id": "1", "type": "command_execution", "command": "make"}
print(json.dumps({"type": "item.started", "item": item}), flush=True)
print(json.dumps({"type": "x", "text": "hello"}), flush=True)
time.sleep(60)
"""
    )
    turn = asyncio.ensure_future(agent.prompt(1, "go"))
    await eventually(lambda: agent.vital().progress == 2)
    seen: Vital = agent.vital()
    assert seen.output > 50
    assert [tool.name for tool in seen.tools] == ["make"]
    began = time.monotonic()
    await agent.stop(0.0)
    assert time.monotonic() - began < 4
    assert (await turn).stop == "stopped"
