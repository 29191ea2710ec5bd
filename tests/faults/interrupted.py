"""The real flow from a turn's end to a landed commit, in one process on real git, stopped once at a chosen step.

Only agent, sandbox and shim are stand-ins; the log, the supervisor, hooks, signing and git are the product's.
"""

from __future__ import annotations

import asyncio
import shutil
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "adapters"))

from gitrepo import Repo
from stops import Agents, Blind, Looks, NoSnapshots, Plainly, Steps, Stop, Verbs

from console.adapters.git.binary import GitBinary, GitFailed
from console.adapters.git.commits import PlainGit
from console.adapters.git.hooks import CommitHooks
from console.adapters.git.signing import CommitSigning
from console.adapters.git.watching import Watch
from console.adapters.places import Places, places
from console.adapters.store import Log
from console.core import commands as cmd
from console.core import events as ev
from console.core.commits import Plan
from console.core.records import CommitSpec, Frozen, Gate, Launch, PolicySpec, Refused, Who
from console.core.state import State
from console.engine import supervisor as room
from console.engine.assessment import assess_plan
from console.engine.journal import Journal
from console.engine.ports import Workspace
from console.engine.world import World

ME = Who(user="ada")
PATHS = ("a.txt", "src/new.py")
PATIENCE = 20.0


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
            watch=Looks(watch, stop),
            snapshots=NoSnapshots(),
            hooks=Steps(hooks, stop, {"prepare": ("before the hooks", ""), "outcome": ("", "after the hooks")}),
            signing=Steps(signing, stop, {"sign": ("before signing", "after signing")}),
            processes=Plainly(stop),
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
