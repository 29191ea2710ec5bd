"""A question and its answer as files in a folder that the agent may fill with anything."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from console.adapters import asknotes, inbox
from console.core.records import Refused
from console.core.records_asking import Answer, AskNote

SAID = Answer(status="answered", text="two")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "inbox" / "s-1"
    made.mkdir(parents=True)
    return made


def asked(folder: Path, question: str = "How many?", *options: str) -> AskNote:
    note = asknotes.ask(folder, question, options)
    assert isinstance(note, AskNote)
    return note


def test_a_question_is_read_answered_and_then_gone(folder: Path) -> None:
    note = asked(folder, "Which?", "a", "b")
    assert asknotes.read(folder) == note
    assert asknotes.wait(folder, note.ident, 0.0) is None, "nobody has answered"
    assert asknotes.answer(folder, note.ident, SAID) is None
    assert asknotes.wait(folder, note.ident, 5.0) == SAID
    assert os.listdir(folder) == []


def test_the_answer_ends_a_wait_that_is_under_way(folder: Path) -> None:
    note = asked(folder)
    timer = threading.Timer(0.05, asknotes.answer, (folder, note.ident, SAID))
    timer.start()
    assert asknotes.wait(folder, note.ident, 20.0) == SAID
    timer.join()


def test_the_same_question_again_is_one_and_another_has_to_wait(folder: Path) -> None:
    first = asked(folder, "Which?", "a", "b")
    assert asked(folder, "Which?", "a", "b") == first, "N01: the same question asked again"
    other = asknotes.ask(folder, "And which else?")
    assert isinstance(other, Refused) and "one question at a time: 'Which?' is not answered yet" in other.reason
    asknotes.answer(folder, first.ident, SAID)
    assert asked(folder, "Which?", "a", "b") == first, "its answer waits there"
    assert asknotes.wait(folder, first.ident, 0.0) == SAID
    assert asked(folder, "And which else?").ident != first.ident


def test_an_answer_that_nobody_fetched_makes_room_for_another_question(folder: Path) -> None:
    first = asked(folder)
    asknotes.answer(folder, first.ident, SAID)
    assert asked(folder, "Another?").ident != first.ident
    assert not (folder / f"answer-{first.ident}.json").exists()


def test_a_question_that_was_closed_is_asked_anew(folder: Path) -> None:
    first = asked(folder)
    asknotes.answer(folder, first.ident, Answer(status="closed"))
    again = asked(folder)
    assert again.ident != first.ident and asknotes.read(folder) == again


def test_whoever_asked_may_leave(folder: Path) -> None:
    assert asknotes.wait(folder, asked(folder).ident, 20.0, lambda: True) is None


def raw(**keys: Any) -> bytes:
    return json.dumps({"ident": "0" * 16, "question": "q", **keys}).encode()


def elsewhere(path: Path) -> None:
    target = path.parent.parent / "elsewhere"
    target.write_bytes(raw())
    path.symlink_to(target)


TRICKS: dict[str, Callable[[Path], Any]] = {
    "a folder": lambda path: path.mkdir(),
    "a fifo": os.mkfifo,
    "a link": elsewhere,
    "1 GB": lambda path: os.truncate(os.open(path, os.O_CREAT | os.O_WRONLY), 1 << 30),
    "no JSON": lambda path: path.write_bytes(b"\xff\xfe"),
    "deep": lambda path: path.write_bytes(b'{"ident": ' + b"[" * 16_000),
    "an id that is a path": lambda path: path.write_bytes(raw(ident="../../../x")),
    "no question": lambda path: path.write_bytes(raw(question=" \n")),
    "other types": lambda path: path.write_bytes(raw(question={})),
}


@pytest.mark.parametrize("trick", TRICKS)
def test_what_is_no_question_is_none(folder: Path, trick: str) -> None:
    TRICKS[trick](folder / asknotes.ASK)
    assert asknotes.read(folder) is None


def test_a_question_is_cut_to_what_anybody_would_read(folder: Path) -> None:
    (folder / asknotes.ASK).write_bytes(raw(question="q" * 20_000, options=["o" * 500] * 20))
    note = asknotes.read(folder)
    assert note and (len(note.question), len(note.options), len(note.options[0])) == (2000, 9, 200)


def test_a_question_is_no_note_that_parks(folder: Path) -> None:
    asked(folder)
    assert inbox.read(folder) == ()


def test_no_link_is_followed_when_an_answer_is_left(folder: Path, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("mine")
    name = folder / f"answer-{'0' * 16}.json"
    name.symlink_to(victim)
    assert asknotes.answer(folder, "0" * 16, SAID) is None
    assert victim.read_text() == "mine" and not name.is_symlink()
    name.unlink()
    (name / "x").mkdir(parents=True)
    assert asknotes.answer(folder, "0" * 16, SAID) is None, "a folder in its way is moved away"
    assert asknotes.wait(folder, "0" * 16, 0.0) == SAID
    assert len(os.listdir(folder)) == 1, "and only that is left"


@pytest.mark.parametrize("level", ["inbox/s-1", "inbox"])
def test_a_folder_that_was_exchanged_for_a_link_gets_nothing(folder: Path, tmp_path: Path, level: str) -> None:
    asked(folder)
    (tmp_path / level).rename(tmp_path / "away")
    (tmp_path / "target" / "s-1").mkdir(parents=True)
    (tmp_path / level).symlink_to(tmp_path / "target")
    assert isinstance(asknotes.answer(folder, "0" * 16, SAID), Refused)
    assert asknotes.read(folder) is None
    asknotes.clear(folder)
    assert os.listdir(tmp_path / "target" / "s-1") == [] and os.listdir(tmp_path / "target") == ["s-1"]


def test_what_was_asked_before_a_start_is_cleared_and_nothing_else(folder: Path) -> None:
    note = asked(folder)
    asknotes.answer(folder, note.ident, SAID)
    inbox.beat(folder)
    asknotes.clear(folder)
    assert os.listdir(folder) == ["heartbeat"]
