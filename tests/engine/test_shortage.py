"""What is short is told once, keeps new work back and never what runs; a disk that stays full halts the run."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from night import ENDED, H0, ME, Night

from console.adapters.store import Log, LogFull
from console.core import due
from console.core import events as ev
from console.core.records import RunSettings
from console.core.state import State
from console.engine.journal import Journal
from console.engine.pulse import OwnTime
from console.engine.shortage import Shortage

START = due.Start(session="s-1", run=1)
PREPARE = due.Prepare(ticket="t", attempt=1)
TURN = due.BeginTurn(session="s-1", run=1, turn=1)
JUDGE = due.Judge(policy="pol-1", attempt=1)
STOP = due.Stop(session="s-1", run=1)


class Desk:
    """A shortage with a machine, a clock and a log of its own."""

    def __init__(self, night: Night) -> None:
        self.lacks: dict[ev.Lack, str] = {}
        self.clock = 0.0
        self.state = State()
        self.told: list[ev.Fact] = []
        self.blocked = ""
        world = replace(night.world, shortage=lambda: self.lacks)
        self.shortage = Shortage(
            world, lambda: self.state, self.tell, OwnTime(lambda: self.clock), lambda: self.blocked
        )

    async def tell(self, *facts: ev.Fact) -> None:
        for fact in facts:
            self.told.append(fact)
            self.state.apply(ev.Logged(seq=self.state.seq + 1, at=1.0, fact=fact))

    def held(self) -> list[due.Effect]:
        return [effect for effect in (START, PREPARE, TURN, JUDGE, STOP) if self.shortage.holds(effect)]

    async def after(self, seconds: float) -> None:
        for _ in range(int(seconds)):
            self.clock += 1.0
            await self.shortage.look()


@pytest.fixture
def desk(night: Night) -> Desk:
    return Desk(night)


async def test_what_is_short_is_told_once_and_so_is_its_end(desk: Desk) -> None:
    desk.lacks = {"disk": "2 MB left"}
    await desk.after(5)
    assert desk.told == [ev.SupervisorDegraded(kind="disk", why="2 MB left")]
    desk.lacks = {}
    await desk.after(5)
    assert desk.told[1:] == [ev.SupervisorRecovered(kind="disk")]


@pytest.mark.parametrize(
    ("kind", "held"),
    [
        ("disk", [START, PREPARE, TURN, JUDGE]),
        ("descriptors", [START, PREPARE, TURN]),
        ("memory", [START, PREPARE]),
    ],
)
async def test_what_is_new_waits_and_ends_never_do(desk: Desk, kind: ev.Lack, held: list[due.Effect]) -> None:
    assert desk.held() == []
    desk.lacks = {kind: "short"}
    await desk.shortage.see()
    assert desk.held() == held, "also before the log has taken it"
    await desk.after(1)
    assert desk.held() == held
    desk.lacks = {}
    await desk.after(1)
    assert desk.held() == []


async def test_a_log_that_takes_nothing_is_a_full_disk(desk: Desk) -> None:
    desk.blocked = "the disk that holds the log is full"
    await desk.shortage.see()
    assert desk.held() == [START, PREPARE, TURN, JUDGE] and desk.told == []


def run_started() -> ev.RunStarted:
    return ev.RunStarted(run="run-1", settings=RunSettings(digest="d"), by=ME)


async def test_a_disk_that_stays_full_halts_the_run_once_and_only_after_its_grace(desk: Desk) -> None:
    await desk.tell(run_started())
    desk.lacks = {"disk": "2 MB left"}
    await desk.after(899)
    assert not any(isinstance(fact, ev.RunHalting) for fact in desk.told)
    desk.lacks = {}
    await desk.after(1)
    desk.lacks = {"disk": "1 MB left"}
    await desk.after(899)
    assert not any(isinstance(fact, ev.RunHalting) for fact in desk.told), "room in between begins anew"
    await desk.after(10)
    (halted,) = [fact for fact in desk.told if isinstance(fact, ev.RunHalting)]
    assert halted.run == "run-1" and "for 15 minutes: 1 MB left" in halted.reason


async def test_memory_that_stays_short_halts_nothing(desk: Desk) -> None:
    await desk.tell(run_started())
    desk.lacks = {"memory": "none"}
    await desk.after(2000)
    assert not any(isinstance(fact, ev.RunHalting) for fact in desk.told)


# -- a whole supervisor ----------------------------------------------------------------------------------


async def test_a_session_waits_for_memory_and_starts_by_itself_when_it_is_back(night: Night) -> None:
    lacks: dict[ev.Lack, str] = {"memory": "100 MB of memory is free, one more session needs 300 MB"}
    night.world = replace(night.world, shortage=lambda: dict(lacks))
    async with night.supervised():
        night.session()
        await night.until(lambda state: state.lacking)
        assert night.state.lacking["memory"].why.startswith("100 MB")
        assert night.script.calls == [] and night.state.sessions["s-1"].phase == "starting"
        night.script.expect("start", "c1")
        night.expect_turn(ENDED)
        lacks.clear()
        await night.until(lambda state: state.sessions["s-1"].turn and state.sessions["s-1"].turn.end_seq)
    assert len(night.facts(ev.SupervisorDegraded)) == len(night.facts(ev.SupervisorRecovered)) == 1


class Full(Log):
    """full: every append fails for want of space."""

    full = False

    def append(self, entries: Sequence[ev.Logged]) -> None:
        if Full.full:
            raise LogFull("the disk that holds the log is full")
        super().append(entries)


@pytest.fixture
def full(night: Night, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Journal]:
    monkeypatch.setattr(Full, "full", False)
    monkeypatch.setattr("console.engine.journal.FULL_RETRY", 0.02)
    return lambda: Journal(Full(night.path), lambda: 1_700_000_000.0)


@pytest.mark.row("F3")
async def test_a_turn_that_ends_while_the_log_is_full_is_recorded_when_there_is_room(
    night: Night, full: Callable[[], Journal]
) -> None:
    night.script.expect("start", "c1")
    night.script.expect("turn_base", H0, H0)
    night.script.expect("prompt", None)
    async with night.supervised(open_journal=full) as task:
        session = night.session()
        await night.until(lambda state: night.prompted and state.sessions[session].phase == "working")
        assert night.sup
        Full.full = True
        agent = night.agents.started[0]
        agent._break.set_result(ENDED)
        while not night.sup.shortage.short:
            await asyncio.sleep(0.005)
        for _ in range(20):  # it looks after everything else meanwhile
            await asyncio.sleep(0.01)
        assert not task.done() and night.facts(ev.TurnEnded) == []
        Full.full = False
        await night.until(lambda state: state.sessions[session].turn.end_seq)  # type: ignore[union-attr]
        await night.until(lambda state: not state.lacking)
    assert len(night.facts(ev.TurnEnded)) == 1
    assert night.facts(ev.SupervisorTrouble) == []


async def test_a_supervisor_whose_log_is_full_still_stops_and_ends_its_agents(
    night: Night, full: Callable[[], Journal], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("console.engine.supervisor.LAST_WORDS", 0.1)
    night.script.expect("start", "c1")
    began = time.monotonic()
    async with night.supervised(open_journal=full) as task:
        session = night.session("")
        await night.until(lambda state: state.sessions[session].phase == "ready")
        Full.full = True
        assert night.sup
        night.sup.request_stop("SIGTERM")
        assert await asyncio.wait_for(task, 20) == "SIGTERM"
    assert night.agents.started[0].stopped and time.monotonic() - began < 10


async def test_a_log_that_is_full_from_the_first_moment_is_said_at_once(
    night: Night, full: Callable[[], Journal]
) -> None:
    Full.full = True
    async with night.supervised(open_journal=full) as task:
        with pytest.raises(LogFull):
            await asyncio.wait_for(task, 20)


# -- a log that was torn -----------------------------------------------------------------------------------


@pytest.mark.row("F6", "B6")
async def test_a_torn_log_after_a_reboot_interrupts_what_lived_once(night: Night) -> None:
    for _ in range(3):
        session = night.session("")
        night.report(ev.SessionStarted(session=session, run=1, conversation="c1", pid=4_000_000))
    night.report(ev.SupervisorTrouble(effect="the last record", error="x" * 3000, tries=1))
    night.journal.close()
    wal = night.path.with_name(f"{night.path.name}-wal")
    os.truncate(wal, wal.stat().st_size - 2000)
    night.path.with_name(f"{night.path.name}-shm").unlink()
    night.journal = night.open_journal()
    assert len(night.facts(ev.SessionStarted)) == 3 and night.facts(ev.SupervisorTrouble) == []
    for _ in range(2):
        async with night.supervised():
            await night.until(lambda state: state.supervisor and state.supervisor.running)
    assert sorted(fact.session for fact in night.facts(ev.SessionInterrupted)) == ["s-1", "s-2", "s-3"]
