"""A conversation that a person opens in the agent's own interactive mode: what waits, what goes on, what is refused."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from play import ACP, GATE, ME, Play, kinds
from queueplay import SETTINGS, Night

from console.core import commands as cmd
from console.core import due
from console.core import events as ev
from console.core.records import Launch
from console.present import attention

TALKER = replace(ACP, interactive=("agent", "--resume", "{conversation}"))
SCRIPT = Launch(argv=("script",), protocol="command", interactive=("script", "{conversation}"))


@pytest.fixture
def play() -> Play:
    return Play()


def lend(session: str, pid: int = 50, start_time: int = 7) -> cmd.LendSession:
    return cmd.LendSession(session=session, by=ME, pid=pid, start_time=start_time)


def idle(play: Play, launch: Launch = TALKER) -> str:
    name = play.session(launch=launch)
    play.turn(name)
    return name


def rested(play: Play, launch: Launch = TALKER) -> str:
    """A session that a person has, whose agent has ended for it."""
    name = idle(play, launch)
    play.do(lend(name))
    end(play, name)
    return name


def end(play: Play, name: str, **end: object) -> tuple[ev.Fact, ...]:
    fields = {"how": "signaled", "signal": 15} | end
    return play.report(ev.Exited(session=name, run=play.state.sessions[name].run, **fields))  # type: ignore[arg-type]


def owed(play: Play) -> set[due.Effect]:
    return set(due.due(play.state))


def give_back(name: str, pid: int = 50) -> cmd.ReturnSession:
    return cmd.ReturnSession(session=name, pid=pid, code=0)


@pytest.mark.parametrize("launch", [TALKER, SCRIPT])
def test_an_idle_session_rests_while_it_is_lent_and_is_not_over(play: Play, launch: Launch) -> None:
    name = idle(play, launch)
    assert kinds(play.do(lend(name))) == ["session:lent", "session:stop-requested"]
    s = play.state.sessions[name]
    assert owed(play) == {due.Stop(session=name, run=s.run)} and not s.stopped
    end(play, name)
    s = play.state.sessions[name]
    assert (s.phase, s.conversation, s.stopped) == ("suspended", "c", False)
    assert s.lent and (s.lent.pid, s.lent.start_time, s.lent.by) == (50, 7, ME)
    assert owed(play) == set()
    play.do(give_back(name))
    assert not play.state.sessions[name].lent and owed(play) == set(), "nothing was asked of it, so nothing comes up"
    play.check_durable()


def test_prompts_wait_for_its_return_and_begin_then_in_their_order(play: Play) -> None:
    name = idle(play)
    play.do(lend(name))
    play.prompt(name, "while it goes down")
    end(play, name)
    play.prompt(name, "while it is open")
    assert owed(play) == set()
    play.do(give_back(name))
    s = play.state.sessions[name]
    assert owed(play) == {due.Start(session=name, run=s.run)}
    play.up(name)
    assert owed(play) == {due.BeginTurn(session=name, run=s.run, turn=2)}
    assert [(p.turn, p.text) for p in s.prompts] == [(2, "while it goes down"), (3, "while it is open")]
    assert play.state.sessions[name].conversation == "c" and not play.state.sessions[name].for_loan


def test_one_that_has_no_processes_is_lent_as_it_is(play: Play) -> None:
    name = idle(play)
    play.report(ev.SessionInterrupted(session=name, run=1))
    assert kinds(play.do(lend(name))) == ["session:lent"]
    assert owed(play) == set()


def test_two_consoles_press_at_once_and_one_has_it(play: Play) -> None:
    name = idle(play)
    play.do(lend(name, pid=50))
    assert play.refused(lend(name, pid=51)) == f"session {name} is open in its agent's own program already (pid 50)"
    assert "not open in that program" in play.refused(give_back(name, pid=51))
    play.do(give_back(name))
    assert "not open in that program" in play.refused(give_back(name))


def test_a_late_word_of_a_loan_that_is_over_ends_no_later_one(play: Play) -> None:
    name = rested(play)
    gone = ev.SessionReturned(session=name, pid=50, start_time=7, note="the console that had it is gone")
    assert kinds(play.report(gone)) == ["session:returned"]
    play.do(lend(name, start_time=8))
    assert play.report(gone) == () and play.state.sessions[name].lent


@pytest.mark.parametrize("members", [1, 2])
def test_a_policy_goes_on_watching_whoever_only_rests(play: Play, members: int) -> None:
    names = [idle(play) for _ in range(members)]
    policy = play.attach(*names, gate=GATE, since=play.state.seq)
    play.do(lend(names[0]))
    end(play, names[0])
    play.do(give_back(names[0]))
    for name in names[1:]:
        play.prompt(name)
        play.turn(name)
    assert play.status(policy) == "watching"
    play.prompt(names[0])
    play.up(names[0])
    play.turn(names[0])
    assert play.status(policy) == "gating", "the next turn is what it waited for"


def test_a_loan_that_is_over_before_its_agent_has_ended_is_no_exit_either(play: Play) -> None:
    name = idle(play)
    policy = play.attach(name, gate=GATE, since=play.state.seq)
    play.do(lend(name))
    play.do(give_back(name))
    play.prompt(name)
    assert owed(play) == {due.Stop(session=name, run=1)}
    end(play, name)
    assert play.status(policy) == "watching" and owed(play) == {due.Start(session=name, run=2)}


def test_a_supervisor_that_dies_while_the_agent_ends_changes_nothing(play: Play) -> None:
    name = idle(play)
    policy = play.attach(name, gate=GATE, since=play.state.seq)
    play.do(lend(name))
    play.prompt(name)
    play.report(ev.SessionInterrupted(session=name, run=1))
    assert play.state.sessions[name].phase == "suspended" and play.status(policy) == "watching"
    play.do(give_back(name))
    assert owed(play) == {due.Start(session=name, run=2)}


def test_a_waiting_plan_stays(play: Play) -> None:
    name, policy, plan = play.waiting_plan(play.session(launch=TALKER))
    play.do(lend(name))
    end(play, name)
    assert play.status(policy) == "awaiting-ack" and play.plan_state(plan) == "waiting"
    play.approve(policy, plan)
    play.land(policy)
    assert play.plan_state(plan) == "landed"


def test_it_is_not_stopped_while_somebody_has_it_and_says_who(play: Play) -> None:
    for name in (rested(play), idle(play)):
        if not play.state.sessions[name].lent:
            play.do(lend(name))
        why = play.refused(cmd.StopSession(session=name, by=ME))
        assert "open in its agent's own program (ada on /dev/pts/1, pid 50): leave that first" in why
        assert not play.state.sessions[name].stopped
        if play.state.sessions[name].phase == "stopping":
            end(play, name)
        play.do(give_back(name))
        play.do(cmd.StopSession(session=name, by=ME))
        assert "was stopped" in play.refused(cmd.SendPrompt(session=name, text="x", by=ME))


def test_what_waits_as_it_is_stopped_is_told_of(play: Play) -> None:
    name = rested(play)
    play.prompt(name, "while it is open")
    play.do(give_back(name))
    play.do(cmd.StopSession(session=name, by=ME))
    assert play.state.sessions[name].exit == "stopped by ada; 1 queued prompt(s) were not delivered"
    name = idle(play)
    play.do(cmd.StopSession(session=name, by=ME))
    end(play, name, how="exited", signal=None, code=0, stopped=True)
    assert play.state.sessions[name].exit == "stopped by ada", "its exit code says nothing"


def test_what_has_no_turn_is_neither_interrupted_nor_answered_nor_rolled_back(play: Play) -> None:
    name = idle(play)
    play.report(ev.SnapshotTaken(session=name, turn=1, snapshot="5" * 40))
    play.do(lend(name))
    end(play, name)
    assert "runs no turn" in play.refused(cmd.InterruptTurn(session=name, by=ME))
    assert "not waiting" in play.refused(cmd.AnswerQuestion(session=name, option="yes", by=ME))
    why = play.refused(cmd.RollBack(session=name, by=ME))
    assert why == f"the conversation of {name} is open in its agent's own program, which works in /w: leave that first"
    neighbour = idle(play)
    play.report(ev.SnapshotTaken(session=neighbour, turn=1, snapshot="6" * 40))
    assert "leave that first" in play.refused(cmd.RollBack(session=neighbour, by=ME)), "it works in the same folder"
    play.do(give_back(name))
    play.do(cmd.RollBack(session=name, by=ME))
    assert "being put back" in play.refused(lend(neighbour))


def test_who_is_at_work_cannot_be_lent(play: Play) -> None:
    name = play.session(launch=TALKER)
    assert "at work" in play.refused(lend(name)), "a prompt waits"
    play.begin(name)
    assert "at work" in play.refused(lend(name))
    play.end(name)
    play.do(lend(name))
    assert "no session" in play.refused(lend("s-9")) and "no session" in play.refused(give_back("s-9"))


def test_who_cannot_be_opened_says_why(play: Play) -> None:
    mute = idle(play, ACP)
    assert "nobody knows how agent opens a conversation: set `interactive`" in play.refused(lend(mute))
    silent = play.do(cmd.StartSession(launch=TALKER, cwd="/w", worktree="/w", by=ME))[0].session  # type: ignore[union-attr]
    play.up(silent, conversation="")
    assert "no conversation yet" in play.refused(lend(silent))
    stopped = idle(play)
    play.do(cmd.StopSession(session=stopped, by=ME))
    end(play, stopped, stopped=True)
    assert "was stopped" in play.refused(lend(stopped))


def test_a_process_that_withstood_keeps_the_conversation(play: Play) -> None:
    name = idle(play)
    play.do(lend(name))
    end(play, name, how="unkillable", signal=None, reason="pid 9 is in state D")
    s = play.state.sessions[name]
    assert s.phase == "exited" and s.stuck
    play.do(give_back(name))
    assert "pid 9 is in state D" in play.refused(lend(name))


def test_nobody_calls_it_hung_or_starts_it_again(play: Play) -> None:
    name = rested(play)
    play.prompt(name)
    run = play.state.sessions[name].run
    assert play.report(ev.SessionHung(session=name, run=run, turn=1, cause="hang", why="silent")) == ()
    play.report(ev.FuseBlown(sessions=(name,), at_work=1, why="silent"))
    assert owed(play) == set() and not play.state.sessions[name].restart_at


def test_an_end_that_nobody_saw_is_looked_after_before_the_next_start(play: Play) -> None:
    name = rested(play)
    play.report(ev.SessionReturned(session=name, pid=50, start_time=7, note="gone"))
    assert play.state.sessions[name].unproven
    play.do(lend(name))
    play.prompt(name)
    play.do(give_back(name))
    play.up(name)
    assert not play.state.sessions[name].unproven


def begin_work(night: Night, launch: Launch = TALKER) -> str:
    """The ticket's next attempt begins; its session is up."""
    t = night.t("a")
    work = cmd.BeginWork(
        ticket="a",
        attempt=t.attempt,
        worktree="/w/a",
        branch="nightdesk/a",
        ref="refs/heads/nightdesk/a",
        head="h0",
        base="h0",
        launch=launch,
        preset="bot",
        prompt="do it",
    )
    night.do(work)
    night.up(night.t("a").session)
    return night.t("a").session


def test_a_ticket_in_a_run_keeps_its_session_and_its_next_attempt_waits_for_a_loan() -> None:
    night = Night()
    night.see("a")
    night.go(replace(SETTINGS, sessions=1))
    name = begin_work(night)
    night.begin(name)
    assert night.refused(lend(name)) == (
        f"session {name} works on ticket a in a run; it can be opened when that has ended"
    )
    night.do(cmd.StopRun(by=ME, now=True))
    night.settle()
    night.do(lend(name))
    night.do(cmd.RequeueTicket(ticket="a", by=ME))
    night.go(replace(SETTINGS, sessions=1))
    t = night.t("a")
    prepare = due.Prepare(ticket="a", attempt=t.attempt)
    assert t.phase == "claimed" and owed(night) == set(), "a person works in its folder"
    told = [item.text for item in attention.needs(night.state) if item.kind == "ticket"]
    assert len(told) == 1 and "is left: it is open in" in told[0], "and that is said"
    night.do(give_back(name))
    assert owed(night) == {prepare}
    begin_work(night)
    assert "works in the worktree of s-1 now" in night.refused(lend(name))


@pytest.mark.parametrize("how", ["not-started", "exited"])
def test_what_cannot_be_started_after_a_loan_exits_and_is_not_tried_for_ever(play: Play, how: str) -> None:
    name = rested(play)
    play.do(give_back(name))
    play.prompt(name)
    s = play.state.sessions[name]
    assert owed(play) == {due.Start(session=name, run=s.run)}
    end(play, name, how=how, signal=None, code=127, reason="its folder is gone")
    assert play.state.sessions[name].phase == "exited" and owed(play) == set()


def test_nothing_is_started_again_while_a_person_has_it(play: Play) -> None:
    name = idle(play)
    end(play, name, how="exited", signal=None, code=0)
    play.do(lend(name))
    play.prompt(name)
    end(play, name, how="exited", signal=None, code=1)
    assert play.state.sessions[name].restart_at and owed(play) == set()
    play.do(give_back(name))
    assert {type(effect) for effect in owed(play)} == {due.Restart}


def test_a_policy_is_not_judged_again_while_a_person_works_in_its_folder(play: Play) -> None:
    name = idle(play)
    policy = play.attach(name, gate=GATE, since=0)
    play.judge(policy, "unjudged")
    assert play.status(policy) == "blocked"
    play.do(lend(name))
    end(play, name)
    assert "leave that first" in play.refused(cmd.RetryPolicy(policy=policy, by=ME))
