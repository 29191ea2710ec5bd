"""Where the flow from a turn's end to a landed commit can be stopped, and the stand-ins that make it one process."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from console.adapters.git.binary import GitBinary, Ran
from console.core.records import ProcessEnd, Refused
from console.engine.ports import (
    AgentFact,
    AgentSpec,
    Began,
    Ended,
    Look,
    ProcessSpec,
    RolledBack,
    Snapshot,
    TurnResult,
    Vital,
)

FREEZE = ("before the freeze", "before the tree is sealed", "after the tree is sealed", "after the freeze")
HOOK = ("before the hooks", "while a hook is started", "after a hook has ended", "after the hooks")
GATES = (
    "before the gate in the worktree",
    "after the gate in the worktree",
    "before the plan is checked out",
    "before the gate on the plan",
    "after the gate on the plan",
)
JUDGING = ("the turn has ended", "the git dir was looked at", *FREEZE, *HOOK, *GATES, "the plan is assessed")
CHECK = ("before the check", "after the git dir was checked", "after the branch was checked", "after the check")
LANDING = (
    "before signing",
    "after signing",
    "the intent is written",
    "before objects are delivered",
    "after objects are delivered",
    "before the ref moves",
    "after the ref moved",
    "before the index is refreshed",
    "after the index is refreshed",
)
APPROVING = ("the plan is shown", "the key is pressed", *CHECK, *LANDING)
STEPS = (*JUDGING, *APPROVING)
CALLS = tuple(f"before git's call {number} of the landing" for number in range(1, 21))
"""The landing once more, stopped before each of the calls of git that it is made of (it may be made of fewer)."""


@dataclass
class Stop:
    """Does `act` once, when the flow is at the step `at`. passed: the steps that the flow went through."""

    at: str = ""
    act: Callable[[], None] = lambda: None
    done: bool = False
    passed: list[str] = field(default_factory=list)

    def reach(self, step: str) -> None:
        assert step in STEPS or step in CALLS, step or f"the landing has more than {len(CALLS)} calls of git now"
        self.passed.append(step)
        if step == self.at and not self.done:
            self.done = True
            self.act()

    def around(self, before: str, work: Callable[[], Any], after: str) -> Any:
        if before:
            self.reach(before)
        result = work()
        if after:
            self.reach(after)
        return result


class Steps:
    """A port whose named calls are steps: {method: (step before, step after)}."""

    def __init__(self, port: object, stop: Stop, steps: dict[str, tuple[str, str]]) -> None:
        self._port, self._stop, self._steps = port, stop, steps

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._port, name)
        if name not in self._steps:
            return method
        before, after = self._steps[name]
        return lambda *args: self._stop.around(before, lambda: method(*args), after)


class Verbs:
    """Steps inside of one call of ours, by the verbs of git that it comes to."""

    def __init__(self, stop: Stop) -> None:
        self._stop = stop
        self.inside = ""
        self.moved = False
        self.calls = 0

    def within(self, name: str, method: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any) -> Any:
            self.inside = name
            try:
                return method(*args)
            finally:
                self.inside = ""

        return call

    def run(self, original: Callable[..., Ran]) -> Callable[..., Ran]:
        def ran(binary: GitBinary, args: Sequence[str], **how: Any) -> Ran:
            if self.inside == "land":
                self.calls += 1
                self._stop.reach(CALLS[self.calls - 1] if self.calls <= len(CALLS) else "")
            before, after = self._around(args[0])
            result: Ran = self._stop.around(before, lambda: original(binary, args, **how), after)
            return result

        return ran

    def _around(self, verb: str) -> tuple[str, str]:
        match self.inside, verb:
            case "freeze", "commit-tree":
                return "before the tree is sealed", ""
            case "freeze", "index-pack":
                return "", "after the tree is sealed"
            case "land", "index-pack":
                return "before objects are delivered", "after objects are delivered"
            case "land", "update-ref":
                self.moved = True
                return "before the ref moves", "after the ref moved"
            case "land", "ls-files" if self.moved:
                return "before the index is refreshed", ""
        return "", ""


class Blind:
    """A watch that sees nothing: what lands must be right without an alert, too."""

    def look(self, own_refs: frozenset[str] = frozenset(), *, strict: bool = False) -> Look:
        return Look(baseline="", seen="")

    def rebase(self) -> None: ...
    def accept_refs(self, refs: frozenset[str]) -> None: ...
    def accept_worktree(self, worktree: str) -> None: ...


class NoSnapshots:
    def take(self, worktree: str, name: str, when: int) -> Snapshot | Refused:
        return Refused(reason="none in this test")

    def restore(self, worktree: str, snapshot: str, when: int) -> RolledBack | Refused:
        return Refused(reason="none in this test")

    def changes(self, worktree: str, snapshot: str) -> tuple[str, ...] | Refused:
        return Refused(reason="none in this test")

    def collect(self, keep: frozenset[str], now: int) -> int:
        return 0


class Agent:
    """Writes its files in one turn; a process of its own that went on is what `Stop.act` stands for."""

    def __init__(self, spec: AgentSpec, report: Callable[[AgentFact], None], stop: Stop) -> None:
        self._spec, self._report, self._stop = spec, report, stop

    async def prompt(self, turn: int, text: str) -> TurnResult:
        root = Path(self._spec.cwd)
        (root / "a.txt").write_text("one\nthe agent's line\nthree\n")
        (root / "src" / "new.py").write_text("print('new')\n")
        (root / "other.txt").write_text("not part of the plan\n")
        self._stop.reach("the turn has ended")
        return TurnResult(ok=True, stop="end_turn")

    def vital(self) -> Vital:
        return Vital()

    async def stop(self, patience: float | None = None) -> None:
        self._report(Ended(end=ProcessEnd(how="exited", code=0, stopped=True)))


class Agents:
    def __init__(self, stop: Stop) -> None:
        self._stop = stop

    async def start(self, spec: AgentSpec, report: Callable[[AgentFact], None]) -> Agent:
        report(Began(conversation="c", pid=0, shim_pid=0, shim_start=0))
        return Agent(spec, report, self._stop)


class Running:
    stdin_fd: int | None = None
    stdout_fd: int | None = None
    pid = start_time = shim_pid = shim_start = 0

    def __init__(self, code: int) -> None:
        self._code = code

    async def wait(self) -> ProcessEnd:
        return ProcessEnd(how="exited", code=self._code)

    def stop(self, grace: float | None = None) -> None: ...


class Plainly:
    """Hooks and gates as plain processes."""

    def __init__(self, stop: Stop) -> None:
        self._stop = stop

    async def launch(self, spec: ProcessSpec) -> Running | ProcessEnd:
        before, after = self._steps(Path(spec.output).name)
        return await asyncio.to_thread(self._stop.around, before, lambda: Running(self._run(spec)), after)

    @staticmethod
    def _run(spec: ProcessSpec) -> int:
        with open(spec.output, "wb") as output:
            return subprocess.run(
                spec.argv,
                cwd=spec.cwd,
                env=spec.env,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                check=False,
            ).returncode

    @staticmethod
    def _steps(output: str) -> tuple[str, str]:
        if "hook-" in output:
            return "while a hook is started", "after a hook has ended"
        where = "worktree" if "worktree" in output else "plan"
        gate = "the gate in the worktree" if where == "worktree" else "the gate on the plan"
        return f"before {gate}", f"after {gate}"


class Looks:
    """The watch, with a step after each look; a look at the key press is the first of the checks."""

    def __init__(self, watch: Any, stop: Stop) -> None:
        self._watch, self._stop = watch, stop

    def look(self, own_refs: frozenset[str] = frozenset(), *, strict: bool = False) -> Look | Refused:
        approving = "the key is pressed" in self._stop.passed
        before, after = ("before the check", "after the git dir was checked") if approving else ("", "")
        result: Look | Refused = self._stop.around(
            before, lambda: self._watch.look(own_refs, strict=strict), after or "the git dir was looked at"
        )
        return result

    def __getattr__(self, name: str) -> Any:
        return getattr(self._watch, name)
