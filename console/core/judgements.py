"""What a judge's words decide: its last `VERDICT: PASS` or `VERDICT: FAIL`, or a decision object at their end. Pure.

Anything else is no pass. The words are an agent's: hostile text, of which nothing but the verdict is believed.
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
UNREADABLE = "its last verdict is neither PASS nor FAIL"

_MARKS = r"[*_`~\"'\u2018\u2019\u201c\u201d]{0,4}"
_ROOM = r"[^\S\n]*"
_VERDICT = re.compile(
    rf"(?<![\w-])VERDICT[*_`~]{{0,4}}{_ROOM}:{_ROOM}{_MARKS}{_ROOM}"
    rf"(?:(PASS|FAIL)(?![\w-])(?!{_ROOM}{_MARKS}{_ROOM}(?:[|/]|or\b)))?",  # the form itself, repeated, is no verdict
    re.IGNORECASE,
)
_FENCE = re.compile(r"\n?[ \t]*(?:```|~~~)[ \t]*\Z")
_OPENING = re.compile(r"(?:```|~~~)[ \t]*(?:json[c5]?)?[ \t]*\n?\s*\Z", re.IGNORECASE)


class Judgement(Record, frozen=True, kw_only=True):
    """passed: it said PASS, and nothing else counts as that. why: in our words. findings: what it found, as text of the
    judge's; of a decision object its words before that, the summary and one finding a line."""

    passed: bool
    why: str
    findings: str = ""


def judgement(text: str) -> Judgement:
    """The words of a judge's last message, as a decision. Source of the rule: DESIGN.md 6, the policy contract."""
    said = text.strip()
    if not said:
        return Judgement(passed=False, why=NOTHING)
    found = _decision(said)
    if found:
        return _of_object(*found)
    last = next(iter(reversed(list(_VERDICT.finditer(said)))), None)
    if last is None:
        return Judgement(passed=False, why=NO_VERDICT, findings=said)
    word = (last[1] or "").upper()
    if not word:
        return Judgement(passed=False, why=UNREADABLE, findings=said)
    return Judgement(passed=word == "PASS", why=f"its verdict is {word}", findings=said)


# -- a decision object -----------------------------------------------------------------------------------


def _decision(said: str) -> tuple[str, dict[str, Any]] | None:
    """The object with a `decision` that the words end with, and what stands before it; a code fence around it is
    none of it."""
    closed = _FENCE.search(said)
    body = said[: closed.start()].rstrip() if closed else said
    if not body.endswith("}"):
        return None
    starts = [match.start() for match in re.finditer(r"\{", body)][-2 * FINDINGS - 200 :]
    for start in starts:  # the widest one that is whole: an object within another decides nothing
        found = _loaded(body[start:])
        if found is not None:
            before = _OPENING.sub("", body[:start]) if closed else body[:start]
            return (before.strip(), found) if "decision" in found else None
    return None


def _loaded(text: str) -> dict[str, Any] | None:
    try:
        found = json.loads(text, object_pairs_hook=_once)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A key that is there twice says two things: a decision of that kind is none."""
    found = dict(pairs)
    if len(found) < len(pairs) and "decision" in found and [key for key, _ in pairs].count("decision") > 1:
        found["decision"] = None
    return found


def _of_object(before: str, found: dict[str, Any]) -> Judgement:
    decision = found.get("decision")
    word = decision.strip().upper() if isinstance(decision, str) else ""
    findings = "\n".join(line for line in (before, *_lines(found)) if line)
    if word not in ("PASS", "FAIL"):
        return Judgement(passed=False, why="its decision is neither pass nor fail", findings=findings)
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
    about = " ".join(str(one[key]).strip()[:FILE] for key in ("severity", "file") if one.get(key))
    note = str(one.get("note") or "").strip()[:NOTE]
    return f"- {about}{': ' if about and note else ''}{note}" if about or note else ""
