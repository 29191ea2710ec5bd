"""The door between Textual and the terminal: nothing here waits for the terminal, and none of its signals stops us.

Textual 8.2's own driver blocks its loop when a terminal takes no output, spins when one is gone, and stops the whole
process, supervisor included, on SIGTSTP, SIGTTIN and SIGTTOU. tests/faults/test_terminal_*.py hold this room to that.
"""

from __future__ import annotations

import os
import select
import signal
from codecs import getincrementaldecoder
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from textual._parser import ParseError
from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver

from console.terminal import restoring
from console.terminal.wire import Wire

if TYPE_CHECKING:
    from textual.app import App

STDERR = 2
"""What the library writes to: the terminal, when stdout is something else."""
AWAY = 2
"""Looks in a row that find another job in the terminal's foreground: our front was stopped, the shell has it back."""
LOOK = 0.1
"""Seconds between looks whether an escape key was only an escape key."""


class ConsoleDriver(LinuxDriver):
    """`app` may have a `terminal_lost()`, called from another thread when there is nothing more to read."""

    def __init__(
        self, app: App[Any], *, debug: bool = False, mouse: bool = True, size: tuple[int, int] | None = None
    ) -> None:
        self._wire: Wire | None = None
        super().__init__(app, debug=debug, mouse=mouse, size=size)

    @property
    def _writer_thread(self) -> Any:
        return self._wire

    @_writer_thread.setter
    def _writer_thread(self, writer: Any) -> None:
        """The library makes a writer of its own whenever the terminal becomes ours; ours takes its place."""
        self._wire = Wire(STDERR) if writer is not None else None

    @property
    def waiting(self) -> int:
        """Writes that the terminal has not taken; a dead terminal takes nothing for ever."""
        wire = self._wire
        return 0 if wire is None else 1 << 30 if wire.dead else wire.waiting

    def abandon(self) -> None:
        """Not one byte more to the terminal, from any thread: it is somebody else's now."""
        if self._wire:
            self._wire.abandon()

    def write(self, data: str) -> None:
        if self._wire:
            self._wire.write(data)

    def _sigtstp_application(self, *_: object) -> None:
        """Never stop: the supervisor lives in this process. Who listens to signals leaves the screen instead."""

    def _sigcont_application(self, *_: object) -> None:
        """We never stopped the screen, so there is nothing to start again."""

    def start_application_mode(self) -> None:
        with restoring.unstopped():
            super().start_application_mode()  # type: ignore[no-untyped-call]
        for number in (signal.SIGTTOU, signal.SIGTTIN):
            signal.signal(number, _not_stopped)
        if self._wire is None:
            self._lost()  # the library found no terminal that obeys

    def stop_application_mode(self) -> None:
        front = restoring.foreground(self.fileno)
        if front and front != os.getpgrp():
            self.attrs_before = None  # a shell has the terminal already, with modes of its own
        super().stop_application_mode()  # SIGTTOU has a handler: what comes too late is an error, and has no effect

    def close(self) -> None:
        wire, self._wire = self._wire, None
        if wire is not None and not wire.stop():
            restoring.reset(STDERR)

    def _lost(self) -> None:
        lost = getattr(self._app, "terminal_lost", None)
        if lost is not None:
            lost()

    def run_input_thread(self) -> None:
        """Keys and reports become events until the terminal is given back, or is gone."""
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTTIN, signal.SIGTTOU})  # a background read is an error
        parser = XTermParser(self._debug)
        decode = getincrementaldecoder("utf-8")("replace").decode
        away = 0
        try:
            while not self.exit_event.is_set():
                away = away + 1 if restoring.foreground(self.fileno) not in (0, os.getpgrp()) else 0
                if away > AWAY:
                    self._lost()
                    return
                if restoring.ready(self.fileno, select.POLLIN, LOOK):
                    if not (data := os.read(self.fileno, 4096)):
                        self._lost()
                        return
                    for event in parser.feed(decode(data)):
                        self.process_message(event)
                for event in parser.tick():
                    self.process_message(event)
        except (OSError, ValueError):
            self._lost()
        finally:
            with suppress(EOFError, ParseError):
                list(parser.feed(""))


def _not_stopped(_number: int, _frame: object) -> None:
    """Some other process of our group touched a terminal that is not in front; that is no reason to stop us."""
