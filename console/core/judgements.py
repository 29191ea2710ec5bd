"""What a judge's words decide: its last `VERDICT: PASS` or `VERDICT: FAIL`, or a decision object at their end. Pure.

Anything else is no pass. The words are an agent's: hostile text, of which nothing but the verdict is believed, and
which costs no more than its length: expressions are possessive, an object is looked for once, from its end.
"""

from __future__ import annotations

import json
import re
from typing import Any

from console.core.records import Record

FINDINGS = 50
"""Findings of a decision object that are kept."""
SUMMARY, FILE, NOTE = 2000, 300, 1000
"""Characters of each part of it."""
NOTHING = "it said nothing at all"
NO_VERDICT = "its words hold no verdict"
UNREADABLE = "its last verdict is not plainly PASS or FAIL"
NOT_LAST = "it gives a decision as JSON that cannot be read, or is not the last thing it says"
CONTRADICTED = "its decision object says something else than its last verdict"

_MARKS = r"[*_`~\"'\u2018\u2019\u201c\u201d]{0,4}+"
_ROOM = r"[^\S\n]*+"
_VERDICT = re.compile(
    rf"(?<![\w-])VERDICT[*_`~]{{0,4}}+{_ROOM}:{_ROOM}{_MARKS}{_ROOM}"
    rf"(?:(PASS|FAIL)(?![\w-])(?!{_ROOM}{_MARKS}{_ROOM}(?:[|/]|or\b)))?",  # the form itself, repeated, is no verdict
    re.IGNORECASE,
)
_DECIDING = re.compile(
    r"[\"'`\u2018\u2019\u201c\u201d]\s*+(?:decision|verdict)\s*+\\?+[\"'`\u2018\u2019\u201c\u201d]\s*+(?::|\Z)"
    r"|[{,]\s*+decision\s*+:",
    re.IGNORECASE,
)
"""The key of a decision, however it is called and quoted: what is nearly JSON, or begins it, was meant to decide."""
_OTHER = re.compile(r"verdict|\bfail|\breject", re.IGNORECASE)
_WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
"""Full-width letters and signs, to the plain ones."""
_ESCAPED = re.compile(r"\\u00([0-7][0-9a-f])", re.IGNORECASE)
_MARKING = re.compile(r"(?<!\\)(\\*+)([\"{}])")
_FENCES = ("```", "~~~")


class Judgement(Record, frozen=True, kw_only=True):
    """passed: it said PASS, and nothing else counts as that. why: in our words. findings: what it found, as text of the
    judge's; of a decision object its words before that, the summary and one finding a line."""

    passed: bool
    why: str
    findings: str = ""


def judgement(text: str) -> Judgement:
    """The words of a judge's last message, as a decision. Source of the rule: DESIGN.md 6, the policy contract. Words
    that hold a decision object decide by it alone: it is the last thing they say, or they are no pass."""
    said = text.strip()
    if not said:
        return Judgement(passed=False, why=NOTHING)
    before, found = _last_object(said)
    if found is not None and "decision" in found and not _decides(before):
        return _of_object(before, found)
    if _decides(said):
        return Judgement(passed=False, why=NOT_LAST, findings=said)
    last = _last_verdict(said)
    if last is None:
        return Judgement(passed=False, why=NO_VERDICT, findings=said)
    if not last:
        return Judgement(passed=False, why=UNREADABLE, findings=said)
    return Judgement(passed=last == "PASS", why=f"its verdict is {last}", findings=said)


def _last_verdict(said: str) -> str | None:
    """PASS, FAIL, "" for one that is not plainly either; None without any."""
    plain = said.translate(_WIDE)
    found = list(_VERDICT.finditer(plain))
    if not found:
        return None
    word = (found[-1][1] or "").upper()
    return "" if word == "PASS" and _doubtful(plain, *found[-1].span()) else word


def _doubtful(plain: str, start: int, end: int) -> bool:
    """Whether a PASS may be one that is quoted or spoken of: its line goes on or holds another verdict, or something
    like a FAIL comes after it, in whatever form."""
    line = plain[plain.rfind("\n", 0, start) + 1 : start]
    over = len(plain) if (found := plain.find("\n", end)) < 0 else found
    goes_on = any(char.isalnum() for char in plain[end:over])
    return goes_on or "verdict" in line.casefold() or bool(_OTHER.search(plain, over))


# -- a decision object -----------------------------------------------------------------------------------


def _decides(said: str) -> bool:
    """Whether an object, or the beginning of one, holds the key of a decision."""
    begin = said.find("{")
    if begin < 0:
        return False
    plain = _ESCAPED.sub(lambda m: chr(int(m[1], 16)), said[begin:])
    return bool(_DECIDING.search(plain.translate(_WIDE)))


def _last_object(said: str) -> tuple[str, dict[str, Any] | None]:
    """The JSON object that the words end with (None: with none), and what stands before it; a code fence around it is
    none of it."""
    closed = said.endswith(_FENCES)
    body = said.rstrip(said[-1]).rstrip() if closed else said
    start = _start(body)
    found = _loaded(body[start:]) if start >= 0 else None
    if found is None:
        return said, None
    before = body[:start].rstrip()
    head, _, line = before.rpartition("\n")
    return (head.rstrip() if closed and line.lstrip().startswith(_FENCES) else before), found


def _start(body: str) -> int:
    """Where an object that ends with the text begins, -1 for nowhere. Read backwards, braces and quotation marks of
    valid JSON can be told from those in its texts: nothing has to be tried. Of what is no JSON it is any position."""
    if not body.endswith("}"):
        return -1
    depth, quoted = 0, False
    for mark in reversed(list(_MARKING.finditer(body))):
        if mark[2] == '"':
            quoted = not quoted or len(mark[1]) % 2 == 1
        elif not quoted:
            depth += 1 if mark[2] == "}" else -1
            if not depth:
                return mark.start(2)
    return -1


def _loaded(text: str) -> dict[str, Any] | None:
    try:
        found = json.loads(text, object_pairs_hook=_once)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A key that is there twice, or in another spelling, says two things: a decision of that kind is none."""
    found = dict(pairs)
    if sum(key.strip().casefold() == "decision" for key, _ in pairs) > 1:
        found["decision"] = None
    return found


def _of_object(before: str, found: dict[str, Any]) -> Judgement:
    decision = found.get("decision")
    word = decision.strip().upper() if isinstance(decision, str) else ""
    findings = "\n".join(line for line in (before, *_lines(found)) if line)
    if word not in ("PASS", "FAIL"):
        return Judgement(passed=False, why="its decision is neither pass nor fail", findings=findings)
    if word == "PASS" and _last_verdict(before) not in (None, "PASS"):
        return Judgement(passed=False, why=CONTRADICTED, findings=findings)
    return Judgement(passed=word == "PASS", why=f"its decision is {word.lower()}", findings=findings)


def _lines(found: dict[str, Any]) -> list[str]:
    summary = found.get("summary")
    lines = [summary.strip()[:SUMMARY]] if isinstance(summary, str) else []
    listed = found.get("findings")
    known = listed if isinstance(listed, list) else []
    lines += [line for one in known[:FINDINGS] if (line := _finding(one))]
    if len(known) > FINDINGS:
        lines.append(f"(and {len(known) - FINDINGS} more)")
    return lines


def _finding(one: Any) -> str:
    """`- high src/a.py: what is wrong`, with whatever of it is there."""
    if isinstance(one, str):
        return f"- {one.strip()[:NOTE]}" if one.strip() else ""
    if not isinstance(one, dict):
        return ""
    about = " ".join(text[:FILE] for key in ("severity", "file") if (text := _word(one.get(key))))
    note = _word(one.get("note"))[:NOTE]
    return f"- {about}{': ' if about and note else ''}{note}" if about or note else ""


def _word(value: Any) -> str:
    return str(value).strip() if isinstance(value, str | int | float) and value else ""
