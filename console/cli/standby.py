"""`nightdesk standby`: waits while somebody supervises, takes over what a dead or silent one left, and waits again.

Decides nothing about tickets; what it may do to a silent holder is in `guarding`."""

from __future__ import annotations

import os
import signal
import time

import click

from console import guarding, supervision, wiring
from console.cli import common, draining, headless
from console.cli import preflight as checks
from console.core.records import Refused
from console.core.state import open_run
from console.engine.client import Client
from console.engine.pulse import OwnTime

LOOK = 0.2
"""Seconds between looks at the lock, the beat and signals."""
STAY = 5.0
"""Seconds without work after which what was taken over is over."""
STOPPED = 130


@click.command()
@click.option("--once", is_flag=True, help="Leave when the run that is guarded has ended, with the exit code of `run`.")
@click.option(
    "--patience",
    type=click.FloatRange(guarding.PATIENCE, 86_400.0),
    default=guarding.PATIENCE,
    show_default=True,
    help="Seconds without a beat until a living supervisor is asked to go on, and then replaced.",
)
@common.json_option
@click.pass_context
def standby(ctx: click.Context, once: bool, patience: float, json_: bool) -> None:
    """Wait until the supervisor dies or falls silent, and go on in its place with all that was open.

    One line a change (--json: one object a line). A supervisor that was stopped, or has finished, is not replaced.
    Exit 130 stopped; with --once 0 DRAINED, 70 HALTED, 71 LOW_YIELD.
    """
    common.people_only("standing by")
    here = checks.located(ctx)
    if isinstance(here, Refused):
        raise common.Fail(here.reason)
    if reason := guarding.unsafe(here):
        raise common.Fail(reason)
    common.open_log_or_fail(here)
    raise click.exceptions.Exit(Standby(here, once=once, patience=patience, json_=json_).main())


class Standby:
    def __init__(self, here: wiring.Here, *, once: bool, patience: float, json_: bool) -> None:
        self._here, self._once, self._json = here, once, json_
        self._voice = headless.Voice(here.places.state / "standby.log")
        self._systemd = supervision.systemd(here)
        self._log = supervision.log_watch(here)
        self._client: Client = common.client(here)
        self._owed = guarding.Owed(self._client.journal)
        self._guard = guarding.Guard(here, OwnTime().now, patience)
        self._told = ("", 0, "")
        self._run = ""
        self._seen = False
        self._signals: list[int] = []

    def main(self) -> int:
        """The exit code."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda seen, _frame: self._signals.append(seen))
        # Handled, not ignored: what is ignored here would be ignored in every agent.
        signal.signal(signal.SIGHUP, lambda _number, _frame: self._voice.leave_terminal())
        self._systemd.ready(f"standing by for {self._here.root}")
        try:
            return self._wait()
        except supervision.log_error() as error:
            raise common.Fail(str(error), common.BUG) from None

    # -- waiting -----------------------------------------------------------------------------------------

    def _wait(self) -> int:
        while not self._signals:
            self._systemd.alive()
            if gone := self._log.gone():
                raise common.Fail(gone.reason, common.BUG)
            step = self._guard.look()
            self._seen |= step.kind != "free"
            code = self._free() if step.kind == "free" else None
            if step.kind != "free":
                self._held(step)
            if code is None:
                code = self._over()
            if code is not None:
                return code
            time.sleep(LOOK)
        self._systemd.stopping("told to leave")
        self._say("left", 0, "told to leave; nobody stands by")
        return STOPPED

    def _held(self, step: guarding.Step) -> None:
        words = step.why or (f"supervises {self._here.root}" if step.pid else "somebody holds the lock")
        self._say(step.kind, step.pid, words)

    def _free(self) -> int | None:
        """Nobody holds the lock: an exit code when a takeover came to its end and that is the end of us."""
        work = self._owed.work()
        if not work:
            self._say("free", 0, "nobody supervises and nothing is open; standing by")
        elif not self._owed.left():
            self._say("free", 0, f"nobody supervises; {work} is open because somebody stopped it; standing by")
            run = open_run(self._owed.state)
            return STOPPED if self._once and self._seen and run and run.run == self._run else None
        else:
            return self._take_over()
        return None

    def _over(self) -> int | None:
        """With --once: the exit code of the run that was seen open, when it has ended."""
        state = self._owed.state
        if run := open_run(state):
            self._run = run.run
        known = state.runs.get(self._run)
        if not self._once or known is None or known.open:
            return None
        self._say("ended", 0, draining.summary(known))
        return draining.CODES.get(known.status, 0)

    # -- taking over -------------------------------------------------------------------------------------

    def _take_over(self) -> int | None:
        lock = headless.take(self._here)
        if not lock:  # another one was faster
            return None
        work = self._owed.work()  # as of now: nobody else can change whose it is
        if not work or not self._owed.left():
            lock.release()
            return None
        hosting = headless.Hosting(self._here, lock)
        hosting.hosted.start()
        self._say("took-over", os.getpid(), f"the supervisor is gone; this process goes on with {work}")
        self._follow(hosting)
        return self._after(hosting)

    def _follow(self, hosting: headless.Hosting) -> None:
        """Until nothing is open for a while, or somebody ends it."""
        quiet = time.monotonic()
        told = False
        while hosting.hosted.alive and not self._signals:
            now = time.monotonic()
            if hosting.hosted.busy() or self._owed.work():
                quiet = now
            state = self._owed.state
            run = open_run(state) or state.runs.get(self._run)
            if run and run.open:
                self._run, told = run.run, False
            elif run and not told:
                told = True
                self._say("ended", 0, draining.summary(run))
            if now - quiet >= (0.0 if self._once and told else STAY):
                hosting.stop(guarding.NOTHING_LEFT)
            time.sleep(draining.LOOK)
        if self._signals:
            self._say("leaving", 0, "told to leave: the sessions end, and what is open stays for the next supervisor")
            hosting.stop(guarding.HANDED_OVER)
        hosting.hosted.join()

    def _after(self, hosting: headless.Hosting) -> int | None:
        if failed := hosting.hosted.failed:
            raise common.Fail(f"the supervisor failed: {failed!r}; `nightdesk standby` takes over from it", common.BUG)
        if self._signals:
            return STOPPED
        self._guard = self._guard.again()
        self._systemd.tell(STATUS=f"standing by for {self._here.root}")
        return None

    def _say(self, what: str, pid: int, words: str) -> None:
        """Each change once."""
        if (what, pid, words) == self._told:
            return
        self._told = (what, pid, words)
        self._systemd.tell(STATUS=f"{what}: {words}")
        if self._json:
            data = {"state": what, "pid": pid or None, "why": words, "at": time.time()}
            self._voice.safely(lambda: common.as_json(data))
            return
        who = f"pid {pid} " if pid else ""
        self._voice.say(f"{time.strftime('%H:%M:%S')}  {what:11}  {who}{words}")
