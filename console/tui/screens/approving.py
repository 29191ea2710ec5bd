"""The approving key by risk level (DESIGN.md, ruling 11): once, twice, or with the policy's id typed.

It sees to it that what lands is what was before the eye when a person pressed; whether it may land the brain decides.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from console.core import commands as cmd
from console.core.alerts import Alert
from console.core.commits import Plan, approvable, short
from console.core.records import Refused
from console.core.state import open_alert
from console.engine.journal import Result
from console.present import conditions, wording
from console.present.alerting import finding_lines
from console.present.queue_rows import rests_on, starts, stuck
from console.present.text import cut
from console.tui import keys
from console.tui.keyguard import SETTLE, STALE
from console.tui.screens.confirming import TypeId
from console.tui.screens.inview import covered
from console.tui.screens.subject import BRANCH_CELLS, holding
from console.tui.screens.verbs import Asking

ARMED = 10.0
"""Seconds that the first of two presses counts."""
REASONS = 3
"""Findings that the question of a second press names."""
REASON_CELLS = 54
"""Cells of one reason in a question, so that no text of somebody else's pushes the question out of sight."""


@dataclass(frozen=True, slots=True)
class Armed:
    """The first of two presses. sight: all that was before the eye then. since, until: monotonic seconds."""

    plan: str
    sight: tuple[object, ...]
    since: float
    until: float


class Approving(Asking):
    """Mixed into the desk."""

    armed: Armed | None = None

    def action_approve(self) -> None:
        desk = self.desk
        if why := self._unapprovable():
            self.say(why)
            return
        if desk.detail.tab != "diff":
            desk.detail.show("diff")
            desk.guard.renewed(time.monotonic())
            self.say(f"this is its diff; press {keys.key('approve')} again to land it")
            return
        if desk.armed is None and covered(desk.detail.current):
            desk.app.clear_notifications()  # what it said was about this key; the diff is below it
            desk.guard.since = time.monotonic()
            return
        sight = self._sight()
        self.when_alone("approved", lambda: self._pressed(sight))

    def why_not_approve(self) -> str:
        desk = self.desk
        plan = desk.subject.plan(desk.state) if desk.subject.kind == "plan" else None
        refused = approvable(plan) if plan else None
        alert = holding(desk.state.alerts) if plan else None
        if refused:
            return refused.reason
        if alert and not desk.detail_hidden:
            return held(alert)
        if plan and not desk.detail_hidden and (below := rests_on(desk.state, plan)):
            onto = wording.branch(below)
            if told := stuck(desk.state, plan):
                return told
            return f"{starts(desk.state, plan)} {short(below.plan)} for {onto}: that one has to land first"
        if plan and (why := desk.not_whole(plan.plan)):
            return why
        if plan and not desk.detail_hidden and desk.detail.tab == "diff" and (why := desk.unread("diff")):
            return why
        return desk.guard.closed()

    def _unapprovable(self) -> str:
        return self.why_not_approve() or self.desk.guard.refusal(time.monotonic(), self._gap)

    def _sight(self) -> tuple[object, ...]:
        """Whatever of this changes, what was looked at is not what is there now."""
        desk = self.desk
        plan = desk.state.plans.get(desk.guard.shown)
        alert = open_alert(desk.state)
        return (desk.subject.id, desk.guard.shown, desk.guard.since, desk.detail.tab, plan, alert, desk.looks)

    def _pressed(self, sight: tuple[object, ...]) -> None:
        """The key stood alone: do what the level asks for, if what was drawn when it was pressed still is."""
        desk = self.desk
        plan = desk.state.plans.get(desk.guard.shown)
        if plan is None or self._sight() != sight:
            self.say("what is drawn has changed just now; nothing was approved")
        elif why := desk.unread("diff"):
            self.say(why)
        elif plan.level > 2:
            self._typed(plan, sight)
        elif plan.level == 2 or desk.cut_lines(plan.plan):
            self._twice(plan, sight)
        else:
            self._approve(plan, "")

    def _approve(self, plan: Plan, confirm: str) -> None:
        desk = self.desk
        self.disarm()
        desk.guard.spent = plan.plan
        command = cmd.Approve(policy=plan.policy, plan=plan.plan, by=desk.app.desk.who(), confirm=confirm)

        def outcome(result: Result) -> None:
            refused = result.reason if isinstance(result, Refused) else ""
            if refused:
                desk.guard.spent = ""
                desk.paint_footer()
                self.say(refused)
            elif desk.silent:
                self.say(conditions.unheeded(desk.silent))
            desk.sent(command, refused)

        desk.sending(command)
        desk.app.hands.send(command, outcome)

    # -- the key twice: level 2, and lines of which not all is shown -----------------------------------------

    def _twice(self, plan: Plan, sight: tuple[object, ...]) -> None:
        now = time.monotonic()
        armed = self.armed
        if armed and armed.sight == sight and now < armed.until:
            if now - armed.since < SETTLE:
                self.say("that was too soon to have been read; look, then press it again", seconds=ARMED)
            else:
                self._approve(plan, plan.policy if plan.level > 1 else "")
            return
        self.armed = Armed(plan.plan, sight, now, now + ARMED)
        self.desk.set_timer(ARMED + 0.05, self.check_armed)
        self.desk.paint_detail()
        self.say(question(plan, self.desk.cut_lines(plan.plan)), seconds=ARMED)

    def check_armed(self) -> None:
        """The first press counts no longer once anything is different, or after ARMED."""
        armed = self.armed
        if armed and (armed.sight != self._sight() or time.monotonic() >= armed.until):
            self.disarm()

    def disarm(self) -> None:
        if self.armed:
            self.armed = None
            self.desk.app.clear_notifications()
            self.desk.paint_detail()

    # -- level 3: the id typed ---------------------------------------------------------------------------

    def _typed(self, plan: Plan, sight: tuple[object, ...]) -> None:
        desk = self.desk
        onto = cut(wording.branch(plan), 2 * BRANCH_CELLS)
        title = f"Level 3: plan {short(plan.plan)} for {onto} · {wording.size(plan)}"

        def refused(text: str) -> str:
            if desk.guard.late > STALE:
                return "that was typed while the screen stood still; look, then press Enter again"
            if desk.state.plans.get(desk.guard.shown) is None or self._sight() != sight:
                return "what is drawn has changed meanwhile; nothing was approved. Esc leaves, then look again"
            return "" if text == plan.policy else wrong(text, plan.policy)

        def typed(text: str | None) -> None:
            if text is None:
                return
            if why := refused(text):
                self.say(why)
            else:
                self._approve(plan, text)

        lines = every_finding(plan, desk.cut_lines(plan.plan))
        sheet = TypeId(title, wording.title(plan), lines, plan.policy, refused=refused, when_alone=self.when_alone)
        desk.app.push_screen(sheet, typed)


def held(a: Alert) -> str:
    """Why nothing can be approved, and where to go."""
    if a.state == "answered":
        return f"{a.alert} holds every approval until what was chosen ({a.action}) is done"
    go, adopt, restore = (keys.key(ident) for ident in ("alert", "adopt", "restore"))
    return f"{a.alert} holds every approval: press {go} to go to it, read it, then {adopt} adopts or {restore} restores"


def question(plan: Plan, cut_lines: str = "") -> str:
    """What a second press lands, and why it asks twice. cut_lines: that lines are longer than is shown."""
    lines = every_finding(plan, cut_lines)
    shown = [line if cut_lines and line == lines[0] else cut(line, REASON_CELLS) for line in lines[:REASONS]]
    more = [f"{len(lines) - REASONS} more: Why tab"] if len(lines) > REASONS else []
    onto = cut(wording.branch(plan), BRANCH_CELLS)
    lands = f"press {keys.key('approve')} again to land {short(plan.plan)} on {onto} ({wording.size(plan)})"
    return "\n".join([f"Level {plan.level}: {lands}. It asks twice because:", *shown, *more])


def every_finding(plan: Plan, cut_lines: str = "") -> list[str]:
    """All findings, the gravest first, each with its mark; before them, that not all of the diff was shown."""
    found = [*([f"!! {cut_lines}"] if cut_lines else []), *finding_lines(plan, shown=None)]
    classes = plan.assessment.classes if plan.assessment else ()
    return found or [f"it touches {', '.join(classes)}" if classes else "its risk was judged so"]


def wrong(text: str, wanted: str) -> str:
    given = f"{text!r} is not {wanted}" if text else "nothing was typed"
    return f"{given}; nothing was approved. Type {wanted} to land it, Esc leaves it"
