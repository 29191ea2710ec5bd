"""What the agent of a session can do with the server that it is handed, and with one that it starts by itself."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from mcp.server.mcpserver.exceptions import ToolError
from mcprig import Desk, Here, until
from msgspec.structs import replace

import console.core.records
from console import wiring
from console.core.records import Launch
from console.core.sessions import Session
from console.mcp.scope import scope
from console.mcp.server import build, verbs
from console.supervision import handed

SMALL = ["ask_human", "park_ticket", "heartbeat", "my_ticket", "poll_events", "get_policy_status"]


def calls(folder: str | Path) -> list[dict[str, Any]]:
    file = Path(folder) / "calls.jsonl"
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def ask(question: str, *options: str, wait: int = 20_000) -> str:
    arguments = {"question": question, "options": options, "waitMs": wait}
    return "CALL " + json.dumps({"tool": "ask_human", "arguments": arguments})


async def question_of(call: Here, session: str, title: str) -> dict[str, Any]:
    for _ in range(400):
        told = (await call("get_session", sessionId=session, transcript=0)).get("question")
        if told and told["title"] == title:
            return dict(told)
        await asyncio.sleep(0.05)
    raise AssertionError(f"{title!r} was never asked")


async def test_the_smaller_set_asks_a_person_and_gets_the_answer_and_no_ack_is_in_reach(desk: Desk) -> None:
    call = desk.here()
    started = await call("start_session", preset="tools", worktree="asking")
    session, folder = started["sessionId"], started["cwd"]
    ack = 'CALL {"tool": "ack_policy", "arguments": {"policyId": "pol-1", "approve": true, "plan": "abc1234"}}'
    text = "\n".join(
        [
            "LIST",
            ack,
            "SPAWN",
            ask("Up, or to even?", "up", "to even"),
            ask("How many digits?", wait=300),
            ask("How many digits?"),
            'CALL {"tool": "heartbeat"}',
            'CALL {"tool": "my_ticket"}',
            'CALL {"tool": "park_ticket", "arguments": {"question": "Which?"}}',
            'CALL {"tool": "poll_events", "arguments": {"types": ["awaiting-input", "turn-start"]}}',
        ]
    )
    await call("prompt_session", sessionId=session, text=text)
    first = await question_of(call, session, "Up, or to even?")
    assert [option["name"] for option in first["options"]] == ["up", "to even"] and first["via"] == "inbox"
    assert desk.cli("session", "answer", session, "--option", "2") == f"answered {session}: 2 (Up, or to even?)\n"
    second = await question_of(call, session, "How many digits?")
    until(lambda: len(calls(folder)) >= 5, 10, "the first wait for digits is over")
    wrong = desk.failing("session", "answer", session, "--text", "two")
    assert f"--question {second['id']}" in wrong, "it may be meant for the question before"
    answered = await call("answer_session", sessionId=session, question=second["id"], text="two, as ever")
    assert answered["asked"] == "How many digits?"
    ended = await call("wait_for_any", sessionIds=[session], timeoutMs=30_000)
    assert ended["ended"] == [session]
    asked = await call("poll_events", types=["awaiting-input"], sessionIds=[session])
    listed, acked, spawned, chose, waiting, said, beat, ticket, parked, events = calls(folder)
    assert listed == {"tools": SMALL} and acked == {"error": "Unknown tool: ack_policy"}
    assert spawned == {"tools": [*SMALL, "Unknown tool: ack_policy"]}, "a fork out of the chain comes back to the shim"
    assert chose == {"status": "answered", "option": "2", "choice": "to even"}
    assert waiting["status"] == "waiting"
    assert said == {"status": "answered", "text": "two, as ever"}
    assert [event["title"] for event in asked["events"]] == ["Up, or to even?", "How many digits?"], (
        "each is asked once"
    )
    assert beat == {"beat": True} and ticket == {"session": session, "ticket": None}
    assert parked == {"error": "this session works on no ticket: ask_human asks the operator"}
    assert {event["session"] for event in events["events"]} == {session}


@pytest.mark.slow  # a whole run; `at_end` itself is shown in tests/engine
async def test_with_nobody_there_a_question_parks_the_ticket_also_when_the_turn_ends_right_after_it(desk: Desk) -> None:
    lines = "\n".join(['CALL {"tool": "my_ticket"}', ask("Which currency?", "EUR", "USD", wait=0)])
    call = desk.here()
    await call("add_ticket", text=f"# Add a note to notes.txt\n\nWrite one line.\n\n{lines}\n", id="currency")
    desk.cli("run", "--max-tickets", "1")
    (decision,) = (await call("list_decisions"))["decisions"]
    t = await call("get_ticket", ticketId="currency")
    assert (decision["question"], t["outcome"]) == ("Which currency?", "PARKED_DECISION")
    assert [option["text"] for option in decision["options"]] == ["EUR", "USD"]
    mine, *asked = calls(t["worktree"])
    assert (mine["attempt"], mine["gate"], mine["attended"]) == (1, ["git", "--version"], False)
    assert not asked or asked[0]["status"] in ("waiting", "parked")


def test_an_argument_or_a_variable_can_only_make_it_less(desk: Desk) -> None:
    here = wiring.locate(desk.repo, desk.env)
    assert not isinstance(here, console.core.records.Refused)
    assert not scope(here, "", {}).small
    for named, environ in (("s-1", {}), ("", {"NIGHTDESK_SESSION": f"{here.workspace.key}/s-1"})):
        made = scope(here, named, environ)
        assert (made.small, made.session) == (True, "s-1")
        assert [one.name for one in verbs(made)] == SMALL
    elsewhere = scope(here, "", {"NIGHTDESK_SESSION": "another/s-1"})
    assert (elsewhere.small, elsewhere.session, elsewhere.inbox) == (True, "", None)


async def test_the_operators_tools_are_refused_when_their_server_is_found_inside_a_session(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = wiring.locate(desk.repo, desk.env)
    assert not isinstance(here, console.core.records.Refused)
    server = build(scope(here, "", {}))
    monkeypatch.setattr("console.adapters.operator.inside_a_session", lambda: True)
    for name, arguments, why in (
        ("ack_policy", {"policyId": "pol-1", "approve": False}, "approving is for the operator"),
        ("answer_session", {"sessionId": "s-1", "question": "q", "option": "1"}, "answering is for the operator"),
        ("list_sessions", {}, "list_sessions of the operator's tools is for the operator"),
    ):
        with pytest.raises(ToolError, match=why):
            await server.call_tool(name, arguments)


def test_an_agent_is_handed_a_server_for_its_session_unless_its_preset_says_no(desk: Desk) -> None:
    here = desk.here().scope.here
    session = Session(session="s-7", label="", preset="tools", launch=Launch(argv=("x",)), cwd="/w", worktree="/w")
    (server,) = handed(here, session)
    assert Path(server.argv[0]).is_absolute() and server.argv[1] == "-P"
    assert server.argv[-4:] == (str(desk.repo), "mcp", "--session", "s-7")
    assert server.env["NIGHTDESK_SESSION"] == f"{here.workspace.key}/s-7"
    assert Path(server.env["NIGHTDESK_INBOX"]) == here.places.inbox("s-7")
    assert handed(here, replace(session, preset="echo")) == ()
