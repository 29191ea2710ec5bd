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
SANE = b"\x1b[?1049l\x1b[?1000l\x1b[?1003l\x1b[?1006l\x1b[?2004l\x1b[?1l\x1b>\x1b(B\x1b[0m\x1b[?25h\n"
"""What a program that was killed may have left switched on, switched off."""
CANCELLED = (128 + signal.SIGINT, -signal.SIGINT)
KILLED = (128 + signal.SIGKILL, -signal.SIGKILL)
NOT_FOUND = 127


class Loan:
    """One program on the terminal at stdin, which the screen writes to as stderr.

    cwd, env: its folder and its whole environment; None: ours. patient: it is an agent's interactive mode (see
    `borrower.Patience`): Ctrl+C is a key of its own, and it leaves no process behind. read_only: paths that are so for
    it, with all below them; None for no sandbox, and only for who is patient.
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
    ) -> None:
        self._argv = argv
        self._greeting = greeting
        self._cwd, self._env = cwd, env
        self._patient, self._read_only = patient, read_only
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
            [sys.executable, "-I", "-S", str(BORROWER), *self._patience(), *self._argv],
            stdout=2,
            cwd=self._cwd,
            env=kept | {"GPG_TTY": os.ttyname(0)} if self._env is None else self._env,
        )
        if self._over:
            self.end()
        return self._child.wait()

    def _patience(self) -> tuple[str, ...]:
        if not self._patient:
            return ()
        sandbox = None if self._read_only is None else list(self._read_only)
        spec = {"parent": os.getpid(), "beside": str(BESIDE), "sandbox": sandbox, "cwd": self._cwd or os.getcwd()}
        return (f"--agent={json.dumps(spec)}",)

    def end(self) -> None:
        """Tell the program to end, from any thread; the borrower kills it when it does not."""
        self._over = True
        if self._child and self._child.poll() is None:
            with suppress(ProcessLookupError):
                self._child.send_signal(signal.SIGTERM)


def of_agent(opening: Opening, name: str) -> Loan:
    """An agent's interactive mode. name: of its session, for people."""
    greeting = f"nightdesk: {name} in its agent's own program; leave that as always and you are back here"
    return Loan(
        opening.argv,
        f"{greeting}. {opening.words}" if opening.words else greeting,
        cwd=opening.cwd,
        env=opening.env,
        patient=True,
        read_only=opening.sandbox.read_only if opening.sandbox else None,
    )


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
    """How it ended, for a person at the screen; "" when all is well."""
    said = ending(program, code)
    behind = code not in (0, NOT_FOUND, *CANCELLED, *KILLED)
    return f"{said}; what it said is on the terminal behind this screen" if behind else said


def ending(program: str, code: int) -> str:
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
    return f"{name} ended with {how}"
