"""Tests of Rust: functions with a test attribute anywhere, and macros that declare tests (`rgtest!(name, ...)`)."""

from __future__ import annotations

import re

from console.core.tampering.bodies import NEVER, Dialect, Marks, case
from console.core.tampering.scan import Source, source
from console.core.tampering.sheet import EXACT, EXISTENCE, PARTIAL, VACUOUS, Case, Sheet, keyed

_ATTRIBUTE = re.compile(
    r"#\[\s*(?:\w+::)*(?:test|rstest|test_case|proptest|quickcheck|wasm_bindgen_test|case|apply)\b[^\]\n]*\]"
)
_FUNCTION = re.compile(
    r"(?:\s|#\[(?:[^\[\]]|\[[^\[\]]*\]){0,2000}\]|\b(?:pub|async|unsafe"
    r"|const)\b(?:\([a-z]+\))?)*+\bfn\s+(\w+)\s*(?:<[^<>]{0,200}>)?\s*(?=\()"
)
_MACRO = re.compile(r"\b(\w*test\w*)!\s*[({]\s*(?:(?:fn|async fn|#\[[^\]\n]*\])\s*)*(\w+)\s*(?=[,=({:])")
_SKIP = re.compile(
    r"#\[\s*(?:ignore\b|cfg_attr\([^\]]*\bignore\b|cfg\(\s*(?:any\(\s*\)|FALSE|never|not\(\s*(?:test|all\(\s*\))\s*\)))"
)
_ROW = re.compile(r"#\[\s*(?:\w+::)*(?:test_case|case)\b")
_FILE_OFF = re.compile(r"^\s*#!\[\s*cfg\(\s*(?:any\(\s*\)|FALSE|never|not\(\s*test\s*\))", re.MULTILINE)
_NOTHING = re.compile(r"^(?:debug_)?assert!\s*\(\s*true\b|assert_eq!\s*\(\s*(\w+|\(\)|\"[^\"]*\")\s*,\s*\1\s*[,)]")
_WEAK = re.compile(
    r"^(?:debug_)?assert!\s*\(\s*!?[\w.\[\]():&*]+?(?:\.is_(?:ok|some|err|none|empty)\(\))?\s*(?:,.*)?\)$|^assert_ne!"
)


def _grade(text: str) -> int:
    if _NOTHING.search(text):
        return VACUOUS
    if _WEAK.search(text):
        return EXISTENCE
    return EXACT if "_eq!" in text or "==" in text or "snapshot!" in text else PARTIAL


DIALECT = Dialect(
    checks=re.compile(
        r"\b(?:debug_)?(?:assert\w*|prop_assert\w*|eqnice|eqnice_repr|ensure|expect_that|check\w*|verify\w*)!\s*[(\[{]"
        r"|\bpanic!\s*\(|\bunreachable!\s*\(|(?<![\w!])(?:\.?)(?:assert|check|verify|expect|ensure)_\w+\s*\("
        r"|(?<=\.)(?:assert|should|stdout|stderr|success|failure|code)\w*\s*\(|(?<![\w.])(?:check|assert|verify)\s*\("
    ),
    grade=_grade,
    skips=NEVER,
    ends=re.compile(r"\breturn\b\s*(?:;|Ok\(\(\)\)\s*;?)|\bprocess::exit\(0\)"),
    rows=re.compile(r"^\s*\(\s*[\"\w&].*,\s*$", re.MULTILINE),
    fails=re.compile(r"\bpanic!|\bassert|\bunreachable!"),
)


def sheet(text: str) -> Sheet:
    """The tests of one file, with the unit tests inside product code."""
    if "test" not in text:
        return Sheet()
    read = source(text, "rust")
    cases: dict[int, Case] = {}
    heads = [match.start() for match in _ATTRIBUTE.finditer(read.bare)]
    for match in _ATTRIBUTE.finditer(read.bare):
        function = _FUNCTION.match(read.bare, match.end())
        if function and function.end() not in cases:
            cases[function.end()] = _function(read, match, function, heads)
    last = 0
    for match in _MACRO.finditer(read.bare):
        if match.start() >= last and not re.match(
            r"\s*macro_rules", read.bare[max(0, match.start() - 14) : match.start()]
        ):
            opening = min(
                place
                for place in (read.bare.find("(", match.start()), read.bare.find("{", match.start()))
                if place >= 0
            )
            last = min(read.close(opening), len(read.bare))
            marks = Marks()
            cases[match.end()] = case(
                read, match[2], read.line(match.start()), (match.end(), last), DIALECT, marks=marks
            )
    off = _FILE_OFF.search(read.bare)
    return Sheet(keyed([cases[place] for place in sorted(cases)]), skips=(read.line(off.start()),) if off else ())


def _function(read: Source, attribute: re.Match[str], function: re.Match[str], heads: list[int]) -> Case:
    start = _head(read, attribute.start())
    head = read.kept[start : function.end()]
    skips = len(_SKIP.findall(head))
    brace = read.bare.find("{", min(read.close(function.end()), len(read.bare)))
    span = read.within(brace + 1, read.close(brace), heads) if brace >= 0 else (function.end(), function.end())
    marks = Marks(skips, skips, len(_ROW.findall(head)))
    return case(read, function[1], read.line(attribute.start()), span, DIALECT, marks=marks)


def _head(read: Source, place: int) -> int:
    """Where the attributes above an attribute begin, at most twenty lines up."""
    for _ in range(20):
        above = read.bare.rfind("\n", 0, max(0, read.bare.rfind("\n", 0, place)))
        line = read.bare[above + 1 : read.bare.find("\n", above + 1)].strip() if place else ""
        if not line.startswith("#["):
            return place
        place = above + 1
    return place
