"""A random play: operations of people and faults of the machine against the real thing, in an order that a seed decides.

As a program: `randomly.py ROOM --seed N --ops N [--only 1,4,7]` plays here and prints what became of it as JSON; ROOM
is a new folder. `played` runs that in a process namespace of its own where it may. What must hold afterwards is in
`randomchecks`. Nothing but processes below this one is signalled, by pid.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "nights")]

from nightrig import BOT, NightRig

from console import wiring
from console.adapters import holder, shim, survivors, trust
from console.adapters.lock import is_taken
from console.core import commands as cmd
from console.core.records import Launch, Refused
from console.core.sessions import LIVE, Session
from console.engine.ports import Workspace

AGENT, DEMO = HERE / "randombot.py", HERE.parents[1] / "demo" / "agent.py"
TREES = 5
"""Worktrees that the operator has made for sessions, one each."""
SETTLED = 15.0
"""Seconds after which nothing may be left once all have been told to stop; mostly it takes less than one."""
DOUBLE = 4.0
"""Seconds of a supervisor at work after which the loss of a shim is dealt with."""

BEHAVIOURS = (
    *("ends", "code", "crash", "abort", "hang", "steady", "deaf", "daemons"),
    *("crowd", "stopped", "homeless", "subreaper"),
)
SCRIPTS = ("echo", "steady", "stalls-once", "hang", "deaf", "crash", "leftover")
OPERATIONS = {
    "start": 6,
    "start_acp": 3,
    "stop": 2,
    "interrupt": 2,
    "prompt": 3,
    "kill_agent": 2,
    "kill_shim": 2,
    "kill_supervisor": 3,
    "kill_both": 1,
    "freeze": 2,
    "second": 1,
    "supervise": 2,
    "run": 2,
    "brake": 1,
    "resume": 1,
    "standby": 1,
    "rest": 2,
}
TICKETS = ("good", "slow", "bad", "hang", "die", "leaves", "once")


@dataclass(frozen=True, slots=True)
class Op:
    """pause: seconds before it. dice: 0..1, of which it makes whatever is possible at that moment."""

    name: str
    pause: float
    dice: float

    @property
    def text(self) -> str:
        return f"{self.name}({self.dice:.3f}) after {self.pause:.2f}"


def drawn(seed: int, length: int) -> tuple[list[Op], list[str], bool]:
    """The operations, the tickets, and whether a run may come to its own end, all from the seed."""
    dice = random.Random(seed)
    names = dice.choices(list(OPERATIONS), list(OPERATIONS.values()), k=length)
    pauses = (0.0, 0.0, 0.05, 0.15, 0.4, 0.9)
    ops = [Op(name, dice.choice(pauses), dice.random()) for name in names]
    return ops, dice.sample(TICKETS, dice.randint(2, 4)), dice.random() < 0.15


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
    rig: NightRig = field(init=False)
    here: wiring.Here = field(init=False)
    started: list[Started] = field(default_factory=list)
    canaries: list[Canary] = field(default_factory=list)
    log: list[str] = field(default_factory=list)
    shim_lost: float = -100.0
    supervisor_lost: float = -100.0
    doubled: bool = False
    settled: float = 0.0

    def prepare(self, tickets: list[str]) -> None:
        for folder in ("locks", "bin"):
            (self.room / folder).mkdir(parents=True)
        locks, agent = str(self.room / "locks"), self.room / "bin" / "agent"
        agent.write_text(f"#!{sys.executable} -IS\n{AGENT.read_text()}")
        agent.chmod(0o755)
        bot = [str(agent), locks, "--exec", sys.executable, str(BOT), str(self.room / "night" / "scripts")]
        preset = {"command": bot, "protocol": "command", "autonomy_confirmed": True}
        limits = {"start": "20s", "quiet": "0.5s", "hung": "1s", "restarts": 2, "total_restarts": 2}
        self.rig = NightRig(self.room / "night", presets={"bot": preset}, watchdog=limits)
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
        return {
            "good": [[write]],
            "slow": [[["sleep", 0.7], write]],
            "bad": [[["replace", "shop.py", "return a + b", "return a - b"]]],
            "hang": [[write, ["sleep", 50]]],
            "die": [[write, ["die"]]],
            "leaves": [[leave, write]],
            "once": [[["once", str(self.room / "once"), "sleep", 50], write]],
        }[name]

    # -- canaries

    def _sing(self, agent: Path) -> None:
        """A `sleep` that is called as the agents are, in a session of its own, and one with a token of ours."""
        sleep = self.room / "bin" / "birds" / "agent"
        sleep.parent.mkdir()
        shutil.copy(shutil.which("sleep") or "/bin/sleep", sleep)
        token = {"NIGHTDESK_SESSION": f"{self.here.workspace.key}/s-99"}
        for name, env in (("outside", {}), ("with a token", token)):
            bird = subprocess.Popen([sleep, "300"], env=self.rig.env | env, start_new_session=True, cwd=self.room)
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
            lay = f"(setsid {sleep} 300 & echo $! > {note}; sleep 1.5) & exec \"$@\""
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

    def send(self, command: cmd.Command, *, hands: bool = True) -> None:
        with self.client() as client:
            result = client.send(command, needs_hands=hands)
        if isinstance(result, Refused):
            self.log.append(f"  refused: {result.reason}")

    def supervisor(self) -> int:
        """The pid of who holds the lock, 0 for nobody."""
        found = holder.find(self.here.places.lock) if is_taken(self.here.places.lock) else None
        return found.pid if isinstance(found, holder.Holder) else 0

    def below(self) -> dict[int, shim.Proc]:
        """All that lives below us, but not the canaries and what they are called by."""
        table = shim.proc_table()
        spared = {canary.pid for canary in self.canaries}
        return {pid: table[pid] for pid in shim.Chain(os.getpid()).tree(table) if not table[pid].dead} | {
            pid: proc for pid, proc in table.items() if NAMESPACE and pid > 1 and pid != os.getpid() and not proc.dead
        } if not spared else {
            pid: proc
            for pid, proc in table.items()
            if pid not in spared and not proc.dead and pid != os.getpid() and pid > 1
            and (NAMESPACE or pid in self._chain(table))
        }
