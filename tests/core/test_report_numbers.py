"""The numbers of the morning report equal a count over the log and add up, whatever the night was like."""

from __future__ import annotations

from collections import Counter
from typing import Any

import queueplay
from hypothesis import given, settings
from hypothesis import strategies as st
from nightlog import Night

from console.core import commands as cmd
from console.core import events as ev
from console.core import queue
from console.core.records import Assessment, Blame, Outcome, TextVerdict, Who
from console.core.report import build
from console.core.reporting.records import Report
from console.core.reporting.standing import held_back
from console.core.reporting.tallying import OUTCOMES

NAMES = [f"t{number}" for number in range(6)]
STEPS = st.lists(
    st.tuples(
        st.sampled_from(
            ["claim", "end", "fail", "back", "park", "answer", "requeue", "drop", "gone", "new", "run", "end_run"]
        ),
        st.sampled_from(NAMES),
        st.sampled_from(OUTCOMES),
        st.booleans(),
    ),
    max_size=60,
)


def play(steps: list[tuple[str, str, Outcome, bool]], chain: bool) -> Night:
    """A random night in which every fact is one that the brain could have written there."""
    n = Night()
    for number, name in enumerate(NAMES):
        n.ticket(name, *([NAMES[number - 1]] if chain and number % 2 else []), held="look" * (number == 5))
    n.run()
    for verb, name, outcome, flag in steps:
        step(n, verb, name, outcome, flag)
    return n


def step(n: Night, verb: str, name: str, outcome: Outcome, flag: bool) -> None:
    t, run = n.state.tickets[name], list(n.state.runs.values())[-1]
    who = run.by
    match verb:
        case "claim" if run.open and t.phase == "queued":
            n.claim(name, t.attempt + 1)
            if flag:
                n.begin(name, t.attempt + 1)
        case "end" if t.in_flight and not outcome.startswith("PARKED"):
            n.end(name, outcome)
        case "fail" if t.phase in ("claimed", "working"):
            n.add(ev.TicketAttemptFailed(ticket=name, attempt=t.attempt, cause="gate", why="red"))
        case "back" if t.phase == "retrying":
            n.add(ev.TicketBack(ticket=name, attempt=t.attempt))
        case "park" if run.open and (t.in_flight or t.phase == "queued"):
            n.park(name, "this", "that", foundational=flag)
        case "answer" if t.phase == "ended" and t.decision:
            n.add(ev.DecisionAnswered(decision=t.decision, ticket=name, by=who, choice=1))
        case "requeue" if t.phase in ("ended", "dropped"):
            n.add(*closing(n, name), ev.TicketRequeued(ticket=name, by=who))
        case "drop" if not t.in_flight:
            n.add(*closing(n, name), ev.TicketDropped(ticket=name, by=who))
        case "gone" if not t.in_flight:
            n.add(ev.TicketGone(ticket=name))
        case "new":
            n.ticket(f"n{n.state.seq}")
        case "run" if not run.open:
            n.run()
        case "end_run" if run.open and not any(t.in_flight for t in n.state.tickets.values()):
            n.end_run("STOPPED" if flag else "DRAINED")


def closing(n: Night, name: str) -> list[ev.Fact]:
    open_ = [d.decision for d in n.state.decisions.values() if d.ticket == name and d.state == "open"]
    return [ev.DecisionClosed(decision=decision, ticket=name, reason="queued again") for decision in open_]


def naive(log: list[ev.Logged], run: str) -> tuple[set[str], dict[str, Any]]:
    """Claimed tickets and the last outcome of each, counted over the events without any state."""
    claimed: set[str] = set()
    last: dict[str, Any] = {}
    for entry in log:
        if isinstance(entry.fact, ev.TicketClaimed) and entry.fact.run == run:
            claimed.add(entry.fact.ticket)
            last.pop(entry.fact.ticket, None)
        if isinstance(entry.fact, ev.TicketEnded) and entry.fact.run == run:
            last[entry.fact.ticket] = entry.fact.outcome
    return claimed, last


@settings(max_examples=500, deadline=None)
@given(STEPS, st.booleans())
def test_the_numbers_of_every_run_equal_a_count_over_the_log_and_add_up(
    steps: list[tuple[str, str, Outcome, bool]], chain: bool
) -> None:
    n = play(steps, chain)
    for run in n.state.runs:
        report = n.report(run)
        t = report.tally
        claimed, last = naive(n.log, run)
        assert t.claimed == len(claimed)
        assert t.outcomes == {outcome: Counter(last.values())[outcome] for outcome in OUTCOMES}
        assert t.unclaimed == len(set(last) - claimed)
        assert t.claimed + t.unclaimed == sum(t.outcomes.values()) + t.under_way + t.put_back
        assert t.total == t.met + sum(t.not_started.values())
        first, last_seq = n.state.runs[run].seq, n.state.runs[run].end_seq or n.state.seq
        begun = [e.fact.ticket for e in n.log if first <= e.seq <= last_seq and isinstance(e.fact, ev.TicketBegun)]
        assert (report.spent.attempts, report.spent.retries) == (len(begun), len(begun) - len(set(begun)))
        check_items(n, report, claimed | set(last))


def check_items(n: Night, report: Report, dealt: set[str]) -> None:
    """Every ticket that was dealt with is told of exactly once, and so is every one that was not started."""
    tickets = [i.about for i in report.items if i.kind in ("ticket", "decision") and i.word != "open from before"]
    assert len(tickets) == len(set(tickets))
    assert dealt <= set(tickets)
    left = sum(report.tally.not_started.values()) - report.tally.not_started.get("put aside", 0)
    assert len(tickets) == len(dealt) + left
    open_ = {d.decision for d in n.state.decisions.values() if d.state == "open"}
    if report.run == list(n.state.runs)[-1]:
        assert {i.decision for i in report.section("decide")} >= {
            d for d in open_ if n.state.tickets[n.state.decisions[d].ticket].phase == "ended"
        }
    decided = report.section("decide")
    assert [not i.foundational for i in decided] == sorted(not i.foundational for i in decided)


# -- with the brain ----------------------------------------------------------------------------------

WORK = st.sampled_from(["green", "red", "env", "agent", "park", "low"])
TEXT = st.sampled_from([queueplay.PROCEED, queueplay.PROCEED, queueplay.PARK, queueplay.FOUNDATION])


def work(n: queueplay.Night, name: str, how: str) -> None:
    """One attempt at what the brain has claimed."""
    match how:
        case "green":
            n.work(name)
        case "low":
            n.work(name, assessment=Assessment(level=3))
        case "red":
            n.work(name, "red", queueplay.introduced(f"sig-{n.t(name).attempt}"))
        case "env":
            n.work(name, "red", Blame(kind="environment", why="make is missing"))
        case "agent":
            n.begin_turn(name)
            n.end_turn(name, ok=False, stop="refusal", detail="PR 4711 is merged")
            n.settle()
        case "park":
            n.begin_turn(name)
            n.do(cmd.ParkTicket(ticket=name, question="Which?", by=Who(via="agent"), options=("this", "that")))
            n.settle()


@settings(max_examples=60, deadline=None)
@given(st.lists(TEXT, min_size=1, max_size=7), st.lists(WORK, min_size=30, max_size=30), st.booleans())
def test_the_report_of_a_night_that_the_brain_played_equals_its_log(
    texts: list[TextVerdict], how: list[str], chain: bool
) -> None:
    n = queueplay.Night()
    for number, verdict in enumerate(texts):
        n.see(f"t{number}", verdict=verdict, after=(f"t{number - 1}",) if chain and number else ())
    n.go()
    todo = iter(how)
    while flying := n.flying():
        work(n, flying[0], next(todo))
    report = build(n.state, "", n.log)
    assert isinstance(report, Report)
    claimed, last = naive(n.log, report.run)
    t = report.tally
    assert (t.claimed, t.total, t.under_way, t.put_back) == (len(claimed), len(texts), 0, 0)
    assert t.outcomes == {outcome: Counter(last.values())[outcome] for outcome in OUTCOMES}
    assert t.claimed == sum(t.outcomes.values())
    assert sum(t.not_started.values()) == len(texts) - len(claimed)
    assert len(report.items) == len(texts)
    assert report.status == n.state.runs[report.run].status
    assert not [f for i in report.items for f in i.facts if "4711" in f.text and not f.agent]
    for one in report.items:
        assert one.actions, one
        failures = n.state.tickets[one.about].failures
        if one.section == "failed":
            assert sum("its work is kept as snapshot" in f.text for f in one.facts) == len(failures)


@settings(max_examples=100, deadline=None)
@given(STEPS)
def test_what_a_decision_holds_back_is_what_the_queue_quarantines(steps: list[tuple[str, str, Outcome, bool]]) -> None:
    n = Night()
    for number, name in enumerate(NAMES):
        n.ticket(name, *NAMES[max(0, number - 2) : number])
    n.run()
    for verb, name, outcome, _ in steps:
        step(n, verb, name, outcome, True)
    for d in n.state.decisions.values():
        if d.foundational and d.state == "open":
            assert held_back(n.state, d) == tuple(t.ticket for t in queue.quarantined(n.state, d.decision))
