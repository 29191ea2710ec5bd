"""Undo: takes back what is shown, else the last thing that was decided on this screen, and says what cannot be."""

from __future__ import annotations

from dataclasses import dataclass

from console.core import commands as cmd
from console.core.commits import Plan, short
from console.core.decisions import Parked
from console.core.state import State, open_run
from console.core.tickets import Ticket
from console.present import landings, wording
from console.present.text import clean
from console.tui import keys
from console.tui.screens.looking import Looking

NOTHING = "there is nothing to take back: nothing has landed here, no rejection stands and no answer is shown"
UNDONE = (cmd.Approve, cmd.Reject, cmd.AnswerDecision, cmd.DropTicket)
"""Commands that can be taken back, as long as nothing was built on them."""


@dataclass(frozen=True, slots=True)
class Dropped:
    """A ticket as it was when it was dropped, and what the run had claimed by then."""

    ticket: Ticket
    run: str
    claimed: tuple[str, ...]


Deed = Plan | Parked | Dropped
"""What there is to take back, as the state has it now (a drop: as it was)."""


class Undoing(Looking):
    """Mixed into every screen that shows one thing. deeds: what was decided here, the latest last."""

    deeds: tuple[cmd.Command, ...] = ()
    _drops: dict[str, Dropped]
    _undo_asked: tuple[str, int] = ("", 0)
    """A plan whose undo was asked for, and the request before that."""

    def note_drop(self, command: cmd.Command) -> None:
        """A verb is about to send this: a ticket is remembered as it is now."""
        state = self.desk.state
        if isinstance(command, cmd.DropTicket) and (t := state.tickets.get(command.ticket)):
            run = open_run(state)
            dropped = Dropped(t, run.run if run else "", run.claimed if run else ())
            self._drops = {**getattr(self, "_drops", {}), t.ticket: dropped}

    def note_deed(self, command: cmd.Command) -> None:
        """It is in the log."""
        if isinstance(command, UNDONE):
            self.deeds = (*self.deeds, command)

    def deed_of(self, command: cmd.Command) -> Deed | None:
        """What a command of this screen did, as it is now."""
        state = self.desk.state
        match command:
            case cmd.Approve() | cmd.Reject():
                return state.plans.get(command.plan)
            case cmd.AnswerDecision():
                return state.decisions.get(command.decision)
            case cmd.DropTicket():
                return getattr(self, "_drops", {}).get(command.ticket)
            case _:
                return None

    def _shown_deed(self) -> Deed | None:
        """The thing that is shown, when something was decided about it."""
        desk = self.desk
        kind, name = desk.subject.kind, desk.subject.name
        plan = desk.state.plans.get(name) if kind == "plan" else None
        if plan and plan.state in ("approved", "landing", "landed", "rejected", "undoing"):
            return plan
        d = desk.state.decisions.get(name) if kind == "decision" else None
        if d and d.state == "answered":
            return d
        if landed := landings.settled(desk.state, kind, name):
            return landed
        t = desk.state.tickets.get(name) if kind == "ticket" else None
        return getattr(self, "_drops", {}).get(name) if t and t.phase == "dropped" else None

    def _deed(self) -> Deed | None:
        """What the key is about now: what is shown, else the latest of this screen that can be taken back, else the
        latest of it, else the last approval or rejection there was, on whichever screen."""
        if shown := self._shown_deed():
            return shown
        state = self.desk.state
        done = [deed for each in reversed(self.deeds) if (deed := self.deed_of(each)) and not _back_already(deed)]
        last = done[0] if done else landings.last_settled(state)
        return next((each for each in done if not not_undoable(state, each)), last)

    def why_not_undo(self) -> str:
        deed = self._deed()
        return not_undoable(self.desk.state, deed) if deed else NOTHING

    def action_undo(self) -> None:
        deed = self._deed()
        if not self.able("undo") or deed is None:
            return
        about = _name(deed)

        def later() -> None:
            now = self._deed()
            if now is None or _name(now) != about:
                self.say("something else is there to be taken back by now; nothing was done")
            elif self.able("undo"):
                self.undo(now)

        self.when_alone("taken back", later)

    def undo(self, deed: Deed) -> None:
        """A plan asks once more: what has landed is taken off its branch."""
        if isinstance(deed, Plan):
            what = "approval" if deed.state == "landed" else "rejection"
            again = f"press {keys.key('undo')} again to take back the {what} of {short(deed.plan)}"
            about = landings.question(self.desk.state, deed)
            if not self.second_press(f"undo:{deed.plan}", f"{again}: {wording.title(deed)} ({about})"):
                self._ask_whether(deed)
                return
        self.take_back(deed)

    def _ask_whether(self, p: Plan) -> None:
        """What git would refuse is said at the first press, as soon as git has answered."""
        if p.state != "landed":
            return
        app = self.desk.app

        def answered(why: object) -> None:
            if isinstance(why, str) and why and self._armed[0] == f"undo:{p.plan}":
                self._armed = ("", 0.0)
                app.clear_notifications()
                self.say(f"{short(p.plan)} stays: {clean(why, limit=300)}")

        app.hands.read(lambda: app.desk.files.stays(p.to_land), answered)

    def take_back(self, deed: Deed) -> None:
        by = self.desk.app.desk.who()
        match deed:
            case Plan():
                self._undo_asked = (deed.plan, deed.request)
                self.send(cmd.Undo(plan=deed.plan, by=by), "", needs_hands=deed.state == "landed")
            case Parked():
                said = f"the answer to {deed.decision} is taken back"
                self.send(cmd.ReopenDecision(decision=deed.decision, by=by), said, needs_hands=False)
            case Dropped(ticket=t):
                said = f"{clean(t.ticket, limit=60)} is queued again, as it was"
                self.send(cmd.RequeueTicket(ticket=t.ticket, by=by), said, needs_hands=False)

    def undo_answered(self) -> None:
        """Say that a landing stays after all, wherever one is by now."""
        name, request = self._undo_asked
        plan = self.desk.state.plans.get(name)
        if plan and plan.state == "landed" and plan.request != request:
            self.say(f"{short(name)} stays: {clean(plan.reason, limit=300)}", 10)
        if plan is None or plan.state == "waiting" or (plan.state == "landed" and plan.request != request):
            self._undo_asked = ("", 0)


def _back_already(deed: Deed) -> bool:
    """A plan that waits again, so that the key is about what was decided before it."""
    return isinstance(deed, Plan) and deed.state == "waiting"


def _name(deed: Deed) -> str:
    match deed:
        case Plan():
            return f"plan:{deed.plan}"
        case Parked():
            return f"decision:{deed.decision}"
        case _:
            return f"ticket:{deed.ticket.ticket}"


def not_undoable(state: State, deed: Deed) -> str:
    """Why it stays as it is; "" when it can be taken back."""
    match deed:
        case Plan():
            return _not_plan(deed)
        case Parked():
            return _not_answer(state, deed)
        case _:
            return _not_drop(state, deed)


def _not_plan(p: Plan) -> str:
    if p.state in ("landed", "rejected"):
        return ""
    if p.state in ("approved", "landing"):
        return f"plan {short(p.plan)} is landing just now; press {keys.key('undo')} again in a moment"
    if p.state == "undoing":
        return f"plan {short(p.plan)} is being taken back already"
    return f"plan {short(p.plan)} is {p.state}; there is nothing to take back"


def _not_answer(state: State, d: Parked) -> str:
    if d.state != "answered":
        return f"{d.decision} is {d.state}; there is no answer to take back"
    t = state.tickets.get(d.ticket)
    if t and t.phase == "queued" and t.reopens == d.decision:
        return ""
    return f"work on {clean(d.ticket, limit=60)} has begun with that answer; it stays"


def not_undroppable(t: Ticket) -> str:
    """Why dropping it cannot be taken back, as it is before that; "" when it can."""
    name, again = clean(t.ticket, limit=60), keys.key("reject")
    if t.held:
        return f"{name} was held, and a drop ends that: {again} queues it without the hold, so read its text first"
    if t.outcome:
        return f"{name} had ended ({t.outcome}), which a drop closes: {again} queues it anew"
    return "" if t.phase == "queued" else f"{name} was {t.phase}; that is not put back: {again} queues it anew"


def _not_drop(state: State, dropped: Dropped) -> str:
    t = dropped.ticket
    name, now = clean(t.ticket, limit=60), state.tickets.get(t.ticket)
    if now is None or now.phase != "dropped":
        return f"{name} is {now.phase if now else 'gone'}; there is no drop to take back"
    if why := not_undroppable(t):
        return why
    run = open_run(state)
    since = [each for each in run.claimed if each not in dropped.claimed] if run else []
    if run and since:
        other = clean(since[0], limit=60)
        return f"{run.run} has claimed {other} in its place; {keys.key('reject')} queues {name} anew"
    return ""
