"""A ticket's worktree with a base commit, and everything that a blame needs: real git, real shims, a real cache."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from night import FakeAgents, FakePlaces, FakeSigning, FakeSnapshots, FakeWatch, NoHooks, Script

sys.path.insert(0, str(Path(__file__).parent.parent / "adapters"))

from gitrepo import Repo, added

from console.adapters import junit
from console.adapters.baselines import Baselines
from console.adapters.processes import ShimProcesses
from console.core.policies import Policy
from console.core.records import (
    Blame,
    CommitSpec,
    Frozen,
    Gate,
    GateResult,
    Launch,
    PolicySpec,
    Refused,
)
from console.core.sessions import Session
from console.core.state import State
from console.engine.blaming import Blaming
from console.engine.gating import Gating
from console.engine.world import World

SHELL = Gate(argv=("sh", "gate.sh"), timeout=30)
UNITTEST = Gate(argv=("python3", "-m", "unittest"), timeout=30)


def cases(**bodies: str) -> str:
    """A unittest module with these tests."""
    tests = [f"    def test_{name}(self): {body}" for name, body in bodies.items()]
    return "import unittest\nclass T(unittest.TestCase):\n" + "\n".join(tests) + "\n"


class Rig:
    """counter: a file that a gate counts its runs in; runs: where each run happened, by its output file."""

    def __init__(self, place: Path, base: dict[str, str]) -> None:
        self.place = place
        self.repo = Repo.make(place)
        for name, text in base.items():
            self.repo.write(name, text)
        self.base = self.repo.commit("base")
        self.git = self.repo.plain()
        self.worktree = Path(added(self.git, "t-1", "nightdesk/t-1").path)
        self.kept = Baselines(place / "state" / "baselines.json")
        self.runs: list[str] = []
        commit = CommitSpec(paths=("*",), message="m")
        self.attach(PolicySpec(sessions=("s-1",), then="commit", commit=commit, ticket="t-1", base=self.base))

    def attach(self, spec: PolicySpec) -> None:
        self.policy = Policy(policy="p-1", spec=spec, status="gating", since=0, attached_at=0, changed_at=0, attempt=1)

    def write(self, name: str, text: str) -> None:
        self.repo.write(name, text, self.worktree)

    def world(self) -> World:
        script = Script()
        return World(
            git=self.git,
            watch=FakeWatch(),
            snapshots=FakeSnapshots(),
            hooks=NoHooks(),
            signing=FakeSigning(),
            processes=Counting(self.runs),
            agents=FakeAgents(script),
            places=FakePlaces(self.place / "out"),
            now=time.time,
            gate_on=lambda: "plan",
            session_env=lambda launch: {},
            gate_env=lambda: (
                self.repo.environ | {"COUNTER": str(self.place / "counter"), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
            ),
            find_command=_find,
        )

    def gating(self) -> Gating:
        (self.place / "out").mkdir(exist_ok=True)
        session = Session(
            session="s-1",
            label="",
            preset="",
            launch=Launch(argv=("agent",)),
            cwd=str(self.worktree),
            worktree=str(self.worktree),
        )
        return Gating(self.world(), lambda: State(sessions={"s-1": session}), junit.find)

    async def blame(
        self, gate: Gate = SHELL, *, plan: Frozen | None = None, results: Sequence[GateResult] = ()
    ) -> Blame:
        """The deciding run (in the worktree unless `results` are given), and then the blame for it."""
        gating = self.gating()
        first = tuple(results) or (await gating.in_worktree(self.policy, gate),)
        assert first[-1].verdict != "green", first[-1].output
        self.runs.clear()
        return await Blaming(self.world(), gating, self.kept).blame(self.policy, gate, plan, first)

    def count(self) -> int:
        return len((self.place / "counter").read_text().split())


class Counting(ShimProcesses):
    """Notes where each run happened, by its output file."""

    def __init__(self, runs: list[str]) -> None:
        super().__init__()
        self._noted = runs

    async def launch(self, spec: Any) -> Any:
        self._noted.append(Path(spec.output).name.removeprefix("p-1.1.").removesuffix(".out"))
        return await super().launch(spec)


def _find(name: str, env: Any) -> str | Refused:
    found = shutil.which(name, path=env["PATH"])
    return found or Refused(reason=f"{name!r} is not on the PATH")


Make = Callable[..., Rig]
