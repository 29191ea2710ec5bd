"""Real agents find the tool server that they are handed, and their question reaches a person and comes back.

Nobody is asked whether the tool may be called: that is what an unattended night would be parked for.
"""

from __future__ import annotations

import json
import time
from pathlib import Path

import clis
import pytest
from rig import Json, Rig

NAMES = {
    "claude": "mcp__nightdesk__ask_human",
    "claude-acp": "mcp__nightdesk__ask_human",
    "gemini": "mcp_nightdesk_ask_human",
    "opencode": "nightdesk_ask_human",
}
"""How each agent names our tool to its model."""


def asked(rig: Rig, session: str) -> Json:
    """The question that the session waits with."""
    deadline = time.monotonic() + 90
    while time.monotonic() < deadline:
        shown = json.loads(rig.ok("session", "show", session, "--json"))
        if question := shown.get("question"):
            return dict(question)
        assert shown["status"] != "exited", shown
        time.sleep(0.2)
    raise AssertionError(rig.shown())


@pytest.mark.parametrize("name", [n if n == "opencode" else pytest.param(n, marks=pytest.mark.slow) for n in NAMES])
def test_a_question_reaches_a_person_and_the_answer_its_agent(room: Path, name: str) -> None:
    if why := clis.missing(name):
        pytest.skip(why)
    call = {"tool": NAMES[name], "args": {"question": "Up, or to even?", "options": ["up", "to even"]}}
    with Rig(room, name, [{"call": call}, {"say": "Thank you."}]) as rig:
        rig.ok("trust")
        session = json.loads(rig.ok("session", "start", "--preset", name, "--prompt", "Go on.", "--json"))["sessionId"]
        question = asked(rig, session)
        assert (question["title"], question["via"]) == ("Up, or to even?", "inbox"), "not a permission"
        rig.ok("session", "answer", session, "--option", "2")
        rig.ok("sessions", "wait", session, "--timeout", "60000")
        assert rig.last("turn-end")["ok"] and len(rig.events("awaiting-input")) == 1
        last = next(line for line in reversed(rig.all()) if line["prompt"] == "Go on.")
        assert "to even" in json.dumps(last["body"]) and '\\"choice\\"' in json.dumps(last["body"])
