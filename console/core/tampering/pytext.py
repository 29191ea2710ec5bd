"""Python that does not parse, read by its lines: rougher than `python`, but nothing hides behind a syntax error."""

from __future__ import annotations

import re

from console.core.tampering.bodies import lines as stripped
from console.core.tampering.bodies import shape, squeezed
from console.core.tampering.indented import blocks
from console.core.tampering.scan import source
from console.core.tampering.sheet import EXACT, EXISTENCE, PARTIAL, VACUOUS, Case, Check, Sheet

_OPENER = re.compile(r"[ \t]*(?:class\s+(?P<group>\w+)|(?:async\s+)?def\s+(?P<test>test\w*))")
_CHECK = re.compile(
    r"^\s*(?:assert\b|self\.(?:assert|fail)|with (?:pytest\.)?raises\(|(?:\w+\.)*(?:assert|check|verify|expect)_?\w*\()"
)
_SKIP = re.compile(r"^\s*(?:raise\s+)?(?:pytest\.(?:skip|xfail|importorskip)|self\.skipTest|(?:unittest\.)?SkipTest)\b")
_DECORATOR = re.compile(r"^\s*@.*\b(?:skip\w*|xfail|expectedFailure)\b")
_MODULE = re.compile(
    r"^(?:pytestmark\s*=.*(?:skip|xfail)|pytest\.(?:skip|importorskip)\(|raise\s+(?:unittest\.)?SkipTest)"
)
_NOTHING = re.compile(r"^assert\s*\(?\s*(?:True|1)\b|\bor True\b")


def _grade(text: str) -> int:
    if _NOTHING.search(text):
        return VACUOUS
    if re.search(r"==|\bis\s+(?!not\b)|assert\w*Equal|raises\(", text):
        return EXACT
    return EXISTENCE if re.fullmatch(r"assert\s+[\w.\[\]()]+(?:\s+is\s+not\s+None)?", text) else PARTIAL


def sheet(text: str) -> Sheet:
    """The tests of one file, each the function's line and what is indented below it."""
    read = source(text, "python")
    kept, bare = read.kept.split("\n"), read.bare.split("\n")
    cases: dict[str, Case] = {}
    groups: list[tuple[int, str]] = []
    inside = -1
    for block in blocks(bare, _OPENER):
        if block.first < inside:
            continue
        while groups and groups[-1][0] <= block.first:
            groups.pop()
        outer = groups[-1][1] if groups else ""
        title = block.match["group"] or block.match["test"] or ""
        name = f"{outer} > {title}" if outer else title
        if block.match["group"]:
            if len(groups) < 12:
                groups.append((block.end, name))
            continue
        cases[name] = _case(kept, bare, block.first, block.end, name)
        inside = block.end
    return Sheet(cases, skips=tuple(number + 1 for number, line in enumerate(bare) if _MODULE.match(line)))


def _case(kept: list[str], bare: list[str], first: int, end: int, name: str) -> Case:
    marks = 0
    above = first - 1
    while above >= 0 and first - above < 30 and kept[above].lstrip().startswith(("@", ")", "]")):
        marks += bool(_DECORATOR.match(kept[above]))
        above -= 1
    inner = range(first + 1, min(end, len(kept)))
    checks = tuple(_check(kept[number], number + 1) for number in inner if _CHECK.match(bare[number]))
    skips = sum(1 for number in inner if _SKIP.match(bare[number]))
    body = stripped("\n".join(kept[number] for number in inner))
    empty = body in {"", "pass", "..."}
    return Case(name, first + 1, body, checks, marks + skips, marks + skips, empty=empty)


def _check(line: str, number: int) -> Check:
    text = squeezed(line)
    found = re.match(r"assert\s+([\w.\[\]()]+)|.*?\(([^(),]+)", text)
    subject = (found[1] or found[2] or "") if found else ""
    return Check(text, shape(text), subject, _grade(text), number)
