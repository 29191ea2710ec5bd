"""What the machine has left: shortages are seen and told in words, do not flicker, and what is kept back is given up
bit by bit and taken back."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from console.adapters import descriptors, room
from console.adapters.ballast import BITS, SIZE, Ballast
from console.adapters.descriptors import Reserve
from console.adapters.room import Places, Room

GB, MB = 10**9, 10**6


class Disk:
    """What statvfs says of every folder."""

    def __init__(self) -> None:
        self.free, self.total, self.files, self.read_only = 50 * GB, 100 * GB, 10**6, False

    def __call__(self, _place: object) -> Any:
        return SimpleNamespace(
            f_bavail=self.free // 4096,
            f_frsize=4096,
            f_blocks=self.total // 4096,
            f_favail=self.files,
            f_files=10**7 if self.files else 0,
            f_flag=os.ST_RDONLY if self.read_only else 0,
        )


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    made = Disk()
    monkeypatch.setattr(room.os, "statvfs", made)
    return made


@pytest.fixture
def ballast(tmp_path: Path) -> Ballast:
    return Ballast(tmp_path / "ballast")


@pytest.fixture
def look(tmp_path: Path, ballast: Ballast) -> Callable[..., dict[str, str]]:
    memory = [8 * GB]
    places = Places(tmp_path, {"worktrees": tmp_path / "not" / "there"})
    made = Room(places, ballast, Reserve(), memory=lambda: memory[0])

    def look(free: int = 8 * GB) -> dict[str, str]:
        memory[0] = free
        return dict(made.look())

    return look


# -- disks -----------------------------------------------------------------------------------------------


def test_nothing_is_short_and_the_ballast_is_taken(look: Callable[..., Any], ballast: Ballast, disk: Disk) -> None:
    assert look() == {}
    assert ballast.whole


def test_a_disk_is_short_below_its_floor_and_until_there_is_clearly_more(look: Callable[..., Any], disk: Disk) -> None:
    look()
    disk.free = 60 * MB
    assert "60 MB left, at least 67 MB is needed" in look()["disk"]
    disk.free = 70 * MB
    assert "disk" in look(), "just above the border is not over it"
    disk.free = 90 * MB
    assert look() == {}
    disk.free = 70 * MB
    assert look() == {}


def test_a_disk_of_a_few_megabytes_is_not_always_short(look: Callable[..., Any], disk: Disk) -> None:
    disk.total, disk.free = 40 * MB, 4 * MB
    assert look() == {}
    disk.free = 1 * MB
    assert "disk" in look()


def test_a_disk_that_holds_no_more_files_is_short_unless_it_does_not_count_them(
    look: Callable[..., Any], disk: Disk
) -> None:
    disk.files = 900
    assert "900 more files" in look()["disk"]
    disk.files = 0
    assert look() == {}, "a file system without a number of files has none to run out of"


def test_a_disk_that_can_only_be_read_is_short(look: Callable[..., Any], disk: Disk) -> None:
    disk.read_only = True
    assert "can only be read" in look()["disk"]


def test_a_disk_that_does_not_take_the_ballast_is_short_and_says_why(
    look: Callable[..., Any], ballast: Ballast, tmp_path: Path
) -> None:
    (tmp_path / "ballast").mkdir()
    assert "takes no more: Is a directory" in look()["disk"]


def test_the_ballast_is_given_up_in_bits_and_taken_back(look: Callable[..., Any], ballast: Ballast, disk: Disk) -> None:
    look()
    assert [ballast.held for _ in range(BITS) if ballast.drop()] == [SIZE * n // BITS for n in (3, 2, 1, 0)]
    assert not ballast.drop(), "there is nothing left to give"
    disk.free = 0
    assert "disk" in look() and not ballast.held, "not taken back while there is no room for it"
    disk.free = 50 * GB
    assert look() == {} and ballast.whole


def test_the_ballast_really_takes_room(ballast: Ballast, tmp_path: Path) -> None:
    assert ballast.hold() == ""
    assert (tmp_path / "ballast").stat().st_blocks * 512 >= SIZE


def test_a_link_in_place_of_the_ballast_is_not_followed(ballast: Ballast, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious")
    (tmp_path / "ballast").symlink_to(victim)
    ballast.hold()
    ballast.drop()
    assert victim.read_text() == "precious"


# -- memory ----------------------------------------------------------------------------------------------


def test_memory_is_short_below_what_one_more_session_needs_and_says_how_much_is_enough(
    look: Callable[..., Any], disk: Disk
) -> None:
    assert look(400 * MB) == {}
    assert look(200 * MB)["memory"].endswith("one more session needs 300 MB; it goes on once 375 MB is free")
    assert "memory" in look(350 * MB)
    assert look(380 * MB) == {}


# -- descriptors -----------------------------------------------------------------------------------------

LIMITED = """
import os, resource, sys
from console.adapters import descriptors
resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
reserve = descriptors.Reserve()
assert reserve.look() == "" and reserve.held == 8
taken = []
try:
    while True:
        taken.append(os.open("/dev/null", os.O_RDONLY))
except OSError:
    pass
try:
    os.listdir("/proc/self/fd")
    sys.exit("there was one left")
except OSError:
    pass
said = reserve.look()
assert "of 64 descriptors are open" in said, said
assert reserve.held == 0
os.listdir("/proc/self/fd")  # now one can look, end and save again
os.pipe(), os.pipe()
for fd in taken[:6]:
    os.close(fd)
assert reserve.look(), "a few are not enough for a session"
for fd in taken[6:]:
    os.close(fd)
assert reserve.look() == "" and reserve.held == 8
print("well")
"""


@pytest.mark.row("F5", "A16")
def test_the_reserve_is_let_go_when_there_is_no_other_descriptor_and_taken_back() -> None:
    done = subprocess.run([sys.executable, "-c", LIMITED], capture_output=True, text=True, timeout=30, check=False)
    assert done.stdout == "well\n", done.stderr


@pytest.mark.row("F5")
def test_without_a_reserve_nothing_can_be_looked_at_any_more() -> None:
    control = LIMITED.replace("Reserve()", "Reserve(0)").replace("held == 8", "held == 0")
    done = subprocess.run([sys.executable, "-c", control], capture_output=True, text=True, timeout=30, check=False)
    assert "Too many open files" in done.stderr


RAISED = """
import resource, subprocess, sys
from console.adapters import descriptors
resource.setrlimit(resource.RLIMIT_NOFILE, (100, 500))
assert descriptors.raise_limit() == 500 == descriptors.raise_limit()
child = subprocess.Popen([sys.executable, "-c", "import resource; input(); print(resource.getrlimit(7))"],
                         stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
descriptors.give_back(child.pid)
print(child.communicate("go\\n")[0].strip(), descriptors.limit())
"""


def test_the_limit_is_raised_for_us_and_given_back_to_a_child() -> None:
    assert resource.RLIMIT_NOFILE == 7
    done = subprocess.run([sys.executable, "-c", RAISED], capture_output=True, text=True, timeout=30, check=False)
    assert done.stdout.strip() == "(100, 500) 500", done.stderr
    assert descriptors.limit() == resource.getrlimit(resource.RLIMIT_NOFILE)[0]
