"""A morning of twelve things by keys alone on a real terminal: what is typed for each kind of thing."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from rawterm import Screen, terminal_env, violations

HERE = Path(__file__).parent
MORNING: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("decision", ("1",)),
    ("decision", ("2",)),
    ("doubtful work", ("a",)),
    ("plan, level 3", ("a", "pol-2\r")),
    ("plan, level 2", ("a", "a")),
    ("plan, level 1", ("a",)),
    ("plan, level 3", ("a", "pol-5\r")),
    ("failed", ("r",)),
    ("blocked", ("r",)),
    ("failed", ("x", "x")),
    ("held ticket", ("L",)),
    ("held ticket", ("L",)),
)
"""Kind and keys of each thing, in the order of the review; the plan's policy is typed at level 3."""


def pause(screen: Screen, seconds: float = 0.65) -> None:
    """As long as a person looks."""
    until = time.monotonic() + seconds
    screen.wait_until(lambda: time.monotonic() >= until, 10, "the clock")


def test_twelve_things_take_so_many_keys_and_no_byte_of_theirs_reaches_the_terminal() -> None:
    env = {**terminal_env(), "TZ": "UTC"}
    with Screen([sys.executable, str(HERE / "morning.py")], env=env, size=(80, 24)) as screen:
        screen.wait_for("Needs you (11)")
        pause(screen)
        screen.press("m")
        for number, (kind, keys) in enumerate(MORNING, 1):
            screen.wait_for(f"{number} of 12")
            screen.wait_for(kind.partition(",")[0])
            for key in keys:
                pause(screen)
                if "\r" in key:
                    screen.wait_for(f"Type {key[:5]}")
                    for char in key[:5]:
                        screen.send(char)
                        pause(screen, 0.15)
                    pause(screen, 1.0)
                    screen.press("enter")
                else:
                    screen.send(key)
        screen.wait_for("12 dealt with, 0 left")
        pause(screen)
        screen.press("enter")
        screen.wait_for("nothing needs you")
        pause(screen)
        screen.press("q")
        assert screen.wait_exit() == 0
        raw = screen.raw()
        assert violations(raw) == []
        sent = ["AnswerDecision"] * 2 + ["Approve"] * 5 + ["RequeueTicket"] * 2 + ["DropTicket"] + ["ReleaseTicket"] * 2
        assert str(sent).encode() in raw[raw.rindex(b"\x1b[?1049l") :]
