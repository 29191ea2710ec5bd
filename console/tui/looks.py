"""How one console looks: theme, glyphs and mouse; what is remembered, what the environment says, what is shown now.

It changes the app's appearance only. A theme that was chosen and cannot be shown here (no colours, sixteen of them) is
remembered all the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from textual.app import SystemCommand

from console.engine.desk import Memory
from console.present.plain import glyphs_say, wants_ascii
from console.tui import environment
from console.tui.driver import ConsoleDriver
from console.tui.theming import BadTheme, ThemeFiles, use_theme

if TYPE_CHECKING:
    from console.tui.guard import ConsoleApp

STANDARD = "dark"
TOLD = 6
"""Problems of theme files that one message holds."""


class Looks:
    """memory: `theme`, `glyphs` ("auto", "ascii", "unicode") and `mouse` (true, false) are kept there. folder: the
    user's own theme files. asked: the theme named for this start, "" for none."""

    def __init__(
        self, app: ConsoleApp, memory: Memory, folder: Path, environ: Mapping[str, str], asked: str = ""
    ) -> None:
        self._app = app
        self._memory = memory
        self._environ = environ
        self._asked = asked or environ.get("NIGHTDESK_THEME", "")
        self.folder = folder
        self.files = ThemeFiles(folder)

    def start(self) -> None:
        """Read the themes and show what is remembered; whatever is wrong is said, and something is shown."""
        self.tell(self.files.register(self._app))
        self.show_kept_glyphs()
        if self._asked and (problem := self.show_theme(self._asked)):
            self.tell([problem])
            self._asked = ""
        if not self._asked and (problem := self.show_theme(self._memory.get("theme", STANDARD))):
            self.tell([problem])
            self.show_theme(STANDARD)

    def tell(self, problems: Iterable[BadTheme]) -> None:
        """All at once, in one message."""
        said = [problem.sentence() for problem in problems]
        if (more := len(said) - TOLD) > 0:
            said = [*said[:TOLD], f"and {more} more"]
        if said:
            self._app.notify("\n".join(said), severity="warning", timeout=15)

    def commands(self) -> Iterator[SystemCommand]:
        """What a palette has beside the verbs: the themes."""
        for name in self.files.names:
            why = self.files.abouts[name] or "Switch the colours"
            yield SystemCommand(f"Theme: {name}", why, lambda name=name: self.keep_theme(name))

    # -- themes ------------------------------------------------------------------------------------------

    @property
    def theme(self) -> str:
        """The theme that is kept, whatever is shown."""
        return self._asked or str(self._memory.get("theme", STANDARD))

    def instead(self, name: str) -> str:
        """The theme that this terminal gets for `name`."""
        known = self._app.available_themes
        return environment.theme_name(self._environ, name, lambda each: each in known and known[each].ansi)

    def show_theme(self, name: str) -> BadTheme | None:
        """Show a theme, or what comes closest here; a problem leaves what is shown."""
        if name not in self._app.available_themes:
            return use_theme(self._app, name)
        return use_theme(self._app, self.instead(name))

    def keep_theme(self, name: str) -> None:
        """Show it and remember it."""
        if problem := self.show_theme(name):
            self.tell([problem])
            return
        self._asked = ""
        self._memory.set("theme", name)

    def show_kept(self) -> None:
        """What is kept, after something else was looked at."""
        self.show_theme(self.theme)
        self.show_kept_glyphs()

    def look(self) -> bool:
        """Read the user's files again when one changed; True then. What is in use changes on the screen."""
        if not self.files.changed():
            return False
        self.tell(self.files.reload(self._app))
        return True

    # -- glyphs and mouse --------------------------------------------------------------------------------

    @property
    def glyphs(self) -> str:
        """What is kept: "auto", "ascii" or "unicode"."""
        return str(self._memory.get("glyphs", "auto"))

    @property
    def glyphs_here(self) -> str:
        """What "auto" is in this terminal: "ascii" or "unicode"."""
        return glyphs_say(self._environ)

    def show_glyphs(self, kind: str) -> None:
        """As they would look, whatever NIGHTDESK_ASCII says of this start."""
        self._app.ascii = wants_ascii({**self._environ, "NIGHTDESK_ASCII": ""}, kind)

    def show_kept_glyphs(self) -> None:
        self._app.ascii = wants_ascii(self._environ, self.glyphs)

    def keep_glyphs(self, kind: str) -> None:
        """From now on; NIGHTDESK_ASCII, where it is set, stands for this start only."""
        self._environ = {name: value for name, value in self._environ.items() if name != "NIGHTDESK_ASCII"}
        self._memory.set("glyphs", kind)
        self.show_kept_glyphs()

    @property
    def mouse(self) -> bool:
        """Whether the terminal is asked for mouse reports now."""
        driver = self._app._driver
        if isinstance(driver, ConsoleDriver):
            return driver.points
        return environment.wants_mouse(self._environ, self._memory.get("mouse", True))

    def keep_mouse(self, on: bool) -> None:
        """At once, and at the next start."""
        driver = self._app._driver
        if isinstance(driver, ConsoleDriver):
            driver.point(on)
        self._memory.set("mouse", on)
