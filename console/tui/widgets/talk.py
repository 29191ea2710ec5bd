"""A conversation that is followed: it shows its end while the end is in view, says what came while it is not, and keeps
its place when lines above go or come. Draws lines that are clean already; knows no entry."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.message import Message
from textual.strip import Strip

from console.present.talk import Line
from console.present.text import width
from console.tui.widgets.lines import LinePane, of_others_in_ascii

LOOKS = ("go", "needs", "broke", "quiet", "strong", "bar")


class TalkPane(LinePane):
    """The Session tab's text."""

    DEFAULT_CSS = """
    TalkPane > .talk--go { color: $state-go; text-style: $state-go-style; }
    TalkPane > .talk--needs { color: $state-needs; text-style: $state-needs-style; }
    TalkPane > .talk--broke { color: $state-broke; text-style: $state-broke-style; }
    TalkPane > .talk--quiet { color: $state-quiet; text-style: $state-quiet-style; }
    TalkPane > .talk--strong { text-style: bold; }
    TalkPane > .talk--bar { color: $state-needs; text-style: bold; }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {f"talk--{look}" for look in LOOKS}

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._ascii = False
        self._lines: Sequence[Line] = ()
        self.in_full = False
        self.following = True
        self._read: tuple[int, int] | None = None
        """The last line that was there when the end was in view."""
        self._new = 0
        self._lost = False
        """What was in view has fallen out of what is kept here."""

    class OtherGlyphs(Message):
        """What was laid out is to be laid out anew, in ASCII or not."""

    def notify_style_update(self) -> None:
        if self._ascii != of_others_in_ascii(self):
            self._ascii = not self._ascii
            self.post_message(self.OtherGlyphs())
        super().notify_style_update()

    @property
    def count(self) -> int:
        return len(self._lines)

    def measure(self) -> int:
        return max((width(line.text) for line in self._lines), default=0)

    def draw(self, index: int, ground: Style) -> list[Segment]:
        line = self._lines[index]
        look = f"talk--{line.look}"
        plain = line.look not in LOOKS
        return [Segment(line.text, ground if plain else ground + self.get_component_rich_style(look, partial=True))]

    # -- following ---------------------------------------------------------------------------------------

    def show_lines(self, lines: Sequence[Line]) -> None:
        """Replace the text. The end stays in view when it was; else the first visible line stays where it is."""
        if lines == self._lines:
            return
        top = self._lines[self.top_line].key if not self.following and self.top_line < self.count else None
        offset = self.top_line
        self._lines = lines
        self.changed()
        if self.following:
            self._caught_up()
            self.call_after_refresh(self._keep_end)
            return
        self._new = self._unread()
        self._lost = self._lost or bool(top and lines and lines[0].key > top)
        place = next((i for i, line in enumerate(lines) if line.key >= top), offset) if top else offset
        if place != offset:
            self.scroll_to(y=place, animate=False, force=True)

    def restart(self) -> None:
        """Another conversation: from its end."""
        self._lines, self._new, self._read, self._lost = (), 0, None, False
        self.following = True
        self.changed()

    def _caught_up(self) -> None:
        self._read = self._lines[-1].key if self._lines else None
        self._new, self._lost = 0, False

    def _unread(self) -> int:
        """Lines below the last one that was seen as the end."""
        if self._read is None:
            return 0
        at = next((i for i in range(self.count - 1, -1, -1) if self._lines[i].key <= self._read), -1)
        return self.count - 1 - at

    def _keep_end(self) -> None:
        if self.following:
            self.scroll_to(y=self.max_scroll_y, animate=False, force=True)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Whoever scrolls up reads; whoever is at the end follows."""
        super().watch_scroll_y(old_value, new_value)
        if not self.view.height:
            return
        was, self.following = self.following, self.scroll_offset.y >= self.max_scroll_y
        if self.following:
            self._caught_up()
        if was != self.following:
            self.refresh()

    def on_resize(self) -> None:
        self.call_after_refresh(self._keep_end)

    def action_bottom(self) -> None:
        self.following = True
        self._caught_up()
        self._keep_end()
        self.refresh()

    # -- the bar -----------------------------------------------------------------------------------------

    @property
    def bar(self) -> str:
        """What stands in the last row while the end is not in view."""
        if self.following or self.view.height < 3:
            return ""
        if self._lost:
            return f" ↓ more than {self._new} new, what you read is above them in the record · End follows "
        return f" ↓ {self._new} new · End follows " if self._new else " ↓ more below · End follows "

    def render_line(self, y: int) -> Strip:
        bar = self.bar
        if not bar or y != self.view.height - 1:
            return super().render_line(y)
        ground = self.rich_style
        look = ground + self.get_component_rich_style("talk--bar", partial=True)
        return Strip([Segment(bar, look)]).crop_extend(0, self.size.width, ground)
