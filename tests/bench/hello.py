"""The least Textual app: one line. What any screen made with Textual costs."""

from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.widgets import Static


class Hello(App[None]):
    BINDINGS = [Binding("ctrl+z", "quit", "Leave")]

    def compose(self) -> ComposeResult:
        yield Static("hello, terminal")


if __name__ == "__main__":
    Hello().run()
