"""The terminal is lent to the program that asks for a passphrase, and comes back: a real pty, the real screen."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pyte
import pytest
from pyte import modes
from rawterm import Screen, terminal_env, violations

from console.terminal.borrower import PATIENCE
from console.terminal.lending import SANE

HERE = Path(__file__).parent
LOCKED = "the signing key is locked: U unlocks it here, then a again"
ASKS = "Passphrase for GPG_TTY=/dev/pts/"


@dataclass
class Desk:
    """A person at the desk whose plan waits for a locked key."""

    screen: Screen
    ticks: Path
    given: Path

    def ticked(self) -> int:
        return self.ticks.stat().st_size if self.ticks.exists() else 0

    def to_the_program(self) -> str:
        """Look, press U, and wait until the program has the terminal; the screen as it was before."""
        self.screen.wait_for(LOCKED)
        self.screen.wait_for("+RATE = 19")
        self.pause()
        before = self.screen.text()
        self.screen.press("U")
        self.screen.wait_for(ASKS)
        assert "front=True" in self.screen.text(), "Ctrl+C is the program's"
        return before

    def pause(self, seconds: float = 0.6) -> None:
        """As long as a person looks."""
        until = time.monotonic() + seconds
        self.screen.wait_until(lambda: time.monotonic() >= until, 10, "the clock")

    def is_whole(self, before: str) -> None:
        """The screen is drawn anew in all its cells, apart from the toast."""
        self.screen.wait_until(
            lambda: rows(self.screen.text()) == rows(before), 10, f"the picture of before:\n{before}"
        )

    def leaves(self) -> bytes:
        """Leave; what was written after the alternate screen was left."""
        self.pause()
        self.screen.press("q")
        assert self.screen.wait_exit() == 0
        raw = self.screen.raw()
        return raw[raw.rindex(b"\x1b[?1049l") :]


def rows(text: str) -> list[str]:
    """The rows that no toast lies on; the clock of this desk stands still."""
    return text.split("\n")[:30]


@pytest.fixture
def desk(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Desk]:
    ticks, given = tmp_path / "ticks", tmp_path / "given"
    asking = [sys.executable, str(HERE / "asking.py"), request.param, str(given)]
    argv = [sys.executable, str(HERE / "locked.py"), str(ticks), *asking]
    with Screen(argv, env=terminal_env(TEXTUAL_ANIMATIONS="none")) as screen:
        yield Desk(screen, ticks, given)


def outcome(desk: Desk, *keys: str, toast: str) -> None:
    before = desk.to_the_program()
    ticked = desk.ticked()
    desk.screen.wait_until(lambda: desk.ticked() > ticked + 50, 10, "the supervisor going on meanwhile")
    for key in keys:
        desk.screen.press(key)
    desk.screen.wait_for(toast)
    desk.is_whole(before)
    assert "Passphrase" not in desk.screen.text()


@pytest.mark.parametrize("desk", ["right"], indirect=True)
def test_the_right_passphrase_unlocks_and_then_the_key_lands_the_plan(desk: Desk) -> None:
    outcome(desk, "a", "q", "r", "Q", "enter", toast="the signing key is unlocked; press a to land the plan")
    assert desk.given.read_bytes() == b"aqrQ\n", "every key went to the program"
    desk.pause()
    desk.screen.press("a")
    desk.screen.wait_for("signing or landing on fix-cart; touch your key if it blinks")
    tail = desk.leaves()
    assert b"sent: ['Approve']" in tail, "no key of the passphrase was a key of ours"
    assert violations(desk.screen.raw().replace(SANE.replace(b"\n", b"\r\n"), b"")) == []


@pytest.mark.parametrize("desk", ["wrong"], indirect=True)
def test_a_wrong_passphrase_says_how_the_program_ended(desk: Desk) -> None:
    outcome(desk, "x", "enter", toast="the key stays locked: ")
    assert "ended with exit 1" in " ".join(desk.screen.text().split())
    assert b"sent: []" in desk.leaves()


@pytest.mark.parametrize("desk", ["never"], indirect=True)
def test_ctrl_c_ends_the_program_and_not_the_console(desk: Desk) -> None:
    outcome(desk, "ctrl+c", toast="cancelled with Ctrl+C")
    assert b"sent: []" in desk.leaves()


@pytest.mark.parametrize("desk", ["deaf"], indirect=True)
def test_a_program_that_does_not_heed_ctrl_c_is_killed(desk: Desk) -> None:
    outcome(desk, "ctrl+c", "a", "q", toast="did not end and was killed")
    assert b"sent: []" in desk.leaves()


@pytest.mark.parametrize("desk", ["raw"], indirect=True)
def test_a_program_that_is_killed_in_raw_mode_leaves_the_terminal_usable(desk: Desk) -> None:
    outcome(desk, "ctrl+z", "ctrl+c", toast="cancelled with Ctrl+C")
    desk.pause()
    desk.screen.press("?")
    desk.screen.wait_for("Keys: desk")
    desk.screen.press("?")
    desk.screen.wait_gone("Keys: desk")
    assert b"sent: []" in desk.leaves()


@pytest.mark.parametrize("desk", ["never"], indirect=True)
def test_a_term_signal_meanwhile_ends_the_program_and_leaves_in_order(desk: Desk) -> None:
    desk.to_the_program()
    desk.screen.process.terminate()
    assert desk.screen.wait_exit() == 0
    raw = desk.screen.raw()
    assert b"sent: []" in raw[raw.rindex(b"\x1b[?1049l") :]


@pytest.mark.parametrize("desk", ["chatty"], indirect=True)
def test_a_line_that_drops_meanwhile_ends_the_program_and_the_screen_and_nothing_else(desk: Desk) -> None:
    desk.to_the_program()
    desk.screen.hang_up()
    ended = time.monotonic() + 20
    desk.screen.wait_until(lambda: desk.screen.process.poll() is not None or time.monotonic() > ended, 30, "its end")
    assert desk.screen.process.poll() == 0
    assert desk.ticks.read_text().endswith("tick\nover\n"), "the supervisor went on to its own end"


def test_whatever_a_program_left_switched_on_every_row_takes_what_is_written() -> None:
    screen = pyte.Screen(40, 12)
    stream = pyte.ByteStream(screen)
    stream.feed(b"\x1b[4h\x1b[?7l\x1b[3;10r\x1b[?6h\x1b[7m\x1b[?5h\x1b[?25l" + SANE)
    assert screen.margins is None and modes.DECAWM in screen.mode
    assert not screen.mode & {modes.IRM, modes.DECOM, modes.DECSCNM} and not screen.cursor.hidden


LENDER = """
import sys
from console.terminal.lending import Loan

sys.exit(Loan(sys.argv[2:], "", editor=sys.argv[1] == "1").run())
"""


@pytest.mark.parametrize(("editor", "code", "kept"), [("1", 1, b"my words\n"), ("0", 256 - signal.SIGKILL, b"")])
def test_ctrl_c_is_a_key_of_an_editor_and_ends_what_asks_for_a_passphrase(
    tmp_path: Path, editor: str, code: int, kept: bytes
) -> None:
    written = tmp_path / "written"
    argv = [sys.executable, "-c", LENDER, editor, sys.executable, str(HERE / "asking.py"), "editor", str(written)]
    with Screen(argv, env=terminal_env()) as screen:
        screen.wait_for("Passphrase")
        screen.press("ctrl+c")
        screen.wait_for("(interrupted)")
        until = time.monotonic() + 1.2 * PATIENCE
        screen.wait_until(lambda: time.monotonic() > until or screen.process.poll() is not None, 10, "its patience")
        if kept:
            screen.send(kept)
        assert screen.wait_exit() == code
    assert (written.read_bytes() if written.exists() else b"") == kept
