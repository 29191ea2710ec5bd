"""From the end of a turn to green, red, blocked or cancelled."""

from __future__ import annotations

import pytest
from play import ACP, GATE, ME, NUDGE, Play, kinds

from console.core import commands as cmd
from console.core import events as ev
from console.core.policies import CLOSED, NEXT_STATES, OPEN, nudge_text
from console.core.records import GateResult, Launch, OnFail


def test_the_groups_of_states_are_disjoint_and_complete() -> None:
    assert OPEN.isdisjoint(CLOSED)
    assert set(NEXT_STATES) == OPEN | CLOSED
    assert {after for moves in NEXT_STATES.values() for after in moves} <= OPEN | CLOSED


# -- turn ends -------------------------------------------------------------------------------------


def test_no_gate_passes_at_the_turns_end() -> None:
    play = Play()
    name = play.session()
    policy = play.attach(name)
    play.turn(name)
    assert kinds(play.judge(policy, None)) == ["policy:judged", "policy:passed", "policy:done"]


def test_a_gate_without_a_result_is_never_a_pass() -> None:
    play = Play()
    name = play.session()
    policy = play.attach(name, gate=GATE)
    play.turn(name)
    assert "policy:passed" not in kinds(play.judge(policy, None))
    assert play.status(policy) == "blocked"


def test_a_group_of_one_that_exits_is_cancelled_with_the_reason() -> None:
    play = Play()
    name = play.session()
    policy = play.attach(name, gate=GATE)
    play.begin(name)
    play.exit(name)  # in good order: a crash would be started again
    assert play.status(policy) == "cancelled"
    assert play.state.policies[policy].reason == f"session {name} exited before its turn ended: exit 0"


def test_a_group_of_three_gates_once_when_the_last_has_finished_and_an_exit_counts() -> None:
    play = Play()
    names = [play.session() for _ in range(3)]
    policy = play.attach(*names, gate=GATE)
    play.turn(names[1])
    play.begin(names[0])
    play.exit(names[0])
    assert play.status(policy) == "watching"
    facts = play.turn(names[2])
    assert kinds(facts).count("policy:gating") == 1
    assert kinds(play.judge(policy))[-1] == "policy:done"
    play.prompt(names[1])
    assert "policy:gating" not in kinds(play.turn(names[1]))


def test_a_session_with_another_prompt_queued_is_not_finished() -> None:
    play = Play()
    name = play.session()
    policy = play.attach(name, gate=GATE)
    play.prompt(name)
    play.turn(name)
    assert play.status(policy) == "watching"
    play.turn(name)
    assert play.status(policy) == "gating"


def test_a_cancelled_turn_does_not_gate() -> None:
    play = Play()
    name = play.session()
    policy = play.attach(name, gate=GATE)
    play.begin(name)
    play.do(cmd.InterruptTurn(session=name, by=ME))
    play.end(name, ok=False, stop="cancelled")
    assert play.status(policy) == "watching"
    play.prompt(name)
    play.turn(name)
    assert play.status(policy) == "gating"


@pytest.mark.parametrize("stop", ["max_tokens", "error", "protocol", "not-started", "cancelled"])
def test_a_turn_that_ended_badly_is_not_judged_by_itself(stop: str) -> None:
    play = Play()
    name = play.session()
    policy = play.attach(name, gate=GATE)
    play.begin(name)
    play.end(name, ok=False, stop=stop)
    assert play.status(policy) == "blocked"
    assert stop in play.state.policies[policy].reason
    play.do(cmd.RetryPolicy(policy=policy, by=ME))  # a person may still have it judged
    assert play.status(policy) == "gating"


# -- red -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("verdict", ["red", "timeout"])
def test_two_nudges_then_blocked_with_the_reason(verdict: str) -> None:
    play = Play()
    name = play.session()
    policy = play.attach(name, gate=GATE, on_fail=NUDGE)
    for retry in (1, 2):
        play.turn(name)
        facts = play.judge(policy, verdict)  # type: ignore[arg-type]
        assert kinds(facts) == ["policy:judged", "policy:failed", "policy:nudged", "session:prompted"]
        prompt = facts[-1]
        assert isinstance(prompt, ev.PromptQueued) and prompt.cause == "nudge" and prompt.policy == policy
        assert (play.status(policy), play.state.policies[policy].retries) == ("nudging", retry)
    play.turn(name)
    assert kinds(play.judge(policy, verdict)) == ["policy:judged", "policy:failed", "policy:blocked"]  # type: ignore[arg-type]
    assert "after 2 nudges" in play.state.policies[policy].reason


def test_a_nudge_carries_code_and_output_and_interprets_nothing_else() -> None:
    red = GateResult(verdict="red", where="worktree", code=3, output="x" * 7000 + "{code}")
    text = nudge_text("{code}/{other}/{output}", red)
    assert text.startswith("3/{other}/xxx")
    assert text.endswith("{code}") and len(text) == len("3/{other}/") + 6000
    signalled = GateResult(verdict="timeout", where="worktree")
    assert nudge_text("{code}", signalled) == "timeout"


def test_red_without_a_nudge_is_blocked() -> None:
    play = Play()
    name = play.session()
    policy = play.attach(name, gate=GATE)
    play.turn(name)
    play.judge(policy, "red")
    assert play.state.policies[policy].reason == "make check failed in the worktree: exit 1"


def test_what_nobody_could_judge_is_blocked_and_never_nudged() -> None:
    play = Play()
    name = play.session()
    policy = play.attach(name, gate=GATE, on_fail=NUDGE)
    play.turn(name)
    assert kinds(play.judge(policy, "unjudged")) == ["policy:judged", "policy:failed", "policy:blocked"]
    reason = play.state.policies[policy].reason
    assert "could not judge" in reason and "no such file" in reason


def test_a_nudge_to_an_exited_session_resumes_its_conversation() -> None:
    play = Play()
    name = play.session()
    policy = play.attach(name, gate=GATE, on_fail=NUDGE)
    play.turn(name)
    play.exit(name)
    play.judge(policy, "red")
    session = play.state.sessions[name]
    assert (play.status(policy), session.phase, len(session.prompts)) == ("nudging", "suspended", 1)


def test_a_nudge_to_a_session_that_cannot_go_on_is_blocked_with_its_name() -> None:
    play = Play()
    name = play.session()
    policy = play.attach(name, gate=GATE, on_fail=NUDGE)
    play.turn(name)
    play.do(cmd.StopSession(session=name, by=ME))
    play.judge(policy, "red")
    assert play.status(policy) == "blocked"
    assert f"cannot nudge {name}" in play.state.policies[policy].reason


def test_an_exit_after_a_nudge_is_blocked_not_silent() -> None:
    play = Play()
    name = play.session()
    policy = play.attach(name, gate=GATE, on_fail=NUDGE)
    play.turn(name)
    play.judge(policy, "red")
    play.begin(name)
    play.exit(name)
    assert play.status(policy) == "blocked"
    assert "(nudge 1)" in play.state.policies[policy].reason


def test_a_group_is_nudged_as_a_whole() -> None:
    play = Play()
    names = [play.session(), play.session()]
    policy = play.attach(*names, gate=GATE, on_fail=OnFail(nudge="again"))
    for name in names:
        play.turn(name)
    assert kinds(play.judge(policy, "red")).count("session:prompted") == 2
    play.turn(names[0])
    assert play.status(policy) == "nudging"
    play.turn(names[1])
    assert play.status(policy) == "gating"


def test_a_retry_judges_a_blocked_policy_again_with_fresh_nudges() -> None:
    play = Play()
    name = play.session()
    policy = play.attach(name, gate=GATE, on_fail=OnFail(nudge="again", retries=1))
    for _ in range(2):
        play.turn(name)
        play.judge(policy, "red")
    assert play.status(policy) == "blocked"
    attempt = play.state.policies[policy].attempt
    play.do(cmd.RetryPolicy(policy=policy, by=ME))
    p = play.state.policies[policy]
    assert (p.status, p.attempt, p.retries) == ("gating", attempt + 1, 0)


def test_only_a_blocked_policy_at_rest_can_be_retried() -> None:
    play = Play()
    name = play.session()
    policy = play.attach(name, gate=GATE)
    assert "only a blocked policy" in play.refused(cmd.RetryPolicy(policy=policy, by=ME))
    play.turn(name)
    play.judge(policy, "red")
    play.prompt(name)
    assert "at work" in play.refused(cmd.RetryPolicy(policy=policy, by=ME))
    assert "no policy 'pol-9'" in play.refused(cmd.RetryPolicy(policy="pol-9", by=ME))


# -- cancelling ------------------------------------------------------------------------------------


def test_cancelling_voids_the_waiting_plan_and_the_work_stays() -> None:
    play = Play()
    _, policy, plan = play.waiting_plan()
    play.do(cmd.CancelPolicy(policy=policy, by=ME, note="not needed"))
    assert (play.status(policy), play.plan_state(plan)) == ("cancelled", "void")
    assert play.state.policies[policy].reason == "not needed"
    assert "already cancelled" in play.refused(cmd.CancelPolicy(policy=policy, by=ME))


def test_a_policy_that_lands_right_now_cannot_be_cancelled() -> None:
    play = Play()
    _, policy, _ = play.waiting_plan()
    play.approve(policy)
    assert "landing its commit right now" in play.refused(cmd.CancelPolicy(policy=policy, by=ME))


def test_a_late_result_of_a_cancelled_policy_is_dropped() -> None:
    play = Play()
    name = play.session()
    policy = play.attach(name, gate=GATE)
    play.turn(name)
    play.do(cmd.CancelPolicy(policy=policy, by=ME))
    assert play.judge(policy) == ()


def test_a_command_that_failed_is_not_judged_by_itself() -> None:
    play = Play()
    name = play.session(launch=Launch(argv=("script",), protocol="command"))
    assert ACP.protocol == "acp"
    policy = play.attach(name, gate=GATE)
    play.begin(name)
    play.report(ev.CommandDone(session=name, turn=1, code=1))
    play.end(name, ok=False, stop="exit 1")
    assert play.status(policy) == "blocked"
    assert "exit 1" in play.state.policies[policy].reason
