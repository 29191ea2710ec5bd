"""`nightdesk mcp`: the verbs as tools for programs, on stdin and stdout."""

from __future__ import annotations

import os

import click

from console.cli import common


@click.command()
@click.option("--session", default="", help="Only what the agent of this session may ask for.")
@click.pass_context
def mcp(ctx: click.Context, session: str) -> None:
    """Serve the Model Context Protocol on standard input and output, until the input ends.

    Below a session or gate of nightdesk it is the smaller set, whatever is said here.
    """
    from console.mcp import server
    from console.mcp.scope import scope

    server.serve(scope(common.here(ctx), session, dict(os.environ)))
