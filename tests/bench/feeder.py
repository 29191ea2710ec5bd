"""Busy agents as their transcripts show them: one more entry in each, again and again, until stdin closes.

Arguments: `every=SECONDS`, `log=ROOT` (a workspace in whose log each update is an event of its session as well), the
transcripts. Written with the drivers' own writer.
"""

import os
import select
import sys
import time
from collections.abc import Callable
from pathlib import Path

from console import wiring
from console.adapters.agents.transcripts import Transcript
from console.core import commands as cmd
from console.core import events as ev
from console.core.records import Refused


def teller(root: str) -> Callable[[int], None]:
    """Tells the log of one more sign of life of every session, in one transaction."""
    here = wiring.locate(Path(root), os.environ)
    assert not isinstance(here, Refused), here
    journal = wiring.open_journal(here)

    def tell(beat: int) -> None:
        facts = (ev.TurnProcesses(session=name, turn=1, processes=(f"p{beat}",)) for name in journal.state.sessions)
        journal.submit_all([cmd.Report(facts=(fact,)) for fact in facts])

    return tell


def main() -> None:
    named = [arg.partition("=")[::2] for arg in sys.argv[1:] if "=" in arg.partition("/")[0]]
    transcripts = [Transcript(path) for path in sys.argv[1 + len(named) :]]
    wanted = dict(named)
    every, tell = float(wanted.get("every", 1.0)), teller(wanted["log"]) if "log" in wanted else None
    beat, due = 0, time.monotonic()
    while True:
        beat += 1
        for number, transcript in enumerate(transcripts):
            tool = f"edit shop/module_{(beat * 7 + number) % 97}.py"
            transcript.append("tool", tool=tool, status="in_progress", id=f"t{beat}")
        if tell:
            tell(beat)
        if beat == 1:
            print("fed", flush=True)
        due += every
        if select.select([sys.stdin], [], [], max(0.0, due - time.monotonic()))[0]:
            return


if __name__ == "__main__":
    main()
