"""What help, footer and palette say of a verb is what its key does: listed as working just when it is not refused."""

from __future__ import annotations

import time
from typing import Any

import pytest
from boardplay import Chains
from deskplay import ME, DeskPlay, full, screen, until
from queuedesk import Queue, a_morning, review
from textual.pilot import Pilot

from console.core import commands as cmd
from console.core import events as ev
from console.present import keytable
from console.tui import verbpalette
from console.tui.screens import help
from console.tui.screens.board import Board
from console.tui.screens.sheets import KeyHelp
from console.tui.widgets.lines import LineView

LONG_AGO = 60.0
MOVES_ON = (
    *("help", "leave", "back", "next-pane", "previous-pane", "zoom", "bigger", "smaller", "usual-split", "filter"),
    *("only-waiting", "order", "archive", "show-archived", "next-waiting", "alert", "chains-list", "routines-list"),
)
"""Verbs that change where one is, or what there is to press; they are tried in tests of their own."""


class Trial:
    """A screen whose verbs do everything but happen: no command is sent, no dialog opens, nothing is lent."""

    def __init__(self, pilot: Pilot[Any], shown: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        self.pilot, self.shown, self.said, self.did = pilot, shown, [], 0
        app = pilot.app
        for owner, names in (
            (shown, ("dismiss", "_go")),
            (app, ("push_screen", "exit", "lend", "stop_when_quiet", "run_worker")),
            (app.hands, ("send", "aside", "offer")),  # type: ignore[attr-defined]
        ):
            for name in names:
                if hasattr(owner, name):
                    monkeypatch.setattr(owner, name, self.noted)
        monkeypatch.setattr(shown, "say", lambda text, seconds=6.0: self.said.append(text))
        monkeypatch.setattr(shown, "when_alone", lambda undone, act: act())

    def noted(self, *_: Any, **__: Any) -> None:
        self.did += 1

    def settle(self) -> None:
        """As if everything had been before the eye for a while."""
        shown = self.shown
        shown.guard.since, shown.guard.late, shown.guard.spent = time.monotonic() - LONG_AGO, 0.0, ""
        shown._armed, shown._gap = ("", 0.0), LONG_AGO
        shown.thing_drawn()
        shown.alert_drawn()
        shown._thing_drawn = (shown._thing_drawn[0], time.monotonic() - LONG_AGO)
        shown._alert_drawn = (shown._alert_drawn[0], time.monotonic() - LONG_AGO)

    async def press(self, row: keytable.Row) -> list[str]:
        """Refusals of that verb: what it says, but for questions and for the sight that it asks for first."""
        self.settle()
        self.said.clear()
        await self.pilot.app.run_action(row.action, self.shown)
        return [text for text in self.said if "again" not in text or not text.startswith(("press", "Level", "this is"))]

    async def compare(self, subject: str) -> int:
        """Every verb of the screen; how many were tried."""
        tried, wrong = 0, []
        for entry in help.entries(self.shown):
            row = entry.row
            if self.shown.here_is not in row.where or not row.action or row.id in MOVES_ON:
                continue
            assert self.shown.subject.id == subject, f"{row.id}: {self.shown.subject.id} is shown"
            self.settle()
            why, footer = self.shown.why_not(row.id), [key for key, *_ in self.shown.keys_here()]
            refused = await self.press(row)
            if bool(why) != bool(refused) or (why and why not in refused[0]):
                wrong.append(f"{row.id} on {subject}: listed with {why!r}, pressed: {refused}")
            others = [each for each in keytable.rows(self.shown.here_is) if each.id != row.id]
            shared = {key for each in others for key in keytable.keys_of(each)}
            mine = {keytable.label(key) for key in keytable.keys_of(row) if key not in shared}
            if why and mine & set(footer):
                wrong.append(f"{row.id} on {subject} is in the footer: {footer}")
            tried += 1
        assert not wrong, "\n".join(wrong)
        return tried


def everything(play: DeskPlay) -> list[str]:
    """One subject of every kind and state that a person can come to."""
    queue = Queue(play)
    made = full(play)
    chains = Chains(play, queue)
    found = [*a_morning(play, queue)[1:], *(f"{kind}:{made[name]}" for kind, name in KINDS)]
    landed = play.plan("landed")
    play.approved(landed)
    play.lands(landed)
    rejected = play.plan("no")
    play.ask(cmd.Reject(policy=play.state.plans[rejected].policy, plan=rejected, by=ME))
    queue.ticket("dropped")
    play.ask(cmd.DropTicket(ticket="dropped", by=ME))
    queue.ticket("waits")
    session, policy = queue.begun("F-9") if queue.ticket("F-9") else ("", "")
    alert = play.alerts()
    routine = chains.routine("deploy")
    gone = play.working("stopped")
    play.ask(cmd.StopSession(session=gone, by=ME))
    play.report(ev.Exited(session=gone, run=1, how="exited", code=0, stopped=True))
    more = [f"plan:{landed}", f"plan:{rejected}", f"session:{gone}", f"session:{session}", f"policy:{policy}"]
    return [
        *found,
        *more,
        "ticket:dropped",
        "ticket:waits",
        "ticket:F-9",
        f"alert:{alert}",
        f"routine:{routine}",
        "held:tickets",
    ]


KINDS = (("plan", "plan"), ("session", "asking"), ("session", "broke"), ("session", "busy"), ("policy", "blocked"))


async def test_a_verb_is_listed_as_working_exactly_when_its_key_does_something(
    play: DeskPlay, monkeypatch: pytest.MonkeyPatch
) -> None:
    subjects = everything(play)
    tried = 0
    async with screen(play) as (pilot, desk):
        await until(pilot, lambda: desk.subject.id)
        trial = Trial(pilot, desk, monkeypatch)
        for subject in subjects:
            desk.look_at(subject)
            plan = subject.removeprefix("plan:") if subject.startswith("plan:") else ""
            await until(pilot, lambda plan=plan: not plan or desk.guard.shown == plan)  # type: ignore[misc]
            tried += await trial.compare(subject)
    assert tried > 25 * len(subjects)


async def test_so_it_is_in_the_review_and_on_the_board(play: DeskPlay, monkeypatch: pytest.MonkeyPatch) -> None:
    everything(play)
    async with review(play) as (pilot, shown):
        trial = Trial(pilot, shown, monkeypatch)
        for thing in list(shown.walk.todo):
            shown.here = thing
            shown.look_at(thing)
            plan = thing.removeprefix("plan:") if thing.startswith("plan:") else ""
            await until(pilot, lambda plan=plan: not plan or shown.guard.shown == plan)  # type: ignore[misc]
            shown.walk.deeds.clear()
            assert await trial.compare(thing) > 15
    async with screen(play) as (pilot, _):
        await pilot.press("b")
        await until(pilot, lambda: isinstance(pilot.app.screen, Board))
        board = pilot.app.screen
        trial = Trial(pilot, board, monkeypatch)
        routine = f"routine:{next(iter(play.state.routines))}"
        await pilot.press("2")
        board.look_at(routine)  # type: ignore[attr-defined]
        await until(pilot, lambda: board.subject.id == routine)  # type: ignore[attr-defined]
        assert await trial.compare(routine) > 8


async def test_the_palette_has_what_works_first_and_the_rest_with_its_reason(play: DeskPlay) -> None:
    plan = play.plan("fix-cart")
    async with screen(play) as (pilot, desk):
        await until(pilot, lambda: desk.guard.shown == plan)
        found = verbpalette.offers(desk)
        works = [offer.works for offer in found]
        assert works == sorted(works, reverse=True) and not all(works)
        by_name = {offer.name: offer for offer in found}
        assert by_name["Judge again"].about.startswith("not now: ") and by_name["Judge again"].key == "R"
        assert len(found) >= len([row for row in keytable.rows("desk") if row.action])
        provider = verbpalette.VerbProvider(desk)
        provider._post_init()
        hits = sorted([hit async for hit in provider._search("rej")], key=lambda hit: -hit.score)
        assert hits[0].text == "Reject, dismiss, requeue"
        by_name["Approve"].run()
        assert play.sent == [], "approving wants its key"
        await by_name["Reject, dismiss, requeue"].run()
        await until(pilot, lambda: [type(each) for each in play.sent] == [cmd.Reject])


async def test_the_help_is_searched_and_esc_goes_one_step_out(play: DeskPlay) -> None:
    play.plan("fix-cart")
    async with screen(play, (50, 20)) as (pilot, desk):
        await pilot.press("question_mark")
        await until(pilot, lambda: isinstance(pilot.app.screen, KeyHelp))
        sheet = pilot.app.screen
        await pilot.press("slash", *"undo")

        def lines() -> list[str]:
            return list(sheet.query_one(LineView)._lines)

        await until(pilot, lambda: any(line.startswith("u ") for line in lines()) and len(lines()) < 12)
        assert all(len(line) <= 48 for line in lines())
        await pilot.press("escape")
        await until(pilot, lambda: len(lines()) > 40 and pilot.app.screen is sheet)
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.screen is desk)
