"""Which permission requests are for a tool of the server that we hand an agent ourselves. Pure.

Those need nobody's word: the tools ask a person, park and tell what their session may know anyway. A request is taken
for one of them only when all that is shown of it is the tool's name, as one of the known agents writes it; one that
lies about that would not have to ask.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from console.engine.ports import McpServer

TOOLS = ("ask_human", "park_ticket", "heartbeat", "my_ticket", "poll_events", "get_policy_status")
"""The smaller set (`console.mcp.own`)."""

Ours = Callable[[str, str, Mapping[str, object]], bool]
"""Title and kind as the agent tells them, and whatever else there is to show beside arguments: paths, a command."""


def nobodys(_title: str, _kind: str, _shown: Mapping[str, object]) -> bool:
    return False


def recogniser(servers: Iterable[McpServer]) -> Ours:
    """claude-agent-acp: mcp__S__T. gemini: T (S MCP Server). opencode: S_T. As tried; another spelling is asked."""
    names = {
        spelt
        for server in servers
        for tool in TOOLS
        for spelt in (f"mcp__{server.name}__{tool}", f"{tool} ({server.name} MCP Server)", f"{server.name}_{tool}")
    }

    def ours(title: str, kind: str, shown: Mapping[str, object]) -> bool:
        return title in names and kind in ("", "other") and not any(shown.values())

    return ours if names else nobodys
