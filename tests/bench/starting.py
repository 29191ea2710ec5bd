"""Cold starts: how long a command keeps its caller waiting, beside an interpreter that does nothing."""

from __future__ import annotations

import sys
from functools import partial

from bench.ground import Ground, add_session, long_log
from bench.measure import Figure, Probe, command, figure, interleaved
from console import wiring


def commands(ground: Ground) -> list[Figure]:
    """`--version`, `status` and `events` on a small log."""
    here = ground.workspace("starts")
    journal = wiring.open_journal(here)
    for number in range(5):
        add_session(journal, f"agent-{number}")
    journal.close()
    ours = {name: ground.nightdesk(here, name) for name in ("--version", "status", "events")}
    bare = {"python -c pass": "pass", "import click": "import click"}
    probes: dict[str, Probe] = {f"nightdesk {n}": partial(command, argv, ground.environ) for n, argv in ours.items()}
    probes |= {name: partial(command, [sys.executable, "-c", code], ground.environ) for name, code in bare.items()}
    samples = interleaved(ground.scale.rounds, probes, ground.scale.warm)
    pairs = [(f"nightdesk {name}", beside) for name in ours for beside in bare]
    return [figure(samples, what, unit, beside) for unit in ("ms", "ms CPU") for what, beside in pairs]


def long_history(ground: Ground) -> list[Figure]:
    """`status` on a long log, with and without a checkpoint of the fold."""
    with_, without = (ground.workspace(name) for name in ("checkpointed", "uncheckpointed"))
    for here in (with_, without):
        long_log(here, ground.scale.events)
    journal = wiring.open_journal(with_)
    journal.checkpoint()
    journal.close()
    size = f"{ground.scale.events:,} events"
    probes = {
        f"nightdesk status, {size}, checkpoint": partial(command, ground.nightdesk(with_, "status"), ground.environ),
        f"nightdesk status, {size}, none": partial(command, ground.nightdesk(without, "status"), ground.environ),
        "python -c pass": partial(command, [sys.executable, "-c", "pass"], ground.environ),
    }
    samples = interleaved(max(1, ground.scale.rounds // 3), probes, ground.scale.warm)
    return [figure(samples, what, "ms", "python -c pass") for what in list(probes)[:2]]
