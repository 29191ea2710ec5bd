"""The morning review by keys alone: its order, the keys each kind of thing takes, skipping, undoing, what vanishes."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from deskplay import (
    ME,
    NOW,
    SINGLE,
    STACKED,
    WIDE,
    DeskPlay,
    Noting,
    alone,
    burst,
    picture,
    risk,
    screen,
    seen,
    started,
    toasts,
    until,
)
from hostile import PAYLOADS
from queuedesk import Queue, a_morning, decision, drawn, failed, review

from console.core import commands as cmd
from console.core import events as ev
from console.present import reviewing as order
from console.tui.app import NightdeskApp
from console.tui.keyguard import ALONE, SETTLE
from console.tui.screens.confirming import TypeId
from console.tui.screens.desk import DeskScreen
from console.tui.screens.review import END, Review
from console.tui.screens.sheets import AskText, Help
from console.tui.screens.walk import Walk
from console.tui.verbpalette import offers


@pytest.fixture
def queue(play: DeskPlay) -> Queue:
    return Queue(play)


# -- the order --------------------------------------------------------------------------------------------


def test_the_order_is_decisions_doubts_plans_by_level_and_what_failed(play: DeskPlay, queue: Queue) -> None:
    wanted = a_morning(play, queue)
    assert [thing.id for thing in order.things(play.state)] == wanted and len(wanted) == 12


def test_questions_and_alerts_have_their_place(play: DeskPlay, queue: Queue) -> None:
    plan, d = play.plan("fix-cart"), decision(queue)
    asking = play.working("ask-me")
    play.asks(asking)
    alert = play.alerts()
    found = [thing.id for thing in order.things(play.state)]
    assert found == [f"session:{asking}", f"decision:{d}", f"alert:{alert}", f"plan:{plan}"]


async def test_with_nothing_that_waits_m_says_so(play: DeskPlay) -> None:
    play.working("busy")
    async with screen(play) as (pilot, desk):
        await pilot.press("m")
        await until(pilot, lambda: "nothing waits for you" in " ".join(toasts(pilot)))
        assert pilot.app.screen is desk


# -- how many keys ----------------------------------------------------------------------------------------


@pytest.mark.slow
async def test_the_whole_morning_by_keys_alone_and_how_many_each_thing_takes(play: DeskPlay, queue: Queue) -> None:
    """Twelve things: 1 key a reading, 1 a plan of level 1, 2 of level 2, `a`, the id and Enter at level 3, 1 a requeue,
    2 a drop, 1 a release."""
    things = a_morning(play, queue)
    keys: dict[str, list[str]] = {}
    async with review(play) as (pilot, shown):

        async def press(*names: str) -> None:
            for name in names:
                await alone(pilot)
                keys.setdefault(shown.here, []).append(name)
                await pilot.press(name)

        for thing, what in zip(things, ("1", "2", "a", "3", "aa", "a", "3", "r", "r", "xx", "L", "L"), strict=True):
            assert shown.here == thing
            await drawn(pilot, thing)
            if what == "3":
                await press("a")
                await until(pilot, lambda: isinstance(pilot.app.screen, TypeId))
                policy = play.state.plans[thing.removeprefix("plan:")].policy
                await press(*["minus" if char == "-" else char for char in policy], "enter")
            elif what == "aa":
                await press("a")
                await until(pilot, lambda: shown.armed and time.monotonic() - shown.armed.since > SETTLE)
                await press("a")
            else:
                await press(*what)
            await until(pilot, lambda thing=thing: shown.here != thing)  # type: ignore[misc]
            if thing.startswith("plan:"):
                play.lands(thing.removeprefix("plan:"))
        await until(pilot, lambda: shown.here == END and "12 dealt with" in picture(pilot))
        counted = {thing: len(pressed) for thing, pressed in keys.items()}
        assert list(counted.values()) == [1, 1, 1, 7, 2, 1, 7, 1, 1, 2, 1, 1]
        assert "nightdesk report" in picture(pilot)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, DeskScreen))
    assert [type(command).__name__ for command in play.sent] == [
        *("AnswerDecision", "AnswerDecision", "Approve", "Approve", "Approve", "Approve", "Approve"),
        *("RequeueTicket", "RequeueTicket", "DropTicket", "ReleaseTicket", "ReleaseTicket"),
    ]
    assert play.sent[0] == cmd.AnswerDecision(decision=things[0].partition(":")[2], by=ME, choice=1)
    assert not order.things(play.state)


async def test_an_answer_in_words_takes_t_the_words_and_enter(play: DeskPlay, queue: Queue) -> None:
    d = decision(queue)
    async with review(play) as (pilot, shown):
        await drawn(pilot, f"decision:{d}")
        for key in ("t", "enter"):  # both open the field
            await pilot.press(key)
            await until(pilot, lambda: isinstance(pilot.app.screen, AskText))
            await pilot.press("escape")
            await until(pilot, lambda: pilot.app.screen is shown)
        await pilot.press("t", *"up", "enter")
        await until(pilot, lambda: play.sent == [cmd.AnswerDecision(decision=d, by=ME, text="up")])
        await until(pilot, lambda: shown.here == END)


# -- skip, undo, leave ------------------------------------------------------------------------------------


async def test_what_is_skipped_comes_again_at_the_end_and_then_stays(play: DeskPlay, queue: Queue) -> None:
    first, second = decision(queue, "T-1"), decision(queue, "T-2")
    things = [f"decision:{second}", f"decision:{first}"]
    async with review(play) as (pilot, shown):
        assert "1 of 2" in picture(pilot)
        for thing, key in ((things[0], "space"), (things[1], "n")):
            await drawn(pilot, thing)
            await pilot.press(key)
        await until(pilot, lambda: shown.here == things[0] and "skipped before" in picture(pilot))
        for thing in things:
            await drawn(pilot, thing)
            await pilot.press("space")
        await until(pilot, lambda: shown.here == END)
        assert "0 dealt with, 2 left" in picture(pilot) and "○ skipped: T-2: Which way for T-2?" in picture(pilot)
        assert play.sent == []


async def test_u_takes_back_the_last_thing_with_one_key_and_shows_it_again(play: DeskPlay, queue: Queue) -> None:
    d, plan = decision(queue), queue.plan("P-1")
    async with review(play) as (pilot, shown):
        await drawn(pilot, f"decision:{d}")
        await pilot.press("1")
        await drawn(pilot, f"plan:{plan}")
        await pilot.press("u")
        await until(pilot, lambda: shown.here == f"decision:{d}" and shown.state.decisions[d].state == "open")
        await drawn(pilot, f"decision:{d}")
        assert "1 of 2" in picture(pilot)
        await pilot.press("2")
        await drawn(pilot, f"plan:{plan}")
        await pilot.press("a")
        await until(pilot, lambda: shown.here == END)
        await alone(pilot)
        await pilot.press("u")
        await until(pilot, lambda: "is landing just now" in " ".join(toasts(pilot)))
        play.lands(plan)
        await until(pilot, lambda: shown.state.plans[plan].state == "landed")
        await alone(pilot)
        await pilot.press("u")
        await until(pilot, lambda: shown.here == f"plan:{plan}" and play.state.plans[plan].state == "undoing")
        play.report(ev.PlanRestored(policy=play.state.plans[plan].policy, plan=plan, was="landed"))
        await drawn(pilot, f"plan:{plan}")
        await pilot.press("r")
        await until(pilot, lambda: shown.here == END and shown.state.plans[plan].state == "rejected")
        names = [type(command).__name__ for command in play.sent]
        assert names == ["AnswerDecision", "ReopenDecision", "AnswerDecision", "Approve", "Undo", "Reject"]


async def test_u_takes_a_skip_back_and_says_what_it_cannot(play: DeskPlay, queue: Queue) -> None:
    d = decision(queue)
    failed(queue, "F-1")
    async with review(play) as (pilot, shown):
        await drawn(pilot, f"decision:{d}")
        await pilot.press("u")
        await until(pilot, lambda: "nothing has been done here yet" in toasts(pilot))
        await alone(pilot)
        await pilot.press("space")
        await drawn(pilot, "ticket:F-1")
        await pilot.press("u")
        await until(pilot, lambda: shown.here == f"decision:{d}")
        await drawn(pilot, f"decision:{d}")
        await pilot.press("space")
        await drawn(pilot, "ticket:F-1")
        await pilot.press("r")
        await drawn(pilot, f"decision:{d}")
        await pilot.press("u")
        await until(pilot, lambda: "cannot be taken back here (queued again" in " ".join(toasts(pilot)))


@pytest.mark.parametrize("key", ["q", "escape"])
async def test_leaving_the_review_leaves_the_program_running(play: DeskPlay, queue: Queue, key: str) -> None:
    decision(queue)
    async with review(play) as (pilot, _):
        await pilot.press(key)
        await until(pilot, lambda: isinstance(pilot.app.screen, DeskScreen))
        assert pilot.app.return_code is None and play.sent == []


# -- what changes meanwhile -------------------------------------------------------------------------------


async def test_what_was_answered_elsewhere_is_said_and_stays_until_a_key(play: DeskPlay, queue: Queue) -> None:
    d, plan = decision(queue), queue.plan("P-1")
    async with review(play) as (pilot, shown):
        await drawn(pilot, f"decision:{d}")
        play.fold(ev.DecisionAnswered(decision=d, ticket="T-1", by=ME, choice=2))
        await until(pilot, lambda: f"! {d} was answered by ada: Right; space goes on" in picture(pilot))
        assert shown.here == f"decision:{d}" and "1-2 choose" not in picture(pilot).splitlines()[-1]
        await drawn(pilot, f"decision:{d}")
        await pilot.press("1")
        await alone(pilot)
        assert play.sent == []
        await pilot.press("space")
        await drawn(pilot, f"plan:{plan}")
        await pilot.press("a")
        await until(pilot, lambda: shown.here == END and "1 dealt with, 0 left, 1 settled elsewhere" in picture(pilot))


async def test_a_plan_that_is_superseded_is_said_and_its_successor_comes_later(play: DeskPlay, queue: Queue) -> None:
    plan = play.plan("fix-cart")
    session = play.state.plans[plan].sessions[0]
    async with review(play) as (pilot, shown):
        await drawn(pilot, f"plan:{plan}")
        play.ask(cmd.SendPrompt(session=session, text="more", by=ME))
        play.report(ev.TurnStarted(session=session, turn=2))
        play.ends_turn(session, 2)
        fresh = play.judged_green(play.state.plans[plan].policy, "Fix the cart better", "fix-cart")
        await until(pilot, lambda: "is superseded" in picture(pilot) and "space goes on" in picture(pilot))
        await alone(pilot)
        await pilot.press("a")
        await alone(pilot)
        assert play.sent == [] and shown.here == f"plan:{plan}"
        await until(pilot, lambda: not shown.too_soon())
        await pilot.press("space")
        await drawn(pilot, f"plan:{fresh}")


async def test_what_comes_while_the_end_is_shown_waits_for_a_key(play: DeskPlay, queue: Queue) -> None:
    d = decision(queue)
    async with review(play) as (pilot, shown):
        await drawn(pilot, f"decision:{d}")
        await pilot.press("1")
        await until(pilot, lambda: shown.here == END)
        plan = queue.plan("P-1")
        await until(pilot, lambda: "1 more came meanwhile: space shows" in picture(pilot))
        assert shown.here == END
        await pilot.press("space")
        await drawn(pilot, f"plan:{plan}")


async def test_no_key_counts_right_after_the_next_thing_appeared(play: DeskPlay, queue: Queue) -> None:
    first, second = decision(queue, "T-1"), decision(queue, "T-2")
    async with review(play) as (pilot, shown):
        await drawn(pilot, f"decision:{second}")
        await pilot.press("1")
        await until(pilot, lambda: shown.here == f"decision:{first}")
        await until(pilot, lambda: time.monotonic() - shown.guard.last_key > ALONE)
        if shown.too_soon():  # else this machine was too slow to press in time
            for key in ("1", "space"):
                await pilot.press(key)
                assert "only just appeared" in toasts(pilot)[-1] or not shown.too_soon()
        await alone(pilot)
        assert len(play.sent) == 1 and shown.here == f"decision:{first}"


async def test_a_burst_decides_nothing_here_either(play: DeskPlay, queue: Queue) -> None:
    d = decision(queue)
    async with review(play) as (pilot, shown):
        await drawn(pilot, f"decision:{d}")
        burst(pilot, "1a1rxu")
        await until(pilot, lambda: "keys came too fast" in " ".join(toasts(pilot)))
        await alone(pilot)
        assert play.sent == [] and shown.here == f"decision:{d}"


async def test_a_refused_command_stays_at_its_thing_and_says_why(play: DeskPlay, queue: Queue) -> None:
    d = decision(queue)
    play.refuse = "the log is full"
    async with review(play) as (pilot, shown):
        await drawn(pilot, f"decision:{d}")
        await pilot.press("1")
        await until(pilot, lambda: "the log is full" in toasts(pilot))
        assert shown.here == f"decision:{d}" and shown.waits


async def test_a_plan_whose_base_has_not_landed_says_which_comes_first(play: DeskPlay, queue: Queue) -> None:
    low = queue.plan("P-1", assessment=risk(1))
    top = queue.plan("P-2", stacked_on=(low,))
    async with review(play) as (pilot, _):
        await drawn(pilot, f"plan:{low}")
        await pilot.press("space")
        await drawn(pilot, f"plan:{top}")
        assert f"its work starts from plan {low[:10]} for nightdesk/P-1: that one lands first" in picture(pilot)
        await pilot.press("a")
        await until(pilot, lambda: "has to land first" in " ".join(toasts(pilot)))
        assert play.sent == []


async def test_a_plan_whose_base_is_void_says_that_it_never_lands_and_offers_no_approval(
    play: DeskPlay, queue: Queue
) -> None:
    low = queue.plan("P-1", assessment=risk(1))
    top = queue.plan("P-2", stacked_on=(low,))
    play.fold(ev.PlanVoided(policy=play.state.plans[low].policy, plan=low, reason="its tree moved"))
    async with review(play) as (pilot, shown):
        await drawn(pilot, f"plan:{top}")
        assert "it can never land: its work starts from plan" in picture(pilot)
        assert "a" not in [key for key, *_ in shown.keys_here()]
        await pilot.press("a")
        await until(pilot, lambda: "queue its ticket again" in " ".join(toasts(pilot)))
        assert play.sent == []


async def test_the_palette_has_the_verbs_of_what_is_seen(play: DeskPlay, queue: Queue) -> None:
    decision(queue)
    async with screen(play) as (pilot, desk):
        names = {offer.name for offer in offers(desk)}
        assert {"Morning review", "Start a run", "Pause or resume the run", "Release a held ticket"} <= names
        await pilot.press("m")
        await until(pilot, lambda: pilot.app.screen is not desk)
        shown = pilot.app.screen
        assert isinstance(shown, Review)
        assert "Skip, go on" in (names := {offer.name for offer in offers(shown)}) and "Start a run" not in names
        assert any(each.title.startswith("Theme: ") for each in pilot.app.get_system_commands(shown))


async def test_after_the_review_a_plan_has_to_be_seen_anew_on_the_desk(play: DeskPlay) -> None:
    plan = play.plan("fix-cart")
    async with screen(play) as (pilot, desk):
        await seen(pilot, plan)
        await pilot.press("m")
        await until(pilot, lambda: pilot.app.screen is not desk)
        await drawn(pilot, f"plan:{plan}")
        since = desk.guard.since
        await pilot.press("q")
        await until(pilot, lambda: pilot.app.screen is desk and desk.guard.shown == plan)
        assert desk.guard.since > since
        await seen(pilot, plan)
        await pilot.press("a")
        await until(pilot, lambda: [type(command) for command in play.sent] == [cmd.Approve])


async def test_without_colour_every_state_is_a_glyph_and_a_word(play: DeskPlay, queue: Queue) -> None:
    a_morning(play, queue)
    app = NightdeskApp(client=Noting(play), desk=play.desk(), hosted=None, environ={"NO_COLOR": ""}, now=lambda: NOW)
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        desk = await started(pilot)
        assert app.theme == "mono"
        for said in ("? decide", "! look", "◐ plan", "✕ failed", "⊘ blocked"):
            await until(pilot, lambda said=said: said in picture(pilot))  # type: ignore[misc]
        await pilot.press("m")
        await until(pilot, lambda: pilot.app.screen is not desk and "1 of 12" in picture(pilot))
        await until(pilot, lambda: "? you decide" in picture(pilot))


# -- looks ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [WIDE, STACKED, SINGLE], ids=["wide", "stacked", "single"])
async def test_the_review_looks_like_its_picture(
    play: DeskPlay, queue: Queue, size: tuple[int, int], golden: Callable[[Any, str], None]
) -> None:
    things = a_morning(play, queue)
    async with review(play, size) as (pilot, _):
        await drawn(pilot, things[0])
        golden(pilot.app, f"review-{size[0]}x{size[1]}")
        await pilot.press("space")
        await drawn(pilot, things[1])
        await pilot.press("space")
        await drawn(pilot, things[2])
        golden(pilot.app, f"review-plan-{size[0]}x{size[1]}")


async def test_hostile_questions_and_readings_are_only_text_here(play: DeskPlay, queue: Queue) -> None:
    for i, evil in enumerate(PAYLOADS):
        queue.ticket(f"T-{i}", evil, evil)
        queue.parks(f"T-{i}", evil, evil, evidence=(evil,), why=evil)
    async with review(play, SINGLE) as (pilot, shown):
        for _ in range(len(PAYLOADS)):
            text = picture(pilot)
            assert all(char.isprintable() or char == "\n" for char in text) and "\u202e" not in text
            here = shown.here
            await until(pilot, lambda: not shown.too_soon())
            await pilot.press("space")
            await until(pilot, lambda here=here: shown.here != here)  # type: ignore[misc]


async def test_the_review_has_a_help_of_its_own(play: DeskPlay, queue: Queue) -> None:
    decision(queue)
    async with review(play) as (pilot, shown):
        await pilot.press("question_mark")
        await until(pilot, lambda: isinstance(pilot.app.screen, Help) and "skip: it comes again" in picture(pilot))
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.screen is shown)


# -- the walk ---------------------------------------------------------------------------------------------


def test_the_walk_counts_what_is_behind_and_what_there_is() -> None:
    walk = Walk(["a", "b", "c"])
    assert walk.place("a") == (1, 3)
    walk.skip("a", "A")
    assert walk.next == "b" and walk.place("b") == (2, 3)
    walk.vanish("c", "gone")
    assert walk.place("b") == (3, 3)
    walk.come(["b", "d"])
    assert walk.todo == ["b", "d"] and walk.total == 4
    walk.skip("b", "B")
    walk.skip("d", "D")
    assert walk.next == "a" and walk.again == ["a", "b", "d"]
    walk.skip("a", "A")
    assert walk.left == ["a"] and walk.next == "b"
    walk.back(walk.deeds[-1])
    assert walk.next == "a" and walk.left == []
