"""A night on the table: tickets, a run, and a supervisor that reports what a real one would."""

from __future__ import annotations

from play import ACP, ME, Play, frozen, result

from console.core import commands as cmd
from console.core import due, tickets
from console.core import events as ev
from console.core.records import (
    Assessment,
    Blame,
    Frozen,
    Gate,
    Outcome,
    RunSettings,
    TextVerdict,
    TicketSpec,
    Verdict,
)
from console.core.tickets import Ticket

GATE = Gate(argv=("make", "check"))
SETTINGS = RunSettings(
    digest="d1", gate=GATE, presets={"bot": ACP}, agent="bot", allowed=("make",), sessions=2, attempts=3, tickets=20
)
PROCEED = TextVerdict()
CALM = Assessment()
PARK = TextVerdict(
    decision="PARK", category="ambiguity", rule="either-or", why="two ways", question="Which?", options=("a", "b")
)
FOUNDATION = TextVerdict(
    decision="PARK", category="schema", rule="schema", why="a column", question="Which way?", options=("a", "b")
)


class Night(Play):
    def see(
        self,
        name: str,
        *,
        after: tuple[str, ...] = (),
        verdict: TextVerdict = PROCEED,
        priority: int = 0,
        digest: str = "t1",
        stamp: str = "",
        **spec: object,
    ) -> None:
        """A ticket's file is found in the folder."""
        made = TicketSpec(title=f"Do {name}", depends_on=after, priority=priority, **spec)  # type: ignore[arg-type]
        seen = ev.TicketSeen(
            ticket=name, file=f"{name}.md", digest=digest, stamp=stamp or digest, spec=made, verdict=verdict
        )
        self.do(cmd.SyncTickets(seen=(seen,), whole=False))

    def go(self, settings: RunSettings = SETTINGS, **more: bool) -> None:
        self.do(cmd.StartRun(settings=settings, by=ME, **more))

    def t(self, name: str) -> Ticket:
        return self.state.tickets[name]

    @property
    def run(self) -> object:
        return next(reversed(self.state.runs.values()))

    @property
    def end(self) -> tuple[str | None, dict[str, Outcome]]:
        run = next(reversed(self.state.runs.values()))
        return run.status, dict(run.outcomes)

    def flying(self) -> list[str]:
        return [t.ticket for t in self.state.tickets.values() if t.phase in tickets.IN_FLIGHT]

    # -- what a supervisor does --------------------------------------------------------------------------

    def prepare(self, name: str) -> None:
        t = self.t(name)
        assert due.Prepare(ticket=name, attempt=t.attempt) in set(due.due(self.state))
        self.do(
            cmd.BeginWork(
                ticket=name,
                attempt=t.attempt,
                worktree=f"/w/{name}",
                branch=f"nightdesk/{name}",
                ref=f"refs/heads/nightdesk/{name}",
                head="h0",
                base="h0",
                launch=ACP,
                preset="bot",
                prompt="do it",
            )
        )

    def begin_turn(self, name: str) -> str:
        """The session of a claimed ticket comes up and its turn begins, after a snapshot."""
        self.prepare(name)
        s = self.t(name).session
        self.up(s, conversation=f"c-{s}")
        self.report(
            ev.SnapshotTaken(session=s, turn=1, snapshot=f"snap-{s}"),
            ev.TurnStarted(session=s, turn=1, ref=f"refs/heads/nightdesk/{name}", head="h0"),
        )
        return s

    def end_turn(self, name: str, **turn: object) -> tuple[ev.Fact, ...]:
        s = self.state.sessions[self.t(name).session]
        assert s.turn
        fact = ev.TurnEnded(session=s.session, turn=s.turn.number, **({"ok": True, "stop": "end_turn"} | turn))  # type: ignore[arg-type]
        return self.report(fact)

    def judged(
        self,
        name: str,
        verdict: Verdict | None = "green",
        blame: Blame | None = None,
        *,
        assessment: Assessment | None = CALM,
        plan: Frozen | str | None = "new",
        **more: object,
    ) -> tuple[ev.Fact, ...]:
        p = self.state.policies[self.t(name).policy]
        assert p.status == "gating", p
        self._plans += 0x10000000
        made = frozen(self._plans << 100, "h0", f"/w/{name}", f"refs/heads/nightdesk/{name}") if plan == "new" else plan
        results = (result(verdict),) if verdict else ()
        assert not isinstance(made, str)
        return self.report(
            ev.PolicyJudged(
                policy=p.policy,
                attempt=p.attempt,
                results=results,
                plan=made,
                blame=blame,
                assessment=assessment,
                **more,  # type: ignore[arg-type]
            )
        )

    def settle(self) -> None:
        """Sessions that are to stop have stopped, rollbacks are done; until nothing of that kind is due."""
        for _ in range(50):
            for effect in due.due(self.state):
                if isinstance(effect, due.Stop):
                    s = self.state.sessions[effect.session]
                    self.report(ev.Exited(session=s.session, run=s.run, how="exited", code=0, stopped=s.stopped))
                    break
                if isinstance(effect, due.RollBackTo):
                    undo = f"undo-{effect.session}-{effect.request}"
                    self.report(ev.RolledBack(session=effect.session, snapshot=effect.snapshot, undo=undo))
                    break
            else:
                return
        raise AssertionError("it does not come to rest")

    def work(self, name: str, verdict: Verdict = "green", blame: Blame | None = None, **judged: object) -> None:
        """A whole attempt: prepared, a turn, judged, and everything that is then stopped or rolled back."""
        self.begin_turn(name)
        self.end_turn(name)
        self.judged(name, verdict, blame, **judged)  # type: ignore[arg-type]
        self.settle()


def introduced(signature: str = "sig") -> Blame:
    return Blame(kind="introduced", why="1 test fails that did not before", signature=signature)
