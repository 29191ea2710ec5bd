"""What the desk shows under a pilot: what is first, what stays selected, what every size looks like, the two bars."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from deskplay import NOW, SINGLE, STACKED, WIDE, DeskPlay, alone, full, picture, screen, seen, toasts, until

from console.core import events as ev
from console.present import keytable
from console.tui.screens import bars, help
from console.tui.screens.sheets import Choose, Help
from console.tui.widgets.lines import LineView

# -- what is shown ----------------------------------------------------------------------------------------


async def test_what_needs_a_person_is_listed_worst_first_and_the_first_is_open(play: DeskPlay) -> None:
    made = full(play)
    async with screen(play) as (_, desk):
        assert [item.id for item in desk.needs] == [
            f"session:{made['asking']}",
            f"plan:{made['plan']}",
            f"plan:{made['later']}",
            f"policy:{made['blocked']}",
            f"session:{made['broke']}",
        ]
        assert desk.subject.id == f"session:{made['asking']}"


async def test_the_selection_and_what_is_shown_stay_when_something_worse_comes_in_above(play: DeskPlay) -> None:
    plan, busy = play.plan("fix-cart"), play.working("busy")
    async with screen(play) as (pilot, desk):
        await seen(pilot, plan)
        play.asks(busy)
        await until(pilot, lambda: [item.kind for item in desk.needs] == ["session", "plan"])
        assert desk.table("needs").cursor_key == f"plan:{plan}" == desk.subject.id
        assert desk.table("needs").place == (2, 2)


async def test_a_plan_that_landed_leaves_the_list_but_stays_in_view_and_w_goes_to_the_next(play: DeskPlay) -> None:
    first, second = play.plan("fix-cart"), play.plan("fix-tax", "Raise the tax")
    async with screen(play) as (pilot, desk):
        await seen(pilot, first)
        play.approved(first)
        play.lands(first)
        await until(pilot, lambda: desk.state.plans[first].state == "landed" and len(desk.needs) == 1)
        assert desk.table("needs").cursor_key is None and desk.subject.id == f"plan:{first}"
        await pilot.press("w")
        assert desk.subject.id == f"plan:{second}"
        await pilot.press("w")
        assert desk.subject.id == f"plan:{second}", "the only thing that waits is its own next"


async def test_enter_on_a_policy_opens_its_waiting_plan_and_on_a_log_line_what_the_line_is_about(
    play: DeskPlay,
) -> None:
    plan = play.plan("fix-cart")
    policy = play.state.plans[plan].policy
    async with screen(play) as (pilot, desk):
        await pilot.press("3")
        await until(pilot, lambda: desk.subject.id == f"policy:{policy}")
        await pilot.press("enter")
        await until(pilot, lambda: desk.subject.id == f"plan:{plan}")
        await pilot.press("5")
        await until(pilot, lambda: desk.table("log").has_focus and desk.table("log").place[0] == play.state.seq)
        await pilot.press("enter")
        await until(pilot, lambda: desk.subject.id in (f"policy:{policy}", f"plan:{plan}"))


async def test_a_log_that_grows_by_more_than_a_page_at_once_is_drawn_whole(play: DeskPlay) -> None:
    trouble = ev.SupervisorTrouble(effect="x", error="y", tries=0)
    play.report(*[trouble] * 150)
    async with screen(play, (120, 40)) as (pilot, desk):
        log = desk.table("log")
        await pilot.press("5", "g")
        await until(pilot, lambda: log.has_focus and log.place[0] == 1)
        play.report(*[trouble] * 300)
        await until(pilot, lambda: desk.state.seq == play.state.seq)
        await pilot.press("G")
        await until(pilot, lambda: log.place[0] == play.state.seq)
        while log.place[0] > 140:  # through the page that was not full when it was first drawn
            await pilot.press("pageup")
        assert log.place[0] > 100


async def test_a_transcript_that_somebody_scrolled_up_in_stays_where_it_is(play: DeskPlay) -> None:
    session = play.working("busy")
    lines = [{"at": NOW, "kind": "text", "text": f"line {i}\n"} for i in range(200)]
    play.transcripts[session] = lines
    async with screen(play) as (pilot, desk):
        view = desk.detail.pane("session")
        await pilot.press("2", "enter")
        await until(pilot, lambda: view.count == 200 and view.top_line > 100)
        await pilot.press("g")
        play.transcripts[session] = [*lines, {"at": NOW, "kind": "text", "text": "one more\n"}]
        await until(pilot, lambda: view.count == 201)
        await pilot.pause()
        assert view.top_line == 0
        await pilot.press("G")
        play.transcripts[session] = [*lines, *lines]
        await until(pilot, lambda: view.count == 400 and view.top_line > 300)


# -- sizes ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("size", "looks"), [(WIDE, ()), (STACKED, ("-stacked",)), (SINGLE, ("-single",))])
async def test_every_size_shows_the_lists_the_thing_and_the_log(
    play: DeskPlay, size: tuple[int, int], looks: tuple[str, ...]
) -> None:
    full(play)
    async with screen(play, size) as (pilot, desk):
        assert [name for name in ("-stacked", "-single") if desk.has_class(name)] == list(looks)
        for key, name in zip("12345", ("needs", "sessions", "policies", "tickets", "log"), strict=True):
            await pilot.press(key)
            await until(pilot, lambda name=name: desk.table(name).has_focus and desk.table(name).region.area)  # type: ignore[misc]
        await pilot.press("2", "enter")
        await until(pilot, lambda: desk.detail.region.area and isinstance(pilot.app.screen, Choose))
        await pilot.press("escape")
        await until(pilot, lambda: desk.detail.has_focus_within)
        await pilot.press("escape")
        await until(pilot, lambda: desk.table("sessions").has_focus)


async def test_where_only_the_list_is_seen_no_plan_can_be_approved(play: DeskPlay) -> None:
    plan = play.plan("fix-cart")
    async with screen(play, SINGLE) as (pilot, desk):
        assert "a approve" not in picture(pilot) and "Enter open" in picture(pilot)
        await alone(pilot)
        await pilot.press("a")
        assert "no plan is shown" in toasts(pilot)[-1]
        await pilot.press("enter")
        await seen(pilot, plan)
        assert "a approve  r reject  w next" in picture(pilot)
        await pilot.press("backspace")
        await until(pilot, lambda: desk.detail_hidden)
        await alone(pilot)
        await pilot.press("a")
        await alone(pilot)
        assert play.sent == [] and desk.guard.shown == ""
        await pilot.press("enter")
        await seen(pilot, plan)
        await pilot.press("a")
        await until(pilot, lambda: play.sent)


async def test_a_storm_of_sizes_keeps_focus_and_subject_and_hides_no_key(play: DeskPlay) -> None:
    plan = play.plan("fix-cart")
    async with screen(play) as (pilot, desk):
        await seen(pilot, plan)
        for size in [(80, 24), (200, 50), (20, 5), (1, 1), (50, 20), (120, 40)] * 3:
            await pilot.resize_terminal(*size)
        await until(pilot, lambda: desk.size.width == 120 and desk.detail.region.area)
        assert desk.table("needs").has_focus and desk.subject.id == f"plan:{plan}"
        await seen(pilot, plan)
        await pilot.press("a")
        await until(pilot, lambda: play.sent)


@pytest.mark.parametrize("size", [WIDE, STACKED, SINGLE], ids=["wide", "stacked", "single"])
async def test_the_desk_looks_like_its_picture(
    play: DeskPlay, size: tuple[int, int], golden: Callable[[Any, str], None]
) -> None:
    made = full(play)
    async with screen(play, size) as (pilot, desk):
        await until(pilot, lambda: "May I?" in picture(pilot) or size == SINGLE)
        golden(pilot.app, f"desk-{size[0]}x{size[1]}")
        await pilot.press("w")
        await seen(pilot, made["plan"])
        await until(pilot, lambda: desk.detail.pane("diff").count)
        golden(pilot.app, f"plan-{size[0]}x{size[1]}")


@pytest.mark.parametrize("size", [WIDE, SINGLE], ids=["wide", "single"])
async def test_the_help_can_be_read_to_its_end_at_every_size(play: DeskPlay, size: tuple[int, int]) -> None:
    async with screen(play, size) as (pilot, desk):
        await pilot.press("question_mark")
        await until(pilot, lambda: isinstance(pilot.app.screen, Help) and "Keys: desk" in picture(pilot))
        view = pilot.app.screen.query_one(LineView)
        await until(pilot, lambda: view.size.height == min(view.count, size[1] - 8))
        assert view.measure() <= view.size.width
        await pilot.press("G")
        await until(pilot, lambda: "stood still" in picture(pilot))
        await pilot.press("question_mark")
        await until(pilot, lambda: pilot.app.screen is desk)


@pytest.mark.parametrize("cells", [30, 44, 71, 200])
def test_the_help_loses_no_word_and_no_line_is_too_long(cells: int) -> None:
    listed = [help.Entry(row, "because" if row.id == "undo" else "") for row in keytable.rows("desk")]
    lines = [*help.lines(listed, cells), *help.notes("a tier in a sentence", cells)]
    assert all(len(text) <= cells for text in lines)
    words = " ".join(lines).split()
    assert all(word in words for each in listed if not each.why for word in each.row.does.split())
    assert lines.index("-- Not now --") > lines.index("-- Console --")


# -- the two bars -----------------------------------------------------------------------------------------


def line(parts: list[bars.Part]) -> str:
    return "".join(text for text, _ in parts)


def test_the_header_says_who_needs_whom_first_and_is_exactly_as_wide_as_asked(play: DeskPlay) -> None:
    full(play)
    from console.present import attention

    facts = bars.facts(play.state, attention.needs(play.state))
    assert [text for text, _ in facts] == [
        "◐ 2 wait for you",
        "? 1 asks",
        "⊘ 1 blocked",
        "✕ 1 broke off",
        "● 1 working",
    ]
    for cells in (120, 80, 50, 30, 12):
        shown = line(bars.header("shop", facts, ("supervising here", bars.QUIET), "06:12", cells))
        assert len(shown) == cells and shown.startswith("shop   ◐ 2 wait for you" if cells > 12 else "shop"), shown
        assert shown.endswith(" 06:12")
    assert [text for text, _ in bars.facts(DeskPlay().state, [])] == ["✓ nothing needs you"]


@pytest.mark.parametrize(
    ("hosted", "failed", "running", "text", "style"),
    [
        (True, "disk\x1b full", True, "! SUPERVISOR FAILED: disk␛ full", bars.BROKE),
        (True, "", True, "supervising here", bars.QUIET),
        (False, "", False, "idle: nobody supervises, nothing waits for one", bars.QUIET),
        (False, "", True, "attached", bars.QUIET),
    ],
)
def test_who_supervises(hosted: bool, failed: str, running: bool, text: str, style: str) -> None:
    who = bars.holder(DeskPlay().state, hosted=hosted, failed=failed, running=running)
    assert who == (text, style)
    shown = line(bars.header("shop", [("◐ 2 wait for you", bars.NEEDS)], who, "06:12", 80))
    assert (shown.index(text) < shown.index("◐")) is (style != bars.QUIET), "what is wrong comes first"


def test_the_footer_drops_the_least_important_keys_and_never_half_a_key() -> None:
    keys = [
        ("a", "approve", "approve"),
        ("w", "next waiting", "next"),
        ("?", "help", "help"),
        ("q", "leave it", "leave"),
    ]
    assert bars.footer(keys, 80) == "a approve  w next waiting  ? help  q leave it"
    assert bars.footer(keys, 44) == "a approve  w next  ? help  q leave"
    assert bars.footer(keys, 30) == "a approve  w next  ? help"
    assert bars.footer(keys, 3) == ""
