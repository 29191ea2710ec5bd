"""`nightdesk ticket ...`: add, list, show, requeue, drop, release."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence
from typing import Any

import click

from console import wiring
from console.cli import common
from console.core import commands as cmd
from console.core import queue
from console.core.records import Refused
from console.core.reporting import chaining
from console.core.state import State
from console.core.tickets import Ticket
from console.engine.client import Client
from console.present import board, queue_rows, wording
from console.present import queueing as words
from console.present.text import clean
from console.verbs import adding, queueing

FILE_LIMIT = 1024 * 1024
"""Bytes read of a file to add: more than a ticket may have, so that it is refused as too long."""


@click.group()
def ticket() -> None:
    """The queue: what there is to do, in files of the tickets folder."""


# -- add -------------------------------------------------------------------------------------------------


@ticket.command()
@click.argument("file")
@click.option("--title", default="", help="Its title, when the text should not say it.")
@click.option("--id", "id_", default="", help="Its id (default: made from the title).")
@common.json_option
@click.pass_context
def add(ctx: click.Context, file: str, title: str, id_: str, json_: bool) -> None:
    """Put FILE (`-`: what comes on standard input) into the tickets folder, as a new file of its own."""
    here = common.here(ctx)
    named = "standard input" if file == "-" else file
    client = common.client(here)
    t = adding.add(here, client, _read(file), {"title": title, "id": id_}, named)
    _say_added(t, client.state, json_)


def _read(file: str) -> bytes:
    try:
        if file == "-":
            return sys.stdin.buffer.read(FILE_LIMIT)
        with open(file, "rb") as source:
            return source.read(FILE_LIMIT)
    except (OSError, ValueError) as error:
        raise common.Fail(f"{file}: cannot be read: {getattr(error, 'strerror', None) or error}") from None


def _say_added(t: Ticket, state: State, json_: bool) -> None:
    for text in state.problems:
        if text.startswith(f"{t.file}:"):
            click.echo(clean(text), err=True)
    if json_:
        common.as_json(adding.ticket_data(t, state))
        return
    click.echo(f"added {t.ticket} ({clean(t.file)}): {words.ticket_title(t)}")
    if t.held:
        click.echo(f"it is held ({clean(t.held)}) until a person releases it: nightdesk ticket release {t.ticket}")


# -- list, show ------------------------------------------------------------------------------------------


@ticket.command("list")
@click.option("--all", "all_", is_flag=True, help="Also those that are done, dropped or gone.")
@common.json_option
@click.pass_context
def list_(ctx: click.Context, all_: bool, json_: bool) -> None:
    """The tickets, in the order they came, each with its reviews and repairs, and what is wrong in the folder."""
    state = queueing.sync(common.here(ctx))
    groups = chaining.families(state)
    shown, at_limit = _listed(state, groups, all_), queue.limits(state)
    if json_:
        told = [_data(t, state, groups.get(t.ticket, ()), at_limit) for t in shown]
        common.as_json({"tickets": told, "problems": list(state.problems)})
        return
    now = time.time()
    rows = [
        (
            f"  {t.ticket}" if t.link else t.ticket,
            _state(t, state, now, at_limit),
            str(t.spec.priority or ""),
            wording.age(now - t.since),
            chaining.about(t) if t.link else words.ticket_title(t),
        )
        for t in shown
    ]
    common.table(("ID", "STATE", "PRIORITY", "FOR", "TITLE"), rows)
    for text in state.problems:
        click.echo(clean(text), err=True)


def _listed(state: State, groups: Mapping[str, Sequence[Ticket]], all_: bool) -> list[Ticket]:
    """What is open, or everything; a review or repair behind the ticket it is about, which is there with it."""
    found: list[Ticket] = []
    for t in sorted(state.tickets.values(), key=lambda t: (t.order, t.ticket)):
        if t.link:
            continue
        mine = [m for m in groups.get(t.ticket, ()) if all_ or m.phase != "dropped"]
        if all_ or _open(t) or any(chaining.word(m) in chaining.OPEN for m in mine):
            found += [t, *mine]
    return found


def _state(t: Ticket, state: State, now: float, at_limit: queue.Limits) -> str:
    word = _chain_word(t) or words.ticket_sign(t, state, at_limit).word
    return f"{word}, to {words.moment(t.until, now)}" if t.phase == "waiting" and t.until else word


def _chain_word(t: Ticket) -> str:
    """Of a review or repair that is over: what it came to, not only that it ended."""
    return chaining.word(t) if t.link and t.phase in ("ended", "dropped") else ""


def _open(t: Ticket) -> bool:
    return t.phase not in ("dropped", "gone") and t.outcome != "DONE"


@ticket.command()
@click.argument("name")
@common.json_option
@click.pass_context
def show(ctx: click.Context, name: str, json_: bool) -> None:
    """One ticket: where it stands, why, its attempts, and its text as it was last seen (or as it is worked on)."""
    here = common.here(ctx)
    client, folder = common.client(here), queueing.folder_of(here)
    state = queueing.sync(here, client, folder)
    t = queueing.find(state, name)
    if t.link:
        _show_member(t, state, json_)
        return
    group = chaining.members(state, t.ticket)
    text = folder.text(t.pinned if t.in_flight and t.pinned else t.digest)
    if json_:
        told = {"text": None, "trouble": text.reason} if isinstance(text, Refused) else {"text": text}
        common.as_json(_data(t, state, group) | told)
        return
    for line in [*queue_rows.ticket_lines(t, state, time.time()), *_members(t, group), *_leads(t, state)]:
        click.echo(line)
    click.echo()
    click.echo(clean(text.reason if isinstance(text, Refused) else text.strip("\n"), lines=True))


def _show_member(t: Ticket, state: State, json_: bool) -> None:
    """A review or repair has no text of its own: what its reviewer said stands there instead."""
    if json_:
        common.as_json(_data(t, state, ()) | {"text": None})
        return
    for line in [*queue_rows.ticket_lines(t, state, time.time()), *_leads(t, state)]:
        click.echo(line)
    if t.review:
        click.echo()
        for line in board.finding_lines(t.review):
            click.echo(clean(line))


def _data(t: Ticket, state: State, group: Sequence[Ticket], at_limit: queue.Limits | None = None) -> dict[str, Any]:
    """With its reviews and repairs, or with what it is about."""
    told = [common.plain(chaining.told(state, m)) for m in group]
    mine = {"about": chaining.about(t), "word": chaining.word(t)} if t.link else {}
    return adding.ticket_data(t, state, at_limit) | mine | {"members": told}


def _members(t: Ticket, group: Sequence[Ticket]) -> list[str]:
    """Its reviews and repairs, oldest first."""
    return [
        clean(f"{m.link.kind:9} {m.ticket}: {chaining.word(m)}, {chaining.about(m)}", limit=200)
        for m in group
        if m.link
    ] + ([f"chain     escalated: {clean(t.escalated, limit=300)}"] if t.escalated else [])


def _leads(t: Ticket, state: State) -> list[str]:
    """What its end led to, and the exact text that is shown."""
    lines = [f"digest    {t.digest[:12]}"] if t.digest else []
    if p := state.plans.get(t.plan):
        lines.append(f"plan      {p.plan[:10]} is {p.state}: nightdesk plan show {p.plan[:10]}")
    if d := state.decisions.get(t.decision):
        lines += words.decision_lines(d, state)
    return lines


# -- for people ------------------------------------------------------------------------------------------


@ticket.command()
@click.argument("name")
@click.option("--note", default="", help="What the next attempt is told.")
@click.pass_context
def requeue(ctx: click.Context, name: str, note: str) -> None:
    """Back into the queue, with its attempts at zero."""
    t, client, here = _for_people(ctx, name, "putting a ticket back into the queue")
    _send(client, cmd.RequeueTicket(ticket=t.ticket, by=wiring.who(here), note=note))
    click.echo(f"{t.ticket} is queued again" + (", with your note" if note else ""))


@ticket.command()
@click.argument("name")
@click.option("--note", default="", help="Why, for the report.")
@click.pass_context
def drop(ctx: click.Context, name: str, note: str) -> None:
    """Never work on it; its file stays."""
    t, client, here = _for_people(ctx, name, "dropping a ticket")
    _send(client, cmd.DropTicket(ticket=t.ticket, by=wiring.who(here), note=note))
    click.echo(f"{t.ticket} is dropped; its file stays. Back again: nightdesk ticket requeue {t.ticket}")


@ticket.command()
@click.argument("name")
@click.option("--digest", default="", help="Only if its text is still this one (as `show` prints it).")
@click.pass_context
def release(ctx: click.Context, name: str, digest: str) -> None:
    """Let a held ticket run, with the text that it has now."""
    t, client, here = _for_people(ctx, name, "releasing a ticket")
    if digest and not t.digest.startswith(digest):
        raise common.Fail(f"{t.ticket} has changed since you saw it: look at it again (`nightdesk ticket show`)")
    _send(client, cmd.ReleaseTicket(ticket=t.ticket, by=wiring.who(here), digest=t.digest))
    click.echo(f"{t.ticket} is released (text {t.digest[:12]})")


def _for_people(ctx: click.Context, name: str, what: str) -> tuple[Ticket, Client, wiring.Here]:
    common.people_only(what)
    here = common.here(ctx)
    client = common.client(here)
    return queueing.find(queueing.sync(here, client), name), client, here


def _send(client: Client, command: cmd.Command) -> None:
    result = client.send(command, needs_hands=False)
    if isinstance(result, Refused):
        common.fail(result)
