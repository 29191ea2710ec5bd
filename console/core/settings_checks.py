"""What one value of the settings must look like: small rules that return "" or what is wrong with it.

Pure, one value at a time; which key takes which rule is the table's business (`settings.py`).
"""

from __future__ import annotations

import difflib
import math
import re
import shlex
from collections.abc import Callable, Iterable, Mapping
from pathlib import PurePosixPath
from typing import Any, get_args

from console.core.records import Category, Decision, Record

Path = tuple[str | int, ...]
MOST = 1_000_000
LONGEST = 3_600_000.0
"""Seconds."""


class Problem(Record, frozen=True, kw_only=True):
    """One thing wrong: where (file, line from 1, dotted key) and what to do about it."""

    line: int
    key: str
    message: str


DURATION = re.compile(r"^(\d+(?:\.\d+)?)(ms|s|m|h)$")
UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
SHELL_SIGNS = re.compile(r"(?:^|\s)(\|\|?|&&?|;|[<>]{1,2}|\d>&\d)(?:\s|$)|[|;&<>`]|\$\(")


def seconds(value: Any) -> float | None:
    """`30s`, `5m`, `1h`, `250ms` -> seconds; None when it is not a duration with a unit."""
    found = DURATION.match(value) if isinstance(value, str) else None
    return float(found[1]) * UNITS[found[2]] if found else None


def split_command(value: Any) -> tuple[str, ...] | str:
    """A gate as argv: a list as it is, a string split like a shell would. A str is the reason why not."""
    if isinstance(value, list):
        if value and all(isinstance(part, str) and part for part in value):
            return tuple(value)
        return "must be a non-empty list of texts"
    if not isinstance(value, str) or not value.strip():
        return "must be a command, as a text or a list"
    quoted = re.sub(r"'[^']*'|\"(?:[^\"\\]|\\.)*\"|\\.", "q", value)
    if SHELL_SIGNS.search(quoted):
        return f'needs a shell; write it out: ["bash", "-o", "pipefail", "-c", {value!r}] and allow bash'
    try:
        return tuple(shlex.split(value))
    except ValueError as error:
        return f"cannot be split like a shell would: {error}"


class Reader:
    """Walks the data once and collects problems; the result is only used when there are none."""

    def __init__(self, line_of: Callable[[Path], int]) -> None:
        self.line_of = line_of
        self.problems: list[Problem] = []

    def wrong(self, path: Path, message: str) -> None:
        dotted = ".".join(str(part) for part in path) or "(file)"
        self.problems.append(Problem(line=self.line_of(path), key=dotted, message=message))

    def mapping(self, value: Any, path: Path, known: Mapping[str, Any] | None) -> dict[str, Any]:
        if value is None:
            return {}
        if not isinstance(value, dict):
            self.wrong(path, "must be a mapping of keys to values")
            return {}
        for key in value:
            if not isinstance(key, str):
                self.wrong((*path, str(key)), "keys must be texts")
            elif known is not None and key not in known:
                self.wrong((*path, key), f"unknown key{meant(key, known)}; known here: {', '.join(sorted(known))}")
        return {k: v for k, v in value.items() if isinstance(k, str)}

    def legible(self, value: Any, path: Path) -> None:
        """Text that can neither be written to the log nor be an argument of a program is wrong wherever it stands."""
        if isinstance(value, str):
            if "\0" in value or not _encodes(value):
                self.wrong(path, "holds a character that no text can have (NUL or half a surrogate pair)")
        elif isinstance(value, dict):
            for key, inner in value.items():
                self.legible(key, (*path, _shown(key)))
                self.legible(inner, (*path, _shown(key)))
        elif isinstance(value, list):
            for index, inner in enumerate(value):
                self.legible(inner, (*path, index))

    def check(self, table: Mapping[str, Any], data: dict[str, Any], path: Path) -> None:
        for key, value in data.items():
            rule = table.get(key)
            if isinstance(rule, dict):
                self.check(rule, self.mapping(value, (*path, key), rule), (*path, key))
            elif rule is not None and (message := rule(value)):
                self.wrong((*path, key), message)


def meant(key: str, known: Iterable[str]) -> str:
    """The key that is spelled most like this one, as something to say behind it; "" for none."""
    found = difflib.get_close_matches(key.lower(), sorted(known), n=1, cutoff=0.6)
    return f" (did you mean {found[0]}?)" if found else ""


def _encodes(value: str) -> bool:
    return not any("\ud800" <= char <= "\udfff" for char in value)


def _shown(key: Any) -> str:
    return str(key).encode("utf-8", "backslashreplace").decode()


def text(value: Any) -> str:
    return "" if isinstance(value, str) else "must be a text"


def text_or_none(value: Any) -> str:
    return "" if value is None or isinstance(value, str) else "must be a text or null"


def flag(value: Any) -> str:
    return "" if isinstance(value, bool) else "must be true or false"


def count(value: Any) -> str:
    good = isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= MOST
    return "" if good else f"must be a whole number from 1 to {MOST}"


def money(value: Any) -> str:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    # An infinite cap would be written to the log as null, which is no cap.
    good = value is None or (number and 0 < value <= MOST and math.isfinite(value))
    return "" if good else f"must be a number above 0 and up to {MOST}, or null"


def share(value: Any) -> str:
    good = isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value <= 1
    return "" if good else "must be a number above 0 and up to 1"


def duration(value: Any) -> str:
    given = seconds(value)
    if not given:
        return 'must be a duration with its unit, such as "30s", "5m" or "1h"'
    return "" if given <= LONGEST else "must be at most 1000 hours"


def texts(value: Any) -> str:
    good = isinstance(value, list) and all(isinstance(part, str) and part for part in value)
    return "" if good else "must be a list of texts"


def marks(value: Any) -> str:
    """Of lines of output: patterns, and mappings of dotted keys to plain values."""
    if not isinstance(value, list):
        return "must be a list of patterns or mappings"
    return next((message for one in value if (message := _mark(one))), "")


def _mark(value: Any) -> str:
    if isinstance(value, dict) and value:
        plain = all(isinstance(k, str) and isinstance(v, str | int | float | bool | None) for k, v in value.items())
        return "" if plain else "a mapping must have texts as keys and plain values"
    if not isinstance(value, str) or not value:
        return "must hold patterns (texts) and mappings only"
    try:
        re.compile(value)
    except re.error as error:
        return f"{value!r} is no regular expression: {error}"
    return ""


def bare_names(value: Any) -> str:
    if message := texts(value):
        return message
    bad = [name for name in value if "/" in name or name.split() != [name]]
    return f"must be bare command names, without folders or arguments: {', '.join(bad)}" if bad else ""


def relative(value: Any) -> str:
    """A place inside the repository, by its spelling."""
    if not isinstance(value, str) or not value.strip():
        return "must be a folder of the repository, as a text"
    return f"must be relative and without `..`: {value}" if _leaves(value) else ""


def patterns(value: Any) -> str:
    if message := texts(value):
        return message
    bad = [name for name in value if _leaves(name)]
    return f"must be relative and without `..`: {', '.join(bad)}" if bad else ""


def _leaves(name: str) -> bool:
    return name.startswith(("/", "~", "!/")) or ".." in PurePosixPath(name).parts


def command(value: Any) -> str:
    result = split_command(value)
    return result if isinstance(result, str) else ""


def one_of(*words: str) -> Callable[[Any], str]:
    return lambda value: "" if value in words else f"must be one of {', '.join(words)}"


def tier(value: Any) -> str:
    # YAML reads a bare `off` as false.
    return "" if value is False or value in ("auto", "off", "require") else "must be one of auto, off, require"


def commands(value: Any) -> str:
    return "" if isinstance(value, list) and not any(command(v) for v in value) else "must be a list of commands"


def anything(value: Any) -> str:
    return "" if isinstance(value, (list, dict, type(None))) else "must be a list"


def decision(value: Any) -> str:
    return one_of(*get_args(Decision))(value)


CATEGORIES = tuple(filter(None, get_args(Category)))
