"""Routines on the brain alone: steps, fan-in, questions, escalations, ends, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest
from play import ACP, ME, Play

from console.core import commands as cmd
from console.core import events as ev
from console.core.due import RoutinePatience, due
from console.core.records import Launch, Option, Who
from console.core.records_routines import RoutineSession, RoutineSpec, Step, Waiting
from console.core.routines import ANSWERS, Routine
from console.core.routines_rules import problems

ALLOW = (
    Option(id="no", name="Deny", kind="reject_once"),
    Option(id="ever", name="Always", kind="allow_always"),
    Option(id="yes", name="Allow", kind="allow_once"),
)
AUTO, FAIL = Waiting(kind="auto-allow"), Waiting(kind="fail")


def new(name: str, prompt: str = "go", launch: Launch = ACP) -> RoutineSession:
    return RoutineSession(name=name, preset="bot", launch=launch, cwd="/w", worktree="/w", prompt=prompt)


def begin(play: Play, *steps: Step) -> str:
    facts = play.do(cmd.StartRoutine(spec=RoutineSpec(name="night", steps=steps), by=ME))
    started = facts[0]
    assert isinstance(started, ev.RoutineStarted)
    for s in [s for s in play.state.sessions.values() if s.phase == "starting"]:
        play.up(s.session)
    return started.routine


def at(play: Play, name: str = "rt-1") -> Routine:
    return play.state.routines[name]


def ask(play: Play, session: str, question: str = "q1", via: Any = "", options: tuple[Option, ...] = ALLOW) -> Any:
    s = play.state.sessions[session]
    assert s.turn
    number = s.turn.number
    return play.report(
        ev.AwaitingInput(session=session, turn=number, question=question, title="May I?", options=options, via=via)
    )


def answered(play: Play, session: str) -> None:
    """What the supervisor does about a requested answer."""
    q = play.state.sessions[session].question
    assert q and q.answer is not None
    play.report(ev.InputAnswered(session=session, question=q.id, option=q.answer))


def resolve(play: Play, response: str = "", step: int = 0, *, approve: bool = True) -> cmd.ResolveRoutine:
    asked = play.state.routines["rt-1"].asked
    return cmd.ResolveRoutine(routine="rt-1", step=step, by=ME, asked=asked, approve=approve, response=response)


def of(play: Play, kind: type[ev.Event]) -> list[Any]:
    return [entry.fact for entry in play.log if isinstance(entry.fact, kind)]


# -- steps -----------------------------------------------------------------------------------------------


def test_a_step_begins_when_all_that_the_one_before_waits_for_have_ended_their_turns() -> None:
    play = Play()
    old = play.session("")
    begin(
        play,
        Step(name="both", start=(new("a"), new("b")), prompts={old: "you too"}, wait_for=("a", "b", old)),
        Step(name="after", prompts={"a": "again", old: "more"}, wait_for=("a",)),
    )
    assert at(play).sessions == {"a": "s-2", "b": "s-3"} and play.state.sessions["s-2"].label == "rt-1/a"
    play.turn("s-3")
    play.turn(old)
    assert at(play).step == 0
    play.turn("s-2")
    assert at(play).step == 1 and [p.text for p in play.state.sessions["s-2"].prompts] == ["again"]
    play.turn("s-2")
    assert at(play).status == "done" and play.state.sessions[old].prompts, "nobody waited for that one"
    assert [fact.text for fact in of(play, ev.PromptQueued)] == ["go", "go", "you too", "again", "more"]
    play.check_durable()


def test_a_turn_that_ended_while_another_step_waited_counts_for_the_step_that_waits_for_it() -> None:
    play = Play()
    begin(play, Step(name="one", start=(new("a"), new("b")), wait_for=("a",)), Step(name="two", wait_for=("b",)))
    play.turn("s-2")
    assert at(play).step == 0
    play.turn("s-1")
    assert at(play).status == "done"


def test_a_turn_of_before_the_prompt_of_a_step_does_not_count_for_it() -> None:
    play = Play()
    old = play.session()
    play.begin(old)
    begin(play, Step(name="one", prompts={old: "next"}, wait_for=(old,)))
    play.end(old)
    assert at(play).status == "running"
    play.turn(old)
    assert at(play).status == "done"


@pytest.mark.parametrize("running", [True, False])
def test_a_session_that_was_there_counts_with_its_current_turn_running_or_just_ended(running: bool) -> None:
    play = Play()
    old = play.session()
    play.begin(old)
    if not running:
        play.end(old)
    begin(play, Step(name="one", wait_for=(old,)))
    if running:
        assert at(play).status == "running"
        play.end(old)
    assert at(play).status == "done"


def test_two_routines_over_one_session_go_on_side_by_side() -> None:
    play = Play()
    old = play.session()
    play.begin(old)
    step = Step(name="one", wait_for=(old,))
    then = Step(name="two", prompts={old: "more"}, start=(new("x"),), wait_for=(old, "x"))
    begin(play, step, then)
    begin(play, step, then)
    play.end(old)
    for name in ("s-2", "s-3"):
        play.up(name)
        play.turn(name)
    assert [p.turn for p in play.state.sessions[old].prompts] == [2, 3], "each prompt is a turn of its own"
    assert at(play, "rt-1").sessions == {"x": "s-2"} and at(play, "rt-2").sessions == {"x": "s-3"}
    play.turn(old)
    play.turn(old)
    assert at(play, "rt-1").status == at(play, "rt-2").status == "done"
    assert len(of(play, ev.RoutineStepDone)) == 4


def test_steps_that_wait_for_nobody_follow_at_once() -> None:
    play = Play()
    old = play.session("")
    begin(
        play, Step(name="a", prompts={old: "1"}), Step(name="b", prompts={old: "2"}), Step(name="c", start=(new("x"),))
    )
    assert at(play).status == "done" and [p.turn for p in play.state.sessions[old].prompts] == [1, 2]


# -- what goes wrong ---------------------------------------------------------------------------------------


def test_a_turn_that_ends_badly_fails_the_routine_and_leaves_the_other_sessions_alone() -> None:
    play = Play()
    begin(play, Step(name="one", start=(new("a"), new("b")), wait_for=("a", "b")))
    play.begin("s-1")
    play.end("s-1", ok=False, stop="error")
    assert at(play).status == "failed" and "turn 1 of s-1 ended with error" in at(play).why
    assert play.state.sessions["s-2"].prompts and not of(play, ev.StopRequested)


@pytest.mark.parametrize("how", ["exit", "stop"])
def test_a_session_that_goes_before_its_turn_ended_fails_the_routine(how: str) -> None:
    play = Play()
    begin(play, Step(name="one", start=(new("a"),), wait_for=("a",)))
    play.begin("s-1")
    if how == "stop":
        play.do(cmd.StopSession(session="s-1", by=ME))
    play.exit("s-1")
    how = "was stopped by ada before its turn ended" if how == "stop" else "exited"
    assert at(play).status == "failed" and f"s-1 {how}" in at(play).why


@pytest.mark.parametrize("stopped", [True, False])
def test_a_prompt_that_was_never_taken_is_no_ended_turn(stopped: bool) -> None:
    play = Play()
    old = play.session()
    play.begin(old)
    begin(play, Step(name="one", prompts={old: "next"}, wait_for=(old,)))
    play.end(old)
    if stopped:
        play.do(cmd.StopSession(session=old, by=ME))
    play.exit(old)
    how = "was stopped by ada" if stopped else "exited"
    assert at(play).status == "failed" and f"{old} {how} before its turn ended" in at(play).why


def test_a_hang_that_is_restarted_goes_on_waiting_and_one_that_is_given_up_fails() -> None:
    play = Play()
    begin(play, Step(name="one", start=(new("a"),), wait_for=("a",)))
    for again in range(1, 20):
        play.begin("s-1")
        run = play.state.sessions["s-1"].run
        play.report(ev.SessionHung(session="s-1", run=run, turn=again, cause="hang", why="silent"))
        play.report(ev.Exited(session="s-1", run=run, how="signaled", signal=9))
        if at(play).status == "failed":
            break
        play.report(ev.SessionRestartDue(session="s-1", run=play.state.sessions["s-1"].run))
        play.up("s-1")
    assert again > 1 and "was given up" in at(play).why
    assert again == len(of(play, ev.SessionRestarting)) + 1


def test_a_crash_that_is_started_again_ends_the_step_with_its_new_turn() -> None:
    play = Play()
    begin(play, Step(name="one", start=(new("a"),), wait_for=("a",)))
    play.begin("s-1")
    play.exit("s-1", code=3)
    assert at(play).status == "running"
    play.report(ev.SessionRestartDue(session="s-1", run=play.state.sessions["s-1"].run))
    play.up("s-1")
    play.turn("s-1")
    assert at(play).status == "done"


def test_an_interrupted_turn_is_waited_out_until_another_one_ends() -> None:
    play = Play()
    begin(play, Step(name="one", start=(new("a"),), wait_for=("a",)))
    play.begin("s-1")
    play.do(cmd.InterruptTurn(session="s-1", by=ME))
    play.end("s-1", ok=False, stop="cancelled")
    assert at(play).status == "running"
    play.prompt("s-1")
    play.turn("s-1")
    assert at(play).status == "done"


def test_a_session_that_takes_no_prompt_any_more_fails_the_step_that_prompts_it() -> None:
    play = Play()
    old = play.session("")
    begin(play, Step(name="one", start=(new("a"),), wait_for=("a",)), Step(name="two", prompts={old: "go"}))
    play.do(cmd.StopSession(session=old, by=ME))
    play.exit(old)
    play.turn("s-2")
    assert at(play).status == "failed" and at(play).why == f"step 2 (two): cannot prompt {old}: it was stopped"


def test_a_supervisor_that_dies_leaves_the_routine_at_its_step() -> None:
    play = Play()
    begin(play, Step(name="one", start=(new("a"), new("b")), wait_for=("a", "b")), Step(name="two", wait_for=("a",)))
    play.begin("s-1")
    play.turn("s-2")
    for name in ("s-1", "s-2"):
        play.report(ev.SessionInterrupted(session=name, run=1))
    assert at(play).status == "running" and at(play).step == 0
    play.up("s-1")
    play.turn("s-1")
    assert at(play).status == "done" and len(of(play, ev.PromptQueued)) == 2


# -- questions that answer themselves ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "given"),
    [(ALLOW, "yes"), (ALLOW[:2], "ever"), (ALLOW[:1], "no"), ((Option(id="x", name="X"), *ALLOW[:1]), "x")],
)
def test_auto_allow_takes_the_smallest_leave_that_is_offered(options: tuple[Option, ...], given: str) -> None:
    play = Play()
    begin(play, Step(name="one", start=(new("a"),), wait_for=("a",), on_wait=AUTO))
    play.begin("s-1")
    ask(play, "s-1", options=options)
    assert [fact.option for fact in of(play, ev.AnswerRequested)] == [given]
    answered(play, "s-1")
    play.end("s-1")
    assert at(play).status == "done" and not of(play, ev.RoutineEscalated)


def test_auto_allow_says_its_words_where_words_are_taken() -> None:
    play = Play()
    waiting = Waiting(kind="auto-allow", prompt="Do what is safest.")
    begin(play, Step(name="one", start=(new("a"),), wait_for=("a",), on_wait=waiting))
    play.begin("s-1")
    ask(play, "s-1", via="inbox")
    [answer] = of(play, ev.AnswerRequested)
    assert (answer.option, answer.text) == ("", "Do what is safest.")
    assert of(play, ev.RoutineAnswered)[0].said == "Do what is safest."


def test_what_cannot_be_answered_by_itself_goes_to_a_person() -> None:
    play = Play()
    begin(play, Step(name="one", start=(new("a"),), wait_for=("a",), on_wait=AUTO))
    play.begin("s-1")
    ask(play, "s-1", options=())
    assert at(play).status == "escalated"


def test_automatic_answers_have_a_bound_for_each_step() -> None:
    play = Play()
    step = Step(name="one", start=(new("a"),), wait_for=("a",), on_wait=AUTO)
    begin(play, step, Step(name="two", prompts={"a": "more"}, wait_for=("a",), on_wait=AUTO))
    play.begin("s-1")
    for number in range(ANSWERS):
        ask(play, "s-1", f"q{number}")
        answered(play, "s-1")
    play.end("s-1")
    assert at(play).step == 1 and at(play).answers == 0
    play.begin("s-1")
    for number in range(ANSWERS):
        ask(play, "s-1", f"r{number}")
        answered(play, "s-1")
    ask(play, "s-1", "once more")
    assert at(play).status == "failed" and f"after {ANSWERS} automatic answers" in at(play).why
    assert play.state.sessions["s-1"].question, "left for a person"


def test_two_routines_answer_one_question_once() -> None:
    play = Play()
    old = play.session()
    play.begin(old)
    begin(play, Step(name="one", wait_for=(old,), on_wait=AUTO))
    begin(play, Step(name="one", wait_for=(old,), on_wait=AUTO))
    ask(play, old)
    assert len(of(play, ev.AnswerRequested)) == len(of(play, ev.RoutineAnswered)) == 1


def test_fail_ends_the_routine_at_the_first_question() -> None:
    play = Play()
    begin(play, Step(name="one", start=(new("a"),), wait_for=("a",), on_wait=FAIL))
    play.begin("s-1")
    ask(play, "s-1")
    assert at(play).status == "failed" and "s-1 asks: May I?" in at(play).why


# -- questions to a person -----------------------------------------------------------------------------------


def escalated(play: Play, *, via: Any = "", options: tuple[Option, ...] = ALLOW, timeout: float = 300.0) -> None:
    waiting = Waiting(timeout=timeout, webhook="http://127.0.0.1/hook")
    begin(play, Step(name="one", start=(new("a"),), wait_for=("a",), on_wait=waiting))
    play.begin("s-1")
    ask(play, "s-1", via=via, options=options)
    assert at(play).status == "escalated"


def test_an_escalation_says_what_is_asked_until_when_and_where_to_call() -> None:
    play = Play()
    escalated(play)
    [fact] = of(play, ev.RoutineEscalated)
    assert (fact.session, fact.question, fact.title, fact.options) == ("s-1", "q1", "May I?", ALLOW)
    assert fact.until == play.now + 300.0 and fact.webhook == "http://127.0.0.1/hook"
    owed = [e for e in due(play.state) if isinstance(e, RoutinePatience)]
    assert [(e.routine, e.step, e.at) for e in owed] == [("rt-1", 0, fact.until)]


@pytest.mark.parametrize(
    ("response", "option"), [("", "yes"), ("no", "no"), ("Deny", "no"), (" always ", "ever"), ("ever", "ever")]
)
def test_a_resolved_escalation_gives_the_session_the_answer_and_goes_on(response: str, option: str) -> None:
    play = Play()
    escalated(play)
    play.do(resolve(play, response))
    assert [fact.option for fact in of(play, ev.AnswerRequested)] == [option] and at(play).status == "running"
    answered(play, "s-1")
    play.end("s-1")
    assert at(play).status == "done" and len(of(play, ev.RoutineResolved)) == len(of(play, ev.RoutineEscalated)) == 1


def test_words_go_to_a_question_that_takes_words_and_to_the_next_turn_where_nothing_can_be_chosen() -> None:
    play = Play()
    escalated(play, via="inbox", options=ALLOW[:1])
    play.do(resolve(play, "the left one"))
    assert [(f.option, f.text) for f in of(play, ev.AnswerRequested)] == [("", "the left one")]
    play = Play()
    escalated(play, options=())
    play.do(resolve(play, "go left"))
    assert [(f.option, f.text) for f in of(play, ev.AnswerRequested)] == [("", "")]
    assert [p.text for p in play.state.sessions["s-1"].prompts] == ["go left"]


@pytest.mark.parametrize(
    ("options", "via", "response", "why"),
    [
        (ALLOW, "", "yess", "not one of the answers offered: no (Deny), ever (Always), yes (Allow)"),
        ((ALLOW[0], Option(id="n2", name="Never")), "", "", "say which answer"),
        ((ALLOW[0], Option(id="n2", name="deny")), "", "DENY", "not one of the answers"),
        ((), "inbox", "", "asks for words"),
    ],
)
def test_a_response_that_means_nothing_is_refused_with_what_would(
    options: tuple[Option, ...], via: str, response: str, why: str
) -> None:
    play = Play()
    escalated(play, options=options, via=via)
    assert why in play.refused(resolve(play, response)) and at(play).status == "escalated"


def test_a_no_fails_the_routine_and_leaves_the_question_with_its_session() -> None:
    play = Play()
    escalated(play)
    play.do(resolve(play, "not tonight", approve=False))
    assert at(play).status == "failed" and at(play).why == "step 1 (one): ada said no: not tonight"
    assert play.state.sessions["s-1"].phase == "awaiting-input" and not of(play, ev.AnswerRequested)
    assert of(play, ev.RoutineEnded)[0].by == ME


def test_nobody_in_time_fails_the_routine_and_a_late_expiry_is_dropped() -> None:
    play = Play()
    escalated(play, timeout=0.001)
    asked = at(play).asked
    assert not play.report(ev.RoutineExpired(routine="rt-1", step=0, asked=asked + 1)), "of another escalation"
    play.report(ev.RoutineExpired(routine="rt-1", step=0, asked=asked))
    assert at(play).status == "failed" and "nobody answered in time: May I?" in at(play).why
    assert not play.report(ev.RoutineExpired(routine="rt-1", step=0, asked=asked))
    assert not [e for e in due(play.state) if isinstance(e, RoutinePatience)]


def test_several_sessions_that_ask_are_escalated_one_after_the_other() -> None:
    play = Play()
    begin(play, Step(name="one", start=(new("a"), new("b"), new("c")), wait_for=("a", "b", "c")))
    for name in ("s-2", "s-1", "s-3"):
        play.begin(name)
        ask(play, name, f"of {name}")
    order = []
    for _ in range(3):
        order.append(at(play).session)
        play.do(resolve(play, "yes"))
        answered(play, order[-1])
    assert order == ["s-2", "s-1", "s-3"] and len(of(play, ev.RoutineEscalated)) == 3
    for name in order:
        play.end(name)
    assert at(play).status == "done"


def test_an_answer_that_somebody_else_gives_is_the_end_of_the_escalation() -> None:
    play = Play()
    escalated(play)
    other = Who(user="bob")
    play.do(cmd.AnswerQuestion(session="s-1", option="no", by=other))
    [over] = of(play, ev.RoutineResolved)
    assert over.over and over.by == other and over.response == "no" and at(play).status == "running"
    assert "asks nobody now" in play.refused(resolve(play, "yes"))
    answered(play, "s-1")
    play.end("s-1")
    assert at(play).status == "done" and len(of(play, ev.AnswerRequested)) == 1


@pytest.mark.parametrize("how", ["turn", "supervisor", "crash"])
def test_a_question_that_is_gone_with_its_turn_is_asked_again_when_it_is_asked_again(how: str) -> None:
    play = Play()
    escalated(play)
    if how == "turn":
        play.end("s-1")
        assert at(play).status == "done"
        return
    if how == "supervisor":
        play.report(ev.SessionInterrupted(session="s-1", run=1))
    else:
        play.exit("s-1", code=3)
        assert at(play).status == "running"
        play.report(ev.SessionRestartDue(session="s-1", run=play.state.sessions["s-1"].run))
    assert at(play).status == "running" and at(play).step == 0
    play.up("s-1")
    play.begin("s-1")
    ask(play, "s-1")
    assert at(play).status == "escalated" and len(of(play, ev.RoutineEscalated)) == 2
    play.do(resolve(play))
    answered(play, "s-1")
    play.end("s-1")
    assert at(play).status == "done"


def test_a_session_that_breaks_while_a_person_is_asked_fails_the_routine() -> None:
    play = Play()
    begin(play, Step(name="one", start=(new("a"), new("b")), wait_for=("a", "b")))
    play.begin("s-1")
    play.begin("s-2")
    ask(play, "s-1")
    play.end("s-2", ok=False, stop="error")
    assert at(play).status == "failed" and at(play).asked == 0


def test_a_step_that_only_asks_waits_for_a_yes() -> None:
    play = Play()
    begin(play, Step(name="gate", title="Ship it?"), Step(name="ship", start=(new("a"),)))
    assert (at(play).status, at(play).title, at(play).session) == ("escalated", "Ship it?", "")
    play.do(resolve(play, "fine"))
    assert at(play).status == "done" and play.state.sessions["s-1"].prompts
    assert of(play, ev.RoutineResolved)[0].response == "fine"


def test_a_step_that_waits_and_then_asks_does_both_in_this_order() -> None:
    play = Play()
    begin(play, Step(name="one", start=(new("a"),), wait_for=("a",), title="Good?"))
    play.begin("s-1")
    ask(play, "s-1")
    play.do(resolve(play, "yes"))
    answered(play, "s-1")
    assert at(play).status == "running"
    play.end("s-1")
    assert (at(play).status, at(play).title) == ("escalated", "Good?")
    play.do(cmd.StopSession(session="s-1", by=ME))
    play.exit("s-1")
    play.do(resolve(play))
    assert at(play).status == "done"


@pytest.mark.parametrize(
    ("step", "why"), [(0, "step 1 of rt-1 is over; rt-1 is at step 2 (two)"), (2, "has not begun"), (9, "it has 3")]
)
def test_a_word_on_another_step_is_refused_with_where_it_is(step: int, why: str) -> None:
    play = Play()
    begin(play, *(Step(name=name, title="Go?") for name in ("one", "two", "three")))
    play.do(resolve(play))
    assert why in play.refused(resolve(play, step=step)) and at(play).step == 1


def test_who_resolves_twice_or_too_late_is_told_what_is_true() -> None:
    play = Play()
    begin(play, Step(name="one", title="Go?"))
    play.do(resolve(play))
    assert play.refused(resolve(play)) == "routine rt-1 is done: nothing waits in it"
    assert "no routine 'rt-7'" in play.refused(cmd.ResolveRoutine(routine="rt-7", step=0, by=ME))


def test_a_cancelled_routine_leaves_its_sessions_at_work_and_does_nothing_more() -> None:
    play = Play()
    begin(play, Step(name="one", start=(new("a"),), wait_for=("a",)), Step(name="two", start=(new("b"),)))
    play.begin("s-1")
    play.do(cmd.CancelRoutine(routine="rt-1", by=ME, note="wrong file"))
    assert (at(play).status, at(play).why) == ("cancelled", "wrong file")
    ask(play, "s-1")
    assert play.state.sessions["s-1"].phase == "awaiting-input"
    assert list(play.state.sessions) == ["s-1"] and not of(play, ev.RoutineEscalated)
    assert "is cancelled (wrong file)" in play.refused(cmd.CancelRoutine(routine="rt-1", by=ME))


# -- what may not start ----------------------------------------------------------------------------------------


def test_every_problem_of_a_routine_is_told_at_once() -> None:
    steps = (
        Step(name="one", start=(new("a", ""), new("s-1"), new("a b")), wait_for=("a", "late", "nobody", "a")),
        Step(name="one", start=(new("late"), new("a", "")), prompts={"ghost": "x", "late": " "}),
        Step(name="three"),
    )
    told = {(".".join(map(str, p.path)), p.message) for p in problems(RoutineSpec(name="n", steps=steps), {"s-9"})}
    expected = {
        "steps.0.waitFor.0": "nothing to do until then",
        "steps.0.waitFor.1": "begins only with step 2",
        "steps.0.waitFor.2": "no session 'nobody'",
        "steps.0.waitFor.3": "written twice",
        "steps.0.start.1.name": "looks like the id",
        "steps.0.start.2.name": "is no name",
        "steps.1.name": "is the name of step 1 already",
        "steps.1.start.1.name": "started by step 1 already",
        "steps.1.prompt.ghost": "no session 'ghost'",
        "steps.1.prompt.late": "is empty",
        "steps.2": "does nothing",
    }
    for path, words in expected.items():
        assert any(where == path and words in said for where, said in told), (path, sorted(told))
    play = Play()
    refused = play.refused(cmd.StartRoutine(spec=RoutineSpec(name="n", steps=steps), by=ME))
    assert len(refused.splitlines()) == len(told) and "steps.3: does nothing" in refused


def test_the_sizes_of_a_routine_have_bounds() -> None:
    many = tuple(Step(name=f"n{i}", start=(new(f"x{i}"),)) for i in range(101))
    told = [p.message for p in problems(RoutineSpec(name="n", steps=many), ())]
    assert [message.split(";")[0] for message in told] == ["makes 101 steps", "makes 101 sessions"]
    assert [p.message for p in problems(RoutineSpec(name="n", steps=()), ())] == ["is empty: write at least one step"]
