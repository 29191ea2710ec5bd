"""`nightdesk heartbeat` and the supervisor's side of it, whose folder is the agent's to fill with anything."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from console.adapters import inbox
from console.cli import main


def call(monkeypatch: pytest.MonkeyPatch, *args: str) -> int:
    monkeypatch.setattr(sys, "argv", ["nightdesk", "heartbeat", *args])
    try:
        main()
    except SystemExit as end:
        return int(end.code or 0)
    return 0


def test_each_call_counts_one_up_and_makes_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "not" / "there"
    monkeypatch.setenv("NIGHTDESK_INBOX", str(folder))
    said = [(call(monkeypatch), inbox.heartbeat(folder)) for _ in range(3)]
    assert said == [(0, "1"), (0, "2"), (0, "3")]
    assert os.listdir(folder) == ["heartbeat"], "nothing is left beside it"


def test_outside_of_a_session_it_is_a_usage_error_of_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("NIGHTDESK_INBOX", raising=False)
    assert call(monkeypatch) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert len(said.err.splitlines()) == 1 and "NIGHTDESK_INBOX" in said.err


def test_a_folder_that_cannot_be_written_is_said_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("NIGHTDESK_INBOX", str(tmp_path / "file"))
    assert call(monkeypatch) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_it_starts_without_the_log_git_or_a_screen(tmp_path: Path) -> None:
    program = """
import sys
sys.argv = ["nightdesk", "heartbeat"]
from console.front import main
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
heavy = {"apsw", "textual", "psutil", "yaml", "acp", "asyncio"} & set(sys.modules)
print(sorted(heavy))
"""
    env = os.environ | {"NIGHTDESK_INBOX": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", program], env=env, capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.strip() == "[]", done.stderr
    assert inbox.heartbeat(tmp_path) == "1"


@pytest.mark.parametrize("left", ["", "x" * 64, "9" * 64, "-5", "٣", "1\n"])
def test_whatever_stood_there_before_the_next_text_is_another_one(tmp_path: Path, left: str) -> None:
    (tmp_path / inbox.HEARTBEAT).write_text(left, encoding="utf-8")
    before = inbox.heartbeat(tmp_path)
    inbox.beat(tmp_path)
    assert inbox.heartbeat(tmp_path) != before


# -- what an agent may have put there --------------------------------------------------------------------


def a_pipe(path: Path) -> None:
    os.mkfifo(path)


def a_link(path: Path) -> None:
    (path.parent / "elsewhere").write_text("secret")
    path.symlink_to(path.parent / "elsewhere")


def a_folder(path: Path) -> None:
    path.mkdir()


def a_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(os.path.relpath(path))


def a_device(path: Path) -> None:
    path.symlink_to("/dev/zero")


@pytest.mark.parametrize("plant", [a_pipe, a_link, a_folder, a_socket, a_device])
def test_what_is_no_plain_file_says_nothing_and_holds_nobody_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, plant: Callable[[Path], None]
) -> None:
    monkeypatch.chdir(tmp_path)
    plant(tmp_path / inbox.HEARTBEAT)
    began = time.monotonic()
    assert inbox.heartbeat(tmp_path) == ""
    assert time.monotonic() - began < 1


def test_of_a_gigabyte_it_reads_64_bytes_and_of_nonsense_some_text(tmp_path: Path) -> None:
    with open(tmp_path / inbox.HEARTBEAT, "wb") as file:
        file.write(b"\xff\x00\x1b" * 30)
        file.truncate(1 << 30)
    said = inbox.heartbeat(tmp_path)
    assert len(said) == 64
    assert inbox.heartbeat(tmp_path / "missing") == ""
