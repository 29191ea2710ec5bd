"""What an agent may put into the folder in which it can ask for something: only plain, small notes are read."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from console.adapters import inbox
from console.adapters.inbox import ParkNote

NOTE = ParkNote(ticket="t-1", question="Which one?", options=("a", "b"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "inbox"
    made.mkdir()
    inbox.leave(made, NOTE)
    return made


def deep(path: Path) -> None:
    path.write_text('{"ticket": "t-1", "question": ' + "[" * 16_000)


def socketed(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(path))


def sparse(path: Path) -> None:
    with open(path, "wb") as file:
        file.truncate(1 << 30)


def linked(path: Path) -> None:
    elsewhere = path.parent.parent / "elsewhere"
    elsewhere.write_text(json.dumps({"ticket": "t-9", "question": "from elsewhere"}))
    path.symlink_to(elsewhere)


TRICKS: dict[str, Callable[[Path], Any]] = {
    "folder": lambda path: path.mkdir(),
    "fifo": os.mkfifo,
    "symlink": linked,
    "loop": lambda path: path.symlink_to(path.name),
    "socket": socketed,
    "1 GB": sparse,
    "deep": deep,
    "no question": lambda path: path.write_text('{"ticket": "t-1", "question": " "}'),
    "empty": lambda path: path.touch(),
    "bytes": lambda path: path.write_bytes(b"\xff\xfe\x00"),
    "other types": lambda path: path.write_text('{"ticket": 1, "question": {}}'),
}


@pytest.mark.parametrize("trick", TRICKS)
def test_what_is_no_note_is_passed_over(folder: Path, trick: str) -> None:
    TRICKS[trick](folder / "0.json")
    TRICKS[trick](folder / "heartbeat")
    before = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
    assert inbox.read(folder) == (NOTE,)
    assert len(inbox.heartbeat(folder)) <= 64
    assert not before or len(os.listdir("/proc/self/fd")) == before


def test_no_more_notes_are_read_than_twenty_and_one_more_is_not_left_without_a_word(folder: Path) -> None:
    while len(os.listdir(folder)) < inbox.MOST:
        inbox.leave(folder, NOTE)
    with pytest.raises(OSError, match="20 notes or more lie there already"):
        inbox.leave(folder, NOTE)
    (note,) = set(inbox.read(folder))
    raw = next(folder.iterdir()).read_bytes()
    for number in range(10):
        (folder / f"{number}.json").write_bytes(raw)
    assert inbox.read(folder) == (note,) * 20


def test_a_folder_that_is_gone_or_is_none_says_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert inbox.read(tmp_path / "gone") == inbox.read(tmp_path / "file") == ()
    assert inbox.heartbeat(tmp_path / "gone") == inbox.heartbeat(tmp_path / "file") == ""
