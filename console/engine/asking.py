"""Questions that agents ask through our tools (`ask_human`): from their inbox into the log, and the answer back.

Looked at once a second. What is asked is hostile text: it decides nothing but that a person is asked, or that the
ticket of the session is parked.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from console.core import events as ev
from console.core import queue
from console.core.records import Option, Refused
from console.core.records_asking import Answer, AskNote
from console.core.sessions import Session
from console.core.state import State, open_run
from console.core.tickets import Ticket
from console.engine.world import Tell, World

MOST = 40
"""Questions of one session in one turn; one that asks more does not work any more."""


@dataclass(slots=True)
class _Open:
    """A question that is in the log."""

    ident: str
    turn: int
    title: str
    options: tuple[Option, ...]


@dataclass(slots=True)
class _Heard:
    """What a session has asked: how often in its present turn, and everything that is not asked again."""

    turn: int = 0
    count: int = 0
    done: set[str] = field(default_factory=set)


class Asking:
    """Everything runs on the supervisor's loop."""

    def __init__(self, world: World, state: Callable[[], State], tell: Tell) -> None:
        self._world = world
        self._state = state
        self._tell = tell
        self._open: dict[str, _Open] = {}
        self._heard: dict[str, _Heard] = {}

    async def look(self) -> None:
        """Once a second: what was asked since, and what became of what was open."""
        for name in list(self._open):
            await self._followed(self._state().sessions[name])
        asking = [s for s in self._state().sessions.values() if _may_ask(s) and s.session not in self._open]
        if asking:
            notes = await asyncio.to_thread(self._read, [s.session for s in asking])
            for name, note in notes:
                await self._asked(self._state().sessions[name], note)

    def _read(self, names: Collection[str]) -> list[tuple[str, AskNote]]:
        return [(name, note) for name in names if (note := self._world.asks(name))]

    async def _asked(self, s: Session, note: AskNote) -> None:
        heard = self._heard.setdefault(s.session, _Heard())
        if heard.turn != s.turns:
            heard.turn, heard.count = s.turns, 0
        if not _may_ask(s) or note.ident in heard.done:
            return
        heard.done.add(note.ident)
        heard.count += 1
        if heard.count > MOST:
            why = f"more than {MOST} questions in one turn: decide it yourself, or park the ticket"
            await self._reply(s.session, note.ident, Answer(status="refused", why=why))
            return
        if t := self._unattended(s):
            await self._park(s, t, note)
            return
        options = tuple(Option(id=str(n), name=text) for n, text in enumerate(note.options, 1))
        self._open[s.session] = _Open(note.ident, s.turns, note.question, options)
        await self._put(s)

    def _unattended(self, s: Session) -> Ticket | None:
        """The ticket that this session works on while nobody attends the run (ruling 14)."""
        t, run = queue.at_work(self._state(), s.session), open_run(self._state())
        return t if t and run and run.run == t.run and not run.attended else None

    async def _park(self, s: Session, t: Ticket, note: AskNote) -> None:
        await self._tell(
            ev.ParkRequested(ticket=t.ticket, attempt=t.attempt, question=note.question, options=note.options)
        )
        await self._over(s.session, note.ident)

    async def _put(self, s: Session) -> None:
        asked = self._open[s.session]
        await self._tell(
            ev.AwaitingInput(
                session=s.session,
                turn=asked.turn,
                question=asked.ident,
                title=asked.title,
                options=asked.options,
                via="inbox",
            )
        )

    async def _followed(self, s: Session) -> None:
        """What became of an open question: it stands, it was pushed aside by another one, or nobody answers it."""
        asked = self._open[s.session]
        if s.question and s.phase == "awaiting-input":
            return
        if s.phase == "working" and s.turns == asked.turn and s.turn and not s.turn.end_seq:
            await self._put(s)
            return
        del self._open[s.session]
        await self._over(s.session, asked.ident)

    async def _over(self, session: str, ident: str) -> None:
        """Tell an agent that its question has become a decision, or is nobody's any more."""
        s = self._state().sessions[session]
        t = self._state().tickets.get(s.ticket)
        if t and t.session == session and t.decision:
            why = f"{t.ticket} is parked as {t.decision}, a person decides it later: end your turn now"
            await self._reply(session, ident, Answer(status="parked", why=why))
        else:
            await self._reply(session, ident, Answer(status="closed", why="nobody waits for this answer any more"))

    async def answer(self, session: str, ident: str, option: str, text: str) -> None:
        """A person's answer (`due.GiveAnswer`) to a question that came through an inbox."""
        self._open.pop(session, None)
        asked = self._state().sessions[session].question
        choice = next((one.name for one in asked.options if one.id == option), "") if asked else ""
        said = Answer(status="answered", option=option, choice=choice, text=text)
        if not option and not text:
            why = "the operator does not answer this: decide it yourself, or park the ticket"
            said = Answer(status="refused", why=why)
        refused = await self._reply(session, ident, said)
        await self._tell(ev.InputAnswered(session=session, question=ident, option="" if refused else option))

    async def _reply(self, session: str, ident: str, said: Answer) -> Refused | None:
        return await asyncio.to_thread(self._world.reply, session, ident, said)


def _may_ask(s: Session) -> bool:
    running = s.phase == "working" and s.turn is not None and not s.turn.end_seq
    return running and s.question is None and not s.external
