"""What the environment says about the terminal, read before the screen library is imported (it must not be here)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, MutableMapping
from typing import IO

DEFAULTS = {"TEXTUAL_ANIMATIONS": "none", "TEXTUAL_FPS": "15", "TEXTUAL_SMOOTH_SCROLL": "0"}
"""Few bytes on a slow line: the library reads these once, when it is imported."""

ALL = 1 << 24
_SYSTEMS = {"standard": 16, "windows": 16, "256": 256, "truecolor": ALL}
_COLOURLESS = re.compile(r"vt\d+.*|.*-(?:mono|m)")
_MORE = {"alacritty": "truecolor", "foot": "truecolor", "wezterm": "truecolor", "xterm-ghostty": "truecolor"}
"""Terminals that show more than their name tells the library, which knows `-256color` and COLORTERM only. ssh passes
the name and not COLORTERM."""

_INSTEAD = "`nightdesk status` prints the same facts as plain text"


def prepare(environ: MutableMapping[str, str]) -> None:
    """Fill in the defaults that the screen library reads at import; what the operator set stays."""
    for name, value in DEFAULTS.items():
        environ.setdefault(name, value)
    for name in ("COLUMNS", "LINES"):  # the terminal knows, also after it was resized
        environ.pop(name, None)
    if "COLORTERM" not in environ and (more := _MORE.get(_kind(environ.get("TERM", "")))):
        environ.setdefault("TEXTUAL_COLOR_SYSTEM", more)
    if environ.get("TERM_PROGRAM") == "iTerm.app" or environ.get("LC_TERMINAL") == "iTerm2":
        environ.setdefault("TEXTUAL_DISABLE_KITTY_KEY", "1")  # the kitty protocol breaks input methods there


def _kind(term: str) -> str:
    return term.removesuffix("-extra").removesuffix("-direct")


def unusable(stdin_tty: bool, stderr_tty: bool, environ: Mapping[str, str]) -> str | None:
    """Why no screen can be drawn here, as one sentence with the way out; None when it can.

    The screen is read from stdin and written to stderr; stdout may be anything.
    """
    missing = [name for name, tty in (("stdin", stdin_tty), ("stderr", stderr_tty)) if not tty]
    if missing:
        verb = "is" if len(missing) == 1 else "are"
        return f"The console needs a terminal, but {' and '.join(missing)} {verb} not one: {_INSTEAD}."
    term = environ.get("TERM", "")
    if term in ("", "dumb"):
        what = f"TERM={term} cannot draw a screen" if term else "TERM is not set, so no screen can be drawn"
        return f"{what}: {_INSTEAD}; in a real terminal set TERM, for example to xterm-256color."
    return None


def wants_mouse(environ: Mapping[str, str], remembered: bool = True) -> bool:
    """Whether to ask the terminal for mouse reports. NIGHTDESK_MOUSE says so or not; else not over Mosh, where they
    take away the terminal's own selection and come late; else as it is `remembered`."""
    said = environ.get("NIGHTDESK_MOUSE", "")
    return said != "0" if said else remembered and "MOSH_CONNECTION" not in environ


def no_color(environ: Mapping[str, str]) -> bool:
    """NO_COLOR present in any form, also empty (the screen library takes it that way too), or a terminal of old."""
    return "NO_COLOR" in environ or bool(_COLOURLESS.fullmatch(environ.get("TERM", "")))


def colours(environ: Mapping[str, str]) -> int:
    """How many colours the terminal says that it shows, as the screen library reads that: 16, 256 or all."""
    forced = environ.get("TEXTUAL_COLOR_SYSTEM", "auto").lower()
    if forced in _SYSTEMS:
        return _SYSTEMS[forced]
    if environ.get("COLORTERM", "").strip().lower() in ("truecolor", "24bit"):
        return ALL
    term = environ.get("TERM", "").strip().lower()
    return 256 if term.endswith(("-256color", "-kitty")) or term in ("256color", "kitty") else 16 if term else ALL


def theme_name(environ: Mapping[str, str], chosen: str, ansi: Callable[[str], bool] = lambda name: False) -> str:
    """The theme that is shown for the one that is `chosen`. `mono` under NO_COLOR (states by glyph and word, cursor by
    reverse); where there are sixteen colours `sixteen`, in the terminal's own, for any theme that needs more. ansi:
    whether a theme makes do with those."""
    if no_color(environ):
        return "mono"
    return "sixteen" if colours(environ) == 16 and not ansi(chosen) else chosen


def make_utf8(stream: IO[str]) -> None:
    """Let `stream` write UTF-8 whatever the locale says; borders appear as `\\u2594` otherwise."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None and (getattr(stream, "encoding", "") or "").lower() != "utf-8":
        reconfigure(encoding="utf-8", errors="replace")
