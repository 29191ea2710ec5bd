"""The supervisor with a faked world: whole nights."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

from night import ENDED, GREEN, H0, MAIN, ME, RED, Night, done, frozen, landed

from console.core import commands as cmd
from console.core import events as ev
from console.core.records import Launch, Option, ProcessEnd, Refused
from console.engine.ports import Answered, Asked, TurnBase, TurnResult


async def test_from_a_prompt_to_a_landed_commit(night: Night) -> None:
    plan = frozen(night.worktree)
    night.script.expect("start", "c1")
    night.expect_turn(ENDED)
    night.expect_judgement(plan=plan)
    async with night.supervised():
        session = night.session("fix a")
        policy = night.attach(session, commits=True)
        await night.until(done(policy, "awaiting-ack"))
        assert "land" not in night.script.calls
        night.expect_landing(landed(night, plan))
        night.do(cmd.Approve(policy=policy, plan=plan.commit, by=ME))
        await night.until(done(policy))
    assert night.agents.started[0].prompts == [(1, "fix a")]
    (gate,) = night.processes.specs
    assert (gate.argv, gate.cwd) == (("/bin/make", "check"), str(night.worktree))
    (committed,) = night.facts(ev.PolicyCommitted)
    assert (committed.sha, committed.ref) == (plan.commit, MAIN)


async def test_red_is_nudged_in_the_same_conversation_and_green_then(night: Night) -> None:
    night.script.expect("start", "c1")
    night.expect_turn(ENDED, ENDED)
    night.script.expect("worktrees", (), ())
    night.script.expect("launch", RED, GREEN)
    async with night.supervised():
        session = night.session()
        policy = night.attach(session, nudge=True)
        await night.until(done(policy))
    assert night.agents.started[0].prompts == [(1, "go"), (2, "fix: 1")]


async def test_green_only_in_the_worktree_is_gated_again_on_the_plan(night: Night) -> None:
    plan = frozen(night.worktree)
    night.script.expect("start", "c1")
    night.expect_turn(ENDED)
    night.expect_judgement(plan=plan, differs=("b.txt",))
    night.script.expect("checkout", None)
    night.script.expect("launch", RED)
    async with night.supervised():
        policy = night.attach(night.session(), commits=True)
        await night.until(done(policy, "blocked"))
    assert "green only in the worktree" in night.state.policies[policy].reason
    assert [Path(spec.cwd).parent.name for spec in night.processes.specs] == [night.worktree.parent.name, "checkouts"]
    assert not Path(night.processes.specs[1].cwd).exists()


async def test_a_question_is_answered_and_the_turn_goes_on(night: Night) -> None:
    night.script.expect("start", "c1")
    night.script.expect("turn_base", H0)
    night.script.expect("prompt", None)
    async with night.supervised():
        session = night.session()
        await night.until(lambda state: night.prompted)
        agent = night.agents.started[0]
        agent.report(Asked(question="q1", title="May I?", options=(Option(id="yes", name="Yes"),)))
        await night.until(lambda state: state.sessions[session].question)

        def answered(question: str, option: str | None) -> bool:
            agent.report(Answered(question=question, option=option or ""))
            return True

        night.script.expect("answer", answered)
        night.do(cmd.AnswerQuestion(session=session, option="yes", by=ME))
        await night.until(lambda state: state.sessions[session].phase == "working")
    assert [fact.option for fact in night.facts(ev.InputAnswered)] == ["yes"]


async def test_an_answer_that_comes_too_late_closes_the_question(night: Night) -> None:
    night.script.expect("start", "c1")
    night.script.expect("turn_base", H0)
    night.script.expect("prompt", None)
    night.script.expect("answer", False)
    async with night.supervised():
        session = night.session()
        await night.until(lambda state: night.prompted)
        night.agents.started[0].report(Asked(question="q1", title="?", options=(Option(id="yes", name="Yes"),)))
        await night.until(lambda state: state.sessions[session].question)
        night.do(cmd.AnswerQuestion(session=session, option="yes", by=ME))
        await night.until(lambda state: state.sessions[session].question is None)


async def test_an_interrupt_cancels_once_and_the_session_stays_up(night: Night) -> None:
    night.script.expect("start", "c1")
    night.script.expect("turn_base", H0, H0)
    night.script.expect("prompt", None)
    night.script.expect("cancel", None)
    async with night.supervised():
        session = night.session()
        policy = night.attach(session)
        await night.until(lambda state: state.sessions[session].phase == "working")
        night.do(cmd.InterruptTurn(session=session, by=ME))
        await night.until(lambda state: state.sessions[session].phase == "ready")
        assert night.state.policies[policy].status == "watching"


async def test_an_agent_that_dies_in_its_turn_is_an_exit_with_its_words(night: Night) -> None:
    after = TurnBase(ref=H0.ref, head="c" * 40)
    night.script.expect("start", "c1")
    night.script.expect("turn_base", H0, after)
    night.script.expect("prompt", None)
    async with night.supervised():
        session = night.session()
        policy = night.attach(session)
        await night.until(lambda state: night.prompted)
        night.agents.started[0].end(ProcessEnd(how="exited", code=9, reason="out of memory"))
        await night.until(lambda state: state.sessions[session].restart_at)
        await night.until(lambda state: bool(night.facts(ev.AgentCommitted)))  # what it committed is not hidden
    assert night.state.sessions[session].exit == "out of memory"
    assert night.facts(ev.TurnEnded) == [] and done(policy, "watching")(night.state), "its turn is to begin again"


async def test_an_agent_that_dies_while_it_starts_is_not_kept(night: Night) -> None:
    night.script.expect("start", "c1")
    night.agents.dies_at_start = ProcessEnd(how="exited", code=3)
    async with night.supervised(linger=0.05) as task:
        session = night.session("")
        await night.until(lambda state: state.sessions[session].phase == "exited")
        assert await asyncio.wait_for(task, 20) == "nothing left to do"
    assert night.state.sessions[session].exit == "exit 3"


async def test_an_agent_that_cannot_start_is_told_with_the_reason(night: Night) -> None:
    night.script.expect("start", Refused(reason="no such program"))
    async with night.supervised():
        session = night.session()
        await night.until(lambda state: state.sessions[session].phase == "exited")
    assert "no such program" in night.state.sessions[session].exit


async def test_a_stopped_session_gets_no_prompt_any_more(night: Night) -> None:
    """The stop arrives while the supervisor looks where the worktree stands."""
    inside, go = threading.Event(), threading.Event()

    def slow(worktree: str) -> TurnBase:
        inside.set()
        assert go.wait(20)
        return H0

    night.script.expect("start", "c1")
    night.script.expect("turn_base", slow)
    async with night.supervised():
        session = night.session()
        assert await asyncio.to_thread(inside.wait, 20)
        night.do(cmd.StopSession(session=session, by=ME))
        await night.until(lambda state: state.sessions[session].phase == "exited")
        go.set()
    assert night.agents.started[0].prompts == []
    assert night.facts(ev.TurnStarted) == []


async def test_a_commit_by_the_agent_is_told(night: Night) -> None:
    after = TurnBase(ref=MAIN, head="b" * 40)
    night.script.expect("start", "c1")
    night.script.expect("prompt", ENDED)
    night.script.expect("turn_base", H0, after)
    async with night.supervised():
        session = night.session()
        await night.until(lambda state: state.sessions[session].phase == "ready" and state.sessions[session].turns)
    (told,) = night.facts(ev.AgentCommitted)
    assert (told.before, told.after) == (H0.head, after.head)


async def test_a_command_session_tells_its_exit_code(night: Night) -> None:
    night.script.expect("start", "")
    night.expect_turn(TurnResult(ok=False, stop="exit", code=4))
    async with night.supervised():
        night.session(launch=Launch(argv=("script",), protocol="command"))
        await night.until(lambda state: state.sessions["s-1"].turn and state.sessions["s-1"].turn.end_seq)
    assert [fact.code for fact in night.facts(ev.CommandDone)] == [4]
