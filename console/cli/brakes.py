"""`nightdesk pause`, `resume`, `stop`: the brakes of a run, from anywhere."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click

from console import wiring
from console.adapters.lock import is_taken
from console.cli import common
from console.core import commands as cmd
from console.core.records import Refused
from console.core.state import open_run

if TYPE_CHECKING:
    from console.engine.client import Client


def _brake(ctx: click.Context, command: type[cmd.PauseRun] | type[cmd.ResumeRun], said: str) -> None:
    common.people_only(f"to {command.__name__.removesuffix('Run').lower()} a run")
    here = common.here(ctx)
    result = common.client(here).send(command(by=wiring.who(here)), needs_hands=command is cmd.ResumeRun)
    if isinstance(result, Refused):
        raise common.Fail(result.reason)
    click.echo(said)


@click.command()
@click.pass_context
def pause(ctx: click.Context) -> None:
    """Claim no further ticket; what is under way goes on."""
    _brake(ctx, cmd.PauseRun, "paused: nothing new is begun; `nightdesk resume` goes on")


@click.command()
@click.pass_context
def resume(ctx: click.Context) -> None:
    """Go on with a paused run."""
    _brake(ctx, cmd.ResumeRun, "the run goes on")


@click.command()
@click.option(
    "--now", is_flag=True, help="Do not wait for what is under way: stop it, its work stays, then the supervisor."
)
@common.timeout_option(30.0)
@click.pass_context
def stop(ctx: click.Context, now: bool, timeout: float) -> None:
    """Stop the run when what is under way has ended; without a run, or with --now, the supervisor itself.

    The supervisor may be one inside a console. Its sessions can be resumed.
    """
    common.people_only("stopping the supervisor")
    here = common.here(ctx)
    client = common.client(here)
    if open_run(client.state):
        result = client.send(cmd.StopRun(by=wiring.who(here), now=now), needs_hands=False)
        if not now:
            if isinstance(result, Refused):
                raise common.Fail(f"{result.reason}; `nightdesk stop --now` does not wait for it")
            click.echo("the run ends when what is under way has ended; `nightdesk stop --now` does not wait for it")
            return
        if is_taken(here.places.lock):
            client.wait(lambda state: None if open_run(state) else True, timeout)
    if not is_taken(here.places.lock):
        click.echo("nobody supervises this workspace")
        return
    _leave(here, client, timeout)
    click.echo("stopped")


def _leave(here: wiring.Here, client: Client, timeout: float) -> None:
    """Tell who holds the lock to leave, and wait for it. One that was about to come up has not heard what was said
    before its start: it is told again."""
    told: tuple[int, int] | None = None
    deadline = time.monotonic() + timeout
    while is_taken(here.places.lock):
        known = client.state.supervisor
        now = (known.pid, known.start_time) if known else (0, 0)
        if told is None or (now != told and known and known.running):
            client.send(cmd.StopSupervisor(by=wiring.who(here)), needs_hands=False)
            told = now
        if time.monotonic() > deadline:
            raise common.Fail(f"the stop is recorded; the lock is still held after {timeout:g} s")
        time.sleep(0.05)
