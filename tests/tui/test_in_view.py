"""No key acts on what has no row on the screen, or not all of it: low windows, long lines, what lay below a dialog."""

from __future__ import annotations

import dataclasses
import time
from typing import Any

from deskplay import DIFF, WIDE, DeskPlay, alone, picture, risk, screen, seen, toasts, until
from queuedesk import Queue
from textual.pilot import Pilot

from console.core import commands as cmd
from console.engine.planfiles import PlanFiles
from console.present.diffoutline import read
from console.present.diffrecords import REMOVED
from console.present.diffwarnings import cut_lines
from console.tui.keyguard import SETTLE
from console.tui.screens.confirming import Preview
from console.tui.screens.desk import DeskScreen
from console.tui.screens.inview import CLIPPED, in_view
from console.tui.screens.sheets import Choose, Help
from console.tui.widgets.diff import LineDiff

HIDDEN = b"+x = 1" + b" " * 3000 + b"; evil()\n"
LONG = DIFF.replace(b"+    # the sum of the prices\n", HIDDEN)


async def sized(pilot: Pilot[Any], columns: int, rows: int) -> None:
    await pilot.resize_terminal(columns, rows)
    await until(pilot, lambda: tuple(pilot.app.screen.size) == (columns, rows))
    await pilot.pause()
    await pilot.pause()


async def says(pilot: Pilot[Any], key: str, words: str) -> None:
    await alone(pilot)
    await pilot.press(key)
    await until(pilot, lambda: any(words in each for each in toasts(pilot)))


async def test_the_key_lands_nothing_of_which_fewer_than_three_rows_are_on_the_screen(play: DeskPlay) -> None:
    plan = play.plan("fix-cart", assessment=risk(1))
    async with screen(play, (120, 40)) as (pilot, desk):
        desk.open_detail()
        await seen(pilot, plan)
        for size, words in (((120, 5), "the diff is not on"), ((50, 7), "only 2 rows of")):
            await sized(pilot, *size)
            assert desk.why_not_approve().startswith(words) and "a approve" not in picture(pilot)
        since = desk.guard.since
        await says(pilot, "a", "only 2 rows of the diff are on the screen: make the window higher")
        await sized(pilot, 50, 8)
        pane = desk.detail.pane("diff")
        assert isinstance(pane, LineDiff) and in_view(pane).height == 3
        assert pane.diff.kinds[pane.top_line] == REMOVED, "git's own lines would fill it: it begins at the change"
        pane.action_top()
        await pilot.pause()
        assert desk.why_not_approve().startswith("no changed line is on the screen")
        await sized(pilot, 50, 7)
        pane.show_line(pane.diff.kinds.find(REMOVED))
        await sized(pilot, 50, 8)
        assert not desk.why_not_approve() and desk.guard.since > since, "it is looked at anew"
        await until(pilot, lambda: time.monotonic() - desk.guard.since > SETTLE)
        await alone(pilot)
        await pilot.press("a")
        await until(pilot, lambda: not toasts(pilot) and "make the window" not in picture(pilot))
        assert play.sent == [] and time.monotonic() - desk.guard.since < 2, "a message lay over all of it"
        assert "!! 2 tests no longer exist" in picture(pilot) and "2 more: Why tab" in picture(pilot)
        await until(pilot, lambda: time.monotonic() - desk.guard.since > SETTLE)
        await pilot.press("a")
        await sized(pilot, 50, 6)  # before the key has stood alone
        await alone(pilot)
        assert play.sent == []
        await sized(pilot, 50, 8)
        pilot.app.clear_notifications()
        await seen(pilot, plan)
        await pilot.press("a")
        await until(pilot, lambda: [type(each) for each in play.sent] == [cmd.Approve])


async def test_what_was_drawn_below_a_dialog_is_seen_when_the_dialog_goes(play: DeskPlay) -> None:
    plan = play.plan("fix-cart")
    async with screen(play) as (pilot, desk):
        await seen(pilot, plan)
        before = desk.guard.since
        await pilot.press("question_mark")
        await until(pilot, lambda: isinstance(pilot.app.screen, Help))
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.screen is desk)
        await pilot.pause()
        assert desk.guard.since == before, "nothing has changed below it"
        await pilot.press("question_mark")
        await until(pilot, lambda: isinstance(pilot.app.screen, Help) and desk._covered > before)
        play.drifted = ("shop/cart.py",)
        desk.look_again()
        await until(pilot, lambda: desk.guard.since > before)
        below = desk.guard.since
        await pilot.press("escape")
        await until(pilot, lambda: desk.guard.since > below)


async def test_a_text_or_a_question_with_no_row_on_the_screen_is_not_released_answered_or_adopted(
    play: DeskPlay,
) -> None:
    queue = Queue(play)
    queue.ticket("P-1", held="operator", text="# Fix it\n\none\ntwo\nthree\n")
    alert = play.alerts()
    async with screen(play, (120, 40)) as (pilot, desk):
        for thing, tab, key in (("ticket:P-1", "ticket", "L"), (f"alert:{alert}", "why", "A")):
            desk.go_to(thing)
            desk.open_detail()
            await until(pilot, lambda tab=tab: desk.detail.tab == tab and not desk.unread(tab))  # type: ignore[misc]
            await sized(pilot, 120, 5)
            await says(pilot, key, "on the screen: make the window higher")
            await sized(pilot, 120, 40)
        await pilot.press("right_square_bracket")
        await says(pilot, "A", "this is what changed; press A again")
        assert desk.detail.tab == "why" and play.sent == []


async def test_a_dialog_that_is_not_all_on_the_screen_chooses_nothing(play: DeskPlay) -> None:
    found: list[str | None] = []
    async with screen(play, (120, 6)) as (pilot, _):
        lines = [f"line {i}" for i in range(9)]
        pilot.app.push_screen(Preview("What would change", lines, [("yes", "do it")]), found.append)
        await until(pilot, lambda: isinstance(pilot.app.screen, Preview) and "line 2" in picture(pilot))
        await pilot.press("j")
        await says(pilot, "enter", CLIPPED)
        assert not found
        await sized(pilot, 120, 10)
        pilot.app.clear_notifications()
        await until(pilot, lambda: "› do it" in picture(pilot) and "Esc leaves it" in picture(pilot))
        await pilot.press("enter")
        await until(pilot, lambda: found == ["yes"])


# -- lines longer than is shown ---------------------------------------------------------------------------


def test_lines_longer_than_is_shown_are_counted_whatever_they_are_made_of() -> None:
    odd = (b"-" + b"\xff" * 501, b"+" + "\u2003".encode() * 251, b"+" + b"\t" * 501 + b"x", HIDDEN[:-1])
    fits = (b"+" + b"x" * 1999, b"-" + b"\xff" * 499, b"+" + "\u00e9".encode() * 1999)
    head, _, _ = DIFF.partition(b" def total")
    diff = read(head + b"\n".join((*fits, *odd)) + b"\n")
    assert [diff.lines[i] for i in diff.cut] == list(odd)
    assert all(diff.shown(i).more for i in diff.cut)
    assert cut_lines(diff) == "4 lines are longer than is shown: e on one shows them whole (shop/cart.py)"
    assert cut_lines(read(DIFF)) == ""


async def test_a_line_longer_than_is_shown_is_said_asks_twice_and_can_be_read_whole(play: DeskPlay) -> None:
    plan = play.plan("fix-cart", diff=LONG, assessment=None)
    said = "1 line is longer than is shown: e on it shows it whole (shop/cart.py)"
    app = play.app()
    app.desk = dataclasses.replace(app.desk, files=PlanFiles(missing=lambda *_: ""))
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, DeskScreen))
        desk = pilot.app.screen
        assert isinstance(desk, DeskScreen)
        desk.open_detail()
        await seen(pilot, plan)
        assert f"!! {said}"[:60] in picture(pilot)
        assert ("a", "approve (twice)", "approve") in desk.plan_keys()
        await pilot.press("e")
        await until(pilot, lambda: isinstance(pilot.app.screen, Choose) and "long lines and all" in picture(pilot))
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.screen is desk)
        await says(pilot, "a", said)
        assert play.sent == [] and "level 1, pressed once" in picture(pilot)
        await until(pilot, lambda: desk.armed and time.monotonic() - desk.armed.since > SETTLE)
        await pilot.press("a")
        await until(pilot, lambda: play.sent)
        policy = play.state.plans[plan].policy
        assert play.sent == [cmd.Approve(policy=policy, plan=plan, by=play.sent[0].by, confirm="")]  # type: ignore[union-attr]
