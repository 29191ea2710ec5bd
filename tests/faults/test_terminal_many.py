"""Rows E3 to E6 and B4: several consoles on one workspace, each lost in its own way; who supervises when nobody does.

One workspace for the whole file, whose supervisor lives in another process than the consoles that fail: nothing that
happens to those may reach it.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from terminal_rig import (
    Desk,
    Screen,
    children,
    ignored_signals,
    is_sane,
    leave,
    running,
    send,
    until,
)

BUG = 70
OWN = {f"SigIgn {number}" for number in (signal.SIGPIPE, signal.SIGXFSZ)}
"""What a Python program ignores by itself."""


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    yield made
    made.close()


def attached(desk: Desk, name: str) -> Screen:
    screen = desk.console(probe=str(desk.room / name))
    screen.wait_for("attached to pid")
    return screen


@pytest.mark.row("E3", "E6")
@pytest.mark.slow
def test_every_way_out_of_an_attached_console_has_its_exit_code_and_gives_the_terminal_back(desk: Desk) -> None:
    first = desk.console()
    agent = desk.at_work(first)
    assert ignored_signals(agent) <= OWN
    ways: dict[str, tuple[int, int | str]] = {
        "int": (128 + signal.SIGINT, signal.SIGINT),
        "quit": (128 + signal.SIGQUIT, signal.SIGQUIT),
        "worker": (BUG, "f6"),
        "widget": (BUG, "f7"),
        "tstp": (0, signal.SIGTSTP),
    }
    screens = {name: attached(desk, name) for name in ways}
    time.sleep(0.6)
    for name, (_, how) in ways.items():
        if isinstance(how, str):
            screens[name].press(how)
        else:
            (inner,) = children(screens[name].process.pid)
            send(inner if name == "tstp" else screens[name].process.pid, how)
    for name, (code, _) in ways.items():
        assert screens[name].wait_exit() == code, name
        assert is_sane(screens[name]) == "", name
        assert b"Traceback" not in screens[name].raw()
        assert f"left; pid {desk.supervisor()}".encode() in screens[name].raw(), "who goes on, and how to come back"
        assert (b"the screen failed (RuntimeError)" in screens[name].raw()) == (code == BUG)
    child = desk.supervisor()
    send(first.process.pid, signal.SIGTERM)
    assert first.wait_exit() == 128 + signal.SIGTERM and is_sane(first) == ""
    send(child, signal.SIGHUP)
    send(child, signal.SIGINT)
    desk.ticks_on(1.0)
    assert running(agent) and desk.supervisor() == child, "without a screen these signals mean nothing"


@pytest.mark.row("B4", "E4")
def test_a_killed_supervisor_is_replaced_by_one_of_the_attached_consoles(desk: Desk) -> None:
    first = desk.console()
    desk.at_work(first)
    others = [attached(desk, name) for name in ("second", "third")]
    child = desk.supervisor()
    (desk.room / "go").touch()
    began = time.monotonic()
    send(child, signal.SIGKILL)
    until(lambda: len(desk.events("supervisor:started")) == 2, 20, "another supervisor")
    took = time.monotonic() - began
    until(lambda: any("supervising here" in screen.text() for screen in others), 20, "a console that supervises")
    here = [screen for screen in others if "supervising here" in screen.text()]
    (other,) = [screen for screen in others if screen not in here]
    other.wait_for(f"attached to pid {desk.events('supervisor:started')[-1]['pid']}")
    assert took < 6, f"{took:.1f} s"
    assert [e["pid"] for e in desk.events("supervisor:started")] == [child, *children(here[0].process.pid)]
    leave(here[0])
    assert here[0].wait_exit() == 0 and is_sane(here[0]) == ""


@pytest.mark.row("B4")
def test_a_supervisor_that_fails_is_told_on_the_screen_and_started_again(desk: Desk) -> None:
    screen = desk.console()
    first = desk.supervisor()
    time.sleep(0.6)
    screen.press("f9")
    screen.wait_for("SUPERVISOR FAILED: a supervisor that fails")
    screen.wait_for("the supervisor failed (RuntimeError")
    screen.wait_for("supervising here")
    assert desk.supervisor() == first and len(desk.events("supervisor:started")) == 2
    (file,) = desk.rig.home.glob(".local/state/nightdesk/*/supervisor-crash.txt")
    assert "a supervisor that fails" in file.read_text() and "Traceback" in file.read_text()
    leave(screen)
    assert screen.wait_exit() == 0


@pytest.mark.row("E5")
@pytest.mark.parametrize("how", ["nohup", "no terminal", "dumb"])
def test_where_no_screen_can_be_drawn_nothing_is_started(tmp_path: Path, how: str) -> None:
    env = {k: os.environ[k] for k in ("PATH", "LANG") if k in os.environ} | {"HOME": str(tmp_path), "TERM": "xterm"}
    argv = [sys.executable, "-c", "from console.front import main; main()", "demo", "--dir", str(tmp_path / "shop")]
    if how == "no terminal":
        done = subprocess.run(
            argv, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False
        )
        code, said = done.returncode, done.stderr
    else:
        said_file = tmp_path / "said"
        words = ["sh", "-c", 'exec nohup "$@" 2>"$0"', str(said_file), *argv] if how == "nohup" else argv
        with Screen(words, env=env | ({"TERM": "dumb"} if how == "dumb" else {}), cwd=str(tmp_path)) as screen:
            code = screen.wait_exit()
            said = said_file.read_text().replace("nohup: ignoring input\n", "") if how == "nohup" else screen.text()
    assert code == 2, said
    assert "nightdesk status" in said and len(said.strip().splitlines()) <= 2
    assert not (tmp_path / "shop").exists() and not list(tmp_path.glob(".local/state/nightdesk/*"))
