"""Stand-ins for programs on a lent terminal, which they read as such: `asking.py HOW FILE`. Most ask for a passphrase;
"editor" tells each Ctrl+C and goes on, as editors do."""

from __future__ import annotations

import os
import signal
import sys
import termios
import time


def main(how: str, file: str) -> int:
    tty = os.open("/dev/tty", os.O_RDWR)
    modes = termios.tcgetattr(tty)
    modes[3] &= ~(termios.ECHO | termios.ICANON if how == "raw" else termios.ECHO)
    termios.tcsetattr(tty, termios.TCSANOW, modes)
    if how == "raw":
        os.write(tty, b"\x1b[?1049h\x1b[?1000h\x1b[?25l\x1b(0\x1b[31m")
    if how == "deaf":
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    if how == "editor":
        signal.signal(signal.SIGINT, lambda *_: os.write(tty, b"(interrupted)"))
    front = os.tcgetpgrp(tty) == os.getpgrp()
    os.write(tty, f"Passphrase for GPG_TTY={os.environ['GPG_TTY']} front={front} {how}: ".encode())
    while how in ("never", "deaf", "raw", "chatty"):
        time.sleep(0.05)
        if how == "chatty":
            os.write(tty, b".")
    with open(file, "wb") as given:
        given.write(os.read(tty, 200))
    return 0 if how == "right" else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
