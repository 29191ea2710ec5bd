"""Which lines came and which went between two versions of a file, in n log n whatever the file holds."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate


@dataclass(frozen=True)
class Lines:
    """Some lines of a file, joined, with the number that each has there (from 1)."""

    lines: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()

    @cached_property
    def text(self) -> str:
        return "\n".join(self.lines)

    @cached_property
    def _starts(self) -> list[int]:
        return list(accumulate((len(line) + 1 for line in self.lines), initial=0))

    def row_at(self, offset: int) -> int:
        """The index into `lines` of the line that holds this offset of `text`."""
        return min(bisect_right(self._starts, offset) - 1, len(self.lines) - 1)


def _middle(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """How many lines are equal at the start and, of the rest, at the end."""
    shorter = min(len(old), len(new))
    start = next((i for i in range(shorter) if old[i] != new[i]), shorter)
    rest = shorter - start
    end = next((i for i in range(rest) if old[-1 - i] != new[-1 - i]), rest)
    return start, end


def _surplus(lines: Sequence[str], rows: range, other: Counter[str], likely: set[int]) -> Lines:
    """The lines that `other` does not hold as often. Of equal lines the `likely` rows come first, then the last."""
    spare = Counter(lines[row] for row in rows)
    spare.subtract(other)
    chosen: list[int] = []
    for pick in (likely, None):
        for row in reversed(rows):
            if spare[lines[row]] > 0 and (row in likely) is (pick is not None):
                spare[lines[row]] -= 1
                chosen.append(row)
    chosen.sort()
    return Lines(tuple(lines[row] for row in chosen), tuple(row + 1 for row in chosen))


def _anchors(old: Sequence[str], new: Sequence[str], olds: range, news: range) -> list[tuple[int, int]]:
    """Rows of lines that are once in either version, in the longest order that both share."""
    counts, others = Counter(old[row] for row in olds), Counter(new[row] for row in news)
    place = {old[row]: row for row in olds if counts[old[row]] == 1}
    pairs = [(place[new[row]], row) for row in news if others[new[row]] == 1 and new[row] in place]
    tails: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for index, (row, _) in enumerate(pairs):
        length = bisect_left(tails, row)
        before.append(ends[length - 1] if length else -1)
        tails[length : length + 1] = [row]
        ends[length : length + 1] = [index]
    chain: list[tuple[int, int]] = []
    index = ends[-1] if ends else -1
    while index >= 0:
        chain.append(pairs[index])
        index = before[index]
    return chain[::-1]


def _changed_rows(old: Sequence[str], new: Sequence[str], olds: range, news: range) -> tuple[set[int], set[int]]:
    """Rows that a diff between the anchors would call removed and added."""
    removed, added = set(olds), set(news)
    for left, right in _anchors(old, new, olds, news):
        for step, first in ((1, 0), (-1, -1)):
            i, j = left + first, right + first
            while i in removed and j in added and old[i] == new[j]:
                removed.discard(i)
                added.discard(j)
                i, j = i + step, j + step
    return removed, added


def compare(old: Sequence[str], new: Sequence[str]) -> tuple[Lines, Lines]:
    """What came and what went between two versions: (added, removed). A line that moved inside the file did neither.

    In n log n; where equal lines are many, the rows are those that a reader of a diff would point at.
    """
    start, end = _middle(old, new)
    olds, news = range(start, len(old) - end), range(start, len(new) - end)
    removed, added = _changed_rows(old, new, olds, news) if olds and news else (set(), set())
    gone = _surplus(old, olds, Counter(new[row] for row in news), removed)
    return _surplus(new, news, Counter(old[row] for row in olds), added), gone
