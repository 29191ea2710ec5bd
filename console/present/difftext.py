"""Reads a unified diff into lines with kinds, files and hunks: what a screen and a report draw, nothing drawn here.

Nothing is left out: what is no diff syntax is a line too.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field

from console.present import diffwords
from console.present.diffpaths import header_paths, unquoted
from console.present.diffrecords import (
    ADDED,
    CONTEXT,
    FILE,
    HUNK,
    NOTE,
    REMOVED,
    Diff,
    FileEntry,
    Kind,
    Position,
    Status,
)

__all__ = [
    "BIG_BYTES",
    "BIG_LINES",
    "Diff",
    "FileEntry",
    "Kind",
    "Position",
    "Status",
    "describe_binary",
    "is_binary",
    "parse",
    "split",
    "too_big",
]

_HUNK_HEAD = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_INDEX = re.compile(rb"index ([0-9a-f]+)\.\.([0-9a-f]+)(?: (\d{6}))?$")
_CONFLICT = re.compile(rb"\+(?:<{7}|>{7}|\|{7})(?:[ \r].*)?$", re.DOTALL)
_MIDDLE = (b"+=======", b"+=======\r")
_SNIFF = 8192
_WINDOW = 1 << 20
BIG_BYTES = 20 * 1024 * 1024
BIG_LINES = 200_000


def is_binary(data: bytes) -> bool:
    """A NUL in the first 8 KB, git's own rule."""
    return b"\0" in data[:_SNIFF]


def describe_binary(data: bytes) -> str:
    """`binary, 1,234 bytes, sha256 …` for a file that is not shown as text."""
    return f"binary, {len(data):,} bytes, sha256 {hashlib.sha256(data).hexdigest()}"


def too_big(data: bytes) -> bool:
    """Whether to show the file list only and offer $PAGER: above 20 MB or 200,000 lines."""
    return len(data) > BIG_BYTES or data.count(b"\n") > BIG_LINES


def split(data: bytes) -> list[bytes]:
    """The lines of `data` without their line feeds; in steps, so that no other thread waits long for its turn."""
    lines: list[bytes] = []
    at = 0
    while at < len(data):
        found = data.find(b"\n", at + _WINDOW)
        end = len(data) if found < 0 else found + 1
        lines += data[at:end].removesuffix(b"\n").split(b"\n")
        at = end
    return lines


def parse(data: bytes) -> Diff:
    """Split a unified diff; any bytes are accepted, every one of them is in some line."""
    diff = Diff(split(data))
    _Reader(diff, nul=b"\0" in data).read()
    return diff


@dataclass(slots=True)
class _Draft:
    line: int
    path: str = ""
    old_path: str = ""
    status: Status = "M"
    added: int = 0
    removed: int = 0
    binary: bool = False
    old_mode: str = ""
    new_mode: str = ""
    old_id: str = ""
    new_id: str = ""
    marks: list[int] = field(default_factory=list)
    middles: list[int] = field(default_factory=list)


class _Reader:
    """One pass over the lines. Hunks are counted, so a removed line `-- x` is never taken for a header."""

    def __init__(self, diff: Diff, *, nul: bool) -> None:
        self.diff = diff
        self.nul = nul
        self.drafts: list[_Draft] = []
        self.hunks: list[int] = []

    def read(self) -> None:
        index, count = 0, len(self.diff.lines)
        while index < count:
            line = self.diff.lines[index]
            head = _HUNK_HEAD.match(line) if line.startswith(b"@@ ") else None
            if head is not None:
                index = self._hunk(index, head)
                continue
            self._header(index, line)
            index += 1
        ends = [draft.line for draft in self.drafts[1:]] + [count]
        self.diff.files = tuple(self._entry(draft, end) for draft, end in zip(self.drafts, ends, strict=False))
        self.diff.hunks = tuple(self.hunks)
        # Seven equals signs alone underline a heading.
        found = (draft.marks + (draft.middles if draft.marks else []) for draft in self.drafts)
        self.diff.conflicts = tuple(sorted(index for marks in found for index in marks))

    def _hunk(self, index: int, head: re.Match[bytes]) -> int:
        """Classify one hunk; the index of the first line after it."""
        lines, kinds = self.diff.lines, self.diff.kinds
        old_at, old_left, new_at, new_left = (1 if n is None else int(n) for n in head.groups())
        olds, news = self.diff.olds, self.diff.news
        kinds[index] = HUNK
        self.hunks.append(index)
        added = removed = 0
        for at in range(index + 1, len(lines)):
            sign = lines[at][:1]
            if sign == b"\\":
                kinds[at] = NOTE
            elif old_left <= 0 and new_left <= 0:
                break
            elif sign == b"+":
                kinds[at], news[at] = ADDED, new_at & 0xFFFFFFFF
                added, new_at, new_left = added + 1, new_at + 1, new_left - 1
                if lines[at][1:2] in b"<>|=":
                    self._marker(at, lines[at])
            elif sign == b"-":
                kinds[at], olds[at] = REMOVED, old_at & 0xFFFFFFFF
                removed, old_at, old_left = removed + 1, old_at + 1, old_left - 1
            elif sign in (b" ", b"", b"\r"):
                kinds[at], olds[at], news[at] = CONTEXT, old_at & 0xFFFFFFFF, new_at & 0xFFFFFFFF
                old_at, old_left, new_at, new_left = old_at + 1, old_left - 1, new_at + 1, new_left - 1
            else:
                break
        else:
            at = len(lines)
        if self.drafts:
            self.drafts[-1].added += added
            self.drafts[-1].removed += removed
        return at

    def _marker(self, at: int, line: bytes) -> None:
        """An added line of an unresolved merge."""
        if not self.drafts:
            return
        if line in _MIDDLE:
            self.drafts[-1].middles.append(at)
        elif _CONFLICT.match(line):
            self.drafts[-1].marks.append(at)

    def _header(self, index: int, line: bytes) -> None:
        if line.startswith(b"diff --git "):
            old, new = header_paths(line[11:])
            self.drafts.append(_Draft(index, path=new, old_path=old))
            self.diff.kinds[index] = FILE
        elif line.startswith(b"--- ") and self._starts_plain(index):
            old = unquoted(line[4:], b"a/")
            self.drafts.append(_Draft(index, path=old, old_path=old))
            self.diff.kinds[index] = FILE
        elif self.drafts:
            self._detail(self.drafts[-1], line)

    def _starts_plain(self, index: int) -> bool:
        """Whether a `---` line begins a file in a diff that has no `diff --git` line for it."""
        following = self.diff.lines[index + 1] if index + 1 < len(self.diff.lines) else b""
        if not following.startswith(b"+++ "):
            return False
        return not self.drafts or (self.hunks[-1] if self.hunks else -1) > self.drafts[-1].line

    def _detail(self, draft: _Draft, line: bytes) -> None:
        word, _, rest = line.partition(b" ")
        match word:
            case b"---" if rest != b"/dev/null":
                draft.old_path = unquoted(rest, b"a/")
            case b"+++" if rest != b"/dev/null":
                draft.path = unquoted(rest, b"b/")
            case b"rename" | b"copy":
                draft.status = "R" if word == b"rename" else "C"
                self._moved(draft, rest)
            case b"new" | b"deleted" if rest.startswith(b"file mode "):
                draft.status = "A" if word == b"new" else "D"
                draft.new_mode = rest[10:].decode("ascii", "replace")
            case b"old" | b"new" if rest.startswith(b"mode "):
                mode = rest[5:].decode("ascii", "replace")
                draft.old_mode, draft.new_mode = (mode, "") if word == b"old" else (draft.old_mode, mode)
            case b"Binary" | b"GIT":
                draft.binary = True
            case b"index" if found := _INDEX.match(line):
                self._ids(draft, *found.groups())

    def _ids(self, draft: _Draft, old: bytes, new: bytes, mode: bytes | None) -> None:
        draft.old_id, draft.new_id = old.decode(), new.decode()
        if mode and not draft.new_mode:
            draft.old_mode = draft.new_mode = mode.decode()

    def _moved(self, draft: _Draft, rest: bytes) -> None:
        end, _, name = rest.partition(b" ")
        if end == b"from":
            draft.old_path = unquoted(name, b"")
        elif end == b"to":
            draft.path = unquoted(name, b"")

    def _entry(self, draft: _Draft, end: int) -> FileEntry:
        old_path = draft.old_path if draft.status in ("R", "C") else draft.path or draft.old_path
        return FileEntry(
            path=draft.path or draft.old_path,
            old_path=old_path,
            status=draft.status,
            added=draft.added,
            removed=draft.removed,
            binary=draft.binary or (self.nul and is_binary(b"\n".join(self.diff.lines[draft.line : end]))),
            note=diffwords.note(draft.status, draft.old_mode, draft.new_mode),
            line=draft.line,
            end=end,
            submodule=diffwords.submodule(draft.status, draft.new_mode, draft.old_id, draft.new_id),
            old_id=draft.old_id,
            new_id=draft.new_id,
        )
