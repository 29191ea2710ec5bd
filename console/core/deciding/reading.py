"""A ticket's text as sentences with line numbers: code blocks, stack traces, quotes and addresses are left out.

It knows Markdown and no meaning.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

MOST = 12_000
"""Characters of prose that are read; what follows is only counted."""

_MOST_SENTENCES = 250
_LONGEST_LINE = 2_000
_ADDRESS = re.compile(r"\b[a-z]{3,8}://\S+|\bwww\.\S+", re.I)
_INVISIBLE = dict.fromkeys([0xAD, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2065), 0xFEFF], None)
_TRACE = re.compile(
    r"^\s*(?:at\s+[\w.$<>]+\(|File \"|Traceback \(|Caused by:|\.\.\. \d+ more|\$ |>>> |[\w.]+(?:Error|Exception):)"
)
_SPACES = re.compile(r"[ \t]{2,}")
_FENCE = re.compile(r"^\s{0,12}(?:```|~~~)")
_END = re.compile(r"(?<=[.!?;])\s+|(?<=[。！？；])|[\r\n]+|\s+(?:--|–|—|->|=>)\s+")


@dataclass(frozen=True, slots=True)
class Sentence:
    """line: where the body is numbered from `first_line`; 0 for the title. text: folded to lower case."""

    line: int
    text: str
    shown: str


@dataclass(frozen=True, slots=True)
class Reading:
    sentences: tuple[Sentence, ...]
    prose: int
    has_trace: bool
    has_code: bool
    items: int

    @property
    def weight(self) -> int:
        """Letters of prose; one of the East Asian scripts says as much as three others."""
        return sum(3 if "\u3040" <= c <= "\ud7af" else 1 for s in self.sentences for c in s.text if c.isalpha())

    @property
    def title(self) -> tuple[Sentence, ...]:
        return tuple(s for s in self.sentences if not s.line)


def plain(text: str) -> str:
    """NFKC without invisible characters and runs of spaces; typographic quotes as their plain forms."""
    text = _SPACES.sub(" ", unicodedata.normalize("NFKC", text).translate(_INVISIBLE))
    return text.replace("\u2019", "'").replace("\u2018", "'")


def read(title: str, body: str, first_line: int = 1) -> Reading:
    """The sentences of the title, then of the body's prose; the body begins at `first_line`."""
    sentences = list(_sentences(0, plain(title[:_LONGEST_LINE])))
    prose, trace, code, items, fenced = 0, False, False, 0, False
    for number, raw in enumerate(body[: 8 * MOST].splitlines(), first_line):
        if _FENCE.match(raw):
            fenced, code = not fenced, True
            continue
        if _TRACE.match(raw):
            trace = True
            continue
        if fenced:
            trace = trace or "Error" in raw or "Exception" in raw
            continue
        line = raw.strip()
        if not line or line.startswith((">", "<!--")) or prose > MOST or len(sentences) > _MOST_SENTENCES:
            continue
        items += line.startswith(("- ", "* ", "+ ")) or line[:1].isdigit()
        line = plain(_ADDRESS.sub(" ", line[:_LONGEST_LINE]))
        prose += len(line)
        sentences.extend(_sentences(number, line))
    return Reading(tuple(sentences[:_MOST_SENTENCES]), prose, trace, code, items)


def _sentences(line: int, text: str) -> list[Sentence]:
    parts = (part.strip() for part in _END.split(text))
    return [Sentence(line, part.casefold().replace("ß", "ss"), part) for part in parts if part]
