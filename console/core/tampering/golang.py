"""Tests of Go: Test, Fuzz and Example functions; testing, testify, gomega and helpers named like checks."""

from __future__ import annotations

import re

from console.core.tampering.bodies import Dialect, Marks, case
from console.core.tampering.scan import source
from console.core.tampering.sheet import EXACT, EXISTENCE, PARTIAL, VACUOUS, Case, Sheet, keyed

_FUNCTION = re.compile(r"^func\s+(?:\([^)\n]{0,200}\)\s*)?((?:Test|Fuzz|Example)(?![a-z])\w*)\s*(?=\()", re.MULTILINE)
_GINKGO = re.compile(r"(?<![\w.])([FXP]?)(It|Specify|Entry|Describe|Context|When)\s*\(\s*\"")
_OFF = re.compile(r"^//\s*\+build\s+(?:ignore|never)\b|^//go:build\s+(?:ignore|never|false|!test)\b", re.MULTILINE)
_NOTHING = re.compile(
    r"\.True\w*\((?:\w+,\s*)?true\b|\.Equal\w*\(\w+,\s*([\w\"]+),\s*\1[,)]|^if false\b|\.(?:NoError|Nil)\(\w+,\s*nil\b"
)
_WEAK = re.compile(
    r"\.(?:NotNil|NotEmpty|Error|True|False|NotPanics"
    r"|NotZero)f?\((?:\w+,\s*)?[\w.\[\]]+(?:\([^()]*\))?(?:,.*)?\)$|\.ToNot\(BeNil\(\)\)"
    r"|^if (?!\w*[eE]rr\b)[\w.]+ == nil \{"
)
_STRONG = re.compile(
    r"\.(?:Equal|EqualValues|Exactly|JSONEq|Len|ElementsMatch|ErrorIs|EqualError|Same|InDelta"
    r"|YAMLEq)f?\(|!=|==|DeepEqual|Equal\(|cmp\.Diff"
)


def _grade(text: str) -> int:
    if _NOTHING.search(text):
        return VACUOUS
    if _WEAK.search(text):
        return EXISTENCE
    return EXACT if _STRONG.search(text) else PARTIAL


DIALECT = Dialect(
    checks=re.compile(
        r"\b(?:t|tb|b|f|tt|s\.T\(\)|suite\.T\(\))\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)\s*\("
        r"|\b(?:assert|require|is|qt|be|must)\.\w+\s*\("
        r"|\b\w+\.(?:Require|Assert)\(\)\.\w+\s*\(|\b(?:Expect|Eventually|Consistently|Ω)\s*\("
        r"|(?<![\w.])(?:assert|check|verify|ensure|expect|must|require)[A-Z]\w*\s*\("
        r"|\bs(?:uite)?\.(?:Equal|NoError|Error|True|False|Nil|NotNil|Len|Contains)\s*\("
        r"|\b\w+\.(?:assert|check|verify|expect|Assert|Verify|Expect)[A-Z]?\w*\s*\("
    ),
    grade=_grade,
    skips=re.compile(r"\b(?:t|tb|b|f|tt|s\.T\(\)|suite\.T\(\))\.(?:Skip|Skipf|SkipNow)\s*\(|(?<![\w.])Skip\s*\("),
    ends=re.compile(r"\breturn\b(?=[ \t]*(?:\n|;|\}))|\bruntime\.Goexit\(\)|\bos\.Exit\(0\)"),
    rows=re.compile(r"\bt\.Run\(\s*\"|^\s*\{\s*(?:$|\w+\s*:|\"|`)|^\s*\"[^\"\n]*\":\s*\{", re.MULTILINE),
    before=re.compile(r"\bif\b[^{}\n]*\{\s*\Z"),
)


def sheet(text: str) -> Sheet:
    """The test functions of one `_test.go` file."""
    read = source(text, "go")
    cases: list[Case] = []
    heads = [match.start() for match in _FUNCTION.finditer(read.bare)]
    for match in _FUNCTION.finditer(read.bare):
        brace = read.bare.find("{", read.close(match.end()), read.close(match.end()) + 200)
        span = read.within(brace + 1, read.close(brace), heads) if brace >= 0 else (match.end(), match.end())
        cases.append(case(read, match[1], read.line(match.start()), span, DIALECT, marks=Marks()))
    specs, focus = _specs(text)
    off = _OFF.search(text[:4_000])
    return Sheet(keyed(cases + specs), skips=(read.line(off.start()),) if off else (), focus=focus)


def _specs(text: str) -> tuple[list[Case], tuple[int, ...]]:
    """Ginkgo's specs, where a file has them."""
    if "ginkgo" not in text[:10_000]:
        return [], ()
    read = source(text, "go")
    cases: list[Case] = []
    focus: list[int] = []
    skipped_until = place = 0
    while match := _GINKGO.search(read.bare, place):
        place = match.end()
        opening = read.bare.find("(", match.start())
        if match[1] == "F":
            focus.append(read.line(match.start()))
        if match[2] in {"Describe", "Context", "When"}:
            skipped_until = max(skipped_until, read.close(opening) if match[1] in {"X", "P"} and match[1] else 0)
            continue
        off = int(match[1] in {"X", "P"} and match[1] != "") or int(match.start() < skipped_until)
        end = read.close(opening)
        title = read.kept[match.end() : read.kept.find('"', match.end())]
        brace = read.bare.find("{", match.end(), end)
        span = (brace + 1, read.close(brace)) if brace >= 0 else (end, end)
        cases.append(case(read, title[:300], read.line(match.start()), span, DIALECT, marks=Marks(off, off)))
        place = max(place, min(end, len(read.bare)))
    return cases, tuple(focus)
