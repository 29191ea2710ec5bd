"""A unified diff as lines with kinds, files and hunks: what a screen and a report draw, nothing drawn here.

Bytes stay as they came and are decoded when a line is shown. Nothing is left out: what is no diff syntax is a line too.
"""

from __future__ import annotations

import hashlib
import re
from array import array
from bisect import bisect_right
from dataclasses import dataclass
from typing import Literal

from console.present.diffpaths import header_paths, unquoted
from console.present.text import clean, width
from console.present.visible import COLUMNS, Shown, show, widest

Kind = Literal["file", "meta", "hunk", "context", "added", "removed", "note"]
Status = Literal["A", "M", "D", "R", "C"]

_KINDS: tuple[Kind, ...] = ("file", "meta", "hunk", "context", "added", "removed", "note")
_FILE, _META, _HUNK, _CONTEXT, _ADDED, _REMOVED, _NOTE = range(7)
_SIGNED = frozenset({_CONTEXT, _ADDED, _REMOVED})
_HUNK_HEAD = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_SNIFF = 8192
BIG_BYTES = 20 * 1024 * 1024
BIG_LINES = 200_000


@dataclass(frozen=True, slots=True)
class FileEntry:
    """One file of a diff. Paths are as git wrote them, not yet cleaned. line, end: its lines, end excluded.

    note: changed modes. binary: git says so, or there is a NUL in the first 8 KB (the lines are shown all the same).
    """

    path: str
    old_path: str
    status: Status
    added: int
    removed: int
    binary: bool
    note: str
    line: int
    end: int

    def title(self) -> str:
        """One clean line: `M src/x.py +12 −3`."""
        name = show(self.path).text
        if self.old_path != self.path:
            name = f"{show(self.old_path).text} \u2192 {name}"
        counts = "binary" if self.binary else f"+{self.added} \u2212{self.removed}"
        return " ".join(part for part in (self.status, name, counts, self.note and f"({clean(self.note)})") if part)


@dataclass(frozen=True, slots=True)
class Position:
    """Where a diff line is in its file: line numbers from 1, None on the side that does not have it."""

    path: str
    old: int | None
    new: int | None


class Diff:
    """A parsed diff. `lines` are raw bytes without line feeds; `hunks` are indices of `@@` lines."""

    def __init__(self, lines: list[bytes]) -> None:
        self.lines = lines
        self.files: tuple[FileEntry, ...] = ()
        self.hunks: tuple[int, ...] = ()
        self._kinds = bytearray([_META]) * len(lines)
        self._old = array("I", bytes(4 * len(lines)))
        self._new = array("I", bytes(4 * len(lines)))

    def __len__(self) -> int:
        return len(self.lines)

    def kind(self, index: int) -> Kind:
        return _KINDS[self._kinds[index]]

    def shown(self, index: int) -> Shown:
        """The line with everything unseen made visible, at most `COLUMNS` cells and a count of the rest."""
        raw = self.lines[index].decode("utf-8", "surrogateescape")
        return show(raw, keep=1 if self._kinds[index] in _SIGNED else 0)

    def file_at(self, index: int) -> int | None:
        """Index into `files` of the file that a line belongs to, None before the first."""
        found = bisect_right(self.files, index, key=lambda entry: entry.line) - 1
        return found if found >= 0 else None

    def position(self, index: int) -> Position | None:
        """File and line numbers of a line of code; None for headers."""
        file = self.file_at(index)
        if file is None or self._kinds[index] not in _SIGNED:
            return None
        return Position(self.files[file].path, self._old[index] or None, self._new[index] or None)

    def widest(self) -> int:
        """Cells of the widest shown line; an upper bound when very many lines hold odd characters."""
        bounds = (min(_bound(line), COLUMNS + 16) for line in self.lines)
        return widest(bounds, lambda index: width(self.shown(index).text))


def _bound(line: bytes) -> int:
    """An upper bound of the cells that a line takes, without decoding it."""
    if line.isascii():
        return len(line) + 3 * line.count(b"\t")
    return 4 * len(line)


def is_binary(data: bytes) -> bool:
    """A NUL in the first 8 KB, git's own rule."""
    return b"\0" in data[:_SNIFF]


def describe_binary(data: bytes) -> str:
    """`binary, 1,234 bytes, sha256 …` for a file that is not shown as text."""
    return f"binary, {len(data):,} bytes, sha256 {hashlib.sha256(data).hexdigest()}"


def too_big(data: bytes) -> bool:
    """Whether to show the file list only and offer $PAGER: above 20 MB or 200,000 lines."""
    return len(data) > BIG_BYTES or data.count(b"\n") > BIG_LINES


def parse(data: bytes) -> Diff:
    """Split a unified diff; any bytes are accepted, every one of them is in some line."""
    lines = data.split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    diff = Diff(lines)
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

    def _hunk(self, index: int, head: re.Match[bytes]) -> int:
        """Classify one hunk; the index of the first line after it."""
        lines, kinds = self.diff.lines, self.diff._kinds
        old_at, old_left, new_at, new_left = (1 if n is None else int(n) for n in head.groups())
        olds, news = self.diff._old, self.diff._new
        kinds[index] = _HUNK
        self.hunks.append(index)
        added = removed = 0
        for at in range(index + 1, len(lines)):
            sign = lines[at][:1]
            if sign == b"\\":
                kinds[at] = _NOTE
            elif old_left <= 0 and new_left <= 0:
                break
            elif sign == b"+":
                kinds[at], news[at] = _ADDED, new_at & 0xFFFFFFFF
                added, new_at, new_left = added + 1, new_at + 1, new_left - 1
            elif sign == b"-":
                kinds[at], olds[at] = _REMOVED, old_at & 0xFFFFFFFF
                removed, old_at, old_left = removed + 1, old_at + 1, old_left - 1
            elif sign in (b" ", b"", b"\r"):
                kinds[at], olds[at], news[at] = _CONTEXT, old_at & 0xFFFFFFFF, new_at & 0xFFFFFFFF
                old_at, old_left, new_at, new_left = old_at + 1, old_left - 1, new_at + 1, new_left - 1
            else:
                break
        else:
            at = len(lines)
        if self.drafts:
            self.drafts[-1].added += added
            self.drafts[-1].removed += removed
        return at

    def _header(self, index: int, line: bytes) -> None:
        if line.startswith(b"diff --git "):
            old, new = header_paths(line[11:])
            self.drafts.append(_Draft(index, path=new, old_path=old))
            self.diff._kinds[index] = _FILE
        elif line.startswith(b"--- ") and self._starts_plain(index):
            old = unquoted(line[4:], b"a/")
            self.drafts.append(_Draft(index, path=old, old_path=old))
            self.diff._kinds[index] = _FILE
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

    def _moved(self, draft: _Draft, rest: bytes) -> None:
        end, _, name = rest.partition(b" ")
        if end == b"from":
            draft.old_path = unquoted(name, b"")
        elif end == b"to":
            draft.path = unquoted(name, b"")

    def _entry(self, draft: _Draft, end: int) -> FileEntry:
        note = f"mode {draft.old_mode} \u2192 {draft.new_mode}" if draft.old_mode else ""
        if not note and draft.new_mode not in ("", "100644"):
            note = f"mode {draft.new_mode}"
        return FileEntry(
            path=draft.path or draft.old_path,
            old_path=draft.old_path if draft.status in ("R", "C") else draft.path or draft.old_path,
            status=draft.status,
            added=draft.added,
            removed=draft.removed,
            binary=draft.binary or (self.nul and is_binary(b"\n".join(self.diff.lines[draft.line : end]))),
            note=note,
            line=draft.line,
            end=end,
        )
