"""What a supervisor does with processes that a dead shim left to it: end those it had pinned, name the others.

Blocking functions, made to be called in a thread. They never signal by name and wait for no child but a named one.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Collection

from console.adapters import shim
from console.core.records import Leftover

Pins = dict[int, int]
"""{pid: start time in clock ticks}"""

ZOMBIE_AGE = 2.0
"""Seconds. Younger zombies may belong to a subprocess call of ours that is about to collect its exit status."""


def below(table: dict[int, shim.Proc], pid: int) -> Pins:
    """Everything that lives below `pid` in this pass."""
    return {child: table[child].start for child in shim.Chain(pid).tree(table) if not table[child].dead}


def still(table: dict[int, shim.Proc], pins: Pins) -> Pins:
    """The pins whose process is still there, dead or alive."""
    return {pid: start for pid, start in pins.items() if pid in table and table[pid].start == start}


class Ended:
    """What became of an inherited tree. stuck: "" or what could not be killed, in words."""

    __slots__ = ("found", "stuck")

    def __init__(self, found: tuple[Leftover, ...], stuck: str) -> None:
        self.found, self.stuck = found, stuck


def end_pinned(pins: Pins, limit: float = shim.KILL_LIMIT) -> Ended:
    """Freeze, kill and reap our children among `pins` with all below them; at most `limit` seconds."""
    chain = shim.Chain(os.getpid(), dict(pins))
    found: dict[int, Leftover] = {}
    deadline = time.monotonic() + limit
    while True:
        table = shim.proc_table()
        live = []
        for pid in chain.tree(table):
            if not table[pid].dead:
                live.append(pid)
                found.setdefault(pid, Leftover(pid=pid, command=shim.command_line(pid)))
            elif table[pid].ppid == chain.me:
                reap(pid)
        if not live:
            return Ended(tuple(found.values()), "")
        if time.monotonic() > deadline:
            return Ended(tuple(found.values()), "could not be killed: " + ", ".join(map(str, live)))
        chain.freeze(deadline)
        chain.kill()
        time.sleep(0.005)


def reap(pid: int) -> None:
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)


class Adopted:
    """The watch over children that came to us by adoption."""

    def __init__(self) -> None:
        self._since: dict[tuple[int, int], float] = {}

    def sweep(self, ours: Collection[int], now: float) -> tuple[Leftover, ...]:
        """Reap adopted zombies that are `ZOMBIE_AGE` old; return the adopted processes that live, untouched.

        ours: pids of living shims. Adopted means: a child of ours in another session than ours, because whatever we
        start without a shim stays in our session. now: monotonic seconds.
        """
        me = os.getpid()
        table = shim.proc_table()
        mine = {pid: proc for pid, proc in table.items() if proc.ppid == me and pid not in ours}
        dead = {(pid, proc.start): now for pid, proc in mine.items() if proc.dead}
        self._since = {key: self._since.get(key, seen) for key, seen in dead.items()}
        for (pid, _), since in self._since.items():
            if now - since >= ZOMBIE_AGE:
                reap(pid)
        session = os.getsid(0)
        strangers = [pid for pid, proc in mine.items() if not proc.dead and proc.session != session]
        return tuple(Leftover(pid=pid, command=shim.command_line(pid)) for pid in strangers)
