"""The morning report: numbers that add up to the log's, what comes first, the next action, and no agent's prose."""

from __future__ import annotations

import msgspec
import pytest
from nightlog import ME, START, Night, commit_id, seven

from console.core import events as ev
from console.core.records import Finding, Refused, RepoChange, RunSettings
from console.core.report import build
from console.core.reporting.records import Item, Report
from console.core.state import State


def by(report: Report, section: str) -> list[str]:
    return [item.decision or item.about for item in report.items if item.section == section]


def item(report: Report, about: str) -> Item:
    (found,) = [item for item in report.items if item.about == about]
    return found


def commands(report: Report, about: str) -> list[str]:
    return [action.command for action in item(report, about).actions]


def said(report: Report, about: str) -> dict[str, str]:
    return {fact.name: fact.text for fact in item(report, about).facts}


# -- what comes where --------------------------------------------------------------------------------


def test_every_ticket_of_a_night_is_in_its_section_and_foundational_decisions_come_first() -> None:
    report = seven().report()
    assert by(report, "decide") == ["dec-2", "dec-1"]  # the younger one is foundational
    assert by(report, "look") == ["doubt"]
    assert by(report, "blocked") == ["env"]
    assert by(report, "failed") == ["retry", "bug"]
    assert by(report, "done") == ["good"]
    assert {i.about: i.reason for i in report.section("not-started")} == {
        "held": "held",
        "child": "quarantined",
        "grandchild": "quarantined",
        "lost": "unknown dependency",
        "later": "waits",
    }
    order = [i.section for i in report.items]
    assert order == sorted(order, key=["decide", "look", "blocked", "failed", "done", "not-started"].index)


def test_each_thing_has_its_exact_next_command_and_key() -> None:
    report = seven().report()
    doubt = commit_id(2)[:10]
    assert commands(report, "base") == [
        "nightdesk decision answer dec-2 --choose 1",
        "nightdesk decision answer dec-2 --choose 2",
        "nightdesk decision answer dec-2 --text '...'",
    ]
    assert [a.key for a in item(report, "base").actions] == ["m", "m", "m"]
    assert f"nightdesk policy ack pol-2 --approve --plan {doubt} --confirm pol-2" in commands(report, "doubt")
    assert f"nightdesk policy ack pol-1 --approve --plan {commit_id(1)[:10]}" in commands(report, "good")
    assert [a.key for a in item(report, "doubt").actions] == ["Enter", "a pol-2", "r"]
    assert commands(report, "env") == ["nightdesk ticket requeue env"]
    assert commands(report, "retry")[-1] == "nightdesk ticket requeue retry"
    assert commands(report, "bug")[-1] == "nightdesk ticket requeue bug --note '...'"
    assert commands(report, "held") == ["nightdesk ticket release held"]
    assert commands(report, "grandchild") == ["nightdesk decision show dec-2"]


def test_a_decision_carries_its_readings_and_what_is_quarantined_behind_it() -> None:
    facts = said(seven().report(), "base")
    assert (facts["question"], facts["reading 2"]) == ("Which way does the migration go?", "both ways")
    assert facts["quarantined behind it"] == "2: child, grandchild"


def test_an_agents_words_are_marked_as_such_and_nothing_else_of_it_is_told() -> None:
    n = seven()
    marked = [(i.about, f.name) for i in n.report().items for f in i.facts if f.agent]
    assert marked == [("ask", "question"), ("ask", "reading 1")]
    session = n.state.tickets["good"].session
    prose = "committed abc123, opened PR #4711"
    before = msgspec.json.encode(n.report())
    n.add(ev.TurnEnded(session=session, turn=1, ok=True, stop=prose, detail=prose), wait=0)
    n.add(ev.CommandDone(session=session, turn=1, detail=prose), wait=0)
    assert b"4711" not in msgspec.json.encode(n.report())
    assert b'"headline":"THE RUN ENDED' in before


def test_how_an_agent_says_that_its_turn_failed_is_quoted_as_its_words() -> None:
    n = Night()
    for name in ("t", "u"):
        n.ticket(name)
    n.run()
    for name, outcome in (("t", "FAILED_BUG_IN_AGENT"), ("u", "BLOCKED_ENV")):
        n.claim(name)
        session, prose = n.begin(name), "committed abc123 and opened PR 4711"
        n.add(ev.TurnEnded(session=session, turn=1, ok=False, stop="refusal", detail=prose))
        if name == "t":
            n.add(ev.TicketAttemptFailed(ticket=name, attempt=1, cause="agent", why=f"the turn ended with {prose}"))
        n.end(name, outcome, f"1 attempt(s) used up; last: the turn ended with {prose}")
    quoted = [(i.about, f.name) for i in n.report().items for f in i.facts if "4711" in f.text and f.agent]
    plain = [(i.about, f.name) for i in n.report().items for f in i.facts if "4711" in f.text and not f.agent]
    assert (quoted, plain) == ([("u", "why"), ("t", "why"), ("t", "attempt 1")], [])


def test_the_base_of_the_work_is_told_with_its_place() -> None:
    report = seven().report()
    assert report.bases == ("bbbbbbbbbb (main, 2 ahead of origin/main)",)
    assert said(report, "good")["base"] == "bbbbbbbbbb (main, 2 ahead of origin/main)"


def test_a_plan_above_level_1_wants_a_look_and_its_confirmation_however_sure_the_outcome_is() -> None:
    n = Night()
    for name in ("calm", "risky"):
        n.ticket(name)
    n.run()
    n.done("calm")
    plan = n.done("risky", level=2)
    report = n.report()
    assert (by(report, "done"), by(report, "look")) == (["calm"], ["risky"])
    approve = item(report, "risky").actions[1]
    assert approve.key == "a a"
    assert approve.command == f"nightdesk policy ack pol-2 --approve --plan {plan[:10]} --confirm pol-2"


def test_a_landed_plan_is_told_with_its_commit_and_wants_only_its_merge() -> None:
    n = seven()
    n.land(commit_id(2))
    report = n.report()
    assert by(report, "look") == []
    assert (by(report, "done"), by(report, "since")) == (["good"], ["doubt"]), "landed in spite of its doubts"
    assert f"commit {commit_id(2)} on nightdesk/doubt" in said(report, "doubt")["plan"]
    assert commands(report, "doubt") == ["git merge --no-ff --no-edit nightdesk/doubt"]
    assert "flag" in said(report, "doubt")


def test_failed_attempts_are_told_with_cause_and_where_the_work_is_kept() -> None:
    n = Night()
    n.ticket("t")
    n.run()
    for attempt in (1, 2):
        n.claim("t", attempt)
        n.begin("t", attempt)
        n.add(ev.TicketAttemptFailed(ticket="t", attempt=attempt, cause="gate", why="test_a fails"))
        kept = "5" + str(attempt) * 39
        n.add(ev.RolledBack(session=f"s-{attempt}", snapshot="1" * 40, undo=kept))
        n.add(ev.TicketBack(ticket="t", attempt=attempt, kept=kept))
    n.claim("t", 3)
    n.begin("t", 3)
    n.add(ev.TicketAttemptFailed(ticket="t", attempt=3, cause="gate", why="test_a fails"))
    n.add(ev.RolledBack(session="s-3", snapshot="1" * 40, undo="6" * 40))
    n.end("t", "FAILED_BUG_IN_AGENT", "the same failure twice")
    report = n.report()
    facts = said(report, "t")
    assert facts["attempt 2"] == "gate: test_a fails; its work is kept as snapshot 5222222222 of s-2"
    assert facts["attempt 3"] == "gate: test_a fails; its work is kept as snapshot 6666666666 of s-3"
    assert commands(report, "t")[0] == "nightdesk snapshot diff s-3 6666666666"
    assert (item(report, "t").attempts, report.spent.retries) == (3, 2)


def test_an_answered_decision_has_moved_on_and_the_numbers_of_the_run_stay() -> None:
    n = seven()
    before = n.report().tally
    n.add(ev.DecisionAnswered(decision="dec-2", ticket="base", by=n.state.runs["run-1"].by, choice=2))
    report = n.report()
    assert by(report, "decide") == ["dec-1"]
    assert said(report, "base") == {"since": "dec-2 answered, queued again", "answer": "both ways"}
    assert report.tally.outcomes == before.outcomes
    assert item(report, "child").reason == "waits"


def test_a_later_run_has_its_own_report_and_the_older_one_points_to_it() -> None:
    n = seven()
    n.add(ev.TicketRequeued(ticket="env", by=n.state.runs["run-1"].by))
    n.run()
    n.done("env")
    old, new = n.report("run-1"), n.report()
    assert said(old, "env") == {"since": "taken again by run-2, whose report tells of it"}
    assert old.tally.outcomes["BLOCKED_ENV"] == 1
    assert (new.run, new.tally.claimed, by(new, "done")) == ("run-2", 1, ["env"])
    assert by(new, "decide") == ["dec-2", "dec-1"]  # still open, from before
    assert "good" in by(new, "look")  # its plan still waits


def test_an_open_alert_comes_first_of_what_wants_a_look() -> None:
    n = seven()
    change = RepoChange(item="config core.fsmonitor", severity="runs", after="evil")
    n.add(ev.RepositoryChanged(alert="al-1", when="turn", changes=(change,), baseline="a", seen="b"))
    assert by(n.report(), "look") == ["al-1", "doubt"]
    assert commands(n.report(), "al-1")[1] == "nightdesk alert restore al-1"


def test_blind_spots_name_what_nobody_watched() -> None:
    spots = {spot.what: spot.text for spot in seven().report().blind}
    assert spots["preflight"] == "disk: 3 GB are left"
    assert spots["cost"] == "4 of 6 turns did not say what they cost", "three broke off"
    assert spots["snapshots"] == "turns that could not be rolled back: s-1: the disk is full"
    assert spots["supervisor"] == "the supervisor was started again 1 time(s) during the run"
    assert spots["processes"] == "outlived their agent and were ended: sleep 100 (s-2)"
    assert spots["sandbox"].startswith("no sandbox (switched off)")
    assert "pushes" in spots["network"]
    assert "gate" not in spots


def test_the_supervisor_that_a_run_starts_with_is_no_restart() -> None:
    n = Night()
    n.ticket("t")
    n.run()
    n.add(ev.SupervisorStarted(pid=7, start_time=1, host="h", version="1"))
    n.done("t")
    for report in (n.report(), build(n.state)):
        assert isinstance(report, Report)
        assert "supervisor" not in [spot.what for spot in report.blind]


def test_a_finding_is_not_said_twice_unless_it_names_a_place() -> None:
    n = Night()
    n.ticket("t")
    n.run()
    n.claim("t")
    n.begin("t")
    plain = Finding(kind="gate", level="high", rule="gate", text="no gate is configured")
    placed = Finding(kind="tests", level="high", rule="skip", text="1 test is skipped", path="t.py", line=3)
    plan = n.plan("t", plain, placed)
    n.end("t", "DONE_LOW_CONFIDENCE", plain.text, plan=plan, flags=(plain.text, placed.text))
    facts = [(f.name, f.text) for f in item(n.report(), "t").facts]
    assert facts[:3] == [("why", plain.text), ("flag", placed.text), ("high", "1 test is skipped (t.py:3)")]


def test_work_that_no_gate_judged_is_a_blind_spot() -> None:
    n = Night()
    n.ticket("t")
    n.run(settings=RunSettings())
    n.done("t")
    assert "nothing judged 1 ticket(s), as there is no gate: t" in [spot.text for spot in n.report().blind]


def test_without_the_log_the_state_still_tells_of_a_restart() -> None:
    report = build(seven().state)
    assert isinstance(report, Report)
    assert [s.text for s in report.blind if s.what == "supervisor"] == [
        "the supervisor was started again 1 time(s) during the run"
    ]


# -- the headline ------------------------------------------------------------------------------------


def night(done: int, failed: int, status: ev.RunStatus | None = "DRAINED") -> Report:
    n = Night()
    for number in range(done + failed):
        n.ticket(f"t{number}")
    n.run()
    for number in range(done + failed):
        if number < done:
            n.done(f"t{number}")
        else:
            n.claim(f"t{number}")
            n.end(f"t{number}", "FAILED_BUG_IN_AGENT")
    if status:
        n.end_run(status)
    return n.report()


@pytest.mark.parametrize(
    ("report", "headline", "loud"),
    [
        (night(3, 0), "All 3 done", False),
        (night(2, 1), "The run drained the queue: 2 of 3 tickets done, 1 not", False),
        (night(1, 2), "THE RUN ENDED, THE WORK IS NOT DONE: 1 of 3 tickets done", True),
        (night(2, 0, "HALTED"), "HALTED: the run was broken off. 2 of 2 tickets done", True),
        (night(0, 9, "LOW_YIELD"), "LOW YIELD: most of what was tried is not done;", True),
        (night(1, 0, None), "The run is under way (active): 1 of 1 ticket done so far", False),
        (night(0, 0), "There was nothing to do", False),
        (night(2, 1, "STOPPED"), "The run stopped by a person", False),
    ],
)
def test_the_headline_says_how_much_is_done(report: Report, headline: str, loud: bool) -> None:
    assert report.headline.startswith(headline), report.headline
    assert report.loud == loud


def test_tickets_over_the_cap_are_named_as_such() -> None:
    n = Night()
    n.ticket("a")
    n.ticket("b")
    n.run(settings=RunSettings(tickets=1))
    n.done("a")
    n.end_run("TICKET_CAP", "1 tickets were taken, the most for one run")
    assert n.report().tally.not_started == {"over the cap": 1}
    assert item(n.report(), "b").reason == "over the cap"


def test_a_ticket_that_came_after_the_end_is_not_of_that_run() -> None:
    n = seven()
    n.ticket("new")
    assert n.report().tally.total == 12
    assert "new" not in by(n.report(), "not-started")
    n.run()
    assert "new" in by(n.report(), "not-started")


def test_no_run_and_an_unknown_run_are_refused_as_missing() -> None:
    for refused in (build(State()), build(seven().state, "run-9")):
        assert isinstance(refused, Refused)
        assert refused.paths == ("missing",)


# -- merging -----------------------------------------------------------------------------------------


def merge_lines(n: Night) -> list[tuple[str, bool]]:
    return [(m.command, m.ready) for m in n.report().merges]


def test_merges_come_in_dependency_order_landed_ones_first() -> None:
    n = Night()
    n.ticket("z-first")
    n.ticket("a-second", "z-first")
    n.ticket("other")
    n.run()
    plans = {name: n.done(name) for name in ("a-second", "z-first", "other")}
    n.land(plans["other"])
    assert merge_lines(n) == [
        ("git merge --no-ff --no-edit nightdesk/other", True),
        ("git merge --no-ff --no-edit nightdesk/z-first", False),
        ("git merge --no-ff --no-edit nightdesk/a-second", False),
    ]


def test_a_stacked_branch_brings_the_ones_below_it_once() -> None:
    n = Night()
    for name, after in (("one", ()), ("two", ("one",)), ("three", ("two",))):
        n.ticket(name, *after)
    n.run()
    one = n.done("one")
    two = n.done("two", stacked_on=(one,), base=one)
    n.done("three", stacked_on=(one, two), base=two)
    assert merge_lines(n) == [("git merge --no-ff --no-edit nightdesk/three", False)]
    assert n.report().merges[0].brings == ("one", "two")
    below = f"its work starts from {commit_id(1)[:10]} of one, {commit_id(2)[:10]} of two: to be approved first"
    assert said(n.report(), "three")["stacked on"] == below
    n.land(one)
    assert merge_lines(n) == [
        ("git merge --no-ff --no-edit nightdesk/one", True),
        ("git merge --no-ff --no-edit nightdesk/three", False),
    ]


def test_rejected_work_and_work_on_the_operators_branch_is_not_merged() -> None:
    n = Night()
    n.ticket("t")
    n.run()
    plan = n.done("t")
    n.add(ev.PlanRejected(policy="pol-1", plan=plan, by=n.state.runs["run-1"].by))
    assert merge_lines(n) == []


def test_the_duration_of_a_ticket_is_from_its_first_claim_to_its_end() -> None:
    n = Night()
    n.ticket("t")
    n.run()
    n.claim("t")
    n.begin("t")
    n.add(ev.TicketAttemptFailed(ticket="t", attempt=1, cause="gate", why="red"))
    n.add(ev.TicketBack(ticket="t", attempt=1))
    n.claim("t", 2)
    n.begin("t", 2)
    n.end("t", "BLOCKED_ENV")
    assert item(n.report(), "t").seconds == 240.0
    assert n.report().started_at == START + 60


def test_a_report_is_data_that_json_brings_back() -> None:
    report = seven().report()
    assert msgspec.json.decode(msgspec.json.encode(report), type=Report) == report


# -- what waits as a plan ----------------------------------------------------------------------------


def actions_of(report: Report, about: str) -> list[tuple[str, str]]:
    return [(action.key, action.command) for action in item(report, about).actions]


@pytest.mark.parametrize("fact", [ev.TicketGone(ticket="a"), ev.TicketDropped(ticket="a", by=ME)])
def test_a_plan_waits_whatever_becomes_of_its_ticket(fact: ev.Fact) -> None:
    n = Night()
    n.ticket("a")
    n.run()
    plan = n.done("a")
    n.add(fact)
    n.end_run()
    report = n.report()
    assert by(report, "done") == ["a"]
    assert ("a", f"nightdesk policy ack pol-1 --approve --plan {plan[:10]}") in actions_of(report, "a")
    assert "ticket" in said(report, "a")
    n.land(plan)
    assert commands(n.report(), "a") == ["git merge --no-ff --no-edit nightdesk/a"]


def test_a_plan_that_its_requeued_ticket_left_behind_is_listed() -> None:
    n = Night()
    n.ticket("a")
    n.run()
    plan = n.done("a")
    n.end_run()
    n.add(ev.TicketRequeued(ticket="a", by=ME))
    (left,) = [i for i in n.report().items if i.kind == "plan"]
    assert (left.plan, left.section, left.word) == (plan, "look", "waits, its ticket is queued")
    n.land(plan)
    assert not [i for i in n.report().items if i.kind == "plan"]


def test_no_plan_is_listed_twice() -> None:
    plans = [i.plan for i in seven().report().items if i.plan]
    assert len(plans) == len(set(plans))


def stacked() -> tuple[Night, str, str]:
    n = Night()
    n.ticket("low")
    n.ticket("high", "low")
    n.run()
    low = n.done("low")
    high = n.done("high", stacked_on=(low,), base=low)
    n.end_run()
    return n, low, high


def test_a_stacked_plan_has_no_key_before_the_one_below_it_has_landed() -> None:
    n, low, high = stacked()
    first = f"nightdesk policy ack pol-1 --approve --plan {low[:10]}"
    assert actions_of(n.report(), "high") == [("Enter", f"nightdesk plan show {high[:10]}"), ("", first)]
    n.land(low)
    own = f"nightdesk policy ack pol-2 --approve --plan {high[:10]}"
    assert ("a", own) in actions_of(n.report(), "high") and "stacked on" not in said(n.report(), "high")


def test_a_plan_on_one_that_is_void_or_rejected_can_never_land_and_says_what_to_do() -> None:
    for dies in (
        lambda plan: ev.PlanVoided(policy="pol-1", plan=plan, reason="its tree moved"),
        lambda plan: ev.PlanRejected(policy="pol-1", plan=plan, by=ME, note="no"),
    ):
        n, low, _ = stacked()
        n.add(dies(low))
        report = n.report()
        assert "high" in by(report, "look")
        told = said(report, "high")["stacked on"]
        assert "can never land" in told and low[:10] in told and "queue its ticket again" in told
        assert [command for _, command in actions_of(report, "high")][1:] == ["nightdesk ticket requeue high"]
        assert not any("--approve" in command for command in commands(report, "high"))
