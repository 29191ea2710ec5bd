"""What a look at the tickets folder means for the log. Loads nothing that a fast command need not load."""

from __future__ import annotations

from console.core import commands as cmd
from console.core.state import State
from console.core.tickets import Ticket
from console.engine.ports import FolderLook


def known(state: State) -> dict[str, str]:
    """Ticket -> stamp of those whose file was there at the last look."""
    return {t.ticket: t.stamp for t in state.tickets.values() if t.phase != "gone" and not t.link}


def changes(state: State, look: FolderLook) -> cmd.SyncTickets | None:
    """What a look found, None when the state says so already."""
    seen = tuple(one for one in look.seen if _differs(state.tickets.get(one.ticket), one.digest, one.stamp))
    there = {t.ticket for t in state.tickets.values() if t.phase != "gone" and not t.in_flight and not t.link}
    gone = tuple(ticket for ticket in look.gone if ticket in there)
    if not seen and not gone and look.problems == state.problems:
        return None
    return cmd.SyncTickets(seen=seen, gone=gone, problems=look.problems)


def _differs(t: Ticket | None, digest: str, stamp: str) -> bool:
    return t is None or t.phase == "gone" or (t.digest, t.stamp) != (digest, stamp)
