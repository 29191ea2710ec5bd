"""The tool server that an agent is handed: how each protocol names it, and which permissions nobody is asked for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from console.adapters.agents import loading, owntools
from console.adapters.agents.claude_opening import opening
from console.adapters.agents.questions import Questions
from console.adapters.agents.transcripts import Transcript, tail
from console.core.records import Launch
from console.engine.ports import AgentFact, AgentSpec, McpServer
from console.mcp.own import OwnTools
from console.mcp.scope import Scope

SERVER = McpServer(name="nightdesk", argv=("/py", "-m", "console", "mcp"), env={"HOME": "/h"})
OPTIONS = [{"optionId": "ever", "kind": "allow_always"}, {"optionId": "now", "kind": "allow_once"}]


def spec(*servers: McpServer, conversation: str = "") -> AgentSpec:
    launch = Launch(argv=("claude",), protocol="claude-stream", resume=("--resume", "{conversation}"))
    where = {"transcript": "/t", "stderr": "/e", "cwd": "/w", "conversation": conversation}
    return AgentSpec(session="s-1", run=1, launch=launch, env={}, mcp=servers, **where)


@pytest.mark.parametrize("conversation", ["", "0" * 8 + "-0000" * 3 + "-" + "0" * 12])
def test_claude_gets_it_inline_before_a_flag_that_ends_the_list(conversation: str) -> None:
    argv = opening(spec(SERVER, conversation=conversation)).argv
    at = argv.index("--mcp-config")
    assert json.loads(argv[at + 1])["mcpServers"]["nightdesk"] == {
        "type": "stdio",
        "command": "/py",
        "args": ["-m", "console", "mcp"],
        "env": {"HOME": "/h"},
    }
    assert argv[at + 2 : at + 4] == ("--allowedTools", "mcp__nightdesk")
    assert argv[at + 4] == ("--resume" if conversation else "--session-id")
    assert "--mcp-config" not in opening(spec(conversation=conversation)).argv


def test_an_acp_agent_gets_it_with_its_session() -> None:
    (told,) = loading.handed(spec(SERVER))
    assert told.model_dump(by_alias=True, exclude_none=True) == {
        "name": "nightdesk",
        "command": "/py",
        "args": ["-m", "console", "mcp"],
        "env": [{"name": "HOME", "value": "/h"}],
    }
    assert loading.handed(spec()) == []


class Desk:
    def __init__(self, folder: Path, *servers: McpServer) -> None:
        self.path, self.replies, self.facts = str(folder / "t.jsonl"), [], []
        self.replies: list[Any]
        self.facts: list[AgentFact]
        ours = owntools.recogniser(servers)
        transcript = Transcript(self.path)
        self.questions = Questions(self._reply, self.facts.append, transcript, ours=ours)
        self.questions.reopen()

    def _reply(self, _request: Any, result: dict[str, Any]) -> None:
        self.replies.append(result["outcome"].get("optionId"))

    def ask(self, options: Any = OPTIONS, **tool: Any) -> bool:
        """Whether a person was asked."""
        self.questions.ask(1, {"toolCall": {"toolCallId": "c", "kind": "other", **tool}, "options": options})
        return bool(self.facts)


@pytest.mark.parametrize(
    "title", ["mcp__nightdesk__ask_human", "park_ticket (nightdesk MCP Server)", "nightdesk_my_ticket"]
)
def test_a_tool_of_ours_needs_nobodys_word_and_is_allowed_once(tmp_path: Path, title: str) -> None:
    desk = Desk(tmp_path, SERVER)
    assert not desk.ask(title=title, rawInput={"question": "Which?"}) and desk.replies == ["now"]
    assert [entry["kind"] for entry in tail(desk.path)] == ["answer"]


@pytest.mark.parametrize(
    "tool",
    [
        {"title": "mcp__nightdesk__ask_human; rm -rf ."},
        {"title": "mcp__nightdesk__ack_policy"},
        {"title": "mcp__other__ask_human"},
        {"title": "mcp__nightdesk__ask_human", "kind": "execute"},
        {"title": "mcp__nightdesk__ask_human", "rawInput": {"command": "mcp__nightdesk__ask_human"}},
        {"title": "mcp__nightdesk__ask_human", "locations": [{"path": "/etc/passwd"}]},
        {"title": "mcp__nightdesk__ask_human", "options": [{"optionId": "ever", "kind": "allow_always"}]},
    ],
)
def test_whatever_shows_more_than_that_name_is_asked(tmp_path: Path, tool: dict[str, Any]) -> None:
    assert Desk(tmp_path, SERVER).ask(**tool)


def test_without_our_server_nothing_is_ours(tmp_path: Path) -> None:
    assert Desk(tmp_path).ask(title="mcp__nightdesk__ask_human")


def test_the_names_are_those_of_the_smaller_set() -> None:
    assert [one.name for one in OwnTools(Scope(None)).verbs()] == list(owntools.TOOLS)  # type: ignore[arg-type]
