"""What follows from a fact for chains: reviews, repairs, SHIP, and the end of patience. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from console.core import events as ev
from console.core.state import State


def follow(state: State, fact: ev.Fact) -> Iterator[ev.Fact]:
    """Nothing while chains are off."""
    yield from ()
