"""Tells people what happens: a task a channel beside the loop, from the log alone, from where the channel's cursor is.

Nothing here is waited for by the supervisor's loop, and nothing raises into it. A notice is settled in the log after
its outcome is known; killed between the two, the next supervisor sends it again under the same id.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from console.core import events as ev
from console.core import notice_groups as groups
from console.core import notices
from console.core.notice_groups import Told
from console.core.notices import Notice
from console.core.notify_settings import Channel, merged
from console.core.state import State
from console.engine.reaching import Reaching

LOOK = 1.0
"""Seconds between looks at what the settings say."""
PAGE = 500
"""Log entries that are read at once."""
LIMIT = 60.0
"""Seconds after which telling itself counts as stuck; every way to tell has a shorter limit of its own."""
AT_THE_SCREEN = 300.0
"""Seconds after a key press during which a quiet channel says nothing (DESIGN.md, ruling 14)."""
AGAIN = 5.0
"""Seconds after a fault of ours before a channel goes on."""


@dataclass(slots=True)
class Lane:
    """One channel at work. position: everything up to there has been looked at. pending: found and not yet dealt with.
    sending, flight: id and positions of what was about to go out, perhaps in another supervisor's time: nobody knows
    whether it did. owed: an outcome that is not yet in the log."""

    channel: Channel
    position: int
    pending: list[Notice] = field(default_factory=list)
    sending: str = ""
    flight: tuple[int, ...] = ()
    owed: ev.NoticeSettled | None = None
    wake: asyncio.Event = field(default_factory=asyncio.Event)
    task: asyncio.Task[None] | None = None

    def idle(self, seq: int) -> bool:
        return not self.pending and self.owed is None and self.position >= seq

    def takes(self, n: Notice) -> bool:
        """What its channel wants; between what was in flight there is no more than was wanted then."""
        return (n.seq in self.flight or n.seq > max(self.flight, default=0)) and groups.wants(self.channel, n)

    def in_flight(self) -> tuple[Notice, ...]:
        """What is sent again, as it was. Of what nobody wants to hear any more, nothing."""
        return tuple(n for n in self.pending if n.seq in self.flight)

    def dealt_with(self, upto: int) -> None:
        self.pending = [n for n in self.pending if n.seq > upto]
        self.sending, self.flight = "", ()


class Notifying:
    """tell: report facts and wait until they are in the log; post: without waiting. now: Unix seconds."""

    def __init__(
        self,
        reaching: Reaching | None,
        state: Callable[[], State],
        tell: Callable[..., Awaitable[None]],
        post: Callable[..., None],
        now: Callable[[], float],
    ) -> None:
        self._reaching, self._state, self._tell, self._post, self._now = reaching, state, tell, post, now
        self.lanes: dict[str, Lane] = {}
        self._named: dict[str, int] = {}
        self._news = asyncio.Event()
        self._reading = asyncio.Lock()
        self._watch: asyncio.Task[None] | None = None
        self._began = 0
        self._first = True
        self._hurry = False
        self._trouble: dict[str, str] = {}

    # -- beside the loop ---------------------------------------------------------------------------------

    def begin(self, began: int) -> None:
        """began: the log's position when this supervisor came; a channel that is new hears what follows."""
        self._began = began
        if self._reaching:
            self._watch = asyncio.ensure_future(self._follow())

    def heard(self, entry: ev.Logged) -> None:
        """One entry was folded; cheap."""
        fact, telling = entry.fact, notices.may_tell(entry.fact)
        if isinstance(fact, ev.SessionAdded) and fact.notify_url:
            self._named.setdefault(fact.session, entry.seq)
            self._news.set()
        elif isinstance(fact, ev.RoutineStarted):
            self._named.setdefault(fact.routine, entry.seq)
            self._news.set()
        for lane in self.lanes.values():
            if telling:
                lane.wake.set()
            elif lane.position == entry.seq - 1:
                lane.position = entry.seq

    async def finish(self, limit: float) -> None:
        """Tell what is left, for at most so many seconds, then stop. What collects is told as far as it has come."""
        if self._reaching is None or self._watch is None:
            return
        self._hurry = True
        with suppress(TimeoutError):
            await asyncio.wait_for(self._emptied(), limit)
        tasks = [task for task in (self._watch, *(lane.task for lane in self.lanes.values())) if task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._reaching.close()

    async def _emptied(self) -> None:
        while self._first or not all(lane.idle(self._state().seq) for lane in self.lanes.values()):
            for lane in self.lanes.values():
                lane.wake.set()
            await asyncio.sleep(0.02)

    # -- which channels there are ------------------------------------------------------------------------

    async def _follow(self) -> None:
        while True:
            try:
                await self._look()
                self._trouble.pop("channels", None)
            except Exception as error:
                self._complain("channels", "look at the channels that tell people", error)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), LOOK)
            self._news.clear()

    async def _look(self) -> None:
        assert self._reaching
        general = [c for c in await asyncio.to_thread(self._reaching.channels) if c.kind != "terminal"]
        state = self._state()
        wanted = {c.id: c for c in merged([*general, *groups.named_in(state, over=self._first)])}
        everywhere = {c.id for c in general if c.asks}
        for name, lane in list(self.lanes.items()):
            if name in wanted:
                lane.channel = wanted[name]
            elif lane.idle(state.seq) or not self._named_once(lane.channel):
                self._close(self.lanes.pop(name))
        closed = [o.channel for o in state.outlets.values() if o.open and o.channel not in {*wanted, *self.lanes}]
        if closed:
            await self._tell(*(ev.ChannelClosed(channel=name) for name in closed))
        for name, channel in wanted.items():
            if name not in self.lanes:
                await self._open(channel, name in everywhere)
        self._first = False

    @staticmethod
    def _named_once(channel: Channel) -> bool:
        """By a session or routine, whose last word is still to be told; not by settings that have changed since."""
        return all(ask.session or ask.webhook for ask in channel.asks)

    @staticmethod
    def _close(lane: Lane) -> None:
        if lane.task:
            lane.task.cancel()

    async def _open(self, channel: Channel, everywhere: bool) -> None:
        since = self._since(channel, everywhere)
        outlet = self._state().outlets.get(channel.id)
        known = outlet and (outlet.open or (self._first and not everywhere))  # the last words of who has ended
        if not known or not outlet or outlet.words != channel.words or outlet.cursor < since:
            await self._tell(ev.ChannelOpened(channel=channel.id, words=channel.words, since=since))
            outlet = self._state().outlets.get(channel.id)
        lane = self.lanes[channel.id] = Lane(channel=channel, position=since)
        if outlet:
            lane.sending, lane.flight = outlet.sending, outlet.flight
        lane.task = asyncio.ensure_future(self._serve(lane))

    def _since(self, channel: Channel, everywhere: bool) -> int:
        """Where its telling begins: at its cursor; what happened while the settings did not name it is not told."""
        outlet = self._state().outlets.get(channel.id)
        if outlet and (self._first or not everywhere):
            return outlet.cursor
        if everywhere:
            return self._beginning() if self._first else self._state().seq
        # From the session or routine on that brought it along; from the start where that was before our time.
        routines = min(self._named.values(), default=0)
        return min(self._named.get(ask.session, 0) if ask.session else routines for ask in channel.asks)

    def _beginning(self) -> int:
        """Where a channel begins that nobody was told on yet: here, or with the run that this supervisor came for."""
        run = next(reversed(self._state().runs.values()), None)
        if run and (run.open or self._now() - run.ended_at < groups.STALE):
            return min(self._began, run.seq - 1)
        return self._began

    # -- one channel -------------------------------------------------------------------------------------

    async def _serve(self, lane: Lane) -> None:
        while True:
            try:
                await self._step(lane)
                self._trouble.pop(lane.channel.id, None)
            except Exception as error:
                self._complain(lane.channel.id, f"tell {lane.channel.words}", error)
                await asyncio.sleep(AGAIN)

    async def _step(self, lane: Lane) -> None:
        if lane.owed:
            await self._tell(lane.owed)
            lane.owed = None
        lane.wake.clear()
        await self._fill(lane)
        group, wait = lane.in_flight(), 0.0
        if not group:
            lane.sending, lane.flight = "", ()
            group, wait = groups.next_group(lane.pending, lane.channel.debounce, self._now(), hurry=self._hurry)
        if group:
            lane.owed = await self._settled(lane, group)
            lane.dealt_with(lane.owed.upto)
            return
        with suppress(TimeoutError):
            await asyncio.wait_for(lane.wake.wait(), wait or None)

    async def _fill(self, lane: Lane) -> None:
        assert self._reaching
        while lane.position < (seq := self._state().seq) and len(lane.pending) < groups.MOST:
            async with self._reading:
                page = await asyncio.to_thread(self._reaching.read, lane.position, min(PAGE, seq - lane.position))
            if not page:
                return
            state = self._state()
            for entry in page:
                if entry.seq > lane.position and (n := notices.notice(entry, state)) and lane.takes(n):
                    lane.pending.append(n)
            lane.position = max(lane.position, page[-1].seq)

    async def _settled(self, lane: Lane, group: Sequence[Notice]) -> ev.NoticeSettled:
        """What became of these, for the log."""
        assert self._reaching
        state, channel = self._state(), lane.channel
        id = lane.sending or groups.id_of(self._reaching.key, channel.id, group)
        left = [n for n in group if not groups.moot(n, state)]
        if not left:
            told = Told(outcome="skipped", tries=0, detail=groups.moot(group[0], state))
        elif channel.quiet and self._now() - state.active_at < AT_THE_SCREEN:
            told = Told(outcome="skipped", tries=0, detail="somebody was at the screen")
        else:
            await self._intend(lane, id, group)
            told = await self._sent(channel, id, left)
        return ev.NoticeSettled(
            channel=channel.id,
            upto=group[-1].seq,
            outcome=told.outcome,
            about=tuple(n.seq for n in group)[-groups.ABOUT :],
            id=id,
            tries=told.tries,
            status=told.status,
            detail=told.detail,
        )

    async def _intend(self, lane: Lane, id: str, group: Sequence[Notice]) -> None:
        """In the log before the first try: what may have gone out is never told under another id, or with more."""
        if not lane.sending:
            about = tuple(n.seq for n in group)
            await self._tell(ev.NoticeSending(channel=lane.channel.id, id=id, about=about))
            lane.sending, lane.flight = id, about

    async def _sent(self, channel: Channel, id: str, group: Sequence[Notice]) -> Told:
        assert self._reaching
        outlet = self._state().outlets.get(channel.id)
        lost = outlet.lost if outlet and outlet.last in ("failed", "refused") else 0
        body = json.dumps(groups.payload(group, id, self._reaching.workspace, lost), separators=(",", ":"))
        try:
            async with asyncio.timeout(LIMIT):
                return await self._reaching.tell(channel, id, body.encode())
        except TimeoutError:
            return Told(outcome="failed", tries=0, detail=f"telling took longer than {LIMIT:g} s")
        except Exception as error:
            return Told(outcome="failed", tries=0, detail=f"a fault of nightdesk itself: {type(error).__name__}")

    def _complain(self, about: str, effect: str, error: Exception) -> None:
        """A fault of ours is told once, and the rest goes on."""
        said = f"{type(error).__name__}: {error}"
        if self._trouble.get(about) != said:
            self._trouble[about] = said
            self._post(ev.SupervisorTrouble(effect=effect, error=said, tries=0))
