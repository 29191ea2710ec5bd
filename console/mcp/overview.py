"""The tool that says how everything stands."""

from __future__ import annotations

import time
from typing import Any

from console import wiring
from console.mcp.scope import Scope
from console.mcp.verb import Verb, verb
from console.present import attention, queueing, wording


class OverviewTools:
    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    def verbs(self) -> list[Verb]:
        return [verb(self.get_status)]

    def get_status(self) -> dict[str, Any]:
        """Who supervises, the counts, the run, and what needs a person, worst first. `cursor` is for poll_events.

        Example: {}
        """
        here = self._scope.here
        with self._scope.client() as client:
            state = client.state
        running, run = wiring.supervised(here), queueing.latest_run(state)
        needs = attention.needs(state, running, wiring.silence(here, state), time.time())
        told = {"run": run.run, "state": run.state, "status": run.status, "why": run.reason} if run else None
        return {
            "workspace": str(here.root),
            "supervisor": wording.supervisor_data(state, running),
            "counts": wording.counts(state),
            "run": told,
            "tickets": queueing.ticket_counts(state),
            "needs": [item.data() for item in needs],
            "cursor": state.seq,
            "trouble": here.trouble,
        }
