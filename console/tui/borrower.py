"""The program between the screen and one that borrows the terminal: `python -I -S borrower.py PROGRAM ARG...`.

It makes itself and the program the terminal's foreground group, so that Ctrl+C is theirs and not the console's, and
kills a program that does not heed it. Standard library only; it imports nothing of ours.
"""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType

PATIENCE = 2
"""Seconds after Ctrl+C, or after being told to end, until the whole group is killed."""


def main(argv: list[str]) -> int:
    """Run it on the terminal at stdin. The program's exit code, 128 + its signal, or 127 when it cannot be started."""
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _heed)
    signal.signal(signal.SIGALRM, lambda _number, _frame: os.killpg(0, signal.SIGKILL))
    for number in (signal.SIGTTOU, signal.SIGTSTP):  # nobody here could continue a stopped program
        signal.signal(number, signal.SIG_IGN)
    os.setpgid(0, 0)
    os.tcsetpgrp(0, os.getpgrp())
    child = os.fork()
    if child == 0:
        _become(argv)
    return _outcome(child)


def _heed(number: int, _frame: FrameType | None) -> None:
    """The program got the key's signal itself; what comes from outside is handed on."""
    signal.alarm(PATIENCE)
    if number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
        os.killpg(0, number)


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
