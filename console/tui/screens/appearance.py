"""The settings of the screen: theme, glyphs, mouse. Moving shows, Enter keeps, Escape gives back what was kept.

While it is open the user's theme files are looked at, so that one that is being written is seen at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.timer import Timer

from console.tui.looks import Looks
from console.tui.screens.sheets import Sheet
from console.tui.themevars import poor_inks
from console.tui.widgets.table import Cell, Column, VTable

LOOK = 2.0
"""Seconds between two looks at the user's theme files."""

SETTLE = 0.12
"""Seconds that the selection rests on a row before it is shown: a theme takes longer than a key that repeats."""

HINT = "j/k shows it, Enter keeps it, Esc gives back what was kept"


@dataclass(frozen=True, slots=True)
class Choice:
    """One row. kind: theme, glyphs, mouse; value: what is kept of it; about: what it is, in words."""

    kind: str
    value: str
    name: str
    about: str

    @property
    def key(self) -> str:
        return f"{self.kind} {self.value}"


class Appearance(Sheet):
    """The desk behind it stays in its colours: it is what a theme is judged by."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("comma,q", "close", "Close", show=False)]

    def __init__(self, looks: Looks) -> None:
        super().__init__("Appearance", HINT)
        self.looks = looks
        self._choices: list[Choice] = []
        self._rest: Timer | None = None

    def body(self) -> ComposeResult:
        yield VTable([Column(1), Column(6), Column(14), Column(16, grow=True)])

    def on_mount(self) -> None:
        self._fill()
        table = self.query_one(VTable)
        table.select(f"theme {self.looks.theme}")
        table.focus()
        self.set_interval(LOOK, self._look)

    def on_resize(self) -> None:
        self.query_one(VTable).styles.height = min(len(self._choices), max(3, self.app.size.height - 8))

    # -- rows --------------------------------------------------------------------------------------------

    def _fill(self) -> None:
        self._choices = [*self._themes(), *self._glyphs(), *self._mouse()]
        self.query_one(VTable).set_rows([choice.key for choice in self._choices], self._cells)

    def _cells(self, index: int) -> tuple[Cell, ...]:
        choice = self._choices[index]
        first = not index or self._choices[index - 1].kind != choice.kind
        kept = ("✓", "go") if self._kept(choice) else ""
        return kept, (choice.kind if first else "", "quiet"), choice.name, (choice.about, "quiet")

    def _kept(self, choice: Choice) -> bool:
        now = {"theme": self.looks.theme, "glyphs": self.looks.glyphs, "mouse": "on" if self.looks.mouse else "off"}
        return now[choice.kind] == choice.value

    def _themes(self) -> list[Choice]:
        return [Choice("theme", name, name, self._about(name)) for name in self.looks.files.names]

    def _about(self, name: str) -> str:
        instead = self.looks.instead(name)
        if instead != name:
            why = "NO_COLOR, or none here" if instead == "mono" else "it needs 256 colours"
            return f"looks like {instead}: {why}"
        poor = poor_inks(self.app.available_themes[name])
        return f"hard to read: {', '.join(poor)}" if poor else self.looks.files.abouts[name]

    def _glyphs(self) -> list[Choice]:
        return [
            Choice("glyphs", "auto", "automatic", f"by terminal and locale: {self.looks.glyphs_here}"),
            Choice("glyphs", "unicode", "unicode", "● ◐ ✓ ✕ and lines"),
            Choice("glyphs", "ascii", "ASCII", "* % + x and - | for lines"),
        ]

    def _mouse(self) -> list[Choice]:
        return [
            Choice("mouse", "on", "on", "clicks, wheel; Shift selects text"),
            Choice("mouse", "off", "off", "the terminal selects by itself"),
        ]

    # -- showing and keeping -----------------------------------------------------------------------------

    def on_vtable_highlighted(self, event: VTable.Highlighted) -> None:
        if self._rest is not None:
            self._rest.stop()
        self._rest = self.set_timer(SETTLE, self._show)

    def _at(self) -> Choice | None:
        key = self.query_one(VTable).cursor_key
        return next((choice for choice in self._choices if choice.key == key), None)

    def _show(self) -> None:
        choice = self._at()
        theme = choice.value if choice and choice.kind == "theme" else self.looks.theme
        if problem := self.looks.show_theme(theme):
            self.looks.tell([problem])
        if choice and choice.kind == "glyphs":
            self.looks.show_glyphs(choice.value)
        else:
            self.looks.show_kept_glyphs()

    def on_vtable_opened(self, event: VTable.Opened) -> None:
        event.stop()
        choice = self._at()
        if choice is None:
            return
        match choice.kind:
            case "theme":
                self.looks.keep_theme(choice.value)
            case "glyphs":
                self.looks.keep_glyphs(choice.value)
            case _:
                self.looks.keep_mouse(choice.value == "on")
        self._fill()

    def action_close(self) -> None:
        self.looks.show_kept()
        super().action_close()

    def _look(self) -> None:
        if self.looks.look():
            self._fill()
            self._show()
