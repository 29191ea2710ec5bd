"""The diff as lines, files and hunks: real git output, hostile text, size."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.present.difftext import describe_binary, is_binary, parse, too_big
from console.present.text import clean, width
from console.present.visible import COLUMNS, show


def git(folder: Path, *args: str) -> bytes:
    base = ["git", "-c", "user.name=n", "-c", "user.email=n@example.org", "-c", "core.fsmonitor=false"]
    return subprocess.run([*base, *args], cwd=folder, check=True, capture_output=True).stdout


@pytest.fixture
def changes(tmp_path: Path) -> bytes:
    """The diff of a real repository with every kind of change."""
    git(tmp_path, "init", "-q")
    (tmp_path / "old name.py").write_text("".join(f"line {n}\n" for n in range(30)))
    (tmp_path / "gone.txt").write_text("-- was here\nsecond\n")
    (tmp_path / "run.sh").write_text("echo\n")
    (tmp_path / "edit.py").write_text("a = 1\nb = 2\n")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "base")
    (tmp_path / "old name.py").rename(tmp_path / "new name.py")
    (tmp_path / "gone.txt").unlink()
    (tmp_path / "run.sh").chmod(0o755)
    (tmp_path / "edit.py").write_text("a = 1\nb = 3\nc")
    (tmp_path / "tab\there é.txt").write_text("new\n")
    (tmp_path / "blob.bin").write_bytes(b"\0\1\2")
    git(tmp_path, "add", "-A")
    return git(tmp_path, "diff", "--cached", "-M", "--no-color", "--no-ext-diff", "--no-textconv")


def test_files_of_a_real_diff(changes: bytes) -> None:
    files = {entry.path: entry for entry in parse(changes).files}
    assert set(files) == {"blob.bin", "edit.py", "gone.txt", "new name.py", "run.sh", "tab\there é.txt"}
    assert files["blob.bin"].binary and files["blob.bin"].status == "A"
    assert (files["edit.py"].status, files["edit.py"].added, files["edit.py"].removed) == ("M", 2, 1)
    assert (files["gone.txt"].status, files["gone.txt"].removed) == ("D", 2)
    assert (files["new name.py"].status, files["new name.py"].old_path) == ("R", "old name.py")
    assert files["run.sh"].note == "mode 100644 → 100755: executable now"
    assert files["tab\there é.txt"].title() == "A tab→here é.txt +1 −0"


def test_a_removed_line_that_looks_like_a_header_is_a_removed_line(changes: bytes) -> None:
    diff = parse(changes)
    at = diff.lines.index(b"--- was here")
    assert diff.kind(at) == "removed"
    assert diff.position(at) is not None and diff.position(at).old == 1  # type: ignore[union-attr]


def test_positions_and_notes(changes: bytes) -> None:
    diff = parse(changes)
    at = diff.lines.index(b"+b = 3")
    position = diff.position(at)
    assert position is not None and (position.path, position.old, position.new) == ("edit.py", None, 2)
    assert diff.kind(diff.lines.index(b"\\ No newline at end of file")) == "note"
    assert diff.position(0) is None
    assert [diff.lines[at][:2] for at in diff.hunks] == [b"@@"] * len(diff.hunks)


def test_a_diff_without_git_headers() -> None:
    diff = parse(b"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n")
    assert [(entry.path, entry.added, entry.line) for entry in diff.files] == [("x", 1, 0), ("y", 1, 5)]


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("+x = 1", "+x = 1"),
        ("+x \t", "+x·→"),
        ("+x\r", "+x␍"),
        ("+\tx", "+→   x"),
        ("+a\tb", "+a→  b"),
        ("+\x1b[2J\u202e", "+␛[2J<U+202E>"),
        ("+a\u00a0b\u200bc", "+a<U+00A0>b<U+200B>c"),
        ("+\udcff\0", "+<FF>␀"),
        (" ", " "),
        ("+ ", "+·"),
    ],
)
def test_nothing_in_a_line_stays_unseen(raw: str, shown: str) -> None:
    assert show(raw, keep=1).text == shown


def test_stand_ins_are_told_apart_from_real_text() -> None:
    line = show("+ok ␛ \x1b", keep=1)
    spans = [(line.text[span.start : span.end], span.kind) for span in line.spans]
    assert spans == [("<U+241B>", "hazard"), ("␛", "hazard")]
    assert line.spans[1].start == line.text.rindex("␛")


def test_a_long_line_is_capped_and_the_rest_is_counted() -> None:
    assert show("x" * 2500).text == "x" * COLUMNS + "…(+500)"
    assert show("日" * 1500).text == "日" * 1000 + "…(+500)"
    started = time.process_time()
    line = show("\x1b" * 5_000_000)
    assert (line.more, width(line.text)) == (5_000_000 - COLUMNS, COLUMNS + len("…(+4998000)"))
    assert time.process_time() - started < 2.0


@given(st.binary(max_size=400))
def test_any_bytes_are_a_diff_and_every_line_can_be_shown(data: bytes) -> None:
    diff = parse(data)
    assert b"\n".join(diff.lines) == data.removesuffix(b"\n")
    for index in range(len(diff)):
        text = diff.shown(index).text
        assert clean(text) == text
        assert diff.kind(index)
        diff.position(index)


@given(st.text(st.characters(codec=None, exclude_categories=()), max_size=80), st.integers(1, 30))
def test_spans_stay_inside_and_the_count_adds_up(raw: str, columns: int) -> None:
    raw = raw.replace("\n", "")
    line = show(raw, columns=columns)
    assert 0 <= line.more <= len(raw)
    assert all(0 <= span.start < span.end <= len(line.text) for span in line.spans)
    body = line.text.removesuffix(f"…(+{line.more})") if line.more else line.text
    assert width(body) <= columns
    assert clean(line.text) == line.text


@given(st.lists(st.text("abc +-\t日\x1b", max_size=20), max_size=30))
def test_the_widest_line_is_never_wider_than_said(lines: list[str]) -> None:
    diff = parse("\n".join(lines).encode())
    assert diff.widest() >= max((width(diff.shown(index).text) for index in range(len(diff))), default=0)


def test_nul_marks_a_file_binary_but_its_neighbours_and_its_lines_stay_visible() -> None:
    one = b"diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+\0b\n"
    diff = parse(one + one.replace(b"/x", b"/y").replace(b"\0", b""))
    assert [entry.binary for entry in diff.files] == [True, False]
    assert diff.shown(5).text == "+␀b"
    assert is_binary(b"a\0") and not is_binary(b"a" * 9000 + b"\0")
    assert describe_binary(b"\0").startswith("binary, 1 bytes, sha256 6e340b9cffb37a98")


def test_fifty_thousand_lines_are_split_quickly() -> None:
    body = b"".join(b"+    value_%d = compute('x', %d)\n" % (n, n) for n in range(50_000))
    data = b"diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -0,0 +1,50000 @@\n" + body
    started = time.process_time()
    diff = parse(data)
    split = time.process_time() - started
    assert diff.widest() == 38 and diff.files[0].added == 50_000
    print(f"split {split * 1000:.0f} ms, with the widest line {(time.process_time() - started) * 1000:.0f} ms")
    assert split < 2.0
    assert not too_big(data) and too_big(b"\n" * 200_001)
