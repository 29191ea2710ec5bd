"""What the commands that supervise without a screen share: words that survive their terminal, the lock, the supervisor
in a thread of its own with its deadman."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from console import supervision, wiring
from console.cli import common
from console.core.records import Refused
from console.engine.hosting import Hosted
from console.present.text import clean

if TYPE_CHECKING:
    from console.supervision import Held


class Voice:
    """Lines on stderr for as long as there is one; afterwards they go into a file of the state folder."""

    def __init__(self, log: Path) -> None:
        self._log = log

    def say(self, line: str, *, err: bool = True) -> None:
        self.safely(lambda: click.echo(clean(line), err=err))

    def safely(self, write: Callable[[], object]) -> None:
        """Also where the terminal is gone and its SIGHUP is still to come, or nobody reads the pipe."""
        try:
            write()
        except OSError:
            self.leave_terminal()
            with suppress(OSError):
                write()

    def leave_terminal(self) -> None:
        """The line dropped: the work goes on, its words go into the file, and nothing reads the terminal."""
        null = os.open(os.devnull, os.O_RDONLY)
        os.dup2(null, 0)
        os.close(null)
        try:
            log = os.open(self._log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        except OSError:  # a full disk ends no night
            log = os.open(os.devnull, os.O_WRONLY)
        for number in (1, 2):
            os.dup2(log, number)
        os.close(log)


def take(here: wiring.Here) -> Held | None:
    """The workspace's lock, held now, or None; the command ends with the reason where nothing can be locked."""
    lock = supervision.take_lock(here)
    if isinstance(lock, Refused):
        raise common.Fail(lock.reason)
    return lock


class Hosting:
    """A supervisor alone in this process, in a thread of its own, for a lock that is held; it lets the lock go."""

    def __init__(self, here: wiring.Here, lock: Held) -> None:
        self._lock = lock
        self._alone = supervision.Alone(here)
        made = supervision.supervisor(here, lock, alone=self._alone)
        self.hosted = Hosted(made, supervision.serve_on(here), self._over)

    def _over(self) -> None:
        self._alone.end()
        self._lock.release()

    def stop(self, why: str) -> None:
        self._alone.stopping(why)
        self.hosted.stop(why)
