"""A routine with real processes: fan-in over three sessions, an automatic answer, an escalation that the command line
resolves, an approval. Its supervisor is killed wherever it is: the end is the same."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from nightrig import NightRig, until

from console.adapters.store import Log
from console.core import events as ev

AGENT = Path(__file__).resolve().parents[1] / "adapters" / "agents" / "raw_agent.py"
ASKS = """
import pathlib

def turn(text):
    options = [{"optionId": "deny", "name": "Deny", "kind": "reject_once"},
               {"optionId": "allow", "name": "Allow", "kind": "allow_once"}]
    call = {"toolCallId": "t1", "title": "Write allowed.txt", "kind": "edit", "status": "pending"}
    answer = request("session/request_permission", {"sessionId": "c-1", "toolCall": call, "options": options})
    if answer["result"]["outcome"].get("optionId") == "allow":
        pathlib.Path("allowed.txt").write_text("allowed")
    reply()
"""
"""Asks once in each turn."""
SAYS = """import json, sys
open("told.txt", "a").write(sys.argv[-1] + chr(10))
print(json.dumps({"type": "result", "session_id": "c"}))
"""
"""An agent with one process a turn."""
ROUTINE = """\
name: release
steps:
  - name: gather
    start:
      - {name: a, prompt: Note one}
      - {name: b, prompt: Note two}
      - {name: c, preset: asks, prompt: Write it}
    waitFor: [a, b, c]
    onWait: auto-allow
  - name: check
    prompt: {c: Write it again}
    waitFor: [c]
    onWait: {policy: escalate, timeout: 2m}
  - name: approve
    ask: Ship it?
  - name: ship
    prompt: {a: Ship}
    waitFor: [a, b]
"""


class RoutineNight:
    def __init__(self, room: Path) -> None:
        (room / "asks.py").write_text(ASKS, encoding="utf-8")
        asks = [sys.executable, "-S", str(AGENT), str(room / "asks.py")]
        presets = {
            "says": {"command": [sys.executable, "-S", "-c", SAYS], "protocol": "command", "autonomy_confirmed": True},
            "asks": {"command": asks, "protocol": "acp", "autonomy_confirmed": True},
        }
        self.rig = NightRig(room, presets=presets, agent="says")
        self.rig.env["XDG_STATE_HOME"] = str(self.rig.home / ".local/state")
        self.rig.write("release.yaml", ROUTINE)
        self.rig.ready()
        self.killed: list[str] = []
        self.supervisor: subprocess.Popen[str] | None = None

    def log(self) -> list[ev.Logged]:
        [path] = self.rig.home.glob(".local/state/nightdesk/*/log.db")
        log = Log(path)
        try:
            return log.read(0)
        finally:
            log.close()

    def kill(self, why: str) -> None:
        """The supervisor that the log names, and no other process."""
        assert self.supervisor
        until(lambda: self._supervising() == (self.supervisor and self.supervisor.pid))
        os.kill(self._supervising(), signal.SIGKILL)
        self.supervisor.communicate()
        self.killed.append(why)
        self.supervisor = self.rig.start("run", "--idle")

    def _supervising(self) -> int:
        return next((e.fact.pid for e in reversed(self.log()) if isinstance(e.fact, ev.SupervisorStarted)), 0)

    def play(self, *kills: str) -> dict[str, Any]:
        """The routine from its start to its end, its supervisor killed as soon as each of `kills` (an event, and how
        many of its kind there are) is in the log. A person answers what is asked."""
        self.supervisor = self.rig.start("run", "--idle")
        until(lambda: list(self.rig.home.glob(".local/state/nightdesk/*/log.db")))
        self.rig.ok("routine", "start", "release.yaml")
        left = list(kills)
        until(lambda: self._moved(left))
        assert len(self.killed) == len(kills), (self.killed, left)
        return self.rig.json("routine", "status", "rt-1", "--json")

    def _moved(self, left: list[str]) -> bool:
        log = self.log()
        seen: dict[str, int] = {}
        for entry in log:
            kind = ev.type_of(entry.fact)
            seen[kind] = seen.get(kind, 0) + 1
            if f"{kind} {seen[kind]}" in left:
                left.remove(f"{kind} {seen[kind]}")
                self.kill(f"{kind} {seen[kind]}")
                return False
        told = [entry for entry in log if isinstance(entry.fact, (ev.RoutineEscalated, ev.RoutineResolved))]
        if told and isinstance(fact := told[-1].fact, ev.RoutineEscalated):
            words = ("--step", str(fact.step + 1), "--asked", str(told[-1].seq), "--approve")
            self.rig.call("routine", "resolve", "rt-1", *words)  # it may have come too late
        return bool(seen.get("routine:ended"))

    def facts(self) -> dict[str, int]:
        counted: dict[str, int] = {}
        for entry in self.log():
            kind = ev.type_of(entry.fact)
            if kind in ("session:added", "session:prompted", "routine:step-begun", "routine:step-done"):
                counted[kind] = counted.get(kind, 0) + 1
        return counted

    def check(self, status: dict[str, Any]) -> None:
        assert status["status"] == "done", status
        assert status["sessions"] == {"a": "s-1", "b": "s-2", "c": "s-3"}
        assert self.facts() == {
            "session:added": 3,
            "session:prompted": 5,
            "routine:step-begun": 4,
            "routine:step-done": 4,
        }
        prompted = [(e.fact.session, e.fact.turn) for e in self.log() if isinstance(e.fact, ev.PromptQueued)]
        assert len(set(prompted)) == len(prompted) == 5, prompted
        assert (self.rig.repo / "allowed.txt").read_text() == "allowed"
        assert len(self.rig.json("session", "list", "--json")["sessions"]) == 3

    def close(self) -> None:
        self.rig.close()
        if self.supervisor:
            self.supervisor.communicate(timeout=30)


@pytest.fixture
def night(tmp_path: Path) -> Any:
    made = RoutineNight(tmp_path)
    yield made
    made.close()


def test_a_routine_ends_the_same_when_its_supervisor_is_killed_while_a_person_is_asked(night: RoutineNight) -> None:
    night.check(night.play("routine:escalated 1"))
    answered = [e.fact for e in night.log() if isinstance(e.fact, ev.RoutineAnswered)]
    assert [(fact.step, fact.session) for fact in answered] == [(0, "s-3")]


PLACES = (
    "routine:started 1",
    "session:added 3",
    "routine:step-begun 1",
    "turn-start 1",
    "turn-end 1",
    "awaiting-input 1",
    "routine:answered 1",
    "input-answered 1",
    "turn-end 3",
    "routine:step-done 1",
    "routine:step-begun 2",
    "turn-start 4",
    "awaiting-input 2",
    "routine:resolved 1",
    "routine:step-done 2",
    "routine:escalated 2",
    "routine:step-done 3",
    "session:prompted 5",
    "turn-start 5",
)


@pytest.mark.slow
@pytest.mark.parametrize("place", PLACES)
def test_a_routine_ends_the_same_wherever_its_supervisor_is_killed(night: RoutineNight, place: str) -> None:
    night.check(night.play(place))


@pytest.mark.slow
def test_a_routine_ends_the_same_when_its_supervisor_is_killed_at_every_step_in_turn(night: RoutineNight) -> None:
    steps = [f"{kind} {number}" for number in (1, 2, 3, 4) for kind in ("routine:step-begun", "routine:step-done")]
    night.check(night.play(*steps[:-1]))
