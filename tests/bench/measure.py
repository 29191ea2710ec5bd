"""Interleaved rounds, their medians, and the table. Knows nothing of what is measured."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

Sample = Mapping[str, float]
"""Unit -> value, of one round of one probe."""
Probe = Callable[[], Sample]
Samples = dict[str, list[Sample]]

HEAD = ("what", "median", "p95", "best", "beside it", "median", "p95", "best", "ratio", "unit", "n")


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the table. ours and bare are paired, round by round; bare is empty when nothing compares."""

    what: str
    unit: str
    ours: tuple[float, ...]
    beside: str = ""
    bare: tuple[float, ...] = ()

    @property
    def ratio(self) -> float | None:
        """Median of the rounds' own ratios; None without a comparison (or one that is 0)."""
        pairs = [mine / other for mine, other in zip(self.ours, self.bare, strict=False) if other]
        return median(pairs) if pairs else None

    def cells(self) -> tuple[str, ...]:
        best = max if self.unit.endswith("/s") and not self.unit.startswith("B") else min
        bare = _spread(self.bare, best) if self.bare else ("", "", "")
        ratio = "" if self.ratio is None else f"{self.ratio:.2f}x"
        ours = _spread(self.ours, best)
        return (self.what, *ours, self.beside, *bare, ratio, self.unit, str(len(self.ours)))


def _spread(values: Sequence[float], best: Callable[[Sequence[float]], float]) -> tuple[str, str, str]:
    """Median, p95 (the worst but for one in twenty; "" of fewer than three), best."""
    worst_first = sorted(values, reverse=best is min)
    p95 = _number(worst_first[len(values) // 20]) if len(values) > 2 else ""
    return _number(median(values)), p95, _number(best(values))


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def interleaved(rounds: int, probes: Mapping[str, Probe], warm: int) -> Samples:
    """Run every probe once a round, starting with another one each time; the first `warm` rounds do not count."""
    names = list(probes)
    samples: Samples = {name: [] for name in names}
    for number in range(-warm, rounds):
        turn = number % len(names)
        for name in names[turn:] + names[:turn]:
            sample = probes[name]()
            if number >= 0:
                samples[name].append(sample)
    return samples


def figure(samples: Samples, what: str, unit: str, beside: str = "") -> Figure:
    """One unit of one probe, paired with the same unit of another."""
    bare = tuple(sample[unit] for sample in samples[beside]) if beside else ()
    return Figure(what, unit, tuple(sample[unit] for sample in samples[what]), beside, bare)


def command(argv: Sequence[str], environ: Mapping[str, str], cwd: str | None = None) -> Sample:
    """Run a command to its end: wall time, and CPU time of it and its children, both in ms."""
    began = time.perf_counter()
    process = subprocess.Popen(argv, env=environ, cwd=cwd, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    wall = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, (argv, process.returncode)
    return {"ms": wall * 1000, "ms CPU": (used.ru_utime + used.ru_stime) * 1000}


def table(figures: Sequence[Figure]) -> str:
    rows = [HEAD, *(one.cells() for one in figures)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEAD))]
    left = {0, 4, 9}
    return "\n".join(
        "  ".join(
            cell.ljust(width) if column in left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )
