"""What stands on the screen for a diff that is too big to be drawn: its files with their counts, in a list.

It looks at the bytes in windows, so that no other thread waits long for the interpreter.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from console.present.difflong import cut_lines
from console.present.diffrecords import FILE, Diff, FileEntry
from console.present.difftext import parse, too_big
from console.present.splitdiff import Rows

_HEAD = b"diff --git "
_WINDOW = 4 << 20
_HEAD_BYTES = 64 * 1024
"""Of a file's part: more than its header lines ever have."""
FILES = 20_000
"""Files that an outline names; how many more there are is said."""


def read(data: bytes, *, ascii: bool = False) -> Diff:
    """The diff, measured and laid out; its outline when it is too big. For a thread that may take a second."""
    diff = outline(data) if too_big(data) else parse(data)
    draw_in(diff, ascii=ascii)
    diff.beside = Rows(diff)
    return diff


def draw_in(diff: Diff, *, ascii: bool) -> None:
    """Show it in ASCII alone, or as it is, and measure it so."""
    diff.draw_in(ascii=ascii)
    diff.widest()
    diff.cut = cut_lines(diff) if diff.whole else ()


def outline(data: bytes) -> Diff:
    """A `Diff` that is not whole: its lines are words and one line a file."""
    size = f"{len(data) / 1024 / 1024:,.1f} MB in {data.count(bytes([10])):,} lines"
    lines = [
        f"This diff is too big to be drawn: {size}.".encode(),
        b"Below are its files; the whole is for a pager.",
        b"",
    ]
    entries: list[FileEntry] = []
    more = 0
    for start, end in _parts(data):
        if len(entries) == FILES:
            more += 1
            continue
        at = len(lines)
        entries.append(replace(_entry(data, start, end), line=at, end=at + 1))
        lines.append(entries[-1].title().encode("utf-8", "replace"))
    if more:
        lines.append(f"and {more:,} more files".encode())
    diff = Diff(lines, whole=False)
    diff.files = tuple(entries)
    for entry in entries:
        diff.kinds[entry.line] = FILE
    return diff


def _parts(data: bytes) -> Iterator[tuple[int, int]]:
    """Start and end of the part of each file. Lines of content begin with a sign, so none is taken for a head."""
    start = 0 if data.startswith(_HEAD) else _next(data, 0)
    while start >= 0:
        end = _next(data, start)
        yield start, end if end >= 0 else len(data)
        start = end


def _next(data: bytes, at: int) -> int:
    """Where the first head after `at` begins, -1 for none."""
    while at < len(data):
        found = data.find(b"\n" + _HEAD, at, at + _WINDOW + len(_HEAD))
        if found >= 0:
            return found + 1
        at += _WINDOW
    return -1


def _entry(data: bytes, start: int, end: int) -> FileEntry:
    """From its header lines, its counts from all of it."""
    head = data[start : min(end, start + _HEAD_BYTES)]
    cut = head.find(b"\n@@ ")
    found = parse(head if cut < 0 else head[:cut]).files[0]
    if cut < 0:
        return found
    added, removed = (_count(data, sign, start + cut, end) for sign in (b"\n+", b"\n-"))
    return replace(found, added=added, removed=removed)


def _count(data: bytes, what: bytes, start: int, end: int) -> int:
    """Windows overlap by one byte, so that nothing is missed or counted twice."""
    return sum(data.count(what, at, min(end, at + _WINDOW + 1)) for at in range(start, end, _WINDOW))
