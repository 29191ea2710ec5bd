"""Telling people from the log: in order, once, beside the loop, and from one supervisor to the next."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from night import ME, Night

from console.adapters.store import Log
from console.adapters.webhooks import Patience, Webhooks
from console.core import commands as cmd
from console.core import events as ev
from console.core.notice_groups import STALE, Told
from console.core.notify_settings import Channel
from console.core.records import Launch, RunSettings
from console.core.records_routines import RoutineSpec, Step, Waiting
from console.engine import notifying as room
from console.engine.pulse import Pulse
from console.engine.reaching import Reaching

SENT = Told(outcome="sent", status=200)
HOOK = Channel(kind="url", where="http://h.example/hook")


def parked(number: int) -> ev.DecisionParked:
    return ev.DecisionParked(
        decision=f"d-{number}", ticket=f"T-{number}", foundational=False, why="unclear", question="which?"
    )


@dataclass
class Outside:
    """Whoever is told: keeps what came, and answers as it is told."""

    channels: list[Channel] = field(default_factory=lambda: [HOOK])
    came: list[tuple[str, str, dict[str, Any]]] = field(default_factory=list)
    answer: Callable[[int], Told | BaseException] = lambda _number: SENT
    gate: asyncio.Event | None = None

    async def tell(self, channel: Channel, id: str, body: bytes) -> Told:
        self.came.append((channel.where, id, json.loads(body)))
        said = self.answer(len(self.came))
        if self.gate:
            await self.gate.wait()
        if isinstance(said, BaseException):
            raise said
        return said

    def tickets(self, where: str = HOOK.where) -> list[str]:
        return [body.get("ticket", body["event"]) for at, _, body in self.came if at == where]


@pytest.fixture
def outside(night: Night, monkeypatch: pytest.MonkeyPatch) -> Outside:
    monkeypatch.setattr(room, "LOOK", 0.05)
    monkeypatch.setattr(room, "AGAIN", 0.02)
    made = Outside()

    def read(since: int, count: int) -> Sequence[ev.Logged]:
        log = Log(night.path)
        try:
            return log.read(since, count)
        finally:
            log.close()

    reaching = Reaching(channels=lambda: list(made.channels), tell=made.tell, read=read, workspace="shop", key="k-1")
    night.world = replace(night.world, reaching=reaching, now=time.time)
    return made


def settled(night: Night, channel: Channel = HOOK) -> list[ev.NoticeSettled]:
    return [fact for fact in night.facts(ev.NoticeSettled) if fact.channel == channel.id]


def opened(channel: Channel = HOOK) -> Callable[[Any], bool]:
    return lambda state: channel.id in state.outlets


async def test_each_notice_is_told_once_in_order_and_settled_where_it_stands(night: Night, outside: Outside) -> None:
    async with night.supervised():
        await night.until(opened())
        night.report(*(parked(n) for n in range(1, 4)))
        await night.until(lambda _: len(settled(night)) == 3)
    assert outside.tickets() == ["T-1", "T-2", "T-3"]
    facts = settled(night)
    assert [f.id for f in facts] == [id for _, id, _ in outside.came] and len({f.id for f in facts}) == 3
    assert [f.about for f in facts] == [(f.upto,) for f in facts] and all(f.outcome == "sent" for f in facts)
    outlet = night.state.outlets[HOOK.id]
    assert outlet.sent == 3 and outlet.lost == 0 and outlet.cursor == facts[-1].upto


async def test_what_happened_before_a_channel_was_known_is_not_told_there(night: Night, outside: Outside) -> None:
    late = Channel(kind="url", where="http://late.example/")
    night.report(parked(1))
    async with night.supervised():
        await night.until(opened())
        night.report(parked(2))
        await night.until(lambda _: len(settled(night)) == 1)
        outside.channels.append(late)
        await night.until(opened(late))
        night.report(parked(3))
        await night.until(lambda _: settled(night, late) and len(settled(night)) == 2)
    assert outside.tickets() == ["T-2", "T-3"] and outside.tickets(late.where) == ["T-3"]


async def test_what_nobody_was_told_before_the_end_is_told_by_the_next_supervisor(
    night: Night, outside: Outside
) -> None:
    async with night.supervised():
        await night.until(opened())
    night.report(parked(1))
    outside.answer = lambda number: Told(outcome="failed", tries=2, detail="no") if number == 1 else SENT
    async with night.supervised():
        await night.until(lambda _: len(settled(night)) == 1)
        night.report(parked(2))
        await night.until(lambda _: len(settled(night)) == 2)
    assert outside.tickets() == ["T-1", "T-2"]
    assert [f.outcome for f in settled(night)] == ["failed", "sent"]
    assert outside.came[1][2]["lost"] == 1  # the one that came through says what did not
    assert night.state.outlets[HOOK.id].lost == 1


async def test_the_end_of_the_supervisor_waits_a_little_for_the_last_words(night: Night, outside: Outside) -> None:
    async with night.supervised() as task:
        await night.until(opened())
        night.report(parked(1))
        assert night.sup
        night.sup.request_stop("over")
        await task
    assert outside.tickets() == ["T-1"] and len(settled(night)) == 1


async def test_a_receiver_that_hangs_costs_the_loop_nothing_and_the_other_channels_neither(
    night: Night, outside: Outside, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The supervisor's own pulse says so, while a real webhook waits for a receiver that never answers."""
    from console.engine import pulse, supervisor

    monkeypatch.setattr(pulse, "TICK", 0.01)
    monkeypatch.setattr(supervisor, "LAST_NOTICES", 0.1)
    asked = asyncio.Event()

    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.set()
        await reader.read()
        writer.close()

    server = await asyncio.start_server(silent, "127.0.0.1", 0)
    stuck = Channel(kind="url", where=f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/")
    outside.channels.append(stuck)
    real = Webhooks({}, patience=Patience(total=30.0))
    told = outside.tell

    async def tell(channel: Channel, id: str, body: bytes) -> Told:
        return await (real.tell if channel.id == stuck.id else told)(channel, id, body)

    assert night.world.reaching
    night.world = replace(night.world, reaching=replace(night.world.reaching, tell=tell, close=real.close))
    async with night.supervised():
        await night.until(lambda state: opened()(state) and opened(stuck)(state))
        assert night.sup
        pulsing: Pulse = night.sup.pulse
        pulsing.own.worst = 0.0
        for number in range(1, 21):
            night.report(parked(number))
        await night.until(lambda _: len(settled(night)) == 20)
        await asyncio.wait_for(asked.wait(), 20)
        worst = pulsing.own.worst
    server.close()
    assert worst < 0.5 and outside.tickets() == [f"T-{n}" for n in range(1, 21)]
    assert not settled(night, stuck) and night.state.outlets[stuck.id].cursor < settled(night)[0].upto


async def test_what_raises_while_telling_counts_as_failed_and_the_next_follows(night: Night, outside: Outside) -> None:
    outside.answer = lambda number: ValueError("a fault of ours") if number == 1 else SENT
    async with night.supervised():
        await night.until(opened())
        night.report(parked(1), parked(2))
        await night.until(lambda _: len(settled(night)) == 2)
    first, second = settled(night)
    assert (first.outcome, first.detail) == ("failed", "a fault of nightdesk itself: ValueError")
    assert second.outcome == "sent"


async def test_what_nobody_waits_for_any_more_and_who_is_at_the_screen_are_left_alone(
    night: Night, outside: Outside
) -> None:
    quiet = Channel(kind="command", command=("ring",), quiet=True)
    outside.channels.append(quiet)
    async with night.supervised():
        await night.until(lambda state: opened()(state) and opened(quiet)(state))
        night.report(ev.OperatorActive(by=ME))
        night.report(parked(1), ev.DecisionClosed(decision="d-1", ticket="T-1", reason="requeued"), parked(2))
        await night.until(lambda _: len(settled(night)) == 2 and len(settled(night, quiet)) == 2)
    assert [f.outcome for f in settled(night)] == ["skipped", "sent"] and outside.tickets() == ["T-2"]
    assert [f.outcome for f in settled(night, quiet)] == ["skipped", "skipped"]


async def test_a_channel_that_collects_tells_several_at_once(night: Night, outside: Outside) -> None:
    outside.channels = [replace_debounce(HOOK, 0.3)]
    async with night.supervised():
        await night.until(opened())
        night.report(parked(1), parked(2))
        night.report(parked(3))
        await night.until(lambda _: settled(night))
    ((_, _, body),) = outside.came
    assert body["event"] == "several" and body["counts"] == {"parked": 3} and body["leftOut"] == 0
    assert [n["ticket"] for n in body["notices"]] == ["T-3", "T-2", "T-1"]


def replace_debounce(channel: Channel, seconds: float) -> Channel:
    from msgspec.structs import replace as changed

    return changed(channel, debounce=seconds)


async def test_a_session_s_own_address_hears_of_that_session_from_its_beginning_on(
    night: Night, outside: Outside
) -> None:
    outside.channels = []
    start = cmd.StartSession(
        launch=Launch(argv=("agent",)),
        cwd=str(night.worktree),
        worktree=str(night.worktree),
        by=ME,
        notify_url="http://mine.example/",
        notify_secret="env:MINE",
    )
    added = night.do(start)[0].fact  # before any supervisor was there
    assert isinstance(added, ev.SessionAdded)
    night.report(ev.Exited(session=added.session, run=1, how="exited", code=1), parked(1))
    mine = Channel(kind="url", where="http://mine.example/")
    async with night.supervised():
        await night.until(lambda _: settled(night, mine))
    ((where, _, body),) = outside.came
    assert where == mine.where and body["event"] == "exited" and body["exitCode"] == 1


async def test_a_routine_that_asks_calls_the_address_it_names_besides_the_channels(
    night: Night, outside: Outside
) -> None:
    step = Step(name="go", title="Go on?", on_wait=Waiting(webhook="http://pager.example/"))
    pager = Channel(kind="url", where="http://pager.example/")
    async with night.supervised():
        await night.until(opened())
        night.do(cmd.StartRoutine(spec=RoutineSpec(name="babysit", steps=(step,)), by=ME))
        await night.until(lambda _: settled(night, pager) and settled(night))
    bodies = {where: body for where, _, body in outside.came}
    assert bodies[HOOK.where] | {"id": ""} == bodies[pager.where] | {"id": ""}
    said = bodies[pager.where]
    assert said["event"] == "routine-escalated" and said["question"] == "Go on?" and said["step"] == 0


async def test_a_run_that_began_and_ended_before_its_supervisor_came_is_told_from_its_start(
    night: Night, outside: Outside
) -> None:
    night.report(parked(1))
    night.report(ev.RunStarted(run="run-1", settings=RunSettings(), by=ME))
    night.report(parked(2))
    if night.state.runs["run-1"].open:  # with nothing in the queue it has ended by itself
        night.report(ev.RunEnded(run="run-1", status="DRAINED", why="nothing is left"))
    async with night.supervised():
        await night.until(lambda _: len(settled(night)) == 2)
    assert sorted(body["event"] for _, _, body in outside.came) == ["parked", "run-ended"]
    assert "T-2" in outside.tickets() and "T-1" not in outside.tickets()


async def test_a_long_outage_is_told_as_one(night: Night, outside: Outside, monkeypatch: pytest.MonkeyPatch) -> None:
    async with night.supervised():
        await night.until(opened())
    night.report(*(parked(n) for n in range(1, 31)))
    later = 3 * STALE
    night.world = replace(night.world, now=lambda: time.time() + later)
    async with night.supervised():
        await night.until(lambda _: settled(night))
    ((_, _, body),) = outside.came
    assert body["counts"] == {"parked": 30} and len(settled(night)[0].about) == 30


async def test_what_may_be_in_flight_is_told_again_as_it_was_however_late(
    night: Night, outside: Outside, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Over while its receiver had the first of five; more than ten minutes later they would have gone out as one."""
    monkeypatch.setattr("console.engine.supervisor.LAST_NOTICES", 0.05)
    outside.gate = asyncio.Event()
    async with night.supervised():
        await night.until(opened())
        night.report(*(parked(n) for n in range(1, 6)))
        await night.until(lambda _: outside.came)
        (intent,) = night.facts(ev.NoticeSending)
        outside.gate = None
    assert not settled(night) and night.state.outlets[HOOK.id].sending == intent.id
    night.world = replace(night.world, now=lambda: time.time() + 3 * STALE)
    async with night.supervised():
        await night.until(lambda _: len(settled(night)) == 2)
    first, again, rest = outside.came
    assert again[1:] == first[1:] and first[1] == intent.id and rest[2]["counts"] == {"parked": 4}
    assert not night.state.outlets[HOOK.id].flight


async def test_what_was_collected_in_a_hurry_keeps_to_itself_when_more_comes(
    night: Night, outside: Outside, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("console.engine.supervisor.LAST_NOTICES", 0.3)
    outside.channels, outside.gate = [replace_debounce(HOOK, 30.0)], asyncio.Event()
    async with night.supervised():
        await night.until(opened())
        night.report(parked(1), parked(2))
        await night.until(lambda state: night.sup and night.sup.state.seq >= state.seq)
    outside.gate = None
    night.report(parked(3))
    async with night.supervised():
        await night.until(lambda _: settled(night))
    assert len(settled(night)) == 2
    first, again, rest = outside.came
    assert again[1] == first[1] and again[2]["counts"] == {"parked": 2} and rest[2]["ticket"] == "T-3"


async def test_a_channel_that_nothing_names_any_more_is_closed_in_the_log(night: Night, outside: Outside) -> None:
    async with night.supervised():
        await night.until(opened())
        assert night.state.outlets[HOOK.id].open
        outside.channels = []
        await night.until(lambda state: not state.outlets[HOOK.id].open)
        outside.channels = [HOOK]
        await night.until(lambda state: state.outlets[HOOK.id].open)
    assert len(night.facts(ev.ChannelClosed)) == 1 and len(night.facts(ev.ChannelOpened)) == 2


async def test_the_end_waits_for_longer_than_a_try_may_take() -> None:
    from console.engine import supervisor

    assert Patience().total < supervisor.LAST_NOTICES
