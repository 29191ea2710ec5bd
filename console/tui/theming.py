"""Themes as data: YAML files with known keys and values of known shape, or a sentence that says what is wrong.

A value ends up inside a stylesheet, so it must be a colour, a number or a text style and nothing else. No file here
can keep the console from starting.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from textual.app import App
from textual.color import Color, ColorParseError
from textual.theme import Theme

import console

TONES = ("go", "needs", "broke", "quiet")
"""The colours of states: `state-go` and so on, each with a text style `state-go-style`."""

_COLOURS = frozenset(
    [
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
    ]
)
_STYLE_WORDS = frozenset(["none", "bold", "dim", "italic", "underline", "reverse", "strike"])
_NUMBERS = {"luminosity-spread", "text-alpha"}
_KEYS = frozenset({"name", "dark", "ansi", "variables", *_COLOURS, *_NUMBERS})
_NAME = re.compile(r"[a-z][a-z0-9-]{0,31}")
_COLOUR_TEXT = re.compile(r"(?P<colour>#[0-9a-fA-F]{3,8}|[a-z_]+|(?:rgb|hsl)a?\([0-9., %]+\))")
_SIZE_LIMIT = 64 * 1024
_COLOUR_CURE = 'write a colour such as "#3fb950", "red" or "ansi_green"'
_STYLE_CURE = f"use words from: {', '.join(sorted(_STYLE_WORDS))}"


@dataclass(frozen=True, slots=True)
class BadTheme:
    """One thing wrong with a theme file. key: dotted path of the setting, "" for the file as a whole."""

    file: str
    key: str
    problem: str
    cure: str

    def sentence(self) -> str:
        where = f"{self.file}: {self.key}" if self.key else self.file
        return f"{where}: {self.problem}; {self.cure}."


def themes_dir() -> Path:
    """The folder of the themes that come with the console: in the installed package, or in a checkout."""
    package = Path(console.__file__).resolve().parent
    installed = package / "_data" / "themes"
    return installed if installed.is_dir() else package.parent / "themes"


def variable_defaults(theme: Theme) -> dict[str, str]:
    """Our own stylesheet variables, derived from `theme` for all that it does not set itself."""
    base = theme.to_color_system().generate()
    quiet = "ansi_default" if theme.ansi else _between(base["foreground"], base["background"])
    colours = {
        "state-go": base["text-success"],
        "state-needs": base["text-warning"],
        "state-broke": base["text-error"],
        "state-quiet": quiet,
        "diff-added": base["text-success"],
        "diff-removed": base["text-error"],
        "diff-hunk": base["text-primary"],
        "diff-file": base["foreground"],
        "diff-hazard": base["text-warning"],
        "code-string": base["text-accent"],
        "code-comment": quiet,
        "code-keyword": base["text-primary"],
        "code-number": base["text-warning"],
    }
    plain = (*(f"state-{tone}-style" for tone in TONES), "diff-added-style", "diff-removed-style")
    styles = dict.fromkeys(plain, "none") | {"diff-hazard-style": "reverse"}
    styles |= {"state-needs-style": "bold", "diff-file-style": "bold"}
    own = colours | styles | {"state-quiet-style": "dim" if theme.ansi else "none"}
    return dict.fromkeys(_ordinary_variables() - base.keys(), "ansi_default") | own


def _between(ink: str, ground: str) -> str:
    """A quieter ink without alpha, which styles of single cells do not have."""
    return Color.parse(ink).blend(Color.parse(ground), 0.35).hex


@lru_cache(maxsize=1)
def _ordinary_variables() -> frozenset[str]:
    """What the library's stylesheets take for granted; its generator for ansi themes leaves some of it out."""
    return frozenset(Theme(name="plain", primary="#808080").to_color_system().generate())


@lru_cache(maxsize=1)
def known_variables() -> frozenset[str]:
    """Every variable that a theme file may set: the screen library's and our own."""
    plain = Theme(name="plain", primary="#808080")
    return _ordinary_variables() | frozenset(variable_defaults(plain))


def load_theme(file: Path) -> Theme | tuple[BadTheme, ...]:
    """Read one theme file: the theme, or everything that is wrong with it."""
    raw = _read(file)
    if isinstance(raw, BadTheme):
        return (raw,)
    check = _Check(file.name)
    check.unknown("", raw, _KEYS)
    fields: dict[str, Any] = {key.replace("-", "_"): check.field(key, raw[key]) for key in raw if key in _KEYS}
    variables = fields.setdefault("variables", {})
    fields.setdefault("name", file.stem)
    if not _NAME.fullmatch(str(fields["name"])):
        check.add("name", "is not usable as a name", "use lower-case letters, digits and hyphens")
    if "primary" not in fields:
        check.add("primary", "is missing", _COLOUR_CURE)
    if check.found:
        return tuple(check.found)
    return Theme(**fields | {"variables": {key: str(value) for key, value in variables.items()}})


def load_themes(folders: Iterable[Path]) -> tuple[dict[str, Theme], list[BadTheme]]:
    """All themes of some folders (a later folder's name wins) and everything wrong; a missing folder is empty."""
    themes: dict[str, Theme] = {}
    bad: list[BadTheme] = []
    for folder in folders:
        for file in sorted(folder.glob("*.yaml")):
            match load_theme(file):
                case Theme() as theme:
                    themes[theme.name] = theme
                case problems:
                    bad.extend(problems)
    return themes, bad


def register_themes(app: App[Any], user_folder: Path | None = None) -> list[BadTheme]:
    """Make our themes and the user's known to the app; what is wrong comes back and the rest is registered."""
    folders = [themes_dir()] if user_folder is None else [themes_dir(), user_folder]
    themes, bad = load_themes(folders)
    for theme in themes.values():
        app.register_theme(theme)
    return bad


def use_theme(app: App[Any], name: str) -> BadTheme | None:
    """Switch the app to a registered theme; on any problem the current theme stays and the problem comes back."""
    theme = app.available_themes.get(name)
    if theme is None:
        return BadTheme("theme", name, "is not known", _closest(name, app.available_themes))
    probe = app.stylesheet.copy()
    try:
        variables = theme.to_color_system().generate() | theme.variables
        probe.set_variables(variable_defaults(theme) | variables)
        probe.reparse()
    except Exception as error:  # the library raises several kinds for one bad value
        return BadTheme("theme", name, f"does not fit the stylesheet ({type(error).__name__})", "use another theme")
    app.theme = name
    return None


def _read(file: Path) -> dict[str, object] | BadTheme:
    import yaml

    try:
        data = file.read_bytes()
        if len(data) > _SIZE_LIMIT:
            return BadTheme(file.name, "", f"is larger than {_SIZE_LIMIT} bytes", "keep only theme settings in it")
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the same rules in C, where PyYAML was built with it
        raw = yaml.load(data.decode("utf-8"), Loader=loader)
    except OSError as error:
        return BadTheme(file.name, "", f"cannot be read ({error.strerror})", "check the file and its permissions")
    except UnicodeDecodeError:
        return BadTheme(file.name, "", "is not UTF-8", "save it as UTF-8")
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        line = f" (line {mark.line + 1})" if mark is not None else ""
        return BadTheme(file.name, "", f"is not YAML{line}", "write `key: value` lines, colours in quotes")
    if not isinstance(raw, dict):
        return BadTheme(file.name, "", "holds no settings", "write `key: value` lines, starting with `primary`")
    return {str(key): value for key, value in raw.items()}


class _Check:
    """Collects every problem of one file."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.found: list[BadTheme] = []

    def add(self, key: str, problem: str, cure: str) -> None:
        self.found.append(BadTheme(self.file, key, problem, cure))

    def unknown(self, parent: str, given: Iterable[str], known: Iterable[str]) -> None:
        for key in given:
            if key not in known:
                self.add(f"{parent}{_short(key)}", "is not a known setting", _closest(key, known))

    def field(self, key: str, value: object) -> Any:
        if key in _COLOURS:
            return self._want(key, value, _is_colour, _COLOUR_CURE)
        if key in _NUMBERS:
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
        for key in given.keys() & known:
            if "-style" in key:
                self._want(f"variables.{key}", given[key], _is_style, _STYLE_CURE)
            else:
                self._want(f"variables.{key}", given[key], _is_colour, _COLOUR_CURE)
        return given

    def _want(self, key: str, value: object, fits: Callable[[object], bool], cure: str) -> object:
        if not fits(value):
            self.add(key, f"cannot be {_short(repr(value))}", cure)
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
    return isinstance(value, str) and bool(value) and _STYLE_WORDS.issuperset(value.split(" "))


def _is_share(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def _short(text: str) -> str:
    return ascii(text).strip("'")[:40]


def _closest(name: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, sorted(known), n=1)
    return f"did you mean `{near[0]}`?".rstrip("?") if near else "remove it, or see themes/dark.yaml for what there is"
