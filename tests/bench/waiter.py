"""Waits for whatever comes into a workspace's log and says when it has seen it.

Arguments: the workspace, `watch` for the product's own way or `poll` for a look every 0.03 s. Prints "up", then a line
for each wake: position, monotonic seconds.
"""

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

from console import wiring
from console.core.records import Refused
from console.core.state import State
from console.engine.client import Client


def beyond(known: int) -> Callable[[State], int | None]:
    return lambda state: state.seq if state.seq > known else None


def main() -> None:
    here = wiring.locate(Path(sys.argv[1]), os.environ)
    assert not isinstance(here, Refused), here
    client = wiring.client(here) if sys.argv[2] == "watch" else Client(wiring.open_journal(here), lambda: None)
    seen = client.state.seq
    print("up", flush=True)
    while True:
        seen = client.wait(beyond(seen), 3600.0) or seen
        print(seen, time.monotonic(), flush=True)


main()
