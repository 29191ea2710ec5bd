"""The session pane under a pilot: what it says of now, following, prompts, questions, and the agent's own program."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from deskplay import ME, NOW, SINGLE, STACKED, WIDE, DeskPlay, alone, burst, desk_of, picture, screen, toasts, until
from textual.pilot import Pilot

from console.adapters.agents import transcripts
from console.core import commands as cmd
from console.core import events as ev
from console.core.records import Launch, Option, Refused, Usage, Who
from console.engine import borrowing
from console.engine.desk import Desk, Opening
from console.present import sessionwords
from console.present.doing import Spent
from console.present.talk import Origin
from console.tui.hands import Hands
from console.tui.keyguard import SETTLE
from console.tui.ledger import PAGE, PAGES, Ledger
from console.tui.screens.desk import DeskScreen
from console.tui.screens.session_sheets import AskPrompt, AskQuestion, ConfirmOpening, Resting, question_lines

OPTIONS = (
    Option(id="a", name="Yes", kind="allow_once"),
    Option(id="b", name="Yes, and for ever", kind="allow_always"),
    Option(id="c", name="No", kind="reject_once"),
)
OWN = Opening(argv=("claude", "--resume", "c o n"), cwd="/w", env={}, words="not confined")
ELSEWHERE = Who(user="bob", tty="/dev/pts/9", via="test")


class Pane(DeskPlay):
    """opening: what is found for the agent's own program. tick: added to the screen's clock, a second a look."""

    opening: Opening | Refused = OWN
    looks = 0

    def desk(self) -> Desk:
        return dataclasses.replace(super().desk(), opening=lambda session: self.opening, me=lambda: (4711, 99))

    def open_session(self, interactive: tuple[str, ...] = ("claude", "--resume", "{conversation}")) -> str:
        """A session whose first turn has ended."""
        self.now += 10
        launch = Launch(argv=("agent",), interactive=interactive)
        start = cmd.StartSession(
            launch=launch, cwd="/w", worktree="/w", by=ME, preset="claude", label="fix-cart", prompt="Fix it"
        )
        added = self.ask(start)[0].fact
        assert isinstance(added, ev.SessionAdded)
        self.report(ev.SessionStarted(session=added.session, run=1, conversation="c o n", pid=11, shim_pid=10))
        self.report(ev.TurnStarted(session=added.session, turn=1, ref="refs/heads/main", head="b" * 40))
        self.ends_turn(added.session)
        return added.session

    def at_work(self) -> str:
        """A session in its second turn, with a transcript."""
        session = self.open_session()
        self.ask(cmd.SendPrompt(session=session, text="Go on", by=ME, cause="nudge"))
        self.now = NOW - 90
        self.report(ev.TurnStarted(session=session, turn=2, ref="refs/heads/main", head="b" * 40))
        self.transcripts[session] = told(
            (90, "turn-start", {"turn": 2, "text": "Go on"}),
            (60, "plan", {"text": "completed: Look\nin_progress: Add a test\npending: Run it"}),
            (50, "usage", {"input": 12_000, "output": 300, "usd": 0.2, "used": 60_000, "window": 200_000}),
            (42, "tool", {"tool": "Bash", "id": "t", "status": "in_progress", "text": json.dumps(BASH)}),
        )
        return session

    def asks_for_an_edit(self) -> str:
        session = self.at_work()
        self.now = NOW - 30
        asked = ev.AwaitingInput(session=session, turn=2, question="q-1", title="Edit cart.py", options=OPTIONS)
        self.report(asked)
        diff = "cart.py\n-    return 0\n+    return [bold]1[/] \x1b]0;x\x07" + "".join(
            f"\n+    line {i}" for i in range(60)
        )
        options = "a: Yes\nb: Yes, and for ever\nc: No"
        fields = {"question": "q-1", "title": "Edit cart.py", "options": options, "text": diff, "paths": "/w/cart.py"}
        self.transcripts[session] += told((30, "ask", fields), first=10)
        return session

    def ticking(self) -> Any:
        """A clock for the screen that goes on by a second with each look at it."""

        def now() -> float:
            self.looks += 1
            return NOW + self.looks

        return now


BASH = {"command": "pytest -q", "timeout": 120_000}


def told(*entries: tuple[float, str, dict[str, Any]], first: int = 1) -> list[dict[str, Any]]:
    return [{"n": first + i, "at": NOW - ago, "kind": kind, **more} for i, (ago, kind, more) in enumerate(entries)]


@pytest.fixture
def pane(play: DeskPlay) -> Pane:
    return Pane()


async def shown(pilot: Pilot[Any], desk: DeskScreen, session: str) -> None:
    """The session is before the eye."""
    desk.look_at(f"session:{session}")
    desk.open_detail()
    await until(pilot, lambda: desk.detail.tab == "session" and desk.detail.talk.count)
    await alone(pilot)


def said(desk: DeskScreen) -> str:
    """All that was said in toasts."""
    return " ".join(note.message for note in desk.app._notifications)


# -- now ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "plan"),
    [(WIDE, ("✓ Look", "▸ Add a test", "· Run it")), (STACKED, ("2/3: Add a test",)), (SINGLE, ("2/3: Add",))],
)
async def test_the_head_says_what_it_does_how_far_it_is_and_what_that_cost(
    pane: Pane, size: tuple[int, int], plan: tuple[str, ...]
) -> None:
    session = pane.at_work()
    async with screen(pane, size) as (pilot, desk):
        await shown(pilot, desk, session)
        await until(pilot, lambda: "for 42s of at most 2m00s" in picture(pilot))
        seen = picture(pilot)
        for text in ("running Bash p", *plan, "turn 12.0k in 300 out 0.20 $", "> nudge", "● Bash pytest -q · since"):
            assert text in seen, (text, seen)
        assert "n prompt  i interrupt  x stop" in seen


async def test_ages_tick_and_the_conversation_below_is_not_painted_for_that(
    pane: Pane, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = pane.at_work()
    async with screen(pane) as (pilot, desk):
        await shown(pilot, desk, session)
        await until(pilot, lambda: "for 42s of at most 2m00s" in picture(pilot))
        painted: list[int] = []
        monkeypatch.setattr(desk.detail.talk, "render_line", painted.append)
        monkeypatch.setattr(pilot.app, "now", pane.ticking())
        head = desk.query_one("#doing")
        await until(pilot, lambda: "for 42s" not in str(head.visual))
        assert "running Bash pytest -q for " in str(head.visual) and painted == []


async def test_what_is_asked_stands_among_the_first_that_need_somebody_with_its_title_and_age(pane: Pane) -> None:
    pane.plan("fix-tax")
    session = pane.asks_for_an_edit()
    pane.blocked("flaky")
    async with screen(pane) as (pilot, desk):
        assert desk.needs[0].id == f"session:{session}"
        assert "? question fix-cart: Edit cart.py" in picture(pilot) and "30s│" in picture(pilot)
        await until(pilot, lambda: "waits for you for 30s: Edit cart.py" in picture(pilot))


def test_who_prompted_and_what_ended_turns_cost_is_read_from_the_log_page_by_page(pane: Pane) -> None:
    session = pane.open_session()
    pane.fold(*(ev.OperatorActive(by=ME) for _ in range(PAGE * PAGES)))
    pane.ask(cmd.SendPrompt(session=session, text="more", by=ELSEWHERE))
    usage = Usage(input_tokens=5, cost_usd=0.5)
    pane.fold(*(ev.TurnEnded(session=session, turn=2, ok=True, stop="end_turn", usage=usage) for _ in range(2)))
    ledger = Ledger(lambda: pane.log.span)
    assert ledger.read_on() and ledger.spent(session) == Spent()
    while ledger.read_on():
        pass
    assert ledger.origins(session) == {1: Origin("operator", user="ada"), 2: Origin("operator", user="bob")}
    assert ledger.spent(session) == Spent(input=10, usd=1.0) and ledger.spent("s-9") == Spent()


# -- following ---------------------------------------------------------------------------------------------


def many(count: int, first: int = 1) -> list[dict[str, Any]]:
    """Alternating kinds, so that each is a piece of its own."""
    return [
        {"n": n, "at": NOW - 60, "kind": "text" if n % 2 else "thought", "text": f"said {n}\n"}
        for n in range(first, first + count)
    ]


async def test_it_follows_its_end_until_somebody_scrolls_up_and_says_what_came_since(pane: Pane) -> None:
    session = pane.at_work()
    pane.transcripts[session] = many(200)
    async with screen(pane) as (pilot, desk):
        await shown(pilot, desk, session)
        talk = desk.detail.talk
        await until(pilot, lambda: "said 200" in picture(pilot) and not talk.bar)
        await pilot.press("k", "k", "k")
        await until(pilot, lambda: "more below · End follows" in picture(pilot))
        top = talk._lines[talk.top_line].text
        pane.transcripts[session] = many(212)
        desk.load_transcript()
        await until(pilot, lambda: "↓ 12 new · End follows" in picture(pilot))
        pane.transcripts[session] = many(150, first=63)  # the file's end is read: what is above falls away
        desk.load_transcript()
        await until(pilot, lambda: talk.count == 150 and talk._lines[talk.top_line].text == top)
        pane.transcripts[session] = many(150, first=900)  # far more came than is kept here
        desk.load_transcript()
        await until(pilot, lambda: "↓ more than 150 new, what you read is above them" in picture(pilot))
        pane.transcripts[session] = many(150, first=63)
        desk.load_transcript()
        await pilot.press("end")
        await until(pilot, lambda: "said 212" in picture(pilot) and "End follows" not in picture(pilot))
        pane.transcripts[session] = many(240)
        desk.load_transcript()
        await until(pilot, lambda: "said 240" in picture(pilot))


async def test_outputs_are_shown_in_full_and_brief_again(pane: Pane) -> None:
    session = pane.at_work()
    call = {"tool": "Read cart.py", "id": "r"}
    pane.transcripts[session] += told(
        (40, "tool", {**call, "status": "pending"}),
        (39, "tool", {**call, "status": "completed", "text": "one\ntwo\n[bold]three[/]"}),
        first=20,
    )
    async with screen(pane) as (pilot, desk):
        await shown(pilot, desk, session)
        await until(pilot, lambda: "✓ Read cart.py · 1.0s · one" in picture(pilot))
        await pilot.press("v")
        await until(pilot, lambda: "│ [bold]three[/]" in picture(pilot))
        await pilot.press("v")
        await until(pilot, lambda: "│ [bold]three[/]" not in picture(pilot))


async def test_a_transcript_of_16_mb_stalls_nothing(
    pane: Pane, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = pane.at_work()
    path = tmp_path / "t.jsonl"
    entry = transcripts.encode({"n": 1, "at": NOW, "kind": "line", "text": "words and more words " * 50 + "\n"})
    path.write_bytes(entry * (16 * 1024 * 1024 // len(entry)))
    kept = pane.desk()
    monkeypatch.setattr(
        pane, "desk", lambda: dataclasses.replace(kept, transcript=lambda _: transcripts.tail(str(path)))
    )
    async with screen(pane) as (pilot, desk):
        gaps = [time.monotonic()]

        async def tick() -> None:
            while True:
                await asyncio.sleep(0.01)
                gaps.append(time.monotonic())

        ticking = asyncio.create_task(tick())
        await shown(pilot, desk, session)
        await until(pilot, lambda: desk.detail.talk.count > 1000)
        ticking.cancel()
        assert max(after - before for before, after in pairwise(gaps)) < 0.7


# -- prompts -----------------------------------------------------------------------------------------------


async def prompting(pilot: Pilot[Any], text: str, *keys: str) -> AskPrompt:
    await pilot.press("n")
    await until(pilot, lambda: isinstance(pilot.app.screen, AskPrompt))
    sheet = pilot.app.screen
    assert isinstance(sheet, AskPrompt)
    await pilot.press(*text, *keys)
    return sheet


async def test_a_prompt_to_an_idle_session_is_sent_at_once(pane: Pane) -> None:
    session = pane.open_session()
    async with screen(pane) as (pilot, desk):
        await shown(pilot, desk, session)
        await prompting(pilot, "go")
        assert "interrupt turn" not in picture(pilot)
        await pilot.press("enter")
        await until(pilot, lambda: pane.sent == [cmd.SendPrompt(session=session, text="go", by=ME)])
        await until(pilot, lambda: f"sent to {session}" in said(desk))


async def test_while_a_turn_runs_a_prompt_is_queued_behind_it_unless_the_turn_is_to_be_interrupted(pane: Pane) -> None:
    session = pane.at_work()
    async with screen(pane) as (pilot, desk):
        await shown(pilot, desk, session)
        sheet = await prompting(pilot, "a")
        assert "› queued behind turn 2" in picture(pilot)
        await pilot.press("enter")
        await until(pilot, lambda: f"queued behind turn 2 of {session}" in said(desk))
        sheet = await prompting(pilot, "b", "tab")
        assert sheet.at_once and "› interrupt turn 2; 1 prompt that waits comes first" in picture(pilot)
        await pilot.press("enter")
        await until(pilot, lambda: len(pane.sent) == 3)
        assert pane.sent == [
            cmd.SendPrompt(session=session, text="a", by=ME),
            cmd.InterruptTurn(session=session, by=ME),
            cmd.SendPrompt(session=session, text="b", by=ME),
        ]


async def test_a_turn_that_ended_while_the_prompt_was_typed_is_not_mistaken_for_the_next_one(pane: Pane) -> None:
    session = pane.at_work()
    async with screen(pane) as (pilot, desk):
        await shown(pilot, desk, session)
        await prompting(pilot, "b", "tab")
        pane.ask(cmd.SendPrompt(session=session, text="more", by=ELSEWHERE))
        pane.ends_turn(session, 2)
        pane.report(ev.TurnStarted(session=session, turn=3, ref="refs/heads/main", head="b" * 40))
        await until(pilot, lambda: desk.state.sessions[session].turns == 3)
        await until(pilot, lambda: "turn 2 has ended meanwhile" in picture(pilot))
        await until(pilot, lambda: "› queued behind turn 3" in picture(pilot) and "interrupt turn 3" in picture(pilot))
        await pilot.press("enter")
        await until(pilot, lambda: pane.sent)
        await alone(pilot)
        assert pane.sent == [cmd.SendPrompt(session=session, text="b", by=ME)]


async def test_who_interrupts_is_told_which_prompts_come_first_and_the_queue_is_counted(pane: Pane) -> None:
    session = pane.at_work()
    for text in ("one", "two"):
        pane.ask(cmd.SendPrompt(session=session, text=text, by=ELSEWHERE))
    async with screen(pane) as (pilot, desk):
        await shown(pilot, desk, session)
        assert "turn 2, 2 prompts queued" in picture(pilot)
        await prompting(pilot, "b", "tab")
        await until(pilot, lambda: "› interrupt turn 2; 2 prompts that wait come first" in picture(pilot))
        await pilot.press("enter")
        await until(pilot, lambda: "then it gets the prompt, behind 2 that waited" in said(desk))


# -- questions ---------------------------------------------------------------------------------------------


async def asked(pilot: Pilot[Any]) -> AskQuestion:
    """The dialog, looked at for as long as a digit needs to count."""
    await pilot.press("y")
    await until(pilot, lambda: isinstance(pilot.app.screen, AskQuestion))
    sheet = pilot.app.screen
    assert isinstance(sheet, AskQuestion)
    await until(pilot, lambda: time.monotonic() - sheet._since > SETTLE)
    await alone(pilot)
    return sheet


async def test_a_question_is_shown_in_full_with_its_answers_in_words_and_a_digit_answers(pane: Pane) -> None:
    session = pane.asks_for_an_edit()
    async with screen(pane, SINGLE) as (pilot, desk):
        await shown(pilot, desk, session)
        await asked(pilot)
        seen = picture(pilot)
        for text in ("asks: Edit cart.py", "path: /w/cart.py", "-    return 0", "+    return [bold]1[/]"):
            assert text in seen, seen
        for text in ("1 Yes · allow once", "2 Yes, and for ever · allow always", "3 No · reject"):
            assert text in seen, seen
        await pilot.press("tab", "G")
        await until(pilot, lambda: "+    line 59" in picture(pilot))
        await alone(pilot)
        await pilot.press("4")  # there is no such answer
        await alone(pilot)
        assert pane.sent == []
        await pilot.press("3")
        await until(pilot, lambda: pane.sent)
        assert pane.sent == [cmd.AnswerQuestion(session=session, option="c", question="q-1", by=ME)]


async def test_no_digit_answers_that_was_typed_for_something_else_or_in_a_burst_and_escape_leaves_it_open(
    pane: Pane,
) -> None:
    session = pane.asks_for_an_edit()
    async with screen(pane) as (pilot, desk):
        await shown(pilot, desk, session)
        await pilot.press("y")
        await until(pilot, lambda: isinstance(pilot.app.screen, AskQuestion))
        sheet = pilot.app.screen
        assert isinstance(sheet, AskQuestion)
        sheet._since = time.monotonic()  # it has come up in this moment
        await pilot.press("1")
        await until(pilot, lambda: time.monotonic() - sheet._since > SETTLE)
        await alone(pilot)
        burst(pilot, "11")
        await until(pilot, lambda: "keys came too fast" in said(desk))
        await alone(pilot)
        assert pane.sent == [] and pilot.app.screen is sheet
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.screen is desk)
        assert pane.sent == [] and desk.state.sessions[session].question


def test_a_question_that_is_not_shown_whole_says_so_before_anything_else() -> None:
    shown = question_lines({"tool": "Edit", "paths": "/w/a", "text": "a\n+x\n... 14768 more lines"})
    assert shown[0] == "! not all of it is shown here: 14768 more lines"
    assert not question_lines({"tool": "Edit", "text": "a\n+x"})[0].startswith("!")
    assert question_lines({"text": "x\n" * 5000})[0] == "! not all of it is shown here: 3000 more lines"


async def test_of_many_answers_the_last_is_reached_and_the_hint_is_seen(pane: Pane) -> None:
    session = pane.at_work()
    many_options = tuple(Option(id=f"o{i}", name=f"answer {i}", kind="allow_once") for i in range(1, 25))
    pane.report(ev.AwaitingInput(session=session, turn=2, question="q-1", title="Which?", options=many_options))
    async with screen(pane, (50, 20)) as (pilot, desk):
        await shown(pilot, desk, session)
        await asked(pilot)
        assert "Esc leaves it open" in " ".join(picture(pilot).replace("│", " ").split())
        await pilot.press("G")
        await until(pilot, lambda: "answer 24" in picture(pilot))


async def test_a_question_that_was_answered_elsewhere_is_answered_no_more(pane: Pane) -> None:
    session = pane.asks_for_an_edit()
    async with screen(pane) as (pilot, desk):
        await shown(pilot, desk, session)
        sheet = await asked(pilot)
        pane.ask(cmd.AnswerQuestion(session=session, option="c", question="q-1", by=ELSEWHERE))
        pane.report(ev.InputAnswered(session=session, question="q-1", option="c"))
        again = ev.AwaitingInput(session=session, turn=2, question="q-2", title="Run rm", options=OPTIONS)
        pane.report(again)
        await until(pilot, lambda: "it was answered elsewhere" in picture(pilot))
        await alone(pilot)
        await pilot.press("1", "down", "enter")
        await until(pilot, lambda: pilot.app.screen is not sheet)
        assert pane.sent == []


# -- the agent's own program -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("interactive", "found", "why"),
    [
        ((), OWN, "set `interactive` in its preset"),
        (("claude",), Refused(reason="claude is not installed"), "claude is not installed"),
    ],
)
async def test_a_session_that_cannot_be_opened_says_why(
    pane: Pane, interactive: tuple[str, ...], found: Opening | Refused, why: str
) -> None:
    session = pane.open_session(interactive)
    pane.opening = found
    async with screen(pane) as (pilot, desk):
        await shown(pilot, desk, session)
        await pilot.press("o")
        await until(pilot, lambda: why in said(desk))
        assert pane.sent == [] and pilot.app.screen is desk


async def opening(pilot: Pilot[Any], desk: DeskScreen, session: str) -> None:
    await shown(pilot, desk, session)
    await pilot.press("o")
    await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmOpening))
    await until(pilot, lambda: "claude --resume 'c o n'" in picture(pilot))


async def test_its_exact_command_line_is_asked_about_and_the_first_answer_opens_nothing(pane: Pane) -> None:
    session = pane.open_session()
    async with screen(pane) as (pilot, desk):
        for leave in ("enter", "escape"):
            await opening(pilot, desk, session)
            assert "not confined" in picture(pilot) and "in /w" in picture(pilot)
            await pilot.press(leave)
            await until(pilot, lambda: pilot.app.screen is desk)
        assert pane.sent == []


async def test_the_terminal_is_lent_once_the_agent_rests_and_what_refuses_gives_the_conversation_back(
    pane: Pane,
) -> None:
    session = pane.open_session()
    async with screen(pane) as (pilot, desk):
        await opening(pilot, desk, session)
        await pilot.press("j", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, Resting))
        await until(pilot, lambda: desk.state.sessions[session].phase == "stopping")
        pane.report(ev.Exited(session=session, run=1, how="exited", code=0))
        await until(pilot, lambda: len(pane.sent) == 2)  # a pilot has no terminal to lend
        lent, back = pane.sent
        assert lent == cmd.LendSession(session=session, by=ME, pid=4711, start_time=99)
        assert isinstance(back, cmd.ReturnSession) and back.code is None and "cannot be lent" in back.note
        await until(pilot, lambda: "cannot be lent to another program" in said(desk) and pilot.app.screen is desk)
        await until(pilot, lambda: desk.state.sessions[session].lent is None)


@pytest.mark.parametrize("how", ["late", "escape", "changed"])
async def test_an_agent_that_does_not_rest_or_a_person_who_leaves_gives_the_conversation_back(
    pane: Pane, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    session = pane.open_session()
    monkeypatch.setattr(borrowing, "PATIENCE", 0.3 if how == "late" else 20.0)
    async with screen(pane) as (pilot, desk):
        await opening(pilot, desk, session)
        if how == "changed":
            pane.opening = dataclasses.replace(OWN, argv=("claude", "--evil"))
        await pilot.press("j", "enter")
        await until(pilot, lambda: pane.sent)
        if how != "late":
            await until(pilot, lambda: isinstance(pilot.app.screen, Resting))
            await pilot.press(*(["escape"] if how == "escape" else []))
            await until(pilot, lambda: desk.state.sessions[session].phase == "stopping")
            pane.report(ev.Exited(session=session, run=1, how="exited", code=0))
        await until(pilot, lambda: len(pane.sent) == 2)
        back = pane.sent[1]
        assert isinstance(back, cmd.ReturnSession) and back.code == borrowing.NOT_OPENED
        why = {"late": "did not end within 0.3 s", "escape": "you left it", "changed": "another one by now"}[how]
        await until(pilot, lambda: why in said(desk) and pilot.app.screen is desk)


async def test_a_screen_that_goes_while_the_agent_is_ended_gives_the_conversation_back(pane: Pane) -> None:
    session = pane.open_session()
    async with screen(pane) as (pilot, desk):
        await opening(pilot, desk, session)
        await pilot.press("j", "enter")
        await until(pilot, lambda: desk.state.sessions[session].phase == "stopping")
        desk.app.leave_soon()
        await until(pilot, lambda: len(pane.sent) == 2)
    back = pane.sent[1]
    assert isinstance(back, cmd.ReturnSession) and back.code == borrowing.NOT_OPENED
    assert not pane.state.sessions[session].lent


async def test_what_was_taken_on_the_way_to_a_screen_that_is_gone_is_given_back(pane: Pane) -> None:
    dropped: list[object] = []
    hands = Hands(pane.desk(), lambda call: None, lambda: False)  # nothing is delivered any more
    hands.offer(lambda: OWN, lambda _: None, dropped.append)
    ended = time.monotonic() + 10
    while not dropped and time.monotonic() < ended:
        await asyncio.sleep(0.01)
    assert dropped == [OWN]


def test_what_is_said_of_a_conversation_that_is_back_is_so(pane: Pane) -> None:
    session = pane.open_session()
    assert sessionwords.returned(pane.state.sessions[session]) == f"{session} is back"
    pane.ask(cmd.SendPrompt(session=session, text="x", by=ME))
    assert "1 prompt(s) that came meanwhile" in sessionwords.returned(pane.state.sessions[session])
    pane.ask(cmd.StopSession(session=session, by=ME))
    pane.report(ev.Exited(session=session, run=1, how="exited", code=0, stopped=True))
    said = sessionwords.returned(pane.state.sessions[session])
    assert said == f"{session} is over: it was stopped by ada; 1 queued prompt(s) were not delivered"


async def test_while_another_console_has_it_the_headline_says_so_and_every_verb_is_refused_for_that(pane: Pane) -> None:
    session = pane.open_session()
    pane.ask(cmd.LendSession(session=session, by=ELSEWHERE, pid=1, start_time=1))
    pane.report(ev.Exited(session=session, run=1, how="exited", code=0))
    pane.report(ev.SnapshotTaken(session=session, turn=1, snapshot="5" * 40))
    words = "open in claude's own program by bob on pts/9 since "
    async with screen(pane) as (pilot, desk):
        await shown(pilot, desk, session)
        await until(pilot, lambda: f"· lent: {words}" in picture(pilot))
        assert "n prompt" not in picture(pilot) and "o its own program" not in picture(pilot)
        assert "B go back" not in picture(pilot)
        for key in "nyixoB":
            desk.app.clear_notifications()
            await alone(pilot)
            await pilot.press(key)
            await until(pilot, lambda: words in said(desk))
            assert desk_of(pilot) is pilot.app.screen
        assert pane.sent == [] and toasts(pilot)
