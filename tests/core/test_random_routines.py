"""Routines under random sessions, people and supervisors: nothing is left undone or done twice."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from play import ACP, ME, Play

from console.core import commands as cmd
from console.core import events as ev
from console.core import routines_react
from console.core.records import Option, Refused
from console.core.records_routines import OnWait, RoutineSession, RoutineSpec, Step, Waiting

OPTIONS = (Option(id="yes", name="Allow", kind="allow_once"), Option(id="no", name="Deny", kind="reject_once"))
KINDS: tuple[OnWait, ...] = ("auto-allow", "auto-allow", "escalate", "escalate", "fail")


class Dice:
    def __init__(self, seed: int) -> None:
        self.dice, self.play, self.asked = random.Random(seed), Play(), 0
        self.old = [self.play.session(prompt) for prompt in ("go", "")]
        self.moves = (self.turn, self.turn, self.turn, self.ask, self.answer, self.person, self.trouble, self.routine)

    def routine(self) -> None:
        if len(self.play.state.routines) > 4:
            return
        steps, known = [], list(self.old)
        for i in range(self.dice.randint(1, 4)):
            names = [f"x{i}{j}" for j in range(self.dice.randint(0, 2))]
            start = tuple(
                RoutineSession(name=n, preset="bot", launch=ACP, cwd="/w", worktree="/w", prompt="go") for n in names
            )
            known += names
            wait = tuple(self.dice.sample(known, self.dice.randint(0, min(3, len(known)))))
            prompts = {n: f"step {i}" for n in self.dice.sample(known, self.dice.randint(0, 1))}
            title = self.dice.choice(("", "", "Go on?"))
            if not (start or wait or prompts or title):
                title = "Really?"
            on_wait = Waiting(kind=self.dice.choice(KINDS), timeout=self.dice.choice((0.001, 300.0)))
            steps.append(Step(name=f"n{i}", start=start, prompts=prompts, wait_for=wait, on_wait=on_wait, title=title))
        self.play.ask(cmd.StartRoutine(spec=RoutineSpec(name="r", steps=tuple(steps)), by=ME))

    def turn(self) -> None:
        """Every session that can goes one small step on."""
        for name in list(self.play.state.sessions):
            s = self.play.state.sessions[name]
            if s.phase in ("starting", "suspended") and (s.phase == "starting" or s.prompts):
                self.play.up(s.session)
            elif s.restart_at:
                self.play.report(ev.SessionRestartDue(session=s.session, run=s.run))
            elif s.phase == "ready" and s.prompts and self.dice.random() < 0.7:
                self.play.begin(s.session)
            elif s.phase == "working" and self.dice.random() < 0.5:
                self.play.end(s.session, ok=self.dice.random() < 0.95, stop="end_turn")
            elif s.question and s.question.answer is not None:
                self.play.report(ev.InputAnswered(session=s.session, question=s.question.id, option=s.question.answer))

    def ask(self) -> None:
        at_work = [s for s in self.play.state.sessions.values() if s.phase == "working" and s.turn]
        for s in self.dice.sample(at_work, min(2, len(at_work))):
            assert s.turn
            self.asked += 1
            via = self.dice.choice(("", "inbox"))
            fact = ev.AwaitingInput(
                session=s.session,
                turn=s.turn.number,
                question=f"q{self.asked}",
                title="May I?",
                options=self.dice.choice((OPTIONS, OPTIONS, ())),
                via=via,  # type: ignore[arg-type]
            )
            self.play.report(fact)

    def answer(self) -> None:
        """A person answers a session directly, or prompts it."""
        for name in list(self.play.state.sessions):
            s = self.play.state.sessions[name]
            if s.question and s.question.answer is None and self.dice.random() < 0.3:
                self.play.ask(cmd.AnswerQuestion(session=s.session, option="", by=ME))
            elif self.dice.random() < 0.05:
                self.play.ask(cmd.SendPrompt(session=s.session, text="more", by=ME))

    def person(self) -> None:
        for r in list(self.play.state.routines.values()):
            what, step = self.dice.random(), r.step + self.dice.choice((0, 0, 0, 1, -1))
            if what < 0.5 and step >= 0:
                response, approve = self.dice.choice(("", "yes", "no", "words")), self.dice.random() < 0.9
                asked = r.asked + self.dice.choice((0, 0, 0, 0, -1))
                command = cmd.ResolveRoutine(
                    routine=r.routine, step=step, by=ME, asked=asked, approve=approve, response=response
                )  # fmt: skip
                if not isinstance(self.play.ask(command), Refused):
                    assert asked == r.asked or not (asked or approve)
                    assert r.status == "escalated" and step == r.step
            elif what < 0.55:
                self.play.ask(cmd.CancelRoutine(routine=r.routine, by=ME))
            elif what < 0.6:
                self.play.report(ev.RoutineExpired(routine=r.routine, step=r.step, asked=r.asked))

    def trouble(self) -> None:
        live = [s for s in self.play.state.sessions.values() if s.phase in ("ready", "working", "awaiting-input")]
        for s in self.dice.sample(live, min(1, len(live))):
            match self.dice.randint(0, 6):
                case 0:
                    self.play.exit(s.session, code=self.dice.choice((0, 1)))
                case 1:
                    self.play.report(ev.SessionHung(session=s.session, run=s.run, turn=s.turns, cause="hang", why="x"))
                    self.play.report(ev.Exited(session=s.session, run=s.run, how="signaled", signal=9))
                case 2:
                    self.play.ask(cmd.StopSession(session=s.session, by=ME))
                    self.play.exit(s.session)
                case 3:
                    self.play.ask(cmd.InterruptTurn(session=s.session, by=ME))
                case _:
                    for other in live:
                        self.play.report(ev.SessionInterrupted(session=other.session, run=other.run))

    def check(self) -> None:
        state, log = self.play.state, [entry.fact for entry in self.play.log]
        nothing = ev.OperatorActive(by=ME)
        for r in state.routines.values():
            assert not r.open or not routines_react.next_move(state, r, nothing), (r, "something is left undone")
            asked = [f for f in log if isinstance(f, (ev.RoutineEscalated, ev.RoutineResolved, ev.RoutineEnded))]
            mine = [f for f in asked if f.routine == r.routine]
            twice = pairwise(mine)
            assert not any(isinstance(a, ev.RoutineEscalated) and isinstance(b, ev.RoutineEscalated) for a, b in twice)
            done = [f.step for f in log if isinstance(f, ev.RoutineStepDone) and f.routine == r.routine]
            begun = [f.step for f in log if isinstance(f, ev.RoutineStepBegun) and f.routine == r.routine]
            assert done == list(range(len(done))) and begun == list(range(len(begun))) and len(done) <= len(begun)
            assert sum(isinstance(f, ev.RoutineEnded) and f.routine == r.routine for f in log) == (not r.open)
        queued = [f for f in log if isinstance(f, ev.PromptQueued) and f.by and f.by.via.startswith("routine")]
        told = [(f.session, f.turn) for f in queued]
        assert len(set(told)) == len(told), "two prompts of one turn"
        added = [f.session for f in log if isinstance(f, ev.SessionAdded)]
        assert len(set(added)) == len(added)
        answers = [(f.session, f.question) for f in log if isinstance(f, ev.AnswerRequested)]
        assert len(set(answers)) == len(answers), "a question is answered once"


def night(seed: int, moves: int = 40) -> None:
    dice = Dice(seed)
    dice.routine()
    for _ in range(moves):
        dice.dice.choice(dice.moves)()
        dice.check()
    dice.play.check_durable()


@pytest.mark.parametrize("seed", range(12))
def test_nothing_is_left_undone_or_done_twice_whatever_happens(seed: int) -> None:
    night(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1400))
def test_nothing_is_left_undone_or_done_twice_in_many_nights(seed: int) -> None:
    night(seed, 80)
