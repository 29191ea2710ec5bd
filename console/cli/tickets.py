"""`nightdesk ticket ...`: add, list, show, requeue, drop, release."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

import click
from msgspec.structs import replace

from console import wiring
from console.cli import common, queueing
from console.core import commands as cmd
from console.core.records import Refused
from console.core.state import State
from console.core.tickets import Ticket
from console.engine import folder as folders
from console.engine.client import Client
from console.present import queue_rows, wording
from console.present import queueing as words
from console.present.text import clean

if TYPE_CHECKING:
    from console.adapters.tickets import Parsed, TicketFolder

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
    raw, parsed = _validated(_read(file), {"title": title, "id": id_}, named)
    client, folder = common.client(here), queueing.folder_of(here)
    queueing.sync(here, client, folder)
    before = folders.known(client.state)
    name = _write(client.state, folder, raw, parsed)
    t = _record(here, client, folder, before, (name, parsed.ticket))
    _say_added(t, client.state, json_)


def _read(file: str) -> bytes:
    try:
        if file == "-":
            return sys.stdin.buffer.read(FILE_LIMIT)
        with open(file, "rb") as source:
            return source.read(FILE_LIMIT)
    except (OSError, ValueError) as error:
        raise common.Fail(f"{file}: cannot be read: {getattr(error, 'strerror', None) or error}") from None


def _validated(raw: bytes, options: dict[str, str], named: str) -> tuple[bytes, Parsed]:
    """The text of the new file and what it says. Fails with every problem at once."""
    from console.adapters.tickets import one_line, parse, ticket_id, with_keys

    title, id_ = one_line(options["title"]), options["id"].strip()
    keys = ({"title": title} if title else {}) | ({"id": ticket_id(id_)} if id_ else {})
    alone, whole = parse(raw, named), with_keys(raw, keys, named)
    if problems := [*_listed(alone), *_listed(whole)]:
        raise common.Fail("\n".join(dict.fromkeys(problems)))
    assert isinstance(whole, bytes)
    parsed = parse(whole, named)
    if isinstance(parsed, list):
        raise common.Fail("\n".join(parsed))
    return whole, parsed


def _listed(found: object) -> list[str]:
    return found if isinstance(found, list) else []


def _write(state: State, folder: TicketFolder, raw: bytes, parsed: Parsed) -> str:
    """The new file's name."""
    from console.adapters.tickets import sameness, slug, write_new

    alike = {sameness(t.ticket): t for t in state.tickets.values()}
    if parsed.named:
        other = alike.get(sameness(parsed.ticket))
        if other and other.phase != "gone":
            raise common.Fail(f"the id {parsed.ticket!r} is that of {other.file} already; choose another one")
    taken = frozenset() if parsed.named else frozenset(alike)
    name = write_new(folder.folder, raw, slug(parsed.spec.title), taken)
    if isinstance(name, Refused):
        common.fail(name)
    return name


def _record(
    here: wiring.Here, client: Client, folder: TicketFolder, before: dict[str, str], new: tuple[str, str]
) -> Ticket:
    """The new file (name, id) as a ticket in the log, by who added it. One that can be none is taken away again."""
    name = new[0]
    look = folder.look(before)
    mine = next((one for one in look.seen if one.file == name), None)
    if mine is None:
        (folder.folder / name).unlink(missing_ok=True)
        about = [text for text in look.problems if any(word in text for word in new)]
        raise common.Fail("not added:\n" + "\n".join(about or [f"{name} was changed while it was added"]))
    by, held = queueing.adder(here)
    queueing.send(client, cmd.SyncTickets(seen=(mine,), whole=False, by=by, held=held))
    queueing.send(client, folders.changes(client.state, replace(look, gone=())))
    t = client.state.tickets[mine.ticket]
    if by and t.held and t.digest == mine.digest:  # somebody's look found the file before this command could say whose
        client.send(cmd.ReleaseTicket(ticket=t.ticket, by=by, digest=t.digest), needs_hands=False)
    return client.state.tickets[mine.ticket]


def _say_added(t: Ticket, state: State, json_: bool) -> None:
    for text in state.problems:
        if text.startswith(f"{t.file}:"):
            click.echo(clean(text), err=True)
    if json_:
        common.as_json(ticket_data(t, state))
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
    """The tickets, in the order they came, and what is wrong in the folder."""
    state = queueing.sync(common.here(ctx))
    shown = sorted((t for t in state.tickets.values() if all_ or _open(t)), key=lambda t: (t.order, t.ticket))
    if json_:
        common.as_json({"tickets": [ticket_data(t, state) for t in shown], "problems": list(state.problems)})
        return
    now = time.time()
    rows = [
        (
            t.ticket,
            _state(t, state, now),
            str(t.spec.priority or ""),
            wording.age(now - t.since),
            words.ticket_title(t),
        )
        for t in shown
    ]
    common.table(("ID", "STATE", "PRIORITY", "FOR", "TITLE"), rows)
    for text in state.problems:
        click.echo(clean(text), err=True)


def _state(t: Ticket, state: State, now: float) -> str:
    word = words.ticket_sign(t, state).word
    return f"{word}, to {words.moment(t.until, now)}" if t.phase == "waiting" and t.until else word


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
    text = folder.text(t.pinned if t.in_flight and t.pinned else t.digest)
    if json_:
        told = {"text": None, "trouble": text.reason} if isinstance(text, Refused) else {"text": text}
        common.as_json(ticket_data(t, state) | told)
        return
    for line in [*queue_rows.ticket_lines(t, state, time.time()), *_leads(t, state)]:
        click.echo(line)
    click.echo()
    click.echo(clean(text.reason if isinstance(text, Refused) else text.strip("\n"), lines=True))


def _leads(t: Ticket, state: State) -> list[str]:
    """What its end led to, and the exact text that is shown."""
    lines = [f"digest    {t.digest[:12]}"]
    if p := state.plans.get(t.plan):
        lines.append(f"plan      {p.plan[:10]} is {p.state}: nightdesk plan show {p.plan[:10]}")
    if d := state.decisions.get(t.decision):
        lines += words.decision_lines(d, state)
    return lines


def ticket_data(t: Ticket, state: State) -> dict[str, Any]:
    """Plain data for `--json`: the record with every key that a script asks for, whatever it holds."""
    found = state.decisions.get(t.decision)
    return {
        **common.plain(t),
        "title": t.spec.title,
        "phase": t.phase,
        "state": words.ticket_sign(t, state).word,
        "outcome": t.outcome,
        "why": words.why(t, state),
        "held": t.held or None,
        "plan": t.plan or None,
        "decision": words.decision_data(found, state) if found else None,
        "attempts": t.attempts,
        "failures": common.plain(t.failures),
        "depends_on": list(t.spec.depends_on),
    }


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
