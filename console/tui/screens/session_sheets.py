"""The dialogs of a session: a prompt with what becomes of the turn that runs, a question with what it is about, the
program that is about to have the terminal, and the wait for that. Each starts on the answer that changes nothing."""

from __future__ import annotations

import json
import shlex
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Static

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


class AskPrompt(AskText):
    """turn: the one that runs, 0 for none. at_once: whether that one is to be interrupted first."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab,shift+tab,up,down", "other", "When", show=False, priority=True),
    ]

    def __init__(self, title: str, turn: int, queued: int) -> None:
        super().__init__(
            title, "Enter sends, Tab changes when, Esc leaves it" if turn else "Enter sends, Esc leaves it"
        )
        self.turn, self.queued = turn, queued
        self.at_once = False

    def body(self) -> ComposeResult:
        yield from super().body()
        if self.turn:
            yield Static(self._when(), classes="when", markup=False)

    def _when(self) -> Content:
        behind = f" and {self.queued} more prompt{'s' * (self.queued > 1)}" if self.queued else ""
        later, now = (" ", "›") if self.at_once else ("›", " ")
        return Content.assemble(
            (f"\n{later} queued behind turn {self.turn}{behind}\n", "" if self.at_once else "bold"),
            (f"{now} interrupt turn {self.turn}, then send", "bold $state-needs" if self.at_once else ""),
        )

    def action_other(self) -> None:
        if self.turn:
            self.at_once = not self.at_once
            self.query_one(".when", Static).update(self._when())
        self.query_one(OneLine).focus()


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
    ) -> None:
        """when_alone: runs the act if no other key is near."""
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

    def action_other(self) -> None:
        view, table = self.query_one(LineView), self.query_one(VTable)
        (table if view.has_focus or not view.display else view).focus()

    def action_digit(self, number: int) -> None:
        """Not in the moment in which the dialog came up: that key was typed for something else."""
        if number < len(self.options) and time.monotonic() - self._since >= SETTLE:
            self.when_alone("answered", lambda: self._answer(number))

    def _answer(self, number: int) -> None:
        if self.is_current:
            self.dismiss(self.options[number][0] or None)


def question_lines(entry: Mapping[str, Any]) -> list[str]:
    """What a question is about: the tool, its paths, and its text or input, a line each; cleaned where it is drawn."""
    lines = [f"{name}: {entry[key]}" for key, name in (("tool", "tool"), ("type", "kind")) if entry.get(key)]
    lines += [f"path: {path}" for path in str(entry.get("paths") or "").split("\n") if path]
    text = str(entry.get("text") or "")
    return [*lines, *_input_lines(text)][:DETAIL_LINES]


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
