"""Knocks at an ACP agent's door: begins a session in an empty folder and goes again. No prompt, so no token is spent.

What the agent offers and refuses is heard by the same driver that would drive it at night.
"""

from __future__ import annotations

import time
from pathlib import Path

from console.adapters.agents import RealAgents
from console.core.records import Launch, Record, Refused
from console.engine.ports import AgentFact, AgentSpec, Began, Processes

PATIENCE = 1.0
"""Seconds that it may take to go by itself once its input is closed."""


class Knock(Record, frozen=True, kw_only=True):
    """refused: why no session can begin, "" when one did. login: because nobody is logged in. said: the agent's name
    and version, as far as it tells. seconds: from its start until it was gone."""

    refused: str = ""
    login: bool = False
    said: str = ""
    seconds: float = 0.0


async def knock(
    processes: Processes, launch: Launch, env: dict[str, str], work: Path, place: Path, *, limit: float
) -> Knock:
    """work: the folder that it begins in. place: another one, for what it says and prints. limit: seconds until a
    conversation must have begun in the wanted mode."""
    began = time.monotonic()
    heard: list[AgentFact] = []
    spec = AgentSpec(
        session="preflight",
        run=0,
        launch=launch,
        cwd=str(work),
        env=env,
        transcript=str(place / "transcript.jsonl"),
        stderr=str(place / "stderr"),
        start_timeout=limit,
    )
    agent = await RealAgents(processes, patience=PATIENCE).start(spec, heard.append)
    if isinstance(agent, Refused):
        return _refused(agent.reason, time.monotonic() - began)
    await agent.stop(PATIENCE)
    said = next((fact.detail for fact in heard if isinstance(fact, Began)), "")
    return Knock(said=said, seconds=time.monotonic() - began)


def _refused(reason: str, seconds: float) -> Knock:
    """What it printed tells why it did not get ready; a refusal over the protocol has said all of it itself."""
    from console.adapters.agents.handshake import AUTH_REQUIRED  # loaded with the driver, and not before it

    said, _, _ = reason.partition("; its last output: ")
    login = f"({AUTH_REQUIRED})" in said
    if login:  # what follows the code is for programs
        said = f"{said.partition(f' ({AUTH_REQUIRED})')[0]})"
    return Knock(refused=reason if "ready" in said else said, login=login, seconds=seconds)
