"""The other verbs of plans and of policies: each names the plan that is drawn, by its commit, and sends one command."""

from __future__ import annotations

from collections.abc import Callable

from console.core import commands as cmd
from console.core.commits import Plan, approvable, short
from console.tui import keys
from console.tui.screens import bars
from console.tui.screens.approving import Approving


class PlanVerbs(Approving):
    """Mixed into the desk."""

    def plan_keys(self) -> list[bars.Key]:
        """What can be done now with the plan or policy that is shown."""
        desk = self.desk
        plan = desk.subject.plan(desk.state) if desk.subject.kind == "plan" else None
        policy = desk.subject.policy(desk.state)
        found: list[bars.Key] = []
        if desk.detail_hidden:
            return found
        if plan and plan.state == "waiting":
            found += [*self._approving_keys(plan), *self.can("reject", "reject")]
        if plan:
            found += self.can("next-finding", "next finding", "finding")
        if plan and plan.state in ("landed", "rejected"):
            found += self.can("undo", "undo")
        if policy and policy.status == "blocked":
            found += [*self.can("retry", "judge again", "again"), *self.can("reject", "dismiss")]
        return found

    def _approving_keys(self, plan: Plan) -> list[bars.Key]:
        again = self.armed is not None and self.armed.plan == plan.plan
        level = max(plan.level, 2) if self.desk.cut_lines(plan.plan) else plan.level
        asks = {2: "approve (twice)", 3: "approve (type id)"}.get(level, "approve")
        does = "land it, second press" if again else asks
        return self.can("approve", does, "land it" if again else "approve")

    # -- rejecting ----------------------------------------------------------------------------------------

    def action_reject(self) -> None:
        if self.able("reject"):
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

    def why_not_reject(self) -> str:
        desk = self.desk
        policy = desk.subject.policy(desk.state)
        if desk.subject.kind == "policy" and policy and not desk.detail_hidden:
            return "" if policy.status == "blocked" else f"{policy.policy} is not blocked; open its plan to reject that"
        plan = desk.state.plans.get(desk.guard.shown or desk.outlined)
        if plan is None or desk.subject.id != f"plan:{plan.plan}":
            return "no plan is drawn; open one first"
        refused = approvable(plan)
        return refused.reason if refused else ""

    def reject(self) -> None:
        """Reject the plan that is drawn, or dismiss the blocked policy that is shown."""
        desk = self.desk
        by = desk.app.desk.who()
        policy = desk.subject.policy(desk.state)
        assert policy
        if desk.subject.kind == "policy":
            note = cmd.CancelPolicy(policy=policy.policy, by=by, note="dismissed by a person")
            self.send(note, f"{policy.policy} is dismissed", needs_hands=False)
            return
        plan = desk.subject.name
        command = cmd.Reject(policy=policy.policy, plan=plan, by=by)
        self.send(command, f"rejected plan {short(plan)}; {keys.key('undo')} takes it back", needs_hands=False)

    # -- judging again -----------------------------------------------------------------------------------

    def why_not_retry(self) -> str:
        policy = self.desk.subject.policy(self.desk.state)
        if policy is None:
            return "no policy is shown; open a blocked one first"
        said = f"{policy.policy} is {policy.status}; only a blocked policy can be judged again"
        return "" if policy.status == "blocked" else said

    def action_retry(self) -> None:
        if self.able("retry"):
            self.when_alone("judged again", self._on_same(self.retry))

    def retry(self) -> None:
        policy = self.desk.subject.policy(self.desk.state)
        if self.able("retry") and policy:
            command = cmd.RetryPolicy(policy=policy.policy, by=self.desk.app.desk.who())
            self.send(command, f"{policy.policy} is judged again")
