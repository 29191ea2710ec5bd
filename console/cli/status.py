"""`nightdesk status`: who supervises, the counts, and what needs a person."""

from __future__ import annotations

import time

import click

from console.adapters.lock import is_taken
from console.cli import common
from console.core.sessions import LIVE
from console.present import attention, wording


@click.command()
@common.json_option
@click.pass_context
def status(ctx: click.Context, json_: bool) -> None:
    """Supervisor, counts, and what needs a person, worst first."""
    here = common.here(ctx)
    state = common.client(here).state
    running = is_taken(here.places.lock)
    items = attention.needs(state)
    if json_:
        common.as_json(
            {
                "workspace": str(here.root),
                "supervisor": wording.supervisor_data(state, running),
                "counts": wording.counts(state),
                "needs": [item.data() for item in items],
                "cursor": state.seq,
            }
        )
        return
    click.echo(f"{here.root}: {wording.supervisor_sentence(state, running)}")
    click.echo(wording.counts_sentence(state))
    now = time.time()
    cut_off = sum(s.phase in LIVE for s in state.sessions.values())
    if not running and cut_off:
        click.echo(f"  nobody supervises and {cut_off} session(s) were cut off; `nightdesk` goes on with them")
    for item in items:
        click.echo(f"  {item.word:8} {item.key:14} {wording.age(now - item.since):>5}  {item.text}")
    if not items and (running or not cut_off):
        click.echo("nothing needs you")
