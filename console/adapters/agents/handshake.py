"""From a connection to an ACP agent to a conversation that can be prompted: versions, load or new, the mode.

Knows no process and keeps no state; what goes wrong in an expected way is a `Refused`.
"""

from __future__ import annotations

import importlib.metadata
import json

import acp
from acp import schema
from acp.client import ClientSideConnection
from pydantic import ValidationError

from console.adapters.agents.updates import Updates
from console.core.records import Record, Refused
from console.engine.ports import AgentSpec

AUTH_REQUIRED = -32000


class Greeting(Record, frozen=True, kw_only=True):
    """The agent is ready. notes: its name and version, and why an earlier conversation was not resumed."""

    conversation: str
    resumed: bool
    notes: tuple[str, ...] = ()


async def greet(connection: ClientSideConnection, spec: AgentSpec, updates: Updates) -> Greeting | Refused:
    """Raises ConnectionError when the agent goes away; the caller keeps the deadline."""
    name = spec.launch.argv[0]
    try:
        hello = await _hello(connection)
        if hello.protocol_version != acp.PROTOCOL_VERSION:
            spoken = f"version {hello.protocol_version} of the protocol, not {acp.PROTOCOL_VERSION}"
            return Refused(reason=f"{name} speaks {spoken}: install a release that fits")
        greeting = await _converse(connection, spec, hello, updates)
    except acp.RequestError as error:
        return Refused(reason=_refusal(name, error))
    except ValidationError as error:
        return Refused(reason=f"{name} does not keep to the protocol: {first_problem(error)}")
    return await _set_mode(connection, spec, greeting.conversation) or greeting


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
    connection: ClientSideConnection, spec: AgentSpec, hello: schema.InitializeResponse, updates: Updates
) -> Greeting:
    """Go on with the conversation of the spec where the agent can, else open a new one and say why."""
    notes = [f"{hello.agent_info.name} {hello.agent_info.version}".strip()] if hello.agent_info else []
    if spec.conversation:
        problem = await _load(connection, spec, hello, updates)
        if not problem:
            return Greeting(conversation=spec.conversation, resumed=True, notes=tuple(notes))
        notes.append(f"started a fresh conversation: {problem}")
    fresh = await connection.new_session(cwd=spec.cwd, mcp_servers=[])
    return Greeting(conversation=fresh.session_id, resumed=False, notes=tuple(notes))


async def _load(
    connection: ClientSideConnection, spec: AgentSpec, hello: schema.InitializeResponse, updates: Updates
) -> str:
    """Why the earlier conversation could not be loaded; "" when it was. Its replayed history is not recorded again."""
    if hello.agent_capabilities is None or not hello.agent_capabilities.load_session:
        return "the agent cannot load an earlier one"
    updates.muted = True
    try:
        await connection.load_session(cwd=spec.cwd, session_id=spec.conversation, mcp_servers=[])
    except acp.RequestError as error:
        return f"loading {spec.conversation} failed: {error_text(error)}"
    except ValidationError as error:
        return f"loading {spec.conversation} failed: {first_problem(error)}"
    finally:
        updates.muted = False
    return ""


async def _set_mode(connection: ClientSideConnection, spec: AgentSpec, conversation: str) -> Refused | None:
    """The mode says what the agent may do unasked: without the one that was ordered it does not start."""
    mode = spec.launch.mode
    if not mode:
        return None
    try:
        await connection.set_session_mode(session_id=conversation, mode_id=mode)
    except (acp.RequestError, ValidationError) as error:
        why = error_text(error) if isinstance(error, acp.RequestError) else first_problem(error)
        return Refused(reason=f"{spec.launch.argv[0]} refused the mode {mode}: {why}")
    return None


def error_text(error: acp.RequestError) -> str:
    """Message, code and data of a JSON-RPC error."""
    data = "" if error.data is None else json.dumps(error.data, ensure_ascii=False, default=str)[:2000]
    return f"{error} ({error.code}) {data}".strip()


def first_problem(error: ValidationError) -> str:
    """The first thing that does not fit the schema."""
    first = error.errors(include_url=False, include_input=False)[0]
    return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"


def _refusal(name: str, error: acp.RequestError) -> str:
    if error.code == AUTH_REQUIRED:
        return f"{name} wants you to log in: run it once by hand in a terminal ({error_text(error)})"
    return f"{name} refused to start a conversation: {error_text(error)}"
