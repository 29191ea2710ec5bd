"""What a rule says about a path, and how the rules that read lines find them."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass

from console.core.blast_radius.edits import is_comment
from console.core.blast_radius.lines import Lines
from console.core.records import Record

_LOOKED_AT = 20_000


class Touch(Record, frozen=True, kw_only=True):
    """One thing that a diff touches. name: the class ("migration"). level: 1 to 3 (ruling 11). line: from 1, in the new
    version, or in the old one when the line is gone; 0 for the whole file. text: a fact."""

    name: str
    level: int
    path: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class LineRule:
    """says: what the line is called in the fact. needles: at least one is in the text before the pattern is tried,
    which keeps long files cheap."""

    says: str
    needles: tuple[str, ...]
    pattern: re.Pattern[str]


def rule(says: str, needles: str, pattern: str) -> LineRule:
    """A rule from text; needles are separated by spaces."""
    return LineRule(says, tuple(needles.split()), re.compile(pattern))


def hits(lines: Lines, rules: Iterable[LineRule], idle: Container[int] = ()) -> Iterator[tuple[int, str]]:
    """(index into the lines, what the rule says) for the first line of each rule that is no comment and whose number
    is not among the `idle` ones."""
    if not lines.lines:
        return
    for each in rules:
        if not any(needle in lines.text for needle in each.needles):
            continue
        for count, match in enumerate(each.pattern.finditer(lines.text)):
            row = lines.row_at(match.start())
            if lines.numbers[row] not in idle and not is_comment(lines.lines[row]):
                yield row, each.says
                break
            if count > _LOOKED_AT:
                break
