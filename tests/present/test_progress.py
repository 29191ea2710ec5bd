"""How far long work has come: said where the log knows how long such work took, and not where it does not."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "core"))
from nightlog import GATE, ME, Night

from console.core import events as ev
from console.core.records import Gate, GateResult, Judge, Launch, PolicySpec, RunSettings
from console.present import progress, queueing, rows
from console.present.progress import of_about
from console.tui.screens.gate_faces import gate_lines


@pytest.mark.parametrize(
    ("passed", "usual", "said"),
    [
        (41, 70, "0:41 of about 1:10 [#####.....]"),
        (41, 0, "0:41"),
        (80, 70, "1:20 of about 1:10 [##########]"),
        (100, 70, "1:40, longer than the usual 1:10"),
        (4000, 7300, "1:06:40 of about 2:01:40 [#####.....]"),
        (-3, 10, "0:00 of about 0:10 [..........]"),
    ],
)
def test_time_passed_of_the_usual_time(passed: float, usual: float, said: str) -> None:
    assert of_about(passed, usual) == said


def attach(n: Night, policy: str, gate: Gate | None = GATE) -> None:
    n.add(ev.PolicyAttached(policy=policy, spec=PolicySpec(sessions=("s-1",), gate=gate), since=1), wait=0)


def judged(n: Night, policy: str, *seconds: float, gate: Gate = GATE, verdict: str = "green") -> None:
    attach(n, policy, gate)
    results = tuple(GateResult(verdict=verdict, where="plan", seconds=s) for s in seconds)  # type: ignore[arg-type]
    n.add(ev.PolicyQueued(policy=policy), ev.PolicyGating(policy=policy, attempt=1), wait=0)
    n.add(ev.PolicyJudged(policy=policy, attempt=1, results=results))


def begun(n: Night, gate: Gate = GATE) -> str:
    """A session, and a policy that is judging its work."""
    n.ticket("T")
    n.run()
    n.claim("T")
    n.begin("T")
    attach(n, "pol-99", gate)
    n.add(ev.PolicyQueued(policy="pol-99"), ev.PolicyGating(policy="pol-99", attempt=1), wait=0)
    return "pol-99"


def test_a_gate_is_as_long_as_the_middle_of_its_last_judgements() -> None:
    n = Night()
    for number, seconds in enumerate((900, 40, 70, 60, 80, 90)):  # the oldest is out of the five that count
        judged(n, f"pol-{number + 10}", seconds / 2, seconds / 2)
    judged(n, "pol-20", 1.0, gate=Gate(argv=("make", "other")))
    judged(n, "pol-21", 2.0, verdict="timeout")
    p = n.state.policies[begun(n)]
    assert progress.usual_gate(n.state, GATE) == 70
    assert progress.gating(n.state, p, n.now + 35) == "0:35 of about 1:10 [#####.....]"
    assert rows.gate_words(p, n.now + 35, n.state) == "0:35 of about 1:10 [#####.....]  make check"
    assert "runs for 0:35 of about 1:10 [#####.....]" in gate_lines(p, n.state, n.now + 35)
    late = gate_lines(p, n.state, n.now + 200)
    assert any("longer than the usual" in line for line in late) and any("run again" in line for line in late)
    assert "not judged yet" not in late and "not judged yet" in gate_lines(p)
    s = n.state.sessions["s-1"]
    assert progress.session(n.state, s, [p], n.now + 35) == ""  # its turn goes on
    n.turn("T")
    s = n.state.sessions["s-1"]
    assert progress.session(n.state, s, [p], n.now).startswith(" · its gate runs for 1:00 of about 1:10")


def test_nothing_is_guessed_of_a_gate_that_never_ran_or_of_a_judge() -> None:
    n = Night()
    p = n.state.policies[begun(n)]
    assert progress.gating(n.state, p, n.now + 35) == "0:35"
    judge = Gate(judge=Judge(adapter="claude", prompt="look", launch=Launch(argv=("x",))))
    assert progress.usual_gate(n.state, judge) == progress.usual_gate(n.state, None) == 0.0
    assert rows.gate_words(n.state.policies["pol-1"], n.now, n.state) == "make check"


def test_setup_says_which_of_its_commands_runs_and_how_long_it_has_been() -> None:
    n = Night()
    n.ticket("T")
    n.run(settings=RunSettings(setup=(("make", "deps"), ("make", "db"))))
    n.claim("T")
    t = n.state.tickets["T"]
    assert progress.setting_up(n.state, t, n.now + 12, 2) == "setup command 2 of 2, 0:12"
    assert queueing.why(t, n.state, n.now + 12) == "setup, 2 commands, 0:12"
    n.begin("T")
    assert progress.setting_up(n.state, n.state.tickets["T"], n.now) == ""


def test_a_run_says_when_it_ends_only_when_its_pace_tells() -> None:
    n = Night()
    for i in range(12):
        n.ticket(f"T-{i}")
    n.run()
    started = n.now
    assert progress.drain(n.state, n.now) == ("0 of 12 tickets ended",)
    for i in range(4):
        n.claim(f"T-{i}")
        n.end(f"T-{i}", "DONE")
    assert progress.drain(n.state, n.now) == ("4 of 12 tickets ended",)
    n.claim("T-4")
    n.end("T-4", "DONE")
    assert progress.drain(n.state, started + 500) == ("5 of 12 tickets ended", "at this pace about 11m more")
    n.add(ev.RunPaused(run="run-1", by=ME))
    assert progress.drain(n.state, started + 500) == ("5 of 12 tickets ended",)
    n.end_run()
    assert progress.drain(n.state, n.now) == ()


def test_a_run_counts_no_more_tickets_than_it_may_take() -> None:
    n = Night()
    for i in range(30):
        n.ticket(f"T-{i}")
    n.run(settings=RunSettings(tickets=8))
    n.claim("T-0")
    assert progress.drain(n.state, n.now) == ("0 of 8 tickets ended",)
