"""Output of a command as bounded, clean lines, and names as they can be compared and shown."""

from __future__ import annotations

import re

LONGEST = 4 * 1024 * 1024
"""Characters of an output that are looked at: the first quarter of them and the rest from its end."""

LINE = 1000
NOT_LOADED = " (not loaded)"
"""Ends the name of a file of tests that could not be loaded: what is in it never ran."""

NAMES = 2000
NAME = 300

_ESCAPES = re.compile(r"\x1b(?:\[[0-9;:?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|.)")
_ENDS = re.compile(r"[\r\n]+")
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]+")
_SPACES = re.compile(r"\s+")


def lines_of(output: str) -> list[str]:
    """The lines, without escape sequences and controls, each at most `LINE` characters; none is empty."""
    if len(output) > LONGEST:
        head = LONGEST // 4
        output = output[:head] + "\n" + output[head - LONGEST :]
    plain = _CONTROLS.sub("", _ESCAPES.sub("", output).replace("\r", "\n"))
    return [line[:LINE].rstrip() for line in _ENDS.split(plain) if line.strip()]


def is_whole(name: str) -> bool:
    """Whether it names a file or package of tests rather than a test: one broken import looks like another."""
    return name.endswith((NOT_LOADED, " failed]"))


def tidy(name: str) -> str:
    """A test's name on one line, the same in the next run: addresses of objects are masked."""
    return _SPACES.sub(" ", _ADDRESS.sub("0x#", _CONTROLS.sub("", name[: 2 * NAME])))[:NAME].strip()
