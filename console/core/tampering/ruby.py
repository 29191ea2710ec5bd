"""Tests of Ruby: RSpec, minitest and test-unit, in blocks by indentation as formatters write them."""

from __future__ import annotations

import re

from console.core.tampering.bodies import lines as stripped
from console.core.tampering.bodies import shape, squeezed
from console.core.tampering.indented import Block, blocks
from console.core.tampering.scan import source
from console.core.tampering.sheet import EXACT, EXISTENCE, PARTIAL, VACUOUS, Case, Check, Sheet, keyed

_OPENER = re.compile(
    r"[ \t]*(?:RSpec\.)?(?P<word>[xf]?(?:it|specify|example|scenario|test|should|describe|context"
    r"|feature)|pending|skip|its)\b(?!\s*[=.:])"
    r"(?P<rest>[ \t(].*)?$|[ \t]*def\s+(?P<method>test_?\w+[?!]?)|[ \t]*(?:class|module)\s+(?P<class>[\w:]+)"
)
_GROUP = frozenset({"describe", "context", "feature"})
_CHECK = re.compile(
    r"^\s*(?:assert|refute|expect|should|is_expected|must|flunk|check|verify|ensure_|wont_)\w*[!?]?\b"
    r"|\.(?:should|must_\w+|wont_\w+|to|not_to|to_not)\b(?!_)",
    re.MULTILINE,
)
_SKIP = re.compile(r"^\s*(?:skip|pending|omit)\b(?!\s*=)(?P<condition>.*\b(?:if|unless)\b)?", re.MULTILINE)
_META = re.compile(
    r",\s*:?(?:skip|pending|xit)\b(?:\s*(?:=>|:)\s*(?:true|[\"']))?|,\s*(?:skip|pending):\s*(?!false|nil)"
)
_FOCUS = re.compile(r",\s*:?focus\b(?!:\s*false)")
_END = re.compile(r"^\s*(?:return|next)\b\s*(?:nil|true)?\s*$")
_TITLE = re.compile(r"""["'](?P<title>.*?)["']\s*(?:,|do\b|\{|\)|$)""")
_NOTHING = re.compile(
    r"^assert\s*\(?\s*true\b|expect\(true\)|(?:assert_equal|eq)\s*\(?\s*(\w+),\s*\1\b"
    r"|expect\((\w+)\)\.to eq\(?\s*\2\b|\|\| true|^true\.(?:should|must)"
)
_WEAK = re.compile(
    r"^assert\s*\(?\s*[\w.@\[\]:\"']+\)?$|^(?:refute_nil|assert_not_nil|refute_empty)\b"
    r"|\bnot_to be_nil|\bto be_truthy|\bto_not be_nil|\bto be_present|raise_error\s*$|wont_be_nil"
    r"|assert_raises?\(?\s*(?:Standard)?(?:Error|Exception)\b"
)
_STRONG = re.compile(
    r"^(?:assert_equal|assert_same|assert_raises?|assert_in_delta|assert_empty)\b|\beq\b|\beql\b"
    r"|must_equal|\bmatch_array|contain_exactly|==|raise_error\(?\s*\w|have_received|must_raise"
    r"|should equal|have_attributes|change"
)


def _grade(text: str) -> int:
    if _NOTHING.search(text):
        return VACUOUS
    if _WEAK.search(text):
        return EXISTENCE
    return EXACT if _STRONG.search(text) else PARTIAL


def sheet(text: str) -> Sheet:
    """The examples and test methods of one file, named by the groups around them."""
    read = source(text, "ruby")
    kept, bare = read.kept.split("\n"), read.bare.split("\n")
    cases: list[Case] = []
    focus: list[int] = []
    methods: set[str] = set()
    groups: list[tuple[int, str, int]] = []
    inside = -1
    for block in blocks(kept, _OPENER):
        if block.first < inside:
            continue
        while groups and groups[-1][0] <= block.first:
            groups.pop()
        outer = groups[-1] if groups else (0, "", 0)
        word, rest = block.match["word"] or "", block.match["rest"] or ""
        skips = len(_META.findall(rest)) + (word.startswith("x") or word in {"pending", "skip"}) + outer[2]
        if (word.startswith("f") and word != "feature") or (word and _FOCUS.search(rest)):
            focus.append(block.first + 1)
        title = block.match["method"] or block.match["class"] or _title(rest)
        name = f"{outer[1]} > {title}" if outer[1] else title
        if word.lstrip("xf") in {*_GROUP, "eature"} or block.match["class"]:
            if len(groups) < 12:
                groups.append((block.end, name, skips))
        elif block.match["method"] or _opens(rest, word):
            if block.match["method"] and name in methods:
                cases = [case for case in cases if case.name != name]
            methods |= {name} if block.match["method"] else set()
            cases.append(_case(kept, bare, block, name, skips))
            inside = block.end
    return Sheet(keyed(cases), focus=tuple(focus))


def _opens(rest: str, word: str) -> bool:
    """Whether this line is an example and not a call of that name: it has a block or is a title without one."""
    block = re.search(r"\bdo\b(?:\s*\|[^|]*\|)?\s*$|\{|\bdo\b", rest) is not None
    return block or (word not in {"skip", "pending"} and re.match(r"\s*\(?['\"]", rest) is not None)


def _title(rest: str) -> str:
    found = _TITLE.search(rest)
    return squeezed(found["title"] if found else re.sub(r"\bdo\b.*", "", rest))[:300]


def _case(kept: list[str], bare: list[str], block: Block, name: str, outer: int) -> Case:
    one_line = kept[block.first].partition("{")[2].rpartition("}")[0] if block.end == block.first + 1 else ""
    inner = [one_line] if one_line else kept[block.first + 1 : block.end]
    code = [one_line] if one_line else bare[block.first + 1 : block.end]
    checks, swallowed = _checks(inner, code, block.first + (1 if one_line else 2))
    skips = list(_SKIP.finditer("\n".join(code)))
    always = sum(1 for skip in skips if not skip["condition"])
    no_body = block.match["word"] is not None and not re.search(r"\bdo\b|\{", kept[block.first])
    returns, escapes = _ends(code)
    body = stripped("\n".join(inner))
    empty = all(line.strip() in {"", "end", "nil", "true", "return"} for line in code)
    return Case(
        name,
        block.first + 1,
        body,
        checks,
        outer + len(skips) + no_body,
        outer + always + no_body,
        returns,
        escapes,
        swallowed,
        0,
        empty,
    )


def _checks(inner: list[str], code: list[str], line: int) -> tuple[tuple[Check, ...], int]:
    found: list[Check] = []
    swallowed = 0
    dead_until = caught_until = -1
    for number, bare in enumerate(code):
        indent = len(bare) - len(bare.lstrip())
        if re.match(r"\s*(?:if|while)\s+(?:false|nil)\b|\s*unless\s+true\b", bare):
            dead_until = _block_end(code, number, indent)
        if re.match(r"\s*begin\b", bare) and number > caught_until:
            caught_until = _rescued(code, number, indent)
        if _CHECK.search(bare):
            text = squeezed(inner[number])
            dead = number < dead_until or re.search(r"\bif false\b|\bfalse &&", bare) is not None
            strength = VACUOUS if dead else _grade(text)
            subject = re.search(r"\(([^()]+)\)|^\w+\s+([^,]+)", text)
            found.append(
                Check(text, shape(text), (subject[1] or subject[2] or "") if subject else "", strength, line + number)
            )
            swallowed += number < caught_until or re.search(r"\brescue\s+(?:nil|true|false)\b", bare) is not None
    return tuple(found), swallowed


def _block_end(code: list[str], start: int, indent: int) -> int:
    for number in range(start + 1, min(len(code), start + 400)):
        if code[number].strip() and len(code[number]) - len(code[number].lstrip()) <= indent:
            return number
    return min(len(code), start + 400)


def _rescued(code: list[str], start: int, indent: int) -> int:
    """The line of the `rescue` that belongs to a `begin`, when its handler neither raises nor checks; else -1."""
    rescue = _block_end(code, start, indent)
    if rescue >= len(code) or not code[rescue].lstrip().startswith("rescue"):
        return -1
    handler = "\n".join(code[rescue + 1 : _block_end(code, rescue, indent)])
    return -1 if re.search(r"\b(?:raise|flunk|fail|assert\w*|expect|refute\w*)\b", handler) else rescue


def _ends(code: list[str]) -> tuple[int, int]:
    indents = [len(line) - len(line.lstrip()) for line in code if line.strip()]
    outer = indents[0] if indents else 0
    returns = escapes = 0
    for number, line in enumerate(code):
        if _END.match(line):
            more = any(text.strip() not in {"", "end"} for text in code[number + 1 : number + 50])
            top = len(line) - len(line.lstrip()) == outer
            returns += more and top
            escapes += not top
        elif re.match(r"\s*return\s+(?:if|unless)\b", line):
            escapes += 1
    return returns, escapes
