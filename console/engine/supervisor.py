"""The loop that owes the world its effects: folds the log, starts what is due, reconciles what a crash left open.

It has an event loop of its own, in a thread of its own when a screen embeds it, so that no terminal can stop it.
"""

from __future__ import annotations

import asyncio
import os
import traceback
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from console.core import commands as cmd
from console.core import due
from console.core import events as ev
from console.core.records import Refused
from console.core.sessions import LIVE
from console.core.state import State
from console.engine.asking import Asking
from console.engine.journal import Journal, Result, Writer
from console.engine.judging import Judging
from console.engine.landing_work import LandingWork
from console.engine.lending import Lending
from console.engine.notifying import Notifying
from console.engine.pulse import OwnTime, Pulse
from console.engine.repository_work import RepositoryWork
from console.engine.reviewing import LimitsWatch
from console.engine.routine_work import RoutineWork
from console.engine.session_work import SessionWork
from console.engine.shortage import Shortage
from console.engine.snapshot_work import SnapshotWork
from console.engine.syncing import Syncing
from console.engine.ticket_work import TicketWork
from console.engine.watching import Watching
from console.engine.world import World

POLL = 1.0
"""Seconds between looks at the log when nobody rang."""
ENOUGH = 6
"""Failures of our own after which work that can be given up is."""
RETRY = (0.5, 1.0, 2.0, 5.0, 10.0)
"""Waits before an effect that ended without an outcome is tried again."""
LAST_WORDS = 3.0
"""Seconds that the log has at our end: one that is full may take nothing more; the next supervisor looks for itself."""
LAST_NOTICES = 11.0
"""Seconds that people have at our end to be told; of what is left then the next supervisor tells them."""


@dataclass(frozen=True, slots=True)
class About:
    """Who supervises, for the log."""

    pid: int
    start_time: int
    host: str
    version: str
    boot: str = ""


class Supervisor:
    """Run `main` on a loop of its own. The lock must be held already and stay held until it returns.

    linger: leave by itself after this many seconds without work (None: stay until stopped). still_ours: whether the
    lock is still held. gone: why nobody can see what it writes, None while all is well. upkeep: awaited about once a
    second. beat(longest gap so far, seconds): called about once a second while the loop runs; must not block.
    """

    def __init__(
        self,
        world: World,
        open_journal: Callable[[], Journal],
        about: About,
        *,
        linger: float | None = None,
        still_ours: Callable[[], bool] = lambda: True,
        gone: Callable[[], Refused | None] = lambda: None,
        upkeep: Callable[[], Awaitable[object]] | None = None,
        beat: Callable[[float], None] = lambda _worst: None,
    ) -> None:
        self._open_journal = open_journal
        self._about = about
        self._linger = linger
        self._still_ours = still_ours
        self._gone = gone
        self._upkeep = upkeep
        self.state = State()
        self._writer = Writer(open_journal, self._published)
        self._tier = world.tier
        self._began = 0
        self._write_report = world.write_report
        self._reports: set[asyncio.Task[None]] = set()
        self.own = OwnTime()
        self.pulse = Pulse(self.own, beat)
        making = asyncio.Lock()
        self.repository = RepositoryWork(world, lambda: self.state, self.tell, making)
        self.snapshots = SnapshotWork(
            world,
            lambda: self.state,
            self.tell,
            lambda: self._began,
            lambda session: self.sessions.in_the_way(session),  # noqa: PLW0108 (it is made further down)
        )
        self._syncing = (
            Syncing(world.folder, world.watch_tickets, lambda: self.state, self.append)
            if world.folder and world.watch_tickets
            else None
        )
        self.tickets = TicketWork(world, lambda: self.state, self.tell, self.append, making, own=self.own)
        self.review_limits = LimitsWatch(world, lambda: self.state, self.append, self.own)
        self.asking = Asking(world, lambda: self.state, self.tell)
        self.sessions = SessionWork(
            world,
            lambda: self.state,
            self.tell,
            self.post,
            repository=self.repository,
            snapshots=self.snapshots,
            asked=self.tickets.asked,
            asking=self.asking,
        )
        self.watching = Watching(world, lambda: self.state, self.tell, self.sessions, self.own)
        self.lending = Lending(
            world,
            lambda: self.state,
            self.tell,
            repository=self.repository,
            own=self.own,
            at_work=lambda: bool(self.sessions.agents or self.sessions._starting),
        )
        self.shortage = Shortage(world, lambda: self.state, self.tell, self.own, lambda: self._writer.blocked)
        self.judging = Judging(world, lambda: self.state, self.tell, self.repository)
        self.landing = LandingWork(world, lambda: self.state, self.tell, self.repository)
        self.routines = RoutineWork(world, self.tell, self.own)
        self.notifying = Notifying(world.reaching, lambda: self.state, self.tell, self.post, world.now)
        self._tasks: dict[due.Effect, asyncio.Task[None]] = {}
        self._failures: dict[due.Effect, int] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._wake = asyncio.Event()
        self._stop = False
        self._why = ""
        self._quiet_since: float | None = None
        self._kept_up = 0.0
        self._keeping: asyncio.Task[None] | None = None
        self._holding = False
        self._upkeep_trouble: dict[str, str] = {}
        self.listeners: list[Callable[[Sequence[ev.Logged]], None]] = []

    # -- the log -----------------------------------------------------------------------------------------

    async def append(self, command: cmd.Command) -> Result:
        """Append through the writer; returns after the commit, with our own state caught up."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Result] = loop.create_future()

        def settle(outcome: Result | BaseException) -> None:
            if future.done():
                return
            if isinstance(outcome, BaseException):
                future.set_exception(outcome)
            else:
                future.set_result(outcome)

        def deliver(outcome: Result | BaseException) -> None:
            loop.call_soon_threadsafe(settle, outcome)

        self._writer.submit(command, deliver)
        return await future

    async def tell(self, *facts: ev.Fact) -> None:
        """Report facts and wait until they are in the log; without facts, until everything posted before is."""
        await self.append(cmd.Report(facts=facts))

    def post(self, *facts: ev.Fact) -> None:
        """Report facts in order, without waiting. Nobody will see them a second time, so that an append that failed
        (disk full, log busy) is tried again."""
        loop = self._loop
        assert loop

        def deliver(outcome: Result | BaseException) -> None:
            if isinstance(outcome, BaseException) and not (self._writer.over or loop.is_closed()):
                loop.call_soon_threadsafe(loop.call_later, POLL, lambda: self.post(*facts))

        self._writer.submit(cmd.Report(facts=facts), deliver)

    def _published(self, entries: Sequence[ev.Logged]) -> None:
        assert self._loop
        self._loop.call_soon_threadsafe(self._folded, entries)
        for listener in self.listeners:
            listener(entries)

    def _folded(self, entries: Sequence[ev.Logged]) -> None:
        for entry in entries:
            if entry.seq > self.state.seq:
                self.state.apply(entry)
                self.lending.heard(entry.fact)
                self.notifying.heard(entry)
                if isinstance(entry.fact, ev.SupervisorStopRequested):
                    self._stop, self._why = True, f"stopped by {entry.fact.by.user or entry.fact.by.via}"
                if isinstance(entry.fact, ev.RunEnded):
                    self._report(entry.fact.run)
        self._wake.set()

    def _report(self, run: str) -> None:
        """The report of a run that has ended, beside the loop; `nightdesk report` makes the same at any time."""

        async def write() -> None:
            try:
                await asyncio.to_thread(self._write_report, run)
            except Exception as error:
                fault = f"{type(error).__name__}: {error}"
                self.post(ev.SupervisorTrouble(effect=f"write the report of {run}", error=fault, tries=0))

        task = asyncio.ensure_future(write())
        self._reports.add(task)
        task.add_done_callback(self._reports.discard)

    def look(self) -> None:
        """Somebody may have appended (from any thread)."""
        self._writer.look()

    # -- the loop ----------------------------------------------------------------------------------------

    def request_stop(self, why: str) -> None:
        """Stop from any thread: no new effects, agents end, their sessions stay resumable."""

        def ask() -> None:
            self._stop, self._why = True, why
            self._wake.set()

        if self._loop and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(ask)
        else:
            self._stop, self._why = True, why

    def linger(self, seconds: float) -> None:
        """Leave by itself after so many seconds without work (from any thread)."""
        self._linger = seconds
        self._quiet_since = None

    async def main(self) -> str:
        """Supervise until stopped, idle for `linger`, or no longer the holder of the lock. Returns why it ended."""
        self._loop = asyncio.get_running_loop()
        self._wake = asyncio.Event()
        journal = await asyncio.to_thread(self._open_journal)
        self.state = journal.state
        await asyncio.to_thread(journal.close)
        self._began = self.state.seq
        orderly = not (self.state.supervisor and self.state.supervisor.running)
        self._writer.start(self.state.seq)
        self._writer.look()
        pulse = asyncio.ensure_future(self.pulse.run())
        try:
            self.notifying.begin(self._began)
            await self._take_over()
            self.lending.begin(orderly)
            await self.shortage.see()
            await self._kept("read the limits of reviews", self.review_limits.look())  # before anything is decided
            beside = [asyncio.ensure_future(self._collect()), asyncio.ensure_future(self._sync())]
            while not self._stop:
                self._dispatch()
                await self._pause()
        finally:
            self._stop = True  # also after a fault: what runs beside looks at it
            if self._syncing:
                self._syncing.end()
            if self._keeping:
                self._keeping.cancel()
            await self._shut_down()
            pulse.cancel()
        await asyncio.gather(*beside)
        return self._why

    async def _sync(self) -> None:
        """The tickets folder, watched beside the work. What goes wrong is said, and it is watched again."""
        while self._syncing and not self._stop:
            try:
                await self._syncing.run()
            except Exception as error:
                fault = f"{type(error).__name__}: {error}"
                self.post(ev.SupervisorTrouble(effect="watch the tickets folder", error=fault, tries=0))
                await asyncio.sleep(RETRY[-1])

    async def _collect(self) -> None:
        """Once a supervisor, beside its work: what no rollback can ask for any more leaves the disk."""
        try:
            await self.snapshots.collect()
        except Exception as error:
            self.post(
                ev.SupervisorTrouble(effect="collect snapshots", error=f"{type(error).__name__}: {error}", tries=0)
            )

    async def _take_over(self) -> None:
        """What the last supervisor left: its sessions have lost their processes; its open intents are due again."""
        await self.tell(
            ev.SupervisorStarted(
                pid=self._about.pid,
                start_time=self._about.start_time,
                host=self._about.host,
                version=self._about.version,
                sandbox=self._tier,
                boot=self._about.boot,
            )
        )
        await self._interrupt_live()

    async def _interrupt_live(self) -> None:
        ours = [s for s in self.state.sessions.values() if not s.external]
        lost = [s for s in ours if s.phase in LIVE and s.session not in self.sessions.agents]
        for s in lost:  # who asked for a decision before its end parks with its work; nothing of that begins again
            if asked := await self.tickets.asked(s):
                await self.tell(*asked)
        # A session that never came up is simply started again; one that did has lost its processes.
        facts = [ev.SessionInterrupted(session=s.session, run=s.run) for s in lost if s.pid or s.phase != "starting"]
        if facts:
            await self.tell(*facts)

    async def _pause(self) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._wake.wait(), POLL)
        self._wake.clear()
        assert self._loop
        if self._loop.time() - self._kept_up >= POLL:
            self._kept_up = self._loop.time()
            self._check_ground()
            if not self._keeping or self._keeping.done():  # beside the loop: it waits while the log takes nothing
                self._keeping = asyncio.ensure_future(self._keep_up())
        self._check_linger()

    def _check_ground(self) -> None:
        """Whether there still is something to stand on, whatever the log and the upkeep wait for."""
        self._writer.look()
        if not self._still_ours():
            self._stop, self._why = True, "the workspace's lock is no longer ours"
        if gone := self._gone():
            self._stop, self._why = True, gone.reason
        if self._writer.failure:
            raise RuntimeError("the log's writer ended") from self._writer.failure

    async def _keep_up(self) -> None:
        """Once a second, however busy the log is. The shortage first: the rest may need what that frees."""
        await self._kept("look at what is short", self.shortage.look())
        if self._upkeep:
            await self._kept("look after processes", self._upkeep())
        await self._kept("read the limits of reviews", self.review_limits.look())
        await self._kept("look after tickets", self.tickets.look())
        await self._kept("look after questions", self.asking.look())
        await self._kept("look after what is lent", self.lending.look())
        if away := self.pulse.told():
            await self._kept("tell of an absence", self.tell(ev.SupervisorAway(seconds=round(away, 1))))
        await self._kept("watch the agents", self.watching.look())
        self._wake.set()

    async def _kept(self, what: str, upkeep: Awaitable[object]) -> None:
        """Whatever cannot be looked at (no descriptor is left, /proc is closed, a fault of our own) is told once, not
        died of: the agents of a whole night hang on this."""
        trouble = ""
        try:
            await upkeep
        except Exception as error:
            trouble = f"{type(error).__name__}: {error}"
        if trouble and trouble != self._upkeep_trouble.get(what):
            self.post(ev.SupervisorTrouble(effect=what, error=trouble, tries=0))
        self._upkeep_trouble[what] = trouble

    def _check_linger(self) -> None:
        if self._linger is None:
            return
        assert self._loop
        now = self._loop.time()
        if self.busy():
            self._quiet_since = None
        elif self._quiet_since is None:
            self._quiet_since = now
        elif now - self._quiet_since >= self._linger:
            self._stop, self._why = True, "nothing left to do"

    def busy(self) -> bool:
        """Some process or effect of ours lives, waits for what is short, or a person has a conversation of ours."""
        return bool(self._tasks or self.sessions.agents or self._holding or self.lending.open())

    def _dispatch(self) -> None:
        owed = set(due.due(self.state))
        for effect, task in self._tasks.items():
            if effect not in owed and isinstance(
                effect, (due.Judge, due.Deadline, due.Wake, due.Patience, due.RoutinePatience, due.Restart)
            ):
                task.cancel()
        held = {effect for effect in owed if effect not in self._tasks and self.shortage.holds(effect)}
        self._holding = bool(held)
        for effect in owed - held:
            if effect not in self._tasks:
                task = asyncio.ensure_future(self._perform(effect))
                self._tasks[effect] = task
                task.add_done_callback(partial(self._finished, effect))
        for effect in [e for e in self._failures if e not in owed]:
            del self._failures[effect]

    def _finished(self, effect: due.Effect, task: asyncio.Task[None]) -> None:
        del self._tasks[effect]
        if not task.cancelled() and (error := task.exception()):
            where = traceback.extract_tb(error.__traceback__)[-1]
            text = f"{type(error).__name__}: {error} ({os.path.basename(where.filename)}:{where.lineno})"
            tries = self._failures.get(effect, 0)
            self.post(
                ev.SupervisorTrouble(effect=str(effect), error=text, tries=tries), *self._given_up(effect, tries, text)
            )
        self._wake.set()

    def _given_up(self, effect: due.Effect, tries: int, error: str) -> tuple[ev.Fact, ...]:
        """A fault of our own must not keep a run open for ever: after some tries the work counts as not judged."""
        why = f"nightdesk itself failed {tries} times: {error}"
        if tries < ENOUGH or self.shortage.short:
            return ()
        if isinstance(effect, due.Judge):
            return (ev.PolicyJudged(policy=effect.policy, attempt=effect.attempt, refused=why),)
        if isinstance(effect, due.Prepare) and (t := self.state.tickets.get(effect.ticket)):
            ended = ev.TicketEnded(ticket=t.ticket, attempt=effect.attempt, outcome="BLOCKED_ENV", why=why, run=t.run)
            return (ended,)
        if isinstance(effect, due.Start):
            return (ev.Exited(session=effect.session, run=effect.run, how="not-started", reason=why),)
        if isinstance(effect, due.BeginTurn):
            hung = ev.SessionHung(session=effect.session, run=effect.run, turn=effect.turn, cause="crash", why=why)
            return (hung,)
        if isinstance(effect, due.RollBackTo):
            return (ev.RolledBack(session=effect.session, snapshot=effect.snapshot, refused=why),)
        return ()

    async def _perform(self, effect: due.Effect) -> None:
        tries = self._failures.get(effect, 0)
        if tries:
            await asyncio.sleep(RETRY[min(tries, len(RETRY)) - 1])
        self._failures[effect] = tries + 1
        await self._work(effect)

    def _work(self, effect: due.Effect) -> Coroutine[Any, Any, None]:
        match effect:
            case due.Start():
                return self.sessions.start(effect)
            case due.BeginTurn():
                return self.sessions.begin_turn(effect)
            case due.GiveAnswer():
                return self.sessions.answer(effect)
            case due.Interrupt():
                return self.sessions.interrupt(effect)
            case due.Stop():
                return self.sessions.stop(effect)
            case due.Restart():
                return self.sessions.restart(effect)
            case due.Judge():
                return self.judging.judge(effect)
            case due.LandPlan():
                return self.landing.land(effect)
            case due.UndoPlan():
                return self.landing.undo(effect)
            case due.SettleAlert():
                return self.repository.settle(effect)
            case due.RollBackTo():
                return self.snapshots.roll_back(effect)
            case due.Prepare():
                return self.tickets.prepare(effect)
            case due.Deadline() | due.Wake() | due.Patience():
                return self.tickets.wait(effect)
            case due.RoutinePatience():
                return self.routines.wait(effect)

    async def _shut_down(self) -> None:
        landing = [t for e, t in self._tasks.items() if isinstance(e, (due.LandPlan, due.UndoPlan))]
        if landing:
            await asyncio.wait(landing, timeout=10)
        rest = [t for t in self._tasks.values() if t not in landing]
        held = [(session, run) for session, (run, _) in self.sessions.agents.items()]
        # Without a reason it is a fault of ours that ends us, and it may come with one of these sessions again.
        orderly = bool(self._why)
        facts = [ev.SessionInterrupted(session=session, run=run, orderly=orderly) for session, run in held]
        with suppress(Exception):  # a log that takes nothing more must not keep agents alive
            await asyncio.wait_for(self.tell(*facts), LAST_WORDS)
        await self.sessions.stop_all()
        for task in rest:
            task.cancel()
        await asyncio.gather(*rest, *self._reports, return_exceptions=True)
        # Without the lock the next supervisor tells, perhaps at this very moment.
        await self.notifying.finish(LAST_NOTICES if self._still_ours() else 0.0)
        with suppress(Exception):
            await asyncio.wait_for(self.tell(ev.SupervisorStopped(pid=self._about.pid, reason=self._why)), LAST_WORDS)
        await asyncio.to_thread(self._writer.stop)
