"""The ticket queue on the desk: rows and their order, counts, problems, one ticket in full, the header of the run."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from deskplay import ME, NOW, SINGLE, STACKED, WIDE, DeskPlay, alone, picture, risk, screen, until
from hostile import PAYLOADS
from queuedesk import Queue

from console.core import events as ev
from console.core.records import TextVerdict
from console.present import attention, queue_rows
from console.tui.screens import bars
from console.tui.screens.confirming import wrapped
from console.tui.widgets.lines import LineView


@pytest.fixture
def queue(play: DeskPlay) -> Queue:
    return Queue(play)


def a_night(play: DeskPlay, queue: Queue) -> None:
    """Every way a ticket can stand, in the order they were added."""
    queue.run()
    queue.ticket("T-01", "Scope the importer")
    queue.parks("T-01", "Whose tenant?", "The user's", "The file's", foundational=True)
    queue.ticket("T-02", "Import orders", depends_on=("T-01",))
    queue.ticket("T-03", "Plain work")
    queue.ticket("T-04", "Urgent work", priority=20)
    queue.ticket("T-05", "Waits", depends_on=("T-03",))
    queue.ticket("T-06", "Planted", held="it appeared while s-1 could write there")
    queue.ticket("T-07", "Busy")
    queue.begun("T-07")
    queue.ticket("T-08", "Limited")
    queue.begun("T-08")
    play.fold(ev.TicketWaiting(ticket="T-08", attempt=1, until=NOW + 3600, why="a usage limit"))
    queue.ticket("T-09", "Failing")
    queue.begun("T-09")
    play.fold(
        ev.TicketAttemptFailed(ticket="T-09", attempt=1, cause="gate", why="1 new failure", output="E assert 0\n")
    )
    queue.plan("T-10")
    queue.plan("T-11", "DONE_LOW_CONFIDENCE", flags=("a test was skipped",))
    for name, outcome in (("T-12", "BLOCKED_ENV"), ("T-13", "FAILED_RETRYABLE"), ("T-14", "FAILED_BUG_IN_AGENT")):
        queue.ticket(name)
        queue.begun(name)
        queue.ends(name, outcome, "this is why")  # type: ignore[arg-type]
    queue.ticket("T-15", "Which way")
    queue.parks("T-15")


def standing(play: DeskPlay) -> list[tuple[str, str]]:
    rows = queue_rows.Queue().rows(play.state)
    return [(rows.cells(i)[1][0].partition(" ")[0], rows.cells(i)[2][0]) for i in range(len(rows.keys))]


# -- rows -------------------------------------------------------------------------------------------------


def test_every_way_a_ticket_can_stand_has_its_words_and_the_order_is_by_what_moves(
    play: DeskPlay, queue: Queue
) -> None:
    a_night(play, queue)
    assert standing(play) == [
        ("T-07", "working"),
        ("T-08", "waiting to 16:06"),
        ("T-09", "retrying"),
        ("T-04", "usage limit"),  # that of T-08, whose agent is theirs too
        ("T-03", "usage limit"),
        ("T-02", "quarantined"),
        ("T-05", "waits for T-03"),
        ("T-06", "held"),
        ("T-15", "parked"),
        ("T-14", "failed, agent"),
        ("T-13", "failed, retry"),
        ("T-12", "blocked, env"),
        ("T-11", "done, doubtful"),
        ("T-10", "done"),
        ("T-01", "foundational"),
    ]
    pane = queue_rows.Queue()
    pane.rows(play.state)
    assert queue_rows.counted(pane.counts, upper=True) == "queued 3  parked 2  done 2"
    assert queue_rows.counted(pane.counts, upper=False) == "working 3  held 1  failed 2  blocked 1  quarantined 1"


@pytest.mark.parametrize("size", [WIDE, STACKED, SINGLE], ids=["wide", "stacked", "single"])
async def test_the_pane_shows_rows_and_counts_at_every_size(
    play: DeskPlay, queue: Queue, size: tuple[int, int], golden: Callable[[Any, str], None]
) -> None:
    a_night(play, queue)
    async with screen(play, size) as (pilot, _):
        await pilot.press("4")
        await until(pilot, lambda: size == SINGLE or "[Ticket]" in picture(pilot))
        await until(pilot, lambda: "T-09" in picture(pilot))
        shown = picture(pilot)
        assert "4 Tickets · queued 3  parked 2  done 2" in shown
        assert ("working 3  held 1  failed 2" if size != SINGLE else "1:8 2:8 3:8 5:Log · 1 of 15") in shown
        assert "waiting to 16:06" in shown and "retrying" in shown
        await until(pilot, lambda: "# Busy" in picture(pilot) or size == SINGLE)
        golden(pilot.app, f"queue-{size[0]}x{size[1]}")


async def test_problems_of_the_folder_are_the_first_row_and_open_as_a_list(play: DeskPlay, queue: Queue) -> None:
    queue.ticket("T-1")
    play.fold(ev.QueueProblems(problems=("a.md:3: the front matter is no YAML", "b.md: T-1 is taken", PAYLOADS[0])))
    async with screen(play) as (pilot, desk):
        await pilot.press("4", "g")
        await until(
            pilot,
            lambda: "! 3 problems in tickets/" in " ".join(picture(pilot).split()) or "3 problems" in picture(pilot),
        )
        assert desk.table("tickets").cursor_key == queue_rows.PROBLEMS
        await until(pilot, lambda: "a.md:3: the front matter is no YAML" in picture(pilot))
        assert "␛]52;c" in picture(pilot) and "b.md: T-1 is taken" in picture(pilot)
        play.fold(ev.QueueProblems())
        await until(pilot, lambda: "3 problems" not in picture(pilot).split("5 Log")[0])


async def test_a_filter_without_a_match_does_not_say_that_nothing_needs_you(play: DeskPlay, queue: Queue) -> None:
    queue.ticket("T-1")
    queue.parks("T-1", "Which way?")
    async with screen(play) as (pilot, desk):
        await pilot.press("slash", *"zzz")
        await until(pilot, lambda: desk.table("needs").place[1] == 0)
        await until(pilot, lambda: "no row matches the filter" in picture(pilot))
        assert "nothing needs you" not in picture(pilot)
        await pilot.press("escape")
        await until(pilot, lambda: "Which way?" in picture(pilot))


def test_two_thousand_tickets_cost_a_few_milliseconds_when_the_log_grows_and_nothing_when_it_does_not(
    play: DeskPlay, queue: Queue
) -> None:
    spec = TextVerdict()
    for i in range(2000):  # the second half is one long chain
        queue.ticket(f"T-{i:04}", depends_on=(f"T-{i - 1:04}",) if i % 4 or i > 1000 else (), verdict=spec)
    state, pane = play.state, queue_rows.Queue()
    began = time.perf_counter()
    rows = pane.rows(state)
    first = time.perf_counter() - began
    began = time.perf_counter()
    for _ in range(10):
        rows = pane.rows(state)
        [rows.cells(i) for i in range(20)]
    again = (time.perf_counter() - began) / 10
    assert len(rows.keys) == 2000 and first < 0.5 and again < 0.02, (first, again)
    print(f"\n2,000 tickets: ordered in {first * 1000:.1f} ms, painted again in {again * 1000:.2f} ms")


# -- one ticket -------------------------------------------------------------------------------------------


async def test_the_ticket_tab_has_its_text_what_it_says_of_itself_and_what_was_tried(
    play: DeskPlay, queue: Queue
) -> None:
    verdict = TextVerdict(
        decision="PARK",
        category="money",
        rule="money/price",
        why='the text speaks of "price"',
        evidence=("line 2: price",),
    )
    queue.run()
    queue.ticket("T-0", "Before")
    queue.ticket(
        "T-1",
        "Round the price",
        "# Round\n\nAlways up.\x1b]52;c;x\x07\n",
        verdict=verdict,
        depends_on=("T-0",),
        priority=10,
        agent="claude",
        paths=("shop/*.py",),
    )
    queue.ticket("T-2", "After", depends_on=("T-1",))
    session, _ = queue.begun("T-1")
    play.fold(
        ev.TicketAttemptFailed(ticket="T-1", attempt=1, cause="gate", why="1 new failure", output="E assert 0\n"),
        ev.RolledBack(session=session, snapshot="4" * 40, undo="5" * 40),
        ev.TicketBack(ticket="T-1", attempt=1, kept="5" * 40),
    )
    async with screen(play) as (pilot, desk):
        await pilot.press("4")
        desk.table("tickets").select("ticket:T-1")
        await until(pilot, lambda: "Always up.␛]52;c;x" in picture(pilot))
        for said in (
            "agent claude, priority 10",
            "PARK, money by rule money/price",
            "evidence  line 2: price",
            "needs     T-0: ready",
            "behind    T-2",
            "attempt   1 failed, the gate: 1 new failure",
            "its work is kept as 5555555555",
            "branch    nightdesk/T-1, from bbbbbbbbbb (main as it is)",
            "worktree  /data/T-1",
        ):
            assert said in picture(pilot), said
        await pilot.press("right_square_bracket", "right_square_bracket")
        await until(pilot, lambda: "[Why]" in picture(pilot) and "E assert 0" in picture(pilot))


async def test_a_ticket_whose_text_is_not_kept_says_so(play: DeskPlay, queue: Queue) -> None:
    queue.ticket("T-1")
    play.texts.clear()
    async with screen(play) as (pilot, _):
        await pilot.press("4")
        await until(pilot, lambda: "its text is not kept here" in picture(pilot))


def test_a_text_of_any_size_is_shown_in_time_and_what_is_left_out_is_said() -> None:
    began = time.perf_counter()
    long, many = "é" * 1_000_000, "line\n" * 50_000
    assert len(wrapped(queue_rows.text_lines(long), 60)) < 100 and not queue_rows.shown_whole(long)
    lines = queue_rows.text_lines(many)
    assert lines[-1] == "(and 46000 more lines; look at the file)" and not queue_rows.shown_whole(many)
    assert "(+996000)" in queue_rows.text_lines(long)[0] and queue_rows.shown_whole("short\nenough\n")
    assert time.perf_counter() - began < 2


async def test_only_what_has_a_ticket_has_the_tab(play: DeskPlay, queue: Queue) -> None:
    queue.plan("T-1")
    play.plan("fix-cart")
    async with screen(play) as (pilot, desk):
        await until(pilot, lambda: "[Diff]" in picture(pilot) and " Ticket " in picture(pilot))
        await pilot.press("right_square_bracket", "right_square_bracket")
        await until(pilot, lambda: desk.detail.tab == "ticket" and "Do it well." in picture(pilot))
        await pilot.press("j")
        await until(pilot, lambda: desk.subject.name != "" and desk.subject.ticket(desk.state) is None)
        await until(pilot, lambda: " Ticket " not in picture(pilot) and "Gate" in picture(pilot))


async def test_enter_on_a_ticket_opens_what_of_it_waits(play: DeskPlay, queue: Queue) -> None:
    plan = queue.plan("T-1")
    queue.ticket("T-2")
    d = queue.parks("T-2")
    async with screen(play) as (pilot, desk):
        for name, wanted in (("T-1", f"plan:{plan}"), ("T-2", f"decision:{d}")):
            await pilot.press("4")
            desk.table("tickets").select(f"ticket:{name}")
            await pilot.press("enter")
            await until(pilot, lambda wanted=wanted: desk.subject.id == wanted)  # type: ignore[misc]
            await pilot.press("escape")


async def test_a_line_of_the_log_opens_the_decision_or_the_ticket_that_it_is_about(
    play: DeskPlay, queue: Queue
) -> None:
    queue.ticket("T-1")
    d = queue.parks("T-1")
    queue.ticket("T-2")
    async with screen(play) as (pilot, desk):
        for row, wanted in ((4, "ticket:T-2"), (2, f"decision:{d}")):
            await pilot.press("5")
            await until(pilot, lambda: desk.table("log").has_focus)
            await pilot.pause()
            desk.table("log").select(row)
            await pilot.press("enter")
            await until(pilot, lambda wanted=wanted: desk.subject.id == wanted)  # type: ignore[misc]


async def test_the_why_tab_has_the_text_of_every_nudge(play: DeskPlay) -> None:
    from console.core.records import GateResult, OnFail

    session = play.working("fix")
    policy = play.attach(session, on_fail=OnFail(nudge="exit {code}: {output}", retries=2))
    for attempt, output in ((1, "first [/x] failure"), (2, "second failure")):
        play.ends_turn(session, attempt)
        red = GateResult(verdict="red", where="worktree", code=1, output=output)
        play.report(ev.PolicyJudged(policy=policy, attempt=attempt, results=(red,)))
        play.report(ev.TurnStarted(session=session, turn=attempt + 1, head="b" * 40))
    async with screen(play) as (pilot, desk):
        await pilot.press("3")
        await until(pilot, lambda: desk.subject.id == f"policy:{policy}")
        why = desk.detail.pane("why")
        assert isinstance(why, LineView)
        await until(pilot, lambda: "nudge 2 said:" in why._lines)
        assert any("exit 1: first [/x] failure" in line for line in why._lines)
        assert any("exit 1: second failure" in line for line in why._lines)


# -- what needs a person ----------------------------------------------------------------------------------


def test_what_needs_a_person_is_ranked_and_said_once(play: DeskPlay, queue: Queue) -> None:
    a_night(play, queue)
    found = attention.needs(play.state)
    assert [(item.word, item.text.partition(":")[0].partition(" ·")[0]) for item in found] == [
        ("decide", "T-01"),
        ("decide", "T-15"),
        ("look", "Title of T-11"),
        ("plan", "Title of T-10"),
        ("blocked", "Title of T-12"),
        ("failed", "Title of T-13"),
        ("failed", "Title of T-14"),
        ("held", "T-06 is held"),
    ]
    assert len({item.id for item in found}) == len(found)
    assert "a test was skipped" in found[2].text
    queue.ticket("T-16", held="why not")
    assert attention.needs(play.state)[-1].text == "2 tickets are held; Enter shows them"


def test_the_newest_of_equal_decisions_comes_first_and_its_age_is_shown(play: DeskPlay, queue: Queue) -> None:
    for i in range(20):
        queue.ticket(f"T-{i}")
        queue.parks(f"T-{i}", f"Question {i}?")
        play.now += 60
    found = attention.needs(play.state)
    assert found[0].text == "T-19: Question 19?" and found[-1].text == "T-0: Question 0?"
    ages = [row[0] for row in (rows_cells(found, i) for i in (0, 19))]
    assert ages == ["1m", "23m"]


def rows_cells(found: list[attention.Item], index: int) -> tuple[str, ...]:
    from console.present.rows import needs_rows

    now = max(item.since for item in found) + 65
    return (needs_rows(found, now).cells(index)[-1][0],)


async def test_what_came_last_is_named_in_the_border_when_it_lies_below_the_pane(play: DeskPlay, queue: Queue) -> None:
    for i in range(9):
        queue.plan(f"T-{i}")
    async with screen(play, STACKED) as (pilot, desk):
        await until(pilot, lambda: "newest 7m: Title of T-8" in picture(pilot))
        await pilot.press("G")
        desk.paint_lists()
        await until(pilot, lambda: "newest" not in picture(pilot))


async def test_the_row_of_held_tickets_leads_to_the_first_of_them(play: DeskPlay, queue: Queue) -> None:
    queue.ticket("T-1")
    queue.ticket("T-2", held="an agent could have put it there")
    queue.ticket("T-3", held="the same")
    async with screen(play) as (pilot, desk):
        await until(pilot, lambda: desk.subject.id == queue_rows.HELD)
        assert "T-2" in picture(pilot) and "an agent could have put it there" in picture(pilot)
        await pilot.press("enter")
        await until(pilot, lambda: desk.subject.id == "ticket:T-2" and desk.table("tickets").has_focus)


# -- the header -------------------------------------------------------------------------------------------


def header(play: DeskPlay, now: float = NOW) -> list[str]:
    return [text for text, _ in bars.facts(play.state, attention.needs(play.state), now)]


def test_the_header_says_how_the_run_goes(play: DeskPlay, queue: Queue) -> None:
    queue.run(tickets=40)
    queue.plan("T-1")
    queue.ticket("T-2")
    queue.begun("T-2")
    assert header(play)[:4] == ["● run 10m 1/2 of 40", "✓1 ◐1 ⊘0 ✕0", "◐ 1 waits for you", "cost unknown"]
    play.fold(ev.RunPaused(run="run-1", by=ME))
    assert header(play)[0].startswith("○ paused 10m")
    play.fold(ev.RunResumed(run="run-1", by=ME), ev.RunStopRequested(run="run-1", by=ME))
    assert "stopping 10m" in header(play)[0]


@pytest.mark.parametrize("status", ["LOW_YIELD", "HALTED"])
def test_a_run_that_went_wrong_is_loud(play: DeskPlay, queue: Queue, status: Any) -> None:
    queue.run()
    play.fold(ev.RunEnded(run="run-1", status=status, why=f"6 of the 8 tickets {PAYLOADS[2]} are not done"))
    (first, style), *_ = bars.facts(play.state, [], NOW)
    assert first.startswith(f"! {status} ") and "6 of the 8 tickets ␛[2J" in first and style == bars.BROKE


def test_halting_is_loud_while_it_lasts(play: DeskPlay, queue: Queue) -> None:
    queue.run()
    play.fold(ev.RunHalting(run="run-1", reason="the settings changed"))
    (first, style), *_ = bars.facts(play.state, [], NOW)
    assert first.startswith("! halting") and first.endswith(": the settings changed") and style == bars.BROKE


# -- hostile text -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "lists", "steps"),
    [(WIDE, "41", ("j",)), (SINGLE, "1", ("enter", "backspace", "j"))],
    ids=["wide", "single"],
)
async def test_no_title_question_option_evidence_or_text_reaches_the_terminal_as_it_is(
    play: DeskPlay, queue: Queue, size: tuple[int, int], lists: str, steps: tuple[str, ...]
) -> None:
    for i, evil in enumerate(PAYLOADS):
        queue.ticket(f"T-{i}", evil, evil, held=evil if i % 2 else "")
        if i % 2 == 0:
            queue.parks(f"T-{i}", evil, evil, evil, evidence=(evil,), why=evil)
    queue.plan("P-1", "DONE_LOW_CONFIDENCE", flags=PAYLOADS, why=PAYLOADS[0], assessment=risk(2))
    async with screen(play, size) as (pilot, desk):
        for key in lists:
            await pilot.press(key)
            for _ in range(len(PAYLOADS) if size == WIDE else 4):
                await pilot.press(*steps[:1])
                text = picture(pilot)
                assert all(char.isprintable() or char == "\n" for char in text)
                assert "\u202e" not in text and "\u200b" not in text
                await pilot.press(*steps[1:])
        await alone(pilot)
        assert desk.is_current
