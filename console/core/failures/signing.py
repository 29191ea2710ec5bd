"""A failure's signature: equal when the same failure comes again, in another folder and at another speed."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable

from console.core.failures.lines import lines_of

MARKED = 400
"""Lines that say what went wrong and are part of a signature, at most."""

TAIL = 20
"""Lines from the end that make the signature when none says what went wrong."""

_TELLING = re.compile(
    r"error|exception|assert|panic|fail|fatal|traceback|undefined|expected|not found|cannot|no such|not ok",
    re.IGNORECASE,
)
_FOLDERS = re.compile(r"(?:/[^\s/:;,'\"()<>|]+)+/|(?<!\S)(?:\.{1,2}/)+")
_IDS = re.compile(r"\b0x[0-9a-fA-F]+\b|\b(?=[a-f]*[0-9])[0-9a-fA-F]{7,}\b")
_NUMBERS = re.compile(r"\d[\d.,:]*(?: ?(?:ms|us|µs|s|secs?|seconds?|mins?|minutes?)\b)?")
_RULES = re.compile(r"[=_\-─━.*]{3,}")
_SPACES = re.compile(r"\s+")


def signature(output: str, failing: Iterable[str]) -> str:
    """sha256[:16] of the failing tests' names and the lines that tell what went wrong, numbers, ids, durations and
    folders masked, in no order. "" when the output says nothing."""
    lines = lines_of(output)
    telling = [line for line in lines if _TELLING.search(line)][-MARKED:]
    if not telling and not failing:
        telling = lines[-TAIL:]
    masked = sorted({text for line in telling if (text := masked_line(line))})
    names = sorted(failing)
    if not names and not masked:
        return ""
    return hashlib.sha256("\n".join([*names, "", *masked]).encode("utf-8", "replace")).hexdigest()[:16]


def masked_line(line: str) -> str:
    """What stays of a line from one run to the next."""
    for pattern, by in ((_FOLDERS, ""), (_IDS, "#"), (_NUMBERS, "#"), (_RULES, ""), (_SPACES, " ")):
        line = pattern.sub(by, line)
    return line.strip()
