"""Tools about routines."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from console import wiring
from console.core import commands as cmd
from console.core import events as ev
from console.core.routines import Routine
from console.core.state import State
from console.engine.client import first
from console.mcp.scope import Scope
from console.mcp.verb import Verb, verb
from console.present.routinewords import routine_data, routine_order
from console.routine_starting import routine_of
from console.verbs.failing import NOT_FOUND, Fail, unless_refused

RoutineId = Annotated[str, Field(description="As start_routine or list_routines gave it.")]


class RoutineTools:
    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._here = scope.here

    def verbs(self) -> list[Verb]:
        return [
            verb(self.start_routine, "starting a routine"),
            verb(self.list_routines),
            verb(self.get_routine_status),
            verb(self.resolve_routine, "answering a routine"),
            verb(self.cancel_routine, "cancelling a routine"),
        ]

    def start_routine(
        self, file: Annotated[str, Field(min_length=1, description="Its YAML file, from the workspace's root.")]
    ) -> dict[str, Any]:
        """Start the routine in a file. The same file twice is two routines.

        Example: {"file": "routines/nightly.yaml"}
        """
        with self._scope.client() as client:
            path = str(self._here.root / file)  # an absolute one stays as it is
            spec = unless_refused(routine_of(self._here, path, client.state))
            command = cmd.StartRoutine(spec=spec, by=wiring.who(self._here, "mcp"))
            begun = first(unless_refused(client.send(command)), ev.RoutineStarted)
            assert isinstance(begun, ev.RoutineStarted)
            return routine_data(client.state.routines[begun.routine], client.state)

    def list_routines(
        self, all: Annotated[bool, Field(description="Also those that are over.")] = False
    ) -> dict[str, Any]:
        """Routines and the step each is at; what asks a person first.

        Example: {}
        """
        with self._scope.client() as client:
            state = client.state
        found = sorted((r for r in state.routines.values() if all or r.open), key=routine_order)
        return {"routines": [routine_data(r, state) for r in found]}

    def get_routine_status(self, routineId: RoutineId) -> dict[str, Any]:
        """One routine: running, escalated (with what a person is asked), done, failed or cancelled.

        Example: {"routineId": "rt-1"}
        """
        with self._scope.client() as client:
            return routine_data(_find(client.state, routineId), client.state)

    def resolve_routine(
        self,
        routineId: RoutineId,
        step: Annotated[int, Field(ge=1, description="The step that asks, from 1.")],
        asked: Annotated[int, Field(ge=0, description="asked.number, as get_routine_status gave it; to approve.")] = 0,
        approve: bool = True,
        response: Annotated[str, Field(description="An answer's id or name, or words; goes to the session.")] = "",
    ) -> dict[str, Any]:
        """Answer the escalation of a routine, in the operator's name: go on, or with approve false let it fail.

        Example: {"routineId": "rt-1", "step": 2, "asked": 57, "approve": true, "response": "allow"}
        """
        by = wiring.who(self._here, "mcp")
        command = cmd.ResolveRoutine(
            routine=routineId, step=step - 1, by=by, asked=asked, approve=approve, response=response
        )
        return self._sent(routineId, command)

    def cancel_routine(
        self, routineId: RoutineId, note: Annotated[str, Field(description="Why, for the log.")] = ""
    ) -> dict[str, Any]:
        """End a routine; its sessions go on.

        Example: {"routineId": "rt-1"}
        """
        return self._sent(routineId, cmd.CancelRoutine(routine=routineId, by=wiring.who(self._here, "mcp"), note=note))

    def _sent(self, routine: str, command: cmd.Command) -> dict[str, Any]:
        with self._scope.client() as client:
            _find(client.state, routine)
            unless_refused(client.send(command))
            return routine_data(client.state.routines[routine], client.state)


def _find(state: State, name: str) -> Routine:
    if name in state.routines:
        return state.routines[name]
    raise Fail(f"no routine {name!r}; `nightdesk routine list` shows what there is", NOT_FOUND)
