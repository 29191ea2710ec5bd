"""Rows E1 to E3: the terminal goes, stalls, or the screen fails, while an agent works: the same supervisor ticks on.

The console embeds its supervisor in each test here. Every terminal is a pty with a session of its own, as of sshd.
"""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from terminal_rig import DESK, Desk, Lag, Screen, front_of, is_sane, leave, running, state_of, until

BUG = 70


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    yield made
    made.close()


def gives_back(screen: Screen, code: int) -> None:
    assert screen.wait_exit() == code
    assert is_sane(screen) == ""
    assert b"left; what runs goes on" in screen.raw()


@pytest.mark.row("E1")
def test_the_terminal_is_closed(desk: Desk) -> None:
    screen = desk.console()
    agent, front = desk.at_work(screen), screen.process.pid
    desk.measure()
    with Lag() as lag:
        screen.hang_up()
        until(lambda: not running(front), 20, "the front gone with its terminal")
        desk.ticks_on()
        desk.sound(agent, lag.worst)
    desk.shown_again()


@pytest.mark.slow
@pytest.mark.row("E1")
def test_the_terminal_of_a_shell_is_closed(desk: Desk) -> None:
    screen = desk.console(shell="bash --norc --noprofile -i")
    agent, front = desk.at_work(screen), front_of(desk.supervisor())
    desk.measure()
    with Lag() as lag:
        screen.hang_up()
        until(lambda: not running(front), 20, "the front gone with its terminal")
        desk.ticks_on()
        desk.sound(agent, lag.worst)


@pytest.mark.row("E1")
def test_the_terminal_is_closed_while_another_program_has_it(desk: Desk) -> None:
    screen = desk.console()
    agent, front = desk.at_work(screen), screen.process.pid
    screen.press("f10")
    screen.wait_for("Passphrase for GPG_TTY")
    desk.measure()
    with Lag() as lag:
        screen.hang_up()
        until(lambda: not running(front), 20, "the front gone with its terminal")
        desk.ticks_on()
        desk.sound(agent, lag.worst)
    given = f"{desk.probe}.given"
    assert not [p for p in desk.rig.processes() if given in Path(f"/proc/{p}/cmdline").read_text()], "it ended too"


@pytest.mark.slow
@pytest.mark.row("E1")
@pytest.mark.skipif(not shutil.which("tmux"), reason="no tmux here")
def test_the_tmux_server_of_the_console_is_killed(desk: Desk) -> None:
    tmux = ["tmux", "-S", str(desk.room / "tmux"), "-f", os.devnull]
    run = partial(subprocess.run, env=desk.env(), cwd=desk.rig.repo, check=True, capture_output=True, timeout=30)
    run([*tmux, "new-session", "-d", "-x", "120", "-y", "40", shlex.join(desk.argv())])
    until(lambda: DESK.encode() in run([*tmux, "capture-pane", "-p"]).stdout, 60, "the desk in tmux")
    agent = desk.starts()
    front = front_of(desk.supervisor())
    desk.measure()
    with Lag() as lag:
        run([*tmux, "kill-server"])
        until(lambda: not running(front), 20, "the front gone with its terminal")
        desk.ticks_on()
        desk.sound(agent, lag.worst)


@pytest.mark.row("E2")
def test_a_terminal_that_takes_nothing_while_everything_is_repainted_and_then_is_left(desk: Desk) -> None:
    screen = desk.console()
    agent = desk.at_work(screen)
    desk.measure()
    with Lag() as lag:
        screen.send("\x13")  # a key like any other: the terminal's own flow control is off
        screen.stall()
        desk.probe.with_suffix(".paint").touch()
        desk.ticks_on(2.0)
        desk.shown_again()
        began = time.monotonic()
        screen.press("q")
        until(lambda: screen.process.poll() is not None, 20, "the shell back, though nobody reads")
        assert time.monotonic() - began < 8 + 2 * lag.worst
        desk.probe.with_suffix(".paint").unlink()
        desk.ticks_on()
        desk.sound(agent, lag.worst)
    screen.unstall()
    gives_back(screen, 0)


@pytest.mark.slow
@pytest.mark.row("E2")
def test_ctrl_s_is_a_key_and_a_stalled_terminal_that_comes_back_is_drawn_whole(desk: Desk) -> None:
    screen = desk.console()
    desk.at_work(screen)
    desk.measure()
    with Lag() as lag:
        screen.send("\x13")
        screen.stall()
        desk.probe.with_suffix(".paint").touch()
        desk.ticks_on(2.0)
        desk.probe.with_suffix(".paint").unlink()
        screen.unstall()
        screen.press("?")
        screen.wait_for("Keys: desk")
        assert desk.worst() < 1.0 + 2 * lag.worst
    screen.press("?")
    screen.wait_for(DESK)
    leave(screen)
    gives_back(screen, 0)


@pytest.mark.slow
@pytest.mark.row("E3")
def test_term_gives_the_terminal_back_and_what_runs_goes_on(desk: Desk) -> None:
    screen = desk.console()
    agent = desk.at_work(screen)
    desk.measure()
    with Lag() as lag:
        screen.process.send_signal(signal.SIGTERM)
        gives_back(screen, 128 + signal.SIGTERM)
        desk.ticks_on()
        desk.sound(agent, lag.worst)
    desk.shown_again()


@pytest.mark.row("E3")
def test_a_fault_of_the_screen_is_a_sentence_and_a_file_and_what_runs_goes_on(desk: Desk) -> None:
    screen = desk.console()
    agent = desk.at_work(screen)
    desk.measure()
    with Lag() as lag:
        screen.press("f5")
        gives_back(screen, BUG)
        desk.ticks_on()
        desk.sound(agent, lag.worst)
    raw = screen.raw()
    assert b"the screen failed (RuntimeError)" in raw and b"Traceback" not in raw
    (file,) = desk.rig.home.glob(".local/state/nightdesk/*/screen-crash.txt")
    assert "a handler that fails" in file.read_text() and file.stat().st_mode & 0o077 == 0
    desk.shown_again()


@pytest.mark.row("E3")
def test_a_screen_that_is_stuck_for_ever_is_abandoned_when_it_is_told_to_leave(desk: Desk) -> None:
    screen = desk.console()
    agent = desk.at_work(screen)
    desk.measure()
    with Lag() as lag:
        screen.press("f8")
        desk.ticks_on(1.0)
        began = time.monotonic()
        screen.process.send_signal(signal.SIGHUP)
        gives_back(screen, 128 + signal.SIGHUP)
        assert time.monotonic() - began < 6 + 2 * lag.worst
        desk.ticks_on()
        desk.sound(agent, lag.worst)
    assert b"the screen did not answer any more and was given up" in screen.raw()
    (file,) = desk.rig.home.glob(".local/state/nightdesk/*/screen-crash.txt")
    assert "in faulty" in file.read_text(), "where it was stuck"
    desk.shown_again()
    pid = desk.supervisor()
    desk.finish()
    desk.rig.call("stop", "--now")
    until(lambda: not running(pid), 30, "the end of a process whose screen is stuck, once it has no work")


@pytest.mark.slow
@pytest.mark.row("E3")
def test_a_stuck_screen_that_nobody_tells_to_leave_is_abandoned_after_a_while(desk: Desk) -> None:
    """With nothing running the process ends with it; the supervisor ends in order."""
    screen = desk.console(NIGHTDESK_TEST_STUCK="2")
    pid = desk.supervisor()
    screen.press("f8")
    assert screen.wait_exit() == BUG
    assert is_sane(screen) == ""
    assert b"the screen did not answer any more and was given up" in screen.raw()
    until(lambda: not running(pid), 20, "the end of a process without work")
    assert desk.events("supervisor:stopped")


@pytest.mark.row("E3")
def test_the_front_is_killed_under_a_shell(desk: Desk) -> None:
    screen = desk.console(shell="bash --norc --noprofile -i")
    agent, child = desk.at_work(screen), desk.supervisor()
    desk.measure()
    with Lag() as lag:
        os.kill(front_of(child), signal.SIGKILL)
        screen.wait_until(lambda: is_sane(screen) == "", 20, "the shell's terminal as it was")
        desk.ticks_on()
        desk.sound(agent, lag.worst)
    screen.send("echo the shell $((6 * 7)) answers\n")
    screen.wait_for("the shell 42 answers")
    desk.shown_again()


@pytest.mark.row("E3")
@pytest.mark.slow
def test_no_stop_signal_reaches_the_supervisor_and_ctrl_z_leaves(desk: Desk) -> None:
    screen = desk.console(shell="bash --norc --noprofile -i")
    agent, child = desk.at_work(screen), desk.supervisor()
    desk.measure()
    with Lag() as lag:
        front = front_of(child)
        os.killpg(os.getpgid(front), signal.SIGSTOP)  # what `kill -STOP %1` of a shell does to its job
        screen.wait_until(lambda: is_sane(screen) == "", 20, "the shell's terminal as it was")
        desk.ticks_on()
        assert state_of(child) not in "Tt"
        screen.send("fg\n")
        until(lambda: not running(front), 20, "the front's end once it goes on")
        again = desk.console(probe=str(desk.room / "again"))
        again.wait_for("working")
        time.sleep(0.6)
        again.press("ctrl+z")
        assert again.wait_exit() == 0 and is_sane(again) == ""
        desk.sound(agent, lag.worst)
