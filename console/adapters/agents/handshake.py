"""From a connection to an ACP agent to a conversation that can be prompted: versions, load or new, the mode.

Knows no process and keeps no state; what goes wrong in an expected way is a `Refused`.
"""

from __future__ import annotations

import asyncio
import importlib.metadata

import acp
from acp import schema
from acp.client import ClientSideConnection
from pydantic import ValidationError

from console.adapters.agents import loading, modes
from console.adapters.agents.jsonrpc import error_text, first_problem
from console.adapters.agents.transcripts import Transcript
from console.adapters.agents.updates import Updates
from console.core.records import Record, Refused
from console.engine.ports import AgentSpec

AUTH_REQUIRED = -32000


class Greeting(Record, frozen=True, kw_only=True):
    """The agent is ready. notes: its name and version, and why an earlier conversation was not resumed. offer: the
    modes that its session can be set to. cost: dollars that the conversation has cost so far, None for unknown."""

    conversation: str
    resumed: bool
    notes: tuple[str, ...] = ()
    offer: modes.Offer = modes.Offer()
    cost: float | None = 0.0


async def greet(
    connection: ClientSideConnection, spec: AgentSpec, updates: Updates, transcript: Transcript
) -> Greeting | Refused:
    """Raises ConnectionError when the agent goes away; the caller keeps the deadline."""
    name = spec.launch.argv[0]
    try:
        hello = await _hello(connection)
        if hello.protocol_version != acp.PROTOCOL_VERSION:
            spoken = f"version {hello.protocol_version} of the protocol, not {acp.PROTOCOL_VERSION}"
            return Refused(reason=f"{name} speaks {spoken}: install a release that fits")
        greeting = await _converse(connection, spec, hello, updates, transcript)
    except acp.RequestError as error:
        return Refused(reason=_refusal(name, error))
    except ValidationError as error:
        return Refused(reason=f"{name} does not keep to the protocol: {first_problem(error)}")
    if mode := spec.launch.mode:
        fresh = not greeting.resumed
        problem = await modes.order(connection, greeting.conversation, mode, greeting.offer, fresh)
        if problem:
            return Refused(reason=f"{name} {problem}")
    return greeting


async def _hello(connection: ClientSideConnection) -> schema.InitializeResponse:
    """Offers neither files nor terminals: agents with access to them behave worse, and we would have to guard it."""
    try:
        version = importlib.metadata.version("nightdesk")
    except importlib.metadata.PackageNotFoundError:
        version = "0"
    return await connection.initialize(
        protocol_version=acp.PROTOCOL_VERSION,
        client_capabilities=schema.ClientCapabilities(),
        client_info=schema.Implementation(name="nightdesk", version=version),
    )


async def _converse(
    connection: ClientSideConnection,
    spec: AgentSpec,
    hello: schema.InitializeResponse,
    updates: Updates,
    transcript: Transcript,
) -> Greeting:
    """Go on with the conversation of the spec where the agent can, else open a new one and say why."""
    notes = [f"{hello.agent_info.name} {hello.agent_info.version}".strip()] if hello.agent_info else []
    if spec.conversation:
        loaded = await loading.load(connection, spec, hello, updates, transcript)
        if isinstance(loaded, schema.LoadSessionResponse):
            cost = await asyncio.to_thread(loading.cost_so_far, spec.transcript, spec.conversation)
            return _greeted(spec.conversation, notes, loaded, resumed=True, cost=cost)
        notes.append(f"started a fresh conversation: {loaded}")
    fresh = await connection.new_session(cwd=spec.cwd, mcp_servers=loading.handed(spec))
    return _greeted(fresh.session_id, notes, fresh, resumed=False, cost=0.0)


def _greeted(
    conversation: str,
    notes: list[str],
    answer: schema.NewSessionResponse | schema.LoadSessionResponse,
    *,
    resumed: bool,
    cost: float | None,
) -> Greeting:
    offered = modes.offer(answer)
    return Greeting(conversation=conversation, resumed=resumed, notes=tuple(notes), offer=offered, cost=cost)


def _refusal(name: str, error: acp.RequestError) -> str:
    if error.code == AUTH_REQUIRED:
        return f"{name} wants you to log in: run it once by hand in a terminal ({error_text(error)})"
    return f"{name} refused to start a conversation: {error_text(error)}"
