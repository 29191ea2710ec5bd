"""Which words a program's help holds: whole ones, however its lines are broken and coloured. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable

_COLOURS = re.compile(r"\x1b\[[0-9;:?]*[A-Za-z]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|.\x08")
_NEGATABLE = re.compile(r"--\[no-\]([\w-]+)")
_BREAK = r"(?:[-\u2010\u00ad]?[ \t\u2502|]*\n[ \t\u2502|]*)?"
"""A line may end inside of a word: wrapped hard at the width, behind a hyphen that the wrapping set or that was there,
at the frame of a box or not."""

_SPACE = r"[\s\u2502|]+"


def plain(text: str) -> str:
    """Without colours, links, overstrikes and carriage returns."""
    return _COLOURS.sub("", text.replace("\r", ""))


def missing(words: Iterable[str], text: str) -> tuple[str, ...]:
    """The words that the help does not hold, in their order. `--mode` is not in `--mode-x` or `--no-mode`."""
    whole = _NEGATABLE.sub(r"--\1 --no-\1", plain(text))
    return tuple(word for word in dict.fromkeys(words) if not _has(word, whole))


def _has(word: str, text: str) -> bool:
    parts = (_BREAK.join(map(re.escape, part)) for part in word.split())
    spelled = _SPACE.join(parts)
    return re.search(rf"(?<![\w-])(?<!\w\.){spelled}(?![\w-]|\.\w)", text) is not None
