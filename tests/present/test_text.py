"""`clean` and the cell helpers: properties that must hold for any string at all."""

from __future__ import annotations

import subprocess
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.present.glyphs import SIGNS as STATES
from console.present.glyphs import sign
from console.present.text import MARKS, clean, cut, fit, pad, prefix, width

ANY = st.text(st.characters(codec=None, exclude_categories=()), max_size=60)
NASTY = st.text(
    st.sampled_from(
        "ab \t\n\r\x00\x07\x1b\x7f\x85\x9b\u00ad\u0301\u200b\u200d\u202e\u2066\ufe0f\u3164日🏽👍"
        "🇫🇷\ud800\udc9b\U000e0041[31m"
    ),
    max_size=40,
)
FORBIDDEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}


def hidden(text: str) -> list[str]:
    return [char for char in text if unicodedata.category(char) in FORBIDDEN]


def test_no_code_point_at_all_survives_that_a_terminal_obeys_or_hides() -> None:
    survivors = [code for code in range(sys.maxunicode + 1) if hidden(clean(chr(code)))]
    assert survivors == []


@pytest.mark.parametrize("code", [0x200D, 0xFE0F, 0x115F, 0x1160, 0x3164, 0xFFA0, 0x34F, 0xE0041, 0xE0100, 0x180B])
def test_characters_that_show_nothing_become_visible_though_unicode_calls_them_letters_or_marks(code: int) -> None:
    assert clean(f"a{chr(code)}b") == f"a<U+{code:04X}>b"


@given(ANY | NASTY, st.sampled_from(["show", "strip"]), st.booleans())
def test_clean_leaves_nothing_hidden_and_cleaning_again_changes_nothing(text: str, sgr: str, lines: bool) -> None:
    once = clean(text, sgr=sgr, lines=lines)
    assert [char for char in hidden(once) if not (lines and char == "\n")] == []
    assert clean(once, sgr=sgr, lines=lines) == once
    assert once.encode("utf-8").decode("utf-8") == once


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("plain ascii", "plain ascii"),
        ("déjà vu ✓", "déjà vu ✓"),
        ("\x1b]52;c;aGk=\x07", "␛]52;c;aGk=␇"),
        ("\x9b2J", "<U+009B>2J"),
        ("a\u202eb", "a<U+202E>b"),
        ("one\ntwo", "one⏎two"),
        ("a\tb", "a   b"),
        ("\udc9b", "<9B>"),
        ("\ud800", "\ufffd"),
        ("nul\0", "nul␀"),
    ],
)
def test_what_is_shown_instead(raw: str, shown: str) -> None:
    assert clean(raw) == shown


def test_colours_can_be_dropped_but_no_trick_makes_an_escape_from_the_pieces() -> None:
    assert clean("\x1b[1;31mred\x1b[0m", sgr="strip") == "red"
    assert clean("\x1b[3\x1b[1m1m", sgr="strip") == "␛[31m"


def test_a_limit_says_how_much_is_left_out() -> None:
    assert clean("x" * 25, limit=10) == "x" * 10 + "…(+15)"


def test_a_pile_of_marks_is_cut_short_and_ordinary_accents_stay() -> None:
    assert clean("z" + "\u0301" * 5000) == "z" + "\u0301" * MARKS + "\ufffd"
    assert clean("Приве́т, ผู้ใหญ่") == "Приве́т, ผู้ใหญ่"


@given(ANY | NASTY, st.integers(0, 30))
def test_cuts_and_pads_count_cells_exactly(text: str, cells: int) -> None:
    safe = clean(text)
    assert width(cut(safe, cells)) <= cells
    assert width(prefix(safe, cells)) <= cells
    assert safe.startswith(prefix(safe, cells))
    assert width(fit(safe, cells)) == cells
    assert pad(safe, 0) == safe


def test_cuts_fall_between_visible_characters() -> None:
    assert cut("日本語テキスト", 6) == "日本…"
    assert prefix("e\u0301e\u0301", 1) == "e\u0301"
    assert prefix("🇫🇷🇩🇪", 3) == "🇫🇷"
    assert fit("7", 3, "right") == "  7"


def test_every_state_has_a_glyph_of_one_cell_in_both_sets_and_a_word() -> None:
    for word, look in STATES.items():
        assert width(look.glyph) == 1, word
        assert look.ascii.isascii() and len(look.ascii) == 1
        assert look.word and clean(look.word) == look.word


def test_states_of_screen_md_look_as_written_and_an_unknown_word_shows_as_itself() -> None:
    assert sign("running").text() == "● running"
    assert sign("PARKED_DECISION").text() == "⊘ parked"
    assert (sign("awaiting-ack").glyph, sign("awaiting-ack").tone) == ("◐", "needs")
    assert sign("FAILED_BUG_IN_AGENT").tone == "broke"
    assert sign("done").text(ascii_only=True) == "+ done"
    assert (sign("brand-new").word, sign("brand-new").tone) == ("brand-new", "quiet")


def test_text_helpers_do_not_load_the_screen_library() -> None:
    code = (
        "import sys; from console.present.text import fit, clean; from console.present import glyphs, difftext; "
        "fit(clean('h\\xe9'), 9); sys.exit('textual' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
