"""What it costs to wait for the log, and how soon a waiter sees a commit: beside looking every 0.03 s."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from bench.ground import Ground, report
from bench.measure import Figure
from console import wiring
from console.core import events as ev
from console.engine.journal import Journal

POLL = "a look every 0.03 s"


def waiting(ground: Ground) -> list[Figure]:
    """Waiters of each kind: their CPU while nothing comes, then how long after a commit each of them has seen it."""
    here = ground.workspace("waiting")
    journal = wiring.open_journal(here)
    ours, bare = (_measured(ground, here, journal, way) for way in ("watch", "poll"))
    journal.close()
    named = f"{ground.scale.waiters} waiters"
    return [
        Figure(f"{named}, {ground.scale.seconds:g} s idle", "ms CPU", (ours[0],), POLL, (bare[0],)),
        Figure(f"{named}, a commit is seen", "ms", ours[1], POLL, bare[1]),
        Figure(f"{named}, a commit is seen, worst", "ms", (max(ours[1]),), POLL, (max(bare[1]),)),
    ]


def _measured(ground: Ground, here: wiring.Here, journal: Journal, way: str) -> tuple[float, tuple[float, ...]]:
    """(ms of CPU of all together, ms of every waiter and commit)"""
    with _waiters(ground, here, way) as waiters:
        time.sleep(ground.scale.settle)
        before = sum(_cpu_ms(waiter.pid) for waiter in waiters)
        time.sleep(ground.scale.seconds)
        used = sum(_cpu_ms(waiter.pid) for waiter in waiters) - before
        took = [late for number in range(ground.scale.appends // 4) for late in _seen(journal, waiters, number)]
    return used, tuple(took)


def _cpu_ms(pid: int) -> float:
    """Of a process with one thread; clock ticks would be too coarse for one that sleeps."""
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e6


@contextmanager
def _waiters(ground: Ground, here: wiring.Here, way: str) -> Iterator[Sequence[subprocess.Popen[str]]]:
    argv = ground.python("waiter.py", str(here.root), way)
    made = [
        subprocess.Popen(argv, stdout=subprocess.PIPE, text=True, env=ground.environ)
        for _ in range(ground.scale.waiters)
    ]
    try:
        for waiter in made:
            assert waiter.stdout and waiter.stdout.readline() == "up\n"
        yield made
    finally:
        for waiter in made:
            waiter.kill()
            waiter.communicate()


def _seen(journal: Journal, waiters: Sequence[subprocess.Popen[str]], number: int) -> Iterator[float]:
    """ms after a commit at which each waiter has seen it. The commits keep no step with the looks."""
    time.sleep(0.05 + 0.007 * (number % 5))
    journal.submit(report(ev.SupervisorTrouble(effect="bench", error="none", tries=number)))
    committed = time.monotonic()
    for waiter in waiters:
        assert waiter.stdout
        seq = 0
        while seq < journal.state.seq:
            words = waiter.stdout.readline().split()
            seq = int(words[0])
        yield max(0.0, 1000 * (float(words[1]) - committed))
