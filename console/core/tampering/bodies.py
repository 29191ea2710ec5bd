"""The body of one test in a language with brackets: its checks, its ways out, what keeps its checks from counting.

Shared by every language that is read by scanning; what differs is in a `Dialect`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from console.core.tampering.scan import Source
from console.core.tampering.sheet import VACUOUS, Case, Check

NEVER = re.compile(r"(?!)")
_LONGEST = 2_000
_SPACE = re.compile(r"\s+")
_LITERAL = re.compile(
    r"""[rbfu$@]*+(?:"(?:[^"\\]++|\\.)*+"|'(?:[^'\\]++|\\.)*+'|`(?:[^`\\]++|\\.)*+`)|\b\d[\w.]*+""", re.DOTALL
)
_DEAD = re.compile(r"\b(?:if|while)\s*(?:\(\s*(?:false|0|null|!true|!1)\s*(?:\)|&&)|false\s*(?:\{|&&))|\bfalse\s*&&\s*")
_ALWAYS = re.compile(r"\bif\s*(?:\(\s*(?:true|1)\s*\)|true)\s*")
_GIVEN_NONE = re.compile(r"\s*(?:\)|[\"'`])")
_BEHIND_IF = re.compile(r"\b(?:if|unless)\b[^\n;{}]*\Z|(?:&&|\|\||\?)\s*\Z")
_TRY = re.compile(r"\btry\s*\{")
_CATCH = re.compile(r"\s*(?:catch|rescue)\b\s*")
_CHAIN = re.compile(r"\s*(?:\?\.|\.|!\.|::)\s*(?:[\w$!]+)(?:<[^<>()]{0,80}>)?\s*|\s*(?=[(\[])")
_TRIVIAL = re.compile(
    r"\s*(?:return\b[^;\n]{0,40};?|;|pass|nil|null|undefined|Ok\(\(\)\)|_\s*=\s*\w+;?|true|\s)*", re.ASCII
)


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a language's tests are written. Patterns are searched in text whose literals and comments are blank, but
    `skip_text`, which sees literals. grade: how strong a check is, given its text (`sheet.VACUOUS` .. `EXACT`)."""

    checks: re.Pattern[str]
    grade: Callable[[str], int]
    skips: re.Pattern[str]
    ends: re.Pattern[str]
    rows: re.Pattern[str] = NEVER
    fails: re.Pattern[str] = re.compile(r"\bthrow\b|\bfail\w*\s*\(|\bexpect\b|\bassert|\breject\b|\bdone\s*\(")
    plain_argument: re.Pattern[str] = re.compile(r"\s*(?:t|tb|b|s|c|[\"'`\d].*)\s*", re.DOTALL)
    before: re.Pattern[str] = NEVER


@dataclass(frozen=True, slots=True)
class Marks:
    """What stands outside a body and concerns its test."""

    skips: int = 0
    always: int = 0
    rows: int = 0


def squeezed(text: str) -> str:
    return _SPACE.sub(" ", text[:_LONGEST]).strip()


def shape(text: str) -> str:
    """The text with strings and numbers masked: two that are equal differ in expected values only."""
    return _LITERAL.sub("_", text)


def lines(text: str) -> str:
    """The text without empty lines and indentation."""
    return "\n".join(line for line in map(str.strip, text.split("\n")) if line)


def case(source: Source, name: str, line: int, span: tuple[int, int], dialect: Dialect, *, marks: Marks) -> Case:
    """Read the test whose body lies between the two offsets of `span`."""
    start, end = span
    checks, swallowed = _checks(source, start, end, dialect)
    skips, always = _skips(source, start, end, dialect)
    returns, escapes = _ends(source, start, end, dialect)
    body = lines(source.kept[start:end])
    empty = bool(_TRIVIAL.fullmatch(source.bare, start, end)) if end - start < 400 else False
    return Case(
        name=name,
        line=line,
        body=body,
        checks=checks,
        skips=skips + marks.skips,
        always=always + marks.always,
        returns=returns,
        escapes=escapes,
        swallowed=swallowed,
        rows=marks.rows + len(dialect.rows.findall(source.kept, start, end)),
        empty=empty or (bool(checks) and all(check.strength == VACUOUS for check in checks) and "\n" not in body),
    )


def _checks(source: Source, start: int, end: int, dialect: Dialect) -> tuple[tuple[Check, ...], int]:
    dead = _regions(source, start, end, _DEAD)
    caught = _caught(source, start, end, dialect)
    found: list[Check] = []
    swallowed = 0
    place = start
    while match := dialect.checks.search(source.bare, place, end):
        stop = max(_extent(source, match, end), match.end())
        found.append(_check(source, match.start(), stop, dialect, _inside(match.start(), dead)))
        swallowed += _inside(match.start(), caught)
        place = stop
    return tuple(found), swallowed


def _check(source: Source, start: int, stop: int, dialect: Dialect, dead: bool) -> Check:
    text = squeezed(source.kept[start:stop])
    if condition := dialect.before.search(source.bare, max(0, start - 200), start):
        text = squeezed(source.kept[condition.start() : start]) + " " + text
    strength = VACUOUS if dead or "|| true" in text else dialect.grade(text)
    return Check(text, shape(text), _subject(source, start, stop, dialect), strength, source.line(start))


def _extent(source: Source, match: re.Match[str], end: int) -> int:
    """The end of a call with everything chained to it."""
    place = match.end()
    if source.bare[place - 1] in "([{":
        place = source.close(place - 1) + 1
    while place < end and (link := _CHAIN.match(source.bare, place, end)):
        place = link.end()
        if place < end and source.bare[place] in "([":
            place = source.close(place) + 1
        elif not link[0].strip():
            break
    return min(place, end)


def _subject(source: Source, start: int, stop: int, dialect: Dialect) -> str:
    opening = source.bare.find("(", start, stop)
    if opening < 0:
        return ""
    for first, last in source.arguments(opening):
        text = source.kept[first : min(last, first + _LONGEST)]
        if not dialect.plain_argument.fullmatch(text):
            return squeezed(text)
    return ""


def _skips(source: Source, start: int, end: int, dialect: Dialect) -> tuple[int, int]:
    """Calls that leave a test as skipped: all, and those inside no bracket that are given no condition."""
    total = len(dialect.skips.findall(source.bare, start, end))
    always = sum(
        _GIVEN_NONE.match(source.bare, call.end()) is not None
        and not _BEHIND_IF.search(source.bare, max(start, call.start() - 200), call.start())
        for call in source.outside(start, end, dialect.skips)
    )
    return total, always


def _ends(source: Source, start: int, end: int, dialect: Dialect) -> tuple[int, int]:
    """Returns in front of other code: unconditional ones, and those one bracket deeper (a condition's)."""
    unconditional = [end_ for end_ in source.flat(start, end, dialect.ends)]
    early = sum(1 for match in unconditional if not _TRIVIAL.fullmatch(source.bare, match.end(), end))
    for match in source.flat(start, end, _ALWAYS):
        opening = match.end()
        if opening < end and source.bare[opening] == "{":
            inner = (opening + 1, min(source.close(opening), end))
            early += sum(1 for _ in source.flat(*inner, dialect.ends))
    total = len(dialect.ends.findall(source.bare, start, end))
    return early, max(0, total - len(unconditional))


def _regions(source: Source, start: int, end: int, opener: re.Pattern[str]) -> list[tuple[int, int]]:
    """The blocks (or the rest of the line) that follow an opener, none inside another."""
    found: list[tuple[int, int]] = []
    place = start
    while match := opener.search(source.bare, place, end):
        brace = source.bare.find("{", match.end() - 1, min(match.end() + 200, end))
        line_end = source.bare.find("\n", match.end(), end)
        line_end = end if line_end < 0 else line_end
        stop = source.close(brace) if 0 <= brace < line_end else line_end
        found.append((match.start(), min(stop, end)))
        place = max(found[-1][1], match.end())
    return found


def _caught(source: Source, start: int, end: int, dialect: Dialect) -> list[tuple[int, int]]:
    """Blocks whose failures end in a handler that neither throws nor checks."""
    found: list[tuple[int, int]] = []
    place = start
    while match := _TRY.search(source.bare, place, end):
        close = min(source.close(match.end() - 1), end)
        place = match.end()
        handler = _CATCH.match(source.bare, close + 1, end)
        if not handler:
            continue
        brace = source.bare.find("{", handler.end() - 1, min(handler.end() + 200, end))
        stop = min(source.close(brace), end) if brace >= 0 else end
        if not dialect.fails.search(source.bare, max(brace, close), stop):
            found.append((match.start(), close))
            place = close
    return found


def _inside(place: int, regions: Sequence[tuple[int, int]]) -> bool:
    index = bisect_right(regions, (place, 1 << 60)) - 1
    return index >= 0 and place < regions[index][1]
