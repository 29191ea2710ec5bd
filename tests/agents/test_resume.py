"""An agent that was killed in mid-turn goes on with its own conversation, and never sees another session's.

Two sessions work in one folder with one home at once. What a file says that only one of them was told to read is the
proof: it is in the first request after the restart, as part of the history, or the session says that it began afresh.
"""

from __future__ import annotations

import os
import signal
from pathlib import Path

import clis
import pytest
from rig import Json, Rig, settled

RESUMING = tuple(name for name in clis.NAMES if name not in ("aider", "mini"))
WORDS = {"alpha": "heliotrope-4711", "beta": "verbena-0815"}


def conversations() -> list[Json]:
    """Each session reads its own file, then its model falls silent once; told again, it ends the turn."""
    silence: list[Json] = [{"hang": 900, "times": 1}, {"say": "Seen."}]
    first = [{"match": f"Look at {file}.txt", "steps": [{"read": f"{file}.txt"}, *silence]} for file in WORDS]
    return [{"match": "crashed and was started again", "steps": [{"say": "Here again."}]}, *first]


class Pair(Rig):
    """Two sessions of one agent, each in the middle of its turn."""

    def __init__(self, room: Path, name: str) -> None:
        super().__init__(room, name, before=conversations())
        for file, word in WORDS.items():
            (self.repo / f"{file}.txt").write_text(f"The word is {word}.\n")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "Two words")

    def begin(self) -> dict[str, str]:
        """file -> session; both models hang with the file's word in their history."""
        self.ok("trust")
        self.supervisor = self.start("run", "--idle")
        assert settled(lambda: self.events("supervisor:started")), self.output()
        found = {}
        for file in WORDS:
            told = self.ok("session", "start", "--prompt", f"Look at {file}.txt, then wait.", "--label", file)
            assert settled(lambda f=file: self.hangs(f), 90), (told, self.shown(), self.output())
            found[file] = next(e["session"] for e in self.events("session:added") if e["label"] == file)
        return found

    def hangs(self, file: str) -> bool:
        return any(f"Look at {file}.txt" in r.get("prompt", "") and r["reply"].startswith("Hang") for r in self.all())

    def asked(self, file: str, after: int) -> list[Json]:
        """The requests of a session, without the first `after` that anybody has made."""
        return [r for r in self.all()[after:] if f"Look at {file}.txt" in r.get("prompt", "")]

    def ended(self, session: str) -> bool:
        return any(event["session"] == session and event.get("ok") for event in self.events("turn-end"))

    def runs(self, session: str) -> list[Json]:
        return [e for e in self.events("session:started") if e["session"] == session and e.get("conversation")]


def holds(request: Json, file: str) -> bool:
    return WORDS[file] in str(request["body"])


def goes_on(rig: Pair, file: str, session: str, first: str, after: int) -> str:
    """Wait for the turn to end after the restart, and check whose conversation it is. What the session says of that."""
    assert settled(lambda: rig.ended(session), 150), (rig.shown(), rig.output())
    asked, last = rig.asked(file, after), rig.runs(session)[-1]
    other = next(name for name in WORDS if name != file)
    assert asked and not any(holds(request, other) for request in asked), "it was told another session's words"
    if any(event.get("resumed") for event in rig.runs(session) if event["run"] == last["run"]):
        assert last["conversation"] == first
        assert holds(asked[0], file), "it says that it resumed, and its history is gone"
        return "resumed"
    assert not holds(asked[0], file) and last["conversation"] != first, last
    return f"afresh: {last.get('detail')}"


@pytest.mark.slow
@pytest.mark.timeout(400)
@pytest.mark.parametrize("name", RESUMING)
def test_a_killed_agent_goes_on_with_its_own_conversation(name: str, room: Path) -> None:
    if reason := clis.missing(name):
        pytest.skip(reason)
    with Pair(room, name) as rig:
        sessions = rig.begin()
        first = {file: rig.runs(session)[-1] for file, session in sessions.items()}
        assert len({event["conversation"] for event in first.values()}) == 2
        came = {}
        for file, session in sessions.items():
            after = len(rig.all())
            os.kill(first[file]["pid"], signal.SIGKILL)
            came[file] = goes_on(rig, file, session, first[file]["conversation"], after)
    print(f"{name}, agent killed: {came}")


@pytest.mark.slow
@pytest.mark.timeout(400)
@pytest.mark.parametrize("name", RESUMING)
def test_a_killed_supervisor_leaves_conversations_that_go_on(name: str, room: Path) -> None:
    if reason := clis.missing(name):
        pytest.skip(reason)
    with Pair(room, name) as rig:
        sessions = rig.begin()
        first = {file: rig.runs(session)[-1]["conversation"] for file, session in sessions.items()}
        rig.supervisor.kill()
        rig.supervisor.wait()
        assert settled(lambda: not rig.processes(), 15), rig.processes()
        after = len(rig.all())
        rig.supervisor = rig.start("run", "--idle")
        came = {file: goes_on(rig, file, session, first[file], after) for file, session in sessions.items()}
        assert len(rig.events("session:interrupted")) == 2
    print(f"{name}, supervisor killed: {came}")
