"""`nightdesk events`: the log, with a cursor."""

from __future__ import annotations

import time
from typing import Any

import click
import msgspec

from console.cli import common
from console.present import wording

FOLLOW_EVERY = 0.1


def _split(value: str) -> list[str]:
    return [part.strip() for part in value.split(",") if part.strip()]


def _entry(row: tuple[int, float, str]) -> dict[str, Any]:
    seq, at, body = row
    fact = msgspec.json.decode(body)
    if env := fact.get("launch", {}).get("env"):
        fact["launch"]["env"] = dict.fromkeys(env, "***")  # values may be secrets; the names help
    return {"seq": seq, "at": at, **fact}


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

    log = Log(common.here(ctx).places.log)
    wanted = {"types": _split(types), "sessions": _split(sessions), "limit": limit}
    if not follow:
        rows, cursor = log.find(since, **wanted)  # type: ignore[arg-type]
        if json_:
            common.as_json({"events": [_entry(row) for row in rows], "nextCursor": cursor})
        else:
            _print(rows)
            click.echo(f"next cursor: {cursor}")
        return
    while True:
        rows, since = log.find(since, **wanted)  # type: ignore[arg-type]
        if json_:
            for row in rows:
                common.as_json(_entry(row))
        else:
            _print(rows)
        if not rows:
            time.sleep(FOLLOW_EVERY)


def _print(rows: list[tuple[int, float, str]]) -> None:
    for row in rows:
        click.echo(wording.event_row(_entry(row)))
