"""Commands about routines. Pure."""

from __future__ import annotations

from console.core import commands as cmd
from console.core import events as ev
from console.core.records import Refused
from console.core.state import State

Facts = tuple[ev.Fact, ...] | Refused


def decide(state: State, command: cmd.RoutineCommand) -> Facts:
    return Refused(reason="routines are not there yet")
