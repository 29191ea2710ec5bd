"""The real flow from a turn's end to a landed commit, in one process on real git, stopped once at a chosen step.

Only the agent, the sandbox and the shim are stand-ins; the log, the supervisor, hooks, signing and git are the product's.
"""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import pytest

from console.adapters.git.binary import GitBinary, GitFailed, Ran
from console.adapters.git.commits import PlainGit
from console.adapters.git.hooks import CommitHooks
from console.adapters.git.signing import CommitSigning
from console.adapters.git.watching import Watch
from console.adapters.places import Places, places
from console.adapters.store import Log
from console.core import commands as cmd
from console.core import events as ev
from console.core.commits import Plan
from console.core.records import CommitSpec, Frozen, Gate, Launch, PolicySpec, ProcessEnd, Refused, Who
from console.core.state import State
from console.engine import supervisor as room
from console.engine.assessment import assess_plan
from console.engine.journal import Journal
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
    Workspace,
)
from console.engine.world import World
from tests.adapters.gitrepo import Repo

ME = Who(user="ada")
PATHS = ("a.txt", "src/new.py")
PATIENCE = 20.0
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


@dataclass
class Stop:
    """Does `act` once, when the flow is at the step `at`. passed: the steps that the flow went through."""

    at: str = ""
    act: Callable[[], None] = lambda: None
    done: bool = False
    passed: list[str] = field(default_factory=list)

    def reach(self, step: str) -> None:
        assert step in STEPS, step
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

    def look(self, own_refs: frozenset[str] = frozenset()) -> Look:
        return Look(baseline="", seen="")

    def rebase(self) -> None: ...
    def accept_refs(self, refs: frozenset[str]) -> None: ...


class NoSnapshots:
    def take(self, worktree: str, name: str, when: int) -> Snapshot | Refused:
        return Refused(reason="none in this test")

    def restore(self, worktree: str, snapshot: str, when: int) -> RolledBack | Refused:
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

    async def stop(self) -> None:
        self._report(Ended(end=ProcessEnd(how="exited", code=0, stopped=True)))


class Agents:
    def __init__(self, stop: Stop) -> None:
        self._stop = stop

    async def start(self, spec: AgentSpec, report: Callable[[AgentFact], None]) -> Agent:
        report(Began(conversation="c", pid=0, shim_pid=0, shim_start=0))
        return Agent(spec, report, self._stop)


class Running:
    stdin_fd = stdout_fd = None
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

    async def launch(self, spec: ProcessSpec) -> Running:
        before, after = self._steps(Path(spec.output).name)
        return await asyncio.to_thread(self._stop.around, before, lambda: Running(self._run(spec)), after)

    @staticmethod
    def _run(spec: ProcessSpec) -> int:
        with open(spec.output, "wb") as output:
            return subprocess.run(
                spec.argv, cwd=spec.cwd, env=spec.env, stdin=subprocess.DEVNULL, stdout=output, stderr=output, check=False
            ).returncode

    @staticmethod
    def _steps(output: str) -> tuple[str, str]:
        if "hook-" in output:
            return "while a hook is started", "after a hook has ended"
        where = "worktree" if "worktree" in output else "plan"
        gate = "the gate in the worktree" if where == "worktree" else "the gate on the plan"
        return f"before {gate}", f"after {gate}"


@dataclass
class Flow:
    """One workspace at a fixed place, so that a copy of its folder can take its place."""

    repo: Repo
    workspace: Workspace
    places: Places
    stop: Stop
    watched: bool = False

    @classmethod
    def on(cls, repo: Repo, stop: Stop, watched: bool = False) -> Self:
        workspace = repo.workspace()
        found = places(workspace, repo.environ)
        found.make()
        return cls(repo, workspace, found, stop, watched)

    def git(self) -> PlainGit:
        return PlainGit(self.workspace, self.places.state, self.places.data, self.repo.environ)

    def world(self, verbs: Verbs) -> World:
        real, stop = self.git(), self.stop
        git: Any = Steps(
            real,
            stop,
            {
                "checkout": ("before the plan is checked out", ""),
                "moved": ("", "after the branch was checked"),
                "freeze": ("before the freeze", "after the freeze"),
                "land": ("the intent is written", "after the index is refreshed"),
            },
        )
        real.freeze = verbs.within("freeze", real.freeze)  # type: ignore[method-assign]
        real.land = verbs.within("land", real.land)  # type: ignore[method-assign]
        real.drift = self._drift(real.drift)  # type: ignore[method-assign]
        watch: Any = Watch(real.repository) if self.watched else Blind()
        signing = CommitSigning(real.repository, self.repo.environ)
        hooks = CommitHooks(real.repository, lambda: {"PATH": self.repo.environ["PATH"]})
        return World(
            git=git,
            watch=Looks(watch, stop),  # type: ignore[arg-type]
            snapshots=NoSnapshots(),  # type: ignore[arg-type]
            hooks=Steps(hooks, stop, {"prepare": ("before the hooks", ""), "outcome": ("", "after the hooks")}),  # type: ignore[arg-type]
            signing=Steps(signing, stop, {"sign": ("before signing", "after signing")}),  # type: ignore[arg-type]
            processes=Plainly(stop),  # type: ignore[arg-type]
            agents=Agents(stop),  # type: ignore[arg-type]
            places=self.places,
            now=lambda: 1_700_000_000.0,
            gate_on=lambda: "plan",
            session_env=lambda launch: {},
            gate_env=lambda: {"PATH": self.repo.environ["PATH"]},
            find_command=lambda name, env: shutil.which(name) or Refused(reason="no such gate"),
            assess=lambda plan, hooks: stop.around("", lambda: assess_plan(real, plan, hooks), "the plan is assessed"),
            root=str(self.repo.root),
        )

    def _drift(self, drift: Callable[..., tuple[str, ...]]) -> Callable[..., tuple[str, ...]]:
        """The last part of the check at the key press; after a gate it is no step of its own."""

        def call(plan: Frozen) -> tuple[str, ...]:
            after = "after the check" if "the key is pressed" in self.stop.passed else ""
            found: tuple[str, ...] = self.stop.around("", lambda: drift(plan), after)
            return found

        return call

    def journal(self) -> Journal:
        return Journal(Log(self.places.log), time.time)


@dataclass
class Play:
    """What came of it. shown: the diff of the plan as a person saw it, None when it could not be drawn. committed: what
    the log says landed."""

    plan: Plan | None = None
    shown: bytes | None = None
    committed: ev.PolicyCommitted | None = None
    troubles: tuple[str, ...] = ()
    reason: str = ""


class Looks:
    """The watch, with a step after each look; a look at the key press is the first of the checks."""

    def __init__(self, watch: Any, stop: Stop) -> None:
        self._watch, self._stop = watch, stop

    def look(self, own_refs: frozenset[str] = frozenset()) -> Look | Refused:
        approving = "the key is pressed" in self._stop.passed
        before, after = ("before the check", "after the git dir was checked") if approving else ("", "")
        result: Look | Refused = self._stop.around(
            before, lambda: self._watch.look(own_refs), after or "the git dir was looked at"
        )
        return result

    def __getattr__(self, name: str) -> Any:
        return getattr(self._watch, name)


# -- playing it


async def _until(journal: Journal, look: Callable[[State], object]) -> State:
    deadline = time.monotonic() + PATIENCE
    while True:
        journal.refresh()
        if look(journal.state):
            return journal.state
        assert time.monotonic() < deadline, [entry.fact for entry in journal.since(0)][-4:]
        await asyncio.sleep(0.004)


def _do(journal: Journal, command: cmd.Command) -> ev.Fact:
    result = journal.submit(command)
    assert not isinstance(result, Refused), result
    return result[0].fact


def _begin(journal: Journal, root: str) -> None:
    """A session with a prompt, and a policy for two of the three files that its agent will write."""
    launch = Launch(argv=("agent",))
    _do(journal, cmd.StartSession(launch=launch, cwd=root, worktree=root, by=ME, prompt="go"))
    spec = PolicySpec(
        sessions=("s-1",),
        then="commit",
        gate=Gate(argv=("true",), timeout=30),
        commit=CommitSpec(paths=PATHS, message="The agent's work"),
    )
    _do(journal, cmd.AttachPolicy(spec=spec, by=ME))


def _judged(state: State) -> bool:
    return state.policies["pol-1"].status in ("awaiting-ack", "blocked", "cancelled")


def _settled(state: State) -> bool:
    """Nothing is on its way any more: landed, waiting for another key, or over."""
    policy = state.policies["pol-1"]
    moving = any(plan.state in ("approved", "landing") for plan in state.plans.values())
    return not moving and policy.status in ("awaiting-ack", "blocked", "cancelled", "done")


async def play(flow: Flow, monkeypatch: pytest.MonkeyPatch, *, begin: bool = True, approve: bool = True) -> Play:
    """From the prompt (or, with begin False, from the waiting plan of a log that is there) to the end."""
    verbs = Verbs(flow.stop)
    with monkeypatch.context() as patch:
        patch.setattr(room, "POLL", 0.02)
        patch.setattr(GitBinary, "run", verbs.run(GitBinary.run))
        world = flow.world(verbs)
        log = Log(flow.places.log)
        log.upgrade()
        log.close()
        journal = flow.journal()
        if begin:
            _begin(journal, str(flow.repo.root))
        about = room.About(pid=0, start_time=0, host="h", version="0")
        sup = room.Supervisor(world, flow.journal, about)
        task = asyncio.create_task(sup.main())
        try:
            await _until(journal, _judged)
            played = Play()
            if approve:
                await _press(flow, journal, sup, played)
            return _told(journal, played)
        finally:
            sup.request_stop("the test is over")
            await asyncio.wait({task}, timeout=PATIENCE)
            journal.close()


async def _press(flow: Flow, journal: Journal, sup: room.Supervisor, played: Play) -> None:
    plan = next((one for one in journal.state.plans.values() if one.state == "waiting"), None)
    if plan is None:
        return
    played.plan, played.shown = plan, await asyncio.to_thread(shown, flow, plan.frozen)
    flow.stop.reach("the plan is shown")
    _do(journal, cmd.Approve(policy=plan.policy, plan=plan.plan, by=ME, confirm=plan.policy))
    flow.stop.reach("the key is pressed")
    sup.look()
    await _until(journal, _settled)


def shown(flow: Flow, plan: Frozen) -> bytes | None:
    try:
        return flow.git().diff(plan)
    except GitFailed:
        return None


def _told(journal: Journal, played: Play) -> Play:
    facts = [entry.fact for entry in journal.since(0)]
    played.committed = next((fact for fact in facts if isinstance(fact, ev.PolicyCommitted)), None)
    played.troubles = tuple(fact.error for fact in facts if isinstance(fact, ev.SupervisorTrouble))
    state = journal.state
    played.reason = state.policies["pol-1"].reason or next((one.reason for one in state.plans.values()), "")
    return played
