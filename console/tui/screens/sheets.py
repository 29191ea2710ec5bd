"""The small dialogs: text, choice, help. They start on the answer that changes nothing; Escape always does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from console.present.text import clean
from console.tui.screens.inview import clipped
from console.tui.widgets.lines import LineView
from console.tui.widgets.table import Column, VTable

LOW = 16
"""Rows of the screen under which a dialog goes without blank rows."""


class Sheet(ModalScreen[str | None]):
    """A dialog over the desk. Dismissed with a text, or None for nothing."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "close", "Close")]

    def __init__(self, title: str, hint: str) -> None:
        super().__init__()
        self.heading = title
        self.hint = hint

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(Content(clean(self.heading)), classes="title", markup=False)
            yield from self.body()
            yield Static(Content(clean(self.hint)), classes="hint", markup=False)

    def body(self) -> ComposeResult:
        yield from ()

    @on(events.Resize)
    def _spare(self) -> None:
        """In a low window the rows are for what is decided about."""
        self.set_class(self.size.height < LOW, "-low")

    def action_close(self) -> None:
        self.dismiss(None)


class OneLine(Input):
    """A text field that keeps all of a paste that fits, and says what did not: its line ends become blanks."""

    def _on_paste(self, event: events.Paste) -> None:
        event.prevent_default()
        event.stop()
        text = " ".join(event.text.splitlines())
        room = len(text) if not self.max_length else max(0, self.max_length - len(self.value))
        self.insert_text_at_cursor(text[:room])
        if left := len(text) - room if len(text) > room else 0:
            words = f"the last {left} characters of what was pasted did not fit: {self.max_length} go in here"
            self.app.notify(words, severity="warning", timeout=10)


class AskText(Sheet):
    """One line of text. Enter on nothing changes nothing. value: what stands there at first."""

    def __init__(self, title: str, hint: str = "Enter sends, Esc leaves it", value: str = "") -> None:
        super().__init__(title, hint)
        self.value = value

    def body(self) -> ComposeResult:
        field = OneLine(self.value, select_on_focus=False)
        field.cursor_blink = False
        yield field

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.dismiss(event.value.strip() or None)


class Choose(Sheet):
    """One of several. The first row is the answer that changes nothing."""

    def __init__(self, title: str, options: Sequence[tuple[str, str]], refuse: str = "nothing, leave it") -> None:
        super().__init__(title, "j/k move, Enter chooses, Esc leaves it")
        self.options = [("", refuse), *options]

    def body(self) -> ComposeResult:
        table = VTable([Column(20, grow=True)])
        yield table

    def on_mount(self) -> None:
        table = self.query_one(VTable)
        table.set_rows([str(i) for i in range(len(self.options))], lambda i: (self.options[i][1],))
        table.styles.height = min(len(self.options), max(3, self.room()))
        table.focus()

    def room(self) -> int:
        """Rows that the answers have: beside the frame, the title and the hint; what has more is scrolled."""
        return self.app.size.height - 10

    def on_vtable_opened(self, event: VTable.Opened) -> None:
        chosen = self.options[int(event.key)][0]
        if chosen and (why := self.unread()):
            self.notify(why, severity="warning")
            return
        self.dismiss(chosen or None)

    def unread(self) -> str:
        """Why nothing but leaving can be chosen: not all that it is about is on the screen. "" when it is."""
        return clipped(self.query_one(VTable))


class Help(Sheet):
    """Text to be read, for a pane of so many cells: keys, and what signs mean."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("question_mark,q,f1", "close", "Close")]
    HINT = "j k scroll, Esc or ? closes"

    def __init__(self, lines: Callable[[int], Sequence[str]], title: str = "Keys") -> None:
        """lines: the help for so many cells."""
        super().__init__(title, self.HINT)
        self.lines = lines

    def body(self) -> ComposeResult:
        yield LineView()

    def on_mount(self) -> None:
        self.query_one(LineView).focus()

    def on_resize(self) -> None:
        self.call_after_refresh(self._fit)

    def _fit(self) -> None:
        view = self.query_one(LineView)
        lines = self.lines(view.size.width - 1)  # beside the scrollbar
        view.set_lines(lines)
        view.styles.height = min(len(lines), max(4, self.size.height - 8))


class KeyHelp(Help):
    """The keys of a screen; `/` looks for words in them."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("slash", "find", "Find", show=False)]
    HINT = "j k scroll, / finds, Esc or ? closes"
    DEFAULT_CSS = """
    KeyHelp OneLine { display: none; }
    KeyHelp OneLine.-open { display: block; }
    """

    def __init__(self, found: Callable[[int, str], Sequence[str]], title: str) -> None:
        """found: the help for so many cells, of what has these words."""
        super().__init__(lambda cells: found(cells, self.wanted), title)
        self.wanted = ""

    def body(self) -> ComposeResult:
        yield from super().body()
        field = OneLine(placeholder="words of a key, a verb or a reason; Enter keeps them, Esc shows all again")
        field.cursor_blink = False
        yield field

    def action_find(self) -> None:
        field = self.query_one(OneLine)
        field.add_class("-open")
        field.focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        self.wanted = event.value
        self._fit()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.query_one(LineView).focus()

    def action_close(self) -> None:
        """One step out: of the words, then of the help."""
        field = self.query_one(OneLine)
        if not field.has_class("-open"):
            super().action_close()
            return
        field.remove_class("-open")
        field.value = ""
        self.query_one(LineView).focus()
