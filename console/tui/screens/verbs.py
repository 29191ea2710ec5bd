"""The verbs that are about no one thing: keys, palette, footer, help, leaving; and how every verb asks and tells."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from textual.binding import Binding

from console.core import commands as cmd
from console.core.records import Refused
from console.engine.journal import Result
from console.present import conditions
from console.present.text import clean
from console.tui.keyguard import ALONE
from console.tui.screens import bars, help
from console.tui.screens.sheets import Help

if TYPE_CHECKING:
    from textual.screen import Screen

    from console.tui.screens.bench import Bench
    from console.tui.screens.desk import DeskScreen

    _Base = Screen[None]
else:
    _Base = object

TWICE = 3.0
"""Seconds within which a second press confirms."""


@dataclass(frozen=True, slots=True)
class Verb:
    title: str
    why: str
    run: Callable[[], Any]


class Asking(_Base):
    """What every verb needs: to send a command and tell the outcome, and to know a key press from a burst."""

    _armed: tuple[str, float] = ("", 0.0)
    _gap: float = 10.0

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
        desk, said = self.desk, f"keys came too fast (pasted?); nothing was {undone}"
        if self._gap < ALONE:
            self.say(said)
            return
        pressed = desk.guard.last_key
        desk.set_timer(ALONE, lambda: act() if desk.guard.last_key == pressed else self.say(said))

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


class Verbs(_Base):
    """Mixed into the desk, beside the verbs of plans and of sessions."""

    KEYS = (
        Binding("a", "approve", "Approve", show=False),
        Binding("r", "reject", "Reject", show=False),
        Binding("u", "undo", "Undo", show=False),
        Binding("w", "next_waiting", "Next waiting", show=False),
        Binding("exclamation_mark", "go_to_alert", "Alert", show=False),
        Binding("R", "retry", "Judge again", show=False),
        Binding("n", "prompt", "Prompt", show=False),
        Binding("y", "answer", "Answer", show=False),
        Binding("i", "interrupt", "Interrupt", show=False),
        Binding("x", "stop", "Stop session", show=False),
        Binding("v", "whole", "Outputs in full", show=False),
        Binding("o", "open_own", "Open in its own program", show=False),
        Binding("B", "roll_back", "Go back", show=False),
        Binding("A", "answer_alert('adopt')", "Adopt", show=False),
        Binding("Z", "answer_alert('restore')", "Restore", show=False),
        Binding("U", "unlock", "Unlock the key", show=False),
        Binding("f", "next_finding", "Next finding", show=False),
        Binding("t", "type", "Type an answer", show=False),
        Binding("L", "release", "Release a held ticket", show=False),
        Binding("s", "start_run", "Start a run", show=False),
        Binding("p", "pause", "Pause or resume the run", show=False),
        Binding("m", "review", "Morning review", show=False),
        Binding("b", "board", "Board", show=False),
        Binding("question_mark,f1", "help", "Help", show=False),
        Binding("q", "leave", "Leave", show=False),
        Binding("Q", "stop_all", "Stop everything", show=False),
    )

    @property
    def _here(self: Any) -> DeskScreen:
        return self  # type: ignore[no-any-return]

    def verbs(self) -> list[Verb]:
        """What the palette offers. Approving is not among them: it wants the key, on the plan that is drawn."""
        desk = self._here
        alert = [
            Verb("Adopt alert", "Take as right what changed in the git dir (A)", lambda: desk.answer_alert("adopt")),
            Verb("Restore alert", "Put back what changed in the git dir (Z)", lambda: desk.answer_alert("restore")),
        ]
        return [
            *(alert if desk.alert_keys() else []),
            Verb("Next waiting", "The next thing that needs you (w)", desk.action_next_waiting),
            Verb("Alert", "To the alert that is open (!)", desk.action_go_to_alert),
            Verb("Reject plan", "Reject the plan that is drawn (r)", desk.reject),
            Verb("Undo", "Take back the approval or rejection that is shown (u)", desk.undo),
            Verb("Judge again", "Judge a blocked policy again (R)", desk.retry),
            Verb("Prompt session", "Send a prompt to the session that is shown (n)", desk.action_prompt),
            Verb("Answer question", "Answer what the session asks (y)", desk.action_answer),
            Verb("Interrupt turn", "Cancel the running turn (i)", desk.interrupt),
            Verb("Open own program", "The conversation in its agent's own program (o)", desk.action_open_own),
            Verb("Stop session", "Stop the session that is shown (x)", desk.stop),
            Verb("Go back", "Put back a session's files as they were before a turn (B)", desk.action_roll_back),
            Verb("Next finding", "The diff at the next finding's place (f)", desk.action_next_finding),
            Verb("Morning review", "Go through everything that waits, one by one (m)", desk.action_review),
            Verb("Board", "Reviews, repairs and routines (b)", desk.action_board),
            Verb("Chains on or off", "Whether finished work is reviewed by itself (asks)", desk.action_switch_chains),
            Verb("Start run", "Preflight, then GO or NO-GO (s)", desk.action_start_run),
            Verb("Pause or resume run", "Claim nothing new, or go on (p)", desk.action_pause),
            Verb("Type an answer", "Answer the decision that is shown in your words (t)", desk.action_type),
            Verb("Requeue ticket", "Queue the ticket that is shown again (r)", desk.requeue),
            Verb("Drop ticket", "Never work on the ticket that is shown (x)", desk.drop),
            Verb("Release ticket", "Let a held ticket run, after its text was shown (L)", desk.action_release),
            Verb("Stop everything", "Stop the run, or all sessions and the supervisor (Q)", desk.action_stop_all),
            Verb("Filter list", "Show only matching rows (/)", desk.action_filter),
            Verb("Keys", "Every key (?)", self.action_help),
            Verb("Leave", "Leave the screen, runs go on (q)", self.action_leave),
        ]

    def keys_here(self) -> list[bars.Key]:
        """The footer: the keys that do something now, the most important first."""
        desk = self._here
        if desk.filtering:
            return [
                ("letters", "filter the list", "filter"),
                ("Enter", "keep it", "keep"),
                ("Esc", "show all again", "all"),
            ]
        keys = desk.subject_keys()
        if desk.detail_hidden:
            keys.insert(0, ("Enter", "open", "open"))
        if len(desk.needs) > 0:
            keys.append(("w", "next waiting", "next"))
        keys.append(("?", "help", "help"))
        if desk.detail.has_focus_within:
            keys.append(("Esc", "back", "back"))
        return [
            *keys,
            *desk.session_keys(),
            *desk.rollback_keys(),
            *([("m", "morning review", "review")] if len(desk.needs) > 1 else []),
            *desk.board_keys(),
            *desk.run_keys(),
            ("q", "leave (runs go on)", "leave"),
            ("/", "filter", "filter"),
            (":", "palette", "palette"),
        ]

    def action_help(self) -> None:
        holder = self._here.state.supervisor
        tier = clean(holder.sandbox) if holder else ""
        self._here.app.push_screen(Help(lambda cells: help.lines(cells, tier)))

    def action_leave(self) -> None:
        self._here.app.action_leave()
