"""The tickets folder and the log brought together, before anybody speaks of tickets. Decides nothing: it says what is
in the folder and the core decides what follows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from console import wiring
from console.core import commands as cmd
from console.core.records import Refused, Who
from console.core.state import State
from console.engine.folder import changes, known
from console.verbs.failing import NOT_FOUND, Fail, fail

if TYPE_CHECKING:
    from console.adapters.tickets import TicketFolder
    from console.core.tickets import Ticket
    from console.engine.client import Client

FOUND_INSIDE = "added from inside a session"


def folder_of(here: wiring.Here) -> TicketFolder:
    """The workspace's tickets folder. Fails when it is not inside the repository."""
    from console.adapters.tickets import TicketFolder, tickets_folder

    folder = tickets_folder(here.root, wiring.settings_of(here).settings.tickets)
    if isinstance(folder, Refused):
        fail(folder)
    return TicketFolder(folder, here.places.tickets)


def sync(here: wiring.Here, client: Client | None = None, folder: TicketFolder | None = None) -> State:
    """The state, after what the folder holds now. Appends only what differs. Fails when the folder is outside."""
    mine = client or wiring.client(here)
    try:
        look = (folder or folder_of(here)).look(known(mine.state))
        send(mine, changes(mine.state, look))
        return mine.state
    finally:
        if client is None:
            mine.close()


def send(client: Client, command: cmd.SyncTickets | None) -> None:
    if command is None:
        return
    result = client.send(command, needs_hands=False)
    if isinstance(result, Refused):
        fail(result)


def adder(here: wiring.Here) -> tuple[Who | None, str]:
    """(who adds a ticket, why it is held). Below one of our shims nobody is a person."""
    from console.adapters.operator import inside_a_session

    return (None, FOUND_INSIDE) if inside_a_session() else (wiring.who(here), "")


def find(state: State, name: str) -> Ticket:
    """A ticket by its id or its file's name. Fails with exit 3."""
    from console.adapters.tickets import sameness, ticket_id

    alike = {sameness(known): t for known, t in state.tickets.items()}
    for wanted in (name, ticket_id(name)):
        if found := state.tickets.get(wanted) or alike.get(sameness(wanted)):
            return found
    by_file = [t for t in state.tickets.values() if t.file in (name, f"{name}.md")]
    if len(by_file) == 1:
        return by_file[0]
    raise Fail(f"no ticket {name!r}; `nightdesk ticket list --all` shows what there is", NOT_FOUND)
