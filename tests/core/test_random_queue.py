"""Random nights: whatever tickets, agents, people and crashes do, the queue keeps its promises and comes to an end."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace
from play import ACP, ME
from queueplay import CALM, FOUNDATION, PARK, PROCEED, SETTINGS, Night

from console.core import commands as cmd
from console.core import due, queue, tickets
from console.core import events as ev
from console.core.records import Assessment, Blame, Finding, Option, Refused, Usage
from console.core.sessions import LIVE
from console.core.state import open_run
from console.core.tickets import Ticket

SHAKY = Assessment(level=2, findings=(Finding(kind="tests", level="high", rule="gone", text="a test is gone"),))
BLAMES = ("introduced", "introduced", "pre-existing", "flaky", "environment")


class Random(Night):
    """Every step does one thing that could happen now."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.dice = random.Random(seed)
        self.named = 0
        self.broken = 0
        self.stormy = seed % 2

    # -- what people and the folder do

    def folder(self) -> None:
        self.named += 1
        known = list(self.state.tickets)
        after = tuple(self.dice.sample(known, min(len(known), self.dice.choice((0, 0, 0, 1, 1, 2)))))
        verdict = self.dice.choice((PROCEED, PROCEED, PROCEED, PARK, FOUNDATION))
        self.see(f"t{self.named}", after=after, verdict=verdict, priority=self.dice.choice((0, 0, 10)))

    def person(self) -> None:
        state = self.state
        some = self.dice.choice(list(state.tickets) or [""])
        decision = self.dice.choice(list(state.decisions) or [""])
        plan = self.dice.choice([p for p in state.plans.values()] or [None])
        wishes: list[cmd.Command] = [
            cmd.RequeueTicket(ticket=some, by=ME),
            cmd.DropTicket(ticket=some, by=ME),
            cmd.ReleaseTicket(ticket=some, by=ME),
            cmd.ParkTicket(ticket=some, question="Really?", by=ME, foundational=self.dice.random() < 0.5),
            cmd.AnswerDecision(decision=decision, choice=1, by=ME),
            cmd.AnswerDecision(decision=decision, text="so", by=ME),
            cmd.ReopenDecision(decision=decision, by=ME),
            cmd.PauseRun(by=ME),
            cmd.ResumeRun(by=ME),
            cmd.ResumeRun(by=ME),
        ]
        if plan:
            confirm = state.policies[plan.policy].spec.ticket
            wishes += [
                cmd.Approve(policy=plan.policy, plan=plan.plan, by=ME, confirm=confirm),
                cmd.Reject(policy=plan.policy, plan=plan.plan, by=ME, note="no"),
                cmd.Undo(plan=plan.plan, by=ME),
            ]
        if self.dice.random() < 0.1:
            wishes += [cmd.StopRun(by=ME, now=self.dice.random() < 0.5)]
        self.asked(self.dice.choice(wishes))

    def asked(self, command: cmd.Command) -> None:
        outcome = self.ask(command)
        if isinstance(outcome, Refused):
            assert outcome.reason

    def disturb(self) -> None:
        """A person meddles with a session or policy that the queue uses, or the supervisor dies."""
        session = self.dice.choice(list(self.state.sessions) or [""])
        policy = self.dice.choice(list(self.state.policies) or [""])
        match self.dice.randrange(5):
            case 4:
                self.silence()
            case 0:
                self.asked(cmd.StopSession(session=session, by=ME))
            case 1:
                self.asked(cmd.CancelPolicy(policy=policy, by=ME))
            case 2:
                self.asked(cmd.InterruptTurn(session=session, by=ME))
            case _:
                live = [s for s in self.state.sessions.values() if s.phase in ("ready", "working", "stopping")]
                self.report(*(ev.SessionInterrupted(session=s.session, run=s.run) for s in live))

    def silence(self) -> None:
        """The whole fleet falls silent, or speaks again."""
        if self.state.fuse:
            self.report(ev.FuseReset(why="they speak again"))
        else:
            self.report(ev.FuseBlown(sessions=("s-1",), at_work=1, why="all silent"))

    # -- what a supervisor does

    def perform(self) -> bool:
        owed = [e for e in due.due(self.state) if not isinstance(e, (due.Deadline, due.Patience))]
        if self.dice.random() < 0.03:
            owed += [e for e in due.due(self.state) if isinstance(e, due.Deadline)]
        working = [s for s in self.state.sessions.values() if s.phase == "working" and s.ticket]
        if working and (not owed or self.dice.random() < 0.4):
            self.agent(self.dice.choice(working).session)
            return True
        if not owed:
            return False
        self.effect(self.dice.choice(owed))
        return True

    def effect(self, effect: due.Effect) -> None:
        match effect:
            case due.Prepare():
                if self.dice.random() < 0.05:
                    run = self.t(effect.ticket).run
                    blocked = ev.TicketEnded(
                        ticket=effect.ticket, attempt=effect.attempt, outcome="BLOCKED_ENV", why="no disk", run=run
                    )
                    self.report(blocked)
                else:
                    self.begin(effect.ticket)
            case due.Start():
                self.start(effect)
            case due.BeginTurn():
                s = self.state.sessions[effect.session]
                ref = f"refs/heads/nightdesk/{s.ticket}"
                taken = ev.SnapshotTaken(
                    session=s.session, turn=effect.turn, snapshot=f"snap-{s.session}-{effect.turn}"
                )
                self.report(taken, ev.TurnStarted(session=s.session, turn=effect.turn, ref=ref, head="h0"))
            case due.Stop():
                self.stop(effect)
            case due.Restart():
                self.now = max(self.now, effect.at)
                self.report(ev.SessionRestartDue(session=effect.session, run=effect.run))
            case due.Interrupt():
                self.turn_over(effect.session, ok=False, stop="cancelled")
            case due.RollBackTo():
                undo = f"undo-{effect.session}-{effect.request}"
                self.report(ev.RolledBack(session=effect.session, snapshot=effect.snapshot, undo=undo))
            case due.Judge():
                self.verdict(effect.policy)
            case due.Wake():
                self.now = max(self.now, effect.at)
                self.report(ev.TicketWoken(ticket=effect.ticket, attempt=effect.attempt))
            case due.Deadline():
                self.report(ev.TicketOverdue(ticket=effect.ticket, attempt=effect.attempt, limit=effect.limit))
            case due.LandPlan():
                plan = self.state.plans[effect.plan]
                if plan.state == "approved":
                    self.report(ev.PlanLanding(policy=plan.policy, plan=plan.plan, ref=plan.frozen.ref, old="h0"))
                self.report(ev.PolicyCommitted(policy=plan.policy, plan=plan.plan, sha=plan.plan, ref=plan.frozen.ref))
            case due.UndoPlan():
                plan = self.state.plans[effect.plan]
                self.report(ev.PlanRestored(policy=plan.policy, plan=plan.plan, was="landed"))

    def start(self, effect: due.Start) -> None:
        """Never beside another agent in the same worktree, nor beside a process that could not be ended."""
        s = self.state.sessions[effect.session]
        there = [o for o in self.state.sessions.values() if o.worktree == s.worktree and o.session != s.session]
        assert not [o for o in there if o.phase in LIVE and o.pid], f"two agents in {s.worktree}"
        if any(o.stuck for o in (*there, s)) or self.dice.random() < 0.03:
            why = "process 7 still runs there"
            self.report(ev.Exited(session=s.session, run=s.run, how="not-started", reason=why))
        elif self.dice.random() < 0.05:
            self.report(ev.SessionHung(session=s.session, run=s.run, turn=s.turns, cause="start", why="no answer"))
        else:
            self.up(effect.session, f"c-{effect.session}")

    def stop(self, effect: due.Stop) -> None:
        s = self.state.sessions[effect.session]
        how = "unkillable" if self.dice.random() < 0.03 else "not-started" if not s.pid else "signaled"
        signal, code = (9, None) if s.hung else (None, 0)
        end = {"signaled": {"how": "signaled" if s.hung else "exited", "signal": signal, "code": code}}
        fields: dict[str, Any] = end.get(how, {"how": how, "reason": "as it was told"})
        self.report(ev.Exited(session=s.session, run=s.run, stopped=s.stopped, **fields))

    def begin(self, name: str) -> None:
        t = self.t(name)
        plans = queue.stack(self.state, t)
        base = plans[-1].plan if plans else "h0"
        self.do(
            cmd.BeginWork(
                ticket=name,
                attempt=t.attempt,
                worktree=f"/w/{name}",
                branch=f"nightdesk/{name}",
                ref=f"refs/heads/nightdesk/{name}",
                head="h0",
                base=base,
                launch=ACP,
                preset="bot",
                prompt="do it",
                stacked_on=tuple(p.plan for p in plans),
            )
        )

    def agent(self, name: str) -> None:
        match self.dice.choice((12, 13, 14)) if self.stormy and self.dice.random() < 0.5 else self.dice.randrange(16):
            case 12 | 13:
                self.break_off(name)
            case 14:
                run, turn = self.state.sessions[name].run, self.state.sessions[name].turns
                self.report(ev.SessionHung(session=name, run=run, turn=turn, cause="hang", why="silent"))
            case 0:
                self.turn_over(name, ok=False, stop="error", detail=self.dice.choice("xy"))
            case 1:
                self.turn_over(name, ok=False, stop="error", fault=self.dice.choice(("limit", "overload", "auth")))
            case 2:
                run, code = self.state.sessions[name].run, self.dice.choice((0, 126, 127))
                self.report(ev.Exited(session=name, run=run, how="exited", code=code))
            case 3:
                options = (Option(id="y", name="Yes"),)
                turn = self.state.sessions[name].turns
                self.report(ev.AwaitingInput(session=name, turn=turn, question="q", title="May I?", options=options))
            case 4:
                t = self.t(self.state.sessions[name].ticket)
                self.report(ev.ParkRequested(ticket=t.ticket, attempt=t.attempt, question="Which?"))
            case _:
                self.turn_over(name, usage=Usage(cost_usd=0.1))

    def break_off(self, name: str) -> None:
        run, how = self.state.sessions[name].run, self.dice.choice(("signaled", "signaled", "exited", "lost"))
        self.broken += 1
        fields = {"signaled": {"signal": 9}, "exited": {"code": 3}, "lost": {"reason": "its shim died"}}[how]
        self.report(ev.Exited(session=name, run=run, how=how, **fields))  # type: ignore[arg-type]

    def turn_over(self, name: str, **more: Any) -> None:
        s = self.state.sessions[name]
        assert s.turn
        fields = {"ok": True, "stop": "end_turn", "head": "h0", "ref": s.turn.ref} | more
        self.report(ev.TurnEnded(session=name, turn=s.turn.number, **fields))

    def verdict(self, policy: str) -> None:
        name = self.state.policies[policy].spec.ticket
        t = self.t(name)
        if t.policy != policy:
            return
        verdict = self.dice.choice(("green", "green", "green", "red", "timeout"))
        why = self.dice.choice(BLAMES)
        blame = Blame(kind=why, why=why, signature=self.dice.choice("xyz")) if verdict != "green" else None  # type: ignore[arg-type]
        plan: Any = None if self.dice.random() < 0.1 else "new"
        unchanged = plan is None and self.dice.random() < 0.5
        assessment = self.dice.choice((CALM, CALM, SHAKY))
        self.judged(name, verdict, blame, assessment=assessment, plan=plan, unchanged=unchanged)  # type: ignore[arg-type]

    # -- what must hold

    def check(self) -> None:
        super().check()
        state, run = self.state, open_run(self.state)
        flying = [t for t in state.tickets.values() if t.in_flight]
        if flying:
            assert run, f"{[t.ticket for t in flying]} are under way without a run"
            at_work = [t for t in flying if t.phase != "waiting"]
            assert len(at_work) <= run.settings.sessions, [t.ticket for t in flying]
        for t in state.tickets.values():
            assert (t.phase == "ended") == (
                t.outcome is not None and t.phase not in ("gone", "dropped", *tickets.IN_FLIGHT)
            )
            if t.phase == "ended" and t.outcome in tickets.PARKED:
                assert state.decisions[t.decision].state == "open", t
            if t.run and t.attempts:
                assert t.attempts <= queue.allowed_attempts(t, state.runs[t.run]), t
            if t.outcome == "DONE" and t.phase == "ended":
                p = state.policies[t.policy]
                assert p.result is None or p.result.verdict == "green" or t.plan != p.plan, t
            self.check_restarts(t)
        for s in state.sessions.values():
            assert not (s.restart_at and s.phase != "exited"), s
            assert not (s.restart_at and s.stopped), "a stop is a stop"
            if s.stuck:
                assert not s.rollback and not s.restart_at, s
        if len(self.log) % 25:
            return  # counting the whole log again takes its time
        for r in state.runs.values():
            ended: dict[str, str] = {}
            for entry in self.log:
                if isinstance(entry.fact, ev.TicketEnded) and entry.fact.run == r.run:
                    ended[entry.fact.ticket] = entry.fact.outcome
                if isinstance(entry.fact, ev.TicketClaimed) and entry.fact.run == r.run:
                    ended.pop(entry.fact.ticket, None)
            assert ended == r.outcomes, "the tallies are the log's"

    def check_restarts(self, t: Ticket) -> None:
        """No more than the caps, whatever the attempt, the session or the supervisor; and nothing waits for nobody."""
        if not t.run:
            return
        limits = self.state.runs[t.run].settings.watchdog
        resumed = sum(1 for entry in self.log if isinstance(entry.fact, ev.SessionInterrupted))
        assert len(t.restarts) <= limits.total_restarts + resumed, t
        if t.phase == "working" and (s := self.state.sessions.get(t.session)):
            queued = self.state.policies[t.policy].status == "queued"  # its turn is over, and a slot is not free
            assert s.phase != "exited" or s.restart_at or s.rollback or queued, (
                f"{t.ticket} waits for a session that is over: {s}"
            )

    def check_counts(self) -> None:
        """Between two words of a person, the log holds no more restarts of a ticket than its caps."""
        limits = SETTINGS.watchdog
        counted: dict[str, list[float]] = {}
        for entry in self.log:
            match entry.fact:
                case ev.TicketRequeued(by=by) if by.via == "queue":
                    pass
                case ev.TicketRequeued() | ev.DecisionAnswered():
                    counted.pop(entry.fact.ticket, None)
                case ev.TicketEnded() if entry.fact.outcome in tickets.DONE:
                    counted.pop(entry.fact.ticket, None)
                case ev.SessionRestarting():
                    name = self.state.sessions[entry.fact.session].ticket
                    times = counted.setdefault(name, [])
                    times.append(entry.at)
                    assert len(times) <= limits.total_restarts, (name, entry)
                    recent = [at for at in times if at > entry.at - limits.window]
                    assert len(recent) <= limits.restarts, (name, entry)
                case _:
                    pass

    def rest(self) -> None:
        """Everything that is owed is done; then nothing may be under way for ever."""
        if self.state.fuse:
            self.silence()
        if open_run(self.state):
            self.ask(cmd.ResumeRun(by=ME))
        for _ in range(3000):
            if not self.perform():
                break
        else:
            raise AssertionError("it never comes to rest")


@pytest.mark.parametrize("block", range(5))
def test_random_nights_keep_every_promise_and_end(block: int) -> None:
    seen: Counter[str] = Counter()
    for seed in range(block * 8, block * 8 + 8):
        night = Random(seed)
        settings = replace(
            SETTINGS, sessions=night.dice.choice((1, 2, 3)), cost_usd=night.dice.choice((None, None, 1.0))
        )
        for _ in range(4):
            night.folder()
        for _ in range(160):
            kind = night.dice.random()
            if kind < 0.06:
                night.folder()
            elif kind < 0.2:
                night.person()
            elif kind < 0.24:
                night.disturb()
            elif not night.perform() and not open_run(night.state):
                night.go(settings)
        night.rest()
        assert open_run(night.state) is None, (seed, night.flying(), open_run(night.state))
        night.check_counts()
        night.check_durable()
        seen["broken"] += night.broken
        seen["again"] += sum(isinstance(entry.fact, ev.SessionRestarting) for entry in night.log)
        seen["given up"] += sum(isinstance(entry.fact, ev.SessionGivenUp) for entry in night.log)
    assert seen["again"] > 20 and seen["given up"], seen
