"""Snapshots before turns, and the way back to one: who may ask when, and what waits meanwhile."""

from __future__ import annotations

from play import COMMIT, GATE, ME, Play, kinds

from console.core import commands as cmd
from console.core import due, snapshots
from console.core import events as ev

FIRST, SECOND, UNDO = "1" * 40, "2" * 40, "3" * 40


def with_snapshot(play: Play, snapshot: str = FIRST) -> str:
    name = play.session()
    play.report(ev.SnapshotTaken(session=name, turn=1, snapshot=snapshot, uncovered=("big.bin: 30 MiB",)))
    return name


def test_the_way_back_is_an_intent_its_outcome_and_a_way_to_undo_it() -> None:
    play = Play()
    name = with_snapshot(play)
    play.turn(name)
    assert kinds(play.do(cmd.RollBack(session=name, by=ME))) == ["snapshot:rollback-requested"]
    assert list(due.due(play.state)) == [due.RollBackTo(session=name, snapshot=FIRST, request=play.state.seq)]
    assert "already" in play.refused(cmd.RollBack(session=name, by=ME))
    play.report(ev.RolledBack(session=name, snapshot=FIRST, undo=UNDO, changed=("M a.txt",), count=1))
    s = play.state.sessions[name]
    assert list(due.due(play.state)) == [] and not s.rollback
    assert "1 path(s)" in s.rolled_back and UNDO[:10] in s.rolled_back
    assert [(k.snapshot, k.turn) for k in s.snapshots] == [(FIRST, 1), (UNDO, 0)]
    assert kinds(play.do(cmd.RollBack(session=name, snapshot=UNDO[:7], by=ME))) == ["snapshot:rollback-requested"]
    play.check_durable()


def test_no_turn_begins_and_nothing_is_judged_while_files_go_back() -> None:
    play = Play()
    name = with_snapshot(play)
    policy = play.attach(name, gate=GATE, then="commit", commit=COMMIT)
    play.turn(name)
    assert "is judging or landing" in play.refused(cmd.RollBack(session=name, by=ME))
    play.judge(policy, "red")
    play.do(cmd.RollBack(session=name, by=ME))
    play.do(cmd.RetryPolicy(policy=policy, by=ME))
    play.prompt(name)
    assert play.status(policy) == "gating"
    assert {type(effect) for effect in due.due(play.state)} == {due.RollBackTo}
    play.report(ev.RolledBack(session=name, snapshot=FIRST, refused="the worktree is gone"))
    assert "not rolled back: the worktree is gone" in play.state.sessions[name].rolled_back
    assert {type(effect) for effect in due.due(play.state)} == {due.BeginTurn, due.Judge}


def test_a_session_at_work_in_the_same_worktree_refuses_it() -> None:
    play = Play()
    name = with_snapshot(play)
    assert f"{name} works in /w" in play.refused(cmd.RollBack(session=name, by=ME)), "a prompt waits"
    play.turn(name)
    other = play.session()
    play.begin(other)
    assert f"{other} works in /w" in play.refused(cmd.RollBack(session=name, by=ME))
    play.end(other)
    play.do(cmd.RollBack(session=name, by=ME))


def test_without_a_snapshot_the_reason_is_named() -> None:
    play = Play()
    name = play.session("")
    play.report(ev.SnapshotTaken(session=name, turn=1, refused="60,000 untracked files"))
    assert "60,000 untracked files" in play.refused(cmd.RollBack(session=name, by=ME))
    assert "no snapshot '1111111'" in play.refused(cmd.RollBack(session=name, snapshot="1111111", by=ME))


def test_a_session_remembers_the_newest_and_finds_them_by_seven_digits() -> None:
    kept: tuple[snapshots.Kept, ...] = ()
    for number in range(1, snapshots.REMEMBERED + 3):
        fact = ev.SnapshotTaken(session="s-1", turn=number, snapshot=f"{number:07x}{'0' * 33}")
        kept = snapshots.taken(kept, fact, float(number))
    assert len(kept) == snapshots.REMEMBERED and kept[0].turn == 3
    found = snapshots.find(kept, "0000004")
    assert found and found.turn == 4
    assert snapshots.find(kept, "000000") is None and snapshots.find(kept, "0000001") is None
    last = snapshots.find(kept, "")
    assert last and last.turn == snapshots.REMEMBERED + 2
