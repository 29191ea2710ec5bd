"""The verbs of a parked decision: choose a reading with a digit, type an answer, take it back. Each is about what was
drawn; a key that comes too soon after it changed, or in a burst, decides nothing."""

from __future__ import annotations

from console.core import commands as cmd
from console.core.decisions import Parked, answerable
from console.present import queueing
from console.present.text import clean, cut
from console.tui.screens import bars
from console.tui.screens.looking import Looking
from console.tui.screens.sheets import AskText

ANSWER_CELLS = 48
"""Of an answer in a message."""


class DecisionVerbs(Looking):
    """Mixed into every screen that shows one thing."""

    _answered: tuple[str, ...] = ()

    def decision(self) -> Parked | None:
        """The one that is shown."""
        subject = self.desk.subject
        return self.desk.state.decisions.get(subject.name) if subject.kind == "decision" else None

    def decision_keys(self) -> list[bars.Key]:
        d = self.decision()
        if d is None or self.desk.detail_hidden:
            return []
        if d.state == "answered":
            return [("u", "take the answer back", "undo")] if self._reopenable(d) == "" else []
        if d.state != "open":
            return []
        count = min(9, len(d.options))
        digits = [("1" if count == 1 else f"1-{count}", "choose", "choose")] if count else []
        return [*(digits if self.digits_choose else []), ("t", "type an answer", "type")]

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
        else:
            self.on_this("answered", lambda: self._answer(d, number, ""))

    def _answer(self, d: Parked, number: int, text: str) -> None:
        said = d.options[number - 1].text if number else text
        self._answered = (*self._answered, d.decision)
        command = cmd.AnswerDecision(decision=d.decision, by=self.desk.app.desk.who(), choice=number, text=text)
        told = f"{clean(d.ticket, limit=60)} is answered: {cut(clean(said), ANSWER_CELLS)}; u takes it back"
        self.send(command, told, needs_hands=False)

    def action_type(self) -> None:
        """Answer the decision in words of one's own."""
        d = self.decision()
        if d is None or self.desk.detail_hidden:
            self.say("no decision is shown; open one first")
        elif refused := answerable(d, 0, "x"):
            self.say(refused.reason)
        else:
            self._ask_words(d)

    def _ask_words(self, d: Parked) -> None:
        def typed(text: str | None) -> None:
            now = self.desk.state.decisions[d.decision]
            if text and (refused := answerable(now, 0, text)):
                self.say(f"not sent: {refused.reason}")
            elif text:
                self._answer(d, 0, text)

        self.desk.app.push_screen(AskText(f"{clean(d.ticket, limit=60)}: {queueing.question(d, 600)}"), typed)

    # -- taking back -------------------------------------------------------------------------------------

    def _reopenable(self, d: Parked) -> str:
        """Why the answer stays; "" when it can be taken back."""
        if d.state != "answered":
            return f"{d.decision} is {d.state}; there is no answer to take back"
        t = self.desk.state.tickets.get(d.ticket)
        if t and t.phase == "queued" and t.reopens == d.decision:
            return ""
        return f"work on {clean(d.ticket, limit=60)} has begun with that answer; it stays"

    def action_undo(self) -> None:
        d = self.decision() or self._last_answered()
        if d is None:
            super().action_undo()  # type: ignore[misc]
        elif why := self._reopenable(d):
            self.say(why)
        else:
            self.when_alone("taken back", lambda: self.reopen(d))

    def _last_answered(self) -> Parked | None:
        """The latest answer given here, unless an approval or a rejection is shown or came after it."""
        desk = self.desk
        found = (desk.state.decisions.get(name) for name in reversed(self._answered))
        last = next((d for d in found if d and not self._reopenable(d)), None)
        plan = desk.undoable()
        if last and plan and (desk.subject.name == plan.plan or plan.changed_at > last.answered_at):
            return None
        return last

    def reopen(self, d: Parked) -> None:
        command = cmd.ReopenDecision(decision=d.decision, by=self.desk.app.desk.who())
        self.send(command, f"the answer to {d.decision} is taken back", needs_hands=False)
