"""What the environment says about the terminal, read before the screen library is imported (it must not be here)."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from typing import IO

DEFAULTS = {"TEXTUAL_ANIMATIONS": "none", "TEXTUAL_FPS": "15", "TEXTUAL_SMOOTH_SCROLL": "0"}
"""Few bytes on a slow line: the library reads these once, when it is imported."""

_INSTEAD = "`nightdesk status` prints the same facts as plain text"


def prepare(environ: MutableMapping[str, str]) -> None:
    """Fill in the defaults that the screen library reads at import; what the operator set stays."""
    for name, value in DEFAULTS.items():
        environ.setdefault(name, value)
    if environ.get("TERM_PROGRAM") == "iTerm.app" or environ.get("LC_TERMINAL") == "iTerm2":
        environ.setdefault("TEXTUAL_DISABLE_KITTY_KEY", "1")  # the kitty protocol breaks input methods there


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


def wants_mouse(environ: Mapping[str, str]) -> bool:
    """Whether to ask the terminal for mouse reports: not over Mosh, and not when NIGHTDESK_MOUSE=0."""
    return "MOSH_CONNECTION" not in environ and environ.get("NIGHTDESK_MOUSE", "1") != "0"


def no_color(environ: Mapping[str, str]) -> bool:
    """NO_COLOR present in any form, also empty: the screen library takes it that way too."""
    return "NO_COLOR" in environ


def theme_name(environ: Mapping[str, str], chosen: str) -> str:
    """The theme to start with: `mono` under NO_COLOR (states by glyph and word, cursor by reverse), else `chosen`."""
    return "mono" if no_color(environ) else chosen


def make_utf8(stream: IO[str]) -> None:
    """Let `stream` write UTF-8 whatever the locale says; borders appear as `\\u2594` otherwise."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None and (getattr(stream, "encoding", "") or "").lower() != "utf-8":
        reconfigure(encoding="utf-8", errors="replace")
