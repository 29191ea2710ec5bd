"""The terminal as a channel: which bytes, when, and never in the middle of a frame."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from deskplay import DeskPlay, started, until

from console.core import events as ev
from console.core.notices import Notice
from console.core.notify_settings import Ask, Channel
from console.core.state import State
from console.tui.app import NightdeskApp
from console.tui.presence import Presence
from console.tui.ringing import AT_THE_SCREEN, Ringing, between, sequence, words


def told(text: str, seq: int = 1) -> Notice:
    return Notice(seq=seq, at=1.0, name="parked", text=text, show="s")


def test_each_sign_is_what_terminals_know_and_goes_through_tmux_only_where_it_lets_it() -> None:
    assert sequence("bell", "x", "") == sequence("osc9", "x", "closed") == sequence("osc777", "x", "closed") == "\a"
    assert sequence("osc9", "a plan waits", "") == "\x1b]9;nightdesk: a plan waits\a"
    assert sequence("osc777", "a plan waits", "") == "\x1b]777;notify;nightdesk;a plan waits\a"
    through = sequence("osc9", "x", "through")
    assert through == "\x1bPtmux;\x1b\x1b]9;nightdesk: x\a\x1b\\"
    assert sequence("bell", "x", "through") == "\a"


@pytest.mark.parametrize(
    ("environ", "lets", "way"),
    [
        ({"TERM": "xterm-256color"}, True, ""),
        ({"TERM": "xterm-256color", "TMUX": "/tmp/t,1,0"}, True, "through"),
        ({"TERM": "tmux-256color", "TMUX": "/tmp/t,1,0"}, False, "closed"),
        ({"TERM": "screen", "STY": "1.x"}, True, "closed"),
        ({"TERM": "screen.xterm"}, True, ""),
        ({"TERM": "linux"}, True, "closed"),
        ({}, True, "closed"),
    ],
)
def test_what_lies_between_us_and_the_terminal(environ: dict[str, str], lets: bool, way: str) -> None:
    assert between(environ, lambda: lets) == way


@pytest.mark.parametrize(
    "text",
    [
        "\x1b]0;evil\a",
        "a\x9cb\x07c\x1b\\d",
        "a;b;notify;c",
        "x" * 500,
        "bidi \u202e text \u200b",
        "line\nline\r\t",
        "\ud800",
    ],
)
def test_no_word_ends_divides_or_overflows_a_sequence(text: str) -> None:
    said = words([told(text)])
    assert said.isprintable() and ";" not in said and len(said) <= 120
    for sign in ("osc9", "osc777"):
        made = sequence(sign, said, "through")
        assert re.fullmatch(r"\x1bPtmux;\x1b\x1b\][^\x00-\x1f\x7f-\x9f]*\a\x1b\\", made), made


class Terminal:
    def __init__(self) -> None:
        self.now = 1000.0
        self.takes = True
        self.wrote: list[str] = []
        self.channels: list[Channel] = [channel()]
        self.ringing = Ringing(lambda: self.channels, lambda: False, {"TERM": "xterm"}, self.write, lambda: self.now)
        self.seq = 0

    def write(self, text: str) -> bool:
        if self.takes:
            self.wrote.append(text)
        return self.takes

    def parks(self, *tickets: str) -> None:
        entries = []
        for ticket in tickets:
            self.seq += 1
            fact = ev.DecisionParked(decision="d", ticket=ticket, foundational=False, why="w", question="q")
            entries.append(ev.Logged(seq=self.seq, at=1.0, fact=fact))
        self.ringing.heard(entries, State())

    async def look(self, later: float = 0.0) -> list[str]:
        """What was written by this look."""
        self.now += later
        before = len(self.wrote)
        self.ringing.look(State())
        while (task := self.ringing._task) and not task.done():
            await asyncio.sleep(0)
        return self.wrote[before:]


def channel(**more: Any) -> Channel:
    return Channel(kind="terminal", where="osc9", **more)


async def test_it_rings_once_for_what_came_together_and_not_again() -> None:
    t = Terminal()
    t.channels = [channel(debounce=3.0)]
    t.parks("T-1", "T-2")
    assert await t.look(2.0) == []
    t.parks("T-3")
    assert await t.look(1.5) == ["\x1b]9;nightdesk: 3 notices: 3 parked\a"]
    assert await t.look(60.0) == []
    t.parks("T-4")
    assert await t.look(3.0) == ["\x1b]9;nightdesk: T-4 is parked: it wants a decision\a"]


async def test_a_quiet_terminal_says_nothing_to_who_has_just_pressed_a_key() -> None:
    t = Terminal()
    t.channels = [channel(quiet=True)]
    t.ringing.pressed()
    t.parks("T-1")
    assert await t.look(AT_THE_SCREEN - 1) == []
    assert await t.look(10.0) == [], "what came while somebody looked is not told later"
    t.parks("T-2")
    assert len(await t.look()) == 1


async def test_without_a_terminal_channel_or_for_what_nobody_asked_it_keeps_still() -> None:
    t = Terminal()
    t.channels = []
    t.parks("T-1")
    assert await t.look() == []
    t.channels = [channel(asks=(Ask(events=frozenset({"run-ended"})),))]
    t.parks("T-2")
    assert await t.look() == []
    t.channels = [channel()]
    assert await t.look() == [], "what came before the settings asked for it is over"


async def test_what_the_terminal_does_not_take_now_is_said_later() -> None:
    t = Terminal()
    t.takes = False
    t.parks("T-1")
    assert await t.look() == []
    t.takes = True
    assert len(await t.look()) == 1


async def test_settings_that_cannot_be_read_ring_nothing() -> None:
    t = Terminal()

    def broken() -> Sequence[Channel]:
        raise OSError("gone")

    t.ringing._wanted = broken
    t.parks("T-1")
    assert await t.look() == []


async def test_the_console_rings_between_two_frames_and_for_what_is_new_only(
    play: DeskPlay, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("console.tui.app.BEAT", 0.05)
    play.plan("before")  # was there when the console came
    desk = replace(play.desk(), ringers=lambda: [channel()])
    app = NightdeskApp(
        client=play.desk().new_client(), desk=desk, hosted=None, environ={"TERM": "xterm"}, now=lambda: play.now
    )
    async with app.run_test(size=(80, 24)) as pilot:
        await started(pilot)
        assert app._driver
        wrote: list[str] = []
        monkeypatch.setattr(app._driver, "write", wrote.append)
        for number in range(5):
            play.asks(play.working(f"asker-{number}"))
        await until(pilot, lambda: any("\x1b]9;" in piece for piece in wrote))
        await pilot.pause()
    rings = [piece for piece in wrote if "\x1b]9;" in piece]
    assert all(piece.startswith("\x1b]9;nightdesk: ") and piece.endswith("\a") for piece in rings)
    assert sum(piece.count("waits for an answer") for piece in rings) or "5 awaiting-input" in rings[0]
    assert not any("before" in piece for piece in rings)
    depth = 0
    for piece in wrote:
        depth += piece.count("\x1b[?2026h") - piece.count("\x1b[?2026l")
        assert not (piece in rings and depth), "a ring in the middle of a frame"


def test_a_key_is_a_sign_of_life_also_while_channels_want_to_be_quiet() -> None:
    signs = Presence()
    assert [signs.due(None, at, asked=True) for at in (0.0, 30.0, 61.0)] == [True, False, True]
    assert not signs.due(None, 500.0)
