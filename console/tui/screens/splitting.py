"""Where the panes of a screen lie: side by side, stacked or one at a time; the split that keys and the mouse move, and
zoom. What the user chose is remembered for each way of lying."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from textual import events
from textual.widget import Widget

from console.tui import keys
from console.tui.screens import room
from console.tui.screens.verbs import Asking

if TYPE_CHECKING:
    from console.tui.app import NightdeskApp


def no_room() -> str:
    return f"this screen has room for one pane; {keys.key('open')} and {keys.key('back')} go between them"


class Splitting(Asking):
    """Mixed into a screen with #left, #detail, and lists. memory_name, zoom_name: what its split and its zoom are
    remembered under. usual: where the split is by itself."""

    memory_name = "split"
    zoom_name = "zoom"
    usual = room.Usual()
    lists: tuple[str, ...] = ()
    kind: room.Kind = "wide"
    _dragged: bool = False
    _heights: dict[str, int]
    _placed: dict[str, tuple[int, int]]

    @property
    def _screen(self: Any) -> Any:
        return self

    def begin_panes(self) -> None:
        """Before the first paint."""
        self._heights, self._placed = {}, {}

    # -- placing -----------------------------------------------------------------------------------------

    def lay(self, columns: int, rows: int) -> None:
        """How the panes lie on a screen of that size. rows: of the body."""
        there = room.kind_of(columns, rows)
        self.kind = "single" if there == "single" or self._remembered(self.zoom_name, there) else there
        for name in ("stacked", "single"):
            self._screen.set_class(self.kind == name, f"-{name}")

    def place_panes(self, columns: int, rows: int, content: Mapping[str, int], active: str) -> None:
        """Sizes of the panes; content: rows that each list would show. What is placed already costs nothing."""
        wide = self.kind == "wide"
        tall = room.heights(content, rows, self._heights, active) if wide else {}
        self._heights = tall
        share = self._remembered(self.memory_name, self.kind)
        if wide:
            self.set_pane("left", room.left_columns(columns, self.usual, share), 0)
        else:
            longest = max(content.values(), default=0)
            above = room.list_rows(rows, longest, self.usual, share) if self.kind == "stacked" else 0
            self.set_pane("left", 0, above)
        for name in content:
            self.set_pane(name, 0, tall.get(name, 0))
            self._screen.query_one(f"#{name}").set_class(tall.get(name, 0) == 1, "-line")

    def set_pane(self, name: str, width: int, height: int) -> None:
        """0: what is there. Only a change is told, as each costs a layout."""
        if self._placed.get(name) == (width, height):
            return
        self._placed[name] = (width, height)
        pane = self._screen.query_one(f"#{name}", Widget)
        pane.styles.width, pane.styles.height = width or "1fr", height or "1fr"

    # -- the split ---------------------------------------------------------------------------------------

    @property
    def _app(self) -> NightdeskApp:
        return self._screen.app  # type: ignore[no-any-return]

    def _remembered(self, name: str, kind: str) -> int:
        found = self._app.desk.memory.get(name, {}).get(kind, 0)
        return found if isinstance(found, int) else 0

    def _remember(self, name: str, kind: str, value: int) -> None:
        def make(known: object) -> dict[str, object]:
            kept = {each: number for each, number in known.items() if each != kind} if isinstance(known, dict) else {}
            return {**kept, kind: value} if value else kept

        self._app.desk.memory.amend(name, make)

    def why_not_bigger(self) -> str:
        return no_room() if self.kind == "single" else ""

    why_not_smaller = why_not_usual_split = why_not_bigger

    def action_split(self, step: int) -> None:
        """1: the thing itself gets bigger, -1: smaller, 0: as usual."""
        if reason := self.why_not_bigger():
            self.say(reason)
            return
        here = self._split_had(self._remembered(self.memory_name, self.kind)) or self._split_now()
        self._split_at(max(1, min(999, here - step * room.STEP[self.kind])) if step else 0)

    @property
    def _split_cells(self) -> int:
        """Cells that the split divides."""
        return int(self._screen.size.width if self.kind == "wide" else self._screen.body_rows)

    def _split_now(self) -> int:
        """Where the split is by itself: one that a key has just moved is not drawn yet."""
        left = self._screen.query_one("#left", Widget).outer_size
        return room.share_of(left.width if self.kind == "wide" else left.height, self._split_cells)

    def _split_had(self, share: int) -> int:
        """The share that can be had for a wish; 0 stays 0, where the split is by itself."""
        if not share:
            return 0
        wide = self.kind == "wide"
        whole, usual = self._split_cells, self.usual
        got = room.left_columns(whole, usual, share) if wide else room.list_rows(whole, 0, usual, share)
        return room.share_of(got, whole)

    def _split_at(self, share: int) -> None:
        """What cannot be had is not remembered."""
        self._remember(self.memory_name, self.kind, self._split_had(share))
        self._screen.share_room()

    # -- zoom --------------------------------------------------------------------------------------------

    @property
    def zoomed(self) -> bool:
        screen = self._screen
        return self.kind == "single" and room.kind_of(screen.size.width, screen.body_rows) != "single"

    def why_not_zoom(self) -> str:
        screen = self._screen
        return no_room() if room.kind_of(screen.size.width, screen.body_rows) == "single" else ""

    def action_zoom(self) -> None:
        """The pane with the focus takes the whole body, or all panes are there again."""
        if reason := self.why_not_zoom():
            self.say(reason)
            return
        screen = self._screen
        there = room.kind_of(screen.size.width, screen.body_rows)
        self._remember(self.zoom_name, there, 0 if self.zoomed else 1)
        if screen.detail.has_focus_within:
            screen.add_class("-detail")
        screen.refit()

    # -- the mouse ---------------------------------------------------------------------------------------

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """On the line between the panes: take it."""
        if self.kind == "single" or not self._on_the_line(event):
            return
        self._dragged = True
        self._screen.capture_mouse()
        event.stop()

    def _on_the_line(self, event: events.MouseEvent) -> bool:
        left = self._screen.query_one("#left", Widget).region
        if self.kind == "wide":
            return event.screen_x in (left.right - 1, left.right) and left.y <= event.screen_y < left.bottom
        return event.screen_y in (left.bottom - 1, left.bottom) and left.x <= event.screen_x < left.right

    def on_mouse_move(self, event: events.MouseMove) -> None:
        if self._dragged:
            screen = self._screen
            left = screen.query_one("#left", Widget).region
            if self.kind == "wide":
                self._split_at(max(1, min(999, room.share_of(event.screen_x + 1, screen.size.width))))
            else:
                part = event.screen_y + 1 - left.y
                self._split_at(max(1, min(999, room.share_of(part, screen.body_rows))))

    def on_mouse_up(self, event: events.MouseUp) -> None:
        if self._dragged:
            self._dragged = False
            self._screen.release_mouse()
