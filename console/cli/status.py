"""`nightdesk status`: who supervises, the counts, and what needs a person."""

from __future__ import annotations

import time

import click

from console.adapters.lock import is_taken
from console.cli import common
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
    for item in items:
        click.echo(f"  {item.word:8} {item.key:14} {wording.age(now - item.since):>5}  {item.text}")
    if not items:
        click.echo("nothing needs you")
