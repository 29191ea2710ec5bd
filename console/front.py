"""The thin front of the console: forked before anything heavy is imported, it owns the terminal's modes.

The child runs the screen, in a process group of its own: what stops or kills the shell's job does not reach the
supervisor. When the child leaves the terminal (its runs go on), it says so and the front exits, which gives the shell
back. However the child ends, the front puts the terminal back as it was; when the front is killed, the child does.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import Any, NamedTuple

TELL = 20
"""Seconds after a signal in which the child has to leave; then the front gives the shell back without its word."""


class Front(NamedTuple):
    """What the child knows of its front. said: where it tells it; life: ends when the front does; group: of the shell's
    job, 0 where the terminal has none; modes: the line modes of before."""

    said: int
    life: int
    group: int
    modes: list[Any]


front: Front | None = None
"""In the child, as long as it has a terminal and a front; None in a process that was started without one."""


class _Late(Exception):
    pass


def main() -> None:
    """Entry point of the `nightdesk` command."""
    if _opens_a_screen(sys.argv[1:]):
        _fork()
    from console.cli import main as command_line

    command_line()


def _opens_a_screen(args: list[str]) -> bool:
    words = []
    skip = False
    for arg in args:
        if skip:
            skip = False
        elif arg == "--workspace":
            skip = True
        elif arg in ("-h", "--help", "--version", "--headless"):
            return False
        elif not arg.startswith("-"):
            words.append(arg)
    return not words or words[0] == "demo"


def _fork() -> None:
    """Return in the child only. The parent waits and never returns."""
    import signal
    import termios

    from console.terminal import restoring

    global front
    try:
        modes = termios.tcgetattr(0)
    except termios.error:
        return
    group = restoring.foreground(0)
    if group and group != os.getpgrp():  # started in the background: stop here until it is brought to the front
        os.kill(os.getpid(), signal.SIGTTIN)
        group = os.getpgrp() if restoring.foreground(0) == os.getpgrp() else 0
    said, saying = os.pipe()
    life, living = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(said)
        os.close(living)
        if group:
            os.setpgid(0, 0)
            restoring.give(0, os.getpid(), None)
        front = Front(saying, life, group, modes)
        return
    os.close(saying)
    os.close(life)
    os._exit(_attend(said, child, group, modes))


def _attend(said: int, child: int, group: int, modes: list[Any]) -> int:
    """Hand signals on, wait for the child's word or end, and put the terminal back. The exit code."""
    import signal

    from console.terminal import restoring

    asked = 0
    stopped = False

    def hand_on(number: int, _frame: Any) -> None:
        nonlocal asked
        asked = number
        with suppress(ProcessLookupError):
            os.kill(child, number)
        signal.alarm(TELL)

    def late(_number: int, _frame: Any) -> None:
        raise _Late

    def went_on(_number: int, _frame: Any) -> None:
        nonlocal stopped
        stopped = True

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):
        signal.signal(number, hand_on)
    signal.signal(signal.SIGALRM, late)
    signal.signal(signal.SIGCONT, went_on)
    try:
        code, in_order = _wait(said, child)
    except _Late:
        code, in_order = 128 + asked, False
    signal.alarm(0)
    now = restoring.foreground(0)
    if stopped and now != os.getpgrp() and now != child:
        return code  # the shell has the terminal back already, and what it set is not ours
    restoring.give(0, group, modes)
    if not in_order:
        restoring.reset(2)
        restoring.put(2, _fallen(code - 128, asked).encode())
    return code


def _fallen(number: int, asked: int) -> str:
    """What became of a child that did not leave in order: the shell's prompt alone would say nothing of the work."""
    if asked:
        return "nightdesk: the screen did not leave in time; `nightdesk status` says what goes on\n"
    return (
        f"nightdesk: the console was ended by signal {number}, and what it ran with it, unless another process "
        "supervises; `nightdesk status` says so, `nightdesk` or `nightdesk run` goes on\n"
    )


def _wait(said: int, child: int) -> tuple[int, bool]:
    """The exit code (128 + signal), and whether the child left the terminal in order."""
    word = os.read(said, 1)
    if word:
        return word[0], True
    _, status = os.waitpid(child, 0)
    if os.WIFEXITED(status):
        return os.waitstatus_to_exitcode(status), True
    return 128 + os.WTERMSIG(status), False


def hand_back() -> None:
    """In the child: the terminal obeys the shell's job again, also when the front was killed and cannot see to it."""
    if front and front.group:
        from console.terminal import restoring

        if restoring.foreground(0) == os.getpgrp():
            restoring.give_if_ours(0, front.group, None)


def leave_terminal(code: int = 0) -> None:
    """In the child: let go of the terminal and give the shell back, with `code` as the command's exit code. The process
    goes on without a terminal. What is on the screen must have been put back before."""
    global front
    hand_back()
    mine, front = front, None
    with suppress(OSError):  # without a descriptor to spare we go on with the old ones
        null = os.open(os.devnull, os.O_RDWR)
        for number in (0, 1, 2):
            os.dup2(null, number)
        os.close(null)
    _leave_session(mine.group if mine else 0)
    if mine:
        with suppress(OSError):  # the front is gone with its terminal
            os.write(mine.said, bytes([code]))
        os.close(mine.said)
        os.close(mine.life)


def _leave_session(group: int) -> None:
    """A session of our own. The leader of a group cannot have one, so it joins another group first: of the front, or of
    the session's leader; where there is neither any more, it only lets go of the terminal."""
    if os.getpid() == os.getsid(0):
        return
    for each in (group, os.getsid(0)):
        if os.getpgrp() == os.getpid() and each:
            with suppress(OSError):
                os.setpgid(0, os.getpgid(each))
    try:
        os.setsid()
    except OSError:
        _let_go()


def _let_go() -> None:
    import fcntl
    import termios

    with suppress(OSError):
        terminal = os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY)
        try:
            fcntl.ioctl(terminal, termios.TIOCNOTTY)
        finally:
            os.close(terminal)
