"""Agents that hang, crash or never come up: started again with growing waits, within caps, and then parked."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from play import ACP, ME, NUDGE, Play, kinds
from queueplay import GATE, SETTINGS, Night, introduced

from console.core import commands as cmd
from console.core import due, restart_limits
from console.core import events as ev
from console.core.queue import readiness
from console.core.records import WatchLimits
from console.core.sessions import Session
from console.core.state import open_run

ONE = replace(SETTINGS, sessions=1)
BOTS = replace(SETTINGS, presets={**SETTINGS.presets, "other": SETTINGS.presets["bot"]})


@pytest.fixture
def night() -> Night:
    night = Night()
    night.see("a")
    night.go(ONE)
    return night


def of(night: Play, name: str = "") -> Session:
    """The session of a ticket, or the only one."""
    state = night.state
    return state.sessions[state.tickets[name].session if name else next(iter(state.sessions))]


def crash(night: Play, session: str, **end: object) -> tuple[ev.Fact, ...]:
    fields = {"how": "signaled", "signal": 9} | end
    return night.report(ev.Exited(session=session, run=night.state.sessions[session].run, **fields))  # type: ignore[arg-type]


def hang(night: Play, session: str, cause: ev.RestartCause = "hang", **end: object) -> tuple[ev.Fact, ...]:
    """The watchdog calls it hung, and its processes are ended."""
    s = night.state.sessions[session]
    night.report(
        ev.SessionHung(session=session, run=s.run, turn=s.turns, cause=cause, why="silent for 600 s", evidence="asleep")
    )
    assert due.Stop(session=session, run=s.run) in set(due.due(night.state))
    return crash(night, session, reason="silent for 600 s", **end)


def restart(night: Play, session: str, conversation: str = "c") -> bool:
    """The wait passes, its rollback is done, its agent comes up and its turn begins; False: nobody starts it again."""
    for effect in due.due(night.state):
        if isinstance(effect, due.RollBackTo):
            night.report(ev.RolledBack(session=session, snapshot=effect.snapshot, undo=f"undo-{effect.request}"))
    owed = [e for e in due.due(night.state) if isinstance(e, due.Restart)]
    if not owed:
        return False
    night.now = max(night.now, owed[0].at)
    assert "session:prompted" in kinds(
        night.report(ev.SessionRestartDue(session=session, run=night.state.sessions[session].run))
    )
    begin(night, session, conversation)
    return True


def begin(night: Play, session: str, conversation: str = "c") -> None:
    s = night.state.sessions[session]
    assert due.Start(session=session, run=s.run) in set(due.due(night.state))
    night.up(session, conversation)
    turn = night.state.sessions[session].prompts[0].turn
    assert due.BeginTurn(session=session, run=s.run, turn=turn) in set(due.due(night.state))
    night.report(
        ev.SnapshotTaken(session=session, turn=turn, snapshot=f"snap-{session}-{turn}"),
        ev.TurnStarted(session=session, turn=turn, ref="refs/heads/x", head="h0"),
    )


def restarts(night: Play) -> list[ev.SessionRestarting]:
    return [entry.fact for entry in night.log if isinstance(entry.fact, ev.SessionRestarting)]


# -- one restart -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "end",
    [
        {"how": "signaled", "signal": 11},
        {"how": "exited", "code": 3, "signal": None},
        {"how": "lost", "signal": None, "reason": "its shim died"},
    ],
)
def test_a_crash_in_mid_turn_is_rolled_back_and_told_again_as_a_whole(night: Night, end: dict[str, object]) -> None:
    name = night.begin_turn("a")
    facts = crash(night, name, **end)
    assert kinds(facts) == ["exited", "session:restarting", "snapshot:rollback-requested"]
    assert night.t("a").phase == "working" and night.state.sessions[name].rollback == f"snap-{name}"
    assert not [e for e in due.due(night.state) if isinstance(e, due.Restart)], "not before its files are put back"
    assert restart(night, name)
    turn = of(night, "a").turn
    assert turn and (turn.number, turn.cause) == (2, "restart")
    assert turn.text.startswith("The process that you ran in crashed and was started again. The files were put back to")
    assert turn.text.endswith("do it"), "the whole of what it had been told"
    night.end_turn("a")
    night.judged("a")
    night.settle()
    assert (night.t("a").outcome, night.t("a").attempts, night.t("a").failures) == ("DONE", 1, ())
    assert night.t("a").restarts == (), "a passed gate is progress: it counts from the start again"


def test_a_second_restart_repeats_the_first_text_and_not_the_words_around_it(night: Night) -> None:
    name = night.begin_turn("a")
    crash(night, name)
    assert restart(night, name)
    hang(night, name)
    assert restart(night, name)
    turn = of(night, "a").turn
    assert turn and turn.text.startswith("The process that you ran in hung") and turn.text.count("once more") == 1
    assert turn.text.endswith("do it") and night.t("a").attempts == 1


def test_an_agent_that_tells_its_pid_in_mid_turn_has_not_begun_a_new_life(night: Night) -> None:
    """A command's process comes up with each turn, and its conversation is known later still."""
    name = night.begin_turn("a")
    night.up(name, "c-new")
    night.report(ev.SessionHung(session=name, run=1, turn=1, cause="hang", why="silent"))
    night.up(name, "c-new")
    assert of(night, "a").hung == "silent"
    assert "session:restarting" in kinds(crash(night, name))
    assert restart(night, name, "c-new") and of(night, "a").turns == 2


def test_a_hung_session_is_stopping_with_its_reason_and_blocks_no_policy(night: Night) -> None:
    name = night.begin_turn("a")
    s = of(night, "a")
    hung = ev.SessionHung(session=name, run=s.run, turn=1, cause="hang", why="silent", evidence="in recv()")
    assert kinds(night.report(hung)) == ["session:hung"]
    s = of(night, "a")
    assert (s.phase, s.hung, s.stopped, s.evidence) == ("stopping", "silent", False, "in recv()")
    assert night.report(hung) == (), "it is being ended already"
    assert night.status(night.t("a").policy) == "watching"


def test_a_turn_that_ends_while_its_hung_agent_is_being_ended_is_over_and_judged(night: Night) -> None:
    name = night.begin_turn("a")
    night.report(ev.SessionHung(session=name, run=1, turn=1, cause="hang", why="silent"))
    night.end_turn("a")
    crash(night, name)
    assert not restarts(night) and night.status(night.t("a").policy) == "gating"
    night.judged("a")
    night.settle()
    assert night.t("a").outcome == "DONE"


def test_a_start_that_never_came_up_tells_its_prompt_again(night: Night) -> None:
    night.prepare("a")
    name = night.t("a").session
    hang(night, name, "start", how="not-started", signal=None)
    assert restarts(night)[0].cause == "start" and night.t("a").phase == "working"
    assert restart(night, name)
    s = of(night, "a")
    assert s.turn and (s.turn.number, s.turn.text, s.turn.cause) == (1, "do it", "ticket")
    crash(night, name)
    assert s.first_snapshot == f"snap-{name}-1" == night.state.sessions[name].rollback


def test_a_restart_that_does_not_come_up_is_tried_again_with_the_same_words(night: Night) -> None:
    name = night.begin_turn("a")
    crash(night, name)
    night.settle()
    night.report(ev.SessionRestartDue(session=name, run=night.state.sessions[name].run))
    hang(night, name, "start", how="not-started", signal=None)
    assert restart(night, name)
    s = of(night, "a")
    assert s.turn and s.turn.cause == "restart" and s.turn.text.count("do it") == 1
    assert [fact.cause for fact in restarts(night)] == ["crash", "start"]


def test_a_plain_session_is_never_rolled_back_and_its_other_prompts_follow() -> None:
    play = Play()
    name = play.session("first")
    policy = play.attach(name, gate=GATE)
    play.report(ev.SnapshotTaken(session=name, turn=1, snapshot="5" * 40))
    play.begin(name)
    play.prompt(name, "second")
    facts = crash(play, name)
    assert kinds(facts) == ["exited", "session:restarting"] and play.status(policy) == "watching"
    assert "about to be started again" in play.refused(cmd.SendPrompt(session=name, text="now", by=ME))
    run = play.state.sessions[name].run
    play.report(ev.SessionRestartDue(session=name, run=run))
    prompts = play.state.sessions[name].prompts
    assert [(p.turn, p.cause) for p in prompts] == [(2, "restart"), (3, "operator")]
    assert "as it left them" in prompts[0].text and prompts[0].text.endswith("first") and prompts[1].text == "second"
    assert play.report(ev.SessionRestartDue(session=name, run=run)) == (), "one start, whoever asks twice"
    play.up(name)
    play.turn(name)
    play.turn(name)
    assert play.status(policy) == "gating"


def test_what_an_agent_committed_before_it_crashed_is_still_part_of_the_work() -> None:
    play = Play()
    name = play.session("first")
    policy = play.attach(name, gate=GATE)
    play.begin(name, head="h0")
    play.report(ev.AgentCommitted(session=name, turn=1, ref="refs/heads/main", before="h0", after="h1"))
    crash(play, name)
    play.report(ev.SessionRestartDue(session=name, run=2))
    play.up(name)
    play.begin(name, head="h1")
    play.end(name, head="h1")
    assert (play.status(policy), play.state.policies[policy].base_head) == ("gating", "h0")


def test_a_nudge_that_comes_in_the_wait_is_told_after_what_broke_off() -> None:
    play = Play()
    name = play.session("first")
    policy = play.attach(name, gate=GATE, on_fail=NUDGE)
    play.turn(name)
    play.prompt(name, "second")
    play.begin(name)
    crash(play, name)
    play.judge(policy, "red")
    s = play.state.sessions[name]
    assert (s.phase, bool(s.restart_at), len(s.undelivered)) == ("exited", True, 1)
    play.report(ev.SessionRestartDue(session=name, run=s.run))
    assert [p.cause for p in play.state.sessions[name].prompts] == ["restart", "nudge"]


def test_an_idle_session_whose_start_hangs_starts_again() -> None:
    play = Play()
    play.do(cmd.StartSession(launch=ACP, cwd="/w", worktree="/w", by=ME))
    name = of(play).session
    hang(play, name, "start", how="not-started", signal=None)
    play.report(ev.SessionRestartDue(session=name, run=of(play).run))
    assert of(play).phase == "starting" and due.Start(session=name, run=of(play).run) in set(due.due(play.state))


# -- waits and caps --------------------------------------------------------------------------------------


def test_waits_double_to_five_minutes_and_no_two_sessions_wait_alike() -> None:
    for count, least in ((1, 5), (2, 10), (3, 20), (6, 160), (7, 300), (40, 300)):
        waits = {restart_limits.wait(f"s-{n}", count) for n in range(50)}
        assert len(waits) == 50 and all(least <= wait <= least * 1.25 <= restart_limits.LONGEST for wait in waits)
        assert restart_limits.wait("s-1", count) in waits, "the same ones whoever asks"


def kill(night: Night, name: str, how: str, number: int) -> None:
    if how == "hang" or (how == "both" and number % 2):
        hang(night, name)
    else:
        crash(night, name)


@pytest.mark.row("C7")
@pytest.mark.parametrize(
    ("how", "apart", "most"),
    [
        ("fast", 0.0, 3),  # three within the window
        ("drip", 120.0, 6),  # never three within the window: the total ends it
        ("banner", 0.0, 3),
        ("hang", 0.0, 3),
        ("both", 0.0, 3),
    ],
)
def test_what_breaks_off_again_and_again_is_parked_at_the_cap(how: str, apart: float, most: int) -> None:
    night = Night()
    night.see("a")
    night.go(ONE)
    name = night.begin_turn("a")
    for number in range(50):
        night.now += apart
        if how == "banner":
            night.report(ev.SessionRecovered(session=name, run=night.state.sessions[name].run, turn=number + 1))
        kill(night, name, how, number)
        if not restart(night, name):
            break
    assert len(restarts(night)) == most and night.t("a").outcome == "PARKED_DECISION"
    d = night.state.decisions[night.t("a").decision]
    assert (d.source, d.state, d.foundational) == ("nightdesk", "open", False)
    assert f"started again {most} time" in d.question and f"session {name}" in d.evidence[0]
    assert any("stays in /w/a" in line for line in d.evidence), "the work it had is not lost"
    s = night.state.sessions[name]
    assert s.given_up and not s.restart_at and night.t("a").attempts == 0, "no attempt was spent"
    assert night.end == ("DRAINED", {"a": "PARKED_DECISION"})
    night.check_durable()


@pytest.mark.row("C7")
def test_without_caps_it_would_go_on_for_ever() -> None:
    """The negative control: nothing else than the caps ends a crash loop."""
    night = Night()
    night.see("a")
    night.go(replace(ONE, watchdog=WatchLimits(restarts=1000, total_restarts=1000)))
    name = night.begin_turn("a")
    for _ in range(40):
        crash(night, name)
        assert restart(night, name)
    assert night.t("a").outcome is None and len(restarts(night)) == 40


@pytest.mark.row("C7")
def test_the_window_forgets_and_the_total_does_not(night: Night) -> None:
    name = night.begin_turn("a")
    for _ in range(2):
        crash(night, name)
        assert restart(night, name)
    night.now += 400
    for _ in range(3):
        crash(night, name)
        assert restart(night, name)
    crash(night, name)
    assert "within 300 s" in night.state.sessions[name].given_up


@pytest.mark.row("C7", "C3")
def test_a_clock_that_is_set_back_makes_no_room_in_the_window(night: Night) -> None:
    name = night.begin_turn("a")
    for _ in range(3):
        crash(night, name)
        assert restart(night, name)
        night.now -= 3600
    crash(night, name)
    assert not restart(night, name) and len(restarts(night)) == 3


def test_a_clock_that_was_set_back_counts_nothing_for_longer_than_the_window() -> None:
    before = restart_limits.noted(restart_limits.noted((), 10_000.0), 5_000.0)
    assert before == (5_000.0, 5_000.0)
    limits = WatchLimits(restarts=2)
    assert restart_limits.spent(limits, before, 5_100.0) and not restart_limits.spent(limits, before, 5_400.0)


def test_the_caps_are_the_runs_own(night: Night) -> None:
    other = Night()
    other.see("a")
    other.go(replace(ONE, watchdog=WatchLimits(restarts=0)))
    name = other.begin_turn("a")
    crash(other, name)
    assert other.t("a").outcome == "PARKED_DECISION" and not restarts(other)


def test_the_count_is_the_tickets_and_goes_on_in_its_next_attempt_and_the_next_run(night: Night) -> None:
    name = night.begin_turn("a")
    for _ in range(2):
        crash(night, name)
        assert restart(night, name)
    night.end_turn("a")
    night.judged("a", "red", introduced())
    night.settle()
    name = night.begin_turn("a")
    assert len(night.t("a").restarts) == 2
    night.do(cmd.StopRun(by=ME, now=True))
    night.settle()
    night.go(ONE)
    name = night.begin_turn("a")
    assert len(night.t("a").restarts) == 2, "the queue took it up again by itself"
    crash(night, name)
    assert restart(night, name)
    crash(night, name)
    assert night.t("a").outcome == "PARKED_DECISION"


def test_a_persons_answer_counts_from_the_start_and_drop_drops(night: Night) -> None:
    for answer in (1, 2):
        name = night.begin_turn("a")
        for _ in range(3):
            crash(night, name)
            assert restart(night, name)
        crash(night, name)
        night.do(cmd.AnswerDecision(decision=night.t("a").decision, choice=answer, by=ME))
        assert night.t("a").restarts == ()
        if answer == 1:
            night.go(ONE)
    assert night.t("a").phase == "dropped"


def test_a_plain_session_is_given_up_at_the_cap_and_a_persons_prompt_takes_it_up() -> None:
    play = Play()
    name = play.session("go")
    policy = play.attach(name, gate=GATE)
    play.begin(name)
    for _ in range(3):
        crash(play, name)
        assert restart(play, name)
    facts = crash(play, name)
    assert kinds(facts)[1] == "session:given-up" and play.status(policy) == "cancelled"
    assert "3 times within" in of(play).given_up
    play.prompt(name, "once more")
    assert (of(play).restarts, of(play).given_up) == ((), "")


# -- what is no restart ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("end", "outcome"),
    [
        ({"how": "exited", "code": 126, "signal": None}, "BLOCKED_ENV"),
        ({"how": "exited", "code": 127, "signal": None}, "BLOCKED_ENV"),
        ({"how": "not-started", "signal": None, "reason": "no such program"}, "BLOCKED_ENV"),
        ({"how": "unkillable", "signal": None, "reason": "pid 7 is in state D"}, "BLOCKED_ENV"),
        ({"how": "exited", "code": 0, "signal": None}, None),
    ],
)
def test_what_no_restart_helps_is_not_started_again(night: Night, end: dict[str, object], outcome: str | None) -> None:
    name = night.begin_turn("a")
    crash(night, name, **end)
    assert not restarts(night) and night.t("a").outcome == outcome
    assert (night.t("a").phase == "retrying") == (outcome is None), "an end in good order is a failed attempt"


@pytest.mark.parametrize("stop", ["not-started", "exit 126", "exit 127"])
def test_a_command_that_cannot_be_run_blocks_at_once(night: Night, stop: str) -> None:
    night.begin_turn("a")
    night.end_turn("a", ok=False, stop=stop)
    assert night.t("a").outcome == "BLOCKED_ENV" and night.t("a").attempts == 0


def test_a_sign_in_that_is_missing_blocks_and_an_error_is_a_failed_attempt(night: Night) -> None:
    night.begin_turn("a")
    night.end_turn("a", ok=False, stop="error", detail="boom")
    night.settle()
    assert night.t("a").failures[0].cause == "agent" and not restarts(night)
    night.begin_turn("a")
    night.end_turn("a", ok=False, stop="error", fault="auth")
    assert night.t("a").outcome == "BLOCKED_ENV"


@pytest.mark.row("A9")
@pytest.mark.parametrize("judging", [False, True])
def test_nothing_is_put_back_judged_or_started_beside_a_process_that_cannot_be_ended(judging: bool) -> None:
    night = Night()
    night.see("a")
    night.go(replace(ONE, workspace="in_place"))
    name = night.begin_turn("a")
    if judging:
        night.end_turn("a")
    else:
        night.report(ev.SessionHung(session=name, run=1, turn=1, cause="hang", why="silent"))
    crash(night, name, how="unkillable", signal=None, reason="pid 7 is in state D")
    assert night.t("a").outcome == "BLOCKED_ENV" and "pid 7" in night.t("a").why
    assert not list(due.due(night.state)) and not restarts(night) and night.state.sessions[name].stuck


def test_a_rollback_that_waits_for_a_process_that_cannot_be_ended_is_refused(night: Night) -> None:
    name = night.begin_turn("a")
    night.end_turn("a", ok=False, stop="error")
    assert night.t("a").phase == "retrying"
    crash(night, name, how="unkillable", signal=None, reason="pid 7 is in state D")
    assert night.t("a").outcome == "BLOCKED_ENV" and not list(due.due(night.state))


@pytest.mark.row("C8")
def test_a_stop_during_the_wait_stays_a_stop(night: Night) -> None:
    name = night.begin_turn("a")
    crash(night, name)
    night.settle()
    assert [e for e in due.due(night.state) if isinstance(e, due.Restart)]
    night.do(cmd.StopSession(session=name, by=ME))
    assert night.t("a").outcome == "FAILED_RETRYABLE" and not list(due.due(night.state))
    assert night.report(ev.SessionRestartDue(session=name, run=night.state.sessions[name].run)) == ()


def test_an_agent_that_is_being_ended_while_its_ticket_ends_is_not_started_again(night: Night) -> None:
    name = night.begin_turn("a")
    night.report(ev.SessionHung(session=name, run=1, turn=1, cause="hang", why="silent"))
    night.do(cmd.StopRun(by=ME, now=True))
    crash(night, name)
    assert not restarts(night) and not list(due.due(night.state)) and night.state.sessions[name].resumable


@pytest.mark.row("C8")
@pytest.mark.parametrize("now", [False, True])
def test_a_stop_of_the_run_gives_back_what_waits_for_a_restart(night: Night, now: bool) -> None:
    name = night.begin_turn("a")
    crash(night, name)
    night.settle()
    night.do(cmd.StopRun(by=ME, now=now))
    assert night.end == ("STOPPED", {"a": "FAILED_RETRYABLE"})
    assert not list(due.due(night.state)) and night.state.sessions[name].resumable, "its conversation can go on later"


def test_a_turn_that_a_person_interrupted_is_not_begun_again(night: Night) -> None:
    name = night.begin_turn("a")
    night.do(cmd.InterruptTurn(session=name, by=ME))
    crash(night, name)
    assert not restarts(night) and night.t("a").outcome == "FAILED_RETRYABLE"


def test_work_that_cannot_be_put_back_blocks_instead_of_going_on(night: Night) -> None:
    name = night.begin_turn("a")
    crash(night, name)
    night.report(ev.RolledBack(session=name, snapshot=f"snap-{name}", refused="a file is locked"))
    assert night.t("a").outcome == "BLOCKED_ENV" and "a file is locked" in night.t("a").why
    assert not list(due.due(night.state))


def test_in_place_what_is_given_up_is_taken_out_of_the_checkout_to_where_the_ticket_began() -> None:
    night = Night()
    night.see("a")
    night.go(replace(ONE, workspace="in_place", watchdog=WatchLimits(restarts=1)))
    name = night.begin_turn("a")
    crash(night, name)
    assert restart(night, name)
    crash(night, name)
    assert night.t("a").outcome == "PARKED_DECISION" and night.state.sessions[name].rollback == f"snap-{name}"
    night.settle()
    assert night.end == ("DRAINED", {"a": "PARKED_DECISION"})


def test_in_place_a_stop_after_a_later_turn_was_put_back_still_goes_to_the_beginning() -> None:
    night = Night()
    night.see("a")
    night.go(replace(ONE, workspace="in_place"))
    name = night.begin_turn("a")
    night.end_turn("a", ok=False, stop="error", fault="limit", until=night.now + 60)
    night.now += 60
    night.report(ev.TicketWoken(ticket="a", attempt=1))
    night.report(
        ev.SnapshotTaken(session=name, turn=2, snapshot="later"),
        ev.TurnStarted(session=name, turn=2, ref="refs/heads/x", head="h0"),
    )
    crash(night, name)
    assert night.state.sessions[name].rollback == "later"
    night.do(cmd.StopRun(by=ME, now=True))
    night.settle()
    undone = [entry.fact.snapshot for entry in night.log if isinstance(entry.fact, ev.RolledBack)]
    assert undone == ["later", f"snap-{name}"] and open_run(night.state) is None


# -- the supervisor dies ---------------------------------------------------------------------------------


@pytest.mark.row("B6")
def test_a_supervisor_that_dies_during_the_wait_changes_nothing(night: Night) -> None:
    name = night.begin_turn("a")
    crash(night, name)
    night.settle()
    before = {e for e in due.due(night.state) if isinstance(e, due.Restart)}
    night.report(ev.SupervisorStarted(pid=2, start_time=1, host="h", version="0"))
    assert {e for e in due.due(night.state) if isinstance(e, due.Restart)} == before and len(before) == 1
    assert len(night.t("a").restarts) == 1 and restart(night, name)


@pytest.mark.row("B6")
def test_a_turn_that_its_supervisors_death_cut_off_goes_on_once_and_counts_in_the_same_window(night: Night) -> None:
    name = night.begin_turn("a")
    for _ in range(2):
        night.report(ev.SessionInterrupted(session=name, run=night.state.sessions[name].run))
        assert [p.cause for p in night.state.sessions[name].prompts] == ["resume"]
        (back,) = due.due(night.state)
        assert isinstance(back, due.RollBackTo) and back.snapshot == f"snap-{name}", "not on half-done files"
        night.settle()
        (prompt,) = night.state.sessions[name].prompts
        assert "put back to where that turn began" in prompt.text and prompt.text.count("once more") == 1
        begin(night, name)
    assert len(night.t("a").restarts) == 2 and of(night, "a").unproven is False
    crash(night, name)
    assert restart(night, name)
    crash(night, name)
    assert night.t("a").outcome == "PARKED_DECISION" and len(restarts(night)) == 1


@pytest.mark.row("B6")
def test_a_supervisor_that_was_told_to_leave_costs_a_turn_nothing_however_often(night: Night) -> None:
    name = night.begin_turn("a")
    for _ in range(10):
        night.report(ev.SessionInterrupted(session=name, run=night.state.sessions[name].run, orderly=True))
        night.settle()
        begin(night, name)
    assert night.t("a").restarts == () and of(night, "a").interruptions == 0


@pytest.mark.row("B6")
def test_files_that_cannot_be_put_back_after_a_crash_block_the_ticket(night: Night) -> None:
    name = night.begin_turn("a")
    night.report(ev.SessionInterrupted(session=name, run=1))
    night.report(ev.RolledBack(session=name, snapshot=f"snap-{name}", refused="pid 7 still runs beside it"))
    night.settle()
    assert night.t("a").outcome == "BLOCKED_ENV" and "pid 7" in night.t("a").why


def test_the_operators_own_checkout_is_not_put_back_after_a_crash() -> None:
    night = Night()
    night.see("a")
    night.go(replace(ONE, workspace="in_place"))
    name = night.begin_turn("a")
    night.report(ev.SessionInterrupted(session=name, run=1))
    assert not any(isinstance(e, due.RollBackTo) for e in due.due(night.state))
    begin(night, name)


@pytest.mark.row("B6")
def test_a_hung_turn_whose_supervisor_dies_before_the_kill_is_over_begins_again(night: Night) -> None:
    name = night.begin_turn("a")
    night.report(ev.SessionHung(session=name, run=1, turn=1, cause="hang", why="silent"))
    night.report(ev.SessionInterrupted(session=name, run=1))
    s = of(night, "a")
    assert (s.phase, [p.cause for p in s.prompts], s.unproven) == ("suspended", ["resume"], True)
    night.settle()
    begin(night, name)
    night.end_turn("a")
    night.settle()
    assert night.status(night.t("a").policy) == "gating"


def test_no_agent_begins_in_a_worktree_in_which_an_earlier_one_is_still_being_ended(night: Night) -> None:
    first = night.begin_turn("a")
    night.do(cmd.ParkTicket(ticket="a", question="Which?", by=ME))
    night.do(cmd.AnswerDecision(decision="dec-1", text="left", by=ME))
    night.go(ONE)
    night.prepare("a")
    second = night.t("a").session
    assert [type(e).__name__ for e in due.due(night.state)] == ["Stop"]
    crash(night, first, stopped=False)
    assert due.Start(session=second, run=1) in set(due.due(night.state)) and not restarts(night)


# -- limits of the provider ------------------------------------------------------------------------------


def test_an_overloaded_provider_is_waited_for_for_three_hours(night: Night) -> None:
    name = night.begin_turn("a")
    waits = []
    while night.t("a").outcome is None:
        night.end_turn("a", ok=False, stop="error", detail="529", fault="overload")
        t = night.t("a")
        if t.phase != "waiting":
            break
        waits.append(round(t.until - night.state.at))
        night.now = t.until
        night.report(ev.TicketWoken(ticket="a", attempt=1))
        told = night.state.sessions[name].prompts[0]
        assert told.text.startswith("The limit or overload") and told.text.count("once more") == 1
        assert told.text.endswith("do it"), "a command without a conversation begins anew with each turn"
        night.report(ev.TurnStarted(session=name, turn=told.turn, ref="refs/heads/x", head="h0"))
    assert waits[:6] == [60, 120, 240, 480, 960, 1800] and max(waits) == 1800
    assert 3 * 3600 <= sum(waits) <= 3.5 * 3600 and night.t("a").outcome == "BLOCKED_ENV"
    assert night.t("a").waits == 0, "usage limits are counted by themselves"


def test_while_an_agent_is_at_its_limit_no_other_ticket_of_it_is_claimed_and_others_go_on() -> None:
    night = Night()
    for name, agent in (("a1", ""), ("a2", ""), ("a3", "bot"), ("b1", "other"), ("b2", "other")):
        night.see(name, agent=agent)
    night.go(replace(BOTS, sessions=2))
    assert night.flying() == ["a1", "a2"]
    for name in ("a1", "a2"):
        night.begin_turn(name)
        night.end_turn(name, ok=False, stop="error", fault="limit", until=night.now + 3600)
    assert set(night.flying()) == {"a1", "a2", "b1", "b2"}, "what waits leaves its slot to agents without a limit"
    told = readiness(night.state, night.t("a3"))
    assert (told.state, told.by) == ("waits", "a1") and "usage limit" in told.why
    night.work("b1")
    assert "a3" not in night.flying()
    night.now += 3600
    assert night.report(ev.TicketWoken(ticket="a1", attempt=1))
    assert night.t("a1").phase == "working" and night.t("a2").phase == "waiting"
    assert night.report(ev.TicketWoken(ticket="a2", attempt=1)) == (), "there is no slot for it yet"
    night.work("b2")
    wakes = [e for e in due.due(night.state) if isinstance(e, due.Wake)]
    assert [e.ticket for e in wakes] == ["a2"] and "a3" not in night.flying()
    night.report(ev.TicketWoken(ticket="a2", attempt=1))
    assert readiness(night.state, night.t("a3")).state == "ready"


def test_the_end_of_a_limit_lets_the_run_go_on_by_itself() -> None:
    night = Night()
    night.see("a1")
    night.see("a2")
    night.go(replace(SETTINGS, sessions=1))
    night.begin_turn("a1")
    night.end_turn("a1", ok=False, stop="error", fault="limit", until=night.now + 60)
    assert night.flying() == ["a1"]
    night.do(cmd.ParkTicket(ticket="a1", question="Really?", by=ME))
    assert night.flying() == ["a2"]


# -- the fuse --------------------------------------------------------------------------------------------


def blow(night: Night) -> tuple[ev.Fact, ...]:
    return night.report(ev.FuseBlown(sessions=("s-1",), at_work=1, why="5 of 8 silent"))


@pytest.mark.row("C6")
def test_while_the_fuse_is_blown_nobody_is_hung_and_what_is_overdue_begins_again(night: Night) -> None:
    name = night.begin_turn("a")
    blow(night)
    assert night.report(ev.SessionHung(session=name, run=1, turn=1, cause="hang", why="silent")) == ()
    night.report(ev.TicketOverdue(ticket="a", attempt=1, limit=1800.0))
    s = of(night, "a")
    assert (s.phase, s.stopped) == ("stopping", False) and "the fault is not theirs" in s.hung
    crash(night, name)
    assert len(restarts(night)) == 1 and not night.t("a").overdue
    assert restart(night, name) and not night.t("a").failures
    night.report(ev.FuseReset(why="they speak again"))
    night.report(ev.TicketOverdue(ticket="a", attempt=1, limit=1800.0))
    night.settle()
    assert night.t("a").failures[0].cause == "timeout"


@pytest.mark.row("C6")
def test_a_fleet_that_falls_silent_twice_in_one_run_halts_it(night: Night) -> None:
    night.begin_turn("a")
    blow(night)
    assert open_run(night.state)
    night.report(ev.FuseReset(why="they speak again"))
    assert "run:halting" in kinds(blow(night))
    night.settle()
    run = night.state.runs["run-1"]
    assert run.status == "HALTED" and "silent 2 times" in run.reason
    night.report(ev.FuseReset(why="they speak again"))
    night.go(ONE)
    blow(night)
    assert open_run(night.state), "another run begins anew"


@pytest.mark.row("C6")
def test_while_the_fuse_is_blown_no_ticket_is_claimed_and_the_run_does_not_end() -> None:
    night = Night()
    night.see("a")
    night.see("b")
    night.go(ONE)
    night.begin_turn("a")
    blow(night)
    night.do(cmd.StopSession(session=of(night, "a").session, by=ME))
    crash(night, of(night, "a").session)
    assert night.t("a").outcome and night.flying() == [] and open_run(night.state)
    night.report(ev.FuseReset(why="they speak again"))
    assert night.flying() == ["b"]


def test_while_the_fuse_is_blown_a_probe_may_be_ended(night: Night) -> None:
    name = night.begin_turn("a")
    blow(night)
    hung = ev.SessionHung(session=name, run=1, turn=1, cause="hang", why="silent", probe=True)
    assert "session:hung" in kinds(night.report(hung)) and of(night, "a").phase == "stopping"


def test_a_session_that_crashes_between_its_turns_is_not_started_again() -> None:
    play = Play()
    name = play.session("go")
    play.turn(name)
    crash(play, name)
    assert not restarts(play) and of(play).phase == "exited"
