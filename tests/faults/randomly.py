"""A random play: operations of people and faults of the machine against the real thing, in the order of a seed.

As a program: `randomly.py ROOM --seed N --ops N [--only 1,4,7]` plays here and prints what became of it as JSON; ROOM
is a new folder. `played` runs that in a process namespace of its own where it may. What must hold afterwards is in
`randomchecks`. Nothing but processes below this one is signalled, by pid.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

import randomchecks as checks
from randomstage import TREES, Stage, adopt

from console import wiring
from console.adapters import shim, survivors
from console.core import commands as cmd
from console.core.sessions import LIVE, Session
from console.core.state import open_run

NAMESPACE = ("unshare", "-Ur", "--pid", "--fork", "--kill-child", "--mount-proc")
SHORT = 8
"""Operations of a play that waits for no run's own end."""
DEALT_WITH = 4.0
"""Seconds of a supervisor at work after which the loss of a shim is dealt with."""

SEEN = 2.0
"""Seconds after which a supervisor has looked below each of its shims."""

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


def drawn(seed: int, length: int) -> tuple[list[Op], list[str], bool, bool]:
    """From the seed: the operations, the tickets, whether the first supervisor is waited for, and whether a run may
    come to its own end."""
    dice = random.Random(seed)
    first = [dice.choice(("start", "start", "start_acp", "run")), dice.choice(("run", "run", "start", "rest"))]
    names = [*first, *dice.choices(list(OPERATIONS), list(OPERATIONS.values()), k=length)][:length]
    pauses = (0.0, 0.0, 0.05, 0.15, 0.4, 0.9)
    ops = [Op(name, dice.choice(pauses), dice.random()) for name in names]
    return ops, dice.sample(TICKETS, dice.randint(2, 4)), dice.random() < 0.7, length > SHORT and dice.random() < 0.15


class Play:
    """One sequence. Every operation makes of its dice what is possible at that moment."""

    def __init__(self, stage: Stage, drain: bool) -> None:
        self.stage, self.drain = stage, drain
        self.shim_lost = self.supervisor_lost = -100.0
        self.excused = False
        self.figures: dict[str, Any] = {}

    def do(self, op: Op) -> None:
        time.sleep(op.pause)  # part of the sequence, not a wait for anything
        self.stage.note(op.text)
        getattr(self, op.name)(op.dice)
        checks.canaries(self.stage)
        checks.doubles(self.stage)

    # -- people

    def _free(self) -> list[Path]:
        taken = {s.worktree for s in self.stage.sessions()}
        trees = [self.stage.room / f"tree{number}" for number in range(TREES)]
        return [tree for tree in trees if tree.is_dir() and str(tree) not in taken]

    def _start(self, behaviour: str, *, acp: bool) -> None:
        for tree in self._free()[:1]:
            self.stage.note(f"  {behaviour} in {tree.name}")
            self.stage.send(
                cmd.StartSession(
                    launch=self.stage.agent_launch(behaviour, acp=acp),
                    cwd=str(tree),
                    worktree=str(tree),
                    by=wiring.who(self.stage.here),
                    label=behaviour,
                    prompt=f"behave: {behaviour}",
                )
            )

    def start(self, dice: float) -> None:
        self._start(pick(BEHAVIOURS, dice), acp=False)

    def start_acp(self, dice: float) -> None:
        self._start(pick(SCRIPTS, dice), acp=True)

    def _one(self, dice: float) -> list[Session]:
        found = self.stage.sessions()
        living = [s for s in found if s.phase in LIVE] or found
        return [pick(living, dice)] if living else []

    def stop(self, dice: float) -> None:
        for s in self._one(dice):
            self.stage.note(f"  {s.session}")
            self.stage.send(cmd.StopSession(session=s.session, by=wiring.who(self.stage.here)))

    def interrupt(self, dice: float) -> None:
        for s in self._one(dice):
            self.stage.note(f"  {s.session}")
            self.stage.send(cmd.InterruptTurn(session=s.session, by=wiring.who(self.stage.here)))

    def prompt(self, dice: float) -> None:
        found = self.stage.sessions()
        for s in [pick(found, dice)] if found else []:
            what = pick(BEHAVIOURS, dice * 97 % 1)
            self.stage.note(f"  {s.session}: {what}")
            self.stage.send(cmd.SendPrompt(session=s.session, text=f"behave: {what}", by=wiring.who(self.stage.here)))

    def brake(self, _dice: float) -> None:
        self.stage.send(cmd.PauseRun(by=wiring.who(self.stage.here)), hands=False)

    def resume(self, _dice: float) -> None:
        self.stage.send(cmd.ResumeRun(by=wiring.who(self.stage.here)))

    def run(self, dice: float) -> None:
        self.stage.launch("run", bird=dice < 0.5)

    def supervise(self, _dice: float) -> None:
        self.stage.launch("run", "--idle", bird=True)

    second = supervise

    def standby(self, _dice: float) -> None:
        self.stage.launch("standby", "--once")

    def rest(self, dice: float) -> None:
        time.sleep(2 * dice)

    # -- the machine

    def _shims(self) -> list[int]:
        return sorted(pid for pid in self.stage.processes() if survivors.looks_like_a_shim(pid))

    def _signal(self, pids: list[int], number: int = signal.SIGKILL) -> None:
        for pid in pids:
            self.stage.note(f"  {signal.Signals(number).name} to {pid} {shim.command_line(pid)[:90]}")
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                self.stage.note("  was gone")

    def kill_agent(self, dice: float) -> None:
        shims, below = set(self._shims()), self.stage.processes()
        agents = sorted(pid for pid, proc in below.items() if proc.ppid in shims)
        self._signal([pick(agents, dice)] if agents else [])

    def _lost(self) -> None:
        """Both at once is what leaves survivors: also when one dies while the other one's death is dealt with."""
        self.excused |= abs(self.shim_lost - self.supervisor_lost) < DEALT_WITH

    def _young(self, pid: int) -> bool:
        """Whether anything below it is so new that the supervisor may not have seen it there: what nobody saw below a
        shim is listed when that shim dies, and never signalled (DESIGN.md, ruling 21)."""
        table = shim.proc_table()
        return any(shim.age(table[child].start) < SEEN for child in shim.Chain(pid).tree(table))

    def kill_shim(self, dice: float) -> None:
        if found := self._shims():
            self.excused |= self._young(pick(found, dice))
            self._signal([pick(found, dice)])
            self.shim_lost = time.monotonic()
            self._lost()

    def kill_supervisor(self, _dice: float) -> None:
        if pid := self.stage.supervisor():
            self._signal([pid])
            self.supervisor_lost = time.monotonic()
            self._lost()

    def kill_both(self, dice: float) -> None:
        steps = [self.kill_shim, self.kill_supervisor]
        for step in steps if dice < 0.5 else steps[::-1]:
            step(dice * 31 % 1)

    def freeze(self, dice: float) -> None:
        if pid := self.stage.supervisor():
            self._signal([pid], signal.SIGSTOP)
            time.sleep(0.1 + 1.5 * dice)  # the fault itself
            self._signal([pid], signal.SIGCONT)

    # -- the end

    def finish(self) -> None:
        stage = self.stage
        if self.drain and stage.supervisor():
            until(lambda: not self._open(), 90, "the end of the run")
        checks.stopped(stage)
        self.figures["settled"] = round(checks.nothing_left(stage, excused=self.excused), 2)
        checks.canaries(stage)
        checks.doubles(stage)
        self.figures |= checks.logged(stage)
        checks.commands(stage)
        checks.untouched(stage)

    def heard(self) -> bool:
        """Whether a supervisor has said that it started."""
        with self.stage.client() as client:
            return client.state.supervisor is not None

    def _open(self) -> bool:
        with self.stage.client() as client:
            return (run := open_run(client.state)) is not None and run.state != "paused"


def pick(found: Any, dice: float) -> Any:
    return found[min(int(dice * len(found)), len(found) - 1)]


def until(look: Callable[[], Any], seconds: float, what: str) -> None:
    deadline = time.monotonic() + seconds
    while not look():
        assert time.monotonic() < deadline, f"not within {seconds:g} s: {what}"
        time.sleep(0.05)


def play(room: Path, seed: int, length: int, only: list[int], *, alone: bool) -> dict[str, Any]:
    """Play here; {"seed", "fault": "" or what did not hold, "log": lines, ...}. alone: nothing else is in this process
    namespace."""
    ops, tickets, awake, drain = drawn(seed, length)
    began = time.monotonic()
    stage = Stage(room, alone=alone)
    adopt()
    acting, fault = Play(stage, drain), ""
    try:
        stage.prepare(tickets)
        stage.note(f"seed {seed}, {length} operations, tickets {' '.join(tickets)}")
        stage.launch("run", "--idle", bird=True)
        if awake:
            until(acting.heard, 60, "the first supervisor")
        for number, op in enumerate(ops, 1):
            if not only or number in only:
                acting.do(op)
        acting.finish()
    except Exception as error:
        fault = f"{error}\n{traceback.format_exc(limit=-5)}"
    finally:
        stage.close()
    said = {"seed": seed, "fault": fault, "excused": acting.excused, "seconds": round(time.monotonic() - began, 1)}
    return said | acting.figures | {"log": stage.log}


# -- from outside ----------------------------------------------------------------------------------------


@cache
def namespace() -> tuple[str, ...]:
    """The words before a command that give it a process namespace of its own; none where that is not allowed."""
    done = subprocess.run([*NAMESPACE, "true"], capture_output=True, check=False, timeout=30)
    return NAMESPACE if done.returncode == 0 else ()


def played(room: Path, seed: int, length: int, only: str = "") -> dict[str, Any]:
    """Play in a process of its own, in a namespace where there may be one."""
    words = [sys.executable, str(Path(__file__)), str(room), "--seed", str(seed), "--ops", str(length)]
    argv = [*namespace(), *words, *(["--only", only] if only else []), *(["--init"] if namespace() else [])]
    done = subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300, check=False)
    lines = done.stdout.strip().splitlines()
    assert lines and lines[-1].startswith("{"), (argv, done.returncode, done.stdout[-2000:], done.stderr[-4000:])
    found: dict[str, Any] = json.loads(lines[-1])
    return found


def told(found: dict[str, Any], length: int) -> str:
    """A play that failed, with what plays it again."""
    again = f"{Path(__file__).name} ROOM --seed {found['seed']} --ops {length} (in {' '.join(NAMESPACE)} with --init)"
    return "\n".join([f"seed {found['seed']}: {found['fault']}", *found["log"], f"again: {again}"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("room", type=Path)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--ops", type=int, default=8)
    parser.add_argument("--only", default="", help="numbers of operations, from 1, separated by commas")
    parser.add_argument("--init", action="store_true", help="process 1 of a namespace: reap, and play in a child")
    given = parser.parse_args()
    if given.init and os.getpid() != 1:
        parser.error(f"--init is for process 1 of {' '.join(NAMESPACE)}")  # there, all processes are taken for ours
    if given.init and (child := os.fork()):
        while os.wait()[0] != child:
            pass
        return
    given.room.mkdir(parents=True, exist_ok=True)
    only = [int(number) for number in given.only.split(",") if number]
    said = play(given.room.resolve(), given.seed, given.ops, only, alone=given.init)
    print(json.dumps(said), flush=True)


if __name__ == "__main__":
    main()
