"""What follows from a fact for routines: the next step, an answer, an escalation. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from console.core import events as ev
from console.core.state import State


def follow(state: State, fact: ev.Fact) -> Iterator[ev.Fact]:
    yield from ()
