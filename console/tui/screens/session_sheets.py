"""The dialogs of a session: a prompt with what becomes of the turn that runs, a question with what it is about, the
program that is about to have the terminal, and the wait for that. Each starts on the answer that changes nothing."""

from __future__ import annotations

import json
import re
import shlex
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Input, Static

from console.engine.desk import Opening
from console.present.doing import span
from console.present.folding import folded
from console.present.text import clean
from console.tui.keyguard import SETTLE
from console.tui.screens.confirming import Preview, wrapped
from console.tui.screens.sheets import AskText, OneLine, Sheet
from console.tui.widgets.lines import LineView
from console.tui.widgets.table import VTable

DETAIL_LINES = 2000
LOOK = 0.3
"""Seconds between looks whether what a dialog says is still so."""


class AskPrompt(AskText):
    """turn: the one that runs, 0 for none; queued: the prompts that wait. at_once: whether that turn is to be
    interrupted first. Both move on meanwhile; a turn that was chosen and has ended is never mistaken for another."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab,shift+tab,up,down", "other", "When", show=False, priority=True),
    ]

    def __init__(self, title: str, look: Callable[[], tuple[int, int]]) -> None:
        """look: the turn and the number of prompts as they are now."""
        self.look = look
        self.turn, self.queued = look()
        super().__init__(title, self._hint())
        self.at_once = False

    def _hint(self) -> str:
        return "Enter sends, Tab changes when, Esc leaves it" if self.turn else "Enter sends, Esc leaves it"

    def body(self) -> ComposeResult:
        yield from super().body()
        yield Static(self._when(), classes="when", markup=False)

    def on_mount(self) -> None:
        self.set_interval(LOOK, self._moved)

    def _moved(self) -> bool:
        """Whether what it says was not true any more; now it is."""
        before, (self.turn, self.queued) = (self.turn, self.queued), self.look()
        if before == (self.turn, self.queued):
            return False
        chosen, self.at_once = self.at_once, self.at_once and before[0] == self.turn
        self.query_one(".when", Static).update(self._when())
        over = chosen and not self.at_once
        gone = f"turn {before[0]} has ended meanwhile: look when it is sent now. " if over else ""
        self.query_one(".hint", Static).update(Content(clean(gone + self._hint())))
        return bool(gone)

    def _when(self) -> Content:
        if not self.turn:
            return Content("")
        one = self.queued == 1
        wait = f"{self.queued} {'prompt that waits' if one else 'prompts that wait'}" if self.queued else ""
        later, now = (" ", "›") if self.at_once else ("›", " ")
        first = f"; {wait} come{'s' * one} first" if wait else ", then send"
        return Content.assemble(
            (
                f"\n{later} queued behind turn {self.turn}{f' and {wait}' if wait else ''}\n",
                "" if self.at_once else "bold",
            ),
            (f"{now} interrupt turn {self.turn}{first}", "bold $state-needs" if self.at_once else ""),
        )

    def action_other(self) -> None:
        if self.turn:
            self.at_once = not self.at_once
            self.query_one(".when", Static).update(self._when())
        self.query_one(OneLine).focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Not when it would mean something else than what was read."""
        if self._moved():
            event.prevent_default()  # the library calls the handler of `AskText` after this one


class AskQuestion(Preview):
    """What an agent wants to do, in full, above the answers; a digit is an answer. entry: of the transcript."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(str(i), f"digit({i})", f"Answer {i}", show=False, priority=True) for i in range(1, 10)),
        Binding("tab", "other", "Other part", show=False, priority=True),
    ]

    def __init__(
        self,
        title: str,
        entry: Mapping[str, Any],
        options: Sequence[tuple[str, str]],
        when_alone: Callable[[str, Callable[[], None]], None],
        open_still: Callable[[], bool] = lambda: True,
    ) -> None:
        """when_alone: runs the act if no other key is near. open_still: whether the question still waits."""
        self.open_still = open_still
        numbered = [(ident, f"{i if i < 10 else ' '} {words}") for i, (ident, words) in enumerate(options, 1)]
        super().__init__(title, question_lines(entry), numbered)
        self.options[0] = ("", "  nothing, leave it open")
        self.hint = "1-9 answers, j/k and Enter too, Tab scrolls what it asks about, Esc leaves it open"
        self.when_alone = when_alone
        self._since = time.monotonic()

    def _fit(self) -> None:
        view = self.query_one(LineView)
        self.lines = view_lines = wrapped(self.lines, max(20, view.size.width - 1))
        super()._fit()
        view.display = bool(view_lines)

    def on_mount(self) -> None:
        super().on_mount()
        self._since = time.monotonic()
        self.set_interval(LOOK, self._over)

    def _over(self) -> bool:
        """Whether it waits for no answer any more; then that is said, and nothing here answers."""
        if self.open_still():
            return False
        if len(self.options) > 1:
            self.options = [("", "  it waits for no answer any more: close")]
            table = self.query_one(VTable)
            table.set_rows(["0"], lambda i: (self.options[int(i)][1],))
            hint = self.query_one(".hint", Static)
            hint.update(Content("it was answered elsewhere, or its turn ended; Esc closes"))
            hint.add_class("-refused")
        return True

    def action_other(self) -> None:
        view, table = self.query_one(LineView), self.query_one(VTable)
        (table if view.has_focus or not view.display else view).focus()

    def on_vtable_opened(self, event: VTable.Opened) -> None:
        if self._over():
            event.prevent_default()  # the library calls the handler of `Choose` after this one
            self.dismiss(None)

    def action_digit(self, number: int) -> None:
        """Not in the moment in which the dialog came up: that key was typed for something else."""
        if number < len(self.options) and time.monotonic() - self._since >= SETTLE:
            self.when_alone("answered", lambda: self._answer(number))

    def _answer(self, number: int) -> None:
        if not self.is_current or self._over():
            return
        if why := self.unread():
            self.notify(why, severity="warning")
        else:
            self.dismiss(self.options[number][0] or None)


def question_lines(entry: Mapping[str, Any]) -> list[str]:
    """What a question is about: the tool, its paths, and its text or input, a line each; cleaned where it is drawn."""
    lines = [f"{name}: {entry[key]}" for key, name in (("tool", "tool"), ("type", "kind")) if entry.get(key)]
    lines += [f"path: {path}" for path in str(entry.get("paths") or "").split("\n") if path]
    found = [*lines, *_input_lines(str(entry.get("text") or ""))]
    short = [line for line in found[-3:] if _PARTLY.search(line)]
    short += [f"... {len(found) - DETAIL_LINES} more lines"] * (len(found) > DETAIL_LINES)
    return [*(f"! not all of it is shown here: {line.strip('. ()')}" for line in short), *found[:DETAIL_LINES]]


_PARTLY = re.compile(r"^\.\.\. \d+ more (?:lines|characters|parts)|^\(.*characters were (?:not )?compared\)$")
"""How the transcript says that it left something out, at its end."""


def _input_lines(text: str) -> list[str]:
    """JSON as one key a line, with the lines of long values below; anything else as it is."""
    try:
        known = json.loads(text) if text.startswith("{") else None
    except (ValueError, RecursionError):
        known = None
    if not isinstance(known, dict):
        return text.strip("\n").split("\n") if text.strip() else []
    lines: list[str] = []
    for key, value in known.items():
        said = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        first, *rest = said.split("\n")
        lines += [f"{key}: {first}", *(f"  {line}" for line in rest)]
    return lines


class ConfirmOpening(Preview):
    """The exact command line that is about to have the terminal, with its folder and what it may do."""

    def __init__(self, session: str, opening: Opening, agent: str) -> None:
        words = [opening.words, ""] if opening.words else []
        lines = [shlex.join(opening.argv), "", f"in {opening.cwd}", *words]
        lines += ["Its agent is ended first; leave the program as always and the desk is back.", *_AFTER]
        super().__init__(f"Open {session} in {agent}'s own program?", lines, [("open", "open it here, now")])
        self.hint = "j/k move, Enter chooses, Tab to the command, Esc leaves it"

    def _fit(self) -> None:
        view = self.query_one(LineView)
        self.lines = [piece for line in self.lines for piece in folded(line, max(20, view.size.width - 1))]
        super()._fit()


_AFTER = ("Until then it takes no prompt from here, and no policy judges what is done there.",)


class Resting(Sheet):
    """Waits for the end of a session's processes. given_up: Escape was pressed; whoever waits looks at that."""

    def __init__(self, session: str, patience: float) -> None:
        super().__init__(f"Ending the agent of {session}", "Esc leaves it")
        self.patience = patience
        self.given_up = False
        self._since = time.monotonic()

    def body(self) -> ComposeResult:
        yield Static(self._said(), classes="when", markup=False)

    def _said(self) -> Content:
        passed = time.monotonic() - self._since
        return Content(clean(f"its processes have {self.patience:g} s to end; {span(passed)} so far"))

    def on_mount(self) -> None:
        self.set_interval(1.0, lambda: self.query_one(".when", Static).update(self._said()))

    def action_close(self) -> None:
        self.given_up = True
        self.query_one(".hint", Static).update(Content("it is not opened; its agent comes back with the next prompt"))
