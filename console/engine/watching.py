"""The watchdog at work: gathers what each agent shows, asks `core.watchdog` and `core.fuse`, and tells
the log. It signals nobody."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping

from msgspec.structs import replace

from console.core import events as ev
from console.core import fuse
from console.core import watchdog as dog
from console.core.queue import at_work
from console.core.records import Record, WatchLimits
from console.core.sessions import LIVE, Session
from console.core.state import State
from console.engine.ports import Agent, Tree
from console.engine.pulse import OwnTime
from console.engine.session_work import SessionWork
from console.engine.world import Tell, World

SHARE = 0.025
"""Looking may take this share of one core; where a look is slow it is done less often than once a second."""
GRACE = 10.0
"""Seconds without a verdict after we were away or could not see everything, at most; never longer than `quiet`."""
HELD = 900.0
"""Seconds for which a machine that is short of something holds back every verdict: an agent that hangs may be what
holds it."""
LATE = 3.0
"""Seconds after which a look that did not come counts as an absence, too: something held us up."""


class _Gathered(Record, frozen=True, kw_only=True):
    """One look at everything that blocks. beats: what each agent last wrote as a sign of life."""

    trees: Mapping[str, Tree]
    beats: Mapping[str, str]


class Watching:
    """State of the watch: nothing of it outlives the supervisor, whose agents end with it."""

    def __init__(
        self, world: World, state: Callable[[], State], tell: Tell, sessions: SessionWork, own: OwnTime
    ) -> None:
        self._world, self._state, self._tell, self._sessions, self._own = world, state, tell, sessions, own
        self._watched: dict[str, dog.Watched] = {}
        self._fuse = fuse.Fuse()
        self._away = own.away
        self._unsure = float("-inf")
        self._short = own.now()
        self._next = float("-inf")
        self._looked = own.now()
        self.cost = 0.0
        """Seconds that the last look at processes and heartbeats took."""

    async def look(self) -> None:
        """Once a second. With nobody at work it touches no process and no file."""
        at = self._own.now()
        self._note_absence(at)
        subjects = self._subjects()
        if not subjects or at >= self._next:
            gathered = await asyncio.to_thread(self._gather, subjects) if subjects else _Gathered(trees={}, beats={})
            self._looked, self._next = at, at + self.cost / SHARE
            self._note_absence(self._own.now())
            self._observe(at, gathered)
            await self._report(at)

    def _note_absence(self, at: float) -> None:
        """We were away, something held us up, or the machine lacks what it takes to work or to look: after that an
        agent has its time again before anything is concluded."""
        late = at - max(self._looked, self._next) > LATE
        if not self._state().lacking:
            self._short = at
        short = 0 < at - self._short < HELD
        if late or self._own.away != self._away or short:
            self._away, self._unsure = self._own.away, at

    # -- what there is to see ----------------------------------------------------------------------------

    def _subjects(self) -> dict[str, Session]:
        """Who is to be watched now, as the log has it."""
        starting = self._sessions._starting
        found = {}
        for name, s in self._state().sessions.items():
            turning = s.phase == "working" and s.turn is not None and not s.turn.end_seq and not s.external
            if turning or (name in starting and s.phase in ("starting", "suspended")):
                found[name] = s
        return found

    def _gather(self, subjects: Mapping[str, Session]) -> _Gathered:
        """Blocks: one pass over the processes of all, and their heartbeats."""
        began = time.monotonic()
        evidence = self._world.evidence
        roots = {name: (s.shim_pid, s.pid) for name, s in subjects.items() if s.phase == "working" and s.shim_pid}
        trees = evidence.trees(roots) if evidence and roots else {}
        beats = {name: self._world.heartbeat(name) for name, s in subjects.items() if s.phase == "working"}
        self.cost = time.monotonic() - began
        return _Gathered(trees=trees, beats=beats)

    def _observe(self, at: float, gathered: _Gathered) -> None:
        """Take the samples. The log may have gone on during the look: what is no longer at work is not judged by it,
        and a turn that began meanwhile has no processes in it yet."""
        if not all(tree.complete for tree in gathered.trees.values()):
            self._unsure = at
        now = self._subjects()
        for name in [name for name in self._watched if name not in now]:
            del self._watched[name]
        for name, s in now.items():
            sample = self._sample(at, s, gathered)
            if sample:
                watched, _ = dog.observe(self._watched.get(name), sample, self._limits(s))
                if watched:
                    self._watched[name] = watched

    def _sample(self, at: float, s: Session, gathered: _Gathered) -> dog.Sample | None:
        judged = self._judged(at, self._limits(s))
        if s.phase != "working":
            return dog.Sample(at=at, phase="starting", run=s.run, turn=0, judged=judged)
        agent = self._agent(s)
        if agent is None or s.turn is None:
            return None
        vital = agent.vital()
        tree = gathered.trees.get(s.session)
        look = None
        if tree and tree.complete:
            look = dog.Look(state=tree.state, ticks=tree.ticks, moved=tree.moved, members=tree.members)
        return dog.Sample(
            at=at,
            phase=s.phase,
            run=s.run,
            turn=s.turn.number,
            progress=vital.progress,
            output=vital.output,
            heartbeat=gathered.beats.get(s.session, ""),
            tools=tuple(dog.Flight(name=t.name, since=t.since, budget=t.budget) for t in vital.tools),
            look=look,
            rounds=vital.rounds,
            judged=judged,
        )

    def _judged(self, at: float, limits: WatchLimits) -> bool:
        return at >= self._unsure + min(limits.quiet, GRACE)

    def _agent(self, s: Session) -> Agent | None:
        run, agent = self._sessions.agents.get(s.session, (0, None))
        return agent if run == s.run else None

    def _limits(self, s: Session) -> WatchLimits:
        """Those of its ticket's run, pinned when that began; else the present settings'."""
        state = self._state()
        ticket = at_work(state, s.session)
        run = state.runs.get(ticket.run) if ticket else None
        return run.settings.watchdog if run else self._world.limits()

    # -- what follows ------------------------------------------------------------------------------------

    async def _report(self, at: float) -> None:
        if all(self._judged(at, watched.limits) for watched in self._watched.values()):
            ruling = fuse.rule(self._fuse, self._watched, at, self._aside())
        else:  # what was not seen is no calm
            ruling = fuse.Ruling(fuse=replace(self._fuse, calm=None))
        self._fuse = ruling.fuse
        await self._tell_conditions()
        if ruling.blown:
            names, count = ruling.blown, len(self._watched)
            why = f"{len(names)} of {count} agents at work fell silent at about the same time"
            await self._tell(ev.FuseBlown(sessions=names, at_work=count, why=why))
        elif ruling.reset:
            await self._tell(ev.FuseReset(why=ruling.reset))
        for name in ruling.hung:
            await self._tell_hung(name, probe=self._fuse.blown)

    def _aside(self) -> dict[str, fuse.Aside]:
        """How those of the alarm stand that are not watched just now."""
        sessions = self._state().sessions
        found = {name: _standing(sessions[name]) for name in self._fuse.names if name in sessions}
        return {name: how for name, how in found.items() if how and name not in self._watched}

    async def _tell_conditions(self) -> None:
        """Who is suspect and who is no longer, as far as the log does not have it yet."""
        facts: list[ev.Fact] = []
        for name, s in list(self._state().sessions.items()):
            watched = self._watched.get(name)
            turn = s.turn.number if s.turn else 0
            of_now = watched is not None and turn > 0 and (watched.run, watched.turn) == (s.run, turn)
            doubted = of_now and watched is not None and watched.condition in ("suspect", "hung")
            if watched and doubted and not s.suspect_at:
                evidence, quiet = await self._evidence(s), round(watched.silence, 1)
                facts.append(ev.SessionSuspect(session=name, run=s.run, turn=turn, quiet=quiet, evidence=evidence))
            elif s.suspect_at and not doubted and s.phase in LIVE and s.phase != "stopping":
                facts.append(ev.SessionRecovered(session=name, run=s.run, turn=turn))
        if facts:
            await self._tell(*facts)

    async def _tell_hung(self, name: str, *, probe: bool) -> None:
        watched, s = self._watched[name], self._state().sessions[name]
        evidence = await self._evidence(s) if watched.turn else ""
        agent = self._agent(s)
        if watched.turn and (agent is None or agent.vital().progress > watched.progress):
            return  # it spoke, or ended, while we looked at it more closely
        hung = ev.SessionHung(
            session=name,
            run=watched.run,
            turn=watched.turn,
            cause=watched.cause,
            why=watched.why,
            evidence=evidence,
            probe=probe,
        )
        await self._tell(hung)

    async def _evidence(self, s: Session) -> str:
        evidence = self._world.evidence
        return await asyncio.to_thread(evidence.detail, s.shim_pid, s.pid) if evidence and s.shim_pid else ""


def _standing(s: Session) -> fuse.Aside | None:
    """None when it is over, or ended its turn badly."""
    if s.lent:
        return "well"
    begins = s.phase in ("starting", "working") or (s.phase in ("suspended", "ready") and s.prompts)
    if s.restart_at or begins or (s.phase == "stopping" and s.hung and not s.stopped):
        return "coming"
    if s.stopped or s.given_up:
        return None
    idle = s.phase == "awaiting-input" or (s.phase == "ready" and s.turn is None)
    return "well" if idle or (s.turn and s.turn.end_seq and s.turn.ok) else None
