"""The mode of an ACP session, against raw agents: set before the first turn, refused with what there is, kept."""

from __future__ import annotations

from typing import Any

import pytest

from console.core.records import Refused

MODES = """
NEW["modes"] = {"currentModeId": "auto", "availableModes": [{"id": "ask", "name": "Ask"}, {"id": "edits", "name": "E"},
    {"id": "yolo", "name": "Y"}, {"id": "plan", "name": "Plan"}]}
SET = []
def set_mode(params): SET.append(params["modeId"]); return {}
"""
OPTIONS = """
CHOICES = [{"value": "build", "name": "Build"}, {"value": "plan", "name": "Plan"}]
OPTION = {"id": "agent", "name": "Agent", "category": "mode", "type": "select", "currentValue": "build",
    "options": CHOICES}
NEW["configOptions"] = [{"id": "odd", "name": "Odd", "type": "slider", "currentValue": 3}, OPTION]
SET = []
def set_option(params): SET.append(params); return {"configOptions": [{**OPTION, "currentValue": params["value"]}]}
"""
CHANGE = "note({'sessionUpdate': 'current_mode_update', 'currentModeId': %r})\n"


def told(bench: Any) -> list[str]:
    return [entry["text"] for entry in bench.entries("update") if entry["type"] == "current_mode_update"]


async def test_the_mode_is_set(bench: Any) -> None:
    agent = await bench.raw(MODES + "def turn(text): say(' '.join(SET)); reply()", mode="edits")
    assert (await agent.prompt(1, "go")).ok and bench.text("text") == "edits"


@pytest.mark.parametrize("grouped", [False, True])
async def test_an_agent_without_modes_has_its_option_set(bench: Any, grouped: bool) -> None:
    group = 'OPTION["options"] = [{"group": "g", "name": "G", "options": CHOICES}]\n' if grouped else ""
    agent = await bench.raw(
        OPTIONS + group + "def turn(text): say(SET[0]['configId'] + '=' + SET[0]['value']); reply()", mode="plan"
    )
    assert (await agent.prompt(1, "go")).ok and bench.text("text") == "agent=plan"


@pytest.mark.parametrize(
    ("script", "mode", "reason"),
    [
        (MODES, "x", "has no mode x: it offers ask, edits, yolo, plan"),
        (OPTIONS, "x", "has no mode x: it offers build, plan"),
        ("", "x", "has no mode x: it offers no modes"),
        (MODES + "def set_mode(p): return Exception(-32602, 'not as root')", "yolo", "refused the mode yolo: not as"),
        (OPTIONS + "def set_option(p): return {'configOptions': [OPTION]}", "plan", "stays in build"),
    ],
)
async def test_an_agent_that_cannot_be_brought_into_the_mode_does_not_start(
    bench: Any, script: str, mode: str, reason: str
) -> None:
    refused = await bench.raw(script, mode=mode)
    assert isinstance(refused, Refused) and reason in refused.reason


async def test_a_loaded_conversation_that_tells_no_modes_lets_the_agent_decide(bench: Any) -> None:
    script = (
        "def turn(text): reply()\ndef set_mode(p): return {} if p['modeId'] == 'edits' else Exception(-32602, 'no')"
    )
    agent = await bench.raw(script, mode="edits", conversation="c-0")
    assert (await agent.prompt(1, "go")).ok
    refused = await bench.raw(script, mode="x", conversation="c-0")
    assert isinstance(refused, Refused) and "refused the mode x" in refused.reason


async def test_an_agent_that_allows_itself_more_is_set_back_once_a_turn(bench: Any, eventually: Any) -> None:
    agent = await bench.raw(
        MODES
        + "def turn(text):\n "
        + CHANGE % "yolo"
        + " frame = receive()\n SET.append(frame['params']['modeId']); send(id=frame['id'], result={})\n "
        + CHANGE % "edits"
        + " "
        + CHANGE % "yolo"
        + " say(' '.join(SET))\n reply()",
        mode="edits",
    )
    assert (await agent.prompt(1, "go")).ok and bench.text("text") == "edits edits"
    changed, back = "mode changed to yolo by the agent", "mode set back to edits"
    await eventually(lambda: len(told(bench)) == 3)
    assert sorted(told(bench)) == sorted([changed, back, changed])


async def test_an_agent_may_plan_but_the_next_turn_is_in_the_ordered_mode(bench: Any) -> None:
    agent = await bench.raw(
        MODES + "def turn(text):\n say(' '.join(SET) + '\\n')\n " + CHANGE % "plan" + " reply()", mode="edits"
    )
    assert (await agent.prompt(1, "go")).ok and (await agent.prompt(2, "go")).ok
    assert bench.text("text") == "edits\nedits edits\n"
    assert told(bench)[:2] == ["mode changed to plan by the agent", "mode set back to edits"]


async def test_a_mode_told_as_a_message_or_an_option_counts_too(bench: Any) -> None:
    """gemini says `[MODE_UPDATE] yolo`; agents with configuration options send all of them."""
    agent = await bench.raw(
        OPTIONS + "def turn(text):\n say('[MODE_UPDATE] yolo')\n"
        " note({'sessionUpdate': 'config_option_update', 'configOptions': [{**OPTION, 'currentValue': 'plan'}]})\n"
        " say('done')\n reply()"
    )
    assert (await agent.prompt(1, "go")).ok and bench.text("text") == "done"
    assert told(bench) == ["mode changed to yolo by the agent", "mode changed to plan by the agent"]
