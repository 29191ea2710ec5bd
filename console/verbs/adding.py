"""A ticket put into the tickets folder as a new file of its own, and a ticket as plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from console import wiring
from console.core import commands as cmd
from console.core import queue
from console.core.records import Refused
from console.core.state import State
from console.core.tickets import Ticket
from console.engine import folder as folders
from console.engine.client import Client
from console.present import queueing as words
from console.verbs import queueing
from console.verbs.failing import Fail, fail

if TYPE_CHECKING:
    from console.adapters.tickets import Parsed, TicketFolder


def add(here: wiring.Here, client: Client, raw: bytes, options: dict[str, str], named: str) -> Ticket:
    """options: title and id, "" where the text says it. named: where `raw` comes from, for problems."""
    raw, parsed = validated(raw, options, named)
    folder = queueing.folder_of(here)
    queueing.sync(here, client, folder)
    before = folders.known(client.state)
    name = write(client.state, folder, raw, parsed)
    return _record(here, client, folder, before, (name, parsed.ticket))


def validated(raw: bytes, options: dict[str, str], named: str) -> tuple[bytes, Parsed]:
    """The text of the new file and what it says. Fails with every problem at once."""
    from console.adapters.tickets import one_line, parse, ticket_id, with_keys

    title, id_ = one_line(options["title"]), options["id"].strip()
    keys = ({"title": title} if title else {}) | ({"id": ticket_id(id_)} if id_ else {})
    alone, whole = parse(raw, named), with_keys(raw, keys, named)
    if problems := [*_listed(alone), *_listed(whole)]:
        raise Fail("\n".join(dict.fromkeys(problems)))
    assert isinstance(whole, bytes)
    parsed = parse(whole, named)
    if isinstance(parsed, list):
        raise Fail("\n".join(parsed))
    return whole, parsed


def _listed(found: object) -> list[str]:
    return found if isinstance(found, list) else []


def write(state: State, folder: TicketFolder, raw: bytes, parsed: Parsed) -> str:
    """The new file's name."""
    from console.adapters.tickets import sameness, slug, write_new

    alike = {sameness(t.ticket): t for t in state.tickets.values()}
    if parsed.named:
        other = alike.get(sameness(parsed.ticket))
        if other and other.phase != "gone":
            raise Fail(f"the id {parsed.ticket!r} is that of {other.file} already; choose another one")
    taken = frozenset() if parsed.named else frozenset(alike)
    name = write_new(folder.folder, raw, slug(parsed.spec.title), taken)
    if isinstance(name, Refused):
        fail(name)
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
        raise Fail("not added:\n" + "\n".join(about or [f"{name} was changed while it was added"]))
    by, held = queueing.adder(here)
    queueing.send(client, cmd.SyncTickets(seen=(mine,), whole=False, by=by, held=held))
    queueing.send(client, folders.changes(client.state, replace(look, gone=())))
    t = client.state.tickets[mine.ticket]
    if by and t.held and t.digest == mine.digest:  # somebody's look found the file before this command could say whose
        client.send(cmd.ReleaseTicket(ticket=t.ticket, by=by, digest=t.digest), needs_hands=False)
    return client.state.tickets[mine.ticket]


def ticket_data(t: Ticket, state: State, at_limit: queue.Limits | None = None) -> dict[str, Any]:
    """Plain data for programs: the record with every key that a script asks for, whatever it holds. at_limit:
    `queue.limits` of the state, from whoever tells of many tickets."""
    found = state.decisions.get(t.decision)
    return {
        **msgspec.to_builtins(t),
        "title": t.spec.title,
        "phase": t.phase,
        "state": words.ticket_sign(t, state, at_limit).word,
        "outcome": t.outcome,
        "why": words.why(t, state, 0.0, at_limit),
        "held": t.held or None,
        "plan": t.plan or None,
        "decision": words.decision_data(found, state) if found else None,
        "attempts": t.attempts,
        "failures": msgspec.to_builtins(t.failures),
        "depends_on": list(t.spec.depends_on),
    }
