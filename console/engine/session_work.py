"""Effects on sessions: start, begin a turn, answer, interrupt, stop. Each ends in facts, whatever the agent did."""

from __future__ import annotations

import asyncio
import math
import os
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from msgspec.structs import replace

from console.core import due, queue, restart_limits
from console.core import events as ev
from console.core.records import Leftover, ProcessEnd, Refused, Sandbox, Usage, WatchLimits
from console.core.sessions import Session
from console.core.state import State
from console.engine.asking import Asking
from console.engine.leftovers import Leftovers
from console.engine.making import made
from console.engine.ports import (
    Agent,
    AgentFact,
    AgentSpec,
    Answered,
    Asked,
    Began,
    Ended,
    TurnBase,
    TurnResult,
)
from console.engine.repository_work import RepositoryWork
from console.engine.snapshot_work import SnapshotWork
from console.engine.world import Tell, World

DAY = 86_400.0
"""Seconds that a driver itself gives a start: when one has lasted too long is for the watchdog to say."""
BACKSTOP = 1800.0
"""Seconds beyond the watchdog's limit after which a start counts as hung although the watchdog did not say so."""
STEP = 10.0
"""Seconds of one part of that wait: time in which we did not run ourselves counts as one part at most."""
NAP = 30.0
"""Longest sleep of a wait."""
GONE = frozenset({"died", "lost", "unkillable"})
"""How a turn of a command ends whose process broke off: its session is over, as that of an agent that died."""


class SessionWork:
    """The live agents of this supervisor. Everything runs on the supervisor's loop."""

    def __init__(
        self,
        world: World,
        state: Callable[[], State],
        tell: Tell,
        post: Callable[..., None],
        *,
        repository: RepositoryWork,
        snapshots: SnapshotWork,
        asked: Callable[[Session], Awaitable[tuple[ev.Fact, ...]]],
        asking: Asking,
    ) -> None:
        """asked: what a session's agent wants a person to decide, read when its turn is over and before that is told.
        So is what it asks."""
        self._world = world
        self._state = state
        self._tell = tell
        self._post = post
        self._repository = repository
        self._snapshots = snapshots
        self._asked = asked
        self._asking = asking
        self._left = Leftovers(world, state)
        self._sandboxes: dict[str, Sandbox | None] = {}
        self.agents: dict[str, tuple[int, Agent]] = {}
        self._gone: set[tuple[str, int]] = set()
        self._turning: dict[str, list[Ended]] = {}
        self._cost: dict[str, Usage] = {}
        """Of turns that broke off, until their sessions' ends are told."""
        self._starting: dict[str, asyncio.Task[Agent | Refused]] = {}

    def _session(self, name: str) -> Session:
        return self._state().sessions[name]

    async def start(self, effect: due.Start) -> None:
        s = self._session(effect.session)
        if self.agents.get(s.session, (0, None))[0] == effect.run:
            return  # it is up; the log could not take that yet and is told again
        agent = await self._come_up(s, effect.run)
        if isinstance(agent, Refused):
            end = ProcessEnd(how="not-started", reason=agent.reason)
            await self._tell(_exited(s.session, effect.run, end))
            return
        if (s.session, effect.run) in self._gone:
            self._gone.remove((s.session, effect.run))
        elif agent:
            self.agents[s.session] = (effect.run, agent)
        await self._tell()

    async def in_the_way(self, s: Session) -> str:
        """Why nothing may happen in its worktree yet: see `Leftovers`."""
        lent = (o.session for o in self._state().sessions.values() if o.lent)  # somebody holds those
        return await self._left.in_the_way(s, {*self.agents, *self._starting, *lent})

    async def _come_up(self, s: Session, run: int) -> Agent | Refused | None:
        """None when it was ended meanwhile, which has been told."""
        if not os.path.isdir(s.cwd):
            return Refused(reason=f"its folder {s.cwd} is gone; start a new session elsewhere")
        if refused := await self.in_the_way(s):
            return Refused(reason=refused)
        if not self.agents and not self._starting:
            await self._repository.before_first_session()
        else:
            await self._repository.new_worktree(s)
        sandbox = await asyncio.to_thread(self._sandbox, s)
        if isinstance(sandbox, Refused):
            return sandbox
        env = await asyncio.to_thread(self._environment, s)
        servers = await asyncio.to_thread(self._world.mcp_servers, s)
        now = self._session(s.session)
        if now.run != run or now.phase not in ("starting", "suspended"):
            return None
        self._sandboxes[s.session] = sandbox
        spec = AgentSpec(
            session=s.session,
            run=run,
            launch=s.launch,
            cwd=s.cwd,
            env=env,
            transcript=str(self._world.places.transcript(s.session)),
            stderr=str(self._world.places.stderr(s.session, run)),
            conversation=s.conversation,
            start_timeout=DAY,
            sandbox=sandbox,
            mcp=servers,
        )
        return await self._start(spec)

    def _sandbox(self, s: Session) -> Sandbox | Refused | None:
        """Who only reads gets a worktree that cannot be written, whatever its preset may do to .git. Blocks."""
        if s.read_only:
            made = self._world.sandbox_read_only(s.worktree)
        else:
            made = self._world.sandbox(s.worktree, s.launch.writable_git)
        return with_inbox(made, self._world.places.inbox(s.session)) if isinstance(made, Sandbox) else made

    def _limits(self, s: Session) -> WatchLimits:
        t = queue.at_work(self._state(), s.session)
        return self._state().runs[t.run].settings.watchdog if t else self._world.limits()

    def _environment(self, s: Session) -> dict[str, str]:
        """What the agent sees: the folder for what it tells us, and the id of its ticket when it has one."""
        inbox = self._world.places.inbox(s.session)
        for folder in (inbox.parent.parent, inbox.parent, inbox):
            made(folder)
        self._world.forget_asked(s.session)
        env = self._world.session_env(s.launch) | {"NIGHTDESK_INBOX": str(inbox)}
        return env | {"NIGHTDESK_TICKET": s.ticket} if s.ticket else env

    async def _start(self, spec: AgentSpec) -> Agent | Refused:
        task = asyncio.ensure_future(
            self._world.agents.start(spec, lambda fact: self._report(spec.session, spec.run, fact))
        )
        self._starting[spec.session] = task
        backstop = asyncio.ensure_future(self._give_up(spec))
        try:
            return await task
        except asyncio.CancelledError:
            s = self._session(spec.session)
            if s.stopped or s.resting:
                return Refused(reason="stopped while it was starting")
            if s.hung and s.phase == "stopping":
                return Refused(reason=s.hung)
            raise  # the supervisor ends; the next one starts it again
        finally:
            backstop.cancel()
            del self._starting[spec.session]

    async def _give_up(self, spec: AgentSpec) -> None:
        """The log does not take it while the fuse is blown: then it is said again after as long."""
        limit = self._limits(self._session(spec.session)).start
        why = f"its protocol did not answer within {limit + BACKSTOP:g} s"
        while True:
            for _ in range(math.ceil((limit + BACKSTOP) / STEP)):
                await asyncio.sleep(STEP)
            self._post(ev.SessionHung(session=spec.session, run=spec.run, turn=0, cause="start", why=why))

    def _report(self, session: str, run: int, fact: AgentFact) -> None:
        match fact:
            case Began():
                self._post(
                    ev.SessionStarted(
                        session=session,
                        run=run,
                        conversation=fact.conversation,
                        pid=fact.pid,
                        shim_pid=fact.shim_pid,
                        shim_start=fact.shim_start,
                        start_time=fact.start_time,
                        resumed=fact.resumed,
                        detail=fact.detail,
                        sandbox=self._world.sandbox_words(self._sandboxes[session]),
                        writes_git=self._writes(session, self._world.git_dir),
                        writes_tickets=self._writes(session, self._world.tickets),
                    )
                )
            case Asked():
                asked = ev.AwaitingInput(
                    session=session,
                    turn=self._session(session).turns,
                    question=fact.question,
                    title=fact.title,
                    options=fact.options,
                )
                if self._asking.told_now(asked):
                    self._post(asked)
            case Answered() if self._asking.is_over(session, fact.question):
                self._post(ev.InputAnswered(session=session, question=fact.question, option=fact.option))
            case Ended() if session in self._turning:
                self._turning[session].append(fact)  # told after the end of the turn that it cuts off
            case Ended():
                if self.agents.get(session, (0, None))[0] == run:
                    del self.agents[session]
                else:
                    self._gone.add((session, run))  # before its start had returned
                self._post(_exited(session, run, self._as_asked(session, fact.end), self._cost.pop(session, None)))

    def _writes(self, session: str, folder: str) -> bool:
        sandbox = self._sandboxes[session]
        return sandbox is None or folder not in sandbox.read_only

    def _as_asked(self, session: str, end: ProcessEnd) -> ProcessEnd:
        """`stopped` says that a person asked for it; an agent that we ended for a fault of its own has a reason."""
        s = self._session(session)
        if s.hung and s.phase == "stopping" and not s.stopped:
            reason = f"{end.reason}; {s.hung}" if end.reason and end.how == "unkillable" else s.hung
            return replace(end, stopped=False, reason=reason)
        ours = end.stopped and not s.stopped and not end.reason
        return replace(end, stopped=s.stopped, reason="nightdesk ended it" if ours else end.reason)

    async def begin_turn(self, effect: due.BeginTurn) -> None:
        s = self._session(effect.session)
        run, agent = self.agents.get(s.session, (0, None))
        if agent is None or run != effect.run:
            return
        text = next((p.text for p in s.prompts if p.turn == effect.turn), None)
        if text is None:
            return
        running, taken = await asyncio.gather(self._left.below(s), self._snapshots.before_turn(s, effect.turn))
        before = await self._where(s.worktree)
        await self._tell(
            *((taken,) if taken else ()),
            ev.TurnStarted(
                session=s.session,
                turn=effect.turn,
                ref=before.ref if isinstance(before, TurnBase) else "",
                head=before.head if isinstance(before, TurnBase) else "",
                problem=before.reason if isinstance(before, Refused) else "",
            ),
        )
        begun = self._session(effect.session)
        if begun.phase != "working" or not begun.turn or begun.turn.number != effect.turn:
            return  # stopped in the meantime: the log did not take the turn's start
        self._turning[s.session] = []
        self._cost.pop(s.session, None)
        fault, since = "", time.monotonic()
        try:
            result = await agent.prompt(effect.turn, text)
            fault = result.detail if result.stop == "protocol" else ""
            if s.launch.protocol == "command" and result.stop in GONE:
                await agent.stop()  # no process is left of it: its session says how that one ended
            await self._turn_ended(s, effect.turn, result, running, time.monotonic() - since)
        finally:
            for fact in self._turning.pop(s.session):
                self._report(s.session, run, self._blamed(fact, fault))

    @staticmethod
    def _blamed(fact: Ended, fault: str) -> Ended:
        """The end of an agent with the fault that its last turn ended with."""
        return Ended(end=replace(fact.end, reason=fault)) if fault and not fact.end.reason else fact

    async def _where(self, worktree: str) -> TurnBase | Refused:
        return await asyncio.to_thread(self._world.git.turn_base, worktree)

    async def _turn_ended(
        self, s: Session, turn: int, result: TurnResult, running: tuple[Leftover, ...] | None, seconds: float
    ) -> None:
        if self._session(s.session).phase == "suspended":
            return  # interrupted by our own end: the turn begins again under the next supervisor
        processes, after = await asyncio.gather(
            self._left.of_turn(self._session(s.session), turn, running, seconds), self._where(s.worktree)
        )
        ref, head = (after.ref, after.head) if isinstance(after, TurnBase) else ("", "")
        begun = self._session(s.session).turn
        facts: list[ev.Fact] = []
        if begun and begun.head and head and (begun.head, begun.ref) != (head, ref):
            facts.append(ev.AgentCommitted(session=s.session, turn=turn, ref=ref, before=begun.head, after=head))
        committed = facts[0] if facts and isinstance(facts[0], ev.AgentCommitted) else None
        facts += await self._repository.after_turn(s, turn, committed)
        facts += processes
        facts += await self._asked(s) or await self._asking.at_end(s)
        facts += self._said(s, turn, result, ref, head)
        self._post(*facts)
        await self._tell()

    def _said(self, s: Session, turn: int, result: TurnResult, ref: str, head: str) -> list[ev.Fact]:
        """The end of the turn, unless it broke off: `exited` says what happened to an agent that died, or that the
        watchdog ended, and what its turn had cost."""
        now = self._session(s.session)
        command = s.launch.protocol == "command"
        hung = bool(now.phase == "stopping" and now.hung and not result.ok)
        if (hung or result.stop in (GONE if command else ("died",))) and result.usage:
            self._cost[s.session] = result.usage
        if hung or (result.stop == "died" and not command):
            return []
        end = ev.TurnEnded(
            session=s.session,
            turn=turn,
            ok=result.ok,
            stop=result.stop,
            detail=result.detail,
            ref=ref,
            head=head,
            fault=result.fault,
            until=result.until,
            usage=result.usage,
        )
        if not command:
            return [end]
        done = ev.CommandDone(session=s.session, turn=turn, code=result.code, detail=result.detail)
        return [done] if result.stop in GONE else [done, end]

    async def answer(self, effect: due.GiveAnswer) -> None:
        asked = self._session(effect.session).question
        if asked and asked.id == effect.question and asked.via == "inbox":
            await self._asking.answer(effect.session, asked.id, effect.option, asked.text)
            return
        _, agent = self.agents.get(effect.session, (0, None))
        if agent is None or not agent.answer(effect.question, effect.option or None):
            self._asking.is_over(effect.session, effect.question)
            await self._tell(ev.InputAnswered(session=effect.session, question=effect.question))
        await self._tell()  # what the agent reported just now is in the log before the effect is over

    async def interrupt(self, effect: due.Interrupt) -> None:
        _, agent = self.agents.get(effect.session, (0, None))
        if agent is not None:
            await agent.cancel()
        s = self._session(effect.session)
        while s.turn and s.turn.number == effect.turn and not s.turn.end_seq and s.phase != "exited":
            await asyncio.sleep(0.2)  # one request, one cancel: the effect is over when the turn is
            s = self._session(effect.session)

    async def stop(self, effect: due.Stop) -> None:
        if starting := self._starting.get(effect.session):
            starting.cancel()  # the start itself reports the end
            await asyncio.wait({starting})
            return
        s = self._session(effect.session)
        hung = s.hung if not s.stopped else ""
        run, agent = self.agents.get(effect.session, (0, None))
        if agent is None or run != effect.run:
            why = hung or ("stopped by a person" if s.stopped else "nightdesk ended it")
            end = ProcessEnd(how="exited", reason=why, stopped=s.stopped)
            await self._tell(_exited(effect.session, effect.run, end))
            return
        if hung:
            await agent.stop(patience=0.0)  # it has shown no sign of life for long enough
        else:
            await agent.stop()
        await self._tell()

    async def restart(self, effect: due.Restart) -> None:
        """Wait, in time that passes, so that no clock that is set brings a restart forward or takes it away."""
        end = time.monotonic() + min(effect.at - self._world.now(), restart_limits.LONGEST)
        while (left := end - time.monotonic()) > 0:
            await asyncio.sleep(min(left, NAP))
        await self._tell(ev.SessionRestartDue(session=effect.session, run=effect.run))

    async def stop_all(self) -> None:
        """Every agent ends in parallel; their sessions stay resumable."""
        await asyncio.gather(*(agent.stop() for _, agent in self.agents.values()), return_exceptions=True)


def with_inbox(made: Sandbox, inbox: Path) -> Sandbox:
    """The same for the agent of a session, which sees and writes its own inbox and no other."""
    return replace(made, inbox=os.path.join(made.inboxes, *inbox.parts[-2:])) if made.inboxes else made


def _exited(session: str, run: int, end: ProcessEnd, usage: Usage | None = None) -> ev.Exited:
    return ev.Exited(
        session=session,
        run=run,
        how=end.how,
        code=end.code,
        signal=end.signal,
        reason=end.reason,
        stopped=end.stopped,
        leftovers=tuple(left.text for left in end.leftovers),
        usage=usage,
    )
