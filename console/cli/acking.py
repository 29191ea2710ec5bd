"""`nightdesk policy ack`: one plan approved or rejected by name, and the wait for what came of it."""

from __future__ import annotations

import shlex
import sys
import termios
from collections.abc import Sequence

import click

from console import wiring
from console.cli import common
from console.core import commands as cmd
from console.core import events as ev
from console.core.commits import Plan
from console.core.decide import find_plan
from console.core.records import Refused
from console.core.state import State
from console.engine.client import Client, first
from console.present import wording


@click.command()
@click.argument("policy_id")
@click.option("--approve", is_flag=True)
@click.option("--reject", is_flag=True)
@click.option(
    "--plan", "plan_id", default="", help="The commit id that was shown (full, or its first 7 or more digits)."
)
@click.option("--confirm", default="", help="For diffs that ask for it: the id typed again.")
@click.option("--note", default="", help="Why it is rejected.")
@common.timeout_option(60.0)
@common.json_option
@click.pass_context
def ack(
    ctx: click.Context,
    policy_id: str,
    approve: bool,
    reject: bool,
    plan_id: str,
    confirm: str,
    note: str,
    timeout: float,
    json_: bool,
) -> None:
    """Approve or reject the plan of a policy. Exit 0 done, 2 not (yet) done, 3 not found."""
    common.people_only("approving")
    if approve == reject:
        raise common.Fail("say either --approve or --reject")
    if approve and not plan_id:
        raise common.Fail("--approve needs --plan COMMIT: the id of the diff you read; `nightdesk plan list` shows it")
    here = common.here(ctx)
    client = common.client(here)
    who = wiring.who(here)
    if reject:
        _reject(client, cmd.Reject(policy=policy_id, plan=plan_id, by=who, note=note), json_)
        return
    plan = find_plan(client.state, policy_id, plan_id)
    if isinstance(plan, Refused):
        common.fail(plan)
    approval = cmd.Approve(policy=policy_id, plan=plan.plan, by=who, confirm=confirm)
    _approve(client, approval)
    done = client.await_effect(lambda state: _outcome(state, plan.plan), timeout)
    if done and done.state == "waiting" and done.unlock and _unlock(done.unlock):
        _approve(client, approval)
    _await_landing(client, plan.plan, timeout, json_)


def _approve(client: Client, approval: cmd.Approve) -> None:
    result = client.send(approval)
    if isinstance(result, Refused) and client.state.plans[approval.plan].state not in ("landed", "approved", "landing"):
        common.fail(result)


def _unlock(argv: Sequence[str]) -> bool:
    """Ask for the signing key's passphrase on this terminal, if it is one. True when it was given."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    from console.terminal.lending import Loan

    try:
        return Loan(argv, f"the signing key is locked; this asks for it: {shlex.join(argv)}").run() == 0
    except (OSError, termios.error) as error:
        raise common.Fail(f"the terminal is gone, the key stays locked: {error}") from error


def _await_landing(client: Client, plan_id: str, timeout: float, json_: bool) -> None:
    plan = client.await_effect(lambda state: _outcome(state, plan_id), timeout) or client.state.plans[plan_id]
    if json_:
        common.as_json(wording.plan_data(plan))
    if plan.state == "landed":
        if not json_:
            branch = plan.frozen.ref.removeprefix("refs/heads/")
            signed = ", signed" if plan.signed else ""
            click.echo(f"landed {plan.to_land.commit}{signed} on {branch}{'; ' + plan.reason if plan.reason else ''}")
        return
    if plan.state in ("approved", "landing"):
        raise common.Fail(f"the approval is recorded, not yet done after {timeout:g} s; `nightdesk plan list` shows it")
    fresh = f"\nnew plan: {plan.successor}" if plan.successor else ""
    raise common.Fail(f"not landed: {wording.plan_sentence(plan)}{fresh}")


def _outcome(state: State, plan_id: str) -> Plan | None:
    """The plan once its approval has ended; a moved branch has ended only when the new plan is judged."""
    plan = state.plans[plan_id]
    if plan.state in ("approved", "landing"):
        return None
    if plan.state == "superseded" and plan.successor and plan.successor not in state.plans:
        judging = state.policies[plan.policy].status in ("queued", "gating")
        return None if judging else plan
    return plan


def _reject(client: Client, rejection: cmd.Reject, json_: bool) -> None:
    result = client.send(rejection, needs_hands=False)
    if isinstance(result, Refused):
        common.fail(result)
    rejected = first(result, ev.PlanRejected)
    assert isinstance(rejected, ev.PlanRejected)
    if json_:
        common.as_json(wording.plan_data(client.state.plans[rejected.plan]))
    else:
        click.echo(f"{rejection.policy} is rejected; the work stays where it is")
