"""`nightdesk events`: the log, with a cursor."""

from __future__ import annotations

import click

from console import wiring
from console.cli import common
from console.present import wording
from console.verbs.reading import entry

MOST = 1000
LONG = 3600.0
"""Seconds; a watch on the log lets nobody wait so long."""


def _split(value: str) -> list[str]:
    return [part.strip() for part in value.split(",") if part.strip()]


@click.command()
@click.option(
    "--since", type=click.IntRange(0, 2**62), default=0, show_default=True, help="Only events after this cursor."
)
@click.option("--types", default="", help="Only these, separated by commas.")
@click.option("--sessions", default="", help="Only of these sessions, separated by commas.")
@click.option("--limit", type=click.IntRange(1, 10_000), default=500, show_default=True)
@click.option("--follow", is_flag=True, help="Go on with new events, one a line.")
@common.json_option
@click.pass_context
def events(ctx: click.Context, since: int, types: str, sessions: str, limit: int, follow: bool, json_: bool) -> None:
    """What happened, in order; `nextCursor` is where the next look goes on."""
    from console.adapters.store import Log

    here = common.here(ctx)
    log = Log(here.places.log)
    if len(_split(types)) > MOST or len(_split(sessions)) > MOST:
        raise common.Fail(f"--types and --sessions take {MOST} names at most; leave the option out for all")
    wanted = {"types": _split(types), "sessions": _split(sessions), "limit": limit}
    if not follow:
        rows, cursor = log.find(since, **wanted)  # type: ignore[arg-type]
        if json_:
            common.as_json({"events": [entry(row) for row in rows], "nextCursor": cursor})
        else:
            _print(rows)
            click.echo(f"next cursor: {cursor}")
        return
    watch = wiring.watch(here)
    while True:
        rows, since = log.find(since, **wanted)  # type: ignore[arg-type]
        if json_:
            for row in rows:
                common.as_json(entry(row))
        else:
            _print(rows)
        if not rows:
            watch.changed(LONG)


def _print(rows: list[tuple[int, float, str]]) -> None:
    for row in rows:
        click.echo(wording.event_row(entry(row)))
