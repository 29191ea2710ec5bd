"""Waiting as a process of its own: exit codes, several at once, supervisors that come and go, signals."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from commandline import ME, CommandLine, make_ground

from console import wiring
from console.core import commands as cmd
from console.core import events as ev
from console.core.records import Gate, PolicySpec, Refused
from console.core.state import State
from tests.e2e.product import Product

PATIENT = "20000"
pytestmark = pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="looks at /proc")


def working(line: CommandLine, label: str = "") -> str:
    session = line.session(label)
    line.report(ev.TurnStarted(session=session, turn=1, ref="refs/heads/main", head="a" * 40))
    return session


def ended(line: CommandLine, session: str, *, ok: bool = True) -> None:
    stop = "end_turn" if ok else "refusal"
    line.report(ev.TurnEnded(session=session, turn=1, ok=ok, stop=stop, head="a" * 40))


def policy(line: CommandLine, *sessions: str, next_: PolicySpec | None = None) -> str:
    spec = PolicySpec(sessions=sessions, then="emit", gate=Gate(argv=("make", "check")), next=next_)
    attached = line.do(cmd.AttachPolicy(spec=spec, by=ME))[0].fact
    assert isinstance(attached, ev.PolicyAttached)
    return attached.policy


# -- exit codes, in this process -----------------------------------------------------------------------


def test_of_several_sessions_all_must_have_ended_their_turns(line: CommandLine) -> None:
    one, two = working(line), working(line, "two")
    ended(line, one)
    said = line.run("session", "wait", one, "two", "--timeout", "30", "--json")
    assert (said.code, said.json["timedOut"], said.json["ended"]) == (2, True, [one])
    ended(line, two)
    said = line.ok("sessions", "wait", one, "two", one, "--json")
    assert [s["sessionId"] for s in said.json["sessions"]] == said.json["ended"] == [one, two]


def test_of_several_the_first_is_enough_where_any_is(line: CommandLine) -> None:
    one, two = working(line), working(line)
    assert line.run("session", "wait", one, two, "--any", "--timeout", "30").code == 2
    ended(line, two)
    said = line.ok("session", "wait", one, two, "--any", "--json").json
    assert (said["ended"], said["timedOut"]) == ([two], False)
    line.do(cmd.StopSession(session=two, by=ME))
    line.report(ev.Exited(session=two, run=1, how="exited", code=0, stopped=True))
    assert line.run("session", "wait", one, two, "--any").code == 2, "the one that ended is over"


def test_a_time_out_says_what_was_waited_for(line: CommandLine) -> None:
    session = working(line)
    attached = policy(line, working(line))
    said = line.run("session", "wait", session, "--policy", attached, "--timeout", "30")
    assert said.code == 2 and "timed out after 0.03 s, still waiting for " in said.err
    assert f"{session}: working (turn 1)" in said.err and f"{attached} is watching" in said.err
    assert "nobody supervises" not in said.err
    line.lock.release()
    assert "nobody supervises this workspace" in line.run("session", "wait", session, "--timeout", "0").err


def test_a_failed_turn_has_ended_and_says_so(line: CommandLine) -> None:
    session = working(line)
    ended(line, session, ok=False)
    said = line.ok("session", "wait", session, "--json").json
    assert (said["turnOk"], said["timedOut"]) == (False, False)
    assert "turn 1 ended (refusal)" in line.ok("session", "wait", session).out


def test_a_session_whose_policy_is_named_is_waited_for_by_that_policy(line: CommandLine) -> None:
    session = working(line)
    attached = policy(line, session)
    line.do(cmd.CancelPolicy(policy=attached, by=ME))
    said = line.run("session", "wait", session, "--policy", attached, "--json")
    assert (said.code, said.json["policyId"], said.json["status"]) == (2, attached, "cancelled")


def test_a_policy_with_a_follower_ends_by_itself_and_names_it(line: CommandLine) -> None:
    session = working(line)
    after = PolicySpec(sessions=(working(line),), then="emit")
    attached = policy(line, session, next_=after)
    ended(line, session)
    line.judge(attached, 1)
    said = line.ok("session", "wait", "--policy", attached, "--json").json
    assert said["status"] == "done"
    follower = line.run("session", "wait", "--policy", said["nextPolicyId"], "--timeout", "30")
    assert follower.code == 2 and "is watching" in follower.err


@pytest.mark.parametrize("words", [["s-1", "s-9"], ["--policy", "pol-1", "--policy", "pol-9"], ["s-9", "--any", "s-1"]])
def test_one_of_several_that_is_not_there_is_exit_3_at_once(line: CommandLine, words: list[str]) -> None:
    policy(line, working(line))
    said = line.run("session", "wait", *words)
    assert said.code == 3 and "-9'" in said.err and said.out == ""


# -- as processes --------------------------------------------------------------------------------------


@contextmanager
def waiting(line: CommandLine | Product, *words: str) -> Iterator[subprocess.Popen[str]]:
    """A wait that has read the log, and ends with the test."""
    root = line.root if isinstance(line, CommandLine) else line.repo
    env = {"PATH": os.environ["PATH"], "HOME": str(line.home), "LANG": "C.UTF-8"}
    argv = [sys.executable, "-m", "console", "--workspace", str(root), "session", "wait", *words]
    with subprocess.Popen(argv, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd="/") as process:
        try:
            until(lambda: blocked(process), "it waits")
            yield process
        finally:
            if process.poll() is None:
                process.kill()


def blocked(process: subprocess.Popen[str]) -> bool:
    """It has its watch on the state folder: everything was read before it was made."""
    assert process.poll() is None, process.communicate()
    try:
        return any(os.readlink(fd).endswith("inotify") for fd in Path(f"/proc/{process.pid}/fd").iterdir())
    except FileNotFoundError:  # one that was closed meanwhile
        return False


def until(found: Callable[[], bool], what: str, seconds: float = 20.0) -> None:
    deadline = time.monotonic() + seconds
    while not found():
        assert time.monotonic() < deadline, f"not within {seconds:g} s: {what}"
        time.sleep(0.01)


def test_several_waiters_wake_for_the_commit_of_another_process(line: CommandLine) -> None:
    one, two = working(line), working(line)
    with waiting(line, one, "--json") as first, waiting(line, one, two, "--any", "--json") as second:
        began = time.monotonic()
        ended(line, one)
        said = first.communicate(timeout=20)[0], second.communicate(timeout=20)[0]
        took = time.monotonic() - began
    assert (first.returncode, second.returncode) == (0, 0) and took < 10
    assert json.loads(said[0])["sessionId"] == one and json.loads(said[1])["ended"] == [one]


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_it_with_a_sentence(line: CommandLine, number: signal.Signals, code: int) -> None:
    session = working(line)
    with waiting(line, session) as process:
        process.send_signal(number)
        out, err = process.communicate(timeout=20)
    assert (process.returncode, out) == (code, "")
    assert err == f"broken off, still waiting for {session}: working (turn 1)\n"


def test_it_waits_on_when_the_git_dir_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "home").mkdir()
    line = CommandLine(make_ground(tmp_path), tmp_path / "home", monkeypatch, capsys)
    session = working(line)
    try:
        with waiting(line, session) as process:
            (line.root / ".git").rename(tmp_path / "away")
            said = line.run("session", "wait", session, "--timeout", "0")
            assert said.code == 2 and f"still waiting for {session}" in said.err, "one that begins now waits as well"
            ended(line, session)
            out, err = process.communicate(timeout=20)
    finally:
        line.close()
    assert (process.returncode, err) == (0, "") and "turn 1 ended" in out


def test_following_the_log_prints_what_others_write(line: CommandLine) -> None:
    line.session()
    last = line.journal.state.seq
    env = {"PATH": os.environ["PATH"], "HOME": str(line.home)}
    words = ["events", "--follow", "--json", "--since", str(last), "--types", "turn-start"]
    argv = [sys.executable, "-m", "console", "--workspace", str(line.root), *words]
    with subprocess.Popen(argv, env=env, stdout=subprocess.PIPE, text=True, cwd="/") as process:
        try:
            until(lambda: blocked(process), "it follows")
            line.turn("s-1")
            assert process.stdout
            assert json.loads(process.stdout.readline())["session"] == "s-1"
        finally:
            process.kill()


def test_a_log_that_is_taken_away_is_told(line: CommandLine) -> None:
    session = working(line)
    with waiting(line, session) as process:
        line.here.places.log.rename(line.here.places.log.with_name("away"))
        err = process.communicate(timeout=20)[1]
    assert process.returncode == 2 and "is gone: there was one" in err and len(err.splitlines()) == 1


def supervised_by(state: State, pid: int) -> bool | None:
    return True if state.supervisor and state.supervisor.pid == pid and state.supervisor.running else None


def test_it_outlives_its_supervisor_and_ends_with_the_work_of_the_next(tmp_path: Path) -> None:
    product = Product(tmp_path / "home", tmp_path / "repo")
    product.ok("trust")
    slow = "until [ -e go ]; do sleep 0.05; done; echo done > said.txt"
    words = ("--protocol", "command", "--prompt", "x", "--", "bash", "-c", slow)
    session = product.ok("session", "start", "--json", *words).json["sessionId"]
    attached = product.attach(session, "--", "ls", "said.txt")
    here = wiring.locate(product.repo, product.env)
    assert not isinstance(here, Refused)
    try:
        with waiting(product, "--policy", attached, "--timeout", PATIENT, "--json") as process:
            log = wiring.client(here)
            assert log.state.supervisor
            os.kill(log.state.supervisor.pid, signal.SIGKILL)
            until(lambda: not wiring.supervised(here), "it is gone")
            assert process.poll() is None
            with subprocess.Popen(
                [sys.executable, "-m", "console", "run", "--idle"],
                cwd=product.repo,
                env=product.env,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            ) as second:
                try:
                    assert log.wait(lambda state: supervised_by(state, second.pid), 20.0), "another came"
                    (product.repo / "go").touch()
                    out, err = process.communicate(timeout=30)
                finally:
                    second.terminate()
        assert process.returncode == 0, err
        assert json.loads(out)["status"] == "done"
    finally:
        product.run("stop", "--now")
