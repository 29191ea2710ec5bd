"""The ACP driver against real processes: the scripted demo agent (real library) and raw agents that misbehave."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from console.adapters.agents import wire
from console.adapters.demo import demo_dir
from console.adapters.processes import process_start_time
from console.core.records import Launch, Refused
from console.engine.ports import Answered, Asked, Began, Ended

PERMISSION = """
OPTIONS = [{"optionId": "yes", "name": "Yes", "kind": "allow_once"}]
TOOL = {"toolCallId": "t", "title": "Run rm", "rawInput": {"cmd": "rm x"}}
ASK = {"sessionId": "c-1", "toolCall": TOOL, "options": OPTIONS}
"""


def scripted(script: str) -> Launch:
    return Launch(argv=(sys.executable, str(demo_dir() / "agent.py"), "--script", script, "--pace", "0.01"))


def alive(pid: int) -> bool:
    return process_start_time(pid) is not None


# -- turns -------------------------------------------------------------------------------------------------------


async def test_a_turn_of_a_real_agent(bench: Any) -> None:
    agent = await bench.start(scripted("echo"))
    began = bench.facts.of(Began)
    result = await agent.prompt(1, "write ü this")
    await agent.stop()

    assert result.ok and result.stop == "end_turn"
    assert (bench.folder / "work" / "hello.txt").read_text() == "write ü this\n"
    assert len(began) == 1 and began[0].conversation and began[0].shim_pid and not began[0].resumed
    assert "scripted-agent" in began[0].detail
    assert bench.facts.of(Ended)[0].end.how == "exited" and len(bench.facts.of(Ended)) == 1
    assert not alive(began[0].pid)
    kinds = [entry["kind"] for entry in bench.entries()]
    assert kinds[:3] == ["began", "turn-start", "text"] and kinds[-2:] == ["turn-end", "ended"]
    tools = bench.entries("tool")
    assert tools[0]["tool"] == "Edit hello.txt" and tools[0]["status"] == "in_progress"
    assert tools[-1]["status"] == "completed" and tools[-1]["tool"] == "Edit hello.txt"


@pytest.mark.parametrize("stop", ["max_tokens", "max_turn_requests", "refusal", "cancelled"])
async def test_only_end_turn_is_ok(bench: Any, stop: str) -> None:
    agent = await bench.raw(f"def turn(text): reply({stop!r})")
    result = await agent.prompt(1, "go")
    assert not result.ok and result.stop == stop


async def test_an_unknown_stop_reason_fails_the_turn(bench: Any) -> None:
    agent = await bench.raw("def turn(text): reply('bored')")
    result = await agent.prompt(1, "go")
    assert not result.ok and result.stop == "protocol" and "stopReason" in result.detail


async def test_an_error_fails_the_turn_with_its_data(bench: Any) -> None:
    agent = await bench.raw("def turn(text): fail(-32603, 'Internal error', {'errorKind': 'overloaded 529'})")
    result = await agent.prompt(1, "go")
    assert (result.ok, result.stop, result.code) == (False, "error", -32603)
    assert "overloaded 529" in result.detail


SYSTEM_ERROR = "{'codex': {'threadStatus': {'type': 'systemError'}, 'error': {'message': 'status 529'}}}"


@pytest.mark.parametrize(
    ("script", "ok"),
    [
        (f"def turn(text): reply(_meta={SYSTEM_ERROR})", False),
        (f"def turn(text): note({{'sessionUpdate': 'session_info_update', '_meta': {SYSTEM_ERROR}}}); reply()", False),
        (f"def turn(text): note({{'sessionUpdate': 'session_info_update'}}, _meta={SYSTEM_ERROR}); reply()", False),
        (
            f"def turn(text):\n note({{'sessionUpdate': 'session_info_update', '_meta': {SYSTEM_ERROR}}})\n"
            " note({'sessionUpdate': 'session_info_update', '_meta': {'codex': {'threadStatus': {'type': 'idle'}}}})\n"
            " reply()",
            True,
        ),
    ],
)
async def test_a_system_error_behind_end_turn_is_a_failure(bench: Any, script: str, ok: bool) -> None:
    agent = await bench.raw(script)
    result = await agent.prompt(1, "go")
    assert result.ok is ok
    assert ok or (result.stop == "system-error" and result.detail == "status 529")


async def test_a_later_turn_is_not_blamed_for_an_earlier_one(bench: Any) -> None:
    agent = await bench.raw(f"def turn(text): reply(_meta={SYSTEM_ERROR} if text == 'bad' else None)")
    assert not (await agent.prompt(1, "bad")).ok
    assert (await agent.prompt(2, "good")).ok


async def test_two_turns_at_once_are_a_bug_of_the_caller(bench: Any) -> None:
    agent = await bench.raw("def turn(text): receive(); reply('cancelled')")
    first = asyncio.ensure_future(agent.prompt(1, "go"))
    await asyncio.sleep(0)
    with pytest.raises(RuntimeError, match="already running"):
        await agent.prompt(2, "again")
    await agent.cancel()
    assert (await first).stop == "cancelled"


# -- questions ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("option", "written"), [("allow", True), ("reject", False), (None, False)])
async def test_a_question_waits_for_its_answer(bench: Any, option: str | None, written: bool) -> None:
    agent = await bench.start(scripted("ask"))
    turn = asyncio.ensure_future(agent.prompt(1, "go"))
    asked = await bench.facts.until(Asked)

    assert (asked.question, asked.title) == ("q-1", "Write allowed.txt")
    assert [(o.id, o.kind) for o in asked.options] == [("allow", "allow_once"), ("reject", "reject_once")]
    assert not agent.answer("q-1", "no such option") and not agent.answer("q-7", None)
    assert not turn.done()
    assert agent.answer("q-1", option)
    assert not agent.answer("q-1", option)
    assert (await turn).ok
    assert (bench.folder / "work" / "allowed.txt").exists() is written
    assert bench.facts.of(Answered) == [Answered(question="q-1", option=option or "")]


async def test_a_cancel_answers_every_question_that_is_held_or_still_comes(bench: Any) -> None:
    """Some agents never end a cancelled turn otherwise."""
    agent = await bench.raw(
        PERMISSION
        + """
def turn(text):
    send(id="r1", method="session/request_permission", params=ASK)
    send(id="r2", method="session/request_permission", params=ASK)
    assert receive()["method"] == "session/cancel"
    outcomes = [receive()["result"]["outcome"]["outcome"] for _ in range(2)]
    outcomes.append(request("session/request_permission", ASK, "r3")["result"]["outcome"]["outcome"])
    say(" ".join(outcomes) + "\\n")
    reply("cancelled")
"""
    )
    turn = asyncio.ensure_future(agent.prompt(1, "go"))
    assert (await bench.facts.until(Asked)).question == "q-1"
    await agent.cancel()
    assert (await turn).stop == "cancelled"
    assert bench.text("text") == "cancelled cancelled cancelled\n"
    assert len(bench.facts.of(Asked)) == len(bench.facts.of(Answered)) == 1, "the second was never asked"


async def test_the_next_turn_may_ask_again(bench: Any) -> None:
    agent = await bench.raw(
        PERMISSION + "def turn(text): reply('end_turn', _meta=request('session/request_permission', ASK)['result'])"
    )
    for number in (1, 2):
        turn = asyncio.ensure_future(agent.prompt(number, "go"))
        asked = await bench.facts.until(Asked, number)
        assert asked.question == f"q-{number}" and agent.answer(asked.question, "yes")
        assert (await turn).ok
    assert bench.entries("ask")[0]["text"] == "$ rm x" == "$ " + bench.entries("ask")[0]["command"]


async def test_an_agent_can_withdraw_its_question(bench: Any) -> None:
    agent = await bench.raw(
        PERMISSION
        + """
def turn(text):
    send(id=7, method="session/request_permission", params=ASK)
    send(method="$/cancel_request", params={"requestId": 7})
    receive()
    reply()
"""
    )
    assert (await agent.prompt(1, "go")).ok
    assert [type(fact) for fact in bench.facts[1:]] == [Asked, Answered]


# -- ends --------------------------------------------------------------------------------------------------------


async def test_death_in_a_turn(bench: Any) -> None:
    agent = await bench.start(scripted("crash"))
    result = await agent.prompt(1, "go")
    assert not bench.facts.of(Ended), "the turn's result comes before the session's end"
    assert (result.ok, result.stop, result.code) == (False, "died", 3)
    assert "exited with code 3" in result.detail and "out of luck" in result.detail
    ended = await bench.facts.until(Ended)
    assert (ended.end.how, ended.end.code) == ("exited", 3)
    again = await agent.prompt(2, "go on")
    await agent.stop()
    assert again.stop in ("died", "stopped") and len(bench.facts.of(Ended)) == 1


async def test_death_between_turns_is_reported(bench: Any) -> None:
    agent = await bench.raw("def turn(text): reply(); sys.exit(5)")
    assert (await agent.prompt(1, "go")).ok
    assert (await bench.facts.until(Ended)).end.code == 5


async def test_a_question_dies_with_its_agent(bench: Any) -> None:
    agent = await bench.raw(
        PERMISSION + "def turn(text): send(id=1, method='session/request_permission', params=ASK); sys.exit(1)"
    )
    assert (await agent.prompt(1, "go")).stop == "died"
    await bench.facts.until(Ended)
    assert [type(fact) for fact in bench.facts] == [Began, Asked, Answered, Ended]
    assert not agent.answer("q-1", "yes")


async def test_cancel_and_go_on(bench: Any) -> None:
    agent = await bench.start(scripted("hang"))
    for number in (1, 2):
        turn = asyncio.ensure_future(agent.prompt(number, "go"))
        while len(bench.entries("text")) < number:
            await asyncio.sleep(0.02)
        began = time.monotonic()
        await agent.cancel()
        assert (await turn).stop == "cancelled" and time.monotonic() - began < 10
    await agent.cancel()  # nothing runs: nothing happens


async def test_a_cancelled_turn_never_ends_well(bench: Any) -> None:
    """opencode says `end_turn` when it is cancelled while it waits to try again."""
    agent = await bench.raw("def turn(text): say('here\\n'); receive(); reply('end_turn')")
    turn = asyncio.ensure_future(agent.prompt(1, "go"))
    while not bench.entries("text"):
        await asyncio.sleep(0.02)
    await agent.cancel()
    result = await turn
    assert (result.ok, result.stop) == (False, "cancelled")


async def test_a_good_bye_of_an_agent_that_was_killed_is_no_cancelled_turn(bench: Any) -> None:
    agent = await bench.raw("def turn(text): reply('cancelled'); os.kill(os.getpid(), 9)")
    assert (await agent.prompt(1, "go")).stop == "died"


async def test_stop_in_a_turn_is_orderly(bench: Any) -> None:
    agent = await bench.start(scripted("hang"))
    turn = asyncio.ensure_future(agent.prompt(1, "go"))
    while not bench.entries("text"):
        await asyncio.sleep(0.02)
    await asyncio.gather(agent.stop(), agent.stop())
    assert (await turn).stop == "cancelled"
    end = bench.facts.of(Ended)[0].end
    assert len(bench.facts.of(Ended)) == 1 and (end.how, end.code, end.stopped) == ("exited", 0, False)


async def test_stop_ends_an_agent_that_is_deaf_to_everything(bench: Any) -> None:
    bench.patience = 0.3
    agent = await bench.start(scripted("deaf"))
    turn = asyncio.ensure_future(agent.prompt(1, "go"))
    while not bench.entries("text"):
        await asyncio.sleep(0.02)
    await agent.stop()
    assert (await turn).stop == "stopped"
    end = bench.facts.of(Ended)[0].end
    assert end.stopped and end.how == "signaled" and not alive(bench.facts.of(Began)[0].pid)


async def test_what_an_agent_leaves_behind_is_ended_and_listed(bench: Any) -> None:
    agent = await bench.start(scripted("leftover"))
    assert (await agent.prompt(1, "go")).ok
    await agent.stop()
    left = bench.facts.of(Ended)[0].end.leftovers
    assert [item.command for item in left] == ["sleep 600"] and not alive(left[0].pid)


async def test_closing_its_output_ends_an_agent(bench: Any) -> None:
    bench.patience = 0.2
    agent = await bench.raw("def turn(text): os.close(1); time.sleep(60)")
    result = await agent.prompt(1, "go")
    assert not result.ok and result.stop == "died"
    assert (await bench.facts.until(Ended)).end.stopped


async def test_an_agent_that_does_not_read_holds_nobody_up(bench: Any) -> None:
    bench.patience = 0.2
    agent = await bench.raw("def turn(text):\n reply()\n time.sleep(60)")
    assert (await agent.prompt(1, "go")).ok
    turn = asyncio.ensure_future(agent.prompt(2, "x" * 1_000_000))
    await asyncio.sleep(0)
    began = time.monotonic()
    await agent.stop()
    assert (await turn).stop == "stopped" and time.monotonic() - began < 10


# -- malformed input ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "script",
    [
        'out(b\'{"jsonrpc": "2.0", "id": %d, "resu\\n\' % current[0])',
        "out(b'{\"id\": %d, \"result\": ' % current[0] + b'{\"a\":' * 200000 + b'\\n')",
        'out(b\'{"jsonrpc": "2.0", "id": %d, "resu\' % current[0]); os.close(1)',
    ],
)
async def test_a_broken_answer_fails_the_turn_with_a_reason(bench: Any, script: str, caplog: Any) -> None:
    bench.patience = 0.2
    agent = await bench.raw(f"def turn(text):\n {script}")
    result = await agent.prompt(1, "go")
    assert (result.ok, result.stop) == (False, "protocol") and "broken message" in result.detail
    assert not caplog.records


async def test_a_broken_line_costs_only_itself(bench: Any, caplog: Any) -> None:
    """What some tool prints between the frames, and a frame cut in two, end nobody's turn."""
    agent = await bench.raw(
        """
def turn(text):
    out(b'{ code: 401, message: no }\\n' + b'{' * 200000 + b'\\n' + b'{"a":' * 200000 + b'\\n')
    out(b'{"jsonrpc": "2.0", "method": "session/upd{"jsonrpc": "2.0"}\\n')
    out(b'{"jsonrpc":"2.0","method":"session/update","params":{"update":{"sessionUpdate":"agent_message_chunk",'
        b'"content":{"type":"text","text":"a \\xff b "}}}}\\n')
    out(b'{"jsonrpc":"2.0","id":"p1","method":"session/request_permission","params":{"x":}}\\n')
    say(str(receive()["error"]["code"]))
    reply()
"""
    )
    assert (await agent.prompt(1, "go")).ok
    assert bench.text("text") == "a \ufffd b -32700"
    assert bench.entries("noise")[0]["text"] == "{ code: 401, message: no }"
    assert not caplog.records and Path(bench.transcript).stat().st_size < 20_000


async def test_an_agent_that_spews_is_ended(bench: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(wire, "NOISE_LINES", 200)
    agent = await bench.raw("def turn(text):\n while True: out(b'compiling\\n' * 100)")
    result = await agent.prompt(1, "go")
    assert (result.ok, result.stop) == (False, "protocol") and "201 lines in a row" in result.detail
    assert len(bench.entries("noise")) == wire.NOISE_SHOWN
    assert (await bench.facts.until(Ended)).end.stopped


async def test_a_line_without_end_fails_the_turn_and_not_our_memory(bench: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(wire, "LINE_BYTES", 1024 * 1024)
    agent = await bench.raw(
        "def turn(text):\n out(b'{\"x\": \"')\n for _ in range(100): out(b'y' * 1000000)\n time.sleep(60)"
    )
    result = await agent.prompt(1, "go")
    assert (result.ok, result.stop) == (False, "protocol") and "more than 1 MB" in result.detail
    assert (await bench.facts.until(Ended)).end.stopped


async def test_strange_but_whole_messages_are_survived(bench: Any, caplog: Any) -> None:
    agent = await bench.raw(
        """
def turn(text):
    out(b"(node:1) Warning: something\\n\\n   \\n[1, 2]\\n17\\nnull\\n\\xff\\xfe\\n")
    for frame in ({"id": []}, {"id": [], "method": []}, {"id": 1, "method": 5}, {"method": {}}, {"id": 99, "result": 1},
                  {"id": 99, "error": "text"}, {"id": {}, "method": "x"}, {"id": "gone", "result": {}}, {},
                  {"method": "qwen/notify", "params": [1]}, {"method": "_auth/status_update"},
                  {"method": "session/update"}, {"method": "session/update", "params": {"update": 5}},
                  {"method": "session/update", "params": {"update": {"sessionUpdate": [1]}}},
                  {"method": "session/update", "params": {"update": {"sessionUpdate": "tool_call", "title": 7,
                    "content": 8, "locations": [9], "status": []}}},
                  {"method": "session/update", "params": {"update": {"sessionUpdate": "plan", "entries": [1, {}]}}},
                  {"method": "session/update", "params": {"update": {"sessionUpdate": "agent_message_chunk"}}}):
        send(**frame)
    answer = request("craft/drainMidTurnQueue", {})
    files = request("fs/read_text_file", {"path": "/etc/passwd", "sessionId": "c-1"}, 4)
    say(f"{answer['error']['code']} {files['error']['code']}\\n")
    note({"sessionUpdate": "from_the_future", "x": 1})
    reply()
"""
    )
    assert (await agent.prompt(1, "go")).ok
    assert bench.text("text").endswith("-32601 -32601\n")
    assert bench.entries("noise")[0]["text"].startswith("(node:1) Warning")
    assert any(entry["type"] == "from_the_future" for entry in bench.entries("update"))
    assert not caplog.records


async def test_images_are_noted_not_kept(bench: Any) -> None:
    agent = await bench.raw(
        """
def turn(text):
    image = {"type": "image", "mimeType": "image/png", "data": "QUJD" * 100000}
    note({"sessionUpdate": "agent_message_chunk", "content": image})
    shown = [{"type": "content", "content": image}]
    note({"sessionUpdate": "tool_call", "toolCallId": "t", "title": "shot", "content": shown})
    reply()
"""
    )
    assert (await agent.prompt(1, "go")).ok
    assert bench.text("text") == "[image image/png, 400000 characters]"
    assert "QUJD" not in Path(bench.transcript).read_text()


async def test_data_after_the_end_is_harmless(bench: Any) -> None:
    agent = await bench.raw(
        "def turn(text):\n reply()\n sys.stdin.read()\n say('late\\n')\n send(id=5, method='x')\n os._exit(0)"
    )
    assert (await agent.prompt(1, "go")).ok
    await agent.stop()
    assert bench.text("text") == "late\n" and len(bench.facts.of(Ended)) == 1


async def test_hostile_text_is_recorded_whole(bench: Any) -> None:
    agent = await bench.start(scripted("hostile"))
    turn = asyncio.ensure_future(agent.prompt(1, "go"))
    asked = await bench.facts.until(Asked)
    agent.answer(asked.question, None)
    assert (await turn).ok
    assert "\x1b]52;c;ZXZpbA==\x07" in bench.text("text") and "\u202e" in asked.title


# -- starting ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        (
            "print('no key', file=sys.stderr); sys.exit(2)",
            "exited with code 2 before it was ready; its last output: no key",
        ),
        ("def new(params): return Exception(-32000, 'Authentication required')", "wants you to log in"),
        ("def new(params): return Exception(-32603, 'Internal error', {'details': 'disk'})", "disk"),
        ("HELLO['protocolVersion'] = 2", "speaks version 2"),
        ("NEW.clear()", "does not keep to the protocol"),
        ("HELLO['protocolVersion'] = 0", "speaks version 0"),
        ("def new(params): out(b'{\"id\": %d, nonsense}\\n' % current[0])", "broken message"),
        ("def new(params): return None", "was not ready within 0.5 s"),
    ],
)
async def test_a_bad_start_is_refused_and_leaves_nothing(bench: Any, script: str, reason: str) -> None:
    refused = await bench.raw(script, start_timeout=0.5 if "None" in script else 30.0)
    assert isinstance(refused, Refused) and reason in refused.reason
    assert bench.facts == []
    assert bench.entries("ended")


async def test_a_missing_program_is_refused(bench: Any) -> None:
    refused = await bench.start(Launch(argv=("no-such-agent",)))
    assert isinstance(refused, Refused) and "no-such-agent" in refused.reason


async def test_a_program_that_is_no_agent_is_refused(bench: Any) -> None:
    refused = await bench.start(Launch(argv=("cat",)), start_timeout=5)
    assert isinstance(refused, Refused) and "-32601" in refused.reason


async def test_a_transcript_that_cannot_be_written_is_refused(bench: Any) -> None:
    bench.transcript = str(bench.folder / "no" / "such" / "folder")
    refused = await bench.raw("")
    assert isinstance(refused, Refused) and "cannot be written" in refused.reason


async def test_a_cancelled_start_leaves_nothing(bench: Any, eventually: Any) -> None:
    pid_file = bench.folder / "pid"
    script = f"open({str(pid_file)!r}, 'w').write(str(os.getpid()) + '.')\ndef new(params): return None"
    starting = asyncio.ensure_future(bench.raw(script))
    await eventually(lambda: pid_file.exists() and pid_file.read_text().endswith("."))
    starting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await starting
    assert not alive(int(pid_file.read_text()[:-1])) and bench.facts == []


async def test_a_conversation_is_loaded_in_a_new_process(bench: Any) -> None:
    agent = await bench.start(scripted("echo"))
    await agent.prompt(1, "first")
    await agent.stop()
    said = bench.text("text")
    conversation = bench.facts.of(Began)[0].conversation
    agent = await bench.start(scripted("echo"), conversation=conversation)
    began = bench.facts.of(Began)[1]
    assert began.resumed and began.conversation == conversation
    assert bench.text("text") == said, "the replayed history is not recorded twice"
    await agent.prompt(2, "second")
    assert (bench.folder / "work" / "hello.txt").read_text() == "first\nsecond\n"


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ("def load(params): return Exception(-32002, 'Session not found')", "Session not found"),
        ("HELLO['agentCapabilities'] = {}", "cannot load"),
        ("del HELLO['agentCapabilities']", "cannot load"),
    ],
)
async def test_a_conversation_that_cannot_be_loaded_starts_afresh(bench: Any, script: str, why: str) -> None:
    agent = await bench.raw(script, conversation="c-0")
    began = bench.facts.of(Began)[0]
    assert not began.resumed and began.conversation == "c-1"
    assert "fresh conversation" in began.detail and why in began.detail
    assert (await agent.prompt(1, "go")).ok


def test_the_library_is_not_loaded_before_it_is_needed() -> None:
    code = (
        "import sys, console.adapters.agents, console.adapters.agents.command\n"
        "sys.exit(', '.join({'acp', 'pydantic', 'textual'} & set(sys.modules)) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
