"""The guard in real terminals: raw bytes checked against a grammar, a terminal that stops reading, NO_COLOR."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from rawterm import Screen, run_in_pty, terminal_env, violations
from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.app import ComposeResult
from textual.color import Color
from textual.widgets import Static

from console.tui import environment
from console.tui.guard import ConsoleApp, Guard

HERE = Path(__file__).parent


def apply(segments: list[Segment]) -> list[Segment]:
    return Guard().apply(segments, Color.parse("black"))


@pytest.mark.parametrize(
    "text",
    ["\x1b]52;c;x\x07", "a\u202eb", "\u3164x", "\u00adx", "👨\u200d👩\u200d👧 x", "❤\ufe0f x", "\ud800x", "\U000e0041"],
)
def test_the_guard_takes_out_what_is_dangerous_and_keeps_the_width(text: str) -> None:
    (after,) = apply([Segment(text, Style(bold=True))])
    assert after.text.isprintable() and "\ufe0f" not in after.text
    assert cell_len(after.text) == cell_len(text)
    assert after.style == Style(bold=True)


def test_the_guard_drops_links_and_control_segments_and_leaves_plain_lines_alone() -> None:
    plain = [Segment("x", Style(color="red"))]
    assert apply(plain) is plain
    (after,) = apply([Segment("x", Style(link="http://evil.example")), Segment("\x1b[2J", None, [(2,)])])  # type: ignore[list-item]
    assert after.style is not None and after.style.link is None


@pytest.mark.parametrize(
    "more", [{}, {"NO_COLOR": ""}, {"TERM": "xterm", "COLORTERM": ""}], ids=["colour", "none", "16"]
)
def test_no_payload_reaches_the_terminal_from_any_widget(more: dict[str, str]) -> None:
    with Screen([sys.executable, str(HERE / "hostile.py")], env=terminal_env(**more), size=(120, 52)) as screen:
        picture = screen.wait_for("everything is drawn")
        screen.send("q")
        assert screen.wait_exit() == 7
        raw = screen.raw()
    assert violations(raw) == []
    assert "[@click=app.quit]press[/]" in picture
    assert "␛]52;c;ZXZpbA==" in picture
    if more.get("NO_COLOR") == "":
        assert b"38;2;" not in raw and b"48;2;" not in raw


def test_the_grammar_does_find_what_an_unguarded_program_lets_through() -> None:
    code = r"print('\x1b]52;c;ZXZpbA==\x07 \x1b[2J \u202e \ufe0f ok \x9b')"
    raw = run_in_pty([sys.executable, "-c", code])
    found = " ".join(violations(raw))
    assert all(sign in found for sign in ("\\x1b]52", "\\x1b[2J", "\\u202e", "\\x9b")), found
    assert violations(b"\x1b[1;31mfine\x1b[0m\r\n\x1b[2;3H\xe2\x97\x8f\x1b[?1049h") == []
    assert violations(b"\x9b2J") != []


def beats_reach(file: Path, more: int) -> object:
    start = file.stat().st_size
    return lambda: file.stat().st_size >= start + more


@pytest.mark.row("E2")
def test_the_event_loop_goes_on_while_the_terminal_takes_nothing_and_the_picture_is_whole_afterwards(
    tmp_path: Path,
) -> None:
    beats = tmp_path / "beats"
    with Screen([sys.executable, str(HERE / "stalled.py"), "gated", str(beats)]) as screen:
        screen.wait_for("frame")
        screen.stall()
        screen.wait_until(beats_reach(beats, 60), 9.0, "60 heartbeats (3 s) of a stalled console")  # type: ignore[arg-type]
        screen.unstall()
        screen.send("s")
        screen.wait_until(lambda: screen.text().count("settled") == 13 * 40, 10.0, "a whole picture")
        screen.send("q")
        assert screen.wait_exit() == 0


@pytest.mark.row("E2")
def test_without_the_gate_the_same_stall_freezes_the_loop(tmp_path: Path) -> None:
    """Why the gate is there. If this fails, the library has learnt it itself and the gate can go."""
    beats = tmp_path / "beats"
    with Screen([sys.executable, str(HERE / "stalled.py"), "plain", str(beats)]) as screen:
        screen.wait_for("frame")
        screen.stall()
        with pytest.raises(AssertionError, match="did not hold"):
            screen.wait_until(beats_reach(beats, 100), 6.5)  # type: ignore[arg-type]


@pytest.mark.row("E1")
def test_an_app_whose_terminal_is_closed_ends_by_itself_without_any_signal(tmp_path: Path) -> None:
    with Screen([sys.executable, str(HERE / "stalled.py"), "gated", str(tmp_path / "beats")]) as screen:
        screen.wait_for("frame")
        screen.hang_up()
        assert screen.process.wait(15) == 0


@pytest.mark.row("E1")
def test_without_our_driver_a_closed_terminal_freezes_the_loop_and_the_process_stays(tmp_path: Path) -> None:
    """Why the driver is there. If this fails, the library has learnt it itself and most of the driver can go."""
    beats = tmp_path / "beats"
    with Screen([sys.executable, str(HERE / "stalled.py"), "plain", str(beats)]) as screen:
        screen.wait_for("frame")
        screen.hang_up()
        with pytest.raises(AssertionError, match="did not hold"):
            screen.wait_until(beats_reach(beats, 200), 4.0)  # type: ignore[arg-type]
        assert screen.process.poll() is None


class Toasts(ConsoleApp):
    def compose(self) -> ComposeResult:
        yield Static("x", markup=False)


async def test_a_toast_is_never_markup_and_never_kills_the_app() -> None:
    app = Toasts()
    async with app.run_test(size=(80, 20), notifications=True) as pilot:
        app.notify("[/nope] [@click=app.quit]x[/]\x1b[2J", title="[/t]\x07", markup=True)
        await pilot.pause()
        (toast,) = app._notifications
        assert toast.message == "[/nope] [@click=app.quit]x[/]␛[2J"
        assert not toast.markup


@pytest.mark.parametrize(
    ("stdin", "stderr", "term", "word"),
    [
        (False, True, "xterm", "stdin is not one"),
        (False, False, "xterm", "stdin and stderr are not one"),
        (True, True, "dumb", "TERM=dumb"),
        (True, True, None, "TERM is not set"),
    ],
)
def test_a_terminal_that_cannot_draw_is_refused_with_the_way_out(
    stdin: bool, stderr: bool, term: str | None, word: str
) -> None:
    said = environment.unusable(stdin, stderr, {} if term is None else {"TERM": term})
    assert said is not None and word in said and "nightdesk status" in said


def test_what_the_environment_decides() -> None:
    assert environment.unusable(True, True, {"TERM": "xterm-256color"}) is None
    env = {"TEXTUAL_FPS": "30", "TERM_PROGRAM": "iTerm.app"}
    environment.prepare(env)
    assert (
        env["TEXTUAL_FPS"] == "30" and env["TEXTUAL_ANIMATIONS"] == "none" and env["TEXTUAL_DISABLE_KITTY_KEY"] == "1"
    )
    assert environment.wants_mouse({}) and not environment.wants_mouse({"MOSH_CONNECTION": "1 2 3 4"})
    assert environment.theme_name({"NO_COLOR": ""}, "light") == "mono"
    assert environment.theme_name({}, "light") == "light"
