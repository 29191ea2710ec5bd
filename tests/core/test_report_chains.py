"""The morning report tells reviews and repairs with their ticket: own sums, one line, the branch that stands now."""

from __future__ import annotations

from collections import Counter
from typing import get_args

from chainnight import Chained, whole_night
from chainplay import BLOCK, SHIP, ChainNight
from hypothesis import given, settings
from hypothesis import strategies as st
from nightlog import ME, Night
from queueplay import introduced

from console.core import events as ev
from console.core.records import Launch, Option, Outcome
from console.core.records_chains import Review, ReviewLimits, Verdict
from console.core.records_routines import RoutineSpec, Step
from console.core.report import build
from console.core.reporting import chaining
from console.core.reporting.records import ChainWord, Item, Report

ROOTS = ["a", "b", "c"]


def item(report: Report, about: str) -> Item:
    (found,) = (i for i in report.items if i.about == about)
    return found


def said(one: Item, name: str) -> list[str]:
    return [f.text for f in one.facts if f.name == name]


def test_reviews_and_repairs_are_no_tickets_of_the_tally_and_have_sums_of_their_own() -> None:
    report = whole_night().report()
    t = report.tally
    assert (t.claimed, t.total, t.unclaimed, t.under_way, t.put_back) == (4, 4, 0, 0, 0)
    assert {o: n for o, n in t.outcomes.items() if n} == {"DONE": 1, "DONE_LOW_CONFIDENCE": 3}
    assert report.chains
    assert report.chains.reviews == {"SHIP": 1, "BLOCK": 2, "unreadable": 1, "queued": 1}
    assert report.chains.repairs == {"repaired": 1}
    assert (report.chains.shipped, report.chains.escalated) == (("good",), ("stubborn", "plain"))
    assert "1 of 4" not in report.headline and "4 of 4" in report.headline


def test_each_chain_is_one_line_at_its_ticket() -> None:
    report = whole_night().report()
    assert sorted(i.about for i in report.items) == ["good", "late", "plain", "stubborn"]
    good = item(report, "good")
    line = "reviewed by other: BLOCK, repaired in cycle 1, reviewed by other: SHIP, ready for a person"
    assert (said(good, "chain"), good.chain, said(good, "findings")) == ([line], "shipped", [])
    assert [(m.ticket, m.word) for m in good.members] == [
        ("good+review-1", "BLOCK"),
        ("good+repair-1", "repaired"),
        ("good+review-2", "SHIP"),
    ]
    stubborn = item(report, "stubborn")
    assert said(stubborn, "chain") == ["reviewed by other: BLOCK, escalated: 5 reviews, and it is not done"]
    assert [(f.text, f.agent) for f in stubborn.facts if f.name == "findings"] == [("it is wrong", True)]
    assert stubborn.actions[0].command == "nightdesk ticket show 'stubborn+review-1'"
    assert said(item(report, "plain"), "chain")[0].startswith("reviewed by other: no verdict, escalated: no review")
    assert said(item(report, "late"), "chain") == ["review of cycle 1: queued"]


def test_what_a_person_must_look_into_comes_before_what_is_ready_and_before_the_rest() -> None:
    look = [(i.about, i.chain) for i in whole_night().report().section("look")]
    assert [chain for _, chain in look] == ["escalated", "escalated", "shipped", ""]


def test_the_merge_command_is_for_the_branch_that_stands_now_in_the_order_of_dependencies() -> None:
    n = whole_night()
    n.ticket("after", "good")
    n.done("after")
    plan = item(n.report(), "good").plan
    n.land(plan)
    merges = n.report().merges
    assert [(m.ticket, m.branch) for m in merges if m.ready] == [("good", "nightdesk/good+repair-1")]
    assert merges[0].command == "git merge --no-ff --no-edit 'nightdesk/good+repair-1'"
    assert [m.ticket for m in merges] == ["good", "stubborn", "plain", "late", "after"]
    assert "nightdesk/good" not in [m.branch for m in merges]
    assert said(item(n.report(), "good"), "chain") == [
        "reviewed by other: BLOCK, repaired in cycle 1, reviewed by other: SHIP"
    ], "it has landed: nobody has to be ready any more"


def test_a_ticket_that_was_sent_back_begins_its_chain_anew() -> None:
    n = Chained()
    n.ticket("a")
    n.run()
    first = n.done("a", level=3, outcome="DONE_LOW_CONFIDENCE")
    n.escalate("a", n.review("a", first, "BLOCK"), first)
    n.add(ev.PlanVoided(policy="pol-1", plan=first, reason="its ticket was queued again"))
    n.add(ev.TicketRequeued(ticket="a", by=ME))
    n.claim("a", 2)
    n.begin("a", 2)
    again = n.plan("a", level=3)
    n.end("a", "DONE_LOW_CONFIDENCE", "green", plan=again, flags=("nobody has reviewed it",))
    n.spawn("a", "review", again)
    assert said(item(n.report(), "a"), "chain") == ["1 before it was sent back, review of cycle 1: queued"]
    assert [m.round for m in item(n.report(), "a").members] == [0, 1]


def test_a_review_that_asks_a_person_is_a_decision_of_its_own() -> None:
    n = Chained()
    n.ticket("a", title="Round the prices")
    n.run()
    plan = n.done("a", level=3, outcome="DONE_LOW_CONFIDENCE")
    name = n.spawn("a", "review", plan)
    n.claim(name)
    n.begin(name)
    decision = n.park(name, "yes", "no", source="agent", question="May I read the spec?")
    report = n.report()
    (asks,) = report.section("decide")
    assert (asks.about, asks.decision, asks.title) == (name, decision, "Round the prices")
    assert said(asks, "about") == [f"reviews {plan[:10]} of a, cycle 1"]
    assert said(item(report, "a"), "chain") == [f"review of cycle 1 by p: parked ({decision})"]
    assert report.tally.total == 1 and report.chains and report.chains.reviews == {"parked": 1}


# -- what nobody saw -------------------------------------------------------------------------------------


def spots(n: Night, what: str) -> list[tuple[str, str]]:
    return [(s.text, s.cure) for s in n.report().blind if s.what == what]


def test_high_risk_work_that_nobody_reviewed_is_a_blind_spot_with_its_cure() -> None:
    n = Night()
    for name in ("risky", "calm", "mine"):
        n.ticket(name)
    n.run()
    n.done("risky", level=3, outcome="DONE_LOW_CONFIDENCE")
    n.done("calm")
    text = "chains were off: 1 high-risk diff was not reviewed: risky"
    assert spots(n, "reviews") == [(text, "nightdesk chain on")]
    n.add(ev.ChainsSwitched(on=True, by=ME))
    assert spots(n, "reviews") == [], "its review is on its way"
    n.add(ev.ChainLimitsRead(limits=ReviewLimits(when="never")))
    ((never, cure),) = spots(n, "reviews")
    assert "switched off in the settings" in never and "review:" in cure


def test_a_reviewer_of_the_preset_that_did_the_work_is_a_blind_spot() -> None:
    n = Chained()
    n.ticket("a")
    n.ticket("b")
    n.run()
    n.review("a", n.done("a", level=3, outcome="DONE_LOW_CONFIDENCE"), "SHIP", preset="p")
    n.review("b", n.done("b", level=3, outcome="DONE_LOW_CONFIDENCE"), "SHIP", preset="other")
    ((text, cure),) = spots(n, "reviews")
    assert text == "the reviewer was the preset that did the work itself: p on a" and "review.assignee" in cure


def test_notices_that_did_not_arrive_are_a_blind_spot_and_a_failing_channel_is_looked_at() -> None:
    n = Night()
    n.add(ev.ChannelOpened(channel="c1", words="the hook at 127.0.0.1", since=0))
    n.run()
    for outcome in ("sent", "failed", "failed", "refused"):
        n.add(
            ev.NoticeSettled(channel="c1", upto=n.state.seq, outcome=outcome, detail="" if outcome == "sent" else "no")
        )
    assert spots(n, "notices") == [("3 did not reach the hook at 127.0.0.1: no (3 times)", "")]
    (one,) = n.report().section("look")
    assert (one.kind, one.about, said(one, "so far")) == (
        "channel",
        "the hook at 127.0.0.1",
        ["3 notices lost, 1 sent"],
    )
    assert one.actions[0].command == "nightdesk notify test c1"
    n.add(ev.NoticeSettled(channel="c1", upto=n.state.seq, outcome="sent"))
    assert not n.report().section("look")


def test_a_routine_that_asks_comes_first_with_its_time_and_its_answers() -> None:
    n = whole_night()
    spec = RoutineSpec(name="release", steps=(Step(name="ship it"),))
    n.add(ev.RoutineStarted(routine="rt-1", spec=spec, by=ME), ev.RoutineStepBegun(routine="rt-1", step=0))
    asked = ev.RoutineEscalated(
        routine="rt-1",
        step=0,
        title="Deploy?",
        until=n.now + 300,
        options=(Option(id="y", name="Yes", kind="allow_once"),),
    )
    n.add(asked)
    first = n.report().section("decide")[0]
    assert (first.kind, first.about, first.until) == ("routine", "rt-1", asked.until)
    assert [f.text for f in first.facts] == ["Deploy?", "y: Yes"]
    assert [a.command for a in first.actions] == [
        f"nightdesk routine resolve rt-1 --step 1 --asked {n.state.routines['rt-1'].asked}",
        f"nightdesk routine resolve rt-1 --step 1 --asked {n.state.routines['rt-1'].asked} --reject",
    ]
    n.add(ev.RoutineResolved(routine="rt-1", step=0, approve=True, by=ME))
    assert not n.report().section("decide")


# -- any night -------------------------------------------------------------------------------------------

OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["work", "review", "repair", "begin", "end", "withdraw", "ship", "escalate", "run", "end_run"]),
        st.sampled_from(ROOTS),
        st.sampled_from(["SHIP", "BLOCK", ""]),
        st.sampled_from(OUTCOMES),
    ),
    max_size=40,
)


def play(steps: list[tuple[str, str, Verdict, Outcome]]) -> Chained:
    """Whatever could be in a log, also what no brain would write."""
    n = Chained()
    for name in ROOTS:
        n.ticket(name)
    n.run()
    for step in steps:
        _step(n, *step)
    return n


def _step(n: Chained, verb: str, root: str, verdict: Verdict, outcome: Outcome) -> None:
    t, run = n.state.tickets[root], list(n.state.runs.values())[-1]
    mine = chaining.members(n.state, root)
    going = [m for m in mine if m.in_flight or m.phase == "queued"]
    match verb:
        case "work" if run.open and t.phase == "queued":
            n.done(root, level=3, outcome="DONE_LOW_CONFIDENCE")
        case "review" | "repair" if t.plan and not going:
            n.spawn(root, verb, t.plan, len(mine) + 1)
        case "begin" if run.open and going and going[0].phase == "queued":
            n.claim(going[0].ticket)
            n.begin(going[0].ticket)
        case "end" if going and going[0].in_flight and not outcome.startswith("PARKED"):
            review = Review(verdict=verdict, commit=t.plan, why="so", preset="other")
            n.add(ev.ReviewJudged(ticket=going[0].ticket, attempt=1, review=review))
            n.end(going[0].ticket, outcome)
        case "withdraw" if going and not going[0].in_flight:
            n.add(ev.TicketDropped(ticket=going[0].ticket, by=ME))
        case "ship" if mine and t.plan:
            n.add(ev.ChainShipped(root=root, ticket=mine[-1].ticket, plan=t.plan, key=f"ship:{n.state.seq}"))
        case "escalate" if mine and t.plan:
            n.escalate(root, mine[-1].ticket, t.plan, "so it is")
        case "run" if not run.open:
            n.run()
        case "end_run" if run.open and not any(m.in_flight for m in n.state.tickets.values()):
            n.end_run()


@settings(max_examples=80, deadline=None)
@given(STEPS)
def test_with_chains_every_sum_adds_up_and_every_ticket_is_told_of_once(
    steps: list[tuple[str, str, Verdict, Outcome]],
) -> None:
    n = play(steps)
    for run in n.state.runs:
        report, r = n.report(run), n.state.runs[run]
        t, dealt = report.tally, {name for name in (*r.claimed, *r.outcomes) if "+" not in name}
        assert t.met == len(dealt) and t.total == len(ROOTS)
        assert t.met == sum(t.outcomes.values()) + t.under_way + t.put_back
        assert t.total == t.met + sum(t.not_started.values())
        tickets = [i.about for i in report.items if i.kind == "ticket"]
        assert len(tickets) == len(set(tickets)) and dealt <= set(tickets) <= set(ROOTS)
        members = chaining.of_run(n.state, r)
        counted = report.chains
        assert (counted is None) == (not members)
        if counted:
            assert sum(counted.reviews.values()) + sum(counted.repairs.values()) == len(members)
            assert set(counted.reviews) | set(counted.repairs) <= set(get_args(ChainWord))
            assert set(counted.shipped) | set(counted.escalated) <= set(ROOTS)
            assert not set(counted.shipped) & set(counted.escalated)
    told = Counter(m.ticket for i in n.report().items for m in i.members)
    assert all(number == 1 for number in told.values())


def test_a_launch_needs_no_preset_to_be_told() -> None:
    n = Chained()
    n.ticket("a")
    n.run()
    plan = n.done("a", level=3, outcome="DONE_LOW_CONFIDENCE")
    name = n.spawn("a", "review", plan)
    n.claim(name)
    n.add(
        ev.SessionAdded(
            session="s-9",
            label=name,
            preset="",
            launch=Launch(argv=("x",)),
            cwd="/w",
            worktree="/w",
            by=ME,
            ticket=name,
        )
    )
    assert said(item(n.report(), "a"), "chain") == ["review of cycle 1: under way"]


# -- with the brain --------------------------------------------------------------------------------------

SAID = {"ship": SHIP, "block": BLOCK, "unclear": "I think\n`VERDICT: SHIP`"}


def brains(names: list[str], how: list[str]) -> ChainNight:
    """A night whose reviews and repairs are played until nothing is under way."""
    n = ChainNight()
    n.root(*names)
    todo = iter(how)
    while flying := n.flying():
        name, does = flying[0], next(todo, "ship")
        if "+review" in name:
            n.read(name, SAID.get(does, SHIP))
        elif does == "unclear":
            n.work(name, "red", introduced(f"sig-{n.t(name).attempt}"))
        else:
            n.mend(name)
    return n


def brains_report(n: ChainNight) -> Report:
    report = build(n.state, "", n.log)
    assert isinstance(report, Report)
    return report


def test_the_chains_that_the_brain_played_are_told_as_they_went() -> None:
    report = brains_report(brains(["a"], ["block", "mend", "ship"]))
    assert report.chains and (report.chains.reviews, report.chains.repairs) == (
        {"SHIP": 1, "BLOCK": 1},
        {"repaired": 1},
    )
    one = item(report, "a")
    assert (one.outcome, one.chain) == ("DONE", "shipped")
    assert said(one, "chain") == [
        "reviewed by critic: BLOCK, repaired in cycle 1, reviewed by critic: SHIP, ready for a person"
    ]
    assert [m.branch for m in report.merges] == ["nightdesk/a+repair-1"]
    assert one.facts and "a+repair-1" in next(f.text for f in one.facts if f.name == "plan")


def test_a_chain_at_its_limit_is_escalated_in_the_report() -> None:
    report = brains_report(brains(["a"], ["block", "mend"] * 5))
    one = item(report, "a")
    assert (one.section, one.outcome, one.chain) == ("look", "DONE_LOW_CONFIDENCE", "escalated")
    assert said(one, "chain")[0].count(": BLOCK,") == 3 and ", escalated: " in said(one, "chain")[0]
    assert report.chains and report.chains.escalated == ("a",) and report.chains.repairs == {"repaired": 2}


@settings(max_examples=12, deadline=None)
@given(
    st.lists(st.sampled_from(["a", "b", "c"]), min_size=1, max_size=3, unique=True),
    st.lists(st.sampled_from(["ship", "block", "unclear"]), max_size=12),
)
def test_whatever_reviewers_say_the_sums_of_a_played_night_add_up(names: list[str], how: list[str]) -> None:
    n = brains(names, how)
    report = brains_report(n)
    t = report.tally
    assert (t.claimed, t.total) == (len(names), len(names))
    assert t.claimed + t.unclaimed == sum(t.outcomes.values()) + t.under_way + t.put_back
    assert t.done == len(names), "what reviewers say makes no work undone"
    assert report.chains
    members = [m for m in n.state.tickets.values() if m.link]
    assert sum(report.chains.reviews.values()) + sum(report.chains.repairs.values()) == len(members)
    assert sorted(i.about for i in report.items) == sorted(names)
    assert all(i.chain for i in report.items), "each waits for a person, with SHIP or without"
    assert len(report.merges) == len(names)
