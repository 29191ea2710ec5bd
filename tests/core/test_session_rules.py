"""Sessions: prompts and turns, questions, ends, and what a dead supervisor leaves behind."""

from __future__ import annotations

import pytest
from play import ACP, GATE, ME, Play, kinds

from console.core import commands as cmd
from console.core import due
from console.core import events as ev
from console.core.records import Launch, Option
from console.core.sessions import INTERRUPTIONS

SCRIPT = Launch(argv=("script",), protocol="command")
OPTIONS = (Option(id="yes", name="Yes"), Option(id="no", name="No"))


def killed(play: Play, name: str) -> None:
    """The supervisor died and the next one says so."""
    play.report(ev.SessionInterrupted(session=name, run=play.state.sessions[name].run))


def owed(play: Play) -> list[due.Effect]:
    return list(due.due(play.state))


def test_a_session_starts_then_sends_its_prompts_one_turn_each() -> None:
    play = Play()
    play.do(cmd.StartSession(launch=ACP, cwd="/w", worktree="/w", by=ME, prompt="go"))
    assert owed(play) == [due.Start(session="s-1", run=1)]
    play.up("s-1")
    play.prompt("s-1")
    assert owed(play) == [due.BeginTurn(session="s-1", run=1, turn=1)]
    play.begin("s-1")
    assert owed(play) == []
    play.end("s-1")
    assert owed(play) == [due.BeginTurn(session="s-1", run=1, turn=2)]


def test_the_label_is_the_id_until_somebody_gives_one() -> None:
    play = Play()
    play.session()
    play.do(cmd.StartSession(launch=ACP, cwd="/w", worktree="/w", by=ME, label="fix"))
    assert [s.label for s in play.state.sessions.values()] == ["s-1", "fix"]


@pytest.mark.parametrize(
    "command",
    [
        cmd.SendPrompt(session="s-9", text="hi", by=ME),
        cmd.AnswerQuestion(session="s-9", option="yes", by=ME),
        cmd.InterruptTurn(session="s-9", by=ME),
        cmd.StopSession(session="s-9", by=ME),
    ],
)
def test_no_such_session_is_told_as_missing(command: cmd.Command) -> None:
    play = Play()
    outcome = play.ask(command)
    assert outcome.paths == ("missing",)  # type: ignore[union-attr]
    assert "no session 's-9'" in play.refused(command)


# -- questions -------------------------------------------------------------------------------------------


def asking(play: Play) -> str:
    name = play.session()
    play.begin(name)
    play.report(ev.AwaitingInput(session=name, turn=1, question="q1", title="May I?", options=OPTIONS))
    return name


def test_an_answer_is_an_intent_then_an_outcome() -> None:
    play = Play()
    name = asking(play)
    assert owed(play) == []
    play.do(cmd.AnswerQuestion(session=name, option="no", by=ME))
    assert owed(play) == [due.GiveAnswer(session=name, question="q1", option="no")]
    play.report(ev.InputAnswered(session=name, question="q1", option="no"))
    assert (play.state.sessions[name].phase, owed(play)) == ("working", [])


def test_answers_that_cannot_be_given() -> None:
    play = Play()
    name = asking(play)
    assert "not one of the answers offered: yes, no" in play.refused(
        cmd.AnswerQuestion(session=name, option="maybe", by=ME)
    )
    assert "not waiting for that answer" in play.refused(
        cmd.AnswerQuestion(session=name, option="yes", question="q0", by=ME)
    )
    play.end(name)
    assert "not waiting" in play.refused(cmd.AnswerQuestion(session=name, option="yes", by=ME))


# -- ends ------------------------------------------------------------------------------------------------


def test_stop_is_an_intent_and_drops_what_was_queued() -> None:
    play = Play()
    name = play.session()
    play.do(cmd.StopSession(session=name, by=ME))
    assert owed(play) == [due.Stop(session=name, run=1)]
    play.report(ev.Exited(session=name, run=1, how="signaled", signal=15, stopped=True))
    assert "was stopped; start a new one" in play.refused(cmd.SendPrompt(session=name, text="hi", by=ME))
    assert "has exited already" in play.refused(cmd.StopSession(session=name, by=ME))


def test_an_exit_names_the_prompts_it_did_not_deliver() -> None:
    play = Play()
    name = play.session()
    play.exit(name, code=3)
    assert play.state.sessions[name].exit == "exit 3; 1 queued prompt(s) were not delivered"


def test_a_conversation_goes_on_after_an_exit_when_its_id_is_known() -> None:
    play = Play()
    name = play.session()
    play.turn(name)
    play.exit(name)
    run = play.state.sessions[name].run
    play.prompt(name)
    assert owed(play) == [due.Start(session=name, run=play.state.sessions[name].run)]
    assert play.state.sessions[name].run > run
    play.up(name)
    assert owed(play)[0] == due.BeginTurn(session=name, run=play.state.sessions[name].run, turn=2)


@pytest.mark.parametrize(
    ("launch", "conversation", "resumable"), [(ACP, "", False), (ACP, "c", True), (SCRIPT, "", True)]
)
def test_who_can_be_resumed(launch: Launch, conversation: str, resumable: bool) -> None:
    play = Play()
    play.do(cmd.StartSession(launch=launch, cwd="/w", worktree="/w", by=ME))
    play.up("s-1", conversation)
    play.exit("s-1")
    outcome = play.ask(cmd.SendPrompt(session="s-1", text="hi", by=ME))
    assert isinstance(outcome, tuple) == resumable


def test_an_interrupt_needs_a_turn_and_is_owed_until_the_turn_ends() -> None:
    play = Play()
    name = play.session()
    assert "runs no turn (ready)" in play.refused(cmd.InterruptTurn(session=name, by=ME))
    play.begin(name)
    play.do(cmd.InterruptTurn(session=name, by=ME))
    assert owed(play) == [due.Interrupt(session=name, turn=1)]
    play.end(name, stop="cancelled")
    assert owed(play) == []


# -- a dead supervisor -----------------------------------------------------------------------------------


def test_the_turn_begins_again_with_the_same_number_text_and_base() -> None:
    play = Play()
    name = play.session(prompt="fix it")
    policy = play.attach(name, gate=GATE)
    play.begin(name, head="h0")
    killed(play, name)
    assert play.status(policy) == "watching"
    play.up(name)
    (prompt,) = play.state.sessions[name].prompts
    assert (prompt.turn, prompt.text, prompt.cause) == (1, "fix it", "resume")
    play.begin(name, head="h7")
    turn = play.state.sessions[name].turn
    assert turn and (turn.number, turn.head) == (1, "h0")
    play.end(name)
    assert play.status(policy) == "gating"


def test_a_queued_prompt_comes_after_the_turn_that_begins_again() -> None:
    play = Play()
    name = play.session()
    play.begin(name)
    play.prompt(name, "then this")
    killed(play, name)
    assert [p.turn for p in play.state.sessions[name].prompts] == [1, 2]


def test_one_turn_is_begun_again_three_times_and_no_more() -> None:
    play = Play()
    name = play.session()
    policy = play.attach(name, gate=GATE)
    for _ in range(INTERRUPTIONS):
        play.begin(name)
        killed(play, name)
        play.up(name)
    play.begin(name)
    killed(play, name)
    session = play.state.sessions[name]
    assert (session.phase, session.exit) == ("exited", "its supervisor died 4 times in turn 1")
    assert (play.status(policy), owed(play)) == ("cancelled", [])


def test_a_turn_that_ends_forgets_its_interruptions() -> None:
    play = Play()
    name = play.session()
    for _ in range(INTERRUPTIONS + 2):
        play.begin(name)
        killed(play, name)
        play.up(name)
        play.turn(name)
        play.prompt(name)
    assert play.state.sessions[name].phase == "ready"


def test_a_turn_that_a_person_had_interrupted_does_not_begin_again() -> None:
    play = Play()
    name = play.session()
    policy = play.attach(name, gate=GATE)
    play.begin(name)
    play.do(cmd.InterruptTurn(session=name, by=ME))
    killed(play, name)
    assert (play.state.sessions[name].phase, owed(play), play.status(policy)) == ("suspended", [], "watching")
    play.prompt(name)
    play.up(name)
    assert owed(play) == [due.BeginTurn(session=name, run=2, turn=2)]


def test_an_idle_session_is_suspended_and_comes_back_with_its_next_prompt() -> None:
    play = Play()
    name = play.session(prompt="")
    killed(play, name)
    assert (play.state.sessions[name].phase, owed(play)) == ("suspended", [])
    play.prompt(name)
    assert owed(play) == [due.Start(session=name, run=2)]


def test_a_stopping_session_is_over_when_its_supervisor_is() -> None:
    play = Play()
    name = play.session()
    play.do(cmd.StopSession(session=name, by=ME))
    killed(play, name)
    assert (play.state.sessions[name].phase, owed(play)) == ("exited", [])


# -- late facts ------------------------------------------------------------------------------------------


def test_facts_of_another_run_or_turn_are_dropped() -> None:
    play = Play()
    name = play.session()
    play.begin(name)
    late = [
        ev.SessionStarted(session=name, run=9),
        ev.Exited(session=name, run=9, how="exited", code=0),
        ev.SessionInterrupted(session=name, run=9),
        ev.TurnStarted(session=name, turn=1),
        ev.TurnEnded(session=name, turn=2, ok=True, stop="end_turn"),
        ev.CommandDone(session=name, turn=2),
        ev.AgentCommitted(session=name, turn=2, ref="r", before="a", after="b"),
        ev.AwaitingInput(session=name, turn=2, question="q", title="t"),
        ev.InputAnswered(session=name, question="q"),
        ev.SupervisorStopped(pid=99),
        ev.TurnEnded(session="s-9", turn=1, ok=True, stop="end_turn"),
    ]
    before = play.state.seq
    assert play.report(*late) == ()
    assert play.state.seq == before


def test_the_end_of_a_turn_counts_once() -> None:
    play = Play()
    name = play.session()
    play.turn(name)
    assert play.end(name) == ()


def test_a_turn_that_is_begun_twice_begins_once() -> None:
    play = Play()
    name = play.session()
    play.begin(name)
    assert play.report(ev.TurnStarted(session=name, turn=1, head="h3")) == ()


def test_an_exited_session_is_not_revived_by_the_word_that_its_supervisor_died() -> None:
    play = Play()
    name = play.session()
    run = play.state.sessions[name].run
    play.exit(name)
    for told in (run, play.state.sessions[name].run):
        assert play.report(ev.SessionInterrupted(session=name, run=told)) == ()


def test_a_report_keeps_what_fits_and_drops_the_rest() -> None:
    play = Play()
    name = play.session()
    play.begin(name)
    ended = ev.TurnEnded(session=name, turn=1, ok=True, stop="end_turn")
    assert kinds(play.report(ev.InputAnswered(session=name, question="q"), ended)) == ["turn-end"]


def test_a_supervisor_that_ends_late_does_not_hide_its_successor() -> None:
    play = Play()
    play.report(ev.SupervisorStarted(pid=1, start_time=1, host="h", version="0"))
    play.report(ev.SupervisorStarted(pid=2, start_time=2, host="h", version="0"))
    play.report(ev.SupervisorStopped(pid=1))
    assert play.state.supervisor and play.state.supervisor.running
    play.report(ev.SupervisorStopped(pid=2))
    assert not play.state.supervisor.running
