"""What one version of one file says about its tests: the records that every language's reader fills.

Readers only describe; whether a difference weakens anything is decided in `comparing` and `vanished`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

VACUOUS, EXISTENCE, PARTIAL, EXACT = range(4)
"""How much a check can notice: nothing, that something is there, a part of it, all of it."""


@dataclass(frozen=True, slots=True)
class Check:
    """One assertion. text: as written, white space squeezed. shape: the same with literals masked. subject: what it
    is about. line counts from 1."""

    text: str
    shape: str
    subject: str
    strength: int
    line: int


@dataclass(frozen=True, slots=True)
class Case:
    """One test. body: its lines without comments, stripped. skips: how many marks or calls keep it from counting;
    always: how many of those without a condition. returns: unconditional ends in front of other code; escapes:
    conditional ones. swallowed: checks whose failure is caught. rows: literal parameter sets and subtests."""

    name: str
    line: int
    body: str
    checks: tuple[Check, ...] = ()
    skips: int = 0
    always: int = 0
    returns: int = 0
    escapes: int = 0
    swallowed: int = 0
    rows: int = 0
    empty: bool = False

    @property
    def leaf(self) -> str:
        """The name without the classes and groups around it."""
        return self.name.rpartition(" > ")[2]


@dataclass(frozen=True, slots=True)
class Sheet:
    """The tests of one version of a file by their full name ("group > test"), and what holds for the whole file.

    skips: lines where the whole file is skipped. focus: lines where a test takes the others out of the run.
    """

    cases: Mapping[str, Case] = field(default_factory=dict)
    skips: tuple[int, ...] = ()
    focus: tuple[int, ...] = ()


EMPTY = Sheet()


def keyed(cases: list[Case]) -> dict[str, Case]:
    """Cases by name; a name that is there twice gets a number, so that none hides another."""
    table: dict[str, Case] = {}
    seen: dict[str, int] = {}
    for case in cases:
        seen[case.name] = count = seen.get(case.name, 0) + 1
        table[case.name if count == 1 else f"{case.name} #{count}"] = case
    return table
