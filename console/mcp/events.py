"""Tools that read the log by cursor, and that wait for what ends."""

from __future__ import annotations

import time
from typing import Annotated, Any

from mcp.server.mcpserver import Context
from pydantic import Field
from typing_extensions import TypedDict

from console.adapters.store import Log
from console.cli.waiting import PolicyEnd, SessionTurn, Target
from console.core.state import State
from console.mcp.scope import Scope
from console.mcp.verb import Patience, Verb, verb
from console.verbs.failing import Fail, policy_named, session_named
from console.verbs.reading import entry

Since = Annotated[int, Field(ge=0, le=2**62, description="Only events after this cursor; 0 for all.")]
Limit = Annotated[int, Field(ge=1, le=1000, description="At most so many events.")]
Types = Annotated[
    list[str], Field(max_length=100, description="Only these, e.g. turn-end, awaiting-input, policy:commit-ready.")
]


class Events(TypedDict):
    events: list[dict[str, Any]]
    nextCursor: int


class Ended(TypedDict):
    """ended: ids, in the order they were named. cursor: of the log as it was looked at."""

    ended: list[str]
    timedOut: bool
    sessions: list[dict[str, Any]]
    policies: list[dict[str, Any]]
    cursor: int


class LogTools:
    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    def verbs(self) -> list[Verb]:
        return [verb(self.poll_events), verb(self.wait_for_any)]

    def poll_events(
        self,
        since: Since = 0,
        types: Types = [],  # noqa: B006 (never changed; a schema wants the default itself)
        sessionIds: Annotated[list[str], Field(max_length=100, description="Only of these sessions.")] = [],  # noqa: B006
        limit: Limit = 500,
    ) -> Events:
        """What happened, in order, since a cursor. Take `nextCursor` before you trigger something, and read on from it
        later: nothing is missed and nothing comes twice. Returns at once; no transcripts.

        Example: {"since": 120, "types": ["turn-end", "policy:commit-ready"], "limit": 50}
        """
        log = Log(self._scope.here.places.log)
        try:
            rows, cursor = log.find(since, types=types, sessions=sessionIds, limit=limit)
        finally:
            log.close()
        return {"events": [entry(row) for row in rows], "nextCursor": cursor}

    def wait_for_any(
        self,
        ctx: Context[Any, Any],
        sessionIds: Annotated[list[str], Field(max_length=100, description="Wait for the end of their turns.")] = [],  # noqa: B006
        policyIds: Annotated[
            list[str],
            Field(max_length=100, description="Wait until they are done, blocked, cancelled or await an ack."),
        ] = [],  # noqa: B006
        timeoutMs: Annotated[int, Field(ge=0, le=50_000, description="Milliseconds; call again after that.")] = 45_000,
    ) -> Ended:
        """Blocks until one of these has ended, and says which; also when it has already. For longer than 50 s call it
        again, or let `nightdesk sessions wait` run in the background.

        Example: {"policyIds": ["pol-1", "pol-2"], "timeoutMs": 45000}
        """
        with self._scope.client() as client:
            targets = _targets(client.state, sessionIds, policyIds)
            patience = Patience(ctx, timeoutMs / 1000, time.monotonic)

            def look(state: State) -> bool | None:
                return True if any(one.ended(state) for one in targets) else patience.over() or None

            over = client.wait(look, timeoutMs / 1000)
            return _ended(client.journal.state, targets, timed_out=over is None)


def _targets(state: State, sessions: list[str], policies: list[str]) -> list[Target]:
    if not sessions and not policies:
        raise Fail("name sessionIds or policyIds to wait for")
    turns = [SessionTurn(session_named(state, name).session) for name in sessions]
    return [*turns, *(PolicyEnd(policy_named(state, name).policy) for name in policies)]


def _ended(state: State, targets: list[Target], *, timed_out: bool) -> Ended:
    return {
        "ended": [one.name for one in targets if one.ended(state)],
        "timedOut": timed_out,
        "sessions": [one.data(state) for one in targets if isinstance(one, SessionTurn)],
        "policies": [one.data(state) for one in targets if isinstance(one, PolicyEnd)],
        "cursor": state.seq,
    }
