"""Lends the terminal to one program of the operator's, such as the one that asks for a passphrase, and takes it back.

The screen must have let go of the terminal before (`ConsoleApp.lent`). Nothing here draws or decides.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import termios
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from console.present.text import clean

BORROWER = Path(__file__).with_name("borrower.py")
PRIVATE = ("NIGHTDESK_FRONT_FD",)
"""Variables of ours that are not handed on."""
SANE = b"\x1b[?1049l\x1b[?1000l\x1b[?1003l\x1b[?1006l\x1b[?2004l\x1b[?1l\x1b>\x1b(B\x1b[0m\x1b[?25h\n"
"""What a program that was killed may have left switched on, switched off."""
CANCELLED = (128 + signal.SIGINT, -signal.SIGINT)
KILLED = (128 + signal.SIGKILL, -signal.SIGKILL)
NOT_FOUND = 127


class Loan:
    """One program on the terminal at stdin, which the screen writes to as stderr."""

    def __init__(self, argv: Sequence[str], greeting: str) -> None:
        self._argv = argv
        self._greeting = greeting
        self._child: subprocess.Popen[bytes] | None = None
        self._over = False

    def run(self) -> int:
        """Blocks until the program has ended and the terminal is ours again; its exit code, or 128 + its signal.

        OSError or termios.error: there is no terminal any more.
        """
        modes, group = termios.tcgetattr(0), os.tcgetpgrp(0)
        os.write(2, f"{clean(self._greeting)}\n".encode())
        try:
            return self._serve()
        finally:
            _take_back(group, modes)

    def _serve(self) -> int:
        kept = {name: value for name, value in os.environ.items() if name not in PRIVATE}
        self._child = subprocess.Popen(
            [sys.executable, "-I", "-S", str(BORROWER), *self._argv],
            stdout=2,
            env=kept | {"GPG_TTY": os.ttyname(0)},
        )
        if self._over:
            self.end()
        return self._child.wait()

    def end(self) -> None:
        """Tell the program to end, from any thread; the borrower kills it when it does not."""
        self._over = True
        if self._child and self._child.poll() is None:
            with suppress(ProcessLookupError):
                self._child.send_signal(signal.SIGTERM)


def _take_back(group: int, modes: list[object]) -> None:
    """The terminal is ours again, as it was; what was typed and not read is thrown away."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTTOU})
    try:
        os.tcsetpgrp(0, group)
        termios.tcsetattr(0, termios.TCSAFLUSH, modes)  # type: ignore[arg-type]
        os.write(2, SANE)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def outcome(program: str, code: int) -> str:
    """How it ended, for a person; "" when all is well."""
    name = clean(os.path.basename(program), limit=60)
    if code == 0:
        return ""
    if code in CANCELLED:
        return f"{name} was cancelled with Ctrl+C"
    if code in KILLED:
        return f"{name} did not end and was killed"
    if code == NOT_FOUND:
        return f"{name} could not be started"
    how = f"signal {code - 128}" if code > 128 else f"exit {code}"
    return f"{name} ended with {how}; what it said is on the terminal behind this screen"
