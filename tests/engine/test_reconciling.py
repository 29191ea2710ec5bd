"""What a crash left open is looked up in the world, done once, and never guessed."""

from __future__ import annotations

from night import ENDED, GREEN, H0, MAIN, ME, Night, approved, done, frozen, intent, landed

from console.core import commands as cmd
from console.core import events as ev
from console.core.records import Frozen, Refused
from console.engine.journal import Journal
from console.engine.ports import Landed, Moved


async def test_an_approval_without_an_intent_is_checked_and_landed_once(night: Night) -> None:
    policy, plan = approved(night)
    night.expect_landing(landed(night, plan))
    async with night.supervised():
        await night.until(done(policy))
    assert len(night.facts(ev.PolicyCommitted)) == 1


async def test_an_intent_whose_ref_did_not_move_is_landed_once(night: Night) -> None:
    policy, plan = approved(night)
    intent(night, policy, plan)
    night.script.expect("landed", False)
    night.script.expect("land", landed(night, plan))
    async with night.supervised():
        await night.until(done(policy))
    assert (len(night.facts(ev.PlanLanding)), len(night.facts(ev.PolicyCommitted))) == (1, 1)


async def test_what_git_has_but_the_log_has_not_is_written_down_and_said(night: Night) -> None:
    policy, plan = approved(night)
    intent(night, policy, plan)
    night.script.expect("landed", True)
    night.script.expect("land", landed(night, plan))
    async with night.supervised():
        await night.until(done(policy))
    (told,) = night.facts(ev.PolicyCommitted)
    assert "found landed after a restart" in told.note


async def test_a_ref_that_was_moved_between_intent_and_crash_is_never_overwritten(night: Night) -> None:
    policy, plan = approved(night)
    intent(night, policy, plan)
    night.script.expect("landed", False, False)
    night.script.expect("land", Moved(now="c" * 40, overlap=("a.txt",)))
    async with night.supervised():
        await night.until(done(policy, "blocked"))
    assert night.state.plans[plan.commit].state == "void"
    assert "both it and the plan change a.txt" in night.state.policies[policy].reason


async def test_a_moved_branch_without_overlap_is_rebased_gated_and_waits_for_a_new_key(night: Night) -> None:
    policy, plan = approved(night)
    fresh = frozen(night.worktree, 2)
    night.script.expect("moved", Moved(now="c" * 40))
    night.script.expect("landed", False)
    night.script.expect("rebase", fresh)
    night.script.expect("checkout", None)
    night.script.expect("launch", GREEN)
    async with night.supervised():
        await night.until(done(policy, "awaiting-ack"))
    assert night.state.policies[policy].plan == fresh.commit
    assert night.state.plans[plan.commit].successor == fresh.commit
    assert night.facts(ev.PolicyCommitted) == []


async def test_bytes_that_changed_after_freezing_void_the_plan_at_the_key(night: Night) -> None:
    policy, plan = approved(night)
    night.script.expect("moved", None)
    night.script.expect("drift", ("a.txt",))
    async with night.supervised():
        await night.until(done(policy, "blocked"))
    assert "changed on disk after the plan was frozen: a.txt" in night.state.plans[plan.commit].reason


def undoing(night: Night) -> tuple[str, Frozen]:
    policy, plan = approved(night)
    intent(night, policy, plan)
    night.report(ev.PolicyCommitted(policy=policy, plan=plan.commit, sha=plan.commit, ref=MAIN))
    night.do(cmd.Undo(plan=plan.commit, by=ME))
    return policy, plan


async def test_an_undo_without_an_outcome_is_done_once(night: Night) -> None:
    policy, plan = undoing(night)
    night.script.expect("moved", Moved(now=plan.commit))
    night.script.expect("undo", Landed(commit=H0.head))
    async with night.supervised():
        await night.until(done(policy, "awaiting-ack"))
    assert len(night.facts(ev.PlanRestored)) == 1


async def test_an_undo_that_git_has_done_already_is_only_written_down(night: Night) -> None:
    policy, _ = undoing(night)
    night.script.expect("moved", None)
    night.script.expect("undo", Landed(commit="a" * 40))  # which moves nothing, and makes the index good
    async with night.supervised():
        await night.until(done(policy, "awaiting-ack"))
    assert night.facts(ev.UndoRefused) == []


async def test_an_undo_that_git_refuses_says_why(night: Night) -> None:
    policy, plan = undoing(night)
    night.script.expect("moved", Moved(now="c" * 40), Moved(now="c" * 40))
    night.script.expect("undo", Refused(reason="main went on"))
    async with night.supervised():
        await night.until(done(policy))
    assert "stays landed: main went on" in night.state.plans[plan.commit].reason


async def test_a_gate_that_ran_when_its_supervisor_died_runs_again(night: Night) -> None:
    session = night.session()
    policy = night.attach(session)
    night.report(ev.SessionStarted(session=session, run=1, conversation="c1", pid=5))
    night.report(ev.TurnStarted(session=session, turn=1))
    night.report(ev.TurnEnded(session=session, turn=1, ok=True, stop="end_turn"))
    assert night.state.policies[policy].status == "gating"
    night.expect_judgement()
    async with night.supervised():
        await night.until(done(policy))
    assert len(night.facts(ev.PolicyJudged)) == 1


async def test_a_turn_that_ran_when_its_supervisor_died_begins_again_in_its_conversation(night: Night) -> None:
    session = night.session("fix a")
    night.report(ev.SessionStarted(session=session, run=1, conversation="c1", pid=5))
    night.report(ev.TurnStarted(session=session, turn=1, ref=H0.ref, head=H0.head))
    night.script.expect("start", "c1")
    night.expect_turn(ENDED)
    async with night.supervised():
        await night.until(lambda state: state.sessions[session].turn.end_seq)
    (agent,) = night.agents.started
    assert (agent.spec.conversation, agent.spec.run, agent.prompts) == ("c1", 2, [(1, "fix a")])
    assert len(night.facts(ev.SessionInterrupted)) == 2, "the crash, and the end of this supervisor"


async def test_a_session_that_never_came_up_is_just_started(night: Night) -> None:
    session = night.session("")
    night.script.expect("start", "c1")
    async with night.supervised():
        await night.until(lambda state: state.sessions[session].phase == "ready")
    assert night.agents.started[0].spec.run == 1


async def test_what_another_process_appends_while_it_starts_is_not_missed(night: Night) -> None:
    """Between the supervisor's first look at the log and its writer's."""
    opened: list[Journal] = []

    def open_journal() -> Journal:
        if len(opened) == 1:
            night.session("")
        opened.append(night.open_journal())
        return opened[-1]

    night.script.expect("start", "c1")
    async with night.supervised(open_journal=open_journal):
        await night.until(lambda state: state.sessions and state.sessions["s-1"].phase == "ready")
