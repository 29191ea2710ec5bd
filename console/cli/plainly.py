"""What is printed where our marks cannot be shown: ASCII for them in such a terminal, and no fault for a character.

A pipe that takes UTF-8 gets every character as it is.
"""

from __future__ import annotations

import codecs
import sys
from collections.abc import Mapping
from io import TextIOWrapper

from console.present.plain import plain, wants_ascii

MARKS = "nightdesk-marks"


def fit_streams(environ: Mapping[str, str]) -> None:
    """Make stdout and stderr take every text."""
    for stream in (sys.stdout, sys.stderr):
        if not isinstance(stream, TextIOWrapper):
            continue
        utf8 = codecs.lookup(stream.encoding).name == "utf-8"
        if stream.isatty() and (not utf8 or wants_ascii(environ)):
            codecs.register_error(MARKS, _marks_then_utf8 if utf8 else _marks)
            stream.reconfigure(encoding="ascii" if utf8 else stream.encoding, errors=MARKS)
        elif not utf8:
            stream.reconfigure(errors="backslashreplace")


def _marks_then_utf8(error: UnicodeError) -> tuple[bytes, int]:
    """Marks in ASCII; what is written in another script goes to the terminal as it would have."""
    return _plain(error, "utf-8")


def _marks(error: UnicodeError) -> tuple[bytes, int]:
    return _plain(error, "ascii")


def _plain(error: UnicodeError, rest: str) -> tuple[bytes, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return plain(error.object[error.start : error.end]).encode(rest, "backslashreplace"), error.end
