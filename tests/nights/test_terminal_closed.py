"""A night that was started on the screen goes on when its terminal is closed: the line dropped, the window is gone."""

from __future__ import annotations

import fcntl
import os
import select
import struct
import subprocess
import termios
import time

from nightrig import NightRig, until


def read(master: int, wanted: bytes, seen: bytearray, timeout: float = 60.0) -> None:
    deadline = time.monotonic() + timeout
    while wanted not in seen:
        assert time.monotonic() < deadline, bytes(seen[-2000:])
        if select.select([master], [], [], 0.2)[0]:
            seen += os.read(master, 65536)


def test_the_terminal_is_closed_in_the_middle_of_the_night(rig: NightRig) -> None:
    rig.ticket("a", [["sleep", 3], ["write", "a.txt", "x\n"]])
    rig.ticket("b", depends_on="a")
    rig.ready()
    master, slave = os.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    # A session of its own with the pty as its controlling terminal, as sshd and tmux make it.
    start = "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execv(sys.argv[1], sys.argv[1:])"
    python = rig.argv()[0]
    process = subprocess.Popen(
        [python, "-c", start, *rig.argv()],
        cwd=rig.repo,
        env=rig.env | {"TERM": "xterm-256color", "COLORTERM": "truecolor"},
        stdin=slave,
        stdout=slave,
        stderr=slave,
        start_new_session=True,
    )
    os.close(slave)
    seen = bytearray()
    try:
        read(master, b"start run", seen)
        time.sleep(0.6)  # the desk takes no key within moments of what it drew
        os.write(master, b"s")
        read(master, b"Enter starts", seen)
        time.sleep(0.6)
        os.write(master, b"\r")
        deadline = time.monotonic() + 60
        while not rig.events("turn-start"):
            assert time.monotonic() < deadline
            if select.select([master], [], [], 0.05)[0]:
                os.read(master, 65536)
    finally:
        os.close(master)
    until(lambda: rig.events("run:ended"), 90)
    assert rig.outcomes() == {"a": "DONE", "b": "DONE"}
    assert len(rig.events("supervisor:started")) == 1, "the same supervisor went on"
    rig.call("stop", "--now")
    process.wait(timeout=60)
