"""`nightdesk plan ...`: list, show the exact diff, undo."""

from __future__ import annotations

import sys
import time

import click

from console import wiring
from console.cli import common
from console.core import commands as cmd
from console.core.commits import Plan, named, short
from console.core.records import Refused
from console.core.state import State
from console.present import wording
from console.present.text import clean


@click.group()
def plan() -> None:
    """Commit-ready plans: green diffs that wait for a person."""


def _find(state: State, commit: str) -> Plan:
    found = [p for p in state.plans.values() if named(p, commit)]
    if len(found) != 1:
        raise common.Fail(f"no plan {commit!r}; `nightdesk plan list` shows what there is", common.NOT_FOUND)
    return found[0]


@plan.command("list")
@click.option("--all", "all_", is_flag=True, help="Also those that are over.")
@common.json_option
@click.pass_context
def list_(ctx: click.Context, all_: bool, json_: bool) -> None:
    """Plans that wait, oldest first."""
    state = common.client(common.here(ctx)).state
    open_states = ("waiting", "approved", "landing", "undoing")
    plans = [p for p in state.plans.values() if all_ or p.state in open_states]
    if json_:
        common.as_json({"plans": [wording.plan_data(p) for p in plans]})
        return
    rows = [
        (
            short(p.plan),
            p.policy,
            p.state,
            wording.branch(p),
            wording.size(p),
            wording.age(time.time() - p.ready_at),
            wording.title(p),
        )
        for p in plans
    ]
    common.table(("PLAN", "POLICY", "STATE", "BRANCH", "SIZE", "FOR", "MESSAGE"), rows)


@plan.command()
@click.argument("commit")
@click.option("--raw", is_flag=True, help="The diff's exact bytes and nothing else, for programs.")
@common.json_option
@click.pass_context
def show(ctx: click.Context, commit: str, raw: bool, json_: bool) -> None:
    """One plan with its exact diff."""
    here = common.here(ctx)
    p = _find(common.client(here).state, commit)
    diff = wiring.git_of(here).diff(p.frozen)
    if raw and json_:
        raise common.Fail("say either --raw or --json")
    if raw and sys.stdout.isatty():
        raise common.Fail("--raw is for programs; pipe it, or leave --raw out to read it here")
    if raw:
        sys.stdout.buffer.write(diff)
        return
    if json_:
        common.as_json(wording.plan_data(p) | {"diff": diff.decode("utf-8", "replace")})
        return
    for line in (*wording.plan_lines(p), ""):
        click.echo(line)
    for line in diff.decode("utf-8", "replace").split("\n"):
        click.echo(clean(line))


@plan.command()
@click.argument("commit")
@common.timeout_option(30.0)
@click.pass_context
def undo(ctx: click.Context, commit: str, timeout: float) -> None:
    """Take an approval or a rejection back; the plan waits again."""
    common.people_only("taking an approval back")
    here = common.here(ctx)
    client = common.client(here)
    p = _find(client.state, commit)
    result = client.send(cmd.Undo(plan=p.plan, by=wiring.who(here)), needs_hands=p.state == "landed")
    if isinstance(result, Refused):
        common.fail(result)
    done = client.await_effect(
        lambda state: None if state.plans[p.plan].state == "undoing" else state.plans[p.plan], timeout
    )
    if done is None:
        raise common.Fail(f"the undo is recorded, not yet done after {timeout:g} s")
    if done.state != "waiting":
        raise common.Fail(done.reason)
    click.echo(f"plan {short(p.plan)} waits again; files stay as they are")
