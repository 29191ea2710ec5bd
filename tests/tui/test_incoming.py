"""What comes from a terminal: answers never arrive as keys (T07), a paste is one thing, real keys stay as they are."""

from __future__ import annotations

import pytest
from textual import events
from textual._ansi_sequences import ANSI_SEQUENCES_KEYS
from textual._xterm_parser import XTermParser
from textual.message import Message

from console.tui.driver import _events
from console.tui.incoming import ANSWER, GOES_ON, PASTE, Incoming
from console.tui.pasting import CameAtOnce

ANSWERS = {
    "DA1": "\x1b[?62;1;2;6;9;15;22c",
    "DA1 of screen": "\x1b[?1;2c",
    "DA2": "\x1b[>41;388;0c",
    "DA3": "\x1bP!|00000000\x1b\\",
    "DECRPM, known": "\x1b[?2026;2$y",
    "DECRPM, unknown mode": "\x1b[?9001;0$y",
    "DECRPM, two digits": "\x1b[?2027;10$y",
    "ANSI mode report": "\x1b[4;2$y",
    "OSC 4, ST": "\x1b]4;1;rgb:cdcd/0000/0000\x1b\\",
    "OSC 10, BEL": "\x1b]10;rgb:ffff/ffff/ffff\x07",
    "OSC 11, ST": "\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\",
    "OSC 11, BEL": "\x1b]11;rgb:1e1e/1e1e/2e2e\x07",
    "OSC 52": "\x1b]52;c;cXVpdA==\x1b\\",
    "CPR": "\x1b[24;80R",
    "CPR, first row": "\x1b[1;2R",
    "CPR with page": "\x1b[?24;80;1R",
    "XTVERSION": "\x1bP>|XTerm(388)\x1b\\",
    "XTGETTCAP": "\x1bP1+r5463=323536\x1b\\",
    "DECRQSS": "\x1bP1$r0m\x1b\\",
    "kitty flags": "\x1b[?1u",
    "kitty graphics": "\x1b_Gi=31;OK\x1b\\",
    "XTSMGRAPHICS": "\x1b[?1;0;256S",
    "DSR": "\x1b[0n",
    "colour scheme": "\x1b[?997;1n",
    "window size": "\x1b[8;40;120t",
    "pixels": "\x1b[4;800;1200t",
    "title": "\x1b]lxterm\x1b\\",
    "DECREQTPARM": "\x1b[2;1;1;112;112;1;0x",
    "DA1 in eight bits": "\x9b?62;1;2c",
    "unknown CSI": "\x1b[=5;7!w",
    "focus in": "\x1b[I",
    "focus out": "\x1b[O",
}


def arrive(*reads: str, apart: float = 0.01, moves: str = "jk") -> list[Message]:
    """The events of these reads, and of the time after them."""
    parser, incoming, now = XTermParser(), Incoming(lambda: moves), 100.0
    found: list[Message] = []
    for read in reads:
        now += apart
        found += _events(incoming.feed(read, now), parser)
    for later in (0.1, 0.2, ANSWER + 0.1, PASTE + 0.1):
        found += _events(incoming.idle(now + later), parser)
    return [*found, *parser.feed("")]


def keys(found: list[Message]) -> list[str]:
    return [each.key for each in found if isinstance(each, events.Key)]


@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_of_the_terminal_is_no_key_however_it_is_split(name: str) -> None:
    answer = ANSWERS[name]
    for cut in range(len(answer)):
        reads = [part for part in (answer[:cut], answer[cut:]) if part]
        found = arrive(*reads)
        assert keys(found) == [] and not any(isinstance(each, CameAtOnce | events.Paste) for each in found), (
            cut,
            found,
        )
    assert keys(arrive("j", f"{answer}", "x", apart=1)) == ["j", "x"]
    assert keys(arrive(f"j{answer}k")) == ["j", "k"], "keys beside it, in one read"
    assert keys(arrive(*answer)) == [], "every byte alone"


def test_an_answer_that_never_ends_is_dropped_and_the_keys_after_it_count() -> None:
    parser, incoming = XTermParser(), Incoming()
    assert not list(_events(incoming.feed("\x1b]11;rgb:1e1e", 10.0), parser))
    assert not list(_events(incoming.idle(10.0 + ANSWER), parser))
    assert [each.key for each in _events(incoming.feed("q", 12.0), parser)] == ["q"]  # type: ignore[attr-defined]
    long = "\x1b]52;c;" + "QUFB" * 5000
    assert keys(arrive(long[:4096], long[4096:9000], long[9000:] + "\x07", "j")) == ["j"]


def test_every_key_that_the_library_knows_is_still_the_same_key() -> None:
    for sequence in ANSI_SEQUENCES_KEYS:
        alone = XTermParser()
        plain = [*alone.feed(sequence), *alone.feed("")]
        mine = arrive(sequence)
        if (sequence.startswith("\x1b[") and sequence[-1] in "R$") or sequence == "\x9b":
            assert keys(mine) == []  # where the cursor is, how a mode is set, what begins a sequence: the same bytes
        else:
            assert keys(mine) == keys(plain), sequence
    assert keys(arrive("\x1b")) == ["escape"] and keys(arrive("\x1b", "j", apart=0.5)) != ["j"]
    assert keys(arrive("\x1bO")) == keys(arrive("\x1bO", apart=1)) == ["alt+shift+o"]
    assert keys(arrive("\x1b[97;5u")) == ["ctrl+a"] and keys(arrive("\x1b[1;5A")) == ["ctrl+up"]
    mouse = arrive("\x1b[<0;10;5M", "\x1b[<0;10;5m")
    assert [type(each).__name__ for each in mouse] == ["MouseDown", "MouseUp"]


@pytest.mark.parametrize("text", ["a", "aaa", "x\x1b[Ax", "x\x1bax", "q\x1b\x1b[200~q", "\x1b]11;x", "ab\r\ncd\x1b[20"])
def test_a_paste_is_one_thing_whatever_is_in_it_and_however_it_is_split(text: str) -> None:
    whole = f"\x1b[200~{text}\x1b[201~"
    for cut in range(len(whole)):
        found = arrive(*[part for part in (whole[:cut], whole[cut:]) if part])
        assert [each.text for each in found if isinstance(each, events.Paste)] == [text], (cut, found)
        assert keys(found) == []


def test_a_paste_that_never_ends_is_over_after_a_while() -> None:
    assert [each.text for each in arrive("\x1b[200~abc") if isinstance(each, events.Paste)] == ["abc"]


@pytest.mark.parametrize("text", ["aaa", "say a", "yes\r", "xx\r", "rm -rf .\n", "jjjk", "漢字漢字"])
def test_text_in_one_read_is_no_typing(text: str) -> None:
    found = arrive(text)
    assert keys(found) == [] and [each.text for each in found if isinstance(each, CameAtOnce)] == [text]


def test_what_follows_such_a_read_belongs_to_it_and_a_key_after_a_pause_is_a_key() -> None:
    assert keys(arrive("say ", "a", "\r", apart=GOES_ON / 2)) == []
    assert keys(arrive("say ", "a", apart=GOES_ON * 2)) == ["a"]


@pytest.mark.parametrize("text", ["jjjjjjjj", "kkkk", "2j", "a", "gg", "\x1b[A\x1b[A\x1b[A\x1b[A", "\x7f\x7f\x7f\x7f"])
def test_a_key_that_is_held_and_two_quick_keys_are_keys(text: str) -> None:
    found = arrive(text)
    assert len(keys(found)) == len(text.replace("\x1b[A", "^"))


async def test_text_outside_of_a_field_does_nothing_and_a_field_takes_it() -> None:
    from deskplay import DeskPlay, screen, toasts, until

    play = DeskPlay()
    plan = play.plan("fix-cart")
    parser = XTermParser()

    def at_once(text: str) -> CameAtOnce:
        return CameAtOnce(text, [each for each in parser.feed(text) if isinstance(each, events.Key)])

    async with screen(play) as (pilot, desk):
        for event, said in ((events.Paste("qaxQ"), "that was a paste"), (at_once("rrxxQq"), "came in one piece")):
            pilot.app.post_message(event)
            await until(pilot, lambda said=said: said in " ".join(toasts(pilot)))  # type: ignore[misc]
        await pilot.press("slash")
        await until(pilot, lambda: desk.filtering)
        pilot.app.post_message(at_once("queue a?"))
        await until(pilot, lambda: desk.query_one("#filter").value == "queue a?")  # type: ignore[attr-defined]
        assert play.sent == [] and pilot.app.screen is desk and desk.state.plans[plan].state == "waiting"


async def test_a_megabyte_that_came_at_once_is_text_of_the_field_that_has_the_focus() -> None:
    from textual.widgets import Input

    from console.tui import pasting

    short, long = "fix it", "x" * 1_000_000
    keys = [events.Key(char, char) for char in short]
    assert pasting.retold(pasting.CameAtOnce(short, keys)) == keys
    (told,) = pasting.retold(pasting.CameAtOnce(long, []))
    assert isinstance(told, events.Paste) and told.text == long
    assert pasting.takes_text(Input())
