"""What the terminal and its environment say about how the screen will look, and what to set where it will look bad."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping

from console.adapters.doctor.findings import Finding, Look, words
from console.adapters.doctor.ground import Ground

NAME = "terminal"
COLUMNS, ROWS = 50, 20
"""Below this the screen shows a sentence only."""
SLOW_ESCAPE = 50
"""Milliseconds after which a lone Escape is felt to hang."""
Ask = Callable[..., str | None]


def window() -> tuple[int, int] | None:
    """(columns, rows) of the terminal that we are on, None without one."""
    for fd in (0, 1, 2):
        try:
            size = os.get_terminal_size(fd)
        except OSError:
            continue
        return size.columns, size.lines
    return None


def look(g: Ground, ask: Ask, size: tuple[int, int] | None) -> Look:
    """ask: a program of the machine, as `asking.ask`. size: as `window`."""
    if size is None:
        return Look(name=NAME, well="not looked at: there is none")
    found = (
        *_kind(g.environ),
        *_locale(g.environ),
        *_size(size),
        *_colours(g.environ),
        *(_tmux(g, ask) if g.environ.get("TMUX") else ()),
    )
    inside = ", inside tmux" if g.environ.get("TMUX") else ""
    well = f"{g.environ.get('TERM', '')}{inside}, {size[0]}x{size[1]}, UTF-8, 24 bit colours"
    return Look(name=NAME, well=well, findings=found)


def _advice(what: str, cure: str) -> Finding:
    return Finding(check=NAME, level="advice", what=what, cure=cure)


def _kind(environ: Mapping[str, str]) -> Iterator[Finding]:
    term = environ.get("TERM", "")
    if term in ("", "dumb"):
        what = f"TERM is {term or 'not set'}: no screen can be drawn, only commands work"
        yield Finding(check=NAME, level="warning", what=what, cure="export TERM=xterm-256color")
    elif term in ("linux", "vt100", "vt220", "xterm", "screen", "ansi"):
        better = "screen-256color" if term == "screen" else "xterm-256color"
        yield _advice(f"TERM={term} promises few colours, which the screen then makes do with", f"export TERM={better}")


def _locale(environ: Mapping[str, str]) -> Iterator[Finding]:
    """As the C library does it: the first of these that is set and not empty."""
    name = next((one for one in ("LC_ALL", "LC_CTYPE", "LANG") if environ.get(one)), "")
    value = environ.get(name, "") if name else ""
    if not re.search(r"utf-?8", value, re.I):
        said = f"{name}={value}" if name else "no locale is set"
        cure = "export LC_ALL=C.UTF-8"
        what = f"{said}, which is not UTF-8: frames and names can look broken"
        yield Finding(check=NAME, level="warning", what=what, cure=cure)


def _size(size: tuple[int, int]) -> Iterator[Finding]:
    columns, rows = size
    if not (columns and rows):
        yield _advice("the terminal does not say how large it is", "stty cols 120 rows 40")
    elif columns < COLUMNS or rows < ROWS:
        what = f"the window has {columns}x{rows} cells, the screen needs {COLUMNS}x{ROWS}: make it larger"
        resize = f"printf '\\e[8;{max(rows, 40)};{max(columns, 120)}t'"
        yield Finding(check=NAME, level="warning", what=what, cure=resize)


def _colours(environ: Mapping[str, str]) -> Iterator[Finding]:
    if "NO_COLOR" in environ:
        yield _advice("NO_COLOR is set: states show by sign and word only", "unset NO_COLOR")
        return
    term, said = environ.get("TERM", ""), environ.get("COLORTERM", "").lower()
    if said not in ("truecolor", "24bit") and not term.endswith("-direct"):
        over = "; over SSH it is lost unless both sides pass it on" if environ.get("SSH_CONNECTION") else ""
        what = f"COLORTERM does not say truecolor: the screen uses 256 colours{over}"
        yield _advice(what, "export COLORTERM=truecolor")


# -- tmux -------------------------------------------------------------------------------------------------------


def _tmux(g: Ground, ask: Ask) -> Iterator[Finding]:
    def option(*name: str) -> str | None:
        return ask(("tmux", "show-options", *name), g.environ, g.worktrees)

    kind = option("-gv", "default-terminal")
    if kind is None:
        yield _advice("tmux does not answer, so that its settings cannot be looked at", words("tmux", "info"))
        return
    if not re.match(r"(tmux|screen)-(256color|direct)$", kind):
        yield _advice(
            f"tmux says TERM={kind} inside: fewer colours and keys", _set("-g", "default-terminal", "tmux-256color")
        )
    through = f"{option('-gv', 'terminal-overrides') or ''} {option('-sv', 'terminal-features') or ''}"
    if not re.search(r"\bTc\b|\bRGB\b", through):
        yield _advice("tmux passes no 24 bit colours on", _set("-ga", "terminal-overrides", ",*256col*:Tc"))
    if option("-gv", "focus-events") == "off":
        yield _advice(
            "tmux does not tell of the focus: whether somebody looks is then unknown", _set("-g", "focus-events", "on")
        )
    wait = option("-sv", "escape-time") or ""
    if wait.isdigit() and int(wait) > SLOW_ESCAPE:
        yield _advice(f"tmux holds Escape back for {wait} ms", _set("-s", "escape-time", "20"))


def _set(*option: str) -> str:
    return words("tmux", "set", *option)
