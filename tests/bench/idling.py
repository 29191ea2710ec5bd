"""What a console costs while nobody touches it: CPU of its process, and bytes on the wire."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from rawterm import Size

from bench.ground import USUAL, Ground, locked, working_sessions
from bench.measure import Figure, Sample
from bench.wire import Wire, cpu_seconds
from console import wiring

SESSIONS = 50
NAIVE = "DataTable, 50 rows a second"


def nothing_running(ground: Ground) -> list[Figure]:
    """A console that supervises, one that is attached, and the least app, in the same seconds."""
    mine, theirs = ground.desk("idle"), ground.desk("attached")
    with locked(theirs):
        apps = {
            "console, supervising, nothing runs": ground.nightdesk(mine),
            "console, attached, nothing runs": ground.nightdesk(theirs),
            "Textual hello": ground.python("hello.py"),
        }
        samples = _watched(ground, apps, USUAL)
    return _figures(samples, "Textual hello")


def fifty_working(ground: Ground) -> list[Figure]:
    """Fifty sessions whose transcripts grow every second, on a usual screen and on one that shows every row."""
    return [figure for size in ground.scale.sizes for figure in _fifty(ground, size)]


def _fifty(ground: Ground, size: Size) -> list[Figure]:
    here = ground.workspace(f"fifty-{size[1]}")
    working_sessions(here, SESSIONS)
    files = files_of(here)
    console = f"console, 50 working, {size[0]}x{size[1]}"
    apps = {console: ground.nightdesk(here), NAIVE: ground.python("naive_table.py", *files)}
    with locked(here), fed(ground, files):
        return _figures(_watched(ground, apps, size), NAIVE)


def files_of(here: wiring.Here) -> list[str]:
    """The transcripts of all its sessions."""
    journal = wiring.open_journal(here)
    names = list(journal.state.sessions)
    journal.close()
    return [str(here.places.transcript(name)) for name in names]


@contextmanager
def fed(ground: Ground, files: Sequence[str]) -> Iterator[None]:
    argv = ground.python("feeder.py", *files)
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=ground.environ) as feeder:
        assert feeder.stdin and feeder.stdout and feeder.stdout.readline()
        try:
            yield
        finally:
            feeder.stdin.close()


def _watched(ground: Ground, apps: Mapping[str, Sequence[str]], size: Size) -> dict[str, Sample]:
    """Every app side by side for the same seconds."""
    wires = {name: Wire(argv, ground.environ, size) for name, argv in apps.items()}
    try:
        for wire in wires.values():
            wire.wait_until(lambda wire=wire: len(wire.raw()) > 2000, 30.0, "a first paint")
        time.sleep(ground.scale.settle)
        mains = {name: wire.main() for name, wire in wires.items()}
        before = {name: (cpu_seconds(mains[name]), len(wire.raw())) for name, wire in wires.items()}
        began = time.monotonic()
        time.sleep(ground.scale.seconds)
        after = {name: (cpu_seconds(mains[name]), len(wire.raw())) for name, wire in wires.items()}
        took = time.monotonic() - began
        for wire in wires.values():
            wire.leave()
    finally:
        for wire in wires.values():
            wire.close()
    return {
        name: {
            "% CPU": 100 * (after[name][0] - before[name][0]) / took,
            "B/s": (after[name][1] - before[name][1]) / took,
        }
        for name in apps
    }


def _figures(samples: Mapping[str, Sample], beside: str) -> list[Figure]:
    bare = samples[beside]
    return [
        Figure(name, unit, (sample[unit],), beside, (bare[unit],))
        for unit in ("% CPU", "B/s")
        for name, sample in samples.items()
        if name != beside
    ]
