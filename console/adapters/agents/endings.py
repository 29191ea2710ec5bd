"""Words for how an agent's process ended, with the last thing it printed. Reads files, decides nothing."""

from __future__ import annotations

import os
import re

from console.core.records import ProcessEnd, Refused

NOT_STARTED, UNKNOWN = 127, -1
_CONTROL = re.compile(r"\x1b\[[0-9;:?]*[A-Za-z]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?")


def last_words(path: str, lines: int = 5, limit: int = 600) -> str:
    """The last non-empty lines of a file, printable, at most `limit` characters; "" when there are none."""
    try:
        with open(path, "rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - 8192))
            text = file.read().decode("utf-8", "replace")
    except OSError:
        return ""
    kept = [line.strip() for line in _CONTROL.sub("", text).splitlines() if line.strip()]
    joined = " | ".join(kept[-lines:])
    return "".join(c if c.isprintable() else " " for c in joined)[-limit:]


def ending(end: ProcessEnd) -> str:
    """How it ended, in a few words."""
    match end.how:
        case "exited":
            return f"exited with code {end.code}"
        case "signaled":
            return f"ended by signal {end.signal}"
        case how:
            return f"{how}: {end.reason}" if end.reason else how


def ending_with_words(end: ProcessEnd, path: str) -> str:
    """How it ended and what it last printed into `path`."""
    words = last_words(path)
    return f"{ending(end)}; its last output: {words}" if words else ending(end)


def exit_code(end: ProcessEnd) -> int:
    """A number for every end, as a shell would give it; -1 when nobody saw it."""
    if end.how == "not-started":
        return NOT_STARTED
    if end.how == "signaled" and end.signal is not None:
        return 128 + end.signal
    return end.code if end.how == "exited" and end.code is not None else UNKNOWN


def refused_with_words(refused: Refused, path: str) -> Refused:
    """Why an agent did not start, with what it last printed into `path`."""
    words = last_words(path)
    return Refused(reason=f"{refused.reason}; its last output: {words}") if words else refused
