"""Real short processes under the real shim: one builder of specs and one collector of reported facts."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from console.adapters.agents import RealAgents
from console.adapters.agents.transcripts import Entry, tail
from console.adapters.processes import ShimProcesses
from console.core.records import Launch
from console.engine.ports import Agent, AgentFact, AgentSpec

RAW = Path(__file__).with_name("raw_agent.py")


class Facts(list[AgentFact]):
    """What a driver reported, in order."""

    def __init__(self) -> None:
        self._more = asyncio.Event()

    def take(self, fact: AgentFact) -> None:
        self.append(fact)
        self._more.set()

    def of(self, kind: type[Any]) -> list[Any]:
        return [fact for fact in self if isinstance(fact, kind)]

    async def until(self, kind: type[Any], count: int = 1, seconds: float = 20) -> Any:
        async with asyncio.timeout(seconds):
            while len(self.of(kind)) < count:
                self._more.clear()
                await self._more.wait()
        return self.of(kind)[count - 1]


class Bench:
    """Starts agents in a temporary folder and stops what is left of them at the end of the test."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.facts = Facts()
        self.agents: list[Agent] = []
        self.transcript = str(folder / "transcript.jsonl")
        self.output = str(folder / "output.log")
        self.patience = 1.0

    def spec(self, launch: Launch, **more: Any) -> AgentSpec:
        env = {"PATH": os.environ["PATH"], "XDG_STATE_HOME": str(self.folder / "state")}
        fixed = {"session": "s1", "run": 1, "cwd": str(self.folder / "work"), "env": env | launch.env}
        return AgentSpec(**fixed, launch=launch, transcript=self.transcript, stderr=self.output, **more)

    async def start(self, launch: Launch, **more: Any) -> Any:
        (self.folder / "work").mkdir(exist_ok=True)
        agents = RealAgents(ShimProcesses(), patience=self.patience)
        agent = await agents.start(self.spec(launch, **more), self.facts.take)
        if hasattr(agent, "prompt"):
            self.agents.append(agent)
        return agent

    async def raw(self, script: str, **more: Any) -> Any:
        """An agent without the library, whose turn is the body of a Python function (see raw_agent.py)."""
        path = self.folder / "script.py"
        path.write_text(script)
        mode = more.pop("mode", None)
        return await self.start(Launch(argv=(sys.executable, str(RAW), str(path)), mode=mode), **more)

    async def command(self, script: str, *arguments: str, **launch: Any) -> Any:
        path = self.folder / "script.py"
        path.write_text(script)
        spec = {key: launch.pop(key) for key in ("conversation",) if key in launch}
        argv = (sys.executable, str(path), *arguments)
        return await self.start(Launch(argv=argv, protocol="command", **launch), **spec)

    def entries(self, *kinds: str) -> list[Entry]:
        return [entry for entry in tail(self.transcript, 10**8) if not kinds or entry["kind"] in kinds]

    def text(self, kind: str) -> str:
        return "".join(entry.get("text", "") for entry in self.entries(kind))


@pytest.fixture
async def bench(tmp_path: Path) -> Any:
    made = Bench(tmp_path)
    yield made
    for agent in made.agents:
        await agent.stop()


@pytest.fixture
def eventually() -> Callable[[Callable[[], object]], Any]:
    async def wait(check: Callable[[], object]) -> None:
        async with asyncio.timeout(20):
            while not check():
                await asyncio.sleep(0.02)

    return wait
