"""A diff side by side: which line stands left and which right of each row. Pure; nothing is left out of either side."""

from __future__ import annotations

from array import array

from console.present.diffrecords import ADDED, CONTEXT, NOTE, REMOVED, Diff

NONE = -1
"""Nothing stands on that side."""


class Rows:
    """left, right: indices of diff lines by row, NONE for an empty side; both the same for a line that is on both, or
    that is no code and goes across. row: of each diff line."""

    def __init__(self, diff: Diff) -> None:
        self.left, self.right = array("l"), array("l")
        self.row = array("l", bytes(array("l").itemsize * len(diff)))
        self._olds: list[int] = []
        self._news: list[int] = []
        self._lay(diff)

    def __len__(self) -> int:
        return len(self.left)

    def line(self, row: int) -> int:
        """The diff line that a row stands for: the new one where there is one."""
        return self.right[row] if self.right[row] != NONE else self.left[row]

    def _lay(self, diff: Diff) -> None:
        olds, news = self._olds, self._news
        last = CONTEXT
        for index, kind in enumerate(diff.kinds):
            side = last if kind == NOTE else kind  # that a line has no end is said below that line
            if side == REMOVED:
                if last == ADDED:
                    self._flush()
                olds.append(index)
            elif side == ADDED:
                news.append(index)
            else:
                self._flush()
                self._add(index, index)
            last = side
        self._flush()

    def _flush(self) -> None:
        olds, news = self._olds, self._news
        for at in range(max(len(olds), len(news))):
            self._add(olds[at] if at < len(olds) else NONE, news[at] if at < len(news) else NONE)
        olds.clear()
        news.clear()

    def _add(self, left: int, right: int) -> None:
        for index in (left, right):
            if index != NONE:
                self.row[index] = len(self.left)
        self.left.append(left)
        self.right.append(right)
