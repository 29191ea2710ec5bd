"""A program for the pty tests: every widget of ours, and bare library widgets, fed with hostile text."""

from __future__ import annotations

import os

from console.tui.environment import prepare

prepare(os.environ)

from textual.app import ComposeResult  # noqa: E402
from textual.content import Content  # noqa: E402
from textual.widgets import Label, Static  # noqa: E402

from console.tui.guard import ConsoleApp  # noqa: E402
from console.tui.widgets.diff import LineDiff  # noqa: E402
from console.tui.widgets.lines import LineView  # noqa: E402
from console.tui.widgets.table import Column, VTable  # noqa: E402

PAYLOADS = (
    "\x1b]52;c;ZXZpbA==\x07",
    "\x1b]0;title\x07",
    "\x1b[2J\x1b[1;1H",
    "\x9b2J\x9d0;title\x9c",
    "\x1b]8;;http://evil.example\x1b\\link\x1b]8;;\x1b\\",
    "a\u202egnp.exe\u2066b\u200bc\ufeff",
    "[@click=app.quit]press[/]",
    "[/x] [/] [link=http://evil.example]y[/link] [red]z",
    "bell\x07 back\x08\x08 nul\0 cr\rover tab\there",
    "family \U0001f468\u200d\U0001f469\u200d\U0001f467 heart \u2764\ufe0f tag \U000e0041\U000e0042 filler \u3164",
    "z" + "\u0301" * 60,
    "\udc9b\udcff lone bytes",
)


class Hostile(ConsoleApp):
    """Shows all payloads everywhere; `q` leaves."""

    CSS = """
    VTable, LineDiff, LineView { height: 14; }
    Static, Label { height: 3; border: solid $border; }
    """
    BINDINGS = [("q", "leave", "Leave")]

    def compose(self) -> ComposeResult:
        yield VTable([Column(3), Column(40, grow=True), Column(12, "right")])
        yield LineDiff("".join(f"+{text}\n" for text in PAYLOADS).encode("utf-8", "surrogateescape"))
        yield LineView(PAYLOADS, sgr="show")
        yield Static("".join(PAYLOADS[:6]), markup=False)
        yield Label(Content("".join(PAYLOADS[6:-1])))

    def on_mount(self) -> None:
        table = self.query_one(VTable)
        table.set_rows(range(len(PAYLOADS)), lambda index: ("●", (PAYLOADS[index], "go"), PAYLOADS[index]))
        self.query_one(Static).border_title = Content(PAYLOADS[0] + PAYLOADS[2] + PAYLOADS[5])
        self.notify(PAYLOADS[0] + PAYLOADS[7], title=PAYLOADS[3] + PAYLOADS[6])
        self.call_after_refresh(self.query_one(LineView).append_lines, ["everything is drawn"])

    def action_leave(self) -> None:
        self.exit(7)


if __name__ == "__main__":
    raise SystemExit(Hostile().run())
