"""`nightdesk next`, `complete`, `park`: the queue for an agent that pulls its work, one JSON object a call."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

import click

from console.cli import common


@click.command("next")
@click.option("--as", "name", default="", help="Who pulls; the same name gets the same ticket again.")
@click.option("--wait", type=float, default=0.0, help="Seconds to wait while others may yet make a ticket ready.")
@common.timeout_option(600.0, "Seconds to wait until the ticket's worktree is ready.")
@click.pass_context
def next_(ctx: click.Context, name: str, wait: float, timeout: float) -> None:
    """The next ticket and what to do with it, as one JSON object."""
    _not_driven("next")
    from console.verbs import pulling

    here = common.here(ctx)
    common.as_json(pulling.next_ticket(here, common.client(here), pulling.holder_name(name), wait, timeout))


@click.command()
@click.argument("ticket")
@click.option("--as", "name", default="", help="Who pulled it.")
@click.option("--claim", type=click.Choice(["DONE", "PARK", "BLOCKED"]), default="DONE", show_default=True)
@click.option("--note", default="", help="With PARK the question, with BLOCKED the reason.")
@common.timeout_option(3600.0, "Seconds to wait for the gate.")
@click.pass_context
def complete(
    ctx: click.Context, ticket: str, name: str, claim: Literal["DONE", "PARK", "BLOCKED"], note: str, timeout: float
) -> None:
    """Record the result of a ticket that was pulled. The gate, not the claim, decides."""
    _not_driven("complete")
    from console.verbs import pulling

    here = common.here(ctx)
    holder = pulling.holder_name(name)
    client = common.client(here)
    common.as_json(pulling.complete(here, client, ticket, holder, claim=claim, note=note, timeout=timeout))


@click.command()
@click.argument("ticket")
@click.option("--question", required=True, help="What exactly a person must decide.")
@click.option("--option", "options", multiple=True, help="One reading; give it for each.")
@click.option("--foundational", is_flag=True, help="Other tickets build on the answer: they wait for it.")
@click.pass_context
def park(ctx: click.Context, ticket: str, question: str, options: tuple[str, ...], foundational: bool) -> None:
    """Park a ticket as a decision for a person."""
    from console.verbs import pulling

    inbox = os.environ.get("NIGHTDESK_INBOX", "") if os.environ.get("NIGHTDESK_TICKET") else ""
    if inbox:
        common.as_json(pulling.leave_note(Path(inbox), ticket, question, options, foundational))
        return
    from console import wiring
    from console.core import commands as cmd

    here = common.here(ctx)
    command = cmd.ParkTicket(
        ticket=ticket,
        question=question,
        by=wiring.who(here, "next" if os.environ.get("NIGHTDESK_WORKER") else "cli"),
        options=options,
        foundational=foundational,
    )
    common.as_json(pulling.park(here, common.client(here), command))


def _not_driven(what: str) -> None:
    if os.environ.get("NIGHTDESK_TICKET"):
        raise common.Fail(f"`nightdesk {what}` is for workers that pull tickets; end your turn, and the gate judges it")
