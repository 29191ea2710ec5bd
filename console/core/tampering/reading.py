"""The change set as the rules read it: which files are read closely, and the sheet of each version that has tests.

Reading is bounded: a version above `LARGEST` characters, or one beyond `BUDGET` in all, is named as not inspected.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from console.core.tampering import places
from console.core.tampering.sheet import EMPTY, Sheet

LARGEST = 800_000
BUDGET = 8_000_000


@dataclass(frozen=True, slots=True)
class FileVersions:
    """One path of a change set. old, new: the bytes before and after, None where it does not exist."""

    path: str
    old: bytes | None
    new: bytes | None


@dataclass(slots=True)
class File:
    """A changed path with its versions as text ("" when absent or not read closely).

    large: not read closely; crowded: only because the change set is too large.
    """

    path: str
    existed: bool
    exists: bool
    old: str = ""
    new: str = ""
    before: Sheet = EMPTY
    after: Sheet = EMPTY
    large: bool = False
    crowded: bool = False
    data: FileVersions = field(default=FileVersions("", None, None), repr=False)


def files(changes: Sequence[FileVersions]) -> list[File]:
    """Every change in the order of paths. What existed before is read first, so that new bulk cannot push it out."""
    read: list[File] = []
    left = BUDGET
    for change in sorted(changes, key=lambda change: (change.old is None, _size(change), change.path)):
        size = _size(change)
        file = File(change.path, change.old is not None, change.new is not None, data=change)
        read.append(file)
        if max(len(change.old or b""), len(change.new or b"")) > LARGEST or size > left:
            file.large, file.crowded = True, size <= LARGEST
            continue
        left -= size
        file.old, file.new = _text(change.old), _text(change.new)
        file.before, file.after = _sheets(file)
    return sorted(read, key=lambda file: file.path)


def _size(change: FileVersions) -> int:
    return len(change.old or b"") + len(change.new or b"")


def _text(data: bytes | None) -> str:
    text = (data or b"").decode("utf-8", errors="replace").removeprefix("\ufeff")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _sheets(file: File) -> tuple[Sheet, Sheet]:
    if not places.may_hold_tests(file.path):
        return EMPTY, EMPTY
    before = sheet(file.path, file.old) if file.old else EMPTY
    return before, (before if file.new == file.old else sheet(file.path, file.new) if file.new else EMPTY)


def sheet(path: str, text: str) -> Sheet:
    """What one text says about tests, by the language of its path."""
    match places.language(path):
        case "python":
            from console.core.tampering.python import sheet as read
        case "javascript":
            from console.core.tampering.javascript import sheet as read
        case "go":
            from console.core.tampering.golang import sheet as read
        case "rust":
            from console.core.tampering.rust import sheet as read
        case "jvm":
            from console.core.tampering.jvm import sheet as read
        case "ruby":
            from console.core.tampering.ruby import sheet as read
        case _:
            return EMPTY
    return read(text)
