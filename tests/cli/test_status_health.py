"""`status`, `session` and `report` about what hangs, restarts, was left over or is short: for people and programs."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from commandline import CommandLine

from console.adapters.beat import BeatFile
from console.adapters.store import Log
from console.core import events as ev
from console.core.records import RunSettings, Who

EVIDENCE = "S in do_poll, \x1b[2Jnode"


def working(line: CommandLine, label: str) -> str:
    session = line.session(label)
    line.report(ev.TurnStarted(session=session, turn=1, ref="refs/heads/main", head="a" * 40))
    return session


def wrote(line: CommandLine, *facts: ev.Fact, at: float = 0.0) -> None:
    """As it would stand in the log, without what the brain makes of it."""
    log = Log(line.here.places.log)
    with log.transaction():
        first = log.last() + 1
        log.append([ev.Logged(seq=first + i, at=at or time.time(), fact=fact) for i, fact in enumerate(facts)])
    log.close()
    line.journal.refresh()


@pytest.fixture
def ailing(line: CommandLine) -> dict[str, str]:
    made = {name: working(line, name) for name in ("silent", "broken", "lost", "web")}
    wrote(line, ev.SupervisorStarted(pid=os.getpid(), start_time=1, host="h", version="1"))
    wrote(line, ev.RunStarted(run="run-1", settings=RunSettings(), by=Who(user="ada")))
    wrote(
        line,
        ev.SessionSuspect(session=made["silent"], run=1, turn=1, quiet=0.0, evidence=EVIDENCE),
        ev.Exited(session=made["broken"], run=1, how="signaled", signal=9),
        ev.SessionRestarting(
            session=made["broken"], run=2, turn=1, cause="crash", why="signal 9", count=1, until=time.time() + 50
        ),
        ev.Exited(session=made["lost"], run=1, how="signaled", signal=9),
        ev.SessionGivenUp(session=made["lost"], turn=1, cause="crash", why="3 times within 5 minutes"),
        ev.TurnEnded(session=made["web"], turn=1, ok=True, stop="end_turn"),
        ev.TurnProcesses(session=made["web"], turn=1, processes=("77 node, port 8080, 4 s old",)),
        ev.SupervisorDegraded(kind="disk", why="the disk of the log (/x) has 3 MB left"),
        ev.FuseBlown(sessions=(made["silent"],), at_work=3, why="together"),
    )
    return made


def test_status_says_what_is_silent_restarts_is_short_and_waits_for_a_person(
    line: CommandLine, ailing: dict[str, str]
) -> None:
    out = line.ok("status").out
    assert "1 suspect" in out and "1 restarting" in out and "\x1b" not in out
    assert f"suspect  {ailing['silent']}" in out and "silent 0s" in out and "S in do_poll" in out
    assert f"restarts {ailing['broken']}" in out and "(1 of 6): signal 9" in out
    needs = [text.split()[0] for text in out.splitlines() if text.startswith(("  alarm", "  short", "  given up"))]
    assert needs == ["alarm", "short", "given"]
    assert "nothing needs you" not in out


def test_status_as_json_has_the_same_facts(line: CommandLine, ailing: dict[str, str]) -> None:
    data = line.ok("status", "--json").json
    supervisor = data["supervisor"]
    assert [each["kind"] for each in supervisor["lacking"]] == ["disk"]
    assert supervisor["fuse"]["sessions"] == [ailing["silent"]]
    assert [each["session"] for each in supervisor["suspects"]] == [ailing["silent"]]
    (again,) = supervisor["restarts"]
    assert (again["session"], again["count"], again["most"], again["why"]) == (ailing["broken"], 1, 6, "signal 9")
    assert [each["session"] for each in supervisor["givenUp"]] == [ailing["lost"]]
    assert supervisor["since"] > 0
    assert [item["id"] for item in data["needs"]][:2] == ["fuse", "disk"]


def test_an_open_run_that_nobody_supervises_is_the_first_thing(line: CommandLine, ailing: dict[str, str]) -> None:
    line.lock.release()
    said = line.ok("status")
    assert "no supervisor runs" in said.out and "nothing needs you" not in said.out
    first = next(text for text in said.out.splitlines() if text.startswith("  alarm"))
    assert "nobody supervises and run-1 is not over" in first


def test_the_beat_of_the_supervisor_is_told_and_a_foreign_one_is_not(line: CommandLine) -> None:
    wrote(line, ev.SupervisorStarted(pid=os.getpid(), start_time=1, host="h", version="1"))
    assert line.ok("status", "--json").json["supervisor"]["beatAge"] is None
    beat = BeatFile(line.here.places.beat, os.getpid(), 1)
    beat.beat(1.5)
    assert "last sign of life 0.0 s ago, longest gap so far 1.5 s" in line.ok("status").out
    assert line.ok("status", "--json").json["supervisor"]["longestGap"] == 1.5
    wrote(line, ev.SupervisorStarted(pid=1, start_time=1, host="h", version="1"))
    assert line.ok("status", "--json").json["supervisor"]["beatAge"] is None
    beat.close()


def test_a_silent_supervisor_needs_a_person(line: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    wrote(line, ev.SupervisorStarted(pid=os.getpid(), start_time=1, host="h", version="1"))
    beat = BeatFile(line.here.places.beat, os.getpid(), 1)
    beat.beat(0.1)
    beat.close()
    real = time.monotonic
    monkeypatch.setattr("console.cli.status.time.monotonic", lambda: real() + 62)
    out = " ".join(line.ok("status").out.split())
    told = f"alarm supervisor 1m supervisor silent for 1m (pid {os.getpid()})"
    assert told in out, "its age is that of the silence"
    assert "nothing needs you" not in out


def test_sessions_are_listed_and_shown_with_their_health(line: CommandLine, ailing: dict[str, str]) -> None:
    out = line.ok("session", "list").out
    for word in ("suspect · silent", "restarts in ", "given up: 3 times within 5 minutes"):
        assert word in out
    shown = line.ok("session", "show", ailing["silent"]).out
    assert "health    ! suspect · silent" in shown and "S in do_poll" in shown and "\x1b" not in shown
    assert "left      77 node, port 8080, 4 s old" in line.ok("session", "show", ailing["web"]).out
    listed = {each["sessionId"]: each for each in line.ok("session", "list", "--json").json["sessions"]}
    assert [listed[ailing[name]]["health"] for name in ("silent", "broken", "lost", "web")] == [
        "suspect",
        "restarts",
        "given-up",
        "ok",
    ]
    assert listed[ailing["web"]]["processes"] == ["77 node, port 8080, 4 s old"]
    assert listed[ailing["broken"]]["restartCount"] == 1


def test_the_report_counts_the_time_without_a_supervisor_from_the_last_sign_of_the_one_before(
    line: CommandLine, ailing: dict[str, str]
) -> None:
    end = time.time() + 100
    wrote(line, ev.SessionInterrupted(session=ailing["silent"], run=1), at=end)
    wrote(line, ev.SessionRestartDue(session=ailing["broken"], run=2), at=end + 30)  # of a kind that a report skips
    wrote(line, ev.SupervisorStarted(pid=4, start_time=2, host="h", version="1"), at=end + 42)
    data = line.ok("report", "--json").json
    (took,) = [each for each in data["standstills"] if each["what"] == "takeover"]
    assert took["until"] - took["at"] == pytest.approx(12, abs=0.01)
    assert [each["what"] for each in data["standstills"] if not each.get("until")] == []
    out = line.ok("report").out
    assert "## Started again, left over, stood still" in out
    assert "another supervisor took over, 12 s after the last sign of the one before" in " ".join(out.split())


def test_a_git_that_does_not_work_is_not_told_as_a_lost_repository(
    line: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = tmp_path / "bin" / "git"
    fake.parent.mkdir()
    fake.write_text("#!/bin/sh\nexit 3\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{fake.parent}:{os.environ['PATH']}")
    out = line.ok("status").out
    assert "git cannot be used" in out and "`nightdesk stop` ends it" in out
    assert "gone or broken" not in out and "Put the git dir back" not in out
