"""A plan approved or rejected by name, and the wait for what came of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from console.core import commands as cmd
from console.core import events as ev
from console.core.commits import Plan
from console.core.decide import find_plan
from console.core.records import Refused
from console.core.state import State
from console.engine.client import Client, first
from console.present import wording
from console.verbs.failing import fail


def approve(
    client: Client, approval: cmd.Approve, timeout: float, unlock: Callable[[Sequence[str]], bool] = lambda _argv: False
) -> Plan:
    """Approve exactly this plan and wait until it has landed, or has not (`trouble` says it), for `timeout` seconds.

    unlock(argv): asks for the passphrase of the signing key, where there is somebody to ask; True when it was given.
    """
    found = find_plan(client.state, approval.policy, approval.plan)
    if isinstance(found, Refused):
        fail(found)
    approval = cmd.Approve(policy=approval.policy, plan=found.plan, by=approval.by, confirm=approval.confirm)
    _send(client, approval)
    plan = client.await_effect(lambda state: outcome(state, found.plan), timeout)
    if plan and plan.state == "waiting" and plan.unlock and unlock(plan.unlock):
        _send(client, approval)
        plan = client.await_effect(lambda state: outcome(state, found.plan), timeout)
    return plan or client.state.plans[found.plan]


def _send(client: Client, approval: cmd.Approve) -> None:
    result = client.send(approval)
    if isinstance(result, Refused) and client.state.plans[approval.plan].state not in ("landed", "approved", "landing"):
        fail(result)


def outcome(state: State, plan_id: str) -> Plan | None:
    """The plan once its approval has ended; a moved branch has ended only when the new plan is judged."""
    plan = state.plans[plan_id]
    if plan.state in ("approved", "landing"):
        return None
    if plan.state == "superseded" and plan.successor and plan.successor not in state.plans:
        judging = state.policies[plan.policy].status in ("queued", "gating")
        return None if judging else plan
    return plan


def trouble(plan: Plan, timeout: float) -> str:
    """What to say of a plan that was approved and has not landed; "" when it has."""
    if plan.state == "landed":
        return ""
    if plan.state in ("approved", "landing"):
        return f"the approval is recorded, not yet done after {timeout:g} s; `nightdesk plan list` shows it"
    fresh = f"\nnew plan: {plan.successor}" if plan.successor else ""
    return f"not landed: {wording.plan_sentence(plan)}{fresh}"


def reject(client: Client, rejection: cmd.Reject) -> Plan:
    result = client.send(rejection, needs_hands=False)
    if isinstance(result, Refused):
        fail(result)
    rejected = first(result, ev.PlanRejected)
    assert isinstance(rejected, ev.PlanRejected)
    return client.state.plans[rejected.plan]
