"""The approving key by risk level: the key twice, the id typed, what disarms it, and what the findings look like."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest
from deskplay import (
    DIFF,
    FINDINGS,
    ME,
    SINGLE,
    STACKED,
    WIDE,
    DeskPlay,
    alone,
    burst,
    picture,
    risk,
    screen,
    seen,
    toasts,
    until,
)
from textual import events
from textual.pilot import Pilot

from console.core import commands as cmd
from console.core.records import Finding
from console.present.difftext import parse
from console.tui.keyguard import ALONE, SETTLE
from console.tui.screens.confirming import Typed, TypeId, wrapped
from console.tui.screens.desk import DeskScreen
from console.tui.screens.finding_verbs import place
from console.tui.widgets.diff import LineDiff
from console.tui.widgets.lines import LineView

MANY = tuple(
    Finding(kind="risk", level="medium", rule="r", text=f"fact number {i}", path="shop/cart.py", line=3)
    for i in range(40)
)
EVIL = "\x1b]52;c;ZXZpbA==\x07[@click=app.quit]x[/]\u202egnp\n!! fake: press a " + "w" * 400


async def a(pilot: Pilot[Any]) -> None:
    await alone(pilot)
    await pilot.press("a")
    await alone(pilot)


async def armed(pilot: Pilot[Any], desk: DeskScreen, plan: str) -> None:
    """The first of two presses has come, and was long enough ago."""
    await seen(pilot, plan)
    await pilot.press("a")
    await until(pilot, lambda: desk.armed and time.monotonic() - desk.armed.since > SETTLE)


async def sheet(pilot: Pilot[Any], plan: str) -> TypeId:
    await seen(pilot, plan)
    await pilot.press("a")
    await until(pilot, lambda: isinstance(pilot.app.screen, TypeId) and pilot.app.screen.query(Typed))
    await alone(pilot)
    assert isinstance(pilot.app.screen, TypeId)
    return pilot.app.screen


# -- level 2 ----------------------------------------------------------------------------------------------


async def test_level_two_lands_on_the_second_press_which_says_what_and_why(play: DeskPlay) -> None:
    plan = play.plan("fix-cart", assessment=risk(2))
    policy = play.state.plans[plan].policy
    async with screen(play) as (pilot, desk):
        await seen(pilot, plan)
        assert "level 2 · a twice lands it on fix-cart" in picture(pilot)
        await armed(pilot, desk, plan)
        (said,) = toasts(pilot)
        assert "a again to land c0ffee0000 on fix-cart (1 file +4 -3)" in said
        assert "!! 2 tests no longer exist (shop/tax.py:1)" in said and "! touches how people log in" in said
        assert play.sent == [] and "pressed once: a again within 10 s lands it on fix-cart" in picture(pilot)
        assert "a land it, second press" in picture(pilot)
        await a(pilot)
        await until(pilot, lambda: play.sent)
        assert play.sent == [cmd.Approve(policy=policy, plan=plan, by=ME, confirm=policy)]
        await until(pilot, lambda: desk.state.plans[plan].state == "approved")


async def test_two_quick_presses_do_not_land_level_two(play: DeskPlay) -> None:
    plan = play.plan("fix-cart", assessment=risk(2))
    async with screen(play) as (pilot, desk):
        await seen(pilot, plan)
        burst(pilot, "aa")
        await until(pilot, lambda: "keys came too fast" in " ".join(toasts(pilot)))
        assert desk.armed is None
        await alone(pilot)
        await pilot.press("a")
        await until(pilot, lambda: desk.armed)
        since = desk.armed.since if desk.armed else 0.0
        await pilot.pause(ALONE)
        await pilot.press("a")
        await alone(pilot)
        soon = time.monotonic() - since < SETTLE
        assert play.sent == [] or not soon, "on a machine that was too slow it was not too soon"


@pytest.mark.parametrize("how", ["tab", "subject", "list", "alert", "look", "time"])
async def test_a_first_press_counts_no_longer_when_anything_changes(play: DeskPlay, how: str) -> None:
    plan = play.plan("fix-cart", assessment=risk(2))
    other = play.plan("fix-tax", "Raise the tax", assessment=risk(2))
    async with screen(play) as (pilot, desk):
        await armed(pilot, desk, plan)
        match how:
            case "tab":
                await pilot.press("right_square_bracket")
            case "subject":
                await pilot.press("j")
                await seen(pilot, other)
            case "list":
                await pilot.press("2")
            case "alert":
                play.alerts()
            case "look":
                play.drifted = ("shop/cart.py",)
                desk.look_again()
            case "time":
                assert desk.armed
                desk.armed = desk.armed.__class__(plan, desk.armed.sight, desk.armed.since, time.monotonic())
                desk.check_armed()
        await until(pilot, lambda: desk.armed is None)
        assert "pressed once" not in picture(pilot) and not any("a again to land" in said for said in toasts(pilot))
        if how in ("tab", "subject"):
            await a(pilot)
        assert play.sent == []


async def test_level_two_comes_back_when_the_log_refuses(play: DeskPlay) -> None:
    plan = play.plan("fix-cart", assessment=risk(2))
    play.refuse = "the log is full"
    async with screen(play) as (pilot, desk):
        await armed(pilot, desk, plan)
        await a(pilot)
        await until(pilot, lambda: "the log is full" in toasts(pilot))
        assert desk.armed is None and desk.guard.spent == ""


# -- level 3 ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [WIDE, STACKED, SINGLE], ids=["wide", "stacked", "single"])
async def test_level_three_lands_only_with_the_id_typed(play: DeskPlay, size: tuple[int, int]) -> None:
    plan = play.plan("fix-cart", assessment=risk(3))
    policy = play.state.plans[plan].policy
    async with screen(play, size) as (pilot, _):
        await pilot.press("enter")
        await seen(pilot, plan)
        assert f"level 3: type {policy}" in picture(pilot)
        dialog = await sheet(pilot, plan)
        for text in ("Level 3: plan c0ffee0000 for fix-cart", "file +4 -3", "!! 2 tests no longer exist"):
            await until(pilot, lambda text=text: text in picture(pilot))  # type: ignore[misc]
        await pilot.press("enter")
        await until(pilot, lambda: "nothing was typed" in picture(pilot))
        await pilot.press(*"pol-2", "enter")
        await until(pilot, lambda: "'pol-2' is not pol-1" in picture(pilot))
        assert pilot.app.screen is dialog and play.sent == []
        await pilot.press("backspace", "1")
        await alone(pilot)
        await pilot.press("enter")
        await until(pilot, lambda: play.sent)
        assert play.sent == [cmd.Approve(policy=policy, plan=plan, by=ME, confirm=policy)]


async def test_escape_leaves_the_sheet_and_a_paste_or_a_burst_into_it_lands_nothing(play: DeskPlay) -> None:
    plan = play.plan("fix-cart", assessment=risk(3))
    async with screen(play) as (pilot, desk):
        dialog = await sheet(pilot, plan)
        dialog.query_one(Typed).post_message(events.Paste("pol-1"))
        await until(pilot, lambda: "a paste does not count here" in picture(pilot))
        assert dialog.query_one(Typed).value == ""
        for char in ("p", "o", "l", "minus", "1", "enter"):
            pilot.app.post_message(events.Key(char, "-" if char == "minus" else char if len(char) == 1 else "\r"))
        await until(pilot, lambda: "keys came too fast" in " ".join(toasts(pilot)))
        await alone(pilot)
        assert pilot.app.screen is dialog and play.sent == []
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.screen is desk)
        await alone(pilot)
        assert play.sent == []


async def test_a_plan_that_changes_behind_the_sheet_cannot_be_landed_from_it(play: DeskPlay) -> None:
    plan = play.plan("fix-cart", assessment=risk(3))
    async with screen(play) as (pilot, _):
        await sheet(pilot, plan)
        play.alerts()
        await pilot.press(*"pol-1")
        await until(pilot, lambda: play.state.seq == pilot.app.state.seq)  # type: ignore[attr-defined]
        await alone(pilot)
        await pilot.press("enter")
        await until(pilot, lambda: "has changed meanwhile" in picture(pilot))
        assert play.sent == []


@pytest.mark.parametrize("size", [WIDE, SINGLE], ids=["wide", "single"])
async def test_every_finding_can_be_read_in_the_sheet_without_leaving_the_field(
    play: DeskPlay, size: tuple[int, int]
) -> None:
    plan = play.plan("fix-cart", assessment=risk(3, *MANY, Finding(kind="risk", level="high", rule="e", text=EVIL)))
    async with screen(play, size) as (pilot, _):
        await pilot.press("enter")
        dialog = await sheet(pilot, plan)
        view = dialog.query_one(LineView)
        await until(pilot, lambda: view.count >= 41)
        seen_rows = set(picture(pilot).split("\n"))
        for _ in range(40):
            await pilot.press("pagedown")
            await pilot.pause()
            seen_rows |= set(picture(pilot).split("\n"))
        text = "\n".join(seen_rows)
        assert all(f"fact number {i} " in text for i in range(40)) and "␛]52;c;ZXZpbA==␇[@click=app.quit]" in text
        assert dialog.query_one(Typed).has_focus
        await pilot.press("up", "pageup")
        await until(pilot, lambda: view.top_line < view.max_scroll_y)


# -- the findings in the detail ---------------------------------------------------------------------------


@pytest.mark.parametrize(("size", "rows"), [(WIDE, 6), (STACKED, 3), (SINGLE, 3)], ids=["wide", "stacked", "single"])
async def test_the_gravest_findings_stand_first_and_the_rest_is_counted(
    play: DeskPlay, size: tuple[int, int], rows: int
) -> None:
    grave = Finding(kind="secret", level="high", rule="key", text=EVIL)
    plan = play.plan("fix-cart", assessment=risk(3, grave, *MANY), notes=("a note of the freezing",))
    async with screen(play, size) as (pilot, desk):
        await pilot.press("enter")
        await seen(pilot, plan)
        shown = [row for row in picture(pilot).split("\n") if re.search("│ (!!|!|-) [^ ]", row)]
        assert len(shown) == rows and "│ !! ␛]52;c;" in shown[0] and "…" in shown[0]
        assert f" {42 - rows} more: Why tab" in picture(pilot)
        why = desk.detail.pane("why")
        assert isinstance(why, LineView) and sum("fact number" in line for line in why._lines) >= 40


async def test_a_plan_with_as_many_warnings_as_fit_says_nothing_of_more(play: DeskPlay) -> None:
    plan = play.plan("fix-cart", assessment=risk(2, *MANY[:7]))
    async with screen(play) as (pilot, _):
        await seen(pilot, plan)
        assert "fact number 6" in picture(pilot) and "more: Why tab" not in picture(pilot)


async def test_f_goes_from_finding_to_finding_and_round(play: DeskPlay) -> None:
    nowhere = Finding(kind="risk", level="medium", rule="x", text="gone", path="not/there.py", line=9)
    plan = play.plan("fix-cart", assessment=risk(2, *FINDINGS, nowhere))
    async with screen(play, STACKED) as (pilot, desk):
        await seen(pilot, plan)
        view = desk.detail.query_one(LineDiff)
        assert "f next finding" in picture(pilot) or "f finding" in picture(pilot)
        await pilot.press("right_square_bracket", "f")
        await until(pilot, lambda: "finding 1 of 3: !! 2 tests no longer exist (shop/tax.py:1)" in toasts(pilot))
        assert desk.detail.tab == "diff" and view.top_line > 0
        await pilot.press("f")
        await until(pilot, lambda: "finding 2 of 3: ! touches how people log in (shop/cart.py:3)" in toasts(pilot))
        await pilot.press("f")
        await until(pilot, lambda: "that file is not in this diff" in " ".join(toasts(pilot)))
        await pilot.press("f")
        await until(pilot, lambda: "finding 1 of 3" in " ".join(toasts(pilot)))


@pytest.mark.parametrize(
    ("path", "line", "text"),
    [
        ("shop/cart.py", 3, "+    return sum(item.price for item in items)"),
        ("shop/cart.py", 10, "-    return 1"),
        ("shop/cart.py", 900, "+    return 2"),
        ("shop/tax.py", 1, "+RATE = 19"),
        ("shop/tax.py", 0, "diff --git a/shop/tax.py b/shop/tax.py"),
    ],
)
def test_where_a_finding_is_in_the_diff(path: str, line: int, text: str) -> None:
    diff = parse(DIFF)
    at = place(diff, Finding(kind="risk", level="high", rule="r", text="t", path=path, line=line))
    assert at is not None and text.encode() in diff.lines[max(0, at - 2) : at + 1]


def test_long_lines_are_wrapped_by_cells_and_lose_nothing() -> None:
    line = "!! " + "日本 word " * 30
    pieces = wrapped([line, "short"], 20)
    assert pieces[-1] == "short" and all(len(piece.encode("utf-16-le")) and len(piece) <= 20 for piece in pieces)
    assert "".join(pieces[:-1]).replace(" ", "") == line.replace(" ", "")
    assert wrapped(["x" * 50], 20) == ["x" * 20, "   " + "x" * 17, "   " + "x" * 13]


async def test_f_says_why_when_there_is_no_finding(play: DeskPlay) -> None:
    plan = play.plan("fix-cart")
    async with screen(play) as (pilot, _):
        await seen(pilot, plan)
        await pilot.press("f")
        await until(pilot, lambda: "no finding names a place in this diff" in toasts(pilot))
        await pilot.press("2")
        await pilot.press("f")
        await until(pilot, lambda: "no diff is drawn" in " ".join(toasts(pilot)))
