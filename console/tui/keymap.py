"""The user's own keys: `keys.yaml` read into a keymap, and everything that is wrong with it, each with line and cure.

A bad line changes nothing: the key of the table stays. Whatever the file says, there is a key for help, for leaving,
for one step back and for the palette. Digits stay what they are, and so do the keys of text fields and dialogs.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from console.present import keytable
from console.present.keytable import NO_KEY, PARTS, ROWS, SCREENS, SIGNS, Row
from console.present.text import clean

NAME = "keys.yaml"
LARGEST = 16 * 1024
"""Bytes of a file that is read."""
OFF = ("none", "null", "~", "off")
_ALIASES = {
    "esc": "escape",
    "return": "enter",
    "del": "delete",
    "ins": "insert",
    "pgup": "pageup",
    "pgdn": "pagedown",
    "bs": "backspace",
    "spacebar": "space",
}
_NAMED = {
    *("escape", "enter", "tab", "space", "backspace", "delete", "insert", "home", "end", "pageup", "pagedown"),
    *("up", "down", "left", "right"),
    *(f"f{number}" for number in range(1, 25)),
}
_SWALLOWED = ("ctrl+b", "ctrl+q", "ctrl+s")
_SAME = {"ctrl+m": "enter", "ctrl+i": "tab", "ctrl+j": "enter", "ctrl+h": "backspace", "ctrl+[": "escape"}
"""What a terminal sends the same byte for."""


@dataclass(frozen=True, slots=True)
class Problem:
    """line: counted from 1, 0 for the whole file."""

    file: str
    line: int
    what: str
    cure: str

    @property
    def place(self) -> str:
        return f"{self.file}:{self.line}" if self.line else self.file

    def sentence(self) -> str:
        return f"{self.place}: {self.what}; {self.cure}"


@dataclass(frozen=True, slots=True)
class Wanted:
    """A line of the file that is right in itself. keys: Textual's names, () for none."""

    id: str
    keys: tuple[str, ...]
    line: int


@dataclass(frozen=True, slots=True)
class Keymap:
    """own: id -> keys with commas, as `App.set_keymap` wants them, NO_KEY for none."""

    own: Mapping[str, str]
    problems: Sequence[Problem]


def load(folder: Path) -> Keymap:
    """Of `keys.yaml` in that folder; no such file: nothing is changed, nothing is wrong. Reads, and never raises."""
    path = folder / NAME
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except FileNotFoundError:
        return Keymap({}, ())
    except OSError as error:
        return Keymap({}, (Problem(str(path), 0, f"it cannot be read: {error.strerror}", "the usual keys are used"),))
    if len(data) > LARGEST:
        return Keymap({}, (Problem(str(path), 0, f"it has more than {LARGEST} bytes", "leave only what differs"),))
    try:
        return read(data.decode("utf-8"), str(path))
    except UnicodeDecodeError:
        return Keymap({}, (Problem(str(path), 0, "it is not UTF-8", "save it as UTF-8"),))


def told(problems: Sequence[Problem]) -> str:
    """All of them in one toast; "" for none."""
    if not problems:
        return ""
    first = problems[0].sentence()
    return first if len(problems) == 1 else f"{first}\nand {len(problems) - 1} more: {keytable.key('help')} lists them"


def read(text: str, file: str = NAME) -> Keymap:
    """What a file of this text says, and all that is wrong with it at once."""
    problems: list[Problem] = []
    wanted: dict[str, Wanted] = {}
    for line, name, given in _pairs(text, file, problems):
        found = _line(file, line, name, given)
        if isinstance(found, Problem):
            problems.append(found)
        elif found.id in wanted:
            cure = f"leave one of them; line {wanted[found.id].line} counts"
            problems.append(Problem(file, line, f"`{found.id}` is there twice", cure))
        else:
            wanted[found.id] = found
    kept = _settled(wanted, file, problems)
    own = {ident: ",".join(each.keys) or NO_KEY for ident, each in kept.items()}
    return Keymap(own, tuple(sorted(problems, key=lambda each: each.line)))


# -- the file ----------------------------------------------------------------------------------------------


def _pairs(text: str, file: str, problems: list[Problem]) -> Iterator[tuple[int, str, Sequence[str] | None]]:
    """Line, name and what is given for it; None for what is neither a key nor a list of keys."""
    import yaml

    try:
        root: Any = yaml.compose(text, Loader=yaml.SafeLoader)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        said = clean(str(getattr(error, "problem", None) or error), limit=120)
        cure = 'put a key that is a sign into quotes: help: "?"'
        problems.append(Problem(file, mark.line + 1 if mark else 0, f"it is not YAML ({said})", cure))
        return
    if root is None:
        return
    if not isinstance(root, yaml.MappingNode):
        cure = "write a line for each verb: approve: a"
        problems.append(Problem(file, root.start_mark.line + 1, "it is no list of names with their keys", cure))
        return
    for key, value in root.value:
        given: Sequence[str] | None = None
        if isinstance(value, yaml.ScalarNode):
            given = (str(value.value),)
        elif isinstance(value, yaml.SequenceNode) and all(isinstance(each, yaml.ScalarNode) for each in value.value):
            given = tuple(str(each.value) for each in value.value)
        name = str(key.value) if isinstance(key, yaml.ScalarNode) else ""
        yield key.start_mark.line + 1, name, given


def _line(file: str, line: int, name: str, given: Sequence[str] | None) -> Wanted | Problem:
    """One line by itself."""

    def wrong(what: str, cure: str) -> Problem:
        return Problem(file, line, what, cure)

    rows = [row for row in ROWS if row.id == name]
    if not rows:
        return wrong(f"there is no verb `{clean(name, limit=40)}`", _near(name))
    row = rows[0]
    if all(each.fixed for each in rows):
        return wrong(f"`{name}` cannot be moved", "remove the line")
    if given is None:
        return wrong(
            f"`{name}` has neither a key nor a list of keys", f"write {name}: {keytable.label('f5')}, or a list"
        )
    if not given or [each.casefold() for each in given] in [[word] for word in OFF]:
        if any(each.kept for each in rows):
            return wrong(f"`{name}` cannot be switched off", "give it another key: nobody must get lost")
        return Wanted(name, (), line)
    keys: list[str] = []
    for each in given:
        key = textual_name(each)
        if why := _unusable(each, key, rows):
            return wrong(f"`{name}`: {why[0]}", why[1])
        keys += [key] if key not in keys else []
    if all(_swallowed(key) for key in keys):
        said = ", ".join(keytable.label(key) for key in keys)
        cure = f"add a second key that always arrives: [{row.keys.split(',')[0] or 'f5'}, {keys[0]}]"
        return wrong(f"`{name}`: {said} never arrives in many terminals (tmux, flow control, Alt)", cure)
    return Wanted(name, tuple(keys), line)


def _near(name: str) -> str:
    ids = list(dict.fromkeys(row.id for row in ROWS if not row.fixed))
    close = difflib.get_close_matches(name.casefold().replace("_", "-").replace(" ", "-"), ids, 1, 0.6)
    return f"did you mean `{close[0]}`?" if close else "`?` on any screen and docs/keys.md have the names"


# -- keys --------------------------------------------------------------------------------------------------


def textual_name(given: str) -> str:
    """`A`, `?`, `Ctrl+P`, `C-p`, `Esc`, `PgDn` as Textual calls them; "" for what is no key."""
    if len(given) == 1:
        return _of_character(given)
    text = given.strip()
    if len(text) > 2 and text[1] == "-" and text[0] in "CcMmAaSs":  # as in tmux: C-p
        text = {"c": "ctrl", "m": "alt", "a": "alt", "s": "shift"}[text[0].casefold()] + "+" + text[2:]
    *held, last = text.split("+") if not text.endswith("++") else [*text[:-2].split("+"), "+"]
    held = sorted(
        {"control": "ctrl", "meta": "alt", "option": "alt"}.get(each.casefold(), each.casefold()) for each in held
    )
    named = last.casefold()
    named = _ALIASES.get(named, named)
    if named not in _NAMED:
        if len(last) != 1:
            return named if not held and named in SIGNS.values() else ""
        named = _of_character(last.casefold() if "ctrl" in held else last)
    return "+".join([*held, named]) if set(held) <= {"ctrl", "shift", "alt"} else ""


def _of_character(char: str) -> str:
    if char.isalnum():
        return char if char.isascii() else ""
    return "space" if char == " " else SIGNS.get(char, "")


def _swallowed(key: str) -> bool:
    return key in _SWALLOWED or key.startswith("alt+") or "+alt+" in key


def _printable(key: str) -> bool:
    return len(key) == 1 or key == "space" or key in SIGNS.values()


def _unusable(given: str, key: str, rows: Sequence[Row]) -> tuple[str, str] | None:
    """Why this key is none for this verb, and what to do; None when it may be one."""
    said = clean(given, limit=30)
    *held, last = key.split("+")
    if not key:
        if not given:
            return "no key is given", 'put a sign into quotes ("?"), or write none to switch it off'
        close = difflib.get_close_matches(given.casefold(), sorted(_NAMED), 1, 0.6)
        return f"`{said}` is no key", f"did you mean `{close[0]}`?" if close else "a letter, a sign, f1 or ctrl+x"
    if key.isdigit() and not any(key in row.keys.split(",") for row in rows):
        return "digits choose what stands beside them", "take another key"
    if "ctrl" in held and (key in _SAME or f"ctrl+{given[-1]}" in _SAME):
        return f"a terminal sends {_SAME.get(key, 'another key')} for `{said}`", "take another key"
    if "ctrl" in held and len(held) == 1 and not last.isalpha():
        return f"terminals do not send `{said}`", "take ctrl with a letter, or another key"
    if "shift" in held and _printable(last):
        return f"`{said}` arrives as a character", f"write `{given[-1].upper()}`"
    if _printable(key) and any(row.priority and set(row.where) & {"desk", "app"} for row in rows):
        return f"`{said}` would be taken from the fields that one types in", "take a key that types nothing"
    return None


# -- together ----------------------------------------------------------------------------------------------


def _settled(wanted: Mapping[str, Wanted], file: str, problems: list[Problem]) -> dict[str, Wanted]:
    """Without the lines whose key means something else on the same screen already; that is said."""
    kept = dict(wanted)
    while clash := _clash(kept):
        mine, other, key, screen = clash
        del kept[mine.id]
        moved = f"line {kept[other].line} gives it to" if other in kept else "it is the key of"
        what = f"`{mine.id}`: {keytable.label(key)} is taken: {moved} `{other}` ({screen})"
        problems.append(Problem(file, mine.line, what, f"move `{other}`, too, or take another key"))
    return kept


def _clash(wanted: Mapping[str, Wanted]) -> tuple[Wanted, str, str, str] | None:
    """The line of the file that takes a key of another verb on some screen; of two lines, the later one."""
    found: list[tuple[Wanted, str, str, str]] = []
    for screen in SCREENS:
        held: dict[str, list[Row]] = {}
        for row in ROWS:
            if screen in _screens(row):
                for key in _keys(row, wanted):
                    held.setdefault(key, []).append(row)
        for key, rows in held.items():
            mine = [wanted[row.id] for row in rows if row.id in wanted and not row.fixed]
            others = [row.id for row in rows]
            if mine and len(set(others)) > 1:
                last = max(mine, key=lambda each: each.line)
                found.append((last, next(each for each in others if each != last.id), key, screen))
    return max(found, key=lambda each: each[0].line) if found else None


def _keys(row: Row, wanted: Mapping[str, Wanted]) -> Sequence[str]:
    if row.id in wanted and not row.fixed:
        return wanted[row.id].keys
    return [each for each in row.keys.split(",") if each]


def _screens(row: Row) -> set[str]:
    """Where its keys are read."""
    if "app" in row.where:
        return set(SCREENS)
    return {screen for where in row.where for screen in PARTS.get(where, (where,))}
