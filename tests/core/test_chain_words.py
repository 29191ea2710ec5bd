"""How chains end, in words: what landed in doubt is not trustworthy, nothing is told twice."""

from __future__ import annotations

from itertools import pairwise

from chainplay import BLOCK, CALM, LIMITS, SHIP, TWO, ChainNight
from msgspec.structs import replace
from play import ME

from console.cli import draining
from console.cli.chains import data
from console.core import commands as cmd
from console.core import events as ev
from console.core.report import build
from console.core.reporting.records import Report
from console.present import attention, board, logline, nightreport, runwords

ALWAYS = replace(LIMITS, when="always")


def report(n: ChainNight) -> Report:
    found = build(n.state, "", n.log)
    assert isinstance(found, Report)
    return found


def blocked() -> ChainNight:
    """Work that a review said BLOCK of; its repair is claimed."""
    n = ChainNight(ALWAYS)
    n.root("fix")
    n.read("fix+review-1", BLOCK)
    return n


def approve(n: ChainNight) -> str:
    """The plan that waits lands."""
    (plan,) = (p for p in n.state.plans.values() if p.state == "waiting")
    n.do(cmd.Approve(policy=plan.policy, plan=plan.plan, by=ME, confirm=plan.policy))
    n.land(plan.policy)
    return plan.plan


def test_work_that_landed_although_its_review_said_block_is_neither_trustworthy_nor_waiting() -> None:
    n = blocked()
    plan = approve(n)
    found = report(n)
    (fix,) = (i for i in found.items if i.about == "fix")
    assert fix.section == "since" and not found.section("done") and not found.section("look")
    facts = {f.name: f.text for f in fix.facts}
    assert "lets it land" in facts["since"] and facts["why"] == "the review said BLOCK"
    assert [a.command for a in fix.actions] == ["git merge --no-ff --no-edit nightdesk/fix"]
    assert "need" not in found.headline and plan not in {i.about for i in attention.needs(n.state)}
    assert "Nothing waits for you" in nightreport.markdown(found, n.state.at)


def test_what_a_person_has_just_approved_waits_for_nobody() -> None:
    n = blocked()
    (plan,) = (p for p in n.state.plans.values() if p.state == "waiting")
    n.do(cmd.Approve(policy=plan.policy, plan=plan.plan, by=ME, confirm=plan.policy))
    assert not report(n).section("look") and not attention.needs(n.state)


def test_a_repair_that_came_too_late_did_not_change_nothing() -> None:
    n = blocked()
    approve(n)
    n.mend("fix+repair-1")
    sums = report(n).chains
    assert sums and sums.repairs == {"unused": 1}
    chain = next(f.text for i in report(n).items for f in i.facts if f.name == "chain")
    assert chain.endswith("repair of cycle 1: unused") and "stays in its worktree" in n.t("fix+repair-1").why
    assert not attention.needs(n.state), "nobody can do anything about it"


def test_a_repair_that_came_to_nothing_is_told_with_its_plan_alone() -> None:
    n = blocked()
    n.begin_turn("fix+repair-1")
    n.do(cmd.StopSession(session=n.t("fix+repair-1").session, by=ME))
    n.settle()
    needs = attention.needs(n.state)
    assert [i.kind for i in needs] == ["plan"], needs
    assert [i.about for i in report(n).section("look")] == ["fix"]


def later_run() -> ChainNight:
    """A run was stopped in the middle of a repair; the next one repairs, reviews and ships."""
    n = blocked()
    n.begin_turn("fix+repair-1")
    n.do(cmd.StopRun(by=ME, now=True))
    n.settle()
    assert n.end[0] == "STOPPED"
    return n


def test_a_repair_that_a_stopped_run_left_waits_for_a_run() -> None:
    n = later_run()
    (one,) = data(n.state)
    assert (one["state"], one["next"]) == ("waiting", "fix+repair-1 waits for a run (`nightdesk run`)")
    assert board.counts(board.chains(n.state)) == {"waiting": 1}
    told = report(n).chains
    assert told and told.repairs == {"queued": 1}


def test_a_run_that_did_only_chain_work_says_what_it_did() -> None:
    n = later_run()
    n.go(TWO)
    n.mend("fix+repair-1")
    n.read("fix+review-2", SHIP)
    found, run = report(n), n.state.runs["run-2"]
    assert run.status == "DRAINED"
    assert found.headline == "No ticket was left to work on; there was work on finished ones: 1 review and 1 repair"
    (fix,) = (i for i in found.items if i.about == "fix")
    assert fix.kind == "ticket" and fix.chain == "shipped" and fix.section in ("look", "done")
    assert "no ticket ended; 1 review and 1 repair" in draining.summary(run)
    assert draining.run_data(run)["outcomes"] == {} and runwords.chained(run) == {"review": 1, "repair": 1}


def test_each_outcome_of_a_chain_is_in_the_log_once() -> None:
    n = ChainNight(replace(ALWAYS, max_cycles=2))
    n.root("fix")
    n.read("fix+review-1", BLOCK)
    n.mend("fix+repair-1")
    n.read("fix+review-2", BLOCK)
    for name in ("fix", "fix+repair-1"):
        mine = [e for e in n.log if isinstance(e.fact, ev.TicketEnded) and e.fact.ticket == name]
        told = [logline.row(e)[2][0] for e in mine]
        assert all(one != after for one, after in pairwise(told)), told
    assert n.t("fix").flags == n.t("fix+repair-1").flags and n.t("fix").escalated


def test_work_whose_review_is_still_to_come_is_not_called_trustworthy() -> None:
    n = ChainNight(replace(ALWAYS, max_chains=1))
    n.root("a", "b", assessment=CALM)
    found = report(n)
    assert {n.t(name).outcome for name in ("a", "b")} == {"DONE"}
    assert not found.section("done") and {i.about for i in found.section("look")} == {"a", "b"}


def test_an_end_is_told_once_in_a_night_until_it_is_another_one() -> None:
    told = draining.Ends()
    end = ev.TicketEnded(ticket="fix", attempt=1, outcome="DONE_LOW_CONFIDENCE", why="the review said BLOCK")
    assert told.news(end) and not told.news(replace(end, flags=("more",))) and told.news(replace(end, ticket="other"))
    assert told.news(replace(end, outcome="DONE", why="green")) and told.news(end)
    assert told.news(ev.TicketWoken(ticket="fix", attempt=1))
