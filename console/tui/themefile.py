"""One theme file: known keys and values of known shape, or every sentence that says what is wrong and where.

A value ends up inside a stylesheet, so it must be a colour, a number, a text style or a kind of frame and nothing else.
"""

from __future__ import annotations

import difflib
import os
import re
import reprlib
import stat
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textual.color import Color, ColorParseError
from textual.theme import Theme

from console.tui.themevars import FRAME_KINDS, FRAMES, known_variables

COLOURS = (
    "primary",
    "secondary",
    "warning",
    "error",
    "success",
    "accent",
    "foreground",
    "background",
    "surface",
    "panel",
    "boost",
)
STYLE_WORDS = ("none", "bold", "dim", "italic", "underline", "reverse", "strike")
NUMBERS = ("luminosity-spread", "text-alpha")
KEYS = frozenset({"name", "dark", "ansi", "variables", *COLOURS, *NUMBERS})
_NAME = re.compile(r"[a-z][a-z0-9-]{0,31}")
_COLOUR_TEXT = re.compile(r"(?P<colour>#[0-9a-fA-F]{3,8}|[a-z_]+|(?:rgb|hsl)a?\([0-9., %]+\))")
_SIZE_LIMIT = 64 * 1024
_COLOUR_CURE = 'write a colour such as "#3fb950", "red" or "ansi_green"'
_STYLE_CURE = f"use words from: {', '.join(sorted(STYLE_WORDS))}"
_FRAME_CURE = f"use one of: {', '.join(FRAME_KINDS)}"


@dataclass(frozen=True, slots=True)
class BadTheme:
    """One thing wrong with a theme file. key: dotted path of the setting, "" for the file as a whole; line: from 1, 0
    when it is nowhere in particular."""

    file: str
    key: str
    problem: str
    cure: str
    line: int = 0

    def sentence(self) -> str:
        places = (self.file + (f":{self.line}" if self.line else ""), self.key)
        return f"{': '.join(place for place in places if place)}: {self.problem}; {self.cure}."


@dataclass(frozen=True, slots=True)
class _Raw:
    """What a file says. lines: dotted path of a setting -> its line, from 1."""

    settings: dict[str, object]
    lines: Mapping[str, int]


def load_theme(file: Path) -> Theme | tuple[BadTheme, ...]:
    """Read one theme file: the theme, or everything that is wrong with it."""
    raw = _read(file)
    if isinstance(raw, BadTheme):
        return (raw,)
    check = _Check(file.name, raw.lines)
    check.unknown("", raw.settings, KEYS)
    fields: dict[str, Any] = {
        key.replace("-", "_"): check.field(key, value) for key, value in raw.settings.items() if key in KEYS
    }
    variables = fields.setdefault("variables", {})
    fields.setdefault("name", file.stem)
    if not _NAME.fullmatch(str(fields["name"])):
        check.add("name", "is not usable as a name", "use lower-case letters, digits and hyphens")
    if "primary" not in fields:
        check.add("primary", "is missing", _COLOUR_CURE)
    if check.found:
        return tuple(check.found)
    return Theme(**fields | {"variables": {key: str(value) for key, value in variables.items()}})


def about(file: Path) -> str:
    """What a theme file says of itself: the text of its first line when that is a comment, else ""."""
    text = _bytes(file)
    first = "" if isinstance(text, BadTheme) else text.decode("utf-8", "replace").partition("\n")[0]
    return first.lstrip("# ").strip() if first.startswith("#") else ""


def _bytes(file: Path) -> bytes | BadTheme:
    """A named pipe or a device is no theme: reading it could last for ever."""
    try:
        with open(os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as opened:
            if not stat.S_ISREG(os.fstat(opened.fileno()).st_mode):
                return BadTheme(file.name, "", "is not a file", "put a text file in its place")
            data = opened.read(_SIZE_LIMIT + 1)
    except OSError as error:
        return BadTheme(file.name, "", f"cannot be read ({error.strerror})", "check the file and its permissions")
    if len(data) > _SIZE_LIMIT:
        return BadTheme(file.name, "", f"is larger than {_SIZE_LIMIT} bytes", "keep only theme settings in it")
    return data


def _read(file: Path) -> _Raw | BadTheme:
    import yaml

    data = _bytes(file)
    if isinstance(data, BadTheme):
        return data
    kind = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the same rules in C, where PyYAML was built with it
    try:
        text = data.decode("utf-8")
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text, Loader=kind)):
            return BadTheme(file.name, "", "refers to another value (*name)", "write each value out")
        loader = kind(text)
        try:
            node = loader.get_single_node()
            if twice := _twice(node):
                return BadTheme(file.name, twice[0], "is there twice", "leave one of them", twice[1])
            raw = loader.construct_document(node) if node is not None else None
        finally:
            loader.dispose()
    except UnicodeDecodeError:
        return BadTheme(file.name, "", "is not UTF-8", "save it as UTF-8")
    except (yaml.YAMLError, ValueError, LookupError, AttributeError, TypeError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark is not None else 0
        return BadTheme(file.name, "", "is not YAML", "write `key: value` lines, colours in quotes", line)
    if not isinstance(raw, dict):
        return BadTheme(file.name, "", "holds no settings", "write `key: value` lines, starting with `primary`")
    return _Raw({str(key): value for key, value in raw.items()}, _lines(node))


def _twice(node: Any, parent: str = "") -> tuple[str, int] | None:
    """A name that stands there again, and on which line."""
    seen: set[str] = set()
    for key, value in node.value if getattr(node, "id", "") == "mapping" else ():
        name = str(key.value)
        if name in seen:
            return f"{parent}{_short(name)}", key.start_mark.line + 1
        seen.add(name)
        if not parent and name == "variables" and (found := _twice(value, "variables.")):
            return found
    return None


def _lines(node: Any, parent: str = "") -> dict[str, int]:
    found: dict[str, int] = {}
    for key, value in node.value:
        path = f"{parent}{getattr(key, 'value', '')}"
        found[path] = key.start_mark.line + 1
        if not parent and path == "variables" and hasattr(value, "value") and isinstance(value.value, list):
            found |= _lines(value, "variables.") if value.id == "mapping" else {}
    return found


class _Check:
    """Collects every problem of one file."""

    def __init__(self, file: str, lines: Mapping[str, int]) -> None:
        self.file = file
        self.lines = lines
        self.found: list[BadTheme] = []

    def add(self, key: str, problem: str, cure: str, at: str = "") -> None:
        """at: the path in the file, where it differs from the key as it is told."""
        self.found.append(BadTheme(self.file, key, problem, cure, self.lines.get(at or key, 0)))

    def unknown(self, parent: str, given: Iterable[str], known: Iterable[str]) -> None:
        for key in given:
            if key not in known:
                self.add(f"{parent}{_short(key)}", "is not a known setting", closest(key, known), f"{parent}{key}")

    def field(self, key: str, value: object) -> Any:
        if key in COLOURS:
            return self._want(key, value, _is_colour, _COLOUR_CURE)
        if key in NUMBERS:
            return self._want(key, value, _is_share, "write a number between 0 and 1")
        if key in ("dark", "ansi"):
            return self._want(key, value, lambda given: isinstance(given, bool), "write true or false")
        if key == "variables":
            return self._variables(value)
        return value

    def _variables(self, value: object) -> dict[str, object]:
        if not isinstance(value, dict):
            self.add("variables", "is not a list of names", "write `name: value` lines under it")
            return {}
        given = {str(key): entry for key, entry in value.items()}
        known = known_variables()
        self.unknown("variables.", given, known)
        for key in (key for key in given if key in known):
            if key in FRAMES:
                self._want(f"variables.{key}", given[key], lambda kind: kind in FRAME_KINDS, _FRAME_CURE)
            elif "-style" in key:
                self._want(f"variables.{key}", given[key], _is_style, _STYLE_CURE)
            else:
                self._want(f"variables.{key}", given[key], _is_colour, _COLOUR_CURE)
        return given

    def _want(self, key: str, value: object, fits: Callable[[object], bool], cure: str) -> object:
        if not fits(value):
            self.add(key, f"cannot be {_short(reprlib.repr(value))}", cure)
        return value


def _is_colour(value: object) -> bool:
    shape = _COLOUR_TEXT.fullmatch(value) if isinstance(value, str) else None
    if shape is None:
        return False
    try:
        Color.parse(shape["colour"])
    except ColorParseError:
        return False
    return True


def _is_style(value: object) -> bool:
    return isinstance(value, str) and bool(value) and set(STYLE_WORDS).issuperset(value.split(" "))


def _is_share(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def _short(text: str) -> str:
    return ascii(text).strip("'")[:40]


def closest(name: str, known: Iterable[str]) -> str:
    """A cure for a name that is not `known`."""
    near = difflib.get_close_matches(name, sorted(known), n=1)
    return f"did you mean `{near[0]}`?".rstrip("?") if near else "remove it, or see docs/themes.md for what there is"
