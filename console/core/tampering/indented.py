"""Blocks by indentation, in linear time: for Ruby, and for Python that does not parse."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_INDENT = re.compile(r"[ \t]*")


@dataclass(frozen=True, slots=True)
class Block:
    """A line that opens something, and the lines below that are indented deeper. first counts from 0."""

    match: re.Match[str]
    indent: int
    first: int
    end: int


def blocks(lines: list[str], opener: re.Pattern[str]) -> Iterator[Block]:
    """Every line that matches, with where its block ends: at the next line that is not indented deeper."""
    indents = [len(_INDENT.match(line)[0]) if line.strip() else -1 for line in lines]  # type: ignore[index]
    ends = _ends(indents)
    for first, line in enumerate(lines):
        if match := opener.match(line):
            yield Block(match, indents[first], first, ends[first])


def _ends(indents: list[int]) -> list[int]:
    """For each line the next one that is indented no deeper (empty lines, -1, end nothing)."""
    ends = [len(indents)] * len(indents)
    waiting: list[int] = []
    for number, indent in enumerate(indents):
        if indent < 0:
            continue
        while waiting and indents[waiting[-1]] >= indent:
            ends[waiting.pop()] = number
        waiting.append(number)
    return ends
