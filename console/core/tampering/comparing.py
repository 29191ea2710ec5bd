"""Two versions of one test: what became weaker."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from console.core.tampering import arguments
from console.core.tampering.facts import Fact
from console.core.tampering.sheet import EXACT, EXISTENCE, VACUOUS, Case, Check, Sheet


def cases(old: Case, new: Case, path: str) -> Iterator[Fact]:
    """The facts about a test that exists before and after, `new` being in `path`."""
    if new.skips > old.skips or new.always > old.always:
        yield Fact("test-skipped", path, new.line, new.leaf)
    if new.rows < old.rows:
        yield Fact("cases-reduced", path, new.line, new.leaf)
    if new.empty and not old.empty:
        yield Fact("test-emptied", path, new.line, new.leaf)
    elif new.body != old.body or new.checks != old.checks:
        yield from _bodies(old, new, path)


def _bodies(old: Case, new: Case, path: str) -> Iterator[Fact]:
    if new.returns > old.returns:
        yield Fact("early-return", path, new.line, new.leaf)
    elif new.escapes > old.escapes:
        yield Fact("conditional-return", path, new.line, new.leaf)
    if new.swallowed > old.swallowed:
        yield Fact("assertion-swallowed", path, new.line, new.leaf)
    before, after = _live(old), _live(new)
    if len(new.checks) - len(after) > len(old.checks) - len(before):
        line = next(check.line for check in new.checks if check.strength == VACUOUS)
        yield Fact("vacuous-assertion", path, line, new.leaf)
    elif before and not after:
        yield Fact("last-assertion-removed", path, new.line, new.leaf)
    else:
        yield from _checks(before, after, new, path)


def _live(case: Case) -> list[Check]:
    return [check for check in case.checks if check.strength != VACUOUS]


def _checks(before: Sequence[Check], after: Sequence[Check], new: Case, path: str) -> Iterator[Fact]:
    gone = _without(before, after)
    came = _without(after, before)
    if not gone:
        return
    if weak := _weakened(gone, came):
        yield Fact("assertion-weakened", path, weak.line, new.leaf)
    elif len(after) < len(before):
        yield Fact("assertions-reduced", path, new.line, new.leaf)
    elif Counter(check.shape for check in gone) - Counter(check.shape for check in came):
        yield Fact("assertion-touched", path, new.line, new.leaf)
    elif arguments.edited(gone, came):
        yield Fact("arguments-edited", path, new.line, new.leaf)
    else:
        yield Fact("expected-value-edited", path, new.line, new.leaf)


def _without(some: Sequence[Check], others: Sequence[Check]) -> list[Check]:
    """Those of `some` whose text is not among the others, each text counted."""
    left = Counter(check.text for check in others)
    kept = []
    for check in some:
        if left[check.text]:
            left[check.text] -= 1
        else:
            kept.append(check)
    return kept


def _weakened(gone: Sequence[Check], came: Sequence[Check]) -> Check | None:
    """A new check that only asks for existence where an exact one about the same thing went."""
    exact = [check for check in gone if check.strength == EXACT][:200]
    if sum(check.strength == EXACT for check in came) >= len(exact):
        return None
    for check in came[:200]:
        if check.strength == EXISTENCE and any(check.subject and check.subject in other.text for other in exact):
            return check
    return None


def sheets(old: Sheet, new: Sheet, path: str) -> Iterator[Fact]:
    """What holds for a file as a whole."""
    if len(new.skips) > len(old.skips) and old.cases:
        yield Fact("module-skipped", path, new.skips[-1])
    if len(new.focus) > len(old.focus):
        for line in new.focus[len(old.focus) :]:
            yield Fact("focus-added", path, line)
