"""Transcripts: what is written can be read back, whatever was said, however the file ends."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.adapters.agents import transcripts
from console.adapters.agents.transcripts import ENTRY_BYTES, Pulse, Transcript, encode, pulse, tail


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "t.jsonl")


def test_entries_are_counted_and_dated(path: str) -> None:
    clock = Clock()
    transcript = Transcript(path, now=clock)
    transcript.append("began", conversation="c")
    clock.now += 1
    transcript.append("tool", tool="Read", status="pending")
    assert tail(path) == [
        {"n": 1, "at": 1000.0, "kind": "began", "conversation": "c"},
        {"n": 2, "at": 1001.0, "kind": "tool", "tool": "Read", "status": "pending"},
    ]
    assert os.stat(path).st_mode & 0o777 == 0o600


def test_streamed_text_is_written_in_whole_lines(path: str) -> None:
    transcript = Transcript(path, now=Clock())
    for piece in ("Hel", "lo \x1b[3", "1mworld\nand", " more\nla", "st"):
        transcript.say("text", piece)
    assert [e["text"] for e in tail(path)] == ["Hello \x1b[31mworld\n", "and more\n"]
    transcript.append("tool", tool="x")
    assert [e["kind"] for e in tail(path)] == ["text", "text", "text", "tool"]


def test_a_line_that_takes_long_is_not_held_back(path: str) -> None:
    clock = Clock()
    transcript = Transcript(path, now=clock)
    transcript.say("text", "thinking")
    assert tail(path) == []
    clock.now += 1.1
    transcript.say("text", " on")
    assert [e["text"] for e in tail(path)] == ["thinking on"]
    transcript.say("text", "x" * 3000)
    assert len(tail(path)) == 2


def test_another_kind_of_text_ends_the_first(path: str) -> None:
    transcript = Transcript(path, now=Clock())
    transcript.say("thought", "hm")
    transcript.say("text", "yes")
    transcript.close()
    assert [(e["kind"], e["text"]) for e in tail(path)] == [("thought", "hm"), ("text", "yes")]
    transcript.append("tool", tool="after the end")
    assert len(tail(path)) == 2


@given(st.text(), st.text(alphabet=st.characters(categories=["Cs", "Cc", "Cf"])))
def test_any_text_survives(tmp_path_factory: Any, first: str, second: str) -> None:
    path = str(tmp_path_factory.mktemp("t") / "t.jsonl")
    transcript = Transcript(path, now=Clock())
    transcript.append("text", text=first, other=second)
    transcript.close()
    pairs_joined = json.loads(json.dumps(second))  # two halves of a surrogate pair are one character to JSON
    assert [(e["text"], e["other"]) for e in tail(path)] == [(first, pairs_joined)]


@pytest.mark.parametrize("text", ["a" * 10**6, "\x1b" * 10**6, "\U0001f600" * 10**6, "ü" * ENTRY_BYTES])
def test_a_long_entry_is_cut_and_says_so(text: str) -> None:
    line = encode({"n": 1, "at": 1.0, "kind": "text", "tool": "t", "text": text})
    entry = json.loads(line)
    assert len(line) <= ENTRY_BYTES and entry["cut"] == len(text)
    assert len(entry["text"]) > 5000 and text.startswith(entry["text"]) and entry["tool"] == "t"


def test_the_cap_keeps_turns_and_signs_of_life(path: str) -> None:
    clock = Clock()
    transcript = Transcript(path, cap=2000, now=clock)
    for number in range(1000):
        transcript.append("text", text=f"line {number}")
    transcript.append("turn-end", turn=1, ok=True)
    size = os.path.getsize(path)
    assert size < 2500
    assert [e["kind"] for e in tail(path)][-2:] == ["capped", "turn-end"]
    clock.now += 31
    transcript.append("tool", tool="Run tests", status="in_progress")
    assert pulse(path) == Pulse(
        last_tool="Run tests",
        tool_status="in_progress",
        last_text_line=pulse(path).last_text_line,
        entries=1002,
        at=1031.0,
    )
    for _ in range(100):
        transcript.append("text", text="more")
    assert os.path.getsize(path) < size + 300


def test_a_second_writer_goes_on_counting(path: str) -> None:
    for _ in range(2):
        transcript = Transcript(path)
        transcript.append("text", text="x")
        transcript.close()
    assert [e["n"] for e in tail(path)] == [1, 2]


def test_a_reopened_full_file_stays_capped(path: str) -> None:
    Transcript(path, cap=100).append("text", text="x" * 200)
    again = Transcript(path, cap=100)
    again.append("text", text="y" * 500)
    again.append("turn-start", turn=2)
    assert [e["kind"] for e in tail(path)] == ["text", "capped", "beat", "turn-start"]


def test_a_torn_last_line_costs_itself_only(path: str) -> None:
    transcript = Transcript(path)
    transcript.append("text", text="whole")
    with open(path, "ab") as file:
        file.write(b'{"n": 2, "at": 1.0, "kind": "te')
    assert [e["text"] for e in tail(path)] == ["whole"] and pulse(path).entries == 1
    Transcript(path).append("text", text="next")
    assert [e["text"] for e in tail(path)] == ["whole", "next"]


def test_foreign_lines_are_left_out(path: str) -> None:
    Path(path).write_bytes(
        b'\xff\n[1]\n5\n{}\n{"kind": 1}\n{"n": 1, "at": 2, "kind": "text", "text": "me"}\n' + b"{" * 9999 + b"\n"
    )
    assert [e["text"] for e in tail(path)] == ["me"]


def test_only_the_end_is_read(path: str) -> None:
    transcript = Transcript(path)
    for number in range(1000):
        transcript.append("text", text=f"line {number}")
    entries = tail(path, 500)
    assert 3 < len(entries) < 12 and entries[-1]["n"] == 1000


def test_a_missing_file_is_empty(path: str) -> None:
    assert tail(path) == [] and pulse(path) == Pulse()


def test_the_pulse_finds_the_last_tool_and_the_last_line(path: str) -> None:
    transcript = Transcript(path, now=Clock())
    transcript.append("tool", tool="Old", status="completed")
    transcript.append("text", text="first\nsecond\n\n")
    transcript.append("tool", tool="Edit a.py", status="in_progress")
    transcript.append("update", text="not speech")
    assert pulse(path) == Pulse(
        last_tool="Edit a.py", tool_status="in_progress", last_text_line="second", entries=4, at=1000.0
    )


def test_the_pulse_of_one_long_entry(path: str) -> None:
    Transcript(path).append("text", text="x" * 60000 + "\nlast")
    assert pulse(path).last_text_line == "last"


def test_a_full_disk_costs_entries_only(path: str, monkeypatch: Any) -> None:
    transcript = Transcript(path)
    transcript.append("text", text="one")
    real = os.write

    def full(fd: int, data: bytes) -> int:
        raise OSError(28, "No space left on device")

    def partly(fd: int, data: bytes) -> int:
        return real(fd, data[:10])

    for broken in (full, partly):
        monkeypatch.setattr(transcripts.os, "write", broken)
        transcript.append("text", text="lost")
    monkeypatch.setattr(transcripts.os, "write", real)
    transcript.append("text", text="two")
    assert [(e["n"], e["text"]) for e in tail(path)] == [(1, "one"), (4, "two")] and transcript.lost == 2
