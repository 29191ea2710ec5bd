"""`nightdesk routine ...`: start one from its file, list, look at one, answer what it asks, cancel."""

from __future__ import annotations

import time

import click

from console import wiring
from console.cli import common
from console.core import commands as cmd
from console.core import events as ev
from console.core.records import Refused
from console.core.routines import Routine
from console.core.state import State
from console.engine.client import first
from console.present import routinewords
from console.present.text import clean, cut


@click.group()
def routine() -> None:
    """Steps over sessions that go on by themselves, and ask a person where they must."""


def _named(state: State, name: str) -> Routine:
    if name in state.routines:
        return state.routines[name]
    raise common.Fail(f"no routine {name!r}; `nightdesk routine list` shows what there is", common.NOT_FOUND)


@routine.command()
@click.argument("file", type=click.Path())
@common.json_option
@click.pass_context
def start(ctx: click.Context, file: str, json_: bool) -> None:
    """Start the routine in FILE. The same file twice is two routines."""
    from console.routine_starting import routine_of

    common.people_only("starting a routine")
    here = common.here(ctx)
    client = common.client(here)
    spec = routine_of(here, file, client.state)
    if isinstance(spec, Refused):
        common.fail(spec)
    result = client.send(cmd.StartRoutine(spec=spec, by=wiring.who(here)))
    if isinstance(result, Refused):
        common.fail(result)
    begun = first(result, ev.RoutineStarted)
    assert isinstance(begun, ev.RoutineStarted)
    state = client.state
    _show(
        state.routines[begun.routine], state, json_, f"`nightdesk routine status {begun.routine}` shows how it goes on"
    )


@routine.command("list")
@click.option("--all", "all_", is_flag=True, help="Also those that are over.")
@common.json_option
@click.pass_context
def list_(ctx: click.Context, all_: bool, json_: bool) -> None:
    """What asks a person first, then what runs."""
    state = common.client(common.here(ctx)).state
    found = sorted((r for r in state.routines.values() if all_ or r.open), key=routinewords.routine_order)
    if json_:
        common.as_json({"routines": [routinewords.routine_data(r, state) for r in found]})
        return
    if not found:
        click.echo(
            "no routine was ever started" if all_ else "no routine is under way; --all shows those that are over"
        )
        return
    now = time.time()
    rows = (
        (
            r.routine,
            routinewords.routine_word(r),
            routinewords.routine_name(r),
            routinewords.routine_place(r),
            cut(routinewords.routine_gist(r, state, now), 100),
        )
        for r in found
    )
    common.table(("ROUTINE", "STATE", "NAME", "AT", "NOW"), rows)


@routine.command()
@click.argument("routine_id")
@common.json_option
@click.pass_context
def status(ctx: click.Context, routine_id: str, json_: bool) -> None:
    """One routine: its steps, their sessions, what it waits for."""
    state = common.client(common.here(ctx)).state
    r = _named(state, routine_id)
    if json_:
        common.as_json(routinewords.routine_data(r, state))
        return
    for line in routinewords.routine_lines(r, state, time.time()):
        click.echo(line)


@routine.command()
@click.argument("routine_id")
@click.option("--step", required=True, type=click.IntRange(min=1), help="The step that asks, as `status` counts them.")
@click.option("--asked", default=0, type=click.IntRange(min=0), help="What you allow: the number that `status` shows.")
@click.option("--approve/--reject", default=True, show_default=True, help="Go on, or fail the routine.")
@click.option("--response", default="", help="What its session is told: an option's id or name, or words.")
@click.option("--session", default="", help="Only if this session is the one that asks.")
@common.json_option
@click.pass_context
def resolve(
    ctx: click.Context, routine_id: str, step: int, asked: int, approve: bool, response: str, session: str, json_: bool
) -> None:
    """Answer what a routine asks a person: what you have seen, and nothing that is asked since."""
    common.people_only("answering a routine")
    here = common.here(ctx)
    client = common.client(here)
    state = client.state
    r = _named(state, routine_id)
    if session and r.status == "escalated" and r.session != common.session_named(state, session).session:
        raise common.Fail(f"{r.session or f'step {r.step + 1}'} asks now, not {session}: look at it again")
    question = routinewords.routine_ask(r)
    command = cmd.ResolveRoutine(
        routine=r.routine, step=step - 1, by=wiring.who(here), asked=asked, approve=approve, response=response
    )
    result = client.send(command)
    if isinstance(result, Refused):
        common.fail(result)
    state = client.state
    _show(state.routines[r.routine], state, json_, f"answered: {question}")


@routine.command()
@click.argument("routine_id")
@click.option("--note", default="", help="Why, for whoever reads the log.")
@common.json_option
@click.pass_context
def cancel(ctx: click.Context, routine_id: str, note: str, json_: bool) -> None:
    """End a routine. Its sessions are left as they are."""
    common.people_only("cancelling a routine")
    here = common.here(ctx)
    client = common.client(here)
    r = _named(client.state, routine_id)
    result = client.send(cmd.CancelRoutine(routine=r.routine, by=wiring.who(here), note=note), needs_hands=False)
    if isinstance(result, Refused):
        common.fail(result)
    state = client.state
    _show(state.routines[r.routine], state, json_, routinewords.left_alone(state.routines[r.routine], state))


def _show(r: Routine, state: State, json_: bool, more: str) -> None:
    if json_:
        common.as_json(routinewords.routine_data(r, state))
        return
    click.echo(routinewords.routine_line(r, state, time.time()))
    click.echo(clean(more, limit=600))
