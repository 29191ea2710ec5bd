"""Builds the server: which tools there are depends on for whom it is."""

from __future__ import annotations

import os
import signal
import threading

from mcp.server import MCPServer

from console import wiring
from console.mcp.chains import ChainTools
from console.mcp.events import LogTools
from console.mcp.leaving import GONE
from console.mcp.lines import relayed
from console.mcp.overview import OverviewTools
from console.mcp.own import OwnTools
from console.mcp.policies import PolicyTools
from console.mcp.routines import RoutineTools
from console.mcp.scope import Scope
from console.mcp.sessions import SessionTools
from console.mcp.tickets import TicketTools
from console.mcp.verb import Verb

OPERATOR = """\
Nightdesk supervises unattended coding agents. Sessions are agents at work; a policy judges the end of a session's turn
with a gate and, with then=commit, freezes a green diff as a plan that waits for a person. Start idle, attach, prompt,
wait_for_any, read the plan, and ack_policy only in the operator's name."""
AGENT = """\
Nightdesk supervises this session. ask_human asks the operator, park_ticket gives the ticket to a person, heartbeat
says that long silent work goes on. Your work is judged by a gate when you end your turn; nothing said here approves
it."""

GRACE = 5.0
"""Seconds for the calls that are at work when the client goes."""


def verbs(scope: Scope) -> list[Verb]:
    """The tools of the operator's programs, or the smaller set of a session's agent."""
    if scope.small:
        return OwnTools(scope).verbs()
    found = [
        *PolicyTools(scope).verbs(),
        *LogTools(scope).verbs(),
        *SessionTools(scope).verbs(),
        *TicketTools(scope).verbs(),
        *RoutineTools(scope).verbs(),
        *ChainTools(scope).verbs(),
        *OverviewTools(scope).verbs(),
    ]
    for one in found:  # whatever became of this process since it was started
        one.people = one.people or f"{one.name} of the operator's tools"
    return found


def build(scope: Scope) -> MCPServer[None]:
    return MCPServer(
        "nightdesk",
        instructions=AGENT if scope.small else OPERATOR,
        version=wiring.version(),
        tools=list(verbs(scope)),
        log_level="WARNING",
    )


def serve(scope: Scope) -> None:
    """Until stdin ends, or a signal: nothing here is left half done, so that ends it at once."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    relayed(_client_gone)
    build(scope).run("stdio")


def _client_gone() -> None:
    """Calls that wait see it and end; what else still works is not waited for long."""
    GONE.set()
    last = threading.Timer(GRACE, os._exit, (0,))
    last.daemon = True
    last.start()
