"""Tests of JavaScript and TypeScript: jest, vitest, mocha, jasmine, playwright, node:test, bun, ava."""

from __future__ import annotations

import re

from console.core.tampering.bodies import Dialect, Marks, case, squeezed
from console.core.tampering.scan import Source, source
from console.core.tampering.sheet import EXACT, EXISTENCE, PARTIAL, VACUOUS, Case, Sheet, keyed

_CALL = re.compile(r"(?<![\w$.])([xf]?(?:it|test|describe|suite|specify|context))((?:\s*\.\s*\w+)*)\s*(?=[(`])")
_GROUPS = frozenset({"describe", "suite", "context"})
_PARTS_OF_RUNNERS = frozenset(
    {
        "step",
        "beforeEach",
        "afterEach",
        "beforeAll",
        "afterAll",
        "before",
        "after",
        "use",
        "setTimeout",
        "extend",
        "mock",
        "info",
        "slow",
        "configure",
        "override",
        "scoped",
    }
)
_SKIPPING = frozenset({"skip", "todo", "fixme", "fails", "failing"})
_FUNCTION = re.compile(r"=>\s*|\bfunction\b")
_NOTHING = re.compile(
    r"expect\(\s*(?:true|1)\s*\)\.to(?:Be|Equal|StrictEqual|BeTruthy|BeDefined|\.be)|^assert(?:\.ok"
    r"|\.isTrue)?\(\s*(?:true|1)\s*[,)]"
    r"|^(?:await )?(?:expect|assert|t)[\w.]*\(\s*(\w+|'[^']*'|\"[^\"]*\")\s*(?:,\s*|\)\.to(?:Be|Equal"
    r"|StrictEqual)\(\s*)\1\s*\)"
)
_WEAK = re.compile(
    r"\.(?:toBeTruthy|toBeDefined|toBeFalsy|toHaveBeenCalled|toThrow|toThrowError|not\.toBe(?:Null|Undefined)"
    r"|not\.toThrow\w*|resolves|rejects|exist|ok)(?:\(\s*\))?;?$|\.to\.(?:be\.)?(?:ok|exist)\b"
    r"|^assert(?:\.ok|\.exists|\.isOk|\.isDefined|\.truthy)?\(\s*!{0,2}[\w$.\[\]]+(?:\(\))?\s*(?:,[^,]*)?\)"
    r"|^t\.(?:truthy|ok|pass)\(|expect\.anything\(\)|expect\.any\(Object\)"
)
_STRONG = re.compile(
    r"\.(?:toBe|toEqual|toStrictEqual|toHaveBeenCalledWith|toHaveBeenLastCalledWith"
    r"|toHaveBeenNthCalledWith|toHaveLength|"
    r"toMatchObject|toMatchInlineSnapshot|toHaveBeenCalledTimes|toHaveText|toHaveValue|toThrow|toThrowError|"
    r"toHaveProperty|toBeCloseTo|toHaveURL|toHaveCount|equal|eql|eq|deep|deepEqual|strictEqual|"
    r"deepStrictEqual|is|same|throws|rejects|expect|include|calledWith)\(|===|!=="
)
_ENDS = re.compile(
    r"(?<![\w$.])return\b[ \t]*(?:;|(?=\n)|(?=\})|(?:null|undefined|true|void 0)\s*;?)|\bprocess\.exit\(\s*0?\s*\)"
    r"|(?<![\w$.])done\(\)\s*;?\s*return\b"
)
_TODO_BODY = re.compile(r"\s*")


def _grade(text: str) -> int:
    if _NOTHING.search(text):
        return VACUOUS
    if _WEAK.search(text):
        return EXISTENCE
    return EXACT if _STRONG.search(text) else PARTIAL


DIALECT = Dialect(
    checks=re.compile(
        r"(?<![\w$.])expect(?:\.soft|\.poll|TypeOf|Type)?\s*(?:<[^<>()]{0,80}>)?\s*\("
        r"|(?<![\w$.])assert(?:\.\w+)*\s*\(|\.should\b|\.expect\s*\("
        r"|(?<![\w$.])(?:assert|check|verify|ensure|expect)[A-Z]\w*\s*\(|(?<![\w$.])should(?:\.\w+)*\s*\("
        r"|(?<![\w$.])t\.(?:assert\.)?(?:is|not|deepEqual|true|false|truthy|falsy|throws\w*|like|equal"
        r"|ok|same|match|strictEqual|regex|pass|fail)\s*\("
    ),
    grade=_grade,
    skips=re.compile(r"(?<![\w$])(?:this|t|ctx|context|test|it)\.(?:skip|todo|fixme)(?:If)?\s*\("),
    ends=_ENDS,
)


def sheet(text: str) -> Sheet:
    """The tests of one file, named by the titles of the groups around them."""
    read = source(text, "javascript")
    cases: list[Case] = []
    focus: list[int] = []
    groups: list[tuple[int, str, int, int]] = []
    place = 0
    while match := _CALL.search(read.bare, place):
        place = match.end()
        chain = [part.strip() for part in match[2].split(".")[1:]]
        if not _PARTS_OF_RUNNERS.isdisjoint(chain):
            continue
        opening, rows = _past_table(read, match.end(), chain)
        if opening is None:
            continue
        while groups and groups[-1][0] <= match.start():
            groups.pop()
        skips, always = _marks(match[1], chain, read, opening)
        if match[1].startswith("f") or "only" in chain or _option(read, opening, "only"):
            focus.append(read.line(match.start()))
        title = _title(read, opening)
        word = match[1].lstrip("xf") if match[1] not in {"it", "test"} else match[1]
        if word in _GROUPS or "describe" in chain:
            if len(groups) < 12:
                outer = groups[-1] if groups else (0, "", 0, 0)
                path = f"{outer[1]} > {title}" if outer[1] else title
                groups.append((read.close(opening), path, outer[2] + skips, outer[3] + always))
            place = opening + 1
            continue
        if title:
            outer = groups[-1] if groups else (0, "", 0, 0)
            name = f"{outer[1]} > {title}" if outer[1] else title
            marks = Marks(outer[2] + skips, outer[3] + always, rows)
            cases.append(case(read, name, read.line(match.start()), _body(read, opening), DIALECT, marks=marks))
            place = max(place, min(read.close(opening), len(read.bare)))
    return Sheet(keyed(cases), focus=tuple(focus))


def _past_table(read: Source, opening: int, chain: list[str]) -> tuple[int | None, int]:
    """The bracket of the call itself, behind the table of `.each` or the condition of `.skipIf`; the table's rows."""
    if not chain or chain[-1] not in {"each", "for", "skipIf", "runIf", "if", "todoIf", "failingIf"}:
        return (opening if read.bare[opening] == "(" else None), 0
    rows = 0
    if read.bare[opening] == "`":
        end = read.bare.find("`", opening + 1)
        end = len(read.bare) if end < 0 else end
        rows = read.kept.count("\n", opening, end)
    else:
        end = read.close(opening)
        table = read.bare.find("[", opening, end)
        if table >= 0 and not read.bare[opening + 1 : table].strip():
            rows = sum(1 for _ in read.flat(table + 1, read.close(table), re.compile(","))) + 1
    follower = re.compile(r"\s*(?=\()").match(read.bare, end + 1)
    return (follower.end() if follower else None), rows


def _marks(word: str, chain: list[str], read: Source, opening: int) -> tuple[int, int]:
    conditional = sum(1 for part in chain if part in {"skipIf", "runIf", "todoIf", "failingIf"})
    always = sum(1 for part in chain if part in _SKIPPING) + word.startswith("x")
    always += bool(_option(read, opening, "skip") or _option(read, opening, "todo"))
    return always + conditional, always


def _option(read: Source, opening: int, name: str) -> bool:
    """Whether the second argument is an options object with this name on."""
    close = read.close(opening)
    head = read.bare[opening : min(close, opening + 400)].partition("=>")[0].partition("function")[0]
    return bool(re.search(rf"[{{,]\s*{name}\s*:\s*(?:true|'|\")", head))


def _title(read: Source, opening: int) -> str:
    for start, end in read.arguments(opening):
        return squeezed(read.kept[start : min(end, start + 300)]).strip("'\"`")
    return ""


def _body(read: Source, opening: int) -> tuple[int, int]:
    """The inside of the function's braces, or the expression of an arrow, or all of the call."""
    close = min(read.close(opening), len(read.bare))
    for match in read.flat(opening + 1, close, _FUNCTION):
        if match[0].startswith("="):
            brace = match.end()
            if brace < close and read.bare[brace] == "{":
                return brace + 1, min(read.close(brace), close)
            return match.end(), close
        parameters = read.bare.find("(", match.end(), close)
        brace = read.bare.find("{", min(read.close(parameters), close), close) if parameters >= 0 else -1
        if brace >= 0:
            return brace + 1, min(read.close(brace), close)
    return close, close
