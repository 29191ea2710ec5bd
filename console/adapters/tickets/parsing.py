"""One ticket's bytes -> what it asks for, or everything that is wrong with it. Reads no file."""

from __future__ import annotations

import codecs
import re
import unicodedata

from console.adapters.tickets import frontmatter
from console.adapters.tickets.fields import read_fields
from console.adapters.tickets.frontmatter import Wrong
from console.adapters.tickets.ids import ticket_id
from console.core.records import Record, TicketSpec

SIZE = 256 * 1024
TITLE = 200
FIRST_LINE = 72
BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
MOST_PROBLEMS = 20
"""A file with more is not a ticket at all."""


class Parsed(Record, frozen=True, kw_only=True):
    """ticket: its id; named: the text says so itself. body: the text without front matter, LF line ends. lines:
    front-matter key -> line in the file. body_line: the body's first line in the file."""

    ticket: str
    spec: TicketSpec
    body: str
    named: bool = False
    lines: dict[str, int] = {}
    body_line: int = 1


def parse(raw: bytes, file: str) -> Parsed | list[str]:
    """raw: the whole file. file: its name, which gives the id when the text gives none. Problems as
    "file:line: what, and the cure", all at once."""
    text = decoded(raw)
    if isinstance(text, list):
        return _problems(file, text)
    parts = frontmatter.split(text)
    keys, wrong = frontmatter.read(parts.front) if parts.front is not None else ({}, [])
    if parts.open:
        wrong = [(1, "front matter begins but never ends; close it with a line `---`")]
        return _problems(file, wrong)
    found, bad = read_fields(keys)
    wrong += bad
    if not parts.body.strip():
        wrong.append((parts.body_line, "says nothing to do; write what is wanted below the front matter"))
    if wrong:
        return _problems(file, wrong)
    named, title = found.pop("id", ""), found.pop("title", "")
    spec = TicketSpec(title=one_line(title) or title_of(parts.body) or stem(file), **found)
    return Parsed(
        ticket=ticket_id(named or stem(file)),
        spec=spec,
        body=parts.body,
        named=bool(named),
        lines={name: line for name, (line, _) in keys.items()},
        body_line=parts.body_line,
    )


def decoded(raw: bytes) -> str | list[Wrong]:
    """The text with LF line ends and no byte order mark, or why it is no text."""
    if len(raw) > SIZE:
        return [(1, "is larger than 256 KiB; that is no ticket: name the material in it instead")]
    if b"\0" in raw:
        return [(_line(raw, raw.index(b"\0")), "holds a zero byte, so it is no UTF-8 text; save it as UTF-8")]
    try:
        text = raw.removeprefix(codecs.BOM_UTF8).decode("utf-8")
    except UnicodeDecodeError as error:
        shown = error.object[error.start]
        offset = len(raw) - len(error.object) + error.start
        return [(_line(raw, offset), f"is not UTF-8 text (byte 0x{shown:02x}); save it as UTF-8")]
    return text.replace("\r\n", "\n").replace("\r", "\n")


def title_of(body: str) -> str:
    """The first heading, else the first line that says something, cut between two words."""
    first, fenced = "", False
    for line in body.split("\n"):
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
            continue
        if not fenced and (heading := re.match(r" {0,3}#[ \t]+(.*?)[ \t]*#*[ \t]*$", line)) and heading[1].strip():
            return one_line(heading[1])
        first = first or one_line(re.sub(r"^[\s>#*+-]+", "", line))
    return _cut(first, FIRST_LINE)


def one_line(text: str) -> str:
    """Without control characters and runs of blanks, at most 200 characters: it heads commits and rows."""
    if not text.isprintable():
        text = "".join(" " if _obeyed(char) else char for char in text)
    return _cut(" ".join(text.split()), TITLE)


def _obeyed(char: str) -> bool:
    """Control characters, line separators and what turns the direction of text; joiners inside emoji are not."""
    return unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") or char in BIDI


def stem(file: str) -> str:
    name = file.rsplit("/", 1)[-1]
    return name[:-3] if name.lower().endswith(".md") else name


def _cut(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    start = text[: limit - 1]
    head, blank, _ = start.rpartition(" ")
    return f"{head if blank and len(head) > limit // 2 else start}\u2026"


def _line(raw: bytes, offset: int) -> int:
    before = raw[:offset].replace(b"\r\n", b"\n")
    return before.count(b"\n") + before.count(b"\r") + 1


def _problems(file: str, wrong: list[Wrong]) -> list[str]:
    told = [problem(file, line, what) for line, what in sorted(wrong)]
    rest = len(told) - MOST_PROBLEMS
    return told if rest <= 0 else [*told[:MOST_PROBLEMS], problem(file, 1, f"and {rest} more like these")]


def problem(file: str, line: int, what: str) -> str:
    """One problem on one line, whatever the file's name and the parser's words hold."""
    return f"{shown(file)}:{line}: {shown(what)}"


def shown(text: str) -> str:
    """Names that somebody else chose, on one line and printable."""
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)
