"""Chains on the real brain: reviews, repairs, SHIP, the end of patience, and people in the middle of it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from chainplay import BLOCK, CALM, HIGH, LIMITS, SHIP, TWO, ChainNight
from msgspec.structs import replace
from play import ME
from queueplay import introduced

from console.core import chains, chains_react, due
from console.core import commands as cmd
from console.core import events as ev
from console.core.chains import Card, Decision, Ship
from console.core.queue import readiness
from console.core.react import settle
from console.core.records import Refused, Usage
from console.core.records_chains import Review, ReviewLimits, Verdict
from console.core.state import open_run

# -- a chain to its end ----------------------------------------------------------------------------------


def test_block_repair_review_again_ship_and_the_plan_waits_for_a_person() -> None:
    night = ChainNight()
    night.root("a")
    old = night.t("a").plan
    assert night.flying() == ["a+review-1"] and open_run(night.state)
    assert night.t("a").outcome == "DONE_LOW_CONFIDENCE" and "nobody has reviewed it" in night.t("a").why
    night.read("a+review-1", BLOCK)
    assert night.t("a").why == "the review said BLOCK" and night.flying() == ["a+repair-1"]
    night.mend("a+repair-1")
    new = night.t("a+repair-1").plan
    assert (night.plan_state(old), night.plan_state(new)) == ("superseded", "waiting")
    assert night.state.plans[old].successor == new and night.status(night.t("a").policy) == "cancelled"
    assert "nobody has reviewed the repair" in night.t("a").why
    night.read("a+review-2", SHIP)
    assert night.shipped() == [new]
    for name in ("a", "a+repair-1"):
        assert (night.t(name).outcome, night.t(name).why) == ("DONE", "green, and critic reviewed it: SHIP")
    assert night.plan_state(new) == "waiting" and not night.facts(ev.ApprovalRequested, ev.PlanLanding)
    assert night.end[0] == "DRAINED" and night.spawned() == ["a+review-1", "a+repair-1", "a+review-2"]
    night.check_durable()


def test_a_stubborn_chain_ends_at_its_limit_with_one_escalation_after_three_restarts_still_one() -> None:
    night = ChainNight(replace(LIMITS, max_cycles=2))
    night.root("a")
    night.read("a+review-1", BLOCK)
    night.mend("a+repair-1")
    night.read("a+review-2", BLOCK)
    for _ in range(3):
        night.restart()
        night.limit(replace(night.state.review_limits, interval=night.now))
    (told,) = night.facts(ev.ChainEscalated)
    assert told.plan == night.t("a+repair-1").plan and "BLOCK, for the second time of 2" in told.why  # type: ignore[attr-defined]
    assert night.t("a").flags[:2] == ("the review said BLOCK", told.why)  # type: ignore[attr-defined]
    assert night.plan_state(night.t("a+repair-1").plan) == "waiting", "a person may still approve it"
    night.limit(replace(LIMITS, max_cycles=9))
    assert night.spawned() == ["a+review-1", "a+repair-1", "a+review-2"], "after its end nothing begins by itself"


def test_while_chains_are_off_nothing_happens() -> None:
    night = ChainNight(on=False)
    night.root("a")
    assert night.end[0] == "DRAINED" and not night.spawned() and "chains are off" in night.t("a").why


def test_a_ship_clears_only_its_own_flag() -> None:
    night = ChainNight()
    gone = replace(HIGH.findings[0], kind="tests", rule="gone", text="2 tests no longer exist")
    night.root("a", assessment=replace(HIGH, findings=(*HIGH.findings, gone)))
    night.read("a+review-1", SHIP)
    assert (night.t("a").outcome, night.t("a").flags) == ("DONE_LOW_CONFIDENCE", ("2 tests no longer exist",))
    assert night.facts(ev.ChainShipped)


def test_a_dependent_starts_as_soon_as_the_review_ships_what_it_builds_on() -> None:
    night = ChainNight()
    night.see("b", after=("a",))
    night.root("a")
    assert night.flying() == ["a+review-1"]
    night.read("a+review-1", SHIP)
    assert night.flying() == ["b"]


@pytest.mark.parametrize(
    ("own", "when", "level", "expected"),
    [
        (None, "never", 3, False),
        (None, "high_risk", 2, False),
        (None, "high_risk", 3, True),
        (None, "always", 1, True),
        (True, "never", 1, True),
        (False, "always", 3, False),
    ],
)
def test_who_gets_a_review(own: bool | None, when: str, level: int, expected: bool) -> None:
    assert chains.wanted(own, level, ReviewLimits(when=when)) is expected  # type: ignore[arg-type]


def test_a_calm_ticket_that_wants_a_review_stays_done_until_it_says_block() -> None:
    night = ChainNight(replace(LIMITS, max_cycles=1))
    night.see("a", review=True)
    night.go(TWO)
    night.work("a", assessment=CALM)
    assert night.t("a").outcome == "DONE" and night.flying() == ["a+review-1"]
    night.read("a+review-1", BLOCK)
    assert (night.t("a").outcome, night.t("a").why) == ("DONE_LOW_CONFIDENCE", "the review said BLOCK")
    assert len(night.facts(ev.ChainEscalated)) == 1


# -- who does it, and what it is -------------------------------------------------------------------------


def test_a_review_is_read_only_by_another_preset_and_judged_by_its_words_alone() -> None:
    night = ChainNight()
    night.root("a")
    night.begin_turn("a+review-1")
    t = night.t("a+review-1")
    spec = night.state.policies[t.policy].spec
    assert (t.spec.agent, t.spec.title, t.spec.gate) == ("critic", "Review of Do a", None)
    assert (spec.then, spec.gate, spec.commit, spec.review) == ("emit", None, None, night.t("a").plan)
    assert night.state.sessions[t.session].read_only and t.session != night.t("a").session


def test_a_repair_is_by_the_implementer_and_takes_the_words_and_the_gate_of_the_root() -> None:
    night = ChainNight()
    night.root("a")
    night.read("a+review-1", BLOCK)
    night.begin_turn("a+repair-1")
    t = night.t("a+repair-1")
    spec = night.state.policies[t.policy].spec
    assert t.spec.agent == "bot" and spec.gate == TWO.gate and spec.replaces == night.t("a").plan
    assert (
        spec.commit
        and spec.commit.ack
        and spec.commit.message == "Do a"
        and not night.state.sessions[t.session].read_only
    )


@pytest.mark.parametrize(
    ("limits", "reviewer"),
    [
        (LIMITS, "critic"),
        (replace(LIMITS, presets=("zeta", "bot", "alpha")), "alpha"),
        (replace(LIMITS, presets=("bot",)), "bot"),
        (replace(LIMITS, presets=()), "critic"),
        (replace(LIMITS, reviewer="bot"), "bot"),
    ],
)
def test_the_reviewer_is_the_one_named_or_the_first_other_or_the_same_in_a_new_session(
    limits: ReviewLimits, reviewer: str
) -> None:
    night = ChainNight(limits)
    night.root("a")
    assert night.t("a+review-1").spec.agent == reviewer


def test_a_worker_that_pulls_is_given_no_review() -> None:
    night = ChainNight()
    night.root("a")
    night.do(cmd.StopRun(by=ME, now=True))
    night.settle()
    night.go(TWO, pull=True)
    night.do(cmd.NextTicket(holder="w", by=ME))
    assert night.flying() == [] and night.t("a+review-1").phase == "queued"


# -- what goes wrong -------------------------------------------------------------------------------------


def test_words_that_are_no_verdict_fail_the_attempt_and_the_next_one_is_told() -> None:
    night = ChainNight()
    night.root("a")
    night.read("a+review-1", "I would ship it.")
    t = night.t("a+review-1")
    assert t.failures[-1].cause == "agent" and "no verdict: “I would ship it.”" in t.failures[-1].why
    assert t.phase == "claimed" and t.attempt == 2
    night.read("a+review-1", SHIP)
    assert night.facts(ev.ChainShipped) and night.t("a").outcome == "DONE"


def test_a_review_that_nobody_can_read_is_escalated_once_and_a_late_ship_still_ships() -> None:
    night = ChainNight()
    night.root("a")
    for _ in range(3):
        night.read("a+review-1", "hm")
    assert night.t("a+review-1").outcome == "FAILED_BUG_IN_AGENT" and len(night.facts(ev.ChainEscalated)) == 1
    assert night.t("a").flags[0].startswith("no review of it could be read: 3 attempt(s) used up")
    night.do(cmd.RequeueTicket(ticket="a+review-1", by=ME))
    night.go(TWO)
    night.read("a+review-1", SHIP)
    assert len(night.facts(ev.ChainShipped)) == 1 and len(night.facts(ev.ChainEscalated)) == 1
    assert night.t("a").outcome == "DONE"


def test_a_parked_review_escalates_and_ships_when_its_question_is_answered() -> None:
    night = ChainNight()
    night.root("a")
    night.begin_turn("a+review-1")
    night.report(ev.ParkRequested(ticket="a+review-1", attempt=1, question="Which?"))
    night.settle()
    assert len(night.facts(ev.ChainEscalated)) == 1 and night.end[0] == "DRAINED"
    night.do(cmd.AnswerDecision(decision="dec-1", text="the first", by=ME))
    night.go(TWO)
    night.read("a+review-1", SHIP)
    assert len(night.facts(ev.ChainShipped)) == 1


@pytest.mark.parametrize("how", ["fails", "same", "nothing", "parks", "dropped"])
def test_a_repair_that_comes_to_nothing_leaves_the_plan_and_escalates_once(how: str) -> None:
    night = ChainNight()
    night.root("a")
    old = night.t("a").plan
    night.read("a+review-1", BLOCK)
    if how == "dropped":
        night.do(cmd.StopRun(by=ME, now=True))
        night.settle()
        night.do(cmd.DropTicket(ticket="a+repair-1", by=ME))
    elif how == "parks":
        night.do(cmd.ParkTicket(ticket="a+repair-1", question="Really?", by=ME))
    elif how == "same":
        night.mend("a+repair-1", plan=night.same_tree(old))
    elif how == "nothing":
        night.work("a+repair-1", plan=None, unchanged=True)
    else:
        for _ in range(2):
            night.work("a+repair-1", "red", introduced())
    night.settle()
    (told,) = night.facts(ev.ChainEscalated)
    assert told.plan == old and "repair came to nothing" in told.why  # type: ignore[attr-defined]
    assert night.plan_state(old) == "waiting" and night.status(night.t("a").policy) == "awaiting-ack"
    assert night.t("a").flags[0] == "the review said BLOCK" and night.spawned()[-1] == "a+repair-1"
    night.do(cmd.Approve(policy=night.t("a").policy, plan=old, by=ME, confirm="a"))


def test_a_review_about_another_commit_never_ships() -> None:
    night = ChainNight()
    night.root("a")
    night.begin_turn("a+review-1")
    night.end_turn("a+review-1")
    p = night.state.policies[night.t("a+review-1").policy]
    other = chains_review("SHIP", "f" * 40)
    night.report(ev.PolicyJudged(policy=p.policy, attempt=p.attempt, review=other))
    assert not night.facts(ev.ChainShipped, ev.ReviewJudged) and night.t("a+review-1").outcome == "BLOCKED_ENV"
    assert len(night.facts(ev.ChainEscalated)) == 1


def chains_review(verdict: Verdict, commit: str) -> Review:
    return Review(verdict=verdict, commit=commit, why="said")


def test_a_bad_card_is_told_once_and_the_others_go_on() -> None:
    night = ChainNight(on=False)
    night.root("a", "b", "c")

    def planner(card: Card, cards: Sequence[Card], limits: ReviewLimits) -> Decision:
        if card.ticket == "b":
            raise ValueError("a card of ours is wrong")
        return chains.plan(card, cards, limits)

    state = night.state
    state.chains_on = True
    told: list[ev.Fact] = []
    while facts := chains_react.follow(state, planner):
        told += facts
        for fact in facts:
            state.apply(ev.Logged(seq=state.seq + 1, at=1.0, fact=fact))
    assert [ev.type_of(fact) for fact in told].count("chain:trouble") == 1
    assert {fact.ticket for fact in told if isinstance(fact, ev.ChainSpawned)} == {"a+review-1", "c+review-1"}


def test_what_the_ledger_holds_never_happens_again_even_if_it_is_decided_again() -> None:
    night = ChainNight()
    night.root("a")
    night.read("a+review-1", SHIP)
    plan = night.t("a").plan

    def planner(card: Card, cards: Sequence[Card], limits: ReviewLimits) -> Decision:
        return Ship(root="a", ticket="a+review-1", plan=plan, key=chains.key("ship", "a", plan))

    facts = chains_react.follow(night.state, planner)
    assert [ev.type_of(fact) for fact in facts] == ["chain:trouble"]


def test_a_verdict_does_not_end_the_session_that_a_person_talks_with() -> None:
    night = ChainNight()
    night.root("a")
    s = night.t("a").session
    night.begin_turn("a+review-1")
    night.end_turn("a+review-1")
    night.prompt(s, "why so?")
    night.up(s)
    night.begin(s)
    night.said("a+review-1", SHIP)
    assert night.t("a").outcome == "DONE" and night.state.sessions[s].phase == "working"


def test_a_ticket_whose_plan_the_log_does_not_hold_is_trouble_once_and_the_others_go_on() -> None:
    night = ChainNight(on=False)
    night.root("a", "b")
    night.state.tickets["a"] = replace(night.t("a"), plan="f" * 40)
    told = settle(night.state, (ev.ChainsSwitched(on=True, by=ME),), 1.0)
    told += settle(night.state, (ev.ChainLimitsRead(limits=replace(LIMITS, interval=1.0)),), 2.0)
    names = [ev.type_of(entry.fact) for entry in told]
    assert names.count("chain:trouble") == 1 and names.count("chain:spawned") == 1


# -- limits and the switch -------------------------------------------------------------------------------


def test_ten_roots_and_room_for_three_chains_begin_oldest_first() -> None:
    night = ChainNight(replace(LIMITS, max_chains=3))
    names = [f"t{n}" for n in range(10)]
    night.root(*names)
    assert night.spawned() == [f"t{n}+review-1" for n in range(3)]
    night.read("t1+review-1", SHIP)
    assert night.spawned()[3:] == ["t3+review-1"], "one has shipped: the next oldest begins"
    night.read("t0+review-1", BLOCK)
    assert night.spawned()[4:] == ["t0+repair-1"], "a chain under way goes on"
    night.limit(replace(LIMITS, max_chains=5))
    assert night.spawned()[5:] == ["t4+review-1", "t5+review-1"], "limits are re-read"


def test_chains_switched_off_in_the_middle_stop_there_and_go_on_when_they_are_on_again() -> None:
    night = ChainNight()
    night.root("a", "b")
    night.begin_turn("a+review-1")
    night.switch(on=False)
    night.end_turn("a+review-1")
    night.said("a+review-1", BLOCK)
    assert night.spawned() == ["a+review-1", "b+review-1"] and not night.facts(ev.ChainShipped, ev.ChainEscalated)
    night.do(cmd.StopRun(by=ME, now=True))
    night.settle()
    night.go(TWO)
    assert night.end[0] == "DRAINED", "what is queued of a chain waits"
    assert "chain on" in readiness(night.state, night.t("b+review-1")).why
    night.switch(on=True)
    assert night.spawned()[2:] == ["a+repair-1"]
    night.go(TWO)
    assert sorted(night.flying()) == ["a+repair-1", "b+review-1"]


def test_a_lower_limit_in_the_middle_ends_the_chain_with_what_it_has() -> None:
    night = ChainNight()
    night.root("a")
    night.read("a+review-1", BLOCK)
    night.begin_turn("a+repair-1")
    night.limit(replace(LIMITS, max_cycles=1))
    night.end_turn("a+repair-1")
    night.judged("a+repair-1", assessment=HIGH)
    assert "no further review is left (1 a chain)" in night.facts(ev.ChainEscalated)[0].why  # type: ignore[attr-defined]
    assert night.plan_state(night.t("a+repair-1").plan) == "waiting" and "nobody has" in night.t("a").flags[1]


def test_members_count_for_neither_the_ticket_cap_nor_a_low_yield_and_those_of_taken_roots_are_still_taken() -> None:
    night = ChainNight()
    for name in ("a", "b"):
        night.see(name)
    night.go(replace(TWO, sessions=1, tickets=1))
    night.work("a", assessment=HIGH)
    assert night.flying() == ["a+review-1"]
    night.read("a+review-1", BLOCK)
    assert night.flying() == ["a+repair-1"]
    night.mend("a+repair-1")
    night.read("a+review-2", SHIP)
    assert night.end[0] == "TICKET_CAP" and night.t("b").phase == "queued"


def test_the_cost_cap_holds_for_members_too() -> None:
    night = ChainNight()
    night.see("a")
    night.go(replace(TWO, cost_usd=0.5))
    night.begin_turn("a")
    night.end_turn("a", usage=Usage(cost_usd=1.0))
    night.judged("a", assessment=HIGH)
    night.settle()
    assert night.end[0] == "COST_CAP" and night.t("a+review-1").phase == "queued"


def test_members_go_before_other_tickets_whatever_their_priority() -> None:
    night = ChainNight()
    night.see("a")
    night.go(replace(TWO, sessions=1))
    night.see("b", priority=5000)
    night.work("a", assessment=HIGH)
    assert night.flying() == ["a+review-1"]


# -- people in the middle --------------------------------------------------------------------------------


def test_approving_while_the_repair_is_in_flight_ends_the_chain_without_consequence() -> None:
    night = ChainNight()
    night.root("a")
    old = night.t("a").plan
    night.read("a+review-1", BLOCK)
    night.begin_turn("a+repair-1")
    night.do(cmd.Approve(policy=night.t("a").policy, plan=old, by=ME, confirm="a"))
    night.land(night.t("a").policy)
    night.end_turn("a+repair-1")
    night.judged("a+repair-1", assessment=HIGH)
    night.settle()
    assert "to repair is landed" in night.t("a+repair-1").why and not night.t("a+repair-1").plan
    assert night.plan_state(old) == "landed" and not night.facts(ev.ChainEscalated, ev.ChainShipped)
    assert night.end[0] == "DRAINED"


def test_an_approval_that_git_refuses_lets_the_chain_go_on() -> None:
    night = ChainNight()
    night.root("a")
    a = night.t("a")
    night.begin_turn("a+review-1")
    night.do(cmd.Approve(policy=a.policy, plan=a.plan, by=ME, confirm="a"))
    night.end_turn("a+review-1")
    night.said("a+review-1", BLOCK)
    assert night.spawned() == ["a+review-1"], "nothing begins about a plan that may be landing"
    night.report(ev.LandingRefused(policy=a.policy, plan=a.plan, reason="locked"))
    assert night.spawned() == ["a+review-1", "a+repair-1"] and night.t("a").flags[0] == "the review said BLOCK"


def test_a_rejection_withdraws_what_is_queued_and_its_answer_begins_a_chain_anew() -> None:
    night = ChainNight()
    night.root("a")
    night.read("a+review-1", BLOCK)
    night.mend("a+repair-1")
    night.do(cmd.StopRun(by=ME, now=True))
    night.settle()
    repaired = night.t("a+repair-1")
    assert night.t("a+review-2").outcome == "FAILED_RETRYABLE"
    night.do(cmd.Reject(policy=repaired.policy, plan=repaired.plan, by=ME, note="wrong way"))
    assert night.t("a+review-2").phase == "dropped" and night.t("a").outcome == "PARKED_DECISION"
    night.do(cmd.AnswerDecision(decision=night.t("a").decision, text="the other way", by=ME))
    night.go(TWO)
    night.work("a", assessment=HIGH)
    assert night.spawned()[3:] == ["a+review-1.1"] and night.flying() == ["a+review-1.1"]
    assert not night.facts(ev.ChainEscalated)


def test_taking_the_rejection_of_a_repair_back_brings_the_outcome_of_the_root_back() -> None:
    night = ChainNight()
    night.root("a")
    night.read("a+review-1", BLOCK)
    night.mend("a+repair-1")
    night.read("a+review-2", SHIP)
    repaired = night.t("a+repair-1")
    night.do(cmd.Reject(policy=repaired.policy, plan=repaired.plan, by=ME))
    night.do(cmd.Undo(plan=repaired.plan, by=ME))
    assert night.t("a").outcome == "DONE" and night.plan_state(repaired.plan) == "waiting"
    assert len(night.facts(ev.ChainShipped)) == 1


def test_requeuing_the_root_voids_the_repaired_plan_and_withdraws_its_chain() -> None:
    night = ChainNight()
    night.root("a")
    night.read("a+review-1", BLOCK)
    night.mend("a+repair-1")
    night.do(cmd.StopRun(by=ME, now=True))
    night.settle()
    repaired = night.t("a+repair-1").plan
    night.do(cmd.RequeueTicket(ticket="a", by=ME))
    assert night.plan_state(repaired) == "void" and night.t("a+review-2").phase == "dropped"
    assert "earlier round" in night.refused(cmd.RequeueTicket(ticket="a+review-2", by=ME))


def test_what_a_person_may_do_with_members() -> None:
    night = ChainNight()
    night.root("a")
    night.read("a+review-1", BLOCK)
    assert "follows from" in night.refused(cmd.RequeueTicket(ticket="a+review-1", by=ME))
    assert "reject the plan of a" in night.refused(cmd.DropTicket(ticket="a+review-1", by=ME))
    night.mend("a+repair-1")
    assert "is superseded" in night.refused(cmd.RequeueTicket(ticket="a+repair-1", by=ME))
    night.do(cmd.SyncTickets(gone=("a+repair-1",)))
    assert night.t("a+repair-1").phase == "ended", "it never had a file"


def test_dropping_a_queued_review_escalates_once() -> None:
    night = ChainNight()
    night.root("a")
    night.do(cmd.StopRun(by=ME, now=True))
    night.settle()
    assert not night.facts(ev.ChainEscalated), "the next run takes it by itself"
    night.do(cmd.DropTicket(ticket="a+review-1", by=ME))
    assert "was dropped" in night.facts(ev.ChainEscalated)[0].why  # type: ignore[attr-defined]
    night.restart()
    assert len(night.facts(ev.ChainEscalated)) == 1


def test_a_later_turn_of_the_implementer_is_reviewed_anew_and_the_old_repair_has_no_consequence() -> None:
    night = ChainNight()
    night.root("a")
    night.read("a+review-1", BLOCK)
    night.begin_turn("a+repair-1")
    s = night.t("a").session
    night.prompt(s, "one more thing")
    night.up(s)
    night.begin(s)
    night.end_turn("a")
    night.judged("a", assessment=HIGH)
    assert night.spawned()[-1] == "a+review-2"
    night.end_turn("a+repair-1")
    night.judged("a+repair-1", assessment=HIGH)
    assert "to repair is superseded" in night.t("a+repair-1").why
    assert night.plan_state(night.t("a").plan) == "waiting"


def test_a_landing_that_wants_a_review_never_goes_without_a_person() -> None:
    night = ChainNight(replace(LIMITS, when="always"))
    night.see("a")
    night.go(replace(TWO, ack=False))
    night.work("a", assessment=CALM)
    night.read("a+review-1", SHIP)
    assert night.plan_state(night.t("a").plan) == "waiting" and not night.facts(ev.ApprovalRequested)


def test_the_switch_says_what_it_is_already() -> None:
    night = ChainNight()
    assert "on already" in night.refused(cmd.SwitchChains(on=True, by=ME))
    assert not night.limit(LIMITS), "limits that are the same are no fact"
    assert isinstance(night.ask(cmd.Report(facts=(ev.ChainShipped(root="a", ticket="a", plan="p", key="k"),))), tuple)
    assert not night.facts(ev.ChainShipped), "what the brain decides nobody reports"


def test_a_member_waits_while_no_run_is_under_way_and_is_due_in_the_next() -> None:
    night = ChainNight(on=False)
    night.root("a")
    night.switch(on=True)
    assert night.t("a+review-1").phase == "queued" and not list(due.due(night.state))
    night.go(TWO)
    assert due.Prepare(ticket="a+review-1", attempt=1) in set(due.due(night.state))
    assert not isinstance(night.ask(cmd.ParkTicket(ticket="a+review-1", question="Why?", by=ME)), Refused)
