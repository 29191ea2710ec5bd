"""A judge beside the tickets of a run takes one of its agents' slots: it waits for one, is not starved, blocks no end.
That none waits while there is room is checked after every command (`play.Play.check`)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from play import ACP, MAIN, ME
from queueplay import SETTINGS, Night

from console.core import commands as cmd
from console.core import events as ev
from console.core import queue
from console.core.records import Gate, Judge, OnFail

ONE = replace(SETTINGS, sessions=1)
JUDGED = Gate(judge=Judge(adapter="bot", prompt="Is it right?", launch=ACP))


@pytest.fixture
def night() -> Night:
    return Night()


def watched(night: Night, **spec: object) -> str:
    """A session without a ticket whose turn has ended, with a policy that is to be judged."""
    session = night.session()
    policy = night.attach(session, **({"gate": JUDGED} | spec))
    night.begin(session)
    night.report(ev.TurnEnded(session=session, turn=1, ok=True, stop="end_turn", ref=MAIN, head="h0"))
    return policy


def test_without_a_run_no_judge_waits(night: Night) -> None:
    policies = [watched(night) for _ in range(4)]
    assert [night.status(p) for p in policies] == ["gating"] * 4


def test_a_judge_waits_for_an_agent_of_the_run_and_comes_before_the_next_ticket(night: Night) -> None:
    night.see("a")
    night.see("b")
    night.go(ONE)
    assert night.flying() == ["a"]
    policy = watched(night)
    assert night.status(policy) == "queued"
    assert queue.no_room(night.state, night.state.policies[policy]) == "its judge waits until an agent of run-1 is done"
    night.work("a")
    assert night.status(policy) == "gating" and night.flying() == [], "b does not take the slot that is waited for"
    night.judge(policy)
    assert night.flying() == ["b"]
    night.work("b")
    assert night.end[0] == "DRAINED"


def test_a_gate_that_is_a_command_waits_for_no_agent(night: Night) -> None:
    night.see("a")
    night.go(ONE)
    assert night.status(watched(night, gate=Gate(argv=("make",)))) == "gating"


def test_no_ticket_starts_while_judges_have_all_slots_and_the_run_does_not_end_for_that(night: Night) -> None:
    night.see("a")
    first, second = watched(night), watched(night)
    night.go(SETTINGS)
    assert night.flying() == [] and night.end[0] is None
    night.judge(first)
    assert night.flying() == ["a"]
    night.work("a")
    assert night.end[0] == "DRAINED", "what is judged beside the run does not keep it open"
    night.judge(second)


@pytest.mark.parametrize("how", ["red", "nudge", "cancel", "unjudged"])
def test_however_a_judge_ends_its_slot_is_free(night: Night, how: str) -> None:
    night.see("a")
    policy = watched(night, on_fail=OnFail(nudge="{output}") if how == "nudge" else None)
    night.go(ONE)
    assert night.flying() == []
    if how == "cancel":
        night.do(cmd.CancelPolicy(policy=policy, by=ME))
    else:
        night.judge(policy, "unjudged" if how == "unjudged" else "red")
    assert night.flying() == ["a"]


def test_a_run_that_is_stopped_lets_a_waiting_judge_begin(night: Night) -> None:
    night.see("a")
    night.go(ONE)
    policy = watched(night)
    assert night.status(policy) == "queued"
    night.begin_turn("a")
    night.do(cmd.StopRun(by=ME, now=True))
    night.settle()
    assert night.end[0] == "STOPPED" and night.status(policy) == "gating"


def test_a_ticket_that_fails_an_attempt_lets_a_waiting_judge_begin(night: Night) -> None:
    night.see("a")
    night.go(ONE)
    policy = watched(night)
    night.begin_turn("a")
    night.end_turn("a", ok=False, stop="error", fault="limit", until=night.state.at + 3600)
    assert night.t("a").phase == "waiting" and night.status(policy) == "gating", "its agent waits, and has no slot"


def test_a_nudge_of_a_judge_carries_its_verdict_and_its_words(night: Night) -> None:
    policy = watched(night, on_fail=OnFail(nudge="{code}: {output}"))
    night.judge(policy, "red")
    [prompt] = night.state.sessions[night.state.policies[policy].spec.sessions[0]].prompts
    assert prompt.text == "FAIL: said so"
    [told] = [fact for fact in (entry.fact for entry in night.log) if isinstance(fact, ev.PolicyNudged)]
    assert told.retry == 1
