"""`nightdesk routine ...`: start, list, status, resolve and cancel, what each refuses, and who may."""

from __future__ import annotations

from pathlib import Path

import pytest
from commandline import CommandLine

from console.cli import common
from console.core import events as ev
from console.core.records import Option

EVIL = "May I\x1b[2J\x9b31m\u202e push?"
SETTINGS = """\
agent: bot
presets:
  bot: {command: [agent], protocol: acp, autonomy_confirmed: true}
  shy: {command: [agent], protocol: acp}
"""
ROUTINE = """\
name: release
steps:
  - name: build
    start: [{name: api, prompt: Build it}]
    waitFor: [api]
    onWait: {policy: escalate, timeout: 2m}
  - name: approve
    ask: Ship it?
"""


@pytest.fixture
def desk(line: CommandLine, tmp_path: Path) -> CommandLine:
    line.settle(SETTINGS)
    (tmp_path / "release.yaml").write_text(ROUTINE, encoding="utf-8")
    return line


def start(desk: CommandLine, tmp_path: Path) -> str:
    routine = desk.ok("routine", "start", str(tmp_path / "release.yaml"), "--json").json["routine"]
    assert isinstance(routine, str)
    desk.journal.refresh()
    session = next(reversed(desk.journal.state.sessions))
    desk.report(ev.SessionStarted(session=session, run=1, conversation="c", pid=1))
    desk.report(ev.TurnStarted(session=session, turn=1, head="a" * 40))
    return routine


def asks(desk: CommandLine, session: str = "s-1") -> None:
    options = (Option(id="no", name="Deny", kind="reject_once"), Option(id="yes", name="Allow", kind="allow_once"))
    desk.report(ev.AwaitingInput(session=session, turn=1, question="q", title=EVIL, options=options))


def asked(desk: CommandLine) -> str:
    desk.journal.refresh()
    return str(desk.journal.state.routines["rt-1"].asked)


def ends(desk: CommandLine, session: str = "s-1") -> None:
    desk.report(ev.TurnEnded(session=session, turn=1, ok=True, stop="end_turn"))


def test_a_routine_is_started_watched_answered_and_done(desk: CommandLine, tmp_path: Path) -> None:
    started = desk.ok("routine", "start", str(tmp_path / "release.yaml")).out
    assert "rt-1" in started and "release" in started and "step 1/2 build" in started and "waits for s-1" in started
    desk.report(ev.SessionStarted(session="s-1", run=1, conversation="c", pid=1))
    desk.report(ev.TurnStarted(session="s-1", turn=1))
    asks(desk)
    listed = desk.ok("routine", "list").out
    assert listed.splitlines()[0].split() == ["ROUTINE", "STATE", "NAME", "AT", "NOW"]
    assert "s-1 asks: May I" in listed and not {"\x1b", "\x9b", "\u202e"} & set(listed)
    shown = desk.ok("routine", "status", "rt-1").out
    go_on = f"go on     nightdesk routine resolve rt-1 --step 1 --asked {asked(desk)} --approve --response TEXT"
    assert go_on in shown.splitlines() and "no (Deny), yes (Allow)" in shown
    assert not {"\x1b", "\x9b", "\u202e"} & set(shown)

    said = desk.ok("routine", "resolve", "rt-1", "--step", "1", "--asked", asked(desk), "--response", "Allow").out
    assert "answered: s-1 asks: May I" in said and "waits for s-1: has its answer" in said
    desk.report(ev.InputAnswered(session="s-1", question="q", option="yes"))
    ends(desk)
    assert "          s-1 (api), waited for" in desk.ok("routine", "status", "rt-1").out.splitlines()
    data = desk.ok("routine", "status", "rt-1", "--json").json
    assert (data["status"], data["step"], data["asked"]["title"]) == ("escalated", 2, "Ship it?")
    assert [(step["name"], step["state"]) for step in data["steps"]] == [("build", "done"), ("approve", "now")]
    assert str(data["asked"]["number"]) == asked(desk)
    done = desk.ok("routine", "resolve", "rt-1", "--step", "2", "--asked", asked(desk), "--json").json
    assert done["status"] == "done" and done["sessions"] == {"api": "s-1"} and done["asked"] is None
    assert "no routine is under way" in desk.ok("routine", "list").out
    assert "done" in desk.ok("routine", "list", "--all").out


def test_the_same_file_twice_is_two_routines_and_what_asks_is_listed_first(desk: CommandLine, tmp_path: Path) -> None:
    assert (start(desk, tmp_path), start(desk, tmp_path)) == ("rt-1", "rt-2")
    asks(desk, "s-2")
    listed = desk.ok("routine", "list", "--json").json["routines"]
    assert [(one["routine"], one["status"]) for one in listed] == [("rt-2", "escalated"), ("rt-1", "running")]


def test_cancel_leaves_sessions_alone_and_says_so(desk: CommandLine, tmp_path: Path) -> None:
    start(desk, tmp_path)
    said = desk.ok("routine", "cancel", "rt-1", "--note", "wrong night").out
    assert "cancelled" in said and "its sessions are left as they are: s-1" in said
    desk.journal.refresh()
    assert desk.journal.state.sessions["s-1"].phase == "working"
    again = desk.run("routine", "cancel", "rt-1")
    assert again.code == 2 and "rt-1 is cancelled (wrong night)" in again.err


def test_what_is_refused_has_its_exit_code_and_says_what_is_true(desk: CommandLine, tmp_path: Path) -> None:
    for words in (("status", "rt-9"), ("resolve", "rt-9", "--step", "1"), ("cancel", "rt-9")):
        said = desk.run("routine", *words)
        assert said.code == 3 and "no routine 'rt-9'; `nightdesk routine list`" in said.err
    start(desk, tmp_path)
    for words, why in (
        (("--step", "1"), "asks nobody now"),
        (("--step", "2"), "step 2 of rt-1 has not begun; rt-1 is at step 1 (build)"),
        (("--step", "0"), "0 is not in the range"),
        ((), "Missing option '--step'"),
    ):
        said = desk.run("routine", "resolve", "rt-1", *words)
        assert said.code == 2 and why in said.err, said
    asks(desk)
    said = desk.run("routine", "resolve", "rt-1", "--step", "1", "--asked", asked(desk), "--response", "perhaps")
    assert said.code == 2 and "'perhaps' is not one of the answers offered: no (Deny), yes (Allow)" in said.err
    desk.session("other")
    said = desk.run("routine", "resolve", "rt-1", "--step", "1", "--session", "other")
    assert said.code == 2 and "s-1 asks now, not other" in said.err
    desk.ok("routine", "resolve", "rt-1", "--step", "1", "--session", "rt-1/api", "--reject", "--response", "no way")
    assert "said no: no way" in desk.ok("routine", "status", "rt-1").out


def test_nobody_allows_a_question_that_was_asked_after_the_one_that_they_saw(desk: CommandLine, tmp_path: Path) -> None:
    start(desk, tmp_path)
    asks(desk)
    words = ("routine", "resolve", "rt-1", "--step", "1", "--response", "Allow", "--session", "rt-1/api")
    said = desk.run(*words)
    assert said.code == 2 and f"needs the number of what you allow, {asked(desk)} now: s-1 asks: May I" in said.err
    seen = ("--asked", asked(desk))
    desk.ok(*words, *seen)
    desk.report(ev.InputAnswered(session="s-1", question="q", option="yes"))
    options = (Option(id="yes", name="Allow", kind="allow_once"),)
    desk.report(ev.AwaitingInput(session="s-1", turn=1, question="q2", title="second", options=options))
    for answer in ("--approve", "--reject"):
        said = desk.run(*words, *seen, answer)
        assert said.code == 2 and f"asks something else by now, {asked(desk)}: s-1 asks: second" in said.err
    desk.ok(*words, "--asked", asked(desk))


def test_cancel_names_sessions_that_the_routine_told_but_did_not_start(desk: CommandLine, tmp_path: Path) -> None:
    desk.session("big")
    desk.session("k2")
    text = "steps: [{name: one, prompt: {big: Do it}, waitFor: [big, k2]}, {name: two, ask: Go on}]\n"
    (tmp_path / "tell.yaml").write_text(text)
    desk.ok("routine", "start", str(tmp_path / "tell.yaml"))
    assert "its sessions are left as they are: s-1, s-2;" in desk.ok("routine", "cancel", "rt-1").out
    (tmp_path / "ask.yaml").write_text("steps: [{name: two, ask: Go on}]\n")
    desk.ok("routine", "start", str(tmp_path / "ask.yaml"))
    assert "it has no session" in desk.ok("routine", "cancel", "rt-2").out


def test_a_file_with_problems_starts_nothing_and_exits_2(desk: CommandLine, tmp_path: Path) -> None:
    bad = tmp_path / "bad.yaml"
    bad.write_text(ROUTINE.replace("prompt: Build it", "preset: shy, cwd: /").replace("ask: Ship it?", "ask: 7"))
    said = desk.run("routine", "start", str(bad))
    assert said.code == 2 and not said.out
    told = said.err.splitlines()
    assert [line.removeprefix(f"{bad}:").split(": ")[1] for line in told] == [
        "steps.1.start.1.cwd",
        "steps.1.start.1.preset",
        "steps.1.waitFor.1",
        "steps.2.ask",
    ]
    missing = desk.run("routine", "start", str(tmp_path / "gone.yaml"))
    assert missing.code == 2 and "gone.yaml: cannot be read: No such file" in missing.err
    desk.settle(SETTINGS + "# another\ngate: make\n", trusted=False)
    said = desk.run("routine", "start", str(tmp_path / "release.yaml"))
    assert said.code == 2 and "is not trusted as it is now" in said.err
    desk.journal.refresh()
    assert not desk.journal.state.routines and not desk.journal.state.sessions


@pytest.mark.parametrize("words", [("start", "x.yaml"), ("resolve", "rt-1", "--step", "1"), ("cancel", "rt-1")])
def test_an_agent_may_look_but_not_start_answer_or_cancel(
    desk: CommandLine, tmp_path: Path, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    start(desk, tmp_path)

    def refuse(what: str) -> None:
        raise common.Fail(f"{what} is for the operator")

    monkeypatch.setattr(common, "people_only", refuse)
    said = desk.run("routine", *words)
    assert said.code == 2 and "is for the operator" in said.err
    desk.ok("routine", "list")
    desk.ok("routine", "status", "rt-1")
