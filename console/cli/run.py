"""`nightdesk run --idle` and `stop`: a supervisor without a screen."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from typing import Any

import click

from console import supervision, wiring
from console.adapters.lock import Lock, is_taken
from console.cli import common
from console.core import commands as cmd

BUSY = 65


@click.command()
@click.option("--idle", is_flag=True, help="Supervise sessions and plans; drain no tickets.")
@click.option("--linger", type=float, default=None, help="Leave after this many seconds without work.")
@click.pass_context
def run(ctx: click.Context, idle: bool, linger: float | None) -> None:
    """Supervise this workspace without a screen until stopped (SIGTERM, Ctrl-C)."""
    here = common.here(ctx)
    if not idle:
        raise common.Fail("this version drains no tickets yet; use `nightdesk run --idle`")
    lock = Lock(here.places.lock)
    if not lock.take(supervision.lock_text()):
        raise common.Fail("another process supervises this workspace already; `nightdesk status` names it", BUSY)
    common.open_log_or_fail(here)
    supervisor = supervision.supervisor(here, lock, linger=linger)
    stopped: list[int] = []

    def stop(number: int, _frame: Any) -> None:
        stopped.append(number)
        supervisor.request_stop(signal.Signals(number).name)

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, stop)
    if linger is None:
        click.echo(f"supervising {here.root} as pid {os.getpid()}; stop with Ctrl-C", err=True)
    why = asyncio.run(supervision.serve(here, supervisor))
    lock.release()
    if linger is None:
        click.echo(f"ended: {why}", err=True)
    if stopped:
        raise click.exceptions.Exit(130)


@click.command()
@common.timeout_option(30.0)
@click.pass_context
def stop(ctx: click.Context, timeout: float) -> None:
    """Stop the supervisor of this workspace, also one inside a console; its sessions can be resumed."""
    common.people_only("stopping the supervisor")
    here = common.here(ctx)
    if not is_taken(here.places.lock):
        click.echo("nobody supervises this workspace")
        return
    client = common.client(here)
    client.send(cmd.StopSupervisor(by=wiring.who(here)), needs_hands=False)
    deadline = time.monotonic() + timeout
    while is_taken(here.places.lock):
        if time.monotonic() > deadline:
            raise common.Fail(f"the stop is recorded; the lock is still held after {timeout:g} s")
        time.sleep(0.05)
    click.echo("stopped")
