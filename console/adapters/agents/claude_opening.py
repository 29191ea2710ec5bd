"""How a Claude Code process is started: as a peer on its pipes, in a fresh conversation or one that goes on. Pure."""

from __future__ import annotations

import json
import re
import uuid
from dataclasses import dataclass

from console.core.records import Launch
from console.engine.ports import AgentSpec, McpServer

NEEDED: tuple[tuple[str, ...], ...] = (
    ("-p",),
    ("--input-format", "stream-json"),
    ("--output-format", "stream-json"),
    ("--verbose",),
    ("--permission-prompt-tool", "stdio"),
    ("--include-partial-messages",),
)
"""What makes it a peer; added where the command does not say it already."""
SAME = {"-p": ("-p", "--print")}
OWN_CONVERSATION = ("--session-id", "--resume", "-r", "--continue", "-c")


@dataclass(slots=True, frozen=True)
class Opening:
    """How a process is started. conversation: the id that it is told, "" when it chooses. note: for `Began.detail`."""

    argv: tuple[str, ...]
    conversation: str
    resumed: bool = False
    note: str = ""


def fresh(launch: Launch, note: str = "", servers: tuple[McpServer, ...] = ()) -> Opening:
    """A new conversation with an id of ours: then it is known before a word of it is written down."""
    argv = (*peer_argv(launch.argv), *handed(servers))
    if any(word.partition("=")[0] in OWN_CONVERSATION for word in argv):
        return Opening(argv, "", note=note)
    ident = str(uuid.uuid4())
    return Opening((*argv, "--session-id", ident), ident, note=note)


def opening(spec: AgentSpec) -> Opening:
    """Go on with the conversation, if there is one and it can be named. Only a UUID names one and nothing else: any
    other word is looked up among the titles of all conversations."""
    launch, ident = spec.launch, spec.conversation
    if not ident:
        return fresh(launch, servers=spec.mcp)
    if not launch.resume:
        return fresh(launch, "started a fresh conversation: the preset does not say how to resume one", spec.mcp)
    if not is_uuid(ident):
        note = f"started a fresh conversation: {ident[:80]!r} is not the id of one of Claude Code's"
        return fresh(launch, note, spec.mcp)
    resume = tuple(word.replace("{conversation}", ident) for word in launch.resume)
    return Opening((*peer_argv(launch.argv), *handed(spec.mcp), *resume), ident, resumed=True)


def handed(servers: tuple[McpServer, ...]) -> tuple[str, ...]:
    """Flags that hand it our tool servers, inline, and let it call their tools without asking: they can ask a person
    and park, nothing else. Both take any number of words: a flag, or nothing, has to follow."""
    if not servers:
        return ()
    told = {s.name: {"type": "stdio", "command": s.argv[0], "args": s.argv[1:], "env": s.env} for s in servers}
    allowed = [f"mcp__{server.name}" for server in servers]
    return ("--mcp-config", json.dumps({"mcpServers": told}), "--allowedTools", *allowed)


def peer_argv(argv: tuple[str, ...]) -> tuple[str, ...]:
    """The command with what it still needs. A flag comes last but for values of its own, so that one that takes any
    number of words (`--allowedTools`) takes none of ours."""
    said = {word.partition("=")[0] for word in argv}
    missing = (more for more in NEEDED if not said.intersection(SAME.get(more[0], (more[0],))))
    return (*argv, *(word for more in missing for word in more))


def is_uuid(text: str) -> bool:
    return re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", text, re.I) is not None
