"""The verbs of a ticket: back to the queue, out of it, released after its text was seen. Each sends one command."""

from __future__ import annotations

from console.core import commands as cmd
from console.core.tickets import DONE, Ticket
from console.present import landings, queueing
from console.present.text import clean
from console.tui import keys
from console.tui.screens import bars
from console.tui.screens.looking import Looking
from console.tui.screens.sheets import AskText
from console.tui.screens.undoing import not_undroppable


class TicketVerbs(Looking):
    """Mixed into every screen that shows one thing, before the verbs of plans and sessions: `r`, `x` and `t` are theirs
    unless a ticket is shown."""

    def ticket(self) -> Ticket | None:
        """The one that is shown (not the one of a plan that is shown)."""
        subject = self.desk.subject
        return self.desk.state.tickets.get(subject.name) if subject.kind == "ticket" else None

    def ticket_keys(self) -> list[bars.Key]:
        t = self.ticket()
        if t is None:
            return []
        return [
            *self.can("release", "release" if self._text_seen(t) else "release (shows its text)", "release"),
            *self.can("reject", "requeue"),
            *self.can("type", "requeue with a word to the agent", "with word"),
            *self.can("stop", "drop"),
        ]

    # -- requeue -----------------------------------------------------------------------------------------

    def why_not_reject(self) -> str:
        t = self.ticket()
        return _unrequeueable(t) if t else str(super().why_not_reject())  # type: ignore[misc]

    def action_reject(self) -> None:
        t = self.ticket()
        if t is None:
            super().action_reject()  # type: ignore[misc]
        elif self.able("reject"):
            self.on_this("requeued", lambda: self._requeue(t))

    def _requeue(self, t: Ticket) -> None:
        """Done work is given up by it, so that asks once more."""
        about = f"press {keys.key('reject')} again to {self._requeue_costs(t)}"
        if t.outcome in DONE and not self.second_press(f"requeue:{t.ticket}", about):
            return
        self._send_back(t, "")

    def _requeue_costs(self, t: Ticket) -> str:
        """What has landed is not given up by it; only its key takes that back."""
        if landed := landings.of_ticket(self.desk.state, t):
            stays = f"what {landings.landed(landed, self.desk.state.at)} stays there"
            return f"run {_name(t)} once more: {stays} ({keys.key('undo')} takes that back instead)"
        return f"give up the work of {_name(t)} and queue it again"

    def _send_back(self, t: Ticket, note: str) -> None:
        command = cmd.RequeueTicket(ticket=t.ticket, by=self.desk.app.desk.who(), note=note)
        self.send(command, f"{_name(t)} is queued again", needs_hands=False)

    def why_not_type(self) -> str:
        t = self.ticket()
        return _unrequeueable(t) if t else str(super().why_not_type())  # type: ignore[misc]

    def action_type(self) -> None:
        t = self.ticket()
        if t is None:
            super().action_type()  # type: ignore[misc]
            return
        if not self.able("type"):
            return

        def typed(text: str | None) -> None:
            if text:
                self._send_back(t, text)

        landed = landings.of_ticket(self.desk.state, t)
        gives_up = ", giving up its work" if t.outcome in DONE and not landed else ""
        self.desk.app.push_screen(AskText(f"Queue {_name(t)} again{gives_up}. Tell its next attempt:"), typed)

    # -- drop --------------------------------------------------------------------------------------------

    def why_not_stop(self) -> str:
        t = self.ticket()
        return _undroppable(t) if t else str(super().why_not_stop())  # type: ignore[misc]

    def action_stop(self) -> None:
        t = self.ticket()
        if t is None:
            super().action_stop()  # type: ignore[misc]
        elif self.able("stop"):
            self.on_this("dropped", lambda: self._drop(t))

    def _drop(self, t: Ticket) -> None:
        again, back = keys.key("stop"), keys.key("reject")
        stays = f"its file stays, {back} brings it back"
        if landed := landings.of_ticket(self.desk.state, t):
            stays = f"what {landings.landed(landed, self.desk.state.at)} stays there, and {stays}"
        if self.second_press(f"drop:{t.ticket}", f"press {again} again to drop {_name(t)}; {stays}"):
            command = cmd.DropTicket(ticket=t.ticket, by=self.desk.app.desk.who())
            undo = "" if not_undroppable(t) else f"; {keys.key('undo')} takes that back"
            self.send(command, f"{_name(t)} is dropped{undo}", needs_hands=False)

    # -- release -----------------------------------------------------------------------------------------

    def why_not_release(self) -> str:
        t = self.ticket()
        return "" if t and t.held and t.phase == "queued" else "no held ticket is shown; open one first"

    def action_release(self) -> None:
        """Only what was read can be released: the first press shows the text."""
        t, desk = self.ticket(), self.desk
        if not self.able("release") or t is None:
            return
        if not self._text_seen(t):
            desk.open_text()
            self.say(desk.text_trouble(t) or f"this is its text; press {keys.key('release')} again to release it")
            return
        if why := desk.unread("ticket"):
            self.say(why)
            return
        self.on_this("released", lambda: self._release(t))

    def _release(self, t: Ticket) -> None:
        command = cmd.ReleaseTicket(ticket=t.ticket, by=self.desk.app.desk.who(), digest=t.digest)
        self.send(command, f"{_name(t)} is released", needs_hands=False)

    def _text_seen(self, t: Ticket) -> bool:
        desk = self.desk
        return not desk.detail_hidden and desk.detail.tab == "ticket" and desk.text_shown == (t.ticket, t.digest)


def _name(t: Ticket) -> str:
    return f"{clean(t.ticket, limit=60)} ({queueing.ticket_title(t)[:60]})"


def _unrequeueable(t: Ticket) -> str:
    """Why it cannot go back to the queue; "" when it can."""
    if t.phase in ("ended", "dropped"):
        return ""
    where = "is queued already" if t.phase == "queued" else "is under way" if t.in_flight else f"is {t.phase}"
    return f"{clean(t.ticket, limit=60)} {where}; only what has ended can be requeued"


def _undroppable(t: Ticket) -> str:
    if t.in_flight:
        return f"{clean(t.ticket, limit=60)} is under way; stop its session first"
    return f"{clean(t.ticket, limit=60)} is {t.phase} already" if t.phase in ("dropped", "gone") else ""
