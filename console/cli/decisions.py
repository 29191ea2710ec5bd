"""`nightdesk decision ...`: what only a person can decide: list, read, answer, and take an answer back."""

from __future__ import annotations

import time

import click

from console import wiring
from console.cli import common
from console.core import commands as cmd
from console.core import queue
from console.core.decisions import Parked
from console.core.records import Refused
from console.core.reporting import standing
from console.core.state import State, open_run
from console.present import queueing, wording


@click.group()
def decision() -> None:
    """Parked decisions: questions of the night that wait for a person."""


def _find(state: State, name: str) -> Parked:
    if name not in state.decisions:
        raise common.Fail(f"no decision {name!r}; `nightdesk decision list` shows what there is", common.NOT_FOUND)
    return state.decisions[name]


@decision.command("list")
@click.option("--all", "all_", is_flag=True, help="Also those that are answered or closed.")
@common.json_option
@click.pass_context
def list_(ctx: click.Context, all_: bool, json_: bool) -> None:
    """What waits for an answer: foundational first, oldest first."""
    state = common.client(common.here(ctx)).state
    found = sorted((d for d in state.decisions.values() if all_ or d.state == "open"), key=queueing.decision_order)
    if json_:
        common.as_json({"decisions": [queueing.decision_data(d, state) for d in found]})
        return
    if not found:
        click.echo("no decision waits for you" if not all_ else "no decision was ever parked")
        return
    common.table(("DECISION", "TICKET", "STATE", "KIND", "FOR", "BEHIND", "QUESTION"), (_row(d, state) for d in found))


def _row(d: Parked, state: State) -> tuple[str, ...]:
    waiting = len(standing.held_back(state, d)) if d.state == "open" else 0
    kind = "foundational" if d.foundational else d.category or "decision"
    age = wording.age(time.time() - d.at)
    return (d.decision, d.ticket, d.state, kind, age, str(waiting or "-"), queueing.question(d, 120))


@decision.command()
@click.argument("decision_id")
@common.json_option
@click.pass_context
def show(ctx: click.Context, decision_id: str, json_: bool) -> None:
    """One decision: why, the question, the readings, the evidence, what waits behind it."""
    state = common.client(common.here(ctx)).state
    d = _find(state, decision_id)
    if json_:
        common.as_json(queueing.decision_data(d, state))
        return
    for line in queueing.decision_lines(d, state, time.time()):
        click.echo(line)


@decision.command()
@click.argument("decision_id")
@click.option("--choose", type=click.IntRange(min=1), default=None, help="A reading by its number.")
@click.option("--text", default="", help="Words of your own, alone or as a remark on the reading.")
@common.json_option
@click.pass_context
def answer(ctx: click.Context, decision_id: str, choose: int | None, text: str, json_: bool) -> None:
    """Decide. The ticket is queued again with the answer in its prompt, and what waited for it is released."""
    common.people_only("answering a decision")
    here = common.here(ctx)
    client = common.client(here)
    d = _find(client.state, decision_id)
    before = standing.held_back(client.state, d)
    command = cmd.AnswerDecision(decision=d.decision, by=wiring.who(here), choice=choose or 0, text=text)
    result = client.send(command, needs_hands=False)
    if isinstance(result, Refused):
        common.fail(result)
    state = client.state
    released = [name for name in before if not _quarantined(state, name)]
    if json_:
        common.as_json({**queueing.decision_data(state.decisions[d.decision], state), "released": released})
        return
    click.echo(queueing.follows(d, released))
    if not open_run(state):
        click.echo("no run is under way; `nightdesk run` takes it")
    click.echo(f"until work on it begins, `nightdesk decision reopen {d.decision}` takes the answer back")


def _quarantined(state: State, name: str) -> bool:
    t = state.tickets.get(name)
    return bool(t and t.phase == "queued" and queue.readiness(state, t).state == "quarantined")


@decision.command()
@click.argument("decision_id")
@common.json_option
@click.pass_context
def reopen(ctx: click.Context, decision_id: str, json_: bool) -> None:
    """Take an answer back, as long as no work on it has begun."""
    common.people_only("taking an answer back")
    here = common.here(ctx)
    client = common.client(here)
    _find(client.state, decision_id)
    result = client.send(cmd.ReopenDecision(decision=decision_id, by=wiring.who(here)), needs_hands=False)
    if isinstance(result, Refused):
        common.fail(result)
    state = client.state
    d = state.decisions[decision_id]
    if json_:
        common.as_json(queueing.decision_data(d, state))
        return
    click.echo(queueing.taken_back(d, standing.held_back(state, d)))
