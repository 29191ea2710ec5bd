"""The program between the screen and one that borrows the terminal: `python -I -S borrower.py PROGRAM ARG...`.

It makes itself and the program the terminal's foreground group, so that Ctrl+C is theirs and not the console's, and
kills a program that does not heed it. It ends only when nobody else who came meanwhile still has the terminal open: a
pinentry belongs to the key's agent, survives the program, and would fight the console for keys. That one is never
signalled; a person leaves it (Esc), or goes back without it by another Ctrl+C. Standard library only; nothing of ours.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from contextlib import suppress
from types import FrameType

PATIENCE = 2
"""Seconds after Ctrl+C, or after being told to end, until the whole group is killed."""

LOOK = 0.1
"""Seconds between looks at who has the terminal open."""


def main(argv: list[str]) -> int:
    """Run it on the terminal at stdin. The program's exit code, 128 + its signal, or 127 when it cannot be started."""
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _heed)
    signal.signal(signal.SIGALRM, lambda _number, _frame: os.killpg(0, signal.SIGKILL))
    for number in (signal.SIGTTOU, signal.SIGTSTP):  # nobody here could continue a stopped program
        signal.signal(number, signal.SIG_IGN)
    tty = os.ttyname(0)
    before = _holders(tty)
    os.setpgid(0, 0)
    os.tcsetpgrp(0, os.getpgrp())
    child = os.fork()
    if child == 0:
        _become(argv)
    code = _outcome(child)
    signal.alarm(0)
    _await_others(tty, before)
    return code


_told_to_end: list[int] = []


def _heed(number: int, _frame: FrameType | None) -> None:
    """The program got the key's signal itself; what comes from outside is handed on."""
    signal.alarm(PATIENCE)
    if number in (signal.SIGTERM, signal.SIGHUP):
        _told_to_end.append(number)
        signal.signal(number, signal.SIG_IGN)
        os.killpg(0, number)


def _holders(tty: str) -> set[int]:
    """Processes that have this terminal open, as far as they can be seen; none where there is no /proc."""
    found = set()
    for name in os.listdir("/proc") if os.path.isdir("/proc/self/fd") else ():
        with suppress(OSError):
            if name.isdigit() and any(
                os.readlink(f"/proc/{name}/fd/{fd}") == tty for fd in os.listdir(f"/proc/{name}/fd")
            ):
                found.add(int(name))
    return found


def _await_others(tty: str, before: set[int]) -> None:
    """Until those who came since have left the terminal, or a signal says that nobody wants to wait."""
    tired = _told_to_end
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _frame: tired.append(number))
    while not tired and _holders(tty) - before - {os.getpid()}:
        time.sleep(LOOK)


def _become(argv: list[str]) -> None:
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGHUP, signal.SIGALRM, signal.SIGTTOU):
        signal.signal(number, signal.SIG_DFL)
    try:
        os.execvp(argv[0], argv)
    except OSError as error:
        os.write(2, f"cannot run it: {error.strerror}\n".encode())
        os._exit(127)


def _outcome(child: int) -> int:
    while True:
        _, status = os.waitpid(child, os.WUNTRACED)
        if not os.WIFSTOPPED(status):
            return os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status)
        os.kill(child, signal.SIGCONT)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
