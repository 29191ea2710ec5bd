"""The door between Textual and the terminal: nothing here waits for the terminal, and none of its signals stops us.

Textual 8.2's own driver blocks its loop when a terminal takes no output, spins when one is gone, and stops the whole
process, supervisor included, on SIGTSTP, SIGTTIN and SIGTTOU. tests/faults/test_terminal_*.py hold this room to that.
"""

from __future__ import annotations

import os
import select
import signal
import time
from codecs import getincrementaldecoder
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from textual import events
from textual._parser import ParseError
from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver
from textual.message import Message

from console.present import keytable
from console.terminal import restoring
from console.terminal.wire import Wire
from console.tui.incoming import Burst, Incoming, Keys, Pasted, Piece
from console.tui.pasting import LONG, CameAtOnce

if TYPE_CHECKING:
    from textual.app import App

STDERR = 2
"""What the library writes to: the terminal, when stdout is something else."""
AWAY = 2
"""Looks in a row that find another job in the terminal's foreground: our front was stopped, the shell has it back."""
MOVES = ("down", "up", "left", "right", "page-down", "page-up")
"""Verbs whose keys are held."""
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

    @property
    def points(self) -> bool:
        """Whether the terminal is asked for mouse reports."""
        return bool(self._mouse)

    def point(self, on: bool) -> None:
        """Ask the terminal for mouse reports from now on, or for none."""
        if on and not self._mouse:
            self._mouse = True
            self._enable_mouse_support()
        elif self._mouse and not on:
            self._disable_mouse_support()
            self._mouse = False

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
        incoming = Incoming(_moves)
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
                    found = incoming.feed(decode(data), time.monotonic())
                else:
                    found = incoming.idle(time.monotonic())
                for event in _events(found, parser):
                    self.process_message(event)
                for event in parser.tick():
                    self.process_message(event)
        except (OSError, ValueError):
            self._lost()
        finally:
            with suppress(EOFError, ParseError):
                list(parser.feed(""))


def _moves() -> set[str]:
    """Characters that move a selection now."""
    rows = (row for ident in MOVES if (row := keytable.find(ident)))
    return {" " if key == "space" else key for row in rows for key in keytable.keys_of(row)}


def _events(found: Sequence[Piece], parser: XTermParser) -> Iterator[Message]:
    """As the library's own, and text that came at once as one event."""
    for piece in found:
        match piece:
            case Pasted(text):
                yield events.Paste(text.replace("\0", ""))
            case Burst(text):
                yield CameAtOnce(text, _keys(text, parser))
            case Keys("\x1b"):
                yield events.Key("escape", "\x1b")
            case Keys(text):
                yield from parser.feed(text)


def _keys(text: str, parser: XTermParser) -> list[events.Key]:
    return [each for each in parser.feed(text) if isinstance(each, events.Key)] if len(text) <= LONG else []


def _not_stopped(_number: int, _frame: object) -> None:
    """Some other process of our group touched a terminal that is not in front; that is no reason to stop us."""
