"""Text of others inside a prompt: between fences that it cannot end, whatever it holds. Pure.

What cannot stand in a prompt is replaced before anything is measured or cut, as replacing may make it longer.
"""

from __future__ import annotations

import re

PROMPT_BYTES = 118_000
"""Of a prompt that quotes others' text: below what an agent takes as an argument (Linux: 128 KiB), with room for what
is said around it when it is told again."""
LONGEST = 100
"""Fence marks in a row that quoted text keeps; a fence is longer than any such run in it."""
_RUN = re.compile(f"`{{{LONGEST + 1},}}")


def fenced(text: str) -> str:
    """The text between two fences of backticks. NUL, which no argument of a program can hold, and the end of very long
    runs of backticks are replaced."""
    plain = _raw(text).decode().strip("\n")
    longest = max((len(run) for run in re.findall(r"`+", plain)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{plain}\n{fence}"


def quoted(text: str, most: int, what: str) -> str:
    """Fenced, and cut where it is longer than `most` bytes of UTF-8, which is said outside of the fence."""
    found = fenced(start(text, most))
    return found if fits(text, most) else f"{found}\n(Cut here: {what} is left out.)"


def fits(text: str, most: int) -> bool:
    """Whether a text can be quoted whole in `most` bytes of UTF-8."""
    return len(_raw(text)) <= most


def start(text: str, most: int) -> str:
    """The first bytes of UTF-8 of a text as it can be quoted, at most `most` of them."""
    return _raw(text)[:most].decode("utf-8", "ignore")


def tail(text: str, most: int) -> str:
    """The last bytes, likewise."""
    return _raw(text)[-most:].decode("utf-8", "ignore") if most > 0 else ""


def _raw(text: str) -> bytes:
    """As it can be quoted: also of names of files that hold bytes that are no UTF-8, which are shown as they are."""
    plain = text.replace("\0", "\N{REPLACEMENT CHARACTER}").encode("utf-8", "backslashreplace").decode()
    return _RUN.sub(_shorter, plain).encode()


def _shorter(run: re.Match[str]) -> str:
    return "`" * LONGEST + f"[{len(run[0]) - LONGEST} more]"
