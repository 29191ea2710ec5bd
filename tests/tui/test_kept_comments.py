"""Comments of one workspace under two consoles: nothing is lost, nothing is sent twice."""

from __future__ import annotations

import subprocess
from pathlib import Path

from console.adapters.remembered import Remembered
from console.present.comments import Comment, read
from console.tui.screens import kept_comments

ONE, TWO = Comment("a.py", 0, 1, "+x", "one"), Comment("a.py", 0, 2, "+y", "two")


def said(memory: Remembered, plan: str) -> list[str]:
    kept_comments.reread(memory)
    return [each.text for each in read(memory.get("comments", {}), plan)]


def test_two_consoles_keep_each_others_comments_and_send_each_once(tmp_path: Path) -> None:
    a, b = Remembered(tmp_path / "screen.json"), Remembered(tmp_path / "screen.json")
    assert said(a, "p") == said(b, "p") == []
    kept_comments.put(a, "p", ONE)
    a.settle()
    kept_comments.put(b, "p", TWO)
    b.settle()
    assert said(a, "p") == said(b, "p") == ["one", "two"]
    both = [("p", ONE), ("p", TWO)]
    taken, why = kept_comments.claim(a, both[:1])
    assert (taken, why) == (both[:1], "")
    kept_comments.release(a, taken, back=False)
    assert kept_comments.claim(b, both)[0] == both[1:], "what the other one sent is not sent again"
    kept_comments.release(b, both[1:], back=True)
    assert said(a, "p") == ["two"], "what was refused is kept"


def test_words_of_two_consoles_on_one_line_are_both_kept(tmp_path: Path) -> None:
    a, b = Remembered(tmp_path / "screen.json"), Remembered(tmp_path / "screen.json")
    kept_comments.put(a, "p", ONE)
    a.settle()
    kept_comments.put(b, "p", Comment("a.py", 0, 1, "+x", "mine"))
    b.settle()
    assert said(a, "p") == ["one / mine"]


def test_what_a_console_that_died_was_sending_is_kept(tmp_path: Path) -> None:
    dead = subprocess.Popen(["true"])
    dead.wait()
    memory = Remembered(tmp_path / "screen.json")
    memory.set("comments", {f"p!{dead.pid}": [["a.py", 0, 1, "+x", "one"]]})
    assert said(memory, "p") == ["one"] and list(memory.get("comments")) == ["p"]
