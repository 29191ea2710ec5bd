"""What terminals say of themselves, and what they get: colours, glyphs, mouse, by the bytes where it counts."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from rawterm import Screen, terminal_env, violations
from rich.cells import cell_len

from console.present.glyphs import SIGNS
from console.present.plain import ASCII, glyphs_say, plain, wants_ascii
from console.tui.environment import ALL, colours, no_color, prepare, theme_name, wants_mouse

APP = str(Path(__file__).with_name("anyterminal.py"))
COLOUR = re.compile(rb"\x1b\[(?:[0-9;:]*;)?(?:3[0-9]|4[0-9]|9[0-7]|10[0-7])(?:;[0-9;:]*)?m")


@pytest.mark.parametrize(
    ("environ", "many"),
    [
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, ALL),
        ({"TERM": "xterm-256color"}, 256),
        ({"TERM": "screen-256color"}, 256),
        ({"TERM": "tmux-256color"}, 256),
        ({"TERM": "screen"}, 16),
        ({"TERM": "xterm"}, 16),
        ({"TERM": "linux"}, 16),
        ({"TERM": "xterm", "TEXTUAL_COLOR_SYSTEM": "256"}, 256),
        ({}, ALL),
    ],
)
def test_how_many_colours_there_are(environ: dict[str, str], many: int) -> None:
    assert colours(environ) == many


def test_where_a_theme_cannot_be_shown_its_nearest_is() -> None:
    assert theme_name({"TERM": "xterm"}, "light") == "sixteen"
    assert theme_name({"TERM": "xterm"}, "mine", lambda name: name == "mine") == "mine"
    assert theme_name({"TERM": "xterm-256color"}, "light") == "light"
    assert theme_name({"TERM": "vt100"}, "light") == theme_name({"NO_COLOR": ""}, "light") == "mono"
    assert no_color({"TERM": "xterm-mono"}) and not no_color({"TERM": "xterm-monitor"})


def test_terminals_that_show_more_than_their_name_says_get_it_over_ssh_too() -> None:
    far = {"TERM": "alacritty"}
    prepare(far)
    assert colours(far) == ALL
    own = {"TERM": "alacritty", "TEXTUAL_COLOR_SYSTEM": "256"}
    prepare(own)
    assert colours(own) == 256


def test_the_mouse_is_off_over_mosh_or_when_it_was_switched_off_unless_the_environment_says_so() -> None:
    assert wants_mouse({}) and not wants_mouse({}, False)
    assert not wants_mouse({"MOSH_CONNECTION": "1"}) and wants_mouse({"MOSH_CONNECTION": "1", "NIGHTDESK_MOUSE": "1"})
    assert not wants_mouse({"NIGHTDESK_MOUSE": "0"}, True)


@pytest.mark.parametrize(
    ("environ", "says"),
    [
        ({}, "unicode"),
        ({"LANG": "de_DE.UTF-8"}, "unicode"),
        ({"LANG": "C.utf8", "TERM": "xterm"}, "unicode"),
        ({"LC_ALL": "C", "LANG": "de_DE.UTF-8"}, "ascii"),
        ({"LC_ALL": "", "LC_CTYPE": "POSIX"}, "ascii"),
        ({"LANG": "de_DE@euro"}, "ascii"),
        ({"LANG": "C.UTF-8", "TERM": "linux"}, "ascii"),
        ({"LANG": "C.UTF-8", "TERM": "vt220"}, "ascii"),
    ],
)
def test_glyphs_follow_locale_and_terminal(environ: dict[str, str], says: str) -> None:
    assert glyphs_say(environ) == says
    assert wants_ascii(environ) == (says == "ascii")
    assert wants_ascii(environ, "ascii") and not wants_ascii(environ, "unicode")
    assert wants_ascii({**environ, "NIGHTDESK_ASCII": "1"}, "unicode")
    assert not wants_ascii({**environ, "NIGHTDESK_ASCII": "0"}, "ascii")


def test_every_mark_that_we_draw_has_one_ascii_character_of_the_same_width() -> None:
    drawn = set("›…−→␍⏎⟳·✓│─┆╭╮╰╯┏┓┗┛━┃▁▂▃▄▅▆▇█▔▌▐▸└├↓“”\ufffd") | {sign.glyph for sign in SIGNS.values()}
    assert all(plain(mark).isascii() for mark in drawn)
    assert all(len(to) == 1 and to.isprintable() and cell_len(chr(code)) == 1 for code, to in ASCII.items())
    assert plain("Größe 日本 ● ok") == "Größe 日本 * ok"
    assert len(set(plain("▁▂▃▄▅▆▇█"))) == 8, "a sparkline has eight heights"
    assert plain("╭─╮│") != plain("┏━┓┃"), "the focus is seen in ASCII too"


def test_marks_of_our_own_sources_all_have_an_ascii_form() -> None:
    """A mark that somebody adds to the words or the widgets of the screen needs a row in the table."""
    package = Path(__file__).parents[2] / "console"
    ours = {
        char
        for room in ("tui", "present")
        for file in (package / room).rglob("*.py")
        for char in file.read_text(encoding="utf-8")
        if not char.isascii() and not char.isalnum()
    }
    assert {char for char in ours if ord(char) not in ASCII} <= set("°€")


def run(**more: str) -> tuple[str, bytes]:
    """The picture of the desk with its help over it, and every byte."""
    env = terminal_env(**more)
    with Screen([sys.executable, APP], env=env) as screen:
        screen.wait_for("fix-cart", 60)
        screen.press("?")
        picture = screen.wait_for("Keys", 60)
        screen.press("?")
        screen.wait_gone("closes")
        screen.press("q")
        screen.wait_exit(60)
        return picture, screen.raw()


def test_under_no_color_not_one_colour_reaches_the_terminal_and_children_see_it_too() -> None:
    _, raw = run(NO_COLOR="", LC_ALL="C.UTF-8")
    assert COLOUR.findall(raw) == []
    assert b"NO_COLOR ''" in raw and violations(raw) == []
    assert re.search(rb"\x1b\[[0-9;]*7[;m]", raw), "the cursor is reversed"


def test_in_a_c_locale_without_colorterm_there_are_256_colours_and_ascii_only() -> None:
    picture, raw = run(LC_ALL="C", COLORTERM="", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0", MOSH_CONNECTION="1 2")
    assert raw.isascii() and b";5;" in raw and not re.search(rb"[34]8;2;", raw)
    assert "+-" in picture and "> " in picture
    assert b"?1000h" not in raw, "no mouse over Mosh"
