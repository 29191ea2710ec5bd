"""`nightdesk status`: who supervises, the counts, and what needs a person."""

from __future__ import annotations

import time
from typing import Any

import click

from console import wiring
from console.adapters.lock import is_taken
from console.cli import common
from console.core.sessions import LIVE
from console.core.state import State
from console.present import attention, queueing, wording
from console.present.text import clean


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
                "run": _run_data(state),
                "tickets": queueing.ticket_counts(state),
                "needs": [item.data() for item in items],
                "cursor": state.seq,
                "trouble": here.trouble,
            }
        )
        return
    click.echo(f"{here.root}: {wording.supervisor_sentence(state, running)}")
    if here.trouble:
        click.echo(f"  {clean(wiring.gone(here))}")
    click.echo(wording.counts_sentence(state))
    now = time.time()
    _say_queue(state, running, now)
    cut_off = sum(s.phase in LIVE for s in state.sessions.values())
    going_back = [s.session for s in state.sessions.values() if s.rollback]
    if not running and cut_off:
        click.echo(f"  nobody supervises and {cut_off} session(s) were cut off; `nightdesk` goes on with them")
    if going_back:
        stands = "" if running else "; nobody supervises, `nightdesk run --idle` or any other command finishes it"
        click.echo(f"  the files of {', '.join(going_back)} are going back to a snapshot{stands}")
    for item in items:
        click.echo(f"  {item.word:8} {item.key:14} {wording.age(now - item.since):>5}  {item.text}")
    if not items and (running or not cut_off):
        click.echo("nothing needs you")


def _run_data(state: State) -> dict[str, Any] | None:
    run = queueing.latest_run(state)
    if not run:
        return None
    return {
        "run": run.run,
        "state": run.state,
        "status": run.status,
        "why": run.reason,
        "claimed": len(run.claimed),
        "outcomes": dict(run.outcomes),
        "costUsd": run.cost_usd,
    }


def _say_queue(state: State, running: bool, now: float) -> None:
    """The latest run and where the tickets stand; nothing when there were none."""
    run = queueing.latest_run(state)
    if run:
        click.echo(clean(f"{run.run}: {queueing.run_line(state, now)}{'  ' + run.reason if run.reason else ''}"))
        if run.open and not running:
            click.echo("  nobody supervises and the run is not over; `nightdesk run` goes on with it")
    if counts := queueing.ticket_counts(state):
        click.echo("tickets: " + "  ".join(f"{word} {number}" for word, number in counts.items()))
    for problem in state.problems[:5]:
        click.echo(f"  {clean(problem)}")
