"""What changed in the git dir: one open alert, what it holds, and how a person's word settles it."""

from __future__ import annotations

import pytest
from play import ME, Play, kinds

from console.core import alerts, due
from console.core import commands as cmd
from console.core import events as ev
from console.core.records import CommitSpec, RepoChange, Severity
from console.core.state import open_alert


def change(severity: Severity = "runs", item: str = "config core.fsmonitor") -> RepoChange:
    return RepoChange(item=item, severity=severity, before="", after="/tmp/x")


def alarm(play: Play, *changes: RepoChange, alert: str = "alert-1", seen: str = "f2") -> tuple[ev.Fact, ...]:
    return play.report(
        ev.RepositoryChanged(alert=alert, when="turn", changes=changes, baseline="f1", seen=seen, session="s-1", turn=1)
    )


@pytest.mark.parametrize(("severity", "holds"), [("runs", True), ("lies", True), ("moved", False), ("lock", False)])
def test_what_runs_or_lies_holds_every_approval_and_nothing_else_does(severity: Severity, holds: bool) -> None:
    play = Play()
    _, policy, plan = play.waiting_plan()
    alarm(play, change(severity))
    approval = cmd.Approve(policy=policy, plan=plan, by=ME)
    if holds:
        said = play.refused(approval)
        assert "alert-1 holds every approval" in said and "config core.fsmonitor" in said
    else:
        assert kinds(play.do(approval)) == ["plan:approved"]


def test_a_note_is_no_alert_and_the_gravest_stands_first() -> None:
    found = alerts.loud(
        (change("note"), change("lock", "lock index"), change("moved", "ref x"), change("runs", "hook"))
    )
    assert [c.severity for c in found] == ["runs", "moved", "lock"]


@pytest.mark.parametrize(("action", "outcome"), [("adopt", "adopted"), ("restore", "restored")])
def test_a_persons_word_is_an_intent_and_its_outcome_lets_approvals_go(action: str, outcome: str) -> None:
    play = Play()
    _, policy, plan = play.waiting_plan()
    alarm(play, change())
    answer = cmd.AnswerAlert(alert="alert-1", action=action, by=ME)  # type: ignore[arg-type]
    assert kinds(play.do(answer)) == ["alert:answered"]
    assert list(due.due(play.state)) == [due.SettleAlert(alert="alert-1", request=play.state.seq)]
    assert "is being answered" in play.refused(answer)
    assert "alert-1 holds" in play.refused(cmd.Approve(policy=policy, plan=plan, by=ME))
    play.report(ev.AlertSettled(alert="alert-1", outcome=outcome, notes=("config put back",)))  # type: ignore[arg-type]
    assert open_alert(play.state) is None and list(due.due(play.state)) == []
    assert f"is {outcome} already" in play.refused(answer)
    assert kinds(play.approve(policy, plan)) == ["plan:approved"]
    play.check_durable()


def test_an_answer_that_could_not_be_carried_out_leaves_the_alert_open_with_the_reason() -> None:
    play = Play()
    play.session()
    alarm(play, change())
    play.do(cmd.AnswerAlert(alert="alert-1", action="restore", by=ME))
    play.report(ev.AlertSettled(alert="alert-1", outcome="failed", notes=("it changed again",)))
    alert = open_alert(play.state)
    assert alert and (alert.state, alert.notes, alert.blocks) == ("open", ("it changed again",), True)


def test_the_same_changes_are_told_once_and_more_of_them_replace_the_open_alert() -> None:
    play = Play()
    play.session()
    assert len(alarm(play, change())) == 1
    first = open_alert(play.state)
    assert alarm(play, change()) == ()
    alarm(play, change(), change("lies", "replace ref"), seen="f3")
    now = open_alert(play.state)
    assert first and now and len(play.state.alerts) == 1
    assert (now.seen, len(now.changes), now.at) == ("f3", 2, first.at)


def test_what_is_gone_by_itself_settles_only_an_open_alert() -> None:
    play = Play()
    play.session()
    gone = ev.AlertSettled(alert="alert-1", outcome="gone")
    assert play.report(gone) == ()
    alarm(play, change())
    assert kinds(play.report(gone)) == ["alert:settled"]
    assert play.report(gone) == ()


def test_without_ack_nothing_lands_while_an_alert_holds_approvals() -> None:
    play = Play()
    alarm(play, change())
    _, policy, plan = play.waiting_plan(commit=CommitSpec(paths=("a.txt",), message="Fix", ack=False))
    assert (play.status(policy), play.plan_state(plan)) == ("awaiting-ack", "waiting")


def test_an_answer_to_what_was_seen_does_not_cover_what_came_since() -> None:
    play = Play()
    play.session()
    alarm(play, change())
    looked_at = open_alert(play.state)
    assert looked_at
    alarm(play, change(), change("lies", "replace ref"), seen="f3")
    said = play.refused(cmd.AnswerAlert(alert="alert-1", action="adopt", by=ME, seen=looked_at.seen))
    assert "says more now" in said
    assert kinds(play.do(cmd.AnswerAlert(alert="alert-1", action="adopt", by=ME, seen="f3"))) == ["alert:answered"]


def test_an_alert_that_is_not_there() -> None:
    play = Play()
    assert "no alert 'alert-9'" in play.refused(cmd.AnswerAlert(alert="alert-9", action="adopt", by=ME))
