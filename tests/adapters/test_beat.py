"""The heartbeat file, the deadman, and what systemd is told: each as the other side sees it."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from console.adapters import beat
from console.adapters.boot import boot_id
from console.adapters.notify_systemd import Systemd
from console.engine.pulse import OwnTime

# -- the beat --------------------------------------------------------------------------------------------


def test_a_reader_sees_each_beat_as_another_count_of_the_same_process(tmp_path: Path) -> None:
    file = beat.BeatFile(tmp_path / "beat", 4711, 99)
    file.beat(0.25)
    first = beat.read(tmp_path / "beat")
    file.beat(1.5)
    second = beat.read(tmp_path / "beat")
    file.close()
    assert first and second
    assert first.process == second.process == (4711, 99, boot_id())
    assert (first.count, second.count) == (1, 2) and second.worst == 1.5
    assert (tmp_path / "beat").stat().st_size == beat.SIZE


def test_what_is_torn_cut_foreign_or_no_file_is_no_beat(tmp_path: Path) -> None:
    path = tmp_path / "beat"
    file = beat.BeatFile(path, 4711, 99)
    file.beat(0.0)
    whole = path.read_bytes()
    for raw in (b"", whole[:40], whole.replace(b"4711", b"4712"), b"hello\n", b"\xff" * beat.SIZE):
        path.write_bytes(raw)
        assert beat.read(path) is None, raw
    path.unlink()
    os.mkfifo(path)
    assert beat.read(path) is None, "a FIFO does not hang us"
    file.close()


def test_a_beat_whose_file_was_taken_away_or_replaced_is_found_again(tmp_path: Path) -> None:
    path, precious = tmp_path / "beat", tmp_path / "precious"
    precious.write_text("keep")
    file = beat.BeatFile(path, 1, 1)
    file.beat(0.0)
    path.unlink()
    file.beat(0.0)
    path.unlink()
    path.symlink_to(precious)
    file.beat(0.0)
    seen = beat.read(path)
    assert seen and seen.count == 3 and precious.read_text() == "keep" and not file.trouble
    file.close()


def test_silence_counts_from_the_last_new_beat_in_the_lookers_own_time(tmp_path: Path) -> None:
    clock, path = [100.0], tmp_path / "beat"
    own = OwnTime(lambda: clock[0], lambda: 0.0)
    looker, file = beat.Silence(path, own.now), beat.BeatFile(path, 4711, 99)

    def after(seconds: float, pid: int = 4711) -> float:
        clock[0] += seconds
        return looker.seconds(pid)

    assert after(1) == 0, "no beat yet: nothing is known"
    file.beat(0.0)
    assert [after(1), after(1), after(1)] == [0, 1, 2]
    assert after(600) == 2, "we were stopped ourselves, and so perhaps was everybody"
    assert [after(1), after(1, pid=4712), after(1)] == [3, 0, 0], "another process' beat is no silence of this one"
    assert after(2) == 2
    file.beat(0.0)
    assert after(1) == 0
    os.utime(path, (0, 0))
    assert after(1) == 1, "no time of a file counts"
    assert after(1) == 2
    path.unlink()
    assert after(1) == 0, "a beat that cannot be read says nothing"
    file.close()
    file.close()


@pytest.mark.row("F3")
def test_a_beat_goes_on_on_a_full_disk_and_one_that_cannot_be_written_raises_nothing(tmp_path: Path) -> None:
    room = tmp_path / "room"
    room.mkdir()
    done = subprocess.run(
        ["unshare", "-Urm", sys.executable, "-c", FULL, str(room)],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    if done.returncode == 77 or "unshare" in done.stderr:
        pytest.skip(f"no file system of our own here: {done.stderr.strip()[:200]}")
    assert done.returncode == 0, done.stderr


FULL = """
import os, subprocess, sys
from pathlib import Path
from console.adapters import beat
room = Path(sys.argv[1])
if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", room], capture_output=True).returncode:
    sys.exit(77)
file = beat.BeatFile(room / "beat", 1, 1)
file.beat(0.0)
with open(room / "fill", "wb", buffering=0) as fill:
    try:
        while True:
            fill.write(bytes(4096))
    except OSError:
        pass
file.beat(0.0)
assert beat.read(room / "beat").count == 2 and not file.trouble, file.trouble
late = beat.BeatFile(room / "other", 1, 1)
late.beat(0.0)
assert "No space left" in late.trouble, "the negative control: a new file gets no block"
"""


# -- the deadman -----------------------------------------------------------------------------------------

DEAD = """
import asyncio, re, signal, sys, time
from pathlib import Path
from console.adapters.deadman import Deadman
from console.engine.pulse import OwnTime
signal.alarm(60)
deadman = Deadman(Path(sys.argv[1]), OwnTime().now, limit=float(sys.argv[3]))

def hang_here():
    if sys.argv[2] == "sleep":
        time.sleep(50)
    elif sys.argv[2] == "hog":
        re.match(r"(a+)+$", "a" * 60 + "b")

async def main():
    print("up", flush=True)
    for n in range(10_000):
        deadman.tick()
        if n == 5 and sys.argv[2] == "end":
            break
        if n == 5:
            hang_here()
        await asyncio.sleep(0.05)

asyncio.run(main())
deadman.disarm()
time.sleep(1.5)
print("disarmed")
"""


def dead(tmp_path: Path, how: str, limit: float) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", DEAD, str(tmp_path / "stacks"), how, str(limit)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.row("B4")
@pytest.mark.parametrize(("how", "code"), [("sleep", 70), ("hog", -signal.SIGPROF)])
def test_a_loop_that_is_blocked_or_hogged_ends_with_the_place_in_a_file(tmp_path: Path, how: str, code: int) -> None:
    process = dead(tmp_path, how, 1.0)
    process.communicate(timeout=40)
    assert process.returncode == code
    assert "hang_here" in (tmp_path / "stacks").read_text()


@pytest.mark.row("B4")
def test_disarmed_it_ends_nobody(tmp_path: Path) -> None:
    """The negative control: nothing but the deadman ended the others."""
    process = dead(tmp_path, "end", 1.0)
    out, err = process.communicate(timeout=40)
    assert process.returncode == 0 and "disarmed" in out, err


@pytest.mark.row("C4")
def test_who_was_stopped_for_longer_than_the_limit_is_not_ended_when_it_goes_on(tmp_path: Path) -> None:
    process = dead(tmp_path, "never", 1.0)
    assert process.stdout and process.stdout.readline() == "up\n"
    process.send_signal(signal.SIGSTOP)
    end = time.monotonic() + 3.6  # more than what counts as absence
    while time.monotonic() < end:
        time.sleep(0.05)
    process.send_signal(signal.SIGCONT)
    end = time.monotonic() + 0.8
    while time.monotonic() < end:
        assert process.poll() is None, (tmp_path / "stacks").read_text()
        time.sleep(0.05)
    process.kill()
    process.communicate()


# -- systemd ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("abstract", [False, True])
def test_systemd_hears_ready_alive_at_half_its_limit_and_stopping(tmp_path: Path, abstract: bool) -> None:
    name = f"@nightdesk-test-{os.getpid()}" if abstract else str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as hears:
        hears.bind("\0" + name[1:] if abstract else name)
        hears.settimeout(5)
        at = [100.0]
        told = Systemd({"NOTIFY_SOCKET": name, "WATCHDOG_USEC": "4000000"}, clock=lambda: at[0])
        told.ready("one\nREADY=0")
        assert hears.recv(200) == b"READY=1\nSTATUS=one READY=0", "a line break begins no variable"
        for at[0] in (100.0, 101.0, 101.9, 102.0, 103.0, 104.1):
            told.alive()
        told.stopping("bye")
        assert [hears.recv(200) for _ in range(4)] == [b"WATCHDOG=1"] * 3 + [b"STOPPING=1\nSTATUS=bye"]


def test_without_systemd_or_for_another_process_nothing_is_sent(tmp_path: Path) -> None:
    Systemd({}).ready("nobody")
    Systemd({"NOTIFY_SOCKET": str(tmp_path / "gone")}).ready("nobody listens")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as hears:
        hears.bind(str(tmp_path / "notify"))
        hears.setblocking(False)
        env = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "4000000", "WATCHDOG_PID": "1"}
        Systemd(env).alive()
        with pytest.raises(BlockingIOError):
            hears.recv(200)
