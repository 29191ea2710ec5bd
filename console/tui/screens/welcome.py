"""The first steps: a checklist from an empty folder to the first commit of a ticket of one's own. It looks again while
it is open, so what is done in a shell counts as well. It decides nothing about any of it."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from console.core.first_steps import Look, Progress, Step, next_step, progress, steps
from console.core.records import Refused
from console.core.state import State
from console.engine.first_steps import FirstSteps
from console.present import firstwords as words
from console.present.text import clean
from console.terminal.lending import Loan
from console.tui import keys
from console.tui.keyguard import KeyGuard
from console.tui.screens import bars
from console.tui.screens.welcome_sheets import Offer, folded
from console.tui.screens.welcome_steps import WelcomeSteps
from console.tui.widgets.lines import LineView
from console.tui.widgets.table import Column, VTable

EVERY = 1.5
"""Seconds between two looks."""
COLUMNS = (Column(8), Column(12), Column(20, grow=True))


class Welcome(WelcomeSteps, Screen[str | None]):
    """Dismissed with "plan" (to what waits) or None (to the desk); by itself when a run begins. state: what the log
    says, None as long as there is no log. start: checks everything and starts a run, on a sheet over this screen."""

    DEFAULT_CSS = """
    Welcome { layout: vertical; background: $background; }
    Welcome #title { height: 1; background: $panel; color: $foreground; padding: 0 1; text-style: bold; }
    Welcome #list {
        height: 12; border: round $border-blurred; background: $surface;
        border-title-color: $foreground; border-subtitle-color: $state-quiet;
    }
    Welcome #list:focus { border: round $border; }
    Welcome #about {
        height: 1fr; border: round $border-blurred; background: $surface; border-title-color: $foreground;
        padding: 0 1;
    }
    Welcome #about:focus { border: round $border; }
    Welcome #keys { height: 1; background: $panel; color: $foreground; padding: 0 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("welcome")
    AUTO_FOCUS = "#list"
    here_is = "welcome"

    def __init__(
        self,
        steps: FirstSteps,
        look: Look,
        state: Callable[[], State] | None = None,
        start: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__()
        self.guard = KeyGuard()
        self.steps, self.look = steps, look
        self._state, self._start = state, start
        self._ran = bool(state and state().runs)
        self._looking = False
        self._typed = {}
        self._follow = True
        """The selection goes to what comes next: nothing was chosen by hand since the last step was done."""
        self._drawn: object = None

    def compose(self) -> ComposeResult:
        yield Static(id="title", markup=False)
        yield VTable(COLUMNS, id="list")
        yield LineView((), id="about")
        yield Static(id="keys", markup=False)

    def on_mount(self) -> None:
        self.query_one("#list", VTable).border_title = "First steps"
        self._paint()
        self.set_interval(EVERY, self._look_again)

    def on_resize(self) -> None:
        self._drawn = None
        self.call_after_refresh(self._paint)

    def on_screen_resume(self) -> None:
        self._look_again()

    # -- looking -----------------------------------------------------------------------------------------

    @property
    def done(self) -> Progress:
        return progress(self._state()) if self._state else Progress()

    @property
    def found(self) -> tuple[Step, ...]:
        return steps(self.look, self.done)

    def _look_again(self) -> None:
        if self._looking or not self.is_current:
            return
        self._looking = True
        self.beside(self.steps.look, self._saw)

    def _saw(self, look: Look | Refused) -> None:
        self._looking = False
        if isinstance(look, Look):
            self.look = look
        self.show_state()

    def _begun(self) -> bool:
        """A run has begun since this screen was opened: the desk shows it."""
        return bool(not self._ran and self._state and self._state().runs)

    def looked(self, said: object) -> None:
        if isinstance(said, Refused):
            self.say(said.reason, seconds=12)
        else:
            self._follow = True
            self.notify(str(said), timeout=6)
        self.beside(self.steps.look, self._saw)

    # -- painting ----------------------------------------------------------------------------------------

    def show_state(self) -> None:
        if self._begun() and self.is_current:
            self.dismiss(None)
        else:
            self._paint()

    def _paint(self) -> None:
        """Only what differs."""
        table = self.query_one("#list", VTable)
        found = self.found
        rows = words.rows(found, self.look, self.done)
        seen = (rows, self.look, self.size, table.cursor_key)
        if seen == self._drawn:
            return
        cells = [((f"{row.mark} {row.word}", row.tone), (row.title, "strong"), (row.text, "plain")) for row in rows]
        table.set_rows([row.name for row in rows], lambda index: cells[index])
        upcoming = next_step(found)
        if self._follow and upcoming:
            table.select(upcoming)
        table.styles.height = min(len(rows) + 2, max(5, self.size.height - 9))
        table.border_subtitle = "{} of {}".format(*table.place)
        self.query_one("#title", Static).update(
            Content(clean(f"nightdesk  {_short(self.look.folder)}  {words.headline(found)}"))
        )
        self._paint_about()
        self._drawn = (rows, self.look, self.size, table.cursor_key)

    def _paint_about(self) -> None:
        step = self.step
        view = self.query_one("#about", LineView)
        if step:
            view.border_title = words.TITLES[step.name]
            view.set_lines(folded(words.lines(step, self.look, self.done), max(20, view.size.width - 1)))
        line = bars.footer(self.keys_here(), max(0, self.size.width - 2))
        self.query_one("#keys", Static).update(Content(line))

    @property
    def step(self) -> Step | None:
        """The one that is selected."""
        name = self.query_one("#list", VTable).cursor_key
        return next((step for step in self.found if step.name == name), None)

    def keys_here(self) -> list[bars.Key]:
        step = self.step
        enter = words.enter(step) if step else ""
        return [
            *([("Enter", enter, enter.split()[0])] if enter else []),
            *self.can("try-gate", "try the gate", "try gate"),
            *self.can("edit-settings", "edit the settings", "edit"),
            *self.can("write-ticket", "write a ticket", "ticket"),
            *self.can("to-desk", "to the desk", "desk"),
            *self.can("help", "help"),
            *self.can("leave", "leave"),
            *self.can("palette", "palette"),
        ]

    # -- keys --------------------------------------------------------------------------------------------

    @on(VTable.Highlighted)
    def _highlighted(self) -> None:
        upcoming = next_step(self.found)
        self._follow = self._follow and self.query_one("#list", VTable).cursor_key == upcoming
        self._paint_about()
        table = self.query_one("#list", VTable)
        table.border_subtitle = "{} of {}".format(*table.place)

    @on(VTable.Opened)
    def _opened(self) -> None:
        step = self.step
        if step is None:
            return
        if step.standing == "later" or (step.standing == "trouble" and step.name == "repository"):
            self.say(f"{words.TITLES[step.name]}: {words.does(step, self.look, self.done)}")
        elif step.name == "run" and step.standing == "open":
            self.app.clear_notifications()
            self._start()
        elif step.name in ("run", "landed"):
            self.dismiss("plan" if self.done.waiting else None)
        elif step.standing == "done" and step.name in ("repository", "identity", "commit", "root"):
            self.say(f"{words.TITLES[step.name]} is done: {words.said(step, self.look, self.done)}")
        elif step.standing == "trouble" and step.name == "settings":
            self.edit_settings()
        else:
            getattr(self, f"step_{step.name}")()

    def action_try_gate(self) -> None:
        self.try_gate()

    def action_edit_settings(self) -> None:
        self.edit_settings()

    def why_not_edit_settings(self) -> str:
        return "" if self.look.config else "there are no settings yet: that step writes them"

    def edit_settings(self) -> None:
        """In the operator's editor; what is wrong afterwards is told."""
        if not self.able("edit-settings"):
            return
        self.beside(self.steps.editor, lambda got: self.told(got, self._lend))

    def _lend(self, argv: tuple[str, ...]) -> None:
        loan = Loan(argv, "the settings; nightdesk comes back when you leave the editor", editor=True, clear=True)

        def over(said: int | str) -> None:
            if why := said if isinstance(said, str) else loan.ending(said):
                self.say(why)
            self.beside(self.steps.look, self._edited)

        self.app.lend(loan, over)  # type: ignore[attr-defined]

    def _edited(self, look: Look | Refused) -> None:
        self._follow = True
        self._saw(look)
        if isinstance(look, Look) and look.problems:
            sheet = Offer("This has to be cured first", list(look.problems), [("edit", "open it again")])
            self.ask(sheet, lambda _: self.edit_settings())

    def why_not_write_ticket(self) -> str:
        return "" if self._state else "there is no repository with a first commit yet: that comes first"

    def action_write_ticket(self) -> None:
        if self.able("write-ticket"):
            self.step_ticket()

    def why_not_to_desk(self) -> str:
        return "" if self._state else f"there is no desk without a repository yet; {keys.key('leave')} leaves"

    def action_back(self) -> None:
        if self.able("to-desk"):
            self.dismiss(None)

    def action_leave(self) -> None:
        self.app.exit(0)

    def help_about(self) -> str:
        return "first steps"

    def help_notes(self, cells: int) -> list[str]:
        wrong = [problem.sentence() for problem in getattr(self.app, "key_problems", ())]
        return folded([SEEN, *(line for text in wrong for line in ("", text))], max(20, cells))

    def on_app_focus(self, _: events.AppFocus) -> None:
        self._look_again()


SEEN = (
    "Enter on a row takes that step: it shows what would be written, and asks. What is done in a shell is seen here "
    "after a moment."
)


def _short(folder: str) -> str:
    home = os.path.expanduser("~")
    return f"~{folder[len(home) :]}" if folder.startswith(home + "/") else folder
