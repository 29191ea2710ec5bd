"""The dialogs of the first steps: what would be written with its question, the settings to be trusted page by page, and
a gate that runs once. Each starts on the answer that changes nothing; Escape always does."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from console.core.records import Refused
from console.engine.first_steps import Shown, Tried
from console.present.folding import folded as cut_lines
from console.present.glyphs import sign
from console.present.text import clean
from console.tui.keyguard import SETTLE
from console.tui.screens.beside import Beside
from console.tui.screens.confirming import Preview, room_for, wrapped
from console.tui.screens.inview import clipped
from console.tui.screens.sheets import Sheet
from console.tui.widgets.lines import LineView

Alone = Callable[[str, Callable[[], None]], None]


def folded(lines: Sequence[str], cells: int) -> list[str]:
    """`lines` folded to so many cells; what follows stands below where its line began."""
    out: list[str] = []
    for line in lines:
        indent = " " * (len(line) - len(line.lstrip(" ")))
        out += cut_lines(line, cells, indent)
    return out


class Offer(Preview):
    """What would be written, in lines that are folded to the pane, above the answers."""

    DEFAULT_CSS = """
    Offer LineView { border-bottom: solid $border-blurred; }
    """

    def on_mount(self) -> None:
        super().on_mount()
        broad(self)

    def _fit(self) -> None:
        view = self.query_one(LineView)
        view.set_lines(folded(self.lines, max(10, view.size.width - 1)))
        view.styles.height = max(3, min(view.count + 1, room_for(view)))


def broad(sheet: Sheet) -> None:
    """Files want more columns than questions do."""
    sheet.query_one(Vertical).styles.width = BROAD


BROAD = 104


class _Pages(Sheet):
    """A dialog around one long text. Escape leaves it."""

    def body(self) -> ComposeResult:
        yield LineView((), sgr="show")

    def on_mount(self) -> None:
        broad(self)
        self.query_one(LineView).focus()

    def on_resize(self) -> None:
        self.call_after_refresh(self._fit)

    def _fit(self) -> None:
        view = self.query_one(LineView)
        view.set_lines(wrapped(self.text(), max(10, view.size.width - 1)))
        view.styles.height = max(3, min(view.count, room_for(view)))

    def text(self) -> Sequence[str]:
        return ()

    def tell(self, text: str, *, refused: bool = False) -> None:
        hint = self.query_one(".hint", Static)
        hint.update(Content(clean(text, limit=400)))
        hint.set_class(refused, "-refused")
        self.call_after_refresh(self._fit)


class Trusting(_Pages):
    """All of the settings. Dismissed with "trust" after the end was seen and Enter pressed twice there."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "go_on", "Go on", show=False, priority=True),
        Binding("q", "close", "Close", show=False),
    ]

    def __init__(self, shown: Shown, *, trusted: bool, when_alone: Alone) -> None:
        asks = "These settings are trusted" if trusted else "Trust exactly this, for you, in this repository?"
        super().__init__(f"{asks}  {shown.source}", PAGE_DOWN)
        self.shown, self.trusted, self._when_alone = shown, trusted, when_alone
        self._since = 0.0
        self._armed = 0.0
        self._seen = self._told = False

    def text(self) -> Sequence[str]:
        lines = self.shown.text.splitlines()
        numbered = [f"{number:3} {line}" for number, line in enumerate(lines, 1)]
        return [*numbered, "", "sha256sum of this file:", self.shown.sha256, COUNTS]

    def on_mount(self) -> None:
        super().on_mount()
        self._since = time.monotonic()
        self.set_interval(LOOK, self._told_end)

    def _told_end(self) -> None:
        """The last line says what Enter does now. Once the end was there it stays with that: longer words can take a
        row of the text's."""
        view = self.query_one(LineView)
        if not self._armed and not self._told and view.count and view.scroll_offset.y >= view.max_scroll_y:
            self._told = True
            self.tell(CLOSES if self.trusted else ARMS)

    def at_end(self) -> bool:
        """The last line is seen, or was: the question below takes a row of the text's."""
        view = self.query_one(LineView)
        self._seen = self._seen or (view.scroll_offset.y >= view.max_scroll_y and not clipped(view))
        return self._seen

    def _fit(self) -> None:
        super()._fit()
        if self._seen:
            self.query_one(LineView).action_bottom()

    def _page_on(self) -> None:
        view = self.query_one(LineView)
        if why := clipped(view):
            self.notify(why, severity="warning")
        else:
            view.action_page(1)

    def action_go_on(self) -> None:
        now = time.monotonic()
        if not self.at_end():
            self._page_on()
            self._since = now
        elif self.trusted:
            self.action_close()
        elif why := clipped(self.query_one(LineView)):
            self._seen = False
            self.notify(why, severity="warning")
        elif now - self._since < SETTLE:
            self.tell("this has only just appeared; read it, then press Enter again", refused=True)
        elif not self._armed or now - self._armed > ARMED:
            self._armed = now
            self.tell("press Enter again to trust exactly this; gates and agents may then start")
        else:
            self._when_alone("trusted", self._trust)

    def _trust(self) -> None:
        if self.is_current:
            self.dismiss("trust")


PAGE_DOWN = "Enter goes a page down, Esc leaves it"
ARMS = "Enter twice trusts this, Esc leaves it"
CLOSES = "That is all: Enter or Esc closes"
COUNTS = "What counts is all that it says but for comments and layout: every other change wants your trust again."
LOOK = 0.2
"""Seconds between two looks whether the end is on the screen: the pane gets its size in several steps."""
ARMED = 6.0
"""Seconds within which the second press counts."""


class Trying(Beside, _Pages):
    """A gate that runs once. Escape stops it, then leaves."""

    def __init__(self, words: str, attempt: Callable[[threading.Event], Tried | Refused]) -> None:
        super().__init__(f"Trying the gate: {words}", "it runs; Esc stops it")
        self._attempt = attempt
        self._stop = threading.Event()
        self._said: Tried | Refused | None = None

    def text(self) -> Sequence[str]:
        match self._said:
            case None:
                return ("runs under a shim, in a clean checkout of what is committed ...",)
            case Refused(reason=reason):
                return (f"{sign('failed').glyph} it was not run: {reason}",)
            case said:
                mark = sign({"green": "done", "red": "failed"}.get(said.verdict, "look")).glyph
                output = said.output.rstrip("\n").splitlines() or ["it printed nothing"]
                return (f"{mark} {said.words}.", f"  in {said.where}", "", *output)

    def on_mount(self) -> None:
        super().on_mount()
        self.beside(lambda: self._attempt(self._stop), self._ended)

    def _ended(self, said: Tried | Refused) -> None:
        self._said = said
        self.tell("j k scroll, Esc closes")

    def on_unmount(self) -> None:
        self._stop.set()

    def action_close(self) -> None:
        if self._said is None and not self._stop.is_set():
            self._stop.set()
            self.tell("it is being stopped; Esc again leaves it alone")
            return
        super().action_close()
