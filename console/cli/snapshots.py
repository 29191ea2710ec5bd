"""`nightdesk snapshot ...`: the files before each turn, what a rollback would change, and the rollback."""

from __future__ import annotations

import time

import click

from console import wiring
from console.cli import common
from console.core import commands as cmd
from console.core import snapshots
from console.core.records import Refused
from console.present import wording
from console.present.text import clean

SHOWN = 200


@click.group()
def snapshot() -> None:
    """A worktree's files before each turn of a session, to look at and to go back to."""


@snapshot.command("list")
@click.argument("session")
@common.json_option
@click.pass_context
def list_(ctx: click.Context, session: str, json_: bool) -> None:
    """The snapshots of one session, newest first."""
    s = common.session_named(common.client(common.here(ctx)).state, session)
    kept = list(reversed(s.snapshots))
    if json_:
        common.as_json({"session": s.session, "snapshots": [common.plain(one) for one in kept], "why": s.no_snapshot})
        return
    rows = [
        (
            one.snapshot[:10],
            f"turn {one.turn}" if one.turn else "a rollback",
            wording.age(time.time() - one.at),
            f"{len(one.uncovered)} not covered" if one.uncovered else "everything",
        )
        for one in kept
    ]
    common.table(("SNAPSHOT", "BEFORE", "AGE", "COVERS"), rows)
    if s.no_snapshot:
        click.echo(f"the latest turn has none: {clean(s.no_snapshot)}")


@snapshot.command()
@click.argument("session")
@click.argument("snapshot_id", default="")
@common.json_option
@click.pass_context
def diff(ctx: click.Context, session: str, snapshot_id: str, json_: bool) -> None:
    """What a rollback would change now; touches nothing."""
    here = common.here(ctx)
    s = common.session_named(common.client(here).state, session)
    kept = snapshots.find(s.snapshots, snapshot_id)
    if not kept:
        raise _no_snapshot(s.session)
    changes = wiring.snapshots_of(here).changes(s.worktree, kept.snapshot)
    if isinstance(changes, Refused):
        common.fail(changes)
    if json_:
        common.as_json({"snapshot": kept.snapshot, "changes": changes, "uncovered": kept.uncovered})
        return
    for line in changes[:SHOWN]:
        click.echo(clean(line))
    if len(changes) > SHOWN:
        click.echo(f"and {len(changes) - SHOWN} more")
    for line in kept.uncovered:
        click.echo(f"not covered: {clean(line)}")
    if not changes:
        click.echo("nothing: the files are those of the snapshot")


@snapshot.command()
@click.argument("session")
@click.argument("snapshot_id", default="")
@common.timeout_option(120.0)
@click.pass_context
def restore(ctx: click.Context, session: str, snapshot_id: str, timeout: float) -> None:
    """Put the files of a snapshot back (default: before the latest turn). What was there is kept as a snapshot."""
    common.people_only("rolling back")
    here = common.here(ctx)
    client = common.client(here)
    s = common.session_named(client.state, session)
    if not snapshots.find(s.snapshots, snapshot_id):
        raise _no_snapshot(s.session)
    result = client.send(cmd.RollBack(session=s.session, snapshot=snapshot_id, by=wiring.who(here)))
    if isinstance(result, Refused):
        common.fail(result)
    done = client.await_effect(
        lambda now: None if now.sessions[s.session].rollback else now.sessions[s.session], timeout
    )
    if done is None:
        raise common.Fail(f"the rollback is recorded, not yet done after {timeout:g} s")
    if done.rolled_back.startswith("not "):
        raise common.Fail(done.rolled_back)
    click.echo(clean(done.rolled_back))


def _no_snapshot(session: str) -> common.Fail:
    listed = f"`nightdesk snapshot list {session}` shows what there is"
    return common.Fail(f"session {session} has no such snapshot; {listed}", common.NOT_FOUND)
