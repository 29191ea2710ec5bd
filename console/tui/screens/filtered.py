"""One filter for the lists of a screen beside the desk (board, timeline), and what of the desk's ways to find things
these lists do not have, each with its reason. It paints no row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual.widgets import Input

from console.present import finding
from console.present.rows import Rows
from console.present.text import clean
from console.tui import keys
from console.tui.screens import bars
from console.tui.screens.verbs import Asking

if TYPE_CHECKING:
    from console.tui.screens.bench import Bench


class Filtered(Asking):
    """Mixed into a screen that has a `filter_field`. words: what its rows hold, "" for all of them. way_out: the verb
    whose key leaves the field."""

    words: str = ""
    way_out: str = "back"

    @property
    def _filters(self: Any) -> Bench:
        return self  # type: ignore[no-any-return]

    def filter_field(self) -> Input:
        out = keys.key(self.way_out, self.here_is)
        field = Input(id="filter", placeholder=f"filter what is listed; Enter keeps it, {out} clears it")
        field.cursor_blink = False
        return field

    def field_keys(self) -> list[bars.Key]:
        """The footer while the field has the keys."""
        out = keys.key(self.way_out, self.here_is)
        return [
            ("letters", "filter the list", "filter"),
            ("Enter", "keep it", "keep"),
            (out, "show all again", "all"),
        ]

    def refiltered(self) -> None:
        """The words, or the room that the lists have, are others: paint them."""

    def to_lists(self) -> None:
        """The keys go to a list."""

    @property
    def filtering(self) -> bool:
        """The keys go to the filter's field."""
        return self._field.has_focus

    @property
    def field_rows(self) -> int:
        return int(self._field.has_class("-open"))

    @property
    def _field(self) -> Input:
        return self._filters.query_one("#filter", Input)

    def passing(self, rows: Rows) -> Rows:
        return finding.arranged(rows, finding.Find(self.words))

    def passes(self, rows: Rows) -> bool:
        """Of rows that stay together: the words may stand in any of them."""
        if not self.words.strip():
            return True
        text = " ".join(map(rows.text, range(len(rows.keys))))
        return all(word in text for word in finding.words_of(self.words))

    def filter_words(self, shown: int, whole: int) -> str:
        """`3 of 40 · /fix`; "" without a filter."""
        return f"{shown} of {whole} · /{clean(self.words, limit=20)}" if self.words.strip() else ""

    @property
    def no_match(self) -> str:
        return f"no row matches the filter; {keys.key('filter', self.here_is)} changes it"

    def action_filter(self) -> None:
        self._field.value = self.words
        self._field.add_class("-open")
        self._field.focus()
        self.refiltered()

    def unfilter(self) -> bool:
        """All is shown again; False when it was."""
        was = self.filtering or bool(self.words)
        self.words = ""
        if was:
            self.close_field()
            self.to_lists()
        return was

    def close_field(self) -> None:
        if self.field_rows:
            self._field.remove_class("-open")
            self.refiltered()

    def on_input_changed(self, event: Input.Changed) -> None:
        if self.filtering and self.words != event.value:
            self.words = event.value
            self.refiltered()

    def on_input_submitted(self) -> None:
        self.close_field()
        self.to_lists()

    # -- what only the desk's lists have -------------------------------------------------------------------

    def why_not_only_waiting(self) -> str:
        return f"what waits for you is on the desk: {keys.key('only-waiting', 'desk')} there shows only that"

    def why_not_archive(self) -> str:
        return f"nothing is archived here: {keys.key('archive', 'desk')} on the desk does it"

    def action_only_waiting(self) -> None:
        self.able("only-waiting")

    def action_order(self) -> None:
        self.able("order")

    def action_archive(self) -> None:
        self.able("archive")
