"""Commands about chains: the switch, and the limits they go by. Pure."""

from __future__ import annotations

from console.core import commands as cmd
from console.core import events as ev
from console.core.records import Refused
from console.core.state import State

Facts = tuple[ev.Fact, ...] | Refused


def decide(state: State, command: cmd.ChainCommand) -> Facts:
    match command:
        case cmd.SwitchChains():
            if state.chains_on == command.on:
                return Refused(reason=f"chains are {'on' if command.on else 'off'} already")
            return (ev.ChainsSwitched(on=command.on, by=command.by),)
        case cmd.ReadChainLimits():
            same = state.review_limits == command.limits
            return () if same else (ev.ChainLimitsRead(limits=command.limits),)
