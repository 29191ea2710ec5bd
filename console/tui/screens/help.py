"""Every verb of a screen in words, for the pane that has the focus: what works now, then what does not, and why."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.screen import Screen

from console.present.text import width
from console.tui import keys
from console.tui.widgets.diff import LineDiff
from console.tui.widgets.lines import LinePane
from console.tui.widgets.table import VTable

if TYPE_CHECKING:
    from console.tui.screens.verbs import Asking

COLUMN = 10
NOT_NOW = "Not now"
PLAIN = ("Move", "Console")
"""Groups whose sentences say all."""
NO_MATCH = "no key's words match that; Esc shows all again"
SAFETY = (
    "An approval names the plan and commit that were drawn. It does not count within 0.4 s of the plan appearing or "
    "changing, nor in a burst of keys: a paste, or keys typed while the line stood still."
)


@dataclass(frozen=True, slots=True)
class Entry:
    """A verb as it is now. why: why it does nothing, "" when it works."""

    row: keys.Row
    why: str

    @property
    def text(self) -> str:
        """What a search looks through."""
        row = self.row
        return f"{row.id} {keys.labels(row)} {row.title} {row.does} {row.group} {self.why}".casefold()


def entries(screen: Asking) -> list[Entry]:
    """Of the screen, of what of it has the focus, and of the program; each verb once, no verb without its action."""
    found: dict[str, Entry] = {}
    for where, owner in _owners(screen):
        for row in keys.rows(where):
            name = f"action_{row.action.partition('(')[0]}"
            if row.id not in found and (not row.action or hasattr(owner, name)):
                found[row.id] = Entry(row, screen.why_not(row.id))
    return list(found.values())


def _owners(screen: Asking) -> list[tuple[str, object]]:
    assert isinstance(screen, Screen)
    focused = screen.focused
    parts = (("diff", LineDiff), ("list", VTable), ("text", LinePane))
    mine = [(part, focused) for part, kind in parts if isinstance(focused, kind)]
    return [(screen.here_is, screen), *mine, ("app", screen.app)]


def lines(listed: Sequence[Entry], cells: int, wanted: str = "") -> list[str]:
    """For a pane of `cells`. wanted: words that an entry must have, "" for all."""
    room = max(20, cells)
    words = wanted.casefold().split()
    kept = [each for each in listed if all(word in each.text for word in words)]
    out: list[str] = []
    for group in keys.GROUPS:
        mine = [each.row for each in kept if each.row.group == group and not each.why and keys.labels(each.row)]
        out += [*([""] if out and mine else []), *([f"-- {group} --"] if mine else [])]
        for row in mine:
            out += _wrapped(keys.labels(row), row.does if group in PLAIN else f"{row.title}: {row.does}", room)
    unbound = [each.row for each in kept if not each.why and not keys.labels(each.row)]
    if unbound:
        out += [*([""] if out else []), f"-- On no key: {keys.key('palette')} has them --"]
        for row in unbound:
            out += _wrapped("", f"{row.title}: {row.does}", room)
    refused = [each for each in kept if each.why]
    if refused:
        out += [*([""] if out else []), f"-- {NOT_NOW} --"]
        for each in refused:
            out += _wrapped(keys.labels(each.row), f"{each.row.title}: {each.why}", room)
    return out or textwrap.wrap(NO_MATCH, room)


def _wrapped(label: str, does: str, room: int) -> list[str]:
    """The key in a column of its own; one that is wider has the first line for itself where the words do not fit."""
    if width(label) >= COLUMN:
        does = f"{label}  {does}"
        return textwrap.wrap(does, room, subsequent_indent=" " * COLUMN)
    return textwrap.wrap(does, room, initial_indent=label.ljust(COLUMN), subsequent_indent=" " * COLUMN)


def notes(tier: str, cells: int, wrong: Sequence[str] = ()) -> list[str]:
    """What stands below the keys. tier: which sandbox sessions run in, in a sentence. wrong: what is with keys.yaml."""
    room = max(20, cells)
    out = textwrap.wrap(SAFETY, room)
    for text in (*([f"Sandbox: {tier}"] if tier else []), *wrong):
        out += ["", *textwrap.wrap(text, room)]
    return out
