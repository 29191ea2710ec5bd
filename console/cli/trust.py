"""`nightdesk trust`: show the settings that a repository supplies and record that this user trusts them."""

from __future__ import annotations

import click

from console.cli import common
from console.present.text import clean
from console.verbs import trusting


@click.command()
@click.option("--show", is_flag=True, help="Show what would be trusted; record nothing.")
@common.json_option
@click.pass_context
def trust(ctx: click.Context, show: bool, json_: bool) -> None:
    """Trust this repository's settings as they are now (all but comments and layout, for this user)."""
    if not show:
        common.people_only("trusting settings")
    here = common.here(ctx)
    text, loaded = trusting.shown(here)
    if not show:
        trusting.record(here, loaded.digest)
    trusted = trusting.trusted(here, loaded)
    if json_:
        common.as_json({"file": loaded.file, "sha256": loaded.sha256, "content": loaded.digest, "trusted": trusted})
        return
    for line in text.splitlines():
        click.echo("  " + clean(line))
    click.echo(f"sha256 {loaded.sha256} (as sha256sum says of the file)")
    click.echo("trusted" if trusted else "not trusted; `nightdesk trust` records it")
