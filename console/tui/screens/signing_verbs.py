"""The verb of a locked signing key: lend the terminal to the program that asks for what is missing."""

from __future__ import annotations

import shlex
import time

from console.core.commits import Plan
from console.terminal import lending
from console.tui import keys
from console.tui.screens import bars
from console.tui.screens.verbs import Asking


class SigningVerbs(Asking):
    """Mixed into the desk."""

    def signing_keys(self) -> list[bars.Key]:
        return self.can("unlock", "unlock the signing key", "unlock")

    def why_not_unlock(self) -> str:
        there = self._locked() and not self.desk.detail_hidden
        return "" if there else "no plan that waits for a signing key is shown"

    def _locked(self) -> Plan | None:
        desk = self.desk
        plan = desk.subject.plan(desk.state) if desk.subject.kind == "plan" else None
        return plan if plan and plan.state == "waiting" and plan.unlock else None

    def action_unlock(self) -> None:
        plan = self._locked()
        if self.able("unlock") and plan:
            self.when_alone("unlocked", lambda: self._unlock(plan))

    def _unlock(self, plan: Plan) -> None:
        desk = self.desk
        if self._locked() != plan:
            self.say("the plan has changed just now; look at it again")
            return

        def over(code: int | str) -> None:
            desk.guard.renewed(time.monotonic())
            why = code if isinstance(code, str) else loan.outcome(code)
            if why:
                self.say(f"the key stays locked: {why}")
            else:
                desk.notify(f"the signing key is unlocked; press {keys.key('approve')} to land the plan", timeout=6)

        greeting = f"nightdesk: this asks for your key; Ctrl+C goes back: {shlex.join(plan.unlock)}"
        loan = lending.Loan(plan.unlock, greeting)
        desk.app.lend(loan, over)
