"""A ticket written on the screen: a title, a text, and at once what a run would decide about it. What was written is
not lost by one key."""

from __future__ import annotations

import time
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.timer import Timer
from textual.widgets import Input, Static, TextArea

from console.core.records import Refused
from console.engine.first_steps import FirstSteps, Written
from console.present.glyphs import sign
from console.present.text import clean
from console.terminal.lending import Loan
from console.tui.screens.beside import Beside
from console.tui.screens.sheets import OneLine, Sheet
from console.tui.screens.welcome_sheets import Alone, broad
from console.tui.widgets.table import Column, VTable

PAUSE = 0.25
"""Seconds without a key after which the text is weighed."""
ARMED = 3.0
ANSWERS = (("keep", "go on writing"), ("add", "add it to the queue"), ("edit", "write the text in your editor"))


class WriteTicket(Beside, Sheet):
    """Dismissed with what became of the ticket, in a sentence; None for nothing."""

    DEFAULT_CSS = """
    WriteTicket TextArea { height: 10; border: none; padding: 0 1; background: $panel; }
    WriteTicket TextArea:focus { border: none; background: $panel; }
    WriteTicket .label { height: 1; color: $state-quiet; }
    WriteTicket .verdict { height: auto; max-height: 5; padding: 0; }
    WriteTicket VTable { height: 3; margin: 1 0 0 0; }
    WriteTicket.-low TextArea { height: 5; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("f2", "to_answers", "To the answers", show=False, priority=True)]

    def __init__(self, steps: FirstSteps, *, when_alone: Alone) -> None:
        super().__init__(
            "A new ticket", "Enter, Tab: to the next field; Tab out of the text: to the answers; Esc leaves it"
        )
        self.steps, self._when_alone = steps, when_alone
        self._timer: Timer | None = None
        self._weighed = 0
        self._armed = 0.0
        self.found = Written()

    def body(self) -> ComposeResult:
        yield Static("Title, one line", classes="label", markup=False)
        field = OneLine(placeholder="Say hello in hello.txt")
        field.cursor_blink = False
        yield field
        yield Static(
            "What is wrong or missing, where to look, how one sees that it is done", classes="label", markup=False
        )
        text = TextArea(soft_wrap=True, show_line_numbers=False, tab_behavior="focus")
        text.cursor_blink = False
        yield text
        yield Static("", classes="verdict", markup=False)
        yield VTable([Column(20, grow=True)])

    def on_mount(self) -> None:
        table = self.query_one(VTable)
        table.set_rows([key for key, _ in ANSWERS], lambda index: (ANSWERS[index][1],))
        broad(self)
        self.set_class(self.size.height < 32, "-low")
        self.query_one(OneLine).focus()

    def on_resize(self, event: events.Resize) -> None:
        self.set_class(event.size.height < 32, "-low")

    # -- what it says so far -----------------------------------------------------------------------------

    @property
    def written(self) -> tuple[str, str]:
        return self.query_one(OneLine).value.strip(), self.query_one(TextArea).text

    def on_input_changed(self, event: Input.Changed) -> None:
        self._changed()

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        self._changed()

    def _changed(self) -> None:
        if self._timer:
            self._timer.stop()
        self._timer = self.set_timer(PAUSE, self._weigh)

    def _weigh(self) -> None:
        title, text = self.written
        self._weighed += 1
        turn = self._weighed
        if not title and not text.strip():
            self._verdict(Written())
            return
        self.beside(
            lambda: self.steps.weigh(title, text), lambda got: self._verdict(got) if turn == self._weighed else None
        )

    def _verdict(self, got: Written | Refused) -> None:
        self.found = got if isinstance(got, Written) else Written(problems=(got.reason,))
        self.query_one(".verdict", Static).update(Content(clean(verdict_words(self.found), lines=True, limit=900)))

    # -- moving, leaving ---------------------------------------------------------------------------------

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.query_one(TextArea).focus()

    def action_to_answers(self) -> None:
        self.query_one(VTable).focus()

    def action_close(self) -> None:
        now = time.monotonic()
        if any(part.strip() for part in self.written) and now - self._armed > ARMED:
            self._armed = now
            self.tell("press Esc again to leave it; what you wrote is lost then")
            return
        super().action_close()

    def tell(self, text: str) -> None:
        hint = self.query_one(".hint", Static)
        hint.update(Content(clean(text, limit=400)))
        hint.add_class("-refused")

    # -- the answers -------------------------------------------------------------------------------------

    def on_vtable_opened(self, event: VTable.Opened) -> None:
        if event.key == "add":
            self._when_alone("added", self._add)
        elif event.key == "edit":
            self._edit()
        else:
            self.query_one(TextArea).focus()

    def _add(self) -> None:
        title, text = self.written
        if not title and not text.strip():
            self.tell("it says nothing yet: write a title, and what is to be done")
            return
        self.beside(lambda: self.steps.add(title, text), self._added)

    def _added(self, said: str | Refused) -> None:
        if isinstance(said, Refused):
            self.tell(f"not added: {said.reason}")
        elif self.is_current:
            verdict = self.found.verdict
            after = f"; in a run {WOULD[verdict.decision]}" if verdict else ""
            self.dismiss(f"{said}{after}")

    def _edit(self) -> None:
        _, text = self.written
        self.beside(lambda: self.steps.compose(text), self._lend)

    def _lend(self, found: tuple[tuple[str, ...], str] | Refused) -> None:
        lend = getattr(self.app, "lend", None)
        if isinstance(found, Refused) or lend is None:
            self.tell(found.reason if isinstance(found, Refused) else "this screen cannot lend its terminal")
            return
        argv, file = found
        loan = Loan(argv, "the ticket's text; nightdesk comes back when you leave the editor", editor=True, clear=True)

        def over(said: int | str) -> None:
            why = said if isinstance(said, str) else loan.ending(said)
            self.beside(lambda: self.steps.composed(file), lambda got: self._composed(got, why))

        lend(loan, over)

    def _composed(self, got: str | Refused, why: str) -> None:
        if isinstance(got, Refused) or why:
            self.tell(why or (got.reason if isinstance(got, Refused) else ""))
        if isinstance(got, str):
            area = self.query_one(TextArea)
            area.load_text(got)
            self.query_one(VTable).focus()


WOULD = {
    "PROCEED": "an agent would begin with it",
    "PARK": "it would wait for your decision, nothing would be touched",
    "HALT": "everything would stop here",
}


def verdict_words(found: Written) -> str:
    """What a run would decide, or why it could not be added; "" while nothing is written."""
    if found.problems:
        return "\n".join(f"{sign('look').glyph} {problem}" for problem in found.problems)
    verdict = found.verdict
    if verdict is None:
        return ""
    mark = sign("done" if verdict.decision == "PROCEED" else "parked").glyph
    lines = [f"{mark} {verdict.decision}: {WOULD[verdict.decision]}" + (f" ({verdict.why})" if verdict.why else "")]
    lines += [f"  {line}" for line in verdict.evidence[:2]]
    if verdict.question:
        lines.append(f"  to decide: {verdict.question}")
    return "\n".join(lines)
