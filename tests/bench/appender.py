"""Another process that appends: for each line read, one session with that label, then the time after its commit.

Argument: the workspace's root. Times are seconds of the machine's monotonic clock.
"""

import os
import sys
import time
from pathlib import Path

from console import wiring
from console.core import commands as cmd
from console.core.records import Launch, Refused, Who


def main() -> None:
    here = wiring.locate(Path(sys.argv[1]), os.environ)
    assert not isinstance(here, Refused), here
    client = wiring.client(here)
    print("ready", flush=True)
    launch = Launch(argv=("true",), protocol="command")
    for line in sys.stdin:
        start = cmd.StartSession(launch=launch, cwd="/w", worktree="/w", by=Who(user="bench"), label=line.strip())
        client.send(start, needs_hands=False)
        print(time.monotonic(), flush=True)


if __name__ == "__main__":
    main()
