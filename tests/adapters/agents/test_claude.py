"""The driver of Claude Code as a peer, against a raw peer of our own that says what the real one does, and worse."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from console.adapters.agents import claude_agent, wire
from console.adapters.agents.claude_lines import Stream
from console.adapters.agents.claude_opening import peer_argv
from console.adapters.agents.claude_results import Turn
from console.adapters.agents.transcripts import Transcript, tail
from console.adapters.processes import process_start_time
from console.core.records import Launch, Output, Refused, Usage
from console.engine.ports import Answered, Asked, Began, Ended

PEER = Path(__file__).with_name("claude_peer.py")
OLD = "11111111-2222-4333-8444-555555555555"


async def peer(bench: Any, script: str, *arguments: str, **more: Any) -> Any:
    path = bench.folder / "script.py"
    path.write_text(script)
    launch = {key: more.pop(key) for key in ("mode", "resume", "output") if key in more}
    launch = {"resume": ("--resume", "{conversation}"), **launch}
    argv = (sys.executable, str(PEER), str(path), *arguments)
    return await bench.start(Launch(argv=argv, protocol="claude-stream", **launch), **more)


def began(bench: Any) -> Any:
    return bench.facts.of(Began)[-1]


# -- the command -------------------------------------------------------------------------------------------------


def test_the_command_gets_what_it_lacks() -> None:
    assert peer_argv(("claude",))[1:] == (
        *("-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose"),
        *("--permission-prompt-tool", "stdio", "--include-partial-messages"),
    )


def test_what_the_command_says_already_is_left_alone() -> None:
    own = ("claude", "--print", "--permission-prompt-tool=mcp__x", "--verbose", "--allowedTools", "Read", "Edit")
    argv = peer_argv(own)
    assert argv[: len(own)] == own and argv[len(own)] == "--input-format"
    assert not {"-p", "stdio"} & set(argv) and argv.count("--verbose") == 1


# -- turns -------------------------------------------------------------------------------------------------------

EDIT = """
def turn(text):
    say("hmm, ünsure", "thinking")
    say("I edit. ")
    tool("t1", "Edit", {"file_path": "a.py", "old_string": "1", "new_string": "2"})
    done("t1", [{"type": "text", "text": "edited"},
                {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "A" * 900}}])
    todos = [{"status": "completed", "content": "edit"}, {"status": "pending", "content": "run"}]
    tool("t2", "TodoWrite", {"todos": todos})
    done("t2", is_error=True)
    say("Done: " + text)
    result(usage={"input_tokens": 20, "output_tokens": 10}, total_cost_usd=0.25,
           modelUsage={"m": {"contextWindow": 1000}})
"""


async def test_a_turn_that_edits(bench: Any) -> None:
    agent = await peer(bench, EDIT)
    first = await agent.prompt(1, "write \ud800 ü this")
    second = await agent.prompt(2, "more")
    await agent.stop()

    assert (first.ok, first.stop, second.ok) == (True, "end_turn", True)
    assert first.usage == Usage(input_tokens=20, output_tokens=10, cost_usd=0.25)
    assert second.usage.cost_usd == 0.0, "the total is of the process, not of the turn"
    assert bench.text("text") == "I edit. \nDone: write ? ü this\nI edit. \nDone: more\n", (
        "streamed and whole, told once"
    )
    assert bench.text("thought").splitlines() == ["hmm, ünsure"] * 2
    edit = [entry for entry in bench.entries("tool") if entry["id"] == "t1"][:2]
    assert [e["tool"] for e in edit] == ["Edit: a.py"] * 2 and [e["status"] for e in edit] == [
        "in_progress",
        "completed",
    ]
    assert edit[1]["text"] == "edited\n[image image/png, 900 characters]" and edit[0]["paths"] == "a.py"
    assert [e["status"] for e in bench.entries("tool") if e["id"] == "t2"][:2] == ["in_progress", "failed"]
    assert bench.entries("plan")[0]["text"] == "completed: edit\npending: run"
    costs = bench.entries("usage")
    assert costs[0]["used"] == 15 and costs[3] == {**costs[3], "input": 20, "output": 10, "usd": 0.25, "window": 1000}
    assert began(bench).conversation and began(bench).detail == "Claude Code 9.9.9; mode default"
    assert bench.facts.of(Ended)[0].end.how == "exited" and len(bench.facts.of(Ended)) == 1
    assert [e["kind"] for e in bench.entries()][-2:] == ["turn-end", "ended"]
    assert process_start_time(began(bench).pid) is None


@pytest.mark.parametrize(
    ("more", "stop"),
    [
        ({"is_error": True, "terminal_reason": "api_error"}, "error"),
        ({"is_error": "no"}, "error"),
        ({"subtype": "error_max_turns"}, "error"),
        ({"terminal_reason": "hook_stopped"}, "hook_stopped"),
        ({"stop_reason": "max_tokens"}, "max_tokens"),
        ({"stop_reason": "refusal"}, "refusal"),
    ],
)
def test_only_a_good_result_is_ok(tmp_path: Path, more: dict[str, Any], stop: str) -> None:
    stream = Stream(Transcript(str(tmp_path / "t")))
    good = {
        "type": "result",
        "is_error": False,
        "subtype": "success",
        "terminal_reason": "completed",
        "result": "Well!",
    }
    assert stream.outcome(good).ok and stream.outcome({**good, "terminal_reason": None, "stop_reason": None}).ok
    bad = stream.outcome({**good, **more})
    assert (bad.ok, bad.stop) == (False, stop) and bad.detail


@pytest.mark.parametrize(
    ("more", "ok", "fault"),
    [
        ({"final": True}, True, ""),
        ({}, False, ""),
        ({"final": True, "is_error": True}, False, ""),
        ({"final": True, "is_error": True, "code": "credits"}, False, "limit"),
    ],
)
def test_marks_of_the_preset_can_only_make_it_worse(tmp_path: Path, more: dict[str, Any], ok: bool, fault: str) -> None:
    output = Output(ended=({"final": True},), limit=({"code": "credits"},))
    stream = Stream(Transcript(str(tmp_path / "t")), output)
    result = {"type": "result", "is_error": False, "subtype": "success", **more}
    stream.take(result)
    found = stream.outcome(result)
    assert (found.ok, found.fault) == (ok, fault)


RESULTS = """
def turn(text):
    if text == "one":
        put(type="command_lifecycle", command_uuid=prompt["uuid"], state="started")
        result(user_message_uuid="somebody-else", result="theirs", is_error=True)
        result(user_message_uuid=None, origin={"kind": "task-notification"}, is_error=True)
        result(), respond("zz")
        put(type="control_response", response=7), put(type="control_request"), put(type="nonsense", x=1)
    else:
        result(user_message_uuid=None, origin={"kind": "task-notification"}, is_error=True)
        result(user_message_uuid=None)
"""


async def test_results_of_other_work_end_no_turn(bench: Any) -> None:
    agent = await peer(bench, RESULTS)
    assert (await agent.prompt(1, "one")).ok
    assert (await agent.prompt(2, "two")).ok, "a peer that does not repeat the prompt's id"


async def test_what_a_turn_spent_before_its_agent_died_is_told(bench: Any) -> None:
    result = await (await peer(bench, "def turn(text): say('one'), say('two'), os._exit(1)")).prompt(1, "go")
    assert result.stop == "died" and result.usage == Usage(input_tokens=20, output_tokens=10)


def test_a_bad_result_at_once_behind_a_good_one_counts() -> None:
    turn = Turn("mine")
    good = {"type": "result", "is_error": False, "user_message_uuid": "mine"}
    turn.take(good)
    turn.take({**good, "is_error": True, "user_message_uuid": "other"})
    assert turn.over and turn.result == good
    turn.take({**good, "is_error": True})
    turn.take(good)
    assert turn.result == {**good, "is_error": True}


@pytest.mark.parametrize("parts", [1, 20])
async def test_nobody_agrees_for_the_session_to_what_is_not_shown(bench: Any, parts: int) -> None:
    rules = [{"toolName": "Read", "ruleContent": f"src/part{n}/**"} for n in range(parts)]
    changes = [{"type": "addRules", "rules": rules}, {"type": "setMode", "mode": "bypassPermissions"}]
    agent = await peer(bench, f"def turn(text): ask('Bash', {{'command': 'ls'}}, *{changes!r}), result()")
    turn = asyncio.ensure_future(agent.prompt(1, "go"))
    options = (await bench.facts.until(Asked)).options
    always = [option.name for option in options if option.kind == "allow_always"]
    assert len(always) == (parts == 1) and all("bypassPermissions" in name for name in always)
    assert agent.answer("q-1", "allow") and (await turn).ok


def test_a_prompt_that_was_cancelled_before_it_began_has_ended() -> None:
    turn = Turn("mine")
    turn.take({"type": "command_lifecycle", "command_uuid": "other", "state": "cancelled"})
    before = turn.over
    turn.take({"type": "command_lifecycle", "command_uuid": "mine", "state": "cancelled"})
    assert (before, turn.over) == (False, True) and turn.result and turn.result["is_error"]


BACKGROUND = """
def state(word): put(type="system", subtype="session_state_changed", state=word)
def tasks(*listed): put(type="system", subtype="background_tasks_changed", tasks=list(listed))
AGENT, SHELL = {"task_id": "a1", "task_type": "local_agent"}, {"task_id": "b1", "task_type": "local_bash"}

def turn(text):
    state("running"), tasks(AGENT, SHELL), say("the agents work"), result()
    if text == "cancel":
        asked = [receive()["request"] for _ in range(2)]
        return say(asked[0]["subtype"] + " " + asked[1].get("task_id", "")), tasks(SHELL), state("idle")
    ask("Bash", {"command": "by an agent"})
    tasks(SHELL), put(type="system", subtype="init")
    time.sleep(0.3)
    bad = {"is_error": True, "api_error_status": 529} if text == "bad" else {}
    say("and are done"), result(user_message_uuid=None, origin={"kind": "task-notification"}, **bad), state("idle")
"""


async def test_a_turn_is_not_over_while_its_agents_work(bench: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claude_agent, "SETTLE", 0.1)
    agent = await peer(bench, BACKGROUND)
    for number, text in enumerate(("good", "bad"), 1):
        turn = asyncio.ensure_future(agent.prompt(number, text))
        asked = await bench.facts.until(Asked, number)
        assert not turn.done() and agent.answer(asked.question, "allow")
        result = await turn
        assert (result.ok, result.fault) == ((True, "") if text == "good" else (False, "overload"))
        assert bench.text("text").endswith("and are done\n") and not bench.entries("event")


async def test_a_cancel_stops_the_agents_in_the_background(bench: Any, eventually: Any) -> None:
    agent = await peer(bench, BACKGROUND)
    turn = asyncio.ensure_future(agent.prompt(1, "cancel"))
    await eventually(lambda: bench.entries("usage"))
    await agent.cancel()
    assert ((await turn).ok, (await turn).stop) == (False, "cancelled")
    assert bench.text("text").endswith("interrupt a1\n")


async def test_an_idleness_that_is_never_told_is_not_waited_for(bench: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claude_agent, "SETTLE", 0.1)
    agent = await peer(bench, BACKGROUND + "\ndef turn(text): state('running'), tasks(SHELL), result()\n")
    assert (await agent.prompt(1, "go")).ok


BY_ITSELF = """
def turn(text):
    result()
    say("I go on by myself")
    interrupted()
    open("hushed", "w").close()
"""


async def test_work_that_nobody_asked_for_is_interrupted(bench: Any, eventually: Any) -> None:
    agent = await peer(bench, BY_ITSELF)
    assert (await agent.prompt(1, "go")).ok
    await eventually((bench.folder / "work" / "hushed").exists)
    assert [e["type"] for e in bench.entries("event")] == ["interrupted"]


# -- questions ---------------------------------------------------------------------------------------------------

QUESTION = """
def turn(text):
    rule = {"type": "addRules", "rules": [{"toolName": "Bash", "ruleContent": "rm *"}], "destination": "localSettings"}
    given = {"command": "rm -rf x\\nmore"}
    say(json.dumps(ask("Bash", given, *([rule] if text == "rule" else []))))
    result()
"""
ALLOWED = {"behavior": "allow", "updatedInput": {"command": "rm -rf x\nmore"}}


async def test_questions_wait_for_their_answers(bench: Any) -> None:
    agent = await peer(bench, QUESTION)
    for number, option in enumerate(("allow", "deny", None, "always"), 1):
        turn = asyncio.ensure_future(agent.prompt(number, "rule" if option == "always" else "plain"))
        asked = await bench.facts.until(Asked, number)
        assert (asked.question, asked.title) == (f"q-{number}", "Bash: rm -rf x ...")
        kinds = [o.kind for o in asked.options]
        assert kinds == ["allow_once", *(["allow_always"] if option == "always" else []), "reject_once"]
        assert not agent.answer("q-9", "allow") and not agent.answer(asked.question, "no such option")
        assert agent.answer(asked.question, option) and not agent.answer(asked.question, option)
        assert (await turn).ok
    said = [json.loads(line) for line in bench.text("text").splitlines()]
    assert said[0] == ALLOWED and [one["behavior"] for one in said[1:3]] == ["deny", "deny"]
    rules = [{"toolName": "Bash", "ruleContent": "rm *"}]
    changes = [{"type": "addRules", "rules": rules, "destination": "session"}]
    assert said[3] == {**ALLOWED, "updatedPermissions": changes}, "no file of settings in the worktree"
    assert "Bash(rm *)" in bench.facts.of(Asked)[3].options[1].name
    assert [fact.option for fact in bench.facts.of(Answered)] == ["allow", "deny", "", "always"]


CHOICE = """
def turn(text):
    red, blue = {"label": "Red"}, {"label": "Blue"}
    one = {"question": "Which colour?", "options": [red, blue]}
    say(ask("AskUserQuestion", {"questions": [one, one]})["behavior"])
    say(ask("AskUserQuestion", {"questions": [one]})["updatedInput"]["answers"]["Which colour?"])
    result()
"""


async def test_a_question_to_the_operator_offers_its_own_answers(bench: Any) -> None:
    agent = await peer(bench, CHOICE)
    turn = asyncio.ensure_future(agent.prompt(1, "go"))
    asked = await bench.facts.until(Asked)
    assert asked.title == "Which colour?" and [o.name for o in asked.options] == ["Red", "Blue"]
    assert agent.answer("q-1", asked.options[1].id) and (await turn).ok
    assert bench.text("text") == "deny\nBlue\n"


TWO = """
def turn(text):
    for ident in ("a", "b", "c"):
        request(ident, subtype="can_use_tool", tool_name="Read", input={"file_path": ident})
    put(type="control_cancel_request", request_id="b")
    say("withdrawn ")
    first = answer_to("a")
    request("h", subtype="hook_callback", callback_id="x", input={})
    say(first["response"]["behavior"] + answer_to("c")["response"]["behavior"] + answer_to("h")["subtype"])
    put(type="control_cancel_request", request_id="zz")
    result()
"""


async def test_one_question_at_a_time_and_none_that_was_withdrawn(bench: Any, eventually: Any) -> None:
    agent = await peer(bench, TWO)
    turn = asyncio.ensure_future(agent.prompt(1, "go"))
    await eventually(lambda: bench.text("text"))
    assert len(bench.facts.of(Asked)) == 1 and not agent.answer("q-3", "allow"), "it was not asked yet"
    assert agent.answer("q-1", "allow")
    assert (await bench.facts.until(Asked, 2)).title == "Read: c" and agent.answer("q-3", "deny")
    assert (await turn).ok and bench.text("text") == "withdrawn \nallowdenyerror\n"


EARLY = """
def boot():
    request("early", subtype="can_use_tool", tool_name="Bash", input={})
    open("early", "w").write(answer_to("early")["response"]["behavior"])

def turn(text):
    request("held", subtype="can_use_tool", tool_name="Bash", input={"command": "rm"})
    line = receive()
    while line.get("request", {}).get("subtype") != "interrupt":
        line = receive()
    respond(line["request_id"])
    held = answer_to("held")["response"]["behavior"]
    late = ask("Bash", {})["behavior"]
    open("late", "w").write(held + late)
    result(is_error=True, subtype="error_during_execution", terminal_reason="aborted_tools", api_error_status=529)
"""


async def test_nobody_is_asked_before_a_turn_or_after_a_cancel(bench: Any) -> None:
    """The initialize request is read while the early question waits, and answered by the peer's own loop."""
    agent = await peer(bench, EARLY)
    turn = asyncio.ensure_future(agent.prompt(1, "go"))
    await bench.facts.until(Asked)
    await agent.cancel()
    result = await turn
    assert (result.ok, result.stop, result.fault) == (False, "cancelled", "")
    assert (bench.folder / "work" / "early").read_text() == "deny"
    assert (bench.folder / "work" / "late").read_text() == "denydeny"
    assert [(f.question, f.option) for f in bench.facts.of(Answered)] == [("q-1", "")]


# -- signs of life -----------------------------------------------------------------------------------------------

MID_TOOL = """
def turn(text):
    if text != "go":
        return result()
    tool("t1", "Bash", {"command": "make", "timeout": 5000})
    put(type="tool_progress", tool_use_id="t1", tool_name="Bash", elapsed_time_seconds=30, heartbeat=True)
    interrupted()
"""


async def test_a_cancel_in_the_middle_of_a_tool(bench: Any, eventually: Any) -> None:
    agent = await peer(bench, MID_TOOL)
    turn = asyncio.ensure_future(agent.prompt(1, "go"))
    await eventually(lambda: agent.vital().tools)
    assert [(tool.name, tool.budget) for tool in agent.vital().tools] == [("Bash: make", 5.0)]
    with pytest.raises(RuntimeError, match="already running"):
        await agent.prompt(2, "again")
    await agent.cancel()
    assert (await turn).stop == "cancelled" and not bench.facts.of(Ended)
    assert (await agent.prompt(2, "more")).ok and not agent.vital().tools
    await agent.cancel()


def test_what_is_progress_and_what_is_not(tmp_path: Path) -> None:
    stream = Stream(Transcript(str(tmp_path / "t")))

    def adds(event: dict[str, Any]) -> int:
        before = stream.signs.progress
        stream.take(event)
        return stream.signs.progress - before

    def delta(**event: Any) -> dict[str, Any]:
        return {"type": "stream_event", "event": event}

    retry = {"type": "system", "subtype": "api_retry", "attempt": 1, "error": "overloaded", "error_status": 529}
    heartbeat = {"type": "tool_progress", "tool_use_id": "t", "elapsed_time_seconds": 30, "heartbeat": True}
    use = {"type": "assistant", "message": {"content": [{"type": "tool_use", "id": "t", "name": "Bash", "input": {}}]}}
    assert adds(delta(type="content_block_delta", delta={"type": "text_delta", "text": "word"})) == 1
    assert adds(delta(type="content_block_delta", delta={"type": "input_json_delta", "partial_json": '{"a'})) == 1
    assert adds(use) == 1 and adds({"type": "system", "subtype": "thinking_tokens", "estimated_tokens": 7}) == 1
    still = (retry, heartbeat, delta(type="ping"), {"type": "system", "subtype": "status", "status": "requesting"})
    assert [adds(event) for event in (*still, {"type": "keep_alive"}, {"type": "system", "subtype": "init"})] == [0] * 6
    assert [tool.name for tool in stream.signs.vital().tools] == ["Bash"]


def test_rounds_without_a_word_are_counted(tmp_path: Path) -> None:
    stream = Stream(Transcript(str(tmp_path / "t")))

    def round_of(*inner: dict[str, Any]) -> int:
        for event in ({"type": "message_start", "message": {"id": "m"}}, *inner, {"type": "message_stop"}):
            stream.take({"type": "stream_event", "event": event})
        return stream.signs.vital().rounds

    word = {"type": "content_block_delta", "delta": {"type": "text_delta", "text": "x"}}
    called = {"type": "content_block_start", "content_block": {"type": "tool_use", "name": "Bash"}}
    assert [round_of(), round_of(), round_of(word), round_of(), round_of(called), round_of()] == [1, 2, 0, 1, 0, 1]


# -- trouble -----------------------------------------------------------------------------------------------------

RETRY = """
def turn(text):
    error = {"529": "overloaded", "401": "authentication_failed"}.get(text, "rate_limit")
    put(type="system", subtype="api_retry", attempt=1, max_retries=10, retry_delay_ms=2000, error_status=int(text[:3]),
        error=error)
    if text == "429 with a reset":
        info = {"status": "rejected", "resetsAt": time.time() + 3600, "rateLimitType": "five_hour"}
        put(type="rate_limit_event", rate_limit_info=info)
    if text == "529":
        return result()
    result(is_error=True, terminal_reason="api_error", api_error_status=int(text[:3]), result="API Error: " + text[:3])
"""


async def test_retries_limits_and_logins(bench: Any) -> None:
    agent = await peer(bench, RETRY)
    overload, limit, auth = [await agent.prompt(n, t) for n, t in enumerate(("529", "429 with a reset", "401"), 1)]
    assert (overload.ok, overload.fault) == (True, "")
    assert (limit.ok, limit.stop, limit.fault, limit.code) == (False, "error", "limit", 429)
    assert 3500 < limit.until - time.time() < 3700
    assert (auth.ok, auth.fault, auth.until, auth.detail) == (False, "auth", 0.0, "API Error: 401")
    retry = bench.entries("retry")[0]
    assert (retry["text"], retry["attempt"], retry["of"]) == ("overloaded (status 529)", 1, 10)
    assert 0 < retry["until"] - retry["at"] < 3


async def test_death_in_a_turn(bench: Any) -> None:
    agent = await peer(
        bench, "def turn(text): print('so long', file=sys.stderr, flush=True); say('w'); os.kill(os.getpid(), 9)"
    )
    result = await agent.prompt(1, "go")
    assert (result.ok, result.stop) == (False, "died") and "so long" in result.detail
    assert (await bench.facts.until(Ended)).end.signal == 9
    assert (await agent.prompt(2, "go")).stop == "died"


async def test_half_lines_garbage_and_the_end_of_output(bench: Any) -> None:
    agent = await peer(
        bench,
        "def turn(text):\n"
        " out(b'\\x00\\xff\\xfe binary\\n[1, 2]\\n\\n{\"type\": \"res\\n' + b'[' * 100000 + b'\\n')\n"
        " put(type=['odd']); put(type='assistant', message=7);\n"
        " put(type='user', message={'content': [5, {'type': 'tool_result'}]})\n"
        " put(type='stream_event', event=[]); put(type='result', subtype=None) if text == 'odd' else result()\n"
        " if text == 'end': out(b'{\"type\": \"half'); os._exit(3)",
    )
    assert (await agent.prompt(1, "go")).ok
    assert [e["text"][:12] for e in bench.entries("noise")][:3] == ["\x00\ufffd\ufffd binary", "[1, 2]", '{"type": "re']
    assert (await agent.prompt(2, "odd")).stop == "error", "a result that says nothing good is a bad one"
    assert (await agent.prompt(3, "end")).ok
    assert (await bench.facts.until(Ended)).end.code == 3 and '{"type": "half' in bench.text("noise")


async def test_a_line_without_end_ends_the_session(bench: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "LINE_BYTES", 1024 * 1024)
    agent = await peer(bench, "def turn(text):\n while True: out(b'x' * 65536)")
    result = await agent.prompt(1, "go")
    assert (result.ok, result.stop) == (False, "protocol") and "more than 1 MB" in result.detail
    assert (await bench.facts.until(Ended)).end.stopped


async def test_a_hung_agent_gets_no_patience(bench: Any, eventually: Any) -> None:
    agent = await peer(bench, "def turn(text):\n say('up')\n while True: time.sleep(600)")
    turn = asyncio.ensure_future(agent.prompt(1, "go"))
    await eventually(lambda: bench.text("text"))
    await agent.stop(patience=0.0)
    assert (await turn).stop == "stopped" and bench.facts.of(Ended)[0].end.stopped


# -- starting and going on ---------------------------------------------------------------------------------------


async def test_an_agent_that_says_nothing_is_not_up(bench: Any) -> None:
    script = "def boot():\n print('loading', file=sys.stderr, flush=True)\n time.sleep(600)"
    refused = await peer(bench, script, start_timeout=0.6)
    assert isinstance(refused, Refused) and "was not ready within 0.6 s; its last output: loading" in refused.reason
    assert not bench.facts


async def test_an_agent_that_leaves_or_refuses_is_not_up(bench: Any) -> None:
    refused = await peer(bench, "def boot(): print('unknown option', file=sys.stderr); sys.exit(2)")
    assert "exited with code 2 before it was ready" in refused.reason and "unknown option" in refused.reason
    refused = await peer(bench, "def respond(ident, **_): put(type='control_response', response="
                         "{'subtype': 'error', 'request_id': ident, 'error': 'no such mode'})")  # fmt: skip
    assert refused.reason.endswith("refused to begin: no such mode")


RESUME = """
def boot():
    resumed = "--resume" in ARGV
    if resumed and SESSION[0].startswith("9"):
        print("No conversation found with session ID: " + SESSION[0], file=sys.stderr)
        result(is_error=True, subtype="error_during_execution", errors=["No conversation found with session ID"])
        sys.exit(1)
    if resumed and SESSION[0].startswith("8"):
        SESSION[0] = "77777777-2222-4333-8444-555555555555"

def turn(text):
    say(" ".join(ARGV[ARGV.index("--include-partial-messages") + 1:]))
    result(total_cost_usd=5.0, model_usage_since_last_result={"m": {"inputTokens": 3, "costUSD": 0.5}})
"""


async def test_a_conversation_goes_on_in_a_new_process(bench: Any) -> None:
    agent = await peer(bench, RESUME, conversation=OLD, mode="acceptEdits")
    assert (await agent.prompt(1, "go")).usage == Usage(input_tokens=3, cost_usd=0.5)
    assert bench.text("text") == f"--resume {OLD}\n"
    (fact,) = bench.facts.of(Began)
    assert (fact.conversation, fact.resumed) == (OLD, True) and fact.detail.endswith("mode acceptEdits")


@pytest.mark.parametrize("old", ["9" + OLD[1:], "a title of another conversation", ""])
async def test_a_conversation_that_is_lost_is_a_fresh_one_and_says_so(bench: Any, old: str) -> None:
    agent = await peer(bench, RESUME, conversation=old or OLD, resume=("--resume", "{conversation}") if old else ())
    (fact,) = bench.facts.of(Began)
    assert not fact.resumed and fact.detail.startswith("started a fresh conversation: ")
    assert fact.conversation not in (old, OLD)
    assert (await agent.prompt(1, "go")).ok and bench.text("text") == f"--session-id {fact.conversation}\n"


async def test_another_conversation_is_never_taken_for_the_one_asked_for(bench: Any) -> None:
    agent = await peer(bench, RESUME, conversation="8" + OLD[1:])
    assert (await agent.prompt(1, "go")).ok
    first, second = bench.facts.of(Began)
    assert first.resumed and (second.resumed, second.conversation[:2]) == (False, "77")
    assert second.detail.startswith("started a fresh conversation: ") and second.pid == first.pid


async def test_a_program_that_is_not_there_is_refused(bench: Any) -> None:
    refused = await bench.start(Launch(argv=("no-such-claude",), protocol="claude-stream"))
    assert isinstance(refused, Refused) and "no-such-claude could not be started" in refused.reason


def test_half_a_message_is_told_once_and_what_comes_instead_is_told_too(tmp_path: Path) -> None:
    """A cut connection: the model's answer is asked for again, streamed or not."""
    path = str(tmp_path / "t")
    transcript = Transcript(path)
    stream = Stream(transcript)
    for message, text in (("m1", "half a sen"), ("m2", "a sentence")):
        stream.take({"type": "stream_event", "event": {"type": "message_start", "message": {"id": message}}})
        piece = {"type": "text_delta", "text": text}
        stream.take({"type": "stream_event", "event": {"type": "content_block_delta", "delta": piece}})
    whole = [{"type": "text", "text": "a sentence, whole"}, {"type": "text", "text": "another"}]
    stream.take({"type": "assistant", "message": {"id": "m2", "content": whole}})
    transcript.close()
    assert "".join(entry["text"] for entry in tail(path)) == "half a sen\na sentence, whole\nanother\n"
