"""The tool about review chains."""

from __future__ import annotations

from typing import Any

import msgspec

from console.cli.chains import data
from console.mcp.scope import Scope
from console.mcp.verb import Verb, verb


class ChainTools:
    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    def verbs(self) -> list[Verb]:
        return [verb(self.list_chains)]

    def list_chains(self) -> dict[str, Any]:
        """Whether reviews are queued by themselves (`on`), their limits, and every chain: the ticket that was
        implemented, its reviews and repairs in order, and what comes next; those that need a person first.

        Example: {}
        """
        with self._scope.client() as client:
            state = client.state
        limits = msgspec.to_builtins(state.review_limits)
        told: dict[str, Any] = {"on": state.chains_on, "limits": limits, "chains": msgspec.to_builtins(data(state))}
        return told
