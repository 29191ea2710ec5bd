"""What the transcript holds of an ACP agent's updates: tools, plans, usage, retries; and nothing binary."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from console.adapters.agents.loading import cost_so_far
from console.adapters.agents.transcripts import Transcript, tail
from console.adapters.agents.updates import Updates
from console.core.records import Usage


class Desk:
    """Updates over a transcript."""

    def __init__(self, folder: Path) -> None:
        self.path = str(folder / "t.jsonl")
        self.transcript = Transcript(self.path)
        self.updates = Updates(self.transcript)

    def take(self, of: Any, meta: Any = None, **fields: Any) -> None:
        update = {"sessionUpdate": of, **fields}
        self.updates.take({"update": update if meta is None else {**update, "_meta": meta}})

    def entries(self, *kinds: str) -> list[dict[str, Any]]:
        self.transcript.flush()
        return [entry for entry in tail(self.path) if not kinds or entry["kind"] in kinds]


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_a_tool_keeps_what_was_said_of_it_until_it_ends(desk: Desk) -> None:
    """As claude-agent-acp tells it: no update repeats the title, the last one carries only the status."""
    desk.take("tool_call", toolCallId="t", title="Edit", kind="edit", status="pending", rawInput={}, content=[])
    desk.take("tool_call_update", toolCallId="t", title="Edit a.py", locations=[{"path": "a.py", "line": 1}])
    diff = {"type": "diff", "path": "a.py", "oldText": "two", "newText": "three"}
    desk.take("tool_call_update", toolCallId="t", content=[diff], rawInput={"old_string": "two"})
    desk.take("tool_call_update", toolCallId="t", meta={"claudeCode": {"toolName": "Edit"}})
    assert [tool.name for tool in desk.updates.signs.vital().tools] == ["Edit a.py"]
    desk.take("tool_call_update", toolCallId="t", status="completed", rawOutput="done")
    desk.take("tool_call_update", toolCallId="t")
    tools = desk.entries("tool")
    assert [e["tool"] for e in tools] == ["Edit", *["Edit a.py"] * 3]
    assert [e["status"] for e in tools] == [*["pending"] * 3, "completed"]
    assert tools[2]["text"] == "a.py\n-two\n+three" and tools[-1]["paths"] == "a.py" and tools[-1]["type"] == "edit"
    assert desk.updates.signs.vital().tools == ()


def test_what_is_said_again_is_not_recorded_again(desk: Desk) -> None:
    for _ in range(50):
        desk.take("tool_call_update", toolCallId="t", status="in_progress", title="bash", rawInput={"command": "make"})
        desk.take("usage_update", used=15, size=1000)
    assert [e["kind"] for e in desk.entries()] == ["tool", "usage"]
    assert desk.entries("tool")[0]["text"] == "$ make"


def test_new_files_terminals_and_two_places_of_a_change(desk: Desk) -> None:
    old = "\n".join(str(i) for i in range(60))
    new = old.replace("\n7\n", "\nseven\n").replace("\n50\n", "\nfifty\n")
    blocks = [
        {"type": "diff", "path": "new.py", "oldText": None, "newText": "x = 1\n"},
        {"type": "diff", "path": "old.py", "oldText": old, "newText": new},
        {"type": "terminal", "terminalId": "term-1"},
    ]
    desk.take("tool_call", toolCallId="t", title="Edit", content=blocks)
    (tool,) = desk.entries("tool")
    assert tool["text"].startswith("new.py (new file)\n+x = 1\nold.py\n@@ ")
    assert tool["text"].count("@@ ") == 2 and tool["text"].endswith("[terminal term-1]")
    assert tool["paths"] == "new.py\nold.py"


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"of": "plan", "entries": [{"content": "read\nit", "status": "completed"}]}, "completed: read it"),
        ({"of": "plan_update", "plan": {"type": "items", "entries": [{"content": "b", "status": "pending"}]}},
         "pending: b"),
        ({"of": "plan_update", "plan": {"type": "markdown", "content": "# Plan\n- a"}}, "# Plan\n- a"),
        ({"of": "plan_update", "plan": {"type": "file", "uri": "file:///p.md"}}, "file:///p.md"),
        ({"of": "plan_removed", "planId": "p"}, ""),
        ({"of": "plan", "entries": {"a": 1}}, ""),
    ],
)  # fmt: skip
def test_plans_of_every_shape(desk: Desk, fields: dict[str, Any], text: str) -> None:
    desk.take(**fields)
    assert [entry["text"] for entry in desk.entries("plan")] == [text]


def test_codex_says_that_it_tries_again(desk: Desk) -> None:
    desk.updates.turn()
    before = desk.updates.signs.progress
    for n in (1, 2):
        error = {"message": f"Reconnecting... {n}/5", "httpStatusCode": 529}
        desk.take("session_info_update", meta={"codex": {"error": error}})
    first, second = desk.entries("retry")
    assert (first["attempt"], first["of"], second["attempt"]) == (1, 5, 2) and "529" in first["text"]
    assert desk.updates.signs.progress == before and not desk.entries("update")


def test_codex_says_what_went_wrong_as_a_message(desk: Desk) -> None:
    desk.updates.turn()
    desk.take("agent_message_chunk", content={"type": "text", "text": "working on 503"})
    desk.take("session_info_update", meta={"codex": {"threadStatus": {"type": "systemError"}}})
    desk.take("agent_message_chunk", content={"type": "text", "text": "exceeded retry limit, last status: 429\n"})
    desk.take("agent_message_chunk", content={"type": "text", "text": "more"})
    assert desk.updates.trouble == "exceeded retry limit, last status: 429"


def test_tokens_told_by_the_round_are_added_up_for_the_turn(desk: Desk) -> None:
    for _ in range(2):
        desk.updates.turn()
        for _ in range(3):
            meta = {"usage": {"inputTokens": 10, "outputTokens": 5, "totalTokens": 15}}
            desk.take("agent_message_chunk", meta=meta, content={"type": "text", "text": ""})
        assert desk.updates.tokens == Usage(input_tokens=30, output_tokens=15)


def test_commands_and_settings_are_short(desk: Desk) -> None:
    desk.take("available_commands_update", availableCommands=[{"name": "init", "description": "x" * 9999}, 5])
    desk.take("config_option_update", configOptions=[{"id": "model", "currentValue": "m", "options": []}, 7])
    assert [entry["text"] for entry in desk.entries("update")] == ["init", "model=m"]


def test_nothing_binary_is_kept(desk: Desk) -> None:
    blob = "QUJD" * 50_000
    desk.take("agent_message_chunk", content={"type": "audio", "mimeType": "audio/wav", "data": blob})
    resource = {"uri": "file:///a.bin", "mimeType": "x/y", "blob": blob}
    desk.take("agent_message_chunk", content={"type": "resource", "resource": resource})
    image = {"type": "image", "mimeType": "image/png", "data": blob}
    desk.take("tool_call", toolCallId="t", title="shot", content=[{"type": "content", "content": image}])
    desk.take("tool_call", toolCallId="u", title="shot", rawInput={"image": {"mimeType": "image/png", "data": blob}})
    desk.take("from_the_future", image=image)
    assert "QUJDQUJD" not in Path(desk.path).read_text()
    assert "[audio audio/wav, 200000 characters][resource file:///a.bin, 200000 characters]" in "".join(
        entry["text"] for entry in desk.entries("text")
    )


def usd(desk: Desk, amount: float) -> None:
    desk.take("usage_update", used=1, size=9, cost={"amount": amount, "currency": "USD"})


def test_cost_is_counted_once_over_a_resume(desk: Desk) -> None:
    """claude-agent-acp goes on counting in a new process; an agent that begins anew is not counted for less."""
    desk.transcript.append("began", conversation="c", resumed=False)
    desk.updates.begin(0.0)
    for amount in (0.25, 0.75):
        desk.updates.turn()
        usd(desk, amount)
    assert desk.updates.turn_cost == 0.5 and cost_so_far(desk.path, "c") == 0.75
    again = Updates(desk.transcript)
    again.begin(cost_so_far(desk.path, "c"))
    again.turn()
    again.take({"update": {"sessionUpdate": "usage_update", "cost": {"amount": 1.0, "currency": "USD"}}})
    assert again.turn_cost == 0.25
    anew = Updates(desk.transcript)
    anew.begin(0.75)
    anew.turn()
    anew.take({"update": {"sessionUpdate": "usage_update", "cost": {"amount": 0.5, "currency": "USD"}}})
    assert anew.turn_cost == 0.5


def test_what_an_earlier_conversation_cost_is_only_said_when_it_is_known(desk: Desk) -> None:
    assert cost_so_far(desk.path, "c") is None
    desk.transcript.append("began", conversation="c", resumed=False)
    desk.transcript.append("usage", total=2.0)
    desk.transcript.append("began", conversation="other", resumed=False)
    desk.transcript.append("usage", total=9.0)
    assert (cost_so_far(desk.path, "c"), cost_so_far(desk.path, "other")) == (2.0, 9.0)
    desk.transcript.append("capped")
    assert cost_so_far(desk.path, "c") is None


def test_updates_of_no_shape_at_all_are_harmless(desk: Desk) -> None:
    odd: list[Any] = [None, 5, "x", [], {}, [{}], {"a": [1]}, True, 10**30]
    kinds: list[Any] = ["tool_call", "tool_call_update", "plan", "plan_update", "usage_update", "current_mode_update",
                        "config_option_update", "available_commands_update", "agent_message_chunk", "x", 7]  # fmt: skip
    names = ("toolCallId", "title", "status", "kind", "content", "locations", "rawInput", "entries", "plan", "used",
             "size", "cost", "currentModeId", "configOptions", "availableCommands", "_meta")  # fmt: skip
    for kind in kinds:
        for value in odd:
            desk.updates.take({"update": {"sessionUpdate": kind, **dict.fromkeys(names, value)}, "_meta": value})
    assert all(json.dumps(entry) for entry in desk.entries())
