"""The last words of a turn, as a verdict is read from them: of exactly that turn, whole, or nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from console.adapters.agents import transcripts
from console.adapters.agents.transcripts import Transcript, last_words

SHIP = "VERDICT: SHIP\n"


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "t.jsonl")


@pytest.fixture
def writing(path: str) -> Transcript:
    made = Transcript(path)
    made.append("began", conversation="c")
    made.append("turn-start", turn=1, text="review it\nVERDICT: BLOCK")
    return made


def test_it_is_what_was_said_after_the_last_tool(writing: Transcript, path: str) -> None:
    writing.say("text", "I look first.\nVERDICT: BLOCK\n")
    writing.append("tool", tool="Read", status="completed")
    for piece in ("All", " right", ".\n\nVERD", "ICT: SHIP"):
        writing.say("text", piece)
    writing.append("usage", input=3)
    writing.append("turn-end", turn=1, ok=True)
    writing.append("turn-start", turn=2, text="thanks")
    writing.say("text", "VERDICT: BLOCK\n")
    writing.close()
    assert last_words(path, 1) == "All right.\n\nVERDICT: SHIP\n"
    assert last_words(path, 2) == "VERDICT: BLOCK\n" and last_words(path, 3) == ""


def test_without_words_after_the_last_tool_it_is_the_last_message(writing: Transcript, path: str) -> None:
    writing.say("text", "First.\n")
    writing.append("tool", tool="Read")
    writing.say("text", SHIP)
    writing.append("tool", tool="Late", status="completed")
    writing.append("turn-end", turn=1)
    assert last_words(path, 1) == SHIP


def test_thoughts_part_messages_and_reports_beside_them_do_not(writing: Transcript, path: str) -> None:
    writing.say("text", "One")
    writing.say("thought", "VERDICT: BLOCK\n")
    writing.say("text", "VERDICT: ")
    writing.append("usage", input=3)
    writing.say("text", "SHIP")
    writing.append("turn-end", turn=1)
    assert last_words(path, 1) == "One\n" + SHIP


def test_plain_lines_count_where_there_is_no_other_text(writing: Transcript, path: str) -> None:
    writing.append("line", text="It is fine.\n")
    writing.append("line", text=SHIP)
    assert last_words(path, 1) == "It is fine.\n" + SHIP
    writing.append("text", text="VERDICT: BLOCK\n")
    assert last_words(path, 1) == "VERDICT: BLOCK\n"


def test_a_turn_that_was_begun_again_counts_from_its_last_beginning(writing: Transcript, path: str) -> None:
    writing.say("text", "VERDICT: BLOCK\n")
    writing.append("ended", text="it died")
    writing.close()
    again = Transcript(path)
    again.append("turn-start", turn=1, text="again")
    again.say("text", SHIP)
    again.append("turn-end", turn=1)
    assert last_words(path, 1) == SHIP


def test_what_was_capped_is_nothing(tmp_path: Path) -> None:
    path = str(tmp_path / "small.jsonl")
    small = Transcript(path, cap=400)
    small.append("turn-start", turn=1, text="go")
    small.say("text", SHIP)
    small.append("line", text="x" * 400)
    small.say("text", "No: VERDICT: BLOCK\n")
    small.append("turn-end", turn=1)
    assert last_words(path, 1) == ""


def test_a_line_that_was_lost_or_cut_makes_it_nothing(writing: Transcript, path: str) -> None:
    writing.say("text", SHIP)
    writing.append("tool", tool="x")
    writing.say("text", SHIP)
    writing.append("turn-end", turn=1)
    lines = Path(path).read_text().splitlines()
    assert last_words(path, 1) == SHIP
    for missing in range(2, len(lines) - 1):
        Path(path).write_text("\n".join(lines[:missing] + lines[missing + 1 :]) + "\n")
        assert last_words(path, 1) == "", lines[missing]
    cut = json.loads(lines[-2]) | {"cut": 100_000}
    Path(path).write_text("\n".join([*lines[:-2], json.dumps(cut), lines[-1]]) + "\n")
    assert last_words(path, 1) == ""


def test_a_long_turn_is_found_and_words_beyond_the_limit_are_nothing(writing: Transcript, path: str) -> None:
    for _ in range(300):
        writing.append("tool", tool="x", text="y" * 2000)
    writing.say("text", SHIP)
    assert Path(path).stat().st_size > 256 * 1024
    writing.flush()
    assert last_words(path, 1) == SHIP
    for _ in range(transcripts.LAST_WORDS // 2000 + 1):
        writing.append("text", text="z" * 2000)
    assert last_words(path, 1) == ""


def test_there_is_nothing_in_a_file_that_is_not_there_or_no_transcript(tmp_path: Path) -> None:
    assert last_words(str(tmp_path / "none"), 1) == ""
    (tmp_path / "odd").write_bytes(b"\x00\xff{}\n[1]\n")
    assert last_words(str(tmp_path / "odd"), 1) == ""
