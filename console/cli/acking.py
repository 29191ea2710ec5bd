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
from console.core.commits import Plan
from console.present import wording
from console.verbs import acking


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
        plan = acking.reject(client, cmd.Reject(policy=policy_id, plan=plan_id, by=who, note=note))
        said = f"{policy_id} is rejected; the work stays where it is"
        common.as_json(wording.plan_data(plan)) if json_ else click.echo(said)
        return
    approval = cmd.Approve(policy=policy_id, plan=plan_id, by=who, confirm=confirm)
    plan = acking.approve(client, approval, timeout, _unlock)
    _say(plan, acking.trouble(plan, timeout), json_)


def _say(plan: Plan, trouble: str, json_: bool) -> None:
    if json_:
        common.as_json(wording.plan_data(plan))
    if trouble:
        raise common.Fail(trouble)
    if not json_:
        branch = plan.frozen.ref.removeprefix("refs/heads/")
        signed = ", signed" if plan.signed else ""
        click.echo(f"landed {plan.to_land.commit}{signed} on {branch}{'; ' + plan.reason if plan.reason else ''}")


def _unlock(argv: Sequence[str]) -> bool:
    """Ask for the signing key's passphrase on this terminal, if it is one. True when it was given."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    from console.terminal.lending import Loan

    try:
        return Loan(argv, f"the signing key is locked; this asks for it: {shlex.join(argv)}").run() == 0
    except (OSError, termios.error) as error:
        raise common.Fail(f"the terminal is gone, the key stays locked: {error}") from error
