"""Effects on sessions: start, begin a turn, answer, interrupt, stop. Each ends in facts, whatever the agent did."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable

from msgspec.structs import replace

from console.core import due
from console.core import events as ev
from console.core.records import ProcessEnd, Refused, Sandbox
from console.core.sessions import Session
from console.core.state import State
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

SHIM_PATIENCE = 6.0
"""Seconds that a former shim may take to clear its tree before its session counts as not startable."""


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
    ) -> None:
        """asked: what a session's agent wants a person to decide, before its turn's end is told."""
        self._world = world
        self._state = state
        self._tell = tell
        self._post = post
        self._repository = repository
        self._snapshots = snapshots
        self._asked = asked
        self._sandboxes: dict[str, Sandbox | None] = {}
        self.agents: dict[str, tuple[int, Agent]] = {}
        self._gone: set[tuple[str, int]] = set()
        self._turning: dict[str, list[Ended]] = {}
        self._starting: dict[str, asyncio.Task[Agent | Refused]] = {}

    def _session(self, name: str) -> Session:
        return self._state().sessions[name]

    async def start(self, effect: due.Start) -> None:
        s = self._session(effect.session)
        if self.agents.get(s.session, (0, None))[0] == effect.run:
            return  # it is up; the log could not take that yet and is told again
        if not os.path.isdir(s.cwd):
            end = ProcessEnd(how="not-started", reason=f"its folder {s.cwd} is gone; start a new session elsewhere")
            await self._tell(_exited(s.session, effect.run, end))
            return
        if not await self._former_shim_gone(s):
            why = f"its former shim, pid {s.shim_pid}, still runs beside that worktree; end it, then prompt again"
            await self._tell(_exited(s.session, effect.run, ProcessEnd(how="not-started", reason=why)))
            return
        if not self.agents and not self._starting:
            await self._repository.before_first_session()
        else:
            await self._repository.new_worktree(s)
        sandbox = await asyncio.to_thread(self._world.sandbox, s.worktree, s.launch.writable_git)
        if isinstance(sandbox, Refused):
            await self._tell(_exited(s.session, effect.run, ProcessEnd(how="not-started", reason=sandbox.reason)))
            return
        self._sandboxes[s.session] = sandbox
        spec = AgentSpec(
            session=s.session,
            run=effect.run,
            launch=s.launch,
            cwd=s.cwd,
            env=await asyncio.to_thread(self._environment, s),
            transcript=str(self._world.places.transcript(s.session)),
            stderr=str(self._world.places.stderr(s.session, effect.run)),
            conversation=s.conversation,
            sandbox=sandbox,
        )
        agent = await self._start(spec)
        if isinstance(agent, Refused):
            await self._tell(_exited(s.session, effect.run, ProcessEnd(how="not-started", reason=agent.reason)))
            return
        if (s.session, effect.run) in self._gone:
            self._gone.remove((s.session, effect.run))
        else:
            self.agents[s.session] = (effect.run, agent)
        await self._tell()

    def _environment(self, s: Session) -> dict[str, str]:
        """What the agent sees; with a ticket also its id and the folder in which it can ask for a decision."""
        env = self._world.session_env(s.launch)
        if not s.ticket:
            return env
        inbox = self._world.places.inbox(s.session)
        inbox.mkdir(parents=True, exist_ok=True, mode=0o700)
        return env | {"NIGHTDESK_TICKET": s.ticket, "NIGHTDESK_INBOX": str(inbox)}

    async def _former_shim_gone(self, s: Session) -> bool:
        """After a crash the old shim clears its tree within moments; a second agent never works beside the first."""
        for _ in range(int(SHIM_PATIENCE / 0.1)):
            if not s.shim_pid or not self._world.alive(s.shim_pid, s.shim_start):
                return True
            await asyncio.sleep(0.1)
        return False

    async def _start(self, spec: AgentSpec) -> Agent | Refused:
        task = asyncio.ensure_future(
            self._world.agents.start(spec, lambda fact: self._report(spec.session, spec.run, fact))
        )
        self._starting[spec.session] = task
        try:
            return await task
        except asyncio.CancelledError:
            if self._session(spec.session).stopped:
                return Refused(reason="stopped while it was starting")
            raise  # the supervisor ends; the next one starts it again
        finally:
            del self._starting[spec.session]

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
                        resumed=fact.resumed,
                        detail=fact.detail,
                        sandbox=self._world.sandbox_words(self._sandboxes[session]),
                        writes_git=self._writes(session, self._world.git_dir),
                        writes_tickets=self._writes(session, self._world.tickets),
                    )
                )
            case Asked():
                self._post(
                    ev.AwaitingInput(
                        session=session,
                        turn=self._session(session).turns,
                        question=fact.question,
                        title=fact.title,
                        options=fact.options,
                    )
                )
            case Answered():
                self._post(ev.InputAnswered(session=session, question=fact.question, option=fact.option))
            case Ended() if session in self._turning:
                self._turning[session].append(fact)  # told after the end of the turn that it cuts off
            case Ended():
                if self.agents.get(session, (0, None))[0] == run:
                    del self.agents[session]
                else:
                    self._gone.add((session, run))  # before its start had returned
                self._post(_exited(session, run, self._as_asked(session, fact.end)))

    def _writes(self, session: str, folder: str) -> bool:
        sandbox = self._sandboxes[session]
        return sandbox is None or folder not in sandbox.read_only

    def _as_asked(self, session: str, end: ProcessEnd) -> ProcessEnd:
        """`stopped` says that a person asked for it; an agent that we ended for a fault of its own has a reason."""
        asked = self._session(session).stopped
        ours = end.stopped and not asked and not end.reason
        return replace(end, stopped=asked, reason="nightdesk ended it" if ours else end.reason)

    async def begin_turn(self, effect: due.BeginTurn) -> None:
        s = self._session(effect.session)
        run, agent = self.agents.get(s.session, (0, None))
        if agent is None or run != effect.run:
            return
        text = next((p.text for p in s.prompts if p.turn == effect.turn), None)
        if text is None:
            return
        taken = await self._snapshots.before_turn(s, effect.turn)
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
        fault = ""
        try:
            result = await agent.prompt(effect.turn, text)
            fault = result.detail if result.stop == "protocol" else ""
            await self._turn_ended(s, effect.turn, result)
        finally:
            for fact in self._turning.pop(s.session):
                self._report(s.session, run, self._blamed(fact, fault))

    @staticmethod
    def _blamed(fact: Ended, fault: str) -> Ended:
        """The end of an agent with the fault that its last turn ended with."""
        return Ended(end=replace(fact.end, reason=fault)) if fault and not fact.end.reason else fact

    async def _where(self, worktree: str) -> TurnBase | Refused:
        return await asyncio.to_thread(self._world.git.turn_base, worktree)

    async def _turn_ended(self, s: Session, turn: int, result: TurnResult) -> None:
        if self._session(s.session).phase == "suspended":
            return  # interrupted by our own end: the turn begins again under the next supervisor
        after = await self._where(s.worktree)
        ref, head = (after.ref, after.head) if isinstance(after, TurnBase) else ("", "")
        begun = self._session(s.session).turn
        facts: list[ev.Fact] = []
        if begun and begun.head and head and (begun.head, begun.ref) != (head, ref):
            facts.append(ev.AgentCommitted(session=s.session, turn=turn, ref=ref, before=begun.head, after=head))
        committed = facts[0] if facts and isinstance(facts[0], ev.AgentCommitted) else None
        facts += await self._repository.after_turn(s, turn, committed)
        facts += await self._asked(s)
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
        if s.launch.protocol == "command":
            facts += [ev.CommandDone(session=s.session, turn=turn, code=result.code, detail=result.detail), end]
        elif result.stop != "died":  # an agent that died did not end its turn: `exited` says what happened
            facts.append(end)
        self._post(*facts)
        await self._tell()

    async def answer(self, effect: due.GiveAnswer) -> None:
        _, agent = self.agents.get(effect.session, (0, None))
        if agent is None or not agent.answer(effect.question, effect.option or None):
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
        run, agent = self.agents.get(effect.session, (0, None))
        if agent is None or run != effect.run:
            end = ProcessEnd(how="exited", reason="stopped by a person", stopped=True)
            await self._tell(_exited(effect.session, effect.run, end))
            return
        await agent.stop()
        await self._tell()

    async def stop_all(self) -> None:
        """Every agent ends in parallel; their sessions stay resumable."""
        await asyncio.gather(*(agent.stop() for _, agent in self.agents.values()), return_exceptions=True)


def _exited(session: str, run: int, end: ProcessEnd) -> ev.Exited:
    return ev.Exited(
        session=session,
        run=run,
        how=end.how,
        code=end.code,
        signal=end.signal,
        reason=end.reason,
        stopped=end.stopped,
        leftovers=tuple(f"{left.pid} {left.command}" for left in end.leftovers),
    )
