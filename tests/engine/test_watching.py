"""The watch over a fleet on a clock of our own: what it tells, when it holds back, and what it does not touch."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import pytest

from console.core import events as ev
from console.core import late
from console.core.records import Launch, WatchLimits, Who
from console.core.state import State
from console.engine import watching
from console.engine.ports import ToolCall, Tree, Vital
from console.engine.pulse import OwnTime
from console.engine.watching import Watching

LIMITS = WatchLimits(start=60, quiet=300, hung=600, tool=1800)


class Processes:
    """The port `Evidence`, told what to see. passes: how often it looked."""

    def __init__(self) -> None:
        self.tree: dict[str, Tree] = {}
        self.passes = 0
        self.asked: list[tuple[int, int]] = []
        self.complete = True

    def trees(self, agents: Mapping[str, tuple[int, int]]) -> Mapping[str, Tree]:
        self.passes += 1
        seen = Tree(state="S", count=1, complete=self.complete)
        return {session: self.tree.get(session, seen) for session in agents}

    def detail(self, shim: int, agent: int) -> str:
        self.asked.append((shim, agent))
        return f"pid {agent} is sleeping"


class Post:
    """A log, a clock and a fleet whose agents show what they are told to."""

    def __init__(self, limits: WatchLimits = LIMITS) -> None:
        self.clock = 1000.0
        self.state = State()
        self.facts: list[Any] = []
        self.beats: dict[str, str] = {}
        self.evidence = Processes()
        self.own = OwnTime(lambda: self.clock)
        self.sessions: Any = SimpleNamespace(agents={}, _starting={})
        world: Any = SimpleNamespace(
            evidence=self.evidence, limits=lambda: limits, heartbeat=lambda s: self.beats.get(s, "")
        )
        self.watching = Watching(world, lambda: self.state, self.tell, self.sessions, self.own)

    async def tell(self, *facts: ev.Fact) -> None:
        for fact in facts:
            if late.fits(self.state, fact):
                self.add(fact)
                self.facts.append(fact)

    def add(self, fact: ev.Fact) -> None:
        seq = self.state.seq + 1
        self.state.apply(ev.Logged(seq=seq, at=1_700_000_000.0 + self.clock, fact=fact))

    def session(self, name: str, *, working: bool = True) -> str:
        by = Who(user="ada")
        launch = Launch(argv=("agent",))
        self.add(ev.SessionAdded(session=name, label=name, preset="", launch=launch, cwd="/", worktree="/", by=by))
        self.add(ev.PromptQueued(session=name, turn=1, text="go", cause="operator", by=by))
        self.add(ev.SessionStarted(session=name, run=1, conversation="c", pid=11, shim_pid=10))
        self.sessions.agents[name] = (1, SimpleNamespace(vital=lambda: self.vitals[name]))
        self.vitals[name] = Vital()
        if working:
            self.add(ev.TurnStarted(session=name, turn=1, ref="r", head="h"))
        return name

    vitals: dict[str, Vital] = {}

    def fleet(self, size: int) -> list[str]:
        self.vitals = {}
        return [self.session(f"s-{number}") for number in range(size)]

    async def go(self, seconds: int, *talking: str) -> None:
        for _ in range(seconds):
            self.clock += 1.0
            for name in talking:
                self.vitals[name] = Vital(progress=self.vitals[name].progress + 1)
            await self.watching.look()

    def told(self, kind: type[ev.Event]) -> list[Any]:
        return [fact for fact in self.facts if isinstance(fact, kind)]


@pytest.fixture
def post() -> Post:
    made = Post()
    made.vitals = {}
    return made


async def test_a_silent_agent_is_told_suspect_once_and_hung_once_with_what_was_seen(post: Post) -> None:
    post.session("s-1")
    await post.go(1, "s-1")
    await post.go(601)
    (suspect,), (hung,) = post.told(ev.SessionSuspect), post.told(ev.SessionHung)
    assert (suspect.session, suspect.run, suspect.turn, suspect.quiet) == ("s-1", 1, 1, 300.0)
    assert suspect.evidence == "pid 11 is sleeping"
    assert (hung.cause, hung.evidence) == ("hang", "pid 11 is sleeping")
    assert "no sign of progress for 600 s" in hung.why
    assert post.state.sessions["s-1"].phase == "stopping"
    assert post.evidence.asked == [(10, 11), (10, 11)]
    await post.go(100)
    assert len(post.facts) == 2


async def test_who_speaks_again_has_recovered(post: Post) -> None:
    post.session("s-1")
    await post.go(400)
    await post.go(1, "s-1")
    assert [type(fact).__name__ for fact in post.facts] == ["SessionSuspect", "SessionRecovered"]
    assert post.state.sessions["s-1"].suspect_at == 0


async def test_a_heartbeat_is_progress(post: Post) -> None:
    post.session("s-1")
    for beat in range(10):
        post.beats["s-1"] = str(beat)
        await post.go(200)
    assert post.facts == []


@pytest.mark.row("C1")
async def test_a_tool_in_its_budget_is_waited_for_and_its_driver_s_clock_means_nothing(post: Post) -> None:
    post.session("s-1")
    post.vitals["s-1"] = Vital(tools=(ToolCall(name="pytest", since=-1e9, budget=1200.0),))
    await post.go(1190)
    assert post.told(ev.SessionHung) == []
    await post.go(20)
    assert len(post.told(ev.SessionHung)) == 1


async def test_a_question_and_the_end_of_a_turn_take_the_suspicion_away(post: Post) -> None:
    post.session("s-1")
    post.session("s-2")
    await post.go(400)
    post.add(ev.AwaitingInput(session="s-1", turn=1, question="q-1", title="?", options=()))
    post.add(ev.TurnEnded(session="s-2", turn=1, ok=True, stop="end_turn", ref="r", head="h"))
    await post.go(1000)
    assert [type(fact).__name__ for fact in post.facts] == ["SessionSuspect"] * 2 + ["SessionRecovered"] * 2


@pytest.mark.row("C4")
async def test_time_in_which_we_were_stopped_is_no_silence(post: Post) -> None:
    post.session("s-1")
    await post.go(590)
    post.clock += 1800
    await post.go(9)
    assert post.told(ev.SessionHung) == [], "590 s of our own time, and nothing is concluded for a while"
    await post.go(1)
    assert post.told(ev.SessionHung) == []
    await post.go(5)
    assert len(post.told(ev.SessionHung)) == 1


@pytest.mark.row("C4")
async def test_negative_control_a_clock_that_counts_our_absence_ends_the_agent(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("console.engine.pulse.AWAY", float("inf"))
    monkeypatch.setattr(watching, "LATE", float("inf"))
    post.session("s-1")
    await post.go(100)
    post.clock += 1800
    await post.go(3)
    assert len(post.told(ev.SessionHung)) == 1


@pytest.mark.row("C3")
async def test_the_wall_clock_has_no_part_in_it(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    post.session("s-1")
    post.session("s-2")
    await post.go(1, "s-1", "s-2")
    for wall in (1e9, 1e9 + 3600, 1e9 - 3600):
        monkeypatch.setattr("time.time", lambda wall=wall: wall)
        await post.go(199, "s-2")
    assert post.told(ev.SessionHung) == [] and len(post.told(ev.SessionSuspect)) == 1
    await post.go(3, "s-2")
    assert [fact.session for fact in post.told(ev.SessionHung)] == ["s-1"], "and none is missed"


async def test_an_incomplete_look_holds_every_verdict_for_a_while(post: Post) -> None:
    post.session("s-1")
    await post.go(599)
    post.evidence.complete = False
    await post.go(500)
    assert post.told(ev.SessionHung) == []
    post.evidence.complete = True
    await post.go(9)
    assert post.told(ev.SessionHung) == []
    await post.go(700)
    assert len(post.told(ev.SessionHung)) == 1


async def test_while_something_is_short_nobody_is_judged(post: Post) -> None:
    post.session("s-1")
    await post.go(1, "s-1")
    await post.go(590)
    post.add(ev.SupervisorDegraded(kind="disk", why="full"))
    await post.go(300)
    post.add(ev.SupervisorRecovered(kind="disk"))
    await post.go(9)
    assert post.told(ev.SessionHung) == []
    await post.go(5)
    assert len(post.told(ev.SessionHung)) == 1


async def test_a_shortage_that_lasts_holds_no_verdict_back_for_ever(post: Post) -> None:
    post.session("s-1")
    await post.go(1, "s-1")
    post.add(ev.SupervisorDegraded(kind="memory", why="the agent that hangs holds it"))
    await post.go(880)
    assert post.told(ev.SessionHung) == []
    await post.go(40)
    assert len(post.told(ev.SessionHung)) == 1


async def test_without_eyes_for_processes_nobody_is_ended_for_silence(post: Post) -> None:
    post.watching._world.evidence = None
    post.session("s-1")
    await post.go(2000)
    assert [type(fact).__name__ for fact in post.facts] == ["SessionSuspect"]


async def test_fifty_idle_sessions_cost_no_look_at_processes(post: Post) -> None:
    for number in range(50):
        post.session(f"s-{number}", working=False)
    await post.go(100)
    assert post.evidence.passes == 0


async def test_a_slow_look_is_made_less_often(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = iter(range(10**6))
    monkeypatch.setattr(watching.time, "monotonic", lambda: next(ticks) * 0.25)
    post.session("s-1")
    await post.go(100)
    assert post.evidence.passes == 10, "0.25 s each: a fortieth of the time"
    assert post.facts == []


@pytest.mark.row("C9")
async def test_a_start_that_gets_no_answer_is_ended_as_a_start(post: Post) -> None:
    by = Who(user="ada")
    launch = Launch(argv=("agent",))
    post.add(ev.SessionAdded(session="s-1", label="", preset="", launch=launch, cwd="/", worktree="/", by=by))
    await post.go(200)
    assert post.facts == [], "nobody has begun to start it: that is our own delay"
    post.sessions._starting["s-1"] = object()
    await post.go(61)
    (hung,) = post.facts
    assert (hung.cause, hung.turn, hung.evidence) == ("start", 0, "")
    assert "did not answer within 60 s" in hung.why


@pytest.mark.row("C6")
async def test_five_of_eight_silent_at_once_end_nobody_and_are_told_once(post: Post) -> None:
    names = post.fleet(8)
    await post.go(1, *names)
    await post.go(1790, *names[5:])
    assert post.told(ev.SessionHung) == []
    (blown,) = post.told(ev.FuseBlown)
    assert (blown.sessions, blown.at_work) == (tuple(names[:5]), 8)
    assert post.state.fuse
    await post.go(310, *names)
    assert len(post.told(ev.FuseReset)) == 1
    assert post.state.fuse is None
    assert len(post.told(ev.SessionRecovered)) == 5


@pytest.mark.row("C6")
async def test_after_long_one_of_them_is_ended_and_its_progress_ends_the_alarm(post: Post) -> None:
    names = post.fleet(4)
    await post.go(1, *names)
    await post.go(1805)
    (probe,) = post.told(ev.SessionHung)
    assert probe.probe and post.state.fuse and post.state.sessions[probe.session].phase == "stopping"
    name = probe.session
    post.add(ev.Exited(session=name, run=1, how="signaled", signal=9))
    post.add(ev.SessionRestarting(session=name, run=2, turn=1, cause="hang", why="w", count=1, until=0.0))
    await post.go(400)
    assert post.state.fuse, "nobody has shown anything"
    post.add(ev.SessionRestartDue(session=name, run=2))
    post.add(ev.PromptQueued(session=name, turn=2, text="go", cause="restart"))
    run = post.state.sessions[name].run
    post.add(ev.SessionStarted(session=name, run=run, conversation="c", pid=12, shim_pid=10))
    post.sessions.agents[name] = (run, SimpleNamespace(vital=lambda: post.vitals[name]))
    post.add(ev.TurnStarted(session=name, turn=2, ref="r", head="h"))
    await post.go(2)
    await post.go(2, name)
    assert len(post.told(ev.FuseReset)) == 1 and post.state.fuse is None
    assert {fact.session for fact in post.told(ev.SessionHung)} == set(names) and len(post.told(ev.FuseBlown)) == 1


@pytest.mark.parametrize("how", ["over", "stopped"])
async def test_the_alarm_is_over_with_the_work_of_its_agents_or_the_supervisor(post: Post, how: str) -> None:
    names = post.fleet(3)
    await post.go(1, *names)
    await post.go(650)
    assert post.state.fuse
    if how == "stopped":
        post.add(ev.SupervisorStarted(pid=1, start_time=1, host="h", version="0"))
        await post.go(1)
        post.add(ev.FuseBlown(sessions=tuple(names), at_work=3, why="w"))
        post.add(ev.SupervisorStopped(pid=1, reason="stopped by ada"))
    else:
        for name in names[1:]:
            post.add(ev.StopRequested(session=name, by=Who(user="ada")))
        await post.go(1)
        assert len(post.told(ev.FuseReset)) == 1
    assert post.state.fuse is None


@pytest.mark.row("C6")
async def test_negative_control_without_the_fuse_all_five_are_ended(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("console.core.fuse.FEWEST", 99)
    names = post.fleet(8)
    await post.go(1, *names)
    await post.go(700, *names[5:])
    assert len(post.told(ev.SessionHung)) == 5


async def test_exactly_three_of_eight_are_ended(post: Post) -> None:
    names = post.fleet(8)
    for silent in range(3):
        await post.go(3, *names[silent:])
    await post.go(2000, *names[3:])
    assert sorted(fact.session for fact in post.told(ev.SessionHung)) == names[:3]
    assert post.told(ev.FuseBlown) == []
    assert {fact.session for fact in post.facts} == set(names[:3]), "the rest is never even doubted"


@pytest.mark.row("C5")
async def test_the_signs_of_an_agent_of_another_run_are_not_looked_at(post: Post) -> None:
    post.session("s-1")
    await post.go(400)
    post.sessions.agents["s-1"] = (7, SimpleNamespace(vital=lambda: Vital(progress=10**9)))
    await post.go(50)
    assert post.told(ev.SessionRecovered) == []
    post.sessions.agents["s-1"] = (1, SimpleNamespace(vital=lambda: post.vitals["s-1"]))
    await post.go(3, "s-1")
    assert len(post.told(ev.SessionRecovered)) == 1


async def test_an_agent_that_speaks_while_it_is_looked_at_closely_lives(post: Post) -> None:
    post.session("s-1")
    await post.go(600)
    speak = post.evidence.detail

    def detail(shim: int, agent: int) -> str:
        post.vitals["s-1"] = Vital(progress=1)
        return speak(shim, agent)

    post.evidence.detail = detail  # type: ignore[method-assign]
    await post.go(100)
    assert post.told(ev.SessionHung) == []
    assert len(post.told(ev.SessionRecovered)) == 1
