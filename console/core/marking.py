"""Marks: what one line of an agent's output is looked at for, and which patterns are safe to look for. Pure.

The lines are the agent's, and hostile: no pattern of a preset may keep the supervisor busy with one of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from console.core import settings_checks as rule
from console.core.records import Mark

LOOKED_AT = 400
"""Characters of a line, or of a text in it, in which a pattern is searched."""
REPEATS, OPTIONAL = 2, 8
"""Of one pattern: with more, a line of that length can take seconds."""
PATTERN = "~"
"""Begins a value that is a pattern, in a mapping."""

_REPEAT = re.compile(r"[*+]|\{\d*,?\d*\}")
_GROUP = re.compile(r"\((?:\?(?:[:=!>]|<[=!]|P<\w+>|[a-zA-Z-]+:?))?([^()]*)\)([*+?]|\{\d*,?\d*\})?")


def fits(mark: Mark, line: str, event: Mapping[str, Any] | None) -> bool:
    """Whether a line of output is what the mark means. event: the line as a JSON object, None when it is none. A
    pattern is never looked for in a JSON line as a whole, which may carry a model's words."""
    if isinstance(mark, str):
        return event is None and _found(mark, line)
    return event is not None and all(_has(event, key, value) for key, value in mark.items())


def _found(pattern: str, text: str) -> bool:
    return re.search(pattern, text[:LOOKED_AT]) is not None


def _has(event: Mapping[str, Any], dotted: str, wanted: object) -> bool:
    here: Any = event
    for key in dotted.split("."):
        if isinstance(here, list) and key.isdecimal() and len(key) < 4 and int(key) < len(here):
            here = here[int(key)]
        elif isinstance(here, Mapping) and key in here:
            here = here[key]
        else:
            return False
    if isinstance(wanted, str) and wanted.startswith(PATTERN):
        return isinstance(here, str) and _found(wanted[1:], here)
    return here is not None if wanted == "*" else type(here) is type(wanted) and here == wanted


# -- what settings may say -------------------------------------------------------------------------------


def marks(value: Any) -> str:
    """What is wrong with a list of marks, "" for nothing."""
    if message := rule.marks(value):
        return message
    patterns = [one for mark in value for one in _patterns(mark)]
    return next((message for one in patterns if (message := _pattern(one))), "")


def _patterns(mark: Mark) -> list[str]:
    if isinstance(mark, str):
        return [mark]
    return [value[1:] for value in mark.values() if isinstance(value, str) and value.startswith(PATTERN)]


def _pattern(pattern: str) -> str:
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        return f"{pattern!r} is no regular expression: {error}"
    slow = slowness(pattern)
    return f"{pattern!r} could take for ever on a hostile line: {slow}" if slow else ""


def slowness(pattern: str) -> str:
    """Why a valid pattern could be slow on LOOKED_AT characters, "" when it cannot. Errs towards no."""
    escaped = re.findall(r"\\(.)", pattern, re.DOTALL)
    if any(char in "123456789" for char in escaped) or "(?P=" in pattern or "(?(" in pattern:
        return "it refers back to a group"
    if "(?#" in pattern:
        return "a comment in it hides what it repeats"
    flat = re.sub(r"\\.", "x", pattern, flags=re.DOTALL)
    flat = re.sub(r"\[\^?\]?[^\]]*\]", "x", flat)
    flat = re.sub(r"([*+?}])[?+]", r"\1", flat)  # lazy and possessive
    anchored = flat.startswith("^") and "|" not in flat
    if len(_REPEAT.findall(flat)) > REPEATS + anchored:
        return f"it repeats more than {REPEATS + anchored} things"
    if len(re.findall(r"(?<!\()\?", flat)) > OPTIONAL:
        return f"more than {OPTIONAL} things in it are optional"
    return "it repeats a choice or a repetition" if _nested(flat) else ""


def _nested(flat: str) -> bool:
    """flat: without escapes and character classes."""
    while group := _GROUP.search(flat):
        inner, times = group[1], group[2] or ""
        busy = bool(re.search(r"[*+?|]|\{\d", inner))
        if busy and times not in ("", "?"):
            return True
        flat = flat[: group.start()] + ("x?" if busy else "x") + times + flat[group.end() :]
    return False
