"""Which words of a changed line differ from the line that it replaces. Pure, and bounded whatever the lines hold.

Offsets are into the shown line (`Diff.shown`), so that a stand-in for something unseen counts as what it stands for.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence

from console.present.diffrecords import ADDED, NOTE, REMOVED, Diff

Spans = tuple[tuple[int, int], ...]

BLOCK = 40
"""Removed, and added, lines of a block that are compared; a longer one is another text, not an edit."""
LINE = 400
"""Bytes of a line that is compared."""
WORDS = 80
"""Words of a line that are compared, beside what both lines begin and end with."""
ALIKE = 0.4
"""Share of two lines that must be the same for the rest to be worth marking."""

_WORD = re.compile(r"\w+|\s+|[^\w\s]")
_KEPT = 2000


class Words:
    """Of one diff; what was compared is remembered."""

    def __init__(self, diff: Diff) -> None:
        self._diff = diff
        self._known: dict[int, Spans] = {}

    def changed(self, index: int) -> Spans:
        """The parts of an added or removed line that its counterpart does not have; () when it has none, or all of
        it differs."""
        if self._diff.kinds[index] not in (ADDED, REMOVED):
            return ()
        known = self._known.get(index)
        if known is None:
            if len(self._known) > _KEPT:
                self._known.clear()
            removed, added = block(self._diff, index)
            self._known.update(dict.fromkeys((index, *removed, *added), ()))
            self._compare(removed, added)
            known = self._known[index]
        return known

    def _compare(self, removed: Sequence[int], added: Sequence[int]) -> None:
        texts = {i: self._diff.shown(i).text[1:] for i in (*removed, *added) if len(self._diff.lines[i]) <= LINE}
        for old, new in pairs(removed, added, texts):
            self._known[old], self._known[new] = _differing(texts[old], texts[new])


def block(diff: Diff, index: int) -> tuple[Sequence[int], Sequence[int]]:
    """The removed lines and the added ones that took their place, around one of them; ((), ()) when there are more than
    BLOCK of either, or none of one."""
    kinds, end = diff.kinds, len(diff)
    first = last = index
    while first and kinds[first - 1] in (ADDED, REMOVED, NOTE) and index - first < 2 * BLOCK + 2:
        if kinds[first] == REMOVED and kinds[first - 1] == ADDED:
            break  # one block ends, the next begins
        first -= 1
    while last + 1 < end and kinds[last + 1] in (ADDED, REMOVED, NOTE) and last - index < 2 * BLOCK + 2:
        if kinds[last + 1] == REMOVED and ADDED in kinds[max(first, last - 1) : last + 1]:
            break
        last += 1
    removed = [i for i in range(first, last + 1) if kinds[i] == REMOVED]
    added = [i for i in range(first, last + 1) if kinds[i] == ADDED]
    fits = removed and added and max(len(removed), len(added)) <= BLOCK
    return (removed, added) if fits else ((), ())


def pairs(removed: Sequence[int], added: Sequence[int], texts: dict[int, str]) -> list[tuple[int, int]]:
    """Which removed line became which added one: line by line where there are as many, else in order, each with the
    first that resembles it."""
    if len(removed) == len(added):
        return [(old, new) for old, new in zip(removed, added, strict=True) if old in texts and new in texts]
    bags = {i: frozenset(_WORD.findall(text)) for i, text in texts.items()}
    found: list[tuple[int, int]] = []
    left = list(added)
    for old in removed:
        alike = next((new for new in left if _share(bags.get(old), bags.get(new)) >= ALIKE), None)
        if alike is not None:
            found.append((old, alike))
            left = left[left.index(alike) + 1 :]
    return found


def _share(one: frozenset[str] | None, two: frozenset[str] | None) -> float:
    if not one or not two:
        return 0.0
    return len(one & two) / max(len(one), len(two))


def _differing(old: str, new: str) -> tuple[Spans, Spans]:
    """Spans with the sign of the line counted in."""
    a, b = _WORD.findall(old), _WORD.findall(new)
    same = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    tail = 0
    while tail < min(len(a), len(b)) - same and a[-1 - tail] == b[-1 - tail]:
        tail += 1
    middle_a, middle_b = a[same : len(a) - tail], b[same : len(b) - tail]
    if (not middle_a and not middle_b) or max(len(middle_a), len(middle_b)) > WORDS:
        return (), ()
    blocks = difflib.SequenceMatcher(None, middle_a, middle_b, autojunk=False).get_opcodes()
    kept = sum(len("".join(middle_a[i:j])) for op, i, j, _, _ in blocks if op == "equal")
    kept += len("".join(a[:same])) + len("".join(a[len(a) - tail :]))
    if kept < ALIKE * max(len(old), len(new)):
        return (), ()
    changed = [block for block in blocks if block[0] != "equal"]
    return (
        _spans(a, [(same + i, same + j) for _, i, j, _, _ in changed]),
        _spans(b, [(same + i, same + j) for _, _, _, i, j in changed]),
    )


def _spans(words: Sequence[str], parts: Sequence[tuple[int, int]]) -> Spans:
    starts = [1]
    for word in words:
        starts.append(starts[-1] + len(word))
    return tuple((starts[i], starts[j]) for i, j in parts if j > i)
