"""The keys of the desk under a pilot: what each acts on, when an approval counts, what a key says when it cannot."""

from __future__ import annotations

import time
from typing import Any

import pytest
from deskplay import ME, STACKED, DeskPlay, alone, burst, desk_of, full, picture, screen, seen, toasts, until
from textual import events
from textual.pilot import Pilot

from console.core import commands as cmd
from console.core import events as ev
from console.tui.keyguard import ALONE, SETTLE, STALE, KeyGuard
from console.tui.screens.sheets import AskText, Choose, OneLine

# -- when the approving key counts ------------------------------------------------------------------------


async def test_the_key_approves_exactly_the_plan_that_is_drawn(play: DeskPlay) -> None:
    play.plan("fix-cart")
    drawn = play.plan("fix-tax", "Raise the tax")
    async with screen(play) as (pilot, desk):
        await pilot.press("j")
        await seen(pilot, drawn)
        await pilot.press("a")
        await until(pilot, lambda: play.sent)
        assert play.sent == [cmd.Approve(policy=play.state.plans[drawn].policy, plan=drawn, by=ME)]
        await until(pilot, lambda: desk.state.plans[drawn].state == "approved")
        await alone(pilot)
        await pilot.press("a")
        await alone(pilot)
        assert len(play.sent) == 1 and "already approved" in toasts(pilot)[-1]


async def test_a_burst_approves_nothing_and_one_key_after_it_does(play: DeskPlay) -> None:
    plan = play.plan("fix-cart")
    async with screen(play) as (pilot, desk):
        await seen(pilot, plan)
        burst(pilot, "aaa")
        await until(pilot, lambda: "keys came too fast" in " ".join(toasts(pilot)))
        await alone(pilot)
        assert play.sent == [] and desk.guard.spent == ""
        await pilot.press("a")
        await until(pilot, lambda: play.sent)


async def test_a_key_right_after_the_plan_appeared_approves_nothing(play: DeskPlay) -> None:
    play.plan("fix-cart")
    second = play.plan("fix-tax", "Raise the tax")
    async with screen(play) as (pilot, desk):
        await alone(pilot)
        await pilot.press("j")
        await until(pilot, lambda: desk.guard.shown == second and time.monotonic() - desk.guard.last_key > ALONE)
        if time.monotonic() - desk.guard.since < SETTLE:  # else this machine was too slow to press in time
            await pilot.press("a")
            await alone(pilot)
            assert "only just appeared" in toasts(pilot)[-1]
        assert play.sent == []


async def test_a_paste_approves_nothing(play: DeskPlay) -> None:
    plan = play.plan("fix-cart")
    async with screen(play) as (pilot, _):
        await seen(pilot, plan)
        pilot.app.post_message(events.Paste("a"))
        await pilot.pause(ALONE * 2)
        assert play.sent == []


async def test_a_plan_that_changes_under_the_eye_wants_another_look(play: DeskPlay) -> None:
    plan = play.plan("fix-cart")
    async with screen(play) as (pilot, desk):
        await seen(pilot, plan)
        since = desk.guard.since
        play.approved(plan)
        p = play.state.plans[plan]
        play.report(ev.PlanLanding(policy=p.policy, plan=plan, ref=p.frozen.ref, old=p.frozen.ref_old))
        play.report(ev.LandingRefused(policy=p.policy, plan=plan, reason="the index is locked"))
        await until(pilot, lambda: desk.guard.since > since)
        await until(pilot, lambda: desk.state.plans[plan].state == "waiting")
        await seen(pilot, plan)
        await pilot.press("a")
        await until(pilot, lambda: play.sent)


async def test_an_approval_that_was_taken_back_can_be_given_again(play: DeskPlay) -> None:
    plan = play.plan("fix-cart")
    async with screen(play) as (pilot, desk):
        await seen(pilot, plan)
        await pilot.press("a")
        await until(pilot, lambda: desk.state.plans[plan].state == "approved")
        play.lands(plan)
        await until(pilot, lambda: desk.state.plans[plan].state == "landed")
        for _ in range(2):
            await alone(pilot)
            await pilot.press("u")
        await until(pilot, lambda: desk.state.plans[plan].state == "undoing")
        policy = play.state.plans[plan].policy
        play.report(ev.PlanRestored(policy=policy, plan=plan, was="landed"))
        await until(pilot, lambda: desk.state.plans[plan].state == "waiting")
        await seen(pilot, plan)
        await pilot.press("a")
        await until(pilot, lambda: desk.state.plans[plan].state == "approved")
        assert [type(command).__name__ for command in play.sent] == ["Approve", "Undo", "Approve"]


async def test_a_refused_approval_is_told_and_may_be_tried_again(play: DeskPlay) -> None:
    plan = play.plan("fix-cart")
    play.refuse = "the log is full"
    async with screen(play) as (pilot, desk):
        await seen(pilot, plan)
        await pilot.press("a")
        await until(pilot, lambda: "the log is full" in toasts(pilot))
        assert desk.guard.spent == ""


async def test_a_superseded_plan_cannot_be_approved_and_says_why(play: DeskPlay) -> None:
    plan = play.plan("fix-cart")
    session = play.state.plans[plan].sessions[0]
    async with screen(play) as (pilot, desk):
        await seen(pilot, plan)
        play.ask(cmd.SendPrompt(session=session, text="more", by=ME))
        play.report(ev.TurnStarted(session=session, turn=2))
        play.ends_turn(session, 2)
        await until(pilot, lambda: desk.state.plans[plan].state == "superseded")
        await alone(pilot)
        await pilot.press("a")
        assert "superseded" in toasts(pilot)[-1] and play.sent == []


NOTHING = KeyGuard()
DRAWN = KeyGuard(shown="p", since=10.0)


@pytest.mark.parametrize(
    ("guard", "now", "gap", "word"),
    [
        (NOTHING, 20.0, 9.0, "no plan is shown"),
        (DRAWN, 10.0 + SETTLE - 0.01, 9.0, "only just appeared"),
        (DRAWN, 10.0 + SETTLE, 9.0, ""),
        (DRAWN, 20.0, ALONE - 0.01, "too fast"),
        (DRAWN, 20.0, ALONE, ""),
        (KeyGuard(shown="p", since=10.0, spent="p"), 20.0, 9.0, "approved already"),
        (KeyGuard(shown="p", since=10.0, spent="other"), 20.0, 9.0, ""),
        (KeyGuard(shown="p", since=10.0, late=STALE + 0.1), 20.0, 9.0, "stood still"),
    ],
)
def test_when_a_key_counts(guard: KeyGuard, now: float, gap: float, word: str) -> None:
    said = guard.refusal(now, gap)
    assert (word in said) if word else said == ""


def test_the_guard_keeps_time_from_the_first_drawing_and_starts_anew_after_a_change() -> None:
    guard = KeyGuard()
    guard.drawn("p", 1.0)
    guard.drawn("p", 5.0)
    assert guard.since == 1.0
    guard.spent = "p"
    guard.renewed(6.0)
    assert (guard.since, guard.spent) == (6.0, "")
    guard.spent = "p"
    guard.drawn("q", 7.0)
    assert (guard.shown, guard.since, guard.spent) == ("q", 7.0, "")
    assert guard.key(8.0, 7.5) == 18.0 and guard.late == 0.5
    assert guard.key(8.05, 8.05) == pytest.approx(0.05)


# -- the other verbs --------------------------------------------------------------------------------------


async def test_reject_names_the_plan_and_u_twice_takes_it_back(play: DeskPlay) -> None:
    plan = play.plan("fix-cart")
    policy = play.state.plans[plan].policy
    async with screen(play) as (pilot, desk):
        await seen(pilot, plan)
        await pilot.press("r")
        await until(pilot, lambda: desk.state.plans[plan].state == "rejected")
        assert play.sent == [cmd.Reject(policy=policy, plan=plan, by=ME)]
        for _ in range(2):
            await alone(pilot)
            await pilot.press("u")
        await until(pilot, lambda: desk.state.plans[plan].state == "waiting")
        assert play.sent[1:] == [cmd.Undo(plan=plan, by=ME)]


@pytest.mark.parametrize("typed", ["really", "rrr", "xx", "uu", "ii", "RR", "x r a"])
async def test_a_sentence_typed_at_the_lists_does_nothing_that_cannot_be_seen(play: DeskPlay, typed: str) -> None:
    made = full(play)
    async with screen(play) as (pilot, desk):
        await pilot.press("w")
        await seen(pilot, made["plan"])
        burst(pilot, typed)
        await until(pilot, lambda: desk.guard.last_key > desk.guard.since)
        await alone(pilot)
        await pilot.pause()
        assert play.sent == []
        assert desk.state.plans[made["plan"]].state == "waiting"


async def test_a_session_is_stopped_by_the_second_press(play: DeskPlay) -> None:
    session = play.working("busy")
    async with screen(play) as (pilot, _):
        await pilot.press("2")
        await alone(pilot)
        await pilot.press("x")
        await until(pilot, lambda: toasts(pilot) == [f"press x again to stop session {session}"])
        assert play.sent == []
        await alone(pilot)
        await pilot.press("x")

        await until(pilot, lambda: play.sent == [cmd.StopSession(session=session, by=ME)])


async def test_a_question_is_answered_from_its_dialog_which_starts_on_the_answer_that_changes_nothing(
    play: DeskPlay,
) -> None:
    session = play.working("ask-me")
    play.asks(session)
    async with screen(play) as (pilot, _):
        for leave in ("enter", "escape"):
            await pilot.press("y")
            await until(pilot, lambda: isinstance(pilot.app.screen, Choose))
            await pilot.press(leave)
            await until(pilot, lambda: not isinstance(pilot.app.screen, Choose))
            assert play.sent == []
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, Choose))
        await pilot.press("j", "enter")
        await until(pilot, lambda: play.sent)
        assert play.sent == [cmd.AnswerQuestion(session=session, option="allow", question=f"q-{session}", by=ME)]


async def test_a_prompt_keeps_every_line_of_a_paste(play: DeskPlay) -> None:
    session = play.working("busy")
    async with screen(play) as (pilot, _):
        await pilot.press("2", "n")
        await until(pilot, lambda: isinstance(pilot.app.screen, AskText))
        pilot.app.screen.query_one(OneLine).post_message(events.Paste("first\nsecond"))
        await until(pilot, lambda: pilot.app.screen.query_one(OneLine).value == "first second")
        await pilot.press("enter")
        await until(pilot, lambda: play.sent == [cmd.SendPrompt(session=session, text="first second", by=ME)])


async def test_stopping_everything_asks_and_leaves_when_all_have_ended(play: DeskPlay) -> None:
    session = play.working("busy")
    async with screen(play) as (pilot, _):
        await pilot.press("Q")
        await until(pilot, lambda: isinstance(pilot.app.screen, Choose))
        await pilot.press("enter")
        assert play.sent == []
        await pilot.press("Q")
        await until(pilot, lambda: isinstance(pilot.app.screen, Choose))
        await pilot.press("j", "enter")
        everything = [cmd.StopSession(session=session, by=ME), cmd.StopSupervisor(by=ME)]

        await until(pilot, lambda: play.sent == everything)
        play.report(ev.Exited(session=session, run=1, how="exited", code=0, stopped=True))
        await until(pilot, lambda: pilot.app.return_code == 0)


# -- keys that do nothing now say why ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("go", "key", "word"),
    [
        ("2", "a", "no plan is shown"),
        ("2", "r", "no plan is drawn"),
        ("2", "R", "no policy is shown"),
        ("2", "y", "asks nothing"),
        ("2", "u", "nothing to take back"),
        ("2", "right_curly_bracket", "no diff is drawn"),
        ("2", "greater_than_sign", "no diff is drawn"),
        ("3", "R", "only a blocked policy"),
        ("3", "r", "not blocked"),
        ("3", "x", "choose a session"),
    ],
)
async def test_a_key_that_cannot_do_anything_now_says_why(play: DeskPlay, go: str, key: str, word: str) -> None:
    session = play.working("busy")
    play.attach(session)
    async with screen(play) as (pilot, desk):
        await pilot.press(go)
        await alone(pilot)
        await pilot.press(key)
        await until(pilot, lambda: word in " ".join(toasts(pilot)))
        assert play.sent == [] and pilot.app.screen is desk


async def test_w_and_i_and_n_say_why_when_there_is_nothing_for_them(play: DeskPlay) -> None:
    session = play.working("busy")
    play.ends_turn(session)
    async with screen(play) as (pilot, _):
        for keys, word in (("w", "nothing needs you"), ("2i", "runs no turn")):
            await alone(pilot)
            for key in keys:
                await pilot.press(key)
                await alone(pilot)
            await until(pilot, lambda word=word: word in " ".join(toasts(pilot)))  # type: ignore[misc]
        play.ask(cmd.StopSession(session=session, by=ME))
        play.report(ev.Exited(session=session, run=1, how="exited", code=0, stopped=True))
        await until(pilot, lambda: desk_of(pilot).state.sessions[session].phase == "exited")
        await alone(pilot)
        await pilot.press("n")
        await until(pilot, lambda: "takes no prompt" in " ".join(toasts(pilot)))
        assert play.sent == []


HELPED = (
    *(
        "a",
        "r",
        "x",
        "n",
        "w",
        "m",
        "b",
        "T",
        "s",
        "p",
        "Q",
        "z",
        "plus",
        "slash",
        "W",
        "S",
        "H",
        "comma",
        "colon",
        "ctrl+p",
    ),
    *("question_mark", "f1", "2", "tab", "shift+tab", "enter", "j", "up", "pagedown", "G", "g", "left_square_bracket"),
    *("greater_than_sign", "less_than_sign", "right_curly_bracket", "left_curly_bracket", "f", "d", "exclamation_mark"),
)
"""Keys of the help that show something on this desk; that a verb's words are true is tried in `test_verbs_tell`."""


def looks(pilot: Pilot[Any]) -> list[object]:
    """Everything that a person could notice."""
    desk = desk_of(pilot)
    shown = [strip.text for strip in pilot.app.screen._compositor.render_strips()]
    return [
        shown,
        str(pilot.app.focused),
        toasts(pilot),
        len(pilot.app.screen_stack),
        desk.detail.current.scroll_offset,
    ]


@pytest.mark.slow
@pytest.mark.parametrize("key", [key for key in HELPED])
async def test_every_key_of_the_help_does_something_that_shows(play: DeskPlay, key: str) -> None:
    made = full(play)
    async with screen(play, STACKED) as (pilot, desk):
        await pilot.press("w")
        await (seen(pilot, made["plan"]) if key == "a" else until(pilot, lambda: desk.guard.shown == made["plan"]))
        if key in ("g", "less_than_sign", "left_curly_bracket"):
            await pilot.press("enter", "G")
            await until(pilot, lambda: desk.detail.current.top_line > 0)
        await alone(pilot)
        before = looks(pilot)
        await pilot.press(key)
        await until(pilot, lambda: looks(pilot) != before or play.sent)


async def test_q_leaves_and_ctrl_l_paints_anew(play: DeskPlay, monkeypatch: pytest.MonkeyPatch) -> None:
    play.plan("fix-cart")
    async with screen(play) as (pilot, desk):
        painted: list[bool] = []
        monkeypatch.setattr(desk, "refresh", lambda *regions, layout=False, **more: painted.append(layout) or desk)
        await pilot.press("ctrl+l")
        await until(pilot, lambda: True in painted)
        monkeypatch.undo()
        await pilot.press("q")
        await until(pilot, lambda: pilot.app.return_code == 0)
        assert play.sent == []


# -- the filter -------------------------------------------------------------------------------------------


async def test_letters_typed_into_the_filter_filter_and_never_act(play: DeskPlay) -> None:
    first = play.plan("fix-cart")
    play.plan("fix-tax", "Raise the tax")
    async with screen(play) as (pilot, desk):
        await seen(pilot, first)
        await pilot.press("slash", *"tax arxquQ:?123[]")
        await pilot.press(*["backspace"] * 14)
        await until(pilot, lambda: desk.table("needs").place[1] == 1)
        assert "letters filter the list" in picture(pilot)
        assert play.sent == [] and pilot.app.screen is desk and desk.filters["needs"] == "tax"
        assert desk.state.plans[first].state == "waiting"
        await pilot.press("enter")
        await until(pilot, lambda: desk.table("needs").has_focus)
        assert "Needs you (1 of 2 · /tax)" in picture(pilot)
        await pilot.press("escape")
        await until(pilot, lambda: desk.table("needs").place[1] == 2)


async def test_esc_in_the_field_shows_everything_again(play: DeskPlay) -> None:
    play.plan("fix-cart")
    async with screen(play) as (pilot, desk):
        await pilot.press("slash", *"zzz")
        await until(pilot, lambda: desk.table("needs").place[1] == 0)
        await pilot.press("escape")
        await until(pilot, lambda: desk.table("needs").place[1] == 1 and desk.table("needs").has_focus)
        assert not desk.query_one("#filter").has_class("-open")
