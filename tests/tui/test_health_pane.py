"""What hangs, what is started again, what waits for a person and what is short, at every size and at one glance."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from deskplay import NOW, SINGLE, STACKED, WIDE, DeskPlay, alone, picture, screen, started, toasts, until
from hostile import PAYLOADS
from sickbay import EVIDENCE, SERVER, Sickbay, ward

from console.core import commands as cmd
from console.core import events as ev
from console.core.records import Interpretation
from console.present import attention, conditions, healthwords, queue_rows, reviewing, wording
from console.present.rows import session_rows
from console.tui.screens import bars
from console.tui.screens.subject import Subject, describe
from console.tui.widgets.detail import Tab
from console.tui.widgets.lines import LineView

SIZES = pytest.mark.parametrize("size", [WIDE, STACKED, SINGLE], ids=["wide", "stacked", "single"])


@pytest.fixture
def bay(play: DeskPlay) -> Sickbay:
    return Sickbay(play)


def listed(play: DeskPlay, now: float = NOW) -> dict[str, tuple[str, ...]]:
    """Session -> glyph, word, what it says, age."""
    rows = session_rows(play.state, now, lambda _: "Edit a.py")
    cells = (rows.cells(i) for i in range(len(rows.keys)))
    return {c[1][0]: (c[0][0], c[3][0], c[4][0], c[-1][0]) for c in cells}


def face(play: DeskPlay, subject: str, now: float = NOW, *, supervised: bool = True) -> Any:
    return describe(play.state, Subject(subject), ("", ()), now=now, supervised=supervised)


def header(play: DeskPlay, *, supervised: bool = True) -> list[tuple[str, str]]:
    return bars.facts(play.state, attention.needs(play.state, supervised), NOW)


# -- at one glance ----------------------------------------------------------------------------------------


@SIZES
async def test_the_ward_looks_like_its_picture(
    play: DeskPlay, size: tuple[int, int], golden: Callable[[Any, str], None]
) -> None:
    ward(play)
    async with screen(play, size) as (pilot, _):
        await until(pilot, lambda: "6 of 8 agents" in picture(pilot).split("\n")[0], 8)
        await until(pilot, lambda: size == SINGLE or "What to do:" in picture(pilot))
        golden(pilot.app, f"health-{size[0]}x{size[1]}")


@SIZES
async def test_every_state_of_a_session_is_a_word_in_its_list(play: DeskPlay, size: tuple[int, int]) -> None:
    ward(play, alarm=False)
    async with screen(play, size) as (pilot, desk):
        await pilot.press("2")
        seen = ""
        for _ in range(8):
            await pilot.press("j")
            await pilot.pause()
            seen += " ".join(picture(pilot).split())
        for row in ("slugify suspect silent 6m", "T-07 restarts in 12s 2/6", "importer hung is ended"):
            assert row in seen
        assert "crasher given up" in seen and "copier stuck" in seen
        assert ("1 suspect 1 hung 1 restarting" if size != SINGLE else "1 suspect") in seen
        assert desk.table("sessions").place[1] == 8


@SIZES
async def test_the_detail_has_evidence_cause_history_and_what_still_runs(play: DeskPlay, size: tuple[int, int]) -> None:
    made = ward(play, alarm=False)
    async with screen(play, size) as (pilot, desk):
        for name, wanted in (
            ("suspect", "! suspect · silent 6m; as that began: S"),
            ("restarts", "⟳ restarts in 12s (2 of 6): its process hung"),
            ("hung", "✕ hung · its processes are being ended"),
            ("leaves", "! left running: 4711 node server.js, port"),
            ("stuck", "! waits in the kernel for a disk or mount"),
        ):
            await pilot.press("2")
            desk.table("sessions").select(f"session:{made[name]}")
            desk.look_at(f"session:{made[name]}")
            desk.open_detail()
            await until(pilot, lambda wanted=wanted: wanted in picture(pilot))  # type: ignore[misc]
        desk.look_at(f"session:{made['restarts']}")
        why = desk.detail.pane("why")
        assert isinstance(why, LineView)
        text = " ".join(" ".join(why._lines).split())
        assert "restarts 2 of 6, at 15:01:40, 15:06:32; last because its process hung" in text
        assert f"evidence {EVIDENCE}" in text


async def test_the_times_of_what_ails_tick_like_other_ages(play: DeskPlay, bay: Sickbay) -> None:
    session, clock = bay.suspect(), [NOW]
    app = play.app()
    app.now = lambda: clock[0]
    async with app.run_test(size=WIDE) as pilot:
        desk = await started(pilot)
        desk.look_at(f"session:{session}")
        await until(pilot, lambda: "suspect · silent 6m" in picture(pilot))
        clock[0] += 120
        desk._tick()
        await until(pilot, lambda: "suspect · silent 8m" in picture(pilot) and "suspect  silent 8m" in picture(pilot))


def test_what_ails_comes_right_after_what_asks_and_ages_count_the_silence(play: DeskPlay) -> None:
    made = ward(play, alarm=False)
    order = ["asking", "stuck", "given-up", "hung", "suspect", "restarts", "busy", "leaves"]
    assert list(listed(play)) == [made[name] for name in order]
    assert listed(play)[made["suspect"]] == ("!", "suspect", "silent 6m", "6m")
    assert listed(play, NOW + 60)[made["suspect"]][2:] == ("silent 7m", "7m")
    assert listed(play, NOW + 13)[made["restarts"]][2] == "now 2/6"
    assert queue_rows.stand(play.state.tickets["T-07"], play.state) == ("restarts", "needs")


def test_a_session_that_was_started_again_and_works_is_well_and_its_history_is_told(
    play: DeskPlay, bay: Sickbay
) -> None:
    bay.run()
    session = bay.restarts()
    run = play.state.sessions[session].run
    play.fold(
        ev.SessionRestartDue(session=session, run=run),
        ev.PromptQueued(session=session, turn=3, text="again", cause="restart"),
    )
    play.fold(ev.SessionStarted(session=session, run=play.state.sessions[session].run, pid=13))
    play.fold(ev.TurnStarted(session=session, turn=3, head="b" * 40))
    assert healthwords.ailing(play.state.sessions[session]) == ""
    assert listed(play)[session][1:3] == ("working", "Edit a.py")
    assert face(play, f"session:{session}").warnings == (
        "! started again 2 of at most 6 times, last at 15:01:40, 15:06:32",
    )


def test_who_was_stopped_by_a_person_is_neither_hung_nor_given_up(play: DeskPlay, bay: Sickbay) -> None:
    session = play.working("a")
    play.ask(cmd.StopSession(session=session, by=play.app().desk.who()))
    assert listed(play)[session][1] == "stopping"
    gone = bay.given_up()
    play.ask(cmd.StopSession(session=gone, by=play.app().desk.who()))
    assert listed(play)[gone][1] == "exited"
    assert [item for item in attention.needs(play.state) if item.about == gone] == []


# -- what needs a person ----------------------------------------------------------------------------------


def test_what_holds_up_everything_comes_first_and_each_thing_is_said_once(play: DeskPlay) -> None:
    ward(play)
    found = attention.needs(play.state, supervised=False)
    assert [(item.word, item.text[:34]) for item in found] == [
        ("alarm", "nobody supervises and run-1 is not"),
        ("alarm", "6 of 8 agents silent at once: netw"),
        ("short", "disk: the disk of the log (/var/li"),
        ("short", "memory: 120 MB of memory is free, "),
        ("given-up", "crasher: not started again, it was"),
        ("question", "ask-me: Write outside the folder?"),
        ("stuck", "copier: could not be killed: 4812 "),
    ]
    assert len({item.id for item in found}) == len(found)


def test_the_header_counts_what_ails_and_what_is_short_before_anything_else(play: DeskPlay) -> None:
    ward(play)
    shown = header(play)
    assert shown[:2] == [("! 6 of 8 agents silent", bars.BROKE), ("! disk, memory short", bars.BROKE)]
    texts = [text for text, _ in shown]
    assert {"✕ 1 given up", "! 1 cannot be killed", "! 6 suspect", "✕ 1 hung", "⟳ 1 restarts"} <= set(texts)
    assert "● 2 working" in texts, "a suspect is not counted as working besides"
    assert not [text for text in texts if "broke off" in text or "nothing needs you" in text]


@pytest.mark.parametrize(
    "fact",
    [
        ev.SupervisorDegraded(kind="disk", why="3 MB are left"),
        ev.SupervisorDegraded(kind="memory", why="too little"),
        ev.SupervisorDegraded(kind="descriptors", why="240 of 256 are open"),
        ev.FuseBlown(sessions=("s-1", "s-2", "s-3"), at_work=4, why="together"),
    ],
    ids=["disk", "memory", "descriptors", "fuse"],
)
async def test_nothing_claims_that_all_is_well_while_something_is_short(play: DeskPlay, fact: ev.Fact) -> None:
    play.fold(fact)
    assert "nothing needs you" not in str(header(play))
    assert face(play, "").title == "something needs you"
    async with screen(play) as (pilot, desk):
        await until(pilot, lambda: desk.subject.kind == "health")
        assert "othing needs you" not in picture(pilot) and "What to do:" in picture(pilot)
        await alone(pilot)
        await pilot.press("m")
        await until(pilot, lambda: "morning review   1 of 1" in picture(pilot))


async def test_an_open_run_without_a_supervisor_is_the_first_thing_that_is_seen(play: DeskPlay, bay: Sickbay) -> None:
    bay.run()
    app = play.app()
    app.desk = dataclasses.replace(app.desk, supervised=lambda: False)
    async with app.run_test(size=STACKED) as pilot:
        desk = await started(pilot)
        await until(pilot, lambda: desk.subject.id == "health:supervisor")
        shown = picture(pilot)
        assert "! nobody supervises" in shown.split("\n")[0]
        assert "nobody supervises and run-1 is not over: nothing goes on" in shown
        assert "`nightdesk run` goes on with it" in shown
    assert attention.needs(play.state) == [], "with one there is nothing to say"
    play.fold(ev.RunEnded(run="run-1", status="DRAINED", why="done"))
    assert attention.needs(play.state, supervised=False) == [], "nor without a run"


def test_a_silent_supervisor_is_told_with_what_to_do(play: DeskPlay) -> None:
    (item,) = attention.needs(play.state, True, 65.0)
    assert item.id == "health:supervisor" and "silent for 1m" in item.text
    (found,) = conditions.conditions(play.state, True, 65.0)
    assert any("nightdesk doctor" in line for line in found.lines)


async def test_what_is_over_says_so_and_leaves_the_list(play: DeskPlay, bay: Sickbay) -> None:
    bay.short()
    async with screen(play) as (pilot, desk):
        await until(pilot, lambda: "short of disk space: nothing new is started" in picture(pilot))
        play.fold(ev.SupervisorRecovered(kind="disk"))
        await until(pilot, lambda: "✓ this is over: work goes on" in picture(pilot))
        assert desk.needs == []


def test_what_is_held_by_a_shortage_is_named(play: DeskPlay, bay: Sickbay) -> None:
    start = cmd.StartSession(
        launch=play.state.sessions[play.working("a")].launch, cwd="/w", worktree="/w", by=play.app().desk.who(),
        label="late", prompt="Go",
    )  # fmt: skip
    added = play.ask(start)[0].fact
    assert isinstance(added, ev.SessionAdded)
    assert conditions.held_work(play.state) == ()
    bay.short("memory", "little is left")
    assert conditions.held_work(play.state) == (added.session,)
    (found,) = conditions.conditions(play.state)
    assert found.text == "memory, 1 waits: little is left" and f"held      {added.session}" in found.lines


def test_a_given_up_ticket_is_told_by_its_decision_alone(play: DeskPlay, bay: Sickbay) -> None:
    bay.run()
    bay.queue.ticket("T-1", "Import")
    session, _ = bay.queue.begun("T-1")
    bay.exits(session)
    play.fold(ev.SessionGivenUp(session=session, turn=1, cause="hang", why="six times"))
    play.fold(
        ev.DecisionParked(
            decision="dec-1", ticket="T-1", foundational=False, why="its agent breaks off again and again: six times",
            question="What is to become of the ticket?", source="nightdesk",
            options=(Interpretation(text="try it again", source="nightdesk"),),
        )
    )  # fmt: skip
    bay.queue.ends("T-1", "PARKED_DECISION", "a person decides", decision="dec-1")
    (item,) = attention.needs(play.state)
    assert (item.kind, item.text) == ("decision", "T-1: its agent breaks off again and again: six times")
    busy = play.working("busy")
    assert list(listed(play)) == [session, busy]
    lines = " ".join(face(play, "decision:dec-1").why)
    assert "What is to become of the ticket?" in lines and "by nightdesk" in lines
    play.ask(cmd.AnswerDecision(decision="dec-1", choice=1, by=play.app().desk.who()))
    assert list(listed(play)) == [busy, session], "once it is decided it is out of the way"


def test_an_unkillable_process_stays_until_it_is_dismissed_or_another_supervisor_has_come(
    play: DeskPlay, bay: Sickbay
) -> None:
    session = bay.stuck()
    assert [item.word for item in attention.needs(play.state)] == ["stuck"]
    lines = " ".join(face(play, f"session:{session}").why)
    assert "nightdesk doctor" in lines and "restart of the machine" in lines
    play.ask(cmd.StopSession(session=session, by=play.app().desk.who()))
    assert attention.needs(play.state) == []
    other = bay.stuck("again")
    play.now += 5
    play.fold(ev.SupervisorStarted(pid=9, start_time=1, host="h", version="1"))
    assert attention.needs(play.state) == [], f"{other} is for doctor now"


def test_a_session_that_is_about_to_start_again_neither_needs_anybody_nor_broke_off(
    play: DeskPlay, bay: Sickbay
) -> None:
    session = play.working("mine")
    bay.exits(session)
    run = play.state.sessions[session].run
    again = ev.SessionRestarting(session=session, run=run, turn=1, cause="crash", why="signal 9", count=1, until=NOW)
    play.fold(again)
    assert attention.needs(play.state) == []
    counts = wording.counts(play.state)
    assert (counts["restarting"], counts["exited"]) == (1, 0)


def test_the_review_walks_through_it_too(play: DeskPlay) -> None:
    ward(play)
    words = [thing.word for thing in reviewing.things(play.state, supervised=False)]
    assert words == ["alarm", "alarm", "short", "short", "given-up", "question", "stuck"]
    assert all(word in reviewing.SAYS for word in words)
    assert reviewing.gone(play.state, "health:disk") == "disk is over"


# -- hostile text -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [WIDE, SINGLE], ids=["wide", "single"])
async def test_no_command_reason_or_evidence_reaches_the_terminal_as_it_is(
    play: DeskPlay, bay: Sickbay, size: tuple[int, int]
) -> None:
    evil = "".join(PAYLOADS[:8])
    made = [bay.suspect(evidence=evil), bay.given_up(why=evil), bay.hung(why=evil), bay.leaves("x", evil, *PAYLOADS)]
    made.append(bay.stuck(reason=f"could not be killed: {evil}"))
    bay.exits(made[0], leftovers=PAYLOADS)
    bay.short(why=evil)
    play.fold(ev.FuseBlown(sessions=tuple(made[:3]), at_work=4, why=evil))
    async with screen(play, size) as (pilot, desk):
        for subject in (*(f"session:{name}" for name in made), "health:disk", "health:fuse"):
            desk.look_at(subject)
            desk.open_detail()
            tabs: tuple[Tab, ...] = ("why",) if size == SINGLE else ("session", "why")
            for tab in tabs:
                desk.detail.show(tab)
                await pilot.pause()
                text = picture(pilot)
                assert all(char.isprintable() or char == "\n" for char in text)
                assert "\u202e" not in text and "\u200b" not in text
        assert desk.is_current


def test_the_lines_of_a_session_name_port_age_and_what_had_to_be_ended(play: DeskPlay, bay: Sickbay) -> None:
    session = bay.leaves("web", SERVER, "4712 tail -f log")
    lines = wording.session_lines(play.state.sessions[session], play.state, NOW)
    assert "left      its last turn left this running (2):" in lines and f"left      {SERVER}" in lines
    assert wording.session_data(play.state.sessions[session])["processes"] == [SERVER, "4712 tail -f log"]
    assert listed(play)[session][2] == "2 run on"
    bay.exits(session, leftovers=("4713 sleep 100",), how="exited", signal=None, code=0)
    lines = wording.session_lines(play.state.sessions[session], play.state, NOW)
    assert "ended     4713 sleep 100" in lines and not [line for line in lines if line.startswith("left")]
    data = wording.session_data(play.state.sessions[session])
    assert (data["leftovers"], data["processes"]) == (["4713 sleep 100"], [])


@SIZES
async def test_a_supervisor_that_falls_silent_is_seen_as_it_happens_and_so_is_its_return(
    play: DeskPlay, bay: Sickbay, size: tuple[int, int]
) -> None:
    bay.run()
    app, silent = play.app(), [3.9]
    app.desk = dataclasses.replace(app.desk, silence=lambda _pid: silent[0])
    async with app.run_test(size=size) as pilot:
        desk = await started(pilot)
        assert "silent" not in picture(pilot) and desk.needs == [], "one missed beat is nothing"
        silent[0] = 9.2
        app._alive()
        await until(pilot, lambda: "! supervisor silent for 9s" in picture(pilot).split("\n")[0])
        await until(pilot, lambda: desk.subject.id == "health:supervisor")
        (item,) = desk.needs
        assert (item.word, item.text[:24], round(NOW - item.since, 1)) == ("alarm", "supervisor silent for 9s", 9.2)
        assert size == SINGLE or "the supervisor is silent for 9s: nobody watches" in picture(pilot)
        assert "othing needs you" not in picture(pilot)
        silent[0] = 65.0
        app._alive()
        desk._tick()
        await until(pilot, lambda: "! supervisor silent for 1m" in picture(pilot).split("\n")[0])
        silent[0] = 0.0
        app._alive()
        await until(pilot, lambda: "silent" not in picture(pilot).split("\n")[0])
        assert desk.needs == []


async def test_a_key_that_needs_a_silent_supervisor_is_recorded_and_says_that_nobody_acts_on_it(
    play: DeskPlay, bay: Sickbay
) -> None:
    bay.run()
    app, silent = play.app(), [9.2]
    app.desk = dataclasses.replace(app.desk, silence=lambda _pid: silent[0])
    async with app.run_test(size=STACKED) as pilot:
        desk = await started(pilot)
        await until(pilot, lambda: desk.silent)
        await alone(pilot)
        await pilot.press("p")
        await until(pilot, lambda: [each for each in toasts(pilot) if "nobody acts on it now" in each])
        assert isinstance(play.sent[-1], cmd.PauseRun), "it is recorded all the same"
        silent[0] = 0.0
        app._alive()
        await until(pilot, lambda: not desk.silent)
        await alone(pilot)
        await pilot.press("p")
        await until(pilot, lambda: [each for each in toasts(pilot) if "the run goes on" in each])


async def test_an_embedded_supervisor_whose_beat_stands_still_is_said_to_be_silent_too(
    play: DeskPlay, bay: Sickbay
) -> None:
    bay.run()
    app = play.app()
    app.hosted = SimpleNamespace(alive=True, failed=None)  # type: ignore[assignment]
    app.desk = dataclasses.replace(app.desk, silence=lambda _pid: 9.2)
    async with app.run_test(size=STACKED) as pilot:
        desk = await started(pilot)
        await until(pilot, lambda: "! supervisor silent for 9s" in picture(pilot).split("\n")[0])
        assert [item.id for item in desk.needs] == ["health:supervisor"]


async def test_the_silence_of_who_is_gone_is_not_that_of_who_comes(play: DeskPlay, bay: Sickbay) -> None:
    play.fold(ev.SupervisorStarted(pid=4711, start_time=1, host="h", version="1"))
    app, held = play.app(), [True]
    asked: list[int] = []

    def silence(pid: int) -> float:
        asked.append(pid)
        return 60.0 if pid == 4711 else 0.0

    app.desk = dataclasses.replace(app.desk, supervised=lambda: held[0], silence=silence)
    async with app.run_test(size=STACKED) as pilot:
        desk = await started(pilot)
        assert asked[-1] == 4711 and desk.silent == 60
        held[0] = False
        assert desk.silent == 0
        app._alive()
        held[0] = True
        assert asked[-1] == 0 and desk.silent == 0, "it is counted anew"
