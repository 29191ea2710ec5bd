"""How a prompt reaches a headless command: as its last argument, by stdin, or as a file that its argv names."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from console.core.records import Refused

FILE_WORD = "{prompt_file}"
"""Where this stands in a command, the path of a file that holds the prompt is put; no other prompt is given then."""
ARGUMENT_BYTES = 120_000
"""Linux takes at most 128 KiB in one argument."""


def by_file(argv: tuple[str, ...]) -> bool:
    return any(FILE_WORD in word for word in argv)


def as_argument(text: str) -> str | Refused:
    """The prompt as one argument, unless it is too long for that."""
    text = plain_prompt(text)
    if len(text.encode()) > ARGUMENT_BYTES:
        return Refused(reason="the prompt is too long for an argument: set `prompt: stdin` in the preset")
    return text


def as_file(argv: tuple[str, ...], path: Path, text: str) -> tuple[str, ...] | Refused:
    """The command with the path of the prompt's file in it; the file is written anew, for this user only."""
    try:
        forget(path)
        flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC | os.O_NOFOLLOW
        with open(os.open(path, flags, 0o600), "wb") as file:
            file.write(text.encode("utf-8", "replace"))
    except OSError as error:
        return Refused(reason=f"the prompt cannot be written to {path}: {error.strerror}")
    return tuple(word.replace(FILE_WORD, str(path)) for word in argv)


def forget(path: Path) -> None:
    """The file of a prompt is needed for one turn only."""
    with contextlib.suppress(OSError):
        path.unlink()


def plain_prompt(text: str) -> str:
    """A prompt as one argument: no NUL, and no first character that a command would take for an option or a file."""
    text = text.encode("utf-8", "replace").decode().replace("\0", "\ufffd")
    return f" {text}" if text[:1] in ("-", "@") else text
