"""Cost and tokens over time, in steps that grow so that a long time takes no more room than a short one. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from console.core.lanes import Cost
from console.core.records import Record, Usage

STEP, BUCKETS = 1, 1500
"""Seconds of a step at first, and how many steps there may be; beyond that two become one."""


class Bucket(Record, frozen=True, kw_only=True):
    """What the turns said that ended within `at` .. `at + seconds` (Unix seconds)."""

    at: float
    seconds: float
    cost: Cost


@dataclass(slots=True)
class Spending:
    total: Cost = field(default_factory=Cost)
    _step: int = STEP
    _cells: dict[int, Cost] = field(default_factory=dict)
    """Number of the step since 1970 -> what was spent in it."""

    def turn(self, at: float, usage: Usage | None) -> None:
        cost = Cost().turn(usage)
        self.total = self.total.plus(cost)
        self._add(int(at // self._step), cost)
        while len(self._cells) > BUCKETS:
            cells, self._cells, self._step = self._cells, {}, self._step * 2
            for number, each in cells.items():
                self._add(number // 2, each)

    def _add(self, number: int, cost: Cost) -> None:
        self._cells[number] = self._cells.get(number, Cost()).plus(cost)

    def buckets(self) -> tuple[Bucket, ...]:
        """Only those in which a turn ended, in order."""
        step = self._step
        return tuple(Bucket(at=n * step, seconds=step, cost=cost) for n, cost in sorted(self._cells.items()))


def spread(buckets: Sequence[Bucket], start: float, step: float, count: int) -> tuple[Cost, ...]:
    """What was spent in each of `count` steps of `step` seconds from `start`; a bucket counts where it begins. What
    lies outside is left out."""
    found = [Cost()] * count
    for bucket in buckets:
        at = int((bucket.at - start) // step) if bucket.at >= start else 0 if bucket.at + bucket.seconds > start else -1
        if 0 <= at < count:
            found[at] = found[at].plus(bucket.cost)
    return tuple(found)
