"""The keys of a diff on the desk: comments and where they go, the list of files, the layout, the editor, warnings."""

from __future__ import annotations

import dataclasses
import re
import shlex
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from deskplay import DIFF, ME, SINGLE, WIDE, DeskPlay, alone, picture, risk, seen, started, toasts, until
from queuedesk import Queue
from textual.pilot import Pilot
from textual.widgets import Input, Static

from console.cli.acking import ack
from console.core import commands as cmd
from console.core.commits import unconfirmed
from console.core.decide import find_plan
from console.core.records import Frozen, Refused
from console.engine.desk import Forgetful
from console.engine.planfiles import Editing, PlanFiles
from console.engine.ports import Behind
from console.present.difftext import parse
from console.terminal.lending import Loan
from console.tui.screens.comment_sheets import AskComment, Comments, SendComments
from console.tui.screens.desk import DeskScreen
from console.tui.screens.diff_verbs import DiffFiles
from console.tui.screens.editor_verbs import line_near
from console.tui.screens.sheets import Choose
from console.tui.screens.subject import Subject, describe
from console.tui.widgets.diff import LineDiff
from console.tui.widgets.lines import LineView
from console.tui.widgets.table import VTable

FULL = (160, 50)


@asynccontextmanager
async def at(
    play: DeskPlay, plan: str, size: tuple[int, int] = WIDE, **more: Any
) -> AsyncIterator[tuple[Pilot[Any], DeskScreen, LineDiff]]:
    """The desk with the focus on this plan's diff. more: fields of the desk's record."""
    app = play.app()
    app.desk = dataclasses.replace(app.desk, **more)
    async with app.run_test(size=size, notifications=True) as pilot:
        desk = await started(pilot)
        desk.go_to(f"plan:{plan}")
        desk.open_detail()
        await seen(pilot, plan)
        yield pilot, desk, desk.detail.query_one(LineDiff)


async def sheet(pilot: Pilot[Any], kind: type[Any]) -> Any:
    await until(pilot, lambda: isinstance(pilot.app.screen, kind))
    await pilot.pause()
    return pilot.app.screen


async def says(pilot: Pilot[Any], line: int, text: str) -> None:
    """Comment a line of the diff."""
    view = pilot.app.screen.query_one(LineDiff)
    view.show_line(line)
    await pilot.press("c")
    dialog = await sheet(pilot, AskComment)
    dialog.query_one(Input).value = text
    await pilot.press("enter")
    await until(pilot, lambda: isinstance(pilot.app.screen, DeskScreen))


async def sends(pilot: Pilot[Any], row: int) -> SendComments:
    """`C`, send, and the way of that row, up to the first Enter."""
    await pilot.press("C")
    await sheet(pilot, Comments)
    await pilot.press("s")
    dialog: SendComments = await sheet(pilot, SendComments)
    await pilot.press(*["j"] * row)
    await alone(pilot)
    await pilot.press("enter")
    await until(pilot, lambda: "press Enter again" in picture(pilot))
    await alone(pilot)
    return dialog


def then(dialog: SendComments) -> str:
    """What the chosen way does, in one line."""
    return " ".join(str(dialog.query_one(".then", Static).content).split())


async def test_comments_are_kept_marked_listed_and_sent_as_one_nudge_of_two_presses(play: DeskPlay) -> None:
    plan, memory = play.plan("fix-cart"), Forgetful()
    line = DIFF.split(b"\n").index(b"-    return 1")
    async with at(play, plan, memory_here=memory) as (pilot, _, view):
        await says(pilot, 7, "Use\x1b Decimal")
        await says(pilot, line, "why gone?")
    async with at(play, plan, memory_here=memory) as (pilot, _, view):
        assert view.render_line(7).text[1] == "*" and view.diff.lines[7].startswith(b"+    #")
        assert (
            "! 2 comments of yours not sent yet: C shows" in picture(pilot) and "C " in picture(pilot).split("\n")[-1]
        )
        await pilot.press("C")
        await sheet(pilot, Comments)
        listed = [row for row in picture(pilot).split("\n") if "shop/cart.py:" in row]
        assert any("shop/cart.py:9 (removed)" in row for row in listed), listed
        assert any("Use␛ Decimal" in row for row in listed), listed
        await pilot.press("j", "enter")
        await until(pilot, lambda: view.line == line)
        assert "the plan that waits is superseded" in then(await sends(pilot, 1))
        assert play.sent == [], "one press sends nothing"
        await pilot.press("enter")
        await until(pilot, lambda: play.sent)
        command = play.sent[0]
        assert isinstance(command, cmd.SendPrompt) and len(play.sent) == 1
        assert "1. shop/cart.py:2\n   +    # the sum of the prices\n   Use" in command.text
        assert "2. shop/cart.py:9 (removed)\n   -    return 1\n   why gone?" in command.text
        await until(pilot, lambda: not memory.get("comments") and "not sent yet" not in picture(pilot))


async def test_what_is_refused_is_kept_and_what_has_changed_is_not_sent(play: DeskPlay) -> None:
    plan, memory = play.plan("fix-cart"), Forgetful()
    async with at(play, plan, memory_here=memory) as (pilot, _, view):
        await says(pilot, 7, "Use Decimal")
        play.refuse = "the disk is full"
        await sends(pilot, 1)
        await pilot.press("enter")
        await until(pilot, lambda: "the disk is full. Your comments are kept" in " ".join(toasts(pilot)))
        assert memory.get("comments")[plan] and view.render_line(7).text[1] == "*"
        play.refuse = ""
        await alone(pilot)
        await sends(pilot, 1)
        play.approved(plan)
        await until(pilot, lambda: pilot.app.state.plans[plan].state == "approved")  # type: ignore[attr-defined]
        await pilot.press("enter")
        await until(pilot, lambda: "has changed meanwhile; nothing was sent" in " ".join(toasts(pilot)))
        assert len(play.sent) == 1 and memory.get("comments")[plan]


async def test_a_tickets_plan_can_be_sent_back_with_the_words_and_the_sheet_says_what_that_does(play: DeskPlay) -> None:
    queue, memory = Queue(play), Forgetful()
    queue.run()
    plan = queue.plan("P-1")
    queue.plan("P-2", stacked_on=(plan,))
    play.journal.submit(cmd.PauseRun(by=ME))
    async with at(play, plan, FULL, memory_here=memory) as (pilot, _, __):
        await says(pilot, 0, "Do it otherwise")
        said = then(await sends(pilot, 2))
        assert "queue P-1 again with these words" in said and "becomes void at once, which cannot be taken back" in said
        await pilot.press("enter")
        await until(pilot, lambda: play.sent)
        command = play.sent[0]
        assert isinstance(command, cmd.RequeueTicket) and "Do it otherwise" in command.note
        await until(pilot, lambda: play.state.plans[plan].state == "void")
        assert command.note in play.state.tickets["P-1"].answers and not memory.get("comments")


async def test_a_comment_is_edited_and_dropped_by_two_presses_and_a_key_without_use_says_why(play: DeskPlay) -> None:
    plan, memory = play.plan("fix-cart"), Forgetful()
    async with at(play, plan, SINGLE, memory_here=memory) as (pilot, _, view):
        await pilot.press("C")
        await until(pilot, lambda: "nothing was said yet; c on a line" in " ".join(toasts(pilot)))
        await says(pilot, 7, "one")
        await says(pilot, 7, "two")
        assert [each[4] for each in memory.get("comments")[plan]] == ["two"]
        await pilot.press("C")
        await sheet(pilot, Comments)
        await alone(pilot)
        await pilot.press("x")
        await until(pilot, lambda: "press x again to drop" in picture(pilot))
        assert memory.get("comments")
        await alone(pilot)
        await pilot.press("x")
        await until(pilot, lambda: not memory.get("comments"))
        assert view.gutter_cells == 1
        await pilot.press("right_square_bracket", "c")
        await until(pilot, lambda: "its Diff tab is not shown" in " ".join(toasts(pilot)))


async def test_the_list_of_files_leads_to_one_and_the_border_names_it(play: DeskPlay) -> None:
    plan = play.plan("fix-cart")
    async with at(play, plan) as (pilot, desk, view):
        assert "shop/cart.py · 1 of 2 files" in picture(pilot)
        await pilot.press("F")
        await sheet(pilot, DiffFiles)
        assert re.search(r"M shop/cart.py +\+3 −2", picture(pilot)) and "M shop/tax.py" in picture(pilot)
        await pilot.press("j", "enter")
        await until(
            pilot, lambda: view.line == view.diff.files[1].line and "shop/tax.py · 2 of 2 files" in picture(pilot)
        )
        assert desk.focused is view
        await pilot.press("F", "slash", *"cart", "enter")
        files = await sheet(pilot, DiffFiles)
        await until(pilot, lambda: files.query_one(VTable).place == (1, 1) and files.query_one(VTable).has_focus)
        await pilot.press("escape")
        await until(pilot, lambda: files.query_one(VTable).place[1] == 2)
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.screen is desk)
        assert view.current_file == 1


async def test_side_by_side_is_refused_with_the_reason_and_remembered_where_it_fits(play: DeskPlay) -> None:
    plan, memory = play.plan("fix-cart"), Forgetful()
    async with at(play, plan, memory=memory) as (pilot, _, view):
        await pilot.press("d")
        await until(pilot, lambda: "side by side wants 110 columns" in " ".join(toasts(pilot)))
        assert not view.side_by_side
    async with at(play, plan, (300, 30), memory=memory) as (pilot, _, view):
        await pilot.press("d")
        await until(pilot, lambda: view.side_by_side)
    async with at(play, plan, (300, 30), memory=memory) as (pilot, _, view):
        assert view.side_by_side and re.search(r"-RATE = 0 +│\+RATE = 19", picture(pilot))
        await pilot.press("d")
        await until(pilot, lambda: not view.side_by_side and memory.get("diff-layout") == "unified")


# -- the editor --------------------------------------------------------------------------------------------


class Lent:
    """Stands for the terminal: what would have been started."""

    def __init__(self, pilot: Pilot[Any], monkeypatch: pytest.MonkeyPatch) -> None:
        self.loans: list[Loan] = []

        def lend(loan: Loan, over: Any, returned: Any = lambda _: None) -> None:
            self.loans.append(loan)
            returned(0)
            over(0)

        monkeypatch.setattr(pilot.app, "lend", lend)


async def test_e_opens_the_file_at_its_line_after_it_said_what_a_change_there_does(
    play: DeskPlay, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = play.plan("fix-cart")
    done: list[str] = []
    asked: list[tuple[str, str, int]] = []

    def edit(frozen: Frozen, path: str, line: int) -> Editing | Refused:
        asked.append((frozen.commit, path, line))
        return Editing(("vim", f"+{line}", path), "/home/ada", lambda: done.append(path))

    async with at(play, plan, FULL, files=PlanFiles(edit=edit)) as (pilot, desk, view):
        lent = Lent(pilot, monkeypatch)
        view.show_line(8)
        await pilot.press("e")
        await sheet(pilot, Choose)
        assert "edit it in its worktree; a change there voids the plan that waits" in picture(pilot)
        assert "Open shop/cart.py:3 in your editor (its worktree is /w)" in picture(pilot)
        await pilot.press("enter")
        await until(pilot, lambda: pilot.app.screen is desk)
        assert asked == [], "the first row changes nothing"
        play.drifted = ("shop/cart.py",)
        await pilot.press("e")
        await sheet(pilot, Choose)
        await pilot.press("j", "enter")
        await until(pilot, lambda: lent.loans)
        assert (asked, done) == ([(plan, "shop/cart.py", 3)], ["shop/cart.py"])
        await until(pilot, lambda: "changed on disk since it was frozen" in picture(pilot))
        assert view.line == 8


async def test_e_offers_a_copy_only_where_the_worktree_does_not_have_it(
    play: DeskPlay, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = play.plan("fix-cart")
    files = PlanFiles(
        missing=lambda *_: "shop/cart.py is a symbolic link in the worktree; links are not followed",
        copy=lambda *_: Refused(reason="$EDITOR names no program that is here: 'nope'"),
    )
    async with at(play, plan, FULL, files=files) as (pilot, _, __):
        lent = Lent(pilot, monkeypatch)
        await pilot.press("e")
        await sheet(pilot, Choose)
        assert "links are not followed" in picture(pilot) and "edit it" not in picture(pilot)
        await pilot.press("j", "enter")
        await until(pilot, lambda: "$EDITOR names no program that is here: 'nope'" in toasts(pilot))
        assert lent.loans == []


def test_a_removed_line_is_opened_at_its_neighbour() -> None:
    diff = parse(DIFF)
    assert [line_near(diff, at) for at in (0, 5, 6, 7, 8)] == [1, 1, 2, 2, 3]
    assert line_near(diff, diff.files[1].line) in (0, 1) and line_near(parse(b"x\n"), 0) == 0


# -- what stands above it ----------------------------------------------------------------------------------


async def test_a_diff_too_big_is_its_files_and_no_key_approves_it(
    play: DeskPlay, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("console.present.difftext.BIG_LINES", 10)
    plan = play.plan("fix-cart", assessment=risk(2))
    paged: list[str] = []

    def page(frozen: Frozen) -> Editing:
        paged.append(frozen.commit)
        return Editing(("less", "x"), "/")

    app = play.app()
    app.desk = dataclasses.replace(app.desk, files=PlanFiles(page=page))
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        await until(pilot, lambda: "too big to be drawn" in picture(pilot))
        lent = Lent(pilot, monkeypatch)
        assert "M shop/tax.py +1 −1" in picture(pilot) and "RATE" not in picture(pilot)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen.focused, LineDiff))
        await pilot.press("a")
        await until(
            pilot, lambda: "its diff is too big to be drawn: e opens it in your pager" in " ".join(toasts(pilot))
        )
        told = shlex.split(toasts(pilot)[-1].split("`")[1])
        assert told[:3] == ["nightdesk", "policy", "ack"], "the command that it names works as it stands"
        options = ack.make_context("ack", told[3:]).params
        assert options["approve"] and not options["reject"]
        wanted = find_plan(play.state, options["policy_id"], options["plan_id"])
        assert not isinstance(wanted, Refused) and wanted.plan == plan
        assert unconfirmed(wanted, options["confirm"]) is None
        await pilot.press("e")
        await until(pilot, lambda: lent.loans and paged == [plan])
        await alone(pilot)
        await pilot.press("r")
        await until(pilot, lambda: play.sent)
        assert [type(each) for each in play.sent] == [cmd.Reject], "it can be rejected all the same"


async def test_warnings_of_a_diff_stand_above_it_and_a_branch_that_moves_is_asked_again(play: DeskPlay) -> None:
    moved = [Behind(commits=2)]
    plan = play.plan("fix-cart", diff=DIFF.replace(b"+    # the sum of the prices", b"+<<<<<<< HEAD"))
    other = play.plan("fix-cart", "Something else")
    async with at(play, plan, FULL, files=PlanFiles(behind=lambda _: moved[0])) as (pilot, desk, _):
        assert "!! adds conflict markers of an unresolved merge: shop/cart.py" in picture(pilot)
        assert "! fix-cart has moved on by 2 commits since this was frozen" in picture(pilot)
        why = desk.detail.pane("why")
        assert isinstance(why, LineView) and any(line.startswith("!! adds conflict") for line in why._lines)
        moved[0] = Behind(commits=3, overlap=("shop/cart.py",))
        play.approved(other)
        play.lands(other)
        await until(pilot, lambda: "!! fix-cart has moved on by 3 commits, which change shop/" in picture(pilot))


def test_files_outside_of_the_paths_that_a_ticket_names_are_warned_of(play: DeskPlay) -> None:
    queue = Queue(play)
    queue.run()
    queue.ticket("P-1", paths=("lib/**",))
    face = describe(play.state, Subject(f"plan:{queue.plan('P-1')}"), ("", ()))
    said = "! outside of the ticket's paths (lib/**): shop/cart.py"
    assert said in face.warnings and said in face.why
