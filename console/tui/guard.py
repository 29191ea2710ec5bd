"""The last line of defence of the whole screen: no byte that a terminal obeys, and no wait for a stalled terminal.

`ConsoleApp` is what the console's app is made from; its driver is ours (`driver`). What it does touches private parts
of Textual 8.2: tests/tui/test_guard.py stalls a real terminal and fails when they change. It ends no process.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ClassVar

from rich.cells import cell_len, get_character_cell_size, split_graphemes
from rich.segment import Segment
from textual.app import App
from textual.color import Color
from textual.filter import LineFilter, Monochrome, NoColor
from textual.scrollbar import ScrollBar, ScrollBarRender
from textual.worker import WorkerFailed

from console.present.plain import ASCII
from console.present.text import SIGNS, clean
from console.tui.driver import ConsoleDriver
from console.tui.output import trimmed
from console.tui.palette import Colourless, In256
from console.tui.theming import variable_defaults

if TYPE_CHECKING:
    from rich.console import RenderableType
    from textual.notifications import SeverityLevel
    from textual.screen import Screen

CROWDED = 6
"""Writes that the terminal has not taken above which frames are skipped."""

DRAIN_POLL = 0.2
"""Seconds between looks at a crowded output queue."""

_JOINERS = ("\u200d", "\ufe0f")
_BLANKED = {code: " " * get_character_cell_size(chr(code)) for code in SIGNS if not 0xD800 <= code <= 0xDFFF}
_BLANKED |= {code: "?" for code in range(0xD800, 0xE000)}


class Guard(LineFilter):
    """Takes controls, bidi, zero-width characters and links out of every drawn line, keeping each line's width; with
    `ascii` also every mark of ours, and every frame, in favour of its ASCII form."""

    def __init__(self, *, ascii: bool = False) -> None:
        super().__init__()
        self.ascii = ascii

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        if self.ascii:
            segments = [_plain(segment) for segment in segments]
        if all(_harmless(segment) for segment in segments):
            return segments
        return [_disarmed(segment) for segment in segments if not segment.control]


def _harmless(segment: Segment) -> bool:
    text, style, control = segment
    return not control and text.isprintable() and "\ufe0f" not in text and (style is None or style.link is None)


def _plain(segment: Segment) -> Segment:
    text, style, control = segment
    return segment if text.isascii() else Segment(text.translate(ASCII), style, control)


def _disarmed(segment: Segment) -> Segment:
    text, style, _ = segment
    if style is not None and style.link is not None:
        style = style.update_link(None)
    if any(joiner in text for joiner in _JOINERS):
        text = _unjoined(text)
    return Segment(text if text.isprintable() else text.translate(_BLANKED), style)


def _unjoined(text: str) -> str:
    """Joined emoji as their first character, filled up to the cells that the line was laid out with."""
    spans, _ = split_graphemes(text)
    pieces = (text[start:end] if end - start == 1 else _first(text[start:end], cells) for start, end, cells in spans)
    return "".join(pieces)


def _first(cluster: str, cells: int) -> str:
    if not any(joiner in cluster for joiner in _JOINERS):
        return cluster
    return cluster[0] + " " * (cells - cell_len(cluster[0])) if cluster[0] not in _JOINERS else " " * cells


class WholeCells(ScrollBarRender):
    """A scrollbar of whole cells: no fractions of blocks, which poor fonts lack and some draw with gaps."""

    VERTICAL_BARS: ClassVar[list[str]] = [" "]
    HORIZONTAL_BARS: ClassVar[list[str]] = [" "]


ScrollBar.renderer = WholeCells


class ConsoleApp(App[int]):
    """An app that draws nothing a terminal obeys and whose event loop goes on when the terminal takes no output.

    colourless: attributes only, whatever the theme says (the library looks for NO_COLOR by itself).
    """

    def __init__(self, *args: Any, colourless: bool = False, **kwargs: Any) -> None:
        asked = os.environ.get("NO_COLOR")
        super().__init__(*args, **{"driver_class": ConsoleDriver} | kwargs)
        if asked is not None:
            os.environ["NO_COLOR"] = asked  # the library takes it away, and programs that we start would not see it
        self.crash: BaseException | None = None
        self._guard = Guard()
        self._behind = False
        self._fewer: list[LineFilter] = []
        if colourless or asked is not None:
            self._fewer = [Colourless()]
        elif self.console.color_system == "256":
            self._fewer = [In256()]

    @property
    def ascii(self) -> bool:
        """Whether marks and frames are drawn in ASCII."""
        return self._guard.ascii

    @ascii.setter
    def ascii(self, wanted: bool) -> None:
        if wanted == self._guard.ascii:
            return
        self._guard = Guard(ascii=wanted)  # another one: drawn lines are kept by the filters that they went through
        for screen in self.screen_stack:
            for widget in screen.walk_children(with_self=True):
                widget.notify_style_update()
                widget.refresh()

    def get_line_filters(self) -> Sequence[LineFilter]:
        """The library's filters but its greys for NO_COLOR, then what makes colours fewer, and the guard."""
        filters = super().get_line_filters()
        kept = (each for each in filters if not isinstance(each, Monochrome | NoColor))
        return [*kept, *self._fewer, self._guard]

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Our own variables for themes that do not set them, such as the built-in ones."""
        return variable_defaults(self.current_theme)

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = None,
        markup: bool = False,
    ) -> None:
        """A toast; its text is cleaned and never read as markup, whatever `markup` says."""
        text = clean(message, lines=True)
        super().notify(text, title=clean(title), severity=severity, timeout=timeout, markup=False)

    @contextmanager
    def lent(self) -> Iterator[None]:
        """Give the terminal to another program for the length of the block; painting meanwhile would deadlock."""
        with self.batch_update(), self.suspend():
            yield

    @property
    def behind(self) -> bool:
        """The terminal takes no output just now; frames are skipped until it does."""
        return self._behind

    def _display(self, screen: Screen[object], renderable: RenderableType | None) -> None:
        if self._exit:
            return  # the terminal is being given back; a late frame would be drawn over the shell
        if self._behind or self._crowded():
            self._fall_behind()
            return
        super()._display(screen, trimmed(renderable))

    def _waiting(self) -> int:
        return self._driver.waiting if isinstance(self._driver, ConsoleDriver) else 0

    def _crowded(self) -> bool:
        return self._waiting() > CROWDED

    def _fall_behind(self) -> None:
        if not self._behind:
            self._behind = True
            self.set_timer(DRAIN_POLL, self._catch_up)

    def _catch_up(self) -> None:
        """Paint the whole screen once the queue is empty: what was skipped is not known any more."""
        if self._waiting():
            self.set_timer(DRAIN_POLL, self._catch_up)
            return
        self._behind = False
        self.screen.refresh(layout=True)

    # -- the end -----------------------------------------------------------------------------------------

    def abandon(self) -> None:
        """Not one byte more to the terminal, from any thread."""
        if isinstance(self._driver, ConsoleDriver):
            self._driver.abandon()

    def terminal_lost(self) -> None:
        """There is nothing more to read from the terminal (called from another thread)."""
        self.call_later(self.exit)

    def _handle_exception(self, error: Exception) -> None:
        """`crash` keeps the first one for whoever opened the screen: the terminal gets a sentence, not a traceback."""
        self.crash = self.crash or (error.error if isinstance(error, WorkerFailed) else error)
        super()._handle_exception(error)

    def _fatal_error(self) -> None:
        self._close_messages_no_wait()

    def panic(self, *renderables: RenderableType) -> None:
        """What the library would print at its end has its place in a file."""
        self._close_messages_no_wait()
