"""Chains whose root moves on meanwhile, what depends on work that is being reviewed, and what nobody needs any more."""

from __future__ import annotations

import pytest
from chainplay import BLOCK, CALM, HIGH, LIMITS, SHIP, TWO, ChainNight
from msgspec.structs import replace
from play import ME, commit_id, frozen

from console.core import chains_react, queue
from console.core import commands as cmd
from console.core import events as ev
from console.core.chains_board import over
from console.core.queue import readiness
from console.core.records import Refused
from console.core.reporting import stacking


class Stacked(ChainNight):
    """Its worktrees begin where real ones do: at the plans that are below."""

    def do(self, command: cmd.Command) -> tuple[ev.Fact, ...]:
        if isinstance(command, cmd.BeginWork):
            below = tuple(p.plan for p in queue.stack(self.state, self.t(command.ticket)))
            command = replace(command, stacked_on=below)
        return super().do(command)

    def made(self, name: str, number: int) -> str:
        """Its attempt ends well, with this plan on what is below."""
        base = ("h0", *self.t(name).stacked_on)[-1]
        plan = frozen(number, base, f"/w/{name}", f"refs/heads/nightdesk/{name}")
        self.end_turn(name)
        self.judged(name, plan=plan)
        self.settle()
        return plan.commit


def look(night: ChainNight, name: str) -> tuple[str, str, str]:
    t = night.t(name)
    return t.phase, str(t.outcome), t.why


# -- the root moves on while its review is at work -------------------------------------------------------


def test_a_block_of_work_whose_file_is_gone_is_told_in_its_outcome_and_stays_when_the_file_is_back() -> None:
    night = ChainNight(replace(LIMITS, when="always"))
    night.root("a", assessment=CALM)
    assert night.t("a").outcome == "DONE"
    night.begin_turn("a+review-1")
    night.do(cmd.SyncTickets(gone=("a",)))
    night.end_turn("a+review-1")
    night.said("a+review-1", BLOCK)
    assert look(night, "a") == ("gone", "DONE_LOW_CONFIDENCE", "the review said BLOCK")
    assert night.spawned() == ["a+review-1"] and over(night.state, night.t("a+review-1"))
    assert night.end[1]["a"] == "DONE_LOW_CONFIDENCE" and night.plan_state(night.t("a").plan) == "waiting"
    night.see("a")
    assert look(night, "a") == ("ended", "DONE_LOW_CONFIDENCE", "the review said BLOCK")
    night.check_durable()


def test_a_ship_of_work_whose_file_is_gone_is_told_as_well_and_begins_nothing() -> None:
    night = ChainNight()
    night.root("a")
    night.begin_turn("a+review-1")
    night.do(cmd.SyncTickets(gone=("a",)))
    night.end_turn("a+review-1")
    night.said("a+review-1", SHIP)
    assert look(night, "a") == ("gone", "DONE", "green, and critic reviewed it: SHIP") and not night.shipped()


def test_a_plan_that_a_person_cancels_is_told_though_the_file_is_gone() -> None:
    night = ChainNight(on=False)
    night.root("a")
    night.do(cmd.SyncTickets(gone=("a",)))
    night.do(cmd.CancelPolicy(policy=night.t("a").policy, by=ME))
    assert look(night, "a")[:2] == ("gone", "FAILED_RETRYABLE")


@pytest.mark.parametrize(("how", "why"), [("gone", "the file of a is gone"), ("dropped", "a was dropped")])
def test_a_queued_review_is_withdrawn_with_the_true_reason(how: str, why: str) -> None:
    night = ChainNight(on=False)
    night.root("a")
    night.switch(on=True)
    night.do(cmd.SyncTickets(gone=("a",)) if how == "gone" else cmd.DropTicket(ticket="a", by=ME))
    assert look(night, "a+review-1")[::2] == ("dropped", why)


# -- members that need nobody any more -------------------------------------------------------------------


def test_a_review_that_failed_is_withdrawn_when_a_person_lets_the_work_land_and_says_both() -> None:
    night = ChainNight()
    night.root("a")
    for _ in range(3):
        night.read("a+review-1", "hm")
    a = night.t("a")
    assert night.t("a+review-1").outcome == "FAILED_BUG_IN_AGENT" and not over(night.state, night.t("a+review-1"))
    night.do(cmd.Approve(policy=a.policy, plan=a.plan, by=ME, confirm="a"))
    assert night.t("a+review-1").phase == "ended", "git may still say no"
    night.land(a.policy)
    phase, _, why = look(night, "a+review-1")
    assert phase == "dropped" and "waits for nobody" in why and "3 attempt(s) used up" in why


def test_a_parked_repair_of_a_rejected_plan_is_withdrawn_with_its_question() -> None:
    night = ChainNight()
    night.root("a")
    night.read("a+review-1", BLOCK)
    night.do(cmd.ParkTicket(ticket="a+repair-1", question="Really?", by=ME))
    asked = night.t("a+repair-1").decision
    night.do(cmd.Reject(policy=night.t("a").policy, plan=night.t("a").plan, by=ME))
    assert night.t("a+repair-1").phase == "dropped" and night.state.decisions[asked].state == "closed"
    assert not chains_react.follow(night.state)


def test_a_repair_that_is_done_and_came_too_late_can_be_dropped() -> None:
    night = ChainNight()
    night.root("a")
    night.read("a+review-1", BLOCK)
    assert "is done" in night.refused(cmd.DropTicket(ticket="a+review-1", by=ME)), "its chain goes on"
    night.begin_turn("a+repair-1")
    a = night.t("a")
    night.do(cmd.Approve(policy=a.policy, plan=a.plan, by=ME, confirm="a"))
    night.land(a.policy)
    night.end_turn("a+repair-1")
    night.judged("a+repair-1", assessment=HIGH)
    night.settle()
    for name in ("a+repair-1", "a+review-1"):
        night.do(cmd.DropTicket(ticket=name, by=ME))
        assert night.t(name).phase == "dropped" and night.plan_state(a.plan) == "landed"


# -- what depends on work that is being reviewed ---------------------------------------------------------


def test_a_dependent_waits_while_what_it_depends_on_is_reviewed_and_repaired_and_says_so() -> None:
    night = ChainNight(replace(LIMITS, when="always"))
    night.see("b", after=("a",))
    night.root("a", assessment=CALM)

    def stands() -> str:
        found = readiness(night.state, night.t("b"))
        assert (found.state, found.by) == ("waits", "a")
        return found.why

    assert night.t("a").outcome == "DONE" and stands() == "a is being reviewed"
    night.do(cmd.StopRun(by=ME, now=True))
    night.settle()
    assert stands() == "a waits to be reviewed"
    night.go(TWO)
    night.read("a+review-1", BLOCK)
    assert stands() == "a is being repaired"
    night.mend("a+repair-1")
    assert stands() == "a is being reviewed"
    night.read("a+review-2", SHIP)
    assert night.flying() == ["b"]


def test_a_dependent_waits_for_a_review_that_finds_no_room_yet() -> None:
    night = ChainNight(replace(LIMITS, when="always", max_chains=1))
    night.see("c", after=("b",))
    night.root("a", "b", assessment=CALM)
    assert night.spawned() == ["a+review-1"]
    assert readiness(night.state, night.t("c")).why == "b waits to be reviewed"


def test_while_chains_are_off_a_queued_review_holds_nobody_up() -> None:
    night = ChainNight(replace(LIMITS, when="always"))
    night.see("b", after=("a",))
    night.root("a", assessment=CALM)
    night.do(cmd.StopRun(by=ME, now=True))
    night.settle()
    night.switch(on=False)
    assert readiness(night.state, night.t("b")).state == "ready"


def replaced() -> tuple[Stacked, str, str, str]:
    """a is done, b was made on it while chains were off; then a review blocks a, and a repair replaces its plan."""
    night = Stacked(replace(LIMITS, when="never"))
    for name, after in (("a", ()), ("b", ("a",)), ("c", ("b",))):
        night.see(name, after=after, review=name == "a")
    night.switch(on=False)
    night.go(TWO)
    plans = []
    for number, name in enumerate(("a", "b"), 1):
        night.begin_turn(name)
        plans.append(night.made(name, number))
    night.begin_turn("c")
    assert night.t("b").stacked_on == (commit_id(1),) and night.t("b").outcome == "DONE"
    night.switch(on=True)
    night.read("a+review-1", BLOCK)
    assert night.t("b").outcome == "DONE", "nothing has taken the place of what it is on"
    night.begin_turn("a+repair-1")
    return night, plans[0], plans[1], night.made("a+repair-1", 8)


def test_work_on_a_plan_that_a_repair_replaced_is_in_doubt_and_says_what_it_was_judged_on() -> None:
    night, old, plan, new = replaced()
    told = f"it was made and judged on {old[:10]}, which a repair replaced"
    b = night.t("b")
    assert (b.phase, b.outcome, b.flags, b.plan) == ("ended", "DONE_LOW_CONFIDENCE", (told,), plan)
    assert night.plan_state(plan) == "waiting", "nothing of the work is lost"
    night.made("c", 3)
    assert night.t("c").flags == (told,), "and so is what was built on that"
    words = stacking.obstacle(night.state, night.state.plans[plan])
    assert words == f"its work starts from {old[:10]}, in whose place {new[:10]} of a is: to be approved first"
    night.read("a+review-2", SHIP)
    assert night.t("a").outcome == "DONE" and night.t("b").flags == (told,)
    night.check_durable()


def test_work_that_is_judged_again_on_the_repair_is_in_doubt_no_more() -> None:
    night, _, plan, new = replaced()
    night.read("a+review-2", SHIP)
    b, again = night.t("b"), frozen(9, new, "/w/b", "refs/heads/nightdesk/b")
    night.do(cmd.Approve(policy=night.t("a+repair-1").policy, plan=new, by=ME, confirm="a+repair-1"))
    night.land(night.t("a+repair-1").policy)
    night.do(cmd.Approve(policy=b.policy, plan=plan, by=ME))
    night.report(ev.PlanRebased(policy=b.policy, plan=plan, fresh=again))
    night.judged("b", plan=again)
    assert (night.t("b").outcome, night.t("b").flags, night.t("b").plan) == ("DONE", (), again.commit)


def test_work_that_lost_what_it_was_built_on_is_reviewed_anew_whatever_became_of_its_chain_before() -> None:
    night = Stacked(replace(LIMITS, max_cycles=1))
    night.see("a", review=False)
    night.see("b", after=("a",), review=True)
    night.go(TWO)
    for number, name in enumerate(("a", "b"), 1):
        night.begin_turn(name)
        night.made(name, number)
    night.read("b+review-1", BLOCK)
    assert night.t("b").escalated
    a = night.t("a")
    night.do(cmd.Reject(policy=a.policy, plan=a.plan, by=ME))
    night.do(cmd.AnswerDecision(decision=night.t("a").decision, text="otherwise", by=ME))
    night.go(TWO)
    for number, name in enumerate(("a", "b"), 3):
        night.begin_turn(name)
        night.made(name, number)
    assert night.flying() == ["b+review-1.1"] and not night.t("b").escalated


def test_work_on_a_plan_that_a_repair_replaced_begins_anew_when_the_repair_is_rejected() -> None:
    night, _, plan, new = replaced()
    night.do(cmd.Reject(policy=night.t("a+repair-1").policy, plan=new, by=ME))
    night.settle()
    assert night.t("b").phase == "queued" and night.plan_state(plan) == "void"
    assert not isinstance(night.ask(cmd.SyncTickets()), Refused)
