"""The dialogs of what is hard to take back: an id to be typed, and a list of what would change. Both start on "no"."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Static

from console.present.folding import folded
from console.present.text import clean
from console.tui.screens.inview import CLIPPED, clipped
from console.tui.screens.sheets import LOW, Choose, Sheet
from console.tui.widgets.lines import LineView
from console.tui.widgets.table import Column, VTable


def wrapped(lines: Sequence[str], cells: int) -> list[str]:
    """`lines`, cleaned and cut into pieces of at most `cells`; what follows the first piece is indented."""
    return [piece for line in lines for piece in folded(line, cells)]


def room_for(view: LineView) -> int:
    """Rows that a dialog has for its long text, once everything else in it has its own."""
    box = view.parent
    assert isinstance(box, Vertical)
    others = sum(child.outer_size.height for child in box.children if child is not view)
    rows = view.screen.size.height
    return int(rows if rows < LOW else rows * 0.96) - 2 - others


class Typed(Input):
    """A field for what must be typed by hand: a paste is refused."""

    def _on_paste(self, event: events.Paste) -> None:
        event.prevent_default()
        event.stop()
        assert isinstance(self.screen, TypeId)
        self.screen.tell("a paste does not count here; type it")


class TypeId(Sheet):
    """Dismissed with the id once it has been typed and Enter stood alone; None on Escape."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "by(1)", "Down", show=False, priority=True),
        Binding("up", "by(-1)", "Up", show=False, priority=True),
        Binding("pagedown", "page(1)", "Page down", show=False, priority=True),
        Binding("pageup", "page(-1)", "Page up", show=False, priority=True),
    ]

    def __init__(
        self,
        title: str,
        about: str,
        lines: Sequence[str],
        wanted: str,
        *,
        refused: Callable[[str], str],
        when_alone: Callable[[str, Callable[[], None]], None],
    ) -> None:
        """refused: why this text does nothing, "" when it does. when_alone: runs the act if no other key is near."""
        super().__init__(title, f"Type {wanted}, Enter lands it, Esc leaves it; arrows, PgUp, PgDn scroll")
        self.about = about
        self.lines = lines
        self.wanted = wanted
        self.refused = refused
        self.when_alone = when_alone

    def body(self) -> ComposeResult:
        yield Static(Content(clean(self.about, limit=200)), classes="about", markup=False)
        yield LineView(sgr="show")
        field = Typed(placeholder=self.wanted)
        field.cursor_blink = False
        yield field

    def on_mount(self) -> None:
        self.query_one(Typed).focus()

    def on_resize(self) -> None:
        self.call_after_refresh(self._fit)

    def _fit(self) -> None:
        view = self.query_one(LineView)
        lines = wrapped(self.lines, view.size.width - 1)  # beside the scrollbar
        view.set_lines(lines)
        view.styles.height = max(3, min(len(lines), room_for(view)))

    def action_by(self, lines: int) -> None:
        self.query_one(LineView).action_by(lines)

    def action_page(self, pages: int) -> None:
        self.query_one(LineView).action_page(pages)

    def tell(self, text: str) -> None:
        """In place of the hint."""
        hint = self.query_one(".hint", Static)
        hint.update(Content(clean(text)))
        hint.add_class("-refused")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        text = event.value
        if clipped(self.query_one(LineView)) or clipped(self.query_one(Typed)):
            self.notify(CLIPPED, severity="warning")
            return
        if why := self.refused(text):
            self.tell(why)
            return
        self.when_alone("approved", lambda: self._submit(text))

    def _submit(self, text: str) -> None:
        if self.is_current:
            self.dismiss(text)


class Preview(Choose):
    """What would change, above the answers. The first answer changes nothing."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "answers", "To the answers", show=False)]

    def __init__(self, title: str, lines: Sequence[str], options: Sequence[tuple[str, str]]) -> None:
        super().__init__(title, options)
        self.hint = "j/k move, Enter chooses, Tab to what would change, Esc leaves it"
        self.lines = lines

    def body(self) -> ComposeResult:
        yield LineView(sgr="show")
        yield VTable([Column(20, grow=True)])

    def action_answers(self) -> None:
        """Enter in what would change chooses nothing: it leads to the answers."""
        self.query_one(VTable).focus()

    def unread(self) -> str:
        view = self.query_one(LineView)
        return super().unread() or (clipped(view) if view.display else "")

    def room(self) -> int:
        return super().room() - 4  # some of what would change is seen in any case

    def on_resize(self) -> None:
        self.call_after_refresh(self._fit)

    def _fit(self) -> None:
        view = self.query_one(LineView)
        view.set_lines(self.lines)
        view.styles.height = max(3, min(len(self.lines), room_for(view)))
