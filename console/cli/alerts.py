"""`nightdesk alert ...`: what changed in the git dir, and taking it as right or putting it back."""

from __future__ import annotations

import time
from typing import Literal

import click

from console import wiring
from console.cli import common
from console.core import commands as cmd
from console.core.alerts import Alert
from console.core.records import Refused
from console.core.state import State
from console.present import wording
from console.present.alerting import alert_data, alert_lines, alert_state
from console.present.text import clean


@click.group()
def alert() -> None:
    """Changes in the git dir that run programs, lie, or move a branch under you."""


def _find(state: State, name: str) -> Alert:
    if name not in state.alerts:
        raise common.Fail(f"no alert {name!r}; `nightdesk alert list` shows what there is", common.NOT_FOUND)
    return state.alerts[name]


@alert.command("list")
@click.option("--all", "all_", is_flag=True, help="Also those that are settled.")
@common.json_option
@click.pass_context
def list_(ctx: click.Context, all_: bool, json_: bool) -> None:
    """The alert that is open; with --all every one there was."""
    state = common.client(common.here(ctx)).state
    found = [a for a in state.alerts.values() if all_ or a.state != "settled"]
    if json_:
        common.as_json({"alerts": [alert_data(a) for a in found]})
        return
    rows = [
        (a.alert, alert_state(a), a.session or "-", wording.age(time.time() - a.at), a.changes[0].item)
        for a in found
        if a.changes
    ]
    common.table(("ALERT", "STATE", "AFTER", "FOR", "FIRST CHANGE"), rows)


@alert.command()
@click.argument("alert_id")
@common.json_option
@click.pass_context
def show(ctx: click.Context, alert_id: str, json_: bool) -> None:
    """Every change of one alert, before and after."""
    a = _find(common.client(common.here(ctx)).state, alert_id)
    if json_:
        common.as_json(alert_data(a))
        return
    for line in alert_lines(a):
        click.echo(line)


def _answer(ctx: click.Context, alert_id: str, action: Literal["adopt", "restore"], timeout: float) -> None:
    common.people_only("answering an alert")
    here = common.here(ctx)
    client = common.client(here)
    _find(client.state, alert_id)
    result = client.send(cmd.AnswerAlert(alert=alert_id, action=action, by=wiring.who(here)))
    if isinstance(result, Refused):
        common.fail(result)
    done = client.await_effect(
        lambda s: None if s.alerts[alert_id].state == "answered" else s.alerts[alert_id], timeout
    )
    if done is None:
        raise common.Fail(f"the answer is recorded, not yet done after {timeout:g} s; `nightdesk alert list` shows it")
    if done.state != "settled":
        raise common.Fail(f"{alert_id} stays open: {'; '.join(done.notes) or 'it changed again meanwhile'}")
    click.echo(f"{alert_id} is {done.outcome}")
    for note in done.notes:
        click.echo(f"  {clean(note)}")


@alert.command()
@click.argument("alert_id")
@common.timeout_option(30.0)
@click.pass_context
def adopt(ctx: click.Context, alert_id: str, timeout: float) -> None:
    """Take what is there now as right."""
    _answer(ctx, alert_id, "adopt", timeout)


@alert.command()
@click.argument("alert_id")
@common.timeout_option(30.0)
@click.pass_context
def restore(ctx: click.Context, alert_id: str, timeout: float) -> None:
    """Put back what was there before; nothing is deleted."""
    _answer(ctx, alert_id, "restore", timeout)
