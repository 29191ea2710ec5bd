"""A tickets folder on a real disk with its store, looked at as a supervisor does."""

from __future__ import annotations

from pathlib import Path

from console.adapters.tickets import TicketFolder
from console.core.records import TextVerdict
from console.engine.ports import FolderLook


class Desk:
    """A tickets folder with its store; `known` is what a state would remember."""

    def __init__(self, place: Path) -> None:
        self.folder, self.store = place / "tickets", place / "state" / "tickets"
        self.folder.mkdir()
        self.judged: list[tuple[str, str, str]] = []
        self.known: dict[str, str] = {}
        self.tickets = self.fresh()

    def fresh(self) -> TicketFolder:
        return TicketFolder(self.folder, self.store, self.judge)

    def judge(self, title: str, body: str, hint: str) -> TextVerdict:
        self.judged.append((title, body, hint))
        return TextVerdict(rule="test")

    def write(self, name: str, text: str = "Do it.") -> Path:
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def look(self) -> FolderLook:
        """A look whose findings are remembered, as the log does."""
        look = self.tickets.look(self.known)
        self.known |= {one.ticket: one.stamp for one in look.seen}
        self.known = {ticket: at for ticket, at in self.known.items() if ticket not in look.gone}
        return look

    def names(self) -> list[str]:
        return [one.ticket for one in self.look().seen]
