"""Faults of the world and of the log: told, tried again, and never a turn, an agent or a landing too many."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import pytest
from night import ENDED, GREEN, H0, ME, Night, approved, done, frozen, landed

from console.adapters.store import Log
from console.core import commands as cmd
from console.core import events as ev
from console.core.records import Gate, PolicySpec, ProcessEnd
from console.engine.journal import Journal
from console.engine.ports import Unable

# -- faults of the world ---------------------------------------------------------------------------


async def test_a_cancelled_policy_ends_its_gate(night: Night) -> None:
    night.script.expect("start", "c1")
    night.expect_turn(ENDED)
    night.script.expect("worktrees", ())
    night.script.expect("launch", None)
    async with night.supervised():
        policy = night.attach(night.session())
        await night.until(lambda state: night.processes.running)
        night.do(cmd.CancelPolicy(policy=policy, by=ME))
        await night.until(lambda state: night.processes.running[0].stops)
    assert night.state.policies[policy].status == "cancelled"
    assert night.facts(ev.PolicyJudged) == []


async def test_a_gate_over_its_limit_is_stopped_and_timed_out(night: Night) -> None:
    night.script.expect("start", "c1")
    night.expect_turn(ENDED)
    night.script.expect("worktrees", ())
    night.script.expect("launch", None)
    session = night.session()
    spec = PolicySpec(sessions=(session,), gate=Gate(argv=("make",), timeout=0.05))
    async with night.supervised():
        policy = night.do(cmd.AttachPolicy(spec=spec, by=ME))[0].fact.policy  # type: ignore[union-attr]
        await night.until(done(policy, "blocked"))
    assert night.processes.running[0].stops
    assert night.state.policies[policy].result.verdict == "timeout"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("end", "verdict"),
    [
        (ProcessEnd(how="exited", code=0), "green"),
        (ProcessEnd(how="exited", code=0, stopped=True), "unjudged"),
        (ProcessEnd(how="exited", code=1), "red"),
        (ProcessEnd(how="signaled", signal=11), "red"),
        (ProcessEnd(how="not-started", reason="permission denied"), "unjudged"),
        (ProcessEnd(how="lost", reason="its shim died"), "unjudged"),
        (ProcessEnd(how="unkillable", reason="pid 5 is in state D"), "unjudged"),
    ],
)
async def test_only_an_exit_0_that_was_seen_is_green(night: Night, end: ProcessEnd, verdict: str) -> None:
    night.script.expect("start", "c1")
    night.expect_turn(ENDED)
    night.script.expect("worktrees", ())
    night.script.expect("launch", end)
    async with night.supervised():
        night.attach(night.session())
        await night.until(lambda state: state.policies["pol-1"].result)
    result = night.state.policies["pol-1"].result
    assert result and result.verdict == verdict
    assert result.reason == (end.reason if verdict == "unjudged" and end.reason else result.reason)


async def test_an_effect_that_raises_is_told_and_tried_again(night: Night) -> None:
    plan = frozen(night.worktree)
    night.script.expect("start", "c1")
    night.expect_turn(ENDED)
    night.script.expect("turn_base", ValueError("a bug"), OSError("another"))
    night.expect_judgement(plan=plan)
    async with night.supervised():
        policy = night.attach(night.session(), commits=True)
        await night.until(done(policy, "awaiting-ack"))
    first, second = night.facts(ev.SupervisorTrouble)
    assert first.error.startswith("ValueError: a bug (") and first.tries == 1 and "Judge" in first.effect
    assert second.error.startswith("OSError: another (") and second.tries == 2


async def test_it_lingers_after_its_last_work_and_leaves(night: Night) -> None:
    async with night.supervised(linger=0.05) as task:
        assert await asyncio.wait_for(task, 20) == "nothing left to do"
    assert [fact.reason for fact in night.facts(ev.SupervisorStopped)] == ["nothing left to do"]


async def test_it_does_not_leave_while_an_agent_lives(night: Night) -> None:
    night.script.expect("start", "c1")
    ticks: list[int] = []

    async def upkeep() -> None:
        ticks.append(1)

    async with night.supervised(linger=0.01, upkeep=upkeep) as task:
        session = night.session("")
        await night.until(lambda state: state.sessions[session].phase == "ready")
        seen = len(ticks)
        await night.until(lambda state: len(ticks) > seen + 5)
        assert not task.done()
        night.do(cmd.StopSession(session=session, by=ME))
        assert await asyncio.wait_for(task, 20) == "nothing left to do"


async def test_a_fault_in_what_is_done_every_second_is_told_once_and_not_died_of(night: Night) -> None:
    ticks: list[int] = []

    async def broken() -> None:
        ticks.append(1)
        raise IsADirectoryError(21, "Is a directory")

    async def upkeep() -> None:
        raise KeyError("a bug")

    async with night.supervised(upkeep=upkeep) as task:
        assert night.sup
        night.sup.tickets.look = broken  # type: ignore[method-assign]
        await night.until(lambda state: len(ticks) > 5)
        assert not task.done()
    told = [(fact.effect, fact.error) for fact in night.facts(ev.SupervisorTrouble)]
    assert sorted(told) == [
        ("look after processes", "KeyError: 'a bug'"),
        ("look after tickets", "IsADirectoryError: [Errno 21] Is a directory"),
    ]


async def test_stopping_ends_the_agents_and_keeps_their_sessions(night: Night) -> None:
    night.script.expect("start", "c1")
    night.script.expect("turn_base", H0)
    night.script.expect("prompt", None)
    async with night.supervised() as task:
        session = night.session()
        await night.until(lambda state: state.sessions[session].phase == "working")
        assert night.sup
        night.sup.request_stop("SIGTERM")
        assert await asyncio.wait_for(task, 20) == "SIGTERM"
    assert night.agents.started[0].stopped
    kept = night.state.sessions[session]
    assert (kept.phase, [p.turn for p in kept.prompts]) == ("suspended", [1])
    assert night.state.supervisor and not night.state.supervisor.running


async def test_a_lost_lock_ends_it_and_its_agents(night: Night) -> None:
    ours = [True]
    night.script.expect("start", "c1")
    async with night.supervised(still_ours=lambda: ours[0]) as task:
        session = night.session("")
        await night.until(lambda state: state.sessions[session].phase == "ready")
        ours.clear()
        ours.append(False)
        assert "lock is no longer ours" in await asyncio.wait_for(task, 20)
    assert night.agents.started[0].stopped


async def test_a_lost_lock_is_noticed_however_busy_the_log_is(night: Night) -> None:
    ours = [True]
    async with night.supervised(still_ours=lambda: ours[0]) as task:
        ours[0] = False
        while not task.done():
            night.report(ev.SupervisorTrouble(effect="noise", error="noise", tries=1))
            await asyncio.sleep(0.001)
        assert "lock is no longer ours" in task.result()


async def test_the_loser_of_the_lock_says_nothing_about_its_successors_sessions(night: Night) -> None:
    ours = [True]
    night.script.expect("start", "c1")
    async with night.supervised(still_ours=lambda: ours[0]) as task:
        session = night.session("")
        await night.until(lambda state: state.sessions[session].phase == "ready")
        night.report(ev.SupervisorStarted(pid=78, start_time=2, host="h", version="0"))
        night.report(ev.SessionInterrupted(session=session, run=1))
        night.report(ev.SessionStarted(session=session, run=2, conversation="c1", pid=99))
        ours[0] = False
        await asyncio.wait_for(task, 20)
    kept = night.state.sessions[session]
    assert (kept.phase, kept.run, kept.pid) == ("ready", 2, 99)
    assert night.state.supervisor and (night.state.supervisor.pid, night.state.supervisor.running) == (78, True)


# -- faults of the log -----------------------------------------------------------------------------


class Flaky(Log):
    """lose: appending an event of these kinds fails, once each. dead: every transaction fails."""

    lose: set[str] = set()
    dead = False

    @contextmanager
    def transaction(self) -> Iterator[None]:
        if Flaky.dead:
            raise OSError("no space left on device")
        with super().transaction():
            yield

    def append(self, entries: Sequence[ev.Logged]) -> None:
        for entry in entries:
            if (kind := ev.type_of(entry.fact)) in Flaky.lose:
                Flaky.lose.discard(kind)
                raise OSError("no space left on device")
        super().append(entries)


@pytest.fixture
def flaky(night: Night, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Journal]:
    monkeypatch.setattr(Flaky, "lose", set())
    monkeypatch.setattr(Flaky, "dead", False)
    return lambda: Journal(Flaky(night.path), lambda: 1_700_000_000.0)


@pytest.mark.parametrize("kind", ["session:started", "turn-start", "turn-end", "policy:judged", "plan:landing"])
async def test_what_could_not_be_written_once_is_not_lost(
    night: Night, flaky: Callable[[], Journal], kind: str
) -> None:
    plan = frozen(night.worktree)
    night.script.expect("start", "c1")
    night.expect_turn(ENDED)
    night.expect_judgement(plan=plan)
    night.expect_landing(landed(night, plan))
    if kind == "turn-start":
        night.script.expect("turn_base", H0)
    if kind == "policy:judged":
        night.expect_judgement(plan=plan)
    if kind == "plan:landing":
        night.script.expect("moved", None)
        night.script.expect("drift", ())
    Flaky.lose.add(kind)
    async with night.supervised(open_journal=flaky):
        policy = night.attach(night.session(), commits=True)
        await night.until(done(policy, "awaiting-ack"))
        night.do(cmd.Approve(policy=policy, plan=plan.commit, by=ME))
        await night.until(done(policy))
    assert not Flaky.lose
    assert len(night.facts(ev.PolicyCommitted)) == 1


async def test_a_landing_whose_outcome_could_not_be_written_is_not_landed_twice(
    night: Night, flaky: Callable[[], Journal]
) -> None:
    policy, plan = approved(night)
    night.expect_landing(landed(night, plan))
    night.script.expect("landed", True)
    night.script.expect("land", landed(night, plan))
    Flaky.lose.add("policy:committed")
    async with night.supervised(open_journal=flaky):
        await night.until(done(policy))
    (told,) = night.facts(ev.PolicyCommitted)
    assert "found landed" in told.note


async def test_agents_are_ended_even_when_the_log_takes_nothing_more(
    night: Night, flaky: Callable[[], Journal]
) -> None:
    night.script.expect("start", "c1")
    async with night.supervised(open_journal=flaky) as task:
        session = night.session("")
        await night.until(lambda state: state.sessions[session].phase == "ready")
        Flaky.dead = True
        assert night.sup
        night.sup.request_stop("SIGTERM")
        assert await asyncio.wait_for(task, 20) == "SIGTERM"
    assert night.agents.started[0].stopped


async def test_a_writer_that_cannot_start_ends_the_supervisor(night: Night) -> None:
    opened: list[int] = []

    def open_journal() -> Journal:
        opened.append(1)
        if len(opened) > 1:
            raise OSError("too many open files")
        return night.open_journal()

    async with night.supervised(open_journal=open_journal) as task:
        with pytest.raises(OSError, match="too many open files"):
            await asyncio.wait_for(task, 20)


async def test_a_repository_that_git_cannot_read_blocks_the_policy_with_its_words(night: Night) -> None:
    plan = frozen(night.worktree)
    night.script.expect("start", "c1")
    night.expect_turn(ENDED)
    night.script.expect("launch", GREEN)
    night.script.expect("turn_base", H0)
    night.script.expect("identity", plan.author)
    night.script.expect("freeze", plan)
    night.script.expect("drift", ())
    night.script.expect("same_bytes", Unable("git read-tree: hash mismatch"))
    async with night.supervised():
        policy = night.attach(night.session(), commits=True)
        await night.until(done(policy, "blocked"))
    assert night.state.policies[policy].reason == "git read-tree: hash mismatch"
    assert night.facts(ev.SupervisorTrouble) == []


async def test_a_key_press_on_what_git_cannot_read_leaves_the_plan_waiting_with_its_words(night: Night) -> None:
    policy, plan = approved(night)
    night.script.expect("moved", Unable("git rev-parse took too long"))
    async with night.supervised():
        await night.until(done(policy, "awaiting-ack"))
    assert night.state.plans[plan.commit].reason == "git rev-parse took too long"
    assert night.facts(ev.PlanLanding) == night.facts(ev.SupervisorTrouble) == []
