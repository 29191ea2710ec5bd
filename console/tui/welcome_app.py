"""The app before there is a workspace: only the first steps, until a repository with a first commit is there. The real
console follows in the same process."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar

from textual import events
from textual.app import SystemCommand
from textual.binding import BindingType
from textual.command import Provider
from textual.screen import Screen

from console.core.first_steps import Look
from console.engine.desk import Memory
from console.engine.first_steps import FirstSteps
from console.tui import environment, keys
from console.tui.guard import ConsoleApp
from console.tui.looks import Looks
from console.tui.pasting import Presses, instead
from console.tui.screens.appearance import Appearance
from console.tui.screens.verbs import Asking
from console.tui.screens.welcome import Welcome
from console.tui.verbpalette import VerbProvider

BEAT = 1.0


class _FirstSteps(Welcome):
    """Ends as soon as there is a workspace."""

    def _saw(self, look: object) -> None:
        super()._saw(look)  # type: ignore[arg-type]
        if self.look.repository and self.look.head:
            assert isinstance(self.app, WelcomeApp)
            self.app.ready = True
            self.app.exit(0)


class WelcomeApp(ConsoleApp):
    """beat: called once a second while the loop runs. ready: it has ended because there is a workspace now."""

    TITLE = "nightdesk"
    CSS_PATH = "console.tcss"
    ENABLE_COMMAND_PALETTE = True
    COMMANDS: ClassVar[set[type[Provider] | Callable[[], type[Provider]]]] = {VerbProvider}
    COMMAND_PALETTE_BINDING = "ctrl+p"
    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("app")

    def __init__(
        self,
        steps: FirstSteps,
        look: Look,
        *,
        memory: Memory,
        config_dir: Path,
        environ: Mapping[str, str],
        theme: str = "",
        beat: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(colourless=environment.no_color(environ))
        self._steps, self._look, self._beat = steps, look, beat
        self.looks = Looks(self, memory, config_dir / "themes", environ, theme)
        self.ready = False
        self._left = False
        self._presses = Presses()
        self._loop: asyncio.AbstractEventLoop | None = None

    def on_mount(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.looks.start()
        self.push_screen(_FirstSteps(self._steps, self._look))
        self.set_interval(BEAT, self._beat)
        if self._left:
            self.exit(0)

    async def on_event(self, event: events.Event) -> None:
        """As in the console: pasted text is text in a field and nothing anywhere else, and every key is noted before
        anything takes it."""
        if (others := instead(self, event)) is not None:
            for each in others:
                await self.on_event(each)
            return
        self._presses.noted(event, (each for each in self.screen_stack if isinstance(each, Asking)))
        await super().on_event(event)

    @property
    def on_loan(self) -> bool:
        return False

    def leave_soon(self) -> None:
        """Leave, from any thread or a signal handler; also when the screen is not up yet."""
        self._left = True
        if self._loop is not None and not self._loop.is_closed():
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self.exit, 0)

    terminal_lost = leave_soon

    def action_leave(self) -> None:
        self.exit(0)

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        return self.looks.commands()

    def action_appearance(self) -> None:
        self.push_screen(Appearance(self.looks))

    def action_repaint(self) -> None:
        self.screen.refresh(layout=True)
