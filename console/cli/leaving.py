"""After the screen: what it leaves on the terminal and in files, and the supervisor that goes on without it."""

from __future__ import annotations

import os
import time
import traceback
from contextlib import suppress
from typing import TYPE_CHECKING

from console import front
from console.terminal import restoring

if TYPE_CHECKING:
    from pathlib import Path

    from console import wiring
    from console.engine.hosting import Post

DETACHED_LINGER = 30.0
"""Seconds that a supervisor whose screen was left stays after its last work."""
QUIET_END = 5.0
"""Seconds that a supervisor without work has to end before the shell is given back without waiting for it."""
NOTE_BYTES = 256 * 1024
"""What a file of faults may have grown to before it starts anew."""
STDIN, STDERR = 0, 2


class Leaving:
    """The way out of one screen on one workspace; `post` is the supervisor's. Make it before the screen opens."""

    def __init__(self, here: wiring.Here, post: Post) -> None:
        self._here = here
        self._post = post
        self._modes = restoring.line_modes(STDIN)

    def by_itself(self, code: int, crash: BaseException | None) -> int:
        """The screen has left in order, or after a fault of its own. Returns the exit code when nothing goes on."""
        if crash is not None:
            with suppress(Exception):  # a fault that cannot even be printed
                file = note(self._here, "screen-crash.txt", "".join(traceback.format_exception(crash)))
                say(f"the screen failed ({type(crash).__name__}); {file} says where")
        self._go_on(code)
        return code

    def abandoned(self, code: int) -> None:
        """The screen's thread is stuck: on another thread, put the terminal back and go on without it."""
        with suppress(Exception):  # whatever goes wrong with the words, what runs goes on
            file = note(
                self._here, "screen-crash.txt", "the screen did not answer any more; its threads:\n", stacks=True
            )
            if restoring.foreground(STDIN) in (os.getpgrp(), 0):
                restoring.give_if_ours(STDIN, 0, self._modes)
            restoring.reset(STDERR)
            say(f"the screen did not answer any more and was given up; {file} says where it was")
        self._go_on(code)

    def heard(self, number: int) -> None:
        """A signal without a screen: TERM ends what goes on here, the others had the terminal in mind."""
        import signal

        if number == signal.SIGTERM:
            self._post.stop("SIGTERM")

    def _go_on(self, code: int) -> None:
        """Return when the supervisor has ended: at once without work, else when it is done, without a terminal."""
        front.hand_back()
        self._post.close()
        if self._post.failed is None and self._post.busy():
            self._post.linger(DETACHED_LINGER)
            say(f"left; what runs goes on. {self._again()}")
            front.leave_terminal(code)
        else:
            self._say_who_goes_on()
            self._post.stop("the screen was left with nothing running")
            if self._post.join(QUIET_END):
                return
            front.leave_terminal(code)
        self._post.join()

    def _say_who_goes_on(self) -> None:
        """A screen that was only attached leaves a supervisor behind, too."""
        from console import supervision

        with suppress(Exception):  # it is only a word
            if self._post.elsewhere:
                say(f"left; {supervision.holder(self._here).partition(' (')[0]} supervises on. {self._again()}")

    def _again(self) -> str:
        return f"`{command(self._here, '')}` opens it again, `{command(self._here, 'stop')}` ends a run"


def command(here: wiring.Here, verb: str) -> str:
    """A command line of ours about this workspace, to paste anywhere."""
    import shlex

    return shlex.join(["nightdesk", "--workspace", str(here.root), *([verb] if verb else [])])


def say(sentence: str) -> None:
    """One line on the terminal, if it takes one: it may be gone, and what runs must not wait for it."""
    from console.present.text import clean

    restoring.put(STDERR, f"{clean(sentence)}\n".encode())


def note(here: wiring.Here, name: str, text: str, *, stacks: bool = False) -> Path:
    """Add a fault to a file of the state folder; its path, also when the disk took nothing."""
    file = here.places.state / name
    with suppress(OSError):
        big = file.is_file() and file.stat().st_size > NOTE_BYTES
        flags = os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | (os.O_TRUNC if big else os.O_APPEND)
        with open(os.open(file, flags, 0o600), "w", encoding="utf-8") as opened:
            opened.write(f"{time.strftime('%Y-%m-%d %H:%M:%S')} pid {os.getpid()}: {text}\n")
            opened.flush()
            if stacks:
                from console.terminal import doorway

                doorway.stacks(opened)
    return file
