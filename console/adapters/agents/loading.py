"""Goes on with an earlier conversation of an ACP agent in a new process, or says why it cannot.

gemini names the file of a conversation by the minute it began in. A process that loads it within that minute writes its
own start into the same file, and then nothing in it is found any more (0.61.0): so the minute is waited out first.
"""

from __future__ import annotations

import asyncio
import time

import acp
from acp import schema
from acp.client import ClientSideConnection
from pydantic import ValidationError

from console.adapters.agents.jsonrpc import error_text, first_problem
from console.adapters.agents.transcripts import FILE_BYTES, Transcript, tail
from console.adapters.agents.updates import Updates
from console.engine.ports import AgentSpec

MINUTE, MARGIN = 60.0, 0.5
LONGEST = 45.0
"""Seconds that are waited at most: less than an agent has for its start by default."""
BY_MINUTE = frozenset({"gemini-cli"})
"""Names of agents, as they introduce themselves, that file a conversation by its minute."""


def pause(began: float, now: float) -> float:
    """Seconds until the minute in which something began is over; 0 when it is, or began in the future. Unix seconds."""
    end = (began // MINUTE + 1) * MINUTE + MARGIN
    return max(0.0, end - now) if began <= now + MINUTE else 0.0


def began_at(path: str, conversation: str) -> float:
    """When the transcript says that the conversation was begun (not resumed); 0 for unknown. Unix seconds."""
    entries = (e for e in tail(path, 2 * FILE_BYTES) if e["kind"] == "began" and not e.get("resumed"))
    return max((float(e["at"]) for e in entries if e.get("conversation") == conversation), default=0.0)


def cost_so_far(path: str, conversation: str) -> float | None:
    """What the agent last said that the conversation has cost, in dollars; None when that is not for sure."""
    said: float | None = None
    mine = False
    for entry in tail(path, 2 * FILE_BYTES):
        match entry["kind"]:
            case "capped":
                return None
            case "began":
                mine = entry.get("conversation") == conversation
                said = (said if entry.get("resumed") else 0.0) if mine else said
            case "usage" if mine and isinstance(entry.get("total"), int | float):
                said = float(entry["total"])
    return said


Servers = list[schema.HttpMcpServer | schema.SseMcpServer | schema.AcpMcpServer | schema.McpServerStdio]


def handed(spec: AgentSpec) -> Servers:
    """The tool servers of the spec, as the protocol wants them: every agent can start one on its pipes."""
    return [
        schema.McpServerStdio(
            name=server.name,
            command=server.argv[0],
            args=list(server.argv[1:]),
            env=[schema.EnvVariable(name=name, value=value) for name, value in server.env.items()],
        )
        for server in spec.mcp
    ]


async def load(
    connection: ClientSideConnection,
    spec: AgentSpec,
    hello: schema.InitializeResponse,
    updates: Updates,
    transcript: Transcript,
) -> schema.LoadSessionResponse | str:
    """The answer to `session/load`, or why there is none. The history that it replays is not recorded again."""
    if hello.agent_capabilities is None or not hello.agent_capabilities.load_session:
        return "the agent cannot load an earlier one"
    if hello.agent_info and hello.agent_info.name in BY_MINUTE and (problem := await _minute_over(spec, transcript)):
        return problem
    updates.muted = True
    try:
        return await connection.load_session(cwd=spec.cwd, session_id=spec.conversation, mcp_servers=handed(spec))
    except acp.RequestError as error:
        return f"loading {spec.conversation} failed: {error_text(error)}"
    except ValidationError as error:
        return f"loading {spec.conversation} failed: {first_problem(error)}"
    finally:
        updates.muted = False


async def _minute_over(spec: AgentSpec, transcript: Transcript) -> str:
    """Wait until the conversation can be loaded; why not, when that takes too long."""
    began = await asyncio.to_thread(began_at, spec.transcript, spec.conversation)
    seconds = pause(began, time.time())
    if not seconds:
        return ""
    why = "this agent loses a conversation that it loads within the minute in which it began"
    if seconds > min(LONGEST, spec.start_timeout - MARGIN):
        return f"{why}, and that one is over only in {seconds:.0f} s"
    transcript.append("update", type="waiting", text=f"loads {spec.conversation} in {seconds:.0f} s: {why}")
    await asyncio.sleep(seconds)
    return ""
