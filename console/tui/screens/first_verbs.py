"""The desk's own doors for newcomers: the first steps, by themselves or from the palette, and a ticket at any time."""

from __future__ import annotations

from console.core.first_steps import Look, newcomer
from console.engine.first_steps import FirstSteps
from console.tui.screens.ticket_sheet import WriteTicket
from console.tui.screens.verbs import Asking
from console.tui.screens.welcome import Welcome

NOT_HERE = "this console was opened without the means for that"


class FirstVerbs(Asking):
    """Mixed into the desk."""

    def welcome(self) -> None:
        """Once, when the screen opens: the steps instead of an empty desk that could not do anything."""
        desk, steps = self.desk, self.desk.app.desk.first_steps
        if steps and not (desk.state.tickets or desk.state.sessions or desk.state.runs):
            look = steps.look()
            if newcomer(look, desk.state):
                self._open(steps, look)

    def _open(self, steps: FirstSteps, look: Look) -> None:
        desk = self.desk
        start = desk.action_start_run  # type: ignore[attr-defined]
        desk.app.push_screen(Welcome(steps, look, lambda: desk.app.state, start), self._welcomed)

    def why_not_first_steps(self) -> str:
        return "" if self.desk.app.desk.first_steps else NOT_HERE

    why_not_write_ticket = why_not_first_steps

    def action_first_steps(self) -> None:
        desk, steps = self.desk, self.desk.app.desk.first_steps
        if not self.able("first-steps") or steps is None:
            return

        def seen(look: object) -> None:
            if isinstance(look, Exception):
                self.say(f"the first steps cannot be shown: {look}")
            else:
                self._open(steps, look)  # type: ignore[arg-type]

        desk.app.hands.aside(steps.look, seen)

    def _welcomed(self, answer: str | None) -> None:
        if answer == "plan":
            self.desk.action_next_waiting()  # type: ignore[attr-defined]

    def action_write_ticket(self) -> None:
        desk, steps = self.desk, self.desk.app.desk.first_steps
        if not self.able("write-ticket") or steps is None:
            return

        def wrote(said: str | None) -> None:
            if said:
                desk.notify(said, timeout=8)

        desk.app.push_screen(WriteTicket(steps, when_alone=self.when_alone), wrote)
