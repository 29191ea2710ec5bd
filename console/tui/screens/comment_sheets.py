"""The dialogs of comments: one to write, the list of all, and where they go with what that does to the plan."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Static

from console.core.commits import short
from console.present.comments import LONGEST
from console.present.commentways import Way
from console.present.text import clean
from console.tui.screens.confirming import wrapped
from console.tui.screens.kept_comments import Said
from console.tui.screens.sheets import AskText, OneLine, Sheet
from console.tui.widgets.table import Cell, Column, VTable

Lone = Callable[[str, Callable[[], None]], None]
"""Runs an act if no other key is near; else says what was not done."""


class AskComment(AskText):
    """The words about one line. Dismissed with them, or None."""

    def __init__(self, title: str, said: str) -> None:
        super().__init__(title, "Enter keeps it, Esc leaves it as it was")
        self.said = said

    def body(self) -> ComposeResult:
        field = OneLine(self.said, max_length=LONGEST)
        field.cursor_blink = False
        yield field


class Comments(Sheet):
    """All that was said. Dismissed with `go:N`, `edit:N`, `drop:N` or `send`, N counted from 0; or None."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("e", "edit", "Edit", show=False),
        Binding("x", "drop", "Drop", show=False),
        Binding("s", "send", "Send", show=False),
        Binding("q,C", "close", "Close", show=False),
    ]
    HINT = "Enter goes to its line, e edits, x drops it (twice), s sends all, Esc back"

    def __init__(self, plan: str, said: Sequence[Said], alone: Lone) -> None:
        count = len(said)
        super().__init__(f"{count} comment{'s' * (count != 1)} on plan {short(plan)}, not sent yet", self.HINT)
        self.plan, self.said, self.alone = plan, said, alone
        self._doomed = -1

    def body(self) -> ComposeResult:
        yield VTable([Column(20, most=44), Column(12, grow=True)])

    def on_mount(self) -> None:
        table = self.query_one(VTable)
        table.set_rows([str(i) for i in range(len(self.said))], self._cells)
        table.styles.height = min(len(self.said), max(3, self.app.size.height - 10))
        table.focus()

    def _cells(self, at: int) -> tuple[Cell, ...]:
        name, comment = self.said[at]
        earlier = "" if name == self.plan else f" (on {short(name)})"
        return f"{comment.place}{earlier}", comment.text

    @property
    def _here(self) -> int:
        key = self.query_one(VTable).cursor_key
        return int(key) if isinstance(key, str) else -1

    def on_vtable_opened(self, event: VTable.Opened) -> None:
        self.dismiss(f"go:{event.key}")

    def on_vtable_highlighted(self) -> None:
        self._doom(-1)

    def _doom(self, at: int) -> None:
        self._doomed = at
        hint = f"press x again to drop the comment on {self.said[at][1].place}" if at >= 0 else self.HINT
        self.query_one(".hint", Static).update(Content(clean(hint)))

    def action_edit(self) -> None:
        if self._here >= 0:
            self.dismiss(f"edit:{self._here}")

    def action_drop(self) -> None:
        at = self._here
        if at >= 0:
            self.alone("dropped", lambda: self._drop(at))

    def _drop(self, at: int) -> None:
        if self._doomed == at:
            self.dismiss(f"drop:{at}")
        else:
            self._doom(at)

    def action_send(self) -> None:
        self.dismiss("send")


class SendComments(Sheet):
    """Where they go: each way with what it does, the first row changes nothing. Enter chooses, Enter again sends.
    Dismissed with the id of a way, or None."""

    HINT = "j/k move, Enter chooses, Enter again sends, Esc leaves them here"

    def __init__(self, count: int, ways: Sequence[Way], shut: Sequence[str], alone: Lone) -> None:
        words = f"Send {count} comment{'s' * (count != 1)} to the agent"
        super().__init__(words, self.HINT)
        self.ways, self.shut, self.alone = ways, shut, alone
        self._chosen = ""

    def body(self) -> ComposeResult:
        yield VTable([Column(20, grow=True)])
        yield Static(classes="then", markup=False)

    def on_mount(self) -> None:
        self.query_one(".then", Static).styles.padding = (1, 0, 0, 0)
        table = self.query_one(VTable)
        table.set_rows(["", *(way.id for way in self.ways)], self._cells)
        table.styles.height = len(self.ways) + 1
        table.focus()
        self._tell("")

    def _cells(self, at: int) -> tuple[Cell, ...]:
        return ("nothing, keep them here" if at == 0 else self.ways[at - 1].does,)

    def _tell(self, key: str) -> None:
        """All that the chosen way says, which may be more than a row holds."""
        way = next((each for each in self.ways if each.id == key), None)
        text = [f"{way.does}.", f"Then {way.then}."] if way else [f"Not open: {why}." for why in self.shut]
        lines = wrapped(text, max(20, min(72, self.app.size.width - 6)))
        style = "$state-needs" if way else "$state-quiet"
        self.query_one(".then", Static).update(Content.assemble(("\n".join(lines), style)))

    def on_vtable_highlighted(self, event: VTable.Highlighted) -> None:
        self._chosen = ""
        self.query_one(".hint", Static).update(Content(self.HINT))
        self._tell(str(event.key or ""))

    def on_vtable_opened(self, event: VTable.Opened) -> None:
        key = str(event.key)
        if not key:
            self.dismiss(None)
        else:
            self.alone("sent", lambda: self._pressed(key))

    def _pressed(self, key: str) -> None:
        if self._chosen == key:
            self.dismiss(key)
            return
        self._chosen = key
        self.query_one(".hint", Static).update(Content("press Enter again to send them"))
