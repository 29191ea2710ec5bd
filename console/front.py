"""The thin front of the console: forked before anything heavy is imported, it owns the terminal's modes.

The child runs the screen. When the child leaves the terminal (its runs go on), it says so through a pipe and the
front exits, which gives the shell back. However the child ends, the front puts the terminal back as it was.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress

DETACH_FD = "NIGHTDESK_FRONT_FD"
RESET = b"\x1b[?1049l\x1b[?25h\x1b[?1000l\x1b[?1003l\x1b[?1006l\x1b[?1004l\x1b[?2004l\x1b[<u\x1b[0m"
"""Leave the alternate screen, show the cursor, mouse, focus and paste reports off, keyboard protocol popped."""


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

    try:
        modes = termios.tcgetattr(0)
    except termios.error:
        return
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        os.set_inheritable(writer, False)
        os.environ[DETACH_FD] = str(writer)
        return
    os.close(writer)
    signal.signal(signal.SIGTERM, lambda *_: os.kill(child, signal.SIGTERM))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    code = _wait(reader, child)
    try:
        termios.tcsetattr(0, termios.TCSADRAIN, modes)
        if code >= 128:
            os.write(2, RESET)
    except (termios.error, OSError):
        pass
    os._exit(code)


def _wait(reader: int, child: int) -> int:
    """0 when the child has detached, else its exit code (128 + signal)."""
    while True:
        try:
            said = os.read(reader, 1)
            break
        except InterruptedError:
            continue
    if said:
        return 0
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status)


def leave_terminal() -> None:
    """In the child: let go of the terminal and give the shell back. The process goes on without one."""
    fd = os.environ.pop(DETACH_FD, "")
    null = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(null, number)
    os.close(null)
    with suppress(PermissionError):  # already the leader of a session of its own
        os.setsid()
    if fd:
        with suppress(OSError):  # the front is gone with its terminal
            os.write(int(fd), b"d")
        os.close(int(fd))
