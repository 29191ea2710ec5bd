"""A `nightdesk run` that is told to stop, killed, or loses its line, and the one that goes on with it."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from commandline import git
from nightwatch import Watch

from console import guarding, wiring
from console.adapters import beat
from console.adapters.lock import is_taken


@pytest.fixture
def watch(tmp_path: Path) -> Iterator[Watch]:
    watch = Watch(tmp_path)
    yield watch
    watch.close()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_one_signal_takes_no_further_ticket_and_lets_the_others_finish(watch: Watch, number: int) -> None:
    watch.configure("limits: {sessions: 1}\n")
    opened = watch.gate("go")
    watch.ticket("a", f"AWAIT {opened} WRITE a.txt")
    watch.ticket("b", "WRITE b.txt")
    process = watch.start("run")
    watch.begun(opened)
    process.send_signal(number)
    watch.wait(lambda: watch.latest().state == "stopping")
    opened.touch()
    code, out, err = watch.end(process)
    assert code == 130 and "run-1 STOPPED" in out and "1 DONE" in out, err
    assert watch.state().tickets["b"].phase == "queued"


def test_a_second_signal_ends_it_at_once_and_the_run_goes_on_later(watch: Watch) -> None:
    opened = watch.gate("go")
    watch.ticket("one", f"AWAIT {opened} WRITE a.txt")
    process = watch.start("run")
    watch.begun(opened)
    process.send_signal(signal.SIGINT)
    watch.wait(lambda: watch.latest().state == "stopping")
    process.send_signal(signal.SIGINT)
    code, out, err = watch.end(process)
    assert code == 130 and "run-1 is open" in out and "goes on with it" in err
    assert watch.latest().open and not is_taken(watch.here.places.lock)
    journal = wiring.open_journal(watch.here)
    owed = guarding.Owed(journal)
    assert owed.work() == "run-1" and not owed.left(), "no standby takes over what a person has ended"
    journal.close()
    opened.touch()
    code, out, err = watch.run("run")
    assert "going on with run-1" in err and "1 DONE" in out and "run-1 STOPPED" in out
    assert code == 130 and len(watch.state().runs) == 1


def test_a_run_whose_supervisor_was_killed_is_gone_on_with(watch: Watch) -> None:
    opened = watch.gate("go")
    watch.ticket("one", f"AWAIT {opened} WRITE a.txt")
    process = watch.start("run")
    watch.begun(opened)
    process.kill()
    watch.wait(lambda: not is_taken(watch.here.places.lock))
    opened.touch()
    code, out, err = watch.run("run")
    assert code == 0 and "going on with run-1" in err and "run-1 DRAINED" in out and "1 DONE" in out, err
    assert watch.latest().attempts == 1, "no attempt is counted twice"


def test_a_run_that_was_left_by_other_settings_is_halted(watch: Watch) -> None:
    opened = watch.gate("go")
    watch.ticket("one", f"AWAIT {opened} WRITE a.txt")
    process = watch.start("run")
    watch.begun(opened)
    process.kill()
    watch.wait(lambda: not is_taken(watch.here.places.lock))
    watch.configure("limits: {attempts: 1}\n")
    code, out, err = watch.run("run")
    assert code == 70 and "it will be halted" in err and "run-1 HALTED" in out, err


def test_a_line_that_drops_ends_no_night(watch: Watch) -> None:
    opened = watch.gate("go")
    watch.ticket("one", f"AWAIT {opened} WRITE a.txt")
    process = watch.start("run")
    watch.begun(opened)
    process.send_signal(signal.SIGHUP)
    log = watch.here.places.state / "run.log"
    watch.wait(log.exists)
    opened.touch()
    code, out, _ = watch.end(process)
    assert code == 0 and out == "" and "run-1 DRAINED" in log.read_text()


@pytest.mark.row("E5", "E6")
def test_a_closed_terminal_without_a_signal_ends_no_night(watch: Watch) -> None:
    """Every line then fails with EIO, the last ones on stdout too."""
    opened = watch.gate("go")
    watch.ticket("one", f"AWAIT {opened} WRITE a.txt")
    master, slave = os.openpty()
    command = [sys.executable, "-P", "-m", "console", "run"]
    process = subprocess.Popen(
        command, cwd=watch.root, env=watch.environ, stdin=slave, stdout=slave, stderr=slave, start_new_session=True
    )
    watch.started.append(process)
    os.close(slave)
    watch.begun(opened)
    os.close(master)
    opened.touch()
    assert process.wait(timeout=40) == 0
    assert "run-1 DRAINED" in (watch.here.places.state / "run.log").read_text()


@pytest.mark.row("E6")
def test_hup_ends_no_idle_supervisor_and_no_standby_and_agents_do_not_ignore_it(watch: Watch) -> None:
    idle = watch.start("run", "--idle")
    watch.wait(lambda: beat.read(watch.here.places.beat))
    standby = watch.start("standby", "--json")
    assert standby.stdout and b'"state":"held"' in standby.stdout.readline()
    opened = watch.gate("go")
    watch.ticket("one", f"AWAIT {opened} WRITE a.txt")
    follower = watch.start("run")
    watch.begun(opened)
    for process in (idle, standby):
        process.send_signal(signal.SIGHUP)
    session = next(iter(watch.state().sessions.values()))
    status = Path(f"/proc/{session.pid}/status").read_text()
    (ignored,) = [line.split()[1] for line in status.splitlines() if line.startswith("SigIgn:")]
    assert not int(ignored, 16) & (1 << (signal.SIGHUP - 1)), ignored
    opened.touch()
    assert watch.end(follower)[0] == 0
    assert idle.poll() is None and standby.poll() is None
    standby.send_signal(signal.SIGTERM)
    assert standby.wait(timeout=40) == 130


def test_systemd_hears_of_an_idle_supervisor(watch: Watch, tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as hears:
        hears.bind(str(tmp_path / "notify"))
        hears.settimeout(40)
        watch.environ |= {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "2000000"}
        idle = watch.start("run", "--idle")
        assert hears.recv(400) == f"READY=1\nSTATUS=supervising {watch.root}".encode()
        assert [hears.recv(400) for _ in range(2)] == [b"WATCHDOG=1"] * 2
        idle.send_signal(signal.SIGTERM)
        assert watch.end(idle)[0] == 130
        said = b""
        while not said.startswith(b"STOPPING"):
            said = hears.recv(400)


@pytest.mark.row("F1")
def test_a_second_supervisor_is_refused_with_the_holder_named(watch: Watch) -> None:
    idle = watch.start("run", "--idle")
    watch.wait(lambda: is_taken(watch.here.places.lock))
    watch.here.places.lock.write_text("pid 1 on nowhere")
    code, _, err = watch.run("run", "--idle")
    assert code == 65 and f"pid {idle.pid} (" in err and "supervises this workspace already" in err, err


def test_a_follower_hands_both_signals_to_the_supervisor_that_does_the_run(watch: Watch) -> None:
    idle = watch.start("run", "--idle")
    watch.wait(lambda: is_taken(watch.here.places.lock))
    opened = watch.gate("never")
    watch.ticket("one", f"AWAIT {opened}")
    follower = watch.start("run")
    watch.begun(opened)
    follower.send_signal(signal.SIGINT)
    watch.wait(lambda: watch.latest().state == "stopping")
    follower.send_signal(signal.SIGINT)
    code, _, err = watch.end(follower)
    assert code == 130 and "its supervisor sees to it" in err
    watch.wait(lambda: watch.latest().status == "STOPPED")
    assert idle.poll() is None


def test_stop_now_ends_the_run_and_its_process(watch: Watch) -> None:
    opened = watch.gate("never")
    watch.ticket("one", f"AWAIT {opened}")
    process = watch.start("run")
    watch.begun(opened)
    assert watch.run("stop", "--now")[0] == 0
    code, out, err = watch.end(process)
    assert code == 130 and "run-1 STOPPED" in out, err


def test_in_place_a_run_that_was_left_with_half_its_work_in_the_checkout_is_gone_on_with(watch: Watch) -> None:
    watch.configure("workspace: in_place\n")
    opened = watch.gate("ready")
    watch.ticket("one", f"WRITE half.txt AWAIT {opened} WRITE rest.txt")
    git(watch.root, "add", "-A")
    git(watch.root, "commit", "-q", "-m", "tickets")
    process = watch.start("run")
    watch.begun(opened)
    process.kill()
    watch.wait(lambda: not is_taken(watch.here.places.lock))
    assert (watch.root / "half.txt").exists()
    opened.touch()
    code, out, err = watch.run("run")
    assert code == 0 and "going on with run-1" in err and "1 DONE" in out, (out, err)
    assert "half.txt; run-1 is open and goes on with them" in err
