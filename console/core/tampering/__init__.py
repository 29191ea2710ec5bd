"""Weakened tests: what a change set takes away from the checks that judge it, as facts for a person.

Pure: bytes of both versions in, findings out; nothing in a repository can change the rules or make them fail. Weaker
mocks, helpers that are always true, text that is run (`exec`) and product code that knows its inputs are not claimed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from console.core.records import Finding
from console.core.tampering import gatefiles, gates, marks, moved, places, redirected, switches, vanished
from console.core.tampering.facts import Fact, findings
from console.core.tampering.reading import File, FileVersions, files

__all__ = ["FileVersions", "inspect"]


def inspect(changes: Sequence[FileVersions]) -> tuple[Finding, ...]:
    """Everything found in one change set, the gravest first. Never raises for any bytes or paths.

    The set is read as a whole: what moved or was renamed inside it is no removal. At most 101 findings.
    """
    read = files(changes)
    rooms = (_large, vanished.facts, gates.facts, marks.facts, moved.shadowed, switches.facts, redirected.facts)
    return findings(_softened([fact for room in rooms for fact in room(read)]))


def _large(read: Sequence[File]) -> Iterator[Fact]:
    """Tests and gates that are too large to be read: grave where the old version was not."""
    for file in read:
        named = places.is_named_test(file.path) or gatefiles.is_gate(file.path)
        if file.large and file.existed and named and file.data.old != file.data.new:
            where = "" if file.crowded else file.path
            yield Fact("not-inspected", where, 0, file.path, level=None if file.exists else "medium")


def _softened(facts: Iterable[Fact]) -> Iterator[Fact]:
    """Tests that are themselves material of tests (below a folder of fixtures) weigh less."""
    for fact in facts:
        softer = places.is_fixture(fact.path) and fact.rule != "snapshot-changed"
        yield replace(fact, level="medium") if softer and fact.level is None else fact
