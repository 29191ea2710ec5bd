"""The verbs of a parked decision: choose a reading with a digit, type an answer, take it back. Each is about what was
drawn; a key that comes too soon after it changed, or in a burst, decides nothing."""

from __future__ import annotations

from console.core import commands as cmd
from console.core.decisions import Parked, answerable
from console.present import queueing
from console.present.text import clean, cut
from console.tui import keys
from console.tui.screens import bars
from console.tui.screens.looking import Looking
from console.tui.screens.sheets import AskText

ANSWER_CELLS = 48
"""Of an answer in a message."""


class DecisionVerbs(Looking):
    """Mixed into every screen that shows one thing."""

    def decision(self) -> Parked | None:
        """The one that is shown."""
        subject = self.desk.subject
        return self.desk.state.decisions.get(subject.name) if subject.kind == "decision" else None

    def decision_keys(self) -> list[bars.Key]:
        d = self.decision()
        if d is None or self.desk.detail_hidden:
            return []
        if d.state == "answered":
            return self.can("undo", "take the answer back", "undo")
        if d.state != "open":
            return []
        count = min(9, len(d.options))
        digits = [("1" if count == 1 else f"1-{count}", "choose", "choose")] if count else []
        return [*(digits if self.digits_choose else []), *self.can("type", "type an answer", "type")]

    @property
    def digits_choose(self) -> bool:
        """Whether a digit is for the decision that is shown and not for the panes."""
        return self.decision() is not None and self.desk.detail.has_focus_within

    # -- answering ---------------------------------------------------------------------------------------

    def action_choose(self, number: int) -> None:
        d = self.decision()
        if d is None or self.desk.detail_hidden:
            self.say("no decision is shown; open one first")
        elif refused := answerable(d, number, ""):
            self.say(refused.reason)
        elif self.desk.detail.tab != "why":
            self.desk.detail.show("why")
            self.desk.paint_detail()
            self.say(f"these are its readings; press {number} again to choose that one")
        elif why := self.desk.unread("why"):
            self.say(why)
        else:
            self.on_this("answered", lambda: self._answer(d, number, ""))

    def _answer(self, d: Parked, number: int, text: str) -> None:
        said = d.options[number - 1].text if number else text
        command = cmd.AnswerDecision(decision=d.decision, by=self.desk.app.desk.who(), choice=number, text=text)
        told = f"{clean(d.ticket, limit=60)} is answered: {cut(clean(said), ANSWER_CELLS)}"
        self.send(command, f"{told}; {keys.key('undo')} takes it back", needs_hands=False)

    def action_type(self) -> None:
        """Answer the decision in words of one's own."""
        d = self.decision()
        if self.able("type") and d:
            self._ask_words(d)

    def why_not_type(self) -> str:
        d = self.decision()
        if d is None or self.desk.detail_hidden:
            return "no decision is shown; open one first"
        refused = answerable(d, 0, "x")
        return refused.reason if refused else ""

    def why_not_readings(self) -> str:
        d = self.decision()
        return self.why_not_type() if d is None or d.options else "it offers no readings; answer in words"

    def _ask_words(self, d: Parked) -> None:
        def typed(text: str | None) -> None:
            now = self.desk.state.decisions[d.decision]
            if text and (refused := answerable(now, 0, text)):
                self.say(f"not sent: {refused.reason}")
            elif text:
                self._answer(d, 0, text)

        self.desk.app.push_screen(AskText(f"{clean(d.ticket, limit=60)}: {queueing.question(d, 600)}"), typed)
