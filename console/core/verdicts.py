"""What a reviewer's last words mean: SHIP, BLOCK, or nothing that can be read. Pure.

Fails closed: whatever is missing, quoted, fenced, dressed up or contradicted is no verdict, and never ships.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from console.core.records import Record
from console.core.records_chains import Verdict

SHIP, BLOCK = "VERDICT: SHIP", "VERDICT: BLOCK"
EXACT: dict[str, Verdict] = {SHIP: "SHIP", BLOCK: "BLOCK"}
FINDINGS = 6000
"""Characters of a reviewer's words that are kept, from their end."""
BLANKS = " \t\r"
MARKS = " \t\r>-*+#_~`\"'“”‘’«»|()[]{}<=:.,;!•–—"
"""What people and agents put around a line: list, quote, emphasis and code marks."""
SAID = re.compile(r"(?:\w+ ){0,2}verdict\s*(?:is)?[\s:=*_`-]*(ship|block)\b")
NUMBERED = re.compile(r"\d{1,3}[.)]")
FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)", re.DOTALL)
LOOKED_AT = 400
"""Characters of a line that are looked at for a verdict."""
ALIKE = str.maketrans("ВЕІСТЅНРОКаеісѕорԁ" + "ΒΕΙΤΡΟΚΗ", "BEICTSHPOKaeicsopd" + "BEITPOKH")
"""Cyrillic and Greek letters that look like those of a verdict."""


class Reading(Record, frozen=True, kw_only=True):
    """verdict: "" when none can be read. why: one sentence for people. findings: the words before the verdict (all of
    them without one), cut to their last `FINDINGS` characters; hostile text."""

    verdict: Verdict
    why: str
    findings: str = ""


def verdict(text: str) -> Reading:
    """text: the whole final message of a reviewer. Its last line that is not blank must be exactly one of `EXACT`."""
    lines = text.split("\n")
    last = next((n for n in range(len(lines) - 1, -1, -1) if lines[n].strip(BLANKS)), -1)
    if last < 0:
        return Reading(verdict="", why="it said nothing")
    found: Verdict = EXACT.get(lines[last].rstrip(BLANKS), "")
    if not found:
        return _none(f"its last line is no verdict: {_shown(lines[last])}", text)
    if why := _doubt(lines[:last], found):
        return _none(why, text)
    findings = "\n".join(lines[:last]).strip()[-FINDINGS:]
    return Reading(verdict=found, why=f"its last line is {lines[last].rstrip(BLANKS)}", findings=findings)


def _none(why: str, text: str) -> Reading:
    return Reading(verdict="", why=why, findings=text.strip()[-FINDINGS:])


def _doubt(before: list[str], found: Verdict) -> str:
    """Why the verdict of the last line does not count, "" when it does."""
    if _open_fence(before) or _open_fence([line.lstrip(MARKS.replace("`", "").replace("~", "")) for line in before]):
        return "its verdict stands in a code block that is not closed"
    if _open_comment(before):
        return "its verdict stands in a comment that is not closed"
    fenced = _fenced(before)
    for number, line in enumerate(before):
        for said in _said(line):
            if said != found:
                return f"it says {said} in one line and {found} in its last"
            if number in fenced or line.rstrip(BLANKS) not in EXACT:
                return f"it says {found} more than once, not always as a plain line"
    return ""


def _said(line: str) -> Iterator[Verdict]:
    """The verdicts that a line gives, however it is dressed. What other readers take for line breaks counts as one."""
    for part in line.splitlines():
        plain = unicodedata.normalize("NFKC", part[:LOOKED_AT]).translate(ALIKE)
        plain = "".join(c for c in plain if unicodedata.category(c) != "Cf").lstrip(MARKS)
        plain = NUMBERED.sub("", plain, count=1).lstrip(MARKS) if NUMBERED.match(plain) else plain
        if said := SAID.match(" ".join(plain.casefold().split())):
            yield "SHIP" if said[1] == "ship" else "BLOCK"


def _open_fence(lines: list[str]) -> bool:
    return len(lines) in _fenced(lines)


def _fenced(lines: list[str]) -> set[int]:
    """Numbers of the lines inside code fences (CommonMark 4.5); one more than there are when the last stays open."""
    inside: set[int] = set()
    fence = ""
    for number, line in enumerate(lines):
        mark = FENCE.fullmatch(line.rstrip(BLANKS))
        if fence:
            inside.add(number)
            if mark and mark[1].startswith(fence) and not mark[2].strip(BLANKS):
                fence = ""
        elif mark and not (mark[1][0] == "`" and "`" in mark[2]):
            fence = mark[1]
    return inside | {len(lines)} if fence else inside


def _open_comment(lines: list[str]) -> bool:
    text = "\n".join(lines)
    return text.rfind("<!--") > text.rfind("-->")


def _shown(line: str) -> str:
    """A line of an agent's in a sentence of ours."""
    words = "".join(c if c.isprintable() else " " for c in line[:LOOKED_AT])
    words = " ".join(words.split())
    return f"“{words[:80]}…”" if len(words) > 80 else f"“{words}”"
