"""The log of the desk: its lines as they are read, the hits of a search through it, and what a line is about."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from console.core.events import Logged
from console.engine.desk import Search
from console.present import captions, finding, logline
from console.tui import keys
from console.tui.logsearch import LIMIT, Forwards, Found, LogSearch
from console.tui.screens.finding import Finding

if TYPE_CHECKING:
    from console.tui.screens.desk import DeskScreen

LOG_PAGE = 200


class LogPane(Finding):
    """Mixed into the desk."""

    _events: Callable[[int, int], Sequence[Logged]]
    _hits: dict[int, logline.Row] | None = None
    """Of the search that goes on, by position; None where the whole log is shown."""
    _listed: list[int]
    search_progress: str = ""
    """How far a search has come, for the border; "" when it is over."""

    @property
    def _at_log(self: Any) -> DeskScreen:
        return self  # type: ignore[no-any-return]

    def begin_log(self) -> None:
        """An own connection for the log, on the screen's thread; the search makes its own."""
        app = self._at_log.app
        self._log_pages: dict[int, list[logline.Row]] = {}
        self._events = app.desk.open_events()
        self._listed = []
        self._search = LogSearch(self.opened_search, app.hands.deliver)

    def opened_search(self) -> Search:
        """A way through the log for the thread that calls this."""
        known = self._at_log.app.desk
        return known.open_search() if known.open_search else Forwards(known.open_events())

    def paint_log(self) -> None:
        desk = self._at_log
        last = desk.state.seq
        if self._hits is not None:
            self._search.grown(last)
            self._caption_log()
            return
        log = desk.table("log")
        log.set_rows(range(1, last + 1), self._log_cells)
        if desk.active != "log" and log.place[0] != last:
            log.action_last()  # nobody reads in it: it shows its end, in the same frame
        self._caption_log()

    def _caption_log(self) -> None:
        desk = self._at_log
        last, words = desk.state.seq, self.filters["log"]
        shown = last if self._hits is None else len(self._hits)
        desk.counts["log"] = captions.Counts(last, shown, words=words)
        desk.caption("log")

    # -- the search --------------------------------------------------------------------------------------

    def search_log(self, text: str) -> None:
        """Show the lines that hold the words, newest first, as they are found; "" shows the whole log again, at the
        line that is selected."""
        log, words = self._at_log.table("log"), finding.words_of(text)
        log.follow = not words
        if not words:
            self._search.drop()
            self._hits, self.search_progress = None, ""
            self.paint_log()
            return
        self._hits, self._listed, self.search_progress = {}, [], "looking ..."
        log.empty = "looking ..."
        log.set_rows((), self._hit_cells)
        log.refresh()
        self._search.look(words, self._at_log.state.seq, self._found)
        self._caption_log()

    def _found(self, found: Found) -> None:
        if self._hits is None or not self._at_log.is_mounted:
            return
        log, first = self._at_log.table("log"), not self._hits
        self._hits.update(found.hits)
        last = max(1, self._at_log.state.seq)
        at = f"{100 * (last - found.left) // last} %"
        done = "the newest of more" if found.full else ""
        self.search_progress = found.trouble or (done if found.over else f"looking, {at}")
        if found.hits:
            self._listed = sorted(self._hits, reverse=True)[:LIMIT]
            log.set_rows(tuple(self._listed), self._hit_cells)
            if first and log.cursor_key is None:
                log.action_first()
        elif found.over and not self._hits:
            log.empty = found.trouble or f"no line of the log holds that; {keys.key('back')} shows all again"
            log.refresh()
        self._caption_log()

    def _hit_cells(self, index: int) -> logline.Row:
        assert self._hits is not None
        return self._hits[self._listed[index]]

    # -- lines -------------------------------------------------------------------------------------------

    def _log_cells(self, index: int) -> logline.Row:
        page, at = divmod(index, LOG_PAGE)
        if at >= len(self._log_pages.get(page, ())):  # not read yet, or when it was the last page and not full
            if len(self._log_pages) > 20:
                self._log_pages.clear()
            self._log_pages[page] = [logline.row(entry) for entry in self._events(page * LOG_PAGE + 1, LOG_PAGE)]
        return self._log_pages[page][at]

    def logged(self, position: int) -> str:
        """What a line of the log is about, as a subject."""
        state = self._at_log.state
        row = self._log_cells(position - 1)
        alert = row[2][0].partition(" ")[0].rstrip(":")
        about = alert if alert in state.alerts else row[1][0]
        known: dict[str, Mapping[str, object]] = {
            "alert": state.alerts,
            "session": state.sessions,
            "policy": state.policies,
            "decision": state.decisions,
            "ticket": state.tickets,
            "routine": state.routines,
        }
        for kind, names in known.items():
            if about in names:
                return f"{kind}:{about}"
        self._at_log.say("this line is about the console itself; there is nothing to open")
        return ""
