"""Keys by risk: one key, the key twice, the policy's id typed; and what lands without a person (ruling 11)."""

from __future__ import annotations

import pytest
from play import COMMIT, GATE, ME, Play, kinds, result

from console.core import commands as cmd
from console.core import events as ev
from console.core.records import Assessment, CommitSpec, Finding

LEVELS = {
    2: Assessment(level=2, findings=(Finding(kind="risk", level="medium", rule="deps", text="changes deps"),)),
    3: Assessment(
        level=3, findings=(Finding(kind="tests", level="high", rule="gone", text="2 tests no longer exist"),)
    ),
}


def waiting(play: Play, level: int, commit: CommitSpec = COMMIT) -> tuple[str, str]:
    name = play.session()
    policy = play.attach(name, gate=GATE, then="commit", commit=commit)
    play.turn(name)
    plan = play.new_plan()
    play.report(
        ev.PolicyJudged(
            policy=policy, attempt=1, results=(result("green"),), plan=plan, assessment=LEVELS.get(level)
        )
    )  # fmt: skip
    return policy, plan.commit


@pytest.mark.parametrize("level", [2, 3])
def test_above_level_1_the_policys_own_id_is_wanted_and_the_reason_is_named(level: int) -> None:
    play = Play()
    policy, plan = waiting(play, level)
    assert play.state.plans[plan].level == level
    for wrong in ("", "pol-9", "yes", plan):
        said = play.refused(cmd.Approve(policy=policy, plan=plan, by=ME, confirm=wrong))
        assert f"risk level {level}" in said and policy in said and LEVELS[level].findings[0].text in said
    assert kinds(play.do(cmd.Approve(policy=policy, plan=plan, by=ME, confirm=policy))) == ["plan:approved"]


def test_level_1_asks_for_nothing_but_a_confirmation_of_another_policy_is_refused() -> None:
    play = Play()
    policy, plan = waiting(play, 1)
    assert "does not name" in play.refused(cmd.Approve(policy=policy, plan=plan, by=ME, confirm="pol-9"))
    assert kinds(play.approve(policy, plan)) == ["plan:approved"]


@pytest.mark.parametrize("level", [2, 3])
def test_without_ack_a_risky_plan_waits_for_a_person_and_says_why(level: int) -> None:
    play = Play()
    policy, plan = waiting(play, level, CommitSpec(paths=("a.txt",), message="Fix", ack=False))
    assert (play.status(policy), play.plan_state(plan)) == ("awaiting-ack", "waiting")
    assert any("--no-ack" in note and f"level {level}" in note for note in play.state.plans[plan].notes)


def test_a_locked_key_leaves_the_plan_waiting_with_the_cure_and_a_signature_names_another_commit() -> None:
    play = Play()
    policy, plan = waiting(play, 1)
    play.approve(policy, plan)
    play.report(ev.LandingRefused(policy=policy, plan=plan, reason="the key is locked", unlock=("gpg", "--sign")))
    kept = play.state.plans[plan]
    assert (kept.state, kept.reason, kept.unlock) == ("waiting", "the key is locked", ("gpg", "--sign"))
    play.approve(policy, plan)
    assert play.state.plans[plan].unlock == ()
    signed = "5" * 40
    play.report(ev.PlanLanding(policy=policy, plan=plan, ref="refs/heads/main", old="h0", commit=signed))
    assert play.state.plans[plan].to_land.commit == signed and play.state.plans[plan].frozen.commit == plan
    play.report(ev.PolicyCommitted(policy=policy, plan=plan, sha=signed, ref="refs/heads/main"))
    assert play.plan_state(plan) == "landed"
    play.do(cmd.Undo(plan=plan, by=ME))
    play.report(ev.PlanRestored(policy=policy, plan=plan, was="landed"))
    assert play.state.plans[plan].to_land.commit == plan
    play.check_durable()


def test_a_hook_that_could_not_judge_decides_nothing_and_a_red_one_does() -> None:
    hook = result("timeout", "hook")
    for results, status in (
        ((hook, result("green")), "awaiting-ack"),
        ((hook, result("red")), "blocked"),
        ((result("red", "hook"),), "blocked"),
        ((hook,), "blocked"),
    ):
        play = Play()
        name = play.session()
        policy = play.attach(name, gate=GATE, then="commit", commit=COMMIT)
        play.turn(name)
        play.report(ev.PolicyJudged(policy=policy, attempt=1, results=results, plan=play.new_plan()))
        assert play.status(policy) == status, (results, play.state.policies[policy].reason)
