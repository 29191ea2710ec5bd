"""The queue's rules on the table: order, dependencies, attempts, parks, outcomes, and how a run ends."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from play import ME
from queueplay import FOUNDATION, PARK, SETTINGS, Night, introduced

from console.core import commands as cmd
from console.core import due
from console.core import events as ev
from console.core.queue import quarantined, readiness
from console.core.records import Assessment, Blame, Finding, Option, Usage
from console.core.state import open_run


@pytest.fixture
def night() -> Night:
    return Night()


ONE = replace(SETTINGS, sessions=1)


# -- order and slots -------------------------------------------------------------------------------------


def test_as_many_tickets_are_claimed_as_there_are_sessions_the_urgent_ones_first(night: Night) -> None:
    for name, priority in (("a", 0), ("b", 0), ("c", 10)):
        night.see(name, priority=priority)
    night.go()
    assert night.flying() == ["a", "c"]
    night.work("c")
    assert night.t("c").outcome == "DONE" and set(night.flying()) == {"a", "b"}


def test_an_empty_queue_is_drained_at_once(night: Night) -> None:
    night.go()
    assert night.end == ("DRAINED", {})


def test_a_green_ticket_waits_as_a_plan_and_the_run_drains(night: Night) -> None:
    night.see("a")
    night.go()
    night.work("a")
    t = night.t("a")
    assert (t.phase, t.outcome, t.attempts) == ("ended", "DONE", 1)
    assert night.state.plans[t.plan].state == "waiting"
    assert night.end == ("DRAINED", {"a": "DONE"})
    s = night.state.sessions[t.session]
    assert s.phase == "exited" and s.resumable, "its conversation can go on in the morning"


def test_a_ticket_dropped_into_the_folder_during_a_run_is_taken_too(night: Night) -> None:
    night.see("a")
    night.go()
    night.see("b")
    assert night.flying() == ["a", "b"]


def test_what_appears_while_a_session_could_write_there_is_held_until_a_person_releases_it(night: Night) -> None:
    night.see("a")
    night.go()
    night.begin_turn("a")
    night.see("planted")
    assert "s-1 could write" in night.t("planted").held and night.flying() == ["a"]
    assert readiness(night.state, night.t("planted")).state == "held"
    assert "changed since" in night.refused(cmd.ReleaseTicket(ticket="planted", by=ME, digest="other"))
    night.do(cmd.ReleaseTicket(ticket="planted", by=ME, digest="t1"))
    assert night.flying() == ["a", "planted"]


def test_what_a_session_left_behind_is_held_however_late_it_is_found(night: Night) -> None:
    night.see("a")
    night.go()
    night.begin_turn("a")
    written = night.now
    night.end_turn("a")
    night.judged("a")
    night.settle()
    night.now += 3600
    night.see("planted", stamp=f"1:{int(written * 1e9)}:7:9")
    night.see("later", stamp=f"1:{int(night.now * 1e9)}:7:8")
    assert night.t("planted").held and not night.t("later").held


def test_a_ticket_that_a_person_adds_by_command_is_not_held(night: Night) -> None:
    night.see("a")
    night.go()
    night.begin_turn("a")
    seen = ev.TicketSeen(ticket="b", file="b.md", digest="x", stamp="x", spec=night.t("a").spec, verdict=PARK)
    night.do(cmd.SyncTickets(seen=(replace(seen, verdict=night.t("a").verdict),), whole=False, by=ME))
    assert not night.t("b").held and "b" in night.flying()


def test_an_attempt_stays_pinned_to_the_text_it_was_claimed_with(night: Night) -> None:
    night.see("a")
    night.go()
    night.see("a", digest="t2")
    t = night.t("a")
    assert (t.digest, t.pinned, t.phase) == ("t2", "t1", "claimed")


# -- dependencies and quarantine -------------------------------------------------------------------------


def test_a_dependent_starts_when_what_it_depends_on_is_done(night: Night) -> None:
    night.see("a", after=("b",))
    night.see("b")
    night.go()
    assert night.flying() == ["b"]
    assert readiness(night.state, night.t("a")).state == "waits"
    night.work("b")
    assert night.flying() == ["a"]


def test_low_confidence_meets_no_dependency_before_a_person_lets_it_land(night: Night) -> None:
    night.see("a", after=("b",))
    night.see("b")
    night.go()
    shaky = Assessment(level=2, findings=(Finding(kind="tests", level="high", rule="gone", text="2 tests are gone"),))
    night.work("b", assessment=shaky)
    assert night.end == ("DRAINED", {"b": "DONE_LOW_CONFIDENCE"})
    b = night.t("b")
    night.do(cmd.Approve(policy=b.policy, plan=b.plan, by=ME, confirm="b"))
    night.land(b.policy)
    assert readiness(night.state, night.t("a")).state == "ready"


def test_the_root_of_a_chain_of_five_parks_four_are_quarantined_and_its_answer_lets_all_five_end(night: Night) -> None:
    night.see("t1", verdict=FOUNDATION)
    for n in range(2, 6):
        night.see(f"t{n}", after=(f"t{n - 1}",))
    night.go()
    assert night.end == ("DRAINED", {"t1": "PARKED_FOUNDATIONAL"})
    assert [t.ticket for t in quarantined(night.state, "dec-1")] == ["t2", "t3", "t4", "t5"]
    assert all("waits for dec-1" in readiness(night.state, night.t(f"t{n}")).why for n in range(2, 6))
    night.do(cmd.AnswerDecision(decision="dec-1", choice=2, by=ME))
    assert quarantined(night.state, "dec-1") == []
    night.go()
    for n in range(1, 6):
        assert night.flying() == [f"t{n}"]
        night.work(f"t{n}")
    assert night.end == ("DRAINED", {f"t{n}": "DONE" for n in range(1, 6)})
    assert night.t("t1").answers == ("Which way? -> b",)


def test_an_answer_can_be_taken_back_until_work_on_it_begins(night: Night) -> None:
    night.see("a", verdict=PARK)
    night.go()
    night.do(cmd.AnswerDecision(decision="dec-1", text="do the second", by=ME))
    assert night.t("a").phase == "queued"
    night.do(cmd.ReopenDecision(decision="dec-1", by=ME))
    assert (night.t("a").outcome, night.t("a").answers) == ("PARKED_DECISION", ())
    night.do(cmd.AnswerDecision(decision="dec-1", choice=1, by=ME))
    night.go()
    assert "has begun" in night.refused(cmd.ReopenDecision(decision="dec-1", by=ME))
    night.work("a")
    assert night.t("a").outcome == "DONE"


def test_an_unknown_dependency_never_starts_and_does_not_hold_up_the_others(night: Night) -> None:
    night.see("a", after=("nowhere",))
    night.see("b")
    night.go()
    night.work("b")
    assert night.end == ("DRAINED", {"b": "DONE"})
    assert readiness(night.state, night.t("a")).state == "unknown"


def test_the_dependents_of_a_rejected_plan_go_back_to_the_queue_with_their_plans_void(night: Night) -> None:
    night.see("a")
    night.see("b", after=("a",))
    night.go()
    night.work("a")
    a = night.t("a")
    t = night.t("b")
    night.do(
        cmd.BeginWork(
            ticket="b", attempt=t.attempt, worktree="/w/b", branch="nightdesk/b", ref="r", head="h0",
            base=a.plan, launch=SETTINGS.presets["bot"], preset="bot", prompt="x", stacked_on=(a.plan,), stores=("/s",),
        )
    )  # fmt: skip
    s = night.t("b").session
    night.up(s)
    night.report(ev.TurnStarted(session=s, turn=1, ref="refs/heads/nightdesk/b", head="h0"))
    night.end_turn("b")
    night.judged("b")
    night.settle()
    b = night.t("b")
    assert b.outcome == "DONE"
    assert "to be approved first" in night.refused(cmd.Approve(policy=b.policy, plan=b.plan, by=ME))
    night.do(cmd.Reject(policy=a.policy, plan=a.plan, by=ME, note="wrong way"))
    assert night.state.plans[b.plan].state == "void"
    assert (night.t("a").outcome, night.t("b").phase) == ("PARKED_DECISION", "queued")
    assert "wrong way" in night.state.decisions[night.t("a").decision].why


def test_taking_back_a_rejection_brings_the_outcome_back(night: Night) -> None:
    night.see("a")
    night.go()
    night.work("a")
    a = night.t("a")
    night.do(cmd.Reject(policy=a.policy, plan=a.plan, by=ME, note="no"))
    night.do(cmd.Undo(plan=a.plan, by=ME))
    assert (night.t("a").outcome, night.t("a").plan) == ("DONE", a.plan)
    assert night.state.decisions["dec-1"].state == "closed"


# -- attempts --------------------------------------------------------------------------------------------


def test_an_introduced_failure_is_rolled_back_and_tried_again_with_what_failed(night: Night) -> None:
    night.see("a")
    night.go()
    night.begin_turn("a")
    night.end_turn("a")
    night.judged("a", "red", introduced())
    first = night.t("a").session
    assert (night.t("a").phase, night.state.sessions[first].rollback) == ("retrying", f"snap-{first}")
    night.settle()
    t = night.t("a")
    assert (t.phase, t.attempt, t.attempts) == ("claimed", 2, 2)
    assert t.failures[0].kept.startswith("undo-") and "said so" in t.failures[0].output
    night.work("a")
    assert night.t("a").outcome == "DONE" and night.t("a").session != first


def test_the_same_failure_twice_ends_it(night: Night) -> None:
    night.see("a")
    night.go()
    night.work("a", "red", introduced())
    night.work("a", "red", introduced())
    t = night.t("a")
    assert (t.outcome, t.attempts) == ("FAILED_BUG_IN_AGENT", 2) and "same failure twice" in t.why


def test_attempts_used_up_end_it(night: Night) -> None:
    night.see("a", attempts=2)
    night.go()
    night.work("a", "red", introduced("x"))
    night.work("a", "red", introduced("y"))
    assert night.t("a").outcome == "FAILED_BUG_IN_AGENT" and "2 attempt(s) used up" in night.t("a").why


@pytest.mark.parametrize("now", [False, True])
def test_a_run_that_stops_between_attempts_leaves_the_ticket_retryable(night: Night, now: bool) -> None:
    night.see("a")
    night.go()
    night.begin_turn("a")
    night.do(cmd.StopRun(by=ME, now=now))
    if not now:
        night.end_turn("a")
        night.judged("a", "red", introduced())
    night.settle()
    assert night.end == ("STOPPED", {"a": "FAILED_RETRYABLE"})


def test_an_exit_in_good_order_and_a_turn_without_end_count_as_attempts(night: Night) -> None:
    """A crash does not (`test_restart_rules`): it says nothing about the work."""
    night.see("a")
    night.go()
    s = night.begin_turn("a")
    night.report(ev.Exited(session=s, run=1, how="exited", code=0))
    night.settle()
    assert night.t("a").failures[0].cause == "crash"
    s = night.begin_turn("a")
    limit = next(e for e in due.due(night.state) if isinstance(e, due.Deadline))
    assert limit.limit == SETTINGS.turn_timeout
    night.report(ev.TicketOverdue(ticket="a", attempt=2, limit=limit.limit))
    assert night.state.sessions[s].phase == "stopping"
    night.settle()
    assert night.t("a").failures[1].cause == "timeout" and night.t("a").phase == "claimed"


def test_a_late_deadline_of_an_earlier_attempt_means_nothing(night: Night) -> None:
    night.see("a")
    night.go()
    night.work("a", "red", introduced())
    night.begin_turn("a")
    assert night.report(ev.TicketOverdue(ticket="a", attempt=1, limit=5.0)) == ()
    assert not night.t("a").overdue


# -- blame and flags -------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["pre-existing", "flaky"])
def test_a_red_that_is_not_the_works_fault_keeps_it_with_low_confidence(night: Night, kind: str) -> None:
    night.see("a")
    night.go()
    night.work("a", "red", Blame(kind=kind, why="3 tests fail on both sides"))  # type: ignore[arg-type]
    t = night.t("a")
    assert t.outcome == "DONE_LOW_CONFIDENCE" and kind in t.flags[0]
    assert night.state.plans[t.plan].level == 2


def test_the_environments_fault_blocks_and_spends_no_attempt(night: Night) -> None:
    night.see("a")
    night.go()
    night.work("a", "unjudged", Blame(kind="environment", why="no such program"))
    assert (night.t("a").outcome, night.t("a").attempts) == ("BLOCKED_ENV", 0)


@pytest.mark.parametrize(
    "assessment",
    [
        Assessment(level=2, findings=(Finding(kind="tests", level="high", rule="gone", text="1 test is gone"),)),
        Assessment(level=3, findings=(Finding(kind="risk", level="high", rule="auth", text="touches auth"),)),
        Assessment(level=2, findings=(Finding(kind="hook", level="medium", rule="hook", text="no hook ran"),)),
    ],
    ids=["weakened tests", "high risk unreviewed", "hooks not run"],
)
def test_what_weakens_a_green_is_never_plain_done(night: Night, assessment: Assessment) -> None:
    night.see("a")
    night.go()
    night.work("a", assessment=assessment)
    assert night.t("a").outcome == "DONE_LOW_CONFIDENCE" and night.t("a").flags


def test_a_diff_that_goes_where_the_text_did_not_say_is_flagged(night: Night) -> None:
    night.see("a")
    night.go()
    night.work("a", assessment=Assessment(classes=("auth-security",)))
    assert night.t("a").outcome == "DONE_LOW_CONFIDENCE" and "did not say so" in night.t("a").flags[0]


def test_no_gate_and_no_change_are_never_plain_done(night: Night) -> None:
    night.see("a")
    night.see("b")
    night.go(replace(SETTINGS, gate=None))
    night.begin_turn("a")
    night.end_turn("a")
    night.judged("a", None)
    night.begin_turn("b")
    night.end_turn("b")
    night.judged("b", None, plan=None, unchanged=True)
    assert (night.t("a").outcome, night.t("b").outcome) == ("DONE_LOW_CONFIDENCE", "DONE_LOW_CONFIDENCE")
    assert "no gate" in night.t("a").why and "changed nothing" in night.t("b").why


# -- parks and questions ---------------------------------------------------------------------------------


def test_an_agent_parks_its_ticket_and_the_next_one_starts(night: Night) -> None:
    night.see("a")
    night.see("b")
    night.go(ONE)
    night.begin_turn("a")
    note = ev.ParkRequested(ticket="a", attempt=1, question="Which key?", options=("x", "y"), foundational=True)
    night.report(note)
    assert night.report(note) == (), "the same note a second time asks nothing"
    d = night.state.decisions["dec-1"]
    assert (d.question, [o.text for o in d.options], d.source) == ("Which key?", ["x", "y"], "agent")
    assert night.t("a").outcome == "PARKED_FOUNDATIONAL" and night.flying() == ["b"]


@pytest.mark.parametrize("attended", [False, True])
def test_a_question_is_a_park_at_once_unless_somebody_attends(night: Night, attended: bool) -> None:
    night.see("a")
    night.go(attended=attended)
    s = night.begin_turn("a")
    night.report(
        ev.AwaitingInput(session=s, turn=1, question="q", title="rm -rf?", options=(Option(id="y", name="Yes"),))
    )
    if attended:
        assert night.t("a").phase == "working"
        night.report(ev.OperatorActive(by=ME))
        patience = next(e for e in due.due(night.state) if isinstance(e, due.Patience))
        assert patience.at == night.now + due.ATTENTION
        night.report(ev.ParkRequested(ticket="a", attempt=1, question=patience.title, options=patience.options))
    assert night.t("a").outcome == "PARKED_DECISION"
    assert night.state.decisions["dec-1"].question == "rm -rf?"


def test_a_person_parks_a_ticket_that_waits(night: Night) -> None:
    night.see("a")
    night.do(cmd.ParkTicket(ticket="a", question="Do we want it?", by=ME))
    night.go()
    assert (night.t("a").outcome, night.end[0]) == ("PARKED_DECISION", "DRAINED")


# -- limits ----------------------------------------------------------------------------------------------


def test_a_usage_limit_waits_for_its_reset_and_spends_no_attempt(night: Night) -> None:
    night.see("a")
    night.go()
    night.begin_turn("a")
    night.end_turn("a", ok=False, stop="error", detail="resets at 3", fault="limit", until=night.now + 3600)
    t = night.t("a")
    assert (t.phase, t.attempt) == ("waiting", 1)
    wake = next(e for e in due.due(night.state) if isinstance(e, due.Wake))
    assert wake.at == t.until
    night.report(ev.TicketWoken(ticket="a", attempt=1))
    s = night.t("a").session
    night.report(ev.TurnStarted(session=s, turn=2, ref="refs/heads/nightdesk/a", head="h0"))
    night.end_turn("a")
    night.judged("a")
    assert (night.t("a").outcome, night.t("a").attempt) == ("DONE", 1)


def test_a_limit_that_comes_again_and_again_blocks(night: Night) -> None:
    night.see("a")
    night.go()
    night.begin_turn("a")
    for turn in range(2, 6):
        night.end_turn("a", ok=False, stop="error", fault="limit")
        if night.t("a").phase == "ended":
            break
        night.report(ev.TicketWoken(ticket="a", attempt=1))
        night.report(ev.TurnStarted(session=night.t("a").session, turn=turn, ref="r", head="h0"))
    assert night.t("a").outcome == "BLOCKED_ENV" and "4th time" in night.t("a").why


# -- the run ---------------------------------------------------------------------------------------------


def test_most_of_it_parked_is_a_low_yield(night: Night) -> None:
    for n in range(12):
        night.see(f"t{n:02}", verdict=PARK)
    night.go()
    status, outcomes = night.end
    assert status == "LOW_YIELD" and len(outcomes) == 8


def test_the_ticket_cap_counts_tickets_not_attempts(night: Night) -> None:
    for name in "abc":
        night.see(name)
    night.go(replace(ONE, tickets=2))
    night.work("a", "red", introduced("x"))
    night.work("a")
    night.work("b")
    assert night.end == ("TICKET_CAP", {"a": "DONE", "b": "DONE"})


def test_the_cost_cap_ends_it_and_leaves_what_failed_retryable(night: Night) -> None:
    night.see("a")
    night.see("b")
    night.go(replace(ONE, cost_usd=1.0))
    night.begin_turn("a")
    night.end_turn("a", usage=Usage(cost_usd=1.5))
    night.judged("a", "red", introduced())
    night.settle()
    assert night.end == ("COST_CAP", {"a": "FAILED_RETRYABLE"})


def test_pause_lets_what_runs_end_and_begins_nothing(night: Night) -> None:
    night.see("a")
    night.see("b")
    night.go(ONE)
    night.do(cmd.PauseRun(by=ME))
    night.work("a", "red", introduced())
    assert night.flying() == [] and night.t("a").phase == "queued"
    night.do(cmd.ResumeRun(by=ME))
    assert night.flying() == ["a"], "what was begun goes first"


def test_changed_settings_halt_the_run_and_stop_what_is_under_way(night: Night) -> None:
    night.see("a")
    night.go()
    night.begin_turn("a")
    night.report(ev.RunHalting(run="run-1", reason="settings changed"))
    night.settle()
    assert night.end == ("HALTED", {"a": "FAILED_RETRYABLE"})
    assert night.report(ev.RunHalting(run="run-1", reason="again")) == ()


def test_the_settings_can_say_proceed_park_or_halt_for_a_ticket(night: Night) -> None:
    night.see("a", verdict=PARK)
    night.see("b")
    night.see("c")
    night.go(replace(ONE, overrides={"a": "PROCEED", "b": "PARK", "c": "HALT"}))
    night.work("a")
    assert night.t("b").outcome == "PARKED_DECISION"
    assert night.end[0] == "HALTED"


def test_only_one_run_at_a_time(night: Night) -> None:
    night.see("a")
    night.go()
    assert "under way already" in night.refused(cmd.StartRun(settings=SETTINGS, by=ME))


IN_PLACE = replace(ONE, workspace="in_place")


def test_in_place_the_next_one_begins_when_the_checkout_is_given_back_and_the_run_ends_after_that(night: Night) -> None:
    night.see("a")
    night.see("b")
    night.go(IN_PLACE)
    night.begin_turn("a")
    night.end_turn("a")
    night.judged("a")
    assert night.t("a").outcome == "DONE" and night.flying() == [], "the checkout still holds its work"
    night.settle()
    assert night.flying() == ["b"]
    a = night.t("a")
    assert "in this checkout" in night.refused(cmd.Approve(policy=a.policy, plan=a.plan, by=ME))
    night.begin_turn("b")
    night.end_turn("b")
    night.judged("b")
    assert night.end[0] is None, "the run is not over before the checkout is given back"
    night.settle()
    assert night.end == ("DRAINED", {"a": "DONE", "b": "DONE"})
    night.do(cmd.Approve(policy=a.policy, plan=a.plan, by=ME))


def test_workers_that_pull_in_place_take_turns(night: Night) -> None:
    night.see("a")
    night.see("b")
    night.go(IN_PLACE, pull=True)
    pull(night, "w1", "a")
    assert night.do(cmd.NextTicket(holder="w2", by=ME)) == () and night.flying() == ["a"]
    assert "loop" in night.refused(cmd.NextTicket(holder="loop", by=ME))
    assert "held by 'w1'" in night.refused(cmd.CompleteTicket(ticket="a", holder="w2", by=ME))


def test_an_earlier_rounds_policy_ends_nothing_any_more(night: Night) -> None:
    night.see("a")
    night.go()
    night.work("a", "unjudged", Blame(kind="environment", why="no such program"))
    first = night.t("a").policy
    night.do(cmd.RequeueTicket(ticket="a", by=ME))
    night.go()
    night.begin_turn("a")
    assert "earlier round" in night.refused(cmd.RetryPolicy(policy=first, by=ME))
    earlier = night.state.policies[first].spec.sessions[0]
    assert "works in the worktree" in night.refused(cmd.SendPrompt(session=earlier, text="more", by=ME))


def test_a_cancelled_policy_takes_the_done_away_and_its_dependents_wait(night: Night) -> None:
    night.see("a")
    night.see("b", after=("a",))
    night.go(replace(ONE, tickets=1))
    night.work("a")
    night.do(cmd.CancelPolicy(policy=night.t("a").policy, by=ME))
    assert night.t("a").outcome == "FAILED_RETRYABLE"
    assert readiness(night.state, night.t("b")).state == "waits"


def test_a_stop_does_not_wait_for_a_usage_limit_and_a_week_is_a_block(night: Night) -> None:
    night.see("a")
    night.see("b")
    night.go()
    for name, hours in (("a", 5), ("b", 100)):
        night.begin_turn(name)
        night.end_turn(name, ok=False, stop="error", fault="limit", until=night.now + hours * 3600)
    assert (night.t("a").phase, night.t("b").outcome) == ("waiting", "BLOCKED_ENV")
    night.do(cmd.StopRun(by=ME))
    night.settle()
    assert night.end == ("STOPPED", {"a": "FAILED_RETRYABLE", "b": "BLOCKED_ENV"})


# -- pulling ---------------------------------------------------------------------------------------------


def pull(night: Night, name: str, ticket: str) -> None:
    night.do(cmd.NextTicket(holder=name, by=ME))
    t = night.t(ticket)
    assert (t.holder, t.phase) == (name, "claimed")
    external = SETTINGS.presets["bot"]
    night.do(
        cmd.BeginWork(
            ticket=ticket, attempt=t.attempt, worktree=f"/w/{ticket}", branch=f"nightdesk/{ticket}", ref="r", head="h0",
            base="h0", launch=replace(external, protocol="external"), preset="", prompt="", snapshot=f"snap-{ticket}",
        )
    )  # fmt: skip


def test_a_worker_that_pulls_gets_one_ticket_and_the_same_one_again(night: Night) -> None:
    night.see("a")
    night.see("b")
    night.go(pull=True)
    assert night.flying() == [], "a run for workers starts no session"
    pull(night, "w1", "a")
    assert night.do(cmd.NextTicket(holder="w1", by=ME)) == ()
    pull(night, "w2", "b")
    assert not [e for e in due.due(night.state) if isinstance(e, (due.Start, due.BeginTurn))]
    night.do(cmd.CompleteTicket(ticket="a", holder="w1", by=ME, head="h0"))
    night.judged("a")
    night.settle()
    assert night.t("a").outcome == "DONE"
    assert night.do(cmd.NextTicket(holder="w1", by=ME)) == (), "w2 is still at work"
    night.do(cmd.CompleteTicket(ticket="b", holder="w2", by=ME, claim="BLOCKED", note="no network"))
    night.settle()
    night.do(cmd.NextTicket(holder="w1", by=ME))
    assert night.end == ("DRAINED", {"a": "DONE", "b": "BLOCKED_ENV"})


def test_a_pulled_claim_lapses_after_its_turn_timeout(night: Night) -> None:
    night.see("a")
    night.go(pull=True)
    pull(night, "w1", "a")
    night.report(ev.TicketOverdue(ticket="a", attempt=1, limit=1800.0))
    night.settle()
    assert (night.t("a").phase, night.t("a").failures[0].cause) == ("queued", "timeout")
    pull(night, "w2", "a")


def test_what_is_driven_cannot_be_completed_from_outside(night: Night) -> None:
    night.see("a")
    night.go()
    night.begin_turn("a")
    assert "turn's end completes it" in night.refused(cmd.CompleteTicket(ticket="a", holder="w1", by=ME))


# -- by hand ---------------------------------------------------------------------------------------------


def test_requeue_gives_the_plan_up_and_counts_anew(night: Night) -> None:
    night.see("a")
    night.go()
    night.work("a")
    plan = night.t("a").plan
    night.do(cmd.RequeueTicket(ticket="a", by=ME, note="use the other library"))
    assert (night.t("a").phase, night.t("a").attempts, night.state.plans[plan].state) == ("queued", 0, "void")
    assert night.t("a").answers == ("use the other library",) and open_run(night.state) is None


def test_a_dropped_ticket_is_never_worked_on(night: Night) -> None:
    night.see("a")
    night.do(cmd.DropTicket(ticket="a", by=ME))
    night.go()
    assert night.end == ("DRAINED", {})


def test_a_person_who_stops_the_session_or_cancels_the_policy_frees_the_slot(night: Night) -> None:
    night.see("a")
    night.see("b")
    night.go(ONE)
    s = night.begin_turn("a")
    night.do(cmd.StopSession(session=s, by=ME))
    night.settle()
    assert night.t("a").outcome == "FAILED_RETRYABLE" and night.flying() == ["b"]
    night.begin_turn("b")
    night.do(cmd.CancelPolicy(policy=night.t("b").policy, by=ME))
    night.settle()
    assert night.t("b").outcome == "FAILED_RETRYABLE" and night.end[0] == "DRAINED"


def test_everything_survives_a_checkpoint(night: Night) -> None:
    night.see("a", verdict=FOUNDATION)
    night.see("b")
    night.go()
    night.work("b", "red", introduced())
    night.check_durable()


def test_what_a_halted_run_left_with_attempts_to_go_is_work_for_the_next_one(night: Night) -> None:
    night.see("a")
    night.go()
    night.work("a", "red", introduced("x"))
    night.begin_turn("a")
    night.report(ev.RunHalting(run="run-1", reason="settings changed"))
    night.settle()
    assert night.t("a").outcome == "FAILED_RETRYABLE"
    night.go()
    t = night.t("a")
    assert (t.phase, t.attempts) == ("claimed", 1) and t.failures, "it is told what went wrong"


def test_what_a_person_stopped_stays_so_in_the_next_run_until_it_is_requeued(night: Night) -> None:
    night.see("a")
    night.go()
    night.do(cmd.StopSession(session=night.begin_turn("a"), by=ME))
    night.settle()
    assert night.t("a").outcome == "FAILED_RETRYABLE"
    night.go()
    assert night.end == ("DRAINED", {}) and night.t("a").phase == "ended"
    night.do(cmd.RequeueTicket(ticket="a", by=ME))
    night.go()
    assert night.t("a").phase == "claimed"


# -- what the operator says meanwhile ------------------------------------------------------------------------


@pytest.mark.parametrize("interrupts", [False, True])
def test_a_prompt_of_the_operator_is_a_further_turn_of_the_ticket_and_the_gate_judges_after_it(
    night: Night, interrupts: bool
) -> None:
    night.see("a")
    night.go()
    s = night.begin_turn("a")
    if interrupts:
        night.do(cmd.InterruptTurn(session=s, by=ME))
    night.do(cmd.SendPrompt(session=s, text="use tabs", by=ME))
    night.end_turn("a", **({"stop": "cancelled", "ok": False} if interrupts else {}))
    assert night.t("a").phase == "working" and night.state.policies[night.t("a").policy].status == "watching"
    assert [e for e in due.due(night.state) if isinstance(e, due.BeginTurn)] == [
        due.BeginTurn(session=s, run=night.state.sessions[s].run, turn=2)
    ]
    night.report(ev.TurnStarted(session=s, turn=2, ref="refs/heads/nightdesk/a", head="h0"))
    night.end_turn("a")
    night.settle()
    assert night.state.sessions[s].exit == "its work on ticket a is over"
    night.judged("a")
    assert night.t("a").outcome == "DONE" and night.t("a").attempts == 1


def test_a_prompt_that_no_turn_can_take_any_more_is_told_of(night: Night) -> None:
    night.see("a")
    night.go()
    s = night.begin_turn("a")
    night.do(cmd.SendPrompt(session=s, text="use tabs", by=ME))
    night.end_turn("a", ok=False, stop="error")
    night.settle()
    said = night.state.sessions[s].exit
    assert said == "stopped by the queue; 1 queued prompt(s) were not delivered", said


def test_a_parked_tickets_session_is_over_because_of_that_even_when_its_supervisor_ends_too(night: Night) -> None:
    night.see("a")
    night.go()
    s = night.begin_turn("a")
    night.report(ev.ParkRequested(ticket="a", attempt=1, question="which way?"))
    night.report(ev.SessionInterrupted(session=s, run=night.state.sessions[s].run, orderly=True))
    assert night.state.sessions[s].exit == "its work on ticket a is over"
