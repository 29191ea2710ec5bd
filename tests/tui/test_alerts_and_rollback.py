"""Alerts and going back under a pilot: what comes first, what each key sends, when it does not and what it says."""

from __future__ import annotations

import time
from typing import Any

import pytest
from deskplay import ME, RUNS, SINGLE, WIDE, DeskPlay, alone, picture, screen, seen, toasts, until
from textual.pilot import Pilot

from console.core import commands as cmd
from console.core import events as ev
from console.core.records import Refused, RepoChange
from console.tui.keyguard import SETTLE
from console.tui.screens.confirming import Preview
from console.tui.screens.desk import DeskScreen
from console.tui.screens.sheets import Choose
from console.tui.widgets.lines import LineView

EVIL = "\x1b]52;c;ZXZpbA==\x07[@click=app.quit]x[/]\u202egnp" + "w" * 300


async def alert_seen(pilot: Pilot[Any], desk: DeskScreen) -> None:
    """The alert has been before the eye long enough."""

    def settled() -> bool:
        alert, since = desk._alert_drawn
        return alert is not None and alert == desk._alert() and time.monotonic() - since > SETTLE

    await until(pilot, settled)
    await alone(pilot)


# -- alerts -----------------------------------------------------------------------------------------------


async def test_an_alert_comes_first_holds_every_approval_and_w_goes_to_it(play: DeskPlay) -> None:
    plan = play.plan("fix-cart")
    async with screen(play) as (pilot, desk):
        await seen(pilot, plan)
        alert = play.alerts()
        await until(pilot, lambda: [item.kind for item in desk.needs] == ["alert", "plan"])
        assert desk.subject.id == f"plan:{plan}", "the selection does not move by itself"
        assert f"{alert} holds its approval" in picture(pilot) and "! 1 alert" in picture(pilot)
        assert "a approve" not in picture(pilot)
        await seen(pilot, plan)
        await pilot.press("a")
        await until(pilot, lambda: f"{alert} holds every approval" in " ".join(toasts(pilot)))
        await alone(pilot)
        await pilot.press("w")
        await until(pilot, lambda: desk.subject.id == f"alert:{alert}")
        shown = picture(pilot)
        assert "runs a program: config core.fsmonitor" in shown and "A adopt  Z restore" in shown
        assert "! holds approvals · A adopts it, Z restores what was (press twice)" in shown
        assert play.sent == []


@pytest.mark.parametrize(("key", "action"), [("A", "adopt"), ("Z", "restore")])
async def test_an_alert_is_answered_by_the_second_press(play: DeskPlay, key: str, action: Any) -> None:
    alert = play.alerts()
    async with screen(play) as (pilot, desk):
        await alert_seen(pilot, desk)
        await pilot.press(key)
        await until(pilot, lambda: f"press {key} again to" in " ".join(toasts(pilot)))
        assert "runs a program: config core.fsmonitor" in toasts(pilot)[-1] and play.sent == []
        await alone(pilot)
        await pilot.press(key)
        await until(
            pilot,
            lambda: (
                play.sent == [cmd.AnswerAlert(alert=alert, action=action, by=ME, seen=play.state.alerts[alert].seen)]
            ),
        )
        await until(pilot, lambda: desk.state.alerts[alert].state == "answered")
        assert f"⟳ {action} was asked for" in picture(pilot) and "A adopt" not in picture(pilot)
        await alone(pilot)
        await pilot.press(key)
        await until(pilot, lambda: f"is being answered ({action})" in " ".join(toasts(pilot)))
        assert len(play.sent) == 1


async def test_the_two_keys_of_an_alert_do_not_confirm_each_other(play: DeskPlay) -> None:
    play.alerts()
    async with screen(play) as (pilot, desk):
        await alert_seen(pilot, desk)
        for key in ("A", "Z", "A"):
            await alone(pilot)
            await pilot.press(key)
            await until(pilot, lambda key=key: f"press {key} again" in " ".join(toasts(pilot)))  # type: ignore[misc]
        assert play.sent == []


async def test_an_alert_that_changes_under_the_eye_wants_another_look(play: DeskPlay) -> None:
    alert = play.alerts()
    async with screen(play) as (pilot, desk):
        await alert_seen(pilot, desk)
        await pilot.press("A")
        await until(pilot, lambda: toasts(pilot))
        play.alerts(*RUNS, RepoChange(item="hook post-checkout", severity="runs"))
        await until(pilot, lambda: len(desk.state.alerts[alert].changes) == 3)
        await alone(pilot)
        await pilot.press("A")
        await alone(pilot)
        assert play.sent == [], "the second press was for something else"


async def test_an_alert_without_what_runs_or_lies_holds_nothing(play: DeskPlay) -> None:
    plan = play.plan("fix-cart")
    play.alerts(RepoChange(item="ref refs/heads/main", severity="moved"))
    async with screen(play) as (pilot, desk):
        assert [item.kind for item in desk.needs] == ["plan", "alert"]
        await seen(pilot, plan)
        await pilot.press("a")
        await until(pilot, lambda: play.sent)


@pytest.mark.parametrize("size", [WIDE, SINGLE], ids=["wide", "single"])
async def test_a_long_hostile_alert_is_shown_as_text_to_its_end(play: DeskPlay, size: tuple[int, int]) -> None:
    changes = [RepoChange(item=f"hook {i} {EVIL}", severity="runs", after=EVIL, cure=EVIL) for i in range(60)]
    play.alerts(*changes)
    async with screen(play, size) as (pilot, desk):
        await pilot.press("enter")
        await alert_seen(pilot, desk)
        assert "\x1b" not in picture(pilot) and "\u202e" not in picture(pilot)
        view = desk.detail.pane("why")
        assert isinstance(view, LineView) and view.count > 240
        await pilot.press("G")
        await until(pilot, lambda: "restore   puts back what was there" in picture(pilot))
        await alone(pilot)
        await pilot.press("A")
        await until(pilot, lambda: "and 56 more; Why tab" in " ".join(toasts(pilot)))
        assert max(map(len, toasts(pilot)[-1].split("\n"))) < 70, "the question itself stays in sight"


# -- going back -------------------------------------------------------------------------------------------


def with_snapshots(play: DeskPlay) -> tuple[str, str, str]:
    """A session between turns with two snapshots: its id, the older, the newer."""
    session = play.working("busy")
    first = play.took_snapshot(session, 1, "aaaa1111")
    play.ends_turn(session)
    second = play.took_snapshot(session, 2, "bbbb2222", ("node_modules is ignored", EVIL))
    return session, first, second


async def list_open(pilot: Pilot[Any]) -> None:
    await pilot.press("2")
    await alone(pilot)
    await pilot.press("B")
    await until(pilot, lambda: isinstance(pilot.app.screen, Choose))
    await pilot.pause()


async def test_going_back_shows_what_would_change_and_asks_with_no_as_the_first_answer(play: DeskPlay) -> None:
    session, first, _ = with_snapshots(play)
    play.changes[first] = [f"M {EVIL}", *(f"D file{i}" for i in range(30))]
    async with screen(play) as (pilot, desk):
        await list_open(pilot)
        shown = picture(pilot)
        assert shown.index("bbbb222200  before turn 2") < shown.index("aaaa111100  before turn 1"), "newest first"
        assert "not covered: node_modul" in shown and "\x1b" not in shown
        await pilot.press("j", "j", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, Preview))
        await until(pilot, lambda: "31 paths of s-1 would change" in picture(pilot) and "M ␛]52;c;" in picture(pilot))
        await pilot.press("enter")
        await until(pilot, lambda: pilot.app.screen is desk)
        assert play.sent == [], "Enter on a fresh dialog changes nothing"
        await list_open(pilot)
        await pilot.press("j", "j", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, Preview))
        await pilot.pause()
        await pilot.press("j", "enter")
        await until(pilot, lambda: play.sent == [cmd.RollBack(session=session, snapshot=first, by=ME)])
        await until(pilot, lambda: "going back to aaaa111100" in picture(pilot))
        undo = "cccc3333".ljust(40, "0")
        play.report(ev.RolledBack(session=session, snapshot=first, undo=undo, changed=("M x",), count=31))
        await until(pilot, lambda: "rolled back to aaaa111100, 31 path(s)" in picture(pilot))
        play.changes[undo] = ["M x"]
        await list_open(pilot)
        assert "cccc333300  before a rollback (undoes it)" in picture(pilot)
        await pilot.press("j", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, Preview))


@pytest.mark.parametrize(
    ("found", "word"),
    [(Refused(reason="the store is gone"), "the store is gone"), ([], "nothing differs from bbbb222200")],
)
async def test_what_cannot_be_compared_or_does_not_differ_is_said(play: DeskPlay, found: Any, word: str) -> None:
    _, _, second = with_snapshots(play)
    play.changes[second] = found
    async with screen(play) as (pilot, desk):
        await list_open(pilot)
        await pilot.press("j", "enter")
        await until(pilot, lambda: word in " ".join(toasts(pilot)))
        assert pilot.app.screen is desk and play.sent == []


async def test_b_says_why_it_cannot_go_back_now(play: DeskPlay) -> None:
    session, first, _ = with_snapshots(play)
    bare = play.working("bare")
    async with screen(play) as (pilot, desk):
        await pilot.press("2")
        await until(pilot, lambda: desk.subject.kind == "session")
        for about, word in (
            (session, f"{bare} is at work in the worktree of {session}"),
            (bare, f"{bare} is at work:"),
        ):
            desk.look_at(f"session:{about}")
            await pilot.press("B")
            await until(pilot, lambda word=word: word in " ".join(toasts(pilot)))  # type: ignore[misc]
        play.report(ev.Exited(session=bare, run=1, how="exited", code=0))
        await until(pilot, lambda: desk.state.sessions[bare].phase == "exited")
        desk.look_at(f"session:{bare}")
        await pilot.press("B")
        await until(pilot, lambda: f"session {bare} has no snapshot" in " ".join(toasts(pilot)))
        play.ask(cmd.RollBack(session=session, snapshot=first, by=ME))
        await until(pilot, lambda: desk.state.sessions[session].rollback)
        desk.look_at(f"session:{session}")
        await pilot.press("B")
        await until(pilot, lambda: "is going back to aaaa111100 already" in " ".join(toasts(pilot)))
        await pilot.press("3")
        desk.look_at("")
        desk.look_at("policy:none")
        await pilot.press("B")
        await until(pilot, lambda: "no session is shown" in " ".join(toasts(pilot)))
        assert play.sent == []


# -- the locked key and the sandbox -----------------------------------------------------------------------


async def test_u_says_why_it_unlocks_nothing_and_where_a_terminal_cannot_be_lent(play: DeskPlay) -> None:
    plan = play.plan("fix-cart")
    async with screen(play) as (pilot, desk):
        await seen(pilot, plan)
        await pilot.press("U")
        await until(pilot, lambda: "no plan that waits for a signing key" in " ".join(toasts(pilot)))
        play.locked(plan, ("gpg", EVIL))
        await until(pilot, lambda: desk.state.plans[plan].unlock)
        await until(pilot, lambda: "the signing key is locked: U unlocks it here, then a again" in picture(pilot))
        assert "U unlock the signing key" in picture(pilot)
        await alone(pilot)
        await pilot.press("U")
        await until(pilot, lambda: "this terminal cannot be lent" in " ".join(toasts(pilot)))
        assert play.sent == []


@pytest.mark.parametrize(
    ("words", "short"), [("sandbox: .git read-only", "sandbox on"), ("no sandbox: why", "no sandbox")]
)
async def test_the_sandbox_tier_is_said_in_short_and_in_full_in_the_help(
    play: DeskPlay, words: str, short: str
) -> None:
    play.report(ev.SupervisorStarted(pid=1, start_time=1, host="h", version="1", sandbox=words))
    async with screen(play) as (pilot, _):
        assert f"2 Sessions (0) · {short}" in picture(pilot)
        await pilot.press("question_mark")
        await until(pilot, lambda: "Keys: desk" in picture(pilot))
        await pilot.press("G")
        await until(pilot, lambda: f"Sandbox: {words}" in picture(pilot))
