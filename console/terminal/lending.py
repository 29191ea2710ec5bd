"""Lends the terminal to one program of the operator's, such as the one that asks for a passphrase, and takes it back.

The screen must have let go of the terminal before (`ConsoleApp.lent`). Nothing here draws or decides.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import termios
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from console.engine.desk import Opening
from console.present.text import clean

BORROWER = Path(__file__).with_name("borrower.py")
BESIDE = Path(__file__).resolve().parent.parent / "adapters"
"""Where the borrower finds what a shim is made of."""
PRIVATE = ("NIGHTDESK_FRONT_FD",)
"""Variables of ours that are not handed on."""
SANE = (
    b"\x1b[?2026l\x1b[<u\x1b[>4m\x1b[?1049l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1004l\x1b[?1006l\x1b[?1015l\x1b[?1016l"
    b"\x1b[?2004l\x1b[?2048l\x1b[?1l\x1b>\x1b[?5l\x1b[4l\x0f\x1b(B\x1b[0m\x1b[?25h\x1b[0 q"
    b"\x1b7\x1b[?6l\x1b[r\x1b8\x1b[?6l\x1b[?7h\n"
)
"""What a program may have left switched on, switched off: its screen, reports, keyboard, colours, insertion, another
character set. All rows scroll and take what is written, lines wrap, and the cursor begins a line where it was."""
TITLE_KEPT, TITLE_BACK = b"\x1b[22;2t", b"\x1b[23;2t"
CLEAR = b"\x1b[H\x1b[2J"
EDITOR = "--editor"
"""As the borrower knows it."""
CANCELLED = (128 + signal.SIGINT, -signal.SIGINT)
NOT_STARTED, ENDED = b"n", b"k"
"""What the borrower tells beside an exit code (see there)."""


class Loan:
    """One program on the terminal at stdin, which the screen writes to as stderr.

    cwd, env: its folder and its whole environment; None: ours. patient: it is an agent's interactive mode (see
    `borrower.Patience`): Ctrl+C is a key of its own, and it leaves no process behind. read_only: paths that are so for
    it, with all below them; None for no sandbox, and only for who is patient. editor: it is one, or a
    pager: Ctrl+C is a key of its own, too. clear: the terminal holds what is no business of that program: it starts on
    an empty screen below the greeting, and leaves an empty one when all is well.
    """

    def __init__(
        self,
        argv: Sequence[str],
        greeting: str,
        *,
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
        patient: bool = False,
        read_only: Sequence[str] | None = None,
        editor: bool = False,
        clear: bool = False,
    ) -> None:
        self._argv = argv
        self._clear = clear
        self._said = b""
        self._greeting = greeting
        self._cwd, self._env = cwd, env
        self._patient, self._read_only, self._editor = patient, read_only, editor
        self._child: subprocess.Popen[bytes] | None = None
        self._over = False

    def run(self) -> int:
        """Blocks until the program has ended and the terminal is ours again; its exit code, or 128 + its signal.

        OSError or termios.error: there was no terminal, or nothing could be started on it.
        """
        modes, group = termios.tcgetattr(0), os.tcgetpgrp(0)
        os.write(2, TITLE_KEPT * self._patient + CLEAR * self._clear + f"{clean(self._greeting)}\n".encode())
        code = 1
        try:
            code = self._serve()
            return code
        finally:
            last = TITLE_BACK * self._patient + CLEAR * (self._clear and code == 0)
            with suppress(OSError, termios.error):  # it is gone meanwhile: that is no word about the program
                _take_back(group, modes, last)

    def _serve(self) -> int:
        kept = {name: value for name, value in os.environ.items() if name not in PRIVATE}
        hears, tells = os.pipe()
        try:
            self._child = subprocess.Popen(
                [sys.executable, "-I", "-S", str(BORROWER), *self._patience(), f"--told={tells}", *self._argv],
                stdout=2,
                cwd=self._cwd,
                env=kept | {"GPG_TTY": os.ttyname(0)} if self._env is None else self._env,
                pass_fds=(tells,),
            )
            if self._over:
                self.end()
            code = self._child.wait()
            os.set_blocking(hears, False)
            with suppress(BlockingIOError):
                self._said = os.read(hears, 100)
            return code
        finally:
            os.close(hears)
            os.close(tells)

    def _patience(self) -> tuple[str, ...]:
        if not self._patient:
            return (EDITOR,) if self._editor else ()
        sandbox = None if self._read_only is None else list(self._read_only)
        spec = {"parent": os.getpid(), "beside": str(BESIDE), "sandbox": sandbox, "cwd": self._cwd or os.getcwd()}
        return (f"--agent={json.dumps(spec)}",)

    def end(self) -> None:
        """Tell the program to end, from any thread; the borrower kills it when it does not."""
        self._over = True
        if self._child and self._child.poll() is None:
            with suppress(ProcessLookupError):
                self._child.send_signal(signal.SIGTERM)
                self._child.send_signal(signal.SIGCONT)  # one that was stopped heeds nothing else

    def wait(self) -> int | str:
        """Blocks until a program that was told to end has ended; its code, or a word when there was none."""
        return self._child.wait() if self._child else "it was not started"

    @property
    def started(self) -> bool:
        """False when the program could not be run."""
        return NOT_STARTED not in self._said

    def ending(self, code: int) -> str:
        """How it ended with this code, for a person; "" when all is well."""
        name = clean(os.path.basename(self._argv[0]), limit=60)
        if not self.started:
            return f"{name} could not be started"
        if code == 0:
            return ""
        if ENDED in self._said:
            return f"{name} did not end and was killed"
        if code in CANCELLED and not self._patient:
            return f"{name} was cancelled with Ctrl+C"
        how = f"was killed by signal {code - 128}" if code > 128 else f"ended with exit {code}"
        return f"{name} {how}" if code > 0 else f"nobody saw the end of {name}"

    def outcome(self, code: int) -> str:
        """`ending`, for a person at the screen."""
        said = self.ending(code)
        behind = said and self.started and code not in CANCELLED and ENDED not in self._said
        return f"{said}; what it said is on the terminal behind this screen" if behind else said


def of_agent(opening: Opening, name: str, *, clear: bool = False) -> Loan:
    """An agent's interactive mode. name: of its session, for people. clear: as in `Loan`."""
    greeting = f"nightdesk: {name} in its agent's own program; leave that as always and you are back here"
    return Loan(
        opening.argv,
        f"{greeting}. {opening.words}" if opening.words else greeting,
        cwd=opening.cwd,
        env=opening.env,
        patient=True,
        read_only=opening.sandbox.read_only if opening.sandbox else None,
        clear=clear,
    )


def _take_back(group: int, modes: list[object], last: bytes) -> None:
    """The terminal is ours again, as it was; what was typed and not read is thrown away."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTTOU})
    try:
        os.tcsetpgrp(0, group)
        termios.tcsetattr(0, termios.TCSAFLUSH, modes)  # type: ignore[arg-type]
        os.write(2, SANE + last)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
