"""Questions that agents ask through our tools (`ask_human`): from their inbox into the log, and the answer back.

Looked at once a second, and at the end of every turn. What is asked is hostile text: it decides nothing but that a
person is asked, or that the ticket of the session is parked. A question that is open is never replaced: what comes
meanwhile, through an inbox or over a protocol, waits behind it.
"""

from __future__ import annotations

import asyncio
import secrets
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
TRIES = 3
"""How often an answer that cannot be left is asked for."""


@dataclass(slots=True)
class _Open:
    """A question that is in the log. ident: as its agent names it, for the way back; id: as we do, which no agent knows
    before a person sees it. tries: answers that could not be left."""

    ident: str
    turn: int
    title: str
    options: tuple[Option, ...]
    id: str = field(default_factory=lambda: secrets.token_hex(8))
    tries: int = 0


def _opened(note: AskNote, turn: int) -> _Open:
    options = tuple(Option(id=str(n), name=text) for n, text in enumerate(note.options, 1))
    return _Open(note.ident, turn, note.question, options)


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
        self._other: dict[str, ev.AwaitingInput] = {}
        self._behind: dict[str, ev.AwaitingInput] = {}
        """By session: the question over its protocol that is open, and the one that waits behind one of an inbox. An
        agent's adapter puts one at a time."""

    async def look(self) -> None:
        """Once a second: what was asked since, and what became of what was open."""
        for name in list(self._open):
            if name in self._open:  # no answer has come meanwhile
                await self._followed(self._state().sessions[name])
        asking = [s for s in self._state().sessions.values() if self._may_ask(s)]
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
        if not self._may_ask(s) or note.ident in heard.done:
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
        self._open[s.session] = _opened(note, s.turns)
        await self._put(s)

    def _may_ask(self, s: Session) -> bool:
        running = s.phase == "working" and s.turn is not None and not s.turn.end_seq
        other = self._other.get(s.session)
        free = s.session not in self._open and not (other and other.turn == s.turns)
        return running and free and s.question is None and not s.external

    # -- over the protocol -------------------------------------------------------------------------------

    def told_now(self, fact: ev.AwaitingInput) -> bool:
        """Whether a question over a session's protocol is open from now on; else it is told when its turn comes."""
        waits = fact.session in self._open
        (self._behind if waits else self._other)[fact.session] = fact
        return not waits

    def is_over(self, session: str, question: str) -> bool:
        """Such a question is answered or withdrawn. Whether the log knows it."""
        if (waits := self._behind.get(session)) and waits.question == question:
            del self._behind[session]
            return False
        self._other.pop(session, None)
        return True

    async def _next(self, session: str) -> None:
        if fact := self._behind.pop(session, None):
            self._other[session] = fact
            await self._tell(fact)

    # -- through the inbox -------------------------------------------------------------------------------

    async def at_end(self, s: Session) -> tuple[ev.Fact, ...]:
        """A session's turn has ended: what its agent still wants to know. Of a ticket that parks it, before anything is
        judged: nobody can answer that agent any more."""
        for waiting in (self._other, self._behind):
            waiting.pop(s.session, None)
        heard = self._heard.setdefault(s.session, _Heard())
        if s.session not in self._open:
            note = await asyncio.to_thread(self._world.asks, s.session)
            if not note or note.ident in heard.done:
                return ()
            heard.done.add(note.ident)
            self._open[s.session] = _opened(note, s.turns)  # its agent is told by the next look
        asked, t = self._open[s.session], queue.at_work(self._state(), s.session)
        if not t:
            return ()
        options = tuple(one.name for one in asked.options)
        return (ev.ParkRequested(ticket=t.ticket, attempt=t.attempt, question=asked.title, options=options),)

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
                question=asked.id,
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
        await self._next(s.session)

    async def _over(self, session: str, ident: str) -> None:
        """Tell an agent that its question has become a decision, or is nobody's any more."""
        s = self._state().sessions[session]
        t = self._state().tickets.get(s.ticket)
        if t and t.session == session and t.decision:
            why = f"{t.ticket} is parked as {t.decision}, a person decides it later: end your turn now"
            await self._reply(session, ident, Answer(status="parked", why=why))
        else:
            await self._reply(session, ident, Answer(status="closed", why="nobody waits for this answer any more"))

    async def answer(self, session: str, question: str, option: str, text: str) -> None:
        """A person's answer (`due.GiveAnswer`) to a question that came through an inbox. One that cannot be left there
        leaves the question open."""
        asked = self._open.get(session)
        if not asked or asked.id != question:  # of an agent that is gone
            await self._tell(ev.InputAnswered(session=session, question=question))
            return
        choice = next((one.name for one in asked.options if one.id == option), "")
        said = Answer(status="answered", option=option, choice=choice, text=text)
        if not option and not text:
            why = "the operator does not answer this: decide it yourself, or park the ticket"
            said = Answer(status="refused", why=why)
        refused = await self._reply(session, asked.ident, said)
        asked.tries += 1
        if refused and asked.tries < TRIES:
            await self._put(self._state().sessions[session])
            return
        self._open.pop(session, None)
        await self._tell(ev.InputAnswered(session=session, question=question, option="" if refused else option))
        await self._next(session)

    async def _reply(self, session: str, ident: str, said: Answer) -> Refused | None:
        return await asyncio.to_thread(self._world.reply, session, ident, said)
