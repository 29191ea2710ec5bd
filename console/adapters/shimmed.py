"""One command under its shim, seen from the supervisor: orders out, status in, and the end when the shim is dead.

It never blocks the loop and signals only the shim itself, a direct child; the rest is the shim's or `proctree`'s work.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import time
from collections.abc import Awaitable, Callable
from typing import Any, Literal

from console.adapters import proctree, shim
from console.adapters.newcomers import Newcomers
from console.core.records import Leftover, ProcessEnd

OVERDUE = shim.KILL_LIMIT + 5.0
"""Seconds beyond the grace after which a shim that was told to stop and did not report is taken for stuck."""


def close_all(fds: list[int]) -> None:
    for fd in fds:
        with contextlib.suppress(OSError):
            os.close(fd)


class Pipes:
    """The descriptors of one launch, none of them inheritable. theirs: what the shim gets; ours: the other ends."""

    def __init__(self, with_stdio: bool) -> None:
        self.theirs: list[int] = []
        self.ours: list[int] = []
        try:
            self.orders, self.lifeline = self._pair(theirs=0)
            self.status_in, self.status = self._pair(theirs=1)
            os.set_blocking(self.lifeline, False)
            os.set_blocking(self.status_in, False)
            self.stdin = self.their_stdin = self.stdout = self.their_stdout = None
            if with_stdio:
                self.their_stdin, self.stdin = self._pair(theirs=0)
                self.stdout, self.their_stdout = self._pair(theirs=1)
        except OSError:
            close_all(self.theirs + self.ours)
            raise

    def _pair(self, theirs: int) -> tuple[int, int]:
        pair = os.pipe()
        self.theirs.append(pair[theirs])
        self.ours.append(pair[1 - theirs])
        return pair


async def _nothing_unseen(_run: ShimRun) -> None:
    return None


class ShimRun:
    """One command under its shim (the port `Running`). Every method belongs to the loop that launched it.

    on_gone: called when the shim is dead. on_held(pins): called when what it left to us could not be ended.
    unseen: asked then for what else it left to us; None when nothing is left of that.
    Making one raises OSError when the shim cannot be looked at.
    """

    def __init__(self, child: subprocess.Popen[bytes], pipes: Pipes, grace: float) -> None:
        self._loop = asyncio.get_running_loop()
        self._child, self._pipes, self._grace = child, pipes, grace
        self._done: asyncio.Future[ProcessEnd] = self._loop.create_future()
        self.began: asyncio.Future[bool] = self._loop.create_future()
        self.pid = self.start_time = 0
        self.shim_pid = child.pid
        stat = shim.read_stat(child.pid)
        self.shim_start = stat.start if stat else 0
        self.stdin_fd: int | None = pipes.stdin
        self.stdout_fd: int | None = pipes.stdout
        self.pins: proctree.Pins = {}
        self.strangers: proctree.Pins = {}
        """Who had come to us by adoption while this shim lived."""
        self._continued = False
        self.on_gone: Callable[[ShimRun], None] = lambda run: None
        self.on_held: Callable[[ShimRun, proctree.Pins], None] = lambda run, pins: None
        self.unseen: Callable[[ShimRun], Awaitable[Newcomers | None]] = _nothing_unseen
        self._inbox = b""
        self._outbox = bytearray()
        self._end: ProcessEnd | None = None
        self._crash = ""
        self._overdue: asyncio.TimerHandle | None = None
        self._began_at = time.monotonic()
        self._pidfd = -1
        self._lost: asyncio.Task[None] | None = None

    async def wait(self) -> ProcessEnd:
        """How it ended, once its whole tree is gone (or `unkillable`). Any number of callers, any number of times."""
        return await asyncio.shield(self._done)

    def stop(self, grace: float | None = None) -> None:
        """Ask the shim to clear the tree; returns at once. A second call can only shorten the grace (seconds)."""
        if self._end or self._done.done():
            return
        grace = self._grace if grace is None else max(0.0, grace)
        self._order(b"stop %.3f\n" % grace)
        if self._overdue is None:
            self._overdue = self._loop.call_later(grace + OVERDUE, self.abandon)

    def abandon(self) -> None:
        """Kill a shim that does not answer; what it ran comes to us and is ended as after any lost shim."""
        if self._child.poll() is None:
            self._child.kill()
            self._loop.call_later(shim.KILL_LIMIT, self._immortal)

    def seen_stopped(self) -> None:
        """To be called when the shim was seen in state T: somebody stopped it, and meanwhile nothing reaps or ends what
        is below it. It is continued once; stopped again it counts as lost."""
        if self._continued:
            self.abandon()
        else:
            self._continued = True
            self._child.send_signal(signal.SIGCONT)

    def _immortal(self) -> None:
        if not self._done.done() and self._child.poll() is None:
            reason = f"the shim (pid {self.shim_pid}) does not answer and could not be killed"
            self._finish(ProcessEnd(how="unkillable", reason=reason, seconds=self._seconds()))

    @property
    def age(self) -> float:
        """Seconds since its launch."""
        return time.monotonic() - self._began_at

    @property
    def reported(self) -> bool:
        """Whether its shim has said how it ended."""
        return self._end is not None

    def _seconds(self) -> float:
        return round(self.age, 3)

    # -- the shim's side of the conversation

    def watch(self, spec: dict[str, Any]) -> None:
        self._loop.add_reader(self._pipes.status_in, self._read_status)
        if hasattr(os, "pidfd_open"):
            with contextlib.suppress(OSError):
                self._pidfd = os.pidfd_open(self.shim_pid)
        if self._pidfd >= 0:
            self._loop.add_reader(self._pidfd, self._shim_exited)
        else:
            self._look_at_shim()
        self._order(json.dumps(spec).encode() + b"\n")

    def _look_at_shim(self) -> None:
        # Without pidfd there is nothing to wait on that a SIGCHLD handler of somebody else could not take away.
        if self._child.poll() is None:
            self._loop.call_later(0.1, self._look_at_shim)
        else:
            self._shim_exited()

    def _order(self, line: bytes) -> None:
        self._outbox += line
        self._write_orders()

    def _write_orders(self) -> None:
        lifeline = self._pipes.lifeline
        try:
            while self._outbox:
                del self._outbox[: os.write(lifeline, self._outbox)]
        except BlockingIOError:
            self._loop.add_writer(lifeline, self._write_orders)
            return
        except OSError:
            self._outbox.clear()  # the shim is gone: its pidfd tells the rest
        self._loop.remove_writer(lifeline)

    def _read_status(self) -> None:
        try:
            while chunk := os.read(self._pipes.status_in, 65536):
                self._inbox += chunk
            self._loop.remove_reader(self._pipes.status_in)
        except BlockingIOError:
            pass
        *lines, self._inbox = self._inbox.split(b"\n")
        for line in lines:
            self._take(json.loads(line))

    def _take(self, line: dict[str, Any]) -> None:
        if "started" in line:
            self.pid, self.start_time = line["started"], line["start_time"]
            self.pins[self.pid] = self.start_time
            self._settle(self.began, True)
        elif "end" in line:
            end = dict(line["end"])
            end["leftovers"] = tuple(
                Leftover(pid=pid, command=command, ports=tuple(ports), age=age)
                for pid, command, ports, age in end.get("leftovers", ())
            )
            self._end = ProcessEnd(**end)
            # A shim that still guards an unkillable process stays; any other is about to exit.
            patience = 0.0 if self._end.how == "unkillable" else 0.5
            self._loop.call_later(patience, self._finish, self._end)
        elif "crash" in line:
            self._crash = f"the shim failed: {line['crash']}"

    def _shim_exited(self) -> None:
        self._child.wait()
        self._read_status()
        self._release()
        if self._end:
            if self._end.how == "unkillable":
                self.on_held(self, self.pins)  # the guard is gone, perhaps before what it guarded
            self._finish(self._end)
        else:
            self._lost = self._loop.create_task(self._end_lost())

    async def _end_lost(self) -> None:
        """The shim is dead and nobody told how the command ended: end what it left to us and say so."""
        ended = await asyncio.to_thread(proctree.end_pinned, self.pins, shim.KILL_LIMIT)
        reason = self._crash or f"the shim (pid {self.shim_pid}) died with status {self._child.returncode}"
        if ended.stuck:
            self.on_held(self, ended.left)
            reason += f"; {ended.stuck}"
        found = ended.found
        if unseen := await self.unseen(self):
            reason += f"; {unseen.words()}"
            found += unseen.described()
        how: Literal["lost", "unkillable"] = "unkillable" if ended.stuck or unseen else "lost"
        self._finish(ProcessEnd(how=how, reason=reason, leftovers=found, seconds=self._seconds()))

    def _finish(self, end: ProcessEnd) -> None:
        self._settle(self.began, False)
        self._settle(self._done, end)
        if self._overdue:
            self._overdue.cancel()

    @staticmethod
    def _settle(future: asyncio.Future[Any], value: object) -> None:
        if not future.done():
            future.set_result(value)

    def _release(self) -> None:
        """Give back all descriptors except stdin_fd and stdout_fd, which have another owner."""
        pipes = self._pipes
        for fd in (pipes.status_in, self._pidfd):
            if fd >= 0:
                self._loop.remove_reader(fd)
        self._loop.remove_writer(pipes.lifeline)
        close_all([pipes.lifeline, pipes.status_in, *([self._pidfd] if self._pidfd >= 0 else [])])
        self._outbox.clear()
        self.on_gone(self)
