"""An agent that nobody here wrote: the example of the protocol's own TypeScript SDK, unchanged, through our driver."""

from __future__ import annotations

import asyncio
import shutil
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import clis  # noqa: E402

from console.adapters.agents import RealAgents  # noqa: E402
from console.adapters.agents.transcripts import tail  # noqa: E402
from console.adapters.processes import ShimProcesses  # noqa: E402
from console.core.records import Launch, Refused  # noqa: E402
from console.engine.ports import AgentFact, AgentSpec, Asked, Ended  # noqa: E402

EXAMPLE = Path("acp-sdk", "node_modules", "@agentclientprotocol", "sdk", "dist", "examples", "agent.js")


def example() -> Path:
    path = clis.folder() / EXAMPLE
    if not path.exists():
        pytest.skip(f"{path} is missing: @agentclientprotocol/sdk ships its examples up to 1.9.0, not from 2.0 on")
    if shutil.which("node", path=clis.path_for("codex-acp")) is None:
        pytest.skip("node is neither on PATH nor in the folder of the agents")
    return path


async def test_the_sdk_example_asks_and_goes_on_as_it_is_told(tmp_path: Path) -> None:
    """Each turn of it takes five seconds, so both answers are given at once, to two of them."""
    answers = {"allow_once": "successfully updated", "reject_once": "skip the configuration"}
    await asyncio.gather(*(answered(kind, words, tmp_path / kind) for kind, words in answers.items()))


async def answered(kind: str, words: str, folder: Path) -> None:
    folder.mkdir()
    asked: asyncio.Queue[Asked] = asyncio.Queue()
    ended: list[AgentFact] = []

    def report(fact: AgentFact) -> None:
        if isinstance(fact, Asked):
            asked.put_nowait(fact)
        elif isinstance(fact, Ended):
            ended.append(fact)

    env = {"PATH": clis.path_for("codex-acp"), "HOME": str(folder)}
    spec = AgentSpec(session="s1", run=1, launch=Launch(argv=("node", str(example()))), cwd=str(folder), env=env,
                     transcript=str(folder / "t.jsonl"), stderr=str(folder / "err.log"))  # fmt: skip
    agent = await RealAgents(ShimProcesses()).start(spec, report)
    assert not isinstance(agent, Refused), agent
    try:
        turn = asyncio.ensure_future(agent.prompt(1, "Improve the configuration."))
        question = await asyncio.wait_for(asked.get(), 30)
        assert question.title == "Modifying critical configuration file"
        assert agent.answer(question.question, next(o.id for o in question.options if o.kind == kind))
        assert (await asyncio.wait_for(turn, 30)).ok
    finally:
        await agent.stop()
    entries = tail(spec.transcript)
    assert words in "".join(e.get("text", "") for e in entries if e["kind"] == "text")
    assert next(e for e in entries if e["kind"] == "ask")["paths"] == "/home/user/project/config.json"
    assert len(ended) == 1
