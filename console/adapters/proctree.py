"""What a supervisor does with processes that a dead shim left to it: end those it had pinned, name the others.

Blocking functions, made to be called in a thread. They never signal by name and wait for no child but a named one.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Collection

from console.adapters import listening, own, shim
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


def adopted(table: dict[int, shim.Proc], ours: Collection[int]) -> dict[int, shim.Proc]:
    """Children of ours in this pass, dead ones too, that came to us by adoption; ours: pids of living shims.

    Whatever we start stays in our session, but for shims and `own.PIDS`.
    """
    me, session, known = os.getpid(), os.getsid(0), {*ours, *own.PIDS}
    mine = {pid: proc for pid, proc in table.items() if proc.ppid == me and pid not in known}
    return {pid: proc for pid, proc in mine.items() if proc.session != session}


def described(table: dict[int, shim.Proc], pids: Collection[int]) -> tuple[Leftover, ...]:
    """Processes of this pass with all that a person is told of them."""
    ports = listening.ports(pids)
    return tuple(
        Leftover(pid=pid, command=shim.command_line(pid), ports=ports.get(pid, ()), age=shim.age(table[pid].start))
        for pid in pids
    )


class Ended:
    """What became of an inherited tree. stuck: "" or what could not be killed, or not even be seen, in words. left: who
    may still be there then."""

    __slots__ = ("found", "left", "stuck")

    def __init__(self, found: tuple[Leftover, ...], stuck: str = "", left: Pins | None = None) -> None:
        self.found, self.stuck, self.left = found, stuck, left or {}


CALM = 2
"""Passes in a row that must find nothing: a single one easily looks past a process that has just been forked."""


class Inheritance:
    """Our children among `pins` with all below them, while they are frozen, killed and reaped."""

    def __init__(self, pins: Pins) -> None:
        self.pins = dict(pins)
        self.chain = shim.Chain(os.getpid(), self.pins)
        self.found: dict[int, Leftover] = {}

    def live(self) -> list[int]:
        """Who lives in this pass; the dead among our children are reaped. OSError when we could not look."""
        table = shim.proc_table()
        tree = self.chain.tree(table)
        for pid in tree:
            if table[pid].dead and table[pid].ppid == self.chain.me:
                reap(pid)
        live = [pid for pid in tree if not table[pid].dead]
        # A shim's death ends its command as well: who was seen below it now may be a child of ours in the next pass.
        self.pins |= {pid: table[pid].start for pid in live}
        fresh = [pid for pid in live if pid not in self.found]
        self.found |= {leftover.pid: leftover for leftover in described(table, fresh)}
        return live

    def strike(self, deadline: float) -> None:
        try:
            self.chain.freeze(deadline)
        finally:
            self.chain.kill()  # what was frozen before a look failed must not stay so


def end_pinned(pins: Pins, limit: float) -> Ended:
    """Freeze, kill and reap our children among `pins` with all below them; at most `limit` seconds.

    A look at /proc that fails is repeated, and at the end of the time it is what `stuck` says: it proves nothing.
    """
    heirs = Inheritance(pins)
    deadline = time.monotonic() + limit
    calm, stuck = 0, ""
    while calm < CALM:
        try:
            live = heirs.live()
            calm = 0 if live else calm + 1
            stuck = "could not be killed: " + ", ".join(map(str, live)) if live else stuck
            if live:
                heirs.strike(deadline)
        except OSError as error:
            calm, stuck = 0, f"/proc could not be read ({error.strerror}), so what is left is not known"
        if calm < CALM and time.monotonic() > deadline:
            words = stuck or "what is left is not known"
            return Ended(tuple(heirs.found.values()), words, heirs.pins)
        time.sleep(0.005)
    return Ended(tuple(heirs.found.values()))


def reap(pid: int) -> None:
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)


class Adopted:
    """The watch over children that came to us by adoption."""

    def __init__(self) -> None:
        self._since: dict[tuple[int, int], float] = {}
        self._strangers: tuple[Leftover, ...] = ()

    def sweep(self, ours: Collection[int], now: float) -> tuple[Leftover, ...]:
        """Reap adopted zombies that are `ZOMBIE_AGE` old; return the adopted processes that live, untouched.

        ours: pids of living shims. now: monotonic seconds. When we cannot look, nothing is known to have changed: what
        was found last is returned again.
        """
        try:
            table = shim.proc_table()
        except OSError:
            return self._strangers
        me, known = os.getpid(), {*ours, *own.PIDS}
        mine = {pid: proc for pid, proc in table.items() if proc.ppid == me and pid not in known}
        dead = {(pid, proc.start): now for pid, proc in mine.items() if proc.dead}
        self._since = {key: self._since.get(key, seen) for key, seen in dead.items()}
        for (pid, _), since in self._since.items():
            if now - since >= ZOMBIE_AGE:
                reap(pid)
        strangers = [pid for pid, proc in adopted(table, ours).items() if not proc.dead]
        self._strangers = described(table, strangers) if strangers else ()
        return self._strangers
