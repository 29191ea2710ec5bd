"""Every verb of the screen: its name in keys.yaml, its keys, its words, and where it is. Pure: `tui/keys.py` makes
bindings of it, and whoever names a key in a sentence asks `key("undo")`, so that a key of the user's own is told."""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from console.present.keyrows import TABLE

NO_KEY = "<none>"
"""Stands for "on no key": no terminal sends it."""

BENCH = ("desk", "review", "board")
"""Screens that show one thing and let keys act on it."""
SCREENS = (*BENCH, "night", "welcome")
PARTS = {"list": ("desk", "board", "night"), "text": BENCH, "diff": BENCH}
"""Parts of a screen that have keys of their own while they have the focus, and the screens that have them."""


@dataclass(frozen=True, slots=True)
class Row:
    """id: the name in keys.yaml. keys: Textual's names, with commas; "" for none. action: Textual's; "" for a row that
    only says what several keys do. where: screens, "app" for all of them, or PARTS. does: one sentence, without its
    end. shown: how its keys are listed, "" for one after the other. fixed: keys.yaml cannot move it. kept: it may get
    other keys, but never be left without one. priority: before whatever has the focus."""

    id: str
    keys: str
    action: str
    where: tuple[str, ...]
    title: str
    does: str
    group: str
    fixed: bool = False
    kept: bool = False
    priority: bool = False
    shown: str = ""

    @property
    def check(self) -> str:
        """Name of the screen's function that says why the verb does nothing now, "" when it works."""
        return f"why_not_{self.id.replace('-', '_')}"


def _read(table: str) -> tuple[Row, ...]:
    """A line `# Group`, then for each verb a line of columns two blanks apart and an indented sentence."""
    found: list[Row] = []
    group = ""
    lines = iter(table.splitlines())
    for line in lines:
        if line.startswith("#"):
            group = line[2:]
            continue
        ident, keys, action, where, title, *marks = re.split(r"\s{2,}", line)
        marked = dict(mark.partition("=")[::2] for mark in "".join(marks).strip("[]").split())
        found.append(
            Row(
                ident,
                keys.strip("-"),
                action.strip("-"),
                SCREENS if where == "screens" else tuple(where.split()),
                title,
                next(lines).strip(),
                group,
                fixed="fixed" in marked,
                kept="kept" in marked,
                priority="priority" in marked,
                shown=marked.get("shown", ""),
            )
        )
    return tuple(found)


ROWS = _read(TABLE)
GROUPS = tuple(dict.fromkeys(row.group for row in ROWS))

_NAMES = {"solidus": "slash", "reverse_solidus": "backslash", "commercial_at": "at", "low_line": "underscore"}
_NAMES |= {"hyphen_minus": "minus", "plus_sign": "plus"}


def _sign(char: str) -> str:
    name = unicodedata.name(char).casefold().replace("-", "_").replace(" ", "_")
    return _NAMES.get(name, name)


SIGNS = {char: _sign(char) for char in string.punctuation}
"""Signs of the keyboard and what Textual calls them."""
_LABELS = {name: char for char, name in SIGNS.items()} | {
    "escape": "Esc",
    "pagedown": "PgDn",
    "pageup": "PgUp",
    "space": "space",
}

_own: dict[str, str] = {}
"""What the user's keymap says instead: id -> keys with commas, NO_KEY for none."""


def use(own: Mapping[str, str]) -> None:
    """From now on these keys instead of the table's, for every sentence and list."""
    _own.clear()
    _own.update(own)


def keys_of(row: Row) -> tuple[str, ...]:
    """The keys that it is on now, () for none."""
    found = row.keys if row.fixed else _own.get(row.id, row.keys)
    return tuple(each for each in found.split(",") if each and each != NO_KEY)


def label(key: str) -> str:
    """A key as people write it: `?`, `Ctrl+P`, `F1`, `Enter`."""
    *held, last = key.split("+")
    said = _LABELS.get(last) or (last if len(last) == 1 else last.capitalize())
    return "+".join([*(each.capitalize() for each in held), said.upper() if held and len(said) == 1 else said])


def labels(row: Row) -> str:
    """All its keys, for a list: `? F1`; "" for none."""
    return row.shown or " ".join(label(each) for each in keys_of(row))


def rows(where: str) -> Sequence[Row]:
    """Those of one screen or part, in the order of the table."""
    return [row for row in ROWS if where in row.where]


def find(ident: str, where: str = "") -> Row | None:
    """The verb of that name; of several, the one of that screen."""
    named = [row for row in ROWS if row.id == ident]
    return next((row for row in named if where in row.where), named[0] if named else None)


def key(ident: str, where: str = "") -> str:
    """The first key of a verb, for a sentence: `u`. A verb on no key is named by its way through the palette."""
    row = find(ident, where)
    assert row, ident
    found = keys_of(row)
    return label(found[0]) if found else f"{key('palette')} {row.title.casefold()}"
