"""`nightdesk session open`, as a person meets it: a real terminal, a real supervisor, the scripted agent, and a program
that stands in for the agent's interactive mode."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from commandline import git
from rawterm import Screen, terminal_env

from console import wiring
from console.adapters import doorbell, trust
from console.adapters.lock import is_taken
from console.adapters.processes import is_alive, process_start_time
from console.core import commands as cmd
from console.core import events as ev
from console.core.records import Refused, Who
from console.core.sessions import Session
from console.engine.client import Client

HERE = Path(__file__).parent
AGENT = HERE.parents[1] / "demo" / "agent.py"
ME = Who(user="ada")
CONFIG = """\
agent: talker
presets:
  talker:
    command: [{python}, {agent}, --script, echo, --pace, "0"]
    interactive: [{python}, {talking}, "{{conversation}}"]
sandbox: {{tier: {tier}}}
"""


class Place:
    """A workspace with one session that has had a turn, and whoever supervises it."""

    def __init__(self, place: Path) -> None:
        self.root, home = place / "repo", place / "home"
        home.mkdir()
        git(place, "init", "-q", "-b", "main", str(self.root))
        git(self.root, "commit", "-q", "--allow-empty", "-m", "first")
        self.env = terminal_env(HOME=str(home), SECRET="do not pass me on")
        self.env = {name: value for name, value in self.env.items() if not name.startswith(("XDG_", "GIT_"))}
        found = wiring.locate(self.root, self.env)
        assert not isinstance(found, Refused)
        self.here = found
        (self.root / ".nightdesk").mkdir()
        self.settle("auto")
        self.client = Client(wiring.open_journal(self.here), lambda: doorbell.ring(self.here.places.doorbell))
        quiet = subprocess.DEVNULL
        self.supervisor = subprocess.Popen(
            self._argv("run", "--idle"), env=self.env, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True
        )

    def settle(self, tier: str) -> None:
        words = {"python": sys.executable, "agent": AGENT, "talking": HERE / "talking.py", "tier": tier}
        (self.root / ".nightdesk" / "config.yaml").write_text(CONFIG.format(**words))
        loaded = trust.load(self.root)
        assert not loaded.problems, loaded.problems
        trust.record_trust(self.here.places.trust, self.root, loaded.digest)

    def _argv(self, *words: str) -> list[str]:
        return [sys.executable, "-P", "-m", "console", "--workspace", str(self.root), *words]

    def nightdesk(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            self._argv(*words),
            env=self.env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    def opens(self, name: str = "s-1") -> Screen:
        return Screen(self._argv("session", "open", name), env=self.env, cwd=str(self.root))

    @property
    def session(self) -> Session:
        return self.client.state.sessions["s-1"]

    def starts(self) -> None:
        self.sends("first words")
        self.until(lambda s: s.phase == "ready" and s.turn and s.turn.end_seq)

    def sends(self, text: str) -> None:
        if self.client.state.sessions:
            command: cmd.Command = cmd.SendPrompt(session="s-1", text=text, by=ME)
        else:
            launch = trust.load(self.root).settings.presets["talker"].launch
            command = cmd.StartSession(
                launch=launch, cwd=str(self.root), worktree=str(self.root), by=ME, prompt=text, label="fixer"
            )
        assert not isinstance(said := self.client.send(command), Refused), said

    def until(self, look: Callable[[Session], object]) -> None:
        found = self.client.wait(lambda state: look(state.sessions["s-1"]) or None, 30)
        assert found, [entry.fact for entry in self.client.journal.since(0)][-6:]

    def facts(self, kind: type[ev.Event]) -> list[ev.Event]:
        return [entry.fact for entry in self.client.journal.since(0) if isinstance(entry.fact, kind)]

    def stops(self) -> None:
        """Whoever supervises ends."""
        self.client.send(cmd.StopSupervisor(by=ME), needs_hands=False)
        self.supervisor.wait(20)
        deadline = time.monotonic() + 20
        while is_taken(self.here.places.lock):
            assert time.monotonic() < deadline, "a supervisor holds on"
            time.sleep(0.01)

    def close(self) -> None:
        self.stops()
        self.client.close()


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    place = Place(tmp_path_factory.mktemp("open"))
    place.starts()
    yield place
    place.close()


def alive(pid: int) -> bool:
    start = process_start_time(pid)
    return start is not None and is_alive(pid, start)


def number(screen: Screen, pattern: str) -> int:
    """A number that the program tells on the terminal."""
    found: list[str] = []

    def told() -> bool:
        found[:] = re.findall(pattern, screen.text())
        return bool(found)

    screen.wait_until(told, 20, pattern)
    return int(found[-1])


def gone(pid: int) -> bool:
    deadline = time.monotonic() + 15
    while alive(pid) and time.monotonic() < deadline:
        time.sleep(0.01)
    return not alive(pid)


def test_the_conversation_is_opened_here_and_goes_on_with_what_came_meanwhile(place: Place) -> None:
    conversation = place.session.conversation
    with place.opens("fixer") as screen:
        screen.wait_for(f"talking {conversation}")
        pid = number(screen, r"pid=(\d+)")
        screen.wait_for("front=True in=repo")
        screen.wait_for("token=s-1 secret=None.")  # it sees what the session's agent does
        assert place.session.phase == "suspended" and place.session.lent and place.session.lent.by.via == "cli"
        screen.press("ctrl+c")
        screen.wait_for("Ctrl+C is a key of mine")
        screen.send("stop\r")
        screen.wait_for("continued")
        refused = place.nightdesk("session", "open", "s-1")
        assert refused.returncode == 2 and "needs a terminal" in refused.stderr
        with place.opens() as second:
            assert second.wait_exit() == 2
            second.wait_for("is open in its agent's own program already")
        place.sends("meanwhile")
        screen.send("run session answer s-1 yes\r")
        screen.wait_for("exit 2: answering is for the operator")
        screen.send("server\r")
        server = number(screen, r"server (\d+)")
        assert alive(server) and place.session.prompts
        screen.send("leave\r")
        assert screen.wait_exit() == 0
        screen.wait_for("s-1 is back; 1 prompt(s) that came meanwhile begin now")
    assert not alive(pid) and gone(server)
    place.until(lambda s: s.turns == 2 and s.turn and s.turn.end_seq)
    assert place.session.conversation == conversation and not place.session.lent
    returned = place.facts(ev.SessionReturned)
    assert len(returned) == 1 and getattr(returned[0], "code", None) == 0
    assert (place.root / "hello.txt").read_text() == "first words\nmeanwhile\n"


def test_a_console_that_is_killed_leaves_no_program_and_the_supervisor_takes_it_back(place: Place) -> None:
    with place.opens() as screen:
        pid = number(screen, r"pid=(\d+)")
        screen.send("deaf\r")
        screen.wait_for("deaf now")
        os.kill(screen.process.pid, signal.SIGKILL)
        place.until(lambda s: not s.lent)
        assert gone(pid)
    assert getattr(place.facts(ev.SessionReturned)[-1], "note", "") == "the console that had it is gone"


@pytest.mark.parametrize("how", ["hang up", "term"])
def test_a_line_that_drops_and_a_term_end_the_program_and_give_it_back(place: Place, how: str) -> None:
    before = len(place.facts(ev.SessionReturned))
    with place.opens() as screen:
        pid = number(screen, r"pid=(\d+)")
        if how == "term":
            screen.process.terminate()
        else:
            screen.send("chatty\r")
            screen.wait_for("...")
            screen.hang_up()
        place.until(lambda s: not s.lent)
        assert gone(pid)
    assert len(place.facts(ev.SessionReturned)) == before + 1


@pytest.mark.parametrize("word", ["shell", "away"])
def test_a_program_that_lost_the_terminal_to_a_dead_group_gets_it_back_and_its_own_127_is_its_own(
    place: Place, word: str
) -> None:
    with place.opens() as screen:
        number(screen, r"pid=(\d+)")
        screen.send(f"{word}\r")
        screen.wait_for(f"{word} over" if word == "shell" else f"{word} now")
        screen.send("leave 127\r")
        assert screen.wait_exit() == 0
        screen.wait_for("ended with exit 127; s-1 is back")


def test_what_cannot_be_opened_is_said_in_one_sentence(place: Place) -> None:
    with place.opens("s-7") as screen:
        assert screen.wait_exit() == 3
        screen.wait_for("no session 's-7'")


@pytest.mark.parametrize("tier", ["auto", "off"])
def test_the_git_dir_is_out_of_its_reach_or_what_it_did_there_becomes_an_alert(place: Place, tier: str) -> None:
    if tier == "auto" and "sandbox on" not in place.session.sandbox:
        pytest.skip(place.session.sandbox)
    place.settle(tier)
    with place.opens() as screen:
        number(screen, r"pid=(\d+)")
        assert ("sandbox on" if tier == "auto" else "no sandbox (switched off)") in screen.text()
        screen.send(f"hook {place.here.workspace.common}\r")
        screen.wait_for("kept out" if tier == "auto" else "wrote it")
        screen.send("leave 7\r")
        assert screen.wait_exit() == 0
        screen.wait_for("ended with exit 7; s-1 is back")
    if tier == "off":
        assert place.client.wait(lambda state: bool(state.alerts) or None, 20), "nobody told"
        alert = next(iter(place.client.state.alerts.values()))
        assert any("pre-commit" in change.item for change in alert.changes), alert.changes


def test_with_nobody_supervising_it_finds_hands_for_itself(place: Place) -> None:
    place.stops()
    with place.opens() as screen:
        number(screen, r"pid=(\d+)")
        assert place.client.wait(lambda state: bool(state.supervisor and state.supervisor.running) or None, 20)
        screen.send("leave\r")
        assert screen.wait_exit() == 0
    assert not place.session.lent
