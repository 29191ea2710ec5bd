"""Looking and waiting: JSON shapes, clean text, exit codes."""

from __future__ import annotations

import re
import time

import apsw
import pytest
from commandline import CONFIG, ME, CommandLine

from console.cli import common, sessions
from console.core import commands as cmd
from console.core import events as ev
from console.core.records import Launch, Option, TextVerdict, TicketSpec
from console.verbs import beginning

# -- looking ---------------------------------------------------------------------------------------


def test_status_as_json(line: CommandLine) -> None:
    line.waiting_plan()
    data = line.ok("status", "--json").json
    wanted = {"workspace", "supervisor", "counts", "run", "tickets", "needs", "cursor", "trouble"}
    assert set(data) == wanted | {"chains", "routines", "channels"}
    assert (data["workspace"], data["counts"]["waiting"]) == (str(line.root), 1)
    assert len(data["needs"]) == 1
    assert data["cursor"] == line.journal.state.seq


def test_events_as_json_with_a_cursor_that_goes_on(line: CommandLine) -> None:
    line.waiting_plan()
    data = line.ok("events", "--json", "--types", "turn-end,policy:commit-ready", "--limit", "1").json
    assert [event["type"] for event in data["events"]] == ["turn-end"]
    more = line.ok("events", "--json", "--types", "policy:commit-ready", "--since", str(data["nextCursor"])).json
    assert [event["plan"] for event in more["events"]] == ["1" * 40]
    assert {"seq", "at", "type", "policy"} <= set(more["events"][0])
    assert line.ok("events", "--json", "--since", str(more["nextCursor"])).json["events"] == []
    assert line.ok("events", "--json", "--sessions", "s-9").json["events"] == []


def test_lists_as_json(line: CommandLine) -> None:
    session, policy, plan = line.waiting_plan()
    (listed,) = line.ok("session", "list", "--json").json["sessions"]
    assert (listed["sessionId"], listed["status"], listed["turn"]) == (session, "ready", 1)
    (listed,) = line.ok("policy", "list", "--json").json["policies"]
    assert (listed["policyId"], listed["plan"], listed["lastGate"]["exitCode"]) == (policy, plan, 0)
    (listed,) = line.ok("plan", "list", "--json").json["plans"]
    assert (listed["plan"], listed["paths"], listed["state"]) == (plan, ["a.txt"], "waiting")


def test_lists_for_people(line: CommandLine) -> None:
    session, policy, plan = line.waiting_plan()
    for noun, shown in (("session", session), ("policy", policy), ("plan", plan[:10])):
        head, row = line.ok(noun, "list").out.splitlines()
        assert head.isupper() and row.startswith(shown)


def test_the_secrets_of_a_launch_are_not_in_a_list(line: CommandLine) -> None:
    session = line.session(env={"API_KEY": "s3cret"})
    for words in (["session", "list", "--json"], ["session", "show", session, "--json"], ["session", "show", session]):
        assert "s3cret" not in line.ok(*words).out


def test_text_from_outside_cannot_drive_the_terminal(line: CommandLine) -> None:
    line.session("evil\x1b[2J\x9b31m\u202elabel")
    for words in (["session", "list"], ["session", "show", "s-1"], ["events"], ["status"]):
        out = line.ok(*words).out
        assert not [c for c in out if (ord(c) < 32 and c != "\n") or 0x7F <= ord(c) < 0xA0 or c == "\u202e"], words


# -- exit codes ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        ["session", "show", "s-9"],
        ["session", "prompt", "s-9", "hi"],
        ["session", "stop", "s-9"],
        ["session", "wait", "s-9"],
        ["session", "wait", "--policy", "pol-9"],
        ["policy", "status", "pol-9"],
        ["policy", "ack", "pol-9", "--reject"],
        ["policy", "ack", "pol-9", "--approve", "--plan", "1" * 40],
        ["policy", "retry", "pol-9"],
        ["policy", "cancel", "pol-9"],
        ["policy", "attach", "--session", "s-9", "--", "make"],
        ["plan", "show", "1" * 40],
        ["plan", "undo", "1" * 40],
    ],
)
def test_what_does_not_exist_is_exit_3_and_one_sentence(line: CommandLine, words: list[str]) -> None:
    said = line.run(*words)
    assert said.code == 3 and said.out == ""
    assert len(said.err.splitlines()) == 1 and "list` shows what there is" in said.err


@pytest.mark.parametrize(
    "words",
    [
        ["fly"],
        ["policy"],
        ["policy", "ack"],
        ["session", "start", "--preset", "x"],
        ["session", "start", "--idle"],
        ["session", "start", "--idle", "--cwd", "/", "--", "agent"],
        ["session", "wait"],
        ["events", "--limit", "0"],
    ],
)
def test_what_is_asked_wrongly_is_exit_2(line: CommandLine, words: list[str]) -> None:
    said = line.run(*words)
    assert said.code == 2 and said.err


def test_a_session_outside_every_worktree_lists_the_allowed_ones(line: CommandLine) -> None:
    said = line.run("session", "start", "--idle", "--cwd", str(line.place), "--", "agent")
    assert said.code == 2 and str(line.root) in said.err and str(line.other) in said.err


def test_a_relative_program_is_refused_before_anything_is_recorded(line: CommandLine) -> None:
    said = line.run("session", "start", "--idle", "--", "../agent")
    assert said.code == 2 and "../agent is a relative path; write /" in said.err
    assert not line.journal.state.sessions


def test_a_session_that_is_held_back_says_by_what(line: CommandLine) -> None:
    line.report(ev.SupervisorDegraded(kind="disk", why="3 MB are left"))
    said = line.run("session", "start", "--idle", "--timeout", "0.2", "--", "agent")
    assert said.code == 2 and "was not up after 0.2 s: short of disk space: nothing new is started" in said.out


def test_a_session_that_is_ended_before_it_was_up_did_not_start(line: CommandLine) -> None:
    folder, why = str(line.root), "its protocol did not answer within 3 s"
    line.do(cmd.StartSession(launch=Launch(argv=("agent",)), cwd=folder, worktree=folder, by=ME))
    line.report(ev.SessionHung(session="s-1", run=1, turn=0, cause="start", why=why))
    assert beginning.came_up(line.journal.state, "s-1") is None, "it is being ended"
    line.report(ev.Exited(session="s-1", run=1, how="not-started", reason=why))
    assert beginning.came_up(line.journal.state, "s-1") is True
    with pytest.raises(common.Fail, match=f"s-1 did not start: {why}") as failed:
        sessions._show_started(line.journal.state, "s-1", True, False, 60.0)
    assert failed.value.code == 2


def test_until_when_a_ticket_waits_is_in_the_status_and_in_the_list(line: CommandLine) -> None:
    spec, verdict, until = TicketSpec(title="a"), TextVerdict(), time.time() + 600
    line.report(ev.TicketSeen(ticket="a", file="a.md", digest="d", stamp="s", spec=spec, verdict=verdict))
    line.report(ev.TicketClaimed(ticket="a", run="", attempt=1, digest="d", verdict=verdict))
    line.report(ev.TicketWaiting(ticket="a", attempt=1, until=until, why="a usage limit: come back later"))
    at = time.strftime("%H:%M", time.localtime(until))
    assert re.search(rf"  a waits until .*{at}: usage limit\n", line.ok("status").out)
    assert re.search(rf"usage-limit, to .*{at} ", line.ok("ticket", "list").out)


def test_waiting_ends_with_the_turn_or_the_clock(line: CommandLine) -> None:
    session, policy, _ = line.waiting_plan()
    assert line.ok("session", "wait", session, "--json").json["timedOut"] is False
    assert line.ok("session", "wait", "--policy", policy, "--json").json["status"] == "awaiting-ack"
    line.do(cmd.SendPrompt(session=session, text="more", by=ME))
    said = line.run("session", "wait", session, "--timeout", "30", "--json")
    assert (said.code, said.json["timedOut"]) == (2, True)
    line.do(cmd.CancelPolicy(policy=policy, by=ME))
    assert line.run("session", "wait", "--policy", policy).code == 2


def test_a_session_is_found_by_its_label_when_only_one_has_it(line: CommandLine) -> None:
    first = line.session("fixer")
    assert line.ok("session", "show", "fixer", "--json").json["sessionId"] == first
    line.session("fixer")
    assert line.run("session", "show", "fixer").code == 3


def test_an_answer_must_be_one_that_was_offered_and_is_told_as_given_only_when_it_is(
    line: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("console.verbs.answering.GIVEN", 0.0)
    session = line.session()
    line.report(ev.TurnStarted(session=session, turn=1))
    options = (Option(id="yes", name="Yes"),)
    line.report(ev.AwaitingInput(session=session, turn=1, question="q1", title="May I?", options=options))
    assert line.run("session", "answer", session, "maybe").code == 2
    said = line.run("session", "answer", session, "yes")
    assert (said.code, said.out) == (2, "") and "recorded, not yet given" in said.err
    line.journal.refresh()
    question = line.journal.state.sessions[session].question
    assert question and question.answer == "yes"


def test_one_supervisor_a_workspace(line: CommandLine) -> None:
    said = line.run("run", "--idle")
    assert said.code == 65 and "already" in said.err
    said = line.run("stop", "--timeout", "0.2")
    assert said.code == 2 and "recorded" in said.err
    line.journal.refresh()
    assert isinstance(line.journal.since(0)[-1].fact, ev.SupervisorStopRequested)
    line.lock.release()
    assert "nobody supervises" in line.ok("stop").out


def test_outside_a_repository(line: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(line.place)
    said = line.run("status")
    assert said.code == 2 and len(said.err.splitlines()) == 1
    assert line.ok("--workspace", str(line.root), "status", "--json").json["workspace"] == str(line.root)


def test_help_and_version_need_no_repository(line: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(line.place)
    shown = line.ok("--help").out
    for noun in ("session", "policy", "plan", "events", "status", "trust", "init", "run", "stop", "demo"):
        assert f"\n  {noun} " in shown
        assert line.ok(noun, "--help").out
    assert line.ok("--version").out.startswith("nightdesk ")


@pytest.mark.parametrize("words", [["status"], ["events"], ["policy", "list"], ["run", "--idle"], ["session", "list"]])
def test_a_newer_log_is_one_sentence_and_never_touched(line: CommandLine, words: list[str]) -> None:
    line.session()
    line.journal.close()
    line.lock.release()
    db = apsw.Connection(str(line.here.places.log))
    db.execute("UPDATE meta SET value = '99' WHERE key = 'events'")
    db.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
    db.close()
    before = line.here.places.log.read_bytes()
    said = line.run(*words)
    assert said.code == 2 and said.out == ""
    assert len(said.err.splitlines()) == 1
    assert str(line.here.places.log) in said.err and "upgrade nightdesk" in said.err
    assert line.here.places.log.read_bytes() == before


def test_trust_shows_what_it_would_trust(line: CommandLine) -> None:
    line.settle(CONFIG + "limits: {gates: 2}\n", trusted=False)
    shown = line.ok("trust", "--show").out
    assert "  limits: {gates: 2}" in shown and "not trusted" in shown
    data = line.ok("trust", "--json").json
    assert data["trusted"] is True and len(data["sha256"]) == 64 and data["file"] == str(line.config)
