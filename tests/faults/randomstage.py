"""The stage of the random plays: a home, a repository, worktrees, tickets, canaries, and how the product is started
there. Nothing here judges (`randomchecks`) or chooses (`randomly`)."""

from __future__ import annotations

import contextlib
import ctypes
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "nights"))

from nightrig import BOT, NightRig

from console import wiring
from console.adapters import holder, shim, trust
from console.adapters.lock import is_taken
from console.core import commands as cmd
from console.core.records import Launch, Refused
from console.core.sessions import Session

HERE = Path(__file__).resolve().parent
AGENT, DEMO = HERE / "randombot.py", HERE.parents[1] / "demo" / "agent.py"
TOTAL_RESTARTS = 2
TREES = 5
"""Worktrees that the operator has made for sessions, one each."""


@dataclass(slots=True)
class Canary:
    """A process that must live: outside of the chain, beside us with a token, or adopted by the supervisor."""

    name: str
    pid: int
    start: int


@dataclass(slots=True)
class Started:
    """A command that supervises, or wants to."""

    name: str
    process: subprocess.Popen[bytes]
    words: Path


@dataclass(slots=True)
class Stage:
    """A repository in a home of its own, with its operator, supervisors, agents and canaries."""

    room: Path
    alone: bool
    """Whether all that is in /proc is ours: in a process namespace."""
    rig: NightRig = field(init=False)
    here: wiring.Here = field(init=False)
    started: list[Started] = field(default_factory=list)
    canaries: list[Canary] = field(default_factory=list)
    birds: list[subprocess.Popen[bytes]] = field(default_factory=list)
    log: list[str] = field(default_factory=list)

    def prepare(self, tickets: list[str]) -> None:
        for folder in ("locks", "bin"):
            (self.room / folder).mkdir(parents=True)
        locks, agent = str(self.room / "locks"), self.room / "bin" / "agent"
        agent.write_text(f"#!{sys.executable} -IS\n{AGENT.read_text()}")
        agent.chmod(0o755)
        bot = [str(agent), locks, "--exec", sys.executable, str(BOT), str(self.room / "night" / "scripts")]
        preset = {"command": bot, "protocol": "command", "autonomy_confirmed": True}
        limits = {"start": "20s", "quiet": "0.5s", "hung": "1s", "restarts": 2, "total_restarts": TOTAL_RESTARTS}
        self.rig = NightRig(self.room / "night", presets={"bot": preset}, watchdog=limits)
        self.rig.warm = False  # whatever is there in the end was left
        for name in tickets:
            self.rig.ticket(name, *self._attempts(name))
        self.rig.commit()
        for name in ("operators", *(f"tree{number}" for number in range(TREES))):
            self.rig.git("worktree", "add", "-q", "-b", name, str(self.room / name))
        found = wiring.locate(self.rig.repo, self.rig.env)
        assert isinstance(found, wiring.Here), found
        self.here = found
        trust.record_trust(self.here.places.trust, self.here.root, wiring.settings_of(self.here).digest)
        self._sing(agent)

    def _attempts(self, name: str) -> list[Any]:
        write = ["write", f"{name}.txt", "x\n"]
        leave = ["run", sys.executable, str(AGENT), "-", "behave: daemons"]
        found: dict[str, list[Any]] = {
            "good": [[write]],
            "slow": [[["sleep", 0.7], write]],
            "bad": [[["replace", "shop.py", "return a + b", "return a - b"]]],
            "hang": [[write, ["sleep", 50]]],
            "die": [[write, ["die"]]],
            "leaves": [[leave, write]],
            "once": [[["once", str(self.room / "once"), "sleep", 50], write]],
        }
        return found[name]

    # -- canaries

    def _sing(self, agent: Path) -> None:
        """A `sleep` that is called as the agents are, in a session of its own, and one with a token of ours."""
        sleep = self.room / "bin" / "birds" / "agent"
        sleep.parent.mkdir()
        shutil.copy(shutil.which("sleep") or "/bin/sleep", sleep)
        token = {"NIGHTDESK_SESSION": f"{self.here.workspace.key}/s-99"}
        for name, env in (("outside", {}), ("with a token", token)):
            bird = subprocess.Popen([sleep, "300"], env=self.rig.env | env, start_new_session=True, cwd=self.room)
            self.birds.append(bird)
            self._canary(name, bird.pid)

    def _canary(self, name: str, pid: int) -> None:
        if stat := shim.read_stat(pid):
            self.canaries.append(Canary(name, pid, stat.start))

    def adopted(self) -> None:
        """Know the look-alikes that the supervisors have adopted so far."""
        for path in self.room.glob("adopted-*"):
            text = path.read_text()
            if text.endswith("\n"):
                self._canary("adopted", int(text))
                path.unlink()

    # -- the product

    def launch(self, *args: str, bird: bool = False) -> Started:
        """A supervising command; with a child that its shell leaves behind, which it comes to adopt when it has one."""
        number = len(self.started)
        words = self.room / f"{number}-{args[0]}.words"
        argv = self.rig.argv(*args)
        if bird:
            note, sleep = self.room / f"adopted-{number}", self.room / "bin" / "birds" / "agent"
            lay = f'(setsid {sleep} 300 & echo $! > {note}; sleep 1.5) & exec "$@"'
            argv = ["sh", "-c", lay, "sh", *argv]
        with open(words, "wb") as out:
            process = subprocess.Popen(
                argv, cwd=self.rig.repo, env=self.rig.env, stdin=subprocess.DEVNULL, stdout=out, stderr=out
            )
        self.started.append(Started(args[0], process, words))
        return self.started[-1]

    @contextlib.contextmanager
    def client(self) -> Iterator[Any]:
        """As the command line has it: one for each command."""
        made = wiring.client(self.here)
        try:
            yield made
        finally:
            made.close()

    def sessions(self) -> list[Session]:
        with self.client() as client:
            return list(client.state.sessions.values())

    def note(self, line: str) -> None:
        self.log.append(line)

    def send(self, command: cmd.Command, *, hands: bool = True) -> None:
        with self.client() as client:
            result = client.send(command, needs_hands=hands)
        if isinstance(result, Refused):
            self.log.append(f"  refused: {result.reason}")

    def supervisor(self) -> int:
        """The pid of who holds the lock, 0 for nobody."""
        found = holder.find(self.here.places.lock) if is_taken(self.here.places.lock) else None
        return found.pid if isinstance(found, holder.Holder) else 0

    def processes(self) -> dict[int, shim.Proc]:
        """All that lives below us, which takes in what has lost its parent; not the canaries."""
        self.adopted()
        table = shim.proc_table()
        spared = {canary.pid for canary in self.canaries}
        ours = set(shim.Chain(os.getpid()).tree(table)) if not self.alone else set(table) - {1, os.getpid()}
        return {pid: table[pid] for pid in ours - spared if not table[pid].dead}

    def agent_launch(self, behaviour: str, *, acp: bool) -> Launch:
        agent, locks = str(self.room / "bin" / "agent"), str(self.room / "locks")
        if not acp:
            return Launch(argv=(agent, locks), protocol="command")
        return Launch(argv=(agent, locks, "--exec", sys.executable, str(DEMO), "--script", behaviour, "--pace", "0.05"))

    def close(self) -> None:
        """End what is left, canaries too: by pid, as long as they are still who they were."""
        left = {pid: proc.start for pid, proc in self.processes().items()}
        for pid, start in (left | {canary.pid: canary.start for canary in self.canaries}).items():
            kill(pid, start)
        for bird in self.birds:
            bird.wait()


def kill(pid: int, start: int) -> None:
    if (stat := shim.read_stat(pid)) and stat.start == start and not stat.dead:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, 9)


def adopt() -> None:
    """Whatever loses its parent below us becomes ours."""
    ctypes.CDLL(None).prctl(shim.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
