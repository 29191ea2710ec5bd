"""The console's first paint and what it holds in memory, beside the least app of the same library."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from functools import partial

import psutil

from bench.ground import Ground, until
from bench.measure import Figure, Sample, figure, interleaved
from bench.wire import Wire, cpu_seconds, rss_mib
from console.adapters.lock import is_taken

HELLO = "Textual hello"


def first_paint(ground: Ground) -> list[Figure]:
    """From before the fork to the marker on the wire; memory and CPU time once nothing more is drawn."""
    here = ground.desk("paint")

    def paint(argv: Sequence[str], marker: bytes) -> Sample:
        with Wire(argv, ground.environ) as wire:
            painted = wire.arrival(marker)
            wire.settle()
            process = wire.main()
            sample = {
                "ms": (painted - wire.started) * 1000,
                "MiB": rss_mib(process),
                "ms CPU": cpu_seconds(process) * 1000,
                "KB": len(wire.raw()) / 1000,
            }
            wire.leave()
            return sample

    console = "console, first paint and settled"
    probes = {
        console: partial(paint, ground.nightdesk(here), b"nothing needs you"),
        HELLO: partial(paint, ground.python("hello.py"), b"hello, terminal"),
    }
    samples = interleaved(ground.scale.rounds, probes, ground.scale.warm)
    return [figure(samples, console, unit, HELLO) for unit in ("ms", "ms CPU", "KB", "MiB")]


def supervisor_memory(ground: Ground) -> list[Figure]:
    """A supervisor without a screen and without sessions, beside an interpreter that waits."""
    here = ground.workspace("headless")
    waiting = [sys.executable, "-c", "print('up', flush=True); input()"]
    with (
        subprocess.Popen(waiting, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=ground.environ) as bare,
        subprocess.Popen(
            ground.nightdesk(here, "run", "--idle"), stderr=subprocess.DEVNULL, env=ground.environ
        ) as ours,
    ):
        try:
            assert bare.stdout and bare.stdout.readline()
            until(lambda: is_taken(here.places.lock), 30.0, "the supervisor")
            until(lambda: _rested(ours.pid), 30.0, "a supervisor at rest", every=0.5)
            sizes = [rss_mib(psutil.Process(process.pid)) for process in (ours, bare)]
        finally:
            ours.terminate()
            bare.terminate()
    return [Figure("supervisor, no sessions", "MiB", (sizes[0],), "waiting python", (sizes[1],))]


def _rested(pid: int) -> bool:
    process = psutil.Process(pid)
    before = cpu_seconds(process)
    return cpu_seconds(process) == before and process.num_threads() > 1
