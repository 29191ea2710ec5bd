"""What a reviewer's last words mean: SHIP, BLOCK, or nothing that can be read. Pure.

Fails closed: whatever is missing, quoted, fenced, dressed up, said twice in two ways or contradicted is no verdict, and
never ships. Time grows with the length of the text alone.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable

from console.core.records import Record
from console.core.records_chains import Verdict

SHIP, BLOCK = "VERDICT: SHIP", "VERDICT: BLOCK"
EXACT: dict[str, Verdict] = {SHIP: "SHIP", BLOCK: "BLOCK"}
FINDINGS = 6000
"""Characters of a reviewer's words that are kept, from their end."""
WORD = "verdict"
BLANKS = " \t\r"
EMPHASIS = str.maketrans("", "", "*`~\\")
"""Marks that may stand inside a word and are not seen."""
BARE = {
    "SHIP": frozenset(
        {"block", "blocked", "not ship", "no ship", "do not ship", "don't ship", "don’t ship", "reject", "rejected"}
    ),
    "BLOCK": frozenset({"ship", "ship it"}),
}
"""Lines and cells of a table that say the contrary without the word."""
CONTAINER = re.compile(r"[ \t>]*+(?:(?:[-*+•]|\(?(?:\d{1,9}|\w{1,4})[.)]|\[[ xX]?\])[ \t>]++)*+")
"""Never gives back what it has taken, so that blanks cost their length once."""
RUN = re.compile(r"`{3,}|~{3,}")
SPAN = re.compile(r"`[^`\n]*`")
QUOTING = "pre|code|blockquote|q|samp|xmp|listing|textarea|template|script|style|details|quote|example|cite"
OPENED, CLOSED = re.compile(rf"<({QUOTING})(?![\w-])"), re.compile(rf"</({QUOTING})(?![\w-])")
PAIRS = (("<!--", "-->"), ("<![cdata[", "]]>"), ("[quote", "[/quote"), ("[code]", "[/code]"), ("\\begin{", "\\end{"))
QUOTES = "\"'“”„‘’‚«»‹›"
SHOWN = 400
"""Characters of a line that a sentence of ours is made from."""
LOOKALIKES = dict(zip("ВЕІСТЅНРОКаеіісѕорԁ" + "ΒΕΙΤΡΟΚΗνι", "BEICTSHPOKaeiicsopd" + "BEITPOKHvi", strict=True))
"""Cyrillic and Greek letters that look like those of a verdict."""


class Reading(Record, frozen=True, kw_only=True):
    """verdict: "" when none can be read. why: one sentence for people. findings: the words before the verdict (all of
    them without one), cut to their last `FINDINGS` characters; hostile text."""

    verdict: Verdict
    why: str
    findings: str = ""


def verdict(text: str) -> Reading:
    """text: the whole final message of a reviewer. Its last line that is not blank must be exactly one of `EXACT`. SHIP
    counts only when no other line has the word in it, but for the very same plain line; BLOCK also beside lines that
    do not speak of shipping."""
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
    fenced = _fenced(before)
    outside = [line for number, line in enumerate(before) if number not in fenced]
    if len(before) in fenced or _open_in_words(outside):
        return "its verdict stands in a code block that is not closed"
    if what := _open_quotation(outside):
        return f"its verdict stands in {what} that is not closed"
    plain = _plain("\n".join(before)).split("\n")
    for number, line in enumerate(plain[: len(before)]):
        same = number not in fenced and before[number].rstrip(BLANKS) == f"VERDICT: {found}"
        if WORD in line and not same and (found == "SHIP" or "ship" in line):
            return f"another line than its last speaks of a verdict: {_shown(before[number])}"
        if BARE[found] & set(_cells(line)):
            return f"it says {found} in its last line and the contrary in another: {_shown(before[number])}"
    return ""


# -- the word, however it is written -----------------------------------------------------------------------


def _plain(text: str) -> str:
    """In lower case, without emphasis, and with the letters that a reader sees."""
    table = {ord(c): _seen(c) for c in set(text) if not c.isascii()}
    return text.translate(table).translate(EMPHASIS).casefold()


def _seen(char: str) -> str:
    """One character by itself: a run of marks that were sorted together would cost the square of its length."""
    if unicodedata.category(char) in ("Cf", "Mn", "Mc", "Me"):
        return ""
    plain = unicodedata.normalize("NFKD", char)
    return "".join(LOOKALIKES.get(c, c) for c in plain if unicodedata.category(c)[0] != "M")


def _cells(line: str) -> Iterable[str]:
    """What stands alone in a line or in the cells of a table, without the marks around it."""
    for part in line.splitlines():
        for cell in part.split("|"):
            if len(cell) < SHOWN:
                yield " ".join(cell.strip(" \t\r\f>-+#_\"'“”‘’«»()[]{}<=:.,;!•–—✕✗✘❌").split())


# -- quotations that are open at the end -------------------------------------------------------------------


def _fenced(lines: list[str]) -> set[int]:
    """Numbers of the lines inside code fences, also of those in lists and quotes (CommonMark 4.5, 5); one more than
    there are when the last stays open. A fence is closed by a line of its own container alone."""
    inside: set[int] = set()
    fence, before = "", ""
    for number, line in enumerate(lines):
        lead, run, rest = _run(line)
        if fence:
            inside.add(number)
            own = lead.count(">") == before.count(">") and not lead.strip(" \t>")
            least = len(before) if before.strip(BLANKS) else 0
            if own and run.startswith(fence) and not rest and least <= len(lead) <= len(before) + 3:
                fence = ""
        elif run and not (run[0] == "`" and "`" in rest):
            fence, before = run, lead
    return inside | {len(lines)} if fence else inside


def _run(line: str) -> tuple[str, str, str]:
    """The marks of lists and quotes that a line begins with, the fence marks behind them, and the rest."""
    lead = CONTAINER.match(line)
    end = lead.end() if lead else 0
    run = RUN.match(line, end)
    return line[:end], run[0] if run else "", line[run.end() if run else end :].strip(BLANKS)


def _open_in_words(lines: list[str]) -> bool:
    """Whether a line that is in no fence has the marks of one behind words, and nothing that ends it."""
    for line in lines:
        mark = RUN.search(line)
        if mark and not _run(line)[1] and not (mark[0][0] == "`" and "`" in line[mark.end() :]):
            return True
    return False


def _open_quotation(lines: list[str]) -> str:
    """What kind of quotation is open at the end, beside fences; "" for none. What is in marks of code opens none."""
    text = SPAN.sub("", "\n".join(lines)).casefold()
    for begin, end in PAIRS:
        if text.rfind(begin) > text.rfind(end) or text.count(begin) > text.count(end):
            return "a comment" if begin == "<!--" else "a quotation"
    opened = {one[1]: one.start() for one in OPENED.finditer(text)}
    ended = {one[1]: one.start() for one in CLOSED.finditer(text)}
    more = Counter(OPENED.findall(text)) - Counter(CLOSED.findall(text))
    if more or any(at > ended.get(name, -1) for name, at in opened.items()):
        return "a quotation"
    alone = [bare for line in lines if (bare := line.strip(BLANKS + ">")) and not bare.strip(QUOTES)]
    tripled = any(text.count(mark * 3) % 2 for mark in "\"'")
    return "a quotation" if tripled or len(alone) % 2 else ""


def _shown(line: str) -> str:
    """A line of an agent's in a sentence of ours."""
    words = "".join(c if c.isprintable() else " " for c in line[:SHOWN])
    words = " ".join(words.split())
    return f"“{words[:80]}…”" if len(words) > 80 else f"“{words}”"
