"""A program for the pty tests: paints the whole screen all the time and leaves a heartbeat of its event loop in a file.

Arguments: `gated` (our app) or `plain` (the library's), and the heartbeat file. `s` stops the painting, `q` leaves.
SIGHUP does nothing: whether a terminal is gone is for the app to notice.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import Any

from console.tui.environment import prepare

prepare(os.environ)

from textual.app import App, ComposeResult  # noqa: E402
from textual.widgets import Static  # noqa: E402

from console.tui.guard import ConsoleApp  # noqa: E402

KEYS = [("s", "settle", "Stop painting"), ("q", "quit", "Leave")]


class Painting:
    """Mixed into either app: 20 full pictures and 20 heartbeats a second."""

    frame = 0

    def compose(self) -> ComposeResult:
        yield Static("", markup=False)

    def on_mount(self: Any) -> None:
        self.beats = os.open(sys.argv[2], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self.set_interval(0.05, lambda: os.write(self.beats, b"."))
        self.painting = self.set_interval(0.05, self.paint)

    def paint(self: Any) -> None:
        self.frame += 1
        self.draw(f"frame {self.frame % 10}")

    def action_settle(self: Any) -> None:
        self.painting.stop()
        self.draw("settled")

    def draw(self: Any, word: str) -> None:
        lines = [" ".join([word] * 13)[: self.size.width] for _ in range(self.size.height)]
        self.query_one(Static).update("\n".join(lines))


class Gated(Painting, ConsoleApp):
    """With the backpressure gate."""

    BINDINGS = KEYS


class Plain(Painting, App[None]):
    """Without."""

    BINDINGS = KEYS


if __name__ == "__main__":
    signal.signal(signal.SIGHUP, lambda *_: None)
    (Gated if sys.argv[1] == "gated" else Plain)().run()
