"""Text in a Markdown file that a terminal may show too: what came from outside stands in code spans, line by line, so
that no markup, link or tag in it is obeyed. Pure; knows nothing of reports."""

from __future__ import annotations

from collections.abc import Iterator

from console.present.text import clean, prefix, width

COLUMNS = 100


def plain(text: str, limit: int = 400) -> str:
    """One cleaned line without backticks, so that no text leaves its code span."""
    return clean(" ".join(text.split()), limit=limit).replace("`", "'")


def span(text: str) -> str:
    """A code span: nothing in it is markup."""
    return f"`{plain(text, 2000)}`" if text.strip() else "(nothing)"


def fact(name: str, text: str, indent: str, *, limit: int = 400) -> Iterator[str]:
    """`name: <text>` over as many lines as it takes, each line of the text in a code span of its own: a line that
    begins like a heading, a list or a fence is none."""
    head = f"{name}: "
    shown = plain(text, limit)
    first = COLUMNS - width(head) - 2
    for number, line in enumerate(broken(shown, first, COLUMNS - width(indent) - 2) or [""]):
        yield (head if not number else indent) + (f"`{line}`" if line else "(nothing)")


def wrapped(text: str, indent: str = "", *, start: str = "") -> Iterator[str]:
    """Our own words, broken at blanks. start: before the first line; indent: before the others."""
    for number, line in enumerate(broken(text, COLUMNS - width(start), COLUMNS - width(indent))):
        yield (indent if number else start) + line


def broken(text: str, first: int, others: int) -> list[str]:
    """`text` in lines of at most `first`, then `others` cells; a word that is too long is broken too."""
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        room = others if lines else first
        if line and width(line) + 1 + width(word) <= room:
            line += f" {word}"
            continue
        if line:
            lines.append(line)
        *full, line = _pieces(word, others if lines else first, others)
        lines += full
    return [*lines, line] if line else lines


def _pieces(word: str, first: int, others: int) -> Iterator[str]:
    """A word in pieces that fit; the last one may be empty."""
    room = first
    while width(word) > room:
        piece = prefix(word, room) or word[:1]
        yield piece
        word, room = word[len(piece) :], others
    yield word
