"""The switch of chains, and the way to the board and back. Nothing here approves: a plan is opened on the desk."""

from __future__ import annotations

from console.core import commands as cmd
from console.present import boardlines
from console.tui.screens.confirming import Preview, wrapped
from console.tui.screens.verbs import Asking
from console.tui.widgets.lines import LineView


class Switch(Preview):
    """What switching chains on or off does, above the answers; the first one changes nothing."""

    def _fit(self) -> None:
        view = self.query_one(LineView)
        self.lines = wrapped(self.lines, max(20, view.size.width - 1))
        super()._fit()


class ChainVerbs(Asking):
    """Mixed into every screen that shows one thing."""

    def action_switch_chains(self) -> None:
        """Asks first, what it would do in view."""
        state = self.desk.state
        on = not state.chains_on
        word = "on" if on else "off"
        options = [("go", f"switch chains {word}")]
        sheet = Switch(f"Switch chains {word}?", boardlines.switch_lines(state, on), options)

        def chosen(answer: str | None) -> None:
            if answer and self.desk.state.chains_on == on:
                self.say(f"chains were switched {word} meanwhile; nothing was done")
            elif answer:
                command = cmd.SwitchChains(on=on, by=self.desk.app.desk.who())
                self.send(command, f"chains are {word}", needs_hands=False)

        self.desk.app.push_screen(sheet, chosen)
