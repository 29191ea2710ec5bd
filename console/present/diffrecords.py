"""What a parsed diff is made of: its lines with their kinds, its files and hunks, and how one line is shown.

Bytes stay as they came and are decoded when a line is shown. Nothing is drawn and nothing is left out here.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from console.present.text import clean, width
from console.present.visible import COLUMNS, Shown, Span, bound, show, widest

if TYPE_CHECKING:
    from console.present.splitdiff import Rows

Kind = Literal["file", "meta", "hunk", "context", "added", "removed", "note"]
Status = Literal["A", "M", "D", "R", "C"]

KINDS: tuple[Kind, ...] = ("file", "meta", "hunk", "context", "added", "removed", "note")
FILE, META, HUNK, CONTEXT, ADDED, REMOVED, NOTE = range(7)
SIGNED = frozenset({CONTEXT, ADDED, REMOVED})
NO_ID = "0"


@dataclass(frozen=True, slots=True)
class FileEntry:
    """One file of a diff. Paths are as git wrote them, not yet cleaned. line, end: its lines, end excluded.

    note: renames and modes in words. binary: git says so, or there is a NUL in the first 8 KB (the lines are shown all
    the same). submodule: in words, "" when it is none. old_id, new_id: of its contents, "" when the diff has none.
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
    submodule: str = ""
    old_id: str = ""
    new_id: str = ""

    @property
    def counts(self) -> str:
        """`+12 \u22123`, or what there is instead of lines."""
        return self.submodule or ("binary" if self.binary else f"+{self.added} \u2212{self.removed}")

    def title(self) -> str:
        """One clean line: `M src/x.py +12 \u22123`."""
        return self.head().text

    def head(self, *, ascii: bool = False) -> Shown:
        """The same, with account of what stands for something unseen in its names. ascii: names in ASCII alone."""
        names = [self.old_path, self.path] if self.old_path != self.path else [self.path]
        text: str = self.status
        spans: list[Span] = []
        for at, name in enumerate(names):
            text += " \u2192 " if at else " "
            shown = show(name, ascii=ascii)
            spans += [Span(s.start + len(text), s.end + len(text), s.kind) for s in shown.spans]
            text += shown.text
        note = f" ({clean(self.note)})" if self.note else ""
        return Shown(f"{text} {self.counts}{note}", tuple(spans))


@dataclass(frozen=True, slots=True)
class Position:
    """Where a diff line is in its file: line numbers from 1, None on the side that does not have it."""

    path: str
    old: int | None
    new: int | None


class Diff:
    """A parsed diff. `lines` are raw bytes without line feeds; `hunks` are indices of `@@` lines.

    conflicts: indices of added lines that are markers of an unresolved merge. cut: indices of lines of which not all
    is shown, once somebody has looked for them. whole: False for an outline that stands
    for a diff too big to be drawn. beside: its rows side by side, once somebody has laid them out. ascii: its lines are
    shown in ASCII alone (`draw_in`).
    """

    def __init__(self, lines: list[bytes], *, whole: bool = True) -> None:
        self.lines = lines
        self.whole = whole
        self.files: tuple[FileEntry, ...] = ()
        self.hunks: tuple[int, ...] = ()
        self.conflicts: tuple[int, ...] = ()
        self.cut: tuple[int, ...] = ()
        self.kinds = bytearray([META]) * len(lines)
        self.olds = array("I", bytes(4 * len(lines)))
        self.news = array("I", bytes(4 * len(lines)))
        self.beside: Rows | None = None
        self.ascii = False
        self._widest = -1

    def __len__(self) -> int:
        return len(self.lines)

    def draw_in(self, *, ascii: bool) -> None:
        """From now on; whoever keeps what was shown, or counted of it, forgets that."""
        self.ascii = ascii
        self._widest = -1

    def kind(self, index: int) -> Kind:
        return KINDS[self.kinds[index]]

    def shown(self, index: int) -> Shown:
        """The line with everything unseen made visible, at most `COLUMNS` cells and a count of the rest. The head of a
        file and the line of a binary one are words that say what git's own line says."""
        if words := self._worded(index):
            return words
        raw = self.lines[index].decode("utf-8", "surrogateescape")
        return show(raw, keep=1 if self.kinds[index] in SIGNED else 0, ascii=self.ascii)

    def _worded(self, index: int) -> Shown | None:
        if self.kinds[index] == FILE:
            at = self.file_at(index)
            return self.files[at].head(ascii=self.ascii) if at is not None and self.files[at].line == index else None
        if self.kinds[index] == META and self.lines[index].startswith(b"Binary files "):
            at = self.file_at(index)
            return Shown(_binary_words(self.files[at])) if at is not None else None
        return None

    def file_at(self, index: int) -> int | None:
        """Index into `files` of the file that a line belongs to, None before the first."""
        found = bisect_right(self.files, index, key=lambda entry: entry.line) - 1
        return found if found >= 0 else None

    def position(self, index: int) -> Position | None:
        """File and line numbers of a line of code; None for headers."""
        file = self.file_at(index)
        if file is None or self.kinds[index] not in SIGNED:
            return None
        return Position(self.files[file].path, self.olds[index] or None, self.news[index] or None)

    def line_of(self, path: str, old: int, new: int) -> int | None:
        """Index of the line that is there (0 for a side that does not have it); of the file's head when both are 0;
        None when this diff has no such line. A path can have two entries: what it was is gone, another kind is new."""
        entries = [entry for entry in self.files if entry.path == path]
        if not (old or new):
            return entries[0].line if entries else None
        return next((at for entry in entries if (at := self._line_in(entry, old, new)) is not None), None)

    def _line_in(self, entry: FileEntry, old: int, new: int) -> int | None:
        numbers, wanted = (self.news, new) if new else (self.olds, old)
        at = entry.line
        while True:
            try:
                at = numbers.index(wanted, at, entry.end)
            except ValueError:
                return None
            if (self.olds[at], self.news[at]) == (old, new):
                return at
            at += 1

    def widest(self) -> int:
        """Cells of the widest shown line; an upper bound when very many lines hold odd characters. Worked out once."""
        if self._widest < 0:
            bounds = (min(bound(line, self.ascii), COLUMNS + 16) for line in self.lines)
            heads = max((width(entry.head(ascii=self.ascii).text) for entry in self.files), default=0)
            self._widest = max(heads, widest(bounds, lambda index: width(self.shown(index).text)))
        return self._widest


def _binary_words(entry: FileEntry) -> str:
    old, new = entry.old_id[:10], entry.new_id[:10]
    if not (old or new):
        ids = ""
    elif not old.strip(NO_ID):
        ids = f" {new}, new"
    elif not new.strip(NO_ID):
        ids = f" {old}, deleted"
    else:
        ids = f" {old} \u2192 {new}"
    return f"binary{ids}: its bytes are not shown as text"
