"""Tickets, decisions and runs in words: the sign with its word, widths in cells, sentences, and quoted agents."""

from __future__ import annotations

import re
import sys
import time
from pathlib import Path

import pytest
from msgspec.structs import replace

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "core"))
from chainnight import whole_night
from nightlog import Night, seven

from console.core import events as ev
from console.core.records import Outcome, RunSettings, Who
from console.core.reporting.tallying import OUTCOMES
from console.core.state import State
from console.core.tickets import Phase
from console.present import attention, logline, queue_rows, queueing, reviewing
from console.present.finding import Find, arranged
from console.present.text import width


def words(n: Night) -> dict[str, str]:
    return {name: queueing.ticket_sign(t, n.state).word for name, t in n.state.tickets.items()}


def test_every_ticket_shows_its_outcome_or_what_keeps_it_from_starting() -> None:
    assert words(seven()) == {
        "good": "done",
        "doubt": "low confidence",
        "ask": "parked",
        "base": "parked, foundational",
        "env": "blocked, environment",
        "retry": "failed, may retry",
        "bug": "failed, agent",
        "held": "held",
        "child": "quarantined",
        "grandchild": "quarantined",
        "lost": "blocked",
        "later": "waits for another",
    }


def test_every_ticket_says_why_in_one_sentence() -> None:
    n = seven()
    said = {name: queueing.why(t, n.state, n.now) for name, t in n.state.tickets.items()}
    assert said["grandchild"] == "it builds on base, which waits for dec-2"
    assert said["lost"] == "it depends on nowhere, which is no ticket here"
    assert said["held"] == "it appeared while s-1 could write there"
    assert said["env"] == "the gate's program is missing; install it"
    assert all(said.values()), said


def moving(phase: Phase) -> Night:
    """A night with one ticket in this phase."""
    n = Night()
    n.ticket("t")
    if phase in ("queued", "dropped", "gone"):
        facts = {"dropped": ev.TicketDropped(ticket="t", by=somebody(n)), "gone": ev.TicketGone(ticket="t")}
        n.add(*[facts[phase]] if phase in facts else [])
        return n
    n.run()
    n.claim("t")
    if phase != "claimed":
        n.begin("t")
    if phase == "retrying":
        n.add(ev.TicketAttemptFailed(ticket="t", attempt=1, cause="gate", why="red"))
    if phase == "waiting":
        n.add(ev.TicketWaiting(ticket="t", attempt=1, until=n.now + 1860, why="usage limit"))
    if phase == "ended":
        n.end("t", "DONE", "green")
    return n


def somebody(n: Night) -> Who:
    return n.state.runs["run-1"].by if n.state.runs else Who(user="ada")


@pytest.mark.parametrize(
    ("phase", "word", "why"),
    [
        ("queued", "queued", "ready: the next free session takes it"),
        ("claimed", "starting", "its worktree is being made"),
        ("working", "working", "attempt 1 of 3, s-1 for 1h00"),
        ("waiting", "usage-limit", "usage limit; this costs no attempt"),
        ("retrying", "retrying", "attempt 1 failed: red; its work is rolled back and kept"),
        ("ended", "done", "green"),
        ("dropped", "dropped", "dropped by a person"),
        ("gone", "gone", "its file t.md is not there any more"),
    ],
)
def test_each_phase_has_its_word_and_its_sentence(phase: Phase, word: str, why: str) -> None:
    n = moving(phase)
    t = n.state.tickets["t"]
    assert t.phase == phase
    assert queueing.ticket_sign(t, n.state).word == word
    assert queueing.why(t, n.state, n.now + 3600) == why


def test_a_usage_limit_says_when_it_goes_on() -> None:
    n = moving("waiting")
    said = queueing.why(n.state.tickets["t"], n.state, n.now)
    assert re.fullmatch(r"usage limit, goes on at \d\d:\d\d \(in 30m\); this costs no attempt", said), said


def limited(*hours: float) -> Night:
    n = Night()
    n.now = time.mktime((2026, 11, 30, 20, 0, 0, 0, 0, -1))
    n.run()
    for number, each in enumerate(hours):
        name = n.ticket(f"t{number}")
        n.claim(name)
        n.begin(name)
        n.add(ev.TicketWaiting(ticket=name, attempt=1, until=n.now + each * 3600, why="usage limit"))
    return n


def test_a_limit_that_ends_on_another_day_is_told_with_its_date() -> None:
    n = limited(0.5, 10.0)
    today, tomorrow = (n.state.tickets[name] for name in ("t0", "t1"))
    assert queue_rows.stand(today, n.state)[0] == "waiting to 20:32"
    assert queue_rows.stand(tomorrow, n.state)[0] == "to 12-01 06:04"
    assert "goes on at 12-01 06:04 (in 9h59);" in queueing.why(tomorrow, n.state, tomorrow.since)
    assert "goes on at 11-30 06:04 (in 9h59);" in queueing.why(tomorrow, n.state, tomorrow.since - 86_400), (
        "clock set back"
    )
    assert "goes on at 20:32 (in 29m);" in queueing.why(today, n.state, today.since)
    assert queueing.waits(today, n.state, today.since) == "waits until 20:32: usage limit of p"
    assert queueing.waits(tomorrow, n.state, tomorrow.since) == "waits until 12-01 06:04: usage limit of p"
    (entry,) = [e for e in n.log if isinstance(e.fact, ev.TicketWaiting) and e.fact.ticket == "t1"]
    assert "waits until 2026-12-01 06:04" in logline.row(entry)[2][0]


def test_a_night_that_stands_still_for_a_usage_limit_is_one_line_of_what_needs_you() -> None:
    (row,) = attention.needs(limited(5.0, 4.0).state)
    assert row.text == "all sessions wait for a usage limit until 12-01 00:04" and row.word == "limit"
    assert not reviewing.things(limited(5.0, 4.0).state), "there is nothing to answer"
    assert not attention.needs(limited(0.9, 5.0).state), "one goes on within the hour"
    busy = limited(5.0)
    busy.ticket("other")
    busy.claim("other")
    assert not attention.needs(busy.state), "another one is at work"
    over = limited(5.0)
    over.end("t0", "BLOCKED_ENV")
    over.end_run()
    assert [row.word for row in attention.needs(over.state)] == ["blocked"]


def test_a_plan_that_cannot_land_now_says_why_where_it_waits() -> None:
    n = Night()
    n.ticket("low")
    n.ticket("high", "low")
    n.run()
    low = n.done("low")
    high = n.done("high", stacked_on=(low,), base=low)
    rows = {row.about: row for row in attention.needs(n.state)}
    assert rows[high].word == "plan" and f"starts from {low[:10]} of low: to be approved first" in rows[high].text
    n.add(ev.PlanVoided(policy="pol-1", plan=low, reason="its tree moved"))
    (row,) = [row for row in attention.needs(n.state) if row.about == high]
    assert row.word == "look" and "can never land" in row.text and "queue its ticket again" in row.text
    assert queue_rows.stuck(n.state, n.state.plans[high]) in row.text


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_each_outcome_has_a_glyph_of_one_cell_and_a_word(outcome: Outcome) -> None:
    for ascii_only in (False, True):
        assert width(queueing.outcome_glyph(outcome, ascii_only=ascii_only)) == 1
    assert queueing.outcome_glyph(outcome, ascii_only=True).isascii()
    assert queueing.outcome_word(outcome) == queueing.outcome_sign(outcome).word


# -- lines -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cells", [20, 40, 80, 100])
@pytest.mark.parametrize("title", ["plain", "漢字" * 100, "\x1b[2J\u202e", "👩‍👩‍👧" * 40])
def test_lines_fit_their_cells_whatever_the_title(cells: int, title: str) -> None:
    n = Night()
    n.ticket("t", title=title)
    n.run()
    n.park("t", question=title, source="agent")
    t, d = n.state.tickets["t"], n.state.decisions["dec-1"]
    for ascii_only in (False, True):
        for line in (
            queueing.ticket_line(t, n.state, n.now + 7200, cells=cells, ascii_only=ascii_only),
            queueing.decision_line(d, n.state, n.now + 7200, cells=cells, ascii_only=ascii_only),
        ):
            assert width(line) <= cells
            assert not [c for c in line if ord(c) < 32 or c == "\u202e"]


def test_a_ticket_line_keeps_its_sign_its_id_and_its_age() -> None:
    n = seven()
    line = queueing.ticket_line(n.state.tickets["good"], n.state, n.state.tickets["good"].since + 41)
    assert line == "✓ done                good  Title of good  41s"
    line = queueing.ticket_line(n.state.tickets["env"], n.state, ascii_only=True)
    assert line == "# blocked, environment  env  Title of env"
    assert line.isascii()


def test_a_decision_line_names_what_is_held_back_and_quotes_an_agent() -> None:
    n = seven()
    base, ask = n.state.decisions["dec-2"], n.state.decisions["dec-1"]
    assert queueing.decision_line(base, n.state, base.at + 3600, cells=120) == (
        "? decide  dec-2  base  foundational  1h00  2 behind it  Which way does the migration go?"
    )
    assert "the agent asks: “Shall I" in queueing.decision_line(ask, n.state)


def test_decisions_are_in_the_order_to_answer_them() -> None:
    n = seven()
    assert [d.decision for d in queueing.open_decisions(n.state)] == ["dec-2", "dec-1"]
    keys = queueing.decision_rows(n.state, n.now).keys
    assert keys == ("decision:dec-2", "decision:dec-1")


def test_all_of_a_decision_says_why_what_and_how_to_answer() -> None:
    n = seven()
    shown = "\n".join(queueing.decision_lines(n.state.decisions["dec-2"], n.state, n.now))
    for wanted in (
        "decision  dec-2  foundational, open",
        "ticket    base  Title of base",
        "reading   2  both ways",
        "behind    child, grandchild (quarantined)",
        "nightdesk decision answer dec-2 --choose 2",
        "nightdesk decision answer dec-2 --text '...'",
    ):
        assert wanted in shown
    n.add(ev.DecisionAnswered(decision="dec-2", ticket="base", by=somebody(n), choice=2, text="mind the index"))
    shown = "\n".join(queueing.decision_lines(n.state.decisions["dec-2"], n.state, n.now))
    assert "answered  both ways; mind the index by ada" in shown
    assert "nightdesk decision reopen dec-2" in shown


def test_what_follows_an_answer_is_said_in_numbers() -> None:
    d = seven().state.decisions["dec-2"]
    assert queueing.follows(d, []) == "base is queued again"
    assert queueing.follows(d, ["child"]) == "base is queued again; 1 ticket that waits for it is released: child"
    many = queueing.follows(d, [f"t{i}" for i in range(9)])
    assert many.endswith("9 tickets that wait for it are released: t0, t1, t2, t3, t4, t5 and 3 more")
    assert queueing.taken_back(d, ["a", "b"]).endswith("base is parked; 2 tickets are quarantined again: a, b")


# -- rows --------------------------------------------------------------------------------------------


def test_rows_of_tickets_put_what_moves_first_and_can_be_filtered() -> None:
    n = seven()
    n.add(ev.RunStarted(run="run-2", settings=RunSettings(), by=somebody(n)))
    n.add(ev.TicketReleased(ticket="held", digest="d" * 64, by=somebody(n)))
    n.claim("held")
    rows = queueing.ticket_rows(n.state, n.now)
    assert rows.keys[0] == "ticket:held"
    assert len(rows.keys) == len(n.state.tickets)
    assert [cell[0] for cell in rows.cells(0)][:4] == ["⟳", "held", "Title of held", "starting"]
    assert arranged(rows, Find("quarantined")).keys == ("ticket:child", "ticket:grandchild")


def test_counts_name_only_what_there_is() -> None:
    counts = queueing.ticket_counts(seven().state)
    assert counts["quarantined"] == 2 and sum(counts.values()) == 12
    assert "working" not in counts


# -- runs --------------------------------------------------------------------------------------------


def test_the_line_of_a_run_counts_what_the_log_says() -> None:
    n = seven()
    run = n.state.runs["run-1"]
    assert queueing.run_line(n.state, n.now) == "✓ DRAINED 24m  7/12  ✓2 ◐2 ⊘3 ✕2  0.50 $ or more"
    assert queueing.run_line(n.state, n.now, ascii_only=True) == "+ DRAINED 24m  7/12  +2 %2 #3 x2  0.50 $ or more"
    assert queueing.run_word(run) == "DRAINED"


def test_the_line_of_a_run_that_moves_counts_from_its_start() -> None:
    n = Night()
    for name in ("a", "b", "c"):
        n.ticket(name)
    n.run()
    n.done("a")
    n.claim("b")
    assert (
        queueing.run_line(n.state, n.state.runs["run-1"].started_at + 11520) == "● run 3h12  1/3  ✓1 ◐1 ⊘0 ✕0  0.25 $"
    )
    n.add(ev.RunPaused(run="run-1", by=somebody(n)))
    assert queueing.run_line(n.state, n.now).startswith("○ paused ")


def test_without_a_run_there_is_no_line() -> None:
    assert (queueing.run_line(State(), 1.0), queueing.run_cells(State(), 1.0)) == ("", ())


def test_cost_says_what_is_not_known() -> None:
    n = Night()
    n.ticket("a")
    n.run()
    n.claim("a")
    n.begin("a")
    assert queueing.money(n.state.runs["run-1"]) == "0.00 $"
    n.turn("a", None)
    assert queueing.money(n.state.runs["run-1"]) == "cost unknown"
    n.turn("a", 1.5)
    assert queueing.money(n.state.runs["run-1"]) == "1.50 $ or more"


def test_what_an_earlier_attempt_was_blocked_by_needs_nobody_once_a_later_one_is_done() -> None:
    n = Night()
    n.ticket("a")
    n.run()
    n.claim("a")
    n.begin("a")
    state = n.state
    (policy,) = state.policies.values()
    state.policies[policy.policy] = replace(policy, status="blocked", reason="the worktree is gone")
    for latest, words in ((policy.policy, ["blocked"]), ("pol-9", [])):
        state.tickets["a"] = replace(state.tickets["a"], phase="ended", outcome="DONE", policy=latest)
        assert [item.word for item in attention.needs(state)] == words


def test_reviews_and_repairs_are_told_as_rows_and_counted_nowhere_as_tickets() -> None:
    n = whole_night()
    assert sum(queueing.ticket_counts(n.state).values()) == 4
    assert queueing.run_line(n.state, n.now).split("  ")[1] == "4/4"
    assert queueing.run_tally(n.state, n.state.runs["run-1"])[0][:2] == ("done", 4)
    pane = queue_rows.Queue()
    rows = pane.rows(n.state)
    stands = {key.removeprefix("ticket:"): rows.cells(i)[2][0] for i, key in enumerate(rows.keys)}
    assert (stands["good+review-1"], stands["good+repair-1"], stands["plain+review-1"]) == (
        "BLOCK",
        "repaired",
        "unreadable",
    )
    assert len(rows.keys) == 10 and pane.counts == {"done": 4}


def test_a_review_that_waits_for_chains_says_so_and_names_nothing_to_wait_for() -> None:
    n = whole_night()
    n.add(ev.ChainsSwitched(on=False, by=Who(via="test")))
    waits = n.state.tickets["late+review-1"]
    assert queue_rows.stand(waits, n.state)[0] == "waits"
    assert "chains are off" in queueing.why(waits, n.state)
    n.add(ev.TicketDropped(ticket=waits.ticket, by=Who(via="chain"), note="its plan has landed"))
    assert queueing.why(n.state.tickets[waits.ticket], n.state) == "withdrawn: its plan has landed"
