"""What one writes first: a DataTable whose rows are updated from every transcript once a second.

Arguments: `every=SECONDS` (instead of once a second), the transcripts, one a row.
"""

import json
import sys
import time
from pathlib import Path

from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.widgets import DataTable, Footer, Header


class NaiveTable(App[None]):
    BINDINGS = [
        Binding("ctrl+z", "quit", "Leave"),
        Binding("j", "simulate_key('down')", "Down"),
        Binding("k", "simulate_key('up')", "Up"),
    ]

    def compose(self) -> ComposeResult:
        yield Header()
        yield DataTable()
        yield Footer()

    def on_mount(self) -> None:
        every = [arg for arg in sys.argv[1:] if arg.startswith("every=")]
        self.files = [Path(name) for name in sys.argv[1 + len(every) :]]
        self.began = time.time()
        table = self.query_one(DataTable)
        for name in ("session", "label", "state", "doing", "age"):
            table.add_column(name, key=name)
        for number, file in enumerate(self.files, 1):
            table.add_row(f"s-{number}", f"agent-{number:02}", "working", "", "0s", key=file.stem)
        self.set_interval(float(every[0].partition("=")[2]) if every else 1.0, self.tick)

    def tick(self) -> None:
        table = self.query_one(DataTable)
        for file in self.files:
            table.update_cell(file.stem, "doing", self.last(file), update_width=True)
            table.update_cell(file.stem, "age", f"{time.time() - self.began:.0f}s", update_width=True)

    def last(self, file: Path) -> str:
        lines = file.read_text().splitlines() if file.exists() else []
        entry = json.loads(lines[-1]) if lines else {}
        return str(entry.get("tool") or entry.get("text") or "")


if __name__ == "__main__":
    NaiveTable().run()
