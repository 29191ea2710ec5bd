"""The app: theme, feed from the log, and the way out. Screens show state and send commands; nothing decides here."""

from __future__ import annotations

import asyncio
import contextvars
import gc
import termios
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events
from textual.app import SuspendNotSupported, SystemCommand
from textual.binding import BindingType
from textual.command import Provider
from textual.screen import Screen

from console.core.sessions import LIVE
from console.core.state import State, open_run
from console.engine.desk import SILENT, Desk
from console.present import keytable
from console.terminal.lending import Loan
from console.tui import environment, keymap, keys, presence
from console.tui.guard import ConsoleApp
from console.tui.hands import Hands
from console.tui.ledger import Ledger
from console.tui.looks import Looks
from console.tui.nudges import Nudges
from console.tui.pasting import CameAtOnce, Presses, instead
from console.tui.ringing import Ringing
from console.tui.screens.appearance import Appearance
from console.tui.screens.bench import Bench
from console.tui.screens.desk import DeskScreen
from console.tui.screens.verbs import Asking
from console.tui.screens.welcome import Welcome
from console.tui.verbpalette import VerbProvider
from console.tui.watch import LogWatch

if TYPE_CHECKING:
    from console.engine.client import Client
    from console.engine.hosting import Hosted, Post

COALESCE = 0.2
"""Seconds between two paints of a busy log; the first change after a quiet time is painted at once."""

BEAT = 1.0
"""Seconds between two signs of the screen's loop that it runs, and between two looks at the supervisor's."""

DEAF = 0.4
"""Seconds after a program gave the terminal back during which keys are not ours: they were typed for it."""


class NightdeskApp(ConsoleApp):
    """client: reads the log on this thread. hosted: the supervisor's post as this process sees it, None where it has no
    part in that. beat: called once a second while the loop runs. troubles: sentences about the supervisor, from any
    thread; each is shown once. now: Unix seconds, for ages and the clock. theme: named for this start, "" for none."""

    TITLE = "nightdesk"
    CSS_PATH = "console.tcss"
    ENABLE_COMMAND_PALETTE = True
    COMMANDS: ClassVar[set[type[Provider] | Callable[[], type[Provider]]]] = {VerbProvider}
    COMMAND_PALETTE_BINDING = "ctrl+p"
    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("app")

    def __init__(
        self,
        *,
        client: Client,
        desk: Desk,
        hosted: Hosted | Post | None,
        environ: Mapping[str, str],
        theme: str = "",
        now: Callable[[], float] = time.time,
        beat: Callable[[], None] = lambda: None,
        troubles: Sequence[str] = (),
    ) -> None:
        super().__init__(colourless=environment.no_color(environ))
        self._beat = beat
        self._troubles = troubles
        self._troubles_told = 0
        self.now = now
        self.client = client
        self.desk = desk
        self.hosted = hosted
        self.hands = Hands(desk, self._deliver, lambda: self.there)
        self.looks = Looks(self, desk.memory, desk.config_dir / "themes", environ, theme)
        self.nudges = Nudges(desk.open_events)
        self.ledger = Ledger(desk.open_events)
        self._presence = presence.Presence()
        self._ringing = Ringing(desk.ringers, desk.passes_through, environ, self._ring, time.monotonic)
        self._watch = LogWatch(desk.open_version, lambda: self._deliver(self._grown))
        self._loop: asyncio.AbstractEventLoop | None = None
        self._own_context = contextvars.copy_context()
        self._due = False
        self._painted = 0.0
        self._presses = Presses()
        self.key_problems: Sequence[keymap.Problem] = ()
        self._loan: Loan | None = None
        self._deaf_until = 0.0
        self._left = False
        self.silent = 0.0
        """Seconds since the supervisor's last sign of life, 0 while that is not long or not known."""

    @property
    def state(self) -> State:
        return self.client.journal.state

    @property
    def supervised(self) -> bool:
        """Whether anybody supervises: this process, or whoever holds the workspace's lock."""
        return bool(self.hosted and self.hosted.alive) or self.desk.supervised()

    def on_mount(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._own_context = contextvars.copy_context()  # a screen that is pushed from elsewhere needs to know its app
        self.looks.start()
        self._take_keys()
        self.client.journal.refresh()
        desk = DeskScreen()
        self.push_screen(desk)
        self.call_later(desk.welcome)
        self._watch.start()
        self._alive()
        self.set_interval(BEAT, self._alive)
        self.call_after_refresh(_collect_again)
        if self._left:
            self.exit(0)

    def _take_keys(self) -> None:
        """The user's own, for every key and every sentence that names one; a file that is wrong is told once."""
        found = keymap.load(self.desk.config_dir)
        self.key_problems = found.problems
        keytable.use(found.own)
        self.set_keymap(found.own)
        if found.problems:
            self.notify(keymap.told(found.problems), severity="warning", timeout=20)

    def _alive(self) -> None:
        """The loop runs; what became known of the supervisor meanwhile is said."""
        self._beat()
        self._listen()
        self._ringing.look(self.state)
        for sentence in self._troubles[self._troubles_told :]:
            self._troubles_told += 1
            self.notify(sentence, severity="error", timeout=20)

    def _listen(self) -> None:
        """One that begins or ceases to be silent is painted at once; how long it is silent moves with the ages."""
        holder, was = self.state.supervisor, self.silent
        silent = self.desk.silence(holder.pid if holder and self.supervised else 0)  # 0: count anew for whoever comes
        self.silent = silent if silent >= SILENT else 0.0
        if bool(was) != bool(self.silent) and self.screen.is_mounted:
            self._repaint()

    def _ring(self, sequence: str) -> bool:
        """To the terminal, on the screen's loop and so between two frames. False while it takes nothing."""
        if self._driver is None or self.on_loan or self.behind or not self.there:
            return False
        self._driver.write(sequence)
        return True

    def _repaint(self) -> None:
        for screen in reversed(self.screen_stack):
            if isinstance(screen, Bench | Welcome):
                if screen.is_mounted:  # one that is on its way paints all of it when it is there
                    screen.show_state()
                break  # what is under it is not seen, and is painted when it comes back

    def _deliver(self, call: Callable[[], None]) -> None:
        """Run `call` on the screen's loop, from any thread; dropped when the screen is gone."""
        loop = self._loop
        if loop is None or loop.is_closed():
            return
        try:
            loop.call_soon_threadsafe(self._guarded, call, context=self._own_context)
        except RuntimeError:
            return

    @property
    def there(self) -> bool:
        """Whether the screen goes on; asked from any thread."""
        loop = self._loop
        return not self._left and not self._exit and self.is_running and loop is not None and not loop.is_closed()

    def _guarded(self, call: Callable[[], None]) -> None:
        if self.is_running:
            call()

    def _grown(self) -> None:
        """The log has more: fold now, paint soon, and not more often than COALESCE."""
        if self._due:
            return
        assert self._loop
        wait = max(0.0, self._painted + COALESCE - self._loop.time())
        self._due = True
        self._loop.call_later(wait, self._refold)

    def _refold(self) -> None:
        self._due = False
        if not self.is_running or self._loop is None:
            return
        self._painted = self._loop.time()
        try:
            self._ringing.heard(self.client.journal.refresh(), self.state)
        except Exception as error:
            self.notify(f"the log cannot be read: {error}", severity="error", timeout=30)
            return
        self._repaint()

    async def on_event(self, event: events.Event) -> None:
        """Every key is noted before anything takes it, so that a burst is told from a press. What was typed for the
        program that had the terminal is no key for us."""
        typed = isinstance(event, (events.Key, events.Paste, events.MouseEvent, CameAtOnce))
        if typed and time.monotonic() < self._deaf_until:
            return
        if (others := instead(self, event)) is not None:
            for each in others:
                await self.on_event(each)
            return
        if self._presses.noted(event, (each for each in self.screen_stack if isinstance(each, Asking))):
            self._ringing.pressed()
            if self._presence.due(open_run(self.state), time.monotonic(), asked=bool(self.state.outlets)):
                self.hands.send(presence.sign(self.desk.who()), lambda _: None, needs_hands=False)
        await super().on_event(event)

    def stop_when_quiet(self) -> None:
        """Everything was told to stop: leave when nothing of ours lives, or after ten seconds."""
        assert self._loop
        deadline = self._loop.time() + 10

        def look() -> None:
            assert self._loop
            alive = any(s.phase in LIVE for s in self.state.sessions.values())
            if not alive or self._loop.time() > deadline:
                self._leave_now()

        self.set_interval(0.2, look)

    def action_leave(self) -> None:
        """Leave the screen; what runs goes on."""
        self.exit(0)

    def action_appearance(self) -> None:
        """The settings of the screen: theme, glyphs, mouse."""
        self.push_screen(Appearance(self.looks))

    def on_app_focus(self) -> None:
        """Whoever comes back may have written at a theme."""
        self.looks.look()

    def action_repaint(self) -> None:
        self.screen.refresh(layout=True)

    def leave_soon(self) -> None:
        """Leave, from any thread or a signal handler; also when the screen is not up yet."""
        self._left = True
        if self._loop is not None and not self._loop.is_closed():
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._leave_now)

    terminal_lost = leave_soon

    @property
    def on_loan(self) -> bool:
        """Another program has the terminal just now."""
        return self._loan is not None

    def _leave_now(self) -> None:
        self._left = True
        if self._loan:
            self._loan.end()
        else:
            self.exit(0)

    # -- lending the terminal ----------------------------------------------------------------------------

    def lend(
        self, loan: Loan, over: Callable[[int | str], None], returned: Callable[[int | str], None] = lambda _: None
    ) -> None:
        """Let a program have the terminal. `returned` gets its exit code, or why it could not be run, on a thread and
        in any case; `over` the same on the screen's loop, unless the console leaves. The supervisor's thread and the
        log's fold go on meanwhile, nothing is painted."""
        if self._loan is None:
            self._loan = loan
            self.run_worker(self._lend(loan, over, returned))

    async def _lend(self, loan: Loan, over: Callable[[int | str], None], returned: Callable[[int | str], None]) -> None:
        said: int | str
        try:
            with self.lent():
                said = await _ended(loan)
                self._deaf_until = time.monotonic() + DEAF
        except SuspendNotSupported:
            said = "this terminal cannot be lent to another program"
        except BaseException:  # the screen breaks off: the program ends with it, and what was lent comes back
            loan.end()
            threading.Thread(target=lambda: returned(loan.wait()), name="loan").start()
            raise
        try:
            await asyncio.to_thread(returned, said)
        except Exception as error:
            said = f"that it ended could not be recorded: {error}"
        self._loan = None
        if self._left:
            self.exit(0)
            return
        self.screen.refresh(layout=True)
        over(said)

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """What the palette has beside the verbs: the themes."""
        return self.looks.commands()


async def _ended(loan: Loan) -> int | str:
    """Never raises: the terminal has to be taken back."""
    try:
        return await asyncio.to_thread(loan.run)
    except (OSError, ValueError, termios.error) as error:
        return f"it could not be run: {error}"


def _collect_again() -> None:
    """The command line started with the collector off; what is loaded by now is never looked through again."""
    if not gc.isenabled():
        gc.freeze()
        gc.enable()
