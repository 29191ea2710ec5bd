"""The report about what broke off, what outlived its agent and when the night stood still: counted over the log."""

from __future__ import annotations

from nightlog import Night

from console.core import events as ev
from console.core.report import build
from console.core.reporting.records import Report


def troubled() -> Night:
    """Two tickets: one hangs twice and crashes, one is given up; a shortage, an alarm, an absence and a takeover."""
    n = Night()
    for name in ("slow", "bad"):
        n.ticket(name)
    n.run()
    for name in ("slow", "bad"):
        n.claim(name)
        n.begin(name)
    for count, cause in enumerate(("hang", "hang", "crash"), 1):
        breaks(n, "s-1", count, cause)  # type: ignore[arg-type]
    breaks(n, "s-2", 1, "start")
    n.add(ev.SessionGivenUp(session="s-2", turn=1, cause="start", why="it never answers"))
    n.add(ev.SupervisorDegraded(kind="disk", why="3 MB are left"), ev.SupervisorRecovered(kind="disk"))
    n.add(ev.FuseBlown(sessions=("s-1", "s-2", "s-3"), at_work=4, why="together"))
    n.add(ev.SupervisorAway(seconds=45.0))
    n.add(ev.SupervisorStarted(pid=8, start_time=2, host="h", version="1"), wait=12.0)
    n.add(ev.Exited(session="s-1", run=9, how="exited", code=0, leftovers=("77 node, port 8080, 4 s old",)))
    n.add(ev.Exited(session="s-2", run=9, how="unkillable", reason="could not be killed: 5 (D nfs_wait: cp)"))
    return n


def breaks(n: Night, session: str, count: int, cause: ev.RestartCause) -> None:
    at = n.now + 200
    n.add(
        ev.SessionHung(session=session, run=count, turn=1, cause=cause, why="silent", evidence=f"S in poll {count}"),
        ev.SessionRestarting(
            session=session, run=count, turn=1, cause=cause, why=f"it broke {count}", count=count, until=at
        ),
    )


def test_what_was_started_again_is_told_with_causes_times_and_the_last_evidence() -> None:
    n = troubled()
    bad, slow = n.report().restarted
    assert (slow.about, slow.session, slow.causes) == ("slow", "s-1", ("hang", "hang", "crash"))
    restarts = [e for e in n.log if isinstance(e.fact, ev.SessionRestarting) and e.fact.session == "s-1"]
    assert slow.times == tuple(e.at for e in restarts)
    assert (slow.why, slow.evidence, slow.given_up) == ("it broke 3", "S in poll 3", "")
    assert (bad.about, bad.causes, bad.given_up) == ("bad", ("start", "start"), "it never answers")


def test_the_restarts_of_the_report_equal_a_count_over_the_log() -> None:
    n = troubled()
    counted = sum(isinstance(entry.fact, ev.SessionRestarting) for entry in n.log)
    assert sum(len(each.times) for each in n.report().restarted) == counted == 4


def test_turns_that_broke_off_count_as_turns_and_nobody_knows_their_cost() -> None:
    n = Night()
    n.ticket("bad")
    n.run()
    n.claim("bad")
    n.begin("bad")
    before = n.report().spent
    for turn in (2, 3):
        n.add(
            ev.Exited(session="s-1", run=turn - 1, how="exited", code=1),
            ev.SessionRestartDue(session="s-1", run=turn - 1),
            ev.PromptQueued(session="s-1", turn=turn, text="again", cause="restart"),
            ev.SessionStarted(session="s-1", run=turn, conversation="c", pid=5),
            ev.TurnStarted(session="s-1", turn=turn),
        )
    n.end("bad", "PARKED_DECISION")
    n.end_run()
    after = n.report().spent
    assert (before.turns, before.uncosted) == (1, 0), "it is under way"
    assert (after.turns, after.uncosted, after.cost_usd) == (3, 3, 0.0)


def test_who_began_again_after_being_given_up_is_not_given_up() -> None:
    n = troubled()
    breaks(n, "s-2", 2, "hang")
    assert all(not each.given_up for each in n.report().restarted)


def test_what_outlived_its_agent_is_named_and_what_could_not_be_ended_comes_first() -> None:
    stuck, left = troubled().report().left
    assert (stuck.about, stuck.stuck, stuck.text) == ("bad", True, "could not be killed: 5 (D nfs_wait: cp)")
    assert (left.about, left.stuck, left.text) == ("slow", False, "77 node, port 8080, 4 s old")


def test_when_the_night_stood_still_is_told_with_both_ends() -> None:
    found = troubled().report().standstills
    assert [each.what for each in found] == ["disk", "together", "away", "takeover"]
    spans = {each.what: each.until - each.at for each in found}
    assert spans["disk"] == 60 and spans["away"] == 45 and spans["takeover"] == 12
    assert spans["together"] == 72, "the next supervisor looks for itself"
    assert "3 of 4 (s-1, s-2, s-3)" in found[1].text


def test_what_still_lasts_has_no_end() -> None:
    n = troubled()
    n.add(ev.SupervisorDegraded(kind="memory", why="little"))
    assert [each.what for each in n.report().standstills if not each.until] == ["memory"]


def test_blind_spots_say_when_nobody_watched() -> None:
    spots = [(spot.what, spot.text) for spot in troubled().report().blind]
    assert (
        "supervisor",
        "the supervisor itself stood still 1 time(s), 45 s in all: nothing was watched then",
    ) in spots
    assert any(what == "watchdog" and "so many agents were silent at once" in text for what, text in spots)
    assert ("processes", "outlived their agent and were ended: 77 node, port 8080, 4 s old (s-1)") in spots
    assert any(what == "processes" and text.startswith("no signal ended them: s-2: ") for what, text in spots)


def test_what_happened_before_or_after_the_run_is_not_of_it() -> None:
    n = Night()
    n.add(ev.SupervisorAway(seconds=9.0))
    n.ticket("t")
    n.run()
    n.done("t")
    n.end_run()
    n.add(ev.SupervisorDegraded(kind="disk", why="full"))
    report = n.report()
    assert (report.restarted, report.left, report.standstills) == ((), (), ())


def test_the_supervisor_that_a_run_begins_with_is_no_takeover() -> None:
    n = Night()
    n.ticket("t")
    n.run()
    n.add(ev.SupervisorStarted(pid=7, start_time=1, host="h", version="1"))
    n.done("t")
    assert n.report().standstills == ()


def test_without_the_log_nothing_of_it_is_claimed() -> None:
    report = build(troubled().state)
    assert isinstance(report, Report)
    assert (report.restarted, report.left, report.standstills) == ((), (), ())


def test_tallies_add_up_whatever_broke_off() -> None:
    tally = troubled().report().tally
    assert tally.claimed + tally.unclaimed == sum(tally.outcomes.values()) + tally.under_way + tally.put_back
    assert tally.total == tally.met + sum(tally.not_started.values())
