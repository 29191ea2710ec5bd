"""A plan from commit-ready to landed, rejected, superseded or void, and back."""

from __future__ import annotations

import pytest
from play import COMMIT, GATE, ME, NUDGE, Play, commit_id, kinds

from console.core import commands as cmd
from console.core import due
from console.core import events as ev
from console.core.commits import NEXT_STATES
from console.core.records import CommitSpec


def test_every_state_of_a_plan_has_its_moves() -> None:
    assert {after for moves in NEXT_STATES.values() for after in moves} <= set(NEXT_STATES)


def test_a_green_commit_policy_waits_with_exactly_the_frozen_plan() -> None:
    play = Play()
    name, policy, plan = play.waiting_plan()
    kept = play.state.plans[plan]
    assert (play.status(policy), kept.state, kept.sessions) == ("awaiting-ack", "waiting", (name,))
    ready = next(e.fact for e in play.log if isinstance(e.fact, ev.PolicyCommitReady))
    assert (ready.paths, ready.message, ready.cwd) == (("a.txt",), "Fix a", "/w")
    assert list(due.due(play.state)) == []


def test_green_with_nothing_frozen_is_blocked_with_gits_reason() -> None:
    play = Play()
    name = play.session()
    policy = play.attach(name, gate=GATE, then="commit", commit=COMMIT)
    play.turn(name)
    play.report(ev.PolicyJudged(policy=policy, attempt=1, results=play_green(), refused="nothing changed"))
    assert (play.status(policy), play.state.policies[policy].reason) == ("blocked", "nothing changed")


def play_green() -> tuple[ev.GateResult, ...]:
    return (ev.GateResult(verdict="green", where="worktree", code=0),)


def test_one_key_is_one_landing() -> None:
    play = Play()
    _, policy, plan = play.waiting_plan()
    assert kinds(play.approve(policy, plan[:7])) == ["plan:approved"]
    assert play.state.plans[plan].by == ME
    (effect,) = due.due(play.state)
    assert effect == due.LandPlan(policy=policy, plan=plan, request=play.state.seq)
    assert "already approved" in play.refused(cmd.Approve(policy=policy, plan=plan, by=ME))
    play.land(policy)
    assert (play.status(policy), play.plan_state(plan)) == ("done", "landed")
    assert "has landed already" in play.refused(cmd.Approve(policy=policy, plan=plan, by=ME))


@pytest.mark.parametrize("named", ["abcdef", "0" * 40, "zzzzzzz"])
def test_a_plan_is_named_by_seven_or_more_of_its_digits(named: str) -> None:
    play = Play()
    _, policy, plan = play.waiting_plan()
    said = play.refused(cmd.Approve(policy=policy, plan=named, by=ME))
    assert f"{policy} has no plan {named!r}" in said and plan in said


def test_approving_what_does_not_exist() -> None:
    play = Play()
    assert "no policy 'pol-1'" in play.refused(cmd.Approve(policy="pol-1", plan="", by=ME))
    policy = play.attach(play.session(), gate=GATE)
    assert "has no plan (it is watching)" in play.refused(cmd.Approve(policy=policy, plan="", by=ME))


def test_without_ack_it_lands_by_itself_and_the_log_says_so() -> None:
    play = Play()
    _, policy, plan = play.waiting_plan(commit=CommitSpec(paths=("a.txt",), message="Fix", ack=False))
    assert (play.status(policy), play.plan_state(plan)) == ("acting", "approved")
    assert play.state.plans[plan].by == ev.Who(via="policy --no-ack")
    play.land(policy)
    assert play.status(policy) == "done"


def test_a_result_that_arrives_without_its_intent_is_dropped() -> None:
    play = Play()
    _, policy, plan = play.waiting_plan()
    play.approve(policy)
    assert play.report(ev.PolicyCommitted(policy=policy, plan=plan, sha=plan, ref="r")) == ()
    assert play.plan_state(plan) == "approved"


def test_git_says_no_and_the_plan_waits_again_for_a_key_of_its_own() -> None:
    play = Play()
    _, policy, plan = play.waiting_plan()
    play.approve(policy)
    play.report(ev.PlanLanding(policy=policy, plan=plan, ref="r", old="h0"))
    play.report(ev.LandingRefused(policy=policy, plan=plan, reason="index.lock is held"))
    assert (play.status(policy), play.state.plans[plan].reason) == ("awaiting-ack", "index.lock is held")
    first = play.state.plans[plan].request
    play.approve(policy)
    assert play.state.plans[plan].request > first, "a second key is a second effect"
    play.land(policy)


# -- superseding -----------------------------------------------------------------------------------------


def test_a_later_turn_supersedes_visibly_and_is_judged_anew() -> None:
    play = Play()
    name, policy, old = play.waiting_plan()
    play.prompt(name)
    assert play.plan_state(old) == "waiting", "only the end of the turn takes it back"
    facts = play.turn(name)
    assert kinds(facts) == ["turn-end", "plan:superseded", "policy:queued", "policy:gating"]
    play.judge(policy)
    fresh = play.state.policies[policy].plan
    assert play.state.plans[old].successor == fresh != old
    said = play.refused(cmd.Approve(policy=policy, plan=old, by=ME))
    assert "superseded" in said and fresh in said


def test_superseding_queues_every_other_policy_of_the_session_once() -> None:
    play = Play()
    name, policy, _ = play.waiting_plan()
    other = play.attach(name, gate=GATE, since=play.state.seq)
    play.prompt(name)
    facts = play.turn(name)
    for watched in (policy, other):
        assert [fact.policy for fact in facts if isinstance(fact, ev.PolicyGating)].count(watched) == 1
        assert [fact.policy for fact in facts if isinstance(fact, ev.PolicyQueued)].count(watched) == 1


def test_a_later_turn_does_not_touch_a_plan_that_is_landing() -> None:
    play = Play()
    name, policy, plan = play.waiting_plan()
    play.approve(policy)
    play.prompt(name)
    play.turn(name)
    assert play.plan_state(plan) == "approved"
    play.land(policy)
    assert play.plan_state(plan) == "landed"


# -- the branch moved ------------------------------------------------------------------------------------


def rebased(play: Play) -> tuple[str, str, str]:
    """(policy, old plan, fresh plan): approved, but the branch had moved elsewhere."""
    _, policy, old = play.waiting_plan(on_fail=NUDGE)
    play.approve(policy)
    fresh = play.new_plan("h9")
    facts = play.report(ev.PlanRebased(policy=policy, plan=old, fresh=fresh))
    assert kinds(facts) == ["plan:rebased", "policy:queued", "policy:gating"]
    return policy, old, fresh.commit


def test_a_moved_branch_gates_the_rebased_plan_and_wants_a_new_key() -> None:
    play = Play()
    policy, old, fresh = rebased(play)
    assert play.state.policies[policy].candidate == play.log[-1].fact.candidate  # type: ignore[union-attr]
    assert "already approved" not in play.refused(cmd.Approve(policy=policy, plan=old, by=ME))
    play.judge(policy)
    assert (play.status(policy), play.plan_state(fresh)) == ("awaiting-ack", "waiting")
    assert (play.plan_state(old), play.state.plans[old].successor) == ("superseded", fresh)
    assert play.state.plans[fresh].by is None
    play.approve(policy, fresh)
    play.land(policy)
    assert play.plan_state(fresh) == "landed"


def test_a_rebased_plan_that_is_red_there_is_nudged_and_the_next_judgement_is_of_the_work() -> None:
    play = Play()
    policy, _, _ = rebased(play)
    play.judge(policy, "red")
    assert play.status(policy) == "nudging"
    play.turn("s-1", head="h9")
    last = [e.fact for e in play.log if isinstance(e.fact, ev.PolicyGating)][-1]
    assert (last.candidate, last.base_head) == (None, "h9")


def test_overlapping_changes_void_the_plan_and_block_the_policy() -> None:
    play = Play()
    _, policy, plan = play.waiting_plan()
    play.approve(policy)
    facts = play.report(ev.PlanVoided(policy=policy, plan=plan, reason="both change a.txt", paths=("a.txt",)))
    assert kinds(facts) == ["plan:void", "policy:blocked"]
    assert "is void: both change a.txt" in play.refused(cmd.Approve(policy=policy, plan=plan, by=ME))
    play.do(cmd.RetryPolicy(policy=policy, by=ME))
    play.judge(policy)
    assert play.state.policies[policy].plan != plan


# -- rejecting and undoing -------------------------------------------------------------------------------


def test_reject_cancels_the_policy_keeps_the_note_and_can_be_taken_back() -> None:
    play = Play()
    _, policy, plan = play.waiting_plan()
    play.do(cmd.Reject(policy=policy, by=ME, note="wrong file"))
    assert (play.status(policy), play.plan_state(plan)) == ("cancelled", "rejected")
    assert play.state.policies[policy].reason == "rejected: wrong file"
    assert "is rejected: wrong file" in play.refused(cmd.Approve(policy=policy, plan=plan, by=ME))
    play.do(cmd.Undo(plan=plan[:12], by=ME))
    assert (play.status(policy), play.plan_state(plan)) == ("awaiting-ack", "waiting")
    play.approve(policy)
    play.land(policy)


def test_undo_of_a_landing_is_an_effect_and_the_plan_waits_again() -> None:
    play = Play()
    _, policy, plan = play.waiting_plan()
    play.approve(policy)
    play.land(policy)
    play.do(cmd.Undo(plan=plan, by=ME))
    assert list(due.due(play.state)) == [due.UndoPlan(policy=policy, plan=plan, request=play.state.seq)]
    assert "is undoing" in play.refused(cmd.Undo(plan=plan, by=ME))
    play.report(ev.PlanRestored(policy=policy, plan=plan, was="landed", note="files stay"))
    assert (play.status(policy), play.plan_state(plan), play.state.plans[plan].by) == ("awaiting-ack", "waiting", None)
    play.approve(policy)
    play.land(policy)
    assert play.plan_state(plan) == "landed"


def test_an_undo_that_git_refuses_leaves_it_landed_with_the_reason() -> None:
    play = Play()
    _, policy, plan = play.waiting_plan()
    play.approve(policy)
    play.land(policy)
    play.do(cmd.Undo(plan=plan, by=ME))
    play.report(ev.UndoRefused(policy=policy, plan=plan, reason="the branch went on"))
    assert (play.status(policy), play.plan_state(plan)) == ("done", "landed")
    assert play.state.plans[plan].reason == "the branch went on"


@pytest.mark.parametrize("plan", [commit_id(1), "abc"])
def test_undo_of_an_unknown_plan(plan: str) -> None:
    assert f"no plan {plan!r}" in Play().refused(cmd.Undo(plan=plan, by=ME))


def test_there_is_nothing_to_undo_on_a_waiting_plan() -> None:
    play = Play()
    _, _, plan = play.waiting_plan()
    assert "nothing to take back" in play.refused(cmd.Undo(plan=plan, by=ME))
