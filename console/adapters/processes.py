"""Starts every agent and gate under a shim of its own and tells how it ended; the only door to psutil.

asyncio's own subprocess support is not used: its `wait` hangs as long as anybody holds an output pipe. A shim is
watched by pidfd, its status pipe says how the command ended, closing its lifeline ends everything below it.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from console.adapters import descriptors, proctree, shim
from console.adapters.newcomers import Newcomers
from console.adapters.shimmed import Pipes, ShimRun, close_all
from console.core.records import Leftover, ProcessEnd

if TYPE_CHECKING:
    from console.engine.ports import ProcessSpec

SHIM = Path(shim.__file__).resolve()
START_LIMIT = 30.0
PIN_EVERY = 0.5
PIN_YOUNG = 0.1
YOUNG = 3.0
"""Seconds. What a run starts in its first moments is looked for more often: it may be meant to outlive its shim."""
PIN_SHARE = 0.025
"""Looking for descendants may take this share of one core; on a busy host it is done less often than that."""
UNSEEN_PATIENCE = 2.0
"""Seconds that what nobody had seen below a lost shim may take to go by itself."""


def become_subreaper() -> bool:
    """Make this process inherit orphans from below it; False where the system cannot (macOS)."""
    if not hasattr(ctypes.CDLL(None), "prctl"):
        return False
    zero = ctypes.c_ulong(0)
    return bool(ctypes.CDLL(None).prctl(shim.PR_SET_CHILD_SUBREAPER, ctypes.c_ulong(1), zero, zero, zero) == 0)


def prepare_supervisor() -> bool:
    """What must hold before the first launch; from any thread. True when orphans will come to us.

    An ignored SIGCHLD (inherited from whoever started us) would make exit statuses vanish; no other signal is touched.
    """
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    return become_subreaper()


def process_start_time(pid: int) -> int | None:
    """When `pid` began, in clock ticks (1/100 s on macOS); None when there is no such process. OSError when we could
    not look."""
    if shim.HAVE_PROC:
        stat = shim.read_stat(pid)
        return stat.start if stat else None
    import psutil

    try:
        return int(psutil.Process(pid).create_time() * 100)
    except psutil.Error:
        return None


def is_alive(pid: int, start: int) -> bool:
    """Whether the process with this start time is there and not dead; yes when we could not look."""
    if not shim.HAVE_PROC:
        return process_start_time(pid) == start
    try:
        stat = shim.read_stat(pid)
    except OSError:
        return True
    return stat is not None and stat.start == start and not stat.dead


def ancestors(pid: int) -> list[tuple[int, int]]:
    """(pid, start time) of the parent of `pid`, of its parent and so on, up to pid 1."""
    chain: list[tuple[int, int]] = []
    parent = parent_of(pid)
    while parent and len(chain) < 1000:
        chain.append((parent, process_start_time(parent) or 0))
        parent = parent_of(parent)
    return chain


def parent_of(pid: int) -> int:
    """0 when there is none or it cannot be seen."""
    if shim.HAVE_PROC:
        stat = shim.read_stat(pid)
        return stat.ppid if stat else 0
    import psutil

    try:
        return psutil.Process(pid).ppid()
    except psutil.Error:
        return 0


def not_started(reason: str) -> ProcessEnd:
    return ProcessEnd(how="not-started", reason=reason)


class ShimProcesses:
    """The port `Processes`. One instance a supervisor; used from one running loop, which may be in any thread."""

    def __init__(self, python: str = sys.executable, program: Path = SHIM) -> None:
        self._python, self._program = python, program
        self._runs: dict[int, ShimRun] = {}
        self._held: dict[tuple[int, int], proctree.Pins] = {}
        self._adopted = proctree.Adopted()
        self._unseen: dict[tuple[int, int], Newcomers] = {}
        self._ending: set[ShimRun] = set()
        self._pinning: asyncio.TimerHandle | None = None
        self._not_before = 0.0

    async def launch(self, spec: ProcessSpec) -> ShimRun | ProcessEnd:
        """Start a shim and wait until the command runs, at most 30 s. Cancelling ends what was begun."""
        run = self._spawn(spec)
        if isinstance(run, ProcessEnd):
            return run
        started = False
        try:
            async with asyncio.timeout(START_LIMIT):
                started = await asyncio.shield(run.began)
        except TimeoutError:
            run.abandon()
        finally:
            if not started:
                run.stop(0.0)
                close_all([fd for fd in (run.stdin_fd, run.stdout_fd) if fd is not None])
        return run if started else await run.wait()

    def _spawn(self, spec: ProcessSpec) -> ShimRun | ProcessEnd:
        name = spec.argv[0] if spec.argv else ""
        try:
            pipes = Pipes(spec.stdio == "pipes")
        except OSError as error:
            return not_started(f"cannot start {name!r}: {error.strerror}")
        argv = [self._python, "-I", "-S", str(self._program), str(pipes.orders), str(pipes.status)]
        quiet = subprocess.DEVNULL
        try:
            child = subprocess.Popen(
                argv, stdin=quiet, stdout=quiet, stderr=quiet, cwd="/", pass_fds=pipes.theirs, start_new_session=True
            )
        except OSError as error:
            close_all(pipes.ours)
            return not_started(f"cannot start the shim {self._python!r} for {name!r}: {error.strerror}")
        finally:
            close_all(pipes.theirs)
        descriptors.give_back(child.pid)  # before its orders: nothing of ours inherits the limit that we raised
        try:
            run = ShimRun(child, pipes, spec.grace)
        except OSError as error:
            close_all(pipes.ours)  # it has no orders yet: the end of its lifeline is its own
            child.wait()
            return not_started(f"cannot watch the shim of {name!r}: {error.strerror}")
        self._runs[run.shim_pid] = run
        run.on_gone, run.on_held, run.unseen = self._forget, self._hold, self._newcomers
        run.watch(self._orders(spec, pipes))
        if self._pinning is None:
            self._pin()
        else:
            self._pin_soon()
        return run

    def _orders(self, spec: ProcessSpec, pipes: Pipes) -> dict[str, Any]:
        return {
            "argv": list(spec.argv),
            "cwd": spec.cwd,
            "env": spec.env,
            "output": os.path.abspath(spec.output),
            "stdio": spec.stdio,
            "stdin": spec.stdin,
            "head": spec.head,
            "tail": spec.tail,
            "rolling": spec.rolling,
            "grace": spec.grace,
            "stdin_fd": pipes.their_stdin,
            "stdout_fd": pipes.their_stdout,
            "sandbox": spec.sandbox and msgspec.structs.asdict(spec.sandbox),
        }

    def _forget(self, run: ShimRun) -> None:
        self._runs.pop(run.shim_pid, None)
        if not run.reported:
            self._ending.add(run)
        if not self._runs and self._pinning:
            self._pinning.cancel()
            self._pinning = None

    def _hold(self, run: ShimRun, pins: proctree.Pins) -> None:
        self._held[run.shim_pid, run.shim_start] = pins

    def _pin(self) -> None:
        """Note who lives below each shim: only what was seen there may be signalled after the shim's death.

        Old pins stay while their process does; a pass during a shim's death would otherwise forget its tree. So they do
        when we could not look.
        """
        began = time.monotonic()
        with contextlib.suppress(OSError):
            table = shim.proc_table()
            adopted = self._adopted_now(table)
            strangers = {pid: proc.start for pid, proc in adopted.items()}
            for run in self._runs.values():
                run.pins = proctree.still(table, run.pins) | proctree.below(table, run.shim_pid)
                if run.shim_pid in table and table[run.shim_pid].state == "T":
                    run.seen_stopped()
                # Looked at after the pass: whom the death of this shim brings is not in it then.
                if (stat := shim.read_stat(run.shim_pid)) and stat.start == run.shim_start and not stat.dead:
                    run.strangers = strangers
        loop = asyncio.get_running_loop()
        self._not_before = loop.time() + (time.monotonic() - began) / PIN_SHARE
        young = any(run.age < YOUNG for run in self._runs.values())
        self._pinning = loop.call_at(max(self._not_before, loop.time() + self._pause(young)), self._pin)

    @staticmethod
    def _pause(young: bool) -> float:
        return min(PIN_EVERY, PIN_YOUNG) if young else PIN_EVERY

    def _pin_soon(self) -> None:
        """Something new runs: the next look need not wait for its old turn."""
        loop = asyncio.get_running_loop()
        when = max(self._not_before, loop.time() + self._pause(young=True))
        if self._pinning and self._pinning.when() > when:
            self._pinning.cancel()
            self._pinning = loop.call_at(when, self._pin)

    # -- what a lost shim leaves to us

    def _adopted_now(self, table: dict[int, shim.Proc] | None = None) -> dict[int, shim.Proc]:
        """Children of ours that came by adoption and were never seen below a shim. OSError when we could not look."""
        table = shim.proc_table() if table is None else table
        pinned = [run.pins for run in (*self._runs.values(), *self._ending)] + list(self._held.values())
        found = proctree.adopted(table, frozenset(self._runs))
        return {pid: p for pid, p in found.items() if not any(pins.get(pid) == p.start for pins in pinned)}

    async def _newcomers(self, run: ShimRun) -> Newcomers | None:
        """Who came to us with the death of this shim and had not been seen below it; None when they soon go, or when
        there are none."""
        self._ending.discard(run)
        deadline = time.monotonic() + UNSEEN_PATIENCE
        found = Newcomers(self._adopted_now, run.strangers, run.shim_start)
        while found.there():
            if time.monotonic() > deadline and not self._ending:  # what those had is theirs until it is ended
                self._unseen[run.shim_pid, run.shim_start] = found
                return found
            await asyncio.sleep(0.1)
        return None

    def _unseen_alive(self, pid: int, start: int) -> bool:
        found = self._unseen.get((pid, start))
        if found and not found.there():
            del self._unseen[pid, start]
        return (pid, start) in self._unseen

    def alive(self, pid: int, start: int) -> bool:
        """Whether the shim with this pid and start time is there, or anything that it left and that withstood us."""
        held = self._held.get((pid, start), {})
        return is_alive(pid, start) or any(is_alive(*pin) for pin in held.items()) or self._unseen_alive(pid, start)

    def shims(self) -> frozenset[int]:
        """Pids of our living shims."""
        return frozenset(self._runs)

    async def reap_adopted(self) -> tuple[Leftover, ...]:
        """To be called every second or so: collects adopted zombies, returns the adopted processes that live.

        Those are to be shown; they were not pinned under a shim of ours, so they are never signalled.
        """
        found = await asyncio.to_thread(self._adopted.sweep, frozenset(self._runs), time.monotonic())
        return tuple(leftover for leftover in found if leftover.pid not in self._runs)
