"""The verbs of alerts: adopt or restore what changed in the git dir. Each is about what was drawn and asks twice."""

from __future__ import annotations

import time
from typing import Literal

from console.core import commands as cmd
from console.core.alerts import Alert, answerable
from console.present.alerting import SEVERITY
from console.present.text import clean, cut
from console.tui import keys
from console.tui.keyguard import SETTLE
from console.tui.screens import bars
from console.tui.screens.approving import REASON_CELLS
from console.tui.screens.verbs import Asking

Action = Literal["adopt", "restore"]
MEANS: dict[Action, str] = {
    "adopt": "take as right, to be run and believed from now on",
    "restore": "put back as it was, moving away what was added",
}
NAMED = 4
"""Changes that the question of a second press names."""


class AlertVerbs(Asking):
    """Mixed into the desk."""

    _alert_drawn: tuple[Alert | None, float] = (None, 0.0)

    def alert_keys(self) -> list[bars.Key]:
        return [*self.can("adopt", "adopt"), *self.can("restore", "restore")]

    def alert_drawn(self) -> None:
        """Note since when the alert has looked as it does; a key for it counts a moment later."""
        alert = self._alert()
        if alert and self.desk.unread("why"):
            alert = None
        if alert != self._alert_drawn[0]:
            self._alert_drawn = (alert, time.monotonic())

    def alert_seen_anew(self, after: float, now: float) -> None:
        """What was drawn after that moment was not seen before `now`."""
        alert, since = self._alert_drawn
        if since > after:
            self._alert_drawn = (alert, now)

    def _alert(self) -> Alert | None:
        subject = self.desk.subject
        return self.desk.state.alerts.get(subject.name) if subject.kind == "alert" else None

    def action_answer_alert(self, action: Action) -> None:
        desk = self.desk
        if not (why := self.why_not_adopt()) and desk.detail.tab != "why":
            desk.detail.show("why")
            desk.paint_detail()
            self.say(f"this is what changed; press {keys.key(action)} again to {MEANS[action]}")
            return
        if why := why or self._unanswerable():
            self.say(why)
            return
        seen = self._alert_drawn

        def later() -> None:
            if self._alert_drawn != seen or self._alert() != seen[0]:
                self.say("the alert has changed just now; look at it again. Nothing was done")
            else:
                self.answer_alert(action)

        self.when_alone(f"{action}ed" if action == "adopt" else "restored", later)

    def why_not_adopt(self) -> str:
        alert = self._alert()
        if alert is None or self.desk.detail_hidden:
            return "no alert is shown; open one first"
        if refused := answerable(alert):
            return refused.reason
        return self.desk.unread("why") if self.desk.detail.tab == "why" else ""

    why_not_restore = why_not_adopt

    def _unanswerable(self) -> str:
        if why := self.why_not_adopt():
            return why
        alert = self._alert()
        if alert != self._alert_drawn[0] or time.monotonic() - self._alert_drawn[1] < SETTLE:
            return "this alert has only just appeared or changed; look at it, then press again"
        return ""

    def answer_alert(self, action: Action) -> None:
        """Adopt or restore the alert that is shown. Asks once more."""
        alert = self._alert()
        if not self.able(action) or alert is None:
            return
        if self.second_press(f"{action}:{alert.alert}:{hash(alert)}", _question(action, alert)):
            command = cmd.AnswerAlert(alert=alert.alert, action=action, by=self.desk.app.desk.who(), seen=alert.seen)
            self.send(command, f"{alert.alert}: {action} is asked for")


def _question(action: Action, a: Alert) -> str:
    named = [cut(f"{SEVERITY[change.severity]}: {clean(change.item)}", REASON_CELLS) for change in a.changes[:NAMED]]
    more = [f"and {len(a.changes) - NAMED} more; Why tab"] if len(a.changes) > NAMED else []
    return "\n".join([f"press {keys.key(action)} again to {MEANS[action]}:", *named, *more])
