"""Undo of everything that can be undone, with the reason where it cannot; and what holds a deciding key back."""

from __future__ import annotations

import dataclasses
import time
from types import SimpleNamespace

import msgspec
import pytest
from deskplay import ME, DeskPlay, alone, burst, full, picture, screen, toasts, until
from queuedesk import Queue, decision, drawn, ready, review

from console.core import commands as cmd
from console.core import events as ev
from console.core.records_chains import Review
from console.core.state import State
from console.engine.planfiles import PlanFiles
from console.present import board, conditions, keytable, landings, queueing
from console.tui.keyguard import ALONE, STALE
from console.tui.screens import queue_faces
from console.tui.screens.ticket_verbs import TicketVerbs
from console.tui.screens.undoing import Dropped, not_undoable, not_undroppable


def phase(play: DeskPlay, ticket: str) -> str:
    return play.state.tickets[ticket].phase


async def test_a_drop_is_taken_back_on_the_desk_and_the_ticket_is_queued_as_it_was(play: DeskPlay) -> None:
    Queue(play).ticket("T-1")
    before = play.state.tickets["T-1"]
    async with screen(play) as (pilot, desk):
        await pilot.press("4")
        await ready(pilot, desk, "ticket:T-1")
        for _ in range(2):
            await pilot.press("x")
            await alone(pilot)
        await until(pilot, lambda: phase(play, "T-1") == "dropped" and "u takes that back" in toasts(pilot)[-1])
        await until(pilot, lambda: desk.state.tickets["T-1"].phase == "dropped" and not desk.why_not("undo"))
        await pilot.press("u")
        await until(pilot, lambda: phase(play, "T-1") == "queued")
        after = play.state.tickets["T-1"]
        assert (after.held, after.outcome, after.answers, after.order) == (
            before.held,
            before.outcome,
            before.answers,
            before.order,
        )
        assert [type(each) for each in play.sent] == [cmd.DropTicket, cmd.RequeueTicket]
        await until(pilot, lambda: desk.state.tickets["T-1"].phase == "queued")
        assert "no drop to take back" in desk.why_not("undo")


async def test_a_drop_of_the_review_is_taken_back_there_or_says_why_not(play: DeskPlay) -> None:
    queue = Queue(play)
    decision(queue, "D-1")
    queue.ticket("H-1", held="an agent could have put it there")
    async with review(play) as (pilot, shown):
        await drawn(pilot, shown.here)
        await pilot.press("space")
        await until(pilot, lambda: shown.here == "ticket:H-1")
        await drawn(pilot, "ticket:H-1")
        for _ in range(2):
            await pilot.press("x")
            await until(pilot, lambda: time.monotonic() - shown.guard.last_key > ALONE * 1.5)
        await until(pilot, lambda: phase(play, "H-1") == "dropped" and len(shown.walk.deeds) > 1)
        assert "was held, and a drop ends that" in shown.why_not("undo")
        await pilot.press("u")
        await until(pilot, lambda: any("was held" in toast for toast in toasts(pilot)))
        assert phase(play, "H-1") == "dropped"


async def test_the_last_thing_is_taken_back_when_what_is_shown_has_nothing(play: DeskPlay) -> None:
    plan = play.plan("fix-cart")
    busy = play.working("busy")
    async with screen(play) as (pilot, desk):
        assert "nothing to take back" in desk.why_not("undo")
        play.ask(cmd.Reject(policy=play.state.plans[plan].policy, plan=plan, by=ME))
        desk.deeds = (cmd.Reject(policy=play.state.plans[plan].policy, plan=plan, by=ME),)
        await until(pilot, lambda: desk.state.plans[plan].state == "rejected")
        desk.look_at(f"session:{busy}")
        for _ in range(2):
            await alone(pilot)
            await pilot.press("u")
        await until(pilot, lambda: desk.state.plans[plan].state == "waiting")
        assert play.sent == [cmd.Undo(plan=plan, by=ME)]


def dropped(play: DeskPlay, name: str) -> tuple[State, Dropped]:
    state = play.state
    run = next(reversed(state.runs.values()), None)
    known = Dropped(state.tickets[name], run.run if run else "", run.claimed if run else ())
    play.ask(cmd.DropTicket(ticket=name, by=ME))
    return play.state, known


def test_what_cannot_be_put_back_as_it_was_says_why_and_how_to_go_on(play: DeskPlay) -> None:
    queue = Queue(play)
    for name, held in (("free", ""), ("held", "who knows"), ("other", "")):
        queue.ticket(name, held=held)
    state, known = dropped(play, "free")
    assert not_undoable(state, known) == ""
    queue.run()
    queue.begun("other")
    assert "has claimed other in its place; r queues free" in not_undoable(play.state, known)
    state, known = dropped(play, "held")
    assert "without the hold" in not_undoable(state, known)
    queue.ends("other", "FAILED_BUG_IN_AGENT", "twice the same")
    assert "had ended (FAILED_BUG_IN_AGENT)" in not_undroppable(play.state.tickets["other"])
    play.ask(cmd.RequeueTicket(ticket="free", by=ME))
    assert "no drop to take back" in not_undoable(play.state, Dropped(play.state.tickets["free"], "", ()))
    plan = play.plan("fix-cart")
    assert "is waiting; there is nothing" in not_undoable(play.state, play.state.plans[plan])
    play.approved(plan)
    assert "landing just now" in not_undoable(play.state, play.state.plans[plan])


DECIDING = {
    "a": "plan",
    "r": "plan",
    "u": "rejected",
    "R": "blocked",
    "i": "busy",
    "x": "busy",
    "L": "held",
    "p": "busy",
    "U": "locked",
    "A": "alert",
    "Z": "alert",
}
"""Deciding keys, and what each can decide about; the alert comes last: it holds every approval."""


def subjects(play: DeskPlay) -> dict[str, str]:
    queue, found = Queue(play), full(play)
    rejected, locked = play.plan("no"), play.plan("locked")
    play.ask(cmd.Reject(policy=play.state.plans[rejected].policy, plan=rejected, by=ME))
    play.locked(locked, ("unlock-it",))
    queue.ticket("H-1", held="who knows")
    queue.run()
    made = {"plan": f"plan:{found['plan']}", "rejected": f"plan:{rejected}", "busy": f"session:{found['busy']}"}
    return made | {"blocked": f"policy:{found['blocked']}", "held": "ticket:H-1", "locked": f"plan:{locked}"}


async def test_no_deciding_key_counts_in_a_burst_nor_typed_blind_nor_right_after_a_change(
    play: DeskPlay, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = subjects(play)
    async with screen(play) as (pilot, desk):
        said: list[str] = []
        monkeypatch.setattr(desk, "say", lambda text, seconds=6.0: said.append(text))
        for key, what in DECIDING.items():
            if what == "alert" and what not in made:
                made["alert"] = f"alert:{play.alerts()}"
                await until(pilot, lambda: desk.state.alerts)
            row = next(row for row in keytable.rows("desk") if row.keys == key)
            desk.look_at(made[what])
            plan = made[what].partition(":")[2] if made[what].startswith("plan:") else ""
            await until(pilot, lambda plan=plan: not plan or desk.guard.shown == plan)  # type: ignore[misc]
            if what == "held":
                desk.open_text()
                await until(pilot, lambda: desk.text_shown[0] == "H-1")
            await until(pilot, lambda: not desk.unread(desk.detail.tab))
            for gap, late, word in ((0.0, 0.0, "too fast"), (9.0, STALE + 1, "stood still")):
                desk.thing_drawn()
                long_ago = time.monotonic() - 60
                desk.guard.since, desk._thing_drawn = long_ago, (desk._thing_drawn[0], long_ago)
                desk._alert_drawn = (desk._alert_drawn[0], long_ago)
                desk._gap, desk.guard.late = gap, late
                said.clear()
                await pilot.app.run_action(row.action, desk)
                assert word in " ".join(said), f"{key} on {what}: {said}"
            if key in "aLAZ":
                now = time.monotonic()
                desk.guard.since, desk._thing_drawn = now, (desk._thing_drawn[0], now)
                desk._alert_drawn = (desk._alert_drawn[0], now)
                desk._gap, desk.guard.late = 9.0, 0.0
                said.clear()
                await pilot.app.run_action(row.action, desk)
                assert "only just appeared" in " ".join(said), f"{key} on {what}: {said}"
        assert play.sent == [] and pilot.app.screen is desk


async def test_keys_that_piled_up_during_a_stall_decide_nothing(play: DeskPlay) -> None:
    plan = play.plan("fix-cart")
    async with screen(play) as (pilot, desk):
        await until(pilot, lambda: desk.guard.shown == plan)
        burst(pilot, "aaa")
        burst(pilot, "xxrruuii")
        time.sleep(0.3)  # the loop stands still, as behind a slow disk; the keys wait for it
        await until(pilot, lambda: toasts(pilot))
        await alone(pilot)
        await pilot.pause()
        assert play.sent == [] and desk.state.plans[plan].state == "waiting"


async def test_a_landing_is_found_by_its_key_after_reopening_from_its_ticket_its_policy_and_anywhere(
    play: DeskPlay,
) -> None:
    queue = Queue(play)
    plan, busy = queue.plan("T-1"), play.working("busy")
    play.approved(plan)
    play.lands(plan)
    p = play.state.plans[plan]
    async with screen(play) as (pilot, desk):  # a screen on which nothing was decided
        for shown in ("ticket:T-1", f"policy:{p.policy}", f"session:{p.sessions[0]}", f"session:{busy}"):
            desk.look_at(shown)
            assert desk._deed() == p and not desk.why_not("undo"), shown
        desk.look_at(f"policy:{p.policy}")
        await until(
            pilot, lambda: f"u takes its landing back · {landings.landed(p, play.state.at)[:20]}" in picture(pilot)
        )
        desk.look_at(f"session:{busy}")
        for press in range(2):
            await alone(pilot)
            await pilot.press("u")
            if not press:
                await until(pilot, lambda: "take back the approval" in " ".join(toasts(pilot)))
                asked = " ".join(toasts(pilot))
                assert plan[:10] in asked and "ticket T-1; landed on " in asked and play.sent == []
        await until(pilot, lambda: play.sent == [cmd.Undo(plan=plan, by=ME)])
        await until(pilot, lambda: desk.state.plans[plan].state == "undoing")
        play.report(ev.UndoRefused(policy=p.policy, plan=plan, reason="main has gone on meanwhile"))
        await until(pilot, lambda: f"{plan[:10]} stays: main has gone on" in " ".join(toasts(pilot)))


def test_a_landed_ticket_says_where_it_landed_and_running_it_again_gives_nothing_up(play: DeskPlay) -> None:
    queue = Queue(play)
    plan = queue.plan("T-1")
    play.approved(plan)
    play.lands(plan)
    state, t = play.state, play.state.tickets["T-1"]
    for said in (queueing.why(t, state), queue_faces.ticket(state, t, (), 0.0).headline):
        assert f"as {plan[:10]} at " in said and "landed on " in said and "waits" not in said
    assert "u takes its landing back, r runs it once more" in queue_faces.ticket(state, t, (), 0.0).headline
    assert landings.of_ticket(state, t) == state.plans[plan]


async def test_what_git_would_not_take_back_is_said_at_the_first_press(play: DeskPlay) -> None:
    queue = Queue(play)
    plan = queue.plan("T-1")
    play.approved(plan)
    play.lands(plan)
    async with screen(play) as (pilot, desk):
        files = PlanFiles(stays=lambda _: "main has gone on to 1234567890")
        pilot.app.desk = dataclasses.replace(pilot.app.desk, files=files)
        desk.look_at("ticket:T-1")
        await alone(pilot)
        await pilot.press("u")
        await until(pilot, lambda: f"{plan[:10]} stays: main has gone on" in " ".join(toasts(pilot)))
        assert "press u again" not in " ".join(toasts(pilot)) and play.sent == []


def test_dropping_a_landed_ticket_does_not_say_that_its_work_goes(play: DeskPlay) -> None:
    queue = Queue(play)
    plan = queue.plan("T-1")
    play.approved(plan)
    play.lands(plan)
    asked: list[str] = []
    verbs = SimpleNamespace(
        desk=SimpleNamespace(state=play.state), second_press=lambda _, about: bool(asked.append(about))
    )
    TicketVerbs._drop(verbs, play.state.tickets["T-1"])  # type: ignore[arg-type]
    assert "what landed on " in asked[0] and "stays there, and its file stays" in asked[0]


def test_a_row_says_once_that_a_review_blocked(play: DeskPlay) -> None:
    queue = Queue(play)
    name = queue.plan("T-1")
    last = Review(verdict="BLOCK", commit=name, why="", preset="second-look")
    plan = msgspec.structs.replace(play.state.plans[name], reviews=(last,))
    doubts = ("the review said BLOCK", "its review said BLOCK, for the second time of 2", "a test is skipped")
    told = board.beside_review(plan, board.review_word(plan, None), doubts)
    assert told == ["BLOCK by second-look, for the second time of 2", "a test is skipped"]
    assert board.beside_review(plan, "", doubts) == ["", *doubts]


def test_that_nobody_supervises_is_an_alarm_only_while_something_waits_for_it(play: DeskPlay) -> None:
    queue = Queue(play)
    assert conditions.held_up(play.state) == ""
    queue.ticket("T-1")
    assert conditions.held_up(play.state) == ""
    queue.run()
    assert conditions.held_up(play.state) == "`nightdesk run` goes on with run-1"
