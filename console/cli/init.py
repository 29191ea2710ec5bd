"""`nightdesk init`: settings with a guessed gate and agent, and a folder for tickets. Never overwrites; trusts nothing
and starts no agent."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import click

from console.cli import common
from console.verbs import settling
from console.verbs.settling import CONFIG

if TYPE_CHECKING:
    from console.adapters.surveying import Seen


@click.command()
@common.json_option
@click.pass_context
def init(ctx: click.Context, json_: bool) -> None:
    """Write .nightdesk/config.yaml, with a gate and an agent guessed, and tickets/. Overwrites nothing."""
    here = common.here(ctx)
    made = settling.draft(here)
    guess, agent = (made.gates[0] if made.gates else None), made.agent
    fresh = settling.write(here, made)
    lacks = settling.missing(here, guess.gate.split()) if fresh[CONFIG] and guess else ""
    note = f"note: {lacks}; install it, or set another gate" if lacks else ""
    if json_:
        common.as_json(
            {
                "root": str(here.root),
                "wrote": [name for name, new in fresh.items() if new],
                "kept": [name for name, new in fresh.items() if not new],
                "gate": shlex.split(guess.gate) if guess and fresh[CONFIG] else None,
                "because": guess.because if guess and fresh[CONFIG] else "",
                "agent": agent.name if agent and fresh[CONFIG] else None,
                "note": note,
            }
        )
        return
    for name, new in fresh.items():
        click.echo(f"wrote {name}" if new else f"left {name} as it is")
    if fresh[CONFIG]:
        click.echo(f"gate: {guess.gate} (because of {guess.because})" if guess else "no gate found: set one in it")
        click.echo(_about(agent))
    if note:
        click.echo(note)
    click.echo(f"next: read {CONFIG}, then run `nightdesk trust`")


def _about(agent: Seen | None) -> str:
    if agent is None:
        return "no agent found that is known here: `nightdesk agents` lists them"
    return f"agent: {agent.name} ({agent.path}); it waits for your word, see `nightdesk agents {agent.name}`"
