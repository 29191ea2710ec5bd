"""The palette: every verb of the screen that is seen, by any letters of its name, with its key; one that does nothing
now comes after the others, with the reason."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content

from console.tui import keys
from console.tui.screens import help
from console.tui.screens.verbs import Asking

HERE, THERE = 1.0, 0.5
"""Worth of a match in a verb that works now, and in one that does not. A match in the words of what it does is worth
half of one in its name."""
WANT_KEY = ("approve",)
"""Verbs that no list does: they want the key, on what is drawn."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A line of the palette. name: what is matched first; about: below it; key: "" for none."""

    name: str
    about: str
    key: str
    works: bool
    run: Callable[[], Any]


def offers(screen: Asking) -> list[Offer]:
    """The verbs of a screen, those that work now first."""
    found = [_offer(screen, entry) for entry in help.entries(screen) if _named(entry.row)]
    return sorted(found, key=lambda offer: not offer.works)


def _named(row: keys.Row) -> bool:
    """Whether it is one to be picked by name: not the keys of a list or a text, and not the palette itself."""
    part = row.where[0] in ("list", "text", "diff")
    return bool(row.action) and not part and not row.id.startswith("palette")


def _offer(screen: Asking, entry: help.Entry) -> Offer:
    row, why = entry.row, entry.why
    run: Callable[[], Any] = partial(screen.choose, row)
    if row.id in WANT_KEY and not why:
        run = partial(screen.say, f"this wants its key: press {keys.key(row.id)} on what is drawn")
    if why:
        run = partial(screen.say, why)
    about = f"not now: {why}" if why else row.does
    return Offer(row.title, about, keys.labels(row), not why, run)


class VerbProvider(Provider):
    """Verbs while a screen with verbs is what is seen (a dialog over it has its own keys), and the app's commands."""

    def _offers(self) -> Iterator[Offer]:
        if isinstance(self.screen, Asking):
            yield from offers(self.screen)
        for name, about, run, _ in self.app.get_system_commands(self.screen):
            yield Offer(name, about, "", True, run)

    async def discover(self) -> Hits:
        for offer in self._offers():
            yield DiscoveryHit(_line(Content(offer.name), offer.key), offer.run, offer.name, offer.about)

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for offer in self._offers():
            name, about = matcher.match(offer.name), matcher.match(offer.about)
            if score := max(name, about / 2):
                worth = score * (HERE if offer.works else THERE)
                yield Hit(worth, _line(matcher.highlight(offer.name), offer.key), offer.run, offer.name, offer.about)


def _line(name: Content, key: str) -> Content:
    return Content.assemble(name, (f"   {key}", "bold")) if key else name
