"""The verbs that are about a diff as a whole: its files as a list, and unified or side by side."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Input

from console.present import finding
from console.present.difftext import Diff
from console.present.text import cut, width
from console.present.visible import show
from console.tui import keys
from console.tui.screens import bars
from console.tui.screens.diff_facts import LAYOUT
from console.tui.screens.sheets import OneLine, Sheet
from console.tui.screens.verbs import Asking
from console.tui.widgets.diff import BESIDE_FROM, LineDiff
from console.tui.widgets.table import Column, VTable

NO_DIFF = "no diff is drawn; open a plan first"
FRAME = 2
"""Cells beside a pane that has the whole screen."""


class DiffVerbs(Asking):
    """Mixed into every screen that shows one thing."""

    @property
    def diff_view(self) -> LineDiff:
        return self.desk.detail.query_one(LineDiff)

    def not_drawn(self) -> str:
        """Why no line of a diff is before the eye; "" when one is."""
        desk = self.desk
        if desk.detail_hidden or not self.diff_view.count:
            return NO_DIFF
        return "" if desk.detail.tab == "diff" else f"its Diff tab is not shown; {desk.tabs} switch to it"

    def diff_keys(self) -> list[bars.Key]:
        """For the footer while the diff has the keys."""
        if self.not_drawn():
            return []
        beside = "unified" if self.diff_view.side_by_side else "side by side"
        found = [*self.can("comment", "comment"), *self.can("diff-layout", beside, "beside")]
        return [*found, *(self.can("diff-files", "files") if len(self.diff_view.diff.files) > 1 else [])]

    # -- files ---------------------------------------------------------------------------------------------

    def why_not_diff_files(self) -> str:
        drawn = not self.desk.detail_hidden and self.diff_view.diff.files
        return "" if drawn else NO_DIFF

    def action_diff_files(self) -> None:
        """The list of files; Enter goes to one."""
        if not self.able("diff-files"):
            return
        desk, view = self.desk, self.diff_view
        diff = view.diff

        def chosen(at: str | None) -> None:
            if at is not None and self.diff_view.diff is diff:
                if desk.detail.tab != "diff":
                    desk.detail.show("diff")
                view.show_line(diff.files[int(at)].line)
                desk.detail.current.focus()

        desk.app.push_screen(DiffFiles(diff, view.current_file or 0), chosen)

    # -- layout --------------------------------------------------------------------------------------------

    def why_not_diff_layout(self) -> str:
        if why := self.not_drawn():
            return why
        view = self.diff_view
        if view.side_by_side or not (why := view.not_beside()):
            return ""
        roomy = keys.find("zoom", self.here_is) and self.desk.size.width - FRAME >= BESIDE_FROM and view.diff.whole
        return f"{why}; {keys.key('zoom')} gives it the whole screen" if roomy else why

    def action_diff_layout(self) -> None:
        """Side by side, or unified again; remembered."""
        if self.able("diff-layout"):
            view = self.diff_view
            view.set_layout("unified" if view.side_by_side else "split")
            self.desk.app.desk.memory.set(LAYOUT, view.layout_wanted)


class DiffFiles(Sheet):
    """The files of a diff with what changed in each. Dismissed with the number of one, or None."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q,F", "close", "Close", show=False),
        Binding("slash", "find", "Find", show=False),
    ]
    DEFAULT_CSS = """
    DiffFiles OneLine { display: none; }
    DiffFiles OneLine.-open { display: block; }
    """

    def __init__(self, diff: Diff, here: int) -> None:
        count = len(diff.files)
        super().__init__(
            f"{count} file{'s' * (count != 1)} in this diff", "j/k move, / filters, Enter goes there, Esc back"
        )
        self.diff, self.here = diff, here

    def body(self) -> ComposeResult:
        counts = max((width(entry.counts) for entry in self.diff.files), default=1)
        columns = [Column(1), Column(8, grow=True), Column(min(counts, 16), "right")]
        yield VTable(columns, empty="no file has that; Esc shows all")
        field = OneLine(placeholder="words of a path; Enter keeps them, Esc shows all")
        field.cursor_blink = False
        yield field

    def on_mount(self) -> None:
        table = self.query_one(VTable)
        self._fill("")
        table.styles.height = min(len(self.diff.files), max(3, self.app.size.height - 10))
        table.styles.max_height = table.styles.height
        table.select(str(self.here))
        table.focus()

    def _cells(self, at: int) -> tuple[str, str, str]:
        entry = self.diff.files[at]
        name = show(entry.path, ascii=self.diff.ascii).text
        if entry.old_path != entry.path:
            name = f"{show(entry.old_path, ascii=self.diff.ascii).text} \u2192 {name}"
        note = f" ({entry.note})" if entry.note else ""
        return entry.status, f"{name}{note}", cut(entry.counts, 16)

    def _fill(self, wanted: str) -> None:
        """The files whose line has these words."""
        words, table = finding.words_of(wanted), self.query_one(VTable)
        every = range(len(self.diff.files))
        kept = [at for at in every if all(word in " ".join(self._cells(at)).casefold() for word in words)]
        table.set_rows([str(at) for at in kept], lambda i: self._cells(kept[i]))
        if table.cursor_key is None and kept:
            table.select(str(kept[0]))

    def action_find(self) -> None:
        field = self.query_one(OneLine)
        field.add_class("-open")
        field.focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        self._fill(event.value)

    def on_input_submitted(self) -> None:
        self.query_one(VTable).focus()

    def action_close(self) -> None:
        """One step out: of the words, then of the list."""
        field = self.query_one(OneLine)
        if not field.has_class("-open"):
            super().action_close()
            return
        field.remove_class("-open")
        field.value = ""
        self.query_one(VTable).focus()

    def on_vtable_opened(self, event: VTable.Opened) -> None:
        self.dismiss(str(event.key))
