"""Themes of the app: ours and the user's own, registered, switched and read again when a file changed.

What a file may say is `themefile`'s business. No file can keep the console from starting or end it.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from textual.app import App
from textual.theme import Theme

import console
from console.tui.themefile import BadTheme, about, closest, load_theme
from console.tui.themevars import TONES, known_variables, variable_defaults

__all__ = [
    "TONES",
    "BadTheme",
    "ThemeFiles",
    "about",
    "known_variables",
    "load_theme",
    "load_themes",
    "register_themes",
    "themes_dir",
    "use_theme",
    "variable_defaults",
]

LIMIT = 200
"""Theme files of one folder that are read; who has more keeps something else there."""

Stamp = tuple[int, int, int]


def themes_dir() -> Path:
    """The folder of the themes that come with the console: in the installed package, or in a checkout."""
    package = Path(console.__file__).resolve().parent
    installed = package / "_data" / "themes"
    return installed if installed.is_dir() else package.parent / "themes"


def theme_files(folder: Path) -> list[Path]:
    """The theme files of a folder by name; none where it is missing or cannot be read."""
    try:
        return sorted(file for file in folder.iterdir() if file.suffix == ".yaml")[:LIMIT]
    except OSError:
        return []


def load_themes(folders: Iterable[Path]) -> tuple[dict[str, Theme], list[BadTheme]]:
    """All themes of some folders (a later folder's name wins) and everything wrong; a missing folder is empty."""
    themes: dict[str, Theme] = {}
    bad: list[BadTheme] = []
    for folder in folders:
        for file in theme_files(folder):
            match load_theme(file):
                case Theme() as theme:
                    themes[theme.name] = theme
                case problems:
                    bad.extend(problems)
    return themes, bad


def register_themes(app: App[Any], user_folder: Path | None = None) -> list[BadTheme]:
    """Make our themes and the user's known to the app; what is wrong comes back and the rest is registered."""
    files = ThemeFiles(user_folder)
    return files.register(app)


def use_theme(app: App[Any], name: str) -> BadTheme | None:
    """Switch the app to a registered theme; on any problem the current theme stays and the problem comes back."""
    theme = app.available_themes.get(name)
    if theme is None:
        return BadTheme("theme", name, "is not known", closest(name, app.available_themes))
    if problem := _misfit(app, theme):
        return problem
    app.theme = name
    return None


def _misfit(app: App[Any], theme: Theme) -> BadTheme | None:
    probe = app.stylesheet.copy()
    try:
        variables = theme.to_color_system().generate() | theme.variables
        probe.set_variables(variable_defaults(theme) | variables)
        probe.reparse()
    except Exception as error:  # the library raises several kinds for one bad value
        said = f"does not fit the stylesheet ({type(error).__name__})"
        return BadTheme("theme", theme.name, said, "use another theme")
    return None


class ThemeFiles:
    """The themes of our folder and the user's, as they were read last. Used by one thread."""

    def __init__(self, user_folder: Path | None) -> None:
        self._user = user_folder
        self._stamps: dict[Path, Stamp] = {}
        self.abouts: dict[str, str] = {}
        """Name -> what the file says of itself, in the order of a list: ours first."""

    @property
    def names(self) -> list[str]:
        """Every theme that has a file, ours first."""
        return list(self.abouts)

    def register(self, app: App[Any]) -> list[BadTheme]:
        """Read all files and make their themes known; a theme in use whose file is gone or bad stays as it was."""
        self._stamps = self._stamped()
        bad: list[BadTheme] = []
        found: dict[str, str] = {}
        for file in self._files():
            match load_theme(file):
                case Theme() as theme:
                    app.register_theme(theme)
                    found[theme.name] = about(file)
                case problems:
                    bad.extend(problems)
        for name in self.abouts.keys() - found.keys():
            if name != app.theme:
                app.unregister_theme(name)
            else:
                found[name] = self.abouts[name]
        self.abouts = found
        return bad

    def changed(self) -> bool:
        """Whether a file of the user's is new, gone or another than when all were read."""
        return self._stamped() != self._stamps

    def reload(self, app: App[Any]) -> list[BadTheme]:
        """Read everything again; what the theme in use says now is on the screen, unless it does not fit."""
        before = app.current_theme
        bad = self.register(app)
        now = app.current_theme
        if now == before:
            return bad
        if problem := _misfit(app, now):
            app.register_theme(before)
            return [*bad, problem]
        app.mutate_reactive(App.theme)
        return bad

    def _files(self) -> list[Path]:
        ours = theme_files(themes_dir())
        return [*ours, *(theme_files(self._user) if self._user is not None else ())]

    def _stamped(self) -> dict[Path, Stamp]:
        stamps: dict[Path, Stamp] = {}
        for file in theme_files(self._user) if self._user is not None else ():
            try:
                seen = file.stat()
            except OSError:
                continue
            stamps[file] = (seen.st_mtime_ns, seen.st_size, seen.st_ino)
        return stamps
