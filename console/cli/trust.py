"""`nightdesk trust`: show the settings that a repository supplies and record that this user trusts them."""

from __future__ import annotations

import click

from console import wiring
from console.adapters import trust as store
from console.cli import common
from console.present.text import clean


@click.command()
@click.option("--show", is_flag=True, help="Show what would be trusted; record nothing.")
@common.json_option
@click.pass_context
def trust(ctx: click.Context, show: bool, json_: bool) -> None:
    """Trust this repository's settings as they are now (their SHA-256, for this user)."""
    if not show:
        common.people_only("trusting settings")
    here = common.here(ctx)
    loaded = wiring.settings_of(here)
    if loaded.problems:
        raise common.Fail(wiring.problem_lines(loaded))
    if not loaded.exists:
        raise common.Fail(f"there is no {loaded.file} yet; `nightdesk init` writes one")
    if not show:
        try:
            store.record_trust(here.places.trust, here.root, loaded.digest)
        except ValueError as error:
            raise common.Fail(str(error)) from None
    trusted = store.is_trusted(here.places.trust, here.root, loaded)
    if json_:
        common.as_json({"file": loaded.file, "sha256": loaded.digest, "trusted": trusted})
        return
    with open(loaded.file, encoding="utf-8-sig") as text:
        for line in text:
            click.echo("  " + clean(line.rstrip("\n")))
    click.echo(f"sha256 {loaded.digest}")
    click.echo("trusted" if trusted else "not trusted; `nightdesk trust` records it")
