"""The night as lanes: what a lane is about when, whatever comes in whatever order, and that no log makes it grow."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from nightlog import GATE, ME, START, Night, commit_id, seven

from console.core import events as ev
from console.core import timeline as module
from console.core.lanes import Cost, Lane
from console.core.records import Frozen, GateResult, Identity, Launch, PolicySpec, RunSettings, TextVerdict, Usage
from console.core.spending import BUCKETS, Spending, spread
from console.core.timeline import Timeline

LAUNCH = Launch(argv=("agent",))


def logged(*facts: ev.Fact, wait: float = 60.0) -> list[ev.Logged]:
    """A minute before each."""
    return [ev.Logged(seq=i, at=START + i * wait, fact=fact) for i, fact in enumerate(facts, 1)]


def lanes(*facts: ev.Fact) -> dict[str, Lane]:
    t = Timeline()
    t.feed(logged(*facts))
    return {lane.id: lane for lane in t.night().lanes}


def spans(lane: Lane) -> list[tuple[str, float, float | None]]:
    """(kind, and the verdict of a gate; minutes after START from and to, None for "goes on")."""
    return [
        (f"{s.kind} {s.said}".strip(), (s.at - START) / 60, (s.until - START) / 60 if s.until else None)
        for s in lane.spans
    ]


def marks(lane: Lane) -> list[tuple[str, float]]:
    return [(m.what, (m.at - START) / 60) for m in lane.marks]


def added(session: str = "s-1", ticket: str = "T") -> ev.SessionAdded:
    return ev.SessionAdded(
        session=session, label="l", preset="p", launch=LAUNCH, cwd="/w", worktree="/w", by=ME, ticket=ticket
    )


def watched(policy: str = "p-1", *sessions: str) -> ev.PolicyAttached:
    return ev.PolicyAttached(policy=policy, spec=PolicySpec(sessions=sessions or ("s-1",), gate=GATE), since=1)


def claimed(ticket: str = "T") -> ev.TicketClaimed:
    return ev.TicketClaimed(ticket=ticket, run="r", attempt=1, digest="d", verdict=TextVerdict())


def judged(verdict: Any = "green", policy: str = "p-1") -> ev.PolicyJudged:
    results = (GateResult(verdict=verdict, where="plan"),) if verdict else ()
    return ev.PolicyJudged(policy=policy, attempt=1, results=results)


def ready(policy: str = "p-1") -> ev.PolicyCommitReady:
    frozen = Frozen(
        commit=commit_id(1), base="", tree="", ref="refs/heads/b", ref_old="", message="m", when=1, zone="+0000",
        author=Identity(name="a", email="e"), paths=(), worktree="/w", store="/s",
    )  # fmt: skip
    return ev.PolicyCommitReady(policy=policy, plan=commit_id(1), cwd="/w", paths=(), message="m", frozen=frozen)


def turn(session: str = "s-1") -> ev.TurnStarted:
    return ev.TurnStarted(session=session, turn=1)


def ended(session: str = "s-1", usage: Usage | None = None) -> ev.TurnEnded:
    return ev.TurnEnded(session=session, turn=1, ok=True, stop="end", usage=usage)


HUNG = ev.SessionHung(session="s-1", run=1, turn=1, cause="hang", why="silent")
AGAIN = ev.SessionRestarting(session="s-1", run=1, turn=1, cause="hang", why="silent", count=1, until=0.0)
ASKS = ev.AwaitingInput(session="s-1", turn=1, question="q", title="May I?")
OVER = ev.TicketEnded(ticket="T", attempt=1, outcome="DONE", why="green")

STORIES: dict[str, tuple[tuple[ev.Fact, ...], list[Any], list[Any]]] = {
    "a whole ticket, from claim to landing": (
        (claimed(), added(), watched(), turn(), ended(), ev.PolicyQueued(policy="p-1"),
         ev.PolicyGating(policy="p-1", attempt=1), judged(), ready(), OVER,
         ev.ApprovalRequested(policy="p-1", plan=commit_id(1), by=ME),
         ev.PolicyCommitted(policy="p-1", plan=commit_id(1), sha="s", ref="r")),
        [("setup", 1, 4), ("turn", 4, 5), ("slot", 6, 7), ("gate green", 7, 8), ("waits", 9, 11)],
        [("done", 10), ("landed", 12)],
    ),
    "a question inside a turn is a wait of its own": (
        (claimed(), added(), turn(), ASKS, ev.InputAnswered(session="s-1", question="q"), ended()),
        [("setup", 1, 3), ("turn", 3, 4), ("asks", 4, 5), ("turn", 5, 6)],
        [],
    ),
    "a hang is a mark, and the wait for its restart a span": (
        (claimed(), added(), turn(), HUNG, AGAIN, turn(), ended()),
        [("setup", 1, 3), ("turn", 3, 4), ("restart", 4, 6), ("turn", 6, 7)],
        [("hang", 4), ("restart", 5)],
    ),
    "a supervisor that dies in a turn": (
        (claimed(), added(), turn(), ev.SessionInterrupted(session="s-1", run=1), turn(), ended()),
        [("setup", 1, 3), ("turn", 3, 4), ("restart", 4, 5), ("turn", 5, 6)],
        [],
    ),
    "a usage limit": (
        (claimed(), added(), turn(), ended(), ev.TicketWaiting(ticket="T", attempt=1, until=9.0, why="limit"),
         ev.TicketWoken(ticket="T", attempt=1), turn()),
        [("setup", 1, 3), ("turn", 3, 4), ("limit", 5, 6), ("turn", 7, None)],
        [],
    ),
    "a red gate, a new attempt, a gate that could not judge": (
        (claimed(), added(), watched(), turn(), ended(), ev.PolicyGating(policy="p-1", attempt=1), judged("red"),
         ev.TicketAttemptFailed(ticket="T", attempt=1, cause="gate", why="red"), claimed(), turn(), ended(),
         ev.PolicyGating(policy="p-1", attempt=2), judged("unjudged"),
         ev.TicketEnded(ticket="T", attempt=2, outcome="BLOCKED_ENV", why="no make")),
        [("setup", 1, 4), ("turn", 4, 5), ("gate red", 6, 7), ("setup", 9, 10), ("turn", 10, 11),
         ("gate unjudged", 12, 13)],
        [("failed", 8), ("blocked", 14)],
    ),
    "work that goes on while a gate runs is what is seen, and the gate keeps its verdict": (
        (claimed(), added(), watched(), ev.PolicyGating(policy="p-1", attempt=1), turn(), ended(), judged("timeout")),
        [("setup", 1, 4), ("turn", 5, 6), ("gate timeout", 6, 7)],
        [],
    ),
    "a decision waits for a person until it is answered": (
        (claimed(), ev.DecisionParked(decision="d", ticket="T", foundational=False, why="w", question="q"),
         ev.TicketEnded(ticket="T", attempt=1, outcome="PARKED_DECISION", why="p", decision="d"),
         ev.DecisionAnswered(decision="d", ticket="T", by=ME)),
        [("setup", 1, 3), ("waits", 3, 4)],
        [("parked", 3)],
    ),
    "a session that is given up": (
        (claimed(), added(), turn(), HUNG, ev.SessionGivenUp(session="s-1", turn=1, cause="hang", why="thrice")),
        [("setup", 1, 3), ("turn", 3, 4), ("restart", 4, 5)],
        [("hang", 4), ("given-up", 5)],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", STORIES)
def test_a_lane_tells(name: str) -> None:
    facts, wanted, happened = STORIES[name]
    lane = lanes(*facts)["ticket:T"]
    # the setup under a gate of the same lane is not seen while it lasts
    shown = [s for s in spans(lane) if s[0] != "gate"]
    assert shown == wanted
    assert marks(lane) == happened


def test_a_gate_without_a_verdict_yet_goes_on_and_sessions_without_a_ticket_have_lanes_of_their_own() -> None:
    found = lanes(added(ticket=""), ev.SessionStarted(session="s-1", run=1), turn(), ended(), watched(),
                  ev.PolicyGating(policy="p-1", attempt=1))  # fmt: skip
    assert spans(found["session:s-1"]) == [("setup", 1, 2), ("turn", 3, 4), ("gate", 6, None)]


def test_the_run_has_a_lane_with_what_held_it_up() -> None:
    found = lanes(
        ev.RunStarted(run="r", settings=RunSettings(), by=ME),
        ev.RunPaused(run="r", by=ME),
        ev.RunResumed(run="r", by=ME),
        ev.SupervisorDegraded(kind="disk", why="full"),
        ev.SupervisorStarted(pid=1, start_time=1, host="h", version="1"),
        ev.RunEnded(run="r", status="DRAINED", why="done"),
    )["run:r"]
    wanted = [("run", 1, 2), ("held", 2, 3), ("run", 3, 4), ("held", 4, 5), ("run", 5, 6)]
    assert spans(found) == wanted and marks(found) == [("restart", 5)]


def test_only_the_last_run_is_kept_with_what_was_at_work_when_it_began() -> None:
    t = Timeline()
    t.feed(
        logged(
            ev.RunStarted(run="one", settings=RunSettings(), by=ME),
            claimed("old"),
            ev.TicketEnded(ticket="old", attempt=1, outcome="DONE", why="w"),
            added("s-9", ""),
            turn("s-9"),
            ev.RunEnded(run="one", status="DRAINED", why="w"),
            ev.RunStarted(run="two", settings=RunSettings(), by=ME),
            ended("s-9", Usage(cost_usd=1.0)),
        )
    )
    night = t.night()
    assert (night.run, night.since, night.ended_at) == ("two", START + 7 * 60, 0.0)
    assert [lane.id for lane in night.lanes] == ["session:s-9", "run:two"]
    assert spans(night.lanes[0]) == [("turn", 7, 8)] and night.cost.cost_usd == 1.0


def test_what_was_known_before_the_first_entry_leads_to_the_right_lane() -> None:
    t = Timeline.knowing({"s-1": "T"}, {"p-1": ("s-1",)})
    t.feed(logged(turn(), ended(), ev.PolicyGating(policy="p-1", attempt=1), judged(), judged(policy="p-unknown")))
    assert [(lane.id, [s.kind for s in lane.spans]) for lane in t.night().lanes] == [("ticket:T", ["turn", "gate"])]


# -- whatever comes --------------------------------------------------------------------------------------

SESSIONS, POLICIES, TICKETS = ("s-1", "s-2"), ("p-1", "p-2"), ("T", "U")


def any_fact() -> st.SearchStrategy[ev.Fact]:
    s, p, t = st.sampled_from(SESSIONS), st.sampled_from(POLICIES), st.sampled_from(TICKETS)
    verdict = st.sampled_from(["green", "red", "timeout", "unjudged", ""])
    usage = st.one_of(st.none(), st.builds(Usage, cost_usd=st.sampled_from([None, 0.5]), input_tokens=st.just(7)))
    of_session = [
        st.builds(added, s, st.sampled_from(["", "T"])), st.builds(turn, s), st.builds(ended, s, usage),
        st.builds(ev.SessionStarted, session=s, run=st.just(1)),
        st.builds(ev.SessionInterrupted, session=s, run=st.just(1)),
        st.builds(ev.AwaitingInput, session=s, turn=st.just(1), question=st.just("q"), title=st.just("t")),
        st.builds(ev.InputAnswered, session=s, question=st.just("q")),
        st.builds(ev.SessionHung, session=s, run=st.just(1), turn=st.just(1), cause=st.just("crash"), why=st.just("w")),
        st.builds(ev.Exited, session=s, run=st.just(1), how=st.just("exited"), stopped=st.booleans(), usage=usage),
        st.builds(ev.SessionLent, session=s, by=st.just(ME), pid=st.just(1), start_time=st.just(1)),
        st.builds(ev.SessionReturned, session=s, pid=st.just(1), start_time=st.just(1)),
    ]  # fmt: skip
    of_policy = [
        st.builds(watched, p, s), st.builds(ev.PolicyQueued, policy=p),
        st.builds(ev.PolicyGating, policy=p, attempt=st.just(1)), st.builds(judged, verdict, p), st.builds(ready, p),
        st.builds(ev.ApprovalRequested, policy=p, plan=st.just("c"), by=st.just(ME)),
        st.builds(ev.PolicyBlocked, policy=p, reason=st.just("r")),
    ]  # fmt: skip
    of_queue = [
        st.builds(claimed, t),
        st.builds(ev.TicketWaiting, ticket=t, attempt=st.just(1), until=st.just(0.0), why=st.just("")),
        st.builds(ev.TicketWoken, ticket=t, attempt=st.just(1)),
        st.builds(ev.TicketEnded, ticket=t, attempt=st.just(1), outcome=st.just("DONE"), why=st.just("")),
        st.builds(ev.TicketAttemptFailed, ticket=t, attempt=st.just(1), cause=st.just("gate"), why=st.just("")),
        st.builds(ev.RunStarted, run=st.just("r"), settings=st.just(RunSettings()), by=st.just(ME)),
        st.builds(ev.RunEnded, run=st.just("r"), status=st.just("DRAINED"), why=st.just("")),
    ]  # fmt: skip
    return st.one_of(*of_session, *of_policy, *of_queue)


FACTS = any_fact()


@st.composite
def any_log(draw: st.DrawFn) -> list[ev.Logged]:
    """Any facts in any order; the clock stands still, jumps and is set back."""
    facts = draw(st.lists(FACTS, max_size=25))
    at, found = START, []
    for seq, fact in enumerate(facts, 1):
        at += draw(st.sampled_from([0.0, 1.0, 60.0, -30.0, 7200.0]))
        found.append(ev.Logged(seq=seq, at=at, fact=fact))
    return found


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(any_log(), st.integers(1, 9), st.booleans())
def test_spans_never_overlap_lie_in_the_log_and_come_out_the_same_in_pieces(
    log: list[ev.Logged], piece: int, small: bool
) -> None:
    whole, bits = Timeline(), Timeline()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "SPANS", 6 if small else 100_000)
        whole.feed(log)
        for i in range(0, len(log), piece):
            bits.feed(log[i : i + piece])
            bits.night()
    night = whole.night()
    assert bits.night() == night
    for lane in night.lanes:
        times = [t for s in lane.spans for t in (s.at, s.until or night.last)]
        assert times == sorted(times)
        assert all(s.until for s in lane.spans[:-1])
        assert all(night.since <= t <= night.last for t in times)
        assert all(night.since <= m.at <= night.last for m in lane.marks)
    assert night.cost.turns == sum(step.cost.turns for step in night.steps)


# -- bounds ----------------------------------------------------------------------------------------------


def test_a_log_without_end_is_forgotten_from_its_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SPANS", 100)
    t = Timeline()
    for i in range(2000):
        t.feed([ev.Logged(seq=i + 1, at=START + i, fact=turn(f"s-{i // 8}") if i % 2 else ended(f"s-{i // 8}"))])
        assert sum(len(lane.spans) + len(lane.marks) for lane in t.night().lanes) <= 100
    night = t.night()
    assert night.forgot and night.since > START + 1500 and night.read == 2000
    assert night.cost.turns == 1000  # what was spent is not forgotten


def test_what_a_long_time_cost_takes_no_more_room_than_what_a_short_one_did() -> None:
    spending = Spending()
    for minute in range(BUCKETS * 3):
        spending.turn(START + minute * 60, Usage(cost_usd=0.5, output_tokens=2) if minute % 3 else None)
    steps = spending.buckets()
    assert len(steps) <= BUCKETS and steps[0].seconds == 256
    assert sum(step.cost.turns for step in steps) == spending.total.turns == BUCKETS * 3
    assert (spending.total.uncosted, spending.total.output_tokens) == (BUCKETS, 2 * 2 * BUCKETS)
    spread_out = spread(steps, steps[0].at, 7200.0, 60)
    assert sum(cost.turns for cost in spread_out) == BUCKETS * 3
    assert spread(steps, START + 10 * 86400, 60.0, 3) == (Cost(), Cost(), Cost())


def test_the_report_has_the_lanes_of_its_run_and_no_other() -> None:
    n: Night = seven()
    first = n.report().night
    assert first and first.run == "run-1" and first.ended_at == n.now
    assert {"ticket:good", "ticket:bug", "run:run-1"} <= {lane.id for lane in first.lanes}
    n.run()
    n.claim("later")
    again = n.report("run-1").night
    assert again == first
    second = n.report().night
    assert second and [lane.id for lane in second.lanes] == ["run:run-2", "ticket:later"]
