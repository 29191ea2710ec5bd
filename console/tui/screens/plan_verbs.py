"""The other verbs of plans and of policies: each names the plan that is drawn, by its commit, and sends one command."""

from __future__ import annotations

from collections.abc import Callable

from console.core import commands as cmd
from console.core.commits import Plan, approvable, short
from console.present import wording
from console.present.queue_rows import rests_on
from console.tui.screens import bars
from console.tui.screens.approving import Approving
from console.tui.screens.subject import holding


class PlanVerbs(Approving):
    """Mixed into the desk."""

    def plan_keys(self) -> list[bars.Key]:
        """What can be done now with the plan or policy that is shown."""
        desk = self.desk
        plan = desk.subject.plan(desk.state) if desk.subject.kind == "plan" else None
        policy = desk.subject.policy(desk.state)
        keys: list[bars.Key] = []
        if desk.detail_hidden:
            return keys
        if plan and plan.state == "waiting":
            keys += [*self._approving_keys(plan), ("r", "reject", "reject")]
        if plan and desk.findings(plan):
            keys.append(("f", "next finding", "finding"))
        if plan and plan.state in ("landed", "rejected"):
            keys.append(("u", "undo", "undo"))
        if policy and policy.status == "blocked":
            keys += [("R", "judge again", "again"), ("r", "dismiss", "dismiss")]
        return keys

    def _approving_keys(self, plan: Plan) -> list[bars.Key]:
        if holding(self.desk.state.alerts) or rests_on(self.desk.state, plan):
            return []
        again = self.armed is not None and self.armed.plan == plan.plan
        does = (
            "land it, second press"
            if again
            else {2: "approve (twice)", 3: "approve (type id)"}.get(plan.level, "approve")
        )
        return [("a", does, "land it" if again else "approve")]

    # -- rejecting, undoing ------------------------------------------------------------------------------

    def action_reject(self) -> None:
        why = self._unrejectable()
        if why:
            self.say(why)
        else:
            self.when_alone("rejected", self._on_same(self.reject))

    def _on_same(self, act: Callable[[], None]) -> Callable[[], None]:
        """`act`, if what is shown then is what is shown now."""
        desk, shown = self.desk, self.desk.subject.id

        def later() -> None:
            if desk.subject.id == shown:
                act()
            else:
                self.say("something else is shown by now; nothing was done")

        return later

    def _unrejectable(self) -> str:
        """Why there is nothing that the key could reject; "" when there is."""
        desk = self.desk
        policy = desk.subject.policy(desk.state)
        if desk.subject.kind == "policy" and policy and not desk.detail_hidden:
            return "" if policy.status == "blocked" else f"{policy.policy} is not blocked; open its plan to reject that"
        plan = desk.state.plans.get(desk.guard.shown)
        if plan is None or desk.subject.id != f"plan:{plan.plan}":
            return "no plan is drawn; open one first"
        refused = approvable(plan)
        return refused.reason if refused else ""

    def reject(self) -> None:
        """Reject the plan that is drawn, or dismiss the blocked policy that is shown."""
        desk = self.desk
        if why := self._unrejectable():
            self.say(why)
            return
        by = desk.app.desk.who()
        policy = desk.subject.policy(desk.state)
        assert policy
        if desk.subject.kind == "policy":
            note = cmd.CancelPolicy(policy=policy.policy, by=by, note="dismissed by a person")
            self.send(note, f"{policy.policy} is dismissed", needs_hands=False)
            return
        plan = desk.subject.name
        self._mine = (*self._mine, plan)
        command = cmd.Reject(policy=policy.policy, plan=plan, by=by)
        self.send(command, f"rejected plan {short(plan)}; u takes it back", needs_hands=False)

    def action_undo(self) -> None:
        plan = self.undoable()
        if plan is None:
            self.say("there is nothing to take back: open a landed or rejected plan first")
        else:
            self.when_alone("taken back", self.undo)

    def undoable(self) -> Plan | None:
        desk = self.desk
        shown = desk.subject.plan(desk.state) if desk.subject.kind == "plan" else None
        names = [shown.plan] if shown and shown.state in ("landed", "rejected") else list(reversed(self._mine))
        plans = [desk.state.plans[name] for name in names if name in desk.state.plans]
        return next((p for p in plans if p.state in ("landed", "rejected")), None)

    def undo(self) -> None:
        """Take back the approval or rejection that is shown, else the last one of this screen. Asks once more."""
        plan = self.undoable()
        if plan is None:
            self.say("there is nothing to take back: open a landed or rejected plan first")
            return
        what = "approval" if plan.state == "landed" else "rejection"
        question = f"press u again to take back the {what} of {short(plan.plan)}: {wording.title(plan)}"
        if self.second_press(f"undo:{plan.plan}", question):
            command = cmd.Undo(plan=plan.plan, by=self.desk.app.desk.who())
            self.send(command, "", needs_hands=plan.state == "landed")

    # -- judging again -----------------------------------------------------------------------------------

    def action_retry(self) -> None:
        desk = self.desk
        policy = desk.subject.policy(desk.state)
        if policy is None:
            self.say("no policy is shown; open a blocked one first")
        elif policy.status != "blocked":
            self.say(f"{policy.policy} is {policy.status}; only a blocked policy can be judged again")
        else:
            self.when_alone("judged again", self._on_same(self.retry))

    def retry(self) -> None:
        desk = self.desk
        policy = desk.subject.policy(desk.state)
        if policy is None:
            self.say("no policy is shown; open a blocked one first")
            return
        command = cmd.RetryPolicy(policy=policy.policy, by=desk.app.desk.who())
        self.send(command, f"{policy.policy} is judged again")
