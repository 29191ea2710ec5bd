"""Tests that are gone from the whole change set: what only moved or was renamed is found again and compared instead."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from console.core.tampering import comparing, definitions, moved, places
from console.core.tampering.facts import Fact
from console.core.tampering.reading import File
from console.core.tampering.sheet import Case

_CALLED = re.compile(r"(\w+)\(")
_CHECKS = re.compile(r"\b(?:assert|expect|require|should|fail|raise|throw)|\bt\.(?:Error|Fatal)")
_LONG_LINE = 8
_COMMON_LINE = 20
_ALIKE = 0.6


@dataclass(frozen=True, slots=True)
class _Placed:
    file: File
    case: Case


def facts(files: Sequence[File]) -> Iterator[Fact]:
    """Compare tests that stayed, were renamed or moved; report those that no longer exist."""
    gone: list[_Placed] = []
    came: list[_Placed] = []
    for file in files:
        yield from _stayed(file, gone, came)
    product = definitions.removed(files)
    missing: dict[str, list[Case]] = defaultdict(list)
    ways: dict[tuple[str, str], tuple[File, File]] = {}
    for lost, found in _paired(gone, came):
        if found is None:
            missing[lost.file.path].append(lost.case)
        else:
            yield from _compared(lost.case, found.case, found.file)
            ways[lost.file.path, found.file.path] = (lost.file, found.file)
    for old, new in ways.values():
        yield from moved.facts(old, new, files)
    arrived = _arrived(files)
    for file in files:
        cases = missing.get(file.path, [])
        if file.existed and not file.exists:
            yield from _deleted(file, cases, product, arrived)
        else:
            yield from (_removed(case, file, product) for case in cases)


def _stayed(file: File, gone: list[_Placed], came: list[_Placed]) -> Iterator[Fact]:
    before, after = file.before.cases, file.after.cases
    for name, case in before.items():
        if name in after:
            yield from _compared(case, after[name], file)
        else:
            gone.append(_Placed(file, case))
    new = [case for name, case in after.items() if name not in before]
    came.extend(_Placed(file, case) for case in new)
    if file.existed or after:
        yield from comparing.sheets(file.before, file.after, file.path)
    for case in new:
        if case.always:
            yield Fact("new-test-skipped", file.path, case.line, case.leaf)


def _compared(old: Case, new: Case, file: File) -> Iterator[Fact]:
    """The facts about one test; checks that went to a function of the same file, which has some, are only fewer."""
    for fact in comparing.cases(old, new, file.path):
        if fact.rule == "last-assertion-removed" and _handed_over(old, new, file.new):
            yield Fact("assertions-reduced", fact.path, fact.line, fact.name)
        else:
            yield fact


def _handed_over(old: Case, new: Case, text: str) -> bool:
    fresh = set(_CALLED.findall(new.body[:50_000])) - set(_CALLED.findall(old.body[:50_000]))
    for name in sorted(fresh)[:20]:
        if found := re.search(rf"\b(?:def|func|fn|function|fun|const|let|void|Task)\s+{re.escape(name)}\b", text):
            return _CHECKS.search(text, found.end(), found.end() + 3_000) is not None
    return False


def _paired(gone: list[_Placed], came: list[_Placed]) -> Iterator[tuple[_Placed, _Placed | None]]:
    """Each lost test with the new one that it became: same full name, own name, body, or most words or lines."""
    left = {id(placed): placed for placed in came}
    waiting = list(gone)
    for key in (_full_name, _leaf, _body):
        places_: dict[object, list[_Placed]] = defaultdict(list)
        for placed in left.values():
            if (name := key(placed)) is not None:
                places_[name].append(placed)
        rest = []
        for lost in waiting:
            found = next((one for one in places_.get(key(lost), []) if id(one) in left), None)
            if found is None:
                rest.append(lost)
                continue
            del left[id(found)]
            yield lost, found
        waiting = rest
    rest = []
    for lost in waiting:
        if found := _retitled(lost, left):
            del left[id(found)]
            yield lost, found
        else:
            rest.append(lost)
    yield from _alike(rest, list(left.values()))


def _retitled(lost: _Placed, left: dict[int, _Placed]) -> _Placed | None:
    """A new test of the same file whose title has most of the words; looked for among two hundred."""
    words = definitions.words(lost.case.leaf)
    best, share = None, _ALIKE
    for placed in islice(left.values(), 200):
        if placed.file is not lost.file:
            continue
        others = definitions.words(placed.case.leaf)
        alike = len(words & others) / max(len(words | others), 1)
        if alike >= share and len(words & others) > 1:
            best, share = placed, alike
    return best


def _full_name(placed: _Placed) -> object:
    return placed.case.name


def _leaf(placed: _Placed) -> object:
    return placed.case.leaf


def _body(placed: _Placed) -> object:
    return placed.case.body if len(placed.case.body) > _LONG_LINE else None


def _telling(case: Case) -> set[str]:
    return {line for line in case.body.split("\n")[:400] if len(line) > _LONG_LINE}


def _alike(gone: list[_Placed], came: list[_Placed]) -> Iterator[tuple[_Placed, _Placed | None]]:
    """Pair by shared lines; lines that many new tests have say nothing, which also bounds the work."""
    index: dict[str, list[int]] = defaultdict(list)
    sizes = []
    for number, placed in enumerate(came):
        telling = _telling(placed.case)
        sizes.append(len(telling))
        for line in telling:
            index[line].append(number)
    used: set[int] = set()
    for lost in gone:
        telling = _telling(lost.case)
        shared = Counter(
            number for line in telling if len(index.get(line, ())) <= _COMMON_LINE for number in index.get(line, ())
        )
        best = max((number for number in shared if number not in used), key=lambda number: shared[number], default=None)
        if best is not None and shared[best] >= 2 and shared[best] >= _ALIKE * max(len(telling), 1):
            used.add(best)
            yield lost, came[best]
        else:
            yield lost, None


def _removed(case: Case, file: File, product: frozenset[str]) -> Fact:
    went = definitions.names_one_of(product, case.name, case.body)
    rule = "test-removed-with-product" if went else "test-removed"
    return Fact(rule, file.path, case.line, case.leaf, level="medium" if case.always else None)


def _arrived(files: Sequence[File]) -> tuple[set[str], Counter[str]]:
    """The contents of new files, and their telling lines: where a deleted file may have gone to."""
    new = [file for file in files if file.exists and not file.existed]
    return {file.new for file in new}, Counter(line.strip() for file in new for line in file.new.split("\n"))


def _deleted(
    file: File, cases: list[Case], product: frozenset[str], arrived: tuple[set[str], Counter[str]]
) -> Iterator[Fact]:
    """A deleted file: by its tests where they could be read, else by its name and whether its lines are elsewhere."""
    if file.before.cases:
        facts_ = [_removed(case, file, product) for case in cases]
        if len(cases) == len(file.before.cases) and any(fact.rule == "test-removed" for fact in facts_):
            more = f"{len(cases)} tests" if len(cases) > 1 else "1 test"
            yield Fact("test-file-deleted", file.path, 0, f"{places.name(file.path)} with {more}")
        else:
            yield from facts_
        return
    if places.is_fixture(file.path) or not file.old.strip():
        return
    lines = [line.strip() for line in file.old.split("\n") if len(line.strip()) > _LONG_LINE]
    moved = file.old in arrived[0] or sum(line in arrived[1] for line in lines) > len(lines) / 2
    if moved or places.language(file.path) == "":
        return
    went = definitions.names_one_of(product, file.path, file.old)
    if places.is_named_test(file.path) and places.language(file.path) != "rust":
        yield Fact("test-file-deleted", file.path, 0, places.name(file.path), level="medium" if went else None)
    elif places.is_test_side(file.path):
        yield Fact("test-support-deleted", file.path, 0, places.name(file.path))
