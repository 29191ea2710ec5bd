"""Any text -> a ticket's id, which names a git branch (`nightdesk/<id>`), a worktree's folder and rows on a screen.
Knows no file."""

from __future__ import annotations

import hashlib
import re
import unicodedata

BYTES = 80
"""An id in UTF-8: a file name of 255 bytes has room for it and for what git appends."""
MARKS = 3
"""Combining marks that one letter may carry."""

_UNSEEN = frozenset("\u115f\u1160\u3164\uffa0\u034f\u17b4\u17b5\u180b\u180c\u180d\u180f") | frozenset(
    map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)))
)
"""Letters and marks that show nothing (fillers, variation selectors)."""


def ticket_id(text: str) -> str:
    """The id that `text` (an `id:`, a `depends_on` entry, a file's stem) stands for; an id stands for itself.

    Letters and digits of any script and `-_.` stay; a run of anything else becomes one `-`. What git refuses in a
    branch's name cannot come out (`..`, `@{`, `.lock` at the end, a dot or dash at either end). Never empty.
    """
    composed = unicodedata.normalize("NFC", text)
    safe = _dotted(unicodedata.normalize("NFC", _replaced(composed)))
    while safe.lower().endswith(".md"):
        safe = _ends(safe[:-3])
    if safe.lower().endswith(".lock"):
        safe = f"{safe[:-5]}-lock".lstrip("-")
    if not safe:
        return f"ticket-{_hash(composed)}"
    return shortened(safe, composed)


def shortened(safe: str, whole: str, limit: int = BYTES) -> str:
    """`safe` cut to `limit` bytes between two characters; a cut one ends in a hash of `whole`."""
    if len(safe.encode()) <= limit:
        return safe
    room = limit - 9
    cut = safe.encode()[:room].decode("utf-8", "ignore")
    while unicodedata.category(safe[len(cut)])[0] == "M":  # a letter keeps its marks, or goes with them
        cut = cut[:-1]
    return f"{_ends(cut)}-{_hash(whole)}"


def sameness(ticket: str) -> str:
    """Equal for ids that one file system or another takes for the same name."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", ticket).casefold())


def _replaced(text: str) -> str:
    kept: list[str] = []
    marks = 0
    for char in text:
        if unicodedata.category(char) in ("Mn", "Mc") and char not in _UNSEEN:
            marks += 1
            if kept and kept[-1] != "\0" and marks <= MARKS:
                kept.append(char)
            continue
        marks = 0
        if (char.isalnum() and char not in _UNSEEN) or char in "-_.":
            kept.append(char)
        elif not kept or kept[-1] != "\0":
            kept.append("\0")
    return "".join(kept).replace("\0", "-")


def _dotted(text: str) -> str:
    return _ends(re.sub(r"\.{2,}", ".", text))


def _ends(text: str) -> str:
    return text.strip("-.")


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]
