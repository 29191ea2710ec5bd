"""The supervisor with a faked world: agents that hang, crash or never come up, and what earlier ones left behind."""

from __future__ import annotations

import asyncio
import dataclasses
import threading
from pathlib import Path
from typing import Any

import pytest
from night import ENDED, H0, ME, Night

from console.core import commands as cmd
from console.core import events as ev
from console.core import restart_limits
from console.core.records import Launch, Leftover, ProcessEnd, Usage
from console.engine import leftovers, session_work
from console.engine.ports import TurnResult

SCRIPT = Launch(argv=("script",), protocol="command")
KILLED = ProcessEnd(how="signaled", signal=9)


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(restart_limits, "FIRST_WAIT", 0.05)
    monkeypatch.setattr(leftovers, "SHIM_PATIENCE", 0.3)


def world(night: Night, **changes: Any) -> None:
    night.world = dataclasses.replace(night.world, **{"now": night.journal._now} | changes)


def hung(night: Night, session: str, cause: ev.RestartCause = "hang") -> None:
    s = night.state.sessions[session]
    night.report(ev.SessionHung(session=session, run=s.run, turn=s.turns, cause=cause, why="silent for 600 s"))


def exits(night: Night) -> list[ev.Exited]:
    return night.facts(ev.Exited)


async def test_a_hung_agent_is_ended_without_patience_and_its_conversation_goes_on(night: Night) -> None:
    world(night)
    night.script.expect("start", "c1", "c1")
    night.script.expect("turn_base", H0, H0)
    night.script.expect("prompt", None)
    night.expect_turn(ENDED)
    async with night.supervised():
        session = night.session("fix a")
        await night.until(lambda state: night.prompted)
        hung(night, session)
        await night.until(lambda state: night.facts(ev.TurnEnded))
    first, second = night.agents.started
    assert first.patience == 0.0 and second.spec.conversation == "c1"
    (told,) = second.prompts
    assert told[0] == 2 and told[1].startswith("The process that you ran in hung") and told[1].endswith("fix a")
    assert (exits(night)[0].reason, exits(night)[0].stopped) == ("silent for 600 s", False)
    (ended,) = night.facts(ev.TurnEnded)
    assert ended.turn == 2 and ended.ok, "the turn that hung has no end of its own"
    kinds = [type(fact).__name__ for fact in night.facts()]
    assert kinds.index("Exited") < kinds.index("SessionRestarting"), "only when the old processes are proven gone"


async def test_a_start_that_hangs_is_cancelled_told_with_its_reason_and_tried_again(night: Night) -> None:
    world(night)
    never: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    night.script.expect("start", never, "c1")
    night.expect_turn(ENDED)
    async with night.supervised():
        session = night.session("fix a")
        await night.until(lambda state: "start" in night.script.calls)
        hung(night, session, "start")
        await night.until(lambda state: night.facts(ev.TurnEnded))
    assert (exits(night)[0].how, exits(night)[0].reason) == ("not-started", "silent for 600 s")
    (agent,) = night.agents.started
    assert agent.prompts == [(1, "fix a")] and night.facts(ev.SessionRestarting)[0].cause == "start"


@pytest.mark.parametrize(
    ("result", "end", "again"),
    [
        (TurnResult(ok=False, stop="died", code=137), KILLED, True),
        (TurnResult(ok=False, stop="lost", code=-1), ProcessEnd(how="lost", reason="no shim"), True),
        (TurnResult(ok=False, stop="unkillable", code=-1), ProcessEnd(how="unkillable", reason="pid 7: D"), False),
        (TurnResult(ok=False, stop="exit 1", code=1), None, False),
    ],
)
async def test_a_commands_process_that_broke_off_is_its_sessions_end(
    night: Night, result: TurnResult, end: ProcessEnd | None, again: bool
) -> None:
    world(night)
    night.script.expect("start", "c1")

    def prompted(turn: int, text: str) -> TurnResult:
        night.agents.started[0].ends = end
        return result

    night.script.expect("prompt", prompted)
    night.script.expect("turn_base", H0, H0)
    if again:
        night.script.expect("start", "c1")
        night.expect_turn(ENDED)
    async with night.supervised():
        session = night.session("fix a", launch=SCRIPT)
        await night.until(lambda state: night.facts(ev.TurnEnded) or state.sessions[session].stuck)
        state = night.state
    assert len(night.agents.started) == 1 + again
    assert state.sessions[session].stuck == ("pid 7: D" if end and end.how == "unkillable" else "")
    if end is None:
        assert not state.sessions[session].turn or not state.sessions[session].turn.ok  # type: ignore[union-attr]


@pytest.mark.parametrize("launch", [SCRIPT, Launch(argv=("agent",))])
@pytest.mark.parametrize("hangs", [False, True])
async def test_the_end_of_an_agent_tells_what_the_turn_that_it_cut_off_had_cost(
    night: Night, launch: Launch, hangs: bool
) -> None:
    """And only of that turn: the next one has its own."""
    world(night)
    night.script.expect("start", "c1", "c1")
    night.script.expect("turn_base", H0, H0)
    cost = Usage(cost_usd=12.5, input_tokens=7)

    def prompted(turn: int, text: str) -> TurnResult:
        agent = night.agents.started[0]
        if hangs:
            hung(night, "s-1")
        agent.ends = KILLED
        if launch.protocol != "command" and not hangs:
            agent.end(KILLED)
        return TurnResult(ok=False, stop="died", code=137, usage=cost)

    night.script.expect("prompt", prompted)
    night.expect_turn(ENDED)
    async with night.supervised():
        night.session("fix a", launch=launch)
        await night.until(lambda state: night.facts(ev.TurnEnded))
    (ended,) = night.facts(ev.TurnEnded)
    assert [fact.usage for fact in exits(night)][:1] == [cost] and ended.usage is None
    assert not any(fact.usage for fact in exits(night)[1:])


@pytest.mark.row("C8")
async def test_a_stop_during_the_wait_starts_nothing(night: Night, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(restart_limits, "FIRST_WAIT", 0.3)
    world(night)
    night.script.expect("start", "c1")
    night.script.expect("turn_base", H0, H0)
    night.script.expect("prompt", None)
    async with night.supervised() as task:
        session = night.session()
        await night.until(lambda state: night.prompted)
        night.agents.started[0].end(KILLED)
        await night.until(lambda state: state.sessions[session].restart_at)
        night.do(cmd.StopSession(session=session, by=ME))
        assert night.sup
        night.sup.linger(0.6)
        assert await asyncio.wait_for(task, 20) == "nothing left to do"
    assert night.state.sessions[session].stopped and not night.facts(ev.SessionRestartDue)


@pytest.mark.row("B6")
async def test_the_wait_goes_on_under_the_next_supervisor_and_ends_in_one_start(
    night: Night, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(restart_limits, "FIRST_WAIT", 0.5)
    world(night)
    night.script.expect("start", "c1")
    night.script.expect("turn_base", H0, H0)
    night.script.expect("prompt", None)
    async with night.supervised():
        session = night.session("fix a")
        await night.until(lambda state: night.prompted)
        night.agents.started[0].end(KILLED)
        await night.until(lambda state: state.sessions[session].restart_at)
    assert not night.facts(ev.SessionInterrupted), "it had no processes that a supervisor could lose"
    night.script.expect("start", "c1")
    night.expect_turn(ENDED)
    async with night.supervised():
        await night.until(lambda state: night.facts(ev.TurnEnded))
    assert len(night.agents.started) == 2 and len(night.facts(ev.SessionRestartDue)) == 1
    assert len(night.state.sessions[session].restarts) == 1


async def test_a_stop_in_the_first_moments_of_a_start_starts_nothing(night: Night) -> None:
    held = threading.Event()
    world(night, sandbox=lambda _worktree, _writable: held.wait(10) and None)
    async with night.supervised() as task:
        session = night.session()
        await night.until(lambda state: night.watch.did)
        night.do(cmd.StopSession(session=session, by=ME))
        await night.until(lambda state: state.sessions[session].phase == "exited")
        held.set()
        assert night.sup
        night.sup.linger(0.05)
        assert await asyncio.wait_for(task, 20) == "nothing left to do"
    assert not night.agents.started and len(exits(night)) == 1


# -- what earlier sessions left --------------------------------------------------------------------------


def left_by_a_crash(night: Night) -> str:
    """A session of an earlier supervisor whose end nobody saw."""
    old = night.session("old")
    night.report(
        ev.SessionStarted(session=old, run=1, conversation="c0", pid=41, shim_pid=40, shim_start=4),
        ev.SessionInterrupted(session=old, run=1),
    )
    night.do(cmd.StopSession(session=old, by=ME))
    return old


@pytest.mark.row("B3", "B6")
async def test_files_are_not_put_back_while_something_of_the_lost_session_may_still_write(
    night: Night, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leftovers, "SHIM_PATIENCE", 0.2)
    session = night.session("fix a")
    night.report(
        ev.SessionStarted(session=session, run=1, conversation="c0", pid=41, shim_pid=40, shim_start=4),
        ev.SnapshotTaken(session=session, turn=1, snapshot="snap-1"),
        ev.SessionInterrupted(session=session, run=1),
        ev.RollbackRequested(session=session, snapshot="snap-1", by=ME),
    )
    world(night, alive=lambda pid, start: (pid, start) == (40, 4))
    async with night.supervised():
        await night.until(lambda state: night.facts(ev.RolledBack))
        await night.until(not_started(session))
    (done,) = night.facts(ev.RolledBack)
    assert "pid 40" in done.refused and not night.snapshots.restored


def not_started(session: str) -> Any:
    return lambda state: state.sessions[session].phase == "exited"


@pytest.mark.row("B3")
async def test_no_agent_starts_beside_the_shim_of_any_earlier_session_of_its_worktree(night: Night) -> None:
    old = left_by_a_crash(night)
    world(night, alive=lambda pid, start: (pid, start) == (40, 4))
    async with night.supervised():
        session = night.session("new")
        await night.until(not_started(session))
    (told,) = (fact for fact in exits(night) if fact.session == session)
    assert told.how == "not-started" and f"shim of {old}, pid 40" in told.reason and "kill 40" in told.reason
    assert not night.facts(ev.SessionRestarting), "trying again helps nobody"


@pytest.mark.row("B3")
@pytest.mark.parametrize("there", [True, False])
async def test_no_agent_starts_beside_what_a_lost_shim_left_alive(night: Night, there: bool) -> None:
    """Without survivors (the negative control) the same worktree is used."""
    old = left_by_a_crash(night)
    asked: list[tuple[str, ...]] = []

    def survivors(sessions: Any) -> tuple[str, ...]:
        asked.append(tuple(sessions))
        return ("41 node server.js, port 8080, 42 s old",) if there else ()

    world(night, survivors=survivors)
    if not there:
        night.script.expect("start", "c1")
        night.expect_turn(ENDED)
    async with night.supervised():
        session = night.session("new")
        if there:
            await night.until(not_started(session))
        else:
            await night.until(lambda state: night.facts(ev.TurnEnded))
    assert asked[0] == (old,) and bool(night.agents.started) is not there
    if there:
        (told,) = (fact for fact in exits(night) if fact.session == session)
        assert "41 node server.js, port 8080" in told.reason and "nightdesk doctor" in told.reason


@pytest.mark.row("B2", "B3")
async def test_no_agent_starts_beside_an_orphan_that_carries_no_token(night: Night) -> None:
    left_by_a_crash(night)
    asked: list[tuple[str, int]] = []

    def beside(worktree: str, since: int) -> tuple[str, ...]:
        asked.append((worktree, since))
        return ("41 innocent, 5 s old",)

    world(night, beside=beside)
    async with night.supervised():
        session = night.session("new")
        await night.until(not_started(session))
    (told,) = (fact for fact in exits(night) if fact.session == session)
    assert "41 innocent" in told.reason and not night.agents.started
    assert asked == [(str(night.worktree), 4)]


async def test_a_session_that_was_seen_to_end_leaves_nobody_to_look_for(night: Night) -> None:
    asked: list[Any] = []
    world(night, survivors=lambda sessions: asked.append(sessions) or ())
    night.script.expect("start", "c1", "c2")
    night.expect_turn(ENDED, ENDED)
    async with night.supervised():
        first = night.session("one")
        await night.until(lambda state: len(night.facts(ev.TurnEnded)) == 1)
        night.do(cmd.StopSession(session=first, by=ME))
        await night.until(not_started(first))
        night.session("two")
        await night.until(lambda state: len(night.facts(ev.TurnEnded)) == 2)
    assert not asked


# -- what a turn leaves ----------------------------------------------------------------------------------


async def test_what_a_turn_started_and_left_running_is_told(night: Night) -> None:
    looks = iter(
        [
            [Leftover(pid=5, command="mcp-server", age=9.0)],
            [Leftover(pid=5, command="mcp-server", age=9.1), Leftover(pid=6, command="node dev.js", ports=(3000,))],
        ]
    )
    world(night, left_running=lambda shim, agent: next(looks))
    night.script.expect("start", "c1")
    night.expect_turn(ENDED)
    async with night.supervised():
        session = night.session()
        await night.until(lambda state: night.facts(ev.TurnEnded))
        assert night.state.sessions[session].processes == ("6 node dev.js, port 3000",)


async def test_a_look_that_takes_long_does_not_hold_the_end_of_a_turn(
    night: Night, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leftovers, "A_MOMENT", 0.05)
    held = threading.Event()
    world(night, left_running=lambda shim, agent: held.wait(10) and ())
    night.script.expect("start", "c1")
    night.expect_turn(ENDED)
    try:
        async with night.supervised():
            night.session()
            await night.until(lambda state: night.facts(ev.TurnEnded))
            assert not held.is_set() and not night.facts(ev.TurnProcesses)
            held.set()
    finally:
        held.set()


async def test_every_session_has_a_folder_for_what_it_tells_us_and_a_driver_that_waits_longer_than_the_watchdog(
    night: Night,
) -> None:
    world(night)
    night.script.expect("start", "c1")
    night.expect_turn(ENDED)
    async with night.supervised():
        night.session()
        await night.until(lambda state: night.facts(ev.TurnEnded))
    spec = night.agents.started[0].spec
    assert Path(spec.env["NIGHTDESK_INBOX"]).is_dir() and "NIGHTDESK_TICKET" not in spec.env
    assert spec.start_timeout >= 3600, "when a start has lasted too long is for the watchdog to say"


async def test_a_start_that_nobody_judges_is_hung_at_last_but_not_while_the_whole_fleet_is_silent(
    night: Night, monkeypatch: pytest.MonkeyPatch
) -> None:
    world(night)
    monkeypatch.setattr(session_work, "BACKSTOP", 0.05 - night.world.limits().start)
    monkeypatch.setattr(session_work, "STEP", 0.05)
    never: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    night.script.expect("start", never, "c1")
    night.expect_turn(ENDED)
    async with night.supervised():
        await night.until(lambda state: state.supervisor)
        sup = night.sup
        assert sup
        await sup.tell(ev.FuseBlown(sessions=("x", "y", "z"), at_work=3, why="silent"))
        night.session("fix a")
        await night.until(lambda state: "start" in night.script.calls)
        await asyncio.sleep(0.3)
        assert not night.facts(ev.SessionHung)
        await sup.tell(ev.FuseReset(why="they speak"))
        await night.until(lambda state: night.facts(ev.TurnEnded))
    assert [fact.cause for fact in night.facts(ev.SessionRestarting)] == ["start"]


# -- faults of our own -----------------------------------------------------------------------------------


async def test_a_start_that_we_fail_at_ourselves_ends_instead_of_being_tried_for_ever(night: Night) -> None:
    def broken(worktree: str, writable: bool) -> None:
        raise OSError("no such thing")

    world(night, sandbox=broken)
    async with night.supervised():
        session = night.session()
        await night.until(not_started(session))
    (told,) = exits(night)
    assert told.how == "not-started" and "nightdesk itself failed" in told.reason


@pytest.mark.parametrize("place", ["its own", "the one above"])
async def test_an_inbox_that_an_agent_made_something_else_of_is_made_again(night: Night, place: str) -> None:
    world(night)
    inbox = Path(night.world.places.inbox("s-1"))
    wrong = inbox if place == "its own" else inbox.parent
    wrong.parent.mkdir(parents=True, exist_ok=True)
    wrong.symlink_to("/dev/null") if place == "its own" else wrong.touch()
    night.script.expect("start", "c1")
    night.expect_turn(ENDED)
    async with night.supervised():
        night.session()
        await night.until(lambda state: night.facts(ev.TurnEnded))
    assert inbox.is_dir() and not inbox.is_symlink() and not night.facts(ev.SupervisorTrouble)
