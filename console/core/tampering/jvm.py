"""Tests of Java, Kotlin and C#: methods with a test annotation, JUnit 3 names, and Kotest's `test("...") { }`."""

from __future__ import annotations

import re
from typing import NamedTuple

from console.core.tampering.bodies import Dialect, Marks, case
from console.core.tampering.scan import Source, source
from console.core.tampering.sheet import EXACT, EXISTENCE, PARTIAL, VACUOUS, Case, Sheet, keyed

_ANNOTATION = re.compile(
    r"@(?:\w+\.)*(?:Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate|Property|Theory|Benchmark)\b"
    r"|\[\s*(?:Fact|Theory|Test|TestCase|TestCaseSource|TestMethod|DataTestMethod)\w*\b"
)
_METHOD = re.compile(r"([\w$]+|`[^`\n]*`)\s*(?:<[^<>]{0,80}>)?\s*(?=\()")
_JUNIT3 = re.compile(r"\bpublic\s+void\s+(test\w+)\s*(?=\(\s*\))|\bfun\s+(test\w*)\s*(?=\(\s*\))")
_SPEC = re.compile(
    r"(?<![\w.])(x?(?:test|it|should|scenario|expect"
    r"|then))\s*\(\s*\"[^\"\n]*\"\s*\)\s*(?:\.config\([^)\n]*\)\s*)?(?=\{)"
)
_SKIP = re.compile(
    r"@(?:\w+\.)*(?:Disabled\w*|Ignore\w*|EnabledIf\w*|EnabledOn\w*)\b|\[\s*Ignore\b|,\s*Ignore\b"
    r"|\bSkip\s*=|\benabled\s*=\s*false|\bIgnore\s*="
)
_CONDITION = re.compile(
    r"Disabled(?:On|If|In|For|When)|EnabledIf|EnabledOn|IgnoreJvm|IgnoreJs|IgnoreNative|IgnoreOn|IgnoreIf"
)
_ROW = re.compile(
    r"\[\s*(?:InlineData|TestCase|DataRow)\s*\(|\brow\s*\(|(?:CsvSource|ValueSource)"
    r"|(?<=[{,\n])\s*\"[^\"\n]*\"\s*(?=[,}])|\bCase\("
)
_CLASS = re.compile(r"\b(?:class|object|interface)\s+(\w+)[^{};]{0,600}\{")
_NOT_CODE = re.compile(r"(?<![.:])\b(?:class|interface|enum|object|record)\b")
_NOTHING = re.compile(
    r"\bassertTrue\(\s*true\b|\bassertFalse\(\s*false\b|\bAssert\.True\(\s*true\b|\bTrue\(\s*true\b"
    r"|^(?:\w+\.)?\w+\(\s*(\w+|\"[^\"]*\")\s*,\s*\1\s*\)|assertThat\(\s*true\s*\)\.isTrue"
)
_WEAK = re.compile(
    r"\b(?:assertNotNull|assertDoesNotThrow|Assert\.NotNull|Assert\.IsNotNull|Assert\.NotEmpty"
    r"|assertNotEquals|assertNotSame)\s*\("
    r"|\.(?:isNotNull|isNotEmpty|isPresent|shouldNotBeNull|NotBeNull|isTrue|isFalse|isNotBlank"
    r"|exists)\(\s*\)\s*;?$|\b(?:assertTrue|assertFalse|Assert\.True"
    r"|Assert\.False)\(\s*!?[\w.]+(?:\(\))?\s*(?:!=\s*null)?\s*\)"
    r"|assert(?:Throws|FailsWith)\w*[(<]\s*(?:Throwable|Exception)\b|\bassertThat\([^()]*\)\s*;?$"
)
_STRONG = re.compile(
    r"\b(?:assertEquals|assertSame|assertArrayEquals|assertThrows|assertFailsWith|assertIterableEquals"
    r"|assertContentEquals|"
    r"Equal|AreEqual|Throws\w*|Same|Single)\s*[(<]|\.(?:isEqualTo|containsExactly\w*|isSameAs|hasSize"
    r"|isEmpty|hasMessage|shouldBe|Be|isEqualByComparingTo)\(|shouldBe\b|==|Is\.EqualTo|hasValue"
)


class _Off(NamedTuple):
    """Where the bodies of skipped classes lie, and whether without a condition; where tests begin, in order."""

    classes: list[tuple[int, int, bool]]
    heads: list[int]


def _grade(text: str) -> int:
    if _NOTHING.search(text):
        return VACUOUS
    if _WEAK.search(text):
        return EXISTENCE
    return EXACT if _STRONG.search(text) else PARTIAL


DIALECT = Dialect(
    checks=re.compile(
        r"\bassert\w*\s*(?:<[^<>()]{0,80}>)?\s*[({]|\bAssert\.\w+\s*(?:<[^<>()]{0,80}>)?\s*\("
        r"|\bassert\s+(?=[\w!(])|\b(?:verify|expect|fail|check"
        r"|ensure)\w*\s*(?:<[^<>()]{0,80}>)?\s*[({]"
        r"|\.should\w*\s*\(|\.Should\(\)|\b(?:shouldBe|shouldNotBe|shouldContain|shouldThrow)\b\s*"
        r"|\.andExpect\s*\(|\bthen\s*\(|\bExpected\w*\.\w+\s*\(|\bthat\s*\("
    ),
    grade=_grade,
    skips=re.compile(
        r"\b(?:Assume|Assumptions)\.\w+\s*\(|\bassume(?:True|False|That|NoException|NotNull)\s*\("
        r"|\bAssert\.(?:Ignore|Inconclusive|Skip)\w*\s*\(|\bSkip\.If\w*\s*\("
    ),
    ends=re.compile(
        r"(?<![\w@])return\b[ \t]*(?:;|(?=\n)|(?=\})|Task\.CompletedTask\s*;|null\s*;)(?!@)|\bSystem\.exit\(0\)"
    ),
    fails=re.compile(r"\bthrow\b|\bfail\w*\s*\(|\bassert|\bAssert\."),
)


def sheet(text: str) -> Sheet:
    """The test methods of one file; none when nothing in it looks like a test."""
    if "est" not in text and "Fact" not in text and "Theory" not in text:
        return Sheet()
    read = source(text, "jvm")
    annotated = list(_ANNOTATION.finditer(read.bare))
    plain = [*(_JUNIT3.finditer(read.bare) if "TestCase" in text else ()), *_SPEC.finditer(read.bare)]
    off = _Off(_skipped_classes(read), sorted(match.start() for match in [*annotated, *plain]))
    cases: dict[int, Case] = {}
    for match in annotated:
        _annotated(read, match, off, cases)
    for match in plain:
        if match.end() not in cases:
            _plain(read, match, off, cases)
    return Sheet(keyed([cases[place] for place in sorted(cases)]))


def _skipped_classes(read: Source) -> list[tuple[int, int, bool]]:
    spans = []
    for match in _CLASS.finditer(read.bare):
        start = _head(read, match.start())
        if mark := _SKIP.search(read.bare, start, match.start()):
            spans.append((match.end(), read.close(match.end() - 1), not _CONDITION.search(mark[0])))
    return spans[:200]


def _annotated(read: Source, match: re.Match[str], off: _Off, cases: dict[int, Case]) -> None:
    """The method that follows an annotation, looked for behind whatever other annotations stand between."""
    place = match.end()
    for _ in range(40):
        method = _METHOD.search(read.bare, place, place + 600)
        if not method or _NOT_CODE.search(read.bare, place, method.start()) or ";" in read.bare[place : method.start()]:
            return
        before = read.bare[max(0, method.start() - 1) : method.start()]
        annotation = before in {"@", "[", "."} or read.bare[match.start() : method.start()].rstrip().endswith(
            ("[", "@", ".", ":")
        )
        opening = method.end()
        inside_list = before == " " and re.search(r"[\[,]\s*$", read.bare[max(0, method.start() - 20) : method.start()])
        if opening in cases:
            return
        if not annotation and not inside_list and method.start() != match.end() and method[1] != "":
            _add(read, method[1], opening, start=_head(read, match.start()), off=off, cases=cases)
            return
        place = min(read.close(opening), len(read.bare))


def _plain(read: Source, match: re.Match[str], off: _Off, cases: dict[int, Case]) -> None:
    name = next((group for group in match.groups() if group and not group.startswith(("x", "it"))), None)
    if '"' in match[0]:
        name = read.kept[match.start() : match.end()].partition('"')[2].rpartition('"')[0][:300]
        spot = match.end()
        skipped = int(match[0].startswith("x") or "enabled = false" in match[0])
        cases[spot] = case(
            read,
            name,
            read.line(match.start()),
            read.within(spot + 1, read.close(spot), off.heads),
            DIALECT,
            marks=Marks(skipped, skipped),
        )
    elif name:
        _add(read, name, match.end(), start=_head(read, match.start()), off=off, cases=cases)


def _add(read: Source, name: str, opening: int, *, start: int, off: _Off, cases: dict[int, Case]) -> None:
    end = min(read.close(opening), len(read.bare))
    head = read.kept[max(start, opening - 4_000) : opening]
    found = _SKIP.findall(read.bare, max(start, opening - 4_000), opening)
    outer = [always for first, last, always in off.classes if first <= opening < last]
    always = sum(1 for mark in found if not _CONDITION.search(mark)) + sum(outer)
    marks = Marks(len(found) + len(outer), always, len(_ROW.findall(head)))
    follower = re.compile(r"[^;{}=]{0,300}(\{|=>?)").match(read.bare, end + 1)
    if not follower:
        return
    place = follower.end()
    if follower[1] == "{":
        span = (place, read.close(place - 1))
    elif brace := re.compile(r"[^;{}]{0,200}\{").match(read.bare, place):
        span = (place, min(read.close(brace.end() - 1) + 1, len(read.bare)))
    else:
        stop = read.bare.find("\n\n", place)
        span = (place, stop if stop >= 0 else len(read.bare))
    cases[opening] = case(read, name, read.line(opening), read.within(*span, off.heads), DIALECT, marks=marks)


def _head(read: Source, place: int) -> int:
    """Where the annotations above a declaration begin: upwards while lines are annotations, at most forty."""
    start = read.bare.rfind("\n", 0, place) + 1
    for _ in range(40):
        above = read.bare.rfind("\n", 0, max(0, start - 1)) + 1
        line = read.bare[above:start].strip()
        if above == start or not (
            line.startswith(("@", "[")) or (line.endswith((")", ",")) and line.startswith(('"', ")", "}")))
        ):
            return start
        start = above
    return start
