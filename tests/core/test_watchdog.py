"""When an agent is hung: by table and by random play. Time is a number."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from console.core import watchdog as dog
from console.core.records import WatchLimits

LIMITS = WatchLimits(start=60, quiet=300, hung=600, tool=1800)
STILL = dog.Look()


class Agent:
    """One watched agent; `step` shows it for a second."""

    def __init__(self, limits: WatchLimits = LIMITS, at: float = 0.0, run: int = 1, turn: int = 1) -> None:
        self.limits, self.at = limits, at
        self.now: dict[str, Any] = {"phase": "working", "run": run, "turn": turn, "look": STILL}
        self.watched: dog.Watched | None = None
        self.verdicts: list[tuple[float, str]] = []
        self.step(0.0)

    def step(self, seconds: float = 1.0, **more: Any) -> str:
        self.at += seconds
        self.now |= more
        self.watched, verdict = dog.observe(self.watched, dog.Sample(at=self.at, **self.now), self.limits)
        if verdict and (not self.verdicts or self.verdicts[-1][1] != verdict):
            self.verdicts.append((self.at, verdict))
        return verdict

    def go(self, seconds: int, show: Callable[[Agent], dict[str, Any]] = lambda agent: {}) -> Agent:
        for _ in range(seconds):
            self.step(**show(self))
        return self

    @property
    def said(self) -> list[str]:
        return [verdict for _, verdict in self.verdicts]

    @property
    def condition(self) -> str:
        return self.watched.condition if self.watched else ""


def spoke(**limits: Any) -> Agent:
    """An agent that made progress a second ago."""
    agent = Agent(WatchLimits(**limits) if limits else LIMITS)
    agent.step(progress=1)
    return agent


def more(key: str, by: float) -> Callable[[Agent], dict[str, Any]]:
    """Something of its processes that grows every second."""

    def show(agent: Agent) -> dict[str, Any]:
        look = agent.now["look"]
        return {
            "look": dog.Look(**{**{k: getattr(look, k) for k in look.__struct_fields__}, key: getattr(look, key) + by})
        }

    return show


def test_a_silent_agent_is_suspect_at_quiet_and_hung_at_hung() -> None:
    agent = spoke().go(700)
    assert agent.verdicts == [(301, "suspect"), (601, "hung")]
    assert agent.watched and agent.watched.cause == "hang"
    assert "no sign of progress for 700 s" in agent.watched.why


def test_progress_ends_a_suspicion_and_silence_begins_anew() -> None:
    agent = spoke().go(400)
    assert agent.step(progress=2) == "recovered"
    agent.go(299)
    assert agent.condition == "running"
    assert agent.go(2).said == ["suspect", "recovered", "suspect"]


@pytest.mark.parametrize(
    "show",
    [
        lambda agent: {"output": agent.now.get("output", 0) + 10},
        more("ticks", 100),
        more("moved", 100_000),
        more("members", 1),
    ],
    ids=["output", "cpu", "io", "tree"],
)
@pytest.mark.row("C2")
def test_activity_without_progress_is_never_life_and_never_hung(show: Any) -> None:
    agent = spoke().go(4000, show)
    assert agent.said == ["suspect"], "a spinner stays suspect: the turn's own limit ends it"
    assert agent.go(201).said == ["suspect", "hung"], "and once it is still, it hangs"


@pytest.mark.parametrize(
    "show",
    [more("ticks", 1), more("ticks", 4), more("moved", 40), more("moved", 10_000)],
    ids=["a timer's ticks", "opencode's ticks", "an eventfd's bytes", "codex's news of /etc"],
)
def test_what_an_idle_event_loop_does_is_no_activity(show: Any) -> None:
    assert spoke().go(700, show).said == ["suspect", "hung"]


def test_an_agent_that_polls_now_and_then_is_still_and_one_that_works_in_bursts_is_not() -> None:
    def now_and_then(every: int) -> Any:
        turns = itertools.count()
        return lambda agent: more("members", 1)(agent) if next(turns) % every < 2 else {}

    assert spoke().go(1200, now_and_then(60)).said == ["suspect", "hung"], "opencode looks at git"
    assert spoke().go(4000, now_and_then(8)).said == ["suspect"]


@pytest.mark.row("C1")
def test_a_tool_inside_its_budget_is_waited_for() -> None:
    agent = spoke()
    agent.step(tools=(dog.Flight(name="pytest", since=5.0),))
    agent.go(1799)
    assert agent.said == ["suspect"]
    agent.go(2)
    assert agent.said == ["suspect", "hung"], "the limit for tools is over"


@pytest.mark.row("C1")
def test_a_tool_s_own_limit_counts_instead_of_ours_and_without_the_tool_it_is_hung() -> None:
    agent = spoke()
    agent.step(tools=(dog.Flight(name="pytest", since=5.0, budget=3600.0),))
    assert agent.go(3598).said == ["suspect"]
    short = spoke()
    short.step(tools=(dog.Flight(name="curl", since=5.0, budget=10.0),))
    assert short.go(700).said == ["suspect", "hung"]
    done = spoke()
    done.step(tools=(dog.Flight(name="pytest", since=5.0),))
    assert done.go(700).step(tools=()) == "hung", "control: the tool was all that spoke for it"


def test_the_age_of_a_tool_is_our_own_time_since_we_saw_it() -> None:
    """What the driver says of its beginning may lie before an absence of ours."""
    agent = spoke()
    agent.step(tools=(dog.Flight(name="pytest", since=-1e6),))
    assert agent.go(1700).said == ["suspect"]


def test_a_heartbeat_that_changes_is_progress_and_one_that_cannot_be_read_is_not() -> None:
    agent = spoke()
    for beat in ("1", "2", "x", "1"):
        agent.go(299)
        agent.step(heartbeat=beat)
    assert agent.said == []
    agent.go(299).step(heartbeat="")
    assert agent.condition == "suspect"
    assert agent.step(heartbeat="1") == "", "the same one again says nothing"


@pytest.mark.row("C5")
def test_what_comes_late_from_another_run_or_turn_changes_nothing() -> None:
    agent = Agent(run=2, turn=3)
    agent.go(400)
    before = agent.watched
    for run, turn in ((1, 9), (2, 2)):
        late = dog.Sample(at=agent.at, phase="working", run=run, turn=turn, progress=99, heartbeat="z", look=STILL)
        assert dog.observe(before, late, LIMITS) == (before, "")


def test_a_new_run_and_a_new_turn_begin_with_their_own_baseline() -> None:
    agent = spoke().go(500)
    agent.step(turn=2)
    assert agent.condition == "running"
    agent.go(298)
    agent.step(run=2, turn=2, progress=0, output=0)
    assert agent.go(299).said == ["suspect"], "only the first turn's silence was ever doubted"


@pytest.mark.parametrize("phase", ["ready", "awaiting-input", "stopping", "suspended", "exited"])
def test_time_that_is_not_the_agent_s_is_no_silence(phase: Any) -> None:
    agent = spoke().go(250)
    agent.go(5000, lambda _: {"phase": phase})
    assert agent.watched is None
    assert agent.go(299, lambda _: {"phase": "working"}).said == []


@pytest.mark.row("C9")
def test_an_agent_that_does_not_answer_at_its_start_has_a_limit_of_its_own() -> None:
    agent = Agent(turn=0)
    agent.now["phase"] = "starting"
    agent.now["look"] = None
    assert agent.go(59).said == []
    assert agent.step() == "hung"
    assert agent.watched and agent.watched.cause == "start"


def test_an_incomplete_look_convicts_nobody() -> None:
    agent = spoke().go(4000, lambda _: {"look": None})
    assert agent.said == ["suspect"]
    blink = spoke().go(4000, lambda agent: {"look": None if int(agent.at) % 90 == 0 else STILL})
    assert blink.said == ["suspect"], "what is not seen now and then may stir just then"


def test_nothing_is_concluded_while_we_are_unsure_and_progress_still_counts() -> None:
    agent = spoke().go(599)
    agent.go(10, lambda _: {"judged": False})
    assert agent.said == ["suspect"]
    agent.step(progress=2)
    assert agent.condition == "running"
    silent = spoke().go(599)
    silent.go(10, lambda _: {"judged": False})
    assert silent.go(5, lambda _: {"judged": True}).said == ["suspect", "hung"]


def test_an_agent_whose_words_we_cannot_read_has_the_whole_limit_of_stillness() -> None:
    """It printed for half an hour: only its bytes are there to tell that it worked."""
    agent = Agent().go(1800, lambda agent: {"output": agent.now.get("output", 0) + 10})
    assert agent.go(599).said == ["suspect"]
    assert agent.go(1).said == ["suspect", "hung"]


def test_a_stopped_process_is_told_as_its_own_reason() -> None:
    agent = spoke().go(700, lambda _: {"look": dog.Look(state="T")})
    assert agent.said == ["suspect", "hung"]
    assert agent.watched and agent.watched.why.startswith("stopped by a signal")


STEPS = st.lists(
    st.fixed_dictionaries(
        {
            "seconds": st.sampled_from([1.0, 1.0, 5.0, 60.0]),
            "progress": st.booleans(),
            "phase": st.sampled_from(["working", "working", "working", "awaiting-input", "ready", "starting"]),
            "tree": st.sampled_from(["still", "still", "busy", "unseen"]),
            "turn": st.sampled_from([0, 0, 0, 1]),
            "judged": st.booleans(),
        }
    ),
    max_size=60,
)


@settings(max_examples=300, deadline=None)
@given(STEPS)
def test_whatever_happens_nobody_hangs_who_spoke_or_stirred_within_the_limits(steps: list[dict[str, Any]]) -> None:
    watched: dog.Watched | None = None
    at, progress, ticks, turn, since, still, seen = 0.0, 0, 0, 1, 0.0, 0.0, False
    for step in steps:
        at += step["seconds"]
        progress += step["progress"]
        ticks += 1000 if step["tree"] == "busy" else 0
        turn += step["turn"]
        starting = step["phase"] == "starting"
        if step["turn"] or step["progress"] or step["phase"] != "working":
            since, still = at, 0.0
        elif step["tree"] == "busy" and seen:
            still = max(0.0, still - (dog.STIR - 1) * step["seconds"])
        else:
            still = still + step["seconds"] if step["tree"] != "unseen" else 0.0
        seen = step["tree"] != "unseen"
        look = None if step["tree"] == "unseen" else dog.Look(ticks=ticks)
        sample = dog.Sample(
            at=at,
            phase=step["phase"],
            run=1,
            turn=turn,
            progress=progress,
            look=look,
            judged=step["judged"],
        )
        watched, verdict = dog.observe(watched, sample, LIMITS)
        if verdict == "hung" and not starting:
            assert step["phase"] == "working" and step["judged"] and step["tree"] == "still"
            assert at - since >= LIMITS.hung
            assert still >= (LIMITS.hung - LIMITS.quiet) / 3
        if step["phase"] not in dog.WATCHED:
            assert watched is None
