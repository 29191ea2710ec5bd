"""How a conversation would be opened: which program, where, with what it sees; and everything that forbids it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace as changed

import pytest
from commandline import ME, CommandLine

from console import supervision, wiring
from console.adapters.environment import token
from console.adapters.processes import process_start_time
from console.core import commands as cmd
from console.core import events as ev
from console.core.records import Launch, Refused, Sandbox
from console.engine.desk import Desk, Opening


def talker(line: CommandLine, *argv: str, conversation: str = "c1", folder: str = "", **launch: object) -> str:
    """A session that has had its turn and rests."""
    place = folder or str(line.root)
    made = Launch(argv=("agent",), interactive=argv or ("sh", "--resume", "{conversation}"), **launch)  # type: ignore[arg-type]
    added = line.do(cmd.StartSession(launch=made, cwd=place, worktree=str(line.root), by=ME, prompt="go"))[0].fact
    assert isinstance(added, ev.SessionAdded)
    line.report(ev.SessionStarted(session=added.session, run=1, conversation=conversation, pid=1))
    line.turn(added.session)
    return added.session


def desk(line: CommandLine) -> Desk:
    return wiring.desk(line.here)


def refused(line: CommandLine, session: str) -> str:
    said = desk(line).opening(session)
    assert isinstance(said, Refused), said
    return said.reason


def opened(line: CommandLine, session: str) -> Opening:
    said = desk(line).opening(session)
    assert isinstance(said, Opening), said
    return said


def test_it_is_the_program_on_the_path_in_the_sessions_folder_with_what_its_agent_sees(
    line: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"TERM": "xterm", "COLORTERM": "truecolor", "SECRET": "x", "KEY": "k", "GIT_DIR": "/x"}.items():
        monkeypatch.setenv(name, value)
    session = talker(line, env={"MODE": "talk"}, pass_env=("KEY", "GIT_DIR"))
    made = opened(line, session)
    assert os.path.isabs(made.argv[0]) and os.path.basename(made.argv[0]) == "sh"
    assert (made.argv[1:], made.cwd) == (("--resume", "c1"), str(line.root))
    assert {name: made.env.get(name) for name in ("TERM", "COLORTERM", "MODE", "KEY")} == {
        "TERM": "xterm",
        "COLORTERM": "truecolor",
        "MODE": "talk",
        "KEY": "k",
    }
    assert not {"SECRET", "GIT_DIR", "NIGHTDESK_TICKET"} & set(made.env)
    assert token(line.here.workspace.key, session).items() <= made.env.items()
    assert made.env["NIGHTDESK_INBOX"] == str(line.here.places.inbox(session))
    assert made.words.startswith(("sandbox on", "no sandbox"))


def test_who_asks_is_told_by_pid_and_start_time(line: CommandLine) -> None:
    assert desk(line).me() == (os.getpid(), process_start_time(os.getpid()))


def test_a_process_namespace_is_left_out_and_said(line: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Sandbox(read_only=("/a", "/b"), pids=True)
    monkeypatch.setattr(supervision, "sandbox_of", lambda *_: (whole, "sandbox on"))
    made = opened(line, talker(line))
    assert made.sandbox and (made.sandbox.read_only, made.sandbox.pids) == (("/a", "/b"), False)
    assert made.words == "sandbox on; its own program sees your other processes"
    monkeypatch.setattr(supervision, "sandbox_of", lambda *_: (Refused(reason="there is none"), ""))
    assert refused(line, talker(line)) == "there is none"


def test_a_program_that_is_not_there_or_lies_where_an_agent_writes_is_refused(
    line: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "'no-such-agent' is not on the PATH" in refused(line, talker(line, "no-such-agent", "{conversation}"))
    planted = line.other / "planted"
    planted.write_text("#!/bin/sh\n")
    planted.chmod(0o755)
    monkeypatch.setenv("PATH", f"{line.other}:{os.environ['PATH']}")
    assert "'planted' is not on the PATH" in refused(line, talker(line, "planted"))
    assert "lies in a worktree" in refused(line, talker(line, str(planted)))
    planted.unlink()


@pytest.mark.parametrize("conversation", ["--dangerously", "a\x1b[2Jb", "x" * 2000])
def test_an_id_that_no_program_should_be_given_is_refused(line: CommandLine, conversation: str) -> None:
    assert "whose id no program should be given" in refused(line, talker(line, conversation=conversation))


def test_a_folder_that_is_gone_and_a_session_that_is_not_there_are_refused(line: CommandLine) -> None:
    assert "is gone" in refused(line, talker(line, folder=str(line.root / "gone")))
    assert refused(line, "s-9").startswith("no session 's-9'")


def test_what_the_log_forbids_is_refused_before_anything_is_asked_for(line: CommandLine) -> None:
    working = line.session()
    line.report(ev.TurnStarted(session=working, turn=1, ref="refs/heads/main", head="a" * 40))
    assert "nobody knows how agent opens" in refused(line, working)


@pytest.fixture
def survivor(line: CommandLine) -> Iterator[subprocess.Popen[bytes]]:
    """A process that carries the token of s-1."""
    env = {**os.environ, **token(line.here.workspace.key, "s-1")}
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, env=env) as process:
        yield process
        process.kill()


def test_while_something_of_the_session_still_runs_nobody_opens_its_conversation(
    line: CommandLine, survivor: subprocess.Popen[bytes]
) -> None:
    session = talker(line)
    assert session == "s-1"
    line.report(ev.SessionInterrupted(session=session, run=1))
    assert f"of session s-1 still runs {survivor.pid} " in refused(line, session)
    other = talker(line)
    me = process_start_time(survivor.pid) or 0
    line.report(ev.SessionStarted(session=other, run=1, conversation="c1", pid=1, shim_pid=survivor.pid, shim_start=me))
    line.report(ev.SessionInterrupted(session=other, run=1))
    assert "are still being ended" in refused(line, other)


def test_no_git_dir_no_opening(line: CommandLine) -> None:
    session = talker(line)
    lost = changed(line.here, trouble="not a repository")
    from console.opening import opening

    said = opening(lost, session)
    assert isinstance(said, Refused) and "git dir" in said.reason


def test_opening_is_for_people_with_a_terminal(line: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    session = talker(line)
    said = line.run("session", "open", session)
    assert (said.code, said.err) == (2, "`session open` needs a terminal: run it in one\n")
    monkeypatch.setattr("console.adapters.operator.inside_a_session", lambda: True)
    said = line.run("session", "open", session)
    assert said.code == 2 and "is for the operator" in said.err
    assert line.journal.state.sessions[session].phase == "ready"
