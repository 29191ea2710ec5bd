"""The console killed under its front: the terminal is as it was, nothing is left, and the next console goes on."""

from __future__ import annotations

import os
import pty
import sys
import termios
from pathlib import Path

from afterwards import check
from harness import Play, alive, until
from plays import FINISH, GONE, Operator, wait

from console.adapters import shim

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from rawterm import Screen

CONSOLE = [sys.executable, "-c", "from console.front import main; main()"]
KILLED = 128 + 9
MODES_OFF = (b"\x1b[?1049l", b"\x1b[?25h", b"\x1b[?1003l", b"\x1b[?2004l")


def fresh_modes() -> list[object]:
    """The modes of a terminal that nobody has touched."""
    master, slave = pty.openpty()
    try:
        return termios.tcgetattr(slave)
    finally:
        os.close(master)
        os.close(slave)


def killed_console(folder: Path) -> float:
    """`nightdesk demo` in a terminal, its console killed at work, `nightdesk` again; seconds until nothing was left."""
    with Play(folder, staged=False) as play:
        with Screen([*CONSOLE, "demo", "--policies", "--dir", str(play.root)], env=play.env) as screen:
            until(lambda: any((folder / "state" / "nightdesk").glob("*/log.db")), 30, "the demo's log")
            play.follow()
            operator = Operator(play)
            wait(play, lambda: operator.look() and len(play.tail.of("turn-start")) == 2, 30, "two agents at work")
            gone = _kill_under(play, screen)
        with Screen([*CONSOLE, "--workspace", str(play.root)], env=play.env) as screen:
            wait(play, operator.done, FINISH, "both plans landed under the second console")
            operator.settle()
            screen.send("q")
            assert screen.wait_exit() == 0
        play.close_down()
        play.tail.more()
        check(play)
    return gone


def _kill_under(play: Play, screen: Screen) -> float:
    """Kill the console, not its front, and look at the terminal."""
    front = screen.process.pid
    (console,) = shim.children(front)
    play.known |= {console: shim.read_stat(console).start}  # type: ignore[union-attr]
    terminal = os.open(f"/proc/{front}/fd/0", os.O_RDWR | os.O_NOCTTY)
    try:
        assert termios.tcgetattr(terminal) != fresh_modes(), "the screen is not up yet"
        at = play.kill(console)
        gone = play.gone(at, GONE)
        assert not alive(front)
        assert termios.tcgetattr(terminal) == fresh_modes()
    finally:
        os.close(terminal)
    assert screen.wait_exit() == KILLED
    end = screen.raw()[-500:]
    assert all(mode in end for mode in MODES_OFF) and b"was ended by signal 9" in end, end
    return gone
