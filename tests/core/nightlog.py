"""A night as it stands in the log, written fact by fact: a state to read, without the brain that writes it."""

from __future__ import annotations

from console.core import events as ev
from console.core.records import (
    Assessment,
    Check,
    CommitSpec,
    Finding,
    Frozen,
    Gate,
    Identity,
    Interpretation,
    Launch,
    Outcome,
    PlanPath,
    PolicySpec,
    RunSettings,
    TextVerdict,
    TicketSpec,
    Usage,
    Who,
)
from console.core.report import build
from console.core.reporting.records import Report
from console.core.state import State

ME = Who(user="ada")
START = 1_700_000_000.0
GATE = Gate(argv=("make", "check"))
OPEN = "no sandbox (switched off): all open"


def commit_id(number: int) -> str:
    return f"{number:x}".rjust(8, "a") + "c" * 32


class Night:
    """Every method appends what an evening or a supervisor would; a minute passes before each fact."""

    def __init__(self) -> None:
        self.state = State()
        self.log: list[ev.Logged] = []
        self.now = START
        self._plans = 0

    def add(self, *facts: ev.Fact, wait: float = 60.0) -> None:
        for fact in facts:
            self.now += wait
            entry = ev.Logged(seq=self.state.seq + 1, at=self.now, fact=fact)
            self.state.apply(entry)
            self.log.append(entry)

    def report(self, run: str = "") -> Report:
        found = build(self.state, run, self.log)
        assert isinstance(found, Report), found
        return found

    # -- the queue ---------------------------------------------------------------------------------------

    def ticket(self, name: str, *after: str, title: str = "", held: str = "") -> str:
        spec = TicketSpec(title=title or f"Title of {name}", depends_on=after)
        seen = ev.TicketSeen(
            ticket=name, file=f"{name}.md", digest="d" * 64, stamp="1", spec=spec, verdict=TextVerdict(), held=held
        )
        self.add(seen, wait=0.0)
        return name

    def run(self, run: str = "", *, warnings: tuple[Check, ...] = (), settings: RunSettings | None = None) -> str:
        name = run or f"run-{len(self.state.runs) + 1}"
        pinned = settings or RunSettings(digest="5e" * 32, gate=GATE)
        self.add(ev.RunStarted(run=name, settings=pinned, by=ME, warnings=warnings))
        return name

    def end_run(self, status: ev.RunStatus = "DRAINED", why: str = "nothing is left that can start") -> None:
        self.add(ev.RunEnded(run=list(self.state.runs)[-1], status=status, why=why))

    def claim(self, name: str, attempt: int = 1) -> None:
        run = list(self.state.runs)[-1]
        self.add(ev.TicketClaimed(ticket=name, run=run, attempt=attempt, digest="d" * 64, verdict=TextVerdict()))

    def begin(self, name: str, attempt: int = 1, *, stacked_on: tuple[str, ...] = (), base: str = "b" * 40) -> str:
        """Its session and policy; the session's name."""
        session, policy = f"s-{len(self.state.sessions) + 1}", f"pol-{len(self.state.policies) + 1}"
        spec = PolicySpec(
            sessions=(session,), then="commit", gate=GATE, ticket=name, commit=CommitSpec(paths=(), message="m")
        )
        launch = Launch(argv=("agent",))
        self.add(
            ev.SessionAdded(
                session=session, label=name, preset="p", launch=launch, cwd="/w", worktree="/w", by=ME, ticket=name
            ),
            ev.PolicyAttached(policy=policy, spec=spec, since=self.state.seq),
            ev.TicketBegun(
                ticket=name,
                attempt=attempt,
                session=session,
                policy=policy,
                worktree=f"/w/{name}",
                branch=f"nightdesk/{name}",
                base=base,
                place="main, 2 ahead of origin/main",
                stacked_on=stacked_on,
            ),
            ev.PromptQueued(session=session, turn=1, text="do it", cause="ticket"),
            ev.TurnStarted(session=session, turn=1, ref=f"refs/heads/nightdesk/{name}", head=base),
            wait=0.0,
        )
        return session

    def turn(self, name: str, cost: float | None = 0.25) -> None:
        session = self.state.tickets[name].session
        usage = Usage(cost_usd=cost) if cost is not None else None
        self.add(ev.TurnEnded(session=session, turn=1, ok=True, stop="end_turn", usage=usage))

    def plan(self, name: str, *findings: Finding, level: int = 1, base: str = "b" * 40) -> str:
        """A green plan of its work that waits."""
        self._plans += 1
        commit, t = commit_id(self._plans), self.state.tickets[name]
        frozen = Frozen(
            commit=commit,
            base=base,
            tree="7" * 40,
            ref=f"refs/heads/nightdesk/{name}",
            ref_old=base,
            message=t.spec.title,
            author=Identity(name="Ada", email="ada@example.com"),
            when=1,
            zone="+0000",
            paths=(PlanPath(path="a.txt", old_mode="100644", old_oid="1" * 40, mode="100644", oid="2" * 40),),
            worktree="/w",
            store="/s",
            added=3,
            removed=1,
        )
        self.add(
            ev.PolicyCommitReady(
                policy=t.policy,
                plan=commit,
                cwd="/w",
                paths=("a.txt",),
                message=t.spec.title,
                frozen=frozen,
                sessions=(t.session,),
                assessment=Assessment(level=level, findings=findings),
            ),
            wait=0.0,
        )
        return commit

    def land(self, plan: str) -> None:
        p = self.state.plans[plan]
        self.add(
            ev.ApprovalRequested(policy=p.policy, plan=plan, by=ME),
            ev.PlanLanding(policy=p.policy, plan=plan, ref=p.frozen.ref, old=p.frozen.ref_old),
            ev.PolicyCommitted(policy=p.policy, plan=plan, sha=plan, ref=p.frozen.ref),
        )

    def end(self, name: str, outcome: Outcome, why: str = "because", **more: object) -> None:
        t = self.state.tickets[name]
        run = list(self.state.runs)[-1] if self.state.runs else ""
        self.add(ev.TicketEnded(ticket=name, attempt=t.attempt, outcome=outcome, why=why, run=run, **more))  # type: ignore[arg-type]

    def park(
        self, name: str, *options: str, foundational: bool = False, question: str = "Which?", **more: object
    ) -> str:
        """A decision and the end of its ticket; the decision's id."""
        decision = f"dec-{len(self.state.decisions) + 1}"
        source = more.get("source", "rule")
        whose = "agent" if source == "agent" else "rule"
        readings = tuple(Interpretation(text=text, source=whose) for text in options)  # type: ignore[arg-type]
        self.add(
            ev.DecisionParked(
                decision=decision,
                ticket=name,
                foundational=foundational,
                why="it touches a schema",
                question=question,
                options=readings,
                **more,  # type: ignore[arg-type]
            )
        )
        outcome: Outcome = "PARKED_FOUNDATIONAL" if foundational else "PARKED_DECISION"
        self.end(name, outcome, "a person must decide", decision=decision)
        return decision

    # -- whole nights ------------------------------------------------------------------------------------

    def done(self, name: str, *, level: int = 1, outcome: Outcome = "DONE", **begun: object) -> str:
        """Claimed, worked on, green; its plan waits."""
        base = str(begun.get("base", "b" * 40))
        self.claim(name)
        self.begin(name, **begun)  # type: ignore[arg-type]
        self.turn(name)
        found = [Finding(kind="risk", level="high", rule="auth", text="touches auth", path="a.py", line=3)] * (
            level > 1
        )
        plan = self.plan(name, *found, level=level, base=base)
        flags = ("touches auth, and the ticket did not say so",) if outcome != "DONE" else ()
        self.end(name, outcome, "the gate is green", plan=plan, flags=flags)
        return plan


def seven() -> Night:
    """A night with every outcome, a quarantine, what was not reached, and one of everything nobody watched."""
    n = Night()
    n.add(ev.SupervisorStarted(pid=7, start_time=1, host="h", version="1", sandbox=OPEN))
    for name in ("good", "doubt", "ask", "base", "env", "retry", "bug", "held"):
        n.ticket(name, held="it appeared while s-1 could write there" * (name == "held"))
    for name, after in (("child", "base"), ("grandchild", "child"), ("lost", "nowhere"), ("later", "retry")):
        n.ticket(name, after)
    n.run(warnings=(Check(name="disk", level="warning", text="3 GB are left", cure="free some"),))
    n.done("good")
    n.done("doubt", level=3, outcome="DONE_LOW_CONFIDENCE")
    n.claim("ask")
    n.begin("ask")
    n.turn("ask", None)
    n.park("ask", "keep both", source="agent", question="Shall I [click](http://evil) `now`\x1b[2J?")
    n.park("base", "forwards only", "both ways", foundational=True, question="Which way does the migration go?")
    for name, outcome in (("env", "BLOCKED_ENV"), ("retry", "FAILED_RETRYABLE"), ("bug", "FAILED_BUG_IN_AGENT")):
        n.claim(name)
        n.begin(name)
        if outcome != "BLOCKED_ENV":
            why = "1 test fails that did not before"
            n.add(ev.TicketAttemptFailed(ticket=name, attempt=1, cause="gate", why=why))
        n.end(name, outcome, "the gate's program is missing; install it" if outcome == "BLOCKED_ENV" else "tests fail")
    n.add(ev.SupervisorStarted(pid=8, start_time=2, host="h", version="1", sandbox=OPEN))
    n.add(ev.SnapshotTaken(session="s-1", turn=1, refused="the disk is full"))
    n.add(ev.Exited(session="s-2", run=1, how="exited", code=0, leftovers=("sleep 100",)))
    n.end_run()
    return n
