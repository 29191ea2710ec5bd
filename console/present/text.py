"""Text from outside, made safe to show: `clean` turns what a terminal would obey or hide into visible signs.

Every string that somebody else wrote passes here before it meets a screen or a terminal. Also widths, cuts and pads
in terminal cells. Nothing here knows markup, colours or a screen library.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Literal

Sgr = Literal["show", "strip"]
Align = Literal["left", "right"]

MARKS = 4
"""Combining marks that one character may carry; what follows is one U+FFFD."""

_HIDDEN = (
    *(0xAD, 0x34F, 0x61C, 0x6DD, 0x70F, 0x8E2, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2065, 0x3164, 0xFEFF, 0xFFA0),
    *(0x110BD, 0x110CD),
    *range(0x600, 0x606),
    *range(0x890, 0x892),
    *range(0x180B, 0x1810),
    *range(0x200B, 0x2010),
    *range(0x2028, 0x202F),
    *range(0x2060, 0x2070),
    *range(0xFE00, 0xFE10),
    *range(0xFFF0, 0xFFFC),
    *range(0x13430, 0x13440),
    *range(0x1BCA0, 0x1BCA4),
    *range(0x1D173, 0x1D17B),
    *range(0x1F3FB, 0x1F400),
    *range(0xE0000, 0xE1000),
)
"""Code points that show nothing, reorder their neighbours, carry text unseen (format, bidi, tags, selectors) or take
another width in every terminal (skin tones)."""


def _signs() -> dict[int, str]:
    signs = {code: chr(0x2400 + code) for code in range(32)} | {0x7F: "\u2421"}
    signs |= {code: f"<U+{code:04X}>" for code in (*range(0x80, 0xA0), *_HIDDEN)}
    signs |= {code: "\ufffd" for code in range(0xD800, 0xE000)}
    return signs | {code: f"<{code - 0xDC00:02X}>" for code in range(0xDC80, 0xDD00)}


SIGNS = _signs()
"""Code point -> what is shown instead. A byte that was no UTF-8 (`surrogateescape`) shows as `<9B>`."""

_ONE_LINE = SIGNS | {10: "\u23ce"}
_MANY_LINES = SIGNS | {10: "\n"}
_COLOUR = re.compile(r"\x1b\[[0-9;:]*m")
_CAN_HOLD_MARKS = re.compile(
    "[\u0300-\u1fff\u20d0-\u20ff\u2ce0-\u2dff\u302a-\u302f\u3099\u309a\ua66f-\uabff\ufb1e\ufe20-\ufe2f\U00010000-\U0001ffff]"
    f"{{{MARKS + 1},}}"
)


def clean(text: str, *, lines: bool = False, tab: int = 4, sgr: Sgr = "show", limit: int | None = None) -> str:
    """`text` with nothing left that a terminal obeys, hides or reorders; cleaning twice changes nothing more.

    lines: keep line feeds (otherwise they show as U+23CE). tab: columns of a tab stop. sgr: `strip` drops colour
    escapes (logs), `show` keeps them visible (names, messages, diffs). limit: characters of input read before
    "…(+n)" stands for the rest.
    """
    if limit is not None and len(text) > limit:
        text = f"{text[:limit]}\u2026(+{len(text) - limit})"
    if text.isascii() and text.isprintable():
        return text
    if sgr == "strip" and "\x1b" in text:
        text = _COLOUR.sub("", text)
    if "\t" in text:
        text = text.expandtabs(tab)
    text = text.translate(_MANY_LINES if lines else _ONE_LINE)
    return text if text.isascii() else thin(text)


def thin(text: str) -> str:
    """`text` with runs of more than `MARKS` combining marks cut short, so that nothing climbs over its neighbours."""
    return _CAN_HOLD_MARKS.sub(_thin_run, text)


def _thin_run(run: re.Match[str]) -> str:
    kept: list[str] = []
    marks = 0
    for char in run.group():
        marks = marks + 1 if unicodedata.category(char) in ("Mn", "Me") else 0
        if marks <= MARKS:
            kept.append(char)
        elif marks == MARKS + 1:
            kept.append("\ufffd")
    return "".join(kept)


def width(text: str) -> int:
    """Cells that `text` takes in a terminal (wide characters two, combining marks none)."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def prefix(text: str, cells: int) -> str:
    """The longest start of `text` that fits into `cells` and ends between two visible characters."""
    if cells <= 0:
        return ""
    if text.isascii():
        return text[:cells]
    from rich.cells import split_graphemes

    spans, total = split_graphemes(text)
    if total <= cells:
        return text
    end = used = 0
    for _, stop, size in spans:
        if used + size > cells:
            break
        end, used = stop, used + size
    return text[: end - _half_flag(text, end)]


def _half_flag(text: str, end: int) -> int:
    """1 when a cut at `end` splits a flag (two regional indicators), else 0."""
    start = end
    while start and "\U0001f1e6" <= text[start - 1] <= "\U0001f1ff":
        start -= 1
    follows = end < len(text) and "\U0001f1e6" <= text[end] <= "\U0001f1ff"
    return (end - start) % 2 if follows else 0


def cut(text: str, cells: int, end: str = "\u2026") -> str:
    """`text` if it fits into `cells`, else its start followed by `end`; never wider than `cells`."""
    if width(text) <= cells:
        return text
    room = cells - width(end)
    return prefix(text, room) + end if room >= 0 else prefix(text, cells)


def pad(text: str, cells: int, align: Align = "left") -> str:
    """`text` filled up with blanks to `cells`; wider text comes back unchanged."""
    blanks = " " * max(0, cells - width(text))
    return text + blanks if align == "left" else blanks + text


def fit(text: str, cells: int, align: Align = "left") -> str:
    """`text` cut or padded to exactly `cells`."""
    return pad(cut(text, cells), cells, align)
