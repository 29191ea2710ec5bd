"""The tickets folder: what its files say, what is wrong with them, and their texts as they were when they were seen.

Watching it (`watch`) is a door of its own: only who watches loads the library for it.
"""

from console.adapters.tickets.folder import TicketFolder
from console.adapters.tickets.ids import sameness, ticket_id
from console.adapters.tickets.parsing import Parsed, one_line, parse
from console.adapters.tickets.place import tickets_folder
from console.adapters.tickets.writing import slug, with_keys, write_new

__all__ = [
    "Parsed",
    "TicketFolder",
    "one_line",
    "parse",
    "sameness",
    "slug",
    "ticket_id",
    "tickets_folder",
    "with_keys",
    "write_new",
]
