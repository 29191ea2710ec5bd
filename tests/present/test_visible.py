"""What stands for something unseen never looks like real text, whatever its colour, in Unicode and in ASCII alone."""

from __future__ import annotations

import itertools
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.present import comments
from console.present.difftext import parse
from console.present.plain import plain
from console.present.text import SIGNS, width
from console.present.visible import _ODD, bound, but_our_marks, in_ascii, show, theirs_in_ascii

PIECES = (" ", "\t", "\r", "→", "·", "␍", "<", ">", "a", "…", "CR", "U+2192", "é", "(+1)", "\udc9b", "9B")


@pytest.mark.parametrize("ascii", [False, True])
def test_two_lines_that_differ_are_never_drawn_alike(ascii: bool) -> None:
    known: dict[str, str] = {}
    for pieces in itertools.chain.from_iterable(itertools.product(PIECES, repeat=n) for n in (1, 2, 3)):
        raw = "+" + "".join(pieces)
        shown = show(raw, keep=1, ascii=ascii).text
        drawn = plain(shown) if ascii else shown
        assert known.setdefault(drawn, raw) == raw
        assert not ascii or shown.isascii()
        assert width(shown) <= bound(raw.encode("utf-8", "surrogateescape"), ascii)


@given(st.text(st.characters(codec=None, exclude_categories=()), max_size=40), st.integers(1, 30))
def test_in_ascii_any_line_is_ascii_in_its_columns_and_can_be_told_back(raw: str, columns: int) -> None:
    raw = raw.replace("\n", "")
    line = show(raw, columns=columns, ascii=True)
    assert line.text.isascii() and line.text.isprintable()
    assert len(line.text.removesuffix(f"<+{line.more}>") if line.more else line.text) <= columns
    assert all(0 <= span.start < span.end <= len(line.text) for span in line.spans)


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("x = a \u2212 b", "x = a <U+2212> b"),
        ("\tb\x1b\r", "<TAB>b<ESC><CR>"),
        ("a  ", "a<SP><SP>"),
        ("<CR> <BR>", "<U+003C>CR> <BR>"),
        ("\U0001f600\udcff", "<U+1F600><FF>"),
        ("x" * 2003, "x" * 2000 + "<+3>"),
    ],
)
def test_in_ascii_everything_of_others_has_a_name_or_a_number(raw: str, shown: str) -> None:
    assert show(raw, ascii=True).text == shown


def test_real_text_that_looks_like_a_stand_in_is_escaped() -> None:
    cases = {"+␛": "+<U+241B>", "+→   x": "+<U+2192>   x", "+x·": "+x<U+00B7>", "+…(+9)": "+<U+2026>(+9)"}
    assert {raw: show(raw, keep=1).text for raw in cases} == cases
    usual = ["+a→ b", "+x·y", "+a… b", "+<div> <U> <AB>", "+- if a → c"]
    assert [show(raw, keep=1).text for raw in usual[:3]] == usual[:3]


def test_a_page_of_lines_of_stand_ins_is_cheap() -> None:
    lines = ["+" + piece * 2000 for piece in ("\x01", "\r", "a b ", "e\u0301", "\u0436")]
    started = time.process_time()
    for line in lines * 4:
        show(line, keep=1)
    assert time.process_time() - started < 0.5  # one by one, 6,342 code points in the pattern take that for one page
    assert len(_ODD.pattern) < 1200 < len(SIGNS)


def test_what_is_said_twice_is_escaped_once_and_our_own_marks_stay() -> None:
    once = but_our_marks("● a → b ж ␛ …")
    assert once == "● a → b <U+0436> <ESC> …" == but_our_marks(once)
    assert in_ascii("a−b\n<CR>\t") == "a<U+2212>b\n<U+003C>CR><TAB>"
    assert theirs_in_ascii([{"text": "\x1b[31m−", "n": 1}]) == [{"text": "<U+2212>", "n": 1}]


def test_a_comment_on_the_second_entry_of_a_path_is_found_and_marked() -> None:
    """A file that became a link is two entries of one path."""
    diff = parse(
        b"diff --git a/cfg b/cfg\ndeleted file mode 100644\n--- a/cfg\n+++ /dev/null\n@@ -1 +0,0 @@\n-hello\n"
        b"diff --git a/cfg b/cfg\nnew file mode 120000\n--- /dev/null\n+++ b/cfg\n@@ -0,0 +1 @@\n+/etc/passwd\n"
    )
    for line in (5, 11):
        about = comments.at(diff, line)
        assert about and diff.line_of(*about.anchor) == line and comments.marked(diff, [about]) == {line}
    whole = comments.at(diff, 6)
    assert whole and comments.marked(diff, [whole]) == {0, 6}
    assert diff.line_of("cfg", 7, 0) is None
