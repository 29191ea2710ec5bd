"""What the screen remembers: whole or not at all, for two consoles at once, and never in the way."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from console.adapters.remembered import LIMIT, Remembered


def settled(memory: Remembered) -> None:
    deadline = time.monotonic() + 10
    while not memory.settled():
        assert time.monotonic() < deadline
        time.sleep(0.002)


def test_what_was_set_is_there_at_the_next_start(tmp_path: Path) -> None:
    path = tmp_path / "state" / "screen.json"
    first = Remembered(path)
    assert first.get("theme", "dark") == "dark"
    first.set("theme", "light")
    first.set("archived", ["s-1"])
    assert first.get("theme", "dark") == "light"
    settled(first)
    again = Remembered(path)
    assert (again.get("theme", "dark"), again.get("archived", [])) == ("light", ["s-1"])
    assert sorted(each.name for each in path.parent.iterdir()) == ["screen.json", "screen.lock"]


def test_two_consoles_do_not_forget_for_each_other(tmp_path: Path) -> None:
    path = tmp_path / "screen.json"
    one, two = Remembered(path), Remembered(path)
    assert one.get("theme") is two.get("theme") is None
    one.set("theme", "light")
    settled(one)
    two.set("split", 40)
    settled(two)
    assert json.loads(path.read_text()) == {"theme": "light", "split": 40}


@pytest.mark.parametrize(
    "raw", [b"", b"{", b"[1]", b'"x"', b"\xff\xfe", b"[" * 100_000, b'{"theme": "' + b"x" * LIMIT + b'"}']
)
def test_a_file_that_is_not_ours_means_nothing_is_remembered(tmp_path: Path, raw: bytes) -> None:
    path = tmp_path / "screen.json"
    path.write_bytes(raw)
    memory = Remembered(path)
    assert memory.get("theme", "dark") == "dark"
    memory.set("theme", "light")
    settled(memory)
    assert Remembered(path).get("theme", "dark") == "light"
    beside = [each.read_bytes() for each in tmp_path.glob("screen.json.broken-*")]
    assert beside == [raw], "what it was is kept: there may be comments in it"


def test_a_value_of_another_type_is_not_taken(tmp_path: Path) -> None:
    path = tmp_path / "screen.json"
    path.write_text('{"split": "wide", "archived": {"a": 1}}')
    assert (Remembered(path).get("split", 40), Remembered(path).get("archived", [])) == (40, [])


def test_where_nothing_can_be_written_it_is_known_until_the_end(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way of the folder")
    memory = Remembered(tmp_path / "file" / "screen.json")
    memory.set("theme", "light")
    settled(memory)
    assert memory.get("theme", "dark") == "light"


def test_many_consoles_that_add_to_one_collection_at_once_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "screen.json"
    consoles = [Remembered(path) for _ in range(6)]
    for memory in consoles:
        assert memory.get("said", []) == []
    for n in range(5):
        for at, memory in enumerate(consoles):
            word = f"{at}-{n}"
            memory.amend("said", lambda there, word=word: [*(each for each in there or [] if each != word), word])
    assert {memory.settle() for memory in consoles} == {""}
    assert sorted(json.loads(path.read_text())["said"]) == sorted(f"{a}-{n}" for a in range(6) for n in range(5))
    consoles[0].refresh()
    assert len(consoles[0].get("said", [])) == 30


def test_what_could_not_be_written_is_told_stays_here_and_is_written_with_the_next(tmp_path: Path) -> None:
    path = tmp_path / "screen.json"
    path.mkdir()
    memory = Remembered(path)
    memory.amend("said", lambda there: sorted({*(there or []), "one"}))
    assert "directory" in memory.settle() and memory.get("said") == ["one"]
    path.rmdir()
    memory.amend("said", lambda there: sorted({*(there or []), "two"}))
    assert memory.settle() == "" and json.loads(path.read_text()) == {"said": ["one", "two"]}
