"""A change of one path as the rules read it: its words, its kind of file, and the lines that came and went.

Bytes in, no I/O. A line that only moved, inside a file or from a deleted file to a new one, is neither
added nor removed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

from console.core.blast_radius import paths
from console.core.blast_radius.lines import Lines, compare

ABSENT = "000000"
SYMLINK = "120000"
GITLINK = "160000"
EXECUTABLE = "100755"


class Change(Protocol):
    """What `classify` needs of a changed path. old, new: the bytes, None when absent. Modes: as git writes them."""

    @property
    def path(self) -> str: ...
    @property
    def old(self) -> bytes | None: ...
    @property
    def new(self) -> bytes | None: ...
    @property
    def old_mode(self) -> str: ...
    @property
    def mode(self) -> str: ...


@dataclass(frozen=True)
class Edit:
    """One changed path, read. origin_mode: the old mode, or that of the deleted file that it was moved from. words: of
    the path, lower case, split at camel, snake and kebab borders."""

    path: str
    old: bytes | None
    new: bytes | None
    old_mode: str
    mode: str
    old_lines: tuple[str, ...]
    new_lines: tuple[str, ...]
    added: Lines
    removed: Lines
    kind: paths.Kind = field(default="code")
    origin_mode: str = ABSENT

    @property
    def name(self) -> str:
        return self.path.rsplit("/", 1)[-1]

    @property
    def is_endless(self) -> bool:
        """Whether it has too many lines to be read by line."""
        return any(len(lines) == 1 and "\n" in lines[0] for lines in (self.old_lines, self.new_lines))

    @property
    def changes_bytes(self) -> bool:
        return self.old != self.new

    @cached_property
    def said(self) -> tuple[frozenset[str], frozenset[str]]:
        """The added and the removed lines without comments at their end and without the prose in their strings."""
        return (
            frozenset(_without_comment(self.name, line) for line in self.added.lines),
            frozenset(_without_comment(self.name, line) for line in self.removed.lines),
        )

    @cached_property
    def docstrings(self) -> tuple[frozenset[int], frozenset[int]]:
        """Numbers of the lines inside Python's docstrings, in the new and in the old version."""
        if not self.name.endswith((".py", ".pyi")):
            return frozenset(), frozenset()
        return docstring_rows(self.new_lines), docstring_rows(self.old_lines)

    @cached_property
    def words(self) -> frozenset[str]:
        return paths.words(self.path)


def text_of(content: bytes | None) -> str:
    """Bytes as text, never failing: UTF-8 (UTF-16 with a mark), else one character a byte."""
    if not content:
        return ""
    encoding = "utf-16" if content[:2] in {b"\xff\xfe", b"\xfe\xff"} else "utf-8"
    try:
        return content.decode(encoding)
    except UnicodeDecodeError:
        return content.decode("latin-1")


MOST_LINES = 200_000


def lines_of(content: bytes | None) -> tuple[str, ...]:
    """A file's lines; one of more than `MOST_LINES` is read as a single line, so that time and memory stay bounded."""
    text = text_of(content)
    if text.count("\n") > MOST_LINES:
        return (text,)
    return tuple(text.removesuffix("\n").split("\n")) if text else ()


def read(changes: Iterable[Change]) -> tuple[Edit, ...]:
    """Every change as an `Edit`; a new file is compared with the deleted file of the set that looks most like it."""
    listed = tuple(changes)
    gone = {change.path: lines_of(change.old) for change in listed if change.new is None and change.old is not None}
    origins = _origins(listed, gone)
    moved = set(origins.values())
    modes = {change.path: change.old_mode for change in listed}
    edits = []
    for change in listed:
        old, new = lines_of(change.old), lines_of(change.new)
        before = gone.get(origins.get(change.path, ""), old)
        added, _ = compare(before, new)
        removed = Lines() if change.path in moved else compare(old, new)[1]
        if change.path in origins:
            removed = compare(before, new)[1]
        edits.append(
            Edit(
                path=change.path,
                old=change.old,
                new=change.new,
                old_mode=change.old_mode,
                mode=change.mode,
                old_lines=old,
                new_lines=new,
                added=added,
                removed=removed,
                kind=paths.kind(change.path),
                origin_mode=modes.get(origins.get(change.path, ""), change.old_mode),
            )
        )
    return tuple(edits)


_TELLING = 4
_MOST_HOLDERS = 8


def _origins(changes: Sequence[Change], gone: dict[str, tuple[str, ...]]) -> dict[str, str]:
    """For each new path the deleted path it was most likely moved from: at least half
    of its telling lines are there."""
    if not gone:
        return {}
    holders: dict[str, list[str]] = {}
    for path, lines in gone.items():
        for line in set(lines):
            held = holders.setdefault(line, []) if len(line.strip()) >= _TELLING else None
            if held is not None and len(held) < _MOST_HOLDERS:
                held.append(path)
    found: dict[str, str] = {}
    taken: set[str] = set()
    for change in changes:
        if change.old is not None or change.new is None:
            continue
        telling = [line for line in set(lines_of(change.new)) if len(line.strip()) >= _TELLING]
        votes = Counter(path for line in telling for path in holders.get(line, ()))
        path, count = max(votes.items(), key=lambda vote: (vote[1], vote[0]), default=("", 0))
        if count * 2 >= len(telling) and count and path not in taken:
            found[change.path] = path
            taken.add(path)
    return found


_COMMENT = re.compile(r"\s{0,200}(?:#(?!\[|!|include|define)|//|/\*|\*[ /]|\*$|<!--|--(?! \+)|;;|\"\"\"|''')")


def is_comment(line: str) -> bool:
    """Whether a line, taken alone, is a comment in any usual language."""
    return _COMMENT.match(line) is not None


_PROSE = re.compile(r"([\"'`])(?![^\"'`\n]{0,200}[A-Z]{4})[A-Za-z][\w,;:!?.-]{0,40}(?: [\w,;:!?.-]{1,40}){2,40}\1")
_HASHED = (".py", ".rb", ".sh", ".yml", ".yaml", ".toml", ".cfg", ".ex", ".exs")
_END = {
    True: re.compile(r"^([^\"'`#\n]{0,300}?)[ \t]+#[ \t].*$"),
    False: re.compile(r"^([^\"'`/\n]{0,300}?)[ \t]+//[ \t].*$"),
}


def _without_comment(name: str, line: str) -> str:
    """The line up to a comment at its end, where no quote before it could make the comment part of a string, and
    without the prose in its strings: three words or more, none of them shouted like SQL."""
    match = _END[name.endswith(_HASHED)].match(line)
    return match[1] if match else _PROSE.sub('""', line)


def says_the_same(edit: Edit, lines: Lines, line: str) -> bool:
    """Whether the other side has this line too, but for the comment at its end or the prose in its strings."""
    added, removed = edit.said
    return _without_comment(edit.name, line) in (removed if lines is edit.added else added)


def is_idle(line: str) -> bool:
    """Whether a line alone does nothing: blank, a comment, an import, closing brackets."""
    return not line.strip(" \t\r)}];,({[") or is_comment(line) or _IMPORT.match(line) is not None


_IMPORT = re.compile(
    r"\s{0,200}(?:import\b|from\s+\S+\s+import\b|use\s+[\w:]+|require\b|require_relative\b|export \* )"
)


_OPENS = re.compile(r"\s{0,200}[rR]?(\"\"\"|''')")


def docstring_rows(lines: Sequence[str]) -> frozenset[int]:
    """Numbers of the lines of docstrings: first in a file or below a line that ends in a colon; code
    behind the closing quotes makes its line count as code."""
    rows: set[int] = set()
    quotes, before = "", ":"
    for number, line in enumerate(lines, 1):
        head = line[:400].rstrip()
        opened = _OPENS.match(head) if not quotes and before.endswith(":") else None
        if opened and len(line) <= 400:
            quotes, head = opened[1], head[opened.end() :]
            rows.add(number)
        elif quotes:
            rows.add(number)
        if quotes and quotes in line[len(line) - len(line.lstrip()) + (3 if opened else 0) :]:
            if head.rsplit(quotes, 1)[-1].strip():
                rows.discard(number)
            quotes = ""
        if head and not is_comment(head):
            before = head
    return frozenset(rows)
