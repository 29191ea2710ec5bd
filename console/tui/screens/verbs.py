"""The verbs that are about no one thing: keys, palette, footer, help, leaving; and how every verb asks and tells."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from console.core import commands as cmd
from console.core.records import Refused
from console.engine.journal import Result
from console.present import conditions
from console.present.text import clean
from console.tui import keys
from console.tui.keyguard import ALONE, STALE
from console.tui.screens import bars, help
from console.tui.screens.sheets import KeyHelp

if TYPE_CHECKING:
    from textual.screen import Screen

    from console.tui.screens.bench import Bench
    from console.tui.screens.desk import DeskScreen

    _Base = Screen[None]
else:
    _Base = object

TWICE = 3.0
"""Seconds within which a second press confirms."""


class Asking(_Base):
    """What every verb needs: to send a command and tell the outcome, and to know a key press from a burst."""

    here_is: str = ""
    """Name of the screen in `present.keytable`."""
    _armed: tuple[str, float] = ("", 0.0)
    _gap: float = 10.0
    _picked: bool = False

    @property
    def desk(self: Any) -> Bench:
        return self  # type: ignore[no-any-return]

    def key_pressed(self, now: float, typed: float) -> None:
        """Every key passes here first (see the app), also those that other widgets take."""
        self._gap = self.desk.guard.key(now, typed)

    def when_alone(self, undone: str, act: Callable[[], None]) -> None:
        """`act` when the key that is being handled stands alone; else say that nothing was `undone`.

        Typed sentences, pastes without brackets and keys that piled up during a stall come as bursts.
        """
        if self._picked:
            act()
            return
        if self.desk.guard.late > STALE:
            self.say("that key was typed while the screen stood still; look, then press again")
            return
        desk, said = self.desk, f"keys came too fast (pasted?); nothing was {undone}"
        if self._gap < ALONE:
            self.say(said)
            return
        pressed = desk.guard.last_key
        desk.set_timer(ALONE, lambda: act() if desk.guard.last_key == pressed else self.say(said))

    # -- what works now ------------------------------------------------------------------------------------

    def why_not(self, ident: str) -> str:
        """Why the verb of that name (`present.keytable`) does nothing now; "" when it works. The key itself, footer,
        help and palette all ask here."""
        check = getattr(self, f"why_not_{ident.replace('-', '_')}", None)
        return str(check()) if check else ""

    def can(self, ident: str, does: str, brief: str = "") -> list[bars.Key]:
        """For the footer: the verb's key and what it does, when it works now."""
        return [] if self.why_not(ident) else [(keys.key(ident), does, brief or does)]

    def able(self, ident: str) -> bool:
        """Whether it works now; else that is said."""
        if why := self.why_not(ident):
            self.say(why)
        return not why

    async def choose(self, row: keys.Row) -> None:
        """A verb that was picked by name: no burst of keys gets here."""
        self._picked = True
        try:
            await self.desk.app.run_action(row.action, self.desk.app if "app" in row.where else self.desk)
        finally:
            self._picked = False

    # -- help ----------------------------------------------------------------------------------------------

    def action_help(self) -> None:
        listed = help.entries(self)

        def found(cells: int, wanted: str) -> list[str]:
            return [*help.lines(listed, cells, wanted), *([] if wanted else ["", *self.help_notes(cells)])]

        self.desk.app.push_screen(KeyHelp(found, f"Keys: {self.help_about()}"))

    def help_about(self) -> str:
        """What of the screen the help is for."""
        return self.here_is

    def help_notes(self, cells: int) -> list[str]:
        """What stands below the keys."""
        holder = self.desk.state.supervisor
        wrong = [problem.sentence() for problem in self.desk.app.key_problems]
        return help.notes(clean(holder.sandbox) if holder else "", cells, wrong)

    # -- asking and telling --------------------------------------------------------------------------------

    def second_press(self, what: str, question: str) -> bool:
        """True on the second press within TWICE of the first for the same thing."""
        armed, until = self._armed
        now = time.monotonic()
        if armed == what and now < until:
            self._armed = ("", 0.0)
            self.desk.app.clear_notifications()
            return True
        self._armed = (what, now + TWICE)
        self.say(question)
        return False

    def send(self, command: cmd.Command, done: str, *, needs_hands: bool = True) -> None:
        """done: told when it is in the log. The screen hears of both."""

        def outcome(result: Result) -> None:
            refused = result.reason if isinstance(result, Refused) else ""
            if refused:
                self.say(refused)
            elif needs_hands and self.desk.silent:
                self.say(conditions.unheeded(self.desk.silent))
            elif done:
                self.desk.notify(done, timeout=3)
            self.desk.sent(command, refused)

        self.desk.sending(command)
        self.desk.app.hands.send(command, outcome, needs_hands=needs_hands)

    def say(self, text: str, seconds: float = 6.0) -> None:
        """A refusal or a question, in place of whatever toast was there."""
        self.desk.app.clear_notifications()
        self.desk.notify(text, severity="warning", timeout=seconds)


class Verbs(Asking):
    """Mixed into the desk, beside the verbs of plans and of sessions."""

    @property
    def _here(self: Any) -> DeskScreen:
        return self  # type: ignore[no-any-return]

    def keys_here(self) -> list[bars.Key]:
        """The footer: the keys that do something now, the most important first."""
        desk = self._here
        if desk.filtering:
            return [
                ("letters", "filter the list", "filter"),
                ("Enter", "keep it", "keep"),
                (keys.key("back"), "show all again", "all"),
            ]
        found = desk.subject_keys()
        if desk.detail_hidden:
            found.insert(0, (keys.key("open"), "open", "open"))
        found += self.can("next-waiting", "next waiting", "next")
        found += self.can("help", "help")
        if desk.detail.has_focus_within:
            found += self.can("back", "back")
            found += desk.diff_keys()
        return [
            *found,
            *desk.session_keys(),
            *desk.rollback_keys(),
            *(self.can("review", "morning review", "review") if len(desk.needs) > 1 else []),
            *desk.board_keys(),
            *desk.run_keys(),
            *self.can("leave", "leave (runs go on)", "leave"),
            *self.can("filter", "filter"),
            *self.can("palette", "palette"),
        ]

    def action_leave(self) -> None:
        self._here.app.action_leave()
