"""What is made of a parsed diff: changed words, two columns, code, an outline of one too big, conflict markers."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.present.diffoutline import outline, read
from console.present.difftext import BIG_LINES, Diff, parse, split
from console.present.splitdiff import NONE, Rows
from console.present.syntax import Colouring, language, scan
from console.present.worddiff import Words

HEAD = b"diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n"


def hunk(*lines: str, path: str = "x.py") -> Diff:
    old = sum(not line.startswith("+") for line in lines)
    new = sum(not line.startswith("-") for line in lines)
    body = "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape")
    return parse(HEAD.replace(b"x.py", path.encode()) + b"@@ -1,%d +1,%d @@\n" % (old, new) + body)


def marked(diff: Diff, line: int) -> list[str]:
    """The changed words of a line of the hunk, from 0."""
    words, text = Words(diff), diff.shown(4 + line).text
    return [text[start:end] for start, end in words.changed(4 + line)]


# -- words -------------------------------------------------------------------------------------------------


def test_changed_words_of_a_pair_are_found_in_both_lines() -> None:
    diff = hunk("-    return items[0].price * 2", "+    return items[1].price * tax(2)")
    assert (marked(diff, 0), marked(diff, 1)) == (["0"], ["1", "tax(", ")"])


def test_a_block_with_more_new_lines_than_old_ones_pairs_what_resembles() -> None:
    diff = hunk("-total = price * count", "+if count:", "+    total = price * count * rate", "+    log(total)")
    assert (marked(diff, 1), marked(diff, 2), marked(diff, 3)) == ([], ["    ", " * rate"], [])


def test_blanks_and_what_is_unseen_count_as_what_they_stand_for() -> None:
    diff = hunk("-name = get(value)", "+name = get(value)  ", "-x = get(a)", "+x = get(\u202ea)")
    assert (marked(diff, 1), marked(diff, 3)) == (["··"], ["<U+202E>"])


def test_lines_that_have_nothing_in_common_are_not_marked() -> None:
    assert marked(hunk("-alpha beta gamma", "+one(two, three)"), 1) == []


def test_a_note_between_the_lines_does_not_part_a_pair() -> None:
    diff = hunk("-value = 1", "\\ No newline at end of file", "+value = 2")
    assert marked(diff, 2) == ["2"]


@pytest.mark.parametrize("odd", ["a,b", "()[]", "x", "'\\'"])
def test_hostile_blocks_are_compared_within_bounds(odd: str) -> None:
    lines = [sign + (odd * 100)[n : n + 390] for sign in "-+" for n in range(40)]
    diff = hunk(*lines)
    started = time.process_time()
    for at in range(4, len(diff)):
        Words(diff).changed(at) if at % 20 == 0 else None
    assert time.process_time() - started < 2.0
    assert Words(hunk(*(f"-{n}" for n in range(90)), *(f"+{n}" for n in range(90)))).changed(50) == ()


# -- two columns -------------------------------------------------------------------------------------------


def test_rows_pair_old_and_new_and_leave_nothing_out() -> None:
    diff = hunk(" a", "-b", "-c", "+B", " d", "+e", "-f", "\\ No newline at end of file", "+F")
    rows = Rows(diff)
    laid = [(rows.left[i], rows.right[i]) for i in range(4, len(rows))]
    assert laid == [(4, 4), (5, 7), (6, NONE), (8, 8), (NONE, 9), (10, 12), (11, NONE)]
    assert [rows.line(row) for row in rows.row[5:8]] == [7, 6, 7]


@given(st.lists(st.sampled_from([" c", "-o", "+n", "\\ No newline", "@@ -1 +1 @@", "diff --git a/y b/y"]), max_size=30))
def test_every_line_of_any_diff_is_in_exactly_its_row(lines: list[str]) -> None:
    diff = hunk(*lines)
    rows = Rows(diff)
    assert {*rows.left, *rows.right} - {NONE} == set(range(len(diff)))
    assert all(index in (rows.left[rows.row[index]], rows.right[rows.row[index]]) for index in range(len(diff)))
    shown = [index for index in rows.left if index != NONE]
    assert shown == sorted(shown)


# -- code --------------------------------------------------------------------------------------------------


def parts(diff: Diff, line: int) -> list[tuple[str, str]]:
    text = diff.shown(4 + line).text
    return [(kind, text[start:end]) for start, end, kind in Colouring(diff).parts(4 + line, text)]


def test_a_file_is_coloured_as_its_name_says() -> None:
    assert parts(hunk(" x = 7 // 2  # half"), 0) == [("number", "7"), ("number", "2"), ("comment", "# half")]
    assert parts(hunk(" x = 7; // half", path="x.c"), 0) == [("number", "7"), ("comment", "// half")]
    assert parts(hunk(" select 1 -- one", path="x.sql"), 0)[-1] == ("comment", "-- one")
    assert parts(hunk(" don't `do` it", path="x.md"), 0) == [("string", "`do`")]


def test_what_is_still_open_goes_from_line_to_line_on_its_own_side() -> None:
    diff = hunk(' """Says', "-how", '+what"""', " x = 1")
    assert (parts(diff, 1), parts(diff, 2)) == ([("string", "how")], [("string", 'what"""')])
    assert parts(diff, 3) == [("number", "1")]


@pytest.mark.parametrize("path", ["a.py", "a.js", "a.sh", "a.html", "a.unknown", "a.json"])
def test_no_line_keeps_the_pen_for_long(path: str) -> None:
    started = time.process_time()
    for evil in ('"\\', "'", '"\\"', "/*", "#", "`", '"""', "<!--", "'\"", " #", "a"):
        scan(" " + evil * 400, 1, 400, language(path))
    assert time.process_time() - started < 0.25


# -- too big, markers, files as a whole --------------------------------------------------------------------


def test_lines_are_split_in_steps_as_they_would_be_at_once() -> None:
    for data in (b"", b"a", b"a\n", b"\n\n", b"x" * 3_000_000 + b"\ny\n" + b"z\n" * 700_000):
        assert split(data) == (data.split(b"\n")[:-1] if data.endswith(b"\n") or not data else data.split(b"\n"))


def test_a_diff_too_big_to_draw_is_its_files_with_their_counts() -> None:
    two = b"diff --git a/b.bin b/b.bin\nindex 1..2 100644\nBinary files a/b.bin and b/b.bin differ\n"
    body = HEAD + b"@@ -1,2 +1,%d @@\n-old\n--- odd\n" % BIG_LINES + b"+++ new\n" * BIG_LINES
    diff = read(body + two)
    assert not diff.whole and diff.files == outline(body + two).files
    assert [diff.shown(entry.line).text for entry in diff.files] == ["M x.py +200000 −2", "M b.bin binary"]
    assert b"too big to be drawn" in diff.lines[0] and diff.position(3) is None


def test_conflict_markers_are_found_and_headings_are_not() -> None:
    diff = hunk("+<<<<<<< HEAD", "+a", "+=======", "+b", "+>>>>>>> x\r", " =======", "+<<<<<<<<<")
    assert [diff.lines[at] for at in diff.conflicts] == [b"+<<<<<<< HEAD", b"+=======", b"+>>>>>>> x\r"]
    assert hunk("+Title", "+=======").conflicts == ()


@pytest.mark.parametrize(
    ("head", "said"),
    [
        (
            "index 1111111..2222222 160000\n",
            "M x.py submodule 1111111..2222222: the commits between",
        ),
        ("new file mode 160000\nindex 0000000..2222222\n", "submodule added at 2222222"),
        ("deleted file mode 160000\nindex 1111111..0000000\n", "submodule removed, was 1111111"),
        ("old mode 100644\nnew mode 100755\n", "M x.py +0 −0 (mode 100644 → 100755: executable now)"),
        ("similarity index 100%\nrename from x.py\nrename to y.py\n", "R x.py → y.py +0 −0 (renamed)"),
        ("new file mode 120000\nindex 0000000..2222222\n", "A x.py +0 −0 (mode 120000, a symlink)"),
    ],
)
def test_what_happened_to_a_file_as_a_whole_is_said_in_its_head(head: str, said: str) -> None:
    diff = parse(f"diff --git a/x.py b/x.py\n{head}".encode())
    assert said in diff.shown(0).text


def test_a_binary_file_is_one_line_of_words() -> None:
    line = "diff --git a/b b/b\nindex {}\nBinary files a/b and b/b differ\n"
    said = [parse(line.format(ids).encode()).shown(2).text for ids in ("1111111..2222222", "0000000..2222222")]
    assert said == [
        "binary 1111111 → 2222222: its bytes are not shown as text",
        "binary 2222222, new: its bytes are not shown as text",
    ]
