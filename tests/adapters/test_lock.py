"""One flock decides who supervises: taken once, seen by all, gone with its holder, lost when its file is replaced."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from console.adapters import doorbell
from console.adapters.lock import Lock, is_taken

HOLDER = """
import subprocess, sys
from pathlib import Path
from console.adapters.lock import Lock
lock = Lock(Path(sys.argv[1]))
assert lock.take("pid of the holder")
child = subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=sys.stdin, close_fds=False)
print(child.pid, flush=True)
child.wait()
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "lock"


def test_it_is_taken_once_and_free_after_release(path: Path) -> None:
    mine, other = Lock(path), Lock(path)
    assert not is_taken(path)
    assert mine.take("me") and mine.held()
    assert not other.take("other") and not other.held()
    assert is_taken(path) and path.read_text() == "me"
    mine.release()
    assert not mine.held() and not is_taken(path)
    assert other.take("longer than before") and path.read_text() == "longer than before"
    other.release()


def test_asking_who_holds_it_never_takes_it(path: Path) -> None:
    mine = Lock(path)
    for _ in range(3):
        assert not is_taken(path)
        assert mine.take()
        assert is_taken(path) and mine.held()
        mine.release()


def test_a_killed_holder_frees_it_although_its_child_lives_on(path: Path) -> None:
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout and holder.stdin
    child = int(holder.stdout.readline())
    assert is_taken(path)
    os.kill(holder.pid, signal.SIGKILL)
    holder.wait(timeout=30)
    os.kill(child, 0)  # it is still there
    mine = Lock(path)
    assert mine.take()
    mine.release()
    holder.communicate()


def test_a_lock_whose_file_was_replaced_is_no_longer_held(path: Path) -> None:
    mine = Lock(path)
    assert mine.take()
    path.unlink()
    assert not mine.held()
    other = Lock(path)
    assert other.take() and other.held() and not mine.held()
    other.release()
    mine.release()


def test_a_link_in_its_place_is_not_followed(path: Path, tmp_path: Path) -> None:
    path.parent.mkdir()
    target = tmp_path / "precious"
    target.write_text("keep")
    path.symlink_to(target)
    with pytest.raises(OSError):
        Lock(path).take("text")
    assert target.read_text() == "keep"


# -- the doorbell beside it ------------------------------------------------------------------------------


def readable(fd: int) -> bool:
    try:
        return bool(os.read(fd, 1))
    except BlockingIOError:
        return False


def test_ringing_wakes_a_listener_and_costs_nothing_without_one(tmp_path: Path) -> None:
    bell = tmp_path / "doorbell"
    doorbell.ring(bell)
    assert not bell.exists()
    fd = doorbell.listen(bell)
    doorbell.ring(bell)
    assert readable(fd)
    os.close(fd)
    doorbell.ring(bell)  # a FIFO nobody reads


def test_many_rings_never_block_and_drain_at_once(tmp_path: Path) -> None:
    bell = tmp_path / "doorbell"
    fd = doorbell.listen(bell)
    for _ in range(70_000):  # more than a pipe holds
        doorbell.ring(bell)
    doorbell.drain(fd)
    assert not readable(fd)
    os.close(fd)


def test_something_else_in_its_place_is_replaced(tmp_path: Path) -> None:
    bell = tmp_path / "doorbell"
    bell.write_text("a file")
    doorbell.ring(bell)
    fd = doorbell.listen(bell)
    assert not readable(fd)
    doorbell.ring(bell)
    assert readable(fd)
    os.close(fd)
