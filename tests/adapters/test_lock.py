"""One flock decides who supervises: taken once, seen by all, gone with its holder, lost when its file is replaced."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from console.adapters import doorbell, holder
from console.adapters.lock import Lock, LockUnusable, is_taken, trouble
from console.core.records import Refused

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


@pytest.mark.row("F1")
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


@pytest.mark.row("F1")
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


@pytest.mark.row("F2")
@pytest.mark.row("F1")
def test_two_state_folders_of_one_repository_are_not_two_supervisors(tmp_path: Path) -> None:
    git = tmp_path / "repo" / ".git"
    git.mkdir(parents=True)
    mine, other = Lock(tmp_path / "a" / "lock", git), Lock(tmp_path / "b" / "lock", git)
    assert mine.take()
    alone = Lock(other.path)
    assert alone.take(), "the negative control: the file alone keeps nobody out"
    alone.release()
    with pytest.raises(LockUnusable, match=r"supervised already, with another state folder .*XDG_STATE_HOME"):
        other.take()
    assert not is_taken(other.path), "who was refused keeps nothing"
    mine.release()
    assert other.take() and other.held()
    other.release()
    assert list(git.iterdir()) == []


def test_a_shared_folder_that_cannot_be_locked_keeps_nobody_out(tmp_path: Path) -> None:
    mine = Lock(tmp_path / "lock", tmp_path / "gone")
    assert mine.take() and mine.held()
    mine.release()


def test_a_lock_whose_file_was_replaced_is_no_longer_held(path: Path) -> None:
    mine = Lock(path)
    assert mine.take()
    path.unlink()
    assert not mine.held()
    other = Lock(path)
    assert other.take() and other.held() and not mine.held()
    other.release()
    mine.release()


@pytest.mark.row("F2")
def test_a_link_in_its_place_is_not_followed(path: Path, tmp_path: Path) -> None:
    path.parent.mkdir()
    target = tmp_path / "precious"
    target.write_text("keep")
    path.symlink_to(target)
    with pytest.raises(LockUnusable, match="is a symbolic link"):
        Lock(path).take("text")
    assert target.read_text() == "keep"


# -- what stands in its place, and who holds it ----------------------------------------------------------


def make(kind: str, path: Path) -> None:
    path.parent.mkdir(exist_ok=True)
    match kind:
        case "a folder":
            path.mkdir()
        case "a named pipe":
            os.mkfifo(path)
        case "a socket":
            with socket.socket(socket.AF_UNIX) as made:
                made.bind(str(path))


@pytest.mark.row("F2")
@pytest.mark.parametrize("kind", ["a folder", "a named pipe", "a socket"])
def test_something_else_in_its_place_is_named_and_not_touched(path: Path, kind: str) -> None:
    make(kind, path)
    with pytest.raises(LockUnusable, match=f"the lock .* is {kind}"):
        Lock(path).take("text")
    assert kind in trouble(path) and path.exists()


@pytest.mark.row("F2")
def test_on_a_read_only_file_system_it_says_so(tmp_path: Path) -> None:
    done = subprocess.run(
        ["unshare", "-Urm", sys.executable, "-c", READ_ONLY, str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    if done.returncode == 77 or "unshare" in done.stderr:
        pytest.skip(f"no file system of our own here: {done.stderr.strip()[:200]}")
    assert done.returncode == 0, done.stderr


READ_ONLY = """
import subprocess, sys
from pathlib import Path
from console.adapters.lock import Lock, LockUnusable, is_taken, trouble
from console.core.records import Refused
room = Path(sys.argv[1])
mount = ["mount", "-t", "tmpfs", "none", room]
if subprocess.run(mount, capture_output=True).returncode:
    sys.exit(77)
(room / "lock").touch()
if subprocess.run(["mount", "-o", "remount,ro", room], capture_output=True).returncode:
    sys.exit(77)
assert not is_taken(room / "lock")
try:
    Lock(room / "lock").take()
except LockUnusable as error:
    assert "Read-only file system" in str(error), error
else:
    sys.exit("it was taken")
"""


@pytest.mark.row("F1", "F2")
def test_the_holder_is_told_from_the_lock_and_not_from_its_text(path: Path) -> None:
    """A pid in the file that belongs to somebody else by now names nobody."""
    stranger = subprocess.Popen(["sleep", "60"])
    lock = Lock(path)
    assert lock.take(f"pid {stranger.pid} on nowhere")
    try:
        found = holder.find(path)
        assert not isinstance(found, Refused) and found.pid == os.getpid()
        lock.release()
        assert isinstance(holder.find(path), Refused) and not is_taken(path)
        assert lock.take("again"), "a living process with that pid keeps nobody out"
    finally:
        lock.release()
        stranger.kill()
        stranger.wait()


@pytest.mark.row("F2")
def test_who_waits_for_the_lock_or_shares_it_is_not_its_holder() -> None:
    listed = (
        "1: FLOCK  ADVISORY  WRITE 4711 fe:00:77 0 EOF\n"
        "1: -> FLOCK  ADVISORY  WRITE 4712 fe:00:77 0 EOF\n"
        "2: FLOCK  ADVISORY  READ 4713 fe:00:77 0 EOF\n"
        "3: POSIX  ADVISORY  WRITE 4714 fe:00:77 0 EOF\n"
        "4: FLOCK  ADVISORY  WRITE 4715 fe:00:777 0 EOF\n"
        "5: FLOCK  ADVISORY  WRITE 0 fe:00:77 0 EOF\n"
        "6: FLOCK  ADVISORY  WRITE 1 fe:00:77 0 EOF\n"
    )
    assert holder.named(listed, 77) == [4711]


@pytest.mark.row("F2")
def test_the_holder_of_another_user_is_not_ours_to_signal(path: Path) -> None:
    if os.getuid() != 0:
        pytest.skip("only root can hold a lock as somebody else")
    path.parent.mkdir()
    script = (
        "import fcntl, os, signal, sys\nsignal.alarm(60)\nfd = os.open(sys.argv[1], os.O_CREAT | os.O_RDWR)\n"
        "fcntl.flock(fd, fcntl.LOCK_EX)\nos.setuid(65534)\nprint(flush=True)\nsignal.pause()\n"
    )
    other = subprocess.Popen([sys.executable, "-c", script, str(path)], stdout=subprocess.PIPE)
    assert other.stdout and other.stdout.readline()
    try:
        found = holder.find(path)
        assert isinstance(found, Refused) and "65534" in found.reason
    finally:
        other.kill()
        other.communicate()


def test_what_nobody_has_heard_at_the_door_is_counted_and_no_door_is_none(tmp_path: Path) -> None:
    bell = tmp_path / "doorbell"
    assert holder.unheard(bell) is None
    fd = doorbell.listen(bell)
    assert holder.unheard(bell) == 0
    doorbell.ring(bell)
    doorbell.ring(bell)
    assert holder.unheard(bell) == 2
    doorbell.drain(fd)
    assert holder.unheard(bell) == 0
    os.close(fd)
    assert holder.unheard(bell) is None


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
