"""How real agents are driven: one module a protocol, picked by the launch.

The ACP library loads only with an ACP session.
"""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Callable

from msgspec.structs import replace

from console.adapters.environment import token
from console.core.records import Protocol, Refused
from console.engine.ports import Agent, AgentFact, AgentSpec, Processes

DRIVERS: dict[Protocol, str] = {"acp": "acp", "command": "command", "claude-stream": "claude"}


class RealAgents:
    """Starts agents under shims. `patience`: seconds given to each step of an orderly end. `workspace`: its key, for
    the token in their environment."""

    def __init__(self, processes: Processes, *, patience: float = 5.0, workspace: str = "") -> None:
        self._processes = processes
        self._patience = patience
        self._workspace = workspace

    async def start(self, spec: AgentSpec, report: Callable[[AgentFact], None]) -> Agent | Refused:
        """See `ports.Agents.start`. The library's import takes half a second, so it happens off the loop."""
        if self._workspace:
            spec = replace(spec, env=spec.env | token(self._workspace, spec.session))
        name = f"console.adapters.agents.{DRIVERS[spec.launch.protocol]}"
        driver = await asyncio.to_thread(importlib.import_module, name)
        started: Agent | Refused = await driver.start(self._processes, spec, report, self._patience)
        return started
