"""The board under a pilot: trees at every size, its keys, the switch of chains, and that nothing there approves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from boardplay import Chains, board, lone
from deskplay import NOW, SINGLE, STACKED, WIDE, DeskPlay, alone, desk_of, picture, seen, toasts, until
from hostile import PAYLOADS
from queuedesk import Queue

from console.core import commands as cmd
from console.core.records_routines import Step
from console.present import keytable
from console.tui.screens.chain_verbs import Switch
from console.tui.screens.session_sheets import AskQuestion
from console.tui.verbpalette import offers
from console.tui.widgets.lines import LineView


@pytest.fixture
def queue(play: DeskPlay) -> Queue:
    return Queue(play)


@pytest.fixture
def chains(play: DeskPlay, queue: Queue) -> Chains:
    made = Chains(play, queue)
    made.on()
    queue.run()
    return made


def a_board(play: DeskPlay, chains: Chains) -> None:
    """One of everything."""
    chains.ready("T-1")
    chains.stubborn("T-2")
    chains.repairing("T-3")
    one, two = play.working("build"), play.working("check")
    chains.at_step(chains.routine("deploy"), 1, one, two)
    asking = chains.routine("rollout", Step(name="ask", title="?"), Step(name="go"))
    chains.at_step(asking, 0)
    chains.calls(asking, "Ship it to everybody?", NOW + 180)


@pytest.mark.parametrize("size", [WIDE, STACKED, SINGLE], ids=["wide", "stacked", "single"])
async def test_the_board_shows_trees_and_routines_at_every_size(
    play: DeskPlay, chains: Chains, size: tuple[int, int], golden: Callable[[Any, str], None]
) -> None:
    a_board(play, chains)
    async with board(play, size) as (pilot, shown):
        await until(pilot, lambda: "review 2 · codex" in picture(pilot))
        assert "chains on" in picture(pilot) or size == SINGLE
        await until(pilot, lambda: size == SINGLE or "It still rounds down." in picture(pilot).split("╭─ chain")[1])
        golden(pilot.app, f"board-{size[0]}x{size[1]}")
        await pilot.press("2")
        await until(pilot, lambda: "3m left" in picture(pilot) and "deploy 2 of 3: w" in picture(pilot))
        assert shown.subject.id == "routine:rt-2"


async def test_the_keys_lead_to_the_findings_to_the_session_and_to_the_plan_which_only_the_desk_approves(
    play: DeskPlay, chains: Chains
) -> None:
    plan = chains.ready("T-1")
    async with board(play) as (pilot, shown):
        await pilot.press("j", "f")
        why = shown.detail.pane("why")
        assert isinstance(why, LineView)
        await until(pilot, lambda: why.has_focus and any("See shop/cart.py:3." in line for line in why._lines))
        await pilot.press("escape", "k")
        await lone(pilot, shown, "chain:T-1")
        await pilot.press("a", "a", "r")
        await pilot.press("p")
        desk = await seen(pilot, plan)
        assert pilot.app.screen is desk and desk.subject.id == f"plan:{plan}" and not play.sent
        assert "- review by codex: SHIP" in picture(pilot)
        await alone(pilot)
        await pilot.press("a")
        await until(pilot, lambda: any(isinstance(command, cmd.Approve) for command in play.sent))
        assert "b board" in picture(pilot)
        assert {"Board", "Chains on or off"} <= {offer.name for offer in offers(desk)}
        await pilot.press("b")
        await until(pilot, lambda: "1 Chains (1)" in picture(pilot))
        await pilot.press("j", "s")
        await until(pilot, lambda: pilot.app.screen is desk and desk.subject.id == "session:s-2")
        assert desk.table("sessions").has_class("-active")


async def test_chains_are_switched_only_from_a_dialog_that_begins_on_the_refusing_answer(
    play: DeskPlay, queue: Queue
) -> None:
    async with board(play, SINGLE) as (pilot, _):
        await until(pilot, lambda: "chains are off: c switches them on" in picture(pilot))
        for refusing in ("enter", "escape"):
            await pilot.press("c")
            await until(pilot, lambda: isinstance(pilot.app.screen, Switch))
            await until(
                pilot, lambda: "Switch chains on?" in picture(pilot) and "Nothing is ever approved" in picture(pilot)
            )
            await pilot.press(refusing)
            await until(pilot, lambda: not isinstance(pilot.app.screen, Switch))
        assert not play.sent and not play.state.chains_on
        await pilot.press("c", "j", "enter")
        await until(pilot, lambda: play.state.chains_on)
        assert [type(command) for command in play.sent] == [cmd.SwitchChains]
        await until(pilot, lambda: "no chain yet" in picture(pilot))
        await pilot.press("b")
        await until(pilot, lambda: pilot.app.screen is desk_of(pilot) and "chains on" in picture(pilot))


async def test_no_finding_title_or_question_reaches_the_terminal_as_it_is(
    play: DeskPlay, queue: Queue, chains: Chains
) -> None:
    for i, evil in enumerate(PAYLOADS):
        queue.ticket(f"T-{i}", evil)
        chains.stubborn(f"T-{i}", findings=f"{evil}\n{evil}")
    routine = chains.routine(PAYLOADS[2], Step(name=PAYLOADS[0], title="?"))
    chains.at_step(routine, 0)
    chains.calls(routine, "\n".join(PAYLOADS), NOW + 180)
    async with board(play) as (pilot, _):
        for step in ("j", "f", "escape", "G", "2", "y"):
            await pilot.press(step)
            await pilot.pause()
            text = picture(pilot)
            assert all(char.isprintable() or char == "\n" for char in text)
            assert "\u202e" not in text and "\u200b" not in text
        await until(pilot, lambda: isinstance(pilot.app.screen, AskQuestion))
        assert not toasts(pilot)


async def test_a_review_that_ends_while_the_board_is_open_moves_its_row_and_not_the_selection(
    play: DeskPlay, queue: Queue, chains: Chains
) -> None:
    review = chains.spawned("review", "T-1", queue.plan("T-1"))
    chains.begun(review)
    async with board(play) as (pilot, shown):
        await until(pilot, lambda: "● working    ├ review 1" in picture(pilot))
        await pilot.press("j")
        chains.says(review, "BLOCK", "Too slow.")
        await until(pilot, lambda: "✕ BLOCK      ├ review 1 · codex · Too slow." in picture(pilot))
        assert shown.table("chains").cursor_key == f"chain:{review}" == shown.subject.id


def test_both_helps_have_the_keys() -> None:
    assert any(row.id == "board" and "reviews and repairs as trees" in row.does for row in keytable.rows("desk"))
    assert any(row.id == "chains" and row.keys == "c" for row in keytable.rows("board"))


async def test_the_board_is_filtered_by_whole_trees_and_says_what_only_the_desk_does(
    play: DeskPlay, chains: Chains
) -> None:
    a_board(play, chains)
    async with board(play) as (pilot, shown):
        await until(pilot, lambda: "T-1" in picture(pilot) and "T-3" in picture(pilot))
        await pilot.press("slash", *"t-2 review", "enter")
        await until(pilot, lambda: "(1 of 3 · /t-2 review)" in picture(pilot) and "T-1" not in picture(pilot))
        assert "no row matches the filter" in picture(pilot)  # of the routines
        rows = shown.table("chains").place[1]
        assert rows > 1 and shown.table("chains").has_focus and not shown.filtering
        for key, why in {"W": "is on the desk", "S": "chains stand as they grew", "H": "nothing is archived"}.items():
            await pilot.press(key)
            assert any(why in said for said in toasts(pilot))
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.screen is shown and "T-1" in picture(pilot))
        assert shown.table("chains").place[1] > rows
        await pilot.press("slash", *"zzz", "enter", "escape")
        await until(
            pilot, lambda: pilot.app.screen is shown and "T-1" in picture(pilot) and "zzz" not in picture(pilot)
        )
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.screen is desk_of(pilot))
