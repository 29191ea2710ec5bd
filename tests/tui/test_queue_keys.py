"""The keys of the queue on the desk: decisions, tickets, the run, its preflight, and the sign of life."""

from __future__ import annotations

import pytest
from deskplay import ME, SINGLE, STACKED, WIDE, DeskPlay, alone, burst, picture, screen, toasts, until
from hostile import PAYLOADS
from queuedesk import Queue, ready

from console.core import commands as cmd
from console.core import events as ev
from console.core.drain import Run
from console.core.records import Check, RunSettings
from console.tui import presence
from console.tui.screens.preflight import Preflight, check_lines, verdict
from console.tui.screens.sheets import AskText, Choose


@pytest.fixture
def queue(play: DeskPlay) -> Queue:
    return Queue(play)


def parked(queue: Queue) -> str:
    queue.ticket("T-1", "Scope the importer")
    return queue.parks("T-1", "Whose tenant?", "The user's", "The file's")


# -- decisions --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [WIDE, STACKED, SINGLE], ids=["wide", "stacked", "single"])
async def test_a_digit_chooses_a_reading_of_the_decision_that_is_open_and_u_takes_it_back(
    play: DeskPlay, queue: Queue, size: tuple[int, int]
) -> None:
    d = parked(queue)
    async with screen(play, size) as (pilot, desk):
        await pilot.press("enter")
        await ready(pilot, desk, f"decision:{d}")
        assert "1-2 choose" in picture(pilot)
        await pilot.press("2")
        await until(pilot, lambda: desk.state.decisions[d].state == "answered")
        assert play.sent == [cmd.AnswerDecision(decision=d, by=ME, choice=2)]
        assert desk.state.tickets["T-1"].phase == "queued"
        await until(pilot, lambda: "✓ answered by ada: The file's" in picture(pilot))
        await ready(pilot, desk, f"decision:{d}")
        await pilot.press("u")
        await until(pilot, lambda: desk.state.decisions[d].state == "open")
        assert play.sent[1:] == [cmd.ReopenDecision(decision=d, by=ME)]


async def test_in_a_list_digits_are_panes_and_answer_nothing(play: DeskPlay, queue: Queue) -> None:
    d = parked(queue)
    async with screen(play) as (pilot, desk):
        await ready(pilot, desk, f"decision:{d}")
        assert "1-2 choose  " not in picture(pilot).splitlines()[-1]
        await pilot.press("2")
        await until(pilot, lambda: desk.table("sessions").has_focus)
        await alone(pilot)
        assert play.sent == []


async def test_an_answer_in_words_is_typed(play: DeskPlay, queue: Queue) -> None:
    d = parked(queue)
    async with screen(play) as (pilot, desk):
        await pilot.press("t")
        await until(pilot, lambda: isinstance(pilot.app.screen, AskText))
        assert "Whose tenant?" in picture(pilot)
        await pilot.press("enter")
        await until(pilot, lambda: pilot.app.screen is desk)
        assert play.sent == []
        await pilot.press("t")
        await until(pilot, lambda: isinstance(pilot.app.screen, AskText))
        await pilot.press(*"neither", "enter")
        await until(pilot, lambda: play.sent == [cmd.AnswerDecision(decision=d, by=ME, text="neither")])
        await until(pilot, lambda: desk.state.tickets["T-1"].answers == ("Whose tenant? -> neither",))


async def test_a_digit_right_after_the_decision_appeared_or_in_a_burst_answers_nothing(
    play: DeskPlay, queue: Queue
) -> None:
    d = parked(queue)
    async with screen(play) as (pilot, desk):
        await pilot.press("enter")
        await ready(pilot, desk, f"decision:{d}")
        burst(pilot, "11")
        await until(pilot, lambda: "keys came too fast" in " ".join(toasts(pilot)))
        desk._thing_drawn = (desk._thing_drawn[0], desk._thing_drawn[1] + 1000)
        await alone(pilot)
        await pilot.press("1")
        await until(pilot, lambda: "only just appeared" in " ".join(toasts(pilot)))
        await alone(pilot)
        assert play.sent == []


async def test_a_digit_beyond_the_readings_says_which_there_are(play: DeskPlay, queue: Queue) -> None:
    d = parked(queue)
    async with screen(play) as (pilot, desk):
        await pilot.press("enter")
        await ready(pilot, desk, f"decision:{d}")
        await pilot.press("7")
        await until(pilot, lambda: "no reading 7; there is 1 to 2" in " ".join(toasts(pilot)))
        assert play.sent == []


async def test_an_answer_that_work_has_begun_on_stays(play: DeskPlay, queue: Queue) -> None:
    d = parked(queue)
    queue.run()
    play.fold(ev.DecisionAnswered(decision=d, ticket="T-1", by=ME, choice=1))
    queue.claimed("T-1")
    async with screen(play) as (pilot, desk):
        desk.look_at(f"decision:{d}")
        await ready(pilot, desk, f"decision:{d}")
        await pilot.press("u")
        await until(pilot, lambda: "work on T-1 has begun with that answer" in " ".join(toasts(pilot)))
        assert play.sent == []


# -- tickets ----------------------------------------------------------------------------------------------


async def test_r_requeues_what_has_failed_and_x_twice_drops_it(play: DeskPlay, queue: Queue) -> None:
    for name in ("T-1", "T-2"):
        queue.ticket(name)
        queue.begun(name)
        queue.ends(name, "FAILED_BUG_IN_AGENT", "twice the same")
    async with screen(play) as (pilot, desk):
        await ready(pilot, desk, "ticket:T-1")
        assert "r requeue" in picture(pilot) and "x drop" in picture(pilot)
        await pilot.press("r")
        await until(pilot, lambda: play.sent == [cmd.RequeueTicket(ticket="T-1", by=ME)])
        await pilot.press("w")
        await ready(pilot, desk, "ticket:T-2")
        await pilot.press("x")
        await until(pilot, lambda: "press x again to drop T-2" in " ".join(toasts(pilot)))
        await alone(pilot)
        assert len(play.sent) == 1
        await pilot.press("x")
        await until(pilot, lambda: play.sent[1:] == [cmd.DropTicket(ticket="T-2", by=ME)])
        await until(pilot, lambda: desk.state.tickets["T-2"].phase == "dropped")


async def test_done_work_is_given_up_only_by_a_second_press(play: DeskPlay, queue: Queue) -> None:
    queue.plan("T-1")
    async with screen(play) as (pilot, desk):
        await pilot.press("4")
        await ready(pilot, desk, "ticket:T-1")
        await pilot.press("r")
        await until(pilot, lambda: "press r again to give up the work of T-1" in " ".join(toasts(pilot)))
        await alone(pilot)
        assert play.sent == []
        await pilot.press("r")
        await until(pilot, lambda: play.sent == [cmd.RequeueTicket(ticket="T-1", by=ME)])


async def test_t_on_a_ticket_requeues_it_with_a_word_to_the_agent(play: DeskPlay, queue: Queue) -> None:
    queue.ticket("T-1")
    queue.begun("T-1")
    queue.ends("T-1", "FAILED_RETRYABLE")
    async with screen(play) as (pilot, desk):
        await ready(pilot, desk, "ticket:T-1")
        await pilot.press("t")
        await until(pilot, lambda: isinstance(pilot.app.screen, AskText))
        await pilot.press(*"use sqlite", "enter")
        await until(pilot, lambda: play.sent == [cmd.RequeueTicket(ticket="T-1", by=ME, note="use sqlite")])


async def test_a_held_ticket_is_released_only_after_its_text_was_shown(play: DeskPlay, queue: Queue) -> None:
    queue.ticket("T-1", "Planted", "# Planted\n\nrm -rf everything\n", held="it appeared while s-1 could write there")
    async with screen(play, SINGLE) as (pilot, desk):
        await pilot.press("4")
        await until(pilot, lambda: desk.subject.id == "ticket:T-1")
        await alone(pilot)
        await pilot.press("L")
        await until(pilot, lambda: "this is its text; press L again" in " ".join(toasts(pilot)))
        await until(pilot, lambda: "rm -rf everything" in picture(pilot))
        assert play.sent == []
        await ready(pilot, desk, "ticket:T-1")
        await pilot.press("L")
        await until(pilot, lambda: play.sent == [cmd.ReleaseTicket(ticket="T-1", by=ME, digest="sha-T-1")])
        await until(pilot, lambda: desk.state.tickets["T-1"].held == "")


async def test_a_text_that_changes_under_the_eye_is_not_released(play: DeskPlay, queue: Queue) -> None:
    queue.ticket("T-1", "Planted", "good", held="why")
    async with screen(play) as (pilot, desk):
        await pilot.press("4")
        await ready(pilot, desk, "ticket:T-1")
        t = desk.state.tickets["T-1"]
        play.texts["other"] = "evil"
        play.fold(
            ev.TicketSeen(
                ticket="T-1",
                file="T-1.md",
                digest="other",
                stamp="2",
                spec=t.spec,
                verdict=t.verdict,
                held="y",
            )
        )
        await until(pilot, lambda: "evil" in picture(pilot))
        if desk.too_soon():  # else this machine was too slow to press in time
            await pilot.press("L")
            await alone(pilot)
            assert play.sent == []


@pytest.mark.parametrize(
    ("key", "word"),
    [("r", "is queued already"), ("L", "no held ticket"), ("p", "no run is under way"), ("t", "is queued already")],
)
async def test_a_key_that_does_nothing_for_a_queued_ticket_says_why(
    play: DeskPlay, queue: Queue, key: str, word: str
) -> None:
    queue.ticket("T-1")
    async with screen(play) as (pilot, desk):
        await pilot.press("4")
        await ready(pilot, desk, "ticket:T-1")
        await pilot.press(key)
        await until(pilot, lambda: word in " ".join(toasts(pilot)))
        assert play.sent == []


# -- the run ----------------------------------------------------------------------------------------------

GO = (Check(name="git", level="ok", text="clean"), Check(name="disk", level="warning", text="8 GB", cure="free some"))
NO_GO = (*GO, Check(name="trust", level="no-go", text=f"not trusted {PAYLOADS[0]}", cure="nightdesk trust"))


@pytest.mark.parametrize(("keys", "attended"), [((), False), (("t",), True)], ids=["unattended", "attended"])
async def test_s_shows_every_check_and_enter_starts_on_go(
    play: DeskPlay, queue: Queue, keys: tuple[str, ...], attended: bool
) -> None:
    queue.ticket("T-1")
    play.checks = GO
    async with screen(play) as (pilot, desk):
        await pilot.press("s")
        for said in ("GO: 2 checks, 1 warning", "disk         8 GB", "do: free some", "Enter starts the run"):
            await until(pilot, lambda said=said: said in picture(pilot))  # type: ignore[misc]
        await pilot.pause(0.45)
        await pilot.press(*keys)
        await alone(pilot)
        await pilot.press("enter")
        await until(pilot, lambda: play.started == [(GO, attended)])
        await until(pilot, lambda: pilot.app.screen is desk)


@pytest.mark.parametrize("size", [WIDE, STACKED, SINGLE], ids=["wide", "stacked", "single"])
async def test_no_go_starts_nothing_and_says_what_to_do(play: DeskPlay, queue: Queue, size: tuple[int, int]) -> None:
    play.checks = NO_GO
    async with screen(play, size) as (pilot, desk):
        await pilot.press("s")
        for said in ("NO-GO: 1 of 3 checks forbids it", "not trusted ␛]52;c", "do: nightdesk trust"):
            await until(pilot, lambda said=said: said in picture(pilot))  # type: ignore[misc]
        await pilot.pause(0.45)
        await pilot.press("enter")
        await alone(pilot)
        assert isinstance(pilot.app.screen, Preflight) and play.started == []
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.screen is desk)


async def test_a_preflight_that_breaks_and_a_run_that_is_refused_are_told(play: DeskPlay) -> None:
    play.checks = OSError("the disk is gone")
    async with screen(play) as (pilot, desk):
        await pilot.press("s")
        await until(pilot, lambda: "the preflight itself failed: the disk is gone" in " ".join(picture(pilot).split()))
        await pilot.press("escape")
        play.checks, play.unstartable = GO, "another run won"
        await until(pilot, lambda: pilot.app.screen is desk)
        await pilot.press("s")
        await until(pilot, lambda: "GO: 2 checks" in picture(pilot))
        await pilot.pause(0.45)
        await alone(pilot)
        await pilot.press("enter")
        await until(pilot, lambda: "the run was not started: another run won" in toasts(pilot))


def test_the_verdict_is_no_go_without_a_single_check() -> None:
    assert verdict(()) == "NO-GO: nothing was checked"
    assert verdict(GO[:1]) == "GO: 1 checks" and verdict(NO_GO).startswith("NO-GO")
    assert check_lines(NO_GO)[-1] == "  do: nightdesk trust; or here: First steps, in the palette (:)"


async def test_p_pauses_the_run_and_lets_it_go_on(play: DeskPlay, queue: Queue) -> None:
    queue.ticket("T-1")
    queue.begun("T-1")
    queue.run()
    async with screen(play) as (pilot, desk):
        await alone(pilot)
        await pilot.press("p")
        await until(pilot, lambda: "○ paused" in picture(pilot))
        await alone(pilot)
        await pilot.press("p")
        await until(pilot, lambda: desk.state.runs["run-1"].state == "active")
        assert play.sent == [cmd.PauseRun(by=ME), cmd.ResumeRun(by=ME)]
        await alone(pilot)
        await pilot.press("s")
        await until(pilot, lambda: "run-1 is under way" in " ".join(toasts(pilot)))


@pytest.mark.parametrize(
    ("downs", "sent"),
    [
        (0, []),
        (1, [cmd.StopRun(by=ME)]),
        (2, [cmd.StopRun(by=ME, now=True)]),
        (3, [cmd.StopRun(by=ME, now=True), cmd.StopSession(session="s-1", by=ME), cmd.StopSupervisor(by=ME)]),
    ],
    ids=["leave it", "after", "now", "everything"],
)
async def test_stopping_asks_what_and_starts_on_leaving_it(
    play: DeskPlay, queue: Queue, downs: int, sent: list[cmd.Command]
) -> None:
    queue.run()
    queue.ticket("T-1")
    queue.begun("T-1")
    async with screen(play) as (pilot, desk):
        await pilot.press("Q")
        await until(pilot, lambda: isinstance(pilot.app.screen, Choose))
        await pilot.press(*["j"] * downs, "enter")
        await until(pilot, lambda: pilot.app.screen is desk or pilot.app.return_code == 0)
        await until(pilot, lambda: play.sent[: len(sent)] == sent)
        if not sent:
            await alone(pilot)
            assert play.sent == []


# -- the sign of life -------------------------------------------------------------------------------------


@pytest.mark.parametrize("attended", [True, False])
async def test_a_key_is_a_sign_of_life_only_while_a_run_is_attended_and_once_a_minute(
    play: DeskPlay, queue: Queue, attended: bool
) -> None:
    queue.run(attended=attended)
    async with screen(play) as (pilot, desk):
        await pilot.press("j", "k", "2", "1")
        await alone(pilot)
        signs = [presence.sign(ME)] if attended else []
        await until(pilot, lambda: play.sent == signs)
        await until(pilot, lambda: bool(desk.state.active_at) is attended)


def test_the_sign_of_life_comes_again_after_a_minute() -> None:
    run = Run(run="run-1", settings=RunSettings(), by=ME, started_at=0.0, seq=1, attended=True)
    signs = presence.Presence()
    assert [signs.due(run, at) for at in (0.0, 30.0, 59.9, 60.0, 61.0)] == [True, False, False, True, False]
    assert not signs.due(None, 500.0)


@pytest.mark.parametrize(("text", "word"), [("", "cannot be read here"), ("x" * 5000, "too long to be shown here")])
async def test_what_cannot_be_shown_whole_cannot_be_released_here(
    play: DeskPlay, queue: Queue, text: str, word: str
) -> None:
    queue.ticket("T-1", held="why")
    play.texts["sha-T-1"] = text
    async with screen(play) as (pilot, desk):
        await pilot.press("4")
        await until(pilot, lambda: desk.subject.id == "ticket:T-1" and "reading ..." not in picture(pilot))
        await ready(pilot, desk, "ticket:T-1")
        await pilot.press("L")
        await until(pilot, lambda: word in " ".join(toasts(pilot)))
        assert play.sent == []
