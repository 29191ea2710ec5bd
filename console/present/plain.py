"""Every mark that we draw, in ASCII: for poor fonts, terminals of old and locales that are not UTF-8.

One table for the screen's last door and for the command line. One character for one: no width changes. What others
wrote in panes of their own is escaped before (`visible`); text in other scripts is nobody's mark and stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

from console.present.glyphs import shapes

Glyphs = Literal["ascii", "unicode"]
_POOR = re.compile(r"linux.*|vt\d+.*|cons25.*")
"""Terminals with the font of a text console, or older than Unicode."""

_MARKS = (
    ("\u203a→▸▶►\u2039←◂◀↑▴▲↓▾▼", ">>>>><<<<^^^vvv"),
    ("…\u2212\u2013—\u00d7•◦■□▪“”\u2018\u2019«»", "~---x*o#o*\"\"''<>"),
    ("✔✗✘◌◑◒◓◇◆★⚠↻↺↵⏎", "+xxo%%%o**!~~$$"),
    ("─━│┃┄┅┆┇┈┉┊┋╌╍╎╏═║", "-=|#-=:#-=:#-=:#=#"),
    ("╴╵╶╷╸╹╺╻╼╽╾╿╱╲╳", "-|-|=#=#=#=#/\\X"),
    ("▁▂▃▄▅▆▇█", "_.-:=+*#"),
    ("▉▊▋▌▍▎▏▐▕▔▀░▒▓", "##|||||||-^.:%"),
    ("▖▗▘▙▚▛▜▝▞▟", "..'####'##"),
    ("\ufffd", "?"),
)
"""Marks, and one ASCII character for each: arrows, typography, signs, lines, bars (`_.-:=+*#` rises), blocks."""

_HEAVY = "┏┓┗┛┣┫┳┻╋╔╗╚╝╠╣╦╩╬"
"""Corners and crossings that stay apart from light ones: a heavy frame is around the pane that has the focus."""


def _ascii() -> dict[int, str]:
    corners = dict.fromkeys((*range(0x250C, 0x254C), *range(0x2552, 0x2571)), "+")
    heavy = dict.fromkeys(map(ord, _HEAVY), "#")
    controls = dict.fromkeys(range(0x2400, 0x2427), "^")  # the pictures of control characters
    rest = {ord(mark): to for marks, to_all in _MARKS for mark, to in zip(marks, to_all, strict=True)}
    return corners | heavy | controls | rest | {ord(sign): to for sign, to in shapes() if not sign.isascii()}


ASCII = _ascii()
"""Code point of a mark -> the ASCII character that stands for it."""


def plain(text: str) -> str:
    """`text` with every mark of ours in ASCII, as wide as before."""
    return text if text.isascii() else text.translate(ASCII)


def glyphs_say(environ: Mapping[str, str]) -> Glyphs:
    """What the terminal and the locale stand for: ASCII where the locale is not UTF-8, or the font is that of a text
    console or a terminal of old. A locale that is not set at all says nothing: that is usual in containers."""
    locale = next((environ[name] for name in ("LC_ALL", "LC_CTYPE", "LANG") if environ.get(name)), "")
    poor = bool(locale) and not re.search(r"utf-?8", locale, re.IGNORECASE)
    return "ascii" if poor or _POOR.fullmatch(environ.get("TERM", "")) else "unicode"


def wants_ascii(environ: Mapping[str, str], remembered: str = "auto") -> bool:
    """Whether marks and frames are drawn in ASCII: NIGHTDESK_ASCII=1 says so, =0 not; else as it is `remembered`
    ("ascii", "unicode"); else what the terminal stands for."""
    said = environ.get("NIGHTDESK_ASCII", "")
    if said:
        return said != "0"
    return (remembered if remembered in ("ascii", "unicode") else glyphs_say(environ)) == "ascii"
