"""The desk under a pilot: what is shown first, what a key acts on, when it counts, what it says when it does not."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from deskplay import ME, NOW, DeskPlay, alone, burst, desk_of, seen, started, toasts, until
from textual import events
from textual.pilot import Pilot

from console.core import commands as cmd
from console.core import events as ev
from console.tui.keyguard import ALONE, SETTLE, STALE, KeyGuard
from console.tui.screens import bars, help
from console.tui.screens.desk import DeskScreen
from console.tui.screens.sheets import AskText, Choose, Help, OneLine
from console.tui.widgets.lines import LineView

WIDE, STACKED, SINGLE = (120, 40), (80, 24), (50, 20)


@pytest.fixture(autouse=True)
def utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.fixture
def play() -> DeskPlay:
    return DeskPlay()


@asynccontextmanager
async def screen(play: DeskPlay, size: tuple[int, int] = WIDE) -> AsyncIterator[tuple[Pilot[Any], DeskScreen]]:
    async with play.app().run_test(size=size, notifications=True) as pilot:
        yield pilot, await started(pilot)


def full(play: DeskPlay) -> dict[str, str]:
    """Something of everything that can need a person, and one session that needs nobody."""
    made = {"plan": play.plan("fix-cart"), "asking": play.working("ask-me")}
    play.asks(made["asking"])
    made["blocked"] = play.blocked("flaky")
    made["broke"] = play.broke_off("gone")
    made["later"] = play.plan("fix-tax", "Raise the tax")
    made["busy"] = play.working("busy")
    play.transcripts[made["asking"]] = [{"at": NOW - 60, "kind": "text", "text": "May I?"}]
    return made


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


async def test_a_transcript_that_somebody_scrolled_up_in_stays_where_it_is(play: DeskPlay) -> None:
    session = play.working("busy")
    lines = [{"at": NOW, "kind": "text", "text": f"line {i}"} for i in range(200)]
    play.transcripts[session] = lines
    async with screen(play) as (pilot, desk):
        view = desk.detail.pane("session")
        await pilot.press("2", "enter")
        await until(pilot, lambda: view.count == 200 and view.top_line > 100)
        await pilot.press("g")
        play.transcripts[session] = [*lines, {"at": NOW, "kind": "text", "text": "one more"}]
        await until(pilot, lambda: view.count == 201)
        await pilot.pause()
        assert view.top_line == 0
        await pilot.press("G")
        play.transcripts[session] = [*lines, *lines]
        await until(pilot, lambda: view.count == 400 and view.top_line > 300)


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
        await until(pilot, lambda: play.sent == [cmd.StopSession(session=session, by=ME)])
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
        ("5", "slash", "not filtered here"),
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


NAMES = {"[": "left_square_bracket", "]": "right_square_bracket", "}": "right_curly_bracket", ">": "greater_than_sign"}
NAMES |= {"{": "left_curly_bracket", "<": "less_than_sign", "/": "slash", ":": "colon", "?": "question_mark"}
NAMES |= {"1..5": "2", "Tab": "tab", "Enter": "enter", "Ctrl+P": "ctrl+p", "Ctrl+L": "ctrl+l", "F1": "f1"}
HELPED = sorted({NAMES.get(word, word) for keys, _ in help.KEYS for word in keys.split()})


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


@pytest.mark.parametrize("key", [key for key in HELPED if key not in ("ctrl+l", "q")])
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


def picture(pilot: Pilot[Any]) -> str:
    return "\n".join(strip.text.rstrip() for strip in pilot.app.screen._compositor.render_strips())


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
        await until(pilot, lambda: isinstance(pilot.app.screen, Help) and "approve: land" in picture(pilot))
        view = pilot.app.screen.query_one(LineView)
        await until(pilot, lambda: view.size.height == min(view.count, size[1] - 8))
        assert view.measure() <= view.size.width
        await pilot.press("G")
        await until(pilot, lambda: "stood still" in picture(pilot))
        await pilot.press("question_mark")
        await until(pilot, lambda: pilot.app.screen is desk)


@pytest.mark.parametrize("cells", [30, 44, 71, 200])
def test_the_help_loses_no_word_and_no_line_is_too_long(cells: int) -> None:
    lines = help.lines(cells)
    assert all(len(text) <= cells for text in lines)
    words = " ".join(lines).split()
    assert all(word in words for _, does in help.KEYS for word in does.split())


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
        (False, "", False, "! nobody supervises", bars.NEEDS),
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
