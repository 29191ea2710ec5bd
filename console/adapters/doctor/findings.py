"""What a check of the doctor says, and how it writes commands and times. Looks at nothing itself."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

Level = Literal["fault", "warning", "advice"]
"""fault: something is wrong now. warning: it will be, or something is left over. advice: it could be better; nothing is
wrong, and the exit code does not count it."""

LISTED = 20
"""Findings of one kind that are named one by one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """what: what, where, since when, and why it matters. cure: the command that helps, safe to paste, "" when there is
    none. mend: what `--fix` does, which loses nothing and signals nothing; it returns what was done, or raises OSError
    or GitFailed. fixed: what was done."""

    check: str
    level: Level
    what: str
    cure: str = ""
    mend: Callable[[], str] | None = None
    fixed: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """One check. well: its line when nothing was found. skipped: there was nothing to look at."""

    name: str
    well: str
    findings: tuple[Finding, ...] = ()
    skipped: bool = False


def quoted(text: str) -> str:
    """A word of a shell's command line, in ASCII and some Latin letters: nothing in it can be shown otherwise than it
    is pasted. The bytes of anything else are written out (`$'...'` of bash, zsh and ksh)."""
    if all(_plain(char) for char in text):
        return shlex.quote(text)
    return "$'" + "".join(_escaped(char) for char in text) + "'"


def _plain(char: str) -> bool:
    return " " <= char <= "~" or "\u00c0" <= char <= "\u024f"


def _escaped(char: str) -> str:
    if _plain(char):
        return f"\\{char}" if char in "\\'" else char
    return "".join(f"\\x{byte:02x}" for byte in char.encode("utf-8", "surrogateescape"))


def words(*argv: str) -> str:
    """A command line to paste."""
    return " ".join(quoted(word) for word in argv)


def ago(seconds: float) -> str:
    """An age for people. One below zero comes of a clock that was set, and says nothing."""
    if seconds < -60:
        return "an unknown time"
    seconds = max(seconds, 0.0)
    for unit, size in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds // size:.0f} {unit}"
    return f"{seconds:.0f} s"


def size(count: float) -> str:
    """Bytes for people."""
    for unit in ("B", "KB", "MB"):
        if count < 1000:
            return f"{count:.0f} {unit}"
        count /= 1000
    return f"{count:.1f} GB"


def some(names: Iterable[str], most: int = 5) -> str:
    """At most so many names, and how many more there are."""
    every = list(names)
    more = len(every) - most
    return ", ".join(every[:most]) + (f" and {more} more" if more > 0 else "")
