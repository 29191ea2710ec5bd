"""Text of others inside a prompt: between fences that it cannot end, whatever it holds. Pure."""

from __future__ import annotations

import re

LONGEST = 100
"""Fence marks in a row that quoted text keeps; a fence is longer than any such run in it."""
_RUN = re.compile(f"`{{{LONGEST + 1},}}")


def fenced(text: str) -> str:
    """The text between two fences of backticks. NUL, which no argument of a program can hold, and the end of very long
    runs of backticks are replaced."""
    plain = _RUN.sub(_shorter, text.replace("\0", "\N{REPLACEMENT CHARACTER}")).strip("\n")
    longest = max((len(run) for run in re.findall(r"`+", plain)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{plain}\n{fence}"


def quoted(text: str, most: int, what: str) -> str:
    """Fenced, and cut where it is longer than `most` bytes of UTF-8, which is said outside of the fence."""
    raw = text.encode("utf-8", "replace")
    if len(raw) <= most:
        return fenced(raw.decode())
    return f"{fenced(raw[:most].decode('utf-8', 'ignore'))}\n(Cut here: {what} is left out.)"


def tail(text: str, most: int) -> str:
    """The last `most` bytes of UTF-8 of a text."""
    return text.encode("utf-8", "replace")[-most:].decode("utf-8", "ignore")


def _shorter(run: re.Match[str]) -> str:
    return "`" * LONGEST + f"[{len(run[0]) - LONGEST} more]"
